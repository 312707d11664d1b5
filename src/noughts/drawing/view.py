"""What a picture says besides the marks: labels in cells, the last move, winning lines, highlights."""

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
"""Who owns a field that was drawn."""

HIGHLIGHTS = (
    *("cursor", "hint", "open", "closed", *WORTHS, "own-threat", "threat", "leaving", "forbidden"),
    *("said", "next", "turning", "home", "slides:left", "slides:right", "slides:up", "slides:down"),
)
"""The codes of highlights: where the cursor is, where a hint points, cells of an open and a closed line,
what a move there is worth to the side to move, cells where that side, or another, would win with its next
move, the marks that leave with the next move of their side, cells where the rules forbid to place, the cells
of a move of which part has been said, those with which it may go on, the marks that a move would turn over,
tiles that are at home, and those that slide. The label of a cell with a worth is that worth, ``+3``."""


@dataclass(frozen=True, slots=True)
class View:
    """Plain facts about single cells, by flat index; no knowledge of where they come from."""

    labels: Mapping[int, str] = field(default_factory=dict)
    """Short texts for empty cells, such as the number of the cell."""
    last: frozenset[int] = frozenset()
    """The cells of the last move."""
    lines: tuple[tuple[int, ...], ...] = ()
    """The lines that decided the game, each in the order of its cells; cells of other shapes are alone."""
    highlights: Mapping[int, str] = field(default_factory=dict)
    """Cell to one of :data:`HIGHLIGHTS`, or to several with blanks between."""

    def codes(self, index: int) -> tuple[str, ...]:
        """The highlights of a cell."""
        return tuple(self.highlights.get(index, "").split())

    def worth(self, index: int) -> str:
        """Which of win, draw and loss a cell is highlighted with; empty for none."""
        return next((code for code in self.codes(index) if code in WORTHS), "")

    @property
    def winning(self) -> frozenset[int]:
        """The cells of all the lines."""
        return frozenset(index for line in self.lines for index in line)


def view_of(
    game: Game, first: int = 1, highlights: Mapping[int, str] | None = None, *, labels: bool = True
) -> View:
    """The last move, the winning lines, the marks that leave, the cells that are forbidden.

    Unless *labels* is false, also the numbers of the cells of *game*.

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
    """The cells to strike through together: all of a straight line, each alone of another shape."""
    cells = tuple(index_of(game.shape, cell) for cell in line.cells)
    return [cells] if line.step else [(cell,) for cell in cells]


def _with_annotations(game: Game, highlights: Mapping[int, str]) -> Mapping[int, str]:
    """*highlights* with those that come from the rules."""
    marked = dict(highlights)
    for cell, codes in game.annotations().cells.items():
        rows = (ANNOTATIONS.get(code.partition(":")[0]) for code in codes)
        if names := dict.fromkeys(row.highlight for row in rows if row is not None and row.highlight):
            index = index_of(game.shape, cell)
            marked[index] = " ".join(filter(None, [marked.get(index), *names]))
    return marked


def first_index(game: Game, move: Move) -> int | None:
    """The flat index of the cell that is pointed at first for *move*; None for a move without cells.

    >>> from noughts import TicTacToe
    >>> first_index(TicTacToe(), (1, 1))
    4
    """
    cell = next(iter(cells_of(move)), None)
    return None if cell is None else index_of(game.shape, cell)


def choosable_cells(game: Game) -> frozenset[Coordinate]:
    """The cells with which the next move may begin: to place a mark on, or to slide a tile from."""
    cells = set()
    for move in game.legal_moves():  # on large boards there are thousands
        for part in parts_of(move):
            if not isinstance(part, str):
                cells.add(part)
                break
    return frozenset(cells)


def choosable(game: Game) -> frozenset[int]:
    """The flat indexes of the empty cells on which the next mark may be placed."""
    cells = game.cells
    indexes = (index_of(game.shape, cell) for cell in choosable_cells(game))
    return frozenset(index for index in indexes if cells[index] is None)


def cell_labels(game: Game, first: int = 1) -> dict[int, str]:
    """The numbers of the empty cells that can be chosen, counted from *first*.

    Where marks fall in a flat board there are none: the columns carry the numbers. Where they fall
    from plane to plane, the cell in which a mark would land has the number of its column, from 1.
    """
    if game.layout.gravity:
        return {}
    return {index: cell_number(game, index, first) for index in sorted(choosable(game))}


def cell_number(game: Game, index: int, first: int = 1) -> str:
    """The number a player types for the cell of *index*, as :mod:`noughts.games.notation` reads it."""
    layout = game.layout
    if layout.drops:
        return str(index % (layout.planes * layout.rows * layout.columns // game.shape[0]) + 1)
    return str(index + first)


def side_of_worth(game: Game, worth: str) -> str:
    """In whose colour a worth is written: who moves, for a win; for a loss, who comes next; else nobody's.

    >>> from noughts import TicTacToe
    >>> [side_of_worth(TicTacToe(), worth) for worth in ("win", "loss", "draw")]
    ['X', 'O', '']
    """
    sides = game.sides
    following = sides[(sides.index(game.turn) + 1) % len(sides)]
    return {"win": game.turn, "loss": following}.get(worth, "")


def field_owners(game: Game) -> tuple[str | None, ...]:
    """Who has each field of a game of fields, in reading order: a side, ``=`` for nobody, None while open."""
    layout = game.layout
    if not all(layout.fields):
        return ()
    down, across = layout.fields
    numbers, codes = range(layout.rows // down * (layout.columns // across)), game.annotations().fields
    owners = {"drawn": NOBODY, **{f"won:{side}": side for side in game.sides}}
    held = ([owners[code] for code in codes.get(number, ()) if code in owners] for number in numbers)
    return tuple(names[0] if names else None for names in held)


def cells_of_owners(game: Game) -> dict[int, str]:
    """The cells of the fields that sides have, by flat index, and who has them."""
    layout, owners = game.layout, dict[int, str]()
    down, across = layout.fields
    for number, owner in enumerate(field_owners(game)):
        if owner is not None and owner in game.sides:
            top, left = divmod(number, layout.columns // across)
            inside = product(range(down), range(across))
            owners |= {layout.index(0, top * down + row, left * across + col): owner for row, col in inside}
    return owners


def straight_parts(shape: Shape, line: Iterable[int]) -> list[list[int]]:
    """The cells of *line* in runs of neighbours: more than one where it leaves the board and comes back."""
    runs: list[list[int]] = []
    before: tuple[int, ...] | None = None
    for index in line:
        cell = coordinate_of(shape, index)
        if before is None or max(abs(a - b) for a, b in zip(cell, before, strict=True)) > 1:
            runs.append([])
        runs[-1].append(index)
        before = cell
    return runs
