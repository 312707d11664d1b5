"""The content of a picture besides the marks: labels, last move, winning lines, highlights."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import chain, product

from noughts.core.board import Coordinate, Shape, coordinate_of, index_of
from noughts.core.geometry import Line
from noughts.games.annotations import ANNOTATIONS
from noughts.games.base import Game
from noughts.games.moves import Move, cells_of, parts_of

WORTHS = ("win", "draw", "loss")
NOBODY = "="
"""The owner of a drawn field."""

HIGHLIGHTS = (
    *("cursor", "hint", "open", "closed", *WORTHS, "own-threat", "threat", "leaving", "forbidden"),
    *("said", "next", "turning", "home", "slides:left", "slides:right", "slides:up", "slides:down"),
)
"""The codes of highlights.

In order: the cursor; a hint; cells of an open and of a closed line; the value of a move for the side to move;
winning cells of that side and of another; marks that leave with the next move of their side; forbidden cells;
the chosen cells of a partial move and its possible next ones; marks that a move would turn over; tiles in
their place, and tiles that can slide. The label of a cell with a value is that value, such as ``+3``.
"""


@dataclass(frozen=True, slots=True)
class View:
    """Facts about single cells, by flat index, without their source."""

    labels: Mapping[int, str] = field(default_factory=dict)
    """Short texts for empty cells, such as the number of the cell."""
    last: frozenset[int] = frozenset()
    """The cells of the last move."""
    lines: tuple[tuple[int, ...], ...] = ()
    """The lines that decided the game, in the order of their cells; other shapes are single cells."""
    highlights: Mapping[int, str] = field(default_factory=dict)
    """The codes of each cell: one of :data:`HIGHLIGHTS`, or several separated by blanks."""
    pairs: tuple[tuple[int, int], ...] = ()
    """Pairs of cells that belong together. Pictures join them by coloured bands."""

    def codes(self, index: int) -> tuple[str, ...]:
        """Return the highlights of a cell."""
        return tuple(self.highlights.get(index, "").split())

    def worth(self, index: int) -> str:
        """Return the value that highlights a cell: win, draw or loss; empty if there is none."""
        return next((code for code in self.codes(index) if code in WORTHS), "")

    @property
    def winning(self) -> frozenset[int]:
        """The cells of all winning lines."""
        return frozenset(index for line in self.lines for index in line)


def view_of(
    game: Game, first: int = 1, highlights: Mapping[int, str] | None = None, *, labels: bool = True
) -> View:
    """Return the view of *game*: last move, winning lines, leaving marks, forbidden cells.

    Unless *labels* is false, it has the numbers of the cells too.

    >>> from noughts import TicTacToe
    >>> game = TicTacToe()
    >>> game.play((1, 1))
    >>> view = view_of(game)
    >>> view.last, view.labels[0], 4 in view.labels
    (frozenset({4}), '1', False)
    """
    outcome = game.outcome
    lines = () if outcome is None else outcome.lines
    return View(
        cell_labels(game, first) if labels else {},
        frozenset(index_of(game.shape, cell) for cell in game.last_cells()),
        tuple(chain.from_iterable(_strokes(game, line) for line in lines)),
        _with_annotations(game, highlights or {}),
    )


def _strokes(game: Game, line: Line) -> list[tuple[int, ...]]:
    """Return the groups of cells to strike through: a straight line as one, others cell by cell."""
    cells = tuple(index_of(game.shape, cell) for cell in line.cells)
    return [cells] if line.step else [(cell,) for cell in cells]


def _with_annotations(game: Game, highlights: Mapping[int, str]) -> Mapping[int, str]:
    """Return *highlights* with those that come from the rules."""
    marked = dict(highlights)
    for cell, codes in game.annotations().cells.items():
        rows = (ANNOTATIONS.get(code.partition(":")[0]) for code in codes)
        if names := dict.fromkeys(row.highlight for row in rows if row is not None and row.highlight):
            index = index_of(game.shape, cell)
            marked[index] = " ".join(filter(None, [marked.get(index), *names]))
    return marked


def first_index(game: Game, move: Move) -> int | None:
    """Return the flat index of the first cell of *move*; None if it has no cell.

    >>> from noughts import TicTacToe
    >>> first_index(TicTacToe(), (1, 1))
    4
    """
    cell = next(iter(cells_of(move)), None)
    return None if cell is None else index_of(game.shape, cell)


def choosable_cells(game: Game) -> frozenset[Coordinate]:
    """Return the cells with which the next move can begin: to place a mark or to slide a tile."""
    cells = set()
    for move in game.legal_moves():  # Large boards have thousands of moves.
        for part in parts_of(move):
            if not isinstance(part, str):
                cells.add(part)
                break
    return frozenset(cells)


def choosable(game: Game) -> frozenset[int]:
    """Return the flat indexes of the empty cells on which the next mark can be placed."""
    cells = game.cells
    indexes = (index_of(game.shape, cell) for cell in choosable_cells(game))
    return frozenset(index for index in indexes if cells[index] is None)


def cell_labels(game: Game, first: int = 1) -> dict[int, str]:
    """Return the numbers of the empty cells that can be chosen, counted from *first*.

    In a flat board where marks fall there are none, since the columns have numbers. If marks fall from plane
    to plane, the landing cell of a column has the number of its column, from 1.
    """
    if game.layout.gravity:
        return {}
    return {index: cell_number(game, index, first) for index in sorted(choosable(game))}


def cell_number(game: Game, index: int, first: int = 1) -> str:
    """Return the number that a player types for the cell *index*.

    It has the form that :mod:`noughts.games.notation` reads.
    """
    layout = game.layout
    if layout.drops:
        return str(index % (layout.planes * layout.rows * layout.columns // game.shape[0]) + 1)
    return str(index + first)


def side_of_worth(game: Game, worth: str) -> str:
    """Return the side whose colour a value has.

    It is the side to move for a win, the next side for a loss, otherwise ``""``.

    >>> from noughts import TicTacToe
    >>> [side_of_worth(TicTacToe(), worth) for worth in ("win", "loss", "draw")]
    ['X', 'O', '']
    """
    sides = game.sides
    following = sides[(sides.index(game.turn) + 1) % len(sides)]
    return {"win": game.turn, "loss": following}.get(worth, "")


def field_owners(game: Game) -> tuple[str | None, ...]:
    """Return the owner of each field in reading order: a side, ``=`` if drawn, None if open."""
    layout = game.layout
    if not all(layout.fields):
        return ()
    down, across = layout.fields
    numbers, codes = range(layout.rows // down * (layout.columns // across)), game.annotations().fields
    owners = {"drawn": NOBODY, **{f"won:{side}": side for side in game.sides}}
    held = ([owners[code] for code in codes.get(number, ()) if code in owners] for number in numbers)
    return tuple(names[0] if names else None for names in held)


def cells_of_owners(game: Game) -> dict[int, str]:
    """Return the cells of won fields by flat index, with the owner of the field."""
    layout, owners = game.layout, dict[int, str]()
    down, across = layout.fields
    for number, owner in enumerate(field_owners(game)):
        if owner is not None and owner in game.sides:
            top, left = divmod(number, layout.columns // across)
            inside = product(range(down), range(across))
            owners |= {layout.index(0, top * down + row, left * across + col): owner for row, col in inside}
    return owners


def straight_parts(shape: Shape, line: Iterable[int]) -> list[list[int]]:
    """Return *line* in runs of neighbours; a line that wraps around an edge has several."""
    runs: list[list[int]] = []
    before: tuple[int, ...] | None = None
    for index in line:
        cell = coordinate_of(shape, index)
        if before is None or max(abs(a - b) for a, b in zip(cell, before, strict=True)) > 1:
            runs.append([])
        runs[-1].append(index)
        before = cell
    return runs
