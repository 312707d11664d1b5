"""The grid of a board in a picture: the place of each cell, the lines and the names.

Cells of any number of axes are on a flat sheet; the content of a cell is a box of 100. The map is affine, so
every line through space is straight in the picture. Boards are ruled as # by pen, with thin lines, between
walls, or in heavy fields.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import isqrt, prod
from typing import NamedTuple

from noughts.core.board import Shape, coordinate_of
from noughts.drawing.scene import MAX_SMALL, has_walls, is_lettered, is_small, joined_ends
from noughts.drawing.strokes import Point, plain, ruled
from noughts.drawing.tilings import Tiling, tiling_of
from noughts.games.base import Game
from noughts.games.layout import Layout, plane_label
from noughts.games.notation import column_letters

CELL = 100.0
STAIR = 150.0
"""The vertical step between two planes of a board with three axes."""

APART, FURTHER = 55.0, 95.0
"""The distance between planes of more axes, and the additional one between blocks."""

MAX_ON_STAIR = 3
"""The largest number of planes that small pictures draw as a stair. More would be too small."""

BELOW = 130.0
"""The distance between rows of planes with letters below and a number above."""


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
    """The width and height of one plane."""

    def origin(self, plane: int) -> Point:
        """Return the upper left corner of a plane."""
        parts = coordinate_of(self.above, plane) if self.above else ()
        pairs = list(zip(parts, self.steps, strict=True))
        return sum(part * step[0] for part, step in pairs), sum(part * step[1] for part, step in pairs)

    def corner(self, index: int) -> Point:
        """Return the upper left corner of a cell's content."""
        x, y = self.centre(index)
        return x - CELL / 2, y - CELL / 2

    def centre(self, index: int) -> Point:
        """Return the middle of a cell."""
        plane, row, column = self.layout.place(index)
        (left, top), (x, y) = self.origin(plane), self.tiling.centre(row, column)
        return left + x, top + y

    def outline(self, index: int, inwards: float = 0) -> list[Point]:
        """Return the corners of a cell, moved *inwards* from its sides."""
        plane, row, column = self.layout.place(index)
        (left, top), corners = self.origin(plane), self.tiling.outline(row, column, 1 - 2 * inwards / CELL)
        return [(left + x, top + y) for x, y in corners]


def space_of(shape: Shape, layout: Layout, across: int | None = None) -> Space:
    """Return the space of a board: its planes on a stair for three axes, else in blocks.

    With more axes, planes go across and down in turn, with growing distances. With *across*, the planes of
    three axes are in rows of that length.

    >>> space_of((4, 4, 4), Layout(4, 4, 4)).origin(2), space_of((4, 4, 4), Layout(4, 4, 4), 2).origin(2)
    ((1000.0, 300.0), (0.0, 530.0))
    """
    tiling = tiling_of(layout)
    plane = width, height = tiling.size(layout.rows, layout.columns)
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


