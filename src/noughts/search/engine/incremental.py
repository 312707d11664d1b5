"""A k-in-a-row position in flat arrays, kept up to date mark by mark.

For each line and side: how many marks of the side it bears, and how many things stop the side from
completing it (marks of the other side and, where longer lines do not count, own marks at its ends). A line
that nothing stops is *live*. From the live lines follow, for each side, the cells that win at once, and for
each cell its pull, how much the lines through it are worth to it.
"""

from collections.abc import Sequence
from functools import lru_cache
from random import Random

from noughts.core.geometry import Geometry
from noughts.core.lines import LineTable, line_table
from noughts.games.base import Game
from noughts.games.rules import Rules
from noughts.search.engine import arrays as at
from noughts.search.numba_backend import Ints, Machine, kernel

NOWHERE = -1

VALUE_BITS = 26
LACKS_THREE = 1 << VALUE_BITS
LACKS_TWO = 1 << (VALUE_BITS + 13)
"""The pull of a cell is one int of three parts: the value of the live lines through it, below that many bits,
and how many of these lines lack three marks and two marks, 13 bits each."""

VALUE_MASK = LACKS_THREE - 1

TEMPO = 12
"""What it is worth to be to move."""

WORTHS = (0, 40, 16, 4, 1)
FALLING_WORTHS = (0, 60, 24, 8, 3)
"""What a live line is worth that lacks so many marks, where they are placed freely and where they fall; those
that lack more are worth 1. Found by games of the engine against itself."""

PULLS = (0, 1200, 420, 130, 45, 16, 6)
"""What a live line adds to the pull of a cell, by how many marks it lacks; less than the last is worth 2."""


def memory_of(game: Game, rules: Rules, machine: Machine, entries: int) -> Ints:
    """The memory for the position of *game*, of *rules* and not too large.

    *entries*, a power of two, is the number of positions that can be remembered.
    """
    empty = _empty_memory(rules.geometry, rules.gravity, machine)
    memory = machine.zeros(len(empty) + 4 * entries)
    memory[: len(empty)] = empty
    for number, name in enumerate((at.KEYS, at.VALUES, at.FRUITLESS, at.EFFORT)):
        memory[name] = len(empty) + number * entries
    memory[at.ENTRIES] = entries
    place, cells = machine.function(change), game.cells
    # Where marks fall, from the lowest cells up.
    for cell in range(len(cells) - 1, -1, -1):
        if (mark := cells[cell]) is not None:
            place(memory, cell, game.sides.index(mark), 1)
    return memory


@lru_cache(maxsize=8)
def _empty_memory(geometry: Geometry, gravity: bool, machine: Machine) -> Ints:
    """The memory of an empty board without the positions that can be remembered; it is not to be changed."""
    table = line_table(geometry)
    assert table is not None  # noqa: S101 - the caller looked
    shape, k = geometry.shape, geometry.k
    size, width = table.size, table.size // shape[0] if gravity else 0
    first_end, end_of = _ends(table)
    gain, worth = line_gains(k), line_worths(k, falling=gravity)
    nothing = [0] * (2 * table.count)
    parts = (table.cells, table.through, end_of, nothing, nothing)
    memory = machine.zeros(at.FIXED + sum(map(len, parts)))
    i = at.FIXED
    for name, part in zip((at.CELLS, at.THROUGH, at.END_OF, at.OWN, at.STOPS), parts, strict=True):
        memory[name] = i
        _put(memory, machine, i, part)
        i += len(part)
    _put(memory, machine, at.SIZE, [size, table.count, k, width])
    lines_through = [table.first[cell + 1] - table.first[cell] for cell in range(size)]
    wins = [lines if k == 1 else 0 for lines in lines_through]
    for side in (0, 1):
        memory[at.WORTH + side] = table.count * worth[0]
        memory[at.NEARLY + side] = table.count if k == 2 else 0
        memory[at.WINNING + side] = size - wins.count(0)
        memory[at.WINNING_SUM + side] = sum(cell for cell in range(size) if wins[cell])
        _put(memory, machine, at.WINS + side * size, wins)
        _put(memory, machine, at.PULL + side * size, [lines * gain[0] for lines in lines_through])
    memory[at.FREE] = size
    _put(memory, machine, at.GAIN, gain)
    _put(memory, machine, at.WORTH_OF, worth)
    _put(memory, machine, at.FIRST, table.first)
    _put(memory, machine, at.FIRST_END, first_end)
    _put(memory, machine, at.MIDDLE, _nearness_to_middle(shape))
    chance = Random(size)  # a number of 61 bits for each side and cell (Zobrist 1970)
    _put(memory, machine, at.HASH, [chance.getrandbits(61) for _ in range(2 * size)])
    _put(memory, machine, at.LOWEST, range(size - width, size) if width else [])
    return memory


