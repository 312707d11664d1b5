"""How the value of a game went up and down, as text and as a picture, from plain numbers.

A value is a number from 1, the first side wins, over 0, a draw, to -1, the second side wins; None where it
is not known. The first of several stands before the first move, each other one after the next move. Values
that are *guessed* and not proved are joined by dotted lines; like *turning*, that holds places in the values.
"""

from collections.abc import Collection, Sequence

from noughts.drawing.canvas import Canvas
from noughts.drawing.paper import DARK, FONT, LIGHT, SQUARE, Palette, Sheet, escaped
from noughts.drawing.pen import plain
from noughts.drawing.signs import ACROSS, ASCII, DOT, DOWN, FRAME, GUESS
from noughts.text import display_width, fit

Value = float | None
Levels = tuple[str, str, str]
"""What stands beside the three ruled levels, from the top."""

LEVELS: Levels = ("1", "0", "-1")

ROWS = 5
"""Lines of a chart of text, of which the first, the middle and the last are ruled."""

STRIDES = (4, 2)
"""Columns from one value to the next: as many as fit; with the last a long game is cut into pieces."""

EVERY = (1, 2, 5, 10, 20, 50, 100, 200, 500)
"""Between two numbers of moves below a chart."""


def chart_text(
    values: Sequence[Value],
    *,
    turning: Collection[int] = (),
    guessed: Collection[int] = (),
    levels: Levels = LEVELS,
    width: int = 79,
    unicode: bool = True,
) -> list[str]:
    r"""The course of *values* as lines of text, with a ring at the *turning* points.

    *turning* holds places in *values*; *levels* are the words for 1, 0 and -1. A game too long for
    *width* columns is continued further down. With *unicode* false the lines are drawn in ASCII.

    >>> print("\n".join(chart_text([0, 0, 1, 1], turning={2}, unicode=False)))
     1 . . . .(?)---
               |
     0 --------+ . .
    <BLANKLINE>
    -1 . . . . . . .
       0   1   2   3
    """
    margin = max(map(display_width, levels)) + 1
    room = max(width - margin - 2, STRIDES[-1])
    stride = next((step for step in STRIDES if (len(values) - 1) * step <= room), STRIDES[-1])
    most = room // stride + 1
    lines: list[str] = []
    for start in range(0, max(len(values), 1), most):
        part = range(start, min(start + most, len(values)))
        drawn = _Piece(values, guessed, part, stride).draw(turning)
        words = [levels[0], "", levels[1], "", levels[2], ""]
        lines += [""] if lines else []
        lines += [
            f"{fit(word, margin - 1, right=True)} {line}".rstrip()
            for word, line in zip(words, drawn, strict=True)
        ]
    return lines if unicode else [line.translate(ASCII) for line in lines]


