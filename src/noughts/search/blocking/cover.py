"""Pairs of cells, one of which Breaker takes when Maker takes the other, and potentials for the rest.

A line through both cells of a pair is stopped. In all other lines Maker is given the paired cells, and what
is left is stopped if the sum of its potentials and the greatest load of a cell stay below 1 (Erdos and
Selfridge 1973): Breaker answers in the pair, or takes the cell of the greatest load.
"""

from noughts.search.blocking import layout as at
from noughts.search.blocking.lines import bit_in
from noughts.search.compiled import Ints, kernel

WELL = 60
"""Per cent of what the sum has to stay below: so low pairs bring it that have to last for several moves."""


@kernel
def cover(m: Ints) -> int:
    """Whether pairs are found by which Breaker holds, where Maker is to move and no line lacks a single cell.

    PAIRS are those that brought the sum lowest, SCORE is how low.
    """
    return pair_up(m, _begin(m), m[at.SUM], m[at.TARGET])


@kernel
def cover_well(m: Ints) -> int:
    """The same, with more pairs than it takes, which last for other moves too."""
    return pair_up(m, _begin(m), m[at.SUM], m[at.TARGET] * WELL // 100)


@kernel
def pair_up(m: Ints, count: int, total: int, enough: int) -> int:
    """The same of the first *count* lines that are LISTED, with COVERED and what they bear, and their sum.

    No more pairs are chosen once the sum is below *enough*.
    """
    found = _pair_up(m, total, enough)
    for i in range(m[at.LISTED], m[at.LISTED] + count):
        _bear(m, m[i], m[m[at.COVERED] + m[i]], -1)  # so that nothing is shared when others are listed
    return found


@kernel
def _pair_up(m: Ints, total: int, enough: int) -> int:
    """The same. Pairs are chosen one by one, each so that the sum is lowered most."""
    chosen, bad = 0, 0
    m[at.SCORE] = total + m[at.TARGET] * m[at.LINES]
    while not bad:
        greatest = 0
        loads = m[m[at.BURDEN] : m[at.BURDEN] + m[at.SIZE]]
        for i in range(m[at.SIZE]):
            greatest = max(greatest, loads[i])
        if total + greatest < m[at.SCORE]:
            m[at.SCORE] = total + greatest
            m[at.PAIRED] = chosen
            for i in range(chosen):
                m[m[at.PAIRS] + i] = m[m[at.CHOSEN] + i]
        gain = 0 if m[at.SCORE] < enough else _choose(m, chosen)
        if gain == 0:
            break
        total -= gain
        one, two = m[m[at.CHOSEN] + chosen], m[m[at.CHOSEN] + chosen + 1]
        bad = _give(m, one, two) | _give(m, two, one)
        chosen += 2
    return 1 if m[at.SCORE] < m[at.TARGET] else 0


@kernel
def _begin(m: Ints) -> int:
    """Start from the lines as they are; how many are not stopped."""
    clear(m)
    count = 0
    for line in range(m[at.LINES]):
        count = list_line(m, count, line, m[m[at.LINE] + line])
    return count


@kernel
def clear(m: Ints) -> None:
    """Forget what loaded cells."""
    for i in range(m[at.BURDEN], m[at.BURDEN] + m[at.SIZE]):
        m[i] = 0


@kernel
def list_line(m: Ints, count: int, line: int, lacking: int) -> int:
    """Append *line*, which lacks *lacking*, to the *count* listed, unless it is stopped; how many now."""
    m[m[at.COVERED] + line] = lacking
    if lacking == 0:
        return count
    m[m[at.LISTED] + count] = line
    _bear(m, line, lacking, 1)
    return count + 1


@kernel
def _bear(m: Ints, line: int, lacking: int, sign: int) -> None:
    """Count the potential of *line*, which lacks *lacking*, in its cells and in all pairs of them."""
    size, burden, shared = m[at.SIZE], m[at.BURDEN], m[at.SHARED]
    base = m[at.CELLS] + line * m[at.K]
    potential = sign << m[at.K] - m[m[at.LACKS] + lacking]
    while lacking:
        if lacking & 1:
            m[burden + m[base]] += potential
            row = shared + m[base] * size
            rest, other = lacking >> 1, base + 1
            while rest:
                if rest & 1:
                    m[row + m[other]] += potential
                rest >>= 1
                other += 1
        lacking >>= 1
        base += 1


@kernel
def _choose(m: Ints, chosen: int) -> int:
    """Append to CHOSEN the pair that lowers the sum most; by how much, 0 for none."""
    size = m[at.SIZE]
    loads = m[m[at.BURDEN] : m[at.BURDEN] + size]
    best, one, two = 0, 0, 0
    for cell in range(size):
        load = loads[cell]
        if load > best:  # which is the most that a pair of it can gain
            row = m[m[at.SHARED] + cell * size : m[at.SHARED] + (cell + 1) * size]
            gain = 0
            for other in range(size):
                gain = max(gain, 3 * row[other] - loads[other])
            if gain - load > best:
                best, one = gain - load, cell
    if best:
        row = m[m[at.SHARED] + one * size : m[at.SHARED] + (one + 1) * size]
        while 3 * row[two] - loads[two] - loads[one] < best:
            two += 1
    m[m[at.CHOSEN] + chosen] = one
    m[m[at.CHOSEN] + chosen + 1] = two
    return best


@kernel
def _give(m: Ints, cell: int, mate: int) -> int:
    """Stop the lines through *cell* and its *mate*, and give Maker *cell* in the others.

    Whether one of those lacks a single cell then.
    """
    bad = 0
    for i in range(m[m[at.FIRST] + cell], m[m[at.FIRST] + cell + 1]):
        line = m[m[at.THROUGH] + i]
        lacking, bit = m[m[at.COVERED] + line], m[m[at.WITHIN] + i]
        if lacking & bit:
            _bear(m, line, lacking, -1)
            left = 0 if lacking & bit_in(m, line, mate) else lacking - bit
            m[m[at.COVERED] + line] = left
            if left:
                _bear(m, line, left, 1)
                if m[m[at.LACKS] + left] == 1:
                    bad = 1
    return bad


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
    lacking, left, mate = m[m[at.LINE] + line], 0, m[at.MATE]
    base = m[at.CELLS] + line * m[at.K]
    for i in range(m[at.K]):
        if lacking >> i & 1:
            here = m[base + i]
            other = m[mate + here] - 1
            if here == reply or (other > here and lacking & bit_in(m, line, other)):
                return 0
            if here != cell and other < 0:
                left |= 1 << i
    return -1 if m[m[at.LACKS] + left] <= 1 else left
