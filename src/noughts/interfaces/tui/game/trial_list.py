"""Lines that are tried out beside a game: where they leave it, and which of them is shown."""

from collections.abc import Iterable

from noughts.games.base import Game
from noughts.games.moves import Move
from noughts.games.variations import MoveTree, VariationNode


class TrialList:
    """What is tried out from a position of *game* on; nothing of it is kept or counted."""

    def __init__(self, game: Game) -> None:
        start = game.copy()
        while start.ply:
            start.undo()
        self._tree = MoveTree(start)
        self._trunk = game.ply
        """How many moves of the game every line begins with."""

    def branch(self, game: Game) -> None:
        """Begin another line at the position of *game*."""
        self.follow(game.moves)
        self._trunk = min(self._trunk, game.ply)

    def follow(self, moves: Iterable[Move]) -> None:
        """Go to where *moves* lead from the start of the game."""
        self._tree.follow(moves)

    @property
    def place(self) -> tuple[int, int]:
        """The number of the line that is shown, and how many there are."""
        ends = self._tree.ends
        return ends.index(next(self._tree.here.ends())) + 1, len(ends)

    @property
    def trunk_and_moves(self) -> tuple[Game, tuple[Move, ...]]:
        """Where the lines leave the game, and what was tried out since."""
        game = self._tree.game
        moves = game.moves[self._trunk :]
        while game.ply > self._trunk:
            game.undo()
        return game, moves

    def go_round(self) -> bool:
        """Go to the end of the next line, after the last of the first; False where there is but one."""
        if self.place[1] < 2:
            return False
        self._tree.go_round()
        return True

    @property
    def _has_begun(self) -> bool:
        return len(self._tree.here.line) > self._trunk

    def promote(self) -> bool:
        """Make what is shown the first of the lines; False where nothing has been tried yet."""
        if not self._has_begun:
            return False
        self._tree.promote()
        return True

    def remove(self) -> bool:
        """Take the line away that is shown, back to where another one leaves it, and go there.

        False where nothing has been tried yet.
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
    """Whether other moves were tried instead of the one that led to *node*."""
    return node.parent is not None and len(node.parent.next) > 1
