"""The contract of every game, and the values that it uses."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol, Self

from noughts.core.board import Board, Coordinate, Shape, coordinate_of, index_of
from noughts.core.geometry import Line
from noughts.errors import GameOver, OutOfTurn, ShapeError, UnknownMark
from noughts.games.annotations import Annotations as Annotations
from noughts.games.lines_through import LinesThrough
from noughts.games.moves import PASS as PASS
from noughts.games.moves import Move as Move
from noughts.games.moves import Placement as Placement
from noughts.games.moves import cells_of
from noughts.games.rules import Rules

if TYPE_CHECKING:
    from noughts.games.layout import Layout


class Termination(StrEnum):
    """The reasons why our games end by their own rules. ``arena.match`` has the other ends of a match.

    A game may end in other ways, which its :attr:`~Game.terminations` list.
    """

    LINE = "line"
    FULL = "full"
    REPETITION = "repetition"
    COUNT = "count"
    SOLVED = "solved"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a game: the side that won (None: a draw), the lines that decided it, and the reason.

    Winning cells that do not form a straight line are a line without a step. All cells of a line have one
    mark.
    """

    winner: str | None
    lines: tuple[Line, ...]
    termination: str

    @property
    def line(self) -> Line | None:
        """The first of the lines, or None if no line decided."""
        return self.lines[0] if self.lines else None

    @property
    def is_by_lines(self) -> bool:
        """True if straight lines decided the game. Such lines have names: row 2, the main diagonal."""
        return bool(self.lines) and all(line.step for line in self.lines)


@dataclass(frozen=True, slots=True)
class Message:
    """The id of a sentence in the message catalogues, and the data for its placeholders."""

    id: str
    data: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Purpose:
    """The reason for a move by experience: a code and its data. The sentence has the id ``reason-CODE``.

    In the data ``field`` is a tuple of coordinates, ``replies`` a number of moves.
    """

    code: str
    data: dict[str, Any] = field(default_factory=dict)


class Notation(Protocol):
    """The notation of the moves of one game."""

    kind: str
    """The name of a move in prompts: ``cell``, ``column``, ``marked`` or a game's own word.

    The sentence with the id ``accepted-`` and this word describes the accepted spellings of a move.
    """
    count: int
    """The number of cells or columns with a number."""

    def parse(self, text: str, game: "Game", first: int = 1) -> Move:
        """Return the move that *text* means in *game*, with cells numbered from *first*.

        The move need not be legal. Raises :class:`~noughts.errors.NotationError`, or
        :class:`~noughts.errors.OccupiedCell` for a column that is full.
        """

    def format(self, move: Move, first: int = 1) -> str:
        """Return *move* as text, which :meth:`parse` reads back."""

    def spell(self, move: Move, name: Callable[[Coordinate], str]) -> str:
        """Return *move* as people read it, with the *name* of each cell. :meth:`parse` reads it back too."""


