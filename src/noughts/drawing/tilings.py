"""The tilings of the planes of a board: the steps between the cells, and their corners."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from noughts.games.layout import Layout

if TYPE_CHECKING:  # Text boards need no strokes.
    from noughts.drawing.strokes import Point


@dataclass(frozen=True, slots=True)
class Tiling:
    """The arrangement of the cells of a plane."""

    across: "Point"
    """The step from column to column."""
    down: "Point"
    """The step from row to row."""
    corners: "tuple[Point, ...]"
    """The corners of a cell, relative to its centre."""

    def size(self, rows: int, columns: int) -> "Point":
        """Return the width and height of a plane."""
        wide, high = (max(corner[axis] for corner in self.corners) * 2.0 for axis in (0, 1))
        return (
            wide + (columns - 1) * self.across[0] + (rows - 1) * self.down[0],
            high + (rows - 1) * self.down[1],
        )

    def centre(self, row: int, column: int) -> "Point":
        """Return the middle of a cell, from the upper left corner of its plane."""
        x = column * self.across[0] + row * self.down[0] - min(x for x, _ in self.corners)
        return x, row * self.down[1] - min(y for _, y in self.corners)

    def outline(self, row: int, column: int, part: float) -> "list[Point]":
        """Return the corners of the inner *part* of a cell, from the upper left corner of its plane."""
        x, y = self.centre(row, column)
        return [(x + part * right, y + part * down) for right, down in self.corners]

    @property
    def slant(self) -> float:
        """The part of a cell by which each row is to the right of the one above."""
        return self.down[0] / self.across[0]


SQUARES = Tiling((100, 0), (0, 100), ((-50, -50), (50, -50), (50, 50), (-50, 50)))
HEXAGONS = Tiling((132, 0), (66, 114), ((0, -76), (66, -38), (66, 38), (0, 76), (-66, 38), (-66, -38)))
"""Hexagons on a corner, with room for a box of 100."""

_TILINGS = {"": SQUARES, "hex": HEXAGONS}

WITH_TEXT_EDGES = (SQUARES, HEXAGONS)
"""The tilings whose edges a text board can draw. Cells of others are small and have no edges in text."""


def tiling_of(layout: Layout) -> Tiling:
    """Return the tiling of the planes of a board."""
    return _TILINGS[layout.tiling]
