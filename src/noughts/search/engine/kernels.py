"""Alpha-beta for boards too large to exhaust, as one loop over an explicit stack that can be interrupted.

It is a principal variation search with a transposition table, killer moves, a history table and late move
reductions (all described in the Chess Programming Wiki). Forced moves cost no depth. Without gravity, each
position is first searched for threat sequences (``threat_sequence.py``). A sequence of the side to move wins.
Against a sequence of the other side, only the moves of its zone are tried.

With an ``ATTACKER``, the same loop finds out whether that side wins by threats alone. The attacker then only
makes moves that prepare or make a threat. The defender has held as soon as no sequence threatens.

A score above ``PROVED`` is a proved win, minus the known plies to the end. If not all moves were tried and
all those tried lose, the score is only ``-LIKELY``.
"""

from noughts.search.deepening import NOWHERE
from noughts.search.engine.incremental import change, count_wins, find_win
from noughts.search.engine.memory import MOVES, PLIES, TEMPO, EngineMemory
from noughts.search.engine.ordering import list_attack, list_moves, list_zone, update_history
from noughts.search.engine.threat_sequence import FOUND, RUNNING, continue_sequence, start_sequence, take_back
from noughts.search.numba_backend import kernel

WIN = 1_000_000
PROVED = 990_000
LIKELY = 500_000
MAX_WORTH = 200_000
"""Scores: a win (minus the plies to it), the minimum of a proved win, a likely win, the maximum evaluation.
"""

OPEN, NEXT, CLOSED, DONE, SEQUENCE = 0, 1, 2, 3, 4
"""Phases: open a position, try its next move, pass its value on, stop, or search for a sequence."""

FULL, NARROW, REDUCED = 0, 1, 2
"""Kinds of search of a move: with the full window, with a window of width 1, and at reduced depth."""

LEAF_SEQUENCE, INNER_SEQUENCE = 40, 240
"""Maximum number of moves in the search for a sequence, at the horizon and before it."""

EXACT, AT_LEAST, AT_MOST = 0, 1, 2
SCORE_SHIFT = 1 << 21
MAX_STORED_DEPTH = 127
"""Maximum depth in the table. Deeper searches use it too: the stack ends sooner."""

OTHER_SIDE = 0x155555555555555
THREATS_ALONE = (0x0F0F0F0F0F0F0F1, 0x3333333333333331)
"""Constants that change the key of a position if the question about it differs."""


@kernel
def begin(m: EngineMemory, side: int, depth: int, low: int, high: int) -> None:
    """Start a search of the position on the board, with *side* to move."""
    m.ply = 0
    m.phase = OPEN
    m.first_side = side
    m.low[0] = low
    m.high[0] = high
    m.depth[0] = depth


@kernel
def begin_sequence(m: EngineMemory, side: int) -> None:
    """Start a search for a sequence of *side* from the position on the board. The value will be 1 or 0."""
    m.ply = 0
    m.phase = SEQUENCE
    start_sequence(m, side)


@kernel
def run(m: EngineMemory, max_nodes: int) -> bool:
    """Continue the search, and return True if it is finished.

    It stops when *max_nodes* moves were made in total. A search started by :func:`begin_sequence` continues
    too.
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
                descend(m, ply)
        elif ply == 0:
            m.phase = DONE
        else:
            m.ply = ply - 1
            change(m, move_at(m, ply - 1), side_at(m, ply - 1), -1)
            process_value(m, ply - 1, -m.value)
    return bool(m.phase == DONE)


@kernel
def undo_moves(m: EngineMemory) -> None:
    """Remove the moves of an interrupted search from the board."""
    while m.ply > 0:
        m.ply -= 1
        ply = m.ply
        change(m, move_at(m, ply), side_at(m, ply), -1)


@kernel
def side_at(m: EngineMemory, ply: int) -> int:
    """Return the side to move at *ply*."""
    return (m.first_side + ply) & 1


@kernel
def move_at(m: EngineMemory, ply: int) -> int:
    """Return the move that is being tried at *ply*."""
    return m.moves[ply * MOVES + m.index[ply]]


@kernel
def evaluate(m: EngineMemory, side: int) -> int:
    """Return the evaluation of the position for *side*, which is to move."""
    worth = m.worth[side] - m.worth[1 - side] + TEMPO
    return min(max(worth, -MAX_WORTH), MAX_WORTH)


@kernel
def open_position(m: EngineMemory, ply: int) -> bool:
    """Open the position at *ply*, and return True if its value is known.

    Otherwise its moves are listed.
    """
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
    """Return True if a win in one move or the end of the stack decides the value.

    The value is set in that case.
    """
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
    """Do the same as :func:`open_position` in a search for a win of the attacker by threats alone."""
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
    """Return True if *max_nodes* moves suffice to find a sequence of *side*, as if it were to move."""
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
    """Choose the kind of search for the next move at *ply*: full, narrow or reduced."""
    index = m.index[ply]
    whole = index == 0 or m.high[ply] - m.low[ply] == 1 or m.forced[ply] == 1
    kind = FULL if whole else NARROW
    late = index >= 4 and m.depth[ply] >= 3 and m.forced[ply] == 0
    if late and m.attacker < 0:
        kind = REDUCED
    m.kind[ply] = kind


@kernel
def descend(m: EngineMemory, ply: int) -> None:
    """Make the move that is being tried and open the next position."""
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
def process_value(m: EngineMemory, ply: int, value: int) -> None:
    """Process *value*, the value of the move being tried at *ply*.

    Search the move again with a wider window or more depth, or else continue with the next move.
    """
    low, high = m.low[ply], m.high[ply]
    if value > low and m.kind[ply] == REDUCED:
        m.kind[ply] = NARROW if high - low > 1 else FULL
        descend(m, ply)
        return
    if low < value < high and m.kind[ply] == NARROW:
        m.kind[ply] = FULL
        descend(m, ply)
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
    """Finish the position at *ply* after its moves were tried, and pass its value on."""
    if m.sure[ply] == 0 and m.best[ply] < -LIKELY:
        m.best[ply] = -LIKELY
    store(m, ply)
    m.value = m.best[ply]
    m.phase = CLOSED


@kernel
def key_of(m: EngineMemory) -> int:
    """Return the key of the position and of the question about it."""
    attacker = m.attacker
    key = m.key
    if attacker >= 0:
        key ^= THREATS_ALONE[attacker]
    return key


@kernel
def store(m: EngineMemory, ply: int) -> None:
    """Store the result for the position at *ply*.

    Wins are stored as distances from that position.
    """
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
    """Return True if the stored result decides the position at *ply*, and set the value in that case."""
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
    """Return the table entry of the position on the board for the current question, or 0."""
    key = key_of(m)
    slot = key & (m.entries - 1)
    return m.values[slot] if m.keys[slot] == key else 0


@kernel
def stored_move(m: EngineMemory) -> int:
    """Return the stored best move of the position on the board, or NOWHERE."""
    return stored_value(m) % 8192 - 1
