"""Compile all kernels into the cache where tests look for them: ``python -m tests.kernels``.

In one process: what several of them call is compiled once.
"""

from noughts.batch import calls
from noughts.search.attacking import search as attacking
from noughts.search.blocking import search as blocking
from noughts.search.columns import search as columns
from noughts.search.compiling import Kernels, main
from noughts.search.engine import deepening
from noughts.search.exact import search as exact
from noughts.search.exact.sliding import slide
from noughts.search.exact.strong import fill

ALL: tuple[Kernels, ...] = (
    exact.KERNELS,
    blocking.KERNELS,
    columns.KERNELS,
    deepening.KERNELS,
    attacking.KERNELS,
    (slide,),
    (fill,),
    calls.KERNELS,
)

if __name__ == "__main__":
    main([f"{kernel.__module__}:{kernel.__name__}" for kernels in ALL for kernel in kernels])
