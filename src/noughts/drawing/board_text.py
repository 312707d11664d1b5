"""A game as text: lines, a window of a terminal, or a thumbnail, drawn by one renderer.

Lines are for terminals, pipes, logs and screen readers; their number is not limited. A window shows a board
as large as possible, or a part of it. Thumbnails are for lists of games and have no names and no signs.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from noughts.drawing import signs
from noughts.drawing.canvas import FAINT, LINE, SECOND, Box, Canvas, Rows, Span
from noughts.drawing.cell_sizes import extent_of
from noughts.drawing.grid_renderer import Background, GridRenderer, draw_corners
from noughts.drawing.half_blocks import (
    CUT_FROM,
    MARK_BOXES,
    SOLID,
    Dot,
    HalfBlocks,
    disc_dots,
    mark_dots,
    number_dots,
    struck,
    thickness,
)
from noughts.drawing.scene import Scene, has_letters_outside
from noughts.drawing.view import NOBODY, View, straight_parts, view_of
from noughts.drawing.viewport import (
    NOTHING,
    Hidden,
    Viewport,
    viewport_of,
    viewport_of_thumbnail,
    viewports_of_lines,
)
from noughts.games.base import Game, check_game

Line = TypeVar("Line")

MIN_WIDTH = 10
"""The width, in columns, in which every game of the catalogue can be drawn."""

WIDE_ARMS, WIDER_ARMS = 9, 19
"""The widths of a cell, in columns, from which the arms of its corners have two columns, and three."""

HIGH_SIDES = 9
"""The height of a cell, in lines, from which brackets and corners have two lines at each end."""

THICK_STROKE = 23
"""The width of a cell, in columns, from which a winning line is two dots thick."""

DOTTED_FROM, LINES_OF_DOT, EDGE = 11, 5, 2
"""The width of a cell, in columns, from which numbers are drawn in dots.

