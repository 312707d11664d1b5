"""Two machines for the same kernels: they run as Python, or compiled if numba is installed.

A function marked with :func:`kernel` uses only features that numba compiles: ints and flat arrays of ints,
loops, and calls of other kernels. It uses no recursion (compiled recursive functions crashed when they were
loaded from the cache), no containers, no closures, no overflow of 63 bits, and no negative indices.

Arrays are lists in Python, which reads them faster, and numpy arrays of int64 in the compiled form. Those of
one search are the fields of its :class:`~noughts.search.memory.Memory`, those of a batch a ``NamedTuple``.
"""

import atexit
import os
import sys
import threading
from collections.abc import Callable, Sequence
from functools import cache
from hashlib import sha1, sha256
from pathlib import Path
from typing import Annotated, Any, TypeVar, cast, get_type_hints

from noughts.search.instructions import compile_instructions, no_negative_indices
from noughts.search.memory import NUMBER_BYTES, Block, Memory, block_class, fields_of, signed

Ints = list[int]
"""A flat array of ints: a list, or a numpy array of int64, which is used in the same way."""

Words = Annotated[list[int], "int32"]
"""A flat array of ints of 32 bits: a numpy array if compiled, a view of one in Python."""

Bytes = Annotated[list[int], "int8"]
"""A flat array of ints of 8 bits, as :data:`Words`."""

Floats = Annotated[list[float], "float32"]
"""A flat array of floating-point numbers of 32 bits, as :data:`Words`."""

ALIGNED = 8
"""The number of numbers in a cache line. New arrays start at the beginning of a cache line."""

OPTIONS = {"_nrt": False, "no_cfunc_wrapper": True}
"""The options of all kernels.

There are no reference counts, since kernels create no arrays, and the counts took a third of the time of a
call. There are no wrappers for callers in C, which took a tenth of the time to compile.
"""

F = TypeVar("F", bound=Callable[..., Any])
M = TypeVar("M", bound=Memory)

_kernels: list[Callable[..., Any]] = []

_inlined: set[Callable[..., Any]] = set()

_released: set[Callable[..., Any]] = set()

PLAIN = "NOUGHTS_PLAIN"
"""The environment variable that disables compilation if it is set."""


def kernel(function: F) -> F:
    """Mark *function* as one that may be compiled. Python calls it unchanged."""
    _kernels.append(function)
    return function


def inlined(function: F) -> F:
    """Mark *function* as a kernel that is inlined into its callers when it is compiled.

    It suits functions that are called at every node.
    """
    _inlined.add(function)
    return kernel(function)


def released(function: F) -> F:
    """Mark *function* as a kernel that releases the interpreter lock, so that other threads run beside it.

    It suits long functions on arrays that no other thread changes meanwhile.
    """
    _released.add(function)
    return kernel(function)


