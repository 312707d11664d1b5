"""The position of the pattern search, updated mark by mark.

A mark changes the windows of the cells around it in four directions. If the line class of a cell changes, its
shape, its point class, the counts of point classes and the sums of weights follow. Marks are removed in the
reverse order of their placing: the log has the old values.
"""

from noughts.search.deepening import NOWHERE
from noughts.search.numba_backend import inlined, kernel
from noughts.search.patterns.line_classes import (
    DOUBTFUL_FOUR,
    FIVE_POINT,
    FORBIDDEN_POINT,
    FOUR_AND_OPEN_THREE,
    FOUR_AND_THREE,
    FOUR_POINT,
    FOURS,
    LINE_CLASSES,
    NO_POINT,
    OPEN_THREE_AND_THREE,
    OPEN_THREE_POINT,
    OPEN_THREES,
    POINT_CLASSES,
)
from noughts.search.patterns.memory import (
    CLASSES_BITS,
    KEY_BITS,
    KEY_MASK,
    MOVER_BIT,
    POINT_BITS,
    POINT_SUM_BITS,
    PatternMemory,
)

PAIR_BITS, SHAPE_BITS = 8, 16
"""The bits of a pair of line classes and of a shape in the log of changes."""

MAX_VALUE = 10_000
"""The greatest value without a proof."""


@inlined
def class_of(m: PatternMemory, key: int) -> int:
    """Return the line class of a window *key*."""
    return m.classes[key >> CLASSES_BITS] >> 4 * (key & (1 << CLASSES_BITS) - 1) & 15


@inlined
def point_of(record: int) -> int:
    """Return the point class in a *record*."""
    return record & (1 << POINT_BITS) - 1


@inlined
def waiting_weight(record: int) -> int:
    """Return the weight for the side that is not to move in a *record*, or in a sum of records."""
    half = 1 << MOVER_BIT - POINT_SUM_BITS - 1
    return ((record >> POINT_SUM_BITS) + half & 2 * half - 1) - half


@inlined
def mover_weight(record: int) -> int:
    """Return the weight for the side to move in a *record*, or in a sum of records."""
    return (record >> POINT_SUM_BITS) - waiting_weight(record) >> MOVER_BIT - POINT_SUM_BITS


@inlined
def set_shape(m: PatternMemory, side: int, cell: int, shape: int) -> None:
    """Set the shape of *cell* for *side*, and what follows from it."""
    i = side * m.size + cell
    first = side * m.second_shapes
    old, new = m.records[first + m.shapes[i]], m.records[first + shape]
    m.shapes[i] = shape
    m.sums[side] += new - old
    before, after = m.point[i], point_of(new)
    if before != after:
        m.point[i] = after
        m.counts[side * POINT_CLASSES + before] -= 1
        m.counts[side * POINT_CLASSES + after] += 1


@kernel
def place(m: PatternMemory, cell: int, side: int) -> None:
    """Place a mark of *side* on *cell*."""
    size, reach = m.size, m.reach
    m.frames[m.marks] = m.change_count
    m.marks += 1
    m.free -= 1
    m.key ^= m.hash[side * size + cell]
    m.board[cell] = side + 1
    for either in range(2):
        i = either * size + cell
        shape = either * m.second_shapes + m.shapes[i]
        m.counts[either * POINT_CLASSES + m.point[i]] -= 1
        m.point[i] = NO_POINT
        m.sums[either] -= m.records[shape]
    for i in range(m.near_count):
        m.neighbours[cell + m.near[i]] += 1
    log = m.change_count
    for direction in range(4):
        step = m.steps[direction]
        changed = cell - reach * step
        for distance in range(-reach, reach + 1):
            # The window of a mark is not kept up to date: it is not read before the mark is removed, and
            # then all later marks are gone.
            if m.board[changed] == 0:
                number = reach - distance - (1 if distance < 0 else 0)
                i = 4 * changed + direction
                window = m.windows[i] + m.digits[2 * number + side]
                m.windows[i] = window
                first = class_of(m, window & KEY_MASK)
                second = class_of(m, m.second_classes + (window >> KEY_BITS))
                pair = m.line_pair[i]
                if first + LINE_CLASSES * second != pair:
                    one, two = m.shapes[changed], m.shapes[size + changed]
                    m.changes[log] = ((i << SHAPE_BITS | one) << SHAPE_BITS | two) << PAIR_BITS | pair
                    log += 1
                    m.line_pair[i] = first + LINE_CLASSES * second
                    bits = 4 * direction
                    if first != pair % LINE_CLASSES:
                        set_shape(m, 0, changed, one & ~(15 << bits) | first << bits)
                    if second != pair // LINE_CLASSES:
                        set_shape(m, 1, changed, two & ~(15 << bits) | second << bits)
            changed += step
    m.change_count = log


