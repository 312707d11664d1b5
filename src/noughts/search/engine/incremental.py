"""A k-in-a-row position in flat arrays, updated mark by mark.

For each line and side the arrays have the number of the side's marks, and of the obstacles to the line.
Obstacles are marks of the other side and, if longer lines do not count, own marks at the ends of the line. A
line without obstacles is *live*. The live lines give the cells on which each side wins at once, and the
*pull* of each cell: the value of the lines through it.
"""

from dataclasses import replace

from noughts.games.base import Game
from noughts.games.rules import Rules
from noughts.search.deepening import NOWHERE
from noughts.search.engine.memory import STOP, EngineMemory, empty_memory
from noughts.search.memory import zeros
from noughts.search.numba_backend import Machine, kernel


def memory_of(game: Game, rules: Rules, machine: Machine, entries: int) -> EngineMemory:
    """Return the memory for the position of *game*, which has *rules* and is not too large.

    *entries*, a power of two, is the number of entries in the transposition table.
    """
    empty = empty_memory(rules.geometry, rules.gravity, machine)
    tables = zeros(entries, "keys", "values", "fruitless", "effort")
    memory = machine.memory(replace(empty, entries=entries, **tables))
    place, cells = machine.function(change), game.cells
    # With gravity, the lowest cells come first.
    for cell in range(len(cells) - 1, -1, -1):
        if (mark := cells[cell]) is not None:
            place(memory, cell, game.sides.index(mark), 1)
    return memory


@kernel
def change(m: EngineMemory, cell: int, side: int, by: int) -> None:
    """Place a mark of *side* on *cell* (*by* = 1), or remove it (*by* = -1)."""
    size, k = m.size, m.k
    marks, other = m.marks, 1 - side
    mine, theirs = side * size, other * size
    for i in range(m.first[cell], m.first[cell + 1]):
        line = m.through[i]
        forward, back = 2 * line + side, 2 * line + other
        if by < 0:
            marks[forward] -= 1
            marks[back] -= STOP
        rise = 0
        fall = 0
        count = marks[forward]
        if count < STOP:
            rise = (m.gain[count + 1] - m.gain[count]) * by
            m.worth[side] += (m.worth_of[count + 1] - m.worth_of[count]) * by
            if count >= k - 3:
                change_near(m, line, cell, side, count, by)
        count = marks[back]
        if count < STOP:
            fall = m.gain[count] * by
            m.worth[other] -= m.worth_of[count] * by
            if count == k - 2:
                m.nearly[other] -= by
            elif count == k - 1:
                count_win(m, other, cell, -by)
        if by > 0:
            marks[forward] += 1
            marks[back] += STOP
        if rise != 0 or fall != 0:
            for place in range(line * k, line * k + k):
                touched = m.cells[place]
                m.pull[mine + touched] += rise
                m.pull[theirs + touched] -= fall
    if m.first_end[cell] != m.first_end[cell + 1]:
        change_ended(m, cell, side, by)
    m.board[cell] = side + 1 if by > 0 else 0
    width = m.width
    if width > 0:
        above = cell - width if cell >= width else NOWHERE
        m.lowest[cell % width] = above if by > 0 else cell
    m.key ^= m.hash[side * size + cell]
    m.free -= by


@kernel
def change_near(m: EngineMemory, line: int, cell: int, side: int, count: int, by: int) -> None:
    """Update a *line* of *side* that lacks at most three marks, as a part of :func:`change`."""
    k = m.k
    if count == k - 3:
        m.nearly[side] += by
    elif count == k - 2:
        m.nearly[side] -= by
        count_win(m, side, empty_cell(m, line, cell), by)
    else:
        count_win(m, side, cell, -by)


@kernel
def change_ended(m: EngineMemory, cell: int, side: int, by: int) -> None:
    """Update the lines that end at *cell*, which must not grow longer, as a part of :func:`change`."""
    size, k = m.size, m.k
    marks = m.marks
    for i in range(m.first_end[cell], m.first_end[cell + 1]):
        line = m.end_of[i]
        forward = 2 * line + side
        if by < 0:
            marks[forward] -= STOP
        count = marks[forward]
        if count < STOP:
            m.worth[side] -= m.worth_of[count] * by
            if count == k - 2:
                m.nearly[side] -= by
            elif count == k - 1:
                count_win(m, side, empty_cell(m, line, cell), -by)
            for place in range(line * k, line * k + k):
                m.pull[side * size + m.cells[place]] -= m.gain[count] * by
        if by > 0:
            marks[forward] += STOP


@kernel
def count_win(m: EngineMemory, side: int, cell: int, by: int) -> None:
    """Count one more line (*by* = 1), or one less (*by* = -1), that *side* completes on *cell*."""
    i = side * m.size + cell
    before = m.wins[i]
    m.wins[i] = before + by
    if before == 0 or before + by == 0:
        m.winning[side] += by
        m.winning_sum[side] += by * cell


@kernel
def empty_cell(m: EngineMemory, line: int, apart: int) -> int:
    """Return the empty cell of *line* other than *apart*."""
    k = m.k
    result = NOWHERE
    for place in range(line * k, line * k + k):
        cell = m.cells[place]
        if cell != apart and m.board[cell] == 0:
            result = cell
    return result


@kernel
def count_wins(m: EngineMemory, side: int) -> int:
    """Return the number of open cells on which *side* completes a line."""
    width = m.width
    if width == 0:
        return m.winning[side]
    count = 0
    if m.winning[side] > 0:
        base = side * m.size
        for column in range(width):
            cell = m.lowest[column]
            if cell >= 0 and m.wins[base + cell] > 0:
                count += 1
    return count


@kernel
def find_win(m: EngineMemory, side: int) -> int:
    """Return the first open cell on which *side* completes a line, or NOWHERE."""
    width = m.width
    count = m.winning[side]
    if count == 0:
        return NOWHERE
    if width == 0 and count == 1:
        return m.winning_sum[side]
    base = side * m.size
    for place in range(width if width > 0 else m.size):
        cell = m.lowest[place] if width > 0 else place
        if cell >= 0 and m.wins[base + cell] > 0:
            return cell
    return NOWHERE
