"""The alpha-beta search of the pattern search, one position at a time.

Each position is one ply of a stack, so the search can pause after a number of moves and continue. Moves after
the first are searched with less depth and a null window; if one is better than expected, it is searched again
with full depth, and then with the full window. The *stage* of a ply says which of these is running.
"""

from noughts.search.deepening import NOWHERE
from noughts.search.numba_backend import inlined, kernel, released
from noughts.search.patterns.forbidden import count_doubtful, find_legal, is_legal, is_roomy
from noughts.search.patterns.fours import find_sequence, find_static_result, order_score
from noughts.search.patterns.line_classes import FIVE_POINT, FOUR_POINT, FOURS, OPEN_THREE_POINT
from noughts.search.patterns.memory import LINES, MOVES, PLIES, PatternMemory
from noughts.search.patterns.position import (
    count,
    count_fours,
    evaluate,
    find_five_near,
    find_point,
    place,
    remove,
)

WIN = 30_000
"""The value of a win at once. A win in *n* plies has the value WIN - n."""

PROVED = 29_000
"""Greater values are proved wins."""

LIKELY = 28_000
"""Greater values are wins, but unless they are above PROVED, far moves of the other side were not tried."""

INFINITE = 31_000

OPEN, TRY, CLOSE = 0, 1, 2
"""The next step at a ply: open the position, try its next move, or close it with *value*."""

REDUCED, NULL_WINDOW, FULL = 1, 2, 3
"""The stages of a move."""

EXACT, LOWER, UPPER = 3, 1, 2
"""The bounds of a stored value."""

SEQUENCE_POSITIONS, SEQUENCE_FOURS = 60, 24
"""Limits of the search for a sequence of fours at the end of a line of play."""

SEQUENCE_MARGIN = 400
"""At the end of a line, no sequence of fours is searched if the estimate is this far below the window."""

CUT_MARGIN, CUT_DEPTH = 60, 6
"""A position is cut off if it is better by CUT_MARGIN a ply than needed, up to CUT_DEPTH plies."""

RAZOR_MARGIN, RAZOR_DEPTH = 150, 3
"""A position is given up if it is worse by RAZOR_MARGIN a ply than needed, up to RAZOR_DEPTH plies."""

FUTILE_MARGIN, FUTILE_DEPTH = 80, 4
"""The same for quiet moves after the first three."""

MAX_HOPE = 100
"""Maximum part of the order score in the value that a move is hoped to reach."""

MAX_MOVES = 60
"""Maximum number of moves tried in a position if its exact value is needed."""

LATE_MOVES, LATE_MOVES_PLY = 3, 27
"""In other positions, LATE_MOVES are tried, plus LATE_MOVES_PLY sixteenths for each ply of depth.

Half as many are tried if the estimate is no better than two plies before.
"""

KILLER_BONUS = 40
SECOND_KILLER_BONUS = 25
HISTORY_BITS = 6
MAX_HISTORY = 8192
MAX_HISTORY_BONUS = 1200
HISTORY_PLY = 6000
"""The history score that changes a reduction by one ply."""

VALUE_BITS, MOVE_BITS, DEPTH_BITS, BOUND_BITS = 17, 12, 8, 2
"""The bits of the parts of an entry, from the highest: value, estimate, move, depth and bound."""


@inlined
def side_at(m: PatternMemory, ply: int) -> int:
    """Return the side to move at *ply*."""
    return (m.first_side + ply) & 1


@kernel
def begin(m: PatternMemory, side: int, depth: int, low: int, high: int) -> None:
    """Begin a search to *depth* plies for a value from *low* to *high*. *side* is to move."""
    m.ply = 0
    m.phase = OPEN
    m.first_side = side
    m.depth[0], m.low[0], m.high[0], m.is_pv[0] = depth, low, high, 1
    m.best_move[0] = NOWHERE


@kernel
def leave(m: PatternMemory) -> None:
    """Remove the moves of an interrupted search from the board."""
    while m.ply > 0:
        m.ply -= 1
        remove(m, m.move[m.ply], side_at(m, m.ply))


