"""Marks placed on a position and lifted, and what completes a line: functions that may be compiled."""

from noughts.search.exact import layout as at
from noughts.search.numba_backend import Ints, inlined, kernel


@kernel
def place(m: Ints, cell: int, mark: int) -> int:
    """Put *mark* on the empty *cell*; 1 if that completes a line."""
    m[m[at.BOARD] + cell] = mark + 1
    return _count(m, cell, mark, 1)


@kernel
def lift(m: Ints, cell: int) -> None:
    """Take the mark on *cell* away: undo :func:`place`."""
    _count(m, cell, m[m[at.BOARD] + cell] - 1, -1)
    m[m[at.BOARD] + cell] = 0


@inlined
def _count(m: Ints, cell: int, mark: int, by: int) -> int:
    """Count *mark* on *cell* in all lines (*by* = 1), or no longer (*by* = -1); 1 if it completes one now."""
    k, first, through, counts, rest = m[at.K], m[at.FIRST], m[at.THROUGH], m[at.COUNTS], m[at.REST]
    other = 1 - mark
    done = 0
    m[m[at.STONES] + mark * m[at.WORDS] + m[m[at.WORD_OF] + cell]] ^= m[m[at.BIT] + cell]
    m[at.PLACED] += by
    for i in range(through + m[first + cell], through + m[first + cell + 1]):
        line = m[i]
        m[rest + line] -= by * cell
        before = m[counts + 2 * line + mark]
        m[counts + 2 * line + mark] = before + by
        mine = before + 1 if by > 0 else before
        theirs = m[counts + 2 * line + other]
        if theirs == 0:
            if mine == k - 1:
                m[at.READY + mark] += by
            elif mine == k:
                if k > 1:
                    m[at.READY + mark] -= by
                if by > 0 and are_ends_free(m, line, mark):
                    done = 1
        elif theirs == k - 1:
            m[at.READY + other] -= by
    return done


@inlined
def are_ends_free(m: Ints, line: int, mark: int) -> bool:
    """Whether no end cell of *line* bears *mark*."""
    one = m[m[at.ENDS] + 2 * line]
    two = m[m[at.ENDS] + 2 * line + 1]
    return (one < 0 or m[m[at.BOARD] + one] != mark + 1) and (two < 0 or m[m[at.BOARD] + two] != mark + 1)


@inlined
def is_open(m: Ints, cell: int) -> bool:
    """Whether a mark may go on *cell*."""
    below = m[m[at.BELOW] + cell]
    return m[m[at.BOARD] + cell] == 0 and (below < 0 or m[m[at.BOARD] + below] != 0)


@kernel
def find_completing(m: Ints, mark: int, but: int) -> int:
    """An open cell other than *but* where *mark* completes a line, or -1."""
    if m[at.READY + mark] == 0:
        return -1
    k, counts, rest = m[at.K], m[at.COUNTS], m[at.REST]
    for line in range(m[at.LINES]):
        if m[counts + 2 * line + mark] == k - 1 and m[counts + 2 * line + 1 - mark] == 0:
            cell = m[rest + line]
            if cell != but and (m[at.FALLS] == 0 or is_open(m, cell)) and are_ends_free(m, line, mark):
                return cell
    return -1


@inlined
def would_complete(m: Ints, cell: int, mark: int) -> bool:
    """Whether *mark* on the empty *cell* would complete a line."""
    k, first, through, counts = m[at.K], m[at.FIRST], m[at.THROUGH], m[at.COUNTS]
    for i in range(through + m[first + cell], through + m[first + cell + 1]):
        line = m[i]
        if (
            m[counts + 2 * line + mark] == k - 1
            and m[counts + 2 * line + 1 - mark] == 0
            and are_ends_free(m, line, mark)
        ):
            return True
    return False
