"""The machines that run kernels: each test of a search asks both."""

from collections.abc import Callable, Iterable
from time import monotonic
from typing import Self

import pytest

from noughts.games.base import Game
from noughts.games.rules import Rules
from noughts.search.analysis import Limit
from noughts.search.compiled import F, Ints, Machine, PythonMachine, compiled_machine, python_machine

MACHINES = ("python", "numba")


def machine_of(name: str) -> Machine:
    """The machine called *name*; skips where numba is not installed."""
    machine = python_machine() if name == "python" else compiled_machine()
    if machine is None:
        pytest.skip("numba is not installed")
    return machine


class Noting(PythonMachine):
    """Notes when it is asked for a function or for a table."""

    def __init__(self) -> None:
        self.noted: list[str] = []

    def array(self, values: Iterable[int]) -> Ints:
        made = super().array(values)
        if len(made) > 1000:
            self.noted.append("table")
        return made

    def function(self, kernel: F) -> F:
        self.noted.append(kernel.__name__)
        return super().function(kernel)


def noted_limit(machine: Noting, seconds: float) -> Limit:
    """So many seconds; *machine* notes when they begin."""

    class NotedLimit(Limit):
        def started(self, now: Callable[[], float] = monotonic) -> Self:
            machine.noted.append("started")
            return super().started(now)

    return NotedLimit(seconds=seconds)


def rules_of(game: Game) -> Rules:
    """The rules of a game of k in a row."""
    assert game.rules is not None
    return game.rules
