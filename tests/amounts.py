"""How much is tried: in each run as much as there is time for, each week several times that."""

import os

TIMES = int(os.environ.get("NOUGHTS_TIMES", "1"))
"""How many times as much as in each run."""


def often(count: int) -> int:
    """*count*, or several times that where ``NOUGHTS_TIMES`` asks for more."""
    return count * TIMES
