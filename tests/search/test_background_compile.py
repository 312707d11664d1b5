"""Background compilation: another process prepares kernels if no cache has them."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from noughts.search import background_compile as compiling
from noughts.search.analysis import Limit
from noughts.search.background_compile import (
    SHORT_SEARCH_S,
    Kernels,
    MachineSelector,
    Preparation,
    PreparingClock,
    ensure_compiled,
    main,
    preparing_clock,
)
from noughts.search.exact.position import lift, place
from noughts.search.numba_backend import PLAIN, CompiledMachine, Machine, is_cached, python_machine
from tests.search.machines import machine_of


@pytest.fixture(autouse=True)
def _nothing_is_ready(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Start without loaded or cached kernels; leave no thread behind."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.delenv(PLAIN)
    monkeypatch.setattr(compiling, "_preparations", {})
    before = set(threading.enumerate())
    yield
    end_threads(before)


def end_threads(before: set[threading.Thread]) -> None:
    for thread in set(threading.enumerate()) - before:
        thread.join(60)


def looks(*times: float) -> Callable[[], float]:
    return iter(times).__next__


def test_selector_uses_python_until_kernels_are_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    before, faster, may_go_on, is_loading = (
        set(threading.enumerate()),
        Machine(),
        threading.Event(),
        threading.Event(),
    )

    def load() -> Machine:
        is_loading.set()
        may_go_on.wait(60)
        return faster

    monkeypatch.setattr(compiling, "ensure_compiled", lambda kernels: True)
    monkeypatch.setattr(compiling, "best_machine", load)
    ready = MachineSelector(place, machine=None, now=looks(0.0, SHORT_SEARCH_S / 2, SHORT_SEARCH_S))
    for _ in range(3):
        assert ready() is python_machine()
    assert is_loading.wait(60)
    assert ready() is python_machine()
    monkeypatch.setattr(compiling, "LOADING_S", 2 * compiling.STEP_S)
    # A search that must not stop waits for a limited time.
    for answers in ((True,), (False, True), (False, False)):
        assert ready(iter(answers).__next__) is python_machine()
    assert len(set(threading.enumerate()) - before) == 1
    may_go_on.set()
    end_threads(before)
    assert ready() is faster
    assert MachineSelector(place, machine=None)() is faster  # The given machine is used from the first node.
    assert MachineSelector(lift, machine=None)() is python_machine()


@pytest.mark.parametrize("fault", [OSError, None])
def test_python_continues_after_compiler_errors(
    fault: type[Exception] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(kernels: Kernels) -> bool:
        if fault is not None:
            raise fault
        return False

    before = set(threading.enumerate())
    monkeypatch.setattr(compiling, "ensure_compiled", fail)
    preparation = Preparation((place,))
    end_threads(before)
    assert preparation.machine is python_machine()


def test_selector_keeps_a_given_machine() -> None:
    machine = Machine()
    assert MachineSelector(place, machine=machine)() is machine


@pytest.mark.slow
def test_other_process_compiles_missing_kernels(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    machine_of("numba")
    (tmp_path / "random.py").write_text("raise SystemExit")  # The current folder may contain anything.
    monkeypatch.chdir(tmp_path)
    for _ in range(2):
        assert ensure_compiled((lift,))
    assert is_cached(lift)
    assert not is_cached(place)


def test_ensure_compiled_fails_without_cache_or_compiler(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "a file"))
    (tmp_path / "a file").touch()
    assert not ensure_compiled((place,))
    monkeypatch.setenv(PLAIN, "1")
    assert not ensure_compiled((place,))


def test_main_caches_compiled_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    machine_of("numba")
    monkeypatch.setattr(compiling, "best_machine", CompiledMachine)
    main(["noughts.search.exact.position:lift"])
    assert is_cached(lift)
    assert not is_cached(place)


class FakePreparation:
    """A preparation that records how long it was waited for."""

    def __init__(self, kernels: Kernels) -> None:
        self.waits: list[float] = []

    def join(self, seconds: float) -> None:
        self.waits.append(seconds)


@pytest.mark.parametrize(("is_cached", "waits"), [(True, [0.0, 1.5]), (False, [])])
def test_prepare_waits_only_for_cached_kernels(
    is_cached: bool, waits: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A caller that expects many searches may wait for kernels that need only be loaded."""
    made: dict[Kernels, FakePreparation] = {}
    monkeypatch.setattr(compiling, "_preparations", made)
    monkeypatch.setattr(compiling, "Preparation", FakePreparation)
    monkeypatch.setattr(compiling, "is_cached", lambda kernel: is_cached)
    MachineSelector(place, machine=None).prepare()
    MachineSelector(place, machine=None).prepare(1.5)
    MachineSelector(place, machine=python_machine()).prepare(7)
    assert [one.waits for one in made.values()] == [waits]


def test_join_waits_for_preparation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "ensure_compiled", lambda kernels: False)
    preparation = Preparation((place,))
    preparation.join(60)
    assert not preparation._thread.is_alive()


def test_preparing_clock_pauses_during_preparation() -> None:
    at = [0.0]
    clock = PreparingClock(lambda: at[0])

    def passing(seconds: float) -> float:
        at[0] += seconds
        return clock()

    assert passing(1) == 1
    with clock.paused():
        assert clock.is_paused
        assert passing(5) == 1
        with clock.paused():
            assert passing(5) == 1
        assert passing(5) == 1
    assert not clock.is_paused
    assert passing(2) == 3
    limit = Limit(seconds=4, now=clock).started()
    with clock.paused():
        passing(100)
        assert not limit.stop()
    passing(3)
    assert not limit.stop()
    passing(1)
    assert limit.stop()
    with clock.paused():  # The clock does not wait for a compiler that hangs.
        assert passing(1000) > 800


def test_preparation_pauses_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    standing = []
    monkeypatch.setattr(
        compiling, "ensure_compiled", lambda kernels: standing.append(preparing_clock.is_paused)
    )
    Preparation(()).join(60)
    assert standing == [True]
