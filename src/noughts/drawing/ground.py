"""What a board at one step of the ladder stands on: its lines, its fields, the names around it."""

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from noughts.drawing import signs
from noughts.drawing.canvas import FAINT, LINE, SECOND, Box, Canvas
from noughts.drawing.forms import column_name
from noughts.drawing.ladder import RULED, extent_of, gap_before, is_named, past_edge, slant_of
from noughts.drawing.plan import Plan
from noughts.drawing.scene import Scene
from noughts.games.layout import plane_label


class Behind(NamedTuple):
    """What lies behind characters.

    It is ``cursor``, ``wash`` or ``dots`` of a mark, ``shade``, ``field``, or the ``disc`` of a letter.
    """

    box: Box
    what: str
    mark: str = ""


class Ground:
    """The ground of *scene* on *canvas* as *plan* has it, with what lies behind it.

    With *shaded* false what lies behind characters cannot be seen, so that signs stand in its stead.
    """

    def __init__(self, scene: Scene, plan: Plan, canvas: Canvas, *, unicode: bool, shaded: bool) -> None:
        self.scene, self.plan, self.canvas = scene, plan, canvas
        self.layout, self.step = scene.layout, plan.step
        self.unicode, self.shaded = unicode, shaded
        self.behind: list[Behind] = []

    def draw(self) -> None:
        """Draw the lines, and the fields."""
        if self.plan.is_lattice:
            self._lattice()
        elif self.layout.gravity:
            self._tray()
        elif self.layout.hex and self.step.is_ruled:
            self._hexagons()
        elif self.step.is_ruled:
            self._rules()
        elif self.step.high > 1:
            self._squares()
        self._fields()
        if self.layout.drops and self.plan.around.holder:
            self._floors()

    def middle(self, index: int) -> tuple[int, int]:
        """The column and line of the middle of a cell."""
        x, y = self.plan.place(index)
        return x + self.step.wide // 2, y + self.step.high // 2

    def _planes(self) -> Iterator[tuple[int, int, int]]:
        """The number of each plane, with the column and line of its first cell."""
        return ((plane, x, y) for plane, (x, y) in self.plan.corners.items())

    @property
    def _extent(self) -> tuple[int, int]:
        """The columns and lines of the cells of a plane that are shown."""
        return extent_of(self.scene, self.step, self.plan.rows, self.plan.columns)

    def _rules(self) -> None:
        """Lines between cells, and none around them; inside fields they are faint, as in layers."""
        layout, step = self.layout, self.step
        down, across = layout.fields if all(layout.fields) else (layout.rows, layout.columns)
        role = FAINT if layout.planes > 1 or any(layout.fields) or self.scene.discs else LINE
        for plane, _, _ in self._planes():
            for top in range(0, layout.rows, down):
                for left in range(0, layout.columns, across):
                    rows, columns = min(down, layout.rows - top), min(across, layout.columns - left)
                    x, y = self.plan.at(plane, top, left)
                    wide, high = columns * step.across - 1, rows * step.down - 1
                    past, over = int(self.scene.joined[1]), past_edge(self.scene, step)
                    for row in range(1, rows):
                        line = y + row * step.down - 1
                        self.canvas.write(x - past, line, signs.ACROSS * (wide + 2 * past), role)
                    for column in range(1, columns):
                        for line in range(-over, high + over):
                            is_crossing = 0 <= line < high and (line + 1) % step.down == 0
                            sign = signs.FRAME[4] if is_crossing else signs.DOWN
                            self.canvas.write(x + column * step.across - 1, y + line, sign, role)

    def _hexagons(self) -> None:
        """Hexagons: sides as high as the cells, and between two rows edges that rise and fall."""
        half = slant_of(self.scene, self.step)
        low, high = signs.LOW * ((half - 1) // 2), signs.HIGH * ((half - 2) // 2)
        ends = (signs.LOW, signs.HIGH) if half > RULED.across // 2 else (" ", " ")
        rising = ends[0] + low + signs.SLOPES[0] + high + ends[1]
        falling = ends[1] + high + signs.SLOPES[1] + low + ends[0]
        for index in self.plan.cells:
            x, y = self.plan.place(index)
            for side in (x - 1, x - 1 + self.step.across):
                for line in range(y, y + self.step.high):
                    self.canvas.write(side, line, signs.DOWN, LINE)
            for line, edges in ((y - 1, (rising, falling)), (y + self.step.high, (falling, rising))):
                self.canvas.write(x - 1, line, edges[0], LINE)
                self.canvas.write(x - 1 + half, line, edges[1], LINE)

    def _squares(self) -> None:
        """Squares of two shades where there is no room for lines, or dots where there are no shades."""
        for index in range(len(self.scene.cells)):
            _, row, column = self.layout.place(index)
            x, y = self.plan.place(index)
            if (row + column) % 2:
                self.behind.append(Behind(Box(x - 1, y, self.step.across, self.step.down), "field"))
            if not self.shaded and self.scene.cells[index] is None:
                self.canvas.write(x + self.step.wide // 2, y + self.step.high // 2, signs.DOT, FAINT)

    def _lattice(self) -> None:
        layout, step, frame, joined = self.layout, self.step, signs.FRAME, self.scene.joined
        over = int(joined[0] and step.down > 1)
        rows, columns, cells = self.plan.rows, self.plan.columns, [*self.plan.cells]
        (left, top), (_, bottom) = self.middle(cells[0]), self.middle(cells[-1])
        is_left, is_right = columns.start == 0, columns.stop == layout.columns
        if not self.unicode:
            for index in cells:
                self.canvas.write(*self.middle(index), ".", FAINT)
        else:
            for row in rows:
                at = 0 if row == 0 else 6 if row == layout.rows - 1 else 3
                at = 3 if layout.rows == 1 or joined[0] else at
                first, last = frame[at + (not is_left)], frame[at + 2 - (not is_right)]
                crossings = [first, *[frame[at + 1]] * (len(columns) - 2), last][: len(columns)]
                line = (signs.ACROSS * (step.across - 1)).join(crossings)
                if joined[1]:
                    line = signs.ACROSS + frame[at + 1] + line[1:-1] + frame[at + 1] + signs.ACROSS
                self.canvas.write(left - joined[1], top + (row - rows.start) * step.down, line, FAINT)
            for column in range(len(columns)):
                for y in range(top - over, bottom + 1 + over):
                    if (y - top) % step.down:
                        self.canvas.write(left + column * step.across, y, signs.DOWN, FAINT)
        for row, column in self.scene.stars:
            if row not in rows or column not in columns:
                continue
            x, y = self.middle(self.layout.index(0, row, column))
            self.canvas.write(x, y, signs.HEAVY_CROSS, SECOND)

    def _tray(self) -> None:
        """Walls and a foot, as far as they are in sight, and slots between the columns."""
        step, columns, holder = self.step, self.plan.columns, self.plan.around.holder
        (x, y), (wide, high) = self.plan.corners[0], self._extent
        edges = {x - 1: columns.start == 0, x + wide: columns.stop == self.layout.columns}
        slots = range(1, len(columns)) if step.across > step.wide > 1 else ()
        walls = self.scene.has_walls
        ends = signs.TRAY[::2] if walls else signs.HEAVY_ACROSS * 2
        for line in range(y, y + high):
            for edge, is_seen in edges.items():
                side = signs.HEAVY_DOWN if walls else signs.JOINED
                self.canvas.write(edge, line, side * (is_seen and holder), LINE if walls else FAINT)
            for column in slots:
                self.canvas.write(x + column * step.across - 1, line, signs.DOWN, FAINT)
        if not holder or self.plan.hidden.below:
            return
        self.canvas.write(x - 1, y + high, signs.HEAVY_ACROSS * (wide + 2), LINE)
        for (edge, is_seen), corner in zip(edges.items(), ends, strict=True):
            self.canvas.write(edge, y + high, corner * is_seen, LINE)
        for column in slots:
            self.canvas.write(x + column * step.across - 1, y + high, signs.TRAY[1], LINE)

    def _floors(self) -> None:
        """What the lowest planes stand on, where marks fall from plane to plane."""
        layout, pad = self.layout, int(self.step.padded)
        wide, high = self._extent
        lowest = layout.planes - layout.planes // self.scene.game.shape[0]
        for plane, x, y in self._planes():
            if plane >= lowest and not self.plan.hidden.below:
                self.canvas.write(max(0, x - pad), y + high, signs.HEAVY_ACROSS * (wide + 2 * pad), LINE)

    def _fields(self) -> None:
        """Heavy lines between fields, and what lies behind the one that is forced."""
        down, across = self.layout.fields
        if not (down and across):
            return
        (x, y), rows, columns = self.plan.corners[0], self.plan.rows, self.plan.columns
        wide, high = self._extent
        bars = [self.plan.at(0, rows[0], column)[0] - 2 for column in columns[1:] if column % across == 0]
        lines = [self.plan.at(0, row, columns[0])[1] - 1 for row in rows[1:] if row % down == 0]
        for line in lines:
            self.canvas.write(x, line, signs.HEAVY_ACROSS * wide, LINE)
        for bar in bars:
            for line in range(y, y + high):
                sign = signs.HEAVY_CROSS if line in lines else signs.HEAVY_DOWN
                self.canvas.write(bar, line, sign, LINE)
        for number in self.scene.forced:
            if (box := self.field_box(number)) is not None:
                self.behind.append(Behind(box, "shade"))
                draw_corners(self.canvas, box, 1, 1)

    def field_cells(self, number: int) -> list[int]:
        """The cells of a field that are shown."""
        down, across = self.layout.fields
        top, left = divmod(number, self.layout.columns // across)
        rows, columns = range(top * down, (top + 1) * down), range(left * across, (left + 1) * across)
        shown = product((row for row in rows if row in self.plan.rows), columns)
        return [self.layout.index(0, row, column) for row, column in shown if column in self.plan.columns]

    def field_box(self, number: int) -> Box | None:
        """What is shown of a field, and a column on each side of it; None where nothing is."""
        cells = self.field_cells(number)
        if not cells:
            return None
        (x, y), (right, low) = self.plan.place(cells[0]), self.plan.place(cells[-1])
        return Box(x - 1, y, right - x + self.step.wide + 2, low - y + self.step.high)

    def names(self, cursor: int | None) -> None:
        """Write what layers, rows and columns are called, that of *cursor* in its signs."""
        layout, step, scene = self.layout, self.step, self.scene
        lettered = scene.has_letter_names
        here = None if cursor is None else layout.place(cursor)
        for plane, x, y in self._planes():
            label = plane_label(scene.game.shape[:-2], plane) if self.plan.around.labels else ""
            if label:
                is_here = here is not None and here[0] == plane
                start = x + (step.wide > 1)
                text = f">{label}<" if is_here else label
                line = y - 1 - past_edge(scene, step)
                self.canvas.write(start - is_here, line, text, "" if is_here else SECOND, is_here)
            rows, columns = self.plan.rows, self.plan.columns
            for row in rows if plane in self.plan.numbered and lettered else ():
                name, (left, top) = str(layout.row_number(row)), self.plan.at(plane, row, columns.start)
                end = left - gap_before(scene, step)
                self.canvas.write(end - len(name), top + step.high // 2, name, SECOND)
            is_lettered = plane in self.plan.lettered and not layout.drops
            for column in columns if is_lettered else ():
                name = column_name(scene, column) if layout.planes == 1 else scene.letters(column)
                middle = self.plan.at(plane, rows.start, column)[0] + step.wide // 2
                if layout.gravity:
                    self._head(middle - len(name) // 2, column, name, here and here[2])
                    continue
                if not is_named(step, column, name):
                    continue
                (middle, below), half = self.plan.at(plane, rows[-1], column), slant_of(scene, step)
                middle += step.wide // 2 + half  # where one more row of hexagons would have it
                below += step.high + past_edge(scene, step)
                self.canvas.write(middle - (len(name) - 1) // 2, below, name, SECOND)

    def _head(self, x: int, column: int, name: str, here: int | None) -> None:
        """The number above a *column* into which marks fall, in the signs of the cursor if it is *here*."""
        if here != column:
            is_beside = here is not None and abs(column - here) * self.step.across <= len(name)
            if is_named(self.step, column, name) and not is_beside:
                self.canvas.write(x, 0, name, SECOND)
        else:
            self.canvas.write(x, 0, name, strong=True)
            self.canvas.write(x - 1, 0, ">", strong=True)
            self.canvas.write(x + len(name), 0, "<", strong=True)


def draw_corners(canvas: Canvas, box: Box, arm: int, high: int) -> None:
    """Draw heavy corners around *box*, *arm* columns wide and *high* lines high: here."""
    low, right = box.y + box.height - 1, box.x + box.width - 1
    across = signs.HEAVY_ACROSS * (arm - 1)
    for y, corners in ((box.y, signs.CORNERS[:2]), (low, signs.CORNERS[2:])):
        canvas.write(box.x, y, corners[0] + across, strong=True)
        canvas.write(right - arm + 1, y, across + corners[1], strong=True)
    for line in (*range(box.y + 1, box.y + high), *range(low - high + 1, low)):
        canvas.write(box.x, line, signs.HEAVY_DOWN, strong=True)
        canvas.write(right, line, signs.HEAVY_DOWN, strong=True)
