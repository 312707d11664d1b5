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

from noughts.search.engine import arrays as at
from noughts.search.engine.incremental import NOWHERE, TEMPO, change, count_wins, find_win
from noughts.search.engine.ordering import list_attack, list_moves, list_zone, update_history
from noughts.search.engine.threat_sequence import FOUND, RUNNING, go_on, start_sequence, take_back
from noughts.search.numba_backend import Ints, kernel

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
    m[at.PLY] = 0
    m[at.PHASE] = OPEN
    m[at.FIRST_SIDE] = side
    m[at.LOW] = low
    m[at.HIGH] = high
    m[at.DEPTH] = depth


@kernel
def begin_sequence(m: Ints, side: int) -> None:
    """Make ready to look for a sequence of *side* in the position on the board; the value will be 1 or 0."""
    m[at.PLY] = 0
    m[at.PHASE] = SEQUENCE
    start_sequence(m, side)


@kernel
def run(m: Ints, max_nodes: int) -> bool:
    """Search on until *max_nodes* moves were made in all; whether the search is done.

    Where the question is a sequence, see :func:`begin_sequence`.
    """
    if m[at.PHASE] == SEQUENCE:
        before = m[at.NODES]
        result = go_on(m, before + max_nodes - m[at.COUNT])
        m[at.COUNT] += m[at.NODES] - before
        m[at.VALUE] = 1 if result == FOUND else 0
        if result != RUNNING:
            m[at.PHASE] = DONE
    while m[at.PHASE] < DONE and m[at.COUNT] < max_nodes:
        ply = m[at.PLY]
        if m[at.PHASE] == OPEN:
            settled = open_position(m, ply)
            m[at.PHASE] = CLOSED if settled else NEXT
        elif m[at.PHASE] == NEXT:
            if m[at.INDEX + ply] == m[at.LISTED + ply] or m[at.BEST + ply] >= m[at.HIGH + ply]:
                close_position(m, ply)
            else:
                choose_window(m, ply)
                go_down(m, ply)
        elif ply == 0:
            m[at.PHASE] = DONE
        else:
            m[at.PLY] = ply - 1
            change(m, move_at(m, ply - 1), side_at(m, ply - 1), -1)
            take_value(m, ply - 1, -m[at.VALUE])
    return bool(m[at.PHASE] == DONE)


@kernel
def leave(m: Ints) -> None:
    """Take the moves of an interrupted search off the board."""
    while m[at.PLY] > 0:
        m[at.PLY] -= 1
        ply = m[at.PLY]
        change(m, move_at(m, ply), side_at(m, ply), -1)


@kernel
def side_at(m: Ints, ply: int) -> int:
    """The side to move at *ply*."""
    return (m[at.FIRST_SIDE] + ply) & 1


@kernel
def move_at(m: Ints, ply: int) -> int:
    """The move being tried at *ply*."""
    return m[at.LIST + ply * at.MOVES + m[at.INDEX + ply]]


@kernel
def evaluate(m: Ints, side: int) -> int:
    """How good the position looks for *side*, which is to move."""
    worth = m[at.WORTH + side] - m[at.WORTH + 1 - side] + TEMPO
    return min(max(worth, -MAX_WORTH), MAX_WORTH)


@kernel
def open_position(m: Ints, ply: int) -> bool:
    """Find the value of the position at *ply* at once, or list its moves; whether the value is found."""
    side = side_at(m, ply)
    if is_decided(m, ply, side):
        return True
    m[at.BEST + ply] = -WIN
    m[at.ANSWER + ply] = NOWHERE
    m[at.INDEX + ply] = 0
    m[at.START + ply] = m[at.LOW + ply]
    m[at.FORCED + ply] = 0
    m[at.SURE + ply] = 1
    must = find_win(m, 1 - side)
    if must >= 0:
        m[at.FORCED + ply] = 1
        m[at.LISTED + ply] = 1
        m[at.LIST + ply * at.MOVES] = must
        return False
    if m[at.ATTACKER] >= 0:
        return open_threats(m, ply, side)
    if m[at.DEPTH + ply] <= 0:
        if has_sequence(m, side, LEAF_SEQUENCE):
            m[at.VALUE] = WIN - ply - 1 - 2 * m[at.LENGTH]
        else:
            m[at.VALUE] = evaluate(m, side)
        return True
    if probe(m, ply):
        return True
    if has_sequence(m, side, INNER_SEQUENCE):
        m[at.BEST + ply] = WIN - ply - 1 - 2 * m[at.LENGTH]
        m[at.ANSWER + ply] = m[at.ATTACK]
        store(m, ply)
        m[at.VALUE] = m[at.BEST + ply]
        return True
    first = stored_move(m)
    if has_sequence(m, 1 - side, INNER_SEQUENCE) and m[at.ZONE_COUNT] <= at.MOVES:
        list_zone(m, ply, side, first)
    else:
        list_moves(m, ply, side, first)
    return False