class _Piece:
    """Those of *values* whose places are in *part*, on a canvas."""

    def __init__(self, values: Sequence[Value], guessed: Collection[int], part: range, stride: int) -> None:
        self.values, self.guessed, self.part, self.stride = values, guessed, part, stride
        self.canvas = Canvas()

    def draw(self, turning: Collection[int]) -> list[str]:
        end = self._x(self.part[-1]) if self.part else 0
        for row in range(0, ROWS, 2):
            self.canvas.write(0, row, (DOT + " ") * (end // 2 + 1))
        for place in self.part:
            self._line_to(place)
        for place in self.part:
            value = self.values[place]
            if place in turning and value is not None:
                self._ring(self._x(place), _row(value))
        self._numbers()
        drawn = ["".join(span.text for span in line) for line in self.canvas.spans()]
        return (drawn + [""] * ROWS)[: ROWS + 1]

    def _x(self, place: int) -> int:
        return (place - self.part[0]) * self.stride

    def _line_to(self, place: int) -> None:
        """The line from the value before the one at *place*: across, then up or down."""
        value = self.values[place]
        if value is None:
            return
        x, y = self._x(place), _row(value)
        before = self.values[place - 1] if place > self.part[0] else None
        is_guess = place in self.guessed or (before is not None and place - 1 in self.guessed)
        across, down = GUESS if is_guess else (ACROSS, DOWN)
        if before is None:
            self.canvas.write(x, y, across)
            return
        old = _row(before)
        self.canvas.write(x - self.stride + 1, old, across * self.stride)
        if y != old:
            self._step(x, old, y, down)

    def _step(self, x: int, old: int, new: int, down: str) -> None:
        """Up or down from one line to another, round the corners."""
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


def _row(value: float) -> int:
    """The line of a chart of text on which *value* stands; what is no clear win keeps off the edge."""
    row = round((1 - value) * (ROWS - 1) / 2)
    if abs(value) < 1:
        return min(max(row, 1), ROWS - 2)
    return row


def _every(step: float, room: float) -> int:
    """How many values apart numbers stand that take *room*, where values are *step* apart."""
    return next((every for every in EVERY if every * step >= room), EVERY[-1])


# As a picture

LEVEL = 3 * SQUARE
"""Pixels from one ruled level to the next."""

STEPS = (22, 11, 6, 3)
"""Pixels from one value to the next: the first with which the chart is not wider than :data:`MOST_WIDE`."""

MOST_WIDE = 40 * SQUARE
LEFT, TOP, RIGHT, BOTTOM = 5 * SQUARE, 2 * SQUARE, 2 * SQUARE, 2 * SQUARE
RING = 9
DOTTED = ' stroke-dasharray="0.1 5"'
NUMBER = 8
"""Pixels that a figure of the numbers below the chart takes."""


def chart_sheet(
    values: Sequence[Value],
    *,
    turning: Collection[int] = (),
    guessed: Collection[int] = (),
    levels: Levels = LEVELS,
    dark: bool = False,
) -> Sheet:
    """The course of *values* as a picture, to be put below another, with a ring at the *turning* points."""
    palette = DARK if dark else LIGHT
    last = max(len(values) - 1, 1)
    step = next((step for step in STEPS if last * step <= MOST_WIDE), STEPS[-1])
    squares = -(-last * step // SQUARE)
    parts = [
        f'<g {FONT} font-size="13">',
        *_rules(levels, squares * SQUARE, palette),
        *_course(values, guessed, step, palette),
        *_rings(values, turning, step, palette),
        *_numbers(len(values), step, palette),
        "</g>",
    ]
    return Sheet(LEFT + squares * SQUARE + RIGHT, TOP + 2 * LEVEL + BOTTOM, tuple(parts))


def _rules(levels: Levels, wide: int, palette: Palette) -> list[str]:
    lines = "".join(f"M{LEFT} {TOP + number * LEVEL}h{wide}" for number in range(3))
    parts = [f'<path d="{lines}" fill="none" stroke="{palette.line}" stroke-width="1.1"/>']
    for number, words in enumerate(levels):
        place = f'x="{LEFT - 10}" y="{TOP + number * LEVEL + 5}" text-anchor="end"'
        parts.append(f'<text {place} fill="{palette.second}">{escaped(words)}</text>')
    return parts


def _course(values: Sequence[Value], guessed: Collection[int], step: int, palette: Palette) -> list[str]:
    """The line, with a gap where no value is known; a value alone between two gaps is a dot."""
    paths = {False: "", True: ""}  # what is proved, and what is guessed
    before, was_guess = "", False
    for place, value in enumerate(values):
        if value is None:
            before = ""
            continue
        here = f"{LEFT + place * step} {_height(value)}"
        is_guess = place in guessed or (before != "" and place - 1 in guessed)
        if not before:
            paths[is_guess] += f"M{here}h0"
        else:
            paths[is_guess] += f"L{here}" if is_guess == was_guess else f"M{before}L{here}"
        before, was_guess = here, is_guess
    shape = 'fill="none" stroke-width="2.5" stroke-linejoin="round" stroke-linecap="round"'
    return [
        f'<path d="{path}" {shape}{DOTTED if is_guess else ""} stroke="{palette.ink}"/>'
        for is_guess, path in paths.items()
        if path
    ]


def _rings(values: Sequence[Value], turning: Collection[int], step: int, palette: Palette) -> list[str]:
    parts = []
    for place, value in enumerate(values):
        if place in turning and value is not None:
            x, y = LEFT + place * step, _height(value)
            ring = f'r="{RING}" fill="{palette.paper}" stroke="{palette.ink}" stroke-width="2"'
            parts.append(f'<circle cx="{x}" cy="{y}" {ring}/>')
            middle = f'x="{x}" y="{plain(float(y) + 4.7)}" text-anchor="middle"'
            parts.append(f'<text {middle} fill="{palette.ink}">?</text>')
    return parts


def _numbers(count: int, step: int, palette: Palette) -> list[str]:
    every = _every(step, NUMBER * (len(str(count)) + 1))
    y = TOP + 2 * LEVEL + SQUARE + 6
    return [
        f'<text x="{LEFT + place * step}" y="{y}" text-anchor="middle" fill="{palette.second}">{place}</text>'
        for place in range(0, count, every)
    ]


def _height(value: float) -> str:
    return plain(TOP + (1 - value) * LEVEL)
