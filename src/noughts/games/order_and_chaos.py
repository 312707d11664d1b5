"""Order and Chaos: Order wants five in a row of either mark, Chaos wants a full board without them."""

from collections.abc import Iterable, Sequence
from functools import reduce
from operator import and_
from typing import Any

from noughts.core.board import index_of
from noughts.core.geometry import coordinates
from noughts.errors import OccupiedCell, UnknownMark
from noughts.games.base import Message, Move, Outcome, Termination
from noughts.games.fives import ALL, LINES, SHAPE, Fives, FivesState, K, fives_in
from noughts.games.lines_through import LinesThrough, collect_lines
from noughts.games.moves import Placement, read_marked
from noughts.games.notation import CellNotation, MarkedNotation, refuse_position

ORDER, CHAOS = "X", "O"
EXHAUSTED = "exhausted"
"""The termination of a game with a full board and no five in a row."""

LINE_VALUES = (1, 2, 6, 18, 60)
"""The value to Order of a line, by its number of marks, if all are of one kind."""
SPOILT = 4
"""The value to Chaos of a line with both marks."""


PLACEMENTS = tuple((Placement(cell, ORDER), Placement(cell, CHAOS)) for cell in coordinates(SHAPE))
"""Both moves on each cell."""


class OrderAndChaos(Fives):
    """Order and Chaos on 6x6: Order is X, Chaos is O, and either places either mark.

    Five or more in a row of one mark win for Order, regardless of their player. A full board without them
    wins for Chaos.

    >>> game = OrderAndChaos()
    >>> game.play(((0, 0), "O"))
    >>> game.turn, game[0, 0], len(game.legal_moves())
    ('O', 'O', 70)
    """

    NAME = "order-and-chaos"
    MOVES = PLACEMENTS
    marks = (ORDER, CHAOS)
    terminations = (Termination.LINE, EXHAUSTED)
    notation = MarkedNotation(CellNotation(SHAPE), marks)
    __slots__ = ()

    def after(self, state: FivesState, move: Move) -> FivesState:
        cell, mark = move
        one, other = state.held
        bit = 1 << index_of(self.shape, cell)
        return FivesState((one | bit, other) if mark == ORDER else (one, other | bit), 1 - state.side)

    def find_outcome(self, state: FivesState) -> Outcome | None:
        if whole := fives_in(state.held[0]) + fives_in(state.held[1]):
            return Outcome(ORDER, whole, Termination.LINE)
        return Outcome(CHAOS, (), EXHAUSTED) if state.taken == ALL else None

    def read_state(self, cells: Sequence[str | None], side: str | None, extra: str | None) -> FivesState:
        state = super().read_state(cells, side, extra)
        whole = [mask for mask, _ in LINES if any(held & mask == mask for held in state.held)]
        if not reduce(and_, whole, ALL):  # no single mark can have completed them
            refuse_position("", "lines-apart")
        return state

    def _read(self, move: Any, legal: Sequence[Move]) -> Move:
        cell, mark = read_marked(move, self.marks, lambda: legal)
        index = index_of(self.shape, cell)
        placed = PLACEMENTS[index][self.marks.index(mark)]
        if placed not in legal:
            raise OccupiedCell(placed.coordinate, legal)
        return placed

    def _move_for_mark(self, coordinate: Iterable[int], mark: str) -> Iterable[Any]:
        if mark not in self.marks:
            raise UnknownMark(mark, self.marks)
        return (coordinate, mark)

    # Metadata

    def end_text(self, outcome: Outcome) -> Message:
        return super().end_text(outcome) if outcome.lines else Message("wins-exhausted")

    def mark_of(self, move: Move) -> str | None:
        return str(move[1])

    def lines_through(self, coordinate: Iterable[int]) -> LinesThrough:
        """Return the lines through a cell. A line with both marks is closed."""
        bit = 1 << index_of(self.shape, coordinate)
        through = [tuple(index_of(SHAPE, cell) for cell in line.cells) for mask, line in LINES if mask & bit]
        return collect_lines(self.cells, ((cells, ()) for cells in through), self.marks)

    def static_evaluation(self) -> int:
        """Return the progress of Order to five in a row, over all lines without both marks."""
        crosses, noughts = self.state.held
        score = 0
        for mask, _ in LINES:
            one, other = (crosses & mask).bit_count(), (noughts & mask).bit_count()
            score += -SPOILT if one and other else LINE_VALUES[min(one + other, K - 1)]
        return score if self.turn == ORDER else -score
