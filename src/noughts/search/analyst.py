"""The one who is asked what a position is worth: picks the search that answers for its game."""

from typing import Protocol

from noughts.errors import UnsupportedRules
from noughts.games.base import Game
from noughts.games.kinarow import KInARow
from noughts.search.analysis import Analysis, Limit, Report, no_report
from noughts.search.compiled import Machine, best_machine
from noughts.search.exact import ExactSearch
from noughts.search.puzzle import PuzzleSearch
from noughts.search.retrograde import Retrograde
from noughts.search.solver import Solver
from noughts.search.values import Values, value_of_end


class Searcher(Protocol):
    """What finds exact values for some games."""

    def solve(self, game: Game, limit: Limit) -> Analysis:
        """The value of the position."""

    def analyse(self, game: Game, limit: Limit) -> Analysis:
        """The same, and the value of each legal move."""


class Analyst:
    """Answers questions about positions of any game, and remembers what it found for the next question.

    *report* is told of progress, and *machine* runs what may be compiled: the best there is. The games asked
    about are left as they were.

    >>> from noughts import TicTacToe, new_game
    >>> Analyst().solve(TicTacToe()).value, Analyst().solve(new_game("4x3:3")).plies
    (0, 7)
    """

    def __init__(self, report: Report = no_report, machine: Machine | None = None) -> None:
        self._report = report
        self._machine = machine
        self._searchers: dict[object, Searcher] = {}

    def solve(self, game: Game, limit: Limit = Limit()) -> Analysis:  # noqa: B008
        """The value of the position, the distance to the end, a best move and the principal variation.

        Raises :class:`~noughts.errors.UnsupportedRules` for games of three sides or more.
        """
        return self._ended(game) or self._searcher(game).solve(game, limit.started())

    def analyse(self, game: Game, limit: Limit = Limit()) -> Analysis:  # noqa: B008
        """The same, and the value of each legal move.

        Raises :class:`~noughts.errors.UnsupportedRules` for games of three sides or more.
        """
        return self._ended(game) or self._searcher(game).analyse(game, limit.started())

    def _ended(self, game: Game) -> Analysis | None:
        if len(game.sides) > 2:
            raise UnsupportedRules("analyse", game.name, "not-two-sides")
        return None if game.outcome is None else Analysis(value_of_end(game), 0, None, 0)

    def _searcher(self, game: Game) -> Searcher:
        """The search for *game*, the same as the last time."""
        kind = (type(game), game.name, game.sides)
        if kind not in self._searchers:
            self._searchers[kind] = self._new_searcher(game)
        return self._searchers[kind]

    def _new_searcher(self, game: Game) -> Searcher:
        if len(game.sides) == 1:
            return PuzzleSearch(self._report)
        if game.can_repeat:
            return Retrograde(self._report)
        if isinstance(game, KInARow) and ExactSearch.supports(game):
            return Values(ExactSearch(game.rules, self._machine or best_machine(self._report)), self._report)
        return Values(Solver(), self._report)
