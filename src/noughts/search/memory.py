"""The memory of a search: numbers and flat arrays of numbers under names, on which its kernels work."""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any

NUMBER_BYTES = 8
"""Bytes of a number of a compiled memory or table."""


@dataclass(eq=False)
class Memory:
    """The base of the memory of each search, whose fields are ints and ``Ints``.

    Python works on the object itself, compiled kernels on a :class:`Block` with the same fields.
    """

    @property
    def kind(self) -> "type[Memory]":
        """The class that declares the fields."""
        return type(self)


def field_names(kind: type[Memory]) -> tuple[list[str], list[str]]:
    """The names of the fields that are numbers, and of those that are arrays."""
    numbers = [field.name for field in fields(kind) if field.type is int]
    return numbers, [field.name for field in fields(kind) if field.type is not int]


class Block:
    """A memory as one block of numbers: first the numbers, then the addresses of the arrays, then these.

    It has the fields of the *memory* that it is made of. *block* has room for ``Block.length(memory)``
    numbers; ``address`` is that of the first. By the type *numba_type* numba knows what it gets.
    """

    def __init__(self, memory: Any, block: Any, numba_type: object) -> None:
        numbers, arrays = field_names(memory.kind)
        places: dict[str, Any] = {name: place for place, name in enumerate(numbers)}
        address, begin = block.ctypes.data, len(numbers) + len(arrays)
        self.__dict__.update(kind=memory.kind, address=address, _numba_type_=numba_type)
        self.__dict__.update(_block=block, _places=places)
        for place, name in enumerate(arrays, len(numbers)):
            values = getattr(memory, name)
            places[name] = block[begin : begin + len(values)]
            places[name][:] = [*map(signed, values)] if isinstance(values, list) else values
            block[place] = address + NUMBER_BYTES * begin
            begin += len(values)
        for name in numbers:
            setattr(self, name, getattr(memory, name))

    @staticmethod
    def length(memory: Any) -> int:
        """How many numbers a block of *memory* is."""
        numbers, arrays = field_names(memory.kind)
        return len(numbers) + len(arrays) + sum(len(getattr(memory, name)) for name in arrays)

    def __getattr__(self, name: str) -> Any:
        try:
            place = self._places[name]
        except KeyError:
            raise AttributeError(name) from None
        return int(self._block[place]) if isinstance(place, int) else place

    def __setattr__(self, name: str, value: int) -> None:
        self._block[self._places[name]] = signed(value)


def signed(number: int) -> int:
    """*number* as compiled kernels have it: the last of 64 bits is the sign."""
    return number if number >> 63 <= 0 else number - (1 << 64)


Arrays = dict[int, Iterable[int]]
"""What arrays hold, by the number at which the memory says where they begin."""


def laid_out(numbers: dict[int, int], arrays: Arrays, named: int, machine: Any) -> list[int]:
    """A memory for *machine*: *named* numbers, which say where *arrays* begin too, and these behind them."""
    memory = [0] * named
    for name, number in numbers.items():
        memory[name] = number
    for name, values in arrays.items():
        memory[name] = len(memory)
        memory.extend(values)
    found: list[int] = machine.array(memory)
    return found
