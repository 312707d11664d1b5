"""The names of lines for all interfaces: row 2, the main diagonal, a line through space."""

from dataclasses import dataclass
from operator import add

from noughts.core.board import Coordinate, Shape, index_of
from noughts.core.geometry import Line


@dataclass(frozen=True, slots=True)
class LineName:
    """The name of a line as data.

    ``kind`` is ``row``, ``column``, ``main-diagonal``, ``anti-diagonal``, ``diagonal`` or ``space-line``. It
    is ``over-edge`` for a line that crosses a joined edge, and ``shape`` for cells that are not a straight
    line. ``number`` counts rows from the top and columns from the left, from 1, and is None for other kinds.
    ``layer`` counts planes from 1. It is None on flat boards and for a line that leaves its plane or the
    board. ``cells`` are in reading order: from left to right, or down if they are in one column.
    """

    kind: str
    number: int | None
    layer: int | None
    cells: tuple[Coordinate, ...]


def name_line(shape: Shape, line: Line) -> LineName:
    """Return the name of *line* on a board of *shape*.

    >>> from noughts import TicTacToe
    >>> game = TicTacToe()
    >>> for cell in [(1, 1), (0, 0), (0, 2), (0, 1), (2, 0)]:
    ...     game.play(cell)
    >>> name_line(game.shape, game.outcome.line).kind
    'anti-diagonal'
    """
    if not line.step:
        return LineName("shape", None, None, line.cells)
    down, right = line.step[-2:] if len(line.step) > 1 else (0, line.step[0])
    cells = line.cells if right >= 0 else line.cells[::-1]
    if _is_over_edge(line):
        return LineName("over-edge", None, None, cells)
    if any(line.step[:-2]):
        return LineName("space-line", None, None, cells)
    layer = index_of(shape[:-2], line.start[:-2]) + 1 if len(shape) > 2 else None
    if not down:
        row = line.start[-2] + 1 if len(shape) > 1 else 1
        return LineName("row", row, layer, cells)
    if not right:
        return LineName("column", line.start[-1] + 1, layer, cells)
    return LineName(_diagonal(shape, line), None, layer, cells)


def _is_over_edge(line: Line) -> bool:
    """Return True if *line* crosses a joined edge, so that not all of its cells are a step apart."""
    walked = (tuple(map(add, cell, line.step)) for cell in line.cells)
    return any(reached != cell for reached, cell in zip(walked, line.cells[1:], strict=False))


def _diagonal(shape: Shape, line: Line) -> str:
    """Return the kind of a diagonal *line* in its plane. Only the two long ones of a square have a name."""
    rows, columns = shape[-2:]
    if rows == columns == len(line.cells):
        places = {cell[-2:] for cell in line.cells}
        return "main-diagonal" if all(row == column for row, column in places) else "anti-diagonal"
    return "diagonal"
