"""Kernels are compiled and loaded beside a search, which goes on in Python until they are there.

Loading takes about a second, and compiling, which is done once, the better part of a minute. Another process
does that, at its leisure: it goes on when this one has ended, so that the next one finds it done.
"""

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from importlib import import_module
from importlib.util import find_spec
from time import monotonic, process_time
from typing import Any

from noughts.python import python_command
from noughts.search.numba_backend import PLAIN, Machine, best_machine, cache_folder, is_kept, python_machine

FEW_SECONDS = 0.2
"""Searches that take no longer are done before anything could be loaded, which takes three times as long."""

MAX_WAIT_S = 600
"""How long a process waits for another one that compiles."""

STACK_BYTES = 16 << 20
"""Compilers go deep: threads have too little room for that on some systems."""

LOADING_SECONDS = 0.5
"""How long a search waits for the loader between two looks: Python would only slow it down."""

PREPARING_SECONDS = 20.0
"""How long is waited at most for what is loaded before a clock runs."""

STEP_SECONDS = 0.02
"""How often it looks whether it is to stop instead."""

MAX_EXCLUDED_S = 300.0
"""The longest time for the preparation of kernels that is not counted: a compiler may hang."""

Kernels = tuple[Callable[..., Any], ...]


class Ready:
    """Finds the machine that runs *kernels* best: the plain one, until they are ready for the compiled one.

    Where a *machine* is given it is always that. *now* tells the time in seconds: that of the processor, for
    on a busy machine short searches take long, too, and to load anything for them would take far longer.
    """

    def __init__(
        self, *kernels: Callable[..., Any], machine: Machine | None, now: Callable[[], float] = process_time
    ) -> None:
        self._kernels, self._machine, self._now = kernels, machine, now
        self._begin: float | None = None

    def __call__(self, stop: Callable[[], bool] | None = None) -> Machine:
        """The machine to go on with. Nothing is made ready for searches that need few seconds.

        A search that says by *stop* when it has to end may be made to wait for what is being loaded.
        """
        if self._machine is not None:
            return self._machine
        if (making := _makings.get(self._kernels)) is not None:
            if stop is not None:
                making.wait(stop)
            return making.machine
        if self._begin is None:
            self._begin = self._now() + FEW_SECONDS
        elif self._now() >= self._begin:
            self.begin()
        return python_machine()

    def begin(self, wait_s: float = 0.0) -> None:
        """Begin to make the kernels ready, however short the searches are: there will be many.

        For kernels that are only to be loaded is waited so many seconds at most: a clock may run later.
        """
        if self._machine is None:
            if self._kernels not in _makings:
                _makings[self._kernels] = Making(self._kernels)
            if can_compile() and all(map(is_kept, self._kernels)):
                _makings[self._kernels].join(wait_s)


class PreparingClock:
    """A clock that stands still while kernels are prepared, which is done once, and is no search.

    *now* tells the time in seconds.
    """

    def __init__(self, now: Callable[[], float] = monotonic) -> None:
        self._now, self._lock = now, threading.Lock()
        self._makings, self._since, self._excluded = 0, 0.0, 0.0

    def __call__(self) -> float:
        """The seconds that have gone by, without those in which kernels were prepared."""
        with self._lock:
            at = self._now()
            return at - min(MAX_EXCLUDED_S, self._excluded + (at - self._since if self._makings else 0.0))

    @property
    def is_standing(self) -> bool:
        """Whether kernels are being prepared."""
        return self._makings > 0

    @contextmanager
    def standing_still(self) -> Iterator[None]:
        """Do not count the time until this is left; several threads may do so at once."""
        with self._lock:
            if not self._makings:
                self._since = self._now()
            self._makings += 1
        try:
            yield
        finally:
            with self._lock:
                self._makings -= 1
                if not self._makings:
                    self._excluded += self._now() - self._since


preparing_clock = PreparingClock()
"""The clock of limits in seconds that a user gives for a search."""


class Making:
    """Makes *kernels* ready in a thread of its own, once in a process."""

    def __init__(self, kernels: Kernels) -> None:
        self._kernels = kernels
        self.machine = python_machine()
        """What runs the kernels best by now."""
        self._is_loading = False
        self._thread = threading.Thread(target=self._work, name="noughts-compiling", daemon=True)
        usual = threading.stack_size(STACK_BYTES)
        try:
            self._thread.start()
        finally:
            threading.stack_size(usual)

    def wait(self, stop: Callable[[], bool]) -> None:
        """Wait a while if the kernels are being loaded, until they are or *stop* is true."""
        for _ in range(round(LOADING_SECONDS / STEP_SECONDS)):
            if not self._is_loading or stop():
                break
            self._thread.join(STEP_SECONDS)

    def join(self, seconds: float) -> None:
        """Wait so many seconds at most until all is done."""
        self._thread.join(seconds)

    def _work(self) -> None:
        with (
            preparing_clock.standing_still(),
            suppress(Exception),
        ):  # whatever is amiss with the compiler, the search goes on in Python
            if have_compiled(self._kernels):
                self._is_loading = True
                machine = best_machine()
                for kernel in self._kernels:
                    machine.function(kernel)
                self.machine = machine
        self._is_loading = False


_makings: dict[Kernels, Making] = {}


def can_compile() -> bool:
    """Whether there is a compiler, and it is wanted."""
    return not os.environ.get(PLAIN) and find_spec("numba") is not None


def compiling_command(kernels: Kernels) -> list[str]:
    """How a process is started that compiles *kernels* into the cache; see :func:`main`."""
    names = [f"{kernel.__module__}:{kernel.__name__}" for kernel in kernels]
    return python_command(f"from {__name__} import main; main(sys.argv[1:])", *names)


def have_compiled(kernels: Kernels) -> bool:
    """Whether the cache has *kernels*, which another process compiles if need be."""
    if not can_compile():
        return False
    if not all(map(is_kept, kernels)):
        from subprocess import DEVNULL, Popen  # few searches need it

        Popen(  # noqa: S603
            compiling_command(kernels),
            stdin=DEVNULL,
            stdout=DEVNULL,
            stderr=DEVNULL,
            start_new_session=True,  # Ctrl-C is not for it
        ).wait()
    return all(map(is_kept, kernels))


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
