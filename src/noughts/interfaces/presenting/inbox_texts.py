"""Sentences about the notes in an inbox."""

from collections.abc import Iterable, Mapping

from noughts.arena.people.inbox import InboxNote, NoteKind
from noughts.arena.table import HUMAN
from noughts.interfaces.presenting.i18n import Translator
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
        case NoteKind.TURN if facts["move"] is not None and len(players) == 1:
            return say("inbox-move", player=players[0], move=facts["move"])
        case NoteKind.TURN:
            return say("inbox-turn", player=players)
        case NoteKind.ENDED:
            return say(f"inbox-{RESULTS[facts['points']]}", player=players)
        case NoteKind.REMINDER:
            return say("inbox-reminder", player=players)
        case NoteKind.CHALLENGE:
            return say("inbox-asked" if facts["is_gone"] else "inbox-asks", player=name(facts["by"]))
        case NoteKind.TOURNAMENT:
            return say("inbox-tournament", code=facts["code"])


def note_about(say: Translator, note: InboxNote) -> str:
    """Return the games that *note* is about."""
    names = note.facts.get("games") or [note.facts["game"]]
    return say.listed([title_of(say, name) for name in names])
