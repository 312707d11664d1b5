"""KInARow, the game that Rules define; TicTacToe, its 3x3 face.

What differs between rules is chosen once, when a game is made: where a mark may go (``placing``), what
placing it makes leave (``_leave``), and what a completed line means (``Rules.line_loses``).
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, ClassVar, Self

from noughts.core.board import Coordinate, check_shape, index_of
from noughts.core.geometry import Line, coordinates
from noughts.errors import (
    FloatingCell,
    ForbiddenMove,
    GameOver,
    NotationError,
    NothingToUndo,
    OccupiedCell,
    OutOfTurn,
    UnknownMark,
)
from noughts.games.base import Annotations, Game, Message, Move, Outcome, Placement, Termination
from noughts.games.drawing.layout import Layout, grid_layout
from noughts.games.ending import LinesByWalk, lines_by_mask
from noughts.games.lit_lines import LinesThrough, Window, gather
from noughts.games.moves import read_marked
from noughts.games.notation import CellNotation, ColumnNotation, MarkedNotation, Notation, check_count
from noughts.games.placing import Openings, openings
from noughts.games.renju_placing import RenjuOpenings
from noughts.games.rule_text import tell_rules
from noughts.games.rules import Rules
from noughts.games.setting_up import (
    check_one_mark_made,
    check_overlines,
    check_support,
    read_ages,
    side_to_move,
)

REPETITIONS = 3
"""Where marks vanish, a position that comes up this often is a draw."""

LIT = frozenset(
    ("gravity", "misere", "exact", "wrap", "wild", "notakto", "renju", "hex", "vanish", "players")
)
"""The facts under which it is known which lines can still be filled."""


class KInARow(Game):
    """A game of k in a row under any :class:`Rules`.

    >>> game = KInARow(shape=(6, 7), k=4, gravity=True)
    >>> game.play((5, 3))
    >>> game.turn, len(game.legal_moves()), (4, 3) in game.legal_moves()
    ('O', 7, True)

    Takes the rules whole, or the fields of :class:`Rules` by name.
    """

    __slots__ = (
        "_ages",
        "_cells",
        "_choosing",
        "_full",
        "_gone",
        "_k",
        "_known",
        "_lines",
        "_list",
        "_masks",
        "_next",
        "_openings",
        "_outcome",
        "_placed",
        "_played",
        "_seen",
        "_side",
        "_slow",
        "_soonest",
        "_take",
        "rules",
    )

    rules: Rules
    """The rules, from which all else follows."""

    _particular: ClassVar[frozenset[str]] = frozenset()
    """What is particular about the rules of this class besides its :class:`Rules`."""

    def __init_subclass__(cls, *, same_rules: bool = False, **others: Any) -> None:
        """A class that does not say it has the *same_rules* is taken to play by others."""
        super().__init_subclass__(**others)
        if not same_rules:
            cls._particular |= {cls.__name__}

    def __init__(self, rules: Rules | None = None, **facts: Any) -> None:
        if rules is not None and facts:
            raise TypeError("give the rules whole or their facts, not both")
        self.rules = rules = rules or Rules(**facts)
        self.start = None
        self._lines = lines_by_mask(rules.geometry)
        self._slow = self._lines is None or bool(rules.vanish) or len(set(rules.exact_for)) > 1
        self._set_openings(_open_cells(rules))
        self._choosing = rules.wild or rules.notakto
        self._known = coordinates(rules.shape)
        self._cells: list[str | None] = [None] * len(self._known)
        self._placed = rules.placed
        self._masks = [0] * len(self._placed)
        self._played: list[int] = []
        self._full = len(self._cells)
        self._soonest = rules.soonest_end
        self._side = 0
        self._next = rules.next_sides
        self._k = rules.k
        self._outcome: Outcome | None = None
        self._ages: list[list[int]] | None = [[] for _ in rules.marks] if rules.vanish else None
        self._gone: list[int | None] = []
        self._seen: Counter[object] | None = Counter([self.key()]) if rules.vanish else None

    def _set_openings(self, openings: Openings) -> None:
        self._openings = openings
        self._take: Callable[[Any], int] = openings.take
        self._list: Callable[[], list[Move]] = openings.cells
        if self.rules.wild:
            self._list = partial(_with_each_mark, openings, self.rules.marks)

    # Facts

    @property
    def name(self) -> str:
        return self.rules.spec

    @property
    def facts(self) -> frozenset[str]:
        return self.rules.facts | self._particular

    @property
    def shape(self) -> tuple[int, ...]:
        return self.rules.shape

    @property
    def sides(self) -> tuple[str, ...]:
        return self.rules.marks

    @property
    def turn(self) -> str:
        return self.rules.marks[self._side]

    @property
    def outcome(self) -> Outcome | None:
        return self._outcome

    @property
    def cells(self) -> tuple[str | None, ...]:
        return tuple(self._cells)

    @property
    def ply(self) -> int:
        return len(self._played)

    @property
    def moves(self) -> tuple[Move, ...]:
        known = self._known
        if self.rules.wild:
            return tuple(Placement(known[index], self._cells[index] or "") for index in self._played)
        return tuple([known[index] for index in self._played])

    @property
    def terminations(self) -> tuple[str, ...]:
        usual = (Termination.LINE, Termination.FULL)
        return (Termination.LINE, Termination.REPETITION) if self.rules.vanish else usual

    @property
    def can_repeat(self) -> bool:
        return bool(self.rules.vanish)

    def legal_moves(self) -> list[Move]:
        return self._list() if self._outcome is None else []

    # Playing

    def play(self, move: Iterable[Any]) -> None:
        if self._outcome is not None:
            raise GameOver(move)
        side = slot = self._side
        if self._choosing:
            move, slot = self._choose_mark(move)
        try:
            index = self._take(move)
        except (KeyError, TypeError):
            index = self._take(self._read(move))
        self._cells[index] = self._placed[slot]
        self._masks[slot] = mine = self._masks[slot] | 1 << index
        self._side = self._next[side]
        played = self._played
        played.append(index)
        if len(played) < self._soonest:
            return
        lines = self._lines
        if lines is None or self._slow:
            self._settle_slowly(index, slot, side)
            return
        for union, tests in lines[index]:
            if (mine & union).bit_count() >= self._k:
                for care, line in tests:
                    if mine & care == line:
                        self._outcome = self._decided(side, lines.complete(mine, index))
                        return
        if len(played) == self._full:
            self._outcome = DRAW

    def _settle_slowly(self, index: int, slot: int, side: int) -> None:
        """Find out whether the mark just placed ended a game that is not settled by one table of masks."""
        if self._ages is not None:
            self._leave(self._ages[side], slot, index)
        if whole := self._lines_at(index, slot):
            self._outcome = self._decided(side, whole)
        elif self._openings.closed():
            self._outcome = DRAW
        elif self._seen is not None:
            self._count_position(self._seen)

    def _lines_at(self, index: int, slot: int) -> tuple[Line, ...]:
        """The complete lines through the cell of *index*, which bears the mark number *slot*."""
        geometry = self.rules.geometry_of[slot]
        lines = lines_by_mask(geometry)
        if lines is None:
            return LinesByWalk(geometry).complete(self._cells, index)
        return lines.complete(self._masks[slot], index)

    def _decided(self, side: int, lines: tuple[Line, ...]) -> Outcome:
        winner = 1 - side if self.rules.line_loses else side
        return Outcome(self.rules.marks[winner], lines, Termination.LINE)

    def _leave(self, own: list[int], slot: int, index: int) -> None:
        """The mark placed on *index* is the newest of *own*; one too many makes the oldest leave."""
        own.append(index)
        gone = own.pop(0) if len(own) > self.rules.vanish else None
        self._gone.append(gone)
        if gone is not None:
            self._cells[gone] = None
            self._masks[slot] ^= 1 << gone
            self._openings.release(gone)

    def _count_position(self, seen: Counter[object]) -> None:
        key = self.key()
        seen[key] += 1
        if seen[key] >= REPETITIONS:
            self._outcome = Outcome(None, (), Termination.REPETITION)

    def _forget_position(self, seen: Counter[object]) -> None:
        key = self.key()
        seen[key] -= 1
        if not seen[key]:
            del seen[key]

    def undo(self) -> Move:
        if not self._played:
            raise NothingToUndo
        move = self.moves[-1] if self.rules.wild else self._known[self._played[-1]]
        if self._seen is not None and not (self._outcome and self._outcome.lines):
            self._forget_position(self._seen)
        index = self._played.pop()
        self._side = (self._side - 1) % self.rules.players
        slot = self.rules.placed.index(self._cells[index] or "")
        self._cells[index] = None
        self._masks[slot] ^= 1 << index
        self._openings.release(index)
        self._outcome = None
        if self._ages is not None:
            self._return(self._ages[self._side], slot)
        return move

    def _return(self, own: list[int], slot: int) -> None:
        """Undo what :meth:`_leave` did."""
        own.pop()
        gone = self._gone.pop()
        if gone is not None:
            own.insert(0, gone)
            self._openings.take(self._known[gone])
            self._cells[gone] = self.rules.placed[slot]
            self._masks[slot] |= 1 << gone

    def copy(self) -> Self:
        twin = object.__new__(type(self))
        twin.rules, twin.start, twin._lines, twin._slow = self.rules, self.start, self._lines, self._slow
        twin._choosing, twin._known = self._choosing, self._known
        twin._set_openings(self._openings.copy())
        twin._placed, twin._next, twin._k, twin._soonest = self._placed, self._next, self._k, self._soonest
        twin._cells, twin._masks, twin._played = self._cells.copy(), self._masks.copy(), self._played.copy()
        twin._full, twin._side, twin._outcome = self._full, self._side, self._outcome
        twin._ages = None if self._ages is None else [own.copy() for own in self._ages]
        twin._gone = self._gone.copy()
        twin._seen = None if self._seen is None else self._seen.copy()
        return twin

    def key(self) -> object:
        marks = tuple(self._masks) if self._ages is None else tuple(map(tuple, self._ages))
        return (self._side, marks)

    # Reading moves

    def _read(self, move: Any) -> Coordinate:
        """The open cell that *move* means in another spelling, or the error that says what is wrong."""
        index = index_of(self.shape, move)
        cell = self._known[index]
        if self._cells[index] is not None:
            raise OccupiedCell(cell, self.legal_moves())
        if self.rules.gravity and cell not in self._openings.cells():
            raise FloatingCell(cell, self.legal_moves())
        if (reason := self._openings.forbidden().get(index)) is not None:
            raise ForbiddenMove(cell, self.legal_moves(), reason)
        return cell

    def _choose_mark(self, move: Any) -> tuple[Any, int]:
        """The cell and the number of the mark that *move* places where a side does not own its mark."""
        rules = self.rules
        if rules.notakto:
            return move, 0
        cell, mark = read_marked(move, rules.marks, self.legal_moves)
        return cell, rules.marks.index(mark)

    def _written(self, coordinate: Iterable[int], mark: str) -> Iterable[Any]:
        if mark not in self.rules.placed:
            raise UnknownMark(mark, self.rules.placed)
        if self.rules.wild:
            return (coordinate, mark)
        if not self.rules.notakto and mark != self.turn:
            raise OutOfTurn(mark, self.turn)
        return coordinate

    def __getitem__(self, coordinate: Iterable[int]) -> str | None:
        return self._cells[index_of(self.rules.shape, coordinate)]

    # Positions

    @property
    def extra(self) -> str:
        """The cells of each side's marks, oldest first, numbered from 1; empty where marks stay."""
        if self._ages is None or not any(self._ages):
            return ""
        return ";".join(",".join(str(index + 1) for index in own) for own in self._ages)

    def at(self, cells: Sequence[str | None], side: str | None = None, extra: str | None = None) -> Self:
        rules = self.rules
        check_count(cells, rules.shape)
        game = type(self)(rules)
        marks = [mark for mark in cells if mark is not None]
        if unknown := [mark for mark in marks if mark not in rules.placed]:
            raise NotationError("position", unknown[0], "unknown-mark", allowed=rules.placed)
        game._cells[:] = cells
        game._side = side_to_move(rules, marks, side)
        for index, mark in enumerate(cells):
            if mark is not None:
                game._masks[rules.placed.index(mark)] |= 1 << index
        if rules.gravity:
            check_support(rules, cells)
        game._set_openings(_open_cells(rules, cells))
        game._soonest = 0
        game._full = len(cells) - len(marks)
        if game._ages is not None:
            game._ages = read_ages(rules, cells, extra)
            game._seen = Counter([game.key()])
        elif extra:
            raise NotationError("position", extra, "extra-not-used")
        game._judge_position()
        return game

    def _judge_position(self) -> None:
        """Find the outcome of a position that was set up; refuse one that no game can reach."""
        last = (self._side - 1) % self.rules.players
        newest = self._ages[last][-1] if self._ages and self._ages[last] else None
        lines = self._all_lines(newest)
        if lines:
            check_one_mark_made(self.rules, self._cells, lines, last, newest)
            self._outcome = self._decided(last, lines)
        elif self._openings.closed():
            self._outcome = DRAW
        if self.rules.renju:
            check_overlines(self.rules, self._cells, lines)

    def _all_lines(self, newest: int | None) -> tuple[Line, ...]:
        """Every complete line on the board.

        Where marks vanish and longer lines do not count, only those through *newest*: a mark that leaves
        may shorten a line to k, which ends nothing.
        """
        cells: Iterable[int] = range(len(self._cells))
        if newest is not None and self.rules.exact:
            cells = (newest,)
        found: dict[frozenset[Coordinate], Line] = {}
        for index in cells:
            if (mark := self._cells[index]) is not None:
                for line in self._lines_at(index, self.rules.placed.index(mark)):
                    found.setdefault(frozenset(line.cells), line)
        return tuple(found.values())

    # How it is written and drawn

    @property
    def notation(self) -> Notation:
        plain = (ColumnNotation if self.rules.gravity else CellNotation)(self.shape)
        return MarkedNotation(plain, self.rules.marks) if self.rules.wild else plain

    @property
    def layout(self) -> Layout:
        return grid_layout(self.shape, gravity=self.rules.gravity, hex=self.rules.hex)

    @property
    def rule_text(self) -> tuple[Message, ...]:
        return tell_rules(self.rules, REPETITIONS)

    def annotations(self) -> Annotations:
        """Where marks vanish, the marks that leave next; what is forbidden. Other cells are plainly open."""
        if self.outcome is not None:
            return Annotations()
        if self._ages is None:
            forbidden = self._openings.forbidden()
            return Annotations({self._known[index]: (f"no:{why}",) for index, why in forbidden.items()})
        oldest = {
            self._known[own[0]]: (f"leaves:{side}",)
            for side, own in zip(self.sides, self._ages, strict=True)
            if len(own) == self.rules.vanish
        }
        return Annotations(oldest)

    def mark_of(self, move: Move) -> str | None:
        if isinstance(move, Placement):
            return move.mark
        return self.rules.placed[0] if self.rules.notakto else self.turn

    def lines_through(self, coordinate: Iterable[int]) -> LinesThrough | None:
        """The lines through a cell: one that bears a foreign mark is closed; where marks vanish none is.

        Where all place the same mark any mark counts; where the mover chooses the mark, a line that bears two
        kinds is closed. Where longer lines do not count, a line is closed that would become too long.
        """
        rules = self.rules
        if not self.facts <= LIT:
            return None
        is_shared = rules.wild or rules.notakto
        staying = (None,) * len(self._cells) if rules.vanish else self.cells
        markings = rules.placed if is_shared else (self.turn,)
        exact = rules.exact_for[rules.placed.index(markings[0])]
        return gather(self.cells, self._windows(coordinate, exact), markings, staying)

    def _windows(self, coordinate: Iterable[int], exact: bool) -> Iterator[Window]:
        geometry, index = self.rules.geometry, index_of(self.shape, coordinate)
        for step in geometry.steps:
            for cells, ends in geometry.windows(index, step):
                yield cells, ends if exact else ()

    def weight(self, move: Move) -> int:
        """How many lines go through the cell of *move*; 0 on large boards that wrap."""
        cell = move.coordinate if isinstance(move, Placement) else move
        index = index_of(self.shape, cell)
        if self._lines is None:
            # Without edges all cells are alike, so counting long lines would tell nothing.
            return 0 if self.rules.wrap else self.rules.geometry.line_count(index)
        return sum(len(tests) for _, tests in self._lines[index])


