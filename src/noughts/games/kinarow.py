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
    MoveRefused,
    NotationError,
    NothingToUndo,
    OccupiedCell,
    OutOfTurn,
    UnknownMark,
)
from noughts.games.base import Annotations, Game, Message, Move, Outcome, Placement, Termination
from noughts.games.ending import LinesByWalk, lines_by_mask
from noughts.games.layout import Layout, grid_layout
from noughts.games.lit_lines import LinesThrough, Window, gather
from noughts.games.moves import read_marked
from noughts.games.notation import CellNotation, ColumnNotation, MarkedNotation, Notation, check_count
from noughts.games.placing import Openings, Sites, sites
from noughts.games.renju_points import RenjuPoints
from noughts.games.rule_text import tell_rules
from noughts.games.rules import Rules
from noughts.games.setting_up import (
    check_one_mark_made,
    check_overlines,
    check_support,
    read_ages,
    side_to_move,
)

SHARED = frozenset(("_known", "_sites", "_site_of", "_openings", "_list"))
"""What a game has of its board, to be found again where it is unpickled."""

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
        "_gone",
        "_k",
        "_known",
        "_list",
        "_masks",
        "_next",
        "_openings",
        "_outcome",
        "_placed",
        "_played",
        "_points",
        "_seen",
        "_side",
        "_site_of",
        "_sites",
        "_slow",
        "_soonest",
        "_unusual",
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
        has_masks = lines_by_mask(rules.geometry) is not None
        self._slow = not has_masks or bool(rules.vanish) or len(set(rules.exact_for)) > 1
        self._unusual = rules.wild or rules.notakto or rules.renju
        self._set_tables((), RenjuPoints(rules.shape, (), "") if rules.renju else None)
        self._cells: list[str | None] = [None] * rules.geometry.size
        self._placed = rules.placed
        self._masks = [0] * len(self._placed)
        self._played: list[int] = []
        # Which points are forbidden and which marks leave is kept up to date at every move.
        self._soonest = 0 if rules.renju or rules.vanish else rules.soonest_end
        self._side = 0
        self._next = rules.next_sides
        self._k = rules.k
        self._outcome: Outcome | None = None
        self._ages: list[list[int]] | None = [[] for _ in rules.marks] if rules.vanish else None
        self._gone: list[int | None] = []
        self._seen: Counter[object] | None = Counter([self.key()]) if rules.vanish else None

    def _set_tables(self, cells: Sequence[str | None], points: RenjuPoints | None) -> None:
        """Begin with marks on *cells*, none where they are not given."""
        self._known = coordinates(self.rules.shape)
        self._sites = sites(self.rules.geometry, self.rules.gravity)
        self._site_of = self._sites.by_cell
        occupied = [index for index, mark in enumerate(cells) if mark is not None]
        self._set_openings(Openings(self._sites, occupied), points)

    def _set_openings(self, openings: Openings, points: RenjuPoints | None) -> None:
        self._openings, self._points = openings, points
        self._list: Callable[[], list[Move]] = openings.open.copy
        if points is not None:
            self._list = partial(_not_forbidden, openings, points, self._sites)
        elif self.rules.wild:
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
        if self._unusual:
            move, slot = self._choose_mark(move)
        try:
            site = self._site_of[move]  # type: ignore[index]
        except (KeyError, TypeError):
            site = self._sites.find(move)
        index, bit, axes, cell, place, closing, above = site
        # What follows is Openings.take: to call it would take a tenth of the time of a move.
        openings = self._openings
        open_cells, full = openings.open, openings.full
        if full:
            if full & closing:
                raise self._refusal(index)
            place -= (full & closing - 1).bit_count()
        if open_cells[place] is not cell:
            raise self._refusal(index)
        if above:
            open_cells[place] = above
        else:
            del open_cells[place]
            openings.full = full | closing
        self._cells[index] = self._placed[slot]
        masks = self._masks
        masks[slot] = mine = masks[slot] | bit
        self._side = self._next[side]
        played = self._played
        played.append(index)
        if len(played) < self._soonest:
            return
        if self._slow:
            self._settle_slowly(index, slot, side)
            return
        k = self._k
        for union, tests in axes:
            if (mine & union).bit_count() >= k:
                for care, line in tests:
                    if mine & care == line:
                        self._outcome = self._decided_by_mask(mine, index, side)
                        return
        if not open_cells:
            self._outcome = DRAW

    def _settle_slowly(self, index: int, slot: int, side: int) -> None:
        """Find out whether the mark just placed ended a game that is not settled by one table of masks."""
        if self._points is not None:
            self._points.put(index)
        if self._ages is not None:
            self._leave(self._ages[side], slot, index)
        if whole := self._lines_at(index, slot):
            self._outcome = self._decided(side, whole)
        elif self._is_closed():
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

    def _decided_by_mask(self, mine: int, index: int, side: int) -> Outcome:
        lines = lines_by_mask(self.rules.geometry)
        assert lines is not None  # noqa: S101 - the sites have tests of them
        return lines.decide(mine, index, self.rules.winners[side])

    def _decided(self, side: int, lines: tuple[Line, ...]) -> Outcome:
        return Outcome(self.rules.winners[side], lines, Termination.LINE)

    def _leave(self, own: list[int], slot: int, index: int) -> None:
        """The mark placed on *index* is the newest of *own*; one too many makes the oldest leave."""
        own.append(index)
        gone = own.pop(0) if len(own) > self.rules.vanish else None
        self._gone.append(gone)
        if gone is not None:
            self._cells[gone] = None
            self._masks[slot] ^= 1 << gone
            self._openings.release(self._sites.at(gone))

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
        index = self._played[-1]
        move: Move = (cell := self._known[index])
        if self._seen is not None and not (self._outcome and self._outcome.lines):
            self._forget_position(self._seen)
        self._side = slot = (self._side or len(self._next)) - 1
        if self._unusual:
            slot = self._placed.index(self._cells[index] or "")
            move = Placement(move, self._placed[slot]) if self.rules.wild else move
            if self._points is not None:
                self._points.lift(index)
        self._played.pop()
        self._cells[index] = None
        self._masks[slot] ^= 1 << index
        self._openings.release(self._site_of.get(cell) or self._sites.at(index))
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
            self._openings.take(self._sites.at(gone))
            self._cells[gone] = self.rules.placed[slot]
            self._masks[slot] |= 1 << gone

    def copy(self) -> Self:
        twin = object.__new__(type(self))
        twin.rules, twin.start, twin._slow = self.rules, self.start, self._slow
        twin._unusual, twin._known = self._unusual, self._known
        twin._sites, twin._site_of = self._sites, self._site_of
        twin._openings, twin._points = self._openings.copy(), self._points
        twin._list = twin._openings.open.copy
        if self._unusual:
            twin._set_openings(twin._openings, None if self._points is None else self._points.copy())
        twin._placed, twin._next, twin._k, twin._soonest = self._placed, self._next, self._k, self._soonest
        twin._cells, twin._masks, twin._played = self._cells.copy(), self._masks.copy(), self._played.copy()
        twin._side, twin._outcome = self._side, self._outcome
        twin._ages, twin._gone, twin._seen = self._ages, self._gone, self._seen
        if self._ages is not None and self._seen is not None:
            twin._ages, twin._gone = [own.copy() for own in self._ages], self._gone.copy()
            twin._seen = self._seen.copy()
        return twin

    def __getstate__(self) -> object:
        """What a pickle holds: all but the tables that the games of a board share."""
        state: Any = object.__getstate__(self)
        plain, slots = state
        return plain, {name: value for name, value in slots.items() if name not in SHARED}

    def __setstate__(self, state: Any) -> None:
        plain, slots = state
        for name, value in {**(plain or {}), **slots}.items():
            setattr(self, name, value)
        self._set_tables(self._cells, self._points)

    def key(self) -> object:
        marks = tuple(self._masks) if self._ages is None else tuple(map(tuple, self._ages))
        return (self._side, marks)

    # Reading moves

    def _refusal(self, index: int) -> MoveRefused:
        """Why no mark may go on the cell of *index*."""
        cell, legal = self._known[index], self.legal_moves()
        if self._cells[index] is not None:
            return OccupiedCell(cell, legal)
        if self._points is not None:
            return ForbiddenMove(cell, legal, self._points.forbidden()[index])
        return FloatingCell(cell, legal)

    def _is_closed(self) -> bool:
        """Whether no cell is left for a mark."""
        count = len(self._openings.open)
        return not count or (self._points is not None and len(self._points.forbidden()) == count)

    def _choose_mark(self, move: Any) -> tuple[Any, int]:
        """The cell and the number of the mark that *move* places where a side does not own its mark."""
        rules = self.rules
        if self._points is not None:
            index = self._sites.find(move)[0]
            if index in self._points.forbidden():
                raise self._refusal(index)
            return move, self._side
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
        game._set_tables(cells, RenjuPoints(rules.shape, cells, rules.marks[0]) if rules.renju else None)
        game._soonest = 0
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
        elif self._is_closed():
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
            forbidden = self._points.forbidden() if self._points is not None else {}
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
        if lines_by_mask(self.rules.geometry) is None:
            # Without edges all cells are alike, so counting long lines would tell nothing.
            return 0 if self.rules.wrap else self.rules.geometry.line_count(index)
        return sum(len(tests) for _, tests in self._sites.at(index)[2])


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


def _not_forbidden(openings: Openings, points: RenjuPoints, all_sites: Sites) -> list[Move]:
    forbidden = {all_sites.known[index] for index in points.forbidden()}
    return [cell for cell in openings.open if cell not in forbidden] if forbidden else openings.open.copy()


def _with_each_mark(openings: Openings, marks: tuple[str, ...]) -> list[Move]:
    return [Placement(cell, mark) for cell in openings.open for mark in marks]
