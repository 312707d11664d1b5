"""Plots of measurements as pictures: courses over time, and estimates with intervals."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count as counting
from math import ceil, floor, isfinite, log10

from noughts.drawing.svg_document import FONT, LIGHT, SQUARE, Palette, Sheet, element, write_svg
from noughts.text import display_width

WIDTH, HEIGHT = 30 * SQUARE, 12 * SQUARE
"""The area of the axes, in pixels."""

TOP, BOTTOM, RIGHT = 3 * SQUARE, 2 * SQUARE, 2 * SQUARE
MARKS = 6
"""The maximum number of intervals between the marks of an axis."""

MAX_POINTS = 600
"""The maximum number of points of a course that are drawn."""

LETTER = 8
"""The width of a letter, in pixels."""

CAP = 5
"""Half of the line at the end of an interval, in pixels."""

DASHES = ("none", "7 4", "2 4")
"""The dash patterns of the first three courses."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A measured number with its interval; None is unknown, and an end may be infinite."""

    name: str
    middle: float | None
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Courses:
    """Values by name, each with points ``(x, y)``.

    ``rules`` are values with a horizontal line and a label.
    """

    title: str
    points: Mapping[str, Sequence[tuple[float, float]]]
    rules: Mapping[str, float] = field(default_factory=dict)

    def sheet(self, palette: Palette = LIGHT) -> Sheet:
        """Return the picture, to be put below another."""
        drawn = {name: _thinned(points) for name, points in self.points.items()}
        all_points = [point for points in drawn.values() for point in points]
        across = _Axis.of([0.0, *(x for x, _ in all_points)], 0, WIDTH)
        up = _Axis.of([*(y for _, y in all_points), *self.rules.values()], HEIGHT, 0)
        left = SQUARE * 4
        parts = [*_across(across, HEIGHT, palette)]
        for mark in up.marks:
            parts.append(element("path", d=f"M0 {up.at(mark):.1f}h{WIDTH}", stroke=palette.faint))
            parts.append(_word(_number(mark), -8, up.at(mark) + 5, palette.second, "end"))
        for word, value in self.rules.items():
            line = {"stroke": palette.second, "stroke_dasharray": "4 4"}
            parts.append(element("path", d=f"M0 {up.at(value):.1f}h{WIDTH}", **line))
            parts.append(_word(word, WIDTH, up.at(value) - 6, palette.second, "end"))
        for place, (name, points) in enumerate(drawn.items()):
            ink, dashes = palette.pens[place % len(palette.pens)], DASHES[place % len(DASHES)]
            line = {"fill": "none", "stroke": ink, "stroke_width": "2", "stroke_dasharray": dashes}
            if points:
                path = "L".join(f"{across.at(x):.1f} {up.at(y):.1f}" for x, y in points)
                parts.append(element("path", d=f"M{path}h0", stroke_linecap="round", **line))
            parts.append(element("path", d=f"M{WIDTH / 4 * place} -18h30", **line))
            parts.append(_word(name, WIDTH / 4 * place + 38, -13, palette.ink))
        return _framed(self.title, parts, left, HEIGHT, palette)


