"""Alpha-beta for boards too large to exhaust, as one loop over an explicit stack that can be interrupted.

Principal variation search with a transposition table, killer moves, a history table and late move
reductions (all described in the Chess Programming Wiki); forced moves cost no depth. Where marks do not fall
each position is first looked at for a threat sequence of either side (``threat_sequence.py``): one's own
wins, and against the other's only the moves of the zone are tried.

With an ``ATTACKER`` the same loop asks another question: does that side win by threats alone? The attacker
then only makes moves that prepare or make a threat, and a defender whom no sequence threatens has held.

A score of more than ``PROVED`` is a proved win, less the plies to the end as far as they are known. Where
not all moves were tried and all those tried lose, the score is only ``-LIKELY``.
"""

from noughts.search.compiled import Ints, kernel
from noughts.search.engine.arrays import (
    ANSWER,
    ATTACK,
    ATTACKER,
    BEST,
    COUNT,
    DEPTH,
    EFFORT,
    ENTRIES,
    FIRST_SIDE,
    FORCED,
    FREE,
    FRUITLESS,
    HIGH,
    INDEX,
    KEY,
    KEYS,
    KIND,
    LENGTH,
    LIST,
    LISTED,
    LOW,
    MAX_NODES,
    MOVES,
    NEARLY,
    NODES,
    PHASE,
    PLIES,
    PLY,
    START,
    SURE,
    VALUE,
    VALUES,
    WIDTH,
    WORTH,
    ZONE_COUNT,
)
from noughts.search.engine.incremental import NOWHERE, TEMPO, change, count_wins, find_win
from noughts.search.engine.ordering import list_attack, list_moves, list_zone, update_history
from noughts.search.engine.threat_sequence import FOUND, RUNNING, go_on, start_sequence, take_back

WIN = 1_000_000
PROVED = 990_000
LIKELY = 500_000
MAX_WORTH = 200_000
"""Scores: a win less the plies to it, the least that is proved, what is not, the most of an evaluation."""

OPEN, NEXT, CLOSED, DONE, SEQUENCE = 0, 1, 2, 3, 4
"""Phases: a position is to be opened, its next move to be tried, its value is known,
all is done, a sequence is looked for."""

FULL, NARROW, REDUCED = 0, 1, 2
"""Kinds of search of a move: with the whole window, with one of width 1, and also less deeply."""

LEAF_SEQUENCE, INNER_SEQUENCE = 40, 240
"""Moves spent on a sequence at the horizon, and before it."""

EXACT, AT_LEAST, AT_MOST = 0, 1, 2
SCORE_SHIFT = 1 << 21
MAX_STORED_DEPTH = 127
"""Deeper searches are remembered, and asked for, as this deep: the stack ends sooner."""

OTHER_SIDE = 0x155555555555555
THREATS_ALONE = (0x0F0F0F0F0F0F0F1, 0x3333333333333331)
"""Keys of the same marks are told apart by these where the question differs."""


@kernel
def begin(m: Ints, side: int, depth: int, low: int, high: int) -> None:
    """Make ready to search the position on the board with *side* to move."""
    m[PLY] = 0
    m[PHASE] = OPEN
    m[FIRST_SIDE] = side
    m[LOW] = low
    m[HIGH] = high
    m[DEPTH] = depth


@kernel
def begin_sequence(m: Ints, side: int) -> None:
    """Make ready to look for a sequence of *side* in the position on the board; the value will be 1 or 0."""
    m[PLY] = 0
    m[PHASE] = SEQUENCE
    start_sequence(m, side)


@kernel
def run(m: Ints, max_nodes: int) -> bool:
    """Search on until *max_nodes* moves were made in all; whether the search is done.

    Where the question is a sequence, see :func:`begin_sequence`.
    """
    if m[PHASE] == SEQUENCE:
        before = m[NODES]
        result = go_on(m, before + max_nodes - m[COUNT])
        m[COUNT] += m[NODES] - before
        m[VALUE] = 1 if result == FOUND else 0
        if result != RUNNING:
            m[PHASE] = DONE
    while m[PHASE] < DONE and m[COUNT] < max_nodes:
        ply = m[PLY]
        if m[PHASE] == OPEN:
            settled = open_position(m, ply)
            m[PHASE] = CLOSED if settled else NEXT
        elif m[PHASE] == NEXT:
            if m[INDEX + ply] == m[LISTED + ply] or m[BEST + ply] >= m[HIGH + ply]:
                close_position(m, ply)
            else:
                choose_window(m, ply)
                go_down(m, ply)
        elif ply == 0:
            m[PHASE] = DONE
        else:
            m[PLY] = ply - 1
            change(m, move_at(m, ply - 1), side_at(m, ply - 1), -1)
            take_value(m, ply - 1, -m[VALUE])
    return bool(m[PHASE] == DONE)


