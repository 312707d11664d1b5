"""How much is tried: in each run as much as there is time for, each week several times that."""

import os
from collections.abc import Iterable
from itertools import islice
from typing import TypeVar

T = TypeVar("T")

TIMES = int(os.environ.get("NOUGHTS_TIMES", "1"))
"""How many times as much as in each run."""


def often(count: int) -> int:
    """*count*, or several times that where ``NOUGHTS_TIMES`` asks for more."""
    return count * TIMES


def some_of(things: Iterable[T], every: int) -> list[T]:
    """Each *every*-th of *things*, or all where ``NOUGHTS_TIMES`` asks for more."""
    return list(islice(things, 0, None, every if TIMES == 1 else 1))
