"""Kernels are made ready beside a search, by another process where no cache has them."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from noughts.search import compiling
from noughts.search.compiled import PLAIN, CompiledMachine, Machine, is_kept, python_machine
from noughts.search.compiling import FEW_SECONDS, Ready, main, make_ready
from noughts.search.exact.position import lift, place
from tests.search.machines import machine_of


@pytest.fixture(autouse=True)
def _nothing_is_ready(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.delenv(PLAIN)
    monkeypatch.setattr(compiling, "_made_ready", {})


@pytest.fixture
def makers(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Callable[[], Machine]], threading.Event]]:
    """Takes what makes kernels ready as soon as the event that it returns is set; all threads end."""
    before = set(threading.enumerate())

    def install(make: Callable[[], Machine]) -> threading.Event:
        may_go_on = threading.Event()

        def wait(kernels: Any) -> Machine:
            may_go_on.wait(60)
            return make()

        monkeypatch.setattr(compiling, "make_ready", wait)
        return may_go_on

    yield install
    end_threads(before)


def end_threads(before: set[threading.Thread]) -> None:
    for thread in set(threading.enumerate()) - before:
        thread.join(60)


def test_python_runs_everything_until_the_compiled_kernels_are_ready(makers: Any) -> None:
    before, faster = set(threading.enumerate()), Machine()
    may_go_on = makers(lambda: faster)
    ready = Ready(place, machine=None, now=iter([0.0, FEW_SECONDS / 2, FEW_SECONDS]).__next__)
    for _ in range(5):
        assert ready() is python_machine()
    assert len(set(threading.enumerate()) - before) == 1
    may_go_on.set()
    end_threads(before)
    assert ready() is faster
    assert Ready(place, machine=None)() is faster  # from the first node on
    assert Ready(lift, machine=None)() is python_machine()


def test_whatever_goes_wrong_python_goes_on(makers: Any) -> None:
    def fail() -> Machine:
        raise OSError

    before = set(threading.enumerate())
    makers(fail).set()
    ready = Ready(place, machine=None, now=iter([0.0, 1.0]).__next__)
    assert [ready(), ready()] == [python_machine()] * 2
    end_threads(before)
    assert ready() is python_machine()


def test_a_machine_that_is_given_is_kept_to() -> None:
    machine = Machine()
    assert Ready(place, machine=machine)() is machine


def test_another_process_compiles_what_no_cache_has() -> None:
    compiled = machine_of("numba")
    assert not is_kept(lift)
    assert make_ready((lift,)) is compiled
    assert is_kept(lift)
    assert make_ready((lift,)) is compiled


def test_what_cannot_be_compiled_or_kept_runs_as_python(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "a file"))
    (tmp_path / "a file").touch()
    assert make_ready((place,)) is python_machine()
    monkeypatch.setenv(PLAIN, "1")
    assert make_ready((place,)) is python_machine()


def test_the_other_process_keeps_what_it_compiles(monkeypatch: pytest.MonkeyPatch) -> None:
    machine_of("numba")
    monkeypatch.setattr(compiling, "best_machine", CompiledMachine)
    main(["noughts.search.exact.position:lift"])
    assert is_kept(lift)
    assert not is_kept(place)
