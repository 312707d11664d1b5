"""The machines that run kernels: tests of searches use both."""

import pytest

from noughts.games.base import Game
from noughts.games.rules import Rules
from noughts.search.numba_backend import Machine, compiled_machine, python_machine

MACHINES = ("python", "numba")


def machine_of(name: str) -> Machine:
    """Return the machine called *name*; skip the test if numba is not installed."""
    machine = python_machine() if name == "python" else compiled_machine()
    if machine is None:
        pytest.skip("numba is not installed")
    return machine


def rules_of(game: Game) -> Rules:
    """Return the rules of a game of k in a row."""
    assert game.rules is not None
    return game.rules
