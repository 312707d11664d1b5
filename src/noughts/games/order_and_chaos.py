"""Order and Chaos: Order wants five in a row of either mark, Chaos wants a full board without them."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple, Self

from noughts.core.board import index_of
from noughts.core.geometry import cells_with, coordinates
from noughts.errors import NotationError, OccupiedCell, UnknownMark
from noughts.games.base import Message, Move, Outcome, Termination
from noughts.games.fives import ALL, LINES, SHAPE, WEIGHTS, K, fives_in
from noughts.games.lit_lines import LinesThrough, gather
from noughts.games.moves import Placement, read_marked
from noughts.games.notation import CellNotation, MarkedNotation, Notation
from noughts.games.pure import PureGame

ORDER, CHAOS = "X", "O"
EXHAUSTED = "exhausted"
"""The termination of a game whose board is full without five in a row."""

LINE_VALUES = (1, 2, 6, 18, 60)
"""What a line is worth to Order that has so many marks, all of one kind."""
SPOILT = 4
"""What a line with both marks is worth to Chaos."""


class OrderAndChaosState(NamedTuple):
    """The cells with X and those with O, as masks, and who is to move."""

    crosses: int
    noughts: int
    side: int


class OrderAndChaos(PureGame[OrderAndChaosState]):
    """Order and Chaos on 6x6: Order is X, Chaos is O, and either places either mark.

    Five or more in a row of one mark win for Order, whoever placed them; a full board without them wins
    for Chaos.

    >>> game = OrderAndChaos()
    >>> game.play(((0, 0), "O"))
    >>> game.turn, game[0, 0], len(game.legal_moves())
    ('O', 'O', 70)
    """

    NAME = "order-and-chaos"
    SHAPE = SHAPE
    __slots__ = ()

    def first_state(self) -> OrderAndChaosState:
        return OrderAndChaosState(0, 0, 0)

    def find_moves(self, state: OrderAndChaosState) -> Sequence[Move]:
        taken = state.crosses | state.noughts
        return [move for index, pair in enumerate(PLACEMENTS) if not taken >> index & 1 for move in pair]

    def after(self, state: OrderAndChaosState, move: Move) -> OrderAndChaosState:
        cell, mark = move
        bit = 1 << index_of(self.shape, cell)
        if mark == ORDER:
            return OrderAndChaosState(state.crosses | bit, state.noughts, 1 - state.side)
        return OrderAndChaosState(state.crosses, state.noughts | bit, 1 - state.side)

    def find_outcome(self, state: OrderAndChaosState) -> Outcome | None:
        if whole := fives_in(state.crosses) + fives_in(state.noughts):
            return Outcome(ORDER, whole, Termination.LINE)
        return Outcome(CHAOS, (), EXHAUSTED) if state.crosses | state.noughts == ALL else None

    def cells_of(self, state: OrderAndChaosState) -> tuple[str | None, ...]:
        return tuple(
            ORDER if state.crosses >> index & 1 else CHAOS if state.noughts >> index & 1 else None
            for index in range(len(PLACEMENTS))
        )

    def side_of(self, state: OrderAndChaosState) -> int:
        return state.side

    def read_state(
        self, cells: Sequence[str | None], side: str | None, extra: str | None
    ) -> OrderAndChaosState:
        if unknown := [cell for cell in cells if cell not in (None, *self.SIDES)]:
            raise NotationError("position", unknown[0], "unknown-mark", allowed=self.SIDES)
        if extra:
            raise NotationError("position", extra, "extra-not-used")
        held = [cells_with(cells, mark) for mark in self.SIDES]
        state = OrderAndChaosState(held[0], held[1], (held[0] | held[1]).bit_count() % 2)
        if side not in (None, self.sides[state.side]):
            raise NotationError("position", side or "", "counts")
        self._check_one_mark_made(state)
        return state

    def _check_one_mark_made(self, state: OrderAndChaosState) -> None:
        """Refuse lines that no single mark can have completed."""
        shared = ALL
        for held in state[:2]:
            for mask, _ in LINES:
                if held & mask == mask:
                    shared &= mask
        if not shared:
            raise NotationError("position", "", "lines-apart")

    def _read(self, move: Any, legal: Sequence[Move]) -> Move:
        cell, mark = read_marked(move, self.SIDES, lambda: legal)
        index = index_of(self.shape, cell)
        placed = PLACEMENTS[index][self.SIDES.index(mark)]
        if placed not in legal:
            raise OccupiedCell(placed.coordinate, legal)
        return placed

    def _written(self, coordinate: Iterable[int], mark: str) -> Iterable[Any]:
        if mark not in self.SIDES:
            raise UnknownMark(mark, self.SIDES)
        return (coordinate, mark)

    # What it says of itself

    @property
    def notation(self) -> Notation:
        return MarkedNotation(CellNotation(self.shape), self.SIDES)

    @property
    def terminations(self) -> tuple[str, ...]:
        return (Termination.LINE, EXHAUSTED)

    def end_text(self, outcome: Outcome) -> Message:
        return super().end_text(outcome) if outcome.lines else Message("wins-exhausted")

    def mark_of(self, move: Move) -> str | None:
        return str(move[1])

    def purpose_of(self, move: Move) -> None:
        """Nothing: how many moves are left is always the same."""

    def with_turn(self, side: str) -> Self:
        return self.from_state(self.state._replace(side=self.sides.index(side)), self.sides)

    def lines_through(self, coordinate: Iterable[int]) -> LinesThrough:
        """The lines through a cell; one that bears both marks is closed."""
        bit = 1 << index_of(self.shape, coordinate)
        through = ((tuple(_indices(mask)), ()) for mask, _ in LINES if mask & bit)
        return gather(self.cells, through, self.SIDES)

    def weight(self, move: Move) -> int:
        """How many lines go through the cell."""
        return WEIGHTS[move[0]]

    def static_evaluation(self) -> int:
        """How near Order is to five in a row, in all lines that do not bear both marks."""
        crosses, noughts, _ = self.state
        score = 0
        for mask, _ in LINES:
            one, other = (crosses & mask).bit_count(), (noughts & mask).bit_count()
            score += -SPOILT if one and other else LINE_VALUES[min(one + other, K - 1)]
        return score if self.turn == ORDER else -score


def _indices(mask: int) -> Iterator[int]:
    return (index for index in range(len(PLACEMENTS)) if mask >> index & 1)


PLACEMENTS = tuple((Placement(cell, ORDER), Placement(cell, CHAOS)) for cell in coordinates(SHAPE))
"""Both moves on each cell."""
