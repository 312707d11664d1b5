"""How a board is ruled in a picture: as # by pen, with thin lines, between walls, in heavy fields."""

from collections.abc import Iterator
from math import prod
from typing import NamedTuple

from noughts.drawing.scene import MAX_SMALL, has_walls, is_lettered, is_small, joined_ends
from noughts.drawing.space import CELL, Space
from noughts.drawing.strokes import Point, plain, ruled
from noughts.games.base import Game
from noughts.games.layout import Layout, plane_label
from noughts.games.notation import column_letters

FLAT_STROKE, LAYER_STROKE, WALL_STROKE, FIELD_STROKE = 5.5, 7.0, 9.0, 13.0
"""How broad the pen is: the smaller cells are on a page, as in layers and fields, the broader."""

OVERSHOOT = 11.0

MANY = 25
"""Boards with more rows or columns have cells of one square of the paper."""


class Label(NamedTuple):
    """Where a text stands, how it is anchored there, what it says, and whether it names a whole plane."""

    x: float
    y: float
    anchor: str
    text: str
    is_strong: bool = False


def is_by_pen(layout: Layout) -> bool:
    """Whether the lines of a board are drawn by pen, as # is; a single row or column needs its edges."""
    special = layout.gravity or layout.tiles or layout.hex or any(layout.fields)
    special = special or min(layout.rows, layout.columns) == 1
    small = max(layout.rows, layout.columns) <= MAX_SMALL
    return not special and small and (layout.planes == 1 or max(layout.rows, layout.columns) <= 3)


class Ruling:
    """The lines and labels of one board, plane by plane, in hundredths of a cell."""

    def __init__(self, game: Game, space: Space) -> None:
        self.game, self.space = game, space
        self.layout = game.layout
        self.lettered = is_lettered(game)
        self.by_pen = is_by_pen(self.layout)

    @property
    def squares(self) -> int:
        """How many squares of the paper the side of a cell takes."""
        layout = self.layout
        if self.by_pen and layout.planes == 1:
            return 5 if max(layout.rows, layout.columns) <= 3 else 4
        if max(layout.rows, layout.columns) > MANY:
            return 1
        return 3 if layout.gravity or layout.tiles or (layout.hex and is_small(layout)) else 2

    @property
    def margins(self) -> tuple[int, int, int, int]:
        """Squares of paper left of, above, right of and below the board."""
        return (3 if self.lettered or self.layout.planes > 1 else 2, 2, 2, 2)

    # Lines

    def thin(self, origin: Point = (0, 0)) -> list[str]:
        """The thin lines of a plane whose upper left corner is *origin*, as path data."""
        if self.by_pen:
            return []
        if self.layout.hex:
            return self._sides()
        (x, y), rows, columns = origin, self.layout.rows, self.layout.columns
        right, bottom = plain(x + columns * CELL), plain(y + rows * CELL)
        if self.layout.gravity:
            return [f"M{plain(column * CELL)} 0V{bottom}" for column in range(1, columns)]
        down = [f"M{plain(x + c * CELL)} {plain(y)}V{bottom}" for c in range(columns + 1)]
        return down + [f"M{plain(x)} {plain(y + r * CELL)}H{right}" for r in range(rows + 1)]

    def pen(self, origin: Point = (0, 0)) -> list[str]:
        """What a pen draws of a plane, as the outlines of its strokes."""
        if self.layout.gravity:
            return self._walls()
        if self.by_pen:
            width = LAYER_STROKE if self.layout.planes > 1 else FLAT_STROKE
            return self._strokes(origin, (1, 1), width, (1.5, 1.2))
        down, across = self.layout.fields
        return self._strokes(origin, (down, across), FIELD_STROKE, (0, 0)) if down and across else []

    def joined_sides(self) -> list[str]:
        """The sides of a flat board that are joined to the opposite ones."""
        if len(self.game.shape) > 2:
            return []
        over, aside = joined_ends(self.game)
        high, wide = self.layout.rows * CELL, self.layout.columns * CELL
        return [f"M{x} 0V{high}" for x in (0, wide) if aside] + [f"M0 {y}H{wide}" for y in (0, high) if over]

    def floor(self, plane: int, origin: Point = (0, 0)) -> str:
        """The floor below a plane on which the first marks come to rest; empty for the others."""
        if not self.layout.drops or plane < self.layout.planes - self.layout.planes // self.game.shape[0]:
            return ""
        x, low = origin[0], origin[1] + self.layout.rows * CELL + 9
        right = x + self.layout.columns * CELL + OVERSHOOT
        return ruled((x - OVERSHOOT, low), (right, low), WALL_STROKE, plane)

    def _strokes(self, origin: Point, every: tuple[int, int], width: float, tilts: Point) -> list[str]:
        """Strokes after so many rows and columns, each a little off the straight by turns."""
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
        """The sides of all cells; neighbours share one."""
        lines: dict[frozenset[Point], str] = {}
        for index in range(len(self.game.cells)):
            corners = self.space.outline(index)
            for (x, y), (right, down) in zip(corners, corners[1:] + corners[:1], strict=True):
                side = f"M{plain(x)} {plain(y)}L{plain(right)} {plain(down)}"
                lines.setdefault(frozenset(((x, y), (right, down))), side)
        return list(lines.values())

    def _walls(self) -> list[str]:
        """Walls, if there are any, and a floor, open on top."""
        high, wide, rim = self.layout.rows * CELL, self.layout.columns * CELL, -26.0
        sides = (0, wide) if has_walls(self.game) else ()
        walls = [ruled((x, rim), (x, high), WALL_STROKE, number) for number, x in enumerate(sides)]
        return [*walls, ruled((-14, high + 3), (wide + 14, high + 3), WALL_STROKE * 1.3, 2)]

    # Labels

    def labels(self, size: float) -> Iterator[Label]:
        """What is written beside the board in letters that are *size* high."""
        for plane in range(self.layout.planes):
            left, top = self.space.origin(plane)
            number = plane_label(self.game.shape[:-2], plane)
            for x, y, anchor, text, is_strong in self.plane_labels(size):
                yield Label(x + left, y + top, anchor, text or number, is_strong)
        yield from self.edge_labels(self.space, size)

    def plane_labels(self, size: float) -> Iterator[Label]:
        """What is written beside each plane, as seen from its corner; an empty text stands for its number."""
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
        """Whether there are planes along one axis: each has its number and letters of its own."""
        return self.layout.planes > 1 and len(self.game.shape) == 3

    @property
    def _overshoot(self) -> float:
        return OVERSHOOT if self.by_pen else 0

    def edge_labels(self, space: Space, size: float) -> Iterator[Label]:
        """The numbers at the edges of each block of planes that stand in rows along two axes."""
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
        """Below the cells of the last row."""
        below = self.space.plane[1] + (0.6 * size if self.layout.hex else OVERSHOOT + 1.3 * size)
        for column in range(self.layout.columns):
            x, _ = self.space.centre(self.layout.index(0, self.layout.rows - 1, column))
            yield Label(x, below, "middle", column_letters(column))

    def _row_numbers(self, size: float) -> Iterator[Label]:
        """Left of the first cell of each row."""
        for row in range(self.layout.rows):
            index = self.layout.index(0, row, 0)
            left = min(x for x, _ in self.space.outline(index)) - 0.9 * size
            yield Label(
                left, self.space.centre(index)[1] + 0.36 * size, "end", str(self.layout.row_number(row))
            )
