"""Background compilation of kernels: a search runs in Python until its kernels are loaded.

Loading takes about a second. Compiling is done once and takes the better part of a minute. It runs in another
process, which continues after this one has ended, so that the next process finds the result.
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
"""Searches of up to this length end before kernels could be loaded, which takes three times as long."""

MAX_WAIT_S = 600
"""The longest time that a process waits for another one that compiles."""

STACK_BYTES = 16 << 20
"""The stack size of the compiling thread. Compilers recurse deeply, and some systems give threads little."""

LOADING_S = 0.5
"""The time that a search waits for kernels that are being loaded: in Python it would only get slower."""

PREPARING_S = 20.0
"""The longest time to wait for kernels to load before a clock starts."""

STEP_S = 0.02
"""The interval between two checks of the stop signal while waiting."""

MAX_EXCLUDED_S = 300.0
"""The longest time for preparing kernels that is not counted, since a compiler may hang."""

Kernels = tuple[Callable[..., Any], ...]


class MachineSelector:
    """Chooses the machine that runs *kernels*: Python until they are compiled and loaded.

    If a *machine* is given, it is always used. *now* returns the time in seconds, by default the processor
    time: on a busy machine even short searches take long, and loading anything for them would take far
    longer.
    """

    def __init__(
        self, *kernels: Callable[..., Any], machine: Machine | None, now: Callable[[], float] = process_time
    ) -> None:
        self._kernels, self._machine, self._now = kernels, machine, now
        self._deadline: float | None = None

    def __call__(self, stop: Callable[[], bool] | None = None) -> Machine:
        """Return the machine to continue with. Short searches never start the preparation of kernels.

        If *stop*, the stop signal of the search, is given, this may wait for kernels that are being loaded.
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
        """Start to prepare the kernels, however short the searches are: there will be many.

        If the kernels only have to be loaded, wait for them up to *wait_s* seconds, since a clock may run
        later.
        """
        if self._machine is None:
            if self._kernels not in _preparations:
                _preparations[self._kernels] = Preparation(self._kernels)
            if can_compile() and all(map(is_cached, self._kernels)):
                _preparations[self._kernels].join(wait_s)


class PreparingClock:
    """A clock that pauses while kernels are prepared, which happens once and is not part of a search.

    *now* returns the time in seconds.
    """

    def __init__(self, now: Callable[[], float] = monotonic) -> None:
        self._now, self._lock = now, threading.Lock()
        self._preparations, self._since, self._excluded = 0, 0.0, 0.0

    def __call__(self) -> float:
        """Return the seconds that have passed, without the time in which kernels were prepared."""
        with self._lock:
            at = self._now()
            return at - min(
                MAX_EXCLUDED_S, self._excluded + (at - self._since if self._preparations else 0.0)
            )

    @property
    def is_paused(self) -> bool:
        """True while kernels are being prepared."""
        return self._preparations > 0

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Pause the clock inside the ``with`` block. Several threads may do so at once."""
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
"""The clock for time limits that a user sets for a search."""


class Preparation:
    """Prepares *kernels* in a thread of its own, once in a process."""

    def __init__(self, kernels: Kernels) -> None:
        self._kernels = kernels
        self.machine = python_machine()
        """The machine that runs the kernels best at present."""
        self._is_loading = False
        self._thread = threading.Thread(target=self._work, name="noughts-compiling", daemon=True)
        usual = threading.stack_size(STACK_BYTES)
        try:
            self._thread.start()
        finally:
            threading.stack_size(usual)

    def wait(self, stop: Callable[[], bool]) -> None:
        """Wait a while if the kernels are being loaded, until they are loaded or *stop* returns True."""
        for _ in range(round(LOADING_S / STEP_S)):
            if not self._is_loading or stop():
                break
            self._thread.join(STEP_S)

    def join(self, seconds: float) -> None:
        """Wait for the end of the preparation, up to *seconds* seconds."""
        self._thread.join(seconds)

    def _work(self) -> None:
        with (
            preparing_clock.paused(),
            suppress(Exception),
        ):  # If the compiler fails in any way, the search continues in Python.
            if ensure_compiled(self._kernels):
                self._is_loading = True
                machine = best_machine()
                for kernel in self._kernels:
                    machine.function(kernel)
                self.machine = machine
        self._is_loading = False


_preparations: dict[Kernels, Preparation] = {}


def can_compile() -> bool:
    """Return True if a compiler is installed and not disabled."""
    return not os.environ.get(PLAIN) and find_spec("numba") is not None


def compiling_command(kernels: Kernels) -> list[str]:
    """Return the command that compiles *kernels* into the cache in another process; see :func:`main`."""
    names = [f"{kernel.__module__}:{kernel.__name__}" for kernel in kernels]
    return python_command(f"from {__name__} import main; main(sys.argv[1:])", *names)


def ensure_compiled(kernels: Kernels) -> bool:
    """Compile *kernels* in another process unless the cache has them. Return True if it has them then."""
    if not can_compile():
        return False
    if not all(map(is_cached, kernels)):
        from subprocess import DEVNULL, Popen  # Few searches need it.

        Popen(  # noqa: S603
            compiling_command(kernels),
            stdin=DEVNULL,
            stdout=DEVNULL,
            stderr=DEVNULL,
            start_new_session=True,  # Ctrl-C must not reach the compiler.
        ).wait()
    return all(map(is_cached, kernels))


def main(names: Sequence[str]) -> None:
    """Compile the kernels called *names* into the cache, after any other process that does so."""
    import sqlite3  # Its locks end with their process on every system.

    parts = [name.split(":") for name in names]
    kernels = [getattr(import_module(module), function) for module, function in parts]
    folder = cache_folder()
    folder.mkdir(parents=True, exist_ok=True)
    lock_name = names[0].replace(":", ".") + ".lock"
    with closing(sqlite3.connect(folder / lock_name, timeout=MAX_WAIT_S)) as lock:
        lock.execute("BEGIN EXCLUSIVE")
        for kernel in kernels:
            best_machine().function(kernel)
