"""Which points renju forbids to the side that begins, as a game is played and taken back."""

from collections.abc import Mapping, Sequence
from typing import Self

from noughts.core.board import Shape
from noughts.games.renju import BLACK, OTHER, Stones


class RenjuPoints:
    """The forbidden points: looked for once in each position.

    Black, the side that begins, is to move when an even number of marks stands on the board.
    """

    __slots__ = ("_forbidden", "_ply", "_stones")

    def __init__(self, shape: Shape, cells: Sequence[str | None], black: str) -> None:
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

    def put(self, index: int) -> None:
        """The side to move has put a mark on the cell of *index*."""
        self._stones.put(index, OTHER if self._ply % 2 else BLACK)
        self._ply += 1
        self._forbidden = None

    def lift(self, index: int) -> None:
        """The last mark, on the cell of *index*, is taken back."""
        self._stones.clear(index)
        self._ply -= 1
        self._forbidden = None

    def copy(self) -> Self:
        """An independent copy."""
        twin = object.__new__(type(self))
        twin._stones, twin._ply, twin._forbidden = self._stones.copy(), self._ply, self._forbidden
        return twin
