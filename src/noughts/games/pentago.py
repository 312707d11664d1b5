"""Pentago: place a mark, then turn a quadrant of the board. Five in a row win."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import product
from typing import Any, NamedTuple

from noughts.core.board import Coordinate, coordinate_of, index_of
from noughts.core.geometry import coordinates
from noughts.errors import NotationError, OccupiedCell
from noughts.games.base import Annotations, Game, Message, Move, Outcome, Termination
from noughts.games.fives import ALL, LINES, SHAPE, SIZE, Fives, FivesState, K, fives_in, has_five
from noughts.games.layout import Layout
from noughts.games.moves import Part
from noughts.games.notation import CellNotation, refuse_position

QUARTER = 3
"""The side of a quadrant."""
BOTH = "both"
"""The termination of a game in which a turn gives both sides five in a row."""

LINE_VALUES = (0, 1, 4, 16, 64)
"""The value of a line, by its number of marks, if all are of one side."""

DIRECTIONS = ("l", "r")
"""Counter-clockwise and clockwise."""


class Twist(NamedTuple):
    """A move: a mark on ``coordinate``, then a quarter turn of ``quadrant``, ``r`` clockwise or ``l`` back.

    Quadrants are counted from 1 in reading order.
    """

    coordinate: Coordinate
    quadrant: int
    direction: str

    @property
    def parts(self) -> tuple[Part, ...]:
        """The cell, then the turn as ``2r``."""
        return (self.coordinate, f"{self.quadrant}{self.direction}")


TWISTS = tuple(
    tuple(Twist(cell, quadrant, direction) for quadrant, direction in product((1, 2, 3, 4), DIRECTIONS))
    for cell in coordinates(SHAPE)
)
"""The eight moves on each cell."""


class TwistNotation(CellNotation):
    """The notation ``8/2r``: a cell by number or by name, then the quadrant and its direction."""

    kind = "twist"

    def parse(self, text: str, game: Game, first: int = 1) -> Move:
        cell, _, turn = text.strip().lower().partition("/")
        place = super().parse(cell, game, first)
        if turn not in (f"{quadrant}{direction}" for quadrant in (1, 2, 3, 4) for direction in DIRECTIONS):
            raise NotationError("move", text.strip(), "turn-missing")
        return Twist(place, int(turn[0]), turn[1])

    def spell(self, move: Move, name: Callable[[Coordinate], str]) -> str:
        return f"{name(move[0])}/{move[1]}{move[2]}"


class Pentago(Fives):
    """Pentago on 6x6: a mark on an empty cell, then a quarter turn of one of the four quadrants.

    Five in a row that the mark completes win before the turn. Otherwise the side with five after the turn
    wins. If both have five, or the board is full, the game is drawn. All eight turns are different moves,
    even if they have the same result.

    >>> game = Pentago()
    >>> game.play(((0, 0), 1, "r"))
    >>> game.cells.index("X"), len(game.legal_moves())
    (2, 280)
    """

    NAME = "pentago"
    MOVES = TWISTS
    terminations = (Termination.LINE, BOTH, Termination.FULL)
    notation = TwistNotation(SHAPE)
    layout = Layout(1, SIZE, SIZE, fields=(QUARTER, QUARTER))
    __slots__ = ()

    def after(self, state: FivesState, move: Move) -> FivesState:
        held = list(state.held)
        held[state.side] |= 1 << index_of(self.shape, move[0])
        if not has_five(held[state.side]):
            held = [turned(mask, move[1], move[2]) for mask in held]
        return FivesState((held[0], held[1]), 1 - state.side)

    def find_outcome(self, state: FivesState) -> Outcome | None:
        fives = [fives_in(held) for held in state.held]
        if all(fives):
            return Outcome(None, (*fives[0], *fives[1]), BOTH)
        for side, whole in zip(self.sides, fives, strict=True):
            if whole:
                return Outcome(side, whole, Termination.LINE)
        return Outcome(None, (), Termination.FULL) if state.taken == ALL else None

    def read_state(self, cells: Sequence[str | None], side: str | None, extra: str | None) -> FivesState:
        state = super().read_state(cells, side, extra)
        one, other = state.held
        if one.bit_count() - other.bit_count() != state.side:
            refuse_position(side, "counts")
        return state

    def _read(self, move: Any, legal: Sequence[Move]) -> Move:
        try:
            cell, quadrant, direction = move
        except (TypeError, ValueError):
            return super()._read(move, legal)
        index = index_of(self.shape, cell)
        twists = [twist for twist in TWISTS[index] if twist[1:] == (quadrant, direction)]
        if twists and self.cells[index] is not None:
            raise OccupiedCell(coordinate_of(self.shape, index), legal)
        return twists[0] if twists else super()._read(move, legal)

    # Metadata

    def end_text(self, outcome: Outcome) -> Message:
        return Message("draw-both") if outcome.termination == BOTH else super().end_text(outcome)

    def annotations(self) -> Annotations:
        """Return the quadrant that the last move turned, and its direction: ``turned:r``."""
        if not self._has_turned:
            return Annotations()
        _, quadrant, direction = self._made[-1]
        return Annotations(fields={quadrant - 1: (f"turned:{direction}",)})

    @property
    def _has_turned(self) -> bool:
        """True if the last move turned a quadrant. A win by the mark ends the game before the turn."""
        if not self._made:
            return False
        before, mark = self._states[-2], 1 << index_of(self.shape, self._made[-1][0])
        return not has_five(before.held[before.side] | mark)

    def last_cells(self) -> tuple[Coordinate, ...]:
        """Return the current cell of the last mark, which may have turned with its quadrant."""
        if not self._made:
            return ()
        cell, quadrant, direction = self._made[-1]
        mark = 1 << index_of(self.shape, cell)
        if self._has_turned:
            mark = turned(mark, quadrant, direction)
        return (coordinate_of(self.shape, mark.bit_length() - 1),)

    def static_evaluation(self) -> int:
        """Return the difference in progress to five in a row, over lines with marks of one side."""
        own, other = self.state.held[self.state.side], self.state.held[1 - self.state.side]
        score = 0
        for mask, _ in LINES:
            mine, theirs = (own & mask).bit_count(), (other & mask).bit_count()
            if not mine or not theirs:
                score += LINE_VALUES[min(mine, K - 1)] - LINE_VALUES[min(theirs, K - 1)]
        return score


def turned(held: int, quadrant: int, direction: str) -> int:
    """Return *held* after a quarter turn of *quadrant*."""
    inside = held & QUADRANTS[quadrant - 1]
    return held ^ inside | _turned_inside(inside, quadrant, direction)


@lru_cache(maxsize=4096)
def _turned_inside(inside: int, quadrant: int, direction: str) -> int:
    """Return *inside*, marks that are all in *quadrant*, after a quarter turn of it."""
    top, left = (QUARTER * part for part in divmod(quadrant - 1, 2))
    turned = 0
    for row, column in product(range(QUARTER), repeat=2):
        if inside >> ((top + row) * SIZE + left + column) & 1:
            down, right = (column, QUARTER - 1 - row) if direction == "r" else (QUARTER - 1 - column, row)
            turned |= 1 << ((top + down) * SIZE + left + right)
    return turned


QUADRANTS = tuple(
    sum(1 << (top + row) * SIZE + left + column for row, column in product(range(QUARTER), repeat=2))
    for top, left in product((0, QUARTER), repeat=2)
)
"""The mask of each quadrant, in reading order."""
