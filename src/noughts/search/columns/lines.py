"""Lines as bits: which cells complete one, whether there is one, and what following in columns proves.

Bits shifted beyond the board fall off or are cleared by its mask.
"""

from noughts.search.columns import layout as at
from noughts.search.compiled import Ints, kernel


@kernel
def find_completing(m: Ints, own: int, taken: int) -> int:
    """The empty cells that make a line with the marks *own*."""
    step, k = m[at.STEP], m[at.K]
    if k == 4:
        found = own << 1 & own << 2 & own << 3
        found |= _completing_four(own, step - 1) | _completing_four(own, step)
        found |= _completing_four(own, step + 1)
    else:
        found = _completing(own, 1, k) | _completing(own, step - 1, k)
        found |= _completing(own, step, k) | _completing(own, step + 1, k)
    return found & m[at.BOARD] & ~taken


@kernel
def _completing_four(own: int, by: int) -> int:
    """The cells that make four with *own* in steps of *by*."""
    above, below = own << by & own << 2 * by, own >> by & own >> 2 * by
    return above & (own << 3 * by | own >> by) | below & (own << by | own >> 3 * by)


@kernel
def _completing(own: int, by: int, k: int) -> int:
    """The same for *k*."""
    found = 0
    for lacking in range(k):
        cells = -1
        for i in range(k):
            if i < lacking:
                cells &= own << (lacking - i) * by
            elif i > lacking:
                cells &= own >> (i - lacking) * by
        found |= cells
    return found


@kernel
def has_line(m: Ints, own: int) -> int:
    """Whether the marks *own* have a line."""
    step, k = m[at.STEP], m[at.K]
    return _run_of(own, 1, k) | _run_of(own, step - 1, k) | _run_of(own, step, k) | _run_of(own, step + 1, k)


@kernel
def _run_of(own: int, by: int, k: int) -> int:
    """Whether *own* has *k* cells in steps of *by*."""
    cells = own
    for _ in range(k - 1):
        cells &= cells >> by
    return cells != 0


@kernel
def count_bits(mask: int) -> int:
    """How many bits are set."""
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


@kernel
def follow(m: Ints, own: int, taken: int, threats: int) -> int:
    """The most that the position can be worth to the side to move, 0 or -1, where following proves it.

    The other side may answer in the same column; the columns with an odd number of empty cells are paired,
    and the lowest cell of one is answered by that of its mate. If their number is even there is always an
    answer, and the side to move gets no other cells than those at an odd distance from the top, and lowest
    cells of odd columns. If these make no line it does not win.

    If the other side has a cell in *threats* with an odd number of empty cells below it, and the other odd
    columns are even in number, it follows everywhere else, and in that column below the cell, until it takes
    the cell. If the cells left to the side to move make no line it loses.

    RUNNING where neither proves anything.
    """
    good, empty = m[at.GOOD], m[at.BOARD] & ~taken
    lowest = (taken + m[at.BOTTOM]) & m[at.BOARD]
    odd = lowest & ~good
    many = count_bits(odd)
    rest = empty & good | odd
    if threats & ~lowest:
        for column in range(m[at.WIDTH]):
            cells = m[at.ALL + column]
            threat = threats & ~lowest & cells
            while threat:
                cell = threat & -threat
                threat ^= cell
                begins_good = (lowest & cells & good) != 0
                if begins_good != ((cell & good) != 0):  # an odd number of empty cells below it
                    if (many - ((odd & cells) != 0)) & 1 == 0:
                        below = empty & cells & (cell - 1) & (good if begins_good else ~good)
                        if not has_line(m, own | below | rest & ~cells):
                            return -1
                    break  # a higher one leaves more cells to the side to move
    if many & 1 == 0 and not has_line(m, own | rest):
        return 0
    return at.RUNNING
