"""Alpha-beta with a transposition table, by play and undo alone (Knuth and Moore 1975; Slate and Atkin 1977).

A score is for one side. A win has the score WIN minus the plies to the end, a loss the opposite, and a draw
0. So the quickest win and the longest defence have the greatest scores. At the maximum depth the score is an
evaluation, which is nearer to 0 than any win, or 0 if there is no evaluation. A score that depends on such a
position was *cut off*. ``cuts`` counts these positions; a score without any cut is exact.

The table stores two bounds of a score with their depth. Bounds that prove a win or loss hold at any depth.
The path down the tree is a list, so a game may have any length.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from noughts.errors import UnsupportedRules
from noughts.games.base import Game, Move
from noughts.search.analysis import Effort, LimitReachedError, moves_of, value_of_end

WIN = 1_000_000
"""The score of a game that is won already. An end n plies away is worth n less."""

BEST_SCORE = WIN - 1
"""The score of a position with a win in one move: the maximum, and its negative the minimum."""

PROVED = WIN - 10_000
"""Scores beyond this number, on either side, are wins and losses. Evaluations stay within it."""

COMPLETE = 1_000_000
"""The depth of a score without any cut."""

MAX_DEPTH = 5_000
"""Maximum depth of the search, in plies."""

MAX_STORED = 400_000
"""Maximum number of positions in the table, which is cleared when it is full."""


class ScoreBounds(NamedTuple):
    """The stored result for a position: bounds of its score at *depth* plies, and a good move."""

    depth: int
    lower: int
    upper: int
    best: Move | None


@dataclass(slots=True)
class _Node:
    """A position on the path: *move* is being tried, and *best* is the best score of the moves before it."""

    key: object
    depth: int
    low: int
    high: int
    cuts: int
    """Number of cuts counted before this position."""
    is_same: bool
    """True if the side to move also made the previous move."""
    moves: Iterator[Move]
    alpha: int
    best: int = -WIN
    best_move: Move | None = None
    move: Move | None = None
    is_narrow: bool = False
    """True if the search only decides whether *move* is better than the best known move."""


class AlphaBeta:
    """A search of positions of one game of two sides, with *evaluate* at the maximum depth.

    *key* gives the same value to positions of equal value. If positions can repeat, only good moves are taken
    from the table, since the value of a position then depends on the moves before it.
    """

    def __init__(
        self,
        game: Game,
        evaluate: Callable[[], int] | None = None,
        key: Callable[[Any], object] | None = None,
    ) -> None:
        self.game = game
        self.effort = Effort()
        self.cuts = 0
        self._evaluate = evaluate
        self._key = key or type(game).key
        self._trusts_memory = not game.can_repeat
        self._memory: dict[object, ScoreBounds] = {}
        self._successes: dict[Move, int] = {}
        self._path: list[_Node] = []

    def known(self) -> ScoreBounds | None:
        """Return the stored result for the current position, or None."""
        return self._memory.get(self._key(self.game))

    def score(self, move: Move, depth: int, low: int, high: int) -> int:
        """Return the score of *move* for the side that makes it, at *depth* further plies.

        The score is a bound if it is not between *low* and *high*. Raises :class:`LimitReachedError` and the
        errors of
        :func:`~noughts.search.analysis.moves_of`. The game is unchanged afterwards.
        """
        path, ply = self._path, self.game.ply
        try:
            score = self._enter(move, depth, low, high)
            while score is None or path:
                score = self._advance(path[-1], score)
        except (LimitReachedError, UnsupportedRules):
            path.clear()
            while self.game.ply > ply:
                self.game.undo()
            raise
        return score

    def _advance(self, node: _Node, score: int | None) -> int | None:
        """Process *score*, the score of the move that was tried, and try the next move.

        Return None if the search must first go deeper. Otherwise return the score of a move: of the one just
        tried, or, if no other move needs a try, of the one that led to *node*.
        """
        if score is not None:
            if node.is_narrow and node.alpha < score < node.high and node.move is not None:
                node.is_narrow = False
                return self._enter(node.move, node.depth - 1, node.alpha, node.high)
            if score > node.best:
                node.best, node.best_move = score, node.move
                node.alpha = max(node.alpha, score)
                if node.alpha >= node.high:
                    return self._leave(node)
        move = next(node.moves, None)
        if move is None:
            return self._leave(node)
        node.is_narrow, node.move = node.move is not None, move
        return self._enter(move, node.depth - 1, node.alpha, node.alpha + 1 if node.is_narrow else node.high)

    def _enter(self, move: Move, depth: int, low: int, high: int) -> int | None:
        """Make *move*. If its score is known at once, take the move back and return the score, else None."""
        self.effort.add()
        game = self.game
        side = game.turn
        game.play(move)
        is_same = game.turn == side  # the score then keeps its sign
        if game.outcome is not None:
            score: int | None = WIN * value_of_end(game)
        else:
            window = (_sooner(low), _sooner(high)) if is_same else (_sooner(-high), _sooner(-low))
            score = self._open_position(depth, *window, is_same=is_same)
        if score is None:
            return None
        game.undo()
        return _later(score) if is_same else -_later(score)

    def _open_position(self, depth: int, low: int, high: int, *, is_same: bool) -> int | None:
        """Return the score of the position if it is known without trying moves, else add it to the path."""
        if depth <= 0:
            self.cuts += 1
            return 0 if self._evaluate is None else self._evaluate()
        key = self._key(self.game)
        known = self._memory.get(key)
        if known is not None and self._trusts_memory:
            to_depth, lower, upper, _ = known
            if lower >= high and lower > PROVED:
                return lower
            if upper <= low and upper < -PROVED:
                return upper
            if to_depth >= depth:
                self.cuts += to_depth < COMPLETE
                if lower >= high or lower == upper:
                    return lower
                if upper <= low:
                    return upper
                low, high = max(low, lower), min(high, upper)
        low, high = max(low, -BEST_SCORE), min(high, BEST_SCORE)
        if low >= high:
            return low
        moves = iter(self._ordered(None if known is None else known.best))
        self._path.append(_Node(key, depth, low, high, self.cuts, is_same, moves, low))
        return None

    def _leave(self, node: _Node) -> int:
        """Take back the move that led to *node* after its moves were tried, and return its score."""
        best, low, high = node.best, node.low, node.high
        if best >= high:
            move = node.best_move
            self._successes[move] = self._successes.get(move, 0) + node.depth * node.depth  # type: ignore[index,arg-type]
        if (best >= high and best > PROVED) or (best <= low and best < -PROVED):
            self.cuts = node.cuts  # such a bound holds at any depth
        if len(self._memory) >= MAX_STORED:
            self._memory.clear()
        self._memory[node.key] = ScoreBounds(
            node.depth if self.cuts > node.cuts else COMPLETE,
            best if best > low else -WIN,
            best if best < high else WIN,
            node.best_move,
        )
        self._path.pop()
        self.game.undo()
        return _later(best) if node.is_same else -_later(best)

    def _ordered(self, first: Move | None) -> list[Move]:
        """Return the legal moves, those first that did well elsewhere."""
        weight, successes = self.game.weight, self._successes
        return sorted(
            moves_of(self.game),
            key=lambda move: (move == first, successes.get(move, 0), weight(move)),
            reverse=True,
        )


class RootMoves:
    """The *moves* at the root, best first, with their scores from the deepest search so far.

    ``depth`` is the depth of the last finished search. ``is_whole`` means that no search was broken off
    since. ``is_complete`` means that nothing was cut off, so that the scores are exact.
    """

    def __init__(self, moves: Sequence[Move]) -> None:
        self.order = list(moves)
        self.scores = dict.fromkeys(moves, 0)
        self.depth = 0
        self.is_whole = False
        self.is_complete = False

    @property
    def best(self) -> Move:
        """The best move so far."""
        return self.order[0]

    @property
    def score(self) -> int:
        """The score of the best move."""
        return self.scores[self.best]

    @property
    def value(self) -> int | None:
        """1, 0 or -1 for the side to move, or None if not proved."""
        is_lost = all(score < -PROVED for score in self.scores.values())
        is_proved = self.is_complete or self.score > PROVED or is_lost
        return (self.score > 0) - (self.score < 0) if is_proved else None

    @property
    def plies(self) -> int | None:
        """The plies to the end, or None for a draw and if the distance is not proved.

        An end beyond the depth of the search need not be the best one.
        """
        plies = WIN - abs(self.score)
        is_found = self.is_complete or (self.is_whole and plies <= self.depth)
        return plies if self.value and is_found else None

    def deepen(self, search: AlphaBeta, depth: int, *, each: bool = False) -> None:
        """Search *depth* plies deep.

        With *each*, every move gets its own score, otherwise only the best one. If the search is stopped by
        :class:`LimitReachedError`, the improvements so far are kept.
        """
        search.cuts = 0
        self.is_whole = self.is_complete = False
        scores: dict[Move, int] = {}
        best, best_move = -WIN, self.best
        for move in self.order.copy():
            low = -WIN if each else best
            is_narrow = bool(scores) and not each  # then the search decides only if it beats the best
            score = search.score(move, depth - 1, low, low + 1 if is_narrow else WIN)
            if is_narrow and low < score < WIN:
                score = search.score(move, depth - 1, low, WIN)
            scores[move] = score
            if score > best and not each:  # it beats the previous best, which was tried first
                self.scores[move], best, best_move = score, score, move
                self.order.remove(move)
                self.order.insert(0 if score >= -PROVED else len(self.order), move)
            if best >= BEST_SCORE:
                break
        self.scores.update(scores)
        # The scores of the other moves are bounds: an equal score does not mean an equal move.
        self.order.sort(key=lambda move: (scores.get(move, -WIN), move == best_move), reverse=True)
        self.depth, self.is_whole, self.is_complete = depth, True, not search.cuts


def _later(score: int) -> int:
    """Return *score* as seen one ply earlier.

    An end is one ply further away. Evaluations are unchanged.
    """
    return score - (score > PROVED) + (score < -PROVED)


def _sooner(score: int) -> int:
    """Return the bound that :func:`_later` converts to *score*."""
    return score + (PROVED - 1 < score < WIN) - (-WIN < score < 1 - PROVED)
