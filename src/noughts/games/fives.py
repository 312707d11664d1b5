"""Games on a board of 6x6 that five in a row of a mark decide, each in its own way."""

from collections.abc import Sequence
from typing import ClassVar, NamedTuple, Self

from noughts.core.board import index_of
from noughts.core.geometry import Line, cells_with, coordinates, lines, mask_of
from noughts.games.base import Move
from noughts.games.notation import check_marks, check_no_extra, refuse_position
from noughts.games.pure import PureGame

SIZE, K = 6, 5
SHAPE = (SIZE, SIZE)

ALL = (1 << SIZE**2) - 1
"""The mask of the full board."""

LINES = tuple((mask_of(index_of(SHAPE, cell) for cell in line.cells), line) for line in lines(SHAPE, K))
"""Each line, preceded by its mask."""

WEIGHTS = {cell: sum(cell in line.cells for _, line in LINES) for cell in coordinates(SHAPE)}
"""The number of lines through each cell."""


def fives_in(held: int) -> tuple[Line, ...]:
    """Return the lines that the cells of the mask *held* fill."""
    return tuple(line for mask, line in LINES if held & mask == mask)


def has_five(held: int) -> bool:
    """Return True if the cells of the mask *held* fill a line."""
    return any(held & mask == mask for mask, _ in LINES)


class FivesState(NamedTuple):
    """The cells with each of the two marks, as masks, and the side to move."""

    held: tuple[int, int]
    side: int

    @property
    def taken(self) -> int:
        """The mask of the cells with a mark."""
        return self.held[0] | self.held[1]


class Fives(PureGame[FivesState]):
    """The shared base of such games: the sides alternate, and each move puts a mark on an empty cell."""

    SHAPE = SHAPE
    MOVES: ClassVar[tuple[tuple[Move, ...], ...]]
    """The moves on each cell, while it is empty."""
    __slots__ = ()

    @property
    def marks(self) -> tuple[str, ...]:
        """The two marks, in the order of :attr:`FivesState.held`: those of the sides, if a side owns one."""
        return self.sides

    def first_state(self) -> FivesState:
        return FivesState((0, 0), 0)

    def find_moves(self, state: FivesState) -> Sequence[Move]:
        taken = state.taken
        return [move for index, moves in enumerate(self.MOVES) if not taken >> index & 1 for move in moves]

    def cells_of(self, state: FivesState) -> tuple[str | None, ...]:
        one, other = state.held
        return tuple(
            self.marks[0] if one >> index & 1 else self.marks[1] if other >> index & 1 else None
            for index in range(SIZE**2)
        )

    def read_state(self, cells: Sequence[str | None], side: str | None, extra: str | None) -> FivesState:
        check_marks(cells, self.marks)
        check_no_extra(extra)
        one, other = (cells_with(cells, mark) for mark in self.marks)
        state = FivesState((one, other), (one | other).bit_count() % 2)
        if side not in (None, self.sides[state.side]):
            refuse_position(side, "counts")
        return state

    def purpose_of(self, move: Move) -> None:
        """Return None: the number of remaining moves is fixed."""

    def with_turn(self, side: str) -> Self:
        return self.from_state(self.state._replace(side=self.sides.index(side)), self.sides)

    @property
    def move_texts(self) -> tuple[str, ...]:
        return tuple(self.notation.format(move) for moves in self.MOVES for move in moves)

    def weight(self, move: Move) -> int:
        """Return the number of lines through the cell."""
        return WEIGHTS[move[0]]
