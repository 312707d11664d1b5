"""Where a mark may go: on any empty cell, or on the lowest empty cell of a column.

Each kind keeps the open cells between moves, so that a move need not look at the whole board. What to keep
them in was measured: a dict is the quickest to take from, a list in order the quickest to copy.
"""

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, Self

from noughts.core.board import Coordinate, Shape
from noughts.core.geometry import coordinates, indices

FEW = 100
"""Up to this many cells a dict of them is the quickest."""

NOTHING: Mapping[int, str] = {}
"""What is forbidden where nothing is."""


class Openings(Protocol):
    """The cells open to the next mark."""

    @property
    def take(self) -> Callable[[Coordinate], int]:
        """Close the cell and return its index; KeyError (or TypeError) if it is not open."""

    def cells(self) -> list[Coordinate]:
        """The open cells in the order of their numbers."""

    def release(self, index: int) -> None:
        """The mark on the cell of *index* has left."""

    def closed(self) -> bool:
        """Whether no cell is open."""

    def forbidden(self) -> Mapping[int, str]:
        """The empty cells, by index, that the rules close to the side to move, and why, as a code."""

    def copy(self) -> Self:
        """An independent copy."""


def openings(shape: Shape, gravity: bool, occupied: Sequence[int] = ()) -> Openings:
    """The openings of a board on which the cells of the indices *occupied* have marks."""
    if gravity:
        return FallingOpenings(shape, occupied)
    known = coordinates(shape)
    return (FewOpenings if len(known) <= FEW else ManyOpenings)(shape, occupied)


class FewOpenings:
    """Every empty cell is open: a dict, which hands out its own pop."""

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

    def closed(self) -> bool:
        return not self._open

    def forbidden(self) -> Mapping[int, str]:
        return NOTHING

    def copy(self) -> Self:
        twin = object.__new__(type(self))
        twin._known = self._known
        twin._open = self._open.copy()
        twin._in_order = self._in_order
        twin.take = twin._open.pop
        return twin


class ManyOpenings:
    """Every empty cell is open: a list in order, and beside it the indices to find a cell by."""

    __slots__ = ("_indices", "_known", "_numbers", "_open")

    def __init__(self, shape: Shape, occupied: Sequence[int] = ()) -> None:
        self._known = coordinates(shape)
        self._indices = indices(shape)
        self._open = list(self._known)
        self._numbers = list(self._indices.values())
        for index in sorted(occupied, reverse=True):
            del self._open[index], self._numbers[index]

    def take(self, cell: Coordinate) -> int:
        index = self._indices[cell]
        numbers = self._numbers
        place = bisect_left(numbers, index)
        if place == len(numbers) or numbers[place] != index:
            raise KeyError(cell)
        del numbers[place], self._open[place]
        return index

    def cells(self) -> list[Coordinate]:
        return self._open.copy()

    def release(self, index: int) -> None:
        place = bisect_left(self._numbers, index)
        self._numbers.insert(place, index)
        self._open.insert(place, self._known[index])

    def closed(self) -> bool:
        return not self._open

    def forbidden(self) -> Mapping[int, str]:
        return NOTHING

    def copy(self) -> Self:
        twin = object.__new__(type(self))
        twin._known, twin._indices = self._known, self._indices
        twin._open, twin._numbers = self._open.copy(), self._numbers.copy()
        return twin


class FallingOpenings:
    """In each column, a line of cells along the first axis, the lowest empty cell is open."""

    __slots__ = ("_full", "_indices", "_known", "_landing", "_open", "_width")

    def __init__(self, shape: Shape, occupied: Sequence[int] = ()) -> None:
        self._known = coordinates(shape)
        self._indices = indices(shape)
        self._width = len(self._known) // shape[0]
        self._landing = list(range(len(self._known) - self._width, len(self._known)))
        self._open = list(self._known[-self._width :])
        self._full = 0
        for index in sorted(occupied, reverse=True):
            self.take(self._known[index])

    def take(self, cell: Coordinate) -> int:
        index = self._indices[cell]
        column = index % self._width
        if self._landing[column] != index:
            raise KeyError(cell)
        self._landing[column] = above = index - self._width
        if above >= 0:
            self._open[column] = self._known[above]
        else:
            self._open[column] = ()
            self._full += 1
        return index

    def cells(self) -> list[Coordinate]:
        return [cell for cell in self._open if cell] if self._full else self._open.copy()

    def release(self, index: int) -> None:
        column = index % self._width
        if self._landing[column] < 0:
            self._full -= 1
        self._landing[column] = index
        self._open[column] = self._known[index]

    def closed(self) -> bool:
        return self._full == self._width

    def forbidden(self) -> Mapping[int, str]:
        return NOTHING

    def copy(self) -> Self:
        twin = object.__new__(type(self))
        twin._known, twin._indices, twin._width = self._known, self._indices, self._width
        twin._landing, twin._open, twin._full = self._landing.copy(), self._open.copy(), self._full
        return twin
