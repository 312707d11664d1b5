"""Calls of the kernels of a batch: data from its rules, and its arrays as arguments."""

from collections.abc import Callable
from copy import copy
from functools import partial
from typing import TYPE_CHECKING, Any, Self

from noughts.batch import falling, kernels, tiny
from noughts.batch import layout as at
from noughts.batch.boards import lines_of, masks_of, neighbours_of, numbers_of
from noughts.batch.layout import Games, PlayoutResults, ScratchBoard
from noughts.games.rules import Rules
from noughts.search.numba_backend import Machine, best_machine

if TYPE_CHECKING:
    from noughts.batch.boards import Array

KERNELS = (
    *(
        kernels.list_legal,
        kernels.observe,
        kernels.count_refused,
        kernels.step,
        kernels.restart,
        kernels.play_out,
    ),
    falling.play_out_falling,
    tiny.play_out_tiny,
)
"""The kernels that a batch calls."""


class KernelCalls:
    """Calls kernels for games under *rules* with room for *capacity* moves each."""

    def __init__(self, rules: Rules, capacity: int) -> None:
        import numpy as np

        self._size = rules.geometry.size
        self.numbers: Array = np.array(numbers_of(rules), np.int64)
        self.neighbours = neighbours_of(rules)
        sets = lines_of(rules)
        self.sets: Array = np.empty(0, np.int8) if sets is None else sets
        """For each set of cells, 1 if it contains a line. Empty on boards with many cells."""
        self.quick = _quick_way(rules, sets)
        """The kernel for random games on small boards, and its table; None on larger boards."""
        self.machine: Machine = best_machine()
        self._viewed: tuple[Any, Any, Any] = (None, None, None)
        self.set_capacity(capacity)

    def copy(self) -> Self:
        """Return a copy for another batch."""
        twin = copy(self)
        twin.numbers = self.numbers.copy()
        return twin

    def set_capacity(self, capacity: int) -> None:
        """Set the number of moves for which each game has room."""
        self.numbers[at.CAPACITY] = capacity

    def check_every_move(self) -> None:
        """Look for wins after every move: the games may not start from the empty board."""
        self.numbers[at.SOONEST] = 0

    def run(self, kernel: Any, *arguments: Any) -> Any:
        """Call *kernel* with the numbers of the rules and *arguments*."""
        return self._bind(kernel, *arguments)()

    def step(self, games: Any, *arguments: Any) -> None:
        """Make moves in *games*."""
        self.run(kernels.step, self.neighbours, self.sets, games, *arguments)

    @property
    def playout_kernel(self) -> Callable[..., Any]:
        """The kernel that plays random games."""
        return kernels.play_out if self.quick is None else self.quick[0]

    def player_out(self, games: Any, results: Any, moves: int) -> Callable[[int, int], int]:
        """Return a function that plays a range of *games* to their end, with up to *moves* moves each.

        It takes the first number and the one after the last, and returns the number of the first game that
        was longer, or OK.
        """
        if self.quick is not None:
            return self._bind(self.quick[0], self.quick[1], games, results)
        return self._bind(kernels.play_out, self.neighbours, self.sets, games, self._scratch(moves), results)

    def play_out(self, games: Any, results: Any, first: int, last: int) -> None:
        """Play games number *first* to *last* - 1 to their end, however long they are."""
        moves = max(self._size, games.moves.shape[1])
        while first != at.OK:
            first = self.player_out(games, results, moves)(first, last)
            moves *= 2  # If marks vanish, a game may have any length.

    def _scratch(self, moves: int) -> Any:
        import numpy as np

        scratch: Any = ScratchBoard
        return scratch(
            cells=np.empty(self._size + 1, np.int8),
            open_cells=np.empty(self._size, np.int32),
            moves=np.empty(moves, np.int32),
        )

    def _bind(self, kernel: Any, *arguments: Any) -> Callable[..., Any]:
        """Return *kernel* with the numbers of the rules and its first *arguments* in the form that it needs.

        The arguments are whole numbers and arrays.
        """
        view = self.machine.view

        def adapted(one: Any) -> Any:
            if isinstance(one, Games):
                return self._flat(one)
            if isinstance(one, tuple):
                return type(one)(*map(view, one))
            return one if isinstance(one, int) else view(one)

        return partial(self.machine.function(kernel), *map(adapted, (self.numbers, *arguments)))

    def _flat(self, games: Any) -> Any:
        """Return *games* in the form that the machine needs. It is cached, since calls may be frequent."""
        machine, viewed, flat = self._viewed
        if machine is not self.machine or viewed is not games:
            flat = Games(*map(self.machine.view, games))
            self._viewed = self.machine, games, flat
        return flat


def empty_results(n: int) -> Any:
    """Return arrays for the winners and plies of *n* games."""
    import numpy as np

    results: Any = PlayoutResults
    return results(winners=np.empty(n, np.int8), plies=np.empty(n, np.int32))


def _quick_way(rules: Rules, sets: "Array | None") -> "tuple[Callable[..., Any], Array] | None":
    """Return a kernel for random games on small boards, and its table; None if the board is too large."""
    if sets is not None:
        return tiny.play_out_tiny, sets
    table = masks_of(rules)
    return None if table is None else (falling.play_out_falling, table)