@released
def run(m: PatternMemory, max_count: int) -> int:
    """Search until the value is found, and return 1. Return 0 after *max_count* moves in total."""
    while True:
        if m.phase == OPEN:
            if m.count + m.sequence_count >= max_count:
                return 0
            open_position(m)
        elif m.phase == TRY:
            if m.listed[m.ply] < 0:
                list_moves(m)
            try_move(m)
        else:
            if m.ply == 0:
                return 1
            close_move(m)


@kernel
def close(m: PatternMemory, value: int) -> None:
    """Close the position at the current ply with *value*."""
    m.value = value
    m.phase = CLOSE


@kernel
def open_position(m: PatternMemory) -> None:
    """Open the position at the current ply: close it at once if possible, or list its only move."""
    ply = m.ply
    m.count += 1
    m.best[ply], m.best_move[ply] = -INFINITE, NOWHERE
    m.index[ply], m.listed[ply] = 0, -1
    m.first_low[ply] = m.low[ply]
    m.phase = TRY
    if ply > 0:
        close_decided(m)
    if m.phase == TRY:
        use_entry(m)
    if m.phase == TRY:
        if count(m, 1 - side_at(m, ply), FIVE_POINT) > 0:
            list_reply(m)
        elif m.depth[ply] <= 0:
            close_leaf(m)
        elif ply > 0 and m.is_pv[ply] == 0:
            cut_off(m)


@kernel
def close_decided(m: PatternMemory) -> None:
    """Close the position if it is decided, or if no value in the window is possible any more."""
    ply = m.ply
    side = side_at(m, ply)
    plies = find_static_result(m, side)
    if plies != 0:
        close(m, WIN - ply - plies if plies > 0 else -(WIN - ply + plies))
    elif m.free == 0 or (m.spare > 0 and m.free <= count_doubtful(m) and find_legal(m, side) == NOWHERE):
        close(m, 0)
    elif ply >= PLIES - 2:
        close(m, evaluate(m, side))
    else:
        m.low[ply] = max(m.low[ply], -(WIN - ply))
        m.high[ply] = min(m.high[ply], WIN - ply - 1)
        if m.low[ply] >= m.high[ply]:
            close(m, m.low[ply])


@kernel
def use_entry(m: PatternMemory) -> None:
    """Take the best move and the estimate from the table, and the value if it is sufficient."""
    ply = m.ply
    side = side_at(m, ply)
    entry = find_entry(m, m.key ^ side)
    if entry < 0:
        m.table_move[ply] = m.root_move if ply == 0 else NOWHERE
        m.estimate[ply] = evaluate(m, side)
        return
    packed = m.entries[entry + 1]
    m.table_move[ply] = m.root_move if ply == 0 and m.root_move != NOWHERE else entry_move(packed)
    m.estimate[ply] = entry_estimate(packed)
    if ply > 0 and m.is_pv[ply] == 0 and entry_depth(packed) >= m.depth[ply]:
        value, bound = value_at(entry_value(packed), ply), entry_bound(packed)
        is_high = value >= m.high[ply] and bound == LOWER
        is_low = value <= m.low[ply] and bound == UPPER
        if bound == EXACT or is_high or is_low:
            close(m, value)


@kernel
def list_reply(m: PatternMemory) -> None:
    """List the cell on which the other side threatens to win, as the only move. It costs no depth."""
    ply = m.ply
    other = 1 - side_at(m, ply)
    reply = find_five_near(m, other, m.move[ply - 1]) if ply > 0 else NOWHERE
    m.moves[ply * MOVES] = reply if reply != NOWHERE else find_point(m, other, FIVE_POINT)
    m.scores[ply * MOVES] = 0
    m.listed[ply] = 1
    m.is_quiet[ply] = 0
    m.depth[ply] = max(m.depth[ply], 0) + 1


