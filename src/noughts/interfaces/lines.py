"""All lines through one cell, and which of them can still be filled: what lights up around the cursor."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from noughts.core.board import coordinate_of, index_of
from noughts.core.geometry import Geometry
from noughts.games.base import Game
from noughts.games.kinarow import KInARow
from noughts.games.ultimate import FIELD_LINES, Ultimate

Window = tuple[tuple[int, ...], tuple[int, ...]]
"""The cells of a line, and the cells at its ends that may keep it from counting."""


@dataclass(frozen=True, slots=True)
class LinesThrough:
    """The lines through a cell, as the side to move sees them; cells by their index.

    ``open`` are the empty cells on those of the ``open_count`` lines that it can still fill, ``closed`` the
    empty cells that are only on other lines; both may hold the cell itself. ``count`` are all lines.
    """

    open: frozenset[int]
    closed: frozenset[int]
    count: int
    open_count: int


def lines_through(game: Game, index: int) -> LinesThrough | None:
    """The lines through the cell of *index*; None where *game* has no lines, as Reversi and puzzles.

    A line that bears a foreign mark is closed; where marks vanish none is. Where all place the same mark any
    mark counts; where the mover chooses the mark, a line that bears two kinds is closed. Where longer lines
    do not count, a line is closed that would become too long. In ultimate tic-tac-toe these are the lines of
    the field, all of them closed once it is decided.

    >>> from noughts import TicTacToe
    >>> game = TicTacToe()
    >>> game.play((1, 1))
    >>> found = lines_through(game, 0)
    >>> sorted(found.open), sorted(found.closed), found.count, found.open_count
    ([0, 1, 2, 3, 6], [8], 3, 2)
    """
    if isinstance(game, KInARow):
        geometry = Geometry(game.rules.shape, game.rules.k, game.rules.wrap)
        windows = _windows(geometry, index, with_ends=game.rules.exact)
        is_shared = game.rules.wild or game.rules.notakto
        cells = (None,) * len(game.cells) if game.rules.vanish else game.cells
        return _gathered(game.cells, windows, game.rules.placed if is_shared else (game.turn,), cells)
    if isinstance(game, Ultimate):
        windows = _windows_of_field(index)
        field = index // 27 * 3 + index % 9 // 3
        return _gathered(game.cells, windows, () if game.fields[field] is not None else (game.turn,))
    return None


def _windows(geometry: Geometry, index: int, *, with_ends: bool) -> Iterator[Window]:
    """The lines of a k-in-a-row board through the cell of *index*."""
    shape = geometry.shape
    cell = coordinate_of(shape, index)
    for step in geometry.steps:
        for line, ends in geometry.windows(cell, step):
            yield (
                tuple([index_of(shape, other) for other in line.cells]),
                tuple([index_of(shape, end) for end in ends]) if with_ends else (),
            )


def _windows_of_field(index: int) -> Iterator[Window]:
    """The lines of a field of ultimate tic-tac-toe through the cell of *index*, a cell of the 9x9 board."""
    top, left = index // 27 * 3, index % 9 // 3 * 3
    for line in FIELD_LINES:
        cells = tuple((top + row) * 9 + left + column for row, column in line.cells)
        if index in cells:
            yield cells, ()


def _gathered(
    cells: tuple[str | None, ...],
    windows: Iterable[Window],
    markings: tuple[str, ...],
    staying: tuple[str | None, ...] | None = None,
) -> LinesThrough:
    """What *windows* come to for a side that may fill lines with any one of *markings*.

    Of the marks on *cells* only those *staying* close lines: all, unless that is said.
    """
    staying = cells if staying is None else staying
    is_open: dict[frozenset[int], bool] = {}
    for line, ends in windows:
        borne = {staying[cell] for cell in line} - {None}
        can_fill = any(borne <= {mark} and all(staying[end] != mark for end in ends) for mark in markings)
        key = frozenset(line)
        # Around a board without edges the same cells may have other ends another way.
        is_open[key] = is_open.get(key, False) or can_fill
    empty = {
        wanted: frozenset(
            cell for line, known in is_open.items() if known == wanted for cell in line if cells[cell] is None
        )
        for wanted in (True, False)
    }
    return LinesThrough(empty[True], empty[False] - empty[True], len(is_open), sum(is_open.values()))
