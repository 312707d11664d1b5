"""Why Breaker holds after each move of Maker: found for many moves at once, to be written as a proof.

What the search remembers is asked for replies. Most replies need nothing but pairs, and most of these pairs
answer other moves too.
"""

from noughts.search.maker_breaker import layout as at
from noughts.search.maker_breaker.cover import cover_well, left_of
from noughts.search.maker_breaker.kernels import is_weaker, run, start
from noughts.search.maker_breaker.lines import bit_in, move, take_back
from noughts.search.numba_backend import Ints, insert, kernel

OPEN = 2
"""Beside the answers of the search: a reply holds, and needs a proof of its own."""

SLASH, END, BY_PAIRS = 0, -1, -2
"""What is written beside numbers of cells, which count from 1."""


@kernel
def list_left(m: Ints, depth: int) -> None:
    """List the moves of Maker that have to be answered, by their loads, at *depth* of a proof."""
    size, count, left = m[at.SIZE], 0, m[at.LEFT] + depth * m[at.SIZE]
    for cell in range(size):
        load = m[m[at.LOAD] + cell]
        if load:
            count = insert(m, left, m[at.ORDER], count, size, cell, load)
    m[m[at.MANY_LEFT] + depth] = count


@kernel
def answer(m: Ints, t: Ints, depth: int, ply: int, max_nodes: int) -> int:
    """Write the answers by pairs to what is left at *depth* of a proof, where *ply* marks were made.

    HOLDS where nothing is left. Otherwise the next move is MOVED: OPEN where a proof has to follow for the
    position after it and REPLIED, which stands then; BREAKS or RUNNING are what the search says after it.
    """
    m[at.WORDS] = 0
    first, begin, hint = m[at.LEFT] + depth * m[at.SIZE], m[at.CHANGES], -1
    while m[m[at.MANY_LEFT] + depth]:
        cell = m[first]
        m[at.MOVED] = cell
        move(m, at.MAKER, cell)
        start(m, at.BREAKER, ply + 1, hint)
        found = run(m, t, max_nodes)
        if found != at.HOLDS:
            take_back(m, begin)
            return found
        hint = m[m[at.REPLY]] if m[m[at.REPLY]] >= 0 else _heaviest(m)
        m[at.REPLIED] = hint
        move(m, at.BREAKER, hint)
        by_pairs = cover_well(m)
        take_back(m, begin)
        if by_pairs:
            _write_pairs(m, depth, cell, hint)
        else:
            _drop_weaker(m, depth, 1, cell, hint)
            move(m, at.MAKER, cell)
            move(m, at.BREAKER, hint)
            return OPEN
    return at.HOLDS


@kernel
def _heaviest(m: Ints) -> int:
    """The cell of the greatest load, by which Breaker keeps what the potentials promise."""
    best = 0
    for cell in range(m[at.SIZE]):
        if m[m[at.LOAD] + cell] > m[m[at.LOAD] + best]:
            best = cell
    return best


@kernel
def _write(m: Ints, word: int) -> None:
    m[m[at.WRITTEN] + m[at.WORDS]] = word
    m[at.WORDS] += 1


@kernel
def _write_pairs(m: Ints, depth: int, cell: int, reply: int) -> None:
    """Write the *reply* to *cell* with its pairs, and what else of the moves left it answers."""
    _write(m, BY_PAIRS)
    _write(m, reply + 1)
    for i in range(m[at.PAIRS], m[at.PAIRS] + m[at.PAIRED]):
        _write(m, m[i] + 1)
    _write(m, SLASH)
    named = m[at.WORDS]
    _write(m, cell + 1)
    _drop_weaker(m, depth, 1, cell, reply)
    first, kept = m[at.LEFT] + depth * m[at.SIZE], 0
    total = _begin(m, reply)
    poor = m[at.POOR]
    for i in range(first, first + m[m[at.MANY_LEFT] + depth]):
        if m[i] != reply and _holds_alike(m, reply, m[i], poor, total):
            _write(m, m[i] + 1)
        else:
            m[first + kept] = m[i]
            kept += 1
    m[m[at.MANY_LEFT] + depth] = kept
    for i in range(m[at.WRITTEN] + named + 1, m[at.WRITTEN] + m[at.WORDS]):
        _drop_weaker(m, depth, 0, m[i] - 1, reply)
    _write(m, END)


