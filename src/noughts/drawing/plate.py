"""A board drawn at one step of the ladder: its lines, its marks in ink or as letters, what lies behind."""

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from noughts.drawing import signs
from noughts.drawing.canvas import FAINT, LINE, SECOND, Box, Canvas
from noughts.drawing.forms import column_name
from noughts.drawing.ink import MARK_BOXES, Dot, Ink, disc_dots, mark_dots, struck, thickness
from noughts.drawing.ladder import LETTERS, Plan, pad_of, plane_extent
from noughts.drawing.scene import Scene
from noughts.drawing.view import NOBODY
from noughts.games.layout import plane_label

WIDE_ARMS, WIDER_ARMS = 9, 19
"""Columns of a cell from which on the arms of its corners have two columns, and three."""

HIGH_SIDES = 9
"""Lines of a cell from which on brackets and corners have two lines at each end."""

THICK_STROKE = 23
"""Columns of a cell from which on a line is struck with two dots rather than one."""

REACH = 0.4
"""How far a struck line goes on behind its last cell, in cells."""


class Behind(NamedTuple):
    """What lies behind characters: ``cursor``, ``wash`` or ``dots`` of a mark, ``shade``, ``field``."""

    box: Box
    what: str
    mark: str = ""


class Plate:
    """The board of *scene* on *canvas* as *plan* has it.

    With *shaded* false what lies behind characters cannot be seen, so that signs stand in its stead.
    """

    def __init__(self, scene: Scene, plan: Plan, canvas: Canvas, *, unicode: bool, shaded: bool) -> None:
        self.scene, self.plan, self.canvas = scene, plan, canvas
        self.layout, self.step = scene.layout, plan.step
        self.unicode, self.shaded = unicode, shaded
        self.ink = Ink()
        self.behind: list[Behind] = []
        self._cursor = next((i for i in scene.view.highlights if "cursor" in scene.view.codes(i)), None)

    def boxes(self) -> dict[int, Box]:
        """Where each cell stands, the signs beside it included, by its flat index."""
        return {index: self._box(index) for index in range(len(self.scene.cells))}

    def heads(self) -> dict[int, Box]:
        """Where the names of the columns stand above the board, by the uppermost cell below them."""
        if not self.layout.gravity:
            return {}
        boxes = {column: self._box(column) for column in range(self.layout.columns)}
        return {column: box._replace(y=0, height=1) for column, box in boxes.items()}

    def draw(self) -> None:
        """Draw all of it."""
        if self.plan.is_lattice:
            self._lattice()
        elif self.layout.gravity:
            self._tray()
        elif self.step.is_ruled:
            self._rules()
        elif self.step.high > 1:
            self._squares()
        self._fields()
        if self.plan.is_lattice:
            self._clear_crossings()
        owned = self._owned()
        for index in range(len(self.scene.cells)):
            if index not in owned:
                self._cell(index)
        self._strike()
        for (x, y), mark in self.ink.dry(self.canvas).items():
            self.behind.append(Behind(Box(x, y, 1, 1), "dots", mark))
        for index in range(len(self.scene.cells)) if self.step.high > 1 else ():
            if index not in owned:
                self._signs(index)
        if self.step.high > 1 and self._cursor is not None:
            self._cursor_signs(self._cursor)
        self._names()

    # Lines

    def _planes(self) -> Iterator[tuple[int, int, int]]:
        """The number of each plane, with the column and line of its first cell."""
        return ((plane, x, y) for plane, (x, y) in enumerate(self.plan.corners))

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
                    past = int(self.scene.joined[1])
                    for row in range(1, rows):
                        line = y + row * step.down - 1
                        self.canvas.write(x - past, line, signs.ACROSS * (wide + 2 * past), role)
                    for column in range(1, columns):
                        for line in range(high):
                            sign = signs.FRAME[4] if (line + 1) % step.down == 0 else signs.DOWN
                            self.canvas.write(x + column * step.across - 1, y + line, sign, role)

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
        (left, top), (_, bottom) = self._middle(0), self._middle(len(self.scene.cells) - 1)
        if not self.unicode:
            for index in range(len(self.scene.cells)):
                self.canvas.write(*self._middle(index), ".", FAINT)
        else:
            for row in range(layout.rows):
                at = 0 if row == 0 else 6 if row == layout.rows - 1 else 3
                at = 3 if layout.rows == 1 or joined[0] else at
                line = (signs.ACROSS * (step.across - 1)).join(
                    [frame[at], *[frame[at + 1]] * (layout.columns - 2), frame[at + 2]]
                )
                if joined[1]:
                    line = signs.ACROSS + frame[at + 1] + line[1:-1] + frame[at + 1] + signs.ACROSS
                self.canvas.write(left - joined[1], top + row * step.down, line, FAINT)
            for column in range(layout.columns):
                for y in range(top, bottom):
                    if (y - top) % step.down:
                        self.canvas.write(left + column * step.across, y, signs.DOWN, FAINT)
        for row, column in self.scene.stars:
            x, y = self._middle(self.layout.index(0, row, column))
            self.canvas.write(x, y, signs.HEAVY_CROSS, SECOND)

    def _tray(self) -> None:
        """Walls and a foot, and slots between the columns."""
        layout, step = self.layout, self.step
        x, y = self.plan.corners[0]
        wide, high = plane_extent(self.scene, step)
        pad = pad_of(step)
        left, right = x - max(1, pad), x + wide + max(0, pad - 1)
        for line in range(y, y + high):
            for wall in (left, right):
                self.canvas.write(wall, line, signs.HEAVY_DOWN, LINE)
            for column in range(1, layout.columns) if step.across > step.wide > 1 else ():
                self.canvas.write(x + column * step.across - 1, line, signs.DOWN, FAINT)
        foot = [signs.HEAVY_ACROSS] * (right - left - 1)
        for column in range(1, layout.columns) if step.across > step.wide > 1 else ():
            foot[column * step.across - 1 + x - left - 1] = signs.TRAY[1]
        self.canvas.write(left, y + high, signs.TRAY[0] + "".join(foot) + signs.TRAY[2], LINE)

    def _fields(self) -> None:
        """Heavy lines between fields, and what lies behind the one that is forced."""
        down, across = self.layout.fields
        if not (down and across):
            return
        x, y = self.plan.corners[0]
        wide, high = plane_extent(self.scene, self.step)
        bars = [self.plan.at(0, 0, column)[0] - 2 for column in range(across, self.layout.columns, across)]
        lines = [self.plan.at(0, row, 0)[1] - 1 for row in range(down, self.layout.rows, down)]
        for line in lines:
            self.canvas.write(x, line, signs.HEAVY_ACROSS * wide, LINE)
        for bar in bars:
            for line in range(y, y + high):
                sign = signs.HEAVY_CROSS if line in lines else signs.HEAVY_DOWN
                self.canvas.write(bar, line, sign, LINE)
        for number in self.scene.forced:
            box = self._field_box(number)
            self.behind.append(Behind(box, "shade"))
            self._corners(box, 1, 1)

    def _field_box(self, number: int) -> Box:
        """A field and a column on each side of it."""
        down, across = self.layout.fields
        row, column = divmod(number, self.layout.columns // across)
        x, y = self.plan.at(0, row * down, column * across)
        wide, high = (
            (size - 1) * step for size, step in ((across, self.step.across), (down, self.step.down))
        )
        return Box(x - 1, y, wide + self.step.wide + 2, high + self.step.high)

    def _owned(self) -> frozenset[int]:
        """Draw one mark on each field that a side has won; the cells that it covers."""
        down, across = self.layout.fields
        covered: set[int] = set()
        for number, owner in enumerate(self.scene.owners):
            if owner is None or owner == NOBODY:
                continue
            box = self._field_box(number)
            self.behind.append(Behind(box, "wash", owner))
            row, column = divmod(number, self.layout.columns // across)
            covered |= {
                self.layout.index(0, row * down + i, column * across + j)
                for i in range(down)
                for j in range(across)
            }
            for line in range(box.y, box.y + box.height):
                self.canvas.clear(box.x, line, box.width)
            high = box.height * 8 // 5 // 2 * 2 if box.height > 3 else 6
            wide = high + 1 if box.height > 3 else 5
            middle = Box(box.x + (box.width - wide) // 2, box.y, wide, box.height)
            self._mark(owner, middle, (wide, high))
        return frozenset(covered)

    # Cells

    def _clear_crossings(self) -> None:
        """Take the lattice away under marks, and under what else stands on crossings."""
        scene, small = self.scene, self.step.high == 1
        for index, mark in enumerate(scene.cells):
            box, text = self._box(index), self._text(index)[0]
            if mark is not None or (small and index in scene.marked):
                for line in range(box.y, box.y + box.height):
                    self.canvas.clear(box.x, line, box.width)
            elif text:
                x, y = self._middle(index)
                self.canvas.clear(x - 1 - len(text) // 2, y, len(text) + 2)

    def _box(self, index: int) -> Box:
        x, y = self.plan.place(index)
        if self.step == LETTERS:
            return Box(x - 1, y, 2, 1)
        return Box(x, y, self.step.wide, self.step.high)

    def _middle(self, index: int) -> tuple[int, int]:
        x, y = self.plan.place(index)
        return x + self.step.wide // 2, y + self.step.high // 2

    def _cell(self, index: int) -> None:
        scene, view = self.scene, self.scene.view
        codes, mark, box = view.codes(index), scene.cells[index], self._box(index)
        x, y = self._middle(index)
        small = self.step.high == 1
        behind = Box(x - 1, y, 3, 1) if small else box
        if index in scene.winning:
            self.behind.append(Behind(behind, "wash", scene.role(index, mark)))
        elif "open" in codes or "closed" in codes:
            self.behind.append(Behind(behind, "shade"))
        if small and "cursor" in codes:
            self.behind.append(Behind(behind, "cursor"))
        text, role = self._text(index)
        if mark is not None and not small and mark_dots(mark, 5, 5):
            self._mark(mark, box, MARK_BOXES[self.step.high], index)
            return
        if small:
            self._letter(index, x, y)
            return
        if text:
            self.canvas.write(x - len(text) // 2, y, text, role, mark is not None or "hint" in codes)

    def _text(self, index: int) -> tuple[str, str]:
        """What stands in a cell in letters, and its role."""
        scene, view = self.scene, self.scene.view
        mark, codes = scene.cells[index], view.codes(index)
        if "open" in codes or "closed" in codes:
            return (signs.OPEN if "open" in codes else signs.CLOSED), ""
        if mark is not None:
            return mark, scene.role(index, mark)
        if "forbidden" in codes:
            return signs.FORBIDDEN, ""
        if label := view.labels.get(index, ""):
            if view.worth(index):
                small = self.step.high == 1 and "hint" not in codes
                room = max(1, self.step.wide - (not self.step.is_ruled if small else 2))
                label = label if len(label) <= room else label[:1]
                if "hint" in codes and self.step.high > 1:
                    label = signs.LEFT["hint"] + label + signs.RIGHT["hint"]
                return label, scene.role(index, None)
            return label[: self.step.wide], LINE
        if index in scene.may:
            return signs.POSSIBLE, SECOND
        return "", ""

    def _letter(self, index: int, x: int, y: int) -> None:
        """A cell of one line: a letter between two signs."""
        scene = self.scene
        text, role = self._text(index)
        if not text and (index in scene.marked or not (self.step.is_ruled or self.plan.is_lattice)):
            text, role = ("" if self.layout.gravity else signs.DOT), FAINT
            if self.plan.is_lattice and divmod(index, self.layout.columns) in scene.stars:
                text, role = signs.HEAVY_CROSS, SECOND
        mark = scene.cells[index]
        start = x - (len(text) - 1) // 2
        self.canvas.write(start, y, text, role, mark is not None)
        if index in scene.marked:
            left, right = scene.signs_around(index)
            self.canvas.write(min(x - 1, start - 1) if start > x - 1 else x - 1, y, left, strong=True)
            self.canvas.write(max(x + 1, start + len(text)), y, right, strong=True)

    def _mark(self, mark: str, box: Box, size: tuple[int, int], index: int | None = None) -> None:
        """Draw *mark* in the middle of *box* in so many dots, or in the signs of ASCII."""
        wide, high = size
        if not self.unicode:
            self._ascii_mark(mark, box, self.scene.role(index or 0, mark))
            return
        dots = (disc_dots if self.scene.discs else mark_dots)(mark, wide, high)
        if index is not None and "leaving" in self.scene.view.codes(index):
            thin = mark == "X" and thickness(high) == 1  # on a thin diagonal every dot is of the same kind
            dots = frozenset((x, y) for x, y in dots if not (min(y, high - 1 - y) if thin else x + y) % 2)
        x, y = box.x + (box.width - wide) // 2, 2 * box.y + (2 * box.height - high) // 2
        self.ink.lay(dots, self.scene.role(index or 0, mark), x, y)

    def _ascii_mark(self, mark: str, box: Box, role: str) -> None:
        high = 3 if box.height < 5 else 5 if box.height < 8 else (box.height - 2) // 2 * 2 + 1
        x, y = box.x + box.width // 2, box.y + (box.height - high) // 2
        half, low = high // 2, y + high - 1
        wide = half if high == 3 else half + 1
        edges = {"O": (".", "'"), "Z": ("-", "-")}
        for line in range(1 if mark in edges else 0, high - (1 if mark in edges else 0)):
            far = half - line
            if mark == "O":
                self.canvas.write(x - wide, y + line, "|", role, strong=True)
                self.canvas.write(x + wide, y + line, "|", role, strong=True)
                continue
            self.canvas.write(x + far, y + line, "X" if mark == "X" and not far else "/", role, strong=True)
            if mark == "X" and far:
                self.canvas.write(x - far, y + line, "\\", role, strong=True)
        if mark in edges:
            for corner, line in zip(edges[mark], (y, low), strict=True):
                self.canvas.write(x - wide, line, corner + "-" * (2 * wide - 1) + corner, role, strong=True)

    # Signs of cells that are drawn

    def _signs(self, index: int) -> None:
        scene, view = self.scene, self.scene.view
        if index not in scene.marked:
            return
        codes, box = view.codes(index), self._box(index)
        if "open" in codes or "closed" in codes:  # over the ink of a mark, too
            self.canvas.write(*self._middle(index), self._text(index)[0], strong=True)
        if pad_of(self.step):
            box = Box(box.x - 1, box.y, box.width + 2, box.height)
        middle, right = box.y + box.height // 2, box.x + box.width - 1
        highlight = next((code for code in signs.LEFT if code in codes and code != "cursor"), "")
        if highlight == "hint" and scene.cells[index] is None and view.worth(index):
            highlight = ""  # it stands close around the label
        left_sign, right_sign = signs.around(
            highlight=highlight, last=False, winning=False, threats=signs.threats(codes)
        )
        if highlight == "hint":
            self.canvas.write(box.x + box.width // 2 - 1, middle, left_sign, strong=True)
            self.canvas.write(box.x + box.width // 2 + 1, middle, right_sign, strong=True)
        else:
            self.canvas.write(box.x, middle, left_sign, strong=True)
            self.canvas.write(right, middle, right_sign, strong=True)
        if index in view.last:
            self._brackets(box)
        if index in scene.winning and (not self.unicode or self.layout.planes > 1):
            lines = (middle,) if index in view.last else (box.y, box.y + box.height - 1)
            for line in lines:
                self.canvas.write(box.x, line, "*", strong=True)
                self.canvas.write(right, line, "*", strong=True)

    def _cursor_signs(self, index: int) -> None:
        """The signs of the cursor, over those of its neighbours."""
        box, pad = self._box(index), pad_of(self.step)
        box = Box(box.x - pad, box.y, box.width + 2 * pad, box.height)
        if self.unicode:
            arm = 1 + (self.step.wide >= WIDE_ARMS) + (self.step.wide >= WIDER_ARMS)
            self._corners(box, arm, 2 if box.height >= HIGH_SIDES else 1)
            return
        self.canvas.write(box.x, box.y + box.height // 2, ">", strong=True)
        self.canvas.write(box.x + box.width - 1, box.y + box.height // 2, "<", strong=True)

    def _brackets(self, box: Box) -> None:
        """Brackets as tall as the cell: the last move."""
        low, right = box.y + box.height - 1, box.x + box.width - 1
        for x, corners in ((box.x, signs.HERE[::2]), (right, signs.HERE[1::2])):
            self.canvas.write(x, box.y, corners[0], strong=True)
            self.canvas.write(x, low, corners[1], strong=True)
            for line in range(box.y + 1, low):
                if box.height < HIGH_SIDES or line in (box.y + 1, low - 1):
                    self.canvas.write(x, line, signs.DOWN, strong=True)

    def _corners(self, box: Box, arm: int, high: int) -> None:
        """Heavy corners: here."""
        low, right = box.y + box.height - 1, box.x + box.width - 1
        across = signs.HEAVY_ACROSS * (arm - 1)
        for y, corners in ((box.y, signs.CORNERS[:2]), (low, signs.CORNERS[2:])):
            self.canvas.write(box.x, y, corners[0] + across, strong=True)
            self.canvas.write(right - arm + 1, y, across + corners[1], strong=True)
        for line in (*range(box.y + 1, box.y + high), *range(low - high + 1, low)):
            self.canvas.write(box.x, line, signs.HEAVY_DOWN, strong=True)
            self.canvas.write(right, line, signs.HEAVY_DOWN, strong=True)

    def _strike(self) -> None:
        """Strike the winning lines through, from cell to cell; not from one edge to the other."""
        if self.step.high == 1 or not self.unicode or self.layout.planes > 1:
            return
        far = 0.6 if self.step.wide < THICK_STROKE else 1.0
        for line in self.scene.view.lines:
            for run in self._runs(line):
                (left, top), (right, bottom) = self._centre(run[0]), self._centre(run[-1])
                if top == bottom:  # between two half lines it would be twice as thick
                    top = bottom = int(top)
                cells = max(1, len(run) - 1)
                over = (right - left) / cells * REACH, (bottom - top) / cells * REACH
                on, near = struck((left - over[0], top - over[1]), (right + over[0], bottom + over[1]), far)
                if not self.shaded:
                    self.ink.clear(near)
                self.ink.lay((dot for dot in on if self._is_inside(dot)), "")

    def _is_inside(self, dot: Dot) -> bool:
        """Whether *dot* lies on the cells of the board or between them."""
        x, y = self.plan.corners[0]
        wide, high = plane_extent(self.scene, self.step)
        return x <= dot[0] < x + wide and 2 * y <= dot[1] < 2 * (y + high)

    def _runs(self, line: tuple[int, ...]) -> Iterator[list[int]]:
        """The parts of a line in which cells stand beside each other."""
        place = self.layout.place
        run = list(line[:1])
        for one, other in pairwise(line):
            if max(abs(a - b) for a, b in zip(place(one), place(other), strict=True)) > 1:
                yield run
                run = []
            run.append(other)
        yield run

    def _centre(self, index: int) -> tuple[float, float]:
        """The middle of a cell in columns and half lines."""
        x, y = self.plan.place(index)
        return x + (self.step.wide - 1) / 2, 2 * y + (2 * self.step.high - 1) / 2

    # What cells are called by

    def _names(self) -> None:
        layout, step, scene = self.layout, self.step, self.scene
        lettered = scene.has_letter_names
        here = None if self._cursor is None else layout.place(self._cursor)
        for plane, x, y in self._planes():
            if label := plane_label(scene.game.shape[:-2], plane):
                is_here = here is not None and here[0] == plane
                start = x + (step.wide > 1)
                text = f">{label}<" if is_here else label
                self.canvas.write(start - is_here, y - 1, text, "" if is_here else SECOND, is_here)
            for row in range(layout.rows) if plane in self.plan.numbered and lettered else ():
                name, (left, top) = str(layout.rows - row), self.plan.at(plane, row, 0)
                end = left - (2 if step.across > 4 else 1)
                self.canvas.write(end - len(name), top + step.high // 2, name, SECOND)
            for column in range(layout.columns) if plane in self.plan.lettered else ():
                name = column_name(scene, column) if layout.planes == 1 else scene.letters(column)
                middle = self.plan.at(plane, 0, column)[0] + step.wide // 2
                if layout.gravity:
                    is_here = here is not None and here[2] == column
                    self._head(middle - len(name) // 2, name, is_here=is_here)
                    continue
                below = self.plan.at(plane, layout.rows - 1, 0)[1] + step.high
                self.canvas.write(middle - (len(name) - 1) // 2, below, name, SECOND)

    def _head(self, x: int, name: str, *, is_here: bool) -> None:
        """The number above a column into which marks fall, in the signs of the cursor where that is."""
        self.canvas.write(x, 0, name, "" if is_here else SECOND, is_here)
        if is_here:
            self.canvas.write(x - 1, 0, ">", strong=True)
            self.canvas.write(x + len(name), 0, "<", strong=True)