@kernel
def close_leaf(m: PatternMemory) -> None:
    """Close a position of depth 0: by a sequence of fours, or with its estimate.

    The sequence is searched only if the estimate leaves the result open. Otherwise the estimate is a bound.
    """
    ply = m.ply
    side, estimate = side_at(m, ply), m.estimate[ply]
    value, move, bound = estimate, NOWHERE, EXACT
    if estimate >= m.high[ply]:
        bound = LOWER
    elif estimate + SEQUENCE_MARGIN <= m.low[ply]:
        bound = UPPER
    else:
        plies = sequence_plies(m, side)
        if plies > 0:
            value, move, bound = WIN - ply - plies, m.sequence_move, LOWER
    store_entry(m, m.key ^ side, value, estimate, move, 0, bound, ply)
    close(m, value)


@kernel
def cut_off(m: PatternMemory) -> None:
    """Close the position if its estimate is far outside the window, and no threat makes it unreliable."""
    ply = m.ply
    side, depth, estimate = side_at(m, ply), m.depth[ply], m.estimate[ply]
    if abs(m.high[ply]) >= LIKELY or count(m, 1 - side, FOURS) > 0:
        return
    if depth <= CUT_DEPTH and estimate - CUT_MARGIN * depth >= m.high[ply]:
        close(m, estimate)
    elif depth <= RAZOR_DEPTH and estimate + RAZOR_MARGIN * depth < m.low[ply]:
        plies = sequence_plies(m, side)
        close(m, WIN - ply - plies if plies > 0 else estimate)


@kernel
def sequence_plies(m: PatternMemory, side: int) -> int:
    """Return the plies to a win of *side* by a short sequence of fours; 0 if none is found."""
    left = m.max_nodes - m.count - m.sequence_count
    if count_fours(m, side) == 0 or left <= 0:
        return 0
    return find_sequence(m, side, min(SEQUENCE_POSITIONS, left), SEQUENCE_FOURS)


@kernel
def list_moves(m: PatternMemory) -> None:
    """List the moves at the current ply with their order scores.

    No side can make five at once, and the mover cannot make an open four. If the other side threatens an open
    four, only fours of either side can stop it. Each cell that breaks the coming open four is on a five of
    it, and so is a four of the other side. A mark of White makes no open four of Black illegal.
    """
    ply = m.ply
    side = side_at(m, ply)
    mine, theirs = side * m.size, (1 - side) * m.size
    base = ply * MOVES
    is_threatened = count(m, 1 - side, FOURS) > 0 and is_roomy(m)
    m.is_quiet[ply] = 0 if is_threatened else 1
    table_move = m.table_move[ply]
    if table_move == NOWHERE and m.depth[ply] >= 4:
        m.depth[ply] -= 1
    moves = 0
    for number in range(m.cell_count):
        cell = m.cells[number]
        if m.board[cell] != 0:
            continue
        if is_threatened:
            if m.point[mine + cell] < FOUR_POINT and m.point[theirs + cell] < FOUR_POINT:
                continue
        elif m.neighbours[cell] == 0 and cell != table_move:
            continue
        if not is_legal(m, side, cell):
            continue
        score = order_score(m, side, cell) + (m.history[mine + cell] >> HISTORY_BITS)
        if cell == m.killers[2 * ply]:
            score += KILLER_BONUS
        elif cell == m.killers[2 * ply + 1]:
            score += SECOND_KILLER_BONUS
        if cell == table_move:
            score = INFINITE
        m.moves[base + moves] = cell
        m.scores[base + moves] = score
        moves += 1
    if moves == 0:
        # The board is empty, or no legal move of Black stops the threat, so that all of them lose.
        m.moves[base] = find_legal(m, side)
        m.scores[base] = 0
        moves = 1
    m.listed[ply] = moves


