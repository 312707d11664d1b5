"""Where a mark may go: on any empty cell, or on the lowest empty cell of a column.

Both kinds keep the open cells between moves, so that a move need not look at the whole board.
``take`` is called for each move of each game, which is why a free board hands out its dict's own pop.
"""

from collections.abc import Callable, Sequence
from typing import Protocol, Self

from noughts.core.board import Coordinate, Shape
from noughts.core.geometry import coordinates, indices


class Openings(Protocol):
    """The cells open to the next mark."""

    take: Callable[[Coordinate], int]
    """Close the cell and return its index; KeyError (or TypeError) if it is not open."""

    def cells(self) -> list[Coordinate]:
        """The open cells in the order of their numbers."""

    def release(self, index: int) -> None:
        """The mark on the cell of *index* has left."""

    def copy(self) -> Self:
        """An independent copy."""


class FreeOpenings:
    """Every empty cell is open."""

    __slots__ = ("_in_order", "_known", "_open", "take")

    take: Callable[[Coordinate], int]

    def __init__(self, shape: Shape, occupied: Sequence[int] = ()) -> None:
        self._known = coordinates(shape)
        self._open = indices(shape).copy()
        for index in occupied:
            del self._open[self._known[index]]
        self._in_order = True
        self.take = self._open.pop

    def cells(self) -> list[Coordinate]:
        if not self._in_order:
            in_order = sorted(self._open.items())
            self._open.clear()  # the same dict stays: take is bound to it
            self._open.update(in_order)
            self._in_order = True
        return list(self._open)

    def release(self, index: int) -> None:
        self._open[self._known[index]] = index
        self._in_order = False

    def copy(self) -> Self:
        twin = object.__new__(type(self))
        twin._known = self._known
        twin._open = self._open.copy()
        twin._in_order = self._in_order
        twin.take = twin._open.pop
        return twin


class FallingOpenings:
    """In each column, a line of cells along the first axis, the lowest empty cell is open."""

    __slots__ = ("_indices", "_known", "_landing", "_width", "take")

    take: Callable[[Coordinate], int]

    def __init__(self, shape: Shape, occupied: Sequence[int] = ()) -> None:
        self._known = coordinates(shape)
        self._indices = indices(shape)
        self._width = len(self._known) // shape[0]
        self._landing = list(range(len(self._known) - self._width, len(self._known)))
        for index in occupied:
            self._landing[index % self._width] -= self._width
        self.take = self._take

    def _take(self, cell: Coordinate) -> int:
        index = self._indices[cell]
        column = index % self._width
        if self._landing[column] != index:
            raise KeyError(cell)
        self._landing[column] = index - self._width
        return index

    def cells(self) -> list[Coordinate]:
        known = self._known
        return [known[index] for index in self._landing if index >= 0]

    def release(self, index: int) -> None:
        self._landing[index % self._width] = index

    def copy(self) -> Self:
        twin = object.__new__(type(self))
        twin._known, twin._indices, twin._width = self._known, self._indices, self._width
        twin._landing = self._landing.copy()
        twin.take = twin._take
        return twin
