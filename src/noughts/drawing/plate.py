"""A board drawn at one step of the ladder: its marks in ink or as letters, the signs beside them."""

from collections.abc import Collection, Iterator
from itertools import pairwise

from noughts.drawing import signs
from noughts.drawing.canvas import FAINT, LINE, SECOND, Box, Canvas
from noughts.drawing.ground import Behind, Ground, draw_corners
from noughts.drawing.ink import (
    CUT_FROM,
    MARK_BOXES,
    SOLID,
    Dot,
    Ink,
    disc_dots,
    mark_dots,
    number_dots,
    struck,
    thickness,
)
from noughts.drawing.ladder import extent_of
from noughts.drawing.plan import Plan
from noughts.drawing.scene import Scene
from noughts.drawing.view import NOBODY

WIDE_ARMS, WIDER_ARMS = 9, 19
"""Columns of a cell from which on the arms of its corners have two columns, and three."""

HIGH_SIDES = 9
"""Lines of a cell from which on brackets and corners have two lines at each end."""

THICK_STROKE = 23
"""Columns of a cell from which on a line is struck with two dots rather than one."""

DOTTED_FROM, LINES_OF_DOT, EDGE = 11, 5, 2
"""Columns of a cell from which on numbers are drawn in dots, its lines for each line of a dot, columns at
each side that stay free."""

REACH = 0.4
"""How far a struck line goes on behind its last cell, in cells."""


