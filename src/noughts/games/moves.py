"""What a move is: a value that says, part by part, what its mover does.

In most games a move is the coordinate where the mark lands. Other games define frozen values of their own: a
mark chosen, a block turned, a row pushed. Each is hashable and has an order, and tells its ``parts``, in the
order in which a person says them: a part is a cell to point at, or a short text to choose. Nothing outside
its game looks further into a move.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from noughts.core.board import Coordinate
from noughts.errors import IllegalMove, UnknownMark

Part = Coordinate | str
"""A cell to point at, or a text to choose where pointing does not tell."""

Move = tuple[Any, ...]
"""A coordinate, :data:`PASS`, or a value of the game's own that has ``parts``, as :class:`Placement`."""


class Placement(NamedTuple):
    """A move of a game whose mover chooses the mark: ``mark`` goes on ``coordinate``."""

    coordinate: Coordinate
    mark: str

    @property
    def parts(self) -> tuple[Part, ...]:
        """The cell, then the mark."""
        return (self.coordinate, self.mark)


class Pass(tuple[int, ...]):
    """The move that places nothing. There is one, :data:`PASS`; it sorts before every other move."""

    __slots__ = ()

    @property
    def parts(self) -> tuple[Part, ...]:
        """One text to choose, and no cell."""
        return ("pass",)

    def __repr__(self) -> str:
        return "PASS"


PASS = Pass()


def parts_of(move: Move) -> tuple[Part, ...]:
    """What the mover of *move* says, part by part.

    >>> parts_of((1, 1)), parts_of(Placement((1, 1), "O")), parts_of(PASS)
    (((1, 1),), ((1, 1), 'O'), ('pass',))
    """
    parts: tuple[Part, ...] | None = getattr(move, "parts", None)
    return (move,) if parts is None else parts


def cells_of(move: Move) -> tuple[Coordinate, ...]:
    """The cells that *move* touches, in the order in which they are pointed at; none of a pass.

    >>> cells_of((1, 1)), cells_of(Placement((1, 1), "O")), cells_of(PASS)
    (((1, 1),), ((1, 1),), ())
    """
    return tuple(part for part in parts_of(move) if not isinstance(part, str))


def is_pass(move: Move) -> bool:
    """Whether *move* is to pass.

    >>> is_pass(PASS), is_pass((1, 1))
    (True, False)
    """
    return parts_of(move) == PASS.parts


def choices_of(move: Move) -> tuple[str, ...]:
    """The texts that *move* chooses: a mark, a turn; none where cells tell everything.

    >>> choices_of((1, 1)), choices_of(Placement((1, 1), "O"))
    ((), ('O',))
    """
    return tuple(part for part in parts_of(move) if isinstance(part, str))


def read_marked(move: Any, marks: Sequence[str], legal: Callable[[], Sequence[Move]]) -> tuple[Any, str]:
    """The cell and the mark of a *move* that names both, in any spelling of a pair.

    Raises :class:`~noughts.errors.IllegalMove` for what is no pair, where *legal* tells the moves that can
    be made, and :class:`~noughts.errors.UnknownMark` for a mark that is not one of *marks*.
    """
    try:
        cell, mark = move
    except (TypeError, ValueError):
        raise IllegalMove(move, legal()) from None
    if mark not in marks:
        raise UnknownMark(mark, marks) if isinstance(mark, str) else IllegalMove(move, legal())
    return cell, mark
