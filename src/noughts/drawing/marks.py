"""The marks as a pen writes them, in a cell of 100. Each has three variants, so that no two look stamped."""

from functools import lru_cache
from math import sin

from noughts.drawing.pen import Point, arc, course, outline

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
"""From where to where the straight strokes of a mark run."""

LEARNED = (*_LINES, "O", "U")
"""The marks that are written with a pen; others are set as letters."""


@lru_cache(maxsize=64)
def mark_path(mark: str, variant: int) -> str:
    """The path data of *mark* in a cell of 100; empty for a letter that the pen has not learned.

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


def variant_of(index: int) -> int:
    """Which variant the cell of *index* has.

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
    """A ring that swells and overlaps where it closes."""
    centre = (49.5 + 0.8 * sin(5 * variant), 50.5 + 0.8 * sin(3 * variant + 1))
    radii = (32 + 0.8 * sin(2 * variant), 31.5 + 0.9 * sin(4 * variant + 2))
    return outline(arc(centre, radii, -62 - 14 * variant, -380), RING_WIDTH, (0.5, 0.4))
