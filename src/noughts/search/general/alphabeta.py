"""Alpha-beta with memory, by playing and undoing alone (Knuth and Moore 1975; Slate and Atkin 1977).

A score is for one side: WIN less the plies to the end where that side wins, the opposite where it loses, 0
for a draw; so the quickest win and the longest defence are simply the greatest scores. Beyond the depth that
is asked for stands an evaluation, which is nearer to 0 than any win, or nothing, which counts as a draw. What
hangs on that was *cut off*: ``cuts`` counts it, and a score is the truth where none was counted.

The memory has two bounds of a score with the depth to which they hold; those that say win or loss hold at
any depth. The path down the tree is a list, so that a game may be as long as it likes.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from noughts.errors import UnsupportedRules
from noughts.games.base import Game, Move
from noughts.search.analysis import Effort, LimitReachedError, moves_of, value_of_end

WIN = 1_000_000
"""The score of a game that is won already; an end that is n plies away is worth n less."""

BEST_SCORE = WIN - 1
"""The score of a position where a move wins at once: none is better, and its opposite the worst there is."""

PROVED = WIN - 10_000
"""Scores beyond it, on either side, are wins and losses; evaluations stay within."""

COMPLETE = 1_000_000
"""The depth of a score whose search was cut off nowhere."""

MAX_DEPTH = 5_000
"""How deep the search goes at most, in plies."""

MAX_STORED = 400_000
"""Positions remembered at once; then all are forgotten."""


class ScoreBounds(NamedTuple):
    """What is remembered of a position: bounds of its score, found *depth* plies deep, and a good move."""

    depth: int
    lower: int
    upper: int
    best: Move | None


@dataclass(slots=True)
class _Node:
    """A position on the path: *move* is being looked at, and *best* is what the moves before it came to."""

    key: object
    depth: int
    low: int
    high: int
    cuts: int
    """How many cuts were counted before this position."""
    is_same: bool
    """Whether the side to move has made the move that led here, too."""
    moves: Iterator[Move]
    alpha: int
    best: int = -WIN
    best_move: Move | None = None
    move: Move | None = None
    is_narrow: bool = False
    """Whether of *move* it is only asked whether it is better than what is known."""


class AlphaBeta:
    """Searches positions of one game, of two sides, that *evaluate* looks at where the search must stop.

    *key* gives one value to positions of equal worth. Where positions come back nothing but good moves is
    taken from memory: what they are worth hangs on how they came about.
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
        """What is remembered of the position of the game."""
        return self._memory.get(self._key(self.game))

    def score(self, move: Move, depth: int, low: int, high: int) -> int:
        """The score of *move* for the side that makes it, looking *depth* plies further.

        It is a bound where it does not lie between *low* and *high*. Raises :class:`LimitReachedError`
        and what :func:`~noughts.search.analysis.moves_of` does, and leaves the game as it was.
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
        """Take *score*, that of the move looked at, and look at the next one.

        None where a position further down is to be looked at first; else the score of a move: of the one
        just tried, or where no other is worth it of the one that led here.
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
        """Make *move*; its score where that is known at once, and the move is taken back then."""
        self.effort.add()
        game = self.game
        side = game.turn
        game.play(move)
        is_same = game.turn == side  # who moves twice sees with the same eyes
        if game.outcome is not None:
            score: int | None = WIN * value_of_end(game)
        else:
            window = (_sooner(low), _sooner(high)) if is_same else (_sooner(-high), _sooner(-low))
            score = self._look(depth, *window, is_same=is_same)
        if score is None:
            return None
        game.undo()
        return _later(score) if is_same else -_later(score)

    def _look(self, depth: int, low: int, high: int, *, is_same: bool) -> int | None:
        """The score of the position if it is known without trying moves; else it goes on the path."""
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
        """Take back the move that led to *node*, whose moves have been looked at; the score of that move."""
        best, low, high = node.best, node.low, node.high
        if best >= high:
            move = node.best_move
            self._successes[move] = self._successes.get(move, 0) + node.depth * node.depth  # type: ignore[index,arg-type]
        if (best >= high and best > PROVED) or (best <= low and best < -PROVED):
            self.cuts = node.cuts  # no more than was found is said, and that holds at any depth
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
        """The legal moves, those first that did well elsewhere."""
        weight, successes = self.game.weight, self._successes
        return sorted(
            moves_of(self.game),
            key=lambda move: (move == first, successes.get(move, 0), weight(move)),
            reverse=True,
        )


class RootMoves:
    """The *moves* at the root, best first, with what is known of them from the deepest search so far.

    ``depth`` is that of the last search that was begun and came to its end. ``is_whole`` says that none
    broke off since, ``is_complete`` that nothing was cut off, so that the scores are the truth.
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
        """1, 0 or -1 for the side to move; None where that is not proved."""
        is_lost = all(score < -PROVED for score in self.scores.values())
        is_proved = self.is_complete or self.score > PROVED or is_lost
        return (self.score > 0) - (self.score < 0) if is_proved else None

    @property
    def plies(self) -> int | None:
        """The plies to the end; None for a draw and where the distance is not proved.

        An end further away than was looked everywhere need not be the best.
        """
        plies = WIN - abs(self.score)
        is_found = self.is_complete or (self.is_whole and plies <= self.depth)
        return plies if self.value and is_found else None

    def deepen(self, search: AlphaBeta, depth: int, *, each: bool = False) -> None:
        """Search *depth* plies deep; with *each* every move gets a score of its own, else only the best one.

        Stopped in the middle by :class:`LimitReachedError`, it leaves what is better known by then.
        """
        search.cuts = 0
        self.is_whole = self.is_complete = False
        scores: dict[Move, int] = {}
        best, best_move = -WIN, self.best
        for move in self.order.copy():
            low = -WIN if each else best
            is_narrow = bool(scores) and not each  # then it is asked whether it beats the best
            score = search.score(move, depth - 1, low, low + 1 if is_narrow else WIN)
            if is_narrow and low < score < WIN:
                score = search.score(move, depth - 1, low, WIN)
            scores[move] = score
            if score > best and not each:  # the first was the best so far, so what beats it is better
                self.scores[move], best, best_move = score, score, move
                self.order.remove(move)
                self.order.insert(0 if score >= -PROVED else len(self.order), move)
            if best >= BEST_SCORE:
                break
        self.scores.update(scores)
        # The scores of the others are bounds: they may be as great, and the moves are not as good.
        self.order.sort(key=lambda move: (scores.get(move, -WIN), move == best_move), reverse=True)
        self.depth, self.is_whole, self.is_complete = depth, True, not search.cuts


def _later(score: int) -> int:
    """*score* seen one ply earlier: an end is one ply further away; evaluations stay as they are."""
    return score - (score > PROVED) + (score < -PROVED)


def _sooner(score: int) -> int:
    """The bound that becomes *score* by :func:`_later`."""
    return score + (PROVED - 1 < score < WIN) - (-WIN < score < 1 - PROVED)
