"""A short search on two big ints, which shares nothing with the searches that it is compared with.

Marks are bits and a line is a mask. All values are found by a full search.
"""

from functools import lru_cache

from noughts.core.geometry import Line, lines
from noughts.games.rules import Rules


def _lines(rules: Rules) -> tuple[Line, ...]:
    return lines(rules.shape, rules.k, rules.geometry.joined, rules.tiling)


class BigIntOracle:
    """Values and distances of k in a row for two sides whose marks stay."""

    def __init__(self, rules: Rules) -> None:
        cells: dict[tuple[int, ...], int] = {}
        for line in _lines(rules):
            for cell in line.cells:
                cells[cell] = self._index(cell, rules)
        self.rules = rules
        self.size = 1
        for side in rules.shape:
            self.size *= side
        self.full = (1 << self.size) - 1
        self.width = self.size // rules.shape[0]
        self.tests: list[tuple[int, int]] = []
        for line in _lines(rules):
            mask = sum(1 << cells[cell] for cell in line.cells)
            self.tests.append((mask | self._ends(line.cells, line.step), mask))
        self.worth = lru_cache(maxsize=None)(self._worth)

    @staticmethod
    def _index(cell: tuple[int, ...], rules: Rules) -> int:
        index = 0
        for part, side in zip(cell, rules.shape, strict=True):
            index = index * side + part
        return index

    def _ends(self, cells: tuple[tuple[int, ...], ...], step: tuple[int, ...]) -> int:
        """Return the bits of the cells before and after an exact line."""
        if not self.rules.exact:
            return 0
        ends = 0
        for cell, way in ((cells[0], -1), (cells[-1], 1)):
            ways = zip(cell, step, self.rules.shape, self.rules.geometry.joined, strict=True)
            end = [(part + way * by) % (side if joined else 10**9) for part, by, side, joined in ways]
            if tuple(end) not in cells and all(
                part < side for part, side in zip(end, self.rules.shape, strict=True)
            ):
                ends |= 1 << self._index(tuple(end), self.rules)
        return ends

    def _moves(self, side: int, taken: int) -> list[tuple[int, int]]:
        """Return the bit and the mark of each move."""
        open_cells = self.full & ~taken
        if self.rules.gravity:  # The cell below is taken, or there is none.
            open_cells &= taken >> self.width | self.full & ~(self.full >> self.width)
        marks = (0,) if self.rules.notakto else (0, 1) if self.rules.wild else (side,)
        bits = [1 << cell for cell in range(self.size) if open_cells >> cell & 1]
        return [(bit, mark) for bit in bits for mark in marks]

    def _worth(self, side: int, first: int, second: int) -> tuple[int, int]:
        """Return the value for *side*, which is to move, and the plies to the end (0 for a draw)."""
        best = (-2, 0)
        for bit, mark in self._moves(side, first | second):
            after = (first | bit, second) if mark == 0 else (first, second | bit)
            if any(after[mark] & care == line for care, line in self.tests):
                value, plies = (-1, 1) if self.rules.line_loses else (1, 1)
            elif after[0] | after[1] == self.full:
                value, plies = 0, 0
            else:
                value, plies = self.worth(1 - side, *after)
                value, plies = -value, plies + 1 if value else 0
            best = max(best, (value, -value * plies))
        return best[0], abs(best[1])
