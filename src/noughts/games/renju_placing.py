"""Where a mark may go in renju: on any empty cell, but where it is forbidden to the side that begins."""

from collections.abc import Mapping, Sequence
from typing import Self

from noughts.core.board import Coordinate, Shape
from noughts.core.geometry import coordinates
from noughts.games.placing import Openings
from noughts.games.renju import BLACK, OTHER, Stones


class RenjuOpenings:
    """The *usual* openings, and which of them are forbidden: looked for once in each position.

    Black, the side that begins, is to move when an even number of marks stands on the board.
    """

    __slots__ = ("_forbidden", "_known", "_ply", "_stones", "_usual")

    def __init__(self, usual: Openings, shape: Shape, cells: Sequence[str | None], black: str) -> None:
        self._usual = usual
        self._known = coordinates(shape)
        self._stones = Stones(shape)
        self._ply = 0
        for index, mark in enumerate(cells):
            if mark is not None:
                self._stones.put(index, BLACK if mark == black else OTHER)
                self._ply += 1
        self._forbidden: Mapping[int, str] | None = None

    def forbidden(self) -> Mapping[int, str]:
        """The cells that renju forbids to the side to move, and why: ``33``, ``44`` or ``6``."""
        if self._forbidden is None:
            self._forbidden = {} if self._ply % 2 else self._stones.forbidden()
        return self._forbidden

    def take(self, cell: Coordinate) -> int:
        index = self._usual.take(cell)
        if index in self.forbidden():
            self._usual.release(index)
            raise KeyError(cell)
        self._stones.put(index, OTHER if self._ply % 2 else BLACK)
        self._ply += 1
        self._forbidden = None
        return index

    def cells(self) -> list[Coordinate]:
        cells = self._usual.cells()
        if forbidden := self.forbidden():
            closed = {self._known[index] for index in forbidden}
            return [cell for cell in cells if cell not in closed]
        return cells

    def release(self, index: int) -> None:
        self._usual.release(index)
        self._stones.clear(index)
        self._ply -= 1
        self._forbidden = None

    def closed(self) -> bool:
        return len(self.forbidden()) == len(self._known) - self._ply

    def copy(self) -> Self:
        twin = object.__new__(type(self))
        twin._usual, twin._known = self._usual.copy(), self._known
        twin._stones, twin._ply, twin._forbidden = self._stones.copy(), self._ply, self._forbidden
        return twin
