"""Can pairs of cells stop all lines of one side? What ``maker_breaker`` asks, of a position of this search.

Pairs are chosen by ``maker_breaker.cover``, in a memory ``b`` of their own. Where they
suffice the attacker cannot win, whatever lines the other side has: of 8x4:4 a fifth of the nodes is left.
"""

from noughts.search.exact.memory import ExactMemory
from noughts.search.maker_breaker.cover import pair_up
from noughts.search.maker_breaker.memory import CoverMemory
from noughts.search.numba_backend import kernel

MIN_CELLS = 8
"""With fewer empty cells a position is searched as quickly."""

MAX_POTENTIAL = 2
"""Pairs have never sufficed where the potentials sum up to so many times what they must stay below."""


@kernel
def is_covered(m: ExactMemory, b: CoverMemory, total: int) -> bool:
    """Whether pairs are found that stop all lines of the attacker, whose potentials sum up to *total*.

    He is to move, and none of his lines lacks a single cell.
    """
    if b.size - m.placed < MIN_CELLS or total >= MAX_POTENTIAL << m.k:
        return False
    for cell in range(b.size):
        b.burden[cell] = 0
    k, counts, attacker, total = m.k, m.counts, m.attacker, 0
    for line in range(m.line_count):
        lacking = 0
        if counts[2 * line + 1 - attacker] == 0:
            potential = 1 << counts[2 * line + attacker]
            total += potential
            first = line * k
            for i in range(k):
                if m.board[m.cells[first + i]] == 0:
                    lacking |= 1 << i
                    b.burden[m.cells[first + i]] += potential
        b.covered[line] = lacking
    return pair_up(b, total, b.target) == 1
