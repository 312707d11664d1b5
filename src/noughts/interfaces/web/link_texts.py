"""The texts of links to games, positions and puzzles: titles, descriptions, and the texts in pictures."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import cache

from noughts.arena.rooms.models import Phase, RoomView
from noughts.arena.stored_game import StoredGame, moves_of
from noughts.drawing.animation import draw_link_gif
from noughts.drawing.link_picture import LinkText, draw_link_png, drawable
from noughts.games.base import Game
from noughts.games.catalogue import name_of
from noughts.interfaces.presenting import puzzle_texts
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.titles import title_of
from noughts.interfaces.web.live.work import bytes_task
from noughts.interfaces.web.models import shown_names
from noughts.puzzles.puzzle import Puzzle
from noughts.puzzles.shipped import find_puzzle

TRADITIONAL = "zh-Hant"
"""The language with the forms of traditional Han characters."""

Shown = Callable[[str, str], str]
"""A function that returns the shown name of a player, given the mark and the name."""


@cache
def plain_translator(language: str) -> Translator:
    """Return the translator for *language* whose texts have no invisible marks around names."""
    return Translator(language)


@dataclass(frozen=True, slots=True)
class LinkFacts:
    """The facts of a linked game, position or puzzle that its texts need.

    ``players`` has the mark and the name of each player, empty for a position without players. ``winner`` and
    ``termination`` are those of a finished game, ``turn`` is the side to move in a running one. ``host`` is
    the player who invites to a game. ``puzzle`` is the number of a puzzle.
    """

    game: str
    plies: int
    players: tuple[tuple[str, str], ...] = ()
    winner: str | None = None
    termination: str | None = None
    turn: str | None = None
    host: str | None = None
    puzzle: int | None = None

    def title(self, say: Translator, shown: Shown) -> str:
        """Return the title: the result, the player to move, the invitation or the task."""
        names = {side: shown(side, name) for side, name in self.players}
        if self.puzzle is not None:
            return puzzle_texts.say_task(say, find_puzzle(self.puzzle))
        if self.host is not None:
            host = shown("", self.host)
            return say("web-invited", player=host) if host else title_of(say, self.game)
        if self.turn is not None:
            return say("is-to-move", player=names.get(self.turn, self.turn))
        if self.termination == "broken":
            return say("over-broken")
        if self.termination == "aborted":
            return say("over-aborted")
        if self.winner is None:
            return say("over-draw") if self.termination is not None else title_of(say, self.game)
        if len(self.players) == 1:
            return say("over-solved")
        return say("web-wins", player=names.get(self.winner, self.winner))

    def detail(self, say: Translator) -> str:
        """Return the game and the number of moves, or the number and the grade of the puzzle."""
        if self.puzzle is not None:
            return puzzle_texts.say_which(say, find_puzzle(self.puzzle))
        game = title_of(say, self.game)
        return say.plural("share-game", self.plies, game=game) if self.plies else game

    def description(self, say: Translator) -> str:
        """Return the players and the detail in one line."""
        detail = self.detail(say)
        names = [name for _, name in self.players if name]
        return say("share-players", players=" – ".join(names), detail=detail) if names else detail


def facts_of_game(
    stored: StoredGame, players: Iterable[tuple[str, str]], earlier: Game | None = None
) -> LinkFacts:
    """Return the facts of a finished game with the shown names of its *players*.

    An *earlier* position of the game has a player to move, and no result.
    """
    result = stored.result
    if earlier is not None and not earlier.is_over and earlier.ply < len(moves_of(stored)):
        return LinkFacts(stored.setup.game, earlier.ply, tuple(players), turn=earlier.turn)
    return LinkFacts(
        stored.setup.game,
        len(moves_of(stored)),
        tuple(players),
        winner=result.winner if result else None,
        termination=str(result.termination) if result else None,
    )


def facts_of_room(view: RoomView, say: Translator) -> LinkFacts | None:
    """Return the facts of the present game in a room, or None if it was closed."""
    names = shown_names(view, say)
    name, match = name_of(view.match.game), view.match
    players = tuple((view.sides.get(place, ""), called or "") for place, called in enumerate(names))
    if view.phase is Phase.CLOSED:
        return None
    if view.phase is Phase.WAITING:
        return LinkFacts(name, 0, host=next((called for called in names if called), ""))
    outcome = match.outcome
    if outcome is None:
        turn = match.turn if view.phase is Phase.PLAYING else None
        return LinkFacts(name, match.game.ply, players, turn=turn)
    return LinkFacts(
        name, match.game.ply, players, winner=outcome.winner, termination=str(outcome.termination)
    )


def facts_of_position(game: Game) -> LinkFacts:
    """Return the facts of a position without players."""
    outcome = game.outcome
    if outcome is None:
        return LinkFacts(name_of(game), game.ply, turn=game.turn)
    return LinkFacts(name_of(game), game.ply, winner=outcome.winner, termination=str(outcome.termination))


def facts_of_puzzle(puzzle: Puzzle) -> LinkFacts:
    """Return the facts of *puzzle*."""
    return LinkFacts(puzzle.game, 0, puzzle=puzzle.id)


@dataclass(frozen=True)
class LinkedBoard:
    """The board of a picture as a cache key: boards with the same ``key`` are equal."""

    game: Game = field(compare=False)
    key: str


@bytes_task
def link_png(of: LinkedBoard, facts: LinkFacts, language: str) -> bytes:
    """Return the picture of a link as PNG."""
    return draw_link_png(of.game, link_text(facts, language))


@bytes_task
def link_gif(of: LinkedBoard, facts: LinkFacts, language: str) -> bytes:
    """Return the moves of a game as GIF. The title is the game until the last move."""
    running = replace(facts, winner=None, termination=None, turn=None)
    return draw_link_gif(of.game, link_text(facts, language), link_text(running, language))


def link_text(facts: LinkFacts, language: str) -> LinkText:
    """Return the texts of the picture of a link in *language*, or in English if no font has its script.

    A name that no font can draw is replaced by the mark of the player.
    """
    is_traditional = language == TRADITIONAL

    def shown(side: str, name: str) -> str:
        return drawable(name, is_traditional=is_traditional) or side

    def draw(text: str) -> str:
        return drawable(text, is_traditional=is_traditional)

    say = plain_translator(language)
    if not draw(facts.title(say, lambda side, _: side) + facts.detail(say)):
        say = plain_translator("en")
    players = tuple((side, draw(name)) for side, name in facts.players)
    return LinkText(draw(facts.title(say, shown)), draw(facts.detail(say)), players, is_traditional)
