"""The position of the exact search, as kernels: placing and lifting marks, and completed lines."""

from noughts.search.exact.memory import ExactMemory
from noughts.search.numba_backend import inlined, kernel


@kernel
def place(m: ExactMemory, cell: int, mark: int) -> int:
    """Put *mark* on the empty *cell*; return 1 if that completes a line."""
    m.board[cell] = mark + 1
    return _count(m, cell, mark, 1)


@kernel
def lift(m: ExactMemory, cell: int) -> None:
    """Remove the mark on *cell*, to undo :func:`place`."""
    _count(m, cell, m.board[cell] - 1, -1)
    m.board[cell] = 0


@inlined
def _count(m: ExactMemory, cell: int, mark: int, by: int) -> int:
    """Add *mark* on *cell* to all lines (*by* = 1) or remove it (*by* = -1); return 1 if one is complete."""
    k, counts, rest = m.k, m.counts, m.rest
    other = 1 - mark
    done = 0
    m.stones[mark * m.words + m.word_of[cell]] ^= m.bit[cell]
    m.placed += by
    for i in range(m.first[cell], m.first[cell + 1]):
        line = m.through[i]
        rest[line] -= by * cell
        before = counts[2 * line + mark]
        counts[2 * line + mark] = before + by
        mine = before + 1 if by > 0 else before
        theirs = counts[2 * line + other]
        if theirs == 0:
            if mine == k - 1:
                m.ready[mark] += by
            elif mine == k:
                if k > 1:
                    m.ready[mark] -= by
                if by > 0 and are_ends_free(m, line, mark):
                    done = 1
        elif theirs == k - 1:
            m.ready[other] -= by
    return done


@inlined
def are_ends_free(m: ExactMemory, line: int, mark: int) -> bool:
    """Return True if no end cell of *line* has *mark*."""
    one = m.ends[2 * line]
    two = m.ends[2 * line + 1]
    return (one < 0 or m.board[one] != mark + 1) and (two < 0 or m.board[two] != mark + 1)


@inlined
def is_open(m: ExactMemory, cell: int) -> bool:
    """Return True if a mark may go on *cell*."""
    below = m.below[cell]
    return m.board[cell] == 0 and (below < 0 or m.board[below] != 0)


@kernel
def find_completing(m: ExactMemory, mark: int, but: int) -> int:
    """Return an open cell other than *but* on which *mark* completes a line, or -1."""
    if m.ready[mark] == 0:
        return -1
    k, counts, rest = m.k, m.counts, m.rest
    for line in range(m.line_count):
        if counts[2 * line + mark] == k - 1 and counts[2 * line + 1 - mark] == 0:
            cell = rest[line]
            if cell != but and (m.falls == 0 or is_open(m, cell)) and are_ends_free(m, line, mark):
                return cell
    return -1


@inlined
def would_complete(m: ExactMemory, cell: int, mark: int) -> bool:
    """Return True if *mark* on the empty *cell* would complete a line."""
    k, counts = m.k, m.counts
    for i in range(m.first[cell], m.first[cell + 1]):
        line = m.through[i]
        if (
            counts[2 * line + mark] == k - 1
            and counts[2 * line + 1 - mark] == 0
            and are_ends_free(m, line, mark)
        ):
            return True
    return False
