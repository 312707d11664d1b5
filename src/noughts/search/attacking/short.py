"""Wins by one quiet move or two, after which threats refute what the defender does: proofs of few moves."""

from collections.abc import Callable
from typing import Any

from noughts.search.attacking import layout as at
from noughts.search.compiled import Ints

TRIES = 100
"""Threats that are tried for a sequence."""

MOST_LEFT = 14
"""Quiet moves after which no more replies than so many need another one may win by two."""

CANDIDATES = 6
"""So many of them are looked at, those with the fewest such replies first."""

SECOND_MOVES = 30
"""So many moves, the likeliest, are tried against each of these replies."""

CHAINED = 4
"""So many threats of the defender in a row are followed up."""

Option = tuple[int, list[int]]
"""A quiet move that wins, and the replies after which another one has to come."""


class ShortWins:
    """Looks for short wins in the position of *memory*, where the attacker is to move and nobody is forced.

    It asks *kernels*, and ends when *is_over* says so.
    """

    def __init__(self, memory: Ints, kernels: Any, is_over: Callable[[], bool]) -> None:
        self._memory, self._kernels, self._is_over = memory, kernels, is_over

    def find(self) -> list[Option]:
        """A quiet move that wins by itself; or else moves that win with one other, the likeliest first."""
        self._memory[at.MADE] = 0
        moves = self._likely_moves()
        if (cell := self._winning(moves)) >= 0:
            return [(cell, [])]
        options = [(cell, left) for cell in moves if (left := self._left_after(cell, MOST_LEFT)) is not None]
        options.sort(key=lambda option: len(option[1]))
        return [
            (cell, left)
            for cell, left in options[:CANDIDATES]
            if self._left_after(cell, 0, self._is_won_by_one) == []
        ]

    def _likely_moves(self) -> list[int]:
        """The cells that are of use, the likeliest first; those that make a threat are among them."""
        memory, size = self._memory, self._memory[at.SIZE]
        self._kernels.weigh(memory)
        board, useful, own, theirs = (
            memory[memory[name] : memory[name] + size]
            for name in (at.CELL, at.USEFUL, at.OWN_LOAD, at.THEIR_LOAD)
        )
        cells = [cell for cell in range(size) if board[cell] == at.NOTHING and useful[cell]]
        return sorted(cells, key=lambda cell: -2 * int(own[cell]) - int(theirs[cell]))

    def _winning(self, moves: list[int]) -> int:
        """The first of *moves* after which threats refute every reply; -1 for none."""
        for cell in moves:
            if self._left_after(cell, 0) == []:
                return cell
        return -1

    def _is_won_by_one(self) -> bool:
        return self._winning(self._likely_moves()[:SECOND_MOVES]) >= 0

    def _left_after(
        self, cell: int, most: int, is_won: Callable[[], bool] = lambda: False
    ) -> list[int] | None:
        """The same as :meth:`_replies_left` when the attacker has taken *cell*."""
        memory, kernels = self._memory, self._kernels
        made = int(memory[at.MADE])
        kernels.take(memory, cell, at.ATTACKER)
        is_quiet = kernels.find_threat(memory, cell, at.ATTACKER, -1) < 0 and not self._is_over()
        left = self._replies_left(most, is_won, CHAINED) if is_quiet else None
        kernels.take_back(memory, made)
        return left

    def _replies_left(self, most: int, is_won: Callable[[], bool], chained: int) -> list[int] | None:
        """The replies of the defender, who is to move, that neither threats refute nor *is_won* does.

        None where they are more than *most*, where nothing threatens him, where one of them wins, or where
        more than *chained* of his moves in a row force the attacker's.
        """
        memory, kernels, left = self._memory, self._kernels, list[int]()
        if not kernels.find_sequence(memory, TRIES, -1):
            return None
        kernels.mark_zone(memory)
        zone = memory[memory[at.IN_ZONE] : memory[at.IN_ZONE] + memory[at.SIZE]]
        for cell in [cell for cell, part in enumerate(zone) if part]:
            made = int(memory[at.MADE])
            result = kernels.play(memory, cell, at.DEFENDER)
            replies: list[int] | None = []
            if result == at.REFUTED:
                replies = None
            elif result == at.RUNNING and memory[at.MOVER] == at.DEFENDER:
                replies = self._replies_left(most - len(left), is_won, chained - 1) if chained else None
            elif result == at.RUNNING and not (kernels.find_sequence(memory, TRIES, -1) or is_won()):
                replies = [cell]
            kernels.take_back(memory, made)
            if replies is None:
                return None
            left += [cell] * len(replies)
            if len(left) > most:
                return None
        return left
