"""Pairs of cells, one of which Breaker takes when Maker takes the other, and potentials for the rest.

A line through both cells of a pair is stopped. In all other lines Maker is given the paired cells, and what
is left is stopped if the sum of its potentials and the greatest load of a cell stay below 1 (Erdos and
Selfridge 1973): Breaker answers in the pair, or takes the cell of the greatest load.
"""

from noughts.search.maker_breaker import layout as at
from noughts.search.maker_breaker.lines import bit_in
from noughts.search.numba_backend import Ints, kernel

WELL = 60
"""Per cent of what the sum has to stay below: so low pairs bring it that have to last for several moves."""


@kernel
def cover(m: Ints) -> int:
    """Whether pairs are found by which Breaker holds, where Maker is to move and no line lacks a single cell.

    PAIRS are those that brought the sum lowest, SCORE is how low.
    """
    _begin(m)
    return pair_up(m, m[at.SUM], m[at.TARGET])


@kernel
def cover_well(m: Ints) -> int:
    """The same, with more pairs than it takes, which last for other moves too."""
    _begin(m)
    return pair_up(m, m[at.SUM], m[at.TARGET] * WELL // 100)


@kernel
def _begin(m: Ints) -> None:
    """Start from the lines as they are."""
    line, covered, load, burden = m[at.LINE], m[at.COVERED], m[at.LOAD], m[at.BURDEN]
    for i in range(m[at.LINES]):
        m[covered + i] = m[line + i]
    for i in range(m[at.SIZE]):
        m[burden + i] = m[load + i]


@kernel
def pair_up(m: Ints, total: int, enough: int) -> int:
    """The same of lines that lack what is COVERED, with the BURDEN of each cell; the potentials are *total*.

    Pairs are chosen one by one, each so that the sum is lowered most: no more once it is below *enough*.
    """
    chosen, bad = 0, 0
    _list_couples(m)
    m[at.SCORE] = total + m[at.TARGET] * m[at.LINES]
    while not bad:
        greatest = 0
        for i in range(m[at.BURDEN], m[at.BURDEN] + m[at.SIZE]):
            greatest = max(greatest, m[i])
        if total + greatest < m[at.SCORE]:
            m[at.SCORE] = total + greatest
            m[at.PAIRED] = chosen
        gain = 0 if m[at.SCORE] < enough else _choose(m, chosen)
        if gain == 0:
            break
        total -= gain
        one, two = m[m[at.CHOSEN] + chosen], m[m[at.CHOSEN] + chosen + 1]
        bad = _give(m, one, two) | _give(m, two, one)
        chosen += 2
    for i in range(m[at.PAIRED]):
        m[m[at.PAIRS] + i] = m[m[at.CHOSEN] + i]
    return 1 if m[at.SCORE] < m[at.TARGET] else 0


@kernel
def _list_couples(m: Ints) -> None:
    """List the couples that some line lacks, with what they share."""
    k, lacks, begin, twos = m[at.K], m[at.LACKS], m[at.TWOS_FROM], m[at.TWOS]
    covered, couples, shared, met = m[at.COVERED], m[at.COUPLE_OF], m[at.SHARED], m[at.LISTED]
    for i in range(shared, shared + m[at.COUPLES]):
        m[i] = 0
    for line in range(m[at.LINES]):
        lacking = m[covered + line]
        potential = 1 << k - m[lacks + lacking]
        for i in range(twos + m[begin + lacking], twos + m[begin + lacking + 1]):
            couple = m[couples + m[i]]
            before = m[shared + couple]
            m[shared + couple] = before + potential
            m[met] = couple
            if before == 0:
                met += 1
        couples += k * (k - 1) >> 1
    m[at.MET] = met - m[at.LISTED]


@kernel
def _choose(m: Ints, chosen: int) -> int:
    """Append to CHOSEN the pair that lowers the sum most; by how much, 0 for none.

    Of two that do the one that comes first. Couples that no line lacks any more are listed no longer.
    """
    listed, shared, burden, ones, others = m[at.LISTED], m[at.SHARED], m[at.BURDEN], m[at.ONE], m[at.OTHER]
    couples, best, kept = m[at.COUPLES], 0, listed
    for i in range(listed, listed + m[at.MET]):
        couple = m[i]
        load, other_load = m[burden + m[ones + couple]], m[burden + m[others + couple]]
        both = min(m[shared + couple], load, other_load)  # 0 where a cell of it was given to Maker
        m[kept] = couple
        if both:
            kept += 1
        best = max(best, (3 * both - load - other_load) * couples - couple)
    m[at.MET] = kept - listed
    gain = (best + couples - 1) // couples
    found = gain * couples - best
    m[m[at.CHOSEN] + chosen] = m[ones + found]
    m[m[at.CHOSEN] + chosen + 1] = m[others + found]
    return gain


@kernel
def _give(m: Ints, cell: int, mate: int) -> int:
    """Stop the lines through *cell* and its *mate*, and give Maker *cell* in the others.

    Whether one of those lacks a single cell then. What couples of *cell* share is not kept up.
    """
    bad, covered = 0, m[at.COVERED]
    for i in range(m[m[at.FIRST] + cell], m[m[at.FIRST] + cell + 1]):
        line = m[m[at.THROUGH] + i]
        lacking, bit = m[covered + line], m[m[at.WITHIN] + i]
        if lacking & bit:
            potential = 1 << m[at.K] - m[m[at.LACKS] + lacking]
            mate_bit = lacking & bit_in(m, line, mate)
            if mate_bit:
                m[covered + line] = 0
                _weigh(m, line, lacking - bit - mate_bit, -potential)
            else:  # what lacks a cell less weighs twice as much
                m[covered + line] = lacking - bit
                _weigh(m, line, lacking - bit, potential)
                if m[m[at.LACKS] + lacking - bit] == 1:
                    bad = 1
    m[m[at.BURDEN] + cell] = 0
    return bad


@kernel
def _weigh(m: Ints, line: int, lacking: int, more: int) -> None:
    """Let the cells of *line* that are *lacking*, and their couples, bear so much *more* of it."""
    k, burden, shared, places, twos = m[at.K], m[at.BURDEN], m[at.SHARED], m[at.PLACES], m[at.TWOS]
    cells, couples = m[at.CELLS] + line * k, m[at.COUPLE_OF] + line * (k * (k - 1) >> 1)
    for i in range(places + m[m[at.PLACES_FROM] + lacking], places + m[m[at.PLACES_FROM] + lacking + 1]):
        m[burden + m[cells + m[i]]] += more
    for i in range(twos + m[m[at.TWOS_FROM] + lacking], twos + m[m[at.TWOS_FROM] + lacking + 1]):
        m[shared + m[couples + m[i]]] += more


@kernel
def holds_again(m: Ints, proof: int, cell: int) -> int:
    """Whether the reply and the pairs kept at *proof* refute *cell* too, as a move of Maker, who is to move.

    They are tried from scratch: a pair that has lost a cell is left out.
    """
    reply, count, mate, size = m[proof], m[proof + 1], m[at.MATE], m[at.SIZE]
    if reply == cell:
        return 0
    for i in range(size):
        m[mate + i] = 0
        m[m[at.BURDEN] + i] = 0
    for i in range(proof + 2, proof + 2 + count, 2):
        one, two = m[i], m[i + 1]
        if one != reply and one != cell and two != reply and two != cell:
            m[mate + one] = two + 1
            m[mate + two] = one + 1
    total = 0
    for line in range(m[at.LINES]):
        left = left_of(m, line, reply, cell) if m[m[at.LINE] + line] else 0
        if left < 0:
            return 0
        if left:
            potential = 1 << m[at.K] - m[m[at.LACKS] + left]
            total += potential
            if total >= m[at.TARGET]:
                return 0
            base = m[at.CELLS] + line * m[at.K]
            while left:
                if left & 1:
                    m[m[at.BURDEN] + m[base]] += potential
                left >>= 1
                base += 1
    greatest = 0
    for i in range(m[at.BURDEN], m[at.BURDEN] + size):
        greatest = max(greatest, m[i])
    return 1 if total + greatest < m[at.TARGET] else 0


@kernel
def left_of(m: Ints, line: int, reply: int, cell: int) -> int:
    """What *line*, which is not stopped, lacks when Breaker has *reply* and Maker *cell* and what has a mate.

    0 where it is stopped then, -1 where a single cell is left or none.
    """
    lacking, mate, cells = m[m[at.LINE] + line], m[at.MATE], m[at.CELLS] + line * m[at.K]
    if lacking & bit_in(m, line, reply):
        return 0
    left = lacking - (lacking & bit_in(m, line, cell))
    for i in range(m[at.K]):
        if left >> i & 1:
            here = m[cells + i]
            other = m[mate + here] - 1
            if other >= 0:
                if other > here and lacking & bit_in(m, line, other):
                    return 0
                left -= 1 << i
    return -1 if m[m[at.LACKS] + left] <= 1 else left
