"""Trial variations from a position: a tree of lines and side lines, and the current place in it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from noughts.games.base import Game
from noughts.games.moves import Move


@dataclass(slots=True, eq=False)
class VariationNode:
    """A position of a tree: the ``move`` that led here (None at the start), and the ``next`` positions."""

    move: Move | None = None
    parent: "VariationNode | None" = None
    next: list["VariationNode"] = field(default_factory=list)

    @property
    def line(self) -> list["VariationNode"]:
        """The positions from the start to here, without the start."""
        line: list[VariationNode] = []
        at = self
        while at.parent is not None:
            line.append(at)
            at = at.parent
        return line[::-1]

    def after(self, move: Move) -> "VariationNode":
        """Return the position that *move* leads to from here, a new one if it was not tried."""
        node_after = next((node for node in self.next if node.move == move), None)
        if node_after is None:
            node_after = VariationNode(move, self)
            self.next.append(node_after)
        return node_after

    def ends(self) -> Iterator["VariationNode"]:
        """Yield the last positions of the lines that go on from here, main lines first."""
        waiting = [self]
        while waiting:
            at = waiting.pop()
            if not at.next:
                yield at
            waiting.extend(reversed(at.next))


class MoveTree:
    """The variations tried from the position of *start*, which is not changed.

    >>> from noughts import TicTacToe
    >>> tree = MoveTree(TicTacToe())
    >>> tree.play((1, 1))
    >>> tree.back()
    >>> tree.play((0, 0))
    >>> [node.move for node in tree.root.ends()], tree.game.ply
    ([(1, 1), (0, 0)], 1)
    """

    def __init__(self, start: Game) -> None:
        self._start = start.copy()
        self.root = self.here = VariationNode()

    @property
    def game(self) -> Game:
        """The current position, as a game of its own."""
        game = self._start.copy()
        for move in self.moves:
            game.play(move)
        return game

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves that lead to the current position."""
        return tuple(node.move for node in self.here.line if node.move is not None)

    @property
    def ends(self) -> list[VariationNode]:
        """The ends of the lines, main lines first."""
        return list(self.root.ends())

    @property
    def is_off_main_line(self) -> bool:
        """True if the current position is not on the main line."""
        return any(node.parent is not None and node.parent.next[0] is not node for node in self.here.line)

    # Navigation

    def play(self, move: Move) -> None:
        """Make *move*: along a line if it was tried already, else along a new one.

        Raises the error of the game if it refuses the move, and then nothing has changed.
        """
        if all(node.move != move for node in self.here.next):
            self.game.play(move)
        self.here = self.here.after(move)

    def follow(self, moves: Iterable[Move]) -> None:
        """Go to the position that *moves* lead to from the start. Raises the same errors as :meth:`play`."""
        game, at = self._start.copy(), tuple(moves)
        for move in at:
            game.play(move)
        self.here = self.root
        for move in at:
            self.here = self.here.after(move)

    def go_to(self, node: VariationNode) -> None:
        """Go to a position of this tree."""
        self.here = node

    def back(self) -> None:
        """Go back one move. Does nothing at the start."""
        self.here = self.here.parent or self.here

    def forward(self) -> None:
        """Go forward one move along the line. Does nothing at its end."""
        self.here = self.here.next[0] if self.here.next else self.here

    def go_round(self) -> None:
        """Go to the end of the next line, or of the first one after the last."""
        ends = self.ends
        now = next(self.here.ends())
        self.here = ends[(ends.index(now) + 1) % len(ends)]

    # Changes

    def remove(self) -> None:
        """Remove the last move and all that follows it, and go back before it. Does nothing at the start."""
        gone, parent = self.here, self.here.parent
        if parent is not None:
            parent.next.remove(gone)
            self.here = parent

    def promote(self) -> None:
        """Make the current line the main line."""
        at = self.here
        while at.parent is not None:
            at.parent.next.remove(at)
            at.parent.next.insert(0, at)
            at = at.parent