@dataclass(frozen=True, slots=True)
class Estimates:
    """Estimates below each other, with their intervals."""

    title: str
    rows: Sequence[Estimate]

    def sheet(self, palette: Palette = LIGHT) -> Sheet:
        """Return the picture, to be put below another."""
        height = 2 * SQUARE * len(self.rows)
        known = [row for row in self.rows if row.middle is not None]
        ends = [end for row in known for end in (row.middle, row.low, row.high)]
        axis = _Axis.of([0.0, *(end for end in ends if end is not None and isfinite(end))], 0, WIDTH)
        widest = max((display_width(row.name) for row in self.rows), default=0)
        marks = "".join(f"M{axis.at(mark):.1f} 0v{height}" for mark in axis.marks)
        parts = [element("path", d=marks, stroke=palette.faint), *_across(axis, height, palette)]
        for place, row in enumerate(self.rows):
            y = 2 * SQUARE * place + SQUARE
            parts.append(_word(row.name, -12, y + 5, palette.ink, "end"))
            if row.middle is None:
                parts.append(_word("-", 8, y + 5, palette.second))
                continue
            low, high = (min(max(axis.at(end), 0.0), WIDTH) for end in (row.low, row.high))
            caps = "".join(
                f"M{x:.1f} {y - CAP}v{2 * CAP}"
                for end, x in ((row.low, low), (row.high, high))
                if isfinite(end)
            )
            path = f"M{low:.1f} {y}H{high:.1f}{caps}"
            parts.append(element("path", d=path, fill="none", stroke=palette.pens[0], stroke_width=2))
            if isfinite(row.middle):
                parts.append(element("circle", cx=axis.at(row.middle), cy=y, r=4.5, fill=palette.pens[0]))
        return _framed(self.title, parts, LETTER * widest + 2 * SQUARE, height, palette)


def write_plot(plots: Sequence[Courses | Estimates], description: str = "") -> str:
    """Return *plots*, one below the other, as SVG."""
    title = " / ".join(plot.title for plot in plots)
    return write_svg([plot.sheet() for plot in plots], LIGHT, title, description or title)


@dataclass(frozen=True, slots=True)
class _Axis:
    """An axis: values from ``low`` to ``high`` between two places, with marks at round numbers."""

    low: float
    high: float
    step: float
    first: float
    last: float

    @classmethod
    def of(cls, values: Sequence[float], first: float, last: float) -> "_Axis":
        least, most = min(values), max(values)
        span = (most - least) or 1.0
        power = 10.0 ** floor(log10(span / MARKS))
        step = next(power * times for times in (1, 2, 5, 10, 20) if span / (power * times) <= MARKS)
        low, high = step * floor(least / step), step * ceil(most / step)
        return cls(low, high if high > low else low + step, step, first, last)

    @property
    def marks(self) -> list[float]:
        """The round numbers on the axis."""
        return [
            self.low + self.step * place for place in range(round((self.high - self.low) / self.step) + 1)
        ]

    def at(self, value: float) -> float:
        """Return the place of *value*; an infinite value is at or beyond an end."""
        if not isfinite(value):
            return max(self.first, self.last) if value > 0 else min(self.first, self.last)
        return self.first + (value - self.low) / (self.high - self.low) * (self.last - self.first)


def _thinned(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return at most :data:`MAX_POINTS` of *points*, always with the last one."""
    every = max(1, ceil(len(points) / MAX_POINTS))
    return [
        point for place, point in zip(counting(1), points, strict=False) if (len(points) - place) % every == 0
    ]


def _across(axis: _Axis, height: float, palette: Palette) -> list[str]:
    """Return the numbers below an axis and its line."""
    words = [
        _word(_number(mark), axis.at(mark), height + 20, palette.second, "middle") for mark in axis.marks
    ]
    return [element("path", d=f"M0 {height}h{WIDTH}", stroke=palette.line), *words]


def _framed(title: str, parts: Sequence[str], left: float, height: float, palette: Palette) -> Sheet:
    squares = ceil(left / SQUARE)
    head = element("text", title, x=SQUARE, y=SQUARE + 6, font_size=15, fill=palette.ink)
    moved = f'<g transform="translate({squares * SQUARE} {TOP})">'
    whole = (f'<g {FONT} font-size="13">', head, moved, *parts, "</g>", "</g>")
    return Sheet(squares * SQUARE + WIDTH + RIGHT, int(TOP + height + BOTTOM), whole)


def _word(text: str, x: float, y: float, ink: str, anchor: str = "start") -> str:
    return element("text", text, x=x, y=y, fill=ink, text_anchor=anchor)


def _number(value: float) -> str:
    return f"{round(value, 6):g}" if value else "0"
