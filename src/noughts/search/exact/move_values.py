"""The value of a position and of each of its moves, asked of a search that finds exact values."""

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
"""Nodes for the value of one move before the next one has its turn."""

POSITION_FACTOR = 8
"""Where marks fall the position has so many times the nodes of all its moves until its value is known.

A move that keeps it is known with it: who is to move needs no more.
"""

MAX_DRAW_PV = 6
"""So many moves of the principal variation are told where it leads to no win."""

Worth = tuple[int, int]
"""A value, 1, 0 or -1 for the side to move, and the plies to the end, 0 for a draw."""


class Valuer(Protocol):
    """A search that finds exact values and remembers them."""

    effort: Effort
    """What may be spent from now on; each question brings its own."""

    def value_of(self, game: Game, budget: int | None = None) -> tuple[int, int]:
        """The value for the side to move and the plies to the end, 0 for a draw; within *budget* nodes.

        Raises :class:`~noughts.search.analysis.LimitReachedError`.
        """

    def best_of(self, game: Game, value: int, plies: int) -> Move:
        """A best move of a position of known value. Raises the same."""


class Values:
    """Answers the questions of an :class:`~noughts.search.analyst.Analyst` by what *valuer* finds."""

    def __init__(self, valuer: Valuer, report: Report = no_report) -> None:
        self.valuer, self._report = valuer, report

    def solve(self, game: Game, limit: Limit = Limit()) -> Analysis:  # noqa: B008
        """The value of the position, the distance to the end and the principal variation."""
        return self._ask(game, limit, each_move=False)

    def analyse(self, game: Game, limit: Limit = Limit()) -> Analysis:  # noqa: B008
        """The same, and the value of each legal move."""
        return self._ask(game, limit, each_move=True)

    def _ask(self, game: Game, limit: Limit, *, each_move: bool) -> Analysis:
        # Of a position with its moves the best one so far is reported: see Question.
        self.valuer.effort = Effort(limit.started(), no_report if each_move else self._report)
        return PositionValuation(self.valuer, game.copy(), self._report).answer(each_move=each_move)


class PositionValuation:
    """One question about the position of *game*, which is played on and comes back as it was."""

    def __init__(self, valuer: Valuer, game: Game, report: Report) -> None:
        self._valuer, self._game, self._report = valuer, game, report
        self._root: Worth | None = None
        self._moves: dict[Move, Worth | None] = {}
        self._values: dict[Move, int] = {}  # of moves whose distance is not known
        self._value: int | None = None  # of the position, if its distance is not known
        self._best: Move | None = None
        self._winning: Move | None = None  # a move that wins, perhaps not as soon as another
        self._leading: Move | None = None
        self._safe_move: Move | None = None  # a move that does not lose, where no more is known
        self._cannot_win = self._cannot_lose = False

    def answer(self, *, each_move: bool) -> Analysis:
        """The value of the position, and of each move if that is wanted; what the limit allows of it.

        Of a lost position every move is told to lose, and a win or a draw only with a move that keeps it.
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
            if worth is None
            else MoveValue(move, worth[0], worth[1] or None)
            for move, worth in self._moves.items()
        )
        result = Analysis(value, plies or None, self._best, self._valuer.effort.nodes, pv, moves)
        if each_move or value is not None:
            return result
        return replace(
            result, best=self._safe_move, cannot_win=self._cannot_win, cannot_lose=self._cannot_lose
        )

    def _value_moves(self) -> None:
        """Find the value of the position and that of each move, in turns of growing budgets."""
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
            # Values first: distances may take far longer.
            self._valuer.effort.wants_plies = not unknown
            with suppress(BudgetReachedError, DepthReachedError):
                self._settle(budget * len(same) * times)  # which tells most of what the moves are worth
            unknown = {result: moves for result, moves in same.items() if moves[0] not in self._values}
            for result, moves in list((unknown or same).items()):
                is_settled, worth = self._value_move(moves, budget)
                if is_settled:
                    self._moves.update(dict.fromkeys(moves, worth))
                    del same[result]
                    self._report_best(moves[0], worth)
            budget *= 4

    def _settle(self, budget: int | None = None) -> None:
        """Find what the position is worth, and a best move: which one must not hang on what else is known."""
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
        """What is known of the position, in the end; a best move is chosen with it."""
        known = {move: worth for move, worth in self._moves.items() if worth is not None}
        best = max(known, key=lambda move: (goodness(known[move]), self._game.weight(move)), default=None)
        if self._root is None:
            if best is None or (known[best][0] < 1 and len(known) < len(self._moves)):
                return None, None
            self._best = best
            if len(known) < len(self._moves):
                return 1, None  # though another move may win sooner
            self._root = known[best]
        elif best is not None and self._root[0] >= 0 and goodness(known[best]) >= goodness(self._root):
            self._best = best
        elif self._best is None:
            with suppress(LimitReachedError):  # what is remembered may tell though a limit is reached
                self._settle()
        if self._best is None:
            return self._without_best(best)
        if self._best in self._moves:
            self._moves[self._best] = self._root  # a best move is worth what the position is
        return self._root

    def _conclude_without_distance(self) -> int | None:
        """What the position is worth where no distance is known; a move that keeps that is chosen with it."""
        known = {move: MoveValue(move, value) for move, value in self._values.items()}
        known |= {move: MoveValue(move, *worth) for move, worth in self._moves.items() if worth is not None}
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
        """What is told of a position of known value where there was no time to find a best move.

        Of a lost one any move is, and of a won one the *best* known if it wins, perhaps not as soon.
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

    def _report_best(self, move: Move, worth: Worth | None) -> None:
        """Report how far it is, and the best move so far if it wins or keeps what the position is worth."""
        best = None if self._leading is None else self._moves[self._leading]
        if worth is not None and (best is None or goodness(worth) > goodness(best)):
            self._leading, best = move, worth
        least = (1, -inf) if self._root is None else goodness(self._root)
        leading = self._leading if best is not None and goodness(best) >= least else None
        self._report(Progress("searching", self._valuer.effort.nodes, best=leading))

    def _value_move(self, moves: list[Move], budget: int) -> tuple[bool, Worth | None]:
        """Whether a greater budget is of no use, and what *moves*, which are worth the same, are worth.

        That is to the side that makes them, with plies from before them. It is None where it is not known;
        what is known of it is noted.
        """
        side = self._game.turn
        self._game.play(moves[0])
        sign = 1 if self._game.turn == side else -1  # who moves twice sees with the same eyes
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
        """The moves of best play from here, as far as they are told."""
        length = plies or MAX_DRAW_PV
        pv: list[Move] = []
        effort = self._valuer.effort
        # No more than the answer took here: what is not remembered, as beyond a book, may take far longer.
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


def goodness(worth: Worth) -> tuple[int, int]:
    """Greater is better: the value first, then the quickest win or the longest defence."""
    value, plies = worth
    return value, -value * plies
