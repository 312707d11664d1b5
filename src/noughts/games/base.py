"""The contract of every game, and the values it speaks in."""

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
from noughts.games.lit_lines import LinesThrough
from noughts.games.moves import PASS as PASS
from noughts.games.moves import Move as Move
from noughts.games.moves import Placement as Placement
from noughts.games.moves import cells_of
from noughts.games.rules import Rules

if TYPE_CHECKING:
    from noughts.games.layout import Layout


class Termination(StrEnum):
    """Why our games end by their own rules; how a match can end besides stands in ``arena.match``.

    A game may end in other ways: its :attr:`~Game.terminations` say in which.
    """

    LINE = "line"
    FULL = "full"
    REPETITION = "repetition"
    COUNT = "count"
    SOLVED = "solved"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a game: the side that won (None: a draw), the lines that decided it, and why.

    Winning cells that are no straight line are a line without a step. All cells of a line have one mark.
    """

    winner: str | None
    lines: tuple[Line, ...]
    termination: str

    @property
    def line(self) -> Line | None:
        """The first of the lines, None where no line decided."""
        return self.lines[0] if self.lines else None

    @property
    def is_by_lines(self) -> bool:
        """Whether straight lines decided the game, which can be named: row 2, the main diagonal."""
        return bool(self.lines) and all(line.step for line in self.lines)


@dataclass(frozen=True, slots=True)
class Message:
    """The id of a sentence in the message catalogues, with what fills its placeholders."""

    id: str
    data: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Purpose:
    """What a move is good for by experience: a code, whose sentence has the id ``reason-CODE``, and its data.

    In the data ``field`` is a tuple of coordinates, ``replies`` a number of moves.
    """

    code: str
    data: dict[str, Any] = field(default_factory=dict)


class Notation(Protocol):
    """How the moves of one game are written."""

    kind: str
    """What a move is called when one is asked for: ``cell``, ``column``, ``marked`` or a game's own word.

    The sentence with the id ``accepted-`` and this word says what a move looks like.
    """
    count: int
    """How many cells or columns are numbered."""

    def parse(self, text: str, game: "Game", first: int = 1) -> Move:
        """The move that *text* means in *game*; cells are numbered from *first*.

        The move need not be legal. Raises :class:`~noughts.errors.NotationError`, or
        :class:`~noughts.errors.OccupiedCell` for a column that is full.
        """

    def format(self, move: Move, first: int = 1) -> str:
        """*move* as text; :meth:`parse` reads it back."""

    def spell(self, move: Move, name: Callable[[Coordinate], str]) -> str:
        """*move* as people read it, its cells called by *name*; :meth:`parse` reads it back too."""


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
    def notation(self) -> Notation:
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
    def movers(self) -> tuple[str, ...]:
        """The side that made each of :attr:`moves`: not by turns where a game began from a position."""
        position, sides = self.copy(), list[str]()
        while position.ply:
            position.undo()
            sides.append(position.turn)
        return tuple(reversed(sides))

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

    # What a game says of itself where it differs from the usual.

    @property
    def rules(self) -> Rules | None:
        """The rules of k in a row; None for a game of another kind."""
        return None

    @property
    def facts(self) -> frozenset[str]:
        """What is particular about the rules, a word for each fact.

        Whatever relies on rules says which facts it handles and answers for no game that has others. What
        only plays and undoes need not ask.
        """
        return frozenset((type(self).__name__,))

    @property
    def terminations(self) -> tuple[str, ...]:
        """The codes of how the game can end by its own rules."""
        return (Termination.LINE, Termination.FULL)

    def end_text(self, outcome: Outcome) -> Message:
        """The sentence that tells *outcome*, an end by the game's own rules.

        Interfaces fill ``winner`` and ``loser``. If straight lines decided the game, they name them instead.
        """
        if outcome.winner is None:
            return Message(f"draw-{outcome.termination}", {"count": self.ply})
        return Message(f"wins-{outcome.termination}")

    def annotations(self) -> Annotations:
        """What the rules make of the position. Here: where one may play, if not everywhere."""
        cells = dict.fromkeys(cell for move in self.legal_moves() for cell in cells_of(move)[:1])
        if len(cells) == self.cells.count(None):
            return Annotations()
        return Annotations(dict.fromkeys(cells, ("may",)))

    @property
    def move_texts(self) -> tuple[str, ...] | None:
        """Every move that can ever be legal, as :attr:`notation` writes it; None where the game does not say.

        They are in the order of :meth:`legal_moves`. Who learns to move tells moves by their place in it.
        """
        return None

    def mark_of(self, move: Move) -> str | None:
        """The mark that *move* of the side to move places; None where it places none."""
        return self.turn if cells_of(move) else None

    def last_cells(self) -> tuple[Coordinate, ...]:
        """Where the last move is to be seen now; none before the first move and after a pass."""
        moves = self.moves
        return cells_of(moves[-1]) if moves else ()

    def purpose_of(self, move: Move) -> Purpose | None:
        """What a legal *move* is good for beyond what search and lines tell; None for nothing to say."""
        return None

    def with_turn(self, side: str) -> Self | None:
        """The same position with *side* to move; None where the rules do not let that be told."""
        return self.copy() if side == self.turn else None

    def lines_through(self, coordinate: Iterable[int]) -> LinesThrough | None:
        """The lines through a cell, as the side to move sees them; None in a game without lines."""
        return None

    def weight(self, move: Move) -> int:
        """A rough score of where *move* goes, for players that do not search; more is better."""
        return 0

    def static_evaluation(self) -> int | None:
        """How the position looks to the side to move, without search: more is better, 0 is even.

        None where nothing is known; searches then find something out for themselves.
        """
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

    # Drawing is a layer above the games, so it is loaded only when somebody looks at one.

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
    """Raise ``TypeError`` for what is no game, such as the name of one."""
    if not isinstance(game, Game):
        raise TypeError(f"{type(game).__name__}: no Game; new_game makes one of a name")
