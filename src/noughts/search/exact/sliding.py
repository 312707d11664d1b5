"""Shortest solutions of the fifteen puzzle by iterative deepening A* (Korf 1985).

The lower bound is the walking distance (K. Takahashi 2002). It looks at the rows alone: the number of tiles
of each goal row in each row, and the row of the gap. A vertical slide changes this pattern and a horizontal
one does not. So the fewest changes that put every tile into its row are a lower bound of the vertical slides.
The same holds for columns and horizontal slides, and the two bounds may be added. There are 24,964 such
patterns, the same for rows and columns. The bound is never less than the sum of the tiles' distances, and it
is 0 in the goal alone.
"""

from collections.abc import Sequence
from functools import cache

from noughts.core.board import coordinate_of, index_of
from noughts.games.base import Game, Move
from noughts.search.analysis import Effort, LimitReachedError, Progress, Report
from noughts.search.background_compile import MachineSelector
from noughts.search.numba_backend import Ints, Machine, kernel

SIDE = 4
CHUNK = 20_000
"""The number of slides tried between two checks of the stop signal."""

UP, LEFT, RIGHT, DOWN = range(4)
"""The direction of the sliding tile from the gap, in the order of the moves' numbers."""

NEARBY = tuple(
    gap + step if inside else -1
    for gap in range(SIDE * SIDE)
    for step, inside in ((-4, gap >= 4), (-1, gap % 4 > 0), (1, gap % 4 < 3), (4, gap < 12))
)
"""The cells with tiles that can slide into the gap, by cell of the gap and direction; -1 beyond the edge."""

EXHAUSTED, FOUND, PAUSED = range(3)
"""The results of a call of :func:`slide`: no solution, a solution, or work left to do."""

DEPTH, BOUND, NODES = range(3)
"""The indices of a search's state: slides made, slides allowed, slides that may still be tried."""


@kernel
def slide(
    tiles: Ints,
    gaps: Ints,
    tried: Ints,
    rows: Ints,
    columns: Ints,
    nearby: Ints,
    walks: Ints,
    steps: Ints,
    state: Ints,
) -> int:
    """Search for a solution of at most ``state[BOUND]`` slides that starts with the path.

    ``gaps[d]`` is the cell of the gap after d slides, ``rows[d]`` and ``columns[d]`` are the numbers of the
    patterns, and ``tried[d]`` is the next direction to try. ``nearby`` is :data:`NEARBY`; ``walks`` and
    ``steps`` are the tables of :func:`walking_distances`. The first slide of the path is never taken back.
    After PAUSED, call again with more nodes to continue.
    """
    depth, bound, nodes = state[DEPTH], state[BOUND], state[NODES]
    ended = PAUSED
    while ended == PAUSED:
        direction, gap = tried[depth], gaps[depth]
        if direction > DOWN:
            if depth == 1:
                ended = EXHAUSTED
            else:
                depth -= 1
                tiles[gap] = tiles[gaps[depth]]
                tiles[gaps[depth]] = 0
            continue
        cell = nearby[4 * gap + direction]
        if cell < 0 or cell == gaps[depth - 1]:
            tried[depth] = direction + 1
            continue
        if nodes == 0:
            break
        nodes -= 1
        tried[depth] = direction + 1
        tile, row, column = tiles[cell], rows[depth], columns[depth]
        # Is the tile below or right of the gap? Columns are rows of the mirror image.
        below = 4 if direction >= RIGHT else 0
        if LEFT <= direction <= RIGHT:
            column = steps[8 * column + below + (tile - 1 & 3)]
        else:
            row = steps[8 * row + below + (tile - 1 >> 2)]
        left = walks[row] + walks[column]
        if depth + 1 + left <= bound:
            depth += 1
            tiles[gap], tiles[cell] = tile, 0
            gaps[depth], rows[depth], columns[depth], tried[depth] = cell, row, column, 0
            if left == 0:
                ended = FOUND
    state[DEPTH], state[NODES] = depth, nodes
    return ended


@cache
def walking_distances() -> tuple[tuple[int, ...], tuple[int, ...], dict[int, int]]:
    """Return the distance of each pattern from the goal, the targets of slides, and the patterns' numbers.

    A slide of a tile of goal row g leads from pattern i to ``steps[8 * i + g]`` if the tile is above the gap,
    and to ``steps[8 * i + 4 + g]`` if it is below; -1 if there is no such tile.
    """
    goal = pattern([*range(1, 16), 0])
    numbers, walks, steps = {goal: 0}, [0], []
    for code in (queue := [goal]):
        gap = code & 3
        distance = walks[numbers[code]] + 1
        for near in (gap - 1, gap + 1):
            for group in range(SIDE):
                if not 0 <= near < SIDE or not code >> _place(near, group) & 7:
                    steps.append(-1)
                    continue
                after = code + (1 << _place(gap, group)) - (1 << _place(near, group)) + near - gap
                if after not in numbers:
                    numbers[after] = len(queue)
                    queue.append(after)
                    walks.append(distance)
                steps.append(numbers[after])
    return tuple(walks), tuple(steps), numbers


