"""The moves at the root of a search, looked at deeper and deeper."""

from collections.abc import Sequence

from noughts.games.base import Move
from noughts.search.general.alphabeta import BEST, PROVED, WIN, AlphaBeta


class Root:
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
        found: dict[Move, int] = {}
        best, best_move = -WIN, self.best
        for move in self.order.copy():
            low = -WIN if each else best
            score = search.narrowly(move, depth - 1, low, WIN, is_first=not found or each)
            found[move] = score
            if score > best and not each:  # the first was the best so far, so what beats it is better
                self.scores[move], best, best_move = score, score, move
                self.order.remove(move)
                self.order.insert(0 if score >= -PROVED else len(self.order), move)
            if best >= BEST:
                break
        self.scores.update(found)
        # The scores of the others are bounds: they may be as great, and the moves are not as good.
        self.order.sort(key=lambda move: (found.get(move, -WIN), move == best_move), reverse=True)
        self.depth, self.is_whole, self.is_complete = depth, True, not search.cuts
