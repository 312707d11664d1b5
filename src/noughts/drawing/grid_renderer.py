"""The grid of a text board: lines, fields and the names around it."""

from itertools import product
from typing import NamedTuple

from noughts.drawing import signs
from noughts.drawing.canvas import FAINT, LINE, SECOND, Box, Canvas
from noughts.drawing.cell_sizes import RULED, extent_of, gap_before, is_named, past_edge, slant_of
from noughts.drawing.scene import column_name
from noughts.drawing.tilings import HEXAGONS, tiling_of
from noughts.drawing.viewport import Viewport
from noughts.games.layout import plane_label


class Background(NamedTuple):
    """The background of characters.

    Its ``kind`` is ``cursor``, ``shade``, ``field``, ``disc`` (of a letter), or ``wash`` or ``dots`` of a
    mark.
    """

    box: Box
    kind: str
    mark: str = ""


class GridRenderer:
    """The grid of the board in *viewport* on *canvas*, with its backgrounds.

    With *shaded* false, signs replace the backgrounds.
    """

    def __init__(self, viewport: Viewport, canvas: Canvas, *, unicode: bool, shaded: bool) -> None:
        self.scene, self.viewport, self.canvas = viewport.scene, viewport, canvas
        self.layout, self.size = viewport.scene.layout, viewport.size
        self.unicode, self.shaded = unicode, shaded
        self.backgrounds: list[Background] = []

    def draw(self) -> None:
        """Draw the lines and the fields."""
        if self.viewport.is_lattice:
            self._lattice()
        elif self.layout.gravity:
            self._tray()
        elif tiling_of(self.layout) is HEXAGONS and self.size.is_ruled:
            self._hexagons()
        elif self.size.is_ruled:
            self._rules()
        elif self.size.high > 1:
            self._squares()
        self._fields()
        if self.layout.drops and self.viewport.around.holder:
            self._floors()

    def middle(self, index: int) -> tuple[int, int]:
        """Return the column and line of the middle of a cell."""
        (x, y), (right, down) = self.viewport.places[index], self.viewport.middle
        return x + right, y + down

    @property
    def _extent(self) -> tuple[int, int]:
        """The columns and lines of the visible cells of a plane."""
        return extent_of(self.scene, self.size, self.viewport.rows, self.viewport.columns)

    def _rules(self) -> None:
        """Draw lines between cells, with none around them; inner lines of fields are faint."""
        layout, size = self.layout, self.size
        down, across = layout.fields if all(layout.fields) else (layout.rows, layout.columns)
        role = FAINT if layout.planes > 1 or any(layout.fields) or self.scene.discs else LINE
        for plane in self.viewport.corners:
            for top in range(0, layout.rows, down):
                for left in range(0, layout.columns, across):
                    rows, columns = min(down, layout.rows - top), min(across, layout.columns - left)
                    x, y = self.viewport.at(plane, top, left)
                    wide, high = columns * size.across - 1, rows * size.down - 1
                    past, over = int(self.scene.joined[1]), past_edge(self.scene, size)
                    for row in range(1, rows):
                        line = y + row * size.down - 1
                        self.canvas.write(x - past, line, signs.ACROSS * (wide + 2 * past), role)
                    for column in range(1, columns):
                        for line in range(-over, high + over):
                            is_crossing = 0 <= line < high and (line + 1) % size.down == 0
                            sign = signs.FRAME[4] if is_crossing else signs.DOWN
                            self.canvas.write(x + column * size.across - 1, y + line, sign, role)

    def _hexagons(self) -> None:
        """Draw hexagons: sides as high as the cells, and sloping edges between two rows."""
        half = slant_of(self.scene, self.size)
        low, high = signs.LOW * ((half - 1) // 2), signs.HIGH * ((half - 2) // 2)
        ends = (signs.LOW, signs.HIGH) if half > RULED.across // 2 else (" ", " ")
        rising = ends[0] + low + signs.SLOPES[0] + high + ends[1]
        falling = ends[1] + high + signs.SLOPES[1] + low + ends[0]
        for index in self.viewport.places:
            x, y = self.viewport.places[index]
            for side in (x - 1, x - 1 + self.size.across):
                for line in range(y, y + self.size.high):
                    self.canvas.write(side, line, signs.DOWN, LINE)
            for line, edges in ((y - 1, (rising, falling)), (y + self.size.high, (falling, rising))):
                self.canvas.write(x - 1, line, edges[0], LINE)
                self.canvas.write(x - 1 + half, line, edges[1], LINE)

    def _squares(self) -> None:
        """Draw squares of two shades if there is no room for lines, or dots without shades."""
        for index in range(len(self.scene.cells)):
            _, row, column = self.layout.place(index)
            x, y = self.viewport.places[index]
            if (row + column) % 2:
                self.backgrounds.append(Background(Box(x - 1, y, self.size.across, self.size.down), "field"))
            if not self.shaded and self.scene.cells[index] is None:
                self.canvas.write(x + self.size.wide // 2, y + self.size.high // 2, signs.DOT, FAINT)

    def _lattice(self) -> None:
        layout, size, frame, joined = self.layout, self.size, signs.FRAME, self.scene.joined
        over = int(joined[0] and size.down > 1)
        rows, columns, cells = self.viewport.rows, self.viewport.columns, [*self.viewport.places]
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
                line = (signs.ACROSS * (size.across - 1)).join(crossings)
                if joined[1]:
                    line = signs.ACROSS + frame[at + 1] + line[1:-1] + frame[at + 1] + signs.ACROSS
                self.canvas.write(left - joined[1], top + (row - rows.start) * size.down, line, FAINT)
            for column in range(len(columns)):
                for y in range(top - over, bottom + 1 + over):
                    if (y - top) % size.down:
                        self.canvas.write(left + column * size.across, y, signs.DOWN, FAINT)
        for index in self.scene.stars & self.viewport.places.keys():
            self.canvas.write(*self.middle(index), signs.HEAVY_CROSS, SECOND)

    def _tray(self) -> None:
        """Draw the visible walls and the floor, and slots between the columns."""
        size, columns, holder = self.size, self.viewport.columns, self.viewport.around.holder
        (x, y), (wide, high) = self.viewport.corners[0], self._extent
        edges = {x - 1: columns.start == 0, x + wide: columns.stop == self.layout.columns}
        slots = range(1, len(columns)) if size.across > size.wide > 1 else ()
        walls = self.scene.has_walls
        ends = signs.TRAY[::2] if walls else signs.HEAVY_ACROSS * 2
        for line in range(y, y + high):
            for edge, is_seen in edges.items():
                side = signs.HEAVY_DOWN if walls else signs.JOINED
                self.canvas.write(edge, line, side * (is_seen and holder), LINE if walls else FAINT)
            for column in slots:
                self.canvas.write(x + column * size.across - 1, line, signs.DOWN, FAINT)
        if not holder or self.viewport.hidden.below:
            return
        self.canvas.write(x - 1, y + high, signs.HEAVY_ACROSS * (wide + 2), LINE)
        for (edge, is_seen), corner in zip(edges.items(), ends, strict=True):
            self.canvas.write(edge, y + high, corner * is_seen, LINE)
        for column in slots:
            self.canvas.write(x + column * size.across - 1, y + high, signs.TRAY[1], LINE)

    def _floors(self) -> None:
        """Draw the floors below the lowest planes, if marks fall from plane to plane."""
        layout, pad = self.layout, int(self.size.padded)
        wide, high = self._extent
        lowest = layout.planes - layout.planes // self.scene.game.shape[0]
        for plane, (x, y) in self.viewport.corners.items():
            if plane >= lowest and not self.viewport.hidden.below:
                self.canvas.write(max(0, x - pad), y + high, signs.HEAVY_ACROSS * (wide + 2 * pad), LINE)

    def _fields(self) -> None:
        """Draw heavy lines between fields and the background of the forced one."""
        down, across = self.layout.fields
        if not (down and across):
            return
        (x, y), rows, columns = self.viewport.corners[0], self.viewport.rows, self.viewport.columns
        wide, high = self._extent
        bars = [self.viewport.at(0, rows[0], column)[0] - 2 for column in columns[1:] if column % across == 0]
        lines = [self.viewport.at(0, row, columns[0])[1] - 1 for row in rows[1:] if row % down == 0]
        for line in lines:
            self.canvas.write(x, line, signs.HEAVY_ACROSS * wide, LINE)
        for bar in bars:
            for line in range(y, y + high):
                sign = signs.HEAVY_CROSS if line in lines else signs.HEAVY_DOWN
                self.canvas.write(bar, line, sign, LINE)
        for number in self.scene.forced:
            if (box := self.field_box(number)) is not None:
                self.backgrounds.append(Background(box, "shade"))
                draw_corners(self.canvas, box, 1, 1)

    def field_cells(self, number: int) -> list[int]:
        """Return the visible cells of a field."""
        down, across = self.layout.fields
        top, left = divmod(number, self.layout.columns // across)
        rows, columns = range(top * down, (top + 1) * down), range(left * across, (left + 1) * across)
        shown = product((row for row in rows if row in self.viewport.rows), columns)
        return [self.layout.index(0, row, column) for row, column in shown if column in self.viewport.columns]

    def field_box(self, number: int) -> Box | None:
        """Return the visible part of a field with a column on each side; None if it is hidden."""
        cells = self.field_cells(number)
        if not cells:
            return None
        (x, y), (right, low) = self.viewport.places[cells[0]], self.viewport.places[cells[-1]]
        return Box(x - 1, y, right - x + self.size.wide + 2, low - y + self.size.high)

    def names(self, cursor: int | None) -> None:
        """Write the names of layers, rows and columns; cursor signs mark those of *cursor*."""
        layout, size, scene = self.layout, self.size, self.scene
        here = None if cursor is None else layout.place(cursor)
        for plane, (x, y) in self.viewport.corners.items():
            label = plane_label(scene.game.shape[:-2], plane) if self.viewport.around.labels else ""
            if label:
                is_here = here is not None and here[0] == plane
                start = x + (size.wide > 1)
                text = f">{label}<" if is_here else label
                line = y - 1 - past_edge(scene, size)
                self.canvas.write(start - is_here, line, text, "" if is_here else SECOND, is_here)
            rows, columns = self.viewport.rows, self.viewport.columns
            if plane in self.viewport.numbered:
                self._row_names(plane)
            (across, _), half = self.viewport.middle, slant_of(scene, size)
            for column in columns if plane in self.viewport.lettered and not layout.drops else ():
                name = column_name(scene, column)
                middle = self.viewport.at(plane, rows.start, column)[0] + across
                if layout.gravity:
                    self._head(middle - len(name) // 2, column, name, here and here[2])
                elif is_named(size, column, name):
                    # The name is in the place of one more row of hexagons.
                    middle, below = self.viewport.at(plane, rows[-1], column)
                    middle += across + half - (len(name) - 1) // 2
                    self.canvas.write(middle, below + size.high + past_edge(scene, size), name, SECOND)

    def _row_names(self, plane: int) -> None:
        scene, around, first = self.scene, self.viewport.around, self.viewport.columns.start
        if not (scene.has_letter_names or around.counted):
            return
        for row in self.viewport.rows:
            left, top = self.viewport.at(plane, row, first)
            number = self.layout.index(plane, row, first)
            name = scene.number(number) if around.counted else str(self.layout.row_number(row))
            end, line = left - gap_before(scene, self.size), top + self.size.high // 2
            self.canvas.write(end - len(name), line, name, SECOND)
            if around.numbered and self.layout.planes > 1:  # The numbers of cells are beside those of rows.
                self.canvas.write(end, line, signs.DOWN, LINE)

    def _head(self, x: int, column: int, name: str, here: int | None) -> None:
        """Write the number above a *column* for falling marks, in cursor signs if *here*."""
        if here != column:
            is_beside = here is not None and abs(column - here) * self.size.across <= len(name)
            if is_named(self.size, column, name) and not is_beside:
                self.canvas.write(x, 0, name, SECOND)
        else:
            self.canvas.write(x, 0, name, strong=True)
            self.canvas.write(x - 1, 0, ">", strong=True)
            self.canvas.write(x + len(name), 0, "<", strong=True)


def draw_corners(
    canvas: Canvas, box: Box, arm: int, high: int, corners: str = signs.CORNERS, *, strong: bool = True
) -> None:
    """Draw corners around *box*, *arm* columns wide and *high* lines high.

    Heavy corners mark the cursor or the chosen place.
    """
    low, right = box.y + box.height - 1, box.x + box.width - 1
    across, down = corners[4] * (arm - 1), corners[5]
    for y, start, end in ((box.y, *corners[:2]), (low, *corners[2:4])):
        canvas.write(box.x, y, start + across, strong=strong)
        canvas.write(right - arm + 1, y, across + end, strong=strong)
    for line in (*range(box.y + 1, box.y + high), *range(low - high + 1, low)):
        canvas.write(box.x, line, down, strong=strong)
        canvas.write(right, line, down, strong=strong)