@kernel
def is_decided(m: Ints, ply: int, side: int) -> bool:
    """Whether the value follows from what can be completed now, or the stack is full."""
    if find_win(m, side) >= 0:
        m[at.VALUE] = WIN - ply - 1
        return True
    if count_wins(m, 1 - side) > 1:
        m[at.VALUE] = -(WIN - ply - 2)
        return True
    if m[at.FREE] == 0 or (m[at.WORTH] == 0 and m[at.WORTH + 1] == 0):
        m[at.VALUE] = 0
        return True
    if ply == at.PLIES - 1:
        m[at.VALUE] = evaluate(m, side) if m[at.ATTACKER] < 0 else 0
        return True
    return False


@kernel
def open_threats(m: Ints, ply: int, side: int) -> bool:
    """The same where it is asked whether the attacker wins by threats."""
    m[at.VALUE] = 0
    if probe(m, ply):
        return True
    if side != m[at.ATTACKER]:
        if not has_sequence(m, 1 - side, INNER_SEQUENCE) or m[at.ZONE_COUNT] > at.MOVES:
            m[at.VALUE] = 0
            return True
        list_zone(m, ply, side, stored_move(m))
        return False
    if has_sequence(m, side, INNER_SEQUENCE):
        m[at.VALUE] = WIN - ply - 1 - 2 * m[at.LENGTH]
        m[at.ANSWER + ply] = m[at.ATTACK]
        return True
    if m[at.DEPTH + ply] <= 0:
        m[at.VALUE] = 0
        return True
    m[at.BEST + ply] = 0
    list_attack(m, ply, side, stored_move(m))
    return False


@kernel
def has_sequence(m: Ints, side: int, max_nodes: int) -> bool:
    """Whether *side* wins by a sequence if it is to move, as far as *max_nodes* moves tell."""
    if m[at.NEARLY + side] == 0 or m[at.WIDTH] > 0:
        return False
    max_nodes = min(max_nodes, m[at.MAX_NODES] - m[at.COUNT] - 1)
    key = m[at.KEY]
    if side == 1:
        key ^= OTHER_SIDE
    slot = key & (m[at.ENTRIES] - 1)
    if m[m[at.FRUITLESS] + slot] == key and m[m[at.EFFORT] + slot] >= max_nodes:
        return False
    start_sequence(m, side)
    found = go_on(m, max_nodes)
    take_back(m)
    m[at.COUNT] += m[at.NODES]
    if found == FOUND:
        return True
    m[m[at.FRUITLESS] + slot] = key
    m[m[at.EFFORT] + slot] = max_nodes
    return False


@kernel
def choose_window(m: Ints, ply: int) -> None:
    """Whether the next move at *ply* is searched fully, with a narrow window, or less deeply."""
    index = m[at.INDEX + ply]
    whole = index == 0 or m[at.HIGH + ply] - m[at.LOW + ply] == 1 or m[at.FORCED + ply] == 1
    kind = FULL if whole else NARROW
    late = index >= 4 and m[at.DEPTH + ply] >= 3 and m[at.FORCED + ply] == 0
    if late and m[at.ATTACKER] < 0:
        kind = REDUCED
    m[at.KIND + ply] = kind


