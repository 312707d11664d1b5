"""What compiled kernels have an instruction for is what Python does."""

from pathlib import Path

import pytest

from noughts.search.instructions import count_bits, counting_forward, fetch
from noughts.search.numba_backend import CompiledMachine, Ints


def count_fetched(t: Ints, place: int) -> int:
    """A kernel that uses all of them."""
    fetch(t, place)
    return count_bits(t[place])


def test_both_machines_count_the_same_bits(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pytest.importorskip("numba")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))  # so that it is compiled here
    machine, numbers = CompiledMachine(), [0, 1, 6, 1 << 62, (1 << 62) - 1]
    compiled = machine.function(count_fetched)
    counts = [count_fetched(numbers, place) for place in range(len(numbers))]
    assert counts == [0, 1, 2, 1, 62]
    assert [compiled(machine.array(numbers), place) for place in range(len(numbers))] == counts


def last_of(t: Ints) -> int:
    """No kernel, since it names a place from the end; compiled by who has nothing to do with kernels."""
    return t[-1]


def test_what_others_compile_counts_places_from_the_end() -> None:
    numba = pytest.importorskip("numba")
    machine = CompiledMachine()
    with counting_forward():
        pass
    assert numba.njit(last_of)(machine.array([3, 4, 5])) == 5


def test_numbers_are_those_of_python() -> None:
    pytest.importorskip("numba")
    machine = CompiledMachine()
    assert machine.numbers(machine.array([3, 4])) == [3, 4]
    assert {type(number) for number in machine.numbers(machine.array([3, 4]))} == {int}
