"""A chart of the values of a game, as text and as a picture, made of plain numbers."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from noughts.drawing.canvas import LINE, Canvas, Rows
from noughts.drawing.signs import ACROSS, ASCII, DOT, DOWN, FRAME, GUESS
from noughts.drawing.strokes import plain
from noughts.drawing.svg_document import DARK, FONT, LIGHT, SQUARE, Palette, Sheet, element, write_svg
from noughts.text import display_width, fit

Value = float | None

ROWS = 5
"""The number of lines of a text chart. The first, the middle and the last are ruled."""

STRIDES = (4, 2)
"""The number of columns from one value to the next.

With the last number a long game is cut into pieces.
"""

EVERY = (1, 2, 5, 10, 20, 50, 100, 200, 500)
"""The steps between the move numbers below a chart."""

BAR_ROWS = 3
"""The number of lines of bars above their axis, and below."""

BARS = {
    (True, True): ("▄", "█"),
    (True, False): ("▀", "█"),
    (False, True): ("#", "#"),
    (False, False): ("-", "-"),
}
"""The characters of a half line and a whole line, by Unicode and by the direction up."""

BARS_NUMBERED = 10
"""The number of moves from one number below the bars to the next."""

# Sizes of the picture, in pixels

LEVEL = 3 * SQUARE
"""The distance between two ruled levels."""

STEPS = (22, 11, 6, 3)
"""The distances between two values; the first that fits in :data:`MAX_WIDTH` is used."""

MAX_WIDTH = 40 * SQUARE
LEFT, TOP, RIGHT, BOTTOM = 5 * SQUARE, 2 * SQUARE, 2 * SQUARE, 2 * SQUARE
RING = 9
DOTTED = {"stroke_dasharray": "0.1 5"}
NUMBER = 8
"""The width of a digit below the chart."""


@dataclass(frozen=True, slots=True)
class Chart:
    """The course of ``values``: one before the first move, then one after each move.

    A value is from 1 (the first side wins) over 0 (a draw) to -1 (the second side wins), or None if unknown.
    ``turning`` and ``guessed`` are indexes of values: the first have rings, and dotted lines join those that
    are not proved. ``levels`` are the words for 1, 0 and -1.
    """

    values: Sequence[Value]
    turning: Collection[int] = ()
    guessed: Collection[int] = ()
    levels: tuple[str, str, str] = ("1", "0", "-1")

    def text(self, *, width: int = 79, unicode: bool = True, dense: bool = False) -> list[str]:
        r"""Return the chart as lines; if it is longer than *width* columns, it continues below.

        With *dense*, it uses one column for each value before it is cut into pieces. With *unicode* false the
        lines are ASCII.

        >>> print("\n".join(Chart([0, 0, 1, 1], turning={2}).text(unicode=False)))
         1 . . . .(?)---
                   |
         0 --------+ . .
        <BLANKLINE>
        -1 . . . . . . .
           0   1   2   3
        """
        margin = max(map(display_width, self.levels)) + 1
        room = max(width - margin - 2, STRIDES[-1])
        count = len(self.values)
        is_dense = dense and (count - 1) * STRIDES[-1] > room >= count + 1
        stride = next((step for step in STRIDES if (count - 1) * step <= room), STRIDES[-1])
        stride = 1 if is_dense else stride
        most = room // stride + 1
        lines: list[str] = []
        for start in range(0, max(count, 1), most):
            drawn = _Piece(self, range(start, min(start + most, count)), stride).draw()
            words = [self.levels[0], "", self.levels[1], "", self.levels[2], ""]
            lines += [""] if lines else []
            lines += [
                f"{fit(word, margin - 1, right=True)} {line}".rstrip()
                for word, line in zip(words, drawn, strict=True)
            ]
        return lines if unicode else [line.translate(ASCII) for line in lines]

    def sheet(self, *, dark: bool = False) -> Sheet:
        """Return the chart as a sheet to be put below another."""
        palette = DARK if dark else LIGHT
        last = max(len(self.values) - 1, 1)
        step = next((step for step in STEPS if last * step <= MAX_WIDTH), STEPS[-1])
        squares = -(-last * step // SQUARE)
        parts = [
            f'<g {FONT} font-size="13">',
            *self._rules(squares * SQUARE, palette),
            *self._course(step, palette),
            *self._rings(step, palette),
            *self._numbers(step, palette),
            "</g>",
        ]
        return Sheet(LEFT + squares * SQUARE + RIGHT, TOP + 2 * LEVEL + BOTTOM, tuple(parts))

    def _repr_svg_(self) -> str:
        """Return the chart alone, for notebooks."""
        return write_svg([self.sheet()], LIGHT, " / ".join(self.levels), " ".join(map(str, self.values)))

    def known(self, part: range) -> Iterator[tuple[int, float, Value, bool]]:
        """Yield the known values in *part* with their indexes.

        Each also has the value before it, None if it is unknown or outside *part*, and True if the line
        between them is a guess.
        """
        for place in part:
            value, before = self.values[place], self.values[place - 1] if place > part.start else None
            if value is not None:
                is_guess = place in self.guessed or (before is not None and place - 1 in self.guessed)
                yield place, value, before, is_guess

    def _rules(self, wide: int, palette: Palette) -> list[str]:
        tops = [TOP + number * LEVEL for number in range(3)]
        lines = "".join(f"M{LEFT} {top}h{wide}" for top in tops)
        words = [
            element("text", word, x=LEFT - 10, y=top + 5, text_anchor="end", fill=palette.second)
            for word, top in zip(self.levels, tops, strict=True)
        ]
        return [element("path", d=lines, fill="none", stroke=palette.line, stroke_width=1.1), *words]

    def _course(self, step: int, palette: Palette) -> list[str]:
        """Return the line, with gaps at unknown values; a value between two gaps is a dot."""
        paths = {False: "", True: ""}  # One path is proved, the other is a guess.
        last, was_guess = "", False
        for place, value, before, is_guess in self.known(range(len(self.values))):
            here = f"{LEFT + place * step} {plain(_height(value))}"
            if before is None:
                paths[is_guess] += f"M{here}h0"
            else:
                paths[is_guess] += f"L{here}" if is_guess == was_guess else f"M{last}L{here}"
            last, was_guess = here, is_guess
        round_off = {"stroke_linejoin": "round", "stroke_linecap": "round"}
        return [
            element("path", d=path, fill="none", stroke_width=2.5, **round_off, **dots, stroke=palette.ink)
            for path, dots in ((paths[False], {}), (paths[True], DOTTED))
            if path
        ]

    def _rings(self, step: int, palette: Palette) -> list[str]:
        parts = []
        for place, value, _, _ in self.known(range(len(self.values))):
            if place in self.turning:
                x, y, ink = LEFT + place * step, _height(value), palette.ink
                ring = element("circle", cx=x, cy=y, r=RING, fill=palette.paper, stroke=ink, stroke_width=2)
                parts += [ring, element("text", "?", x=x, y=y + 4.7, text_anchor="middle", fill=ink)]
        return parts

    def _numbers(self, step: int, palette: Palette) -> list[str]:
        count, shape = len(self.values), {"text_anchor": "middle", "fill": palette.second}
        every = _every(step, NUMBER * (len(str(count)) + 1))
        return [
            element("text", str(place), x=LEFT + place * step, y=TOP + 2 * LEVEL + SQUARE + 6, **shape)
            for place in range(0, count, every)
        ]


class _Piece:
    """The values of *chart* with indexes in *part*, on a canvas."""

    def __init__(self, chart: Chart, part: range, stride: int) -> None:
        self.chart, self.part, self.stride = chart, part, stride
        self.canvas = Canvas()

    def draw(self) -> list[str]:
        end = self._x(self.part[-1]) if self.part else 0
        for row in range(0, ROWS, 2):
            self.canvas.write(0, row, (DOT + " ") * (end // 2 + 1))
        known = list(self.chart.known(self.part))
        for place, value, before, is_guess in known:
            across, down = GUESS if is_guess else (ACROSS, DOWN)
            x, y = self._x(place), _row(value)
            if before is None:
                self.canvas.write(x, y, across)
            else:
                self._line(x, _row(before), y, across, down)
        for place, value, _, _ in known:
            if place in self.chart.turning:
                self._ring(self._x(place), _row(value))
        self._numbers()
        drawn = self.canvas.texts()
        return (drawn + [""] * ROWS)[: ROWS + 1]

    def _x(self, place: int) -> int:
        return (place - self.part.start) * self.stride

    def _line(self, x: int, old: int, new: int, across: str, down: str) -> None:
        """Draw the line from the previous value to the one at *x*, with round corners."""
        self.canvas.write(x - self.stride + 1, old, across * self.stride)
        if new == old:
            return
        is_down = new > old
        top_left, top_right, bottom_left, bottom_right = (FRAME[number] for number in (0, 2, 6, 8))
        self.canvas.write(x, old, top_right if is_down else bottom_right)
        for row in range(min(old, new) + 1, max(old, new)):
            self.canvas.write(x, row, down)
        self.canvas.write(x, new, bottom_left if is_down else top_left)

    def _ring(self, x: int, y: int) -> None:
        is_wide = self.stride > STRIDES[-1] and x > 0
        self.canvas.write(x - is_wide, y, "(?)" if is_wide else "?")

    def _numbers(self) -> None:
        widest = len(str(self.part[-1])) if self.part else 1
        every = _every(self.stride, widest + 1)
        for place in self.part:
            if place % every == 0:
                self.canvas.write(self._x(place), ROWS, str(place))


def draw_bars(values: Sequence[Value], sides: tuple[str, ...], width: int, *, unicode: bool = True) -> Rows:
    """Return a game as bars of half lines in *width* columns; the first side's bars go up.

    *values* are those after each move, from 1 to -1. If the game has more moves than columns, a column shows
    the value of several moves that is farthest from a draw.
    """
    canvas, stride = Canvas(), max(1, -(-len(values) // width))
    canvas.write(0, BAR_ROWS, (ACROSS if unicode else ACROSS.translate(ASCII)) * width, LINE)
    for column, start in enumerate(range(0, len(values), stride)):
        known = [value for value in values[start : start + stride] if value is not None]
        value = max(known, key=abs, default=0)
        side, step = (sides[0], -1) if value > 0 else (sides[1], 1)
        halves = max(1, round(abs(value) * 2 * BAR_ROWS)) if value else 0
        half, whole = BARS[unicode, value > 0]
        for row in range(-(-halves // 2)):
            sign = half if 2 * row + 1 == halves else whole
            canvas.write(column, BAR_ROWS + step * (row + 1), sign, side)
    for place in range(0, width, BARS_NUMBERED):
        number = str(place * stride or 1)
        start = max(0, place - 1)
        if start + len(number) <= width:
            canvas.write(start, 2 * BAR_ROWS + 1, number, LINE)
    return canvas.spans()


def _row(value: float) -> int:
    """Return the line of a text chart for *value*; only clear wins are on the edge."""
    row = round((1 - value) * (ROWS - 1) / 2)
    if abs(value) < 1:
        return min(max(row, 1), ROWS - 2)
    return row


def _every(step: float, room: float) -> int:
    """Return the step between numbers that take *room*, if values are *step* apart."""
    return next((every for every in EVERY if every * step >= room), EVERY[-1])


def _height(value: float) -> float:
    return TOP + (1 - value) * LEVEL