@inlined
def insert_ranked(
    moves: Ints, first: int, scores: Ints, count: int, limit: int, move: int, score: int
) -> int:
    """Insert *move* into the ranked list of *count* moves at ``moves[first]``; return the new count.

    The list keeps the best *limit* moves, best first. Of equal moves, the earlier one comes first. *scores*
    has their scores.
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
    """Runs kernels as plain Python. It is the base of other machines."""

    name = "python"

    def array(self, values: Sequence[int]) -> Ints:
        """Return a new array of *values*."""
        return list(values)

    def zeros(self, count: int) -> Ints:
        """Return a new array of *count* zeros."""
        return [0] * count

    def clear(self, array: Ints) -> None:
        """Set all numbers of *array* to zero."""
        array[:] = [0] * len(array)

    def word(self, number: int) -> int:
        """Return *number*, of up to 64 bits, as kernels have it."""
        return number

    def view(self, array: Any) -> Any:
        """Return a flat view of a numpy *array* for kernels, which can write to it."""
        return memoryview(array.reshape(-1))

    def memory(self, memory: M) -> M:
        """Return a copy of *memory* for kernels that run on this machine."""
        numbers, _, arrays = fields_of(memory.memory_class)
        values = {name: getattr(memory, name) for name in numbers}
        for name in arrays:
            array = getattr(memory, name)
            values[name] = [0] * len(array) if isinstance(array, bytes) else list(array)
        copied: M = memory.memory_class(**values)
        return copied

    def function(self, kernel: F) -> F:
        """Return the function to call for *kernel*."""
        return kernel


_naming_cache = threading.Lock()


class CompiledMachine(Machine):
    """Runs kernels compiled by numba. They are compiled on request and cached for later runs.

    The cache is a folder of the user, or the one that ``NUMBA_CACHE_DIR`` names. A change in the text of the
    kernels makes it invalid. If no folder is writable, nothing is cached.
    """

    name = "numba"

    def __init__(self) -> None:
        import numba
        import numpy
        from numba.extending import register_jitable

        from noughts.search.numba_memory import memory_type

        compile_instructions()
        self._memory_type: Any = memory_type
        self._numba: Any = numba  # Its types do not know all options.
        self._numpy, self._register = numpy, register_jitable
        self._compiled: dict[Callable[..., Any], Any] = {}
        self._registered: set[Callable[..., Any]] = set()
        self._compiling = threading.Lock()
        # A program that ends while a thread is inside the compiler might crash, so no compilation starts
        # then.
        atexit.register(self._compiling.acquire)

    def array(self, values: Sequence[int]) -> Ints:
        return cast(Ints, self._numpy.array(values, dtype=self._numpy.int64))

    def zeros(self, count: int) -> Ints:
        numbers = self._numpy.zeros(count + ALIGNED, dtype=self._numpy.int64)
        first = -numbers.ctypes.data // NUMBER_BYTES % ALIGNED
        return cast(Ints, numbers[first : first + count])

    def clear(self, array: Ints) -> None:
        cast(Any, array)[:] = 0

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
        compiled: F = self._compiled[kernel]
        return compiled

    def _marked(self, kernel: Callable[..., Any]) -> Any:
        """Return the function that compiles *kernel* or loads it from the cache."""
        for function in _kernels:
            if function not in self._registered:
                self._registered.add(function)
                self._register(**OPTIONS, forceinline=function in _inlined)(function)
        config, how = self._numba.config, {**OPTIONS, "nogil": kernel in _released}
        with _naming_cache:  # The setting is shared by all machines of this process.
            usual, config.CACHE_DIR = config.CACHE_DIR, str(cache_folder())
            try:
                return self._numba.njit(cache=True, **how)(kernel)
            except RuntimeError:  # No place for a cache is writable.
                return self._numba.njit(**how)(kernel)
            finally:
                config.CACHE_DIR = usual

    def _signature(self, kernel: Callable[..., Any]) -> tuple[Any, ...]:
        """Return the argument types of *kernel*, so that it is compiled at once and not when it is called."""
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
            if isinstance(hint, type) and issubclass(hint, tuple):  # The arrays that belong together.
                parts = get_type_hints(hint, include_extras=True).values()
                return self._numba.types.NamedTuple(tuple(map(type_of, parts)), hint)
            return arrays[hint.__metadata__[0]] if hint in (Words, Bytes, Floats) else number

        return tuple(map(type_of, hints.values()))


def cache_folder() -> Path:
    """Return the folder of the cache for the current text of the kernels."""
    folder = (
        os.environ.get("NUMBA_CACHE_DIR")
        or os.environ.get("XDG_CACHE_HOME")
        or os.environ.get("LOCALAPPDATA")
    )
    # A sandbox has no home. There the cache is below the working folder, as `expanduser` changes nothing.
    base = Path(folder or os.path.expanduser("~/.cache"))
    # The modules beside the kernels count too: their constants are compiled into the kernels.
    home = Path(__file__).parent
    files = sorted(file for room in (home, home.parent / "batch") for file in room.rglob("*.py"))
    return base / "noughts" / sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:16]


def is_cached(kernel: Callable[..., Any]) -> bool:
    """Return True if the cache has the compiled form of *kernel* in this installation.

    The compiler stores the results for each folder of source files apart, by the hash of its path.
    """
    source = os.path.dirname(os.path.abspath(kernel.__code__.co_filename))
    folder = f"{Path(source).name}_{sha1(source.encode(), usedforsecurity=False).hexdigest()}"
    module, python = kernel.__module__.rpartition(".")[2], "".join(map(str, sys.version_info[:2]))
    return any((cache_folder() / folder).glob(f"{module}.{kernel.__name__}-*.py{python}*.nbi"))


@cache
def python_machine() -> Machine:
    """Return the machine that runs kernels as Python."""
    return Machine()


@cache
def compiled_machine() -> CompiledMachine | None:
    """Return the machine that compiles kernels, None if numba is not installed."""
    try:
        return CompiledMachine()
    except ImportError:
        return None


def best_machine() -> Machine:
    """Return the compiled machine if numba is installed and not disabled, else the plain one."""
    return (None if os.environ.get(PLAIN) else compiled_machine()) or python_machine()
