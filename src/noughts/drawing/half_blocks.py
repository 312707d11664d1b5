"""Marks of half blocks: square dots, one column wide and half a line high."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from math import dist

from noughts.drawing.canvas import Canvas

Dot = tuple[int, int]
"""A column and a half line."""

Dots = frozenset[Dot]

MARK_BOXES = {
    3: (5, 5),
    4: (7, 8),
    5: (9, 8),
    6: (11, 10),
    7: (11, 12),
    9: (15, 14),
    11: (17, 16),
    13: (21, 20),
    15: (25, 24),
    19: (31, 30),
}
"""The size of a mark in dots, across and down, by the height of its cell in lines."""

SMALL = {
    "X": ("X...X", ".X.X.", "..X..", ".X.X.", "X...X"),
    "O": (".XXX.", "X...X", "X...X", "X...X", ".XXX."),
    "Z": ("XXXXX", "...X.", "..X..", ".X...", "XXXXX"),
}
"""The marks of 5 x 5 dots, drawn by hand."""

DIGITS = (
    ("XXX", "X.X", "X.X", "X.X", "XXX"),
    (".X.", "XX.", ".X.", ".X.", "XXX"),
    ("XXX", "..X", "XXX", "X..", "XXX"),
    ("XXX", "..X", "XXX", "..X", "XXX"),
    ("X.X", "X.X", "XXX", "..X", "..X"),
    ("XXX", "X..", "XXX", "..X", "XXX"),
    ("XXX", "X..", "XXX", "X.X", "XXX"),
    ("XXX", "..X", "..X", "..X", "..X"),
    ("XXX", "X.X", "XXX", "X.X", "XXX"),
    ("XXX", "X.X", "XXX", "..X", "XXX"),
)
"""The digits of 3 x 5 dots."""

STROKES = ((8, 1), (16, 2), (24, 3))
"""The thickness of strokes up to each height in dots, as pairs. Above the last height it is 4."""

DIAGONALS = {1: 1, 2: 3, 3: 5, 4: 5}
"""The width of a diagonal in columns, by the thickness of its stroke."""

SOLID, CUT_FROM = "X", 8
"""The mark that is a solid disc, and the height in dots from which the mark is cut out of the disc."""

GAP = "gap"
"""The role of a dot that stays empty."""


def thickness(high: int) -> int:
    """Return the stroke's thickness of a mark that is *high* dots high."""
    return next((thick for most, thick in STROKES if high <= most), 4)


def ellipse(wide: int, high: int) -> Dots:
    """Return the dots of a solid ellipse."""
    x0, y0 = (wide - 1) / 2, (high - 1) / 2
    return frozenset(
        (x, y)
        for y in range(high)
        for x in range(wide)
        if ((x - x0) / (wide / 2)) ** 2 + ((y - y0) / (high / 2)) ** 2 <= 1
    )


@lru_cache(maxsize=256)
def mark_dots(mark: str, wide: int, high: int) -> Dots:
    """Return the dots of *mark* in a box of *wide* x *high*; none for other letters than X, O, Z."""
    if mark not in SMALL:
        return frozenset()
    if high == len(SMALL[mark]):
        return frozenset(
            (x, y) for y, row in enumerate(SMALL[mark]) for x, dot in enumerate(row) if dot == "X"
        )
    thick = thickness(high)
    if mark == "O":
        whole = hole = ellipse(wide, high)
        for _ in range(thick):
            hole = eroded(hole)
        return whole - hole
    across = DIAGONALS[thick]
    if mark == "X":
        if thick == 1 and wide > high:  # The ends of a diagonal are then as far apart as the mark is high.
            return frozenset((x + 1, y) for x, y in mark_dots("X", wide - 2, high))
        dots = set()
        for y in range((high + 1) // 2):
            start = round(y * ((wide - across) / 2) / (high / 2 - 1))
            for x in range(start, start + across):
                dots |= {(x, y), (wide - 1 - x, y), (x, high - 1 - y), (wide - 1 - x, high - 1 - y)}
        return frozenset(dots)
    bars = {(x, y) for y in (*range(thick), *range(high - thick, high)) for x in range(wide)}
    for y in range(high):
        start = round((high - 1 - y) * (wide - across) / (high - 1))
        bars |= {(x, y) for x in range(start, start + across)}
    return frozenset(bars)


@lru_cache(maxsize=256)
def number_dots(digits: str, size: int) -> Dots:
    """Return the dots of a number; a digit is 3 x 5 squares of *size* dots.

    There is a square between two digits.
    """
    return frozenset(
        (x, y)
        for number, digit in enumerate(digits)
        for row, line in enumerate(DIGITS[int(digit)])
        for column, dot in enumerate(line, 4 * number)
        if dot == "X"
        for x in range(size * column, size * column + size)
        for y in range(size * row, size * row + size)
    )


def eroded(dots: Dots) -> Dots:
    """Return *dots* without those at their edge."""
    return frozenset((x, y) for x, y in dots if {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)} <= dots)


