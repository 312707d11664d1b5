"""Kernels are compiled and loaded beside a search, which goes on in Python until they are there.

Loading takes about a second, and compiling, which is done once, the better part of a minute. Another process
does that, at its leisure: it goes on when this one has ended, so that the next one finds it done.

    python -m noughts.search.compiling noughts.search.exact.kernels:run ...
"""

import os
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from importlib import import_module
from importlib.util import find_spec
from time import monotonic
from typing import Any

from noughts.search.compiled import PLAIN, Machine, best_machine, cache_folder, is_kept, python_machine

FEW_SECONDS = 0.25
"""Searches that take no longer are done before anything could be loaded."""

MAX_WAIT_S = 600
"""How long a process waits for another one that compiles."""

STACK_BYTES = 16 << 20
"""Compilers go deep: threads have too little room for that on some systems."""

Kernels = tuple[Callable[..., Any], ...]

_made_ready: dict[Kernels, Machine | None] = {}
"""What runs the kernels that were to be made ready; None as long as nothing does."""


class Ready:
    """Finds the machine that runs *kernels* best: the plain one, until they are ready for the compiled one.

    Where a *machine* is given it is always that. *now* tells the time in seconds.
    """

    def __init__(
        self, *kernels: Callable[..., Any], machine: Machine | None, now: Callable[[], float] = monotonic
    ) -> None:
        self._kernels, self._machine, self._now = kernels, machine, now
        self._begin: float | None = None

    def __call__(self) -> Machine:
        """The machine to go on with. Nothing is made ready for searches that need few seconds."""
        if self._machine is not None:
            return self._machine
        if self._kernels in _made_ready:
            return _made_ready[self._kernels] or python_machine()
        if self._begin is None:
            self._begin = self._now() + FEW_SECONDS
        elif self._now() >= self._begin:
            _begin(self._kernels)
        return python_machine()


def _begin(kernels: Kernels) -> None:
    """Have *kernels* made ready in a thread of its own."""
    _made_ready[kernels] = None

    def work() -> None:
        with suppress(Exception):  # whatever is amiss with the compiler, the search goes on in Python
            _made_ready[kernels] = make_ready(kernels)

    usual = threading.stack_size(STACK_BYTES)
    try:
        threading.Thread(target=work, name="noughts-compiling", daemon=True).start()
    finally:
        threading.stack_size(usual)


def make_ready(kernels: Kernels) -> Machine:
    """The compiled machine with all *kernels*; the plain one where nothing compiles or keeps them."""
    if os.environ.get(PLAIN) or find_spec("numba") is None:
        return python_machine()
    if not all(map(is_kept, kernels)):
        from subprocess import DEVNULL, Popen  # few searches need it

        names = [f"{kernel.__module__}:{kernel.__name__}" for kernel in kernels]
        Popen(  # noqa: S603
            [sys.executable, "-m", "noughts.search.compiling", *names],
            stdin=DEVNULL,
            stdout=DEVNULL,
            stderr=DEVNULL,
            start_new_session=True,  # Ctrl-C is not for it
        ).wait()
    machine = best_machine() if all(map(is_kept, kernels)) else python_machine()
    for kernel in kernels:
        machine.function(kernel)
    return machine


def main(names: Sequence[str]) -> None:
    """Compile the kernels called *names* into the cache, as soon as no other process does so."""
    import sqlite3  # whose locks end with their process, on every system

    parts = [name.split(":") for name in names]
    kernels = [getattr(import_module(module), function) for module, function in parts]
    folder = cache_folder()
    folder.mkdir(parents=True, exist_ok=True)
    lock_name = names[0].replace(":", ".") + ".lock"
    with closing(sqlite3.connect(folder / lock_name, timeout=MAX_WAIT_S)) as lock:
        lock.execute("BEGIN EXCLUSIVE")
        for kernel in kernels:
            best_machine().function(kernel)


if __name__ == "__main__":
    main(sys.argv[1:])
