"""The machines that run kernels: each test of a search asks both."""

import pytest

from noughts.games.base import Game
from noughts.games.rules import Rules
from noughts.search.numba_backend import Machine, compiled_machine, python_machine

MACHINES = ("python", "numba")


def machine_of(name: str) -> Machine:
    """The machine called *name*; skips where numba is not installed."""
    machine = python_machine() if name == "python" else compiled_machine()
    if machine is None:
        pytest.skip("numba is not installed")
    return machine


def rules_of(game: Game) -> Rules:
    """The rules of a game of k in a row."""
    assert game.rules is not None
    return game.rules
