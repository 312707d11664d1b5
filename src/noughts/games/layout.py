"""The layout of a board: the place of its cells in a picture."""

from dataclasses import dataclass, field
from functools import lru_cache
from math import prod
from typing import Any

from noughts.core.board import Shape, coordinate_of
from noughts.core.geometry import TilingOptions

STARS_FROM, STARS_FAR_FROM, STARS_BETWEEN_FROM = 9, 13, 17
"""The side lengths from which star points are on the third line, on the fourth, and also between them."""


@dataclass(frozen=True, slots=True)
class Layout(TilingOptions):
    """The layout with which a game wants its board drawn.

    The last two axes are the rows and columns of a plane. The planes of a board with more axes are drawn side
    by side, each with its number.
    """

    planes: int
    """The number of planes."""
    rows: int
    """The number of rows of a plane."""
    columns: int
    """The number of columns of a plane."""
    gravity: bool = False
    """True if marks fall to the lowest empty cell of a column.

    The board then has walls and a floor, and columns have numbers.
    """
    fields: tuple[int, int] = (0, 0)
    """The rows and columns of cells between heavy lines, or 0 without fields."""
    tiles: bool = False
    """True if cells hold tiles with numbers instead of marks."""
    drops: bool = False
    """True if marks fall from plane to plane. A cell has the number of its column through all planes."""
    ruled: bool = False
    """True if lines are drawn between the cells of a large board, if a window has room for them."""
    owned: bool = False
    """True if sides can win fields."""
    # Repeated because descriptions of the API are read from the docstrings of this class alone.
    hex: bool = field(default=False, kw_only=True)
    """True if the cells are hexagons in a flat rhombus."""
    from_top: bool = False
    """True if rows are numbered from the top instead of the bottom, if cells have letters."""

    @property
    def has_columns(self) -> bool:
        """True if marks fall, so that any cell of a column selects the column."""
        return self.gravity or self.drops

    @property
    def has_plain_cells(self) -> bool:
        """True if the cells are squares for marks, without walls or fields."""
        return not (self.gravity or self.tiles or self.tiling or any(self.fields))

    @property
    def is_plain(self) -> bool:
        """True for a flat board of squares on which marks stay where they are placed."""
        return self.planes == 1 and self.has_plain_cells

    def place(self, index: int) -> tuple[int, int, int]:
        """Return the plane, row and column of the cell with the flat *index*."""
        plane, rest = divmod(index, self.rows * self.columns)
        return (plane, *divmod(rest, self.columns))

    def row_number(self, row: int) -> int:
        """Return the number of a row, if cells have letters."""
        return row + 1 if self.from_top else self.rows - row

    def index(self, plane: int, row: int, column: int) -> int:
        """Return the flat index of a cell: the inverse of :meth:`place`."""
        return (plane * self.rows + row) * self.columns + column


def plane_label(above: Shape, plane: int) -> str:
    """Return the number of a plane on a board with the axes *above* its rows and columns.

    Empty if there is only one plane.

    >>> plane_label((4,), 1), plane_label((3, 3), 1), plane_label((), 0)
    ('2', '1.2', '')
    """
    return ".".join(str(part + 1) for part in coordinate_of(above, plane)) if prod(above) > 1 else ""


@lru_cache(maxsize=64)
def grid_layout(shape: Shape, *, gravity: bool = False, tiling: str = "") -> Layout:
    """Return the usual layout of *shape*.

    >>> grid_layout((4, 4, 4)).planes
    4
    """
    if len(shape) == 1:
        return Layout(1, shape[0], 1, gravity) if gravity else Layout(1, 1, shape[0])
    flat = len(shape) == 2
    options: dict[str, Any] = {tiling: True} if tiling else {}
    return Layout(
        prod(shape[:-2]), shape[-2], shape[-1], gravity and flat, drops=gravity and not flat, **options
    )


def star_points(layout: Layout) -> frozenset[tuple[int, int]]:
    """Return the rows and columns of the dots that help the eye on a large flat board.

    >>> sorted(star_points(grid_layout((15, 15))))
    [(3, 3), (3, 11), (7, 7), (11, 3), (11, 11)]
    """
    if not layout.is_plain or min(layout.rows, layout.columns) < STARS_FROM:
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
