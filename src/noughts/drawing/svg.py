"""A game as one self-contained SVG, without scripts, styles, fonts or references.

The paper is squared and the marks are written with a broad pen. Small boards are ruled by hand, large ones
with thin lines. Sizes are attributes, so every content security policy allows them.
"""

from collections.abc import Iterable, Sequence
from math import dist, hypot

from noughts.core.board import Shape
from noughts.drawing.signs import signs_of_rules, threats
from noughts.drawing.strokes import (
    FIRM,
    WIDTH,
    Point,
    course,
    mark_course,
    mark_path,
    outline,
    plain,
    variant_of,
)
from noughts.drawing.svg_document import DARK, FONT, LIGHT, SQUARE, Palette, Sheet, element, write_svg
from noughts.drawing.svg_grid import CELL, Ruling, Space, compact_space, space_of
from noughts.drawing.view import View, field_owners, side_of_worth, straight_parts, view_of
from noughts.errors import ShapeError
from noughts.games.base import Game, check_game
from noughts.games.layout import Layout, star_points
from noughts.games.notation import format_position

MAX_CELLS = 10_000
"""The maximum number of cells of a board that is drawn."""

STRIKE, STAR = 11.0, 7.0
LABEL_PIXELS = 13.0
BAND, DISC, NEAR = 14.0, 37.0, 1.5 * CELL
"""The width of the band between two cells of a pair, and the radius of the discs on them.

Pairs with cells nearer than NEAR have different colours, if possible.
"""
FIELD_STRIKE = 0.7
"""The width of a stroke over fields, for each cell of a field's width."""
REACH, PAST_THE_EDGE = 33.0, 70.0
"""The length of a winning stroke after the centre of its last cell, and at an edge where it wraps."""

HERE = "M6 25V6H25M75 6H94V25M94 75V94H75M25 94H6V75"


def draw_svg(
    game: Game,
    *,
    title: str = "",
    description: str = "",
    dark: bool = False,
    numbered: bool = False,
    first: int = 1,
    view: View | None = None,
    below: Sheet | None = None,
) -> str:
    """Return the board of *game* as SVG.

    A screen reader reads *title* and *description*; the defaults are the name of the game and the position as
    text. *numbered* writes the numbers of the cells, counted from *first*, into the possible ones. A *view*
    replaces the labels and highlights of cells. Another sheet, such as
    :meth:`~noughts.drawing.chart.Chart.sheet`, may be added *below*. Raises
    :class:`~noughts.errors.ShapeError` if the board has more than :data:`MAX_CELLS` cells, and ``TypeError``
    if *game* is not a :class:`~noughts.games.base.Game`.

    >>> from noughts import TicTacToe
    >>> draw_svg(TicTacToe(), title="Tic-tac-toe").startswith("<svg xmlns=")
    True
    """
    check_game(game)
    _check_size(game)
    if view is None:
        view = view_of(game, first, labels=numbered)
    palette = DARK if dark else LIGHT
    sheets = [sheet for sheet in (_Picture(game, view, palette).draw(), below) if sheet is not None]
    return write_svg(sheets, palette, title or game.name, description or format_position(game))


def draw_boards(
    boards: Sequence[tuple[Game, View]], *, title: str, description: str, dark: bool = False
) -> str:
    """Return *boards* with their views as one SVG, one board below the other.

    The arguments and errors are those of :func:`draw_svg`.
    """
    palette = DARK if dark else LIGHT
    for game, _ in boards:
        _check_size(game)
    sheets = [_Picture(game, view, palette).draw() for game, view in boards]
    return write_svg(sheets, palette, title, description)


def draw_small(game: Game, palette: Palette, side: float, most: float) -> tuple[float, float, str]:
    """Return the width, height and elements of the board of *game* without names around it.

    A cell is *side* pixels wide, or less if the board would be larger than *most* pixels. The cells of the
    last move are tinted.
    """
    picture = _Picture(game, view_of(game, labels=False), palette)
    width, height = picture.space.width / CELL, picture.space.height / CELL
    return picture.draw_small(min(side, most / max(width, height)))


