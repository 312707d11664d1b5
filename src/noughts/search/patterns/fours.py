"""Wins that need no full search: those that the point classes show, and sequences of fours.

In a *sequence of fours* every move of the attacker makes a four, so the defender must fill its last cell. If
the reply is a four too, the next move of the attacker must fill its last cell and make a four. Gomoku players
call this victory by continuous fours. In renju a four also wins if the reply is forbidden. A sequence is a
proved win. A failed search proves nothing.
"""

from noughts.search.deepening import NOWHERE
from noughts.search.numba_backend import inlined, insert_ranked, kernel, released
from noughts.search.patterns.forbidden import (
    BLACK,
    count_doubtful,
    find_legal,
    is_legal,
    is_roomy,
)
from noughts.search.patterns.line_classes import (
    FIVE_POINT,
    FOUR_AND_OPEN_THREE,
    FOUR_AND_THREE,
    FOUR_POINT,
    FOURS,
    OPEN_THREES,
)
from noughts.search.patterns.memory import (
    FAILED_BITS,
    FOUR_MOVES,
    PatternMemory,
)
from noughts.search.patterns.position import (
    count,
    count_fours,
    find_five_near,
    find_point,
    place,
    remove,
)

UNKNOWN = 0
"""The result of :func:`find_static_result` if the point classes decide nothing."""


@kernel
def find_static_result(m: PatternMemory, side: int) -> int:
    """Return the plies to a win of *side*, which is to move, or minus those to its loss; UNKNOWN if neither.

    Two threats at once cannot both be stopped. A win in 5 plies makes them with an open three, while the
    other side can make no four: its reply cannot be on both lines, and lets it win no sooner. Black in renju
    has no such wins, since the cell that extends the open three may be forbidden.
    """
    other = 1 - side
    if count(m, side, FIVE_POINT) > 0:
        return 1
    if count(m, other, FIVE_POINT) > 0:
        is_lost = count(m, other, FIVE_POINT) > 1 or is_block_forbidden(m, side)
        return -2 if is_lost and find_legal(m, side) != NOWHERE else UNKNOWN
    if not is_roomy(m):
        return UNKNOWN
    if count(m, side, FOURS) > 0:
        return 3
    if m.spare > 0 and side == BLACK:
        return UNKNOWN
    if count(m, side, FOUR_AND_OPEN_THREE) + count(m, side, OPEN_THREES) > 0 and count_fours(m, other) == 0:
        return 5
    return UNKNOWN


@kernel
def is_block_forbidden(m: PatternMemory, side: int) -> bool:
    """Return True if *side* may not play on the cell on which the other side makes five."""
    if side != BLACK or count_doubtful(m) == 0:
        return False
    return not is_legal(m, side, find_point(m, 1 - side, FIVE_POINT))


@kernel
def find_winning_move(m: PatternMemory, side: int, plies: int) -> int:
    """Return the first move of the win in *plies* that :func:`find_static_result` has found."""
    if plies == 1:
        return find_point(m, side, FIVE_POINT)
    if plies == 3:
        return find_point(m, side, FOURS)
    if count(m, side, FOUR_AND_OPEN_THREE) > 0:
        return find_point(m, side, FOUR_AND_OPEN_THREE)
    return find_point(m, side, OPEN_THREES)


@inlined
def order_score(m: PatternMemory, side: int, cell: int) -> int:
    """Return the order score of the move *cell* of *side*."""
    mine = side * m.second_shapes + m.shapes[side * m.size + cell]
    theirs = (1 - side) * m.second_shapes + m.shapes[(1 - side) * m.size + cell]
    return m.own[mine] + m.other[theirs]


@kernel
def list_fours(m: PatternMemory, side: int, number: int) -> int:
    """List the fours to try as the four of this *number*; return how many there are."""
    size, other = m.size, 1 - side
    base = number * FOUR_MOVES
    if count(m, other, FIVE_POINT) > 0:
        cell = find_five_near(m, other, m.reply[number - 1]) if number > 0 else NOWHERE
        if cell == NOWHERE:
            cell = find_point(m, other, FIVE_POINT)
        m.four_moves[base] = cell
        return 1 if FOUR_POINT <= m.point[side * size + cell] <= FOUR_AND_OPEN_THREE else 0
    if count(m, side, FOUR_POINT) + count(m, side, FOUR_AND_THREE) + count(m, side, FOUR_AND_OPEN_THREE) == 0:
        return 0
    moves = 0
    for i in range(m.cell_count):
        cell = m.cells[i]
        if m.board[cell] == 0 and FOUR_POINT <= m.point[side * size + cell] <= FOUR_AND_OPEN_THREE:
            score = order_score(m, side, cell)
            moves = insert_ranked(m.four_moves, base, m.four_scores, moves, FOUR_MOVES, cell, score)
    return moves


