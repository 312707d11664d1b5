"""Where the cells of a board stand in a picture."""

from dataclasses import dataclass
from math import prod

from noughts.core.board import Shape


@dataclass(frozen=True, slots=True)
class Layout:
    """How a game wants its board drawn.

    The last two axes are the rows and columns of a plane; the planes of a board with more axes stand
    side by side, each with its number. ``fields`` are the rows and columns of cells between heavy
    lines, 0 where there are none. ``gravity`` draws walls and a floor and numbers the columns.
    ``tiles`` says that cells hold numbers rather than marks.
    """

    planes: int
    rows: int
    columns: int
    gravity: bool = False
    fields: tuple[int, int] = (0, 0)
    tiles: bool = False

    def place(self, index: int) -> tuple[int, int, int]:
        """The plane, row and column of the cell with the flat *index*."""
        plane, rest = divmod(index, self.rows * self.columns)
        return (plane, *divmod(rest, self.columns))


def grid_layout(shape: Shape, *, gravity: bool = False) -> Layout:
    """The usual layout of *shape*.

    >>> grid_layout((4, 4, 4)).planes
    4
    """
    if len(shape) == 1:
        return Layout(1, shape[0], 1, gravity) if gravity else Layout(1, 1, shape[0])
    return Layout(prod(shape[:-2]), shape[-2], shape[-1], gravity and len(shape) == 2)
