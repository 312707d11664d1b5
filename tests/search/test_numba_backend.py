"""Kernels on both machines, and the cache of compiled kernels."""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import FunctionType, SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest

from noughts.search import numba_backend as compiled
from noughts.search.numba_backend import (
    Bytes,
    CompiledMachine,
    Ints,
    best_machine,
    compiled_machine,
    is_cached,
    python_machine,
)


def add_up(values: Ints, most: int) -> int:
    """Add up some values in a kernel that no other test uses."""
    total = 0
    for value in values:
        if value <= most:
            total += value
    return total


class Both(NamedTuple):
    """Two arrays that belong together."""

    numbers: Ints
    small: Bytes


def count_both(both: Both) -> int:
    """Count the items of both arrays in a kernel that no other test uses."""
    return len(both.numbers) + len(both.small)


def fresh_machine() -> CompiledMachine:
    pytest.importorskip("numba")
    return CompiledMachine()


def test_kernel_results_agree_on_both_machines() -> None:
    for machine in (python_machine(), fresh_machine()):
        assert machine.function(add_up)(machine.array(range(10)), 4) == 10
        assert machine.function(add_up)(machine.zeros(3), 4) == 0
        assert machine.function(add_up) is machine.function(add_up)
        assert list(machine.view(np.arange(6).reshape(2, 3))) == list(range(6))


def test_kernels_accept_named_tuples_of_arrays() -> None:
    both = Both(fresh_machine().array(range(3)), fresh_machine().view(np.zeros(4, np.int8)))
    for machine in (python_machine(), fresh_machine()):
        assert machine.function(count_both)(both) == 7


@pytest.mark.slow
def test_cached_kernel_is_not_compiled_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    assert not is_cached(add_up)
    for hits in range(2):
        machine = fresh_machine()
        assert machine.function(add_up)(machine.array([1, 2]), 9) == 3
        assert sum(machine._compiled[add_up].stats.cache_hits.values()) == hits
        assert is_cached(add_up)


def test_cache_distinguishes_kernels_of_equal_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    machine = fresh_machine()
    twin = FunctionType(add_up.__code__, globals(), "add_up")
    twin.__annotations__, twin.__module__ = add_up.__annotations__, machine.__module__
    assert machine.function(add_up)(machine.array([1, 2]), 1) == 1
    assert [is_cached(add_up), is_cached(twin)] == [True, False]
    assert machine.function(twin)(machine.array([1, 2]), 1) == 1


@pytest.mark.slow
def test_cache_distinguishes_installations(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The same kernel in another folder must be compiled again, which takes long."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    fresh_machine().function(add_up)
    file = str(tmp_path / "search" / Path(add_up.__code__.co_filename).name)
    twin = FunctionType(add_up.__code__.replace(co_filename=file), globals(), "add_up")
    twin.__module__ = add_up.__module__
    assert [is_cached(add_up), is_cached(twin)] == [True, False]


def test_kernel_compiles_without_a_cache() -> None:
    names: dict[str, Any] = {}
    exec("def twice(number: int) -> int:\n    return 2 * number", names)  # No file has this text.
    twice: Callable[[int], int] = names["twice"]
    assert fresh_machine().function(twice)(21) == 42


def test_cache_folder_is_in_user_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for variable in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    assert compiled.cache_folder().parent == tmp_path / ".cache" / "noughts"


def test_cache_folder_needs_no_home(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)
    assert not compiled.cache_folder().is_absolute()


def test_cache_folder_depends_on_kernel_constants(monkeypatch: pytest.MonkeyPatch) -> None:
    folder, read = compiled.cache_folder(), Path.read_bytes
    layouts = ("memory.py", "layout.py")
    monkeypatch.setattr(Path, "read_bytes", lambda path: b"" if path.name in layouts else read(path))
    assert compiled.cache_folder() != folder


def test_best_machine_is_python_without_numba(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert best_machine() is python_machine()
    monkeypatch.delenv(compiled.PLAIN)
    machine = compiled_machine()
    assert best_machine() is (machine or python_machine())
    compiled_machine.cache_clear()
    monkeypatch.setitem(sys.modules, "numba", None)
    try:
        assert best_machine() is python_machine()
    finally:
        compiled_machine.cache_clear()


def test_cache_setting_is_safe_across_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """The setting belongs to the process. If it is restored too early, the other thread writes elsewhere."""
    machine = fresh_machine()
    is_alone: list[bool] = []

    def njit(cache: bool = False, **options: Any) -> Any:
        is_alone.append(compiled._naming_cache.locked())
        return lambda kernel: is_alone.append(compiled._naming_cache.locked())

    machine._registered.update(compiled._kernels)
    monkeypatch.setattr(machine, "_numba", SimpleNamespace(config=SimpleNamespace(CACHE_DIR=""), njit=njit))
    machine._marked(len)
    assert is_alone == [True, True]
    assert not compiled._naming_cache.locked()
