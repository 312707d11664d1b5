"""A small picture of a board for a list of games: no coordinates, no signs, cut where there is no room."""

from collections.abc import Mapping, Sequence
from itertools import product

from noughts.drawing.canvas import LINE, Canvas, Span
from noughts.drawing.forms import Side, rows_at
from noughts.drawing.signs import Signs, signs_for
from noughts.games.base import Game

PLANE_GAP = 2
"""Columns between planes that stand side by side; between rows of them there is one line."""


def draw_thumbnail(game: Game, *, width: int, height: int, unicode: bool = True) -> Sequence[Sequence[Span]]:
    """A picture of *game* in at most *height* lines of at most *width* columns.

    Of a large board its middle is shown, of one where marks fall its lowest rows, of one with depth as
    many planes as fit. Where not one cell fits, there are no lines. With *unicode* false all characters
    are ASCII.

    >>> from noughts import new_game
    >>> game = new_game()
    >>> game.play((1, 1))
    >>> ["".join(span.text for span in line) for line in draw_thumbnail(game, width=9, height=3)]
    ['· · ·', '· X ·', '· · ·']
    """
    return _Thumbnail(game, signs_for(unicode=unicode)).draw(width, height)


class _Thumbnail:
    def __init__(self, game: Game, signs: Signs) -> None:
        self.shape, self.layout, self.cells = game.shape, game.layout, game.cells
        self.signs, self.sides = signs, game.sides
        self.canvas = Canvas()
        self.content = max((len(cell) for cell in set(self.cells) if cell), default=1)
        down, across = self.layout.fields
        wall = int(self.layout.gravity)
        gap = 0 if across else 1
        self.across = Side(self.layout.columns, self.content, gap, across, 1, wall, wall)
        self.down = Side(self.layout.rows, 1, 0, down, 1, after=wall)
        self.slant = (self.content + gap) // 2 if self.layout.hex else 0

    def draw(self, width: int, height: int) -> Sequence[Sequence[Span]]:
        layout = self.layout
        rows = rows_at(self.slant, _most(self.down, height), self.across, width)
        columns = _most(self.across, width - self.slant * max(0, rows - 1))
        if not (columns and rows):
            return []
        top = layout.rows - rows if layout.gravity else (layout.rows - rows) // 2
        left = (layout.columns - columns) // 2
        if any(layout.fields):  # cut at the lines
            top, left = top - top % layout.fields[0], left - left % layout.fields[1]
        shown = range(top, top + rows), range(left, left + columns)
        wide, high = _extent(self.across, columns), _extent(self.down, rows)
        for plane, (x, y) in self._planes(
            (width + PLANE_GAP) // (wide + PLANE_GAP), (height + 1) // (high + 1)
        ).items():
            self._plane(plane, x * (wide + PLANE_GAP), y * (high + 1), *shown)
        return self.canvas.spans()

    def _planes(self, across: int, down: int) -> Mapping[int, tuple[int, int]]:
        """Which planes are shown, and where: the lowest ones where marks fall from plane to plane."""
        in_a_row = self.shape[-3] if len(self.shape) > 2 else 1
        rows = self.layout.planes // in_a_row
        across, down = min(across, in_a_row), min(down, rows)
        left = in_a_row - across if self.layout.drops and len(self.shape) == 3 else 0
        top = rows - down if self.layout.drops else 0
        return {(top + y) * in_a_row + left + x: (x, y) for y, x in product(range(down), range(across))}

    def _plane(self, plane: int, x: int, y: int, rows: range, columns: range) -> None:
        layout, signs = self.layout, self.signs
        empty = " " if layout.gravity or layout.tiles else signs.dot
        for row, column in product(rows, columns):
            mark = self.cells[layout.index(plane, row, column)]
            text = (mark or empty).rjust(self.content)
            role = mark if mark in self.sides and not layout.tiles else ""
            along = x + self.across.start(columns[0], column) + self.slant * (row - rows[0])
            self.canvas.write(along, y + self.down.start(rows[0], row), text, role or "")
        if layout.gravity:
            self._walls(rows, columns)
        if any(layout.fields):
            self._fields(rows, columns)

    def _walls(self, rows: range, columns: range) -> None:
        signs, right = self.signs, _extent(self.across, len(columns)) - 1
        for x, corner in ((0, signs.floor[0]), (right, signs.floor[2])):
            for y in range(len(rows)):
                self.canvas.write(x, y, signs.down, LINE)
            self.canvas.write(x, len(rows), corner, LINE)
        self.canvas.write(1, len(rows), signs.floor[1] * (right - 1), LINE)

    def _fields(self, rows: range, columns: range) -> None:
        down, across = self.layout.fields
        signs = self.signs
        bars = [self.across.start(columns[0], column) - 1 for column in columns[1:] if column % across == 0]
        wide = self.across.start(columns[0], columns[-1]) + self.content
        for row in rows:
            y = self.down.start(rows[0], row)
            for x in bars:
                self.canvas.write(x, y, signs.down, LINE)
            if row % down == 0 and row != rows[0]:
                self.canvas.write(0, y - 1, signs.across * wide, LINE)
                for x in bars:
                    self.canvas.write(x, y - 1, signs.cross, LINE)


def _extent(side: Side, count: int) -> int:
    """How many characters *count* cells take if the first of them is the first of a field."""
    return side.start(0, count - 1) + side.cell + side.after


def _most(side: Side, room: int) -> int:
    count = min(side.size, max(0, room))
    while count and _extent(side, count) > room:
        count -= 1
    return count