@kernel
def find_sequence(m: PatternMemory, side: int, max_positions: int, max_fours: int) -> int:
    """Return the plies to a win of *side*, which is to move, by a sequence of fours; 0 if none is found.

    The first move is *sequence_move*. The search visits at most *max_positions* positions, at least one.
    """
    begin_sequence(m, side, max_positions, max_fours)
    continue_sequence(m, max_positions)
    return m.sequence_plies


@kernel
def begin_sequence(m: PatternMemory, side: int, max_positions: int, max_fours: int) -> None:
    """Begin a search as :func:`find_sequence` does it, which :func:`continue_sequence` can run in parts."""
    m.sequence_side = side
    m.sequence_length = 0
    m.sequence_plies = 0
    m.sequence_is_new = 1
    m.sequence_limit = m.sequence_count + max_positions
    m.max_fours = max_fours


@released
def continue_sequence(m: PatternMemory, max_positions: int) -> int:
    """Visit at most *max_positions* positions. Return 1 if *sequence_plies* is the result, else 0."""
    side = m.sequence_side
    other = 1 - side
    pause = m.sequence_count + max_positions
    while True:
        number = m.sequence_length
        if m.sequence_is_new == 1:
            if m.sequence_count >= pause:
                return 0
            m.sequence_is_new = 0
            open_sequence(m, number)
        is_within = m.sequence_count < m.sequence_limit
        if m.sequence_plies == 0 and is_within and m.four_index[number] < m.four_count[number]:
            cell = m.four_moves[number * FOUR_MOVES + m.four_index[number]]
            m.four_index[number] += 1
            place(m, cell, side)
            reply = find_five_near(m, side, cell)
            if reply == NOWHERE:
                remove(m, cell, side)
                continue
            if not is_legal(m, other, reply):
                # The four wins, unless the game is drawn because Black has no legal move at all.
                m.sequence_plies = 3 if find_legal(m, other) != NOWHERE else 0
                m.sequence_move = cell
                m.four[number] = cell
                remove(m, cell, side)
                continue
            place(m, reply, other)
            m.four[number] = cell
            m.reply[number] = reply
            m.sequence_length = number + 1
            m.sequence_is_new = 1
            continue
        if m.sequence_plies == 0 and is_within and m.sequence_key[number] != 0:
            m.failed[m.sequence_key[number] & (1 << FAILED_BITS) - 1] = m.sequence_key[number]
        if number == 0:
            return 1
        remove_four(m)
        if m.sequence_plies > 0:
            m.sequence_plies += 2
            m.sequence_move = m.four[0]


@kernel
def open_sequence(m: PatternMemory, number: int) -> None:
    """Visit the position after this *number* of fours: decide it, or list the fours to try."""
    side = m.sequence_side
    m.sequence_count += 1
    m.sequence_plies = 0
    m.sequence_key[number] = m.key ^ side
    m.four_index[number] = 0
    m.four_count[number] = 0
    plies = find_static_result(m, side)
    if plies > 0:
        m.sequence_plies = plies
        if number == 0:
            m.sequence_move = find_winning_move(m, side, plies)
    elif plies == 0:
        if number >= m.max_fours or m.sequence_count >= m.sequence_limit:
            m.sequence_key[number] = 0
        elif m.failed[m.sequence_key[number] & (1 << FAILED_BITS) - 1] != m.sequence_key[number]:
            m.four_count[number] = list_fours(m, side, number)


@kernel
def remove_four(m: PatternMemory) -> None:
    """Remove the last four of a sequence and its reply."""
    m.sequence_length -= 1
    remove(m, m.reply[m.sequence_length], 1 - m.sequence_side)
    remove(m, m.four[m.sequence_length], m.sequence_side)


@kernel
def leave_sequence(m: PatternMemory) -> None:
    """Remove the fours of an interrupted search from the board."""
    while m.sequence_length > 0:
        remove_four(m)
