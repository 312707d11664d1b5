"""Mirror play in the middle of the board, for games in which completing a line loses."""

from dataclasses import dataclass

from noughts.core.geometry import mask_of
from noughts.core.lines import line_table
from noughts.games.base import Game
from noughts.games.rules import EXTRA_MARK_HELPS, Rules

HANDLED = EXTRA_MARK_HELPS | {"misere"}
"""The facts under which mirroring is sound, if completing a line loses."""

MAX_NODES = 20_000
"""Maximum number of nodes of the search for a full board without a line."""


@dataclass(frozen=True, slots=True)
class Mirrored:
    """The result that mirroring proves: side number ``side`` does not lose, or even ``wins``.

    ``cell`` is its move, -1 if the other side is to move.
    """

    side: int
    cell: int
    wins: bool


class Mirroring:
    """Proves results by mirroring, for positions of one set of rules (Golomb and Hales 2002).

    Each cell has a partner opposite to it. Suppose that one side has the middle cell, if there is one, and
    the partners of all cells of the other side, and continues in this way. It never completes a line first:
    the partners of its cells would be a line that the other side had completed before. A line with two
    partners in it always has marks of both sides. If no full board that can result is without a line, the
    other side loses. All this needs a board on which the partners of each line are a line.
    """

    def __init__(self, size: int, lines: tuple[int, ...]) -> None:
        self._size = size
        self._middle = 1 << size // 2 if size % 2 else 0
        pairs = [1 << cell | 1 << size - 1 - cell for cell in range(size // 2)]
        self._lines = [line for line in lines if all(line & pair != pair for pair in pairs)]
        """The lines that one side may fill."""
        has_partners = {self._partners(line) for line in lines} == {*lines}
        self.is_sound = has_partners and not any(line & self._middle for line in self._lines)

    @staticmethod
    def of(rules: Rules) -> "Mirroring | None":
        """Return the mirroring argument for a board of *rules*; None if it is not sound."""
        if not rules.line_loses or not rules.facts <= HANDLED:
            return None
        table = line_table(rules.geometry)
        result = None if table is None else Mirroring(table.size, table.masks)
        return result if result is not None and result.is_sound else None

    def find(self, game: Game) -> Mirrored | None:
        """Return the result that mirroring proves of *game*; None if there is none.

        Two sides must have moved in turn.
        """
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
        """Return the mask of the cells opposite to those of *mask*."""
        return int(f"{mask:0{self._size}b}"[::-1], 2)

    def _ends(self, mask: int) -> bool:
        """Return True if the mirrored side, with the cells of *mask*, must complete a line in the end.

        It gets one cell of each pair. Return False if that takes too long to find out.
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
