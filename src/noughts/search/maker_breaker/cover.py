"""Covers: pairs of cells, one of which Breaker takes when Maker takes the other, and potentials.

A line through both cells of a pair is stopped. In all other lines the paired cells are given to Maker. The
rest is stopped if the sum of its potentials and the greatest load of a cell stay below 1 (Erdos and Selfridge
1973). Breaker answers in the pair, or takes the cell of the greatest load.
"""

from noughts.search.maker_breaker.lines import bit_in
from noughts.search.maker_breaker.memory import CoverMemory, LinesMemory
from noughts.search.numba_backend import kernel

WELL = 60
"""The percentage of the target below which the sum must fall for pairs that should last several moves."""


@kernel
def cover(m: LinesMemory) -> int:
    """Return 1 if pairs are found by which Breaker holds.

    Maker must be to move, and no line may lack a single cell. *pairs* are those with the lowest sum, *score*.
    """
    _begin(m)
    return pair_up(m, m.potential, m.target)


@kernel
def cover_well(m: LinesMemory) -> int:
    """Choose a cover with more pairs than needed, which last for other moves too; see :func:`cover`."""
    _begin(m)
    return pair_up(m, m.potential, m.target * WELL // 100)


@kernel
def _begin(m: LinesMemory) -> None:
    """Start with the missing cells of the current lines, and the loads of all cells."""
    line, covered, load, burden = m.lacking, m.covered, m.load, m.burden
    for i in range(m.line_count):
        covered[i] = line[i]
    for i in range(m.size):
        burden[i] = load[i]


@kernel
def pair_up(m: CoverMemory, total: int, enough: int) -> int:
    """Choose pairs of cells until the sum is below *enough*; return 1 if that stops every line.

    *covered* has the cells that each line lacks, *burden* the load of each cell, and *total* the sum of the
    potentials at the start. Each pair lowers the sum as much as possible.
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
    """List the couples of cells that some line lacks, with the potential that they share."""
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
    """Append to *chosen* the pair that lowers the sum most, and return by how much; 0 for none.

    Of equal pairs the first one counts. Couples that no line lacks any more are removed from the list.
    """
    listed, shared, burden, ones, others = m.listed, m.shared, m.burden, m.one, m.other
    couples, best, remaining = m.couple_count, 0, 0
    for i in range(m.met):
        couple = listed[i]
        load, other_load = burden[ones[couple]], burden[others[couple]]
        both = min(shared[couple], load, other_load)  # It is 0 if a cell of the couple was given to Maker.
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

    Return 1 if one of those then lacks a single cell. The potential shared by couples of *cell* is not
    updated.
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
            else:  # A line that lacks one cell less has twice the potential.
                covered[line] = lacking - bit
                _weigh(m, line, lacking - bit, potential)
                if m.lacks[lacking - bit] == 1:
                    bad = 1
    m.burden[cell] = 0
    return bad


@kernel
def _weigh(m: CoverMemory, line: int, lacking: int, more: int) -> None:
    """Add *more* to the load of the *lacking* cells of *line*, and to the couples of these cells."""
    k, burden, shared, places, twos = m.k, m.burden, m.shared, m.places, m.twos
    cells, couples = line * k, line * (k * (k - 1) >> 1)
    for i in range(m.places_from[lacking], m.places_from[lacking + 1]):
        burden[m.cells[cells + places[i]]] += more
    for i in range(m.twos_from[lacking], m.twos_from[lacking + 1]):
        shared[m.couple_of[couples + twos[i]]] += more


@kernel
def holds_again(m: LinesMemory, proof: int, cell: int) -> int:
    """Return 1 if the reply and pairs at *proof* in *proofs* also refute Maker's move to *cell*.

    Maker must be to move. The pairs are tried from scratch, without a pair that has lost a cell.
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
    """Return the cells that *line* lacks when Breaker has *reply*, and Maker *cell* and all paired cells.

    The line must not be stopped yet. Return 0 if it is stopped then, and -1 if at most one cell is left.
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