def _put(memory: Ints, machine: Machine, i: int, values: Sequence[int]) -> None:
    memory[i : i + len(values)] = machine.array(values)


def _ends(table: LineTable) -> tuple[list[int], list[int]]:
    """The lines of which each cell is an end, in the form of ``LineTable.first`` and ``through``."""
    ended: list[list[int]] = [[] for _ in range(table.size)]
    for i, cell in enumerate(table.ends):
        if cell >= 0:
            ended[cell].append(i // 2)
    first = [0]
    for lines in ended:
        first.append(first[-1] + len(lines))
    return first, [line for lines in ended for line in lines]


def _nearness_to_middle(shape: tuple[int, ...]) -> tuple[int, ...]:
    """For each cell a small number, the greater the nearer it is to the middle of the board."""
    far = [0]
    for side in shape:
        # Twice the distance along this axis, so that even sides have whole numbers.
        steps = [abs(2 * i - side + 1) for i in range(side)]
        far = [sofar + step for sofar in far for step in steps]
    farthest = max(far)
    return tuple((farthest - distance) * 15 // max(farthest, 1) for distance in far)


def line_worths(k: int, *, falling: bool = False) -> list[int]:
    """For each number of marks from 0 to *k*, what a live line with so many of them is worth.

    >>> line_worths(5)
    [1, 1, 4, 16, 40, 0]
    """
    worths = FALLING_WORTHS if falling else WORTHS
    return [0 if n == 0 else worths[n] if n < min(k, len(worths)) else 1 for n in range(k, -1, -1)]


def line_gains(k: int) -> list[int]:
    """For each number of marks from 0 to *k*, what a live line with so many adds to the pull of its cells."""
    gains = []
    for lacking in range(k, -1, -1):
        value = PULLS[lacking] if lacking < len(PULLS) else 2
        gains.append(value + LACKS_THREE * (lacking == 3) + LACKS_TWO * (lacking == 2))
    return gains


@kernel
def change(m: Ints, cell: int, side: int, by: int) -> None:
    """Place a mark of *side* on *cell* (*by* = 1), or take it back (*by* = -1)."""
    size, k = m[at.SIZE], m[at.K]
    own, stops, cells, through = m[at.OWN], m[at.STOPS], m[at.CELLS], m[at.THROUGH]
    other = 1 - side
    mine, theirs = at.PULL + side * size, at.PULL + other * size
    for i in range(through + m[at.FIRST + cell], through + m[at.FIRST + cell + 1]):
        line = m[i]
        forward, back = 2 * line + side, 2 * line + other
        if by < 0:
            m[own + forward] -= 1
            m[stops + back] -= 1
        rise = 0
        fall = 0
        if m[stops + forward] == 0:
            count = m[own + forward]
            rise = (m[at.GAIN + count + 1] - m[at.GAIN + count]) * by
            m[at.WORTH + side] += (m[at.WORTH_OF + count + 1] - m[at.WORTH_OF + count]) * by
            if count >= k - 3:
                change_near(m, line, cell, side, count, by)
        if m[stops + back] == 0:
            count = m[own + back]
            fall = m[at.GAIN + count] * by
            m[at.WORTH + other] -= m[at.WORTH_OF + count] * by
            if count == k - 2:
                m[at.NEARLY + other] -= by
            elif count == k - 1:
                count_win(m, other, cell, -by)
        if by > 0:
            m[own + forward] += 1
            m[stops + back] += 1
        if rise != 0 or fall != 0:
            for place in range(cells + line * k, cells + line * k + k):
                touched = m[place]
                m[mine + touched] += rise
                m[theirs + touched] -= fall
    if m[at.FIRST_END + cell] != m[at.FIRST_END + cell + 1]:
        change_ended(m, cell, side, by)
    m[at.BOARD + cell] = side + 1 if by > 0 else 0
    width = m[at.WIDTH]
    if width > 0:
        above = cell - width if cell >= width else NOWHERE
        m[at.LOWEST + cell % width] = above if by > 0 else cell
    m[at.KEY] ^= m[at.HASH + side * size + cell]
    m[at.FREE] -= by


@kernel
def change_near(m: Ints, line: int, cell: int, side: int, count: int, by: int) -> None:
    """The part of :func:`change` that is about a *line* of *side* that lacks three marks or fewer."""
    k = m[at.K]
    if count == k - 3:
        m[at.NEARLY + side] += by
    elif count == k - 2:
        m[at.NEARLY + side] -= by
        count_win(m, side, empty_cell(m, line, cell), by)
    else:
        count_win(m, side, cell, -by)


@kernel
def change_ended(m: Ints, cell: int, side: int, by: int) -> None:
    """The part of :func:`change` that is about lines that must not grow longer: *cell* ends them."""
    size, k = m[at.SIZE], m[at.K]
    own, stops, cells = m[at.OWN], m[at.STOPS], m[at.CELLS]
    for i in range(m[at.END_OF] + m[at.FIRST_END + cell], m[at.END_OF] + m[at.FIRST_END + cell + 1]):
        line = m[i]
        forward = 2 * line + side
        if by < 0:
            m[stops + forward] -= 1
        if m[stops + forward] == 0:
            count = m[own + forward]
            m[at.WORTH + side] -= m[at.WORTH_OF + count] * by
            if count == k - 2:
                m[at.NEARLY + side] -= by
            elif count == k - 1:
                count_win(m, side, empty_cell(m, line, cell), -by)
            for place in range(cells + line * k, cells + line * k + k):
                m[at.PULL + side * size + m[place]] -= m[at.GAIN + count] * by
        if by > 0:
            m[stops + forward] += 1


@kernel
def count_win(m: Ints, side: int, cell: int, by: int) -> None:
    """One more line (*by* = 1), or one less, that *side* completes on *cell*."""
    i = side * m[at.SIZE] + cell
    before = m[at.WINS + i]
    m[at.WINS + i] = before + by
    if before == 0 or before + by == 0:
        m[at.WINNING + side] += by
        m[at.WINNING_SUM + side] += by * cell


@kernel
def empty_cell(m: Ints, line: int, apart: int) -> int:
    """The empty cell of *line* other than *apart*."""
    k = m[at.K]
    found = NOWHERE
    for place in range(line * k, line * k + k):
        cell = m[m[at.CELLS] + place]
        if cell != apart and m[at.BOARD + cell] == 0:
            found = cell
    return found


@kernel
def count_wins(m: Ints, side: int) -> int:
    """On how many cells, of those where one may go now, *side* completes a line."""
    width = m[at.WIDTH]
    if width == 0:
        return m[at.WINNING + side]
    count = 0
    if m[at.WINNING + side] > 0:
        base = side * m[at.SIZE]
        for column in range(width):
            cell = m[at.LOWEST + column]
            if cell >= 0 and m[at.WINS + base + cell] > 0:
                count += 1
    return count


@kernel
def find_win(m: Ints, side: int) -> int:
    """The first cell on which *side* completes a line now, NOWHERE if there is none."""
    width = m[at.WIDTH]
    count = m[at.WINNING + side]
    if count == 0:
        return NOWHERE
    if width == 0 and count == 1:
        return m[at.WINNING_SUM + side]
    base = side * m[at.SIZE]
    for place in range(width if width > 0 else m[at.SIZE]):
        cell = m[at.LOWEST + place] if width > 0 else place
        if cell >= 0 and m[at.WINS + base + cell] > 0:
            return cell
    return NOWHERE
