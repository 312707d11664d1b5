"""What moves of Maker and Breaker do to the lines, and how it is taken back."""

from noughts.search.maker_breaker import layout as at
from noughts.search.numba_backend import Ints, kernel


@kernel
def _count(m: Ints, line: int, lacking: int, sign: int) -> None:
    """Count *line*, which lacks *lacking*, once more (*sign* 1) or no longer (-1)."""
    k = m[at.K]
    count = m[m[at.LACKS] + lacking]
    potential = sign << k - count
    place = (line << k) + lacking
    m[at.SUM] += potential
    m[at.KEY] += sign * m[m[at.HASHES] + place]
    m[at.CHECK] += sign * m[m[at.CHECKS] + place]
    if count == 1:
        m[at.READY] += sign
    elif count == 2:
        m[at.NEAR] += sign
    cells, load = m[at.CELLS] + line * k, m[at.LOAD]
    while lacking:
        if lacking & 1:
            m[load + m[cells]] += potential
        lacking >>= 1
        cells += 1


@kernel
def _set(m: Ints, line: int, lacking: int) -> None:
    """Let *line* lack *lacking*, 0 where Breaker has stopped it, so that it can be taken back."""
    place, changes = m[at.LINE] + line, m[at.CHANGES]
    m[m[at.CHANGED] + changes] = line
    m[m[at.BEFORE] + changes] = m[place]
    m[at.CHANGES] = changes + 1
    _count(m, line, m[place], -1)
    if lacking:
        _count(m, line, lacking, 1)
    m[place] = lacking


@kernel
def move(m: Ints, side: int, cell: int) -> None:
    """Let *side* take *cell*, which no line that Maker lacks only this cell of goes through."""
    for i in range(m[m[at.FIRST] + cell], m[m[at.FIRST] + cell + 1]):
        line = m[m[at.THROUGH] + i]
        lacking = m[m[at.LINE] + line]
        bit = m[m[at.WITHIN] + i]
        if lacking & bit:
            _set(m, line, lacking - bit if side == at.MAKER else 0)


@kernel
def concede(m: Ints, pairs: int, count: int) -> None:
    """Let Breaker stop the lines through both cells of each pair at *pairs*, and Maker have the cells.

    That is worse for Breaker than to answer one cell of each pair by the other: what holds so holds.
    """
    for i in range(0, count, 2):
        one, two = m[pairs + i], m[pairs + i + 1]
        for j in range(m[m[at.FIRST] + one], m[m[at.FIRST] + one + 1]):
            line = m[m[at.THROUGH] + j]
            lacking = m[m[at.LINE] + line]
            if lacking & m[m[at.WITHIN] + j] and lacking & bit_in(m, line, two):
                _set(m, line, 0)
        move(m, at.MAKER, one)
        move(m, at.MAKER, two)


@kernel
def bit_in(m: Ints, line: int, cell: int) -> int:
    """The bit of *cell* in *line*, 0 where the line does not go through it, or the cell is -1."""
    return m[m[at.BITS] + (cell + 1) * m[at.LINES] + line]


@kernel
def take_back(m: Ints, changes: int) -> None:
    """Undo all but the first *changes* changes."""
    while m[at.CHANGES] > changes:
        m[at.CHANGES] -= 1
        line = m[m[at.CHANGED] + m[at.CHANGES]]
        place = m[at.LINE] + line
        if m[place]:
            _count(m, line, m[place], -1)
        m[place] = m[m[at.BEFORE] + m[at.CHANGES]]
        _count(m, line, m[place], 1)


@kernel
def greatest_load(m: Ints) -> int:
    """The greatest load of a cell."""
    greatest = 0
    for i in range(m[at.LOAD], m[at.LOAD] + m[at.SIZE]):
        greatest = max(greatest, m[i])
    return greatest


@kernel
def has_fork(m: Ints) -> int:
    """Whether two lines lack the same cell and one more each: Maker takes it, and fills one of them."""
    if m[at.NEAR] < 2:
        return 0
    mate, k = m[at.MATE], m[at.K]
    for i in range(mate, mate + m[at.SIZE]):
        m[i] = 0
    for line in range(m[at.LINES]):
        lacking = m[m[at.LINE] + line]
        if m[m[at.LACKS] + lacking] == 2:
            one, two = -1, -1
            for i in range(k):
                if lacking >> i & 1:
                    one, two = two, m[m[at.CELLS] + line * k + i]
            if m[mate + one] not in (0, two + 1) or m[mate + two] not in (0, one + 1):
                return 1
            m[mate + one] = two + 1
            m[mate + two] = one + 1
    return 0


@kernel
def find_ready(m: Ints, other: int) -> int:
    """A cell, not *other*, that some line lacks and no more; -1 for none."""
    for line in range(m[at.LINES]):
        lacking = m[m[at.LINE] + line]
        if lacking and m[m[at.LACKS] + lacking] == 1:
            base = m[at.CELLS] + line * m[at.K]
            while lacking > 1:
                lacking >>= 1
                base += 1
            if m[base] != other:
                return m[base]
    return -1
