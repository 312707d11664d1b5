"""The cells open to a mark: the lowest empty cell of each column, or any empty cell without gravity.

Without gravity each cell is a column of its own. The open cells are updated by moves and by undo, so neither
a move nor a list of moves needs to scan the whole board.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Self

from noughts.core.board import Coordinate, index_of
from noughts.core.geometry import Geometry, coordinates
from noughts.games.ending import Axis, LinesByMask, ends_of

Site = tuple[int, int, int, tuple[Axis, ...], Coordinate, int, int, int, Coordinate]
"""The data of a cell that a move needs when it puts or removes a mark: a plain tuple, for fast unpacking.

- the index of the cell, and its bit
- a mask of the cells on lines through it
- the tests of these lines (none if lines are walked)
- the cell itself
- the number of its column, the bits of the columns before that, and its own bit
- the cell above, which opens then, or () at the top
"""

MAX_KEPT = 10_000
"""The maximum number of cells of a board with cached sites: larger boards would use too much memory."""


class Sites:
    """The :data:`Site` of each cell of a board, cached after first use."""

    def __init__(self, geometry: Geometry, height: int) -> None:
        self.shape = geometry.shape
        self.known = coordinates(geometry.shape)
        self.width = geometry.size // height
        self.by_cell: dict[Coordinate, Site] = {}
        self.by_index: dict[int, Site] = {}
        self.ends = ends_of(geometry)

    def find(self, cell: Iterable[int]) -> Site:
        """Return the site of *cell* in any form, or raise :class:`~noughts.errors.CoordinateError`."""
        return self.at(index_of(self.shape, cell))

    def at(self, index: int) -> Site:
        """Return the site of the cell of *index*."""
        site = self.by_index.get(index)
        if site is None:
            cell, column = self.known[index], index % self.width
            closing = 1 << column
            above = self.known[index - self.width] if index >= self.width else ()
            axes = self.ends[index] if isinstance(self.ends, LinesByMask) else ()
            is_kept = len(self.known) <= MAX_KEPT
            near = self.ends.near(index) if is_kept else -1
            site = (index, 1 << index, near, axes, cell, column, closing - 1, closing, above)
            if is_kept:
                self.by_cell[cell] = self.by_index[index] = site
        return site


@lru_cache(maxsize=64)
def sites(geometry: Geometry, gravity: bool) -> Sites:
    """Return the sites of a board, shared by all its games."""
    return Sites(geometry, geometry.shape[0] if gravity else 1)


class OpenCells:
    """The cells open to the next mark, one of each column that is not full.

    ``open`` lists the cells in the order of their columns, ``full`` is a mask of the full columns. The place
    of a column in ``open`` is its number less the number of full columns before it.
    """

    __slots__ = ("full", "open")

    def __init__(self, sites: Sites, occupied: Sequence[int] = ()) -> None:
        """Open the lowest cells, then put marks on the indices *occupied*."""
        self.full = 0
        self.open = list(sites.known[-sites.width :])
        for index in sorted(occupied, reverse=True):
            self.take(sites.at(index))

    def take(self, site: Site) -> None:
        """Record a mark on the open cell of *site*."""
        _, _, _, _, _, column, before, closing, above = site
        place = column - (self.full & before).bit_count()
        if above:
            self.open[place] = above
        else:
            del self.open[place]
            self.full |= closing

    def release(self, site: Site) -> None:
        """Record the removal of the mark on *site*, the last one of its column."""
        _, _, _, _, cell, column, before, closing, above = site
        place = column - (self.full & before).bit_count()
        if above:
            self.open[place] = cell
        else:
            self.open.insert(place, cell)
            self.full ^= closing

    def copy(self) -> Self:
        """Return an independent copy."""
        twin = object.__new__(type(self))
        twin.full, twin.open = self.full, self.open.copy()
        return twin
