"""Random games from one position after another, by the kernels of batches if they handle the rules."""

from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from random import Random
from typing import Any

from noughts.batch.batch import Batch
from noughts.batch.boards import check_rules
from noughts.batch.calls import empty_results
from noughts.errors import UnsupportedRules
from noughts.games.base import Game
from noughts.search.background_compile import PREPARING_S, MachineSelector
from noughts.search.numba_backend import Machine

DRAWN = -1

SEEDS = 1 << 63

MAX_LENGTH = 4
"""The maximum number of moves per cell of a random game in which marks vanish or positions can repeat."""


def playouts_of(game: Game, chance: Random) -> Callable[[Game], int]:
    """Return a function that plays a position of *game* to its end at random and returns the winner's number.

    It is -1 for a draw. The kernels are compiled in the background, with the same results before that. If
    marks vanish, or without NumPy, a copy of the game itself is played.
    """
    return _player_of(game, chance).winner


def prepare_playouts(game: Game) -> None:
    """Load the code for random games of *game*. Kernels that must be compiled first are not waited for."""
    _player_of(game, Random(0)).prepare()


def _player_of(game: Game, chance: Random) -> "_ByKernels | _ByGame":
    rules = game.rules
    if rules is not None and game.facts == rules.facts and not rules.vanish and find_spec("numpy"):
        try:
            check_rules(rules)
        except UnsupportedRules:
            pass
        else:
            return _ByKernels(Batch(rules, 1, chance.randrange(SEEDS)))
    return _ByGame(chance)


@cache
def _selector_for(kernel: Callable[..., Any]) -> MachineSelector:
    """Return the selector of the machine for *kernel*, shared by all searches: each may be short."""
    return MachineSelector(kernel, machine=None)


class _ByKernels:
    """Plays random games with a batch of one game, on which each position is set."""

    def __init__(self, batch: Batch) -> None:
        self._batch, self._calls, self._results = batch, batch._calls, empty_results(1)
        self._select_machine = _selector_for(self._calls.playout_kernel)
        self._switch_machine(self._select_machine())

    def _switch_machine(self, machine: Machine) -> None:
        """Play on *machine*. The arguments of the kernel stay the same for all positions."""
        self._calls.machine, size = machine, self._batch.rules.geometry.size
        self._play_out = self._calls.player_out(self._batch._games, self._results, size)

    def prepare(self) -> None:
        """Wait until the kernel is loaded, unless it must be compiled first."""
        self._select_machine.prepare(PREPARING_S)

    def winner(self, game: Game) -> int:
        """Play one random game and return the number of its winner, -1 for a draw."""
        if (machine := self._select_machine()) is not self._calls.machine:
            self._switch_machine(machine)
        self._batch.set_position(0, game)
        self._play_out(0, 1)
        return int(self._results.winners[0])


class _ByGame:
    """Plays random games with the game itself."""

    def __init__(self, chance: Random) -> None:
        self._chance = chance

    def prepare(self) -> None:
        """Do nothing: there is nothing to load."""

    def winner(self, game: Game) -> int:
        """Play one random game and return the number of its winner; -1 for a draw or a very long game."""
        game = game.copy()
        for _ in range(MAX_LENGTH * len(game.cells)):
            if game.outcome is not None:
                break
            game.play(self._chance.choice(game.legal_moves()))
        winner = game.winner
        return DRAWN if winner is None else game.sides.index(winner)
