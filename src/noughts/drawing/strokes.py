r"""A broad pen: it turns the course of a stroke into its outline on paper.

The nib is held at 45 degrees, so a ``\`` is thick and a ``/`` is thin. A stroke begins round, swells and ends
tapered. Nothing is random: the same stroke always has the same outline. Each mark, in a cell of 100, has
three variants, so that no two neighbours look stamped.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import ceil, cos, hypot, pi, sin

Point = tuple[float, float]

THIN, FIRM = 0.6, 0.9
"""The width of a stroke along the nib, relative to the width across it: for marks, and for rulings."""

SAMPLE = 90.0
"""The greatest distance between the points of a straight stroke."""


def course(start: Point, end: Point, bow: float = 0.0, seed: int = 0) -> list[Point]:
    """Return points from *start* to *end* that leave the line by up to *bow*, as by hand."""
    (x, y), (right, down) = start, end
    length = hypot(right - x, down - y) or 1.0
    across = ((y - down) / length, (right - x) / length)
    parts = min(24, max(4, ceil(length / SAMPLE)))
    points = []
    for step in range(parts + 1):
        t = step / parts
        off = bow * (sin(pi * t) + 0.25 * sin(3 * pi * t + seed))
        points.append((x + (right - x) * t + across[0] * off, y + (down - y) * t + across[1] * off))
    return points


def arc(centre: Point, radii: Point, first: float, sweep: float, parts: int = 15) -> list[Point]:
    """Return points of an ellipse from the angle *first* through *sweep*, in degrees.

    The end is slightly inside the ellipse.
    """
    points = []
    for step in range(parts + 1):
        t = step / parts
        angle = (first + sweep * t) * pi / 180
        drift = 1.03 - 0.06 * t
        points.append((centre[0] + radii[0] * drift * cos(angle), centre[1] + radii[1] * drift * sin(angle)))
    return points


def outline(points: Sequence[Point], width: float, ends: Point, thin: float = THIN) -> str:
    """Return the outline of a stroke through *points*, as path data.

    *width* is the width of the nib, *ends* the part of it at the start and at the end, and *thin* the part
    along the nib.
    """
    last = len(points) - 1
    left, right = [], []
    for number, (x, y) in enumerate(points):
        dx, dy = _direction(points[max(0, number - 1)], points[min(last, number + 1)])
        half = width / 2 * (thin + (1 - thin) * abs(dx + dy) / 2**0.5) * _pressure(number / last, ends)
        left.append((x + dy * half, y - dx * half))
        right.append((x - dy * half, y + dx * half))
    before = _beyond(left[0], right[0], points[0], points[1])
    after = _beyond(left[-1], right[-1], points[-1], points[-2])
    return smooth([before, *left, after, *reversed(right)])


def ruled(start: Point, end: Point, width: float, seed: int) -> str:
    """Return the outline of a ruled line; *seed* decides how it bends."""
    return outline(course(start, end, 1.2 if seed % 2 else -1.4, seed), width, (0.95, 0.55), FIRM)


def smooth(points: Sequence[Point]) -> str:
    """Return a closed curve through *points* as path data.

    It is a Catmull-Rom curve that is held back at narrow ends.
    """
    count = len(points)
    text = [f"M{_pair(points[0])}"]
    for number in range(count):
        a, b, c, d = (points[(number + shift) % count] for shift in (-1, 0, 1, 2))
        text.append(f"C{_pair(_handle(b, a, c, c))} {_pair(_handle(c, d, b, b))} {_pair(c)}")
    return "".join(text) + "Z"


def _handle(point: Point, behind: Point, ahead: Point, other: Point) -> Point:
    """Return the control point at *point* on the way to *other*.

    It is a sixth of the way from *behind* to *ahead*, but at most a third of the way to *other*. Otherwise a
    short piece beside long ones, as at the end of a stroke, becomes a loop.
    """
    dx, dy = (ahead[0] - behind[0]) / 6, (ahead[1] - behind[1]) / 6
    most = hypot(other[0] - point[0], other[1] - point[1]) / 3
    part = min(1.0, most / (hypot(dx, dy) or 1.0))
    return point[0] + dx * part, point[1] + dy * part


def plain(number: float) -> str:
    """Return *number* with at most one decimal, in the form of SVG.

    >>> plain(3.0), plain(-0.04), plain(12.34)
    ('3', '0', '12.3')
    """
    text = f"{number:.1f}"
    return "0" if text == "-0.0" else text.removesuffix(".0")


def _pair(point: Point) -> str:
    return f"{plain(point[0])} {plain(point[1])}"


def _direction(start: Point, end: Point) -> Point:
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = hypot(dx, dy) or 1.0
    return dx / length, dy / length


def _pressure(t: float, ends: Point) -> float:
    """Return the pressure at *t*: the pen presses in the first fifth and lifts in the last half."""
    start, end = ends
    if t < 0.2:
        return start + (1 - start) * sin(t / 0.2 * pi / 2)
    return 1.0 if t < 0.5 else end + (1 - end) * cos((t - 0.5) / 0.5 * pi / 2)


def _beyond(left: Point, right: Point, tip: Point, inner: Point) -> Point:
    """Return the outermost point of a round end."""
    dx, dy = _direction(inner, tip)
    half = hypot(left[0] - right[0], left[1] - right[1]) / 2
    return tip[0] + dx * half, tip[1] + dy * half


# Marks

VARIANTS = 3
WIDTH, RING_WIDTH = 13.0, 14.5
ENDS = (0.8, 0.62)

_LINES: dict[str, tuple[tuple[Point, Point], ...]] = {
    "X": (((19.5, 18.5), (81, 83.5)), ((82, 17), (17, 83))),
    "Z": (((20, 23), (80, 22)), ((77, 24), (23, 76)), ((21, 77.5), (82, 77))),
    "Y": (((20, 18), (57, 54)), ((81, 17), (39, 85))),
    "V": (((19, 17), (50, 83)), ((82, 17), (50, 83))),
    "W": (((13, 20), (31, 82)), ((50, 32), (31, 82)), ((50, 32), (69, 82)), ((88, 19), (69, 82))),
    "T": (((17, 22), (83, 21)), ((50, 26), (49, 85))),
}
"""The starts and ends of the straight strokes of a mark."""

LEARNED = (*_LINES, "O", "U")
"""The marks that are written with a pen; others are letters."""


@lru_cache(maxsize=64)
def mark_path(mark: str, variant: int) -> str:
    """Return the path data of *mark* in a cell of 100; empty if it is not a pen's mark.

    >>> mark_path("X", 0) == mark_path("X", 1), mark_path("Q", 0)
    (False, '')
    """
    if mark == "O":
        return _ring(variant)
    if mark == "U":
        bowl = arc((50, 53), (30, 30), 180 - 3 * variant, -180)
        return outline([(20, 18), (20, 34), *bowl, (80, 34), (80, 18)], WIDTH, ENDS)
    strokes = enumerate(_LINES.get(mark, ()))
    return "".join(_line(start, end, 3 * number + variant) for number, (start, end) in strokes)


@lru_cache(maxsize=64)
def mark_course(mark: str) -> str:
    """Return the pen's course for *mark* in a cell of 100, as path data for small pictures.

    >>> mark_course("X"), mark_course("Q")
    ('M19.5 18.5L81 83.5M82 17L17 83', '')
    """
    if mark == "O":
        return "M50 18A32 32 0 1 0 50 82A32 32 0 1 0 50 18Z"
    if mark == "U":
        return "M20 18V53A30 30 0 0 0 80 53V18"
    strokes = _LINES.get(mark, ())
    return "".join(f"M{_pair(start)}L{_pair(end)}" for start, end in strokes)


def variant_of(index: int) -> int:
    """Return the variant of the mark in the cell *index*.

    >>> [variant_of(index) for index in range(9)]
    [0, 1, 2, 1, 2, 0, 2, 0, 1]
    """
    return (index + index // VARIANTS) % VARIANTS


def _line(start: Point, end: Point, seed: int) -> str:
    near = (start[0] + 2.2 * sin(2.1 * seed), start[1] + 2.0 * sin(3.3 * seed + 1))
    far = (end[0] + 2.0 * sin(4.7 * seed + 2), end[1] + 2.2 * sin(1.9 * seed + 3))
    bow = 1.6 * sin(2.7 * seed + 0.6)
    return outline(course(near, far, bow, seed), WIDTH, ENDS)


def _ring(variant: int) -> str:
    """Return the path of a ring that swells and overlaps at its end."""
    centre = (49.5 + 0.8 * sin(5 * variant), 50.5 + 0.8 * sin(3 * variant + 1))
    radii = (32 + 0.8 * sin(2 * variant), 31.5 + 0.9 * sin(4 * variant + 2))
    return outline(arc(centre, radii, -62 - 14 * variant, -380), RING_WIDTH, (0.5, 0.4))
