"""Who mirrors the other side's moves in the middle of the board, where completing a line loses."""

from dataclasses import dataclass

from noughts.core.geometry import mask_of
from noughts.core.lines import line_table
from noughts.games.base import Game
from noughts.games.rules import HELPFUL, Rules

HANDLED = HELPFUL | {"misere"}
"""The facts that the argument is about, where completing a line loses."""

MAX_NODES = 20_000
"""How far it is looked whether a full board may be without a line."""


@dataclass(frozen=True, slots=True)
class Mirrored:
    """What mirroring proves of a position: side number ``side`` does not lose, or even ``wins``.

    ``cell`` is its move, -1 where the other side is to move.
    """

    side: int
    cell: int
    wins: bool


class Mirroring:
    """Finds what mirroring proves of positions of one set of rules (Golomb and Hales 2002).

    Let each cell have a partner, opposite to it. Where one side has the middle cell, if there is one, and the
    partners of all that the other side has taken, it goes on like that. It never completes a line first: the
    partners of its cells would be a line that the other side had completed before. And no line has two
    partners in it, or it has marks of both. Where no full board that comes of this is without a line, the
    other side loses.
    """

    def __init__(self, size: int, lines: tuple[int, ...]) -> None:
        self._size = size
        self._middle = 1 << size // 2 if size % 2 else 0
        pairs = [1 << cell | 1 << size - 1 - cell for cell in range(size // 2)]
        self._lines = [line for line in lines if all(line & pair != pair for pair in pairs)]
        """Those that one side may have."""
        self.is_sound = not any(line & self._middle for line in self._lines)

    @staticmethod
    def of(rules: Rules) -> "Mirroring | None":
        """The argument for a board of *rules*; None where it does not hold."""
        if not rules.line_loses or not rules.facts <= HANDLED:
            return None
        table = line_table(rules.geometry)
        result = None if table is None else Mirroring(table.size, table.masks)
        return result if result is not None and result.is_sound else None

    def find(self, game: Game) -> Mirrored | None:
        """What mirroring proves of *game*, in which two sides have moved in turn; None for nothing."""
        turn = game.sides.index(game.turn)
        masks = [mask_of(cell for cell, mark in enumerate(game.cells) if mark == side) for side in game.sides]
        own, other = masks[turn], masks[1 - turn]
        if other == self._partners(own) | self._middle:
            return Mirrored(1 - turn, -1, self._ends(own))
        left = (self._partners(other) | self._middle) & ~own
        if left.bit_count() == 1 and own | left == self._partners(other) | self._middle and not left & other:
            return Mirrored(turn, left.bit_length() - 1, self._ends(other))
        return None

    def _partners(self, mask: int) -> int:
        """The cells opposite to those of *mask*."""
        return int(f"{mask:0{self._size}b}"[::-1], 2)

    def _ends(self, mask: int) -> bool:
        """Whether the side that is mirrored, and has the cells of *mask*, completes a line in the end.

        It has one cell of each pair then. False where that takes too long to find out.
        """
        lines, waiting = self._lines, [(mask, 0)]
        for _ in range(MAX_NODES):
            if not waiting:
                return True
            here, cell = waiting.pop()
            taken = here | self._partners(here)
            while cell < self._size // 2 and taken >> cell & 1:
                cell += 1
            if cell == self._size // 2:
                return False
            for more in (1 << cell, 1 << self._size - 1 - cell):
                after = here | more
                if not any(line & after == line for line in lines if line & more):
                    waiting.append((after, cell + 1))
        return False