@kernel
def _drop_weaker(m: Ints, depth: int, skipped: int, cell: int, reply: int) -> None:
    """Of what is left drop the first *skipped* moves, and those that *reply* refutes as it does *cell*."""
    first, kept = m[at.LEFT] + depth * m[at.SIZE], 0
    for i in range(first + skipped, first + m[m[at.MANY_LEFT] + depth]):
        if m[i] == reply or not is_weaker(m, m[i], cell, reply):
            m[first + kept] = m[i]
            kept += 1
    m[m[at.MANY_LEFT] + depth] = kept


@kernel
def _begin(m: Ints, reply: int) -> int:
    """Work out what is left of the lines beside PAIRS, and their loads, when Breaker has *reply*.

    POOR is how many lack a single cell or none; return the sum of the potentials of the others.
    """
    size, mate = m[at.SIZE], m[at.MATE]
    for i in range(size):
        m[mate + i] = 0
        m[m[at.BURDEN] + i] = 0
    for i in range(m[at.PAIRS], m[at.PAIRS] + m[at.PAIRED], 2):
        m[mate + m[i]] = m[i + 1] + 1
        m[mate + m[i + 1]] = m[i] + 1
    m[at.POOR], m[at.SCORE] = 0, 0
    for line in range(m[at.LINES]):
        left = left_of(m, line, reply, -1) if m[m[at.LINE] + line] else 0
        m[m[at.COVERED] + line] = left
        _count(m, m[at.BURDEN], line, left, 1)
    return m[at.SCORE]


@kernel
def _holds_alike(m: Ints, reply: int, cell: int, poor: int, total: int) -> int:
    """Whether *reply* and PAIRS, a pair that has lost a cell left out, refute *cell* too.

    Only lines through it, and through the other cell of its pair, differ from what :func:`_begin` found: with
    *poor* lines that lack too little, and this *total*.
    """
    mate, loads, size = m[at.MATE], m[at.ORDER], m[at.SIZE]
    other = m[mate + cell] - 1
    m[at.POOR], m[at.SCORE] = poor, total
    for i in range(size):
        m[loads + i] = m[m[at.BURDEN] + i]
    if other >= 0:
        m[mate + cell], m[mate + other] = 0, 0
        _count_again(m, other, reply, cell)
    _count_again(m, cell, reply, cell)
    if other >= 0:
        m[mate + cell], m[mate + other] = other + 1, cell + 1
    if m[at.POOR]:
        return 0
    greatest = 0
    for i in range(loads, loads + size):
        greatest = max(greatest, m[i])
    return 1 if m[at.SCORE] + greatest < m[at.TARGET] else 0


@kernel
def _count_again(m: Ints, through: int, reply: int, cell: int) -> None:
    """Count the lines through a cell anew when Maker has *cell*; those through that one only for itself."""
    for i in range(m[m[at.FIRST] + through], m[m[at.FIRST] + through + 1]):
        line = m[m[at.THROUGH] + i]
        lacking = m[m[at.LINE] + line]
        if lacking & m[m[at.WITHIN] + i] and (through == cell or not lacking & bit_in(m, line, cell)):
            _count(m, m[at.ORDER], line, m[m[at.COVERED] + line], -1)
            _count(m, m[at.ORDER], line, left_of(m, line, reply, cell), 1)


@kernel
def _count(m: Ints, loads: int, line: int, left: int, sign: int) -> None:
    """Count *line*, of which *left* is left, once more (*sign* 1) or no longer (-1)."""
    if left < 0:
        m[at.POOR] += sign
    elif left:
        potential, place = sign << m[at.K] - m[m[at.LACKS] + left], m[at.CELLS] + line * m[at.K]
        m[at.SCORE] += potential
        while left:
            if left & 1:
                m[loads + m[place]] += potential
            left >>= 1
            place += 1
