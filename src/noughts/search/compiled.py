"""One text, two machines: the search functions run as Python, or compiled where numba is at hand.

A function marked with :func:`kernel` keeps to what numba compiles: ints and flat arrays of ints, loops,
calls of other kernels; no recursion (compiled recursive functions crashed when they were loaded from the
cache), no containers, no closures, no overflow of 63 bits. Arrays are lists for Python, which reads them
faster, and numpy arrays of int64 for the compiled form.
"""

import os
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, Protocol, TypeVar, cast

from noughts.search.analysis import Progress, Report, no_report

Ints = list[int]
"""A flat array of ints: a list, or a numpy array of int64, which is used just like one."""

F = TypeVar("F", bound=Callable[..., Any])

_kernels: list[Callable[..., Any]] = []

PLAIN = "NOUGHTS_PLAIN"
"""The variable of the environment that keeps everything in Python where it is set."""


def kernel(function: F) -> F:
    """Mark *function* as one that may be compiled; it stays what it is for Python."""
    _kernels.append(function)
    return function


class Machine(Protocol):
    """What runs kernels."""

    name: str

    def array(self, values: Iterable[int]) -> Ints:
        """A new array of *values*."""

    def zeros(self, count: int) -> Ints:
        """A new array of *count* zeros."""

    def function(self, kernel: F) -> F:
        """What to call for *kernel*."""


class PythonMachine:
    """Kernels as the Python they are."""

    name = "python"

    def array(self, values: Iterable[int]) -> Ints:
        return list(values)

    def zeros(self, count: int) -> Ints:
        return [0] * count

    def function(self, kernel: F) -> F:
        return kernel


class CompiledMachine:
    """Kernels compiled by numba on their first call; later runs load them from its cache.

    The cache is where numba keeps it: ``NUMBA_CACHE_DIR``, beside the source, or in the user's cache
    folder where the source cannot be written. Where none of them can be written nothing is kept.
    """

    name = "numba"

    def __init__(self) -> None:
        import numba
        import numpy
        from numba.extending import register_jitable

        self._numba, self._numpy = numba, numpy
        self._compiled: dict[Callable[..., Any], Any] = {}
        self._registered: set[Callable[..., Any]] = set()
        self._register = register_jitable
        self.report: Report = no_report

    def array(self, values: Iterable[int]) -> Ints:
        made: Any = self._numpy.array(list(values), dtype=self._numpy.int64)
        return cast(Ints, made)

    def zeros(self, count: int) -> Ints:
        made: Any = self._numpy.zeros(count, dtype=self._numpy.int64)
        return cast(Ints, made)

    def function(self, kernel: F) -> F:
        if kernel not in self._compiled:
            for function in _kernels:
                if function not in self._registered:
                    self._registered.add(function)
                    self._register(function)
            try:
                compiled = self._numba.njit(cache=True)(kernel)
            except RuntimeError:  # no place for a cache
                compiled = self._numba.njit(kernel)
            self._compiled[kernel] = compiled
        found: F = self._compiled[kernel]
        return found


@cache
def python_machine() -> Machine:
    """The machine that needs nothing."""
    return PythonMachine()


@cache
def _compiled_machine() -> CompiledMachine | None:
    try:
        return CompiledMachine()
    except ImportError:
        return None


def best_machine(report: Report = no_report) -> Machine:
    """The compiled machine where numba is installed, else the plain one.

    *report* is told ``compiling`` before the first kernels are compiled or loaded.
    """
    if os.environ.get(PLAIN):
        return python_machine()
    first = not _compiled_machine.cache_info().currsize
    machine = _compiled_machine()
    if machine is None:
        return python_machine()
    if first:
        report(Progress("compiling"))
    return machine
