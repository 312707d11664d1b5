"""Compile all kernels into the cache where tests look for them: ``python -m tests.kernels``.

As many processes as there are processors do it: the kernels of one search have little in common with others.
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

ALL: tuple[Kernels, ...] = (
    attacking.KERNELS,
    blocking.KERNELS,
    deepening.KERNELS,
    exact.KERNELS,
    columns.KERNELS,
    calls.KERNELS,
    (slide, fill),
)
"""In such an order that all processes have about as much to do when they are dealt out."""


def begin(dealt: tuple[Kernels, ...]) -> subprocess.Popen[bytes]:
    """Begin to compile what was *dealt* to one process."""
    return subprocess.Popen(compiling_command(sum(dealt, ())))


if __name__ == "__main__":
    processes = min(os.cpu_count() or 1, len(ALL))
    compiling = [begin(ALL[first::processes]) for first in range(processes)]
    sys.exit(sum(process.wait() != 0 for process in compiling))
