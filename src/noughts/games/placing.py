"""Where a mark may go: on the lowest empty cell of each column, or, where nothing falls, on any empty cell.

A board on which nothing falls is one of columns of one cell. The open cells are kept in order between moves,
taken back or not, so that neither a move nor a list of moves need look at the whole board.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Self

from noughts.core.board import Coordinate, index_of
from noughts.core.geometry import Geometry, coordinates
from noughts.games.ending import Axis, LinesByMask, ends_of

Site = tuple[int, int, int, tuple[Axis, ...], Coordinate, int, int, int, Coordinate]
"""What there is to know of a cell when a mark is put there or taken back.

Its index, the bit of that, the cells on lines through it, the tests of these lines, none where they are
walked, the cell itself, the number of its column, the bits of the columns before that, its own bit, and the
cell above, which opens then; () at the top. A plain tuple, as each move takes one apart.
"""

MAX_KEPT = 10_000
"""On boards of more cells than this sites are made anew each time: their bits would take too much room."""


class Sites:
    """The sites of a board, by cell, kept once they were asked for."""

    def __init__(self, geometry: Geometry, height: int) -> None:
        self.shape = geometry.shape
        self.known = coordinates(geometry.shape)
        self.width = geometry.size // height
        self.by_cell: dict[Coordinate, Site] = {}
        self.by_index: dict[int, Site] = {}
        self.ends = ends_of(geometry)

    def find(self, cell: Iterable[int]) -> Site:
        """The site of *cell*, however it is written, or :class:`~noughts.errors.CoordinateError`."""
        return self.at(index_of(self.shape, cell))

    def at(self, index: int) -> Site:
        """The site of the cell of *index*."""
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
    """The sites of a board, shared by all its games."""
    return Sites(geometry, geometry.shape[0] if gravity else 1)


class OpenCells:
    """The cells open to the next mark, one of each column that is not full.

    ``open`` are the cells in the order of their columns, ``full`` the full columns, a bit for each. The place
    of a column in ``open`` is its number less the full columns before it.
    """

    __slots__ = ("full", "open")

    def __init__(self, sites: Sites, occupied: Sequence[int] = ()) -> None:
        """Open are the lowest cells but those of the indices *occupied*, from which those above follow."""
        self.full = 0
        self.open = list(sites.known[-sites.width :])
        for index in sorted(occupied, reverse=True):
            self.take(sites.at(index))

    def take(self, site: Site) -> None:
        """A mark is put on the cell of *site*, which is open."""
        _, _, _, _, _, column, before, closing, above = site
        place = column - (self.full & before).bit_count()
        if above:
            self.open[place] = above
        else:
            del self.open[place]
            self.full |= closing

    def release(self, site: Site) -> None:
        """The mark on the cell of *site*, the last of its column, has left."""
        _, _, _, _, cell, column, before, closing, above = site
        place = column - (self.full & before).bit_count()
        if above:
            self.open[place] = cell
        else:
            self.open.insert(place, cell)
            self.full ^= closing

    def copy(self) -> Self:
        """An independent copy."""
        twin = object.__new__(type(self))
        twin.full, twin.open = self.full, self.open.copy()
        return twin
