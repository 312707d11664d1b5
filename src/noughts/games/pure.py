"""A game written as a value and four functions of it: the shortest way to a new game.

The state is an immutable value. A subclass says what the first one is, which moves it allows, what
comes after a move and how it ends; playing, undoing and refusing follow from that.
"""

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Generic, Self, TypeVar

from noughts.core.board import Shape, coordinate_of, index_of
from noughts.errors import GameOver, IllegalMove, NothingToUndo, OccupiedCell, RulesError
from noughts.games.base import PASS, Game, Message, Move, Notation, Outcome, Purpose
from noughts.games.layout import Layout, grid_layout
from noughts.games.notation import CellNotation, check_count

State = TypeVar("State")


class PureGame(Game, Generic[State]):
    """A game whose whole position is one immutable, hashable value."""

    __slots__ = ("_made", "_sides", "_states", "outcome")

    NAME: ClassVar[str]
    SHAPE: ClassVar[Shape]
    outcome: Outcome | None
    SIDES: ClassVar[tuple[str, ...]] = ("X", "O")
    """The sides in turn order, unless a game is made with its :attr:`sides` in another."""

    def __init__(self, state: State | None = None, *, sides: Sequence[str] = ()) -> None:
        self.start = None
        self._sides = check_sides(sides, self.SIDES)
        self._states = [self.first_state() if state is None else state]
        self._made: list[Move] = []
        self.outcome = self.find_outcome(self._states[-1])

    # What a subclass says.

    def first_state(self) -> State:
        """The state before the first move."""
        raise NotImplementedError

    @abstractmethod
    def find_moves(self, state: State) -> Sequence[Move]:
        """The moves that *state* allows, in the order of their numbers; not asked for after the end."""

    @abstractmethod
    def after(self, state: State, move: Move) -> State:
        """The state after *move*, which :meth:`find_moves` allows."""

    @abstractmethod
    def find_outcome(self, state: State) -> Outcome | None:
        """How the game ended, None while it goes on."""

    @abstractmethod
    def cells_of(self, state: State) -> tuple[str | None, ...]:
        """What stands on each cell."""

    def side_of(self, state: State) -> int:
        """The number of the side to move; the ``side`` of *state*, unless a game says otherwise."""
        return int(state.side)  # type: ignore[attr-defined]

    # What follows.

    @property
    def state(self) -> State:
        """The value that is the position."""
        return self._states[-1]

    @property
    def name(self) -> str:
        return self.NAME

    @property
    def shape(self) -> Shape:
        return self.SHAPE

    @property
    def sides(self) -> tuple[str, ...]:
        return self._sides

    @property
    def turn(self) -> str:
        return self._sides[self.side_of(self.state)]

    @property
    def cells(self) -> tuple[str | None, ...]:
        return self.cells_of(self.state)

    @property
    def moves(self) -> tuple[Move, ...]:
        return tuple(self._made)

    def legal_moves(self) -> Sequence[Move]:
        return [] if self.outcome else self.find_moves(self.state)

    def play(self, move: Iterable[Any]) -> None:
        if self.outcome is not None:
            raise GameOver(move)
        legal = self.legal_moves()
        made = legal[legal.index(move)] if move in legal else self._read(move, legal)
        state = self.after(self.state, made)
        self._states.append(state)
        self._made.append(made)
        self.outcome = self.find_outcome(state)

    def _read(self, move: Any, legal: Sequence[Move]) -> Move:
        """The legal move that *move* means in another spelling, or the error that says what is wrong."""
        if hasattr(move, "parts"):
            raise IllegalMove(move, legal)
        index = index_of(self.shape, move)
        cell = coordinate_of(self.shape, index)
        if cell in legal:
            return cell
        taken = self.cells[index] is not None and not self.layout.tiles
        raise (OccupiedCell if taken else IllegalMove)(cell, legal)

    def undo(self) -> Move:
        if not self._made:
            raise NothingToUndo
        move = self._made.pop()
        self._states.pop()
        self.outcome = None
        return move

    def copy(self) -> Self:
        twin = object.__new__(type(self))
        twin.start, twin.outcome, twin._sides = self.start, self.outcome, self._sides
        twin._states, twin._made = self._states.copy(), self._made.copy()
        return twin

    def key(self) -> object:
        return self.state

    def at(self, cells: Sequence[str | None], side: str | None = None, extra: str | None = None) -> Self:
        check_count(cells, self.shape)
        return self.from_state(self.read_state(cells, side, extra), self._sides)

    @classmethod
    def from_state(cls, state: State, sides: Sequence[str] = ()) -> Self:
        """A game that starts from *state*."""
        game = object.__new__(cls)
        PureGame.__init__(game, state, sides=sides)
        return game

    @abstractmethod
    def read_state(self, cells: Sequence[str | None], side: str | None, extra: str | None) -> State:
        """The state of a position as text; :class:`~noughts.errors.NotationError` where it cannot be."""

    def purpose_of(self, move: Move) -> Purpose | None:
        """How many moves are left to the other side."""
        after = self.copy()
        after.play(move)
        if after.outcome is not None or len(self.sides) != 2:
            return None
        replies = sum(reply != PASS for reply in after.legal_moves())
        return Purpose("leaves", {"replies": replies}) if replies else Purpose("leaves-pass")

    @property
    def notation(self) -> Notation:
        return CellNotation(self.shape)

    @property
    def layout(self) -> Layout:
        return grid_layout(self.shape)

    @property
    def rule_text(self) -> tuple[Message, ...]:
        return (Message(f"rules-{self.NAME}"),)


def check_sides(sides: Sequence[str], known: tuple[str, ...]) -> tuple[str, ...]:
    """*sides* as a turn order of the *known* ones; none stand for the usual order."""
    if sides and sorted(sides) != sorted(known):
        raise RulesError("sides", allowed=known)
    return tuple(sides) or known
