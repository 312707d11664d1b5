"""What the drivers of programs have in common: each speaks one protocol to one program."""

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from noughts.errors import NoughtsError
from noughts.games.base import Game, Move
from noughts.games.notation import parse_move
from noughts.search.analysis import Limit, Report
from noughts.workers.programs.program import Program


class NeedsNewProcessError(Exception):
    """The question was not asked, because the program does not get to it; a new process of it may."""


class Driver(Protocol):
    """What speaks to one program by one protocol. All raise :class:`~noughts.errors.PlayerFailed`."""

    @property
    def farewell(self) -> str:
        """The line that tells the program to leave."""

    def begin(self, seconds: float) -> None:
        """Find out that it is there, within so many *seconds*."""

    def seat(self, game: Game) -> None:
        """Tell it the game; one that declines raises :class:`~noughts.errors.UnsupportedRules`."""

    def choose(self, game: Game, limit: Limit, seconds: float, report: Report) -> Move:
        """Its move, after so many *seconds* at most."""

    def choose_side(self, game: Game, answers: Sequence[str], limit: Limit, seconds: float) -> str | None:
        """What it answers in an opening; None where it cannot be asked."""

    def place_evenly(self, game: Game, marks: int, limit: Limit, seconds: float) -> Move | None:
        """Where it places the first of so many *marks*; None where it cannot be asked."""


MakeDriver = Callable[[str, Program], Driver]
"""Makes the driver of the program of the player of this name."""


class AnnouncedMoves:
    """Moves that came with an answer in an opening, each with the game in which it is to be made."""

    def __init__(self) -> None:
        self._moves: list[tuple[Game, Move]] = []

    def keep(self, game: Game, texts: Iterable[str]) -> None:
        """Keep the moves of *texts* as far as they are legal, for when they are asked for."""
        self._moves, game = [], game.copy()
        for text in texts:
            try:
                move = parse_move(game, text)
                self._moves.append((game.copy(), move))
                game.play(move)
            except NoughtsError:
                return

    def take(self, game: Game) -> Move | None:
        """The move that was said for this very position."""
        if self._moves and (self._moves[0][0].key(), self._moves[0][0].moves) == (game.key(), game.moves):
            return self._moves.pop(0)[1]
        self._moves = []
        return None