class TicTacToe(KInARow, same_rules=True):
    """Tic-tac-toe: 3x3, three in a row, unless another shape or other facts are given.

    >>> game = TicTacToe()
    >>> for cell in [(1, 1), (0, 0), (0, 2), (0, 1), (2, 0)]:
    ...     game[cell] = game.turn
    >>> game.outcome.winner, game.outcome.line.start, game.outcome.line.step
    ('X', (0, 2), (1, -1))
    """

    __slots__ = ()

    def __init__(
        self, rules: Rules | None = None, *, shape: Iterable[int] | None = None, **facts: Any
    ) -> None:
        if rules is None or shape is not None:
            facts["shape"] = check_shape((3, 3) if shape is None else shape)
        super().__init__(rules, **facts)


DRAW = Outcome(None, (), Termination.FULL)


def _open_cells(rules: Rules, cells: Sequence[str | None] = ()) -> Openings:
    """The cells open to the next mark where *cells* have marks; none of them unless they are given."""
    occupied = [index for index, mark in enumerate(cells) if mark is not None]
    usual = openings(rules.shape, rules.gravity, occupied)
    return RenjuOpenings(usual, rules.shape, cells, rules.marks[0]) if rules.renju else usual


def _with_each_mark(openings: Openings, marks: tuple[str, ...]) -> list[Move]:
    return [Placement(cell, mark) for cell in openings.cells() for mark in marks]