class Game(ABC):
    """A game in progress: the side to move, the legal moves, and the outcome.

    A game rejects a move that its rules do not allow with a typed error, and is then unchanged. Code that
    orders moves, searches or draws uses only the members of this class.
    """

    __slots__ = ("start",)

    start: str | None
    """The position the game started from, as text, or None for the usual one."""

    # Members that each game must define.

    @property
    @abstractmethod
    def name(self) -> str:
        """The name or spec from which :func:`noughts.new_game` makes this game."""

    @property
    @abstractmethod
    def shape(self) -> Shape:
        """The side lengths of the board."""

    @property
    @abstractmethod
    def sides(self) -> tuple[str, ...]:
        """The sides in turn order, each named by its mark."""

    @property
    @abstractmethod
    def turn(self) -> str:
        """The side to move. After the end, the side that would be to move."""

    @property
    @abstractmethod
    def moves(self) -> tuple[Move, ...]:
        """The moves made since the start, in order."""

    @property
    @abstractmethod
    def outcome(self) -> Outcome | None:
        """The end of the game, or None while the game continues.

        All other facts about the end derive from it.
        """

    @property
    @abstractmethod
    def cells(self) -> tuple[str | None, ...]:
        """The mark on each cell in index order, None for an empty cell."""

    @abstractmethod
    def legal_moves(self) -> Sequence[Move]:
        """Return the moves that :meth:`play` accepts now, in the order of their numbers.

        Empty after the end.
        """

    @abstractmethod
    def play(self, move: Iterable[Any]) -> None:
        """Make *move* for the side to move.

        Raises a :class:`~noughts.errors.BadInput` and changes nothing if the move cannot be made. That is a
        :class:`~noughts.errors.MoveRefused`, :class:`~noughts.errors.CoordinateError` or
        :class:`~noughts.errors.UnknownMark`.
        """

    @abstractmethod
    def undo(self) -> Move:
        """Take the last move back and return it, or raise :class:`~noughts.errors.NothingToUndo`."""

    @abstractmethod
    def copy(self) -> Self:
        """Return an independent game in the same position, with the same moves."""

    @abstractmethod
    def key(self) -> object:
        """Return a hashable value, equal for positions with the same future."""

    @property
    @abstractmethod
    def notation(self) -> Notation:
        """The notation of the game's moves."""

    @property
    @abstractmethod
    def layout(self) -> "Layout":
        """The layout of the drawn board."""

    @property
    @abstractmethod
    def rule_text(self) -> tuple[Message, ...]:
        """The rules, as ids of sentences in the message catalogues."""

    @abstractmethod
    def at(self, cells: Sequence[str | None], side: str | None = None, extra: str | None = None) -> Self:
        """Return a game of the same rules that starts from another position.

        *side* is to move, or None to derive it from the number of marks. *extra* is the part of the position
        that the marks do not show. Raises :class:`~noughts.errors.NotationError` for an impossible position.
        """

    # Members derived from those above.

    @property
    def extra(self) -> str:
        """The part of the position that the marks do not show, as in the third part of its text."""
        return ""

    @property
    def can_repeat(self) -> bool:
        """True if a position can come back, so that search alone cannot find a value."""
        return False

    @property
    def ply(self) -> int:
        """The number of moves made since the start."""
        return len(self.moves)

    @property
    def movers(self) -> tuple[str, ...]:
        """The side that made each of :attr:`moves`.

        The sides need not alternate if the game started from a position.
        """
        position, sides = self.copy(), list[str]()
        while position.ply:
            position.undo()
            sides.append(position.turn)
        return tuple(reversed(sides))

    @property
    def is_over(self) -> bool:
        """True if the game has ended."""
        return self.outcome is not None

    @property
    def winner(self) -> str | None:
        """The side that won, or None for a draw and while the game goes on."""
        outcome = self.outcome
        return None if outcome is None else outcome.winner

    @property
    def board(self) -> Board[str | None]:
        """A board with the same cells. A change to it does not change the game."""
        board: Board[str | None] = Board(self.shape)
        board._cells[:] = self.cells
        return board

    # Members with defaults, which a game overrides if it differs.

    @property
    def rules(self) -> Rules | None:
        """The rules of k in a row, or None for a game of another kind."""
        return None

    @property
    def facts(self) -> frozenset[str]:
        """The particular facts of the rules, a word for each.

        Code that relies on rules lists the facts that it handles, and refuses games with other facts. Code
        that only plays and undoes moves can ignore them.
        """
        return frozenset((type(self).__name__,))

    @property
    def terminations(self) -> tuple[str, ...]:
        """The codes of the ways in which the game can end by its own rules."""
        return (Termination.LINE, Termination.FULL)

    def end_text(self, outcome: Outcome) -> Message:
        """Return the sentence that describes *outcome*, an end by the game's own rules.

        Interfaces fill ``winner`` and ``loser``. If straight lines decided the game, they name them instead.
        """
        if outcome.winner is None:
            return Message(f"draw-{outcome.termination}", {"count": self.ply})
        return Message(f"wins-{outcome.termination}")

    def annotations(self) -> Annotations:
        """Return the annotations of the position.

        By default: the legal cells, if not all empty cells are legal.
        """
        cells = dict.fromkeys(cell for move in self.legal_moves() for cell in cells_of(move)[:1])
        if len(cells) == self.cells.count(None):
            return Annotations()
        return Annotations(dict.fromkeys(cells, ("may",)))

    @property
    def move_texts(self) -> tuple[str, ...] | None:
        """The texts of all moves that can ever be legal, or None if the game has no such list.

        The :attr:`notation` writes them, in the order of :meth:`legal_moves`. Learning programs use this
        order to number moves.
        """
        return None

    def mark_of(self, move: Move) -> str | None:
        """Return the mark that *move* of the side to move places, or None if it places none."""
        return self.turn if cells_of(move) else None

    def last_cells(self) -> tuple[Coordinate, ...]:
        """Return the cells that show the last move. Empty before the first move and after a pass."""
        moves = self.moves
        return cells_of(moves[-1]) if moves else ()

    def purpose_of(self, move: Move) -> Purpose | None:
        """Return the purpose of a legal *move* beyond search and lines, or None if it has none."""
        return None

    def with_turn(self, side: str) -> Self | None:
        """Return the same position with *side* to move, or None if the rules do not allow this."""
        return self.copy() if side == self.turn else None

    def lines_through(self, coordinate: Iterable[int]) -> LinesThrough | None:
        """Return the lines through a cell for the side to move, or None in a game without lines."""
        return None

    def weight(self, move: Move) -> int:
        """Return a rough score of *move* by its place, for players that do not search. More is better."""
        return 0

    def static_evaluation(self) -> int | None:
        """Return an estimate of the position for the side to move, without search.

        More is better, and 0 is even. Return None if the game has no estimate. Searches then use their own.
        """
        return None

    def __getitem__(self, coordinate: Iterable[int]) -> str | None:
        return self.cells[index_of(self.shape, coordinate)]

    def __setitem__(self, coordinate: Iterable[int], mark: str) -> None:
        """Make the move that puts *mark* on *coordinate*. *mark* must be that of the side to move."""
        if self.outcome is not None:
            raise GameOver(coordinate)
        cell = coordinate_of(self.shape, index_of(self.shape, coordinate))
        self.play(self._move_for_mark(cell, mark))

    def _move_for_mark(self, coordinate: Iterable[int], mark: str) -> Iterable[Any]:
        """Return the move that writing *mark* to *coordinate* means."""
        if mark not in self.sides:
            raise UnknownMark(mark, self.sides)
        if mark != self.turn:
            raise OutOfTurn(mark, self.turn)
        return coordinate

    def __copy__(self) -> Self:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self.copy()

    # Drawing is a layer above the games, so it is loaded only on demand.

    def __str__(self) -> str:
        return "\n".join(import_module("noughts.drawing.board_text").draw_text(self))

    def _repr_svg_(self) -> str | None:
        try:
            picture: str = import_module("noughts.drawing.svg").draw_svg(self)
        except ShapeError:
            return None
        return picture

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}, ply {self.ply}, {self.turn} to move>"


def check_game(game: object) -> None:
    """Raise ``TypeError`` if *game* is not a game, for example a name."""
    if not isinstance(game, Game):
        raise TypeError(f"{type(game).__name__}: no Game; new_game makes one of a name")