@kernel
def remove(m: PatternMemory, cell: int, side: int) -> None:
    """Remove the mark of *side* that was placed last, on *cell*."""
    size, reach = m.size, m.reach
    m.marks -= 1
    first = m.frames[m.marks]
    log = m.change_count
    while log > first:
        log -= 1
        change = m.changes[log]
        i = change >> PAIR_BITS + 2 * SHAPE_BITS
        m.line_pair[i] = change & (1 << PAIR_BITS) - 1
        one = change >> PAIR_BITS + SHAPE_BITS & (1 << SHAPE_BITS) - 1
        two = change >> PAIR_BITS & (1 << SHAPE_BITS) - 1
        changed = i >> 2
        if one != m.shapes[changed]:
            set_shape(m, 0, changed, one)
        if two != m.shapes[size + changed]:
            set_shape(m, 1, changed, two)
    m.change_count = first
    for direction in range(4):
        step = m.steps[direction]
        changed = cell - reach * step
        for distance in range(-reach, reach + 1):
            if m.board[changed] == 0:
                number = reach - distance - (1 if distance < 0 else 0)
                m.windows[4 * changed + direction] -= m.digits[2 * number + side]
            changed += step
    for i in range(m.near_count):
        m.neighbours[cell + m.near[i]] -= 1
    m.board[cell] = 0
    m.key ^= m.hash[side * size + cell]
    m.free += 1
    for either in range(2):
        i = either * size + cell
        shape = either * m.second_shapes + m.shapes[i]
        m.point[i] = point_of(m.records[shape])
        m.counts[either * POINT_CLASSES + m.point[i]] += 1
        m.sums[either] += m.records[shape]


@inlined
def count(m: PatternMemory, side: int, point: int) -> int:
    """Return the number of empty cells with this *point* class for *side*."""
    return m.counts[side * POINT_CLASSES + point]


@inlined
def count_fours(m: PatternMemory, side: int) -> int:
    """Return the number of cells on which *side* makes a four or a five.

    In renju the number includes forbidden points of Black, since a mark of White can make them legal.
    """
    base = side * POINT_CLASSES
    return (
        m.counts[base + FOUR_POINT]
        + m.counts[base + FOUR_AND_THREE]
        + m.counts[base + FOUR_AND_OPEN_THREE]
        + m.counts[base + FOURS]
        + m.counts[base + FIVE_POINT]
        + m.counts[base + FORBIDDEN_POINT]
        + m.counts[base + DOUBTFUL_FOUR]
    )


@kernel
def threat_mask(m: PatternMemory, side: int) -> int:
    """Return the threats of the position as bits: those of *side*, which is to move, come first."""
    own, other = side * POINT_CLASSES, (1 - side) * POINT_CLASSES
    counts = m.counts
    mask = 0
    if counts[own + FOUR_AND_OPEN_THREE] > 0:
        mask |= 1
    if counts[own + FOUR_AND_THREE] > 0:
        mask |= 2
    if counts[own + FOUR_POINT] > 0:
        mask |= 4
    if counts[own + OPEN_THREES] > 0:
        mask |= 8
    if counts[own + OPEN_THREE_AND_THREE] + counts[own + OPEN_THREE_POINT] > 0:
        mask |= 16
    if counts[other + FOURS] > 0:
        mask |= 32
    if counts[other + FOUR_AND_OPEN_THREE] + counts[other + OPEN_THREES] > 0:
        mask |= 64
    if counts[other + FOUR_AND_THREE] > 0:
        mask |= 128
    if counts[other + FOUR_POINT] > 0:
        mask |= 256
    if counts[other + OPEN_THREE_AND_THREE] + counts[other + OPEN_THREE_POINT] > 0:
        mask |= 512
    return mask


@kernel
def evaluate(m: PatternMemory, side: int) -> int:
    """Return the value of the position for *side*, which is to move, without a search."""
    value = (
        mover_weight(m.sums[side]) - waiting_weight(m.sums[1 - side]) + m.threat_weights[threat_mask(m, side)]
    )
    return max(-MAX_VALUE, min(MAX_VALUE, value))


@kernel
def find_point(m: PatternMemory, side: int, point: int) -> int:
    """Return the first empty cell with this *point* class for *side*, or NOWHERE."""
    for number in range(m.cell_count):
        cell = m.cells[number]
        if m.board[cell] == 0 and m.point[side * m.size + cell] == point:
            return cell
    return NOWHERE


@kernel
def find_five_near(m: PatternMemory, side: int, cell: int) -> int:
    """Return a cell on a line through *cell* on which *side* makes five, or NOWHERE."""
    for direction in range(4):
        step = m.steps[direction]
        for distance in range(-m.reach, m.reach + 1):
            other = cell + distance * step
            if m.board[other] == 0 and m.point[side * m.size + other] == FIVE_POINT:
                return other
    return NOWHERE