@lru_cache(maxsize=64)
def disc_dots(mark: str, wide: int, high: int) -> Dots:
    """Return the dots of a disc.

    The disc of X is solid, with an X cut out if there is room; other discs are rings.
    """
    if mark != SOLID:
        return mark_dots("O", wide, high)
    inner = wide // 2 | 1, high // 2
    x0, y0 = (wide - inner[0]) // 2, (high - inner[1]) // 2
    cut = {(x + x0, y + y0) for x, y in mark_dots("X", *inner)} if high >= CUT_FROM else set()
    return ellipse(wide, high) - cut


@lru_cache(maxsize=64)
def struck(start: tuple[float, float], end: tuple[float, float], far: float) -> tuple[Dots, Dots]:
    """Return the dots at most *far* from a line, and those around it that stay empty."""
    steps = int(max(abs(end[0] - start[0]), abs(end[1] - start[1])) * 3) + 1
    on: set[Dot] = set()
    near: set[Dot] = set()
    for number in range(steps + 1):
        x, y = (one + (other - one) * number / steps for one, other in zip(start, end, strict=True))
        for dot in ((round(x) + i, round(y) + j) for i in range(-2, 3) for j in range(-2, 3)):
            away = dist(dot, (x, y))
            if away <= far:
                on.add(dot)
            elif away <= far + 1:
                near.add(dot)
    return frozenset(on), frozenset(near - on)


class HalfBlocks:
    """Dots for a canvas; later dots cover earlier ones."""

    def __init__(self) -> None:
        self._dots: dict[Dot, str] = {}
        self._strong: set[Dot] = set()  # Places of strong characters: column and line.

    def add(self, dots: Iterable[Dot], role: str, x: int = 0, y: int = 0, *, strong: bool = False) -> None:
        """Add *dots*, moved to column *x* and half line *y*."""
        for column, line in dots:
            self._dots[column + x, line + y] = role
            if strong:
                self._strong.add((column + x, (line + y) // 2))

    def clear(self, dots: Iterable[Dot]) -> None:
        """Empty those of *dots* that were added before."""
        for dot in dots:
            if dot in self._dots:
                self._dots[dot] = GAP

    def draw_on(self, canvas: Canvas) -> Mapping[Dot, str]:
        """Write the dots as half blocks; return the marks behind characters, by column and line."""
        backgrounds: dict[Dot, str] = {}
        for x, line in {(x, y // 2) for x, y in self._dots}:
            upper, lower = (self._dots.get((x, 2 * line + half), GAP) for half in (0, 1))
            canvas.clear(x, line)
            if upper == lower == GAP:
                continue
            strong = (x, line) in self._strong
            if upper == lower:
                canvas.write(x, line, "█", upper, strong)
            elif lower == GAP or (upper == "" and lower != GAP):
                canvas.write(x, line, "▀", upper, strong)
                backgrounds |= {(x, line): lower} if lower != GAP else {}
            else:
                canvas.write(x, line, "▄", lower, strong)
                backgrounds |= {(x, line): upper} if upper != GAP else {}
        return backgrounds
