"""Ultimate tic-tac-toe: nine fields of nine cells. Each move decides the field of the next one."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple, Self

from noughts.core.board import Coordinate, coordinate_of, index_of
from noughts.core.geometry import Line, coordinates, lines
from noughts.games.base import Annotations, Move, Outcome, Purpose, Termination
from noughts.games.layout import Layout
from noughts.games.lines_through import LinesThrough, collect_lines
from noughts.games.notation import check_marks, refuse_position
from noughts.games.pure import PureGame

FIELD_LINES = lines((3, 3), 3)
"""The lines of one field, and of the nine fields."""
PLACES_IN_LINE = tuple(tuple(row * 3 + column for row, column in line.cells) for line in FIELD_LINES)
"""The lines of :data:`FIELD_LINES` by the numbers of their cells or fields."""

DRAWN = "="
"""The value in :attr:`UltimateState.fields` of a full field that no side has won."""


class UltimateState(NamedTuple):
    """An Ultimate position: cells by field, winners of fields, the open field, the side to move."""

    cells: tuple[tuple[str | None, ...], ...]
    fields: tuple[str | None, ...]
    open_field: int | None
    side: int


class Ultimate(PureGame[UltimateState]):
    """Ultimate tic-tac-toe: nine fields of nine cells, drawn as one flat 9x9 board.

    A move to place n of a field sends the other side to field n. If that one is decided or full, the other
    side chooses freely. Three won fields in a row win. A drawn field counts for no side. If no cell is left,
    the game is a draw: there is no majority rule.

    >>> game = Ultimate()
    >>> game.play((0, 2))
    >>> sorted({(row // 3, column // 3) for row, column in game.legal_moves()})
    [(0, 2)]
    """

    NAME = "ultimate"
    SHAPE = (9, 9)
    layout = Layout(1, 9, 9, fields=(3, 3), owned=True)
    __slots__ = ()

    def first_state(self) -> UltimateState:
        return UltimateState(((None,) * 9,) * 9, (None,) * 9, None, 0)

    def find_moves(self, state: UltimateState) -> Sequence[Move]:
        fields = range(9) if state.open_field is None else (state.open_field,)
        return sorted(
            _cell(field, place)
            for field in fields
            if state.fields[field] is None
            for place in range(9)
            if state.cells[field][place] is None
        )

    def after(self, state: UltimateState, move: Move) -> UltimateState:
        field, place = _field_and_place(move)
        own = list(state.cells[field])
        own[place] = self.sides[state.side]
        cells = (*state.cells[:field], tuple(own), *state.cells[field + 1 :])
        fields = (*state.fields[:field], _decide(own), *state.fields[field + 1 :])
        return UltimateState(cells, fields, place if fields[place] is None else None, 1 - state.side)

    def find_outcome(self, state: UltimateState) -> Outcome | None:
        for side in self.sides:
            for row in PLACES_IN_LINE:
                if all(state.fields[field] == side for field in row):
                    decided = tuple(_winning_line(state, field, side) for field in row)
                    return Outcome(side, decided, Termination.LINE)
        return None if None in state.fields else Outcome(None, (), Termination.FULL)

    def cells_of(self, state: UltimateState) -> tuple[str | None, ...]:
        places = (_field_and_place(divmod(index, 9)) for index in range(81))
        return tuple(state.cells[field][place] for field, place in places)

    @property
    def extra(self) -> str:
        """The field to play in, 1 to 9 in reading order, or ``-`` for a free choice."""
        return "-" if self.state.open_field is None else str(self.state.open_field + 1)

    @property
    def move_texts(self) -> tuple[str, ...]:
        return tuple(map(self.notation.format, coordinates(self.SHAPE)))

    @property
    def fields(self) -> tuple[str | None, ...]:
        """The winner of each field, in reading order: a side, ``=`` for a draw, None while it is open."""
        return self.state.fields

    def read_state(self, cells: Sequence[str | None], side: str | None, extra: str | None) -> UltimateState:
        check_marks(cells, self.sides)
        counts = [list(cells).count(mark) for mark in self.sides]
        mover = counts[0] - counts[1]
        if mover not in (0, 1) or side not in (None, self.sides[mover]):
            refuse_position(side, "counts")
        grid = [[cells[index] for index in cell_indices(field, range(9))] for field in range(9)]
        fields = tuple(map(_decide, grid))
        if extra is None and any(counts):
            refuse_position("", "field-missing")
        open_field = int(extra) - 1 if extra in tuple("123456789") else None
        if extra not in (None, "-") and (open_field is None or fields[open_field] is not None):
            refuse_position(extra, "field-wrong")
        return UltimateState(tuple(map(tuple, grid)), fields, open_field, mover)

    def weight(self, move: Move) -> int:
        """Return the number of lines through the cell within its field."""
        _, place = _field_and_place(move)
        return sum(place in row for row in PLACES_IN_LINE)

    def annotations(self) -> Annotations:
        """Return the field in which one must play, the legal cells, and the winners of the fields."""
        state = self.state
        codes: dict[int, tuple[str, ...]] = {
            number: ("drawn",) if holder == DRAWN else (f"won:{holder}",)
            for number, holder in enumerate(state.fields)
            if holder is not None
        }
        if state.open_field is not None and self.outcome is None:
            codes[state.open_field] = ("field",)
        return Annotations(dict.fromkeys(self.legal_moves(), ("may",)), dict(sorted(codes.items())))

    def purpose_of(self, move: Move) -> Purpose | None:
        after = self.copy()
        after.play(move)
        if after.fields.count(self.turn) > self.fields.count(self.turn):
            return Purpose("wins-field")
        if after.state.open_field is None or after.outcome is not None:
            return super().purpose_of(move)
        replies = len(after.legal_moves())
        row, column = (3 * number for number in divmod(after.state.open_field, 3))
        return Purpose("sends", {"field": ((row + 2, column), (row, column + 2)), "replies": replies})

    def with_turn(self, side: str) -> Self | None:
        """Return the same position with *side* to move, in the field that is open."""
        return self.from_state(self.state._replace(side=self.sides.index(side)), self.sides)

    def lines_through(self, coordinate: Iterable[int]) -> LinesThrough | None:
        """Return the lines through a cell within its field. All are closed once the field is decided."""
        cell = coordinate_of(self.shape, index_of(self.shape, coordinate))
        field, place = _field_and_place(cell)
        own = (cell_indices(field, row) for row in PLACES_IN_LINE if place in row)
        markings = () if self.fields[field] is not None else (self.turn,)
        return collect_lines(self.cells, ((cells, ()) for cells in own), markings)

    def static_evaluation(self) -> int:
        """Return the difference in progress to three fields in a row.

        Undecided fields count by their leader.
        """
        state = self.state
        own, other = self.sides[state.side], self.sides[1 - state.side]
        leads = [
            {own: 1.0, other: -1.0, DRAWN: None}[holder] if holder else _lead(cells, own, other)
            for holder, cells in zip(state.fields, state.cells, strict=True)
        ]
        score = 10.0 if state.open_field is None else 0.0
        for row in PLACES_IN_LINE:
            mine = theirs = 1.0
            for place in row:
                lead = leads[place]
                mine, theirs = (0.0, 0.0) if lead is None else (mine * (1 + lead), theirs * (1 - lead))
            score += 12 * (mine - theirs)
        return int(score + sum(5 * (lead or 0) for lead in leads))


@lru_cache(maxsize=20_000)
def _lead(cells: tuple[str | None, ...], own: str, other: str) -> float:
    """Return the lead of *own* in an undecided field: between -1 and 1, the values of a decided one."""
    lead = 0.04 * ((cells[4] == own) - (cells[4] == other))
    for row in PLACES_IN_LINE:
        marks = [cells[place] for place in row]
        mine, theirs = marks.count(own), marks.count(other)
        if not mine or not theirs:
            lead += (0, 0.08, 0.28)[mine] - (0, 0.08, 0.28)[theirs]
    return max(-0.9, min(0.9, lead))


def _cell(field: int, place: int) -> Coordinate:
    return (field // 3 * 3 + place // 3, field % 3 * 3 + place % 3)


def cell_indices(field: int, places: Iterable[int]) -> tuple[int, ...]:
    """Return the indices of the cells at *places* of a field."""
    return tuple(row * 9 + column for row, column in (_cell(field, place) for place in places))


def _field_and_place(cell: Move) -> tuple[int, int]:
    row, column = cell
    return (row // 3 * 3 + column // 3, row % 3 * 3 + column % 3)


def _decide(cells: Sequence[str | None]) -> str | None:
    """Return the winner of a field: a side, :data:`DRAWN`, or None while it is open."""
    for row in PLACES_IN_LINE:
        first, *rest = (cells[place] for place in row)
        if first is not None and all(mark == first for mark in rest):
            return first
    return None if None in cells else DRAWN


def _winning_line(state: UltimateState, field: int, side: str) -> Line:
    own, known = state.cells[field], zip(PLACES_IN_LINE, FIELD_LINES, strict=True)
    row, line = next(pair for pair in known if all(own[place] == side for place in pair[0]))
    return Line(tuple(_cell(field, place) for place in row), line.step)
