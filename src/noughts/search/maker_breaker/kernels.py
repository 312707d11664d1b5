"""Does Breaker hold? The search, as functions that may be compiled.

Maker and Breaker take cells in turn; Maker wants all cells of a line, Breaker one of each (Chvatal and Erdos
1978). Whoever plays as Breaker does not lose in k in a row, where the other side's lines count as well. What
decides a position without looking further:

- a line that lacks one cell decides or forces the next move, two that cross in one of two decide;
- the potentials of all lines (Erdos and Selfridge 1973), also after pairs have been chosen (``cover``);
- such a cover after one of the likely replies of Breaker;
- the reply and the pairs that refuted another move of Maker.

Where pairs nearly suffice the game in which Breaker has answered in them is asked first: it is smaller, and
what holds there holds here.
"""

from noughts.search.maker_breaker import layout as at
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
from noughts.search.maker_breaker.table import RUNNING, note_key, probe, store
from noughts.search.numba_backend import Ints, insert, kernel

PAUSING = -2

LIKELY_REPLIES = 8
"""So many replies of Breaker are looked at before one is searched."""

NEARLY = 9
"""Pairs nearly suffice where they bring the sum below a fifth of this times what is wanted."""

SMALLER = 20
"""Plies that the smaller game counts for: its images are not looked at."""

FIRST_OF_ALL = 1 << 60
"""The score of a reply that held after another move of Maker."""


@kernel
def run(m: Ints, t: Ints, max_nodes: int) -> int:
    """Go on until it is known who wins (HOLDS, BREAKS) or *max_nodes* nodes were made (RUNNING)."""
    while True:
        depth = m[at.DEPTH]
        if m[at.PHASE] == at.ENTERING:
            m[at.RESULT] = _enter(m, t, depth, max_nodes)
            if m[at.RESULT] == PAUSING:
                return RUNNING
        else:
            m[at.RESULT] = _consider(m, depth)
            if m[at.RESULT] != RUNNING:
                store(m, t, depth, m[at.RESULT])
        if m[at.RESULT] != RUNNING:
            if depth == 0:
                return m[at.RESULT]
            m[at.DEPTH] = depth - 1
            take_back(m, m[m[at.BEGIN] + depth - 1])
            m[at.PHASE] = at.RETURNING
        else:
            _descend(m, depth)


@kernel
def start(m: Ints, turn: int, ply: int, hint: int) -> None:
    """Ask about the lines as they stand, with *turn* to move and *ply* marks on the board.

    The *hint* is a likely reply of Breaker, -1 for none.
    """
    m[at.DEPTH] = 0
    m[at.PHASE] = at.ENTERING
    _begin(m, 0, turn, ply, hint)


@kernel
def _begin(m: Ints, depth: int, turn: int, ply: int, hint: int) -> None:
    """Make the position that stands the one at *depth*."""
    m[m[at.TURN] + depth] = turn
    m[m[at.PLY] + depth] = ply
    m[m[at.HINT] + depth] = hint
    m[m[at.BEGIN] + depth] = m[at.CHANGES]
    m[m[at.STAGE] + depth] = at.MOVING
    m[m[at.SIGN] + depth] = -1
    m[m[at.REPLY] + depth] = -1
    m[m[at.MANY] + depth] = 0
    m[m[at.NEXT] + depth] = 0
    m[m[at.MANY_PROOFS] + depth] = 0


@kernel
def _enter(m: Ints, t: Ints, depth: int, max_nodes: int) -> int:
    """Answer the position at *depth* at once, or list its moves (RUNNING).

    If that takes a node more than there may be, come back to it later (PAUSING).
    """
    turn = m[m[at.TURN] + depth]
    m[at.CERTIFIED] = -1
    if m[at.READY]:
        if turn == at.MAKER:
            return at.BREAKS
        forced = find_ready(m, -1)
        if find_ready(m, forced) >= 0:
            return at.BREAKS
        m[m[at.TRIED] + depth * m[at.SIZE]] = forced
        m[m[at.MANY] + depth] = 1
        return RUNNING
    if turn == at.MAKER and has_fork(m):
        return at.BREAKS
    danger = greatest_load(m) if turn == at.MAKER else 0
    if m[at.SUM] + danger < m[at.TARGET]:
        return at.HOLDS
    note_key(m, depth)
    found = probe(m, t, depth)
    if found != RUNNING:
        return found
    if m[at.NODES] >= max_nodes:
        return PAUSING
    m[m[at.WORK] + depth] = m[at.NODES]
    m[at.NODES] += 1
    if turn == at.BREAKER:
        found = _reply_at_once(m, t, depth)
    elif cover(m):
        found = at.HOLDS
    elif m[at.PAIRED] and 5 * m[at.SCORE] < NEARLY * m[at.TARGET]:
        m[m[at.STAGE] + depth] = at.RELAXING
    else:
        _list_moves(m, depth)
    if found != RUNNING:
        store(m, t, depth, found)
    return found


