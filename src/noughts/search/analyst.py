"""The one who is asked what a position is worth: picks the search that answers for its game."""

from dataclasses import replace
from random import Random
from typing import Protocol

from noughts.errors import UnsupportedRules
from noughts.games.base import Game
from noughts.search.analysis import UNKNOWN, Analysis, Limit, MoveValue, Report, analysis_of_end, no_report
from noughts.search.compiled import Machine, best_machine, python_machine
from noughts.search.engine import Engine
from noughts.search.exact import MAX_CELLS, ExactSearch
from noughts.search.general.estimating import GeneralSearch
from noughts.search.general.proving import ProofSearch
from noughts.search.puzzle import PuzzleSearch
from noughts.search.retrograde import Retrograde
from noughts.search.values import Values

FEW_CELLS = 9
"""Nothing is ever compiled for the exact values of boards so small."""


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
        self._searchers: dict[object, Estimated | PuzzleSearch] = {}

    def solve(self, game: Game, limit: Limit = Limit()) -> Analysis:  # noqa: B008
        """The value of the position, the distance to the end, a best move and the principal variation.

        Raises :class:`~noughts.errors.UnsupportedRules` for games of three sides or more.
        """
        return self._ended(game) or self._searcher(game).solve(game, limit)

    def analyse(self, game: Game, limit: Limit = Limit()) -> Analysis:  # noqa: B008
        """The same, and the value of each legal move.

        Where the value is not found, half of the limit goes into a good move and its score. Raises
        :class:`~noughts.errors.UnsupportedRules` for games of three sides or more.
        """
        return self._ended(game) or self._searcher(game).analyse(game, limit)

    def prepare(self, game: Game) -> None:
        """Have everything compiled that long searches of *game* need: that takes seconds the first time."""
        if game.outcome is None:
            self._searcher(game).prepare(game)

    def _ended(self, game: Game) -> Analysis | None:
        if len(game.sides) > 2:
            raise UnsupportedRules("analyse", game.name, "not-two-sides")
        # Whoever asks about a game that is over is told so, also where it is a draw: 0 plies are left.
        return None if game.outcome is None else replace(analysis_of_end(game), plies=0)

    def _searcher(self, game: Game) -> "Estimated | PuzzleSearch":
        """The search for *game*, the same as the last time."""
        kind = (type(game), game.name, game.sides)
        if kind not in self._searchers:
            self._searchers[kind] = self._new_searcher(game)
        return self._searchers[kind]

    def _new_searcher(self, game: Game) -> "Estimated | PuzzleSearch":
        if len(game.sides) == 1:
            return PuzzleSearch(self._report, self._machine)
        if game.can_repeat:
            back = Retrograde(self._report) if Retrograde.supports(game) else Unproved()
            return Estimated(back, self._report, self._machine)
        if game.rules is not None and ExactSearch.supports(game):
            exact = ExactSearch(
                game.rules,
                self._machine or python_machine(),
                lambda: self._machine or best_machine(self._report),
            )
            return Estimated(Values(exact, self._report), self._report, self._machine)
        return Estimated(Values(ProofSearch(), self._report), self._report, self._machine)


def solve(game: Game, limit: Limit = Limit()) -> Analysis:  # noqa: B008
    """What the position of *game* is worth; see :meth:`Analyst.solve`. Who asks often keeps an analyst.

    Raises :class:`~noughts.errors.UnsupportedRules` for games of three sides or more.

    >>> from noughts import new_game
    >>> solve(new_game("4x3:3")).plies
    7
    """
    return Analyst().solve(game, limit)


def analyse(game: Game, limit: Limit = Limit()) -> Analysis:  # noqa: B008
    """The same, and the value of each legal move; see :meth:`Analyst.analyse`.

    Raises :class:`~noughts.errors.UnsupportedRules` for games of three sides or more.
    """
    return Analyst().analyse(game, limit)


class Unproved:
    """For games in which nobody knows what it means that positions come back."""

    def solve(self, game: Game, limit: Limit) -> Analysis:
        """Nothing is known."""
        return UNKNOWN

    def analyse(self, game: Game, limit: Limit) -> Analysis:
        """Nothing is known of any move."""
        return replace(UNKNOWN, moves=tuple(map(MoveValue, game.legal_moves())))


class Estimated:
    """Exact values where they are found, else the move and score that a search of large games finds."""

    def __init__(self, exact: Searcher, report: Report, machine: Machine | None) -> None:
        self._exact = exact
        self._engine = Engine(report, machine)
        self._report = report

    def prepare(self, game: Game) -> None:
        """Have everything compiled that is worth it."""
        if isinstance(self._exact, Values) and len(game.cells) > FEW_CELLS:
            self._exact.prepare()
        if self._engine.supports(game):
            self._engine.prepare(game)

    def solve(self, game: Game, limit: Limit) -> Analysis:
        """The value of the position."""
        if game.cells.count(None) > MAX_CELLS:
            return UNKNOWN
        return self._exact.solve(game, limit)

    def analyse(self, game: Game, limit: Limit) -> Analysis:
        """The same, and the value of each legal move."""
        if game.cells.count(None) > MAX_CELLS:
            found = replace(UNKNOWN, moves=tuple(map(MoveValue, game.legal_moves())))
            return joined(found, self._estimate(game, limit))
        half = replace(
            limit,
            nodes=None if limit.nodes is None else (limit.nodes + 1) // 2,
            seconds=None if limit.seconds is None else limit.seconds / 2,
        )
        found = self._exact.analyse(game, half)
        if found.value is not None or limit.stop():
            return found
        rest = replace(half, nodes=None if limit.nodes is None else limit.nodes - found.nodes)
        return joined(found, self._estimate(game, rest))

    def _estimate(self, game: Game, limit: Limit) -> Analysis:
        if not self._engine.supports(game):
            return GeneralSearch(Random(0), self._report).search(game, limit)
        return self._engine.search(game, limit)


def joined(exact: Analysis, estimate: Analysis) -> Analysis:
    """What both have found where *exact* has no value; of moves its values count."""
    known = {known.move: known for known in exact.moves}
    best, pv = estimate.best, estimate.pv
    if estimate.value == -1:
        known = {move: replace(worth, value=-1) for move, worth in known.items()}
    elif best is not None and known[best].value == -1:
        # Then it is not the best of what may be better.
        best = next((move for move, known in known.items() if known.value is None), best)
        pv = pv if best == estimate.best else ()
    if best is not None and estimate.value is not None and known[best].value is None:
        known[best] = MoveValue(best, estimate.value, estimate.plies)
    return replace(
        estimate, best=best, pv=pv, moves=tuple(known.values()), nodes=exact.nodes + estimate.nodes
    )
