"""Rules that forbid open cells to the side to move. A new one is a class and a row of the table below."""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, Self

from noughts.games.renju import RenjuPoints
from noughts.games.rules import Rules


class Restriction(Protocol):
    """The cells that one rule forbids in the current position of a game.

    Cells are identified by their index. The reason of a forbidden cell is a code. ``cell-forbidden-CODE`` and
    ``why-forbidden-CODE`` are the ids of its sentences.
    """

    def forbidden(self) -> Mapping[int, str]:
        """Return the empty cells forbidden to the side to move, each with the reason.

        Sentences list the cells in this order.
        """

    def put(self, index: int) -> None:
        """Record that the side to move has put a mark on the cell of *index*."""

    def lift(self, index: int) -> None:
        """Undo :meth:`put` on the cell of *index*."""

    def copy(self) -> Self:
        """Return an independent copy."""


def _renju(rules: Rules, cells: Sequence[str | None], mover: int) -> Restriction:
    return RenjuPoints(rules.shape, cells, rules.marks[0], mover)


RESTRICTIONS: dict[str, Callable[[Rules, Sequence[str | None], int], Restriction]] = {"renju": _renju}
"""The maker of the restriction of each option that forbids cells.

Each maker gets the rules, the marks on the cells (empty at the usual start), and the number of the side to
move.
"""


def restrictions_of(rules: Rules, cells: Sequence[str | None], mover: int) -> tuple[Restriction, ...]:
    """Return the restrictions of a game of *rules* that starts with marks on *cells*."""
    return tuple(make(rules, cells, mover) for option, make in RESTRICTIONS.items() if option in rules.facts)
