"""Exact values for any game of two sides in which no position repeats, by alpha-beta alone.

The search looks for a win or loss within 2, 4, 8, ... plies until nothing was cut off. Symmetric positions
share one table entry.
"""

from noughts.errors import UnsupportedRules
from noughts.games.base import Game, Move
from noughts.search.analysis import DepthReachedError, Effort, moves_of, value_of_end
from noughts.search.exact.canonical import canonical_key
from noughts.search.general.alphabeta import MAX_DEPTH, AlphaBeta, RootMoves


class ProofSearch:
    """A search that proves values of positions of one game, and stores them.

    It is a :class:`~noughts.search.exact.move_values.Valuer`. Raises
    :class:`~noughts.errors.UnsupportedRules` for
    games in which positions can repeat, and for games that do not have two sides.

    >>> from noughts import TicTacToe
    >>> ProofSearch(TicTacToe()).value_of(TicTacToe())
    (0, 0)
    """

    def __init__(self, game: Game) -> None:
        if len(game.sides) != 2 or game.can_repeat:
            reason = "positions-repeat" if len(game.sides) == 2 else "not-two-sides"
            raise UnsupportedRules("solver", game.name, reason)
        self.effort = Effort()
        self._proved: tuple[object, Move | None] = (None, None)  # the last position, and its best move
        self._search = AlphaBeta(game, key=canonical_key(game))

    def value_of(self, game: Game, budget: int | None = None) -> tuple[int, int]:
        """Return the value of the position, 1, 0 or -1 for the side to move, and the plies to the end.

        *budget* is the maximum number of nodes. Raises :class:`LimitReachedError` or a subclass.
        """
        if game.outcome is not None:
            return value_of_end(game), 0
        root = self._prove(game, budget)
        return root.value or 0, root.plies or 0

    def best_of(self, game: Game, value: int, plies: int) -> Move:
        """Return a best move of *game*. Raises :class:`LimitReachedError`."""
        key, best = self._proved
        return best if best is not None and key == game.key() else self._prove(game, None).best

    def _prove(self, game: Game, budget: int | None) -> RootMoves:
        """Search until value and distance are proved. Raises :class:`LimitReachedError`."""
        search = self._search
        search.game, search.effort = game.copy(), self.effort
        root = RootMoves(sorted(moves_of(game), key=game.weight, reverse=True))
        depth = self.effort.max_depth
        max_depth = MAX_DEPTH if depth is None else min(depth, MAX_DEPTH)
        with self.effort.within(budget):
            while not root.is_complete and root.plies is None:
                if root.depth >= max_depth:
                    raise DepthReachedError
                root.deepen(search, min(max(2, 2 * root.depth), max_depth))
        self._proved = game.key(), root.best
        return root
