"""The Maker-Breaker search, as kernels: does Breaker hold?

Maker and Breaker take cells in turn. Maker wants all cells of a line, Breaker one of each (Chvatal and Erdos
1978). A side that can play as Breaker does not lose in k in a row, in which its own lines count as well.
These facts decide a position without a deeper search:

- A line that lacks one cell decides the position or forces the next move. Two that lack two cells each and
  share one of them decide it.
- The potentials of all lines may be small enough (Erdos and Selfridge 1973), also after pairs have been
  chosen (``cover``).
- There may be such a cover after one of the likely replies of Breaker.
- The reply and the pairs that refuted another move of Maker may refute this one.

If pairs nearly suffice, the search first tries the game in which Breaker has answered in them. It is smaller,
and Breaker holds here if it holds there.
"""

from noughts.search.maker_breaker.cover import cover, holds_again
from noughts.search.maker_breaker.lines import (
    bit_in,
    concede,
    find_ready,
    greatest_load,
    has_fork,
    move,
    take_back,
)
from noughts.search.maker_breaker.memory import (
    BREAKER,
    BREAKS,
    ENTERING,
    HOLDS,
    KEPT,
    MAKER,
    MOVING,
    RELAXING,
    RETURNING,
    LinesMemory,
)
from noughts.search.maker_breaker.table import RUNNING, note_key, probe, store
from noughts.search.numba_backend import Ints, insert_ranked, kernel

PAUSING = -2

LIKELY_REPLIES = 8
"""The number of replies of Breaker that are checked before one is searched."""

NEARLY = 9
"""Pairs nearly suffice if they bring the sum of potentials below NEARLY

5 times the target.
"""

SMALLER = 20
"""The number of plies that the smaller game counts for, so that its images are not compared."""

FIRST_OF_ALL = 1 << 60
"""The score of a reply that held after another move of Maker."""


@kernel
def run(m: LinesMemory, t: Ints, max_nodes: int) -> int:
    """Continue until the winner is known (HOLDS, BREAKS) or *max_nodes* nodes were made (RUNNING)."""
    while True:
        depth = m.depth
        if m.phase == ENTERING:
            m.result = _enter(m, t, depth, max_nodes)
            if m.result == PAUSING:
                return RUNNING
        else:
            m.result = _consider(m, depth)
            if m.result != RUNNING:
                store(m, t, depth, m.result)
        if m.result != RUNNING:
            if depth == 0:
                return m.result
            m.depth = depth - 1
            take_back(m, m.begin[depth - 1])
            m.phase = RETURNING
        else:
            _descend(m, depth)


@kernel
def start(m: LinesMemory, turn: int, ply: int, hint: int) -> None:
    """Start a question about the current lines, with *turn* to move and *ply* marks on the board.

    The *hint* is a likely reply of Breaker, -1 for none.
    """
    m.depth = 0
    m.phase = ENTERING
    _begin(m, 0, turn, ply, hint)


@kernel
def _begin(m: LinesMemory, depth: int, turn: int, ply: int, hint: int) -> None:
    """Set up the current position at *depth*."""
    m.turn[depth] = turn
    m.ply[depth] = ply
    m.hint[depth] = hint
    m.begin[depth] = m.changes
    m.stage[depth] = MOVING
    m.sign[depth] = -1
    m.reply[depth] = -1
    m.move_count[depth] = 0
    m.next_move[depth] = 0
    m.proof_count[depth] = 0


@kernel
def _enter(m: LinesMemory, t: Ints, depth: int, max_nodes: int) -> int:
    """Answer the position at *depth* at once, or list its moves (RUNNING).

    Return PAUSING if that takes more nodes than are left. The search continues here later.
    """
    turn = m.turn[depth]
    m.certified = -1
    if m.ready:
        if turn == MAKER:
            return BREAKS
        forced = find_ready(m, -1)
        if find_ready(m, forced) >= 0:
            return BREAKS
        m.tried[depth * m.size] = forced
        m.move_count[depth] = 1
        return RUNNING
    if turn == MAKER and has_fork(m):
        return BREAKS
    danger = greatest_load(m) if turn == MAKER else 0
    if m.potential + danger < m.target:
        return HOLDS
    note_key(m, depth)
    outcome = probe(m, t, depth)
    if outcome != RUNNING:
        return outcome
    if m.nodes >= max_nodes:
        return PAUSING
    m.nodes_before[depth] = m.nodes
    m.nodes += 1
    if turn == BREAKER:
        outcome = _reply_at_once(m, t, depth)
    elif cover(m):
        outcome = HOLDS
    elif m.paired and 5 * m.score < NEARLY * m.target:
        m.stage[depth] = RELAXING
    else:
        _list_moves(m, depth)
    if outcome != RUNNING:
        store(m, t, depth, outcome)
    return outcome


@kernel
def _list_moves(m: LinesMemory, depth: int) -> None:
    """List the cells of lines that Maker can still fill, by their loads, the hint first.

    Skip a cell for Maker if all its lines go through another cell, which is at least as good.
    """
    size, count, is_breaker = m.size, 0, m.turn[depth] == BREAKER
    for cell in range(size):
        load = m.load[cell]
        if load and (is_breaker or not _is_dominated(m, cell)):
            score = FIRST_OF_ALL if cell == m.hint[depth] else load
            count = insert_ranked(m.tried, depth * size, m.order, count, size, cell, score)
    m.move_count[depth] = count


