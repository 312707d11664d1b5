"""Processor instructions in compiled kernels agree with Python."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from noughts.search.instructions import count_bits, fetch, no_negative_indices
from noughts.search.memory import Memory
from noughts.search.numba_backend import CompiledMachine, Ints, python_machine


def count_fetched(t: Ints, place: int) -> int:
    """Use both instructions in one kernel."""
    fetch(t, place)
    return count_bits(t[place])


def test_both_machines_count_the_same_bits(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pytest.importorskip("numba")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))  # The kernel must be compiled here.
    machine, numbers = CompiledMachine(), [0, 1, 6, 1 << 62, (1 << 62) - 1]
    compiled = machine.function(count_fetched)
    counts = [count_fetched(numbers, place) for place in range(len(numbers))]
    assert counts == [0, 1, 2, 1, 62]
    assert [compiled(machine.array(numbers), place) for place in range(len(numbers))] == counts


@dataclass(kw_only=True, eq=False)
class Counter(Memory):
    """A memory with a field of each kind."""

    step: Final[int]
    total: int = 0
    parts: list[int]


def add_parts(m: Counter, limit: int) -> int:
    """Read and write each kind of field."""
    for place in range(limit):
        m.parts[place] += m.step
        m.total += m.parts[place]
    return m.parts[limit - 1]


def test_kernels_share_the_fields_of_a_memory(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pytest.importorskip("numba")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    for machine in (python_machine(), CompiledMachine()):
        memory = machine.memory(Counter(step=3, parts=[5, 1 << 63, 0]))
        memory.total += 1
        assert machine.function(add_parts)(memory, 1) == 8
        assert (memory.total, list(memory.parts)) == (9, [8, machine.word(1 << 63), 0])
        copied = python_machine().memory(memory)
        assert (copied.step, copied.total, copied.parts) == (3, 9, [8, machine.word(1 << 63), 0])
        assert len(machine.memory(Counter(step=0, parts=bytes(4))).parts) == 4  # type: ignore[arg-type]
        with pytest.raises(AttributeError):
            memory.missing  # type: ignore[attr-defined]  # noqa: B018


def last_of(t: Ints) -> int:
    """Return the last item; this is no kernel, since it uses a negative index."""
    return t[-1]


def test_other_functions_keep_negative_indices() -> None:
    numba = pytest.importorskip("numba")
    machine = CompiledMachine()
    with no_negative_indices():
        pass
    assert numba.njit(last_of)(machine.array([3, 4, 5])) == 5
