"""Chance for kernels: the same numbers whether they run compiled or not.

A linear congruential generator of 63 bits, Knuth's multiplier of MMIX; what it takes is the upper half. Each
game has a state of its own, so that its numbers do not depend on the other games.
"""

from noughts.search.compiled import inlined

FACTOR = 6364136223846793005
TERM = 1442695040888963407
LOWER = (1 << 63) - 1
"""The bits of a state: products that are greater lose the same bits wherever they are worked out."""


@inlined
def advance(state: int) -> int:
    """The state after *state*."""
    return (state * FACTOR + TERM) & LOWER


@inlined
def pick(state: int, count: int) -> int:
    """A number below *count*, which is less than 2**31."""
    return (state >> 31) * count >> 32


@inlined
def without(order: int, shift: int, last: int) -> int:
    """*order*, four bits for each of some choices, without that at *shift*: number *last* takes its place."""
    return order ^ ((order >> shift ^ order >> 4 * last) & 15) << shift
