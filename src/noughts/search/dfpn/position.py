"""The position of the memory: marks are put on the board and taken off it, and forced moves are made."""

from noughts.search.dfpn import layout as at
from noughts.search.numba_backend import Ints, kernel


@kernel
def put(m: Ints, cell: int, side: int) -> None:
    """Put a mark of *side* on *cell*."""
    counts, lines, first = m[at.MINE + side - at.ATTACKER], m[at.THROUGH], m[at.FIRST] + cell
    m[m[at.CELL] + cell] = side
    m[at.MARKS] += 1
    m[at.HASH] ^= m[m[at.HASHES] + (side - 1) * m[at.SIZE] + cell]
    for place in range(lines + m[first], lines + m[first + 1]):
        m[counts + m[place]] += 1


@kernel
def lift(m: Ints, cell: int) -> None:
    """Take the mark off *cell*."""
    side = m[m[at.CELL] + cell]
    counts, lines, first = m[at.MINE + side - at.ATTACKER], m[at.THROUGH], m[at.FIRST] + cell
    m[m[at.CELL] + cell] = at.NOTHING
    m[at.MARKS] -= 1
    m[at.HASH] ^= m[m[at.HASHES] + (side - 1) * m[at.SIZE] + cell]
    for place in range(lines + m[first], lines + m[first + 1]):
        m[counts + m[place]] -= 1


@kernel
def load(m: Ints, position: int) -> None:
    """Make what stands from *position* on the position of the board."""
    m[at.MARKS] = 0
    m[at.MADE] = 0
    m[at.HASH] = 0
    for line in range(m[at.LINES]):
        m[m[at.MINE] + line] = 0
        m[m[at.THEIRS] + line] = 0
    for cell in range(m[at.SIZE]):
        side = m[position + cell]
        m[m[at.CELL] + cell] = at.NOTHING
        if side:
            put(m, cell, side)


@kernel
def find_empty(m: Ints, line: int, but: int) -> int:
    """The first empty cell of *line*, which has one, that is not *but*."""
    place, board = m[at.CELLS] + line * m[at.K], m[at.CELL]
    while m[place] == but or m[board + m[place]] != at.NOTHING:
        place += 1
    return m[place]


@kernel
def find_threat(m: Ints, cell: int, side: int, but: int) -> int:
    """A cell other than *but* that is all that a line of *side* through *cell* lacks; -1 for none."""
    own, others, lacks_one = m[at.MINE + side - at.ATTACKER], m[at.THEIRS - side + at.ATTACKER], m[at.K] - 1
    lines, first = m[at.THROUGH], m[at.FIRST] + cell
    for place in range(lines + m[first], lines + m[first + 1]):
        line = m[place]
        if m[own + line] == lacks_one and m[others + line] == 0:
            found = find_empty(m, line, -1)
            if found != but:
                return found
    return -1


@kernel
def play(m: Ints, cell: int, side: int) -> int:
    """Let *side* take *cell*, which completes no line, and make the moves that are forced then.

    WON or REFUTED where the attacker or the defender makes two threats; else RUNNING, and MOVER is to move.
    """
    while True:
        take(m, cell, side)
        m[at.MOVER] = at.ATTACKER + at.DEFENDER - side
        threat = find_threat(m, cell, side, -1)
        if threat < 0:
            return at.RUNNING
        if find_threat(m, cell, side, threat) >= 0:
            return at.WON if side == at.ATTACKER else at.REFUTED
        cell = threat
        side = m[at.MOVER]


@kernel
def take(m: Ints, cell: int, side: int) -> None:
    """Let *side* take *cell*, until it is taken back."""
    put(m, cell, side)
    m[m[at.PLAYED] + m[at.MADE]] = cell
    m[at.MADE] += 1


@kernel
def take_back(m: Ints, made: int) -> None:
    """Take off the board what was played after the first *made* cells since the position was loaded."""
    while m[at.MADE] > made:
        m[at.MADE] -= 1
        lift(m, m[m[at.PLAYED] + m[at.MADE]])


@kernel
def weigh(m: Ints) -> None:
    """Work out the potentials of all lines, and which cells are of use."""
    size, k = m[at.SIZE], m[at.K]
    own, theirs, useful = m[at.OWN_LOAD], m[at.THEIR_LOAD], m[at.USEFUL]
    for cell in range(size):
        m[own + cell] = 0
        m[theirs + cell] = 0
        m[useful + cell] = 0
    total = 0
    for line in range(m[at.LINES]):
        attacks, defends = m[m[at.MINE] + line], m[m[at.THEIRS] + line]
        first = m[at.CELLS] + line * k
        if defends == 0:
            weight = 1 << attacks
            total += weight
            for place in range(first, first + k):
                cell = m[place]
                m[own + cell] += weight
                m[useful + cell] |= at.ATTACKER
        if attacks == 0:
            weight = 1 << defends
            for place in range(first, first + k):
                cell = m[place]
                m[theirs + cell] += weight
                m[useful + cell] |= at.DEFENDER
    m[at.SUM] = total


@kernel
def settle(m: Ints) -> int:
    """Make the moves that the lines as they stand force MOVER to make; BEST is the first of them.

    WON or REFUTED where they end the game; else RUNNING, and no line lacks a single cell.
    """
    for side in (m[at.MOVER], at.ATTACKER + at.DEFENDER - m[at.MOVER]):
        own, others = m[at.MINE], m[at.THEIRS]
        if side == at.DEFENDER:
            own, others = others, own
        first = -1
        for line in range(m[at.LINES]):
            if m[own + line] == m[at.K] - 1 and m[others + line] == 0:
                cell = find_empty(m, line, -1)
                if side == m[at.MOVER] or (first >= 0 and first != cell):
                    m[at.BEST] = cell
                    return at.WON if side == at.ATTACKER else at.REFUTED
                first = cell
        if first >= 0:
            m[at.BEST] = first
            return play(m, first, m[at.MOVER])
    return at.RUNNING
