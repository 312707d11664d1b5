"""Follow-up play in columns, as kernels: proofs for a side that answers in the same column.

A side that follows answers each move in the same column, so that it gets the second, fourth, ... of the empty
cells there. If the number of columns with an odd number of empty cells is even, any two of them form a pair:
a move on the lowest cell of one is answered on that of the other, and both are followed from then on. So
there always is an answer. The side to move gets no cells except those at an odd distance from the top, and
the lowest cells of odd columns. The argument uses no more of the board than that cells are stacked: lines may
run anywhere, in any number of dimensions, and columns may be of any height.

``gravity/lines.py`` proves the same, and more, on boards of up to 64 cells with bits alone.
"""

from noughts.search.exact.memory import ExactMemory
from noughts.search.numba_backend import inlined, kernel


@kernel
def cannot_win(m: ExactMemory) -> bool:
    """Return True if the side to move gets no line when the other side follows."""
    return _reach(m) & 1 == 0 and not _has_line(m)


@kernel
def loses(m: ExactMemory) -> bool:
    """Return True if the other side wins by following, with the last mark at the latest.

    It must have a cell that completes a line, with an odd number of empty cells below it, and the number of
    other odd columns must be even. It follows everywhere, in that column until it takes the cell. The side to
    move cannot prevent that: when nothing else is left, it has to move there.
    """
    side = m.side
    if m.ready[1 - side] == 0:
        return False
    counts, k, odd = m.counts, m.k, _reach(m)
    for line in range(m.line_count):
        if counts[2 * line + 1 - side] == k - 1 and counts[2 * line + side] == 0:
            cell = m.rest[line]
            column, row = cell % m.width, cell // m.width
            empty = _count_empty(m, column)
            if (empty - 1 - row) & 1 and (odd - (empty & 1)) & 1 == 0:
                _turn_below(m, column, row, empty)
                is_lost = not _has_line(m)
                _turn_below(m, column, row, empty)
                if is_lost:
                    return True
    return False


@inlined
def _reach(m: ExactMemory) -> int:
    """Set *reached* to the cells that the side to move has or may get; return the number of odd columns."""
    words, odd = m.words, 0
    first = m.side * words
    for i in range(words):
        m.reached[i] = m.stones[first + i]
    for column in range(m.width):
        empty = _count_empty(m, column)
        odd += empty & 1
        _turn_reached(m, column, empty)
    return odd


@inlined
def _count_empty(m: ExactMemory, column: int) -> int:
    """Return the number of empty cells of *column*."""
    width, empty = m.width, 0
    while empty * width < m.size and m.board[column + empty * width] == 0:
        empty += 1
    return empty


@inlined
def _turn_reached(m: ExactMemory, column: int, empty: int) -> None:
    """Toggle in *reached* the cells of *column* that the side to move may get. *empty* cells are empty."""
    for row in range(1, empty, 2):
        _turn(m, row * m.width + column)
    if empty & 1:
        _turn(m, (empty - 1) * m.width + column)


@inlined
def _turn_below(m: ExactMemory, column: int, row: int, empty: int) -> None:
    """Toggle the cells of :func:`_turn_reached`, and the cells below *row* that the other side gets."""
    _turn_reached(m, column, empty)
    for below in range(row + 1, empty, 2):
        _turn(m, below * m.width + column)


@inlined
def _turn(m: ExactMemory, cell: int) -> None:
    """Toggle *cell* in *reached*."""
    m.reached[m.word_of[cell]] ^= m.bit[cell]


@inlined
def _has_line(m: ExactMemory) -> bool:
    """Return True if the cells *reached* contain a line."""
    words, masks, reached = m.words, m.masks, m.reached
    other = 1 - m.side
    for line in range(m.line_count):
        if m.counts[2 * line + other] == 0:
            lacking = 0
            for i in range(words):
                lacking |= masks[line * words + i] & ~reached[i]
            if lacking == 0:
                return True
    return False