@kernel
def _list_moves(m: Ints, depth: int) -> None:
    """List the cells of lines that Maker can still fill, by their loads, the hint first.

    Maker's are left out where all their lines go through another cell, which is at least as good.
    """
    size, count, is_breaker = m[at.SIZE], 0, m[m[at.TURN] + depth] == at.BREAKER
    moves = m[at.TRIED] + depth * size
    for cell in range(size):
        load = m[m[at.LOAD] + cell]
        if load and (is_breaker or not _is_dominated(m, cell)):
            score = FIRST_OF_ALL if cell == m[m[at.HINT] + depth] else load
            count = insert(m, moves, m[at.ORDER], count, size, cell, score)
    m[m[at.MANY] + depth] = count


@kernel
def _is_dominated(m: Ints, cell: int) -> int:
    """Whether all lines through *cell* go through another one, which has more of them or is listed first."""
    load, base = m[m[at.LOAD] + cell], -1
    for i in range(m[m[at.FIRST] + cell], m[m[at.FIRST] + cell + 1]):
        if m[m[at.LINE] + m[m[at.THROUGH] + i]] & m[m[at.WITHIN] + i]:
            base = m[at.CELLS] + m[m[at.THROUGH] + i] * m[at.K]
    for i in range(base, base + m[at.K]):
        other = m[m[at.LOAD] + m[i]]
        if (other > load or (other == load and m[i] < cell)) and is_weaker(m, cell, m[i], -1):
            return 1
    return 0


@kernel
def _reply_at_once(m: Ints, t: Ints, depth: int) -> int:
    """Find a likely reply after which Breaker holds without a search; else list all, likeliest first."""
    size = m[at.SIZE]
    moves, below = m[at.TRIED] + depth * size, depth + 1
    _list_moves(m, depth)
    likely = min(m[m[at.MANY] + depth], LIKELY_REPLIES)
    for i in range(likely):
        cell = m[moves + i]
        move(m, at.BREAKER, cell)
        m[m[at.REPLY] + depth] = cell
        found = _holds_at_once(m, t, depth, below)
        take_back(m, m[m[at.BEGIN] + depth])
        if found:
            return at.HOLDS
        m[m[at.ORDER] + i] = -m[at.SCORE]
    m[m[at.REPLY] + depth] = -1
    ordered = 0
    for i in range(likely):
        ordered = insert(m, moves, m[at.ORDER], ordered, size, m[moves + i], m[m[at.ORDER] + i])
    return RUNNING


@kernel
def _holds_at_once(m: Ints, t: Ints, depth: int, below: int) -> int:
    """Whether Breaker holds after the reply just made: by potentials, the table or pairs."""
    if m[at.SUM] + greatest_load(m) < m[at.TARGET]:
        return 1
    m[at.SCORE] = FIRST_OF_ALL
    if has_fork(m):
        return 0
    _begin(m, below, at.MAKER, m[m[at.PLY] + depth] + 1, -1)
    note_key(m, below)
    known = probe(m, t, below)
    if known != RUNNING:
        return known
    if cover(m):
        m[at.CERTIFIED] = m[m[at.REPLY] + depth]
        return 1
    return 0


