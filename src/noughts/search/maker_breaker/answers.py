"""Why Breaker holds after each move of Maker: found for many moves at once, to be written as a proof.

What the search remembers is asked for replies. Most replies need nothing but pairs, and most of these pairs
answer other moves too.
"""

from noughts.search.maker_breaker.cover import cover_well, left_of
from noughts.search.maker_breaker.kernels import is_weaker, run, start
from noughts.search.maker_breaker.lines import bit_in, move, take_back
from noughts.search.maker_breaker.memory import BREAKER, HOLDS, MAKER, LinesMemory
from noughts.search.numba_backend import Ints, insert_ranked, kernel

OPEN = 2
"""Beside the answers of the search: a reply holds, and needs a proof of its own."""

SLASH, END, BY_PAIRS = 0, -1, -2
"""What is written beside numbers of cells, which count from 1."""


@kernel
def list_left(m: LinesMemory, depth: int) -> None:
    """List the moves of Maker that have to be answered, by their loads, at *depth* of a proof."""
    size, count, left = m.size, 0, depth * m.size
    for cell in range(size):
        load = m.load[cell]
        if load:
            count = insert_ranked(m.left, left, m.order, count, size, cell, load)
    m.left_count[depth] = count


@kernel
def answer(m: LinesMemory, t: Ints, depth: int, ply: int, max_nodes: int) -> int:
    """Write the answers by pairs to what is left at *depth* of a proof, where *ply* marks were made.

    HOLDS where nothing is left. Otherwise the next move is MOVED: OPEN where a proof has to follow for the
    position after it and REPLIED, which stands then; BREAKS or RUNNING are what the search says after it.
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
    """The cell of the greatest load, by which Breaker keeps what the potentials promise."""
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
    """Write the *reply* to *cell* with its pairs, and what else of the moves left it answers."""
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
    """Of what is left drop the first *skipped* moves, and those that *reply* refutes as it does *cell*."""
    left, first, remaining = m.left, depth * m.size, 0
    for i in range(first + skipped, first + m.left_count[depth]):
        if left[i] == reply or not is_weaker(m, left[i], cell, reply):
            left[first + remaining] = left[i]
            remaining += 1
    m.left_count[depth] = remaining


@kernel
def _begin(m: LinesMemory, reply: int) -> int:
    """Work out what is left of the lines beside PAIRS, and their loads, when Breaker has *reply*.

    POOR is how many lack a single cell or none; return the sum of the potentials of the others.
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
    """Whether *reply* and PAIRS, a pair that has lost a cell left out, refute *cell* too.

    Only lines through it, and through the other cell of its pair, differ from what :func:`_begin` found: with
    *poor* lines that lack too little, and this *total*.
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
    """Count the lines through a cell anew when Maker has *cell*; those through that one only for itself."""
    for i in range(m.first[through], m.first[through + 1]):
        line = m.through[i]
        lacking = m.lacking[line]
        if lacking & m.within[i] and (through == cell or not lacking & bit_in(m, line, cell)):
            _count(m, m.order, line, m.covered[line], -1)
            _count(m, m.order, line, left_of(m, line, reply, cell), 1)


@kernel
def _count(m: LinesMemory, loads: Ints, line: int, left: int, sign: int) -> None:
    """Count *line*, of which *left* is left, once more (*sign* 1) or no longer (-1)."""
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