def compact_space(game: Game) -> Space:
    """Return the places of the cells. Many planes of a three-dimensional board form about a square."""
    space = space_of(game.shape, game.layout)
    planes = game.layout.planes
    if len(space.above) != 1 or planes <= MAX_ON_STAIR:
        return space
    one = space_of(game.shape, replace(game.layout, planes=1))
    across = isqrt(planes - 1) + 1
    down = -(-planes // across)
    right, low = one.width + CELL, one.height + CELL
    return replace(
        space,
        above=(down, across),
        steps=((0.0, low), (right, 0.0)),
        width=across * right - CELL,
        height=down * low - CELL,
    )


def _end(extent: float, side: int, step: float) -> float:
    return extent + (side - 1) * step


FLAT_STROKE, LAYER_STROKE, WALL_STROKE, FIELD_STROKE = 5.5, 7.0, 9.0, 13.0
"""The widths of the pen; smaller cells, as in layers and fields, need a broader one."""

OVERSHOOT = 11.0

MAX_LARGE_SIDE = 25
"""The maximum number of rows and columns of a board with large cells; others have cells of one square."""


class Label(NamedTuple):
    """A text with its place and anchor, and True if it names a whole plane."""

    x: float
    y: float
    anchor: str
    text: str
    is_strong: bool = False


def is_by_pen(layout: Layout) -> bool:
    """Return True if a pen draws the lines of a board, as #.

    A single row or column needs its edges.
    """
    plain_cells = layout.has_plain_cells and min(layout.rows, layout.columns) > 1
    small = max(layout.rows, layout.columns) <= MAX_SMALL
    return plain_cells and small and (layout.planes == 1 or max(layout.rows, layout.columns) <= 3)


class Ruling:
    """The lines and labels of a board, plane by plane, in hundredths of a cell."""

    def __init__(self, game: Game, space: Space) -> None:
        self.game, self.space = game, space
        self.layout = game.layout
        self.lettered = is_lettered(game)
        self.by_pen = is_by_pen(self.layout)

    @property
    def squares(self) -> int:
        """The number of squares of paper along the side of a cell."""
        layout = self.layout
        if self.by_pen and layout.planes == 1:
            return 5 if max(layout.rows, layout.columns) <= 3 else 4
        if max(layout.rows, layout.columns) > MAX_LARGE_SIDE:
            return 1
        return 3 if layout.gravity or layout.tiles or (layout.tiling and is_small(layout)) else 2

    @property
    def margins(self) -> tuple[int, int, int, int]:
        """The number of squares of paper left of, above, right of and below the board."""
        return (3 if self.lettered or self.layout.planes > 1 else 2, 2, 2, 2)

    # Lines

    def thin(self, origin: Point = (0, 0)) -> list[str]:
        """Return the thin lines of a plane with the corner *origin*, as path data."""
        if self.by_pen:
            return []
        if self.layout.tiling:
            return self._sides()
        (x, y), rows, columns = origin, self.layout.rows, self.layout.columns
        right, bottom = plain(x + columns * CELL), plain(y + rows * CELL)
        if self.layout.gravity:
            return [f"M{plain(column * CELL)} 0V{bottom}" for column in range(1, columns)]
        down = [f"M{plain(x + c * CELL)} {plain(y)}V{bottom}" for c in range(columns + 1)]
        return down + [f"M{plain(x)} {plain(y + r * CELL)}H{right}" for r in range(rows + 1)]

    def pen(self, origin: Point = (0, 0)) -> list[str]:
        """Return the pen's strokes of a plane, as outlines."""
        if self.layout.gravity:
            return self._walls()
        if self.by_pen:
            width = LAYER_STROKE if self.layout.planes > 1 else FLAT_STROKE
            return self._strokes(origin, (1, 1), width, (1.5, 1.2))
        down, across = self.layout.fields
        return self._strokes(origin, (down, across), FIELD_STROKE, (0, 0)) if down and across else []

    def joined_sides(self) -> list[str]:
        """Return the sides of a flat board that are joined to the opposite sides."""
        if len(self.game.shape) > 2:
            return []
        over, aside = joined_ends(self.game)
        high, wide = self.layout.rows * CELL, self.layout.columns * CELL
        return [f"M{x} 0V{high}" for x in (0, wide) if aside] + [f"M0 {y}H{wide}" for y in (0, high) if over]

    def floor(self, plane: int, origin: Point = (0, 0)) -> str:
        """Return the floor below a plane on which first marks land; empty for other planes."""
        if not self.layout.drops or plane < self.layout.planes - self.layout.planes // self.game.shape[0]:
            return ""
        x, low = origin[0], origin[1] + self.layout.rows * CELL + 9
        right = x + self.layout.columns * CELL + OVERSHOOT
        return ruled((x - OVERSHOOT, low), (right, low), WALL_STROKE, plane)

    def _strokes(self, origin: Point, every: tuple[int, int], width: float, tilts: Point) -> list[str]:
        """Return strokes, each slightly tilted, *every* number of rows and columns apart."""
        (x, y), (down, across) = origin, every
        high, wide = self.layout.rows * CELL + OVERSHOOT, self.layout.columns * CELL + OVERSHOOT
        strokes = []
        for column in range(across, self.layout.columns, across):
            at, tilt = x + column * CELL, tilts[0] if column % 2 else -tilts[0]
            strokes.append(ruled((at + tilt, y - OVERSHOOT), (at - tilt, y + high), width, column))
        for row in range(down, self.layout.rows, down):
            at, tilt = y + row * CELL, tilts[1] if row % 2 else -tilts[1]
            strokes.append(ruled((x - OVERSHOOT, at - tilt), (x + wide, at + tilt), width, row + 1))
        return strokes

    def _sides(self) -> list[str]:
        """Return the sides of all cells; neighbours share one."""
        lines: dict[frozenset[Point], str] = {}
        for index in range(len(self.game.cells)):
            corners = self.space.outline(index)
            for (x, y), (right, down) in zip(corners, corners[1:] + corners[:1], strict=True):
                side = f"M{plain(x)} {plain(y)}L{plain(right)} {plain(down)}"
                lines.setdefault(frozenset(((x, y), (right, down))), side)
        return list(lines.values())

    def _walls(self) -> list[str]:
        """Return the walls, if there are any, and the floor; the top is open."""
        high, wide, rim = self.layout.rows * CELL, self.layout.columns * CELL, -26.0
        sides = (0, wide) if has_walls(self.game) else ()
        walls = [ruled((x, rim), (x, high), WALL_STROKE, number) for number, x in enumerate(sides)]
        return [*walls, ruled((-14, high + 3), (wide + 14, high + 3), WALL_STROKE * 1.3, 2)]

    # Labels

    def labels(self, size: float) -> Iterator[Label]:
        """Yield the labels around the board, in letters *size* high."""
        for plane in range(self.layout.planes):
            left, top = self.space.origin(plane)
            number = plane_label(self.game.shape[:-2], plane)
            for x, y, anchor, text, is_strong in self.plane_labels(size):
                yield Label(x + left, y + top, anchor, text or number, is_strong)
        yield from self.edge_labels(self.space, size)

    def plane_labels(self, size: float) -> Iterator[Label]:
        """Yield the labels of each plane, relative to its corner.

        An empty text is replaced by the number of the plane.
        """
        layout = self.layout
        if layout.gravity:
            edge = -26 - 0.5 * size
            yield from (Label((c + 0.5) * CELL, edge, "middle", str(c + 1)) for c in range(layout.columns))
        elif self.lettered or (self._is_layered and not layout.drops):
            yield from self._column_names(size)
            yield from self._row_numbers(size)
        if self._is_layered:
            yield Label(self.space.plane[0], -0.6 * size - self._overshoot, "end", "", is_strong=True)

    @property
    def _is_layered(self) -> bool:
        """True if the planes are along one axis, so that each has a number and letters."""
        return self.layout.planes > 1 and len(self.game.shape) == 3

    @property
    def _overshoot(self) -> float:
        return OVERSHOOT if self.by_pen else 0

    def edge_labels(self, space: Space, size: float) -> Iterator[Label]:
        """Yield the numbers at the edges of each block of planes along two axes."""
        if self.layout.planes == 1 or self._is_layered:
            return
        *blocks, lines, places = space.above
        (wide, high), edge = space.plane, 0.6 * size + self._overshoot
        for block in range(prod(blocks)):
            first = block * lines * places
            left, top = space.origin(first)
            for place in range(places):
                x, _ = space.origin(first + place)
                yield Label(x + wide / 2, top - edge, "middle", str(place + 1))
            for line in range(lines):
                _, y = space.origin(first + line * places)
                yield Label(left - edge, y + high / 2 + 0.36 * size, "end", str(line + 1))
            if blocks:
                yield Label(
                    left, top - edge - 1.5 * size, "start", plane_label(tuple(blocks), block), is_strong=True
                )

    def _column_names(self, size: float) -> Iterator[Label]:
        """Yield the names of columns, below the cells of the last row."""
        slanted = self.space.tiling.slant  # Names are between the lowest corners.
        below = self.space.plane[1] + (0.6 * size if slanted else OVERSHOOT + 1.3 * size)
        for column in range(self.layout.columns):
            x, _ = self.space.centre(self.layout.index(0, self.layout.rows - 1, column))
            yield Label(x, below, "middle", column_letters(column))

    def _row_numbers(self, size: float) -> Iterator[Label]:
        """Yield the numbers of rows, left of their first cells."""
        for row in range(self.layout.rows):
            index = self.layout.index(0, row, 0)
            left = min(x for x, _ in self.space.outline(index)) - 0.9 * size
            yield Label(
                left, self.space.centre(index)[1] + 0.36 * size, "end", str(self.layout.row_number(row))
            )