@kernel
def _descend(m: Ints, depth: int) -> None:
    """Go on to the smaller game, or make the next move of *depth*."""
    turn, ply, hint = m[m[at.TURN] + depth], m[m[at.PLY] + depth], -1
    if m[m[at.STAGE] + depth] == at.RELAXING:
        concede(m, m[at.PAIRS], m[at.PAIRED])
        ply += SMALLER
    else:
        cell = m[m[at.TRIED] + depth * m[at.SIZE] + m[m[at.NEXT] + depth]]
        m[m[at.NEXT] + depth] += 1
        move(m, turn, cell)
        if turn == at.MAKER:
            hint = m[m[at.HINT] + depth]  # what held against the move before
        turn, ply = 1 - turn, ply + 1
    m[at.DEPTH] = depth + 1
    m[at.PHASE] = at.ENTERING
    _begin(m, depth + 1, turn, ply, hint)


@kernel
def _consider(m: Ints, depth: int) -> int:
    """Answer the position at *depth* by the answer below it, RESULT, or go on with another move (RUNNING)."""
    turn, below = m[m[at.TURN] + depth], m[at.RESULT]
    if m[m[at.STAGE] + depth] == at.RELAXING:
        if below == at.HOLDS:
            return at.HOLDS
        m[m[at.STAGE] + depth] = at.MOVING
        _list_moves(m, depth)
        return RUNNING
    moves = m[at.TRIED] + depth * m[at.SIZE]
    if turn == at.BREAKER:
        if below == at.HOLDS:
            m[m[at.REPLY] + depth] = m[moves + m[m[at.NEXT] + depth] - 1]
            return at.HOLDS
        return RUNNING if m[m[at.NEXT] + depth] < m[m[at.MANY] + depth] else at.BREAKS
    if below == at.BREAKS:
        return at.BREAKS
    reply = m[m[at.REPLY] + depth + 1]
    if reply >= 0:
        m[m[at.HINT] + depth] = reply
        _keep_proof(m, depth, reply)
        _drop_weaker(m, depth, m[moves + m[m[at.NEXT] + depth] - 1], reply)
    while m[m[at.NEXT] + depth] < m[m[at.MANY] + depth]:
        cell = m[moves + m[m[at.NEXT] + depth]]
        if cell >= 0 and not _is_refuted(m, depth, cell):
            return RUNNING
        m[m[at.NEXT] + depth] += 1
    return at.HOLDS


@kernel
def _keep_proof(m: Ints, depth: int, reply: int) -> None:
    """Remember *reply*, which held against a move of Maker at *depth*, with the pairs that proved it."""
    if m[at.CERTIFIED] == reply:
        count = m[m[at.MANY_PROOFS] + depth]
        m[m[at.MANY_PROOFS] + depth] = count + 1
        proof = m[at.PROOFS] + (depth * at.KEPT + count % at.KEPT) * (m[at.SIZE] + 2)
        m[proof] = reply
        m[proof + 1] = m[at.PAIRED]
        for i in range(m[at.PAIRED]):
            m[proof + 2 + i] = m[m[at.PAIRS] + i]


@kernel
def _drop_weaker(m: Ints, depth: int, cell: int, reply: int) -> None:
    """Drop the moves of Maker that *reply* refutes as it did *cell*: the lines left go through that too."""
    moves = m[at.TRIED] + depth * m[at.SIZE]
    for i in range(moves + m[m[at.NEXT] + depth], moves + m[m[at.MANY] + depth]):
        if m[i] >= 0 and m[i] != reply and is_weaker(m, m[i], cell, reply):
            m[i] = -1


@kernel
def is_weaker(m: Ints, cell: int, than: int, reply: int) -> int:
    """Whether all lines through *cell* that *reply* leaves go through *than* too."""
    for i in range(m[m[at.FIRST] + cell], m[m[at.FIRST] + cell + 1]):
        line = m[m[at.THROUGH] + i]
        lacking = m[m[at.LINE] + line]
        if lacking & m[m[at.WITHIN] + i] and not lacking & (bit_in(m, line, than) | bit_in(m, line, reply)):
            return 0
    return 1


@kernel
def _is_refuted(m: Ints, depth: int, cell: int) -> int:
    """Whether a proof that is kept at *depth* refutes *cell* too."""
    for i in range(min(m[m[at.MANY_PROOFS] + depth], at.KEPT)):
        if holds_again(m, m[at.PROOFS] + (depth * at.KEPT + i) * (m[at.SIZE] + 2), cell):
            return 1
    return 0
