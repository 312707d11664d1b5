"""The end of a k-in-a-row game: the lines that the last mark completed.

If the lines of a board can be enumerated, each is an int mask, tested against the mask of all cells that bear
the mark. On larger boards the runs of the mark through the last cell are walked. Both ways find the lines of
``core.geometry`` and nothing else.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from noughts.core.board import Coordinate
from noughts.core.geometry import Cells, Geometry, Line, cells_with, mask_of
from noughts.core.lines import MAX_ENUMERATED, can_enumerate
from noughts.games.base import Outcome, Termination

DRAW = Outcome(None, (), Termination.FULL)
"""The end of a game when no cell is left for a mark."""

MAX_WAYS = 16 * MAX_ENUMERATED
"""The product of cells and directions above which walking is faster than making the masks."""

MAX_WALKED = 40
"""The maximum number of directions that are followed to find the cells near another on a ring."""

MAX_DECIDED = 5000
"""The maximum number of ends of games that are cached: all ends of games on a board as small as 3x3."""

Test = tuple[int, int]
"""(care, line): the line is complete if ``mine & care == line``. *care* is the line itself and, if longer
lines do not count, the cells at its ends.
"""

Axis = tuple[int, tuple[Test, ...]]
"""(union, tests): a mask of all cells of the lines in one direction, and the test of each line."""


class LinesByMask(dict[int, tuple[Axis, ...]]):
    """The tests of all lines through a cell, by the index of the cell, computed on first use."""

    def __init__(self, geometry: Geometry) -> None:
        super().__init__()
        self.geometry = geometry
        self._cells_of: dict[int, tuple[Cells, Coordinate]] = {}
        self._outcomes: dict[tuple[object, ...], Outcome] = {}
        self._decided: dict[tuple[int, int, str], Outcome] = {}

    def __missing__(self, index: int) -> tuple[Axis, ...]:
        geometry = self.geometry
        axes: list[Axis] = []
        seen: set[Test] = set()
        for step in geometry.steps:
            tests: dict[Test, None] = {}
            for cells, ends in geometry.windows(index, step):
                line = mask_of(cells)
                tests[line | mask_of(ends) if geometry.exact else line, line] = None
                self._cells_of.setdefault(line, (cells, step))
            if fresh := tuple(test for test in tests if test not in seen):
                seen.update(fresh)
                union = 0
                for _, line in fresh:
                    union |= line
                axes.append((union, fresh))
        self[index] = on_axes = tuple(axes)
        return on_axes

    def near(self, index: int) -> int:
        """Return a mask of the cells on lines through the cell of *index*."""
        near = 0
        for union, _ in self[index]:
            near |= union
        return near

    def count_lines(self, index: int) -> int:
        """Return the number of lines through the cell of *index*."""
        return sum(len(tests) for _, tests in self[index])

    def decide(self, cells: Sequence[str | None], mine: int, index: int, winner: str) -> Outcome | None:
        """Return the outcome for *winner* if *mine* completes lines through the cell of *index*, else None.

        Outcomes are values that games share. *cells* is not used.
        """
        position = (mine, index, winner)
        outcome = self._decided.get(position)
        if outcome is None and (whole := self._complete_lines(mine, index)):
            outcome = self._outcomes.get((winner, *whole))
            if outcome is None:
                outcome = Outcome(winner, self.complete(cells, mine, index), Termination.LINE)
                if len(whole) == 1:
                    self._outcomes[winner, *whole] = outcome
            if len(self._decided) < MAX_DECIDED:
                self._decided[position] = outcome
        return outcome

    def _complete_lines(self, mine: int, index: int) -> list[int]:
        return [line for _, tests in self[index] for care, line in tests if mine & care == line]

    def complete(self, cells: Sequence[str | None], mine: int, index: int) -> tuple[Line, ...]:
        """Return the lines through the cell of *index* that *mine*, the cells with the mark, completes."""
        whole = dict.fromkeys(self._complete_lines(mine, index))
        return tuple(self.geometry.line(*self._cells_of[line]) for line in whole)


class LinesByWalk:
    """The finder of lines on boards that are too large for masks.

    It has the methods of :class:`LinesByMask`.
    """

    def __init__(self, geometry: Geometry) -> None:
        self.geometry = geometry
        self._axes = tuple(zip(geometry.shape, geometry.strides, geometry.joined, strict=True))
        self._ways: list[Coordinate] = [
            way for step in geometry.steps for way in (step, tuple(-by for by in step))
        ]
        self._star = geometry.star()

    def near(self, index: int) -> int:
        """Return a mask of the cells that lines through the cell of *index* reach.

        It includes some cells beyond the edges.
        """
        geometry = self.geometry
        if self._star is not None:
            star, middle = self._star
            return star << index >> middle
        if len(geometry.steps) > MAX_WALKED:
            return -1
        rays = [geometry.ray(index, way, geometry.k - 1) for way in self._ways]
        return mask_of({index}.union(*rays))

    def count_lines(self, index: int) -> int:
        """Return the number of lines through the cell of *index*, or 0 if the board wraps.

        Without edges all cells are alike, so a count of long lines would be of no use.
        """
        return 0 if any(self.geometry.joined) else self.geometry.line_count(index)

    def decide(self, cells: Sequence[str | None], mine: int, index: int, winner: str) -> Outcome | None:
        """Return the outcome for *winner* if lines through the cell of *index* are complete, else None."""
        whole = self.complete(cells, mine, index)
        return Outcome(winner, whole, Termination.LINE) if whole else None

    def complete(self, cells: Sequence[str | None], mine: int, index: int) -> tuple[Line, ...]:
        """Return the lines through the cell of *index* that are full of its mark."""
        geometry, mark = self.geometry, cells[index]
        by_cells: dict[frozenset[int], Line] = {}
        for step in self._candidate_steps(cells, index):
            if self._run(cells, index, step) >= geometry.k:
                for line, ends in geometry.windows(index, step):
                    is_whole = all(cells[cell] == mark for cell in line)
                    if is_whole and not (geometry.exact and any(cells[cell] == mark for cell in ends)):
                        by_cells.setdefault(frozenset(line), geometry.line(line, step))
        return tuple(by_cells.values())

    def _candidate_steps(self, cells: Sequence[str | None], index: int) -> Sequence[Coordinate]:
        """Return the directions in which a neighbour has the mark of the cell of *index*.

        For lines of one cell, and on tilings with few directions, return all directions.
        """
        geometry, mark = self.geometry, cells[index]
        if geometry.k == 1 or geometry.tiling:
            return geometry.steps
        places, ways = [index], []
        for side, each, joined in self._axes:
            part = index // each % side
            here = [(0, 0)]
            if part or joined:
                here.append((-1, -each if part else (side - 1) * each))
            if part < side - 1 or joined:
                here.append((1, each if part < side - 1 else (1 - side) * each))
            ways.append(here)
            offsets = [offset for _, offset in here]
            places = [place + offset for place in places for offset in offsets]
        zero = (0,) * len(ways)
        steps = set()
        for number, place in enumerate(places):
            if cells[place] == mark:
                parts = []
                for here in reversed(ways):  # *number* is the index of a combination of ways.
                    number, at = divmod(number, len(here))
                    parts.append(here[at][0])
                step = tuple(reversed(parts))
                steps.add(max(step, tuple(-by for by in step)))
        steps.discard(zero)
        return sorted(steps)

    def _run(self, cells: Sequence[str | None], index: int, step: Coordinate) -> int:
        """Return the number of cells in a row that bear the mark.

        On a ring that is full of it, the number exceeds the number of cells.
        """
        mark, run = cells[index], 1
        for way in (step, tuple(-by for by in step)):
            for cell in self.geometry.ray(index, way, self.geometry.k):
                if cells[cell] != mark:
                    break
                run += 1
        return run


@lru_cache(maxsize=64)
def ends_of(geometry: Geometry) -> LinesByMask | LinesByWalk:
    """Return the finder of complete lines of a board, shared by all its games: masks, if memory allows."""
    can_mask = can_enumerate(geometry) and geometry.size * len(geometry.steps) <= MAX_WAYS
    return LinesByMask(geometry) if can_mask else LinesByWalk(geometry)


def complete_lines(
    geometry: Geometry, cells: Sequence[str | None], mark: str, among: Iterable[int] | None = None
) -> tuple[Line, ...]:
    """Return every complete line of *mark*, or those through the cells *among*."""
    ends, mine = ends_of(geometry), cells_with(cells, mark)
    by_cells: dict[frozenset[Coordinate], Line] = {}
    for index in range(len(cells)) if among is None else among:
        if cells[index] == mark:
            for line in ends.complete(cells, mine, index):
                by_cells.setdefault(frozenset(line.cells), line)
    return tuple(by_cells.values())
