"""Five in a row on a board of 6x6 as masks, for games that are won by it in a way of their own."""

from collections.abc import Sequence

from noughts.core.board import index_of
from noughts.core.geometry import Line, coordinates, lines

SIZE, K = 6, 5
SHAPE = (SIZE, SIZE)

ALL = (1 << SIZE**2) - 1
"""The mask of the full board."""

LINES = tuple((sum(1 << index_of(SHAPE, cell) for cell in line.cells), line) for line in lines(SHAPE, K))
"""Every line, and before it its mask."""


def held_by(cells: Sequence[str | None], mark: str) -> int:
    """The mask of the cells that bear *mark*."""
    return sum(1 << index for index, cell in enumerate(cells) if cell == mark)


def fives_in(held: int) -> tuple[Line, ...]:
    """The lines that the cells of the mask *held* fill."""
    return tuple(line for mask, line in LINES if held & mask == mask)


def has_five(held: int) -> bool:
    """Whether the cells of the mask *held* fill a line."""
    return any(held & mask == mask for mask, _ in LINES)


WEIGHTS = {cell: sum(cell in line.cells for _, line in LINES) for cell in coordinates(SHAPE)}
"""How many lines run through each cell."""
