"""KInARow, the game that Rules define, and TicTacToe, its 3x3 form.

The differences between rules are chosen once, when a game is made: the cells open to a mark (``open_cells``),
the marks that vanish (``vanishing``), and the meaning of a completed line (``Rules.line_loses``).
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, ClassVar, Self, cast

from noughts.core.board import Coordinate, index_of
from noughts.core.geometry import cells_with, joined_cells
from noughts.errors import (
    FloatingCell,
    ForbiddenMove,
    GameOver,
    MoveRefused,
    NothingToUndo,
    OccupiedCell,
    OutOfTurn,
    UnknownMark,
)
from noughts.games.base import Annotations, Game, Message, Move, Notation, Outcome, Placement, Termination
from noughts.games.ending import DRAW, ends_of
from noughts.games.layout import Layout, grid_layout
from noughts.games.lines_through import FILLABLE, LinesThrough, lines_through_cell
from noughts.games.moves import read_marked
from noughts.games.notation import CellNotation, ColumnNotation, MarkedNotation, check_no_extra
from noughts.games.open_cells import OpenCells, sites
from noughts.games.position_setup import UNEVEN, judge_position, read_position
from noughts.games.restrictions import restrictions_of
from noughts.games.rule_text import describe_rules
from noughts.games.rules import NO_EARLY_END, Rules
from noughts.games.vanishing import REPETITIONS, Vanishing


class KInARow(Game):
    """A game of k in a row under any :class:`Rules`.

    Takes a :class:`Rules`, or its fields by name.

    >>> game = KInARow(shape=(6, 7), k=4, gravity=True)
    >>> game.play((5, 3))
    >>> game.turn, len(game.legal_moves()), (4, 3) in game.legal_moves()
    ('O', 7, True)
    """

    __slots__ = (
        "_avoided",
        "_before",
        "_cells",
        "_ends",
        "_masks",
        "_next_sides",
        "_openings",
        "_played",
        "_restrictions",
        "_side",
        "_sites",
        "_slow",
        "_soonest",
        "_unusual",
        "_vanishing",
        "outcome",
        "rules",
    )

    rules: Rules
    """The rules of the game."""

    outcome: Outcome | None
    """The end of the game, or None while it continues.

    It is read-only. A property would cost a tenth of the time of a move.
    """

    _particular: ClassVar[frozenset[str]] = frozenset()
    """The particular facts of this class besides its :class:`Rules`."""

    def __init_subclass__(cls, *, same_rules: bool = False, **others: Any) -> None:
        """Give a class a fact of its own, unless it states that it has the *same_rules*."""
        super().__init_subclass__(**others)
        if not same_rules:
            cls._particular |= {cls.__name__}

    def __init__(self, rules: Rules | None = None, **facts: Any) -> None:
        if rules is not None and facts:
            raise TypeError("give the rules whole or their facts, not both")
        self.rules = rules = rules or Rules(**facts)
        self.start = self.outcome = None
        self._set_up((), 0)
        # These rules need more than a check for a line after each mark.
        is_restricted = bool(self._restrictions)
        has_unusual_end = bool(rules.vanish or rules.avoid) or len(set(rules.exact_for)) > 1
        self._slow = is_restricted or has_unusual_end or rules.place > 1
        self._unusual = rules.wild or rules.notakto or is_restricted
        self._soonest = 0 if is_restricted or rules.vanish else rules.soonest_end
        self._played: list[int] = []
        if is_restricted and self._is_closed():
            self.outcome = DRAW

    def _set_up(self, cells: Sequence[str | None], side: int, ages: Sequence[Sequence[int]] = ()) -> None:
        """Put marks on *cells*, by default none, with the side number *side* to move."""
        rules = self.rules
        self._side = side
        self._before = len(cells) - cells.count(None)
        self._next_sides = (*range(1, rules.players), 0)
        self._cells: list[str | None] = list(cells) or [None] * rules.geometry.size
        self._masks = [cells_with(cells, mark) for mark in rules.board_marks]
        self._set_tables()
        self._restrictions = restrictions_of(rules, cells, side)
        ages = ages or [()] * rules.players
        self._vanishing = Vanishing(rules.vanish, ages, side) if rules.vanish else None

    def _set_tables(self) -> None:
        """Look up the tables that all games of the board share."""
        self._sites = sites(self.rules.geometry, self.rules.gravity)
        self._ends = tuple(map(ends_of, self.rules.geometry_of))
        self._avoided = None if self.rules.avoided is None else ends_of(self.rules.avoided)
        occupied = [index for index, mark in enumerate(self._cells) if mark is not None]
        self._openings = OpenCells(self._sites, occupied)

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
    def cells(self) -> tuple[str | None, ...]:
        return tuple(self._cells)

    @property
    def ply(self) -> int:
        return len(self._played)

    @property
    def moves(self) -> tuple[Move, ...]:
        known = self._sites.known
        if self.rules.wild:
            return tuple(Placement(known[index], self._cells[index] or "") for index in self._played)
        return tuple([known[index] for index in self._played])

    @property
    def terminations(self) -> tuple[str, ...]:
        return Termination.LINE, Termination.REPETITION if self.rules.vanish else Termination.FULL

    @property
    def can_repeat(self) -> bool:
        return bool(self.rules.vanish)

    def legal_moves(self) -> list[Move]:
        if self.outcome is not None:
            return []
        cells = self._openings.open
        forbidden = self._forbidden() if self._restrictions else None
        cells = [cell for cell in cells if cell not in forbidden] if forbidden else cells.copy()
        if self.rules.wild:
            return [Placement(cell, mark) for cell in cells for mark in self.rules.marks]
        return cells

    def _forbidden(self) -> dict[Coordinate, str]:
        """Return the cells where the side to move may not play, each with the reason."""
        known = self._sites.known
        return {known[index]: why for one in self._restrictions for index, why in one.forbidden().items()}

    # Playing

    def play(self, move: Iterable[Any]) -> None:
        if self.outcome is not None:
            raise GameOver(move)
        side = slot = self._side
        if self._unusual:
            move, slot = self._choose_mark(move)
        try:
            site = self._sites.by_cell[move]  # type: ignore[index]
        except (KeyError, TypeError):
            site = self._sites.find(move)
        index, bit, near, axes, cell, place, before, closing, above = site
        # The following is OpenCells.take. A call would cost a tenth of the time of a move.
        openings = self._openings
        open_cells = openings.open
        if full := openings.full:
            place -= (full & before).bit_count()
        try:
            is_open = open_cells[place] is cell
        except IndexError:  # the last columns are full
            is_open = False
        if not is_open:
            raise self._refusal(index)
        if above:
            open_cells[place] = above
        else:
            del open_cells[place]
            openings.full = full | closing
        rules, masks, played = self.rules, self._masks, self._played
        self._cells[index] = rules.board_marks[slot]
        masks[slot] = mine = masks[slot] | bit
        self._side = self._next_sides[side]
        played.append(index)
        if len(played) < self._soonest:
            return
        if self._slow:
            self._apply_unusual_rules(index, slot, side)
            return
        k = rules.k
        if (mine & near).bit_count() >= k:
            for union, tests in axes:
                if (mine & union).bit_count() >= k:
                    for care, line in tests:
                        if mine & care == line:
                            self.outcome = self._ends[slot].decide((), mine, index, rules.winners[side])
                            return
            if not axes:  # such lines are walked
                self.outcome = self._ends[slot].decide(self._cells, mine, index, rules.winners[side])
                if self.outcome is not None:
                    return
        if not open_cells:
            self.outcome = DRAW

    def _apply_unusual_rules(self, index: int, slot: int, side: int) -> None:
        """Find the side to move, and the end of the game if the last mark brings it, under unusual rules."""
        rules = self.rules
        if rules.place > 1:
            self._side = rules.side_at(self._before + len(self._played))
        for restriction in self._restrictions:
            restriction.put(index)
        if self._vanishing is not None and (gone := self._vanishing.put(side, index)) is not None:
            self._cells[gone] = None
            self._masks[slot] ^= 1 << gone
            self._openings.release(self._sites.at(gone))
        mine = self._masks[slot]
        self.outcome = self._ends[slot].decide(self._cells, mine, index, rules.winners[side])
        if self.outcome is None and self._avoided is not None:
            self.outcome = self._avoided.decide(self._cells, mine, index, rules.marks[1 - side])
        if self.outcome is not None:
            return
        if self._is_closed():
            self.outcome = DRAW
        elif self._vanishing is not None and self._vanishing.count(self._side):
            self.outcome = Outcome(None, (), Termination.REPETITION)

    def _undo_unusual_rules(self, index: int) -> None:
        """Undo :meth:`_apply_unusual_rules`, before the rest of the move is undone."""
        rules = self.rules
        if rules.place > 1:  # undo steps back from the next side in turn order
            self._side = (rules.side_at(self._before + len(self._played)) + 1) % rules.players
        for restriction in self._restrictions:
            restriction.lift(index)
        if self._vanishing is not None:
            if not (self.outcome and self.outcome.lines):
                self._vanishing.forget(self._side)
            mark = self._cells[index]
            slot = rules.board_marks.index(mark)
            if (gone := self._vanishing.lift(slot)) is not None:
                self._cells[gone] = mark
                self._masks[slot] |= 1 << gone
                self._openings.take(self._sites.at(gone))

    def undo(self) -> Move:
        try:
            index = self._played.pop()
        except IndexError:
            raise NothingToUndo from None
        if self._slow:
            self._undo_unusual_rules(index)
        move: Move
        site = self._sites.by_index.get(index) or self._sites.at(index)
        _, bit, _, _, move, place, before, closing, above = site
        # The following is OpenCells.release.
        openings = self._openings
        if full := openings.full:
            place -= (full & before).bit_count()
        if above:
            openings.open[place] = move
        else:
            openings.open.insert(place, move)
            openings.full = full ^ closing
        self._side = slot = (self._side or self.rules.players) - 1
        if self._unusual:
            mark = self._cells[index] or ""
            slot = self.rules.board_marks.index(mark)
            move = Placement(move, mark) if self.rules.wild else move
        self._cells[index] = None
        self._masks[slot] ^= bit
        self.outcome = None
        return move

    def copy(self) -> Self:
        twin = object.__new__(type(self))
        twin.rules, twin.start, twin.outcome = self.rules, self.start, self.outcome
        twin._sites, twin._ends, twin._slow = self._sites, self._ends, self._slow
        twin._avoided, twin._before, twin._next_sides = self._avoided, self._before, self._next_sides
        twin._unusual, twin._soonest, twin._side = self._unusual, self._soonest, self._side
        twin._cells, twin._masks, twin._played = self._cells.copy(), self._masks.copy(), self._played.copy()
        twin._openings = self._openings.copy()
        twin._restrictions = self._restrictions and tuple([one.copy() for one in self._restrictions])
        twin._vanishing = None if self._vanishing is None else self._vanishing.copy()
        return twin

    def __getstate__(self) -> object:
        """Return the state for a pickle: all but the tables of the board, which are looked up again."""
        plain, slots = cast(Any, super().__getstate__())
        shared = ("_sites", "_ends", "_avoided", "_openings")
        return plain, {name: value for name, value in slots.items() if name not in shared}

    def __setstate__(self, state: Any) -> None:
        plain, slots = state
        for name, value in {**(plain or {}), **slots}.items():
            setattr(self, name, value)
        self._set_tables()

    def key(self) -> object:
        vanishing = self._vanishing
        return (self._side, tuple(self._masks)) if vanishing is None else vanishing.key(self._side)

    # Reading moves

    def _refusal(self, index: int) -> MoveRefused:
        """Return the error for a mark on the cell of *index*."""
        cell, legal = self._sites.known[index], self.legal_moves()
        if self._cells[index] is not None:
            return OccupiedCell(cell, legal)
        why = self._forbidden().get(cell)
        return FloatingCell(cell, legal) if why is None else ForbiddenMove(cell, legal, why)

    def _is_closed(self) -> bool:
        """Return True if no cell is left for a mark. This is faster than counting legal moves."""
        cells = self._openings.open
        if len(cells) > sum([len(restriction.forbidden()) for restriction in self._restrictions]):
            return False
        forbidden = self._forbidden()
        return all(cell in forbidden for cell in cells)

    def _choose_mark(self, move: Any) -> tuple[Any, int]:
        """Return the cell and the number of the mark that *move* places, under unusual rules."""
        rules, cell = self.rules, move
        slot = 0 if rules.notakto else self._side
        if rules.wild:
            cell, mark = read_marked(move, rules.marks, self.legal_moves)
            slot = rules.marks.index(mark)
        if self._restrictions:
            index = self._sites.find(cell)[0]
            for restriction in self._restrictions:
                if index in restriction.forbidden():
                    raise self._refusal(index)
        return cell, slot

    def _move_for_mark(self, coordinate: Iterable[int], mark: str) -> Iterable[Any]:
        if mark not in self.rules.board_marks:
            raise UnknownMark(mark, self.rules.board_marks)
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
        return "" if self._vanishing is None else self._vanishing.format()

    def at(self, cells: Sequence[str | None], side: str | None = None, extra: str | None = None) -> Self:
        mover, ages = read_position(self.rules, cells, side, extra)
        game = self._kind_of_position(extra)(self.rules)
        game._set_up(cells, mover, ages)
        game._soonest = 0
        game.outcome = judge_position(self.rules, cells, mover, ages, is_closed=game._is_closed())
        return game

    def _kind_of_position(self, extra: str | None) -> type[Self]:
        """Return the class of a game from a position with the third part *extra*."""
        if extra != UNEVEN:
            return type(self)
        if self._particular:  # the rules of another package may rely on turns
            check_no_extra(extra)
        return cast("type[Self]", UnevenGame)

    def with_turn(self, side: str) -> Self | None:
        """Return the same position with *side* to move, or None if the rules depend on the side."""
        if side == self.turn or self._restrictions or not self.facts <= NO_EARLY_END:
            return super().with_turn(side)
        twin = self.copy()
        twin._side, twin._soonest = self.sides.index(side), 0
        return twin

    # Notation and drawing

    @property
    def notation(self) -> Notation:
        plain = (ColumnNotation if self.rules.gravity else CellNotation)(self.shape)
        return MarkedNotation(plain, self.rules.marks) if self.rules.wild else plain

    @property
    def move_texts(self) -> tuple[str, ...]:
        """The texts of the moves: one for each column or cell, and for each mark if the mover chooses it."""
        lowest = self._sites.known[-self._sites.width :]
        if self.rules.wild:
            return tuple(self.notation.format((cell, mark)) for cell in lowest for mark in self.sides)
        return tuple(map(self.notation.format, lowest))

    @property
    def layout(self) -> Layout:
        return grid_layout(self.shape, gravity=self.rules.gravity, tiling=self.rules.geometry.tiling)

    @property
    def rule_text(self) -> tuple[Message, ...]:
        return describe_rules(self.rules, REPETITIONS)

    def annotations(self) -> Annotations:
        """Return codes for joined edges, forbidden cells, and the marks that leave next.

        There are none if every empty cell is open.
        """
        geometry = self.rules.geometry
        codes = dict.fromkeys(joined_cells(geometry.shape, geometry.joined), ("beyond",))
        if self.outcome is None:
            for cell, code in self._codes_now():
                codes[cell] = (*codes.get(cell, ()), code)
        return Annotations(codes)

    def _codes_now(self) -> Iterator[tuple[Coordinate, str]]:
        """Yield the codes that are valid only until the next move, with their cells."""
        for cell, why in self._forbidden().items():
            yield cell, f"no:{why}"
        if self._vanishing is not None:
            for index, side in self._vanishing.leaving().items():
                yield self._sites.known[index], f"leaves:{self.sides[side]}"

    def mark_of(self, move: Move) -> str | None:
        if isinstance(move, Placement):
            return move.mark
        return self.rules.board_marks[0] if self.rules.notakto else self.turn

    def lines_through(self, coordinate: Iterable[int]) -> LinesThrough | None:
        index = index_of(self.shape, coordinate)
        return (
            lines_through_cell(self.rules, self.cells, self.turn, index) if self.facts <= FILLABLE else None
        )

    def weight(self, move: Move) -> int:
        """Return the number of lines through the cell of *move*, or 0 on large boards that wrap."""
        index = index_of(self.shape, move.coordinate if isinstance(move, Placement) else move)
        return self._sites.ends.count_lines(index)


class TicTacToe(KInARow, same_rules=True):
    """Tic-tac-toe: 3x3, three in a row, or other rules by the fields of :class:`Rules`.

    >>> game = TicTacToe()
    >>> for cell in [(1, 1), (0, 0), (0, 2), (0, 1), (2, 0)]:
    ...     game[cell] = game.turn
    >>> game.outcome.winner, game.outcome.line.start, game.outcome.line.step
    ('X', (0, 2), (1, -1))
    """

    __slots__ = ()

    def __init__(self, rules: Rules | None = None, **facts: Any) -> None:
        super().__init__(rules, **(facts if rules else {"shape": (3, 3), **facts}))


class UnevenGame(KInARow):
    """A game from a position that alternating turns cannot reach, such as a diagram or a handicap.

    The class is a fact of its own: code that derives the side to move from the number of marks refuses such
    games.

    >>> TicTacToe().at(["X", "X", *[None] * 7], "O", "uneven").turn
    'O'
    """

    __slots__ = ()

    @property
    def extra(self) -> str:
        return UNEVEN

    def _kind_of_position(self, extra: str | None) -> type[Self]:
        return type(self) if extra == UNEVEN else cast("type[Self]", KInARow)