def draw_board(game: Game, palette: Palette, width: float, height: float) -> tuple[float, float, str]:
    """Return the width, height and elements of the board of *game* without names, as large as fits.

    Raises :class:`~noughts.errors.ShapeError` as :func:`draw_svg` does.
    """
    _check_size(game)
    picture = _Picture(game, view_of(game, labels=False), palette, compact_space(game))
    space = picture.space
    return picture.draw_alone(min(width / space.width, height / space.height))


def _check_size(game: Game) -> None:
    layout = game.layout
    if layout.planes * layout.rows * layout.columns > MAX_CELLS:
        raise ShapeError(game.shape, "too-large-to-draw", MAX_CELLS)


def cell_boxes(game: Game) -> dict[int, tuple[float, float, float, float]]:
    """Return the places of the cells in the picture of *game*, by flat index.

    A place is left, top, width and height, as parts of the picture's width and height.

    >>> from noughts import TicTacToe
    >>> [round(part, 2) for part in cell_boxes(TicTacToe())[4]]
    [0.4, 0.37, 0.25, 0.26]
    """
    return _Picture(game, View(), LIGHT).boxes()


class _Picture:
    """A picture in progress, in cells of 100 on squares of paper."""

    def __init__(self, game: Game, view: View, palette: Palette, space: Space | None = None) -> None:
        self.game, self.view, self.palette = game, view, palette
        self.layout = game.layout
        self.cells = game.cells
        self.space = space or space_of(game.shape, self.layout)
        self.ruling = Ruling(game, self.space)
        self.scale = self.ruling.squares * SQUARE / CELL
        self.is_small = False
        self.parts: list[str] = []

    def draw_small(self, side: float) -> tuple[float, float, str]:
        """Return the width, height and elements of the board alone; cells are *side* pixels wide."""
        self.scale, self.is_small = side / CELL, True
        self._wash(self.view.winning | self.view.last)
        self._owners()
        self._rule()
        for index in range(len(self.cells)):
            self._cell(index)
        self._strike()
        return self._alone()

    def draw_alone(self, scale: float) -> tuple[float, float, str]:
        """Return the width, height and elements of the board without names, *scale* times its size."""
        self.scale = scale
        self._wash(self.view.winning)
        self._owners()
        self._rule()
        self._stars()
        self._contents()
        return self._alone()

    def _alone(self) -> tuple[float, float, str]:
        begun = f'<g transform="scale({self.scale:.4g})" {FONT}>'
        return (
            self.space.width * self.scale,
            self.space.height * self.scale,
            "".join((begun, *self.parts, "</g>")),
        )

    def draw(self) -> Sheet:
        self._wash(self.view.winning)
        self._join_pairs()
        self._owners()
        self._rule()
        self._stars()
        self._labels()
        self._contents()
        return self._sheet()

    def _contents(self) -> None:
        """Draw the cells, the brackets around the last move, and the winning strokes."""
        for index in range(len(self.cells)):
            self._cell(index)
        for index in sorted(self.view.last):
            self._at(index, HERE, fill="none", stroke=self.palette.ink, stroke_width=self._px(2.5))
        self._strike()

    def _add(self, kind: str, text: str | None = None, /, **attributes: str | float) -> None:
        self.parts.append(element(kind, text, **attributes))

    # Below the lines

    def _wash(self, tinted: frozenset[int]) -> None:
        for index in sorted(tinted):
            self._outlined(index, 2, fill=self.palette.wash(self.cells[index] or ""))
        if self.layout.tiles:
            for index, tile in enumerate(self.cells):
                if tile is None:
                    self._outlined(index, 2, fill=self.palette.shade)

    def _outlined(self, index: int, inwards: float, /, **attributes: str | float) -> None:
        corners = " ".join(f"{plain(x)},{plain(y)}" for x, y in self.space.outline(index, inwards))
        self._add("polygon", points=corners, **attributes)

    def _owners(self) -> None:
        """Draw a large pale mark on a field that was won, and a shade on a drawn one."""
        down, across = self.layout.fields
        for number, owner in enumerate(field_owners(self.game)):
            if owner is None:
                continue
            row, column = divmod(number, self.layout.columns // across)
            x, y = self.space.corner(self.layout.index(0, row * down, column * across))
            if owner not in self.game.sides:
                size = {"width": across * CELL - 4, "height": down * CELL - 4}
                self._add("rect", x=x + 2, y=y + 2, **size, fill=self.palette.shade)
                continue
            place = f"translate({plain(x)} {plain(y)}) scale({min(down, across)})"
            path, colour = mark_path(owner, variant_of(number)), self.palette.pen(owner)
            self._add("path", transform=place, d=path, fill=colour, opacity=".3")

    def _join_pairs(self) -> None:
        """Draw a band between the cells of each pair, and a disc on each of them."""
        places = [[self.space.centre(index) for index in pair] for pair in self.view.pairs]
        colours = list[str]()
        for number, (one, other) in enumerate(places):
            near = [
                colours[before]
                for before, ends in enumerate(places[:number])
                if any(dist(end, place) < NEAR for end in ends for place in (one, other))
            ]
            colours.append(min(self.palette.bands, key=near.count))
            path = "M" + "L".join(f"{plain(x)} {plain(y)}" for x, y in (one, other))
            self._add("path", d=path, stroke=colours[-1], stroke_width=BAND)
        for pair, colour in zip(self.view.pairs, colours, strict=True):
            for index in pair:
                self._round(index, DISC, fill=colour)

    # Lines

    def _rule(self) -> None:
        """Draw thin lines, strokes of a pen, and floors below the planes that need them."""
        origins = [self.space.origin(plane) for plane in range(self.layout.planes)]
        thin = "".join(line for origin in origins for line in self.ruling.thin(origin))
        strokes = "".join(line for origin in origins for line in self.ruling.pen(origin))
        floors = "".join(self.ruling.floor(plane, origin) for plane, origin in enumerate(origins))
        if thin:
            self._add("path", d=thin, fill="none", stroke=self.palette.line, stroke_width=self._px(1.1))
        for ink in filter(None, (strokes, floors)):
            self._add("path", d=ink, fill=self.palette.ink)
        if sides := "".join(self.ruling.joined_sides()):
            dashes = f"{self._px(5)} {self._px(4)}"
            line = {"stroke": self.palette.line, "stroke_width": self._px(1.5), "stroke_dasharray": dashes}
            self._add("path", d=sides, fill="none", **line)

    def _stars(self) -> None:
        stars = [self.layout.index(0, *place) for place in sorted(star_points(self.layout))]
        hidden = {index for pair in self.view.pairs for index in pair}
        for x, y in [
            self.space.centre(index) for index in stars if self.cells[index] is None and index not in hidden
        ]:
            self._add("circle", cx=x, cy=y, r=STAR, fill=self.palette.line)

    def _labels(self) -> None:
        size = LABEL_PIXELS / self.scale
        if labels := list(self.ruling.labels(size)):
            self.parts.append(f'<g font-size="{plain(size)}" fill="{self.palette.second}">')
            for x, y, anchor, text, is_strong in labels:
                weight = {"font_weight": "600"} if is_strong else {}
                self._add("text", text, x=x, y=y, text_anchor=anchor, **weight)
            self.parts.append("</g>")

    # Above the lines

    def _cell(self, index: int) -> None:
        mark = self.cells[index]
        if mark is None and (worth := self.view.worth(index)):
            self._worth(index, worth)
        elif mark is None:
            self._text(index, self.view.labels.get(index, ""), 30, self.palette.second)
        elif self.layout.tiles:
            self._text(index, mark, 46, self.palette.ink)
        elif self.is_small and (path := mark_course(mark)):
            self._at(index, path, fill="none", stroke=self.palette.pen(mark), stroke_width=WIDTH)
        elif path := mark_path(mark, variant_of(index)):
            self._at(index, path, fill=self.palette.pen(mark))
        else:
            self._text(index, mark, 70, self.palette.pen(mark))
        for code in self.view.codes(index):
            self._highlight(index, code)
        self._threats(index)

    def _strike(self) -> None:
        for path in stroke_paths(self.game, self.space, self.view.lines):
            self._add("path", d=path, fill=self.palette.ink)

    def _at(self, index: int, path: str, /, **attributes: str | float) -> None:
        x, y = self.space.corner(index)
        self._add("path", transform=f"translate({plain(x)} {plain(y)})", d=path, **attributes)

    def _round(self, index: int, radius: float, /, **attributes: str | float) -> None:
        x, y = self.space.centre(index)
        self._add("circle", cx=x, cy=y, r=radius, **attributes)

    def _text(self, index: int, text: str, size: float, colour: str) -> None:
        if text:
            x, y = self.space.centre(index)
            size = min(size, 150 / len(text))
            place = {"x": x, "y": y + 0.36 * size, "font_size": size}
            self._add("text", text, **place, text_anchor="middle", fill=colour)

    def _worth(self, index: int, worth: str) -> None:
        """Draw the value of a move: a disc for a win, a ring for a draw, a dashed square for a loss."""
        side = side_of_worth(self.game, worth)
        colour = self.palette.pen(side) if side else self.palette.second
        line = {"fill": "none", "stroke": colour, "stroke_width": self._px(2)}
        if worth == "win":
            self._round(index, 31, fill=colour)
        elif worth == "draw":
            self._round(index, 31, **line)
        else:
            self._at(index, "M20 20H80V80H20Z", **line, stroke_dasharray=f"{self._px(5)} {self._px(4)}")
        inside = self.palette.paper if worth == "win" else colour
        text = self.view.labels.get(index, "")
        self._text(index, text, min(32, 84 / max(1, len(text))), inside)

    def _highlight(self, index: int, code: str) -> None:
        ink = self.palette.ink
        if code == "cursor":
            self._outlined(index, 3, fill="none", stroke=ink, stroke_width=self._px(3))
        elif code == "hint":
            dots = {"stroke_dasharray": f"{self._px(0.5)} {self._px(6)}", "stroke_linecap": "round"}
            line = {"fill": "none", "stroke": self.palette.pen(self.game.turn), "stroke_width": self._px(2.5)}
            self._round(index, 42 if self.view.worth(index) else 36, **line, **dots)
        elif code == "forbidden":
            self._at(
                index, "M35 35H65V65H35ZM35 65L65 35", fill="none", stroke=ink, stroke_width=self._px(1.5)
            )
        elif code in ("said", "next"):
            dashes = {"stroke_dasharray": f"{self._px(4)} {self._px(4)}"} if code == "next" else {}
            self._round(index, 38, fill="none", stroke=ink, stroke_width=self._px(1.5), **dashes)
        elif code in ("open", "closed"):
            self._round(index, 12 if code == "open" else 6, fill=ink)
        elif code != "leaving" and (signs := signs_of_rules().get(code)):
            x, y = self.space.centre(index)
            self._add("text", signs[0], x=x - 34, y=y + 11, font_size=30, text_anchor="middle", fill=ink)

    def _threats(self, index: int) -> None:
        x, y = self.space.centre(index)
        for place, sign in zip((x - 34, x + 34), threats(self.view.codes(index)), strict=True):
            if sign.strip():
                at = {"x": place, "y": y + 11, "font_size": 30}
                self._add("text", sign, **at, text_anchor="middle", fill=self.palette.ink)

    # Sheet

    def boxes(self) -> dict[int, tuple[float, float, float, float]]:
        sheet, (left, top, _, _) = self._sheet(), self.ruling.margins
        wide, high = CELL * self.scale / sheet.width, CELL * self.scale / sheet.height
        boxes_of_cells = {}
        for index in range(len(self.cells)):
            x, y = self.space.corner(index)
            across, down = left * SQUARE + x * self.scale, top * SQUARE + y * self.scale
            boxes_of_cells[index] = (across / sheet.width, down / sheet.height, wide, high)
        return boxes_of_cells

    def _px(self, pixels: float) -> str:
        """Convert a width in pixels to hundredths of a cell."""
        return plain(pixels / self.scale)

    def _sheet(self) -> Sheet:
        left, top, right, bottom = self.ruling.margins
        across, down = self._squares(self.space.width), self._squares(self.space.height)
        width, height = (left + across + right) * SQUARE, (top + down + bottom) * SQUARE
        place = f"translate({left * SQUARE} {top * SQUARE}) scale({self.scale:g})"
        return Sheet(width, height, (f'<g transform="{place}" {FONT}>', *self.parts, "</g>"))

    def _squares(self, extent: float) -> int:
        """Return the number of squares of paper that *extent* covers, rounded up."""
        return -int(-extent * self.ruling.squares // CELL)


def stroke_paths(game: Game, space: Space, lines: Iterable[tuple[int, ...]]) -> list[str]:
    """Return the winning strokes through *lines*; if a row of fields won, one stroke over them.

    If the planes of *space* are not in their usual places, a line through several of them has a stroke in
    each cell.
    """
    strokes = list(lines)
    if game.layout.owned and strokes:
        return [_over_fields(game.layout, space, strokes)]
    if len(space.above) != len(game.shape) - 2:
        strokes = [part for line in strokes for part in _within_planes(space, line)]
    return [path for line in strokes for path in _through_cells(game.shape, space, line)]


def _within_planes(space: Space, line: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return *line*, or its cells if they are on several planes."""
    return [line] if len({space.layout.place(index)[0] for index in line}) == 1 else [(i,) for i in line]


def _over_fields(layout: Layout, space: Space, lines: list[tuple[int, ...]]) -> str:
    """Return the stroke over the fields in which *lines* were won."""
    down, across = layout.fields
    ends = []
    for line in (lines[0], lines[-1]):
        _, row, column = layout.place(line[0])
        left, top = space.corner(layout.index(0, row - row % down, column - column % across))
        ends.append((left + across * CELL / 2, top + down * CELL / 2))
    start, end = ends
    longest = max(abs(end[0] - start[0]), abs(end[1] - start[1]))
    ahead = ((end[0] - start[0]) / longest, (end[1] - start[1]) / longest)
    start, end = _moved(start, ahead, -REACH * across), _moved(end, ahead, REACH * across)
    return outline(course(start, end, 1.5, len(lines)), STRIKE * FIELD_STRIKE * across, (0.8, 0.55), FIRM)


def _through_cells(shape: Shape, space: Space, line: tuple[int, ...]) -> list[str]:
    """Return the winning stroke through the cells of *line*.

    It has several pieces, which run off the edge, if the line continues at the other side.
    """
    runs = straight_parts(shape, line)
    longest = max(runs, key=len)
    one, two = space.centre(longest[0]), space.centre(longest[-1])
    length = hypot(two[0] - one[0], two[1] - one[1])
    # A line of one cell has no direction; its stroke goes from lower left to upper right.
    ahead = ((two[0] - one[0]) / length, (two[1] - one[1]) / length) if length else (0.7, -0.7)
    # In a diagonal of a square cell the stroke is longer inside the cell.
    stretch = 1 / max(abs(ahead[0]), abs(ahead[1]))
    paths = []
    for number, run in enumerate(runs):
        near = REACH if number == 0 else PAST_THE_EDGE
        far = REACH if number == len(runs) - 1 else PAST_THE_EDGE
        start = _moved(space.centre(run[0]), ahead, -near * stretch)
        end = _moved(space.centre(run[-1]), ahead, far * stretch)
        paths.append(outline(course(start, end, 1.5, len(run)), STRIKE, (0.8, 0.55), FIRM))
    return paths


def _moved(point: Point, direction: Point, by: float) -> Point:
    return point[0] + direction[0] * by, point[1] + direction[1] * by