def pattern(tiles: Sequence[int]) -> int:
    """Encode the rows of *tiles* as a number: the gap's row, then three bits for each row and goal row."""
    code = tiles.index(0) // SIDE
    return code + sum(1 << _place(at // SIDE, (tile - 1) // SIDE) for at, tile in enumerate(tiles) if tile)


def _place(row: int, group: int) -> int:
    return 2 + 3 * (row * SIDE + group)


def _turned(tiles: Sequence[int]) -> list[int]:
    """Return the mirror image in the main diagonal, renumbered so that the goal is the same."""
    image = [tiles[at % SIDE * SIDE + at // SIDE] for at in range(SIDE * SIDE)]
    return [(tile - 1) % SIDE * SIDE + (tile - 1) // SIDE + 1 if tile else 0 for tile in image]


def least_slides(tiles: Sequence[int]) -> int:
    """Return a lower bound of the slides that solve *tiles*, the walking distance; 0 for the goal alone.

    >>> least_slides((1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 0, 15))
    1
    """
    walks, _, numbers = walking_distances()
    return walks[numbers[pattern(tiles)]] + walks[numbers[pattern(_turned(tiles))]]


class SlidingSearch:
    """Searches for solutions of *game*, a fifteen puzzle, that start with a given slide.

    ``least`` is a lower bound of the slides needed. Each slide changes the parity of the permutation, so the
    lengths of all solutions differ by even numbers. A wrong slide can be taken back, so it costs two slides
    and no more. *select_machine* chooses the machine for the kernels, which may be a faster one later.
    *report* is called with the progress. Raises :class:`~noughts.search.analysis.LimitReachedError` when
    *effort* is over.
    """

    step = detour = 2

    def __init__(self, game: Game, effort: Effort, select_machine: MachineSelector, report: Report) -> None:
        self._shape = game.shape
        self._start = tuple(0 if tile is None else int(tile) for tile in game.cells)
        self.least = least_slides(self._start)
        self._effort, self._select_machine, self._report = effort, select_machine, report

    def begin(self, move: Move, max_slides: int) -> tuple[Move, ...]:
        """Return the slides that solve the puzzle, *move* first, at most *max_slides* of them.

        Return () if there is no such solution that never takes a slide back at once.
        """
        tiles, cell = self._start, index_of(self._shape, move)
        gap, after = tiles.index(0), list(tiles)
        after[gap], after[cell] = tiles[cell], 0
        least = least_slides(after)
        if max_slides < 1 + least:
            return ()
        if least == 0:
            return (move,)
        numbers = walking_distances()[2]
        gaps, tried, rows, columns = ([0] * (max_slides + 2) for _ in range(4))
        gaps[0], gaps[1] = gap, cell
        rows[1], columns[1] = numbers[pattern(after)], numbers[pattern(_turned(after))]
        arrays: list[Ints] = [after, gaps, tried, rows, columns, [1, max_slides, 0]]
        machine: Machine | None = None
        effort, ended = self._effort, PAUSED
        while ended == PAUSED:
            if effort.is_over():
                raise LimitReachedError
            self._report(Progress("searching", effort.nodes, max_slides))
            if (selected := self._select_machine(effort.stop)) is not machine:
                machine, arrays = selected, [selected.array(values) for values in arrays]
            board, gaps, tried, rows, columns, state = arrays
            state[NODES] = chunk = effort.left(CHUNK)
            ended = selected.function(slide)(board, gaps, tried, rows, columns, *_tables(selected), state)
            effort.nodes += chunk - int(state[NODES])
        if ended == EXHAUSTED:
            return ()
        return tuple(coordinate_of(self._shape, int(gap)) for gap in gaps[1 : state[DEPTH] + 1])


@cache
def _tables(machine: Machine) -> tuple[Ints, Ints, Ints]:
    """Return the constant tables: the neighbouring cells, the walking distances and the targets of slides."""
    walks, steps, _ = walking_distances()
    return machine.array(NEARBY), machine.array(walks), machine.array(steps)