@kernel
def leave(m: Ints) -> None:
    """Take the moves of an interrupted search off the board."""
    while m[PLY] > 0:
        m[PLY] -= 1
        ply = m[PLY]
        change(m, move_at(m, ply), side_at(m, ply), -1)


@kernel
def side_at(m: Ints, ply: int) -> int:
    """The side to move at *ply*."""
    return (m[FIRST_SIDE] + ply) & 1


@kernel
def move_at(m: Ints, ply: int) -> int:
    """The move being tried at *ply*."""
    return m[LIST + ply * MOVES + m[INDEX + ply]]


@kernel
def evaluate(m: Ints, side: int) -> int:
    """How good the position looks for *side*, which is to move."""
    worth = m[WORTH + side] - m[WORTH + 1 - side] + TEMPO
    return min(max(worth, -MAX_WORTH), MAX_WORTH)


@kernel
def open_position(m: Ints, ply: int) -> bool:
    """Find the value of the position at *ply* at once, or list its moves; whether the value is found."""
    side = side_at(m, ply)
    if is_decided(m, ply, side):
        return True
    m[BEST + ply] = -WIN
    m[ANSWER + ply] = NOWHERE
    m[INDEX + ply] = 0
    m[START + ply] = m[LOW + ply]
    m[FORCED + ply] = 0
    m[SURE + ply] = 1
    must = find_win(m, 1 - side)
    if must >= 0:
        m[FORCED + ply] = 1
        m[LISTED + ply] = 1
        m[LIST + ply * MOVES] = must
        return False
    if m[ATTACKER] >= 0:
        return open_threats(m, ply, side)
    if m[DEPTH + ply] <= 0:
        if has_sequence(m, side, LEAF_SEQUENCE):
            m[VALUE] = WIN - ply - 1 - 2 * m[LENGTH]
        else:
            m[VALUE] = evaluate(m, side)
        return True
    if probe(m, ply):
        return True
    if has_sequence(m, side, INNER_SEQUENCE):
        m[BEST + ply] = WIN - ply - 1 - 2 * m[LENGTH]
        m[ANSWER + ply] = m[ATTACK]
        store(m, ply)
        m[VALUE] = m[BEST + ply]
        return True
    first = stored_move(m)
    if has_sequence(m, 1 - side, INNER_SEQUENCE) and m[ZONE_COUNT] <= MOVES:
        list_zone(m, ply, side, first)
    else:
        list_moves(m, ply, side, first)
    return False


@kernel
def is_decided(m: Ints, ply: int, side: int) -> bool:
    """Whether the value follows from what can be completed now, or the stack is full."""
    if find_win(m, side) >= 0:
        m[VALUE] = WIN - ply - 1
        return True
    if count_wins(m, 1 - side) > 1:
        m[VALUE] = -(WIN - ply - 2)
        return True
    if m[FREE] == 0 or (m[WORTH] == 0 and m[WORTH + 1] == 0):
        m[VALUE] = 0
        return True
    if ply == PLIES - 1:
        m[VALUE] = evaluate(m, side) if m[ATTACKER] < 0 else 0
        return True
    return False


@kernel
def open_threats(m: Ints, ply: int, side: int) -> bool:
    """The same where it is asked whether the attacker wins by threats."""
    m[VALUE] = 0
    if probe(m, ply):
        return True
    if side != m[ATTACKER]:
        if not has_sequence(m, 1 - side, INNER_SEQUENCE) or m[ZONE_COUNT] > MOVES:
            m[VALUE] = 0
            return True
        list_zone(m, ply, side, stored_move(m))
        return False
    if has_sequence(m, side, INNER_SEQUENCE):
        m[VALUE] = WIN - ply - 1 - 2 * m[LENGTH]
        m[ANSWER + ply] = m[ATTACK]
        return True
    if m[DEPTH + ply] <= 0:
        m[VALUE] = 0
        return True
    m[BEST + ply] = 0
    list_attack(m, ply, side, stored_move(m))
    return False


@kernel
def has_sequence(m: Ints, side: int, max_nodes: int) -> bool:
    """Whether *side* wins by a sequence if it is to move, as far as *max_nodes* moves tell."""
    if m[NEARLY + side] == 0 or m[WIDTH] > 0:
        return False
    max_nodes = min(max_nodes, m[MAX_NODES] - m[COUNT] - 1)
    key = m[KEY]
    if side == 1:
        key ^= OTHER_SIDE
    slot = key & (m[ENTRIES] - 1)
    if m[m[FRUITLESS] + slot] == key and m[m[EFFORT] + slot] >= max_nodes:
        return False
    start_sequence(m, side)
    found = go_on(m, max_nodes)
    take_back(m)
    m[COUNT] += m[NODES]
    if found == FOUND:
        return True
    m[m[FRUITLESS] + slot] = key
    m[m[EFFORT] + slot] = max_nodes
    return False


