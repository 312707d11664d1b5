"""Where the cells of a board of any number of axes stand on a flat sheet; what a cell holds is a box of 100.

The map is affine, so that every line through space is a straight line in the picture.
"""

from dataclasses import dataclass

from noughts.core.board import Shape, coordinate_of
from noughts.drawing.strokes import Point
from noughts.games.layout import Layout

CELL = 100.0
STAIR = 150.0
"""How far each plane of a board with three axes stands below the one before."""

APART, FURTHER = 55.0, 95.0
"""How far planes of more axes stand apart, and how much further blocks of them."""

BELOW = 130.0
"""How far rows of planes stand apart where they have letters below and a number above."""


@dataclass(frozen=True, slots=True)
class Tiling:
    """How the cells of a plane are laid side by side."""

    across: Point
    """The step from column to column."""
    down: Point
    """The step from row to row."""
    corners: tuple[Point, ...]
    """The corners of a cell, seen from its centre."""


SQUARES = Tiling((100, 0), (0, 100), ((-50, -50), (50, -50), (50, 50), (-50, 50)))
HEXAGONS = Tiling((132, 0), (66, 114), ((0, -76), (66, -38), (66, 38), (0, 76), (-66, 38), (-66, -38)))
"""Hexagons that stand on a corner, with room for what is 100 wide and high."""


@dataclass(frozen=True, slots=True)
class Space:
    """The steps from plane to plane of a board, one for each axis above its rows and columns."""

    layout: Layout
    tiling: Tiling
    above: Shape
    steps: tuple[Point, ...]
    width: float
    height: float
    plane: Point
    """The width and the height of one plane."""

    def origin(self, plane: int) -> Point:
        """The upper left corner of a plane."""
        parts = coordinate_of(self.above, plane) if self.above else ()
        pairs = list(zip(parts, self.steps, strict=True))
        return sum(part * step[0] for part, step in pairs), sum(part * step[1] for part, step in pairs)

    def corner(self, index: int) -> Point:
        """The upper left corner of what a cell holds."""
        x, y = self.centre(index)
        return x - CELL / 2, y - CELL / 2

    def centre(self, index: int) -> Point:
        """The middle of a cell."""
        plane, row, column = self.layout.place(index)
        (left, top), tiling = self.origin(plane), self.tiling
        x = left + column * tiling.across[0] + row * tiling.down[0] - min(x for x, _ in tiling.corners)
        return x, top + row * tiling.down[1] - min(y for _, y in tiling.corners)

    def outline(self, index: int, inwards: float = 0) -> list[Point]:
        """The corners of a cell, or of what lies in it, *inwards* from its sides."""
        (x, y), part = self.centre(index), 1 - 2 * inwards / CELL
        return [(x + part * right, y + part * down) for right, down in self.tiling.corners]


def space_of(shape: Shape, layout: Layout, across: int | None = None) -> Space:
    """Planes on a stair for three axes; for more, planes across and down by turns, further apart each time.

    Planes of three axes stand side by side instead, *across* of them in a row, where that is given.

    >>> space_of((4, 4, 4), Layout(4, 4, 4)).origin(2), space_of((4, 4, 4), Layout(4, 4, 4), 2).origin(2)
    ((1000.0, 300.0), (0.0, 530.0))
    """
    tiling = HEXAGONS if layout.hex else SQUARES
    wide, high = (max(corner[axis] for corner in tiling.corners) * 2.0 for axis in (0, 1))
    width = wide + (layout.columns - 1) * tiling.across[0] + (layout.rows - 1) * tiling.down[0]
    height = high + (layout.rows - 1) * tiling.down[1]
    plane = (width, height)
    above = shape[:-2] if layout.planes > 1 else ()
    steps: list[Point] = []
    if across is not None:
        above = (-(-layout.planes // across), across)
        steps = [(0.0, height + BELOW), (width + CELL, 0.0)]
        width, height = _end(width, across, width + CELL), _end(height, above[0], height + BELOW)
    elif len(above) == 1:
        steps = [(width + CELL, STAIR)]
        width, height = _end(width, above[0], width + CELL), _end(height, above[0], STAIR)
    else:
        for number, side in enumerate(reversed(above)):
            apart = APART + FURTHER * (number // 2)
            if number % 2 == 0:
                steps.insert(0, (width + apart, 0.0))
                width = _end(width, side, width + apart)
            else:
                steps.insert(0, (0.0, height + apart))
                height = _end(height, side, height + apart)
    return Space(layout, tiling, above, tuple(steps), width, height, plane)


def _end(extent: float, side: int, step: float) -> float:
    return extent + (side - 1) * step
