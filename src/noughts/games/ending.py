"""What ends a k-in-a-row game: the lines that the last mark completed.

On boards of up to ``MAX_ENUMERATED`` cells a line is an int mask and is tested against the mask of all
cells that bear the mark. Beyond that masks grow too long, and the cells themselves are walked.
"""

from collections.abc import Sequence
from functools import lru_cache

from noughts.core.board import Shape, coordinate_of, index_of
from noughts.core.geometry import MAX_ENUMERATED, Geometry, Line, coordinates

Test = tuple[int, int]
"""(care, line): the line is complete where ``mine & care == line``. *care* is the line itself and, where
longer lines do not count, the cells at its ends."""

Axis = tuple[int, tuple[Test, ...]]
"""(union, tests): all cells of the lines in one direction, and the test of each line."""


class LinesByMask(dict[int, tuple[Axis, ...]]):
    """For the index of a cell, the tests of all lines through it; worked out when first asked for."""

    def __init__(self, geometry: Geometry, *, exact: bool) -> None:
        super().__init__()
        self.geometry, self.exact = geometry, exact
        self._lines: dict[int, Line] = {}

    def __missing__(self, index: int) -> tuple[Axis, ...]:
        geometry = self.geometry
        cell = coordinates(geometry.shape)[index]
        axes: list[Axis] = []
        seen: set[Test] = set()
        for step in geometry.steps:
            tests = []
            for line, ends in geometry.windows(cell, step):
                mask = geometry.mask(line.cells)
                care = mask | geometry.mask(ends) if self.exact else mask
                if (care, mask) not in seen:
                    seen.add((care, mask))
                    self._lines.setdefault(mask, line)
                    tests.append((care, mask))
            if tests:
                union = 0
                for _, mask in tests:
                    union |= mask
                axes.append((union, tuple(tests)))
        self[index] = found = tuple(axes)
        return found

    def complete(self, mine: int, index: int) -> tuple[Line, ...]:
        """The lines through the cell of *index* that *mine*, the cells with the mark, holds whole."""
        masks = dict.fromkeys(mask for _, tests in self[index] for care, mask in tests if mine & care == mask)
        return tuple(self._lines[mask] for mask in masks)


class LinesByWalk:
    """The same answers for boards too large for masks."""

    def __init__(self, geometry: Geometry, *, exact: bool) -> None:
        self.geometry, self.exact = geometry, exact

    def complete(self, cells: Sequence[str | None], index: int) -> tuple[Line, ...]:
        """The lines through the cell of *index* whose cells all bear its mark."""
        geometry = self.geometry
        mark = cells[index]
        origin = coordinate_of(geometry.shape, index)
        found: dict[frozenset[object], Line] = {}
        for step in geometry.steps:
            for line, ends in geometry.windows(origin, step):
                if all(cells[index_of(geometry.shape, cell)] == mark for cell in line.cells) and not (
                    self.exact and any(cells[index_of(geometry.shape, end)] == mark for end in ends)
                ):
                    found.setdefault(frozenset(line.cells), line)
        return tuple(found.values())


@lru_cache(maxsize=64)
def lines_by_mask(shape: Shape, k: int, wrap: bool, exact: bool) -> LinesByMask | None:
    """The mask tests of a shape, shared by all its games; None where the board is too large."""
    geometry = Geometry(shape, k, wrap)
    return LinesByMask(geometry, exact=exact) if geometry.size <= MAX_ENUMERATED else None
