"""How a board is ruled in a picture: as # by pen, with thin lines, between walls, in heavy fields."""

from collections.abc import Iterator

from noughts.drawing.large import MOST_COLUMNS, MOST_ROWS, is_small
from noughts.drawing.palette import Palette
from noughts.drawing.pen import FIRM, Point, course, outline, plain
from noughts.drawing.space import CELL, Space
from noughts.games.base import Game
from noughts.games.layout import Layout, plane_label, star_points
from noughts.games.notation import column_letters

BOARD_STROKE, WALL_STROKE = 5.3, 9.0
OVERSHOOT = 11.0
STAR = 7.0

MANY = 25
"""Boards with more rows or columns have cells of one square of the paper."""

LABEL_PIXELS = 13.0

Label = tuple[float, float, str, str]
"""Where a text stands, how it is anchored there, and what it says."""


def is_by_pen(layout: Layout) -> bool:
    """Whether the lines of a board are drawn by pen, as # is."""
    special = layout.gravity or layout.tiles or layout.hex or any(layout.fields)
    small = layout.rows <= MOST_ROWS and layout.columns <= MOST_COLUMNS
    return not special and small and (layout.planes == 1 or max(layout.rows, layout.columns) <= 3)


class Ruling:
    """The lines, star points and labels of one board."""

    def __init__(self, game: Game, space: Space, palette: Palette) -> None:
        self.game, self.space, self.palette = game, space, palette
        self.layout = game.layout
        layout = self.layout
        self.lettered = len(game.shape) == 2 and not layout.gravity
        self.by_pen = is_by_pen(layout)
        self.parts: list[str] = []

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
        return (3 if self.lettered else 2, 2, 2, 2)

    def draw(self, scale: float) -> list[str]:
        """Everything but the marks; *scale* is how many pixels a hundredth of a cell takes."""
        self.parts = []
        if self.by_pen:
            self._inner_lines_by_pen()
        elif self.layout.gravity:
            self._walls(scale)
        elif self.layout.hex:
            self._sides(scale)
        else:
            self._thin_lines(scale)
            self._field_lines()
        if self.layout.drops:
            self._floors()
        self._stars()
        self._labels(scale)
        return self.parts

    # Lines

    def _pen(self, start: Point, end: Point, width: float, seed: int) -> str:
        bow = 1.2 if seed % 2 else -1.4
        return outline(course(start, end, bow, seed), width, (0.95, 0.55), FIRM)

    def _ink(self, paths: list[str]) -> None:
        if paths:
            self.parts.append(f'<path d="{"".join(paths)}" fill="{self.palette.ink}"/>')

    def _inner_lines_by_pen(self) -> None:
        rows, columns = self.layout.rows, self.layout.columns
        high, wide = rows * CELL + OVERSHOOT, columns * CELL + OVERSHOOT
        paths = []
        for plane in range(self.layout.planes):
            x, y = self.space.origin(plane)
            for column in range(1, columns):
                at = x + column * CELL
                tilt = 1.5 if column % 2 else -1.5
                paths.append(
                    self._pen((at + tilt, y - OVERSHOOT), (at - tilt, y + high), BOARD_STROKE, column)
                )
            for row in range(1, rows):
                at = y + row * CELL
                tilt = 1.2 if row % 2 else -1.2
                paths.append(
                    self._pen((x - OVERSHOOT, at - tilt), (x + wide, at + tilt), BOARD_STROKE, row + 1)
                )
        self._ink(paths)

    def _thin(self, lines: list[str], scale: float) -> None:
        width = plain(1.1 / scale)
        path = "".join(lines)
        self.parts.append(
            f'<path d="{path}" fill="none" stroke="{self.palette.line}" stroke-width="{width}"/>'
        )

    def _thin_lines(self, scale: float) -> None:
        rows, columns = self.layout.rows, self.layout.columns
        lines = []
        for plane in range(self.layout.planes):
            x, y = self.space.origin(plane)
            right, bottom = plain(x + columns * CELL), plain(y + rows * CELL)
            lines += [f"M{plain(x + c * CELL)} {plain(y)}V{bottom}" for c in range(columns + 1)]
            lines += [f"M{plain(x)} {plain(y + r * CELL)}H{right}" for r in range(rows + 1)]
        self._thin(lines, scale)

    def _sides(self, scale: float) -> None:
        """The sides of all cells; neighbours share one."""
        lines: dict[frozenset[Point], str] = {}
        for index in range(len(self.game.cells)):
            corners = self.space.outline(index)
            for (x, y), (right, down) in zip(corners, corners[1:] + corners[:1], strict=True):
                side = f"M{plain(x)} {plain(y)}L{plain(right)} {plain(down)}"
                lines.setdefault(frozenset(((x, y), (right, down))), side)
        self._thin(list(lines.values()), scale)

    def _field_lines(self) -> None:
        down, across = self.layout.fields
        if not (down and across):
            return
        high, wide = self.layout.rows * CELL + OVERSHOOT, self.layout.columns * CELL + OVERSHOOT
        paths = []
        for column in range(across, self.layout.columns, across):
            at = column * CELL
            paths.append(self._pen((at, -OVERSHOOT), (at, high), WALL_STROKE, column))
        for row in range(down, self.layout.rows, down):
            at = row * CELL
            paths.append(self._pen((-OVERSHOOT, at), (wide, at), WALL_STROKE, row + 1))
        self._ink(paths)

    def _walls(self, scale: float) -> None:
        """Walls and a floor, open on top, and no lines between the rows."""
        high, wide = self.layout.rows * CELL, self.layout.columns * CELL
        between = [f"M{plain(column * CELL)} 0V{plain(high)}" for column in range(1, self.layout.columns)]
        if between:
            self._thin(between, scale)
        rim = -26.0
        self._ink(
            [
                self._pen((0, rim), (0, high), WALL_STROKE, 0),
                self._pen((wide, rim), (wide, high), WALL_STROKE, 1),
                self._pen((-14, high + 3), (wide + 14, high + 3), WALL_STROKE * 1.3, 2),
            ]
        )

    def _floors(self) -> None:
        """A floor below the planes on which the first marks come to rest."""
        a_height = self.layout.planes // self.game.shape[0]
        high, wide = self.layout.rows * CELL, self.layout.columns * CELL
        paths = []
        for plane in range(self.layout.planes - a_height, self.layout.planes):
            x, y = self.space.origin(plane)
            floor = y + high + 9
            paths.append(self._pen((x - OVERSHOOT, floor), (x + wide + OVERSHOOT, floor), WALL_STROKE, plane))
        self._ink(paths)

    def _stars(self) -> None:
        cells = self.game.cells
        stars = [self.layout.index(0, *place) for place in sorted(star_points(self.layout))]
        for x, y in [self.space.centre(index) for index in stars if cells[index] is None]:
            dot = f'cx="{plain(x)}" cy="{plain(y)}" r="{plain(STAR)}"'
            self.parts.append(f'<circle {dot} fill="{self.palette.line}"/>')

    # Labels

    def _labels(self, scale: float) -> None:
        layout, size = self.layout, LABEL_PIXELS / scale
        texts: list[Label] = []
        if layout.gravity:
            edge = -26 - 0.5 * size
            texts = [((c + 0.5) * CELL, edge, "middle", str(c + 1)) for c in range(layout.columns)]
        elif self.lettered:
            texts = [*self._column_names(size), *self._row_numbers(size)]
        for plane in range(layout.planes):
            if label := plane_label(self.space.above, plane):
                x, y = self.space.origin(plane)
                texts.append((x, y - 0.55 * size - (OVERSHOOT if self.by_pen else 0), "start", label))
        if texts:
            self.parts.append(f'<g font-size="{plain(size)}" fill="{self.palette.second}">')
            self.parts += [
                f'<text x="{plain(x)}" y="{plain(y)}" text-anchor="{anchor}">{text}</text>'
                for x, y, anchor, text in texts
            ]
            self.parts.append("</g>")

    def _column_names(self, size: float) -> Iterator[Label]:
        """Below the last row, where the columns would go on."""
        apart = 0.6 * size if self.layout.hex else OVERSHOOT + 1.3 * size
        down, below = self.space.tiling.down, self.space.height + apart
        for column in range(self.layout.columns):
            x, y = self.space.centre(self.layout.index(0, self.layout.rows - 1, column))
            yield x + (below - 0.36 * size - y) * down[0] / down[1], below, "middle", column_letters(column)

    def _row_numbers(self, size: float) -> Iterator[Label]:
        """Left of the first cell of each row."""
        for row in range(self.layout.rows):
            index = self.layout.index(0, row, 0)
            left = min(x for x, _ in self.space.outline(index)) - OVERSHOOT - 0.7 * size
            yield left, self.space.centre(index)[1] + 0.36 * size, "end", str(self.layout.rows - row)
