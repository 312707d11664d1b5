"""Reversi: a game without lines, on the same board.

A mark turns over the enclosed marks of the other side.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import NamedTuple

from noughts.core.board import Coordinate, index_of
from noughts.core.geometry import Geometry, coordinates
from noughts.games.base import PASS, Annotations, Message, Move, Outcome, Purpose, Termination
from noughts.games.layout import grid_layout
from noughts.games.notation import PassingNotation, check_marks, check_no_extra, refuse_position
from noughts.games.pure import PureGame

SIZE = 8
_SQUARE = Geometry((SIZE, SIZE), 2)
RAYS = tuple(
    tuple(tuple(_SQUARE.ray(index, step, SIZE)) for step in product((-1, 0, 1), repeat=2) if any(step))
    for index in range(SIZE**2)
)
"""For each cell, the indices of the cells from it to the edge in each of eight directions."""


CORNERS = tuple(product((0, SIZE - 1), repeat=2))


def _weight(*cell: int) -> int:
    row, column = (min(part, SIZE - 1 - part) for part in cell)
    if row + column == 0:
        return 4
    if max(row, column) == 1:
        return -2
    return 1 if min(row, column) == 0 else 0


CELL_VALUES = tuple({4: 25, 1: 3, 0: 0, -2: -5}[_weight(*divmod(index, SIZE))] for index in range(SIZE**2))
MOVE_VALUE = 2
"""The values of a mark on each cell, and of each legal move, in :meth:`Reversi.static_evaluation`."""


class ReversiState(NamedTuple):
    """A Reversi position: the marks on the cells in index order, and the side to move."""

    cells: tuple[str | None, ...]
    side: int


class Reversi(PureGame[ReversiState]):
    """Reversi on 8x8. A side that cannot turn over anything passes. If neither can, more marks win.

    >>> game = Reversi()
    >>> game.play((2, 3))
    >>> game[3, 3]
    'X'
    """

    NAME = "reversi"
    SHAPE = (SIZE, SIZE)
    terminations = (Termination.COUNT,)
    notation = PassingNotation(SHAPE, from_top=True)  # the standard notation, with a1 at the top left
    # Most empty cells are closed and blank, so lines are needed.
    layout = replace(grid_layout(SHAPE), ruled=True, from_top=True)
    __slots__ = ()

    def first_state(self) -> ReversiState:
        cells: list[str | None] = [None] * SIZE**2
        middle = SIZE // 2
        for row, column in product((middle - 1, middle), repeat=2):
            cells[row * SIZE + column] = self.sides[row == column]
        return ReversiState(tuple(cells), 0)

    def find_moves(self, state: ReversiState) -> Sequence[Move]:
        return list(_placements(state.cells, self.sides[state.side])) or [PASS]

    def after(self, state: ReversiState, move: Move) -> ReversiState:
        cells = list(state.cells)
        if move != PASS:
            index = move[0] * SIZE + move[1]
            own = self.sides[state.side]
            for turned in (index, *_turned(state.cells, index, own)):
                cells[turned] = own
        return ReversiState(tuple(cells), 1 - state.side)

    def find_outcome(self, state: ReversiState) -> Outcome | None:
        if any(True for mark in self.sides for _ in _placements(state.cells, mark)):
            return None
        one, two = (state.cells.count(mark) for mark in self.sides)
        winner = None if one == two else self.sides[one < two]
        return Outcome(winner, (), Termination.COUNT)

    def cells_of(self, state: ReversiState) -> tuple[str | None, ...]:
        return state.cells

    def read_state(self, cells: Sequence[str | None], side: str | None, extra: str | None) -> ReversiState:
        check_marks(cells, self.sides)
        if side not in self.sides:
            reason = "side-unclear" if side is None else "unknown-side"
            refuse_position(side, reason, allowed=self.sides)
        check_no_extra(extra)
        return ReversiState(tuple(cells), self.sides.index(side))

    def end_text(self, outcome: Outcome) -> Message:
        if outcome.winner is None:
            return super().end_text(outcome)
        own = self.cells.count(outcome.winner)
        others = len(self.cells) - self.cells.count(None) - own
        return Message("wins-by-count", {"own": own, "others": others})

    @property
    def move_texts(self) -> tuple[str, ...]:
        return tuple(map(self.notation.format, (*coordinates(self.SHAPE), PASS)))

    def annotations(self) -> Annotations:
        """Return the number of marks that each legal cell turns over, and the marks of each side."""
        turned = {
            move: ("may", f"turns:{len(_turned(self.cells, index_of(self.shape, move), self.turn))}")
            for move in self.legal_moves()
            if move != PASS
        }
        return Annotations(turned, sides={side: (f"lead:{self.cells.count(side)}",) for side in self.sides})

    def purpose_of(self, move: Move) -> Purpose | None:
        return Purpose("takes-corner") if move in CORNERS else super().purpose_of(move)

    def weight(self, move: Move) -> int:
        """Return a score by place: corners first, edges next, and last the cells that give a corner away."""
        if move == PASS:
            return 0
        return _weight(*move)

    def static_evaluation(self) -> int:
        """Return a score of the corners and edges held and the legal moves, less cells beside corners."""
        own = self.turn
        held = sum(
            value if mark == own else -value
            for value, mark in zip(CELL_VALUES, self.cells, strict=True)
            if mark is not None
        )
        return held + MOVE_VALUE * len(self.legal_moves())


def _placements(cells: Sequence[str | None], own: str) -> Iterator[Coordinate]:
    """Yield the cells where the side with the mark *own* may place."""
    for index, mark in enumerate(cells):
        if mark is None and _turned(cells, index, own):
            yield divmod(index, SIZE)


def _turned(cells: Sequence[str | None], index: int, own: str) -> list[int]:
    """Return the cells that a mark *own* on the cell of *index* turns over."""
    turned: list[int] = []
    for ray in RAYS[index]:
        for length, place in enumerate(ray):
            mark = cells[place]
            if mark is None or mark == own:
                turned += ray[:length] if mark == own else ()
                break
    return turned
