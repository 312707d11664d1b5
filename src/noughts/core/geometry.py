"""Directions and winning lines of a shape.

A line is a set of exactly k distinct cells in one direction. As an int mask it has bit i set for the
cell of index i. On a shape that wraps, a line may leave at one side and come in at the other.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from math import prod

from noughts.core.board import Coordinate, Shape, coordinate_of, index_of

MAX_ENUMERATED = 4096
"""Lines and symmetries are enumerated on boards up to this many cells."""


@dataclass(frozen=True, slots=True)
class Line:
    """k cells in one direction: ``cells`` in order, ``step`` from each to the next.

    ``start`` is the first cell. The first component of ``step`` that is not 0 is positive.
    """

    cells: tuple[Coordinate, ...]
    step: Coordinate

    @property
    def start(self) -> Coordinate:
        """The cell from which the line runs."""
        return self.cells[0]


@lru_cache(maxsize=64)
def directions(dimensions: int) -> tuple[Coordinate, ...]:
    """One step for each direction and its opposite: (3**n - 1) / 2 of them.

    >>> directions(2)
    ((0, 1), (1, -1), (1, 0), (1, 1))
    """
    zero = (0,) * dimensions
    return tuple(step for step in product((-1, 0, 1), repeat=dimensions) if step > zero)


@lru_cache(maxsize=16)
def coordinates(shape: Shape) -> tuple[Coordinate, ...]:
    """All coordinates of *shape* in index order."""
    return tuple(product(*map(range, shape)))


@lru_cache(maxsize=16)
def indices(shape: Shape) -> dict[Coordinate, int]:
    """The index of each coordinate of *shape*, in order. Shared: never change it."""
    return {cell: index for index, cell in enumerate(coordinates(shape))}


class Geometry:
    """The lines of k cells on a board of *shape*, found where they are asked for and then kept."""

    def __init__(self, shape: Shape, k: int, wrap: bool = False) -> None:
        self.shape, self.k, self.wrap = shape, k, wrap
        self.size = prod(shape)
        self.steps = directions(len(shape))

    def walk(self, origin: Coordinate, step: Coordinate) -> Iterator[Coordinate]:
        """The cells after *origin* in the direction of *step*, to the edge or once around."""
        cell = origin
        while True:
            cell = tuple(part + by for part, by in zip(cell, step, strict=True))
            if self.wrap:
                cell = tuple(part % side for part, side in zip(cell, self.shape, strict=True))
                if cell == origin:
                    return
            elif not all(0 <= part < side for part, side in zip(cell, self.shape, strict=True)):
                return
            yield cell

    def _reach(self, cell: Coordinate, step: Coordinate) -> int:
        """How many steps lead from *cell* to the edge."""
        room = (
            side - 1 - part if by > 0 else part
            for part, by, side in zip(cell, step, self.shape, strict=True)
            if by
        )
        return min(room)

    def windows(self, cell: Coordinate, step: Coordinate) -> Iterator[tuple[Line, tuple[Coordinate, ...]]]:
        """Each line through *cell* along *step*, with the cells just before and after it."""
        back = tuple(-by for by in step)
        if not self.wrap and self._reach(cell, step) + self._reach(cell, back) + 1 < self.k:
            return
        behind = _take(self.walk(cell, back), self.k)
        ahead = _take(self.walk(cell, step), self.k)
        for offset in range(max(0, self.k - 1 - len(ahead)), min(self.k - 1, len(behind)) + 1):
            cells = (*reversed(behind[:offset]), cell, *ahead[: self.k - 1 - offset])
            if self.wrap and len(set(cells)) < self.k:
                continue
            ends = (*behind[offset : offset + 1], *ahead[self.k - 1 - offset : self.k - offset])
            yield Line(cells, step), tuple(end for end in ends if end not in cells)

    def lines_through(self, cell: Coordinate) -> Iterator[Line]:
        """Every line through *cell*, each set of cells once."""
        seen = set()
        for step in self.steps:
            for line, _ in self.windows(cell, step):
                if (cells := frozenset(line.cells)) not in seen:
                    seen.add(cells)
                    yield line

    def mask(self, cells: tuple[Coordinate, ...]) -> int:
        """The int with the bit of each of *cells* set."""
        mask = 0
        for cell in cells:
            mask |= 1 << index_of(self.shape, cell)
        return mask

    def line_count(self, cell: Coordinate) -> int:
        """How many lines go through *cell*, counted without making them where the board has edges."""
        if self.wrap or self.k == 1:
            return sum(1 for _ in self.lines_through(cell))
        most = self.k - 1
        count = 0
        for step in self.steps:
            back = tuple(-by for by in step)
            room = min(most, self._reach(cell, step)) + min(most, self._reach(cell, back))
            count += max(0, room - most + 1)
        return count


def _take(walk: Iterator[Coordinate], most: int) -> tuple[Coordinate, ...]:
    return tuple(cell for cell, _ in zip(walk, range(most), strict=False))


def lines(shape: Shape, k: int, wrap: bool = False) -> tuple[Line, ...]:
    """Every line of *k* cells on a board of *shape*, each set of cells once.

    >>> len(lines((3, 3), 3)), len(lines((4, 4, 4), 4)), len(lines((15, 15), 5)), len(lines((6, 7), 4))
    (8, 76, 572, 69)
    """
    geometry = Geometry(shape, k, wrap)
    found: dict[frozenset[Coordinate], Line] = {}
    for index in range(geometry.size):
        cell = coordinate_of(shape, index)
        for step in geometry.steps:
            ahead = _take(geometry.walk(cell, step), k - 1)
            cells = (cell, *ahead)
            if len(set(cells)) == k:
                found.setdefault(frozenset(cells), Line(cells, step))
    return tuple(found.values())
