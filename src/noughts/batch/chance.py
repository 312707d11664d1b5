"""Random numbers for kernels, the same with and without compilation.

The generator is a linear congruential one of 63 bits with Knuth's multiplier of MMIX. It uses the upper half
of the state. Each game has a state of its own, so that its numbers do not depend on the other games.
"""

from typing import Any

from noughts.search.numba_backend import inlined

FACTOR = 6364136223846793005
TERM = 1442695040888963407
LOWER = (1 << 63) - 1
"""The mask of a state. Larger products lose the same bits on every machine."""


@inlined
def advance(state: int) -> int:
    """Return the state after *state*."""
    return (state * FACTOR + TERM) & LOWER


@inlined
def pick(state: int, count: int) -> int:
    """Return a random number below *count*, which must be less than 2**31."""
    return (state >> 31) * count >> 32


@inlined
def without(order: int, shift: int, last: int) -> int:
    """Return *order* without the choice at *shift*. Choice number *last* takes its place.

    *order* has four bits for each choice.
    """
    return order ^ ((order >> shift ^ order >> 4 * last) & 15) << shift


def first_states(seed: int, n: int) -> Any:
    """Return the first states of *n* games: SplitMix64 of *seed*, without one bit."""
    import numpy as np

    with np.errstate(over="ignore"):
        mixed = np.uint64(seed) + np.arange(1, n + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        mixed = (mixed ^ mixed >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ mixed >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return ((mixed ^ mixed >> np.uint64(31)) >> np.uint64(1)).astype(np.int64)
