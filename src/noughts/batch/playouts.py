"""Random games from one position after another, by the kernels of batches where they play by its rules."""

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
"""So many moves a cell a random game has at most where marks vanish or positions may come again."""


def playouts_of(game: Game, chance: Random) -> Callable[[Game], int]:
    """What plays a position of *game* to its end at random and tells the number of the winner, -1 for a draw.

    The kernels are compiled beside what is going on, and come to the same before that. Where marks vanish,
    and without NumPy, a copy of the game itself plays.
    """
    return _player_of(game, chance).winner


def prepare_playouts(game: Game) -> None:
    """Load what plays positions of *game* at random; what is to be compiled first is not waited for."""
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
    """What compiles *kernel* for all searches: each may be short, but they may be many."""
    return MachineSelector(kernel, machine=None)


class _ByKernels:
    """A batch of one game, on which each position is put."""

    def __init__(self, batch: Batch) -> None:
        self._batch, self._calls, self._results = batch, batch._calls, empty_results(1)
        self._select_machine = _selector_for(self._calls.playout_kernel)
        self._use(self._select_machine())

    def _use(self, machine: Machine) -> None:
        """Let *machine* play; what the kernel is given stays the same for all positions."""
        self._calls.machine, size = machine, self._batch.rules.geometry.size
        self._play_out = self._calls.player_out(self._batch._games, self._results, size)

    def prepare(self) -> None:
        """Wait until the kernel is loaded, if that is all that is to be done."""
        self._select_machine.prepare(PREPARING_S)

    def winner(self, game: Game) -> int:
        """The winner of one random game."""
        if (machine := self._select_machine()) is not self._calls.machine:
            self._use(machine)
        self._batch.set_position(0, game)
        self._play_out(0, 1)
        return int(self._results.winners[0])


class _ByGame:
    """Plays the game itself."""

    def __init__(self, chance: Random) -> None:
        self._chance = chance

    def prepare(self) -> None:
        """There is nothing to load."""

    def winner(self, game: Game) -> int:
        """The winner of one random game; one that goes on for long is drawn."""
        game = game.copy()
        for _ in range(MAX_LENGTH * len(game.cells)):
            if game.outcome is not None:
                break
            game.play(self._chance.choice(game.legal_moves()))
        winner = game.winner
        return DRAWN if winner is None else game.sides.index(winner)
