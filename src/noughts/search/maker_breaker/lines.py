"""The effect of moves of Maker and Breaker on the lines, and its undoing."""

from noughts.search.maker_breaker.memory import MAKER, CoverMemory, LinesMemory
from noughts.search.numba_backend import kernel


@kernel
def _count(m: LinesMemory, line: int, lacking: int, sign: int) -> None:
    """Add *line*, which lacks *lacking*, to the counts (*sign* 1) or remove it (-1)."""
    k = m.k
    count = m.lacks[lacking]
    potential = sign << k - count
    place = (line << k) + lacking
    m.potential += potential
    m.key += sign * m.hashes[place]
    m.check += sign * m.checks[place]
    if count == 1:
        m.ready += sign
    elif count == 2:
        m.near += sign
    cells, load = line * k, m.load
    while lacking:
        if lacking & 1:
            load[m.cells[cells]] += potential
        lacking >>= 1
        cells += 1


@kernel
def _set(m: LinesMemory, line: int, lacking: int) -> None:
    """Set the *lacking* cells of *line*, 0 if Breaker has stopped it, and record the change."""
    changes = m.changes
    m.changed[changes] = line
    m.before[changes] = m.lacking[line]
    m.changes = changes + 1
    _count(m, line, m.lacking[line], -1)
    if lacking:
        _count(m, line, lacking, 1)
    m.lacking[line] = lacking


@kernel
def move(m: LinesMemory, side: int, cell: int) -> None:
    """Let *side* take *cell*, unless it would complete a line of Maker."""
    for i in range(m.first[cell], m.first[cell + 1]):
        line = m.through[i]
        lacking = m.lacking[line]
        bit = m.within[i]
        if lacking & bit:
            _set(m, line, lacking - bit if side == MAKER else 0)


@kernel
def concede(m: LinesMemory) -> None:
    """Let Breaker stop the lines through both cells of each of *pairs*, and give Maker the cells.

    That is worse for Breaker than answering one cell of each pair with the other. So if Breaker holds then,
    it holds now.
    """
    for i in range(0, m.paired, 2):
        one, two = m.pairs[i], m.pairs[i + 1]
        for j in range(m.first[one], m.first[one + 1]):
            line = m.through[j]
            lacking = m.lacking[line]
            if lacking & m.within[j] and lacking & bit_in(m, line, two):
                _set(m, line, 0)
        move(m, MAKER, one)
        move(m, MAKER, two)


@kernel
def bit_in(m: CoverMemory, line: int, cell: int) -> int:
    """Return the bit of *cell* in *line*, 0 if the line does not go through it or the cell is -1."""
    return m.bits[(cell + 1) * m.line_count + line]


@kernel
def take_back(m: LinesMemory, changes: int) -> None:
    """Undo all changes after the first *changes* ones."""
    while m.changes > changes:
        m.changes -= 1
        line = m.changed[m.changes]
        if m.lacking[line]:
            _count(m, line, m.lacking[line], -1)
        m.lacking[line] = m.before[m.changes]
        _count(m, line, m.lacking[line], 1)


@kernel
def greatest_load(m: LinesMemory) -> int:
    """Return the greatest load of a cell."""
    greatest = 0
    for i in range(m.size):
        greatest = max(greatest, m.load[i])
    return greatest


@kernel
def has_fork(m: LinesMemory) -> int:
    """Return 1 if two lines lack the same cell and one more each.

    Maker takes the shared cell and then fills one of them.
    """
    if m.near < 2:
        return 0
    mate, k = m.mate, m.k
    for i in range(m.size):
        mate[i] = 0
    for line in range(m.line_count):
        lacking = m.lacking[line]
        if m.lacks[lacking] == 2:
            one, two = -1, -1
            for i in range(k):
                if lacking >> i & 1:
                    one, two = two, m.cells[line * k + i]
            if mate[one] not in (0, two + 1) or mate[two] not in (0, one + 1):
                return 1
            mate[one] = two + 1
            mate[two] = one + 1
    return 0


@kernel
def find_ready(m: LinesMemory, other: int) -> int:
    """Return a cell other than *other* that is the only one a line lacks; -1 for none."""
    for line in range(m.line_count):
        lacking = m.lacking[line]
        if lacking and m.lacks[lacking] == 1:
            base = line * m.k
            while lacking > 1:
                lacking >>= 1
                base += 1
            if m.cells[base] != other:
                return m.cells[base]
    return -1
