"""The value of a position and of each of its moves, found by questions to an exact search."""

from contextlib import suppress
from dataclasses import replace
from math import inf
from typing import Protocol

from noughts.games.base import Game, Move
from noughts.search.analysis import (
    Analysis,
    BudgetReachedError,
    DepthReachedError,
    Effort,
    Limit,
    LimitReachedError,
    MoveValue,
    Progress,
    Report,
    no_report,
    value_of_end,
)
from noughts.search.exact.canonical import canonical_key

FIRST_BUDGET = 1 << 12
"""The first budget of nodes for the value of one move, before the next move has its turn."""

POSITION_FACTOR = 8
"""The budget of the position as a multiple of those of all its moves, if marks fall.

It applies until the value of the position is known. The search then also knows a move that keeps it, and a
player needs no more.
"""

MAX_DRAW_PV = 6
"""The length of the principal variation if it does not lead to a win."""

ExactValue = tuple[int, int]
"""A value, 1, 0 or -1 for the side to move, and the plies to the end, 0 for a draw."""


class Valuer(Protocol):
    """A search that finds exact values and remembers them."""

    effort: Effort
    """The effort of the current question."""

    def value_of(self, game: Game, budget: int | None = None) -> tuple[int, int]:
        """Find the value for the side to move and the plies to the end, 0 for a draw.

        *budget* limits the nodes. Raises :class:`~noughts.search.analysis.LimitReachedError`.
        """

    def best_of(self, game: Game, value: int, plies: int) -> Move:
        """Find a best move of a position of known value.

        Raises :class:`~noughts.search.analysis.LimitReachedError`.
        """


class Values:
    """Analyses positions for an :class:`~noughts.search.analyst.Analyst` by the results of *valuer*."""

    def __init__(self, valuer: Valuer, report: Report = no_report) -> None:
        self.valuer, self._report = valuer, report

    def solve(self, game: Game, limit: Limit = Limit()) -> Analysis:  # noqa: B008
        """Find the value of the position, the distance to the end and the principal variation."""
        return self._ask(game, limit, each_move=False)

    def analyse(self, game: Game, limit: Limit = Limit()) -> Analysis:  # noqa: B008
        """Find the value of the position and of each legal move."""
        return self._ask(game, limit, each_move=True)

    def _ask(self, game: Game, limit: Limit, *, each_move: bool) -> Analysis:
        # PositionValuation reports the best move so far if each move is valued.
        self.valuer.effort = Effort(limit.started(), no_report if each_move else self._report)
        return PositionValuation(self.valuer, game.copy(), self._report).answer(each_move=each_move)


