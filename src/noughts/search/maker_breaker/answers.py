"""Replies of Breaker to many moves of Maker at once, as they are written in a proof.

Replies come from the results of the search. Most replies need nothing but pairs, and most of these pairs
answer other moves too.
"""

from noughts.search.maker_breaker.cover import cover_well, left_of
from noughts.search.maker_breaker.kernels import is_weaker, run, start
from noughts.search.maker_breaker.lines import bit_in, move, take_back
from noughts.search.maker_breaker.memory import BREAKER, HOLDS, MAKER, LinesMemory
from noughts.search.numba_backend import Ints, insert_ranked, kernel

OPEN = 2
"""A result besides those of the search: a reply holds, but needs a proof of its own."""

SLASH, END, BY_PAIRS = 0, -1, -2
"""The special words in the output. Cells are written as numbers from 1."""


@kernel
def list_left(m: LinesMemory, depth: int) -> None:
    """List the moves of Maker that must be answered at *depth* of a proof, by their loads."""
    size, count, left = m.size, 0, depth * m.size
    for cell in range(size):
        load = m.load[cell]
        if load:
            count = insert_ranked(m.left, left, m.order, count, size, cell, load)
    m.left_count[depth] = count


@kernel
def answer(m: LinesMemory, t: Ints, depth: int, ply: int, max_nodes: int) -> int:
    """Write the answers by pairs to the remaining moves at *depth* of a proof, with *ply* marks on the board.

    Return HOLDS if no move is left. Otherwise the next move is *moved*. OPEN means that a proof must follow
    for the position after it and *replied*, which is then set up. BREAKS and RUNNING are results of the
    search after it.
    """
    m.words = 0
    first, begin, hint = depth * m.size, m.changes, -1
    while m.left_count[depth]:
        cell = m.left[first]
        m.moved = cell
        move(m, MAKER, cell)
        start(m, BREAKER, ply + 1, hint)
        result = run(m, t, max_nodes)
        if result != HOLDS:
            take_back(m, begin)
            return result
        hint = m.reply[0] if m.reply[0] >= 0 else _heaviest(m)
        m.replied = hint
        move(m, BREAKER, hint)
        by_pairs = cover_well(m)
        take_back(m, begin)
        if by_pairs:
            _write_pairs(m, depth, cell, hint)
        else:
            _drop_weaker(m, depth, 1, cell, hint)
            move(m, MAKER, cell)
            move(m, BREAKER, hint)
            return OPEN
    return HOLDS


@kernel
def _heaviest(m: LinesMemory) -> int:
    """Return the cell of the greatest load, with which Breaker keeps the promise of the potentials."""
    best = 0
    for cell in range(m.size):
        if m.load[cell] > m.load[best]:
            best = cell
    return best


@kernel
def _write(m: LinesMemory, word: int) -> None:
    m.written[m.words] = word
    m.words += 1


@kernel
def _write_pairs(m: LinesMemory, depth: int, cell: int, reply: int) -> None:
    """Write the *reply* to *cell* with its pairs, and all remaining moves that it answers too."""
    _write(m, BY_PAIRS)
    _write(m, reply + 1)
    for i in range(m.paired):
        _write(m, m.pairs[i] + 1)
    _write(m, SLASH)
    named = m.words
    _write(m, cell + 1)
    _drop_weaker(m, depth, 1, cell, reply)
    left, first, remaining = m.left, depth * m.size, 0
    total = _begin(m, reply)
    poor = m.poor
    for i in range(first, first + m.left_count[depth]):
        if left[i] != reply and _holds_alike(m, reply, left[i], poor, total):
            _write(m, left[i] + 1)
        else:
            left[first + remaining] = left[i]
            remaining += 1
    m.left_count[depth] = remaining
    for i in range(named + 1, m.words):
        _drop_weaker(m, depth, 0, m.written[i] - 1, reply)
    _write(m, END)


@kernel
def _drop_weaker(m: LinesMemory, depth: int, skipped: int, cell: int, reply: int) -> None:
    """Drop the first *skipped* remaining moves, and those that *reply* refutes in the same way as *cell*."""
    left, first, remaining = m.left, depth * m.size, 0
    for i in range(first + skipped, first + m.left_count[depth]):
        if left[i] == reply or not is_weaker(m, left[i], cell, reply):
            left[first + remaining] = left[i]
            remaining += 1
    m.left_count[depth] = remaining


@kernel
def _begin(m: LinesMemory, reply: int) -> int:
    """Compute the cells that are missing in lines not stopped by *pairs*, and the loads, after *reply*.

    Set *poor* to the number of lines that lack a single cell or none. Return the sum of the potentials of the
    others.
    """
    size, mate = m.size, m.mate
    for i in range(size):
        mate[i] = 0
        m.burden[i] = 0
    for i in range(0, m.paired, 2):
        mate[m.pairs[i]] = m.pairs[i + 1] + 1
        mate[m.pairs[i + 1]] = m.pairs[i] + 1
    m.poor, m.score = 0, 0
    for line in range(m.line_count):
        left = left_of(m, line, reply, -1) if m.lacking[line] else 0
        m.covered[line] = left
        _count(m, m.burden, line, left, 1)
    return m.score


@kernel
def _holds_alike(m: LinesMemory, reply: int, cell: int, poor: int, total: int) -> int:
    """Return 1 if *reply* and *pairs* refute *cell* too, without a pair that has lost a cell.

    Only lines through the cell, and through the other cell of its pair, differ from the results of
    :func:`_begin`: *poor*, the number of lines that lack too little, and *total*, the sum of potentials.
    """
    mate, loads, size = m.mate, m.order, m.size
    other = mate[cell] - 1
    m.poor, m.score = poor, total
    for i in range(size):
        loads[i] = m.burden[i]
    if other >= 0:
        mate[cell], mate[other] = 0, 0
        _count_again(m, other, reply, cell)
    _count_again(m, cell, reply, cell)
    if other >= 0:
        mate[cell], mate[other] = other + 1, cell + 1
    if m.poor:
        return 0
    greatest = 0
    for i in range(size):
        greatest = max(greatest, loads[i])
    return 1 if m.score + greatest < m.target else 0


@kernel
def _count_again(m: LinesMemory, through: int, reply: int, cell: int) -> None:
    """Recount the lines through the cell *through* when Maker has *cell*.

    Lines through both are recounted only for *cell* itself.
    """
    for i in range(m.first[through], m.first[through + 1]):
        line = m.through[i]
        lacking = m.lacking[line]
        if lacking & m.within[i] and (through == cell or not lacking & bit_in(m, line, cell)):
            _count(m, m.order, line, m.covered[line], -1)
            _count(m, m.order, line, left_of(m, line, reply, cell), 1)


@kernel
def _count(m: LinesMemory, loads: Ints, line: int, left: int, sign: int) -> None:
    """Add *line*, which still lacks *left*, to the counts (*sign* 1) or remove it (-1)."""
    if left < 0:
        m.poor += sign
    elif left:
        potential, place = sign << m.k - m.lacks[left], line * m.k
        m.score += potential
        while left:
            if left & 1:
                loads[m.cells[place]] += potential
            left >>= 1
            place += 1
