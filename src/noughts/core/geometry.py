"""The geometry of a board: its shape, the directions of its lines, and the joined axes.

A line is a set of exactly k distinct cells in one direction. This module identifies cells by their flat
index. On a joined axis, a line may leave at one side and come in at the other.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from functools import lru_cache
from itertools import product
from math import lcm, prod
from operator import mul
from typing import Any

from noughts.core.board import Coordinate, Shape, coordinate_of

Cells = tuple[int, ...]
"""Cells as indices."""


def mask_of(cells: Iterable[int]) -> int:
    """Return a mask of the cells: an int with a bit for each.

    >>> bin(mask_of((0, 3)))
    '0b1001'
    """
    mask = 0
    for cell in cells:
        mask |= 1 << cell
    return mask


def cells_with(cells: Sequence[str | None], mark: str) -> int:
    """Return a mask of the cells that bear *mark*."""
    return mask_of(index for index, borne in enumerate(cells) if borne == mark)


@dataclass(frozen=True, slots=True, kw_only=True)
class TilingOptions:
    """The options that replace the squares of a flat board by another tiling: at most one is true.

    Rules and layouts inherit them.
    """

    hex: bool = False
    """Cells are hexagons in a flat rhombus: lines run along rows, columns and one diagonal."""

    @property
    def tiling(self) -> str:
        """The name of the option that is true, or an empty text for squares."""
        for name in TILINGS:
            if getattr(self, name):
                return name
        return ""


TILINGS = tuple(one.name for one in fields(TilingOptions))
"""The names of the tilings other than squares."""

STEPS = {"hex": ((0, 1), (1, -1), (1, 0))}
"""The directions of lines on each of these tilings."""


@dataclass(frozen=True, slots=True)
class Line:
    """k cells in one direction: ``cells`` in order, ``step`` from each to the next.

    ``start`` is the first cell. The first component of ``step`` that is not 0 is positive. Without a step the
    cells are another shape, such as the corners of a square.
    """

    cells: tuple[Coordinate, ...]
    step: Coordinate = ()

    @property
    def start(self) -> Coordinate:
        """The first cell of the line."""
        return self.cells[0]


@lru_cache(maxsize=64)
def directions(dimensions: int) -> tuple[Coordinate, ...]:
    """Return one step for each direction and its opposite: (3**n - 1) / 2 of them.

    >>> directions(2)
    ((0, 1), (1, -1), (1, 0), (1, 1))
    """
    zero = (0,) * dimensions
    return tuple(step for step in product((-1, 0, 1), repeat=dimensions) if step > zero)


@lru_cache(maxsize=16)
def coordinates(shape: Shape) -> tuple[Coordinate, ...]:
    """Return all coordinates of *shape* in index order."""
    return tuple(product(*map(range, shape)))


def _derived() -> Any:
    return field(init=False, repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Geometry:
    """The facts that decide which cells make a line: a value, equal for boards with the same lines.

    >>> Geometry((3, 3), 3).longest, Geometry((2, 3), 3, joined=(True, True)).longest
    (3, 6)
    """

    shape: Shape
    k: int
    """The number of cells in a line."""
    joined: tuple[bool, ...] = ()
    """For each axis, True if its two ends meet. Empty if no axis is joined."""
    tiling: str = ""
    """The name of the tiling of a flat board, one of :data:`TILINGS`. Empty for squares."""
    exact: bool = False
    """True if a line does not count when it continues with the same mark."""

    size: int = _derived()
    """The number of cells."""
    steps: tuple[Coordinate, ...] = _derived()
    """One step for each direction and its opposite."""
    strides: tuple[int, ...] = _derived()
    """The distance between the indices of neighbours along each axis."""

    def __post_init__(self) -> None:
        def settle(name: str, value: object) -> None:
            object.__setattr__(self, name, value)

        settle("joined", self.joined or (False,) * len(self.shape))
        settle("size", prod(self.shape))
        settle("steps", STEPS[self.tiling] if self.tiling else directions(len(self.shape)))
        settle("strides", tuple(prod(self.shape[axis + 1 :]) for axis in range(len(self.shape))))

    @property
    def longest(self) -> int:
        """The maximum number of cells of any line."""
        around = lcm(*(side for side, joined in zip(self.shape, self.joined, strict=True) if joined))
        straight = [side for side, joined in zip(self.shape, self.joined, strict=True) if not joined]
        return max(around, *straight) if straight else around

    def is_around(self, step: Coordinate) -> bool:
        """Return True if lines along *step* may leave at one side and come in at the other."""
        return any(by and joined for by, joined in zip(step, self.joined, strict=True))

    def ray(self, index: int, step: Coordinate, most: int) -> Sequence[int]:
        """Return up to *most* cells that follow the cell of *index* along *step*.

        They end at an edge of the board, or after one round if the axis is joined.
        """
        stride, before_edge = 0, self.size
        for by, each, side, joined in zip(step, self.strides, self.shape, self.joined, strict=True):
            if by:
                stride += by * each
                part = index // each % side
                room = side - 1 - part if by > 0 else part
                if joined:
                    before_edge = min(before_edge, room)
                else:
                    most = min(most, room)
        if before_edge < most:
            return self._ray_around(index, step, most)
        return range(index + stride, index + stride * (most + 1), stride) if most > 0 else ()

    def _ray_around(self, origin: int, step: Coordinate, most: int) -> Sequence[int]:
        moving = [
            (origin // each % side, by, side, each)
            for by, side, each in zip(step, self.shape, self.strides, strict=True)
            if by
        ]
        still = origin - sum(part * each for part, _, _, each in moving)
        indices: list[int] = []
        for times in range(1, most + 1):
            index = still + sum([(part + by * times) % side * each for part, by, side, each in moving])
            if index == origin:
                break
            indices.append(index)
        return indices

    def windows(self, index: int, step: Coordinate) -> Iterator[tuple[Cells, Cells]]:
        """Yield each line through the cell of *index* along *step*, and the cells just before and after it.

        A line that fills a whole ring is yielded once, from its least cell on.
        """
        k, back = self.k, tuple(-by for by in step)
        behind, ahead = self.ray(index, back, k), self.ray(index, step, k)
        if len(ahead) + 1 == k and self.is_around(step):
            ring = (index, *ahead)
            if list(self.ray(ring[-1], step, 1)) == [index]:
                least = ring.index(min(ring))
                yield ring[least:] + ring[:least], ()
                return
        for offset in range(max(0, k - 1 - len(ahead)), min(k - 1, len(behind)) + 1):
            cells = (*behind[:offset][::-1], index, *ahead[: k - 1 - offset])
            if len(set(cells)) == k:
                ends = (*behind[offset : offset + 1], *ahead[k - 1 - offset : k - offset])
                yield cells, tuple(end for end in ends if end not in cells)

    def lines_along(self, step: Coordinate) -> Iterator[tuple[Cells, Cells]]:
        """Yield the cells of each line along *step*, and the cells at its ends if longer lines do not count.

        All are in the order of their numbers.
        """
        k = self.k
        if self.is_around(step):
            for start in self._starts(step):
                cells = (start, *self.ray(start, step, k - 1))
                if len(cells) == k:
                    ends = self._ends(step, cells) - set(cells) if self.exact else ()
                    yield tuple(sorted(cells)), tuple(sorted(ends))
            return
        stride = sum(map(mul, step, self.strides))
        for start in self._starts(step):
            cells = tuple(range(start, start + stride * k, stride)) if k > 1 else (start,)
            yield cells, tuple(sorted(self._ends(step, cells))) if self.exact else ()

    def _starts(self, step: Coordinate) -> list[int]:
        """Return the cells from which a line may run along *step*."""
        starts = [0]
        for by, side, joined, each in zip(step, self.shape, self.joined, self.strides, strict=True):
            short = 0 if joined or not by else self.k - 1
            places = range(side - short) if by >= 0 else range(short, side)
            starts = [start + place * each for start, place in product(starts, places)]
        return starts

    def _ends(self, step: Coordinate, cells: Cells) -> set[int]:
        back = tuple(-by for by in step)
        return {*self.ray(cells[0], back, 1), *self.ray(cells[-1], step, 1)}

    def star(self) -> tuple[int, int] | None:
        """Return a mask of the cells on lines through one cell, and the place of that cell in the mask.

        Shifted to another cell, it has all cells on lines through that one, and some beyond the edges. Return
        None if edges meet, because then lines through one cell are not those through another, shifted.
        """
        if any(self.joined):
            return None
        has_room = [side >= self.k for side in self.shape]
        strides = [
            abs(sum(map(mul, step, self.strides)))
            for step in self.steps
            if all(room for by, room in zip(step, has_room, strict=True) if by)
        ]
        middle, star = (self.k - 1) * max(strides, default=0), 0
        for stride in strides:
            ray = int(f"{1:0{stride}b}" * self.k, 2)
            star |= ray << middle | ray << middle - stride * (self.k - 1)
        return star, middle

    def line(self, cells: Cells, step: Coordinate) -> Line:
        """Return the line of *cells* along *step*."""
        return Line(tuple(coordinate_of(self.shape, cell) for cell in cells), step)

    def line_count(self, index: int) -> int:
        """Return the number of lines through the cell of *index*, on a board without joined axes.

        The lines are counted, not built.
        """
        if self.k == 1:
            return 1
        most = self.k - 1
        if self.tiling:
            back = [tuple(-by for by in step) for step in self.steps]
            rays = [len(self.ray(index, step, most)) for step in (*self.steps, *back)]
            both = zip(rays[: len(back)], rays[len(back) :], strict=True)
            return sum(max(0, ahead + behind - most + 1) for ahead, behind in both)
        # Along each axis a line may stay, go forwards or go backwards.
        rooms = Counter({(most, most): 1})
        for each, side in zip(self.strides, self.shape, strict=True):
            part = index // each % side
            before, rooms = rooms, rooms.copy()
            for low, high in ((part, side - 1 - part), (side - 1 - part, part)):
                for (ahead, behind), many in before.items():
                    rooms[min(ahead, high), min(behind, low)] += many
        rooms[most, most] -= 1  # without the step that stays
        return sum(many * max(0, ahead + behind - most + 1) for (ahead, behind), many in rooms.items()) // 2


@lru_cache(maxsize=16)
def joined_cells(shape: Shape, joined: tuple[bool, ...]) -> tuple[Coordinate, ...]:
    """Return the cells at an edge that is joined to the opposite one, so that lines continue beyond them.

    An axis of one cell joins nothing.

    >>> joined_cells((2, 3), (False, True))
    ((0, 0), (0, 2), (1, 0), (1, 2))
    >>> joined_cells((1, 2), (True, False))
    ()
    """
    pairs = zip(shape, joined, strict=True)
    ends = [{0, side - 1} if is_joined and side > 1 else set() for side, is_joined in pairs]
    if not any(ends):
        return ()
    return tuple(
        cell
        for cell in product(*map(range, shape))
        if any(part in end for part, end in zip(cell, ends, strict=True))
    )


def lines(shape: Shape, k: int, joined: tuple[bool, ...] = (), tiling: str = "") -> tuple[Line, ...]:
    """Return every line of *k* cells on a board of *shape*, each set of cells once.

    >>> len(lines((3, 3), 3)), len(lines((4, 4, 4), 4)), len(lines((15, 15), 5)), len(lines((6, 7), 4))
    (8, 76, 572, 69)
    """
    geometry = Geometry(shape, k, joined, tiling)
    by_cells: dict[frozenset[int], Line] = {}
    for index in range(geometry.size):
        for step in geometry.steps:
            cells = (index, *geometry.ray(index, step, k - 1))
            if len(cells) == k and frozenset(cells) not in by_cells:
                by_cells[frozenset(cells)] = geometry.line(cells, step)
    return tuple(by_cells.values())
