"""Compile all kernels into the cache of the tests: ``python -m tests.kernels``.

One process for each processor does it, since the kernels of different searches have little in common.
"""

import os
import subprocess
import sys

from noughts.batch import calls
from noughts.search.background_compile import Kernels, compiling_command
from noughts.search.dfpn import search as attacking
from noughts.search.engine import deepening
from noughts.search.exact import search as exact
from noughts.search.exact.sliding import slide
from noughts.search.exact.strong import fill
from noughts.search.gravity import search as columns
from noughts.search.maker_breaker import search as blocking
from noughts.search.patterns import search as patterns

ALL: tuple[Kernels, ...] = (
    attacking.KERNELS,
    blocking.KERNELS,
    deepening.KERNELS,
    patterns.KERNELS,
    exact.KERNELS,
    columns.KERNELS,
    calls.KERNELS,
    (slide, fill),
)
"""The kernels, in an order that gives all processes about the same amount of work."""


def begin(dealt: tuple[Kernels, ...]) -> subprocess.Popen[bytes]:
    """Start a process that compiles the *dealt* kernels."""
    return subprocess.Popen(compiling_command(sum(dealt, ())))


if __name__ == "__main__":
    processes = min(os.cpu_count() or 1, len(ALL))
    compiling = [begin(ALL[first::processes]) for first in range(processes)]
    sys.exit(sum(process.wait() != 0 for process in compiling))
