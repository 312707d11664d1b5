"""The sizes of cells in a text board, and the sizes that fit a board."""

from collections.abc import Iterator
from typing import NamedTuple

from noughts.drawing.scene import Scene, column_name
from noughts.drawing.tilings import WITH_TEXT_EDGES, tiling_of


class CellSize(NamedTuple):
    """The size of a cell, ``wide`` x ``high``, and of the step to the next one.

    The step is ``across`` columns and ``down`` lines. Signs of ``padded`` cells are in the columns between
    them.
    """

    across: int
    down: int
    wide: int
    high: int
    padded: bool = False

    @property
    def is_ruled(self) -> bool:
        """True if there is room for lines between the cells."""
        return self.across > self.wide and self.down > self.high


CLOSE = CellSize(1, 1, 1, 1)
"""Cells without room for signs, for the thumbnails of boards with fields."""

LETTERS, SPACED, RULED = CellSize(2, 1, 1, 1, True), CellSize(3, 1, 3, 1), CellSize(4, 2, 3, 1)
SQUARES = CellSize(6, 3, 5, 3, True)
"""The smallest sizes, whose marks are letters, and that of squares without lines between them."""

DRAWN = CellSize(8, 4, 7, 3), CellSize(12, 6, 11, 5)
"""The sizes in which the console draws small boards."""

SIZES = (
    LETTERS,
    SPACED,
    RULED,
    SQUARES,
    CellSize(6, 4, 5, 3, True),
    DRAWN[0],
    CellSize(10, 5, 9, 4),
    DRAWN[1],
    CellSize(14, 7, 13, 6),
    CellSize(16, 8, 15, 7),
    CellSize(20, 10, 19, 9),
    CellSize(24, 12, 23, 11),
    CellSize(28, 14, 27, 13),
    CellSize(32, 16, 31, 15),
    CellSize(40, 20, 39, 19),
)

LATTICE_FROM = 9
"""The number of columns from which marks are on crossings."""

FIELD_GAP, FIELD_BAR = 3, 1
"""The number of columns and lines between fields."""


def is_lattice(scene: Scene) -> bool:
    """Return True if a board is drawn as lines with marks on their crossings: from nine columns on."""
    return scene.layout.is_plain and scene.layout.columns >= LATTICE_FROM


def sizes_of(scene: Scene, *, unicode: bool, named: bool = True) -> Iterator[CellSize]:
    """Yield the sizes that a board can take, the largest first; *named* if its columns have names."""
    plain, has_edges = scene.layout.is_plain, tiling_of(scene.layout) in WITH_TEXT_EDGES
    name = len(column_name(scene, scene.layout.columns - 1)) if named else 0
    for each in reversed(SIZES):
        size = widened(each, scene, name) if each in (LETTERS, SPACED, RULED) else each
        if size.high == SQUARES.high and size.wide == SQUARES.wide and (size == SQUARES) != plain:
            continue
        if size.is_ruled and not has_edges:
            continue
        if size.high > 1 and scene.content > size.wide - 2:
            continue
        if unicode or size.high % 2:
            yield size


def widened(size: CellSize, scene: Scene, name: int = 0, label: int = 0) -> CellSize:
    """Return a *size* of letters with room for the widest mark and a *label* of this width.

    Cells that have signs have room for the *name* of a column too. Slanted rows are half a cell apart.
    """
    more = max(scene.content - 1, label + 1 - size.wide)
    across = size.across + more
    if not size.padded:
        across = max(across, name + 1)
    if tiling_of(scene.layout).slant:
        across += across % 2
    return size._replace(across=across, wide=size.wide + more)


def is_named(size: CellSize, column: int, name: str) -> bool:
    """Return True if there is room for the *name* of a column.

    If names are long, only every second or third column has one.
    """
    return column % (len(name) // size.across + 1) == 0


def slant_of(scene: Scene, size: CellSize) -> int:
    """Return the number of columns by which each row is to the right of the one above."""
    return int(size.across * tiling_of(scene.layout).slant)


def bar_of(size: CellSize) -> tuple[int, int]:
    """Return the numbers of columns and lines by which the next field is farther away than the next cell."""
    return FIELD_GAP - (size.across - size.wide), FIELD_BAR - (size.down - size.high)


def past_edge(scene: Scene, size: CellSize) -> int:
    """Return the number of lines above and below the cells of a plane.

    They are for the edges of hexagons, and for the lines of a board whose edges are joined. In a lattice of
    larger cells these lines fit into the outer cells.
    """
    if scene.layout.tiling:
        return int(size.is_ruled)
    return int(scene.joined[0] and size.is_ruled and (size.high == 1 or not is_lattice(scene)))


def extent_of(scene: Scene, size: CellSize, rows: range, columns: range) -> tuple[int, int]:
    """Return the numbers of columns and lines from the first to the last of some cells of a plane."""
    down, across = scene.layout.fields
    wide = (len(columns) - 1) * size.across + size.wide + slant_of(scene, size) * (len(rows) - 1)
    high = (len(rows) - 1) * size.down + size.high
    if across and down:
        wide += (columns[-1] // across - columns[0] // across) * bar_of(size)[0]
        high += (rows[-1] // down - rows[0] // down) * bar_of(size)[1]
    return wide, high


def gap_before(scene: Scene, size: CellSize) -> int:
    """Return the number of columns between the numbers of rows and the first cells.

    It includes a column for the corners of fields.
    """
    has_corners = scene.layout.owned and size.across > LETTERS.across
    return 2 if size.across > RULED.across or _is_framed(scene, size) or has_corners else 1


def room_beside(scene: Scene, size: CellSize) -> int:
    """Return the number of columns beside the outer cells.

    They are for signs, a wall, the side of a hexagon, lines that run on, the corners of a field.
    """
    special = scene.layout.gravity or scene.layout.owned or scene.joined[1] or _is_framed(scene, size)
    return int((size.padded and not scene.bare) or special)


def _is_framed(scene: Scene, size: CellSize) -> bool:
    return bool(scene.layout.tiling) and size.is_ruled
