"""The interface of drivers of programs. Each uses one protocol with one program."""

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from noughts.errors import NoughtsError
from noughts.games.base import Game, Move
from noughts.games.notation import parse_move
from noughts.search.analysis import Limit, Report
from noughts.workers.programs.program import Program


class NeedsNewProcessError(Exception):
    """The program cannot reach the position of the question. A new process of it may."""


class Driver(Protocol):
    """A driver for one program with one protocol. Its methods raise :class:`~noughts.errors.PlayerFailed`."""

    @property
    def farewell(self) -> str:
        """The line that asks the program to exit."""

    def begin(self, seconds: float) -> None:
        """Check within *seconds* that the program is ready."""

    def seat(self, game: Game) -> None:
        """Send the game. Raises :class:`~noughts.errors.UnsupportedRules` if the program declines it."""

    def choose(self, game: Game, limit: Limit, seconds: float, report: Report) -> Move:
        """Return the program's move, after *seconds* at most."""

    def choose_side(self, game: Game, answers: Sequence[str], limit: Limit, seconds: float) -> str | None:
        """Return the program's answer in an opening, or None if the protocol cannot express the question."""

    def place_evenly(self, game: Game, marks: int, limit: Limit, seconds: float) -> Move | None:
        """Return the first of *marks* marks to place, or None if the protocol cannot express the question."""


MakeDriver = Callable[[str, Program], Driver]
"""A function that makes the driver for a player's name and its program."""


class AnnouncedMoves:
    """Moves that came with an answer in an opening, each with the game in which it is to be made."""

    def __init__(self) -> None:
        self._moves: list[tuple[Game, Move]] = []

    def store(self, game: Game, texts: Iterable[str]) -> None:
        """Store the moves in *texts*, up to the first illegal one, until they are needed."""
        self._moves, game = [], game.copy()
        for text in texts:
            try:
                move = parse_move(game, text)
                self._moves.append((game.copy(), move))
                game.play(move)
            except NoughtsError:
                return

    def take(self, game: Game) -> Move | None:
        """Return the stored move for exactly this position, or None."""
        if self._moves and (self._moves[0][0].key(), self._moves[0][0].moves) == (game.key(), game.moves):
            return self._moves.pop(0)[1]
        self._moves = []
        return None
