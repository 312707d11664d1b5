"""The memory of a search: named numbers and flat arrays of numbers that its kernels work on."""

from dataclasses import dataclass, fields
from functools import cache
from typing import Any, Final, NamedTuple

NUMBER_BYTES = 8
"""The size in bytes of a number in a compiled memory or table."""


@dataclass(eq=False)
class Memory:
    """The base of the memory of each search; its fields are ints and ``Ints``.

    Python works on the object itself, compiled kernels on a :class:`Block` with the same fields.
    """

    @property
    def memory_class(self) -> Any:
        """The class that declares the fields."""
        return type(self)


class Fields(NamedTuple):
    """The names of the fields of a memory by kind: numbers, constant numbers and arrays."""

    numbers: tuple[str, ...]
    facts: frozenset[str]
    arrays: tuple[str, ...]


def zeros(length: int, *names: str) -> dict[str, Any]:
    """Return arrays of *length* zeros under *names*, as arguments for a memory.

    They are ``bytes``: a machine makes an array of numbers of each when it copies the memory.
    """
    return dict.fromkeys(names, bytes(length))


@cache
def fields_of(memory_class: Any) -> Fields:
    """Return the names of the fields of a memory class. A constant number is declared ``Final``."""
    kinds = {field.name: field.type for field in fields(memory_class)}
    numbers = tuple(name for name, kind in kinds.items() if kind in (int, Final[int]))
    facts = frozenset(name for name in numbers if kinds[name] == Final[int])
    return Fields(numbers, facts, tuple(name for name in kinds if name not in numbers))


class Block:
    """A memory as one block of numbers: the numbers, then the addresses of the arrays, then the arrays.

    It has the fields of the given *memory*. *block* has room for ``Block.length(memory)`` numbers, and
    ``address`` is that of the first one. numba recognises the block by *numba_type*.
    """

    def __init__(self, memory: Any, block: Any, numba_type: object) -> None:
        numbers, _, arrays = fields_of(memory.memory_class)
        address, begin = block.ctypes.data, len(numbers) + len(arrays)
        self.memory_class, self.address, self._numba_type_ = memory.memory_class, address, numba_type
        self._numbers = memoryview(block)
        named = [signed(getattr(memory, name)) for name in numbers]
        for name in arrays:
            values, end = getattr(memory, name), begin + len(getattr(memory, name))
            array = self.__dict__[name] = block[begin:end]
            if not isinstance(values, bytes):  # Bytes mean zeros, and *block* is zeroed.
                array[:] = [*map(signed, values)] if isinstance(values, list) else values
            named.append(address + NUMBER_BYTES * begin)
            begin = end
        block[: len(named)] = named

    @staticmethod
    def length(memory: Any) -> int:
        """Return the number of numbers in a block of *memory*."""
        numbers, _, arrays = fields_of(memory.memory_class)
        return len(numbers) + len(arrays) + sum([len(getattr(memory, name)) for name in arrays])


@cache
def block_class(memory_class: Any) -> type[Block]:
    """Return the class of the blocks of one memory class, with a property for each number."""

    def number(place: int) -> property:
        def read(block: Any) -> int:
            return block._numbers[place]  # type: ignore[no-any-return]

        def write(block: Any, value: int) -> None:
            block._numbers[place] = value

        return property(read, write)

    numbers = fields_of(memory_class).numbers
    return type("Block", (Block,), {name: number(place) for place, name in enumerate(numbers)})


def signed(number: int) -> int:
    """Return *number* as compiled kernels have it: the last of 64 bits is the sign."""
    return number if number >> 63 <= 0 else number - (1 << 64)
