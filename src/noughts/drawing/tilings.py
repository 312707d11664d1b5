"""The tilings of the planes of a board: the steps between the cells, and their corners."""

from dataclasses import dataclass

from noughts.drawing.strokes import Point
from noughts.games.layout import Layout


@dataclass(frozen=True, slots=True)
class Tiling:
    """The arrangement of the cells of a plane."""

    across: Point
    """The step from column to column."""
    down: Point
    """The step from row to row."""
    corners: tuple[Point, ...]
    """The corners of a cell, relative to its centre."""

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
