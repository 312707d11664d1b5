"""Quixo for noughts: take a cube from the edge, push it in from another end of its row or column.

Five in a row win. A side that completes five of the other side loses, even with five of its own at once.
Cubes that are pushed round and round would never end the game, so the third occurrence of a position is a
draw.
"""

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from itertools import product
from typing import NamedTuple

from noughts.core.board import Coordinate
from noughts.core.geometry import Line
from noughts.errors import NotationError
from noughts.games.base import Move, Notation, Outcome, Purpose, Termination
from noughts.games.entry import Entry
from noughts.games.parts_notation import PartsNotation
from noughts.games.pure import PureGame

SIZE = 5
END = SIZE - 1
TIMES = 3
"""The number of occurrences of a position that draws the game."""


class Push(NamedTuple):
    """A move: the cube on ``take`` is pushed in on ``push``."""

    take: Coordinate
    push: Coordinate

    @property
    def parts(self) -> tuple[Coordinate, ...]:
        """The two cells, in the order in which a person points at them."""
        return (self.take, self.push)


class QuixoState(NamedTuple):
    """A Quixo position: the marks, the side to move, and the positions since a blank cube was last taken."""

    cells: tuple[str | None, ...]
    side: int
    past: tuple[tuple[str | None, ...], ...] = ()


class Quixo(PureGame[QuixoState]):
    """Quixo for two.

    >>> game = Quixo()
    >>> len(game.legal_moves())
    44
    >>> game.play(Push((0, 0), (0, 4)))
    >>> game[0, 4]
    'X'
    """

    NAME = "quixo"
    SHAPE = (SIZE, SIZE)
    __slots__ = ()

    def first_state(self) -> QuixoState:
        return QuixoState((None,) * SIZE**2, 0)

    def find_moves(self, state: QuixoState) -> Sequence[Move]:
        own = (None, self.sides[state.side])
        return [
            Push(take, push)
            for take, pushes in _pushes()
            if state.cells[take[0] * SIZE + take[1]] in own
            for push in pushes
        ]

    def after(self, state: QuixoState, move: Move) -> QuixoState:
        (row, column), (down, across) = move
        along_row = row == down
        line = slice(row * SIZE, row * SIZE + SIZE) if along_row else slice(column, None, SIZE)
        cells = list(state.cells)
        moved = cells[line]
        taken = moved.pop(column if along_row else row)
        moved.insert(across if along_row else down, self.sides[state.side])
        cells[line] = moved
        past = () if taken is None else (*state.past, state.cells)
        return QuixoState(tuple(cells), 1 - state.side, past)

    def find_outcome(self, state: QuixoState) -> Outcome | None:
        # The lines of the side to move were completed by the other side, which loses.
        for mark in (self.sides[state.side], self.sides[1 - state.side]):
            lines = tuple(line for line, places in _lines() if {state.cells[at] for at in places} == {mark})
            if lines:
                return Outcome(mark, lines, Termination.LINE)
        # Every second of the past positions has the same side to move.
        if state.past[-2::-2].count(state.cells) + 1 >= TIMES:
            return Outcome(None, (), Termination.REPETITION)
        return None

    def cells_of(self, state: QuixoState) -> tuple[str | None, ...]:
        return state.cells

    def side_of(self, state: QuixoState) -> int:
        return state.side

    def read_state(self, cells: Sequence[str | None], side: str | None, extra: str | None) -> QuixoState:
        if unknown := [cell for cell in cells if cell not in (None, *self.sides)]:
            raise NotationError("position", unknown[0], "unknown-mark", allowed=self.sides)
        if side not in self.sides:
            reason = "side-unclear" if side is None else "unknown-side"
            raise NotationError("position", side or "", reason, allowed=self.sides)
        if extra:
            raise NotationError("position", extra, "extra-not-used")
        return QuixoState(tuple(cells), self.sides.index(side))

    def key(self) -> object:
        return (self.state.cells, self.state.side)

    @property
    def can_repeat(self) -> bool:
        return True

    @property
    def notation(self) -> Notation:
        return PartsNotation(self.shape)

    @property
    def terminations(self) -> tuple[str, ...]:
        return (Termination.LINE, Termination.REPETITION)

    def last_cells(self) -> tuple[Coordinate, ...]:
        """Return the cell where the last cube was pushed in. Another cube is now where it was taken."""
        return (self.moves[-1].push,) if self.moves else ()  # type: ignore[attr-defined]

    def purpose_of(self, move: Move) -> Purpose | None:
        return None

    def static_evaluation(self) -> int:
        """Return a score of the cubes in lines: many in one line count more than as many in several."""
        own = self.turn
        worth = 0
        for _, places in _lines():
            marks = [self.cells[place] for place in places]
            mine = marks.count(own)
            worth += mine**2 - (SIZE - marks.count(None) - mine) ** 2
        return worth


@cache
def _pushes() -> tuple[tuple[Coordinate, tuple[Coordinate, ...]], ...]:
    """Return each cell of the edge, with the ends of its row and column where its cube can be pushed in."""
    cells = [cell for cell in product(range(SIZE), repeat=2) if {0, END} & {*cell}]
    return tuple(
        (
            (row, column),
            tuple(sorted({(row, 0), (row, END), (0, column), (END, column)} - {(row, column)})),
        )
        for row, column in cells
    )


@cache
def _lines() -> tuple[tuple[Line, tuple[int, ...]], ...]:
    """Return each line of five with the indices of its cells."""
    across = [Line(tuple((row, column) for column in range(SIZE)), (0, 1)) for row in range(SIZE)]
    down = [Line(tuple((row, column) for row in range(SIZE)), (1, 0)) for column in range(SIZE)]
    falling = Line(tuple((place, place) for place in range(SIZE)), (1, 1))
    rising = Line(tuple((place, END - place) for place in range(SIZE)), (1, -1))
    lines = (*across, *down, falling, rising)
    return tuple((line, tuple(row * SIZE + column for row, column in line.cells)) for line in lines)


ENTRY = Entry(
    "quixo",
    make=lambda chance, sides: Quixo(sides=sides),
    shelf="small",
    value="draw",
    source="Tanaka and others 2020",
    sample="21-25 23-25 21-25 5-25 15-25 5-25 22-25 5-25 21-25 2-5 3-5 2-5 1-5 2-5",
    locales=files(__name__) / "locales",
)
"""The entry for the catalogue of noughts."""
