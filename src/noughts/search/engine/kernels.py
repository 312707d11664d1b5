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

from noughts.search.engine.incremental import NOWHERE, change, count_wins, find_win
from noughts.search.engine.memory import MOVES, PLIES, TEMPO, EngineMemory
from noughts.search.engine.ordering import list_attack, list_moves, list_zone, update_history
from noughts.search.engine.threat_sequence import FOUND, RUNNING, continue_sequence, start_sequence, take_back
from noughts.search.numba_backend import kernel

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
def begin(m: EngineMemory, side: int, depth: int, low: int, high: int) -> None:
    """Make ready to search the position on the board with *side* to move."""
    m.ply = 0
    m.phase = OPEN
    m.first_side = side
    m.low[0] = low
    m.high[0] = high
    m.depth[0] = depth


@kernel
def begin_sequence(m: EngineMemory, side: int) -> None:
    """Make ready to look for a sequence of *side* in the position on the board; the value will be 1 or 0."""
    m.ply = 0
    m.phase = SEQUENCE
    start_sequence(m, side)


@kernel
def run(m: EngineMemory, max_nodes: int) -> bool:
    """Search on until *max_nodes* moves were made in all; whether the search is done.

    Where the question is a sequence, see :func:`begin_sequence`.
    """
    if m.phase == SEQUENCE:
        before = m.threat_nodes
        result = continue_sequence(m, before + max_nodes - m.count)
        m.count += m.threat_nodes - before
        m.value = 1 if result == FOUND else 0
        if result != RUNNING:
            m.phase = DONE
    while m.phase < DONE and m.count < max_nodes:
        ply = m.ply
        if m.phase == OPEN:
            settled = open_position(m, ply)
            m.phase = CLOSED if settled else NEXT
        elif m.phase == NEXT:
            if m.index[ply] == m.listed[ply] or m.best[ply] >= m.high[ply]:
                close_position(m, ply)
            else:
                choose_window(m, ply)
                go_down(m, ply)
        elif ply == 0:
            m.phase = DONE
        else:
            m.ply = ply - 1
            change(m, move_at(m, ply - 1), side_at(m, ply - 1), -1)
            take_value(m, ply - 1, -m.value)
    return bool(m.phase == DONE)


@kernel
def leave(m: EngineMemory) -> None:
    """Take the moves of an interrupted search off the board."""
    while m.ply > 0:
        m.ply -= 1
        ply = m.ply
        change(m, move_at(m, ply), side_at(m, ply), -1)


@kernel
def side_at(m: EngineMemory, ply: int) -> int:
    """The side to move at *ply*."""
    return (m.first_side + ply) & 1


@kernel
def move_at(m: EngineMemory, ply: int) -> int:
    """The move being tried at *ply*."""
    return m.moves[ply * MOVES + m.index[ply]]


@kernel
def evaluate(m: EngineMemory, side: int) -> int:
    """How good the position looks for *side*, which is to move."""
    worth = m.worth[side] - m.worth[1 - side] + TEMPO
    return min(max(worth, -MAX_WORTH), MAX_WORTH)


@kernel
def open_position(m: EngineMemory, ply: int) -> bool:
    """Find the value of the position at *ply* at once, or list its moves; whether the value is found."""
    side = side_at(m, ply)
    if is_decided(m, ply, side):
        return True
    m.best[ply] = -WIN
    m.answer[ply] = NOWHERE
    m.index[ply] = 0
    m.start[ply] = m.low[ply]
    m.forced[ply] = 0
    m.sure[ply] = 1
    must = find_win(m, 1 - side)
    if must >= 0:
        m.forced[ply] = 1
        m.listed[ply] = 1
        m.moves[ply * MOVES] = must
        return False
    if m.attacker >= 0:
        return open_threats(m, ply, side)
    if m.depth[ply] <= 0:
        if has_sequence(m, side, LEAF_SEQUENCE):
            m.value = WIN - ply - 1 - 2 * m.length
        else:
            m.value = evaluate(m, side)
        return True
    if probe(m, ply):
        return True
    if has_sequence(m, side, INNER_SEQUENCE):
        m.best[ply] = WIN - ply - 1 - 2 * m.length
        m.answer[ply] = m.attack[0]
        store(m, ply)
        m.value = m.best[ply]
        return True
    first = stored_move(m)
    if has_sequence(m, 1 - side, INNER_SEQUENCE) and m.zone_count <= MOVES:
        list_zone(m, ply, side, first)
    else:
        list_moves(m, ply, side, first)
    return False


@kernel
def is_decided(m: EngineMemory, ply: int, side: int) -> bool:
    """Whether the value follows from what can be completed now, or the stack is full."""
    if find_win(m, side) >= 0:
        m.value = WIN - ply - 1
        return True
    if count_wins(m, 1 - side) > 1:
        m.value = -(WIN - ply - 2)
        return True
    if m.free == 0 or (m.worth[0] == 0 and m.worth[1] == 0):
        m.value = 0
        return True
    if ply == PLIES - 1:
        m.value = evaluate(m, side) if m.attacker < 0 else 0
        return True
    return False


@kernel
def open_threats(m: EngineMemory, ply: int, side: int) -> bool:
    """The same where it is asked whether the attacker wins by threats."""
    m.value = 0
    if probe(m, ply):
        return True
    if side != m.attacker:
        if not has_sequence(m, 1 - side, INNER_SEQUENCE) or m.zone_count > MOVES:
            m.value = 0
            return True
        list_zone(m, ply, side, stored_move(m))
        return False
    if has_sequence(m, side, INNER_SEQUENCE):
        m.value = WIN - ply - 1 - 2 * m.length
        m.answer[ply] = m.attack[0]
        return True
    if m.depth[ply] <= 0:
        m.value = 0
        return True
    m.best[ply] = 0
    list_attack(m, ply, side, stored_move(m))
    return False


