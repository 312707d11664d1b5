"""Some rows and columns of one plane of a board, with all that belongs to them."""

from itertools import pairwise

from noughts.drawing import signs
from noughts.drawing.canvas import FAINT, LINE, Box, Canvas
from noughts.drawing.forms import Form, column_name
from noughts.drawing.scene import Scene


class Pane:
    """The cells of *rows* and *columns* of one *plane*, drawn on *canvas* with its corner at *x*, *y*."""

    def __init__(
        self,
        scene: Scene,
        form: Form,
        canvas: Canvas,
        x: int,
        y: int,
        plane: int,
        rows: range | None = None,
        columns: range | None = None,
    ) -> None:
        self.scene, self.form, self.canvas = scene, form, canvas
        self.layout = scene.layout
        self.left, self.top, self.plane = x, y, plane
        self.rows = range(self.layout.rows) if rows is None else rows
        self.columns = range(self.layout.columns) if columns is None else columns
        self.across, self.down, self.slant = form.across(scene), form.down(scene), form.slant(scene)
        self._after = form.end + 1

    def draw(self) -> None:
        """Draw the cells, and what stands between and around them."""
        self._frame()
        self._fields()
        self._holder()
        self._coordinates()
        places = [(column, self._x(column, self.rows[0])) for column in self.columns]
        for row in self.rows:
            y, shift = self._y(row), self._shift(row)
            first = self.layout.index(self.plane, row, 0)
            for column, x in places:
                self._cell(first + column, x + shift, y)
        if self.form.drawn or (self.slant and self.form.ruled):
            self._cross_lines()

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

    def _cell(self, index: int, x: int, y: int) -> None:
        scene, form = self.scene, self.form
        mark = scene.cells[index]
        if form.drawn:
            _draw_cell(self.canvas, scene, index, mark, Box(x, y, form.wide, form.high))
            return
        text = scene.filling(index) if mark is None else mark
        y += form.high // 2
        if mark is None and len(text) >= form.wide and scene.view.worth(index):
            text = text[:1]  # the board stays where it is when values appear: win, draw or loss is enough
        # Signs stand beside the columns that the widest mark takes.
        text = text.rjust(form.content)[: max(form.content, form.wide - 1)]
        start = self._after - len(text)
        if len(text) > form.content and not form.labelled:
            # A label that is wider than a mark takes the columns to the right of it first.
            start = min(self._after - form.content, form.wide - len(text))
        if index not in scene.marked:
            role = FAINT if scene.bare and mark is None else scene.role(index, mark)
            self.canvas.write(x + start, y, text, role, scene.bare and mark is not None)
            return
        left, right = scene.signs_around(index)
        if start + len(text) < form.wide + form.tight:
            self.canvas.write(x + start + len(text), y, right, strong=True)
        codes = scene.view.codes(index)
        strong = index in scene.view.last or index in scene.winning or "home" in codes
        self.canvas.write(x + start, y, text, scene.role(index, mark), strong)
        self.canvas.write(x + start - 1, y, left, strong=True)

    def _coordinates(self) -> None:
        wide = self.form.margin(self.scene) - 1 - self.form.drawn
        for row in self.rows if wide > 0 else ():
            first = self.layout.index(self.plane, row, self.columns[0])
            number = self.scene.number(first) if self.form.counted else str(self.layout.row_number(row))
            y = self._y(row) + self.form.high // 2
            self.canvas.write(self.left + self._shift(row), y, number.rjust(wide))
            if self.form.labelled and self.layout.planes > 1:  # numbers of cells stand beside those of rows
                self.canvas.write(self.left + wide, y, signs.DOWN, LINE)
        if not self.form.coordinates:
            return
        # They go on in the direction of the columns, as one more row of hexagons would.
        row = self.rows[-1] + 1 if self.slant else self.rows[0]
        for column in self.columns:
            name = column_name(self.scene, column)
            # Numbers end where marks do; letters stand around the middle of the mark or the drawn cell.
            end = self.form.wide // 2 if self.form.drawn else self.form.end
            before = len(name) - 1 if self.layout.gravity else (len(name) - 1) // 2
            self.canvas.write(self._x(column, row) + end - before, self._names, name)

    def _frame(self) -> None:
        """The lines between cells and around them."""
        form = self.form
        if not form.ruled:
            return
        if self.slant:
            self._hexagons()
            return
        step, x = form.high + 1, self._x(self.columns[0], self.rows[0]) - form.framed
        first, last = (-1, len(self.rows) * step) if form.framed else (0, len(self.rows) * step - 1)
        edges = (signs.DOWN, signs.DOWN) if form.framed else ("", "")
        row_of_cells = edges[0] + signs.DOWN.join([" " * form.wide] * len(self.columns)) + edges[1]
        for line in range(first, last):
            text = row_of_cells
            if line % step == form.high:
                at = 0 if line < 0 else 6 if form.framed and line == last - 1 else 3
                left, cross, right = signs.FRAME[at : at + 3]
                text = cross.join([signs.ACROSS * form.wide] * len(self.columns))
                text = left + text + right if form.framed else text
            self.canvas.write(x, self._y(self.rows[0]) + line, text, LINE)

    def _hexagons(self) -> None:
        for row in self.rows:
            for column in self.columns:
                x, y = self._middle(self._x(column, row), self._y(row))
                for sign, side in zip(signs.SLOPES, (-1, 1), strict=True):
                    self.canvas.write(x + side * self.slant, y, signs.DOWN, LINE)
                    for far in range(1, self.slant):
                        self.canvas.write(x + side * (self.slant - far), y - far, sign, LINE)
                        self.canvas.write(x - side * (self.slant - far), y + far, sign, LINE)

    def _cross_lines(self) -> None:
        """Mark where a winning line crosses those of the board, unless it wraps there.

        It crosses whole boards alone: those with room for that are never shown in part.
        """
        place = self.layout.place
        for one, two in (pair for line in self.scene.view.lines for pair in pairwise(line)):
            if max(abs(a - b) for a, b in zip(place(one), place(two), strict=True)) > 1:
                continue
            (x, y), (right, down) = (
                self._middle(self._x(column, row), self._y(row)) for _, row, column in map(place, (one, two))
            )
            if not self.slant:
                self.canvas.write((x + right) // 2, (y + down) // 2, "*", strong=True)
                continue
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
        first = self.rows[0]
        left = self._x(self.columns[0], first)
        bars = [self._x(column, first) - 1 for column in self.columns[1:] if column % across == 0]
        for row in self.rows:
            y = self._y(row)
            for x in bars:
                self.canvas.write(x, y, signs.HEAVY_DOWN, LINE)
            if row % down == 0 and (row != first or self.layout.owned):
                self.canvas.write(left, y - 1, signs.HEAVY_ACROSS * (self._right - left), LINE)
                for x in bars:
                    self.canvas.write(x, y - 1, signs.HEAVY_CROSS if row else signs.HEAVY_TOP, LINE)
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
        """Walls and floor at the edges that are in sight."""
        layout, y = self.layout, self._bottom
        left, right = self._x(self.columns[0], self.rows[0]), self._right
        walls, is_bottom = layout.gravity, self.rows[-1] == layout.rows - 1
        is_lowest = layout.drops and self.plane >= layout.planes - layout.planes // self.scene.game.shape[0]
        if is_bottom and (walls or is_lowest):
            self.canvas.write(left, y, signs.FLOOR[1] * (right - left), LINE)
        side, left_corner, right_corner = (signs.DOWN, *signs.FLOOR[::2])
        if not self.scene.has_walls:
            side, left_corner, right_corner = signs.JOINED, signs.FLOOR[1], signs.FLOOR[1]
        edges = []
        if walls and self.columns[0] == 0:
            edges.append((left - 1, left_corner))
        if walls and self.columns[-1] == layout.columns - 1:
            edges.append((right, right_corner))
        for x, corner in edges:
            for line in range(self._y(self.rows[0]), y):
                self.canvas.write(x, line, side, LINE)
            self.canvas.write(x, y, corner if is_bottom else "", LINE)


# Cells of several lines, in which marks are drawn


def _draw_cell(canvas: Canvas, scene: Scene, index: int, mark: str | None, box: Box) -> None:
    """Draw the cell of *index*, with *mark*, where *box* says."""
    x, y, wide, high = box
    codes, last, winning = scene.view.codes(index), index in scene.view.last, index in scene.winning
    shape = signs.DRAWN.get((mark or "", high), ())
    for line, text in enumerate(shape, y):
        canvas.write(x + (wide - high) // 2, line, text, mark or "", last or winning)
    text, role = mark or _label(scene, index), scene.role(index, mark)
    if "open" in codes or "closed" in codes:
        text, role = signs.OPEN if "open" in codes else signs.CLOSED, ""
    elif shape:
        text = ""
    middle = y + high // 2
    text = text[:wide]
    canvas.write(x + (wide - len(text) + 1) // 2, middle, text, role, bool(role) and (last or winning))
    highlight = signs.pointer(codes)
    if highlight == "hint" and mark is None and scene.view.worth(index):
        highlight = ""  # it stands close around the label
    left, right = signs.around(highlight=highlight, last=False, winning=False, threats=signs.threats(codes))
    canvas.write(x + 1, middle, left, strong=True)
    canvas.write(x + wide - 2, middle, right, strong=True)
    for column, corners in ((x + 1, "****" * winning), (x, signs.HERE * last)):
        for number, sign in enumerate(corners):
            right_end, bottom = 2 * x + wide - 1 - column, y + high - 1
            canvas.write((column, right_end)[number % 2], (y, bottom)[number // 2], sign, strong=True)


def _label(scene: Scene, index: int) -> str:
    """The label of an empty cell; a draw in a ring, what a hint points to between its signs."""
    view = scene.view
    codes, worth = view.codes(index), view.worth(index)
    text = signs.FORBIDDEN if "forbidden" in codes else view.labels.get(index, "")
    if worth and "hint" in codes:
        return signs.LEFT["hint"] + text + signs.RIGHT["hint"]
    return f"({text})" if worth == "draw" else text
