"""Pairs of cells, one of which Breaker takes when Maker takes the other, and potentials for the rest.

A line through both cells of a pair is stopped. In all other lines Maker is given the paired cells, and what
is left is stopped if the sum of its potentials and the greatest load of a cell stay below 1 (Erdos and
Selfridge 1973): Breaker answers in the pair, or takes the cell of the greatest load.
"""

from noughts.search.maker_breaker.lines import bit_in
from noughts.search.maker_breaker.memory import CoverMemory, LinesMemory
from noughts.search.numba_backend import kernel

WELL = 60
"""Per cent of what the sum has to stay below: so low pairs bring it that have to last for several moves."""


@kernel
def cover(m: LinesMemory) -> int:
    """Whether pairs are found by which Breaker holds, where Maker is to move and no line lacks a single cell.

    PAIRS are those that brought the sum lowest, SCORE is how low.
    """
    _begin(m)
    return pair_up(m, m.potential, m.target)


@kernel
def cover_well(m: LinesMemory) -> int:
    """The same, with more pairs than it takes, which last for other moves too."""
    _begin(m)
    return pair_up(m, m.potential, m.target * WELL // 100)


@kernel
def _begin(m: LinesMemory) -> None:
    """Start from the lines as they are."""
    line, covered, load, burden = m.lacking, m.covered, m.load, m.burden
    for i in range(m.line_count):
        covered[i] = line[i]
    for i in range(m.size):
        burden[i] = load[i]


@kernel
def pair_up(m: CoverMemory, total: int, enough: int) -> int:
    """The same of lines that lack what is COVERED, with the BURDEN of each cell; the potentials are *total*.

    Pairs are chosen one by one, each so that the sum is lowered most: no more once it is below *enough*.
    """
    chosen, bad = 0, 0
    _list_couples(m)
    m.score = total + m.target * m.line_count
    while not bad:
        greatest = 0
        for i in range(m.size):
            greatest = max(greatest, m.burden[i])
        if total + greatest < m.score:
            m.score = total + greatest
            m.paired = chosen
        gain = 0 if m.score < enough else _choose(m, chosen)
        if gain == 0:
            break
        total -= gain
        one, two = m.chosen[chosen], m.chosen[chosen + 1]
        bad = _give(m, one, two) | _give(m, two, one)
        chosen += 2
    for i in range(m.paired):
        m.pairs[i] = m.chosen[i]
    return 1 if m.score < m.target else 0


@kernel
def _list_couples(m: CoverMemory) -> None:
    """List the couples that some line lacks, with what they share."""
    k, lacks, begin, twos = m.k, m.lacks, m.twos_from, m.twos
    covered, shared, couples, met = m.covered, m.shared, 0, 0
    for i in range(m.couple_count):
        shared[i] = 0
    for line in range(m.line_count):
        lacking = covered[line]
        potential = 1 << k - lacks[lacking]
        for i in range(begin[lacking], begin[lacking + 1]):
            couple = m.couple_of[couples + twos[i]]
            before = shared[couple]
            shared[couple] = before + potential
            m.listed[met] = couple
            if before == 0:
                met += 1
        couples += k * (k - 1) >> 1
    m.met = met


@kernel
def _choose(m: CoverMemory, chosen: int) -> int:
    """Append to CHOSEN the pair that lowers the sum most; by how much, 0 for none.

    Of two that do the one that comes first. Couples that no line lacks any more are listed no longer.
    """
    listed, shared, burden, ones, others = m.listed, m.shared, m.burden, m.one, m.other
    couples, best, remaining = m.couple_count, 0, 0
    for i in range(m.met):
        couple = listed[i]
        load, other_load = burden[ones[couple]], burden[others[couple]]
        both = min(shared[couple], load, other_load)  # 0 where a cell of it was given to Maker
        listed[remaining] = couple
        if both:
            remaining += 1
        best = max(best, (3 * both - load - other_load) * couples - couple)
    m.met = remaining
    gain = (best + couples - 1) // couples
    result = gain * couples - best
    m.chosen[chosen] = ones[result]
    m.chosen[chosen + 1] = others[result]
    return gain


@kernel
def _give(m: CoverMemory, cell: int, mate: int) -> int:
    """Stop the lines through *cell* and its *mate*, and give Maker *cell* in the others.

    Whether one of those lacks a single cell then. What couples of *cell* share is not kept up.
    """
    bad, covered = 0, m.covered
    for i in range(m.first[cell], m.first[cell + 1]):
        line = m.through[i]
        lacking, bit = covered[line], m.within[i]
        if lacking & bit:
            potential = 1 << m.k - m.lacks[lacking]
            mate_bit = lacking & bit_in(m, line, mate)
            if mate_bit:
                covered[line] = 0
                _weigh(m, line, lacking - bit - mate_bit, -potential)
            else:  # what lacks a cell less weighs twice as much
                covered[line] = lacking - bit
                _weigh(m, line, lacking - bit, potential)
                if m.lacks[lacking - bit] == 1:
                    bad = 1
    m.burden[cell] = 0
    return bad


@kernel
def _weigh(m: CoverMemory, line: int, lacking: int, more: int) -> None:
    """Let the cells of *line* that are *lacking*, and their couples, bear so much *more* of it."""
    k, burden, shared, places, twos = m.k, m.burden, m.shared, m.places, m.twos
    cells, couples = line * k, line * (k * (k - 1) >> 1)
    for i in range(m.places_from[lacking], m.places_from[lacking + 1]):
        burden[m.cells[cells + places[i]]] += more
    for i in range(m.twos_from[lacking], m.twos_from[lacking + 1]):
        shared[m.couple_of[couples + twos[i]]] += more


@kernel
def holds_again(m: LinesMemory, proof: int, cell: int) -> int:
    """Whether the reply and pairs at *proof* in PROOFS refute *cell* too, as a move of Maker, who is to move.

    They are tried from scratch: a pair that has lost a cell is left out.
    """
    proofs, mate, size = m.proofs, m.mate, m.size
    reply, count = proofs[proof], proofs[proof + 1]
    if reply == cell:
        return 0
    for i in range(size):
        mate[i] = 0
        m.burden[i] = 0
    for i in range(proof + 2, proof + 2 + count, 2):
        one, two = proofs[i], proofs[i + 1]
        if one != reply and one != cell and two != reply and two != cell:
            mate[one] = two + 1
            mate[two] = one + 1
    total = 0
    for line in range(m.line_count):
        left = left_of(m, line, reply, cell) if m.lacking[line] else 0
        if left < 0:
            return 0
        if left:
            potential = 1 << m.k - m.lacks[left]
            total += potential
            if total >= m.target:
                return 0
            base = line * m.k
            while left:
                if left & 1:
                    m.burden[m.cells[base]] += potential
                left >>= 1
                base += 1
    greatest = 0
    for i in range(size):
        greatest = max(greatest, m.burden[i])
    return 1 if total + greatest < m.target else 0


@kernel
def left_of(m: LinesMemory, line: int, reply: int, cell: int) -> int:
    """What *line*, which is not stopped, lacks when Breaker has *reply* and Maker *cell* and what has a mate.

    0 where it is stopped then, -1 where a single cell is left or none.
    """
    lacking, mate, cells = m.lacking[line], m.mate, line * m.k
    if lacking & bit_in(m, line, reply):
        return 0
    left = lacking - (lacking & bit_in(m, line, cell))
    for i in range(m.k):
        if left >> i & 1:
            here = m.cells[cells + i]
            other = mate[here] - 1
            if other >= 0:
                if other > here and lacking & bit_in(m, line, other):
                    return 0
                left -= 1 << i
    return -1 if m.lacks[left] <= 1 else left
