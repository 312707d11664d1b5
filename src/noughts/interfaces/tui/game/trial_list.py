"""The trial lines beside a game: their branch points and the current line."""

from collections.abc import Iterable

from noughts.games.base import Game
from noughts.games.moves import Move
from noughts.games.variations import MoveTree, VariationNode


class TrialList:
    """The lines that were tried from a position of *game*; they are not saved or counted."""

    def __init__(self, game: Game) -> None:
        start = game.copy()
        while start.ply:
            start.undo()
        self._tree = MoveTree(start)
        self._trunk = game.ply
        """The number of moves of the game that every line begins with."""

    def branch(self, game: Game) -> None:
        """Start another line at the position of *game*."""
        self.follow(game.moves)
        self._trunk = min(self._trunk, game.ply)

    def follow(self, moves: Iterable[Move]) -> None:
        """Go to the position after *moves*, counted from the start of the game."""
        self._tree.follow(moves)

    @property
    def place(self) -> tuple[int, int]:
        """The number of the current line, and the number of lines."""
        ends = self._tree.ends
        return ends.index(next(self._tree.here.ends())) + 1, len(ends)

    @property
    def trunk_and_moves(self) -> tuple[Game, tuple[Move, ...]]:
        """The position in which the lines leave the game, and the trial moves after it."""
        game = self._tree.game
        moves = game.moves[self._trunk :]
        while game.ply > self._trunk:
            game.undo()
        return game, moves

    def next_line(self) -> bool:
        """Go to the end of the next line, cyclically; return False if there is only one."""
        if self.place[1] < 2:
            return False
        self._tree.go_round()
        return True

    @property
    def _has_begun(self) -> bool:
        return len(self._tree.here.line) > self._trunk

    def promote(self) -> bool:
        """Make the current line the first one; return False if no move was tried yet."""
        if not self._has_begun:
            return False
        self._tree.promote()
        return True

    def remove(self) -> bool:
        """Remove the current line up to its last branch and go to the line that is left.

        Return False if no move was tried yet.
        """
        if not self._has_begun:
            return False
        tree = self._tree
        first = next((node for node in reversed(tree.here.line[self._trunk :]) if _has_others(node)), None)
        tree.go_to(first or tree.here.line[self._trunk])
        tree.remove()
        tree.go_to(next(tree.here.ends()))
        return True


def _has_others(node: VariationNode) -> bool:
    """Return True if *node* has siblings: other moves that were tried in its place."""
    return node.parent is not None and len(node.parent.next) > 1
