"""The position in the memory: placing and removing marks, and forced moves."""

from noughts.search.dfpn.memory import ATTACKER, DEFENDER, NOTHING, REFUTED, RUNNING, WON, AttackMemory
from noughts.search.numba_backend import Ints, kernel


@kernel
def put(m: AttackMemory, cell: int, side: int) -> None:
    """Place a mark of *side* on *cell*."""
    counts = m.attacker_marks if side == ATTACKER else m.defender_marks
    m.board[cell] = side
    m.marks += 1
    m.hash ^= m.hashes[(side - 1) * m.size + cell]
    for place in range(m.first[cell], m.first[cell + 1]):
        counts[m.through[place]] += 1


@kernel
def lift(m: AttackMemory, cell: int) -> None:
    """Remove the mark on *cell*."""
    side = m.board[cell]
    counts = m.attacker_marks if side == ATTACKER else m.defender_marks
    m.board[cell] = NOTHING
    m.marks -= 1
    m.hash ^= m.hashes[(side - 1) * m.size + cell]
    for place in range(m.first[cell], m.first[cell + 1]):
        counts[m.through[place]] -= 1


@kernel
def load(m: AttackMemory, cells: Ints, first: int) -> None:
    """Load the position stored in *cells* from index *first* onto the board."""
    m.marks = 0
    m.made = 0
    m.hash = 0
    for line in range(m.line_count):
        m.attacker_marks[line] = 0
        m.defender_marks[line] = 0
    for cell in range(m.size):
        side = cells[first + cell]
        m.board[cell] = NOTHING
        if side:
            put(m, cell, side)


@kernel
def find_empty(m: AttackMemory, line: int, but: int) -> int:
    """Return the first empty cell of *line* other than *but*. There must be one."""
    place = line * m.k
    while m.cells[place] == but or m.board[m.cells[place]] != NOTHING:
        place += 1
    return m.cells[place]


@kernel
def find_threat(m: AttackMemory, cell: int, side: int, but: int) -> int:
    """Return a cell other than *but* that completes a line of *side* through *cell*, or -1."""
    own, others, lacks_one = m.attacker_marks, m.defender_marks, m.k - 1
    if side == DEFENDER:
        own, others = others, own
    for place in range(m.first[cell], m.first[cell + 1]):
        line = m.through[place]
        if own[line] == lacks_one and others[line] == 0:
            empty = find_empty(m, line, -1)
            if empty != but:
                return empty
    return -1


@kernel
def play(m: AttackMemory, cell: int, side: int) -> int:
    """Let *side* take *cell*, which completes no line, and make the forced moves that follow.

    Return WON if the attacker makes two threats, and REFUTED if the defender does. Otherwise return RUNNING,
    with *mover* to move.
    """
    while True:
        take(m, cell, side)
        m.mover = ATTACKER + DEFENDER - side
        threat = find_threat(m, cell, side, -1)
        if threat < 0:
            return RUNNING
        if find_threat(m, cell, side, threat) >= 0:
            return WON if side == ATTACKER else REFUTED
        cell = threat
        side = m.mover


@kernel
def take(m: AttackMemory, cell: int, side: int) -> None:
    """Let *side* take *cell*, and record the move for :func:`take_back`."""
    put(m, cell, side)
    m.played[m.made] = cell
    m.made += 1


@kernel
def take_back(m: AttackMemory, made: int) -> None:
    """Take back all moves after the first *made* ones since the position was loaded."""
    while m.made > made:
        m.made -= 1
        lift(m, m.played[m.made])


@kernel
def weigh(m: AttackMemory) -> None:
    """Compute the potentials of all lines, and which cells are useful."""
    size, k = m.size, m.k
    own, theirs, useful = m.attacker_load, m.defender_load, m.useful
    for cell in range(size):
        own[cell] = 0
        theirs[cell] = 0
        useful[cell] = 0
    total = 0
    for line in range(m.line_count):
        attacks, defends = m.attacker_marks[line], m.defender_marks[line]
        first = line * k
        if defends == 0:
            weight = 1 << attacks
            total += weight
            for place in range(first, first + k):
                cell = m.cells[place]
                own[cell] += weight
                useful[cell] |= ATTACKER
        if attacks == 0:
            weight = 1 << defends
            for place in range(first, first + k):
                cell = m.cells[place]
                theirs[cell] += weight
                useful[cell] |= DEFENDER
    m.potential = total


@kernel
def settle(m: AttackMemory) -> int:
    """Make the moves that the lines force *mover* to make, and set *best* to the first of them.

    Return WON or REFUTED if these moves end the game. Otherwise return RUNNING: then no line lacks a single
    cell.
    """
    for side in (m.mover, ATTACKER + DEFENDER - m.mover):
        own, others = m.attacker_marks, m.defender_marks
        if side == DEFENDER:
            own, others = others, own
        first = -1
        for line in range(m.line_count):
            if own[line] == m.k - 1 and others[line] == 0:
                cell = find_empty(m, line, -1)
                if side == m.mover or (first >= 0 and first != cell):
                    m.best = cell
                    return WON if side == ATTACKER else REFUTED
                first = cell
        if first >= 0:
            m.best = first
            return play(m, first, m.mover)
    return RUNNING