@kernel
def choose_window(m: Ints, ply: int) -> None:
    """Whether the next move at *ply* is searched fully, with a narrow window, or less deeply."""
    index = m[INDEX + ply]
    whole = index == 0 or m[HIGH + ply] - m[LOW + ply] == 1 or m[FORCED + ply] == 1
    kind = FULL if whole else NARROW
    late = index >= 4 and m[DEPTH + ply] >= 3 and m[FORCED + ply] == 0
    if late and m[ATTACKER] < 0:
        kind = REDUCED
    m[KIND + ply] = kind


@kernel
def go_down(m: Ints, ply: int) -> None:
    """Make the move being tried and open the position after it."""
    kind = m[KIND + ply]
    depth = m[DEPTH + ply]
    attacker = m[ATTACKER]
    if attacker >= 0:
        spent = 1 if side_at(m, ply) == attacker and m[FORCED + ply] == 0 else 0
    else:
        spent = 1 - m[FORCED + ply]
    if kind == REDUCED:
        spent += 1 if m[INDEX + ply] < 10 else 2
    m[DEPTH + ply + 1] = depth - spent
    m[HIGH + ply + 1] = -m[LOW + ply]
    m[LOW + ply + 1] = -m[HIGH + ply] if kind == FULL else -m[LOW + ply] - 1
    change(m, move_at(m, ply), side_at(m, ply), 1)
    m[COUNT] += 1
    m[PLY] = ply + 1
    m[PHASE] = OPEN


@kernel
def take_value(m: Ints, ply: int, value: int) -> None:
    """The move being tried at *ply* is worth *value*: search it again more fully, or go on to the next."""
    low, high = m[LOW + ply], m[HIGH + ply]
    if value > low and m[KIND + ply] == REDUCED:
        m[KIND + ply] = NARROW if high - low > 1 else FULL
        go_down(m, ply)
        return
    if low < value < high and m[KIND + ply] == NARROW:
        m[KIND + ply] = FULL
        go_down(m, ply)
        return
    cell = move_at(m, ply)
    m[INDEX + ply] += 1
    m[PHASE] = NEXT
    if value > m[BEST + ply]:
        m[BEST + ply] = value
        m[ANSWER + ply] = cell
        m[LOW + ply] = max(low, value)
        if value >= high and m[FORCED + ply] == 0:
            update_history(m, ply, side_at(m, ply), cell)


@kernel
def close_position(m: Ints, ply: int) -> None:
    """All moves at *ply* that need be were tried."""
    if m[SURE + ply] == 0 and m[BEST + ply] < -LIKELY:
        m[BEST + ply] = -LIKELY
    store(m, ply)
    m[VALUE] = m[BEST + ply]
    m[PHASE] = CLOSED


@kernel
def key_of(m: Ints) -> int:
    """The key of the position and of the question asked about it."""
    attacker = m[ATTACKER]
    key = m[KEY]
    if attacker >= 0:
        key ^= THREATS_ALONE[attacker]
    return key


@kernel
def store(m: Ints, ply: int) -> None:
    """Keep what is known of the position at *ply*; wins are kept as distances from there."""
    best = m[BEST + ply]
    bound = EXACT
    if best >= m[HIGH + ply]:
        bound = AT_LEAST
    elif best <= m[START + ply]:
        bound = AT_MOST
    if best > PROVED:
        best += ply
    elif best < -PROVED:
        best -= ply
    key = key_of(m)
    slot = key & (m[ENTRIES] - 1)
    depth = min(max(m[DEPTH + ply], 0), MAX_STORED_DEPTH)
    m[m[KEYS] + slot] = key
    m[m[VALUES] + slot] = (((best + SCORE_SHIFT) * 128 + depth) * 4 + bound) * 8192 + m[ANSWER + ply] + 1


@kernel
def probe(m: Ints, ply: int) -> bool:
    """Whether what was kept of the position at *ply* settles it; then the value is set."""
    key = key_of(m)
    slot = key & (m[ENTRIES] - 1)
    if m[m[KEYS] + slot] != key or m[m[VALUES] + slot] == 0:
        return False
    value = m[m[VALUES] + slot] // 8192
    bound = value % 4
    depth = value // 4 % 128
    score = value // 512 - SCORE_SHIFT
    if depth < min(m[DEPTH + ply], MAX_STORED_DEPTH) and -PROVED <= score <= PROVED:
        return False
    if score > PROVED:
        score -= ply
    elif score < -PROVED:
        score += ply
    exact = bound == EXACT
    if (exact or (bound == AT_LEAST and score >= m[HIGH + ply])) or (
        bound == AT_MOST and score <= m[LOW + ply]
    ):
        m[VALUE] = score
        return True
    return False


@kernel
def stored_move(m: Ints) -> int:
    """The best move that was kept of the position on the board, NOWHERE if there is none."""
    key = key_of(m)
    slot = key & (m[ENTRIES] - 1)
    if m[m[KEYS] + slot] != key or m[m[VALUES] + slot] == 0:
        return NOWHERE
    return m[m[VALUES] + slot] % 8192 - 1
