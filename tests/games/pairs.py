"""A test game whose moves have three parts: two neighbouring cells and a word."""

from collections.abc import Callable, Sequence
from itertools import product
from typing import NamedTuple

from noughts.core.board import Coordinate
from noughts.errors import IllegalMove, NotationError
from noughts.games.base import Game, Message, Move, Notation, Outcome, Termination
from noughts.games.catalogue import BY_NAME
from noughts.games.entry import Entry
from noughts.games.moves import Part
from noughts.games.notation import CellNotation
from noughts.games.pure import PureGame

WORDS = ("mine", "yours")


class Pair(NamedTuple):
    """A mark of one's own on ``first``, and on ``second`` another one: ``mine`` or ``yours``."""

    first: Coordinate
    second: Coordinate
    word: str

    @property
    def parts(self) -> tuple[Part, ...]:
        return tuple(self)


class PairNotation(CellNotation):
    """The notation ``5-8-mine``, or with letters ``b2-b1-mine``."""

    kind = "pair"

    def parse(self, text: str, game: Game, first: int = 1) -> Move:
        one, _, rest = text.strip().partition("-")
        two, _, word = rest.partition("-")
        if word not in WORDS:
            raise NotationError("move", text, "unreadable")
        return Pair(super().parse(one, game, first), super().parse(two, game, first), word)

    def spell(self, move: Move, name: Callable[[Coordinate], str]) -> str:
        one, two, word = move
        return f"{name(one)}-{name(two)}-{word}"


class PairsState(NamedTuple):
    """The marks on the cells, and the side to move."""

    cells: tuple[str | None, ...]
    side: int


class Pairs(PureGame[PairsState]):
    """3x3: a move fills two neighbouring cells. If there are none left, more marks win."""

    NAME = "pairs"
    SHAPE = (3, 3)
    __slots__ = ()

    def first_state(self) -> PairsState:
        return PairsState((None,) * 9, 0)

    def find_moves(self, state: PairsState) -> Sequence[Move]:
        free = [divmod(index, 3) for index, cell in enumerate(state.cells) if cell is None]
        return [Pair(one, two, word) for one, two, word in product(free, free, WORDS) if _are_near(one, two)]

    def after(self, state: PairsState, move: Move) -> PairsState:
        cells = list(state.cells)
        (row, column), (down, across), word = move
        cells[row * 3 + column] = self.sides[state.side]
        cells[down * 3 + across] = self.sides[state.side if word == "mine" else 1 - state.side]
        return PairsState(tuple(cells), 1 - state.side)

    def find_outcome(self, state: PairsState) -> Outcome | None:
        if self.find_moves(state):
            return None
        one, two = (state.cells.count(mark) for mark in self.sides)
        return Outcome(None if one == two else self.sides[one < two], (), Termination.COUNT)

    def _read(self, move: object, legal: Sequence[Move]) -> Move:
        raise IllegalMove(move, legal)

    def cells_of(self, state: PairsState) -> tuple[str | None, ...]:
        return state.cells

    def side_of(self, state: PairsState) -> int:
        return state.side

    def read_state(self, cells: Sequence[str | None], side: str | None, extra: str | None) -> PairsState:
        return PairsState(tuple(cells), 0 if side is None else self.sides.index(side))

    @property
    def notation(self) -> Notation:
        return PairNotation(self.shape)

    @property
    def rule_text(self) -> tuple[Message, ...]:
        return ()

    def end_text(self, outcome: Outcome) -> Message:
        if outcome.winner is None:
            return super().end_text(outcome)
        own = self.cells.count(outcome.winner)
        return Message("wins-by-count", {"own": own, "others": 9 - self.cells.count(None) - own})


def _are_near(one: Coordinate, two: Coordinate) -> bool:
    return abs(one[0] - two[0]) + abs(one[1] - two[1]) == 1


ENTRY = Entry("pairs", make=lambda _, sides: Pairs(sides=sides), shelf="small", rank=999, sample="")


def announce() -> None:
    """Register the game in the catalogue of this process."""
    BY_NAME["pairs"] = ENTRY
