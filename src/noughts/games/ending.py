"""What ends a k-in-a-row game: the lines that the last mark completed.

On boards of up to ``MAX_ENUMERATED`` cells a line is an int mask and is tested against the mask of all
cells that bear the mark. Where boards or lines are so long that the masks of all lines would take too
much room, the cells themselves are walked.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import islice, takewhile

from noughts.core.board import Coordinate, Shape, coordinate_of, index_of
from noughts.core.geometry import MAX_ENUMERATED, Geometry, Line, coordinates

MAX_MASKED = 32 * MAX_ENUMERATED
"""Cells times k, above which lines are not kept as masks."""

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
        shape = self.geometry.shape
        mark = cells[index]
        origin = coordinate_of(shape, index)

        def bears(cell: Coordinate) -> bool:
            return cells[index_of(shape, cell)] == mark

        found: dict[frozenset[Coordinate], Line] = {}
        for step in self.geometry.steps:
            if self._run(bears, origin, step) >= self.geometry.k:
                for line, ends in self.geometry.windows(origin, step):
                    if all(map(bears, line.cells)) and not (self.exact and any(map(bears, ends))):
                        found.setdefault(frozenset(line.cells), line)
        return tuple(found.values())

    def _run(self, bears: Callable[[Coordinate], bool], origin: Coordinate, step: Coordinate) -> int:
        """How many cells in a row bear the mark; more than there are on a whole ring."""
        back = tuple(-by for by in step)
        return 1 + sum(
            1
            for way in (step, back)
            for _ in islice(takewhile(bears, self.geometry.walk(origin, way)), self.geometry.k)
        )


@lru_cache(maxsize=64)
def lines_by_mask(shape: Shape, k: int, wrap: bool, exact: bool) -> LinesByMask | None:
    """The mask tests of a shape, shared by all its games; None where they would take too much room."""
    geometry = Geometry(shape, k, wrap)
    if geometry.size > MAX_ENUMERATED or geometry.size * k > MAX_MASKED:
        return None
    return LinesByMask(geometry, exact=exact)
