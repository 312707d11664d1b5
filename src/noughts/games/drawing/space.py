"""Where the cells of a board of any number of axes stand on a flat sheet; a cell is a square of 100.

The map is affine, so that every line through space is a straight line in the picture.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from noughts.core.board import Shape, coordinate_of
from noughts.games.drawing.layout import Layout
from noughts.games.drawing.pen import Point

CELL = 100.0
STAIR = 150.0
"""How far each plane of a board with three axes stands below the one before."""


@dataclass(frozen=True, slots=True)
class Space:
    """The steps from plane to plane of a board, one for each axis above its rows and columns."""

    layout: Layout
    above: Shape
    steps: tuple[Point, ...]
    width: float
    height: float

    def origin(self, plane: int) -> Point:
        """The upper left corner of a plane."""
        parts = coordinate_of(self.above, plane) if self.above else ()
        pairs = list(zip(parts, self.steps, strict=True))
        return sum(part * step[0] for part, step in pairs), sum(part * step[1] for part, step in pairs)

    def corner(self, index: int) -> Point:
        """The upper left corner of a cell."""
        plane, row, column = self.layout.place(index)
        x, y = self.origin(plane)
        return x + column * CELL, y + row * CELL

    def centre(self, index: int) -> Point:
        """The middle of a cell."""
        x, y = self.corner(index)
        return x + CELL / 2, y + CELL / 2


def space_of(shape: Shape, layout: Layout) -> Space:
    """Planes on a stair for three axes; for more, planes across and down by turns, further apart each time.

    >>> space_of((4, 4, 4), Layout(4, 4, 4)).origin(2)
    (1000.0, 300.0)
    """
    width, height = layout.columns * CELL, layout.rows * CELL
    above = shape[:-2] if layout.planes > 1 else ()
    steps: list[Point] = []
    if len(above) == 1:
        steps = [(width + CELL, STAIR)]
        width, height = _end(width, above[0], width + CELL), _end(height, above[0], STAIR)
    else:
        for number, side in enumerate(reversed(above)):
            apart = CELL * (1 + number // 2)
            if number % 2 == 0:
                steps.insert(0, (width + apart, 0.0))
                width = _end(width, side, width + apart)
            else:
                steps.insert(0, (0.0, height + apart))
                height = _end(height, side, height + apart)
    return Space(layout, above, tuple(steps), width, height)


def straight_parts(shape: Shape, line: Iterable[int]) -> list[list[int]]:
    """The cells of *line* in runs of neighbours: more than one where it leaves the board and comes back."""
    runs: list[list[int]] = []
    before: tuple[int, ...] | None = None
    for index in line:
        cell = coordinate_of(shape, index)
        if before is None or max(abs(a - b) for a, b in zip(cell, before, strict=True)) > 1:
            runs.append([])
        runs[-1].append(index)
        before = cell
    return runs


def _end(extent: float, side: int, step: float) -> float:
    return extent + (side - 1) * step
