"""Some rows and columns of one plane of a board, with all that belongs to them."""

from itertools import pairwise
from typing import NamedTuple

from noughts.drawing.canvas import LINE, Canvas
from noughts.drawing.forms import Form, column_name
from noughts.drawing.large import LargeBoard
from noughts.drawing.scene import Scene


class Box(NamedTuple):
    """Where a cell stands in a window, its signs included."""

    x: int
    y: int
    width: int
    height: int


class Pane:
    """The cells of *rows* and *columns* of one *plane*, drawn on *canvas* with its corner at *x*, *y*."""

    def __init__(self, scene: Scene, form: Form, canvas: Canvas, x: int, y: int) -> None:
        self.scene, self.form, self.canvas = scene, form, canvas
        self.layout = scene.layout
        self.left, self.top = x, y
        self.across, self.down, self.slant = form.across(scene), form.down(scene), form.slant(scene)
        self.plane, self.rows, self.columns = 0, range(self.layout.rows), range(self.layout.columns)

    def draw(self, plane: int, rows: range, columns: range) -> dict[int, Box]:
        """Draw, and say where each cell stands."""
        self.plane, self.rows, self.columns = plane, rows, columns
        self._frame()
        self._fields()
        self._holder()
        self._coordinates()
        if self.form.drawn:
            board = LargeBoard(self.scene, self.form.high, self.form.wide, to_the_right=True)
            self.canvas.paste(self._x(0, 0), self._y(0), board.draw())
        boxes = {}
        for row in rows:
            for column in columns:
                index = self.layout.index(plane, row, column)
                boxes[index] = box = Box(self._x(column, row), self._y(row), self.form.wide, self.form.high)
                if not self.form.drawn:
                    self._cell(index, box)
        if self.slant and self.form.ruled:
            self._cross_sides(boxes)
        return boxes

    def heads(self) -> dict[int, Box]:
        """Where the names of the columns stand, by the uppermost cell below them."""
        if not (self.form.coordinates and self.layout.gravity):
            return {}
        top = self.rows[0]
        return {
            self.layout.index(self.plane, top, column): Box(self._x(column, top), self.top, self.form.wide, 1)
            for column in self.columns
        }

    def point_sideways(self, width: int, *, left: bool, right: bool) -> None:
        """Say in the line of the columns' names, of *width* columns, on which sides there are more."""
        y, end = self._names, self.end(self.rows[-1])
        for is_more, places, sign in ((left, (self.left,), 0), (right, (end - 1, end), 1)):
            room = [x for x in places if x < width and self.canvas.is_blank(x, y)]
            if is_more and room and self.form.coordinates:
                self.canvas.write(room[0], y, self.scene.signs.more[sign])

    def point_up_and_down(self, *, up: bool, down: bool) -> None:
        """Say beside the outer rows that there are more above and below: by their numbers, or in the wall.

        Where neither stands there, it is said in the line of the columns' names.
        """
        margin = self.form.margin(self.scene)
        if margin or (self.layout.gravity and self.form.walls):
            x = self.left + max(0, margin - 1)
            places = [(x + self._shift(row), self._y(row)) for row in (self.rows[0], self.rows[-1])]
        elif self.form.coordinates:
            places = [(self.left, self._names), (self.end(self.rows[-1]) - 1, self._names)]
        else:
            return
        for is_more, (x, y), sign in zip((up, down), places, self.scene.signs.more[2:], strict=True):
            if is_more:
                self.canvas.write(x, y, sign)

    def point_beside(self, *, left: bool, right: bool) -> None:
        """Say beside the middle one of the rows on which sides there are more."""
        row = self.rows[len(self.rows) // 2]
        y, more = self._y(row), self.scene.signs.more
        self.canvas.write(self.left + self._shift(row) - 2, y, more[0] if left else "")
        self.canvas.write(self.end(row) + 1, y, more[1] if right else "")

    def end(self, row: int) -> int:
        """The column after the cells of *row* and what holds them."""
        return self._x(self.columns[-1], row) + self.across.cell + self.across.after

    def _x(self, column: int, row: int) -> int:
        return self.left + self.across.start(self.columns[0], column) + self._shift(row)

    def _shift(self, row: int) -> int:
        """How many columns *row* stands to the right of the first of the rows."""
        return self.slant * (row - self.rows[0])

    def _y(self, row: int) -> int:
        return self.top + self.down.start(self.rows[0], row)

    @property
    def _right(self) -> int:
        """The column after the last cell and its signs."""
        return self._x(self.columns[-1], self.rows[0]) + self.form.wide + self.form.tight

    @property
    def _names(self) -> int:
        """The line of the names of the columns: above where marks fall, else below."""
        return self.top if self.layout.gravity else self._bottom + self.form.framed + self.form.drawn

    @property
    def _bottom(self) -> int:
        """The line after the last cell."""
        return self._y(self.rows[-1]) + self.form.high

    def _cell(self, index: int, box: Box) -> None:
        scene, form = self.scene, self.form
        mark = scene.cells[index]
        text = scene.filling(index, labels=bool(scene.view.labels)) if mark is None else mark
        if mark is None and len(text) >= form.wide and scene.view.worth(index):
            text = text[:1]  # the board stays where it is when values appear: win, draw or loss is enough
        role = scene.role(index) if mark is None else "" if self.layout.tiles else mark
        # A label that is wider than a mark takes the columns to the right of it first.
        start, y = form.end - form.content + 1, box.y + form.high // 2
        text = text.rjust(form.content)[: form.wide - 1]
        start = min(start, form.wide - len(text))
        left, right = scene.signs_around(index)
        if start + len(text) < form.wide + form.tight:
            self.canvas.write(box.x + start + len(text), y, right, strong=True)
        strong = index in scene.view.last or index in scene.winning
        self.canvas.write(box.x + start, y, text, role, strong)
        self.canvas.write(box.x + start - 1, y, left, strong=True)

    def _coordinates(self) -> None:
        if not self.form.coordinates:
            return
        margin = self.form.margin(self.scene)
        if margin:
            wide = len(str(self.layout.rows))
            for row in self.rows:
                number = str(self.layout.rows - row).rjust(wide)
                self.canvas.write(self.left + self._shift(row), self._y(row) + self.form.high // 2, number)
        # They go on in the direction of the columns, as one more row of hexagons would.
        row = self.rows[-1] + 1 if self.slant else self.rows[0]
        for column in self.columns:
            name = column_name(self.scene, column)
            # Numbers end where marks do; letters stand around the middle of the mark or the drawn cell.
            end = self.form.wide // 2 if self.form.drawn else self.form.end
            before = len(name) - 1 if self.layout.gravity else (len(name) - 1) // 2
            self.canvas.write(self._x(column, row) + end - before, self._names, name)

    def _frame(self) -> None:
        """The lines between cells and around them; drawn cells bring their own."""
        form, signs = self.form, self.scene.signs
        if form.drawn or not form.ruled:
            return
        if self.slant:
            self._hexagons()
            return
        step, x = form.high + 1, self._x(self.columns[0], self.rows[0]) - form.framed
        first, last = (-1, len(self.rows) * step) if form.framed else (0, len(self.rows) * step - 1)
        edges = (signs.down, signs.down) if form.framed else ("", "")
        row_of_cells = edges[0] + signs.down.join([" " * form.wide] * len(self.columns)) + edges[1]
        for line in range(first, last):
            text = row_of_cells
            if line % step == form.high:
                at = 0 if line < 0 else 6 if form.framed and line == last - 1 else 3
                left, cross, right = signs.frame[at : at + 3]
                text = cross.join([signs.across * form.wide] * len(self.columns))
                text = left + text + right if form.framed else text
            self.canvas.write(x, self._y(self.rows[0]) + line, text, LINE)

    def _hexagons(self) -> None:
        signs = self.scene.signs
        for row in self.rows:
            for column in self.columns:
                x, y = self._middle(self._x(column, row), self._y(row))
                for sign, side in zip(signs.slopes, (-1, 1), strict=True):
                    self.canvas.write(x + side * self.slant, y, signs.down, LINE)
                    for far in range(1, self.slant):
                        self.canvas.write(x + side * (self.slant - far), y - far, sign, LINE)
                        self.canvas.write(x - side * (self.slant - far), y + far, sign, LINE)

    def _cross_sides(self, boxes: dict[int, Box]) -> None:
        """Mark where a winning line crosses the sides of hexagons, which are drawn on whole boards alone."""
        for one, two in (pair for line in self.scene.view.lines for pair in pairwise(line)):
            (x, y), (right, down) = (self._middle(*boxes[index][:2]) for index in (one, two))
            step = (right > x) - (right < x), (down > y) - (down < y)
            for far in range(1, self.slant) if step[1] else [self.slant]:
                self.canvas.write(x + step[0] * far, y + step[1] * far, "*", strong=True)

    def _middle(self, x: int, y: int) -> tuple[int, int]:
        """The middle of the cell with the corner at *x*, *y*."""
        return x + self.form.wide // 2, y + self.form.high // 2

    def _fields(self) -> None:
        """Heavy lines between fields; where fields are won, in the one above each who has it."""
        down, across = self.layout.fields
        if not (down and across):
            return
        signs, first = self.scene.signs, self.rows[0]
        left = self._x(self.columns[0], first)
        bars = [self._x(column, first) - 1 for column in self.columns[1:] if column % across == 0]
        for row in self.rows:
            y = self._y(row)
            for x in bars:
                self.canvas.write(x, y, signs.heavy_down, LINE)
            if row % down == 0 and (row != first or self.layout.owned):
                self.canvas.write(left, y - 1, signs.heavy_across * (self._right - left), LINE)
                for x in bars:
                    self.canvas.write(x, y - 1, signs.heavy_cross if row else signs.heavy_top, LINE)
                self._owners(row, y - 1)

    def _owners(self, row: int, y: int) -> None:
        down, across = self.layout.fields
        for number in range(self.columns[0] // across, self.columns[-1] // across + 1):
            field = row // down * (self.layout.columns // across) + number
            owner = self.scene.owners[field] if self.scene.owners else None
            middle = number * across + across // 2
            if owner is not None and middle in self.columns:
                self.canvas.write(self._x(middle, row) + self.form.end, y, owner, owner, strong=True)

    def _holder(self) -> None:
        """Walls and floor, at the edges of the board that are in sight."""
        layout, signs, y = self.layout, self.scene.signs, self._bottom
        left, right = self._x(self.columns[0], self.rows[0]), self._right
        walls = layout.gravity and self.form.walls
        is_bottom = self.rows[-1] == layout.rows - 1
        is_lowest = layout.drops and self.plane >= layout.planes - layout.planes // self.scene.game.shape[0]
        if is_bottom and (walls or is_lowest):
            self.canvas.write(left, y, signs.floor[1] * (right - left), LINE)
        edges = []
        if walls and self.columns[0] == 0:
            edges.append((left - 1, signs.floor[0]))
        if walls and self.columns[-1] == layout.columns - 1:
            edges.append((right, signs.floor[2]))
        for x, corner in edges:
            for line in range(self._y(self.rows[0]), y):
                self.canvas.write(x, line, signs.down, LINE)
            self.canvas.write(x, y, corner if is_bottom else "", LINE)
