"""Chance for kernels: the same numbers whether they run compiled or not.

A linear congruential generator of 63 bits, Knuth's multiplier of MMIX; what it takes is the upper half. Each
game has a state of its own, so that its numbers do not depend on the other games.
"""

from typing import Any

from noughts.search.numba_backend import inlined

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


def first_states(seed: int, n: int) -> Any:
    """The states of *n* games: SplitMix64 of *seed*, less a bit."""
    import numpy as np

    with np.errstate(over="ignore"):
        mixed = np.uint64(seed) + np.arange(1, n + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        mixed = (mixed ^ mixed >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ mixed >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return ((mixed ^ mixed >> np.uint64(31)) >> np.uint64(1)).astype(np.int64)
