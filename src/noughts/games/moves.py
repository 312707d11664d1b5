"""Moves: values that describe, part by part, the choice of the mover.

In most games a move is the coordinate of the mark's final cell. Other games define frozen values of their
own: a chosen mark, a turned block, a pushed row. Each is hashable, has an order, and lists its ``parts`` in
the order in which a person chooses them. A part is a cell to point at, or a short text to choose. Only its
game looks further into a move.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from noughts.core.board import Coordinate
from noughts.errors import IllegalMove, UnknownMark

Part = Coordinate | str
"""A cell to point at, or a text to choose if a cell is not enough."""

Move = tuple[Any, ...]
"""A coordinate, :data:`PASS`, or a game's own value that has ``parts``, such as :class:`Placement`."""


class Placement(NamedTuple):
    """A move with a choice of the mark: ``mark`` is put on ``coordinate``."""

    coordinate: Coordinate
    mark: str

    @property
    def parts(self) -> tuple[Part, ...]:
        """The cell, then the mark."""
        return (self.coordinate, self.mark)


class Pass(tuple[int, ...]):
    """The move that places nothing. Its one instance is :data:`PASS`, which sorts before all other moves."""

    __slots__ = ()

    @property
    def parts(self) -> tuple[Part, ...]:
        """The one text to choose, without a cell."""
        return ("pass",)

    def __repr__(self) -> str:
        return "PASS"


PASS = Pass()


def parts_of(move: Move) -> tuple[Part, ...]:
    """Return the parts of *move* in the order in which its mover chooses them.

    >>> parts_of((1, 1)), parts_of(Placement((1, 1), "O")), parts_of(PASS)
    (((1, 1),), ((1, 1), 'O'), ('pass',))
    """
    parts: tuple[Part, ...] | None = getattr(move, "parts", None)
    return (move,) if parts is None else parts


def cells_of(move: Move) -> tuple[Coordinate, ...]:
    """Return the cells that *move* touches, in the order in which they are pointed at. Empty for a pass.

    >>> cells_of((1, 1)), cells_of(Placement((1, 1), "O")), cells_of(PASS)
    (((1, 1),), ((1, 1),), ())
    """
    return tuple(part for part in parts_of(move) if not isinstance(part, str))


def is_pass(move: Move) -> bool:
    """Return True if *move* is a pass.

    >>> is_pass(PASS), is_pass((1, 1))
    (True, False)
    """
    return parts_of(move) == PASS.parts


def choices_of(move: Move) -> tuple[str, ...]:
    """Return the texts that *move* chooses: a mark, a turn. Empty if its cells are enough.

    >>> choices_of((1, 1)), choices_of(Placement((1, 1), "O"))
    ((), ('O',))
    """
    return tuple(part for part in parts_of(move) if isinstance(part, str))


def read_marked(move: Any, marks: Sequence[str], legal: Callable[[], Sequence[Move]]) -> tuple[Any, str]:
    """Return the cell and the mark of a *move* that names both, in any form of a pair.

    Raises :class:`~noughts.errors.IllegalMove` if *move* is not a pair, with the moves that *legal* returns.
    Raises :class:`~noughts.errors.UnknownMark` for a mark that is not one of *marks*.
    """
    try:
        cell, mark = move
    except (TypeError, ValueError):
        raise IllegalMove(move, legal()) from None
    if mark not in marks:
        raise UnknownMark(mark, marks) if isinstance(mark, str) else IllegalMove(move, legal())
    return cell, mark