@kernel
def try_move(m: PatternMemory) -> None:
    """Try the best of the moves left at the current ply, or close the position."""
    ply = m.ply
    base = ply * MOVES
    side = side_at(m, ply)
    first, moves = m.index[ply], m.listed[ply]
    if first >= moves or (ply > 0 and m.best[ply] > -LIKELY and first >= max_moves(m)):
        return close_tried(m)
    best = base + first
    for i in range(base + first + 1, base + moves):
        if m.scores[i] > m.scores[best]:
            best = i
    cell, score = m.moves[best], m.scores[best]
    m.moves[best], m.scores[best] = m.moves[base + first], m.scores[base + first]
    m.moves[base + first], m.scores[base + first] = cell, score
    m.index[ply] = first + 1
    depth, is_pv = m.depth[ply], m.is_pv[ply]
    mine, theirs = m.point[side * m.size + cell], m.point[(1 - side) * m.size + cell]
    is_quiet = m.is_quiet[ply] == 1 and mine < OPEN_THREE_POINT and theirs < OPEN_THREE_POINT
    if is_quiet and is_pv == 0 and ply > 0 and m.best[ply] > -LIKELY:
        hope = m.estimate[ply] + FUTILE_MARGIN * depth + min(score, MAX_HOPE)
        if first > 2 and depth <= FUTILE_DEPTH and hope < m.low[ply]:
            return None
    next_depth = depth - 1
    reduction = 0
    if depth >= 3 and first >= 2 and moves > 3:
        reduction = m.reductions[LINES * min(depth, LINES - 1) + min(first, LINES - 1)]
        if not is_quiet:
            reduction //= 2
        reduction -= is_pv + int(m.history[side * m.size + cell] / HISTORY_PLY)
        reduction = max(0, min(reduction, next_depth - 1))
    m.next_depth[ply] = next_depth
    m.move[ply] = cell
    place(m, cell, side)
    if m.best_move[ply] == NOWHERE and first == 0:
        m.stage[ply] = FULL
        search_next(m, next_depth, -m.high[ply], -m.low[ply], is_pv)
    else:
        m.stage[ply] = REDUCED if reduction > 0 else NULL_WINDOW
        search_next(m, next_depth - reduction, -m.low[ply] - 1, -m.low[ply], 0)
    return None


@inlined
def max_moves(m: PatternMemory) -> int:
    """Return the maximum number of moves to try at the current ply, unless all of them lose."""
    ply = m.ply
    if m.is_pv[ply] == 1:
        return MAX_MOVES
    moves = LATE_MOVES + (LATE_MOVES_PLY * m.depth[ply] >> 4)
    return moves if ply >= 2 and m.estimate[ply] > m.estimate[ply - 2] else moves >> 1


@kernel
def search_next(m: PatternMemory, depth: int, low: int, high: int, is_pv: int) -> None:
    """Open the position after the move at the current ply."""
    ply = m.ply + 1
    m.ply = ply
    m.depth[ply], m.low[ply], m.high[ply], m.is_pv[ply] = depth, low, high, is_pv
    m.phase = OPEN


@kernel
def close_tried(m: PatternMemory) -> None:
    """Close the position at the current ply, all of whose moves were tried or skipped.

    A loss is proved if no empty cell was left out, or if the moves left out cannot stop a threat. Listed
    moves are skipped only while the best value is above -LIKELY.
    """
    ply = m.ply
    value = m.best[ply]
    if value < -PROVED and m.is_quiet[ply] == 1 and m.listed[ply] < m.free:
        value += WIN - PROVED
    bound = EXACT if value > m.first_low[ply] else UPPER
    key = m.key ^ side_at(m, ply)
    store_entry(m, key, value, m.estimate[ply], m.best_move[ply], m.depth[ply], bound, ply)
    close(m, value)


