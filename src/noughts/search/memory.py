"""The memory of a search: numbers and arrays that its kernels work on, all in one array."""

from collections.abc import Iterable

from noughts.search.compiled import Ints, Machine

Arrays = dict[int, Iterable[int]]
"""What arrays hold, by the number at which the memory says where they begin."""


def laid_out(numbers: dict[int, int], arrays: Arrays, named: int, machine: Machine) -> Ints:
    """A memory for *machine*: *named* numbers, which say where *arrays* begin too, and these behind them."""
    memory = [0] * named
    for name, number in numbers.items():
        memory[name] = number
    for name, values in arrays.items():
        memory[name] = len(memory)
        memory.extend(values)
    return machine.array(memory)
