"""Steps of a cursor from cell to cell."""

from math import prod

from noughts.core.board import Shape
from noughts.games.layout import Layout

DIRECTIONS = ("left", "right", "up", "down", "next-plane", "previous-plane")


def step(layout: Layout, shape: Shape, index: int, direction: str, wrap: bool = False) -> int:
    """The cell that a step in one of :data:`DIRECTIONS` leads to from the cell of *index*.

    At the edge of a plane a step to the left or right goes on in the neighbouring plane of the last
    upper axis, a step up or down in that of the axis before it; where there is none, it stays, or with
    *wrap* comes back at the other side.

    >>> from noughts.games.layout import grid_layout
    >>> step(grid_layout((3, 3)), (3, 3), 4, "up"), step(grid_layout((3, 3)), (3, 3), 2, "right")
    (1, 2)
    >>> step(grid_layout((2, 3, 3)), (2, 3, 3), 2, "right")
    9
    """
    plane, row, column = layout.place(index)
    upper = shape[:-2]
    across = upper[-1] if upper else 1
    down = upper[-2] if len(upper) > 1 else 1
    if direction in ("next-plane", "previous-plane"):
        plane = _moved(plane, 1 if direction == "next-plane" else -1, prod(upper), wrap)
        return layout.index(plane, row, column)
    stack, place = divmod(plane, across * down)
    high, wide = divmod(place, across)
    if direction in ("left", "right"):
        along = wide * layout.columns + column
        along = _moved(along, 1 if direction == "right" else -1, across * layout.columns, wrap)
        wide, column = divmod(along, layout.columns)
    else:
        along = high * layout.rows + row
        along = _moved(along, 1 if direction == "down" else -1, down * layout.rows, wrap)
        high, row = divmod(along, layout.rows)
    return layout.index((stack * down + high) * across + wide, row, column)


def _moved(place: int, by: int, size: int, wrap: bool) -> int:
    moved = place + by
    return moved % size if wrap else max(0, min(moved, size - 1))
