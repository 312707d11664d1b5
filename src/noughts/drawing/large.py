"""Small flat boards with large drawn cells, and the fifteen puzzle with its numbers in squares."""

from itertools import pairwise

from noughts.drawing.canvas import LINE, Canvas
from noughts.drawing.scene import Scene
from noughts.drawing.signs import FORBIDDEN, LEFT, RIGHT, around, pointer, threats
from noughts.games.layout import Layout
from noughts.games.notation import column_letters

MOST_ROWS, MOST_COLUMNS = 5, 5
"""Boards up to this size are drawn large."""

SIZES = ((5, 11, 3), (3, 7, MOST_ROWS))
"""Lines and columns of a drawn cell, and on how many rows of a board such cells are used."""

INDENT = 3


def is_small(layout: Layout) -> bool:
    """Whether a board is flat and has few enough rows and columns to be drawn large."""
    return layout.planes == 1 and layout.rows <= MOST_ROWS and layout.columns <= MOST_COLUMNS


def can_be_large(scene: Scene) -> bool:
    """Whether the board is small, flat, and without walls, fields and tiles."""
    layout = scene.layout
    return is_small(layout) and not (layout.gravity or layout.drops or layout.tiles or any(layout.fields))


def draw_large(scene: Scene, width: int) -> Canvas | None:
    """The board in the largest drawn cells that *width* has room for; None where there is not enough."""
    layout = scene.layout
    for high, wide, most_rows in SIZES:
        whole = layout.columns * (wide + 1) - 1
        if layout.rows <= most_rows and whole <= width:
            canvas = Canvas()
            board = LargeBoard(scene, high, wide)
            canvas.paste(min(INDENT, width - whole), 0, board.draw())
            return canvas
    return None


class LargeBoard:
    """A board whose cells are *high* lines of *wide* columns.

    A label of an even number of characters has no middle: with *to_the_right* it stands half a column
    to the right of where it should.
    """

    def __init__(self, scene: Scene, high: int, wide: int, *, to_the_right: bool = False) -> None:
        self.scene, self.high, self.wide = scene, high, wide
        self.to_the_right = to_the_right
        self.canvas = Canvas()

    def draw(self) -> Canvas:
        self._rule()
        for index in range(len(self.scene.cells)):
            self._cell(index)
        for line in self.scene.view.lines:
            self._cross(line)
        return self.canvas

    def _rule(self) -> None:
        layout, signs = self.scene.layout, self.scene.signs
        across = signs.cross.join([signs.across * self.wide] * layout.columns)
        for y in range(layout.rows * (self.high + 1) - 1):
            if y % (self.high + 1) == self.high:
                self.canvas.write(0, y, across, LINE)
            else:
                self.canvas.write(0, y, (" " * self.wide + signs.down) * (layout.columns - 1), LINE)

    def _corner(self, index: int) -> tuple[int, int]:
        _, row, column = self.scene.layout.place(index)
        return column * (self.wide + 1), row * (self.high + 1)

    def _centre(self, index: int) -> tuple[int, int]:
        x, y = self._corner(index)
        return x + self.wide // 2, y + self.high // 2

    def _cell(self, index: int) -> None:
        scene = self.scene
        x, y = self._corner(index)
        mark = scene.cells[index]
        codes = scene.view.codes(index)
        if mark is None:
            self._label(index)
        elif shape := scene.signs.drawn.get((mark, self.high)):
            for line, text in enumerate(shape):
                self.canvas.write(x + (self.wide - self.high) // 2, y + line, text, mark, self._strong(index))
        else:
            self._text(index, mark, mark)
        if "open" in codes or "closed" in codes:
            self._text(index, scene.signs.open if "open" in codes else scene.signs.closed)
        highlight = pointer(codes)
        if highlight == "hint" and mark is None and scene.view.worth(index):
            highlight = ""  # it stands close around the label
        middle = y + self.high // 2
        left, right = around(highlight=highlight, last=False, winning=False, threats=threats(codes))
        self.canvas.write(x + 1, middle, left, strong=True)
        self.canvas.write(x + self.wide - 2, middle, right, strong=True)
        if index in scene.winning:
            self._corners(x + 1, y, self.wide - 2, "****")
        if index in scene.view.last:
            self._corners(x, y, self.wide, scene.signs.here)

    def _label(self, index: int) -> None:
        """The label of an empty cell; a draw in a ring, what a hint points to between its signs."""
        view = self.scene.view
        text, worth = view.labels.get(index, ""), view.worth(index)
        if "forbidden" in view.codes(index):
            text = FORBIDDEN
        if worth and "hint" in view.codes(index):
            text = LEFT["hint"] + text + RIGHT["hint"]
        elif worth == "draw":
            text = f"({text})"
        self._text(index, text, self.scene.role(index))

    def _text(self, index: int, text: str, role: str = "") -> None:
        x, y = self._centre(index)
        text = text[: self.wide]
        self.canvas.write(
            x - (len(text) - self.to_the_right) // 2, y, text, role, bool(role) and self._strong(index)
        )

    def _strong(self, index: int) -> bool:
        return index in self.scene.winning or index in self.scene.view.last

    def _corners(self, x: int, y: int, wide: int, four: str) -> None:
        for number, sign in enumerate(four):
            right, down = number % 2 * (wide - 1), number // 2 * (self.high - 1)
            self.canvas.write(x + right, y + down, sign, strong=True)

    def _cross(self, line: tuple[int, ...]) -> None:
        """Mark where a winning line crosses the lines of the board, unless it wraps there."""
        place = self.scene.layout.place
        for one, two in pairwise(line):
            if max(abs(a - b) for a, b in zip(place(one), place(two), strict=True)) == 1:
                (left, top), (right, bottom) = self._centre(one), self._centre(two)
                self.canvas.write((left + right) // 2, (top + bottom) // 2, "*", strong=True)


def draw_tiles(scene: Scene, width: int) -> Canvas | None:
    """Numbers in squares, with letters and numbers outside; None where *width* is not enough."""
    layout, signs = scene.layout, scene.signs
    margin = len(str(layout.rows)) + 1
    inner = scene.content + 2
    if margin + layout.columns * (inner + 1) + 1 > width:
        return None
    canvas = Canvas()
    for row in range(layout.rows + 1):
        left, middle, right = signs.frame[0:3] if row == 0 else signs.frame[3:6]
        if row == layout.rows:
            left, middle, right = signs.frame[6:9]
        ruled = middle.join([signs.across * inner] * layout.columns)
        canvas.write(margin, 2 * row, left + ruled + right, LINE)
    for row in range(layout.rows):
        canvas.write(0, 2 * row + 1, str(layout.rows - row).rjust(margin - 1))
        canvas.write(margin, 2 * row + 1, (signs.down + " " * inner) * layout.columns + signs.down, LINE)
    for index, tile in enumerate(scene.cells):
        _, row, column = layout.place(index)
        x, y = margin + column * (inner + 1) + 1, 2 * row + 1
        last = index in scene.view.last
        text = (tile or "").rjust(scene.content)
        canvas.write(x, y, f"[{text}]" if last else f" {text} ", strong=last)
    for column in range(layout.columns):
        canvas.write(
            margin + column * (inner + 1) + 1 + inner // 2, 2 * layout.rows + 1, column_letters(column)
        )
    return canvas