@kernel
def go_down(m: Ints, ply: int) -> None:
    """Make the move being tried and open the position after it."""
    kind = m[at.KIND + ply]
    depth = m[at.DEPTH + ply]
    attacker = m[at.ATTACKER]
    if attacker >= 0:
        spent = 1 if side_at(m, ply) == attacker and m[at.FORCED + ply] == 0 else 0
    else:
        spent = 1 - m[at.FORCED + ply]
    if kind == REDUCED:
        spent += 1 if m[at.INDEX + ply] < 10 else 2
    m[at.DEPTH + ply + 1] = depth - spent
    m[at.HIGH + ply + 1] = -m[at.LOW + ply]
    m[at.LOW + ply + 1] = -m[at.HIGH + ply] if kind == FULL else -m[at.LOW + ply] - 1
    change(m, move_at(m, ply), side_at(m, ply), 1)
    m[at.COUNT] += 1
    m[at.PLY] = ply + 1
    m[at.PHASE] = OPEN


@kernel
def take_value(m: Ints, ply: int, value: int) -> None:
    """The move being tried at *ply* is worth *value*: search it again more fully, or go on to the next."""
    low, high = m[at.LOW + ply], m[at.HIGH + ply]
    if value > low and m[at.KIND + ply] == REDUCED:
        m[at.KIND + ply] = NARROW if high - low > 1 else FULL
        go_down(m, ply)
        return
    if low < value < high and m[at.KIND + ply] == NARROW:
        m[at.KIND + ply] = FULL
        go_down(m, ply)
        return
    cell = move_at(m, ply)
    m[at.INDEX + ply] += 1
    m[at.PHASE] = NEXT
    if value > m[at.BEST + ply]:
        m[at.BEST + ply] = value
        m[at.ANSWER + ply] = cell
        m[at.LOW + ply] = max(low, value)
        if value >= high and m[at.FORCED + ply] == 0:
            update_history(m, ply, side_at(m, ply), cell)


@kernel
def close_position(m: Ints, ply: int) -> None:
    """All moves at *ply* that need be were tried."""
    if m[at.SURE + ply] == 0 and m[at.BEST + ply] < -LIKELY:
        m[at.BEST + ply] = -LIKELY
    store(m, ply)
    m[at.VALUE] = m[at.BEST + ply]
    m[at.PHASE] = CLOSED


@kernel
def key_of(m: Ints) -> int:
    """The key of the position and of the question asked about it."""
    attacker = m[at.ATTACKER]
    key = m[at.KEY]
    if attacker >= 0:
        key ^= THREATS_ALONE[attacker]
    return key


@kernel
def store(m: Ints, ply: int) -> None:
    """Keep what is known of the position at *ply*; wins are kept as distances from there."""
    best = m[at.BEST + ply]
    bound = EXACT
    if best >= m[at.HIGH + ply]:
        bound = AT_LEAST
    elif best <= m[at.START + ply]:
        bound = AT_MOST
    if best > PROVED:
        best += ply
    elif best < -PROVED:
        best -= ply
    key = key_of(m)
    slot = key & (m[at.ENTRIES] - 1)
    depth = min(max(m[at.DEPTH + ply], 0), MAX_STORED_DEPTH)
    m[m[at.KEYS] + slot] = key
    m[m[at.VALUES] + slot] = (
        (((best + SCORE_SHIFT) * 128 + depth) * 4 + bound) * 8192 + m[at.ANSWER + ply] + 1
    )


@kernel
def probe(m: Ints, ply: int) -> bool:
    """Whether what was kept of the position at *ply* settles it; then the value is set."""
    value = stored_value(m) // 8192
    if value == 0:
        return False
    bound = value % 4
    depth = value // 4 % 128
    score = value // 512 - SCORE_SHIFT
    if depth < min(m[at.DEPTH + ply], MAX_STORED_DEPTH) and -PROVED <= score <= PROVED:
        return False
    if score > PROVED:
        score -= ply
    elif score < -PROVED:
        score += ply
    exact = bound == EXACT
    if (exact or (bound == AT_LEAST and score >= m[at.HIGH + ply])) or (
        bound == AT_MOST and score <= m[at.LOW + ply]
    ):
        m[at.VALUE] = score
        return True
    return False


@kernel
def stored_value(m: Ints) -> int:
    """What was kept of the position on the board and the question asked about it, 0 if nothing was."""
    key = key_of(m)
    slot = key & (m[at.ENTRIES] - 1)
    return m[m[at.VALUES] + slot] if m[m[at.KEYS] + slot] == key else 0


@kernel
def stored_move(m: Ints) -> int:
    """The best move that was kept of the position on the board, NOWHERE if there is none."""
    return stored_value(m) % 8192 - 1
