"""Where the cells of a board stand in a picture."""

from dataclasses import dataclass
from functools import lru_cache
from math import prod

from noughts.core.board import Shape, coordinate_of

STARS_FROM, STARS_FAR_FROM, STARS_BETWEEN_FROM = 9, 13, 17
"""Sides from which star points stand on the third line, on the fourth, and between those too."""


@dataclass(frozen=True, slots=True)
class Layout:
    """How a game wants its board drawn.

    The last two axes are the rows and columns of a plane; the planes of a board with more axes stand
    side by side, each with its number. ``fields`` are the rows and columns of cells between heavy
    lines, 0 where there are none; ``owned`` says that sides win them. ``gravity`` draws walls and a floor
    and numbers the columns. ``tiles`` says that cells hold numbers rather than marks. ``drops`` says that
    marks fall from plane to plane, so that a cell is called by the number of its column through all
    planes. ``ruled`` asks for lines between the cells where a window has room for them, though the board
    is not small. ``hex`` draws a flat board of hexagons: each row stands half a cell to the right of the
    one above it. ``from_top`` numbers the rows from the top where cells have letters, not from the bottom.
    """

    planes: int
    rows: int
    columns: int
    gravity: bool = False
    fields: tuple[int, int] = (0, 0)
    tiles: bool = False
    drops: bool = False
    ruled: bool = False
    hex: bool = False
    owned: bool = False
    from_top: bool = False

    @property
    def has_columns(self) -> bool:
        """Whether marks fall, so that any cell of a column stands for it."""
        return self.gravity or self.drops

    def place(self, index: int) -> tuple[int, int, int]:
        """The plane, row and column of the cell with the flat *index*."""
        plane, rest = divmod(index, self.rows * self.columns)
        return (plane, *divmod(rest, self.columns))

    def row_number(self, row: int) -> int:
        """The number of a row where cells have letters."""
        return row + 1 if self.from_top else self.rows - row

    def index(self, plane: int, row: int, column: int) -> int:
        """The flat index of a cell; the inverse of :meth:`place`."""
        return (plane * self.rows + row) * self.columns + column


def plane_label(above: Shape, plane: int) -> str:
    """The number of a plane on a board with the axes *above* its rows and columns; empty where there is one.

    >>> plane_label((4,), 1), plane_label((3, 3), 1), plane_label((), 0)
    ('2', '1.2', '')
    """
    return ".".join(str(part + 1) for part in coordinate_of(above, plane)) if prod(above) > 1 else ""


@lru_cache(maxsize=64)
def grid_layout(shape: Shape, *, gravity: bool = False, hex: bool = False) -> Layout:  # noqa: A002 - as rules call it
    """The usual layout of *shape*.

    >>> grid_layout((4, 4, 4)).planes
    4
    """
    if len(shape) == 1:
        return Layout(1, shape[0], 1, gravity) if gravity else Layout(1, 1, shape[0])
    flat = len(shape) == 2
    return Layout(
        prod(shape[:-2]), shape[-2], shape[-1], gravity and flat, drops=gravity and not flat, hex=hex
    )


def star_points(layout: Layout) -> frozenset[tuple[int, int]]:
    """The rows and columns of the dots by which the eye finds its way on a large flat board.

    >>> sorted(star_points(grid_layout((15, 15))))
    [(3, 3), (3, 11), (7, 7), (11, 3), (11, 11)]
    """
    plain = layout.planes == 1 and not (layout.gravity or layout.tiles or layout.hex or any(layout.fields))
    if not plain or min(layout.rows, layout.columns) < STARS_FROM:
        return frozenset()
    down, across = _star_lines(layout.rows), _star_lines(layout.columns)
    points = {(row, column) for row in down for column in across}
    if layout.rows % 2 and layout.columns % 2:
        points.add((layout.rows // 2, layout.columns // 2))
    return frozenset(points)


def _star_lines(side: int) -> tuple[int, ...]:
    edge = 3 if side >= STARS_FAR_FROM else 2
    between = (side // 2,) if side % 2 and side >= STARS_BETWEEN_FROM else ()
    return (edge, *between, side - 1 - edge)
