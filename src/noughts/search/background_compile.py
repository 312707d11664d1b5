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
from noughts.search.numba_backend import PLAIN, Machine, best_machine, cache_folder, is_cached, python_machine

SHORT_SEARCH_S = 0.2
"""Searches that take no longer are done before anything could be loaded, which takes three times as long."""

MAX_WAIT_S = 600
"""How long a process waits for another one that compiles."""

STACK_BYTES = 16 << 20
"""Compilers go deep: threads have too little room for that on some systems."""

LOADING_S = 0.5
"""How long a search waits for the loader between two looks: Python would only slow it down."""

PREPARING_S = 20.0
"""How long is waited at most for what is loaded before a clock runs."""

STEP_S = 0.02
"""How often it looks whether it is to stop instead."""

MAX_EXCLUDED_S = 300.0
"""The longest time for the preparation of kernels that is not counted: a compiler may hang."""

Kernels = tuple[Callable[..., Any], ...]


class MachineSelector:
    """Finds the machine that runs *kernels* best: the plain one, until they are ready for the compiled one.

    Where a *machine* is given it is always that. *now* tells the time in seconds: that of the processor, for
    on a busy machine short searches take long, too, and to load anything for them would take far longer.
    """

    def __init__(
        self, *kernels: Callable[..., Any], machine: Machine | None, now: Callable[[], float] = process_time
    ) -> None:
        self._kernels, self._machine, self._now = kernels, machine, now
        self._deadline: float | None = None

    def __call__(self, stop: Callable[[], bool] | None = None) -> Machine:
        """The machine to go on with. Nothing is made ready for searches that need few seconds.

        A search that says by *stop* when it has to end may be made to wait for what is being loaded.
        """
        if self._machine is not None:
            return self._machine
        if (preparation := _preparations.get(self._kernels)) is not None:
            if stop is not None:
                preparation.wait(stop)
            return preparation.machine
        if self._deadline is None:
            self._deadline = self._now() + SHORT_SEARCH_S
        elif self._now() >= self._deadline:
            self.prepare()
        return python_machine()

    def prepare(self, wait_s: float = 0.0) -> None:
        """Begin to make the kernels ready, however short the searches are: there will be many.

        For kernels that are only to be loaded is waited so many seconds at most: a clock may run later.
        """
        if self._machine is None:
            if self._kernels not in _preparations:
                _preparations[self._kernels] = Preparation(self._kernels)
            if can_compile() and all(map(is_cached, self._kernels)):
                _preparations[self._kernels].join(wait_s)


class PreparingClock:
    """A clock that stands still while kernels are prepared, which is done once, and is no search.

    *now* tells the time in seconds.
    """

    def __init__(self, now: Callable[[], float] = monotonic) -> None:
        self._now, self._lock = now, threading.Lock()
        self._preparations, self._since, self._excluded = 0, 0.0, 0.0

    def __call__(self) -> float:
        """The seconds that have gone by, without those in which kernels were prepared."""
        with self._lock:
            at = self._now()
            return at - min(
                MAX_EXCLUDED_S, self._excluded + (at - self._since if self._preparations else 0.0)
            )

    @property
    def is_paused(self) -> bool:
        """Whether kernels are being prepared."""
        return self._preparations > 0

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Do not count the time until this is left; several threads may do so at once."""
        with self._lock:
            if not self._preparations:
                self._since = self._now()
            self._preparations += 1
        try:
            yield
        finally:
            with self._lock:
                self._preparations -= 1
                if not self._preparations:
                    self._excluded += self._now() - self._since


preparing_clock = PreparingClock()
"""The clock of limits in seconds that a user gives for a search."""


class Preparation:
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
        for _ in range(round(LOADING_S / STEP_S)):
            if not self._is_loading or stop():
                break
            self._thread.join(STEP_S)

    def join(self, seconds: float) -> None:
        """Wait so many seconds at most until all is done."""
        self._thread.join(seconds)

    def _work(self) -> None:
        with (
            preparing_clock.paused(),
            suppress(Exception),
        ):  # whatever is amiss with the compiler, the search goes on in Python
            if ensure_compiled(self._kernels):
                self._is_loading = True
                machine = best_machine()
                for kernel in self._kernels:
                    machine.function(kernel)
                self.machine = machine
        self._is_loading = False


_preparations: dict[Kernels, Preparation] = {}


def can_compile() -> bool:
    """Whether there is a compiler, and it is wanted."""
    return not os.environ.get(PLAIN) and find_spec("numba") is not None


def compiling_command(kernels: Kernels) -> list[str]:
    """How a process is started that compiles *kernels* into the cache; see :func:`main`."""
    names = [f"{kernel.__module__}:{kernel.__name__}" for kernel in kernels]
    return python_command(f"from {__name__} import main; main(sys.argv[1:])", *names)


def ensure_compiled(kernels: Kernels) -> bool:
    """Whether the cache has *kernels*, which another process compiles if need be."""
    if not can_compile():
        return False
    if not all(map(is_cached, kernels)):
        from subprocess import DEVNULL, Popen  # few searches need it

        Popen(  # noqa: S603
            compiling_command(kernels),
            stdin=DEVNULL,
            stdout=DEVNULL,
            stderr=DEVNULL,
            start_new_session=True,  # Ctrl-C is not for it
        ).wait()
    return all(map(is_cached, kernels))


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
