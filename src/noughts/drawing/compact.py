"""Boards of compact cells: left sign, mark, right sign.

A board is made of blocks, each some columns of one plane. A plane that is too wide is cut into bands of
columns; the planes of a board with depth stand side by side as far as there is room.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from noughts.drawing.canvas import LINE, Canvas
from noughts.drawing.scene import Scene
from noughts.games.layout import plane_label
from noughts.games.notation import column_letters

GAPS = (4, 2, 1)
"""Columns between planes that stand side by side: as many as fit without another row of planes."""


@dataclass(frozen=True, slots=True)
class Form:
    """How cells are written: from column to column *stride*, a mark in *content* columns.

    ``margin`` columns are kept at the left for the numbers of the rows; ``labels`` says that the empty
    cells carry their own. In the tightest form neighbours share the column between them for their signs.
    """

    stride: int
    content: int
    margin: int = 0
    labels: bool = False

    @property
    def tight(self) -> bool:
        """Whether neighbours share a column."""
        return self.stride == self.content + 1

    @property
    def end(self) -> int:
        """Where in a cell the last character of its mark stands."""
        return self.content if self.tight else self.stride - 2


class Block:
    """The *columns* of one plane, drawn in one form."""

    def __init__(self, scene: Scene, form: Form, plane: int, columns: range) -> None:
        self.scene, self.form, self.plane, self.columns = scene, form, plane, columns
        self.layout = scene.layout
        self.canvas = Canvas()
        self.label = plane_label(scene.game.shape[:-2], plane)
        self.top = int(bool(self.label) or self.layout.gravity)

    @property
    def width(self) -> int:
        """How many columns of characters it takes."""
        cells = self.x(self.columns[-1]) + self.form.stride + self.form.tight + self.layout.gravity
        return max(cells, self.x(self.columns[0]) + self.form.end + len(self.label))

    def x(self, column: int) -> int:
        """The left edge of the cells of *column*."""
        start, across = self.columns[0], self.layout.fields[1]
        bars = column // across - start // across if across else 0
        cells = (column - start) * self.form.stride + bars * (1 + self.form.tight)
        return self.form.margin + self.layout.gravity + cells

    def y(self, row: int) -> int:
        """The line of the cells of *row*."""
        down = self.layout.fields[0]
        return self.top + row + (row // down + self.layout.owned if down else 0)

    def draw(self) -> Canvas:
        """The block on a canvas of its own."""
        self._head()
        self._fields()
        for row in range(self.layout.rows):
            self._row_number(row)
            for column in self.columns:
                self._cell(row, column)
        self._foot()
        return self.canvas

    def _cell(self, row: int, column: int) -> None:
        scene, form = self.scene, self.form
        index = self.layout.index(self.plane, row, column)
        x, y = self.x(column), self.y(row)
        mark = scene.cells[index]
        last, winning = index in scene.view.last, index in scene.winning
        text = scene.filling(index, labels=form.labels) if mark is None else mark
        role = scene.role(index) if mark is None else "" if self.layout.tiles else mark
        self.canvas.write(x + form.end + 1 - len(text), y, text, role, last or winning)
        left, right = scene.signs_around(index)
        self.canvas.write(x + form.end - max(form.content, len(text)), y, left, strong=True)
        self.canvas.write(x + form.end + 1, y, right, strong=True)

    def _head(self) -> None:
        """The number of the plane, or of each column where marks fall."""
        self.canvas.write(self.x(self.columns[0]) + self.form.end, 0, self.label)
        if self.layout.gravity:
            for column in self.columns:
                number = str(column + 1)
                self.canvas.write(self.x(column) + self.form.end + 1 - len(number), 0, number)

    def _row_number(self, row: int) -> None:
        if self.form.margin:
            first = self.layout.index(self.plane, row, self.columns[0])
            number = str(self.layout.rows - row) if self.scene.has_letters else self.scene.number(first)
            self.canvas.write(0, self.y(row), number.rjust(self.form.margin - 1))

    def _foot(self) -> None:
        y = self.y(self.layout.rows - 1) + 1
        if self.layout.gravity:
            self._walls(y)
        elif self.scene.has_letters and self.form.margin:
            for column in self.columns:
                letters = column_letters(column)
                self.canvas.write(self.x(column) + self.form.end - (len(letters) - 1) // 2, y, letters)
        elif self.layout.drops and self.plane >= self.layout.planes - self._planes_a_height():
            self.canvas.write(
                self.form.margin, y, self.scene.signs.across * (self.width - self.form.margin), LINE
            )

    def _planes_a_height(self) -> int:
        return self.layout.planes // self.scene.game.shape[0]

    def _walls(self, floor: int) -> None:
        left, across, right = self.scene.signs.floor
        end = self.width - 1
        self.canvas.write(0, floor, across * (end + 1), LINE)
        for x, corner, at_edge in (
            (0, left, self.columns[0] == 0),
            (end, right, self.columns[-1] == self.layout.columns - 1),
        ):
            if at_edge:
                self.canvas.write(x, floor, corner, LINE)
                for y in range(1, floor):
                    self.canvas.write(x, y, self.scene.signs.down, LINE)

    def _fields(self) -> None:
        """Heavy lines between fields; where fields are won, in the one above each who has it."""
        down, across = self.layout.fields
        if not (down and across):
            return
        signs = self.scene.signs
        bars = [self.x(column) - 1 for column in self.columns[1:] if column % across == 0]
        for row in range(0, self.layout.rows, down):
            y = self.y(row) - 1
            for x in bars:
                for below in range(down):
                    self.canvas.write(x, y + 1 + below, signs.heavy_down, LINE)
            if not (row or self.layout.owned):
                continue
            self.canvas.write(self.form.margin, y, signs.heavy_across * (self.width - self.form.margin), LINE)
            for x in bars:
                self.canvas.write(x, y, signs.heavy_cross if row else signs.heavy_top, LINE)
            for column in self.columns[::across]:
                self._owner(row, column, y)

    def _owner(self, row: int, column: int, y: int) -> None:
        down, across = self.layout.fields
        number = row // down * (self.layout.columns // across) + column // across
        owner = self.scene.owners[number] if self.scene.owners else None
        if owner is not None:
            middle = min(column + across // 2, self.columns[-1])
            self.canvas.write(self.x(middle) + self.form.end, y, owner, owner, strong=True)


def draw_compact(scene: Scene, width: int) -> Canvas:
    """The board in the widest compact form that *width* has room for, in bands if there is none."""
    layout = scene.layout
    form, most = _choose_form(scene, width)
    bands = [range(layout.columns)[start : start + most] for start in range(0, layout.columns, most)]
    blocks = [[Block(scene, form, plane, band) for band in bands] for plane in range(layout.planes)]
    if layout.planes == 1:
        groups = [[block] for block in blocks[0]]
    else:
        shape = scene.game.shape
        size = shape[-3] if len(shape) > 3 else layout.planes
        groups = [list(chain(*blocks[start : start + size])) for start in range(0, layout.planes, size)]
    canvas = Canvas()
    for group in groups:
        _flow(canvas, group, width)
    return canvas


def _choose_form(scene: Scene, width: int) -> tuple[Form, int]:
    """The first form in which a whole plane fits, else one for bands; with the most columns of a block."""
    forms = list(_forms(scene))
    for form in forms:
        if _most_columns(scene, form, width) == scene.layout.columns:
            return form, scene.layout.columns
    spaced = next(form for form in forms if not form.labels)
    most = _most_columns(scene, spaced, width)
    bands = -(-scene.layout.columns // most)
    return spaced, most if any(scene.layout.fields) else -(-scene.layout.columns // bands)


def _forms(scene: Scene) -> Sequence[Form]:
    """The forms that suit the board, the best first."""
    layout, content = scene.layout, scene.content
    head, margin = 1, len(scene.number(len(scene.cells) - 1)) + 1
    if layout.gravity:
        head, margin = len(str(layout.columns)), 0
    elif scene.has_letters:
        head, margin = len(column_letters(layout.columns - 1)), len(str(layout.rows)) + 1
    forms = [Form(max(content + 2, head + 1), content, margin)]
    if scene.has_worths:
        strides = dict.fromkeys(max(content + 2, scene.digits + room, head + 1) for room in (2, 1))
        return [Form(stride, content, margin, labels=True) for stride in strides] + forms
    if scene.is_numbered:
        forms.insert(0, Form(max(content + 2, scene.digits + 1), content, labels=True))
    if head <= content:
        forms.append(Form(content + 1, content, margin))
    return forms


def _most_columns(scene: Scene, form: Form, width: int) -> int:
    """How many columns of a plane fit in *width*, at least one; whole fields if one fits."""
    columns, across = scene.layout.columns, scene.layout.fields[1]
    most = max(1, min(columns, width // form.stride))
    while most > 1 and Block(scene, form, 0, range(most)).width > width:
        most -= 1
    return most - most % across if across and most > across else most


def _flow(canvas: Canvas, blocks: list[Block], width: int) -> None:
    """Put *blocks* below what is on *canvas*, side by side in as few rows as fit, all about as long."""
    wide = max(block.width for block in blocks)
    most = max(1, (width + GAPS[-1]) // (wide + GAPS[-1]))
    rows = -(-len(blocks) // most)
    in_a_row = -(-len(blocks) // rows)
    gap = next((gap for gap in GAPS if in_a_row * (wide + gap) - gap <= width), GAPS[-1])
    for start in range(0, len(blocks), in_a_row):
        top = canvas.height and canvas.height + 1
        for number, block in enumerate(blocks[start : start + in_a_row]):
            canvas.paste(number * (wide + gap), top, block.draw())