Then the height in lines for each line of a dot, and the free columns at each side.
"""

REACH = 0.4
"""The length of a winning line beyond its last cell, in cells."""


def draw_text(
    game: Game, *, width: int = 79, unicode: bool = True, first: int = 1, view: View | None = None
) -> list[str]:
    r"""Return the board of *game* as lines of at most *width* columns, without trailing blanks.

    A small flat board is drawn large. Others have compact cells with their numbers, counted from *first*, or
    with letters and numbers outside. Brackets mark the last move, stars the winning cells. Below
    :data:`MIN_WIDTH` columns the narrowest form is drawn, even if it does not fit. With *unicode* false all
    characters are ASCII. A *view* replaces the labels and highlights of cells. Every game can be drawn; other
    objects raise ``TypeError``.

    >>> from noughts import new_game
    >>> game = new_game("3x2:2,gravity")
    >>> game.play((1, 1))
    >>> print("\n".join(draw_text(game, unicode=False)))
      1  2  3
    |         |
    |   [X]   |
    +---------+
    """
    check_game(game)
    return _joined([part.texts(unicode=unicode) for part in _parts(game, width, unicode, first, view)], "")


def draw_spans(
    game: Game, *, width: int = 79, unicode: bool = True, first: int = 1, view: View | None = None
) -> Rows:
    """Draw the lines of :func:`draw_text` in runs of one kind, for an interface that colours them."""
    return _joined([part.spans(unicode=unicode) for part in _parts(game, width, unicode, first, view)], [])


def _joined(parts: list[list[Line]], blank: Line) -> list[Line]:
    """Return the lines of all *parts* with a *blank* one between two."""
    return [line for part in parts for line in (blank, *part)][1:]


def _parts(game: Game, width: int, unicode: bool, first: int, view: View | None) -> Iterator[Canvas]:
    """Draw the parts of a board that are below one another."""
    view = view or view_of(game, first, labels=not has_letters_outside(game))
    for viewport in viewports_of_lines(Scene(game, view, first), width):
        yield BoardRenderer(viewport, unicode=unicode, shaded=False, coloured=False).draw()


@dataclass(frozen=True, slots=True)
class Window:
    """A board, or a visible part of it, with the place of each cell.

    ``boxes`` are the places of the visible cells by flat index. ``hidden`` counts the rows and columns
    outside, ``beyond`` the planes. ``origin`` is the first visible row and column. Pass it to the next
    drawing to keep the board in place.
    """

    rows: Sequence[Sequence[Span]] = ()
    boxes: Mapping[int, Box] = field(default_factory=dict)
    hidden: Hidden = NOTHING
    beyond: Hidden = NOTHING
    origin: tuple[int, int] = (0, 0)
    heads: Mapping[int, Box] = field(default_factory=dict)
    """The places of column names above the board, by the uppermost visible cell of each column."""
    width: int = 0
    """The width of the picture in columns, whatever its cells show."""
    reach: int = 0
    """The width of the picture in columns, with the notes beside it."""
    backgrounds: tuple[Background, ...] = ()
    """The backgrounds of characters, the lower before the upper."""
    is_named: bool = False
    """True if the names of rows and columns surround the cells."""

    @property
    def is_whole(self) -> bool:
        """True if all cells of all planes are visible."""
        return not (any(self.hidden) or any(self.beyond))

    @property
    def height(self) -> int:
        """The number of lines."""
        return len(self.rows)

    def cell_at(self, x: int, y: int) -> int | None:
        """Return the flat index of the cell at column *x* of line *y*; None if there is none.

        If marks fall, the number above a column stands for its uppermost visible cell.
        """
        for places in (self.boxes, self.heads):
            for index, box in places.items():
                if box.x <= x < box.x + box.width and box.y <= y < box.y + box.height:
                    return index
        return None


def draw_window(
    game: Game,
    view: View | None = None,
    *,
    width: int,
    height: int,
    unicode: bool = True,
    first: int = 1,
    focus: int | None = None,
    origin: tuple[int, int] = (0, 0),
    shaded: bool = True,
    coloured: bool = True,
) -> Window:
    """Draw the board of *game* in at most *height* lines of at most *width* columns.

    The board is as large as possible. If a board with depth does not fit, whole planes around that of the
    cell *focus* are shown. Other boards scroll: the cell *focus* is visible, if possible with two cells
    around it, and otherwise the part stays at *origin*. Empty cells have the labels of *view*, or none
    without a view. Cells are numbered from *first*.

    With *unicode* false all characters are ASCII. With *shaded* false no backgrounds are used, and with
    *coloured* false no colours. If not one cell fits, nothing is drawn.
    """
    view = view_of(game, first, labels=False) if view is None else view
    scene = Scene(game, view, first)
    viewport = viewport_of(scene, width, height, unicode=unicode, focus=focus, origin=origin)
    if viewport is None:
        return Window()
    renderer = BoardRenderer(viewport, unicode=unicode, shaded=shaded, coloured=coloured)
    return Window(
        renderer.draw().spans(unicode=unicode),
        renderer.boxes(),
        viewport.hidden,
        viewport.beyond,
        (viewport.rows.start, viewport.columns.start),
        heads=renderer.heads(),
        width=viewport.width,
        reach=viewport.reach,
        backgrounds=tuple(renderer.backgrounds),
        is_named=viewport.around.names and not scene.layout.drops,
    )


def draw_thumbnail(game: Game, *, width: int, height: int, unicode: bool = True) -> Sequence[Sequence[Span]]:
    """Draw a picture of *game* in at most *height* lines of at most *width* columns.

    The board has the largest size that fits. A large board shows its middle, a board where marks fall its
    lowest rows, and a board with depth as many planes as possible. If not one cell fits, there are no lines.
    With *unicode* false all characters are ASCII.

    >>> from noughts import new_game
    >>> game = new_game()
    >>> game.play((1, 1))
    >>> ["".join(span.text for span in line) for line in draw_thumbnail(game, width=5, height=3)]
    ['· · ·', '· X ·', '· · ·']
    """
    viewport = viewport_of_thumbnail(Scene(game, View(), bare=True), width, height, unicode=unicode)
    if viewport is None:
        return []
    renderer = BoardRenderer(viewport, unicode=unicode, shaded=False, coloured=True)
    return renderer.draw().spans(unicode=unicode)


class BoardRenderer:
    """The board in *viewport* on a canvas, with the backgrounds of its characters.

    With *shaded* false, signs replace the backgrounds. With *coloured* false, colours do not distinguish the
    sides.
    """

    def __init__(self, viewport: Viewport, *, unicode: bool, shaded: bool, coloured: bool) -> None:
        self.scene, self.viewport, self.canvas = viewport.scene, viewport, Canvas()
        self.layout, self.size, around = viewport.scene.layout, viewport.size, viewport.around
        self.unicode, self.coloured = unicode, coloured
        self.grid = GridRenderer(viewport, self.canvas, unicode=unicode, shaded=shaded)
        self.backgrounds = self.grid.backgrounds
        self.dots = HalfBlocks()
        view = self.scene.view
        self._cursor = next((index for index in view.highlights if "cursor" in view.codes(index)), None)
        self._places = viewport.places
        # The last column of a text in a cell of one line.
        self._end = self.size.wide - 1 if around.numbered else 0
        self._has_dots = not (self.size.is_ruled or viewport.is_lattice)
        # On the console, small cells without room for labels use the names around them.
        is_labelled = around.numbered or not around.names
        has_own_labels = self.scene.has_worths or bool(self.scene.view.pairs)
        self._has_labels = not around.dotted or is_labelled or has_own_labels

    def boxes(self) -> dict[int, Box]:
        """Return the place of each cell with its signs, by flat index."""
        return {index: self._box(index) for index in self.viewport.places}

    def heads(self) -> dict[int, Box]:
        """Return the places of column names above the board, by the uppermost cell below them."""
        if not (self.layout.gravity and self.viewport.around.names):
            return {}
        uppermost = [self.layout.index(0, self.viewport.rows[0], column) for column in self.viewport.columns]
        return {index: self._box(index)._replace(y=0, height=1) for index in uppermost}

    def draw(self) -> Canvas:
        """Draw the whole board on the canvas."""
        self.grid.draw()
        if self.viewport.is_lattice:
            self._clear_crossings()
        owned = self._owned()
        for index in self.viewport.places:
            if index not in owned:
                self._cell(index)
        self._strike()
        for (x, y), mark in self.dots.draw_on(self.canvas).items():
            self.backgrounds.append(Background(Box(x, y, 1, 1), "dots", mark))
        self._letter_discs()
        for index in self.viewport.places if self.size.high > 1 else ():
            if index not in owned:
                self._letter_over_line(index)
                self._signs(index)
        if self.size.high > 1 and self._cursor is not None:
            self._cursor_signs(self._cursor)
        self.grid.names(self._cursor)
        for x, y, text in self.viewport.notes:
            self.canvas.write(x, y, text, SECOND)
        return self.canvas

    def _owned(self) -> frozenset[int]:
        """Draw one mark on each field that a side has won; return the cells that it covers."""
        down, across = self.layout.fields
        covered: set[int] = set()
        for number, owner in enumerate(self.scene.owners):
            if owner is None or owner == NOBODY:
                continue
            box, cells = self.grid.field_box(number), self.grid.field_cells(number)
            if box is None:
                continue
            self.backgrounds.append(Background(box, "wash", owner))
            if len(cells) < down * across:
                continue  # There is no room for one large mark.
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
        """Remove the lattice under marks and other signs on crossings."""
        scene, small = self.scene, self.size.high == 1
        for index in self.viewport.places:
            mark, box, text = scene.cells[index], self._box(index), self._text(index)[0]
            if mark is not None or (small and index in scene.marked):
                for line in range(box.y, box.y + box.height):
                    self.canvas.clear(box.x, line, box.width)
            elif text:
                x, y = self.grid.middle(index)
                self.canvas.clear(x - 1 - len(text) // 2, y, len(text) + 2)

    def _box(self, index: int) -> Box:
        x, y = self.viewport.places[index]
        before = int(self.size.padded and self.size.high == 1)
        return Box(x - before, y, self.size.wide + before, self.size.high)

    def _around(self, index: int) -> Box:
        """Return a cell with the columns of its signs."""
        (x, y), pad = self.viewport.places[index], int(self.size.padded)
        return Box(x - pad, y, self.size.wide + 2 * pad, self.size.high)

    def _cell(self, index: int) -> None:
        scene, size = self.scene, self.size
        if self.layout.tiles:
            self._tile(index)
            return
        if index in scene.marked:
            self._add_backgrounds(index)
        if size.high == 1:
            self._letter(index)
            return
        mark = scene.cells[index]
        if mark is not None and mark_dots(mark, 5, 5):
            self._mark(mark, self._box(index), MARK_BOXES[size.high], index)
            return
        text, role = self._text(index)
        if text:
            x, y = self.grid.middle(index)
            strong = mark is not None or "hint" in scene.view.codes(index)
            self.canvas.write(x - len(text) // 2, y, text, role, strong)

    def _add_backgrounds(self, index: int) -> None:
        """Add the backgrounds of a cell: the wash of a line, a shade, the cursor of one line."""
        scene, codes, small = self.scene, self.scene.view.codes(index), self.size.high == 1
        box = self._around(index) if small else self._box(index)
        if index in scene.winning:
            self.backgrounds.append(Background(box, "wash", scene.role(index, scene.cells[index])))
        elif "open" in codes or "closed" in codes:
            self.backgrounds.append(Background(box, "shade"))
        if small and "cursor" in codes:
            self.backgrounds.append(Background(box, "cursor"))

    def _tile(self, index: int) -> None:
        """Draw a number, in dots if there is room; its role is secondary until it is in place."""
        number, codes, box = self.scene.cells[index], self.scene.view.codes(index), self._box(index)
        if box.height == 1:
            self._tile_signs(index)
        x, y = self.grid.middle(index)
        if number is None:
            self.canvas.write(x, y, signs.DOT, FAINT)
            return
        is_home = "home" in codes
        role, size = "" if is_home else SECOND, max(1, box.height // LINES_OF_DOT)
        wide = (4 * len(number) - 1) * size
        if self.unicode and box.width >= DOTTED_FROM and wide + 2 * EDGE <= box.width:
            left, top = box.x + (box.width - wide) // 2, 2 * box.y + (2 * box.height - 5 * size) // 2
            self.dots.add(number_dots(number, size), role, left, top)
        else:
            self.canvas.write(x - len(number) // 2, y, number, role, is_home)

    def _letter_discs(self) -> None:
        """Write the letter on solid discs that are too small to show it in dots."""
        small = self.size.high > 1 and MARK_BOXES[self.size.high][1] < CUT_FROM
        if not (self.scene.discs and self.unicode and small):
            return
        for index, mark in enumerate(self.scene.cells):
            if mark == SOLID:
                x, y = self.grid.middle(index)
                self.canvas.write(x, y, mark, self.scene.role(index, mark), strong=True)
                self.backgrounds.append(Background(Box(x, y, 1, 1), "disc"))

    def _letter_over_line(self, index: int) -> None:
        """Write a letter again that a winning line covers."""
        mark = self.scene.cells[index]
        if mark is not None and index in self.scene.winning and not mark_dots(mark, 5, 5):
            x, y = self.grid.middle(index)
            self.canvas.write(x - len(mark) // 2, y, mark, self.scene.role(index, mark), strong=True)

    def _text(self, index: int) -> tuple[str, str]:
        """Return the letters in a cell, and their role."""
        scene, view = self.scene, self.scene.view
        mark, codes = scene.cells[index], view.codes(index)
        if mark is not None:
            return mark, scene.role(index, mark)
        if "open" in codes or "closed" in codes:
            return (signs.OPEN if "open" in codes else signs.CLOSED), ""
        if "forbidden" in codes:
            return signs.FORBIDDEN, ""
        if self._has_labels and (label := view.labels.get(index, "")):
            if view.worth(index):
                signs_within = 2 if self.size.high > 1 or "hint" in codes else int(not self.size.is_ruled)
                room = max(1, self.size.wide - (1 if self._end else signs_within))
                label = label if len(label) <= room else label[:1]
                if "hint" in codes and self.size.high > 1:
                    label = signs.LEFT["hint"] + label + signs.RIGHT["hint"]
                return label, scene.role(index, None)
            return label[: self.size.wide], LINE
        if index in scene.possible and not self.viewport.around.dotted:
            return signs.POSSIBLE, SECOND
        return "", ""

    def _letter(self, index: int) -> None:
        """Draw a cell of one line: a letter between two signs."""
        scene, mark, is_marked = self.scene, self.scene.cells[index], index in self.scene.marked
        text, role = "", ""
        if mark is not None:
            text, role = mark, scene.role(index, mark)
        elif is_marked or index in scene.view.labels or index in scene.possible:
            text, role = self._text(index)
        if not text and (is_marked or self._has_dots):
            text, role = self._empty(index)
        (x, y), long = self._places[index], len(text) or 1
        x += self._end - long if self._end else (self.size.wide - long + 1) // 2
        self.canvas.write(x, y, text, role, mark is not None)
        if is_marked:
            left, right = scene.signs_around(index)
            self.canvas.write(x - 1, y, left, strong=True)
            if x + long < self.viewport.width:
                self.canvas.write(x + long, y, right, strong=True)

    def _empty(self, index: int) -> tuple[str, str]:
        """Return what is in an empty cell without a label, and its role."""
        around, is_star = self.viewport.around, index in self.scene.stars
        if self.viewport.is_lattice and is_star:
            return signs.HEAVY_CROSS, SECOND
        has_none = self.layout.gravity and around.holder
        if around.dotted and not self._has_labels and self.scene.possible:
            has_none = index not in self.scene.possible
        return "" if has_none else signs.STAR if is_star else signs.DOT, FAINT

    def _mark(self, mark: str, box: Box, size: tuple[int, int], index: int | None = None) -> None:
        """Draw *mark* in the middle of *box* in *size* dots, or in ASCII signs."""
        wide, high = size
        if not self.unicode:
            self._ascii_mark(mark, box, self.scene.role(index or 0, mark))
            return
        dots = (disc_dots if self.scene.discs else mark_dots)(mark, wide, high)
        if index is not None and "leaving" in self.scene.view.codes(index):
            # On a thin diagonal every dot needs the same half block.
            thin = mark == "X" and thickness(high) == 1
            dots = frozenset((x, y) for x, y in dots if not (min(y, high - 1 - y) if thin else x + y) % 2)
        x, y = box.x + (box.width - wide) // 2, 2 * box.y + (2 * box.height - high) // 2
        self.dots.add(dots, self.scene.role(index or 0, mark), x, y)

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

    # Signs of drawn cells

    def _signs(self, index: int) -> None:
        scene, view = self.scene, self.scene.view
        if index not in scene.marked:
            return
        codes = view.codes(index)
        if self.layout.tiles:
            self._tile_signs(index)
            return
        box = self._around(index)
        middle, right = box.y + box.height // 2, box.x + box.width - 1
        highlight = signs.pointer([code for code in codes if code != "cursor"])
        if highlight == "hint" and scene.cells[index] is None and view.worth(index):
            highlight = ""  # These signs are close to the label.
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
        is_struck = self.unicode and self.layout.planes == 1 and (index,) not in view.lines
        if index in scene.winning and not is_struck:
            lines = (middle,) if index in view.last else (box.y, box.y + box.height - 1)
            for line in lines:
                self.canvas.write(box.x, line, "*", strong=True)
                self.canvas.write(right, line, "*", strong=True)

    def _tile_signs(self, index: int) -> None:
        """Draw the arrow at the edge of a tile towards the gap, with the key that slides the tile."""
        box, codes = self._around(index), self.scene.view.codes(index)
        low, right = box.y + box.height - 1, box.x + box.width - 1
        x, y = box.x + box.width // 2, box.y + box.height // 2
        places = {"left": (box.x, y), "right": (right, y), "up": (x, box.y), "down": (x, low)}
        if box.height == 1:
            places |= {"up": (right, y), "down": (right, y)}
        is_last = box.height == 1 and index in self.scene.view.last
        signs_around = signs.around(highlight=signs.pointer(codes), last=is_last, winning=False)
        for column, sign in zip((box.x, right), signs_around, strict=True):
            self.canvas.write(column, y, sign, strong=True)
        for code, sign in signs.SLIDES.items():
            if code in codes:
                self.canvas.write(*places[code.removeprefix("slides:")], sign, LINE)

    def _cursor_signs(self, index: int) -> None:
        """Draw the signs of the cursor over those of the neighbours."""
        box = self._around(index)
        if self.unicode:
            arm = 1 + (self.size.wide >= WIDE_ARMS) + (self.size.wide >= WIDER_ARMS)
            draw_corners(self.canvas, box, arm, 2 if box.height >= HIGH_SIDES else 1)
            return
        self.canvas.write(box.x, box.y + box.height // 2, ">", strong=True)
        self.canvas.write(box.x + box.width - 1, box.y + box.height // 2, "<", strong=True)

    def _brackets(self, box: Box) -> None:
        """Draw the brackets of the last move, as tall as the cell; bold if there are colours."""
        high = 2 if box.height >= HIGH_SIDES else box.height - 1
        draw_corners(self.canvas, box, 1, high, signs.BRACKETS, strong=self.coloured)

    def _strike(self) -> None:
        """Draw the winning lines from cell to cell, not from edge to edge.

        If a row of fields won, the lines go through the fields.
        """
        lines = self.scene.view.lines
        if self.layout.owned and self.unicode:
            if lines and not any(self.viewport.hidden):
                ends = self._middle_of_field(lines[0][0]), self._middle_of_field(lines[-1][0])
                self._strike_through(*ends, len(lines) - 1, self.scene.cells[lines[0][0]])
            return
        if self.size.high == 1 or not self.unicode or self.layout.planes > 1:
            return
        for line in lines:
            for run in straight_parts(self.scene.game.shape, line) if len(line) > 1 else []:
                ends = self._centre(run[0]), self._centre(run[-1])
                self._strike_through(*ends, max(1, len(run) - 1), self.scene.cells[run[0]])

    def _strike_through(
        self, one: tuple[float, float], other: tuple[float, float], steps: int, mark: str | None
    ) -> None:
        """Draw a line of *mark* from one middle to the *other* in *steps* steps."""
        (left, top), (right, bottom) = one, other
        far = 0.6 if self.size.wide < THICK_STROKE else 1.0
        if top == bottom:  # Between two half lines it would be twice as thick.
            top = bottom = int(top)
        over = (right - left) / steps * REACH, (bottom - top) / steps * REACH
        on, near = struck((left - over[0], top - over[1]), (right + over[0], bottom + over[1]), far)
        if not (self.coloured and self.scene.role(0, mark)):
            self.dots.clear(near)
        self.dots.add((dot for dot in on if self._is_inside(dot)), "", strong=True)

    def _middle_of_field(self, index: int) -> tuple[float, float]:
        """Return the middle of the field of a cell, in columns and half lines."""
        down, across = self.layout.fields
        _, row, column = self.layout.place(index)
        cells = self.grid.field_cells(row // down * (self.layout.columns // across) + column // across)
        (left, top), (right, bottom) = self._centre(cells[0]), self._centre(cells[-1])
        return (left + right) / 2, (top + bottom) / 2

    def _is_inside(self, dot: Dot) -> bool:
        """Return True if *dot* is on the cells of the board or between them."""
        x, y = self.viewport.corners[0]
        wide, high = extent_of(self.scene, self.size, self.viewport.rows, self.viewport.columns)
        return x <= dot[0] < x + wide and 2 * y <= dot[1] < 2 * (y + high)

    def _centre(self, index: int) -> tuple[float, float]:
        """Return the middle of a cell, in columns and half lines."""
        x, y = self.viewport.places[index]
        return x + (self.size.wide - 1) / 2, 2 * y + (2 * self.size.high - 1) / 2