@kernel
def has_sequence(m: EngineMemory, side: int, max_nodes: int) -> bool:
    """Whether *side* wins by a sequence if it is to move, as far as *max_nodes* moves tell."""
    if m.nearly[side] == 0 or m.width > 0:
        return False
    max_nodes = min(max_nodes, m.max_nodes - m.count - 1)
    key = m.key
    if side == 1:
        key ^= OTHER_SIDE
    slot = key & (m.entries - 1)
    if m.fruitless[slot] == key and m.effort[slot] >= max_nodes:
        return False
    start_sequence(m, side)
    result = continue_sequence(m, max_nodes)
    take_back(m)
    m.count += m.threat_nodes
    if result == FOUND:
        return True
    m.fruitless[slot] = key
    m.effort[slot] = max_nodes
    return False


@kernel
def choose_window(m: EngineMemory, ply: int) -> None:
    """Whether the next move at *ply* is searched fully, with a narrow window, or less deeply."""
    index = m.index[ply]
    whole = index == 0 or m.high[ply] - m.low[ply] == 1 or m.forced[ply] == 1
    kind = FULL if whole else NARROW
    late = index >= 4 and m.depth[ply] >= 3 and m.forced[ply] == 0
    if late and m.attacker < 0:
        kind = REDUCED
    m.kind[ply] = kind


@kernel
def go_down(m: EngineMemory, ply: int) -> None:
    """Make the move being tried and open the position after it."""
    kind = m.kind[ply]
    depth = m.depth[ply]
    attacker = m.attacker
    if attacker >= 0:
        spent = 1 if side_at(m, ply) == attacker and m.forced[ply] == 0 else 0
    else:
        spent = 1 - m.forced[ply]
    if kind == REDUCED:
        spent += 1 if m.index[ply] < 10 else 2
    m.depth[ply + 1] = depth - spent
    m.high[ply + 1] = -m.low[ply]
    m.low[ply + 1] = -m.high[ply] if kind == FULL else -m.low[ply] - 1
    change(m, move_at(m, ply), side_at(m, ply), 1)
    m.count += 1
    m.ply = ply + 1
    m.phase = OPEN


@kernel
def take_value(m: EngineMemory, ply: int, value: int) -> None:
    """The move being tried at *ply* is worth *value*: search it again more fully, or go on to the next."""
    low, high = m.low[ply], m.high[ply]
    if value > low and m.kind[ply] == REDUCED:
        m.kind[ply] = NARROW if high - low > 1 else FULL
        go_down(m, ply)
        return
    if low < value < high and m.kind[ply] == NARROW:
        m.kind[ply] = FULL
        go_down(m, ply)
        return
    cell = move_at(m, ply)
    m.index[ply] += 1
    m.phase = NEXT
    if value > m.best[ply]:
        m.best[ply] = value
        m.answer[ply] = cell
        m.low[ply] = max(low, value)
        if value >= high and m.forced[ply] == 0:
            update_history(m, ply, side_at(m, ply), cell)


@kernel
def close_position(m: EngineMemory, ply: int) -> None:
    """All moves at *ply* that need be were tried."""
    if m.sure[ply] == 0 and m.best[ply] < -LIKELY:
        m.best[ply] = -LIKELY
    store(m, ply)
    m.value = m.best[ply]
    m.phase = CLOSED


@kernel
def key_of(m: EngineMemory) -> int:
    """The key of the position and of the question asked about it."""
    attacker = m.attacker
    key = m.key
    if attacker >= 0:
        key ^= THREATS_ALONE[attacker]
    return key


@kernel
def store(m: EngineMemory, ply: int) -> None:
    """Keep what is known of the position at *ply*; wins are kept as distances from there."""
    best = m.best[ply]
    bound = EXACT
    if best >= m.high[ply]:
        bound = AT_LEAST
    elif best <= m.start[ply]:
        bound = AT_MOST
    if best > PROVED:
        best += ply
    elif best < -PROVED:
        best -= ply
    key = key_of(m)
    slot = key & (m.entries - 1)
    depth = min(max(m.depth[ply], 0), MAX_STORED_DEPTH)
    m.keys[slot] = key
    m.values[slot] = (((best + SCORE_SHIFT) * 128 + depth) * 4 + bound) * 8192 + m.answer[ply] + 1


@kernel
def probe(m: EngineMemory, ply: int) -> bool:
    """Whether what was kept of the position at *ply* settles it; then the value is set."""
    value = stored_value(m) // 8192
    if value == 0:
        return False
    bound = value % 4
    depth = value // 4 % 128
    score = value // 512 - SCORE_SHIFT
    if depth < min(m.depth[ply], MAX_STORED_DEPTH) and -PROVED <= score <= PROVED:
        return False
    if score > PROVED:
        score -= ply
    elif score < -PROVED:
        score += ply
    exact = bound == EXACT
    if (exact or (bound == AT_LEAST and score >= m.high[ply])) or (bound == AT_MOST and score <= m.low[ply]):
        m.value = score
        return True
    return False


@kernel
def stored_value(m: EngineMemory) -> int:
    """What was kept of the position on the board and the question asked about it, 0 if nothing was."""
    key = key_of(m)
    slot = key & (m.entries - 1)
    return m.values[slot] if m.keys[slot] == key else 0


@kernel
def stored_move(m: EngineMemory) -> int:
    """The best move that was kept of the position on the board, NOWHERE if there is none."""
    return stored_value(m) % 8192 - 1
