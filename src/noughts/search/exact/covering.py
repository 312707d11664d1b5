"""A test whether pairs of cells stop all lines of one side in a position of the exact search.

``maker_breaker.cover`` chooses the pairs, in a memory ``b`` of its own. If they suffice, the attacker cannot
win, whatever lines the other side has. On 8x4:4 this leaves a fifth of the nodes.
"""

from noughts.search.exact.memory import ExactMemory
from noughts.search.maker_breaker.cover import pair_up
from noughts.search.maker_breaker.memory import CoverMemory
from noughts.search.numba_backend import kernel

MIN_CELLS = 8
"""The minimum number of empty cells for which the test saves time."""

MAX_POTENTIAL = 2
"""The multiple of the target sum of potentials above which pairs have never sufficed."""


@kernel
def is_covered(m: ExactMemory, b: CoverMemory, total: int) -> bool:
    """Return True if pairs are found that stop all lines of the attacker.

    *total* is the sum of their potentials. The attacker is to move, and none of its lines lacks a single
    cell.
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
