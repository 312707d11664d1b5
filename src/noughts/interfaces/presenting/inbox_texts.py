"""Sentences about the notes in an inbox."""

from collections.abc import Iterable, Mapping

from noughts.arena.people.inbox import InboxNote, NoteKind
from noughts.arena.table import HUMAN
from noughts.errors import NoughtsError
from noughts.games.catalogue import new_game
from noughts.games.notation import parse_move
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.move_names import Names
from noughts.interfaces.presenting.players import player_called
from noughts.interfaces.presenting.titles import title_of

RESULTS = {1: "won", 0: "drawn", -1: "lost"}
"""The parts of message ids about results, by the points of the player."""


def names_in(notes: Iterable[InboxNote]) -> list[str]:
    """Return the texts of all players in *notes*, of whom those with keys have to be looked up."""
    return [name for note in notes for name in (*note.facts.get("others", ()), note.facts.get("by", ""))]


def note_sentence(say: Translator, note: InboxNote, called: Mapping[str, str]) -> str:
    """Return the sentence about *note*. *called* has the present names of people with keys."""

    def name(text: str) -> str:
        return player_called(say, called.get(text, text), HUMAN)

    facts = note.facts
    players = [name(text) for text in facts.get("others", ())]
    match note.kind:
        case NoteKind.TURN:
            move = _move_name(facts["game"], facts["move"]) if len(players) == 1 else None
            if move is None:
                return say("inbox-turn", player=players)
            return say("inbox-move", player=players[0], move=move)
        case NoteKind.ENDED:
            return say(f"inbox-{RESULTS[facts['points']]}", player=players)
        case NoteKind.REMINDER:
            return say("inbox-reminder", player=players)
        case NoteKind.CHALLENGE:
            return say("inbox-asked" if facts["is_gone"] else "inbox-asks", player=name(facts["by"]))
        case NoteKind.BEGAN:
            return say("inbox-began-turn" if facts["is_turn"] else "inbox-began", player=players)
        case NoteKind.TOURNAMENT:
            return say("inbox-tournament", code=facts["code"])


def _move_name(name: str, text: str | None) -> str | None:
    """Return the move *text* of the game *name* as the page of the game names it.

    Returns None without a move, and if the game is no longer installed.

    >>> _move_name("gomoku", "101"), _move_name("connect4", "4"), _move_name("gone", "4")
    ('k9', '4', None)
    """
    if text is None:
        return None
    try:
        game = new_game(name)
        return Names(game, letters=True).move(parse_move(game, text))
    except NoughtsError:
        return None


def note_about(say: Translator, note: InboxNote) -> str:
    """Return the games that *note* is about."""
    names = note.facts.get("games") or [note.facts["game"]]
    return say.listed([title_of(say, name) for name in names])