class PositionValuation:
    """The valuation of one position of *game*, which is played on and restored."""

    def __init__(self, valuer: Valuer, game: Game, report: Report) -> None:
        self._valuer, self._game, self._report = valuer, game, report
        self._root: ExactValue | None = None
        self._moves: dict[Move, ExactValue | None] = {}
        self._values: dict[Move, int] = {}  # Values of moves whose distance is not known.
        self._value: int | None = None  # The value of the position, if its distance is not known.
        self._best: Move | None = None
        self._winning: Move | None = None  # A move that wins, though perhaps not as soon as another one.
        self._leading: Move | None = None
        self._safe_move: Move | None = None  # A move that does not lose, if no more is known.
        self._cannot_win = self._cannot_lose = False

    def answer(self, *, each_move: bool) -> Analysis:
        """Return the value of the position, and with *each_move* of each move, as far as the limit allows.

        Every move of a lost position is valued as lost. A win or a draw is reported only with a move that
        keeps it.
        """
        with suppress(LimitReachedError):
            if each_move:
                self._value_moves()
            else:
                self._settle()
        self._valuer.effort.wants_plies = True
        value, plies = self._conclude()
        if value is None:
            value = self._conclude_without_distance()
        pv = () if self._root is None else self._principal_variation(*self._root)
        lost = -1 if value == -1 else None
        moves = tuple(
            MoveValue(move, self._values.get(move, lost))
            if exact_value is None
            else MoveValue(move, exact_value[0], exact_value[1] or None)
            for move, exact_value in self._moves.items()
        )
        result = Analysis(value, plies or None, self._best, self._valuer.effort.nodes, pv, moves)
        if each_move or value is not None:
            return result
        return replace(
            result, best=self._safe_move, cannot_win=self._cannot_win, cannot_lose=self._cannot_lose
        )

    def _value_moves(self) -> None:
        """Find the value of the position and of each move, in rounds of growing budgets."""
        game = self._game
        self._moves = dict.fromkeys(game.legal_moves())
        key = canonical_key(game)
        same: dict[object, list[Move]] = {}
        for move in self._moves:
            game.play(move)
            same.setdefault(key(game), []).append(move)
            game.undo()
        budget, unknown = FIRST_BUDGET, same
        is_falling = game.rules is not None and game.rules.gravity
        while same:
            times = POSITION_FACTOR if is_falling and self._value is None else 1
            # Values come first, since distances may take far longer.
            self._valuer.effort.wants_plies = not unknown
            with suppress(BudgetReachedError, DepthReachedError):
                self._settle(budget * len(same) * times)  # This decides most values of moves.
            unknown = {result: moves for result, moves in same.items() if moves[0] not in self._values}
            for result, moves in list((unknown or same).items()):
                is_settled, exact_value = self._value_move(moves, budget)
                if is_settled:
                    self._moves.update(dict.fromkeys(moves, exact_value))
                    del same[result]
                    self._report_best(moves[0], exact_value)
            budget *= 4

    def _settle(self, budget: int | None = None) -> None:
        """Find the value of the position and a best move.

        The best move does not depend on the other contents of the table.
        """
        if self._root is None:
            try:
                self._root = self._valuer.value_of(self._game, budget)
            except LimitReachedError as error:
                self._cannot_win, self._cannot_lose = error.cannot_win, error.cannot_lose
                if error.value is not None:
                    self._value, self._winning = error.value, error.best
                else:
                    self._safe_move = error.best
                raise
        if self._best is None:
            self._best = self._valuer.best_of(self._game, *self._root)

    def _conclude(self) -> tuple[int | None, int | None]:
        """Return the value and distance of the position from all results; choose a best move."""
        known = {move: exact_value for move, exact_value in self._moves.items() if exact_value is not None}
        best = max(known, key=lambda move: (goodness(known[move]), self._game.weight(move)), default=None)
        if self._root is None:
            if best is None or (known[best][0] < 1 and len(known) < len(self._moves)):
                return None, None
            self._best = best
            if len(known) < len(self._moves):
                return 1, None  # Another move may win sooner.
            self._root = known[best]
        elif best is not None and self._root[0] >= 0 and goodness(known[best]) >= goodness(self._root):
            self._best = best
        elif self._best is None:
            with suppress(LimitReachedError):  # The table may have the answer though a limit is reached.
                self._settle()
        if self._best is None:
            return self._without_best(best)
        if self._best in self._moves:
            self._moves[self._best] = self._root  # A best move has the value of the position.
        return self._root

    def _conclude_without_distance(self) -> int | None:
        """Return the value of the position without its distance; choose a move that keeps it."""
        known = {move: MoveValue(move, value) for move, value in self._values.items()}
        known |= {
            move: MoveValue(move, *exact_value)
            for move, exact_value in self._moves.items()
            if exact_value is not None
        }
        if self._winning is not None and self._winning not in known:
            known[self._winning] = MoveValue(self._winning, 1)
            self._values[self._winning] = 1
        if self._value == -1:
            known = {move: MoveValue(move, -1) for move in self._game.legal_moves()} | known
        elif all(result.value != 1 for result in known.values()) and (
            not self._moves or len(known) < len(self._moves)
        ):
            return None
        best = max(known.values(), key=lambda result: (result.rank, self._game.weight(result.move)))
        self._best = best.move
        return best.value

    def _without_best(self, best: Move | None) -> tuple[int | None, int | None]:
        """Return the result for a position of known value if there was no time to find a best move.

        Any move is best in a lost position. In a won position, the *best* known move is chosen if it wins,
        though it may not win as soon.
        """
        root, self._root = self._root, None
        if root is None or root[0] == 0:
            return None, None
        if root[0] < 0:
            moves = self._game.legal_moves()
            self._best = best or max(moves, key=self._game.weight)
            return root
        known = None if best is None else self._moves[best]
        if known is None or known[0] < 1:
            return None, None
        self._best = best
        return 1, None

    def _report_best(self, move: Move, exact_value: ExactValue | None) -> None:
        """Report the progress, with the best move so far if it wins or keeps the value of the position."""
        best = None if self._leading is None else self._moves[self._leading]
        if exact_value is not None and (best is None or goodness(exact_value) > goodness(best)):
            self._leading, best = move, exact_value
        least = (1, -inf) if self._root is None else goodness(self._root)
        leading = self._leading if best is not None and goodness(best) >= least else None
        self._report(Progress("searching", self._valuer.effort.nodes, best=leading))

    def _value_move(self, moves: list[Move], budget: int) -> tuple[bool, ExactValue | None]:
        """Find the common value of *moves* for the side that makes them, with plies from before the move.

        Return whether the result is final, so that a greater budget is useless, and the value. It is None if
        it is unknown; partial results are stored.
        """
        side = self._game.turn
        self._game.play(moves[0])
        sign = 1 if self._game.turn == side else -1  # Two moves of one side in a row keep the point of view.
        try:
            if self._game.outcome is not None:
                return True, (sign * value_of_end(self._game), 1 if self._game.winner else 0)
            value, plies = self._valuer.value_of(self._game, budget)
            return True, (sign * value, plies + 1 if value else 0)
        except LimitReachedError as error:
            if error.value is not None:
                self._values.update(dict.fromkeys(moves, sign * error.value))
            if not isinstance(error, BudgetReachedError | DepthReachedError):
                raise
            return isinstance(error, DepthReachedError), None
        finally:
            self._game.undo()

    def _principal_variation(self, value: int, plies: int) -> tuple[Move, ...]:
        """Return the moves of best play from here, as far as they are found."""
        length = plies or MAX_DRAW_PV
        pv: list[Move] = []
        effort = self._valuer.effort
        # It takes no more nodes than the answer did. Lines that are not in the table, such as those beyond a
        # book, may take far longer.
        with (
            suppress(LimitReachedError),
            effort.within(max(FIRST_BUDGET, effort.nodes - effort.worker_nodes)),
        ):
            while len(pv) < length and self._game.outcome is None:
                best, side = None if pv else self._best, self._game.turn
                pv.append(best or self._valuer.best_of(self._game, value, plies))
                self._game.play(pv[-1])
                value, plies = value if self._game.turn == side else -value, plies - 1
        for _ in pv:
            self._game.undo()
        return tuple(pv)


def goodness(exact_value: ExactValue) -> tuple[int, int]:
    """Return a sort key: the value first, then the quickest win or the longest defence."""
    value, plies = exact_value
    return value, -value * plies
