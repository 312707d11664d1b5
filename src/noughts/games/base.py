"""The contract of every game, and the values it speaks in."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Self

from noughts.core.board import Board, Coordinate, Shape, coordinate_of, index_of
from noughts.core.geometry import Line
from noughts.errors import GameOver, OutOfTurn, ShapeError, UnknownMark
from noughts.games.moves import PASS as PASS
from noughts.games.moves import Move as Move
from noughts.games.moves import Placement as Placement

if TYPE_CHECKING:
    from noughts.games.drawing.layout import Layout
    from noughts.games.notation import Notation


class Termination(StrEnum):
    """Why a game ended by its own rules; how a match can end besides stands in ``arena.match``."""

    LINE = "line"
    FULL = "full"
    REPETITION = "repetition"
    COUNT = "count"
    SOLVED = "solved"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: the side that won (None: a draw), the lines that decided it, and why."""

    winner: str | None
    lines: tuple[Line, ...]
    termination: str

    @property
    def line(self) -> Line | None:
        """The first of the lines, None where no line decided."""
        return self.lines[0] if self.lines else None


@dataclass(frozen=True, slots=True)
class Message:
    """The id of a sentence in the message catalogues, with what fills its placeholders."""

    id: str
    data: dict[str, Any] = field(default_factory=dict)


class Game(ABC):
    """A game being played: whose turn it is, what may be done, and how it ended.

    A game refuses what its rules do not allow with a typed error and is then unchanged.
    Anything that orders moves, searches or draws uses only what stands here.
    """

    __slots__ = ("start",)

    start: str | None
    """The position the game started from, as text; None for the usual one."""

    # What a game must answer.

    @property
    @abstractmethod
    def name(self) -> str:
        """What :func:`noughts.new_game` makes this game from."""

    @property
    @abstractmethod
    def shape(self) -> Shape:
        """The side lengths of the board."""

    @property
    @abstractmethod
    def sides(self) -> tuple[str, ...]:
        """The marks that name who plays, in turn order."""

    @property
    @abstractmethod
    def turn(self) -> str:
        """The side to move; after the end, the side that would be."""

    @property
    @abstractmethod
    def moves(self) -> tuple[Move, ...]:
        """The moves made since the start, in order."""

    @property
    @abstractmethod
    def outcome(self) -> Outcome | None:
        """None while the game goes on. The one truth about its end; all else is derived from it."""

    @property
    @abstractmethod
    def cells(self) -> tuple[str | None, ...]:
        """What stands on each cell, in index order; None where nothing does."""

    @abstractmethod
    def legal_moves(self) -> Sequence[Move]:
        """The moves that :meth:`play` accepts now, in the order of their numbers; empty after the end."""

    @abstractmethod
    def play(self, move: Iterable[Any]) -> None:
        """Make *move* for the side to move, or raise a :class:`~noughts.errors.BadInput` (a
        :class:`~noughts.errors.MoveRefused`, :class:`~noughts.errors.CoordinateError` or
        :class:`~noughts.errors.UnknownMark`) and change nothing.
        """

    @abstractmethod
    def undo(self) -> Move:
        """Take the last move back and return it, or raise :class:`~noughts.errors.NothingToUndo`."""

    @abstractmethod
    def copy(self) -> Self:
        """An independent game in the same position, with the same moves."""

    @abstractmethod
    def key(self) -> object:
        """A hashable value, equal for positions with the same future."""

    @property
    @abstractmethod
    def notation(self) -> "Notation":
        """How moves of this game are written."""

    @property
    @abstractmethod
    def layout(self) -> "Layout":
        """How the board is drawn."""

    @property
    @abstractmethod
    def rule_text(self) -> tuple[Message, ...]:
        """The rules, as ids of sentences in the message catalogues."""

    @abstractmethod
    def at(self, cells: Sequence[str | None], side: str | None = None, extra: str | None = None) -> Self:
        """A game of the same rules that starts from another position.

        *side* is to move, None to count it from the marks; *extra* says what the marks do not.
        Raises :class:`~noughts.errors.NotationError` for a position that cannot be.
        """

    # What follows from it.

    @property
    def extra(self) -> str:
        """What the marks on the board do not say, as in the third part of a position."""
        return ""

    @property
    def can_repeat(self) -> bool:
        """Whether a position can come back, so that a value cannot be found by search alone."""
        return False

    @property
    def ply(self) -> int:
        """How many moves have been made since the start."""
        return len(self.moves)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.outcome is not None

    @property
    def winner(self) -> str | None:
        """The side that won; None for a draw and while the game goes on."""
        outcome = self.outcome
        return None if outcome is None else outcome.winner

    @property
    def board(self) -> Board[str | None]:
        """A board with the same cells; writing to it changes nothing here."""
        board: Board[str | None] = Board(self.shape)
        board._cells[:] = self.cells
        return board

    def last_cell(self) -> Coordinate | None:
        """Where the last move landed; None before the first move and after a pass."""
        moves = self.moves
        if not moves or moves[-1] == PASS:
            return None
        move = moves[-1]
        return move.coordinate if isinstance(move, Placement) else move

    def count_of(self, side: str) -> int | None:
        """How many marks *side* has, in games that are won by their number; None in others."""
        return None

    def leaving_cell(self) -> Coordinate | None:
        """The cell whose mark leaves with the next move; None where no mark does."""
        return None

    def weight(self, move: Move) -> int:
        """A rough score of where *move* goes, for players that do not search; more is better."""
        return 0

    def rough_score(self) -> int | None:
        """How the position looks to the side to move, without search: more is better, 0 is even.

        None where nothing is known; searches then find something out for themselves.
        """
        return None

    def _repr_svg_(self) -> str | None:
        """The board as a picture, for notebooks; None where it is too large to draw."""
        from noughts.games.drawing.svg import draw_svg

        try:
            return draw_svg(self)
        except ShapeError:
            return None

    def __getitem__(self, coordinate: Iterable[int]) -> str | None:
        return self.cells[index_of(self.shape, coordinate)]

    def __setitem__(self, coordinate: Iterable[int], mark: str) -> None:
        """A write is a move: *mark* must be the side to move."""
        if self.outcome is not None:
            raise GameOver(coordinate)
        cell = coordinate_of(self.shape, index_of(self.shape, coordinate))
        self.play(self._written(cell, mark))

    def _written(self, coordinate: Iterable[int], mark: str) -> Iterable[Any]:
        """The move that writing *mark* to *coordinate* means."""
        if mark not in self.sides:
            raise UnknownMark(mark, self.sides)
        if mark != self.turn:
            raise OutOfTurn(mark, self.turn)
        return coordinate

    def __copy__(self) -> Self:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self.copy()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}, ply {self.ply}, {self.turn} to move>"
