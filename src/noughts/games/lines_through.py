"""The lines through one cell, and those that can still be filled: the highlight around a cursor."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from noughts.games.rules import NO_EARLY_END, Rules

Window = tuple[tuple[int, ...], tuple[int, ...]]
"""The cells of a line, and the cells at its ends that may stop it from counting."""


FILLABLE = NO_EARLY_END | {"place"}
"""The facts under which it is known which lines can still be filled."""


@dataclass(frozen=True, slots=True)
class LinesThrough:
    """The lines through a cell from the view of the side to move, with cells as indices.

    The side can still fill ``open_count`` of all ``count`` lines. ``open`` has the empty cells on those
    lines, ``closed`` the empty cells that are only on other lines. Both may contain the cell itself.
    """

    open: frozenset[int]
    closed: frozenset[int]
    count: int
    open_count: int
    lines: tuple[tuple[tuple[int, ...], bool], ...] = field(default=(), compare=False)
    """Each line from end to end, with True if it is open."""


def collect_lines(
    cells: tuple[str | None, ...],
    windows: Iterable[Window],
    markings: tuple[str, ...],
    staying: tuple[str | None, ...] | None = None,
) -> LinesThrough:
    """Return the lines of *windows* for a side that may fill a line with any one of *markings*.

    Only marks in *staying* close lines. By default these are all marks on *cells*.
    """
    staying = cells if staying is None else staying
    by_cells: dict[frozenset[int], tuple[tuple[int, ...], bool]] = {}
    for line, ends in windows:
        borne = {staying[cell] for cell in line} - {None}
        can_fill = any(borne <= {mark} and all(staying[end] != mark for end in ends) for mark in markings)
        # On a board without edges the same cells may have other ends in another direction.
        first, is_open = by_cells.get(frozenset(line), (line, False))
        by_cells[frozenset(line)] = first, is_open or can_fill
    lines = tuple(by_cells.values())
    empty = {(cell, is_open) for line, is_open in lines for cell in line if cells[cell] is None}
    open_cells = frozenset(cell for cell, is_open in empty if is_open)
    closed = frozenset(cell for cell, _ in empty) - open_cells
    return LinesThrough(open_cells, closed, len(lines), sum(is_open for _, is_open in lines), lines)


def lines_through_cell(rules: Rules, cells: tuple[str | None, ...], turn: str, index: int) -> LinesThrough:
    """Return the lines of k in a row through the cell of *index*, from the view of the side *turn*.

    A line with a foreign mark is closed, but not if marks vanish. If all sides place the same mark, any mark
    counts. If the mover chooses the mark, a line with two kinds of marks is closed. If longer lines do not
    count, a line that would become too long is closed.
    """
    geometry = rules.geometry
    markings = rules.board_marks if rules.wild or rules.notakto else (turn,)
    exact = rules.exact_for[rules.board_marks.index(markings[0])]
    windows = (
        (line, ends if exact else ())
        for step in geometry.steps
        for line, ends in geometry.windows(index, step)
    )
    return collect_lines(cells, windows, markings, (None,) * len(cells) if rules.vanish else cells)
