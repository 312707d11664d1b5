"""Exact values by search with memory, for any game of two sides in which no position comes back.

The search asks for a win or loss within 2, 4, 8, ... plies until no line was cut off. A score is 0 for a
draw and otherwise WIN less the plies to the end, negative for the side that loses; so the quickest win
and the longest defence are simply the greatest scores. Scores in the memory are bounds (Knuth and
Moore 1975) with the depth to which they hold; those that say win or loss hold at any depth. Positions
that a symmetry of the board makes of each other are remembered as one.
"""

from collections.abc import Callable
from typing import Any

from noughts.errors import UnsupportedRules
from noughts.games.base import Game, Move
from noughts.search.analysis import (
    Analysis,
    DepthReachedError,
    Limit,
    LimitReachedError,
    ShareReachedError,
    never,
    value_of_end,
)
from noughts.search.folding import folded_key

WIN = 1_000_000
"""The score of a game that is won already."""

COMPLETE = 1_000_000
"""The depth of a score whose search was cut off nowhere."""

MAX_DEPTH = 200
"""No search goes deeper: each ply is two calls within each other."""

POLL = 64
"""Nodes between two looks at the stop signal."""


class Solver:
    """A searcher with a memory that serves all positions of one game; another game empties it.

    *stop* is asked now and then whether to give up.
    """

    def __init__(self, stop: Callable[[], bool] = never) -> None:
        self.nodes = 0
        self.stop = stop
        self.most: int | None = None
        self.deepest: int | None = None
        self._next_poll = POLL
        self._cuts = 0
        self._memory: dict[object, tuple[int, int, int]] = {}
        self._game: object = None
        self._key: Callable[[Any], object] = Game.key

    def solve(self, game: Game, limit: Limit = Limit()) -> Analysis:  # noqa: B008
        """The value of the position of *game*, which is left as it was.

        >>> from noughts import TicTacToe
        >>> Solver().solve(TicTacToe()).value
        0
        """
        start = self.nodes
        try:
            return self._solve(game, limit)
        except LimitReachedError:
            return Analysis(None, None, None, self.nodes - start)

    def _solve(self, game: Game, limit: Limit) -> Analysis:
        start = self.nodes
        scores = self.score_moves(game, limit)
        best = max(scores, key=scores.__getitem__, default=None)
        score = scores[best] if best is not None else score_end(game)
        plies = WIN - abs(score) if score else None
        return Analysis((score > 0) - (score < 0), plies, best, self.nodes - start)

    few_nodes = 0
    """There is nothing to make ready for more: see :class:`~noughts.search.values.Valuer`."""

    def hasten(self) -> bool:
        """Do nothing, which takes no time."""
        return False

    def value_of(self, game: Game, share: int | None = None) -> tuple[int, int]:
        """The value of the position of *game*, 1, 0 or -1 for the side to move, and the plies to the end.

        *share* is how many nodes this may take; raises :class:`LimitReachedError`.
        """
        found = self._within(game, share)
        return found.value or 0, found.plies or 0

    def best_of(self, game: Game, value: int, plies: int) -> Move:
        """A best move of *game*. Raises :class:`LimitReachedError`."""
        best = self._within(game, None).best
        if best is None:
            raise AssertionError("a game that has ended has no best move")
        return best

    def _within(self, game: Game, share: int | None) -> Analysis:
        """Solve within *share* nodes and within what :meth:`allow` left."""
        whole = self.most
        left = None if whole is None else whole - self.nodes
        nodes = min((most for most in (left, share) if most is not None), default=None)
        try:
            return self._solve(game, Limit(nodes=nodes, depth=self.deepest))
        except DepthReachedError:
            raise
        except LimitReachedError:
            if self.stop() or nodes == left:
                raise
            raise ShareReachedError from None
        finally:
            self.most = whole

    def score_moves(self, game: Game, limit: Limit = Limit()) -> dict[Move, int]:  # noqa: B008
        """The score of each legal move for the side to move. Raises :class:`LimitReachedError`.

        Only the best score is exact; of the others it is known that they are no better than shown, and
        worse than the best unless shown as equal. Of *limit* the nodes and the depth count here; for
        seconds there is the stop signal.
        """
        self.allow(limit)
        self._prepare(game)
        game = game.copy()
        deepest = MAX_DEPTH if limit.depth is None else min(limit.depth, MAX_DEPTH)
        depth = min(2, deepest)
        if depth < 1 and game.outcome is None:
            raise LimitReachedError
        while True:
            self._cuts = 0
            scores: dict[Move, int] = {}
            best = -WIN
            for move in self._ordered(game):
                scores[move] = self._after(game, move, depth - 1, max(best - 1, -WIN), WIN)
                best = max(best, scores[move])
            if not self._cuts or (scores and best and WIN - abs(best) <= depth):
                return scores  # an end further away than was looked everywhere need not be the best
            if depth >= deepest:
                raise DepthReachedError
            depth = min(2 * depth, deepest)

    def is_at_least(self, game: Game, score: int) -> bool:
        """Whether the side to move can reach *score* or more; within what :meth:`allow` left.

        Raises :class:`LimitReachedError`.
        """
        self._prepare(game)
        if game.outcome is not None:
            return score_end(game) >= score
        depth = 2
        while True:
            self._cuts = 0
            found = self._search(game, depth, score - 1, score)
            if not self._cuts or (found > 0 and found >= score) or (found < 0 and found < score):
                return found >= score
            if depth >= MAX_DEPTH:
                raise DepthReachedError
            depth = min(2 * depth, MAX_DEPTH)

    def _prepare(self, game: Game) -> None:
        """Forget what is known of another game."""
        kind = (type(game), game.name)
        if kind != self._game:
            check_supported(game, "solver")
            self._memory.clear()
            self._game, self._key = kind, folded_key(game)

    def _search(self, game: Game, depth: int, low: int, high: int) -> int:
        """The score for the side to move if it lies between *low* and *high*, else a bound beyond them."""
        key = self._key(game)
        known = self._memory.get(key)
        if known is not None:
            to_depth, least, most = known
            if least >= high and least > 0:
                return least
            if most <= low and most < 0:
                return most
            if to_depth >= depth:
                self._cuts += to_depth < COMPLETE
                if least >= high or least == most:
                    return least
                if most <= low:
                    return most
                low, high = max(low, least), min(high, most)
        if depth <= 0:
            self._cuts += 1
            return 0
        window, cuts = (low, high), self._cuts
        best = -WIN
        for move in self._ordered(game):
            best = max(best, self._after(game, move, depth - 1, max(low, best), high))
            if best >= high:
                break
        self._remember(key, best, window, COMPLETE if self._cuts == cuts else depth)
        return best

    def _remember(self, key: object, score: int, window: tuple[int, int], depth: int) -> None:
        low, high = window
        least = score if score > low else -WIN
        most = score if score < high else WIN
        self._memory[key] = (depth, least, most)

    def _after(self, game: Game, move: Move, depth: int, low: int, high: int) -> int:
        """The score of *move* for the side that makes it."""
        game.play(move)
        try:
            if game.outcome is not None:
                return -_later(score_end(game))
            return -_later(self._search(game, depth, _sooner(-high), _sooner(-low)))
        finally:
            game.undo()

    def _ordered(self, game: Game) -> list[Move]:
        """The legal moves, one that wins at once alone, else those with most lines first."""
        moves = list(game.legal_moves())
        side = game.turn
        self._count(len(moves))
        for move in moves:
            game.play(move)
            outcome = game.outcome
            game.undo()
            if outcome is not None and outcome.winner == side:
                return [move]
        return sorted(moves, key=game.weight, reverse=True)

    def allow(self, limit: Limit) -> None:
        """Set how many more nodes all questions from now on may use together."""
        self.most = None if limit.nodes is None else self.nodes + limit.nodes

    def _count(self, moves: int) -> None:
        """Count the *moves* about to be tried; give up where that is too many or a stop is asked for."""
        if self.most is not None and self.nodes + moves > self.most:
            raise LimitReachedError
        self.nodes += moves
        if self.nodes >= self._next_poll:
            self._next_poll = self.nodes + POLL
            if self.stop():
                raise LimitReachedError


def check_supported(game: Game, who: str) -> None:
    """Raise :class:`~noughts.errors.UnsupportedRules` where exact search by this method would be wrong."""
    if len(game.sides) != 2:
        raise UnsupportedRules(who, game.name, "not-two-sides")
    if game.can_repeat:
        raise UnsupportedRules(who, game.name, "positions-repeat")


def score_end(game: Game) -> int:
    """The score of a game that has ended, for the side that would be to move."""
    return WIN * value_of_end(game)


def _later(score: int) -> int:
    """*score* seen one ply earlier: an end is one ply further away."""
    return score - (score > 0) + (score < 0)


def _sooner(score: int) -> int:
    """The bound that becomes *score* by :func:`_later`."""
    return score + (score > 0) - (score < 0)
