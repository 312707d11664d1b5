"""Five in a row on a board of 6x6 as masks, for games that are won by it in a way of their own."""

from noughts.core.board import index_of
from noughts.core.geometry import Line, coordinates, lines, mask_of

SIZE, K = 6, 5
SHAPE = (SIZE, SIZE)

ALL = (1 << SIZE**2) - 1
"""The mask of the full board."""

LINES = tuple((mask_of(index_of(SHAPE, cell) for cell in line.cells), line) for line in lines(SHAPE, K))
"""Every line, and before it its mask."""


def fives_in(held: int) -> tuple[Line, ...]:
    """The lines that the cells of the mask *held* fill."""
    return tuple(line for mask, line in LINES if held & mask == mask)


def has_five(held: int) -> bool:
    """Whether the cells of the mask *held* fill a line."""
    return any(held & mask == mask for mask, _ in LINES)


WEIGHTS = {cell: sum(cell in line.cells for _, line in LINES) for cell in coordinates(SHAPE)}
"""How many lines run through each cell."""