class Plate:
    """The board of *scene* on *canvas* as *plan* has it.

    With *shaded* false what lies behind characters cannot be seen, so that signs stand in its stead; with
    *coloured* false neither can pens be told apart.
    """

    def __init__(
        self, scene: Scene, plan: Plan, canvas: Canvas, *, unicode: bool, shaded: bool, coloured: bool
    ) -> None:
        self.scene, self.plan, self.canvas = scene, plan, canvas
        self.layout, self.step = scene.layout, plan.step
        self.unicode, self.coloured = unicode, coloured
        self.ground = Ground(scene, plan, canvas, unicode=unicode, shaded=shaded)
        self.behind = self.ground.behind
        self.ink = Ink()
        self._cursor = next((i for i in scene.view.highlights if "cursor" in scene.view.codes(i)), None)

    def boxes(self) -> dict[int, Box]:
        """Where each cell stands, the signs beside it included, by its flat index."""
        return {index: self._box(index) for index in self.plan.cells}

    def heads(self) -> dict[int, Box]:
        """Where the names of the columns stand above the board, by the uppermost cell below them."""
        if not (self.layout.gravity and self.plan.around.names):
            return {}
        uppermost = [self.layout.index(0, self.plan.rows[0], column) for column in self.plan.columns]
        return {index: self._box(index)._replace(y=0, height=1) for index in uppermost}

    def draw(self) -> None:
        """Draw all of it."""
        self.ground.draw()
        if self.plan.is_lattice:
            self._clear_crossings()
        owned = self._owned()
        for index in self.plan.cells:
            if index not in owned:
                self._cell(index)
        self._strike()
        for (x, y), mark in self.ink.dry(self.canvas).items():
            self.behind.append(Behind(Box(x, y, 1, 1), "dots", mark))
        self._letter_discs()
        for index in self.plan.cells if self.step.high > 1 else ():
            if index not in owned:
                self._signs(index)
        if self.step.high > 1 and self._cursor is not None:
            self._cursor_signs(self._cursor)
        self.ground.names(self._cursor)
        for x, y, text in self.plan.notes:
            self.canvas.write(x, y, text, SECOND)

    def _owned(self) -> frozenset[int]:
        """Draw one mark on each field that a side has won; the cells that it covers."""
        down, across = self.layout.fields
        covered: set[int] = set()
        for number, owner in enumerate(self.scene.owners):
            if owner is None or owner == NOBODY:
                continue
            box, cells = self.ground.field_box(number), self.ground.field_cells(number)
            if box is None:
                continue
            self.behind.append(Behind(box, "wash", owner))
            if len(cells) < down * across:
                continue  # there is no room for one large mark
            covered.update(cells)
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
        for index in self.plan.cells:
            mark, box, text = scene.cells[index], self._box(index), self._text(index)[0]
            if mark is not None or (small and index in scene.marked):
                for line in range(box.y, box.y + box.height):
                    self.canvas.clear(box.x, line, box.width)
            elif text:
                x, y = self.ground.middle(index)
                self.canvas.clear(x - 1 - len(text) // 2, y, len(text) + 2)

    def _box(self, index: int) -> Box:
        x, y = self.plan.place(index)
        before = int(self.step.padded and self.step.high == 1)
        return Box(x - before, y, self.step.wide + before, self.step.high)

    def _around(self, index: int) -> Box:
        """A cell with the columns in which its signs stand."""
        (x, y), pad = self.plan.place(index), int(self.step.padded)
        return Box(x - pad, y, self.step.wide + 2 * pad, self.step.high)

    def _cell(self, index: int) -> None:
        scene, view = self.scene, self.scene.view
        codes, mark, box = view.codes(index), scene.cells[index], self._box(index)
        x, y = self.ground.middle(index)
        small = self.step.high == 1
        if self.layout.tiles:
            self._tile(index, box)
            if small:
                self._tile_signs(self._around(index), codes)
            return
        behind = self._around(index) if small else box
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
            self._letter(index)
            return
        if text:
            self.canvas.write(x - len(text) // 2, y, text, role, mark is not None or "hint" in codes)

    def _tile(self, index: int, box: Box) -> None:
        """A number, in dots where there is room, of second importance until it is at home."""
        number, codes = self.scene.cells[index], self.scene.view.codes(index)
        x, y = self.ground.middle(index)
        if number is None:
            self.canvas.write(x, y, signs.DOT, FAINT)
            return
        is_home = "home" in codes
        role, size = "" if is_home else SECOND, max(1, box.height // LINES_OF_DOT)
        wide = (4 * len(number) - 1) * size
        if self.unicode and box.width >= DOTTED_FROM and wide + 2 * EDGE <= box.width:
            left, top = box.x + (box.width - wide) // 2, 2 * box.y + (2 * box.height - 5 * size) // 2
            self.ink.lay(number_dots(number, size), role, left, top)
        else:
            self.canvas.write(x - len(number) // 2, y, number, role, is_home)

    def _letter_discs(self) -> None:
        """Write the letter on solid discs, where they have no room for it in dots."""
        small = self.step.high > 1 and MARK_BOXES[self.step.high][1] < CUT_FROM
        if not (self.scene.discs and self.unicode and small):
            return
        for index, mark in enumerate(self.scene.cells):
            if mark == SOLID:
                x, y = self.ground.middle(index)
                self.canvas.write(x, y, mark, self.scene.role(index, mark), strong=True)
                self.behind.append(Behind(Box(x, y, 1, 1), "disc"))

    def _text(self, index: int) -> tuple[str, str]:
        """What stands in a cell in letters, and its role."""
        scene, view = self.scene, self.scene.view
        mark, codes = scene.cells[index], view.codes(index)
        if mark is not None:
            return mark, scene.role(index, mark)
        if "open" in codes or "closed" in codes:
            return (signs.OPEN if "open" in codes else signs.CLOSED), ""
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

    def _letter(self, index: int) -> None:
        """A cell of one line: a letter between two signs."""
        scene = self.scene
        text, role = self._text(index)
        if not text and (index in scene.marked or not (self.step.is_ruled or self.plan.is_lattice)):
            is_held = self.layout.gravity and self.plan.around.holder
            text, role = ("" if is_held else signs.DOT), FAINT
            if self.plan.is_lattice and divmod(index, self.layout.columns) in scene.stars:
                text, role = signs.HEAVY_CROSS, SECOND
        (x, y), mark, long = self.plan.place(index), scene.cells[index], max(1, len(text))
        x += (self.step.wide - long + 1) // 2
        self.canvas.write(x, y, text, role, mark is not None)
        if index in scene.marked:
            left, right = scene.signs_around(index)
            self.canvas.write(x - 1, y, left, strong=True)
            self.canvas.write(x + long, y, right, strong=True)

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
        codes = view.codes(index)
        if self.layout.tiles:
            self._tile_signs(self._around(index), codes)
            return
        box = self._around(index)
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

    def _tile_signs(self, box: Box, codes: Collection[str]) -> None:
        """What points at a tile, and the key that slides it, at its edge towards the gap."""
        low, right = box.y + box.height - 1, box.x + box.width - 1
        x, y = box.x + box.width // 2, box.y + box.height // 2
        places = {"left": (box.x, y), "right": (right, y), "up": (x, box.y), "down": (x, low)}
        if box.height == 1:
            places |= {"up": (right, y), "down": (right, y)}
        for column, around in ((box.x, signs.LEFT), (right, signs.RIGHT)):
            self.canvas.write(column, y, around.get(signs.pointer(codes), ""), strong=True)
        for code, sign in signs.SLIDES.items():
            if code in codes:
                self.canvas.write(*places[code.removeprefix("slides:")], sign, LINE)

    def _cursor_signs(self, index: int) -> None:
        """The signs of the cursor, over those of its neighbours."""
        box = self._around(index)
        if self.unicode:
            arm = 1 + (self.step.wide >= WIDE_ARMS) + (self.step.wide >= WIDER_ARMS)
            draw_corners(self.canvas, box, arm, 2 if box.height >= HIGH_SIDES else 1)
            return
        self.canvas.write(box.x, box.y + box.height // 2, ">", strong=True)
        self.canvas.write(box.x + box.width - 1, box.y + box.height // 2, "<", strong=True)

    def _brackets(self, box: Box) -> None:
        """Brackets as tall as the cell: the last move; bold where there are colours."""
        low, right = box.y + box.height - 1, box.x + box.width - 1
        for x, corners in ((box.x, signs.HERE[::2]), (right, signs.HERE[1::2])):
            self.canvas.write(x, box.y, corners[0], strong=self.coloured)
            self.canvas.write(x, low, corners[1], strong=self.coloured)
            for line in range(box.y + 1, low):
                if box.height < HIGH_SIDES or line in (box.y + 1, low - 1):
                    self.canvas.write(x, line, signs.DOWN, strong=self.coloured)

    def _strike(self) -> None:
        """Strike the winning lines through, from cell to cell; not from one edge to the other.

        Where fields were won in a row, it is they that are struck through.
        """
        lines = self.scene.view.lines
        if self.layout.owned and self.unicode:
            if lines and not any(self.plan.hidden):
                ends = self._middle_of_field(lines[0][0]), self._middle_of_field(lines[-1][0])
                self._strike_through(*ends, len(lines) - 1, self.scene.cells[lines[0][0]])
            return
        if self.step.high == 1 or not self.unicode or self.layout.planes > 1:
            return
        for line in lines:
            for run in self._runs(line):
                ends = self._centre(run[0]), self._centre(run[-1])
                self._strike_through(*ends, max(1, len(run) - 1), self.scene.cells[run[0]])

    def _strike_through(
        self, one: tuple[float, float], other: tuple[float, float], steps: int, mark: str | None
    ) -> None:
        """Strike a line of one *mark* through, in so many *steps* from *one* middle to the *other*."""
        (left, top), (right, bottom) = one, other
        far = 0.6 if self.step.wide < THICK_STROKE else 1.0
        if top == bottom:  # between two half lines it would be twice as thick
            top = bottom = int(top)
        over = (right - left) / steps * REACH, (bottom - top) / steps * REACH
        on, near = struck((left - over[0], top - over[1]), (right + over[0], bottom + over[1]), far)
        if not (self.coloured and self.scene.role(0, mark)):
            self.ink.clear(near)
        self.ink.lay((dot for dot in on if self._is_inside(dot)), "", strong=True)

    def _middle_of_field(self, index: int) -> tuple[float, float]:
        """The middle of the field of a cell in columns and half lines."""
        down, across = self.layout.fields
        _, row, column = self.layout.place(index)
        cells = self.ground.field_cells(row // down * (self.layout.columns // across) + column // across)
        (left, top), (right, bottom) = self._centre(cells[0]), self._centre(cells[-1])
        return (left + right) / 2, (top + bottom) / 2

    def _is_inside(self, dot: Dot) -> bool:
        """Whether *dot* lies on the cells of the board or between them."""
        x, y = self.plan.corners[0]
        wide, high = extent_of(self.scene, self.step, self.plan.rows, self.plan.columns)
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
