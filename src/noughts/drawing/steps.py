"""Steps of a cursor from cell to cell."""

from noughts.core.board import Shape
from noughts.games.layout import Layout

DIRECTIONS = ("left", "right", "up", "down", "next-plane", "previous-plane")
FORWARD = ("right", "down", "next-plane")
"""The directions in which numbers grow."""


def step(layout: Layout, shape: Shape, index: int, direction: str, wrap: bool = False) -> int:
    """Return the cell after a step from *index* in one of :data:`DIRECTIONS`.

    A step to the left or right at the edge of a plane leads to the next plane along the last upper axis. A
    step up or down leads to the next plane along the axis before it. Without such a plane the cursor stays in
    place, or comes in at the other side with *wrap*.

    >>> from noughts.games.layout import grid_layout
    >>> step(grid_layout((3, 3)), (3, 3), 4, "up"), step(grid_layout((3, 3)), (3, 3), 2, "right")
    (1, 2)
    >>> step(grid_layout((2, 3, 3)), (2, 3, 3), 2, "right")
    9
    """
    plane, row, column = layout.place(index)
    by = 1 if direction in FORWARD else -1
    if direction in ("next-plane", "previous-plane"):
        return layout.index(_moved(plane, by, layout.planes, wrap), row, column)
    across, down = (*shape[:-2][::-1], 1, 1)[:2]  # The planes beside and below each other.
    stack, place = divmod(plane, across * down)
    high, wide = divmod(place, across)
    if direction in ("left", "right"):
        along = _moved(wide * layout.columns + column, by, across * layout.columns, wrap)
        wide, column = divmod(along, layout.columns)
    else:
        along = _moved(high * layout.rows + row, by, down * layout.rows, wrap)
        high, row = divmod(along, layout.rows)
    return layout.index((stack * down + high) * across + wide, row, column)


def _moved(place: int, by: int, size: int, wrap: bool) -> int:
    moved = place + by
    return moved % size if wrap else max(0, min(moved, size - 1))
