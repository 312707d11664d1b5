"""Lines as bit masks: cells that complete a line, complete lines, and proofs by following in columns."""

from noughts.search.gravity.memory import RUNNING, GravityMemory
from noughts.search.instructions import count_bits
from noughts.search.numba_backend import inlined


@inlined
def find_lowest(m: GravityMemory, taken: int) -> int:
    """Return the cells on which a mark may come to rest."""
    return (taken << m.width | m.bottom) & ~taken & m.board


@inlined
def completing_with(m: GravityMemory, before: int, own: int, taken: int, move: int) -> int:
    """Return the empty cells that complete a line of *own*, given those that did so *before* the *move*.

    *own* includes the move.
    """
    cell = count_bits(move - 1)
    for line in range(m.first[cell], m.first[cell + 1]):
        lacking = m.through[line] & ~own
        if lacking & (lacking - 1) == 0:
            before |= lacking
    return before & ~taken


@inlined
def find_completing(m: GravityMemory, own: int, taken: int) -> int:
    """Return the empty cells that complete a line of *own*."""
    result, marks = 0, own
    while marks:
        move = marks & -marks
        marks ^= move
        result = completing_with(m, result, own, taken, move)
    return result


@inlined
def has_line(m: GravityMemory, own: int) -> bool:
    """Return True if the marks *own* contain a line."""
    directions, k = m.directions, m.k
    for place in range(0, 2 * m.direction_count, 2):
        step, run, length = directions[place], own, 1
        while 2 * length <= k:
            run &= run >> length * step
            length *= 2
        if run & run >> (k - length) * step & directions[place + 1]:
            return True
    return False


@inlined
def follow(m: GravityMemory, own: int, taken: int, threats: int) -> int:
    """Return an upper bound of the value for the side to move, 0 or -1, if following in columns proves it.

    Return RUNNING if nothing is proved.

    The other side answers in the same column. The columns with an odd number of empty cells are paired, and a
    move on the lowest cell of one is answered on that of the other. If their number is even, there is always
    an answer. The side to move then gets no cells except those at an odd distance from the top and the lowest
    cells of odd columns, and none above a cell in *threats* that the other side gets. If these make no line,
    it does not win. It loses if the cells of the other side make one.

    If the number of odd columns is odd, the other side may have a cell in *threats* in an odd column, with an
    odd number of empty cells below it. It then follows everywhere else, and in that column below the cell,
    until it takes the cell. If the cells left to the side to move make no line, it loses.
    """
    good, width = m.good, m.width
    empty, lowest = m.board & ~taken, find_lowest(m, taken)
    odd = lowest & ~good
    rest = empty & good | odd
    sure = threats & ~(good | lowest)
    if sure:
        for _ in range(m.height - 2):
            sure |= sure << width
        rest &= ~sure
    if count_bits(odd) & 1 == 0:
        if has_line(m, own | rest):
            return RUNNING
        return -1 if has_line(m, own ^ taken | empty & ~(good | lowest)) else 0
    hopes = threats & good & ~lowest
    if hopes:
        for column in range(width):
            cells = m.columns[column]
            cell = hopes & cells
            if cell and odd & cells:
                cell &= -cell  # A higher cell leaves more cells to the side to move.
                below = empty & cells & (cell - 1) & ~good
                if not has_line(m, own | below | rest & ~cells):
                    return -1
    return RUNNING
