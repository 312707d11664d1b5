"""The base of games written as a value and four functions of it: the shortest way to a new game.

The state is an immutable value. A subclass defines the first state, the legal moves, the state after a move,
and the outcome. This base derives playing, undoing and refusing from them.
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
    """A game with one immutable, hashable value as its whole position."""

    __slots__ = ("_made", "_sides", "_states", "outcome")

    NAME: ClassVar[str]
    SHAPE: ClassVar[Shape]
    outcome: Outcome | None
    SIDES: ClassVar[tuple[str, ...]] = ("X", "O")
    """The sides in turn order. A game can be made with another order in :attr:`sides`."""

    def __init__(self, state: State | None = None, *, sides: Sequence[str] = ()) -> None:
        self.start = None
        self._sides = check_sides(sides, self.SIDES)
        self._states = [self.first_state() if state is None else state]
        self._made: list[Move] = []
        self.outcome = self.find_outcome(self._states[-1])

    # Members that a subclass defines

    def first_state(self) -> State:
        """Return the state before the first move."""
        raise NotImplementedError

    @abstractmethod
    def find_moves(self, state: State) -> Sequence[Move]:
        """Return the moves that *state* allows, in the order of their numbers. Not called after the end."""

    @abstractmethod
    def after(self, state: State, move: Move) -> State:
        """Return the state after *move*, which :meth:`find_moves` allows."""

    @abstractmethod
    def find_outcome(self, state: State) -> Outcome | None:
        """Return the end of the game, or None while it continues."""

    @abstractmethod
    def cells_of(self, state: State) -> tuple[str | None, ...]:
        """Return the mark on each cell."""

    def side_of(self, state: State) -> int:
        """Return the number of the side to move: by default the ``side`` of *state*."""
        return int(state.side)  # type: ignore[attr-defined]

    # Derived members

    @property
    def state(self) -> State:
        """The value of the position."""
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
        """Return the legal move that *move* means in another form, or the error that describes the fault."""
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
        """Return a game that starts from *state*."""
        game = object.__new__(cls)
        PureGame.__init__(game, state, sides=sides)
        return game

    @abstractmethod
    def read_state(self, cells: Sequence[str | None], side: str | None, extra: str | None) -> State:
        """Return the state of a position as text.

        Raises :class:`~noughts.errors.NotationError` if the position is impossible.
        """

    def purpose_of(self, move: Move) -> Purpose | None:
        """Return the number of moves that remain to the other side."""
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
    """Return *sides* as a turn order of the *known* ones. An empty tuple means the usual order."""
    if sides and sorted(sides) != sorted(known):
        raise RulesError("sides", allowed=known)
    return tuple(sides) or known
