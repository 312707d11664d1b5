"""The table of the lines of a board, and the number of marks on each line.

The table is enumerated for boards of up to ``MAX_ENUMERATED`` cells. On larger boards, games walk from the
last cell (``games.ending``).
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate
from math import prod

from noughts.core.geometry import Cells, Geometry, mask_of

MAX_ENUMERATED = 4096
"""The maximum number of cells of boards with enumerated lines and symmetries."""

MAX_MASKED = 32 * MAX_ENUMERATED
"""The product of cells and k above which lines are not enumerated, because they would use too much memory."""

MAX_LINES = 64 * MAX_ENUMERATED
"""The maximum number of lines that are enumerated. Boards of many dimensions have more."""


@dataclass(frozen=True)
class LineTable:
    """``size`` cells and ``count`` lines of ``k`` cells, as flat arrays that kernels also read.

    Line number i has the cells ``cells[i * k : (i + 1) * k]``. The lines ``through[first[c] : first[c + 1]]``
    run through cell c. If longer lines do not count, ``ends[2 * i]`` and ``ends[2 * i + 1]`` are the cells
    that must not bear the mark of a complete line i, or -1 for none.
    """

    size: int
    k: int
    count: int
    cells: Cells
    first: Cells
    through: Cells
    ends: Cells

    @cached_property
    def cells_of(self) -> tuple[Cells, ...]:
        """The cells of each line."""
        return tuple(self.cells[at : at + self.k] for at in range(0, len(self.cells), self.k))

    @cached_property
    def ends_of(self) -> tuple[Cells, ...]:
        """The cells at the ends of each line that must not bear its mark."""
        pairs = zip(self.ends[::2], self.ends[1::2], strict=True)
        return tuple(tuple(end for end in pair if end >= 0) for pair in pairs)

    @cached_property
    def masks(self) -> tuple[int, ...]:
        """The mask of the cells of each line."""
        return tuple(map(mask_of, self.cells_of))

    def lines_of(self, cell: int) -> Cells:
        """Return the numbers of the lines through *cell*."""
        return self.through[self.first[cell] : self.first[cell + 1]]


def can_enumerate(geometry: Geometry) -> bool:
    """Return True if the lines of a board are few and short enough to be enumerated."""
    if geometry.size > MAX_ENUMERATED or geometry.size * geometry.k > MAX_MASKED:
        return False
    # Along each axis a line may stay, go forwards or go backwards. This is the number of cells where lines
    # begin.
    sides = zip(geometry.shape, geometry.joined, strict=True)
    begins = (side + 2 * (side if joined else max(0, side - geometry.k + 1)) for side, joined in sides)
    return prod(begins) - geometry.size <= 2 * MAX_LINES


@lru_cache(maxsize=32)
def line_table(geometry: Geometry) -> LineTable | None:
    """Return the table of a board, or None if it would be too large.

    >>> table = line_table(Geometry((3, 3), 3))
    >>> table.count, table.cells[:3], len(table.lines_of(0))
    (8, (0, 1, 2), 3)
    """
    if not can_enumerate(geometry):
        return None
    listed = {line for step in geometry.steps for line in geometry.lines_along(step)}
    entries = sorted(listed, key=lambda line: (line[0][-1] - line[0][0], line))
    through: list[list[int]] = [[] for _ in range(geometry.size)]
    for number, (cells, _) in enumerate(entries):
        for cell in cells:
            through[cell].append(number)
    return LineTable(
        geometry.size,
        geometry.k,
        len(entries),
        tuple(cell for cells, _ in entries for cell in cells),
        (0, *accumulate(map(len, through))),
        tuple(line for lines in through for line in lines),
        tuple(end for _, ends in entries for end in (*ends, -1, -1)[:2]),
    )


class LineCounts:
    """The number of marks of each kind on every line, updated as a game is played and undone.

    All code that examines lines uses these counts, for example to find the cells that complete a line or the
    lines that can still be filled.

    >>> counts = LineCounts(line_table(Geometry((3, 3), 3)), "XX..O....", "XO")
    >>> counts.completing("X"), counts.completing("O")
    ({2}, set())
    >>> counts.place(2, "O")
    >>> counts.completing("X"), counts.completing("O")
    (set(), {6})
    """

    def __init__(self, table: LineTable, cells: Sequence[str | None], marks: Collection[str]) -> None:
        self.table = table
        self.cells: list[str | None] = [None] * table.size
        self.counts = {mark: [0] * table.count for mark in marks}
        self.filled = [0] * table.count
        for cell, mark in enumerate(cells):
            if mark in self.counts:
                self.place(cell, mark)

    def place(self, cell: int, mark: str) -> None:
        """Count a *mark* that is put on the empty *cell*."""
        self._count(cell, mark, 1)
        self.cells[cell] = mark

    def lift(self, cell: int) -> None:
        """Remove the mark on *cell* from the counts."""
        self._count(cell, self.cells[cell] or "", -1)
        self.cells[cell] = None

    def _count(self, cell: int, mark: str, by: int) -> None:
        counts, filled = self.counts[mark], self.filled
        for line in self.table.lines_of(cell):
            counts[line] += by
            filled[line] += by

    def is_open(self, line: int, mark: str) -> bool:
        """Return True if *line* has no foreign mark, and no *mark* at its ends that spoils it."""
        if self.counts[mark][line] < self.filled[line]:
            return False
        return all(self.cells[end] != mark for end in self.table.ends_of[line])

    def lacking(self, mark: str, lines: Iterable[int] | None = None) -> dict[int, int]:
        """Return the lines that lack one *mark*, each with the cell that lacks it.

        That cell may hold another mark. *lines* limits the search. By default all lines are checked.
        """
        counts, wanted = self.counts[mark], self.table.k - 1
        looked_at = range(self.table.count) if lines is None else lines
        cells_of = self.table.cells_of
        return {
            line: next(cell for cell in cells_of[line] if self.cells[cell] != mark)
            for line in looked_at
            if counts[line] == wanted
        }

    def completing(self, mark: str) -> set[int]:
        """Return the empty cells on which one more *mark* completes a line."""
        return {cell for line, cell in self.lacking(mark).items() if self.is_open(line, mark)}
