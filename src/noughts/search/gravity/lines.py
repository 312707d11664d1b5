"""Lines as bits: which cells complete one, whether there is one, and what following in columns proves."""

from noughts.search.gravity.memory import RUNNING, GravityMemory
from noughts.search.instructions import count_bits
from noughts.search.numba_backend import inlined


@inlined
def find_lowest(m: GravityMemory, taken: int) -> int:
    """The cells where a mark may fall."""
    return (taken << m.width | m.bottom) & ~taken & m.board


@inlined
def completing_with(m: GravityMemory, before: int, own: int, taken: int, move: int) -> int:
    """The empty cells that complete a line of *own*, which they did *before* or do with *move* among them."""
    cell = count_bits(move - 1)
    for line in range(m.first[cell], m.first[cell + 1]):
        lacking = m.through[line] & ~own
        if lacking & (lacking - 1) == 0:
            before |= lacking
    return before & ~taken


@inlined
def find_completing(m: GravityMemory, own: int, taken: int) -> int:
    """The empty cells that complete a line of *own*."""
    result, marks = 0, own
    while marks:
        move = marks & -marks
        marks ^= move
        result = completing_with(m, result, own, taken, move)
    return result


@inlined
def has_line(m: GravityMemory, own: int) -> bool:
    """Whether the marks *own* have a line."""
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
    """The most that the position can be worth to the side to move, 0 or -1, where following proves it.

    The other side may answer in the same column; the columns with an odd number of empty cells are paired,
    and the lowest cell of one is answered by that of its mate. If their number is even there is always an
    answer, and the side to move gets no other cells than those at an odd distance from the top, and lowest
    cells of odd columns; none above a cell in *threats* that the other side gets. If these make no line it
    does not win, and it loses if what the other side gets makes one.

    If their number is odd and the other side has a cell in *threats* with an odd number of empty cells below
    it, in an odd column, it follows everywhere else, and in that column below the cell, until it takes the
    cell. If the cells left to the side to move make no line it loses.

    RUNNING where nothing is proved.
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
                cell &= -cell  # a higher one leaves more cells to the side to move
                below = empty & cells & (cell - 1) & ~good
                if not has_line(m, own | below | rest & ~cells):
                    return -1
    return RUNNING
