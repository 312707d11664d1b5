"""One text, two machines: the search functions run as Python, or compiled where numba is at hand.

A function marked with :func:`kernel` keeps to what numba compiles: ints and flat arrays of ints, loops,
calls of other kernels; no recursion (compiled recursive functions crashed when they were loaded from the
cache), no containers, no closures, no overflow of 63 bits, no places counted from the end. Arrays are lists
for Python, which reads them faster, and numpy arrays of int64 for the compiled form; those of one search are
the fields of its :class:`~noughts.search.memory.Memory`, those of a batch a ``NamedTuple``.
"""

import atexit
import os
import sys
import threading
from collections.abc import Callable, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, TypeVar, cast, get_type_hints

from noughts.search.instructions import compile_instructions, no_negative_indices
from noughts.search.memory import NUMBER_BYTES, Block, Memory, block_class, fields_of, signed

Ints = list[int]
"""A flat array of ints: a list, or a numpy array of int64, which is used just like one."""

Words = Annotated[list[int], "int32"]
"""The same of 32 bits: compiled, a numpy array; for Python, a view of one."""

Bytes = Annotated[list[int], "int8"]
"""The same of 8 bits."""

Floats = Annotated[list[float], "float32"]
"""The same of floating point numbers of 32 bits."""

ALIGNED = 8
"""So many numbers are fetched at once: new arrays begin where they do."""

NO_REFERENCE_COUNTS = {"_nrt": False}
"""Kernels make no arrays, so nobody need count who has one: at each call that took a third of the time."""

F = TypeVar("F", bound=Callable[..., Any])
M = TypeVar("M", bound=Memory)

_kernels: list[Callable[..., Any]] = []

_inlined: set[Callable[..., Any]] = set()

_released: set[Callable[..., Any]] = set()

PLAIN = "NOUGHTS_PLAIN"
"""The variable of the environment that keeps everything in Python where it is set."""


def kernel(function: F) -> F:
    """Mark *function* as one that may be compiled; it stays what it is for Python."""
    _kernels.append(function)
    return function


def inlined(function: F) -> F:
    """The same for what is called at every node: compiled, its text stands in those who call it."""
    _inlined.add(function)
    return kernel(function)


def released(function: F) -> F:
    """The same for what runs long on arrays that no other thread changes meanwhile: threads run beside it."""
    _released.add(function)
    return kernel(function)


@inlined
def insert_ranked(
    moves: Ints, first: int, scores: Ints, count: int, limit: int, move: int, score: int
) -> int:
    """Enter *move* in the list of *count* from ``moves[first]`` on and return the new count.

    The list keeps the best *limit*, best first; of equal ones the first comes first. *scores* are theirs.
    """
    if count == limit:
        if score <= scores[count - 1]:
            return count
        count -= 1
    place = count
    while place > 0 and scores[place - 1] < score:
        moves[first + place] = moves[first + place - 1]
        scores[place] = scores[place - 1]
        place -= 1
    moves[first + place] = move
    scores[place] = score
    return count + 1


class Machine:
    """What runs kernels: this one runs them as the Python they are."""

    name = "python"

    def array(self, values: Sequence[int]) -> Ints:
        """A new array of *values*."""
        return list(values)

    def zeros(self, count: int) -> Ints:
        """A new array of *count* zeros."""
        return [0] * count

    def word(self, number: int) -> int:
        """*number*, of up to 64 bits, as kernels have it."""
        return number

    def view(self, array: Any) -> Any:
        """What kernels get for a numpy *array*, which they write to: its numbers, one after the other."""
        return memoryview(array.reshape(-1))

    def memory(self, memory: M) -> M:
        """A copy of *memory* for kernels that run here."""
        numbers, _, arrays = fields_of(memory.memory_class)
        values = {name: getattr(memory, name) for name in numbers}
        for name in arrays:
            array = getattr(memory, name)
            values[name] = [0] * len(array) if isinstance(array, bytes) else list(array)
        copied: M = memory.memory_class(**values)
        return copied

    def function(self, kernel: F) -> F:
        """What to call for *kernel*."""
        return kernel


_naming_cache = threading.Lock()


