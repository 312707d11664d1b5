"""The points that renju forbids to Black, read from the classes of lines.

The classes of Black show overlines and fours, so most points need no search. A point with two open threes is
forbidden if both can become an unbroken four by a legal move that makes no five elsewhere. To judge that
move, the mark of Black is placed, and so on: each step has one more mark on the board.
"""

from noughts.search.deepening import NOWHERE
from noughts.search.numba_backend import inlined, kernel
from noughts.search.patterns.line_classes import (
    DOUBTFUL_FOUR,
    DOUBTFUL_THREES,
    FIVE_POINT,
    FORBIDDEN_POINT,
    OPEN_FOUR,
    POINT_CLASSES,
)
from noughts.search.patterns.memory import PatternMemory
from noughts.search.patterns.position import place, remove

BLACK = 0
"""The side that is restricted in renju."""

WAYS = 8
"""The number of ways from a cell along its lines: two in each direction."""


@inlined
def is_legal(m: PatternMemory, side: int, cell: int) -> bool:
    """Return True if *side* may place a mark on the empty *cell*."""
    point = m.point[side * m.size + cell]
    return point < FORBIDDEN_POINT or (point != FORBIDDEN_POINT and not has_two_threes(m, cell))


@inlined
def count_doubtful(m: PatternMemory) -> int:
    """Return the number of empty cells that are forbidden to Black, or may be so."""
    base = BLACK * POINT_CLASSES
    return (
        m.counts[base + FORBIDDEN_POINT] + m.counts[base + DOUBTFUL_THREES] + m.counts[base + DOUBTFUL_FOUR]
    )


@inlined
def is_roomy(m: PatternMemory) -> bool:
    """Return True if each side surely has a legal move in the next plies.

    If Black has none, the game is drawn at once, even if White threatens to win.
    """
    return m.spare == 0 or m.free - count_doubtful(m) >= m.spare


@kernel
def find_legal(m: PatternMemory, side: int) -> int:
    """Return a cell on which *side* may place a mark, if possible the middle; NOWHERE if there is none."""
    if m.board[m.middle] == 0 and is_legal(m, side, m.middle):
        return m.middle
    for number in range(m.cell_count):
        cell = m.cells[number]
        if m.board[cell] == 0 and is_legal(m, side, cell):
            return cell
    return NOWHERE


@kernel
def has_two_threes(m: PatternMemory, cell: int) -> bool:
    """Return True if a mark of Black on *cell* makes two threes in the sense of renju.

    ``judged`` has the cells that are being judged, each of which needs the verdict on the next one.
    """
    level = 0
    judge_next(m, level, cell)
    while True:
        way = m.judged_way[level]
        if way == WAYS or m.judged_threes[level] == 2:
            is_double = m.judged_threes[level] == 2
            remove(m, m.judged[level], BLACK)
            if level == 0:
                return is_double
            level -= 1
            if not is_double:
                count_three(m, level)
            continue
        direction = way // 2
        step = m.steps[direction] if way % 2 == 0 else -m.steps[direction]
        m.judged_way[level] = way + 1
        four = m.judged[level] + step
        while m.board[four] == BLACK + 1:
            four += step
        if m.board[four] != 0 or m.shapes[BLACK * m.size + four] >> 4 * direction & 15 != OPEN_FOUR:
            continue
        point = m.point[BLACK * m.size + four]
        if point in (DOUBTFUL_THREES, DOUBTFUL_FOUR):
            level += 1
            judge_next(m, level, four)
        elif point not in (FIVE_POINT, FORBIDDEN_POINT):
            count_three(m, level)


@kernel
def judge_next(m: PatternMemory, level: int, cell: int) -> None:
    """Place a mark of Black on *cell*, to count its threes at this *level*."""
    m.judged[level], m.judged_way[level], m.judged_threes[level] = cell, 0, 0
    place(m, cell, BLACK)


@kernel
def count_three(m: PatternMemory, level: int) -> None:
    """Count the three in the direction of the last way, and continue with the next direction."""
    m.judged_threes[level] += 1
    m.judged_way[level] = (m.judged_way[level] + 1) // 2 * 2
