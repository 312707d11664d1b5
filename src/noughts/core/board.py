"""The n-dimensional board that holds the cells of every game."""

import operator
from collections.abc import Iterable, Iterator
from itertools import islice
from math import prod
from typing import Generic, TypeVar

from noughts.errors import CoordinateError, ShapeError

MAX_DIMENSIONS = 8
MAX_SIDES_READ = 100
"""The maximum number of side lengths of a shape that are read, to name its number of dimensions in an error.
"""

MAX_CELLS = 1_000_000

Shape = tuple[int, ...]
Coordinate = tuple[int, ...]
Value = TypeVar("Value")


def check_shape(shape: Iterable[int]) -> Shape:
    """Return *shape* as a tuple of ints, or raise :class:`ShapeError` before anything is allocated.

    >>> check_shape([2, 3, 4])
    (2, 3, 4)
    """
    try:
        sides = tuple(int(operator.index(side)) for side in islice(shape, MAX_SIDES_READ))
    except TypeError:
        raise ShapeError(shape, "not-integers") from None
    if not sides:
        raise ShapeError(sides, "no-dimensions")
    if len(sides) > MAX_DIMENSIONS:
        raise ShapeError(sides, "too-many-dimensions", MAX_DIMENSIONS)
    if min(sides) < 1:
        raise ShapeError(sides, "side-too-short", 1)
    if max(sides) > MAX_CELLS or prod(sides) > MAX_CELLS:
        raise ShapeError(sides, "too-many-cells", MAX_CELLS)
    return sides


class Board(Generic[Value]):
    """A board of any number of dimensions and any side lengths.

    Each cell holds any value. Cells are stored flat in row-major order: the last axis runs fastest.

    >>> board = Board((2, 3, 4), fill=0)
    >>> board[1, 2, 3] = 7
    >>> board[1, 2, 3], board.index((1, 2, 3)), board.coordinate(23)
    (7, 23, (1, 2, 3))
    """

    __slots__ = ("_cells", "shape")

    def __init__(self, shape: Iterable[int], fill: Value = None) -> None:  # type: ignore[assignment]
        self.shape = check_shape(shape)
        self._cells = [fill] * prod(self.shape)

    @property
    def cells(self) -> tuple[Value, ...]:
        """All cells in index order."""
        return tuple(self._cells)

    def index(self, coordinate: Iterable[int]) -> int:
        """Return the flat index of *coordinate*.

        Raises :class:`CoordinateError` if there is no such cell.

        >>> Board((2, 3, 4)).index((1, 0, 0))
        12
        """
        return index_of(self.shape, coordinate)

    def coordinate(self, index: int) -> Coordinate:
        """Return the coordinate of the cell at the flat *index*: the inverse of :meth:`index`."""
        return coordinate_of(self.shape, index)

    def copy(self) -> "Board[Value]":
        """Return an independent board with the same values."""
        twin: Board[Value] = object.__new__(type(self))
        twin.shape = self.shape
        twin._cells = self._cells.copy()
        return twin

    def __getitem__(self, coordinate: Iterable[int]) -> Value:
        return self._cells[self.index(coordinate)]

    def __setitem__(self, coordinate: Iterable[int], value: Value) -> None:
        self._cells[self.index(coordinate)] = value

    def __iter__(self) -> Iterator[Value]:
        return iter(self.cells)

    def __len__(self) -> int:
        return len(self._cells)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Board):
            return NotImplemented
        return self.shape == other.shape and self._cells == other._cells

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Board({self.shape}, cells={self._cells if len(self) <= 64 else '...'})"


def index_of(shape: Shape, coordinate: Iterable[int]) -> int:
    """Return the row-major index of *coordinate* on a board of *shape*.

    A bare int is a coordinate of a one-dimensional board.
    """
    if isinstance(coordinate, int):
        coordinate = (coordinate,)
    try:
        parts = tuple(operator.index(part) for part in islice(coordinate, len(shape) + 1))
    except TypeError:
        raise CoordinateError(coordinate, shape) from None
    if len(parts) != len(shape):
        raise CoordinateError(parts, shape)
    index = 0
    for part, side in zip(parts, shape, strict=True):
        if not 0 <= part < side:
            raise CoordinateError(parts, shape)
        index = index * side + part
    return index


def coordinate_of(shape: Shape, index: int) -> Coordinate:
    """Return the coordinate of the cell with the row-major *index* on a board of *shape*."""
    try:
        rest = operator.index(index)
    except TypeError:
        raise CoordinateError(index, shape) from None
    if not 0 <= rest < prod(shape):
        raise CoordinateError(index, shape)
    parts = []
    for side in reversed(shape):
        rest, part = divmod(rest, side)
        parts.append(part)
    return tuple(reversed(parts))
