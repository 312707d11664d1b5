"""The one who is asked what a position is worth: picks the search that answers for its game."""

from noughts.games.base import Game
from noughts.search.analysis import Analysis, Limit, MoveValue, Report, no_report
from noughts.search.solver import LimitReachedError, Solver, check_supported


class Analyst:
    """Answers questions about positions, and remembers what it found for the next question.

    *report* is told of progress. The games asked about are left as they were.

    >>> from noughts import TicTacToe
    >>> Analyst().solve(TicTacToe()).value
    0
    """

    def __init__(self, report: Report = no_report) -> None:
        self._report = report
        self._solvers: dict[str, Solver] = {}

    def solve(self, game: Game, limit: Limit = Limit()) -> Analysis:  # noqa: B008
        """The value of the position, the distance to the end, a best move and the principal variation.

        Raises :class:`~noughts.errors.UnsupportedRules` for games of three sides or more.
        """
        return self.analyse(game, limit)

    def analyse(self, game: Game, limit: Limit = Limit()) -> Analysis:  # noqa: B008
        """The same, and the value of each legal move.

        Raises :class:`~noughts.errors.UnsupportedRules` for games of three sides or more.
        """
        limit = limit.started()
        check_supported(game, "analyse")
        solver = Solver(limit.stop)
        values: list[MoveValue] = []
        after = game.copy()
        for move in game.legal_moves():
            after.play(move)
            try:
                found = solver.solve(after, limit)
                value = None if found.value is None else -found.value
                values.append(MoveValue(move, value, None if found.plies is None else found.plies + 1))
            except LimitReachedError:
                values.append(MoveValue(move))
            after.undo()
        found = solver.solve(game, limit)
        return Analysis(found.value, found.plies, found.best, solver.nodes, (), tuple(values))