class CompiledMachine(Machine):
    """Kernels compiled by numba when they are asked for; later runs load them from a cache.

    The cache is a folder of the user's, or the one that ``NUMBA_CACHE_DIR`` names; what was compiled from
    another text of the kernels is not used. Where nothing can be written nothing is kept.
    """

    name = "numba"

    def __init__(self) -> None:
        import numba
        import numpy
        from numba.extending import register_jitable

        from noughts.search.numba_memory import memory_type

        compile_instructions()
        self._memory_type: Any = memory_type
        self._numba: Any = numba  # whose types do not know all options
        self._numpy, self._register = numpy, register_jitable
        self._compiled: dict[Callable[..., Any], Any] = {}
        self._registered: set[Callable[..., Any]] = set()
        self._compiling = threading.Lock()
        # A program that ends while a thread is inside the compiler might crash: none is begun any more then.
        atexit.register(self._compiling.acquire)

    def array(self, values: Sequence[int]) -> Ints:
        return cast(Ints, self._numpy.array(values, dtype=self._numpy.int64))

    def zeros(self, count: int) -> Ints:
        found = self._numpy.zeros(count + ALIGNED, dtype=self._numpy.int64)
        first = -found.ctypes.data // NUMBER_BYTES % ALIGNED
        return cast(Ints, found[first : first + count])

    def word(self, number: int) -> int:
        return signed(number)

    def view(self, array: Any) -> Any:
        return array.reshape(-1)

    def memory(self, memory: M) -> M:
        kind = memory.memory_class
        return cast(M, block_class(kind)(memory, self.zeros(Block.length(memory)), self._memory_type(kind)))

    def function(self, kernel: F) -> F:
        with self._compiling:
            if kernel not in self._compiled:
                marked = self._marked(kernel)
                with no_negative_indices():
                    marked.compile(self._signature(kernel))
                marked.disable_compile()
                self._compiled[kernel] = marked
        found: F = self._compiled[kernel]
        return found

    def _marked(self, kernel: Callable[..., Any]) -> Any:
        """What compiles *kernel* or loads it."""
        for function in _kernels:
            if function not in self._registered:
                self._registered.add(function)
                self._register(**NO_REFERENCE_COUNTS, forceinline=function in _inlined)(function)
        config, how = self._numba.config, {**NO_REFERENCE_COUNTS, "nogil": kernel in _released}
        with _naming_cache:  # the setting is one for all machines of this process
            usual, config.CACHE_DIR = config.CACHE_DIR, str(cache_folder())
            try:
                return self._numba.njit(cache=True, **how)(kernel)
            except RuntimeError:  # there is no place for a cache
                return self._numba.njit(**how)(kernel)
            finally:
                config.CACHE_DIR = usual

    def _signature(self, kernel: Callable[..., Any]) -> tuple[Any, ...]:
        """The types of what *kernel* is called with: with them it is compiled now, not when it is called."""
        hints = get_type_hints(kernel, include_extras=True)
        hints.pop("return", None)
        number = self._numba.int64
        kinds = ("int32", "int8", "float32")
        arrays = {kind: getattr(self._numba, kind)[::1] for kind in kinds}

        def type_of(hint: Any) -> Any:
            if hint == Ints:
                return number[::1]
            if isinstance(hint, type) and issubclass(hint, Memory):
                return self._memory_type(hint)
            if isinstance(hint, type) and issubclass(hint, tuple):  # arrays that belong together
                parts = get_type_hints(hint, include_extras=True).values()
                return self._numba.types.NamedTuple(tuple(map(type_of, parts)), hint)
            return arrays[hint.__metadata__[0]] if hint in (Words, Bytes, Floats) else number

        return tuple(map(type_of, hints.values()))


def cache_folder() -> Path:
    """Where the compiled form of the kernels as they are now is kept."""
    given = (
        os.environ.get("NUMBA_CACHE_DIR")
        or os.environ.get("XDG_CACHE_HOME")
        or os.environ.get("LOCALAPPDATA")
    )
    # A sandbox has no home; there it is a folder of the working folder, which `expanduser` leaves unchanged.
    base = Path(given or os.path.expanduser("~/.cache"))
    # What stands beside the kernels too: the numbers that are compiled into them come from there.
    home = Path(__file__).parent
    files = sorted(file for room in (home, home.parent / "batch") for file in room.rglob("*.py"))
    return base / "noughts" / sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:16]


def is_cached(kernel: Callable[..., Any]) -> bool:
    """Whether the cache has the compiled form of *kernel*."""
    module, python = kernel.__module__.rpartition(".")[2], "".join(map(str, sys.version_info[:2]))
    return any(cache_folder().glob(f"*/{module}.{kernel.__name__}-*.py{python}*.nbi"))


@cache
def python_machine() -> Machine:
    """The machine that needs nothing."""
    return Machine()


@cache
def compiled_machine() -> CompiledMachine | None:
    """The machine that compiles, None where numba is not installed."""
    try:
        return CompiledMachine()
    except ImportError:
        return None


def best_machine() -> Machine:
    """The compiled machine where numba is installed, else the plain one."""
    return (None if os.environ.get(PLAIN) else compiled_machine()) or python_machine()