@kernel
def _is_dominated(m: LinesMemory, cell: int) -> int:
    """Return 1 if all lines through *cell* go through another one, which has more lines or comes first."""
    load, base = m.load[cell], -1
    for i in range(m.first[cell], m.first[cell + 1]):
        if m.lacking[m.through[i]] & m.within[i]:
            base = m.through[i] * m.k
    for i in range(base, base + m.k):
        than = m.cells[i]
        other = m.load[than]
        if (other > load or (other == load and than < cell)) and is_weaker(m, cell, than, -1):
            return 1
    return 0


@kernel
def _reply_at_once(m: LinesMemory, t: Ints, depth: int) -> int:
    """Find a likely reply after which Breaker holds without a search; else list all, the likeliest first."""
    size, moves, below = m.size, depth * m.size, depth + 1
    _list_moves(m, depth)
    likely = min(m.move_count[depth], LIKELY_REPLIES)
    for i in range(likely):
        cell = m.tried[moves + i]
        move(m, BREAKER, cell)
        m.reply[depth] = cell
        outcome = _holds_at_once(m, t, depth, below)
        take_back(m, m.begin[depth])
        if outcome:
            return HOLDS
        m.order[i] = -m.score
    m.reply[depth] = -1
    ordered = 0
    for i in range(likely):
        ordered = insert_ranked(m.tried, moves, m.order, ordered, size, m.tried[moves + i], m.order[i])
    return RUNNING


@kernel
def _holds_at_once(m: LinesMemory, t: Ints, depth: int, below: int) -> int:
    """Return 1 if Breaker holds after its last reply, by potentials, the table or pairs."""
    if m.potential + greatest_load(m) < m.target:
        return 1
    m.score = FIRST_OF_ALL
    if has_fork(m):
        return 0
    _begin(m, below, MAKER, m.ply[depth] + 1, -1)
    note_key(m, below)
    known = probe(m, t, below)
    if known != RUNNING:
        return known
    if cover(m):
        m.certified = m.reply[depth]
        return 1
    return 0


@kernel
def _descend(m: LinesMemory, depth: int) -> None:
    """Go down to the smaller game, or make the next move of *depth*."""
    turn, ply, hint = m.turn[depth], m.ply[depth], -1
    if m.stage[depth] == RELAXING:
        concede(m)
        ply += SMALLER
    else:
        cell = m.tried[depth * m.size + m.next_move[depth]]
        m.next_move[depth] += 1
        move(m, turn, cell)
        if turn == MAKER:
            hint = m.hint[depth]  # The reply held against the move before.
        turn, ply = 1 - turn, ply + 1
    m.depth = depth + 1
    m.phase = ENTERING
    _begin(m, depth + 1, turn, ply, hint)


@kernel
def _consider(m: LinesMemory, depth: int) -> int:
    """Answer the position at *depth* by the *result* below it, or continue with another move (RUNNING)."""
    turn, below = m.turn[depth], m.result
    if m.stage[depth] == RELAXING:
        if below == HOLDS:
            return HOLDS
        m.stage[depth] = MOVING
        _list_moves(m, depth)
        return RUNNING
    moves = depth * m.size
    if turn == BREAKER:
        if below == HOLDS:
            m.reply[depth] = m.tried[moves + m.next_move[depth] - 1]
            return HOLDS
        return RUNNING if m.next_move[depth] < m.move_count[depth] else BREAKS
    if below == BREAKS:
        return BREAKS
    reply = m.reply[depth + 1]
    if reply >= 0:
        m.hint[depth] = reply
        _keep_proof(m, depth, reply)
        _drop_weaker(m, depth, m.tried[moves + m.next_move[depth] - 1], reply)
    while m.next_move[depth] < m.move_count[depth]:
        cell = m.tried[moves + m.next_move[depth]]
        if cell >= 0 and not _is_refuted(m, depth, cell):
            return RUNNING
        m.next_move[depth] += 1
    return HOLDS


@kernel
def _keep_proof(m: LinesMemory, depth: int, reply: int) -> None:
    """Store *reply*, which held against a move of Maker at *depth*, with the pairs that proved it."""
    if m.certified == reply:
        count = m.proof_count[depth]
        m.proof_count[depth] = count + 1
        proof = (depth * KEPT + count % KEPT) * (m.size + 2)
        m.proofs[proof] = reply
        m.proofs[proof + 1] = m.paired
        for i in range(m.paired):
            m.proofs[proof + 2 + i] = m.pairs[i]


@kernel
def _drop_weaker(m: LinesMemory, depth: int, cell: int, reply: int) -> None:
    """Drop the moves of Maker that *reply* refutes in the same way as *cell*.

    The lines that the reply leaves to them also go through *cell*.
    """
    tried, moves = m.tried, depth * m.size
    for i in range(moves + m.next_move[depth], moves + m.move_count[depth]):
        if tried[i] >= 0 and tried[i] != reply and is_weaker(m, tried[i], cell, reply):
            tried[i] = -1


@kernel
def is_weaker(m: LinesMemory, cell: int, than: int, reply: int) -> int:
    """Return 1 if all lines through *cell* that *reply* leaves go through *than* too."""
    for i in range(m.first[cell], m.first[cell + 1]):
        line = m.through[i]
        lacking = m.lacking[line]
        if lacking & m.within[i] and not lacking & (bit_in(m, line, than) | bit_in(m, line, reply)):
            return 0
    return 1


@kernel
def _is_refuted(m: LinesMemory, depth: int, cell: int) -> int:
    """Return 1 if a proof that is stored at *depth* refutes *cell* too."""
    for i in range(min(m.proof_count[depth], KEPT)):
        if holds_again(m, (depth * KEPT + i) * (m.size + 2), cell):
            return 1
    return 0