@kernel
def close_move(m: PatternMemory) -> None:
    """Use the value of the position after the current move, and search the move again if it is needed."""
    value = -m.value
    m.ply -= 1
    ply = m.ply
    side, cell, stage = side_at(m, ply), m.move[ply], m.stage[ply]
    if stage == REDUCED and value > m.low[ply]:
        m.stage[ply] = NULL_WINDOW
        return search_next(m, m.next_depth[ply], -m.low[ply] - 1, -m.low[ply], 0)
    if stage != FULL and m.low[ply] < value < m.high[ply]:
        m.stage[ply] = FULL
        return search_next(m, m.next_depth[ply], -m.high[ply], -m.low[ply], 1)
    remove(m, cell, side)
    m.phase = TRY
    if value <= m.best[ply]:
        return None
    is_first = m.best[ply] == -INFINITE
    m.best[ply] = value
    if value > m.low[ply] or is_first:
        m.best_move[ply] = cell
    if value > m.low[ply]:
        m.low[ply] = value
        if value >= m.high[ply]:
            update_order(m, side, cell)
            store_entry(m, m.key ^ side, value, m.estimate[ply], cell, m.depth[ply], LOWER, ply)
            close(m, value)
    return None


@kernel
def update_order(m: PatternMemory, side: int, cell: int) -> None:
    """Note that the move *cell* at the current ply caused a cutoff, and the moves before it did not."""
    ply = m.ply
    if m.listed[ply] < 2:
        return
    if m.killers[2 * ply] != cell:
        m.killers[2 * ply + 1] = m.killers[2 * ply]
        m.killers[2 * ply] = cell
    bonus = min(8 * m.depth[ply] * m.depth[ply] + 8, MAX_HISTORY_BONUS)
    base = ply * MOVES
    add_history(m, side * m.size + cell, bonus)
    for i in range(base, base + min(m.index[ply] - 1, LINES // 2)):
        if m.moves[i] != cell:
            add_history(m, side * m.size + m.moves[i], -bonus)


@inlined
def add_history(m: PatternMemory, i: int, bonus: int) -> None:
    """Add *bonus* to a history score, less the nearer the score is to its limit."""
    m.history[i] += bonus - int(m.history[i] * abs(bonus) / MAX_HISTORY)


# The transposition table


@inlined
def bucket_of(m: PatternMemory, key: int) -> int:
    """Return the index of the first entry in the bucket of *key*."""
    return 4 * (key & m.entry_count // 2 - 1)


@inlined
def find_entry(m: PatternMemory, key: int) -> int:
    """Return the index of the entry with this *key*, or -1."""
    first = bucket_of(m, key)
    if m.entries[first] == key:
        return first
    return first + 2 if m.entries[first + 2] == key else -1


@inlined
def entry_bound(packed: int) -> int:
    """Return the bound of an entry."""
    return packed & 3


@inlined
def entry_depth(packed: int) -> int:
    """Return the depth of an entry."""
    return packed >> 2 & 255


@inlined
def entry_move(packed: int) -> int:
    """Return the best move of an entry, or NOWHERE."""
    return (packed >> 10 & 4095) - 1


@inlined
def entry_estimate(packed: int) -> int:
    """Return the value without a search of an entry."""
    return (packed >> 22 & 131071) - 65536


@inlined
def entry_value(packed: int) -> int:
    """Return the value of an entry; wins are counted from its position."""
    return (packed >> 39) - 65536


@inlined
def value_at(value: int, ply: int) -> int:
    """Return a stored *value* as seen from the first position: wins are *ply* plies farther."""
    return value - ply if value > LIKELY else value + ply if value < -LIKELY else value


@kernel
def store_entry(
    m: PatternMemory, key: int, value: int, estimate: int, move: int, depth: int, bound: int, ply: int
) -> None:
    """Store the value of a position in its bucket.

    The first entry of a bucket is for greater depths, the second one is always replaced.
    """
    first = bucket_of(m, key)
    if m.entries[first] == key:
        entry = first
    elif m.entries[first + 2] == key:
        entry = first + 2
    else:
        entry = first if depth >= entry_depth(m.entries[first + 1]) else first + 2
    if m.entries[entry] == key and move == NOWHERE:
        move = entry_move(m.entries[entry + 1])
    stored = value_at(value, -ply)
    m.entries[entry] = key
    m.entries[entry + 1] = (
        ((stored + 65536 << 17 | estimate + 65536) << 12 | move + 1) << 8 | max(depth, 0)
    ) << 2 | bound
