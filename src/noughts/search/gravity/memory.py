"""The memory that the kernels of this search work in.

A mask has a bit for each cell, layer after layer from the lowest, so that the cell above is as many bits
further as there are columns. Of 64 cells the last bit is the sign where kernels are compiled: masks are
joined, counted and shifted, with what does not belong to the board taken off, but never compared.

The value of a position for the side to move is a number: 0 for a draw, and for a win with the last of *n*
marks on the board ``size + 1 - n``; negative for a loss. More is better, and sooner.
"""

from dataclasses import dataclass
from typing import Final

from noughts.core.lines import line_table
from noughts.core.symmetry import symmetries
from noughts.games.rules import Rules
from noughts.search.memory import Memory, zeros
from noughts.search.numba_backend import Ints

RUNNING = 1000
"""No value: nothing is known yet."""

NUMBER_BITS = 62
"""Bits of a number of the table that are used."""

IMAGE_PART = 3
"""Images of a position are one until a third of the cells is taken; later it takes longer than it saves."""

MAX_IMAGES = 64
"""The most symmetries that are used to recognise positions; more take longer than they save."""


@dataclass(kw_only=True, eq=False)
class GravityMemory(Memory):
    """The board, the question, and the search with its state at each depth."""

    # The board
    size: Final[int]
    width: Final[int]
    """Columns."""
    height: Final[int]
    k: Final[int]
    board: Final[int]
    """The mask of all cells."""
    bottom: Final[int]
    """The lowest layer."""
    column: Final[int]
    """The cells of the first column."""
    below: Final[int]
    """All cells but the highest."""
    good: Final[int]
    """The layers at an odd distance from the highest: they go to the side that is followed in each column."""
    keyed: Final[int]
    """The cells, and those that one layer more would have, as far as these are part of a key."""
    is_wide: Final[int]
    """Whether the table has two numbers for a position, not one."""
    image_marks: Final[int]
    """With so many marks or fewer, positions that are images of each other are one."""
    images: Final[int]
    """Symmetries of the columns."""
    columns: Ints
    """The masks of the columns, those first through which most lines run."""
    direction_count: Final[int]
    directions: Ints
    """Bits from one cell of a line to the next, and the cells where lines begin so, in turn."""
    first: Ints
    """Where the lines of each cell begin in *through*."""
    through: Ints
    """Their masks."""
    image_of: Ints
    """Where each column goes in each image, the identity first."""

    # The question: is the value *wanted* or more for the side to move?
    marks: int = 0
    """Marks on the board."""
    wanted: int = 0

    # The search
    depth: int = 0
    is_returning: int = 0
    """Whether the depth below has just been answered."""
    result: int = 0
    """The answer of the depth below."""
    nodes: int = 0
    """Moves made in all questions."""
    best: int = 0
    """The bit of the move by which the value is reached, 0 for none."""
    shift: int = 0
    """The table has ``2 ** shift`` buckets."""
    key: int = 0
    """The last key that was looked for."""
    tag: int = 0
    order: Ints
    """Scores that order moves."""

    # At each depth
    own: Ints
    """The marks of the side to move."""
    taken: Ints
    """Those of both sides."""
    own_wins: Ints
    """The empty cells that complete a line of the side to move."""
    other_wins: Ints
    """Those that complete a line of the other side."""
    bucket: Ints
    """Where the table may have the position."""
    tag_at: Ints
    key_at: Ints
    lower: Ints
    """The bounds of the value that the table knows."""
    upper: Ints
    nodes_before: Ints
    value: Ints
    """The best of the moves so far."""
    move_count: Ints
    next_move: Ints
    """The place in *moves* of the next one to try."""
    moves: Ints
    """The bits of the moves, likeliest first: *width* numbers for each depth."""


def new_memory(rules: Rules) -> GravityMemory:
    """Return the memory for *rules*; no bit of its masks is a sign."""
    board = line_table(rules.geometry)
    assert board is not None  # noqa: S101 - boards of so few cells all have one
    height, size = rules.shape[0], board.size
    width = size // height
    columns = [sum(1 << x + y * width for y in range(height)) for x in range(width)]
    lines = [sum(1 << bit_of(cell, width, height) for cell in cells) for cells in board.cells_of]
    through = [[line for line in lines if line >> bit & 1] for bit in range(size)]
    directions: dict[int, int] = {}
    for cells in board.cells_of:
        first, second, *_ = sorted(bit_of(cell, width, height) for cell in cells)
        directions[second - first] = directions.get(second - first, 0) | 1 << first
    group = symmetries(rules.geometry, gravity=True)[:MAX_IMAGES]
    many = [sum(map(len, through[x::width])) for x in range(width)]
    is_wide = is_too_wide(width, height)
    return GravityMemory(
        size=size,
        width=width,
        height=height,
        k=rules.k,
        board=sum(columns),
        bottom=(1 << width) - 1,
        column=columns[0],
        below=(1 << size - width) - 1,
        good=sum((1 << width) - 1 << y * width for y in range(height - 2, -1, -2)),
        keyed=(1 << size + (0 if is_wide else width)) - 1,
        is_wide=int(is_wide),
        image_marks=size // IMAGE_PART,
        images=len(group),
        columns=[columns[x] for x in sorted(range(width), key=many.__getitem__, reverse=True)],
        direction_count=len(directions),
        directions=[number for pair in directions.items() for number in pair],
        first=[sum(map(len, through[:bit])) for bit in range(size + 1)],
        through=[line for there in through for line in there],
        image_of=[cell for image in group for cell in image[:width]],
        **zeros(width, "order"),
        **zeros((size + 2) * width, "moves"),
        **zeros(size + 2, "own", "taken", "own_wins", "other_wins", "bucket", "tag_at", "key_at"),
        **zeros(size + 2, "lower", "upper", "nodes_before", "value", "move_count", "next_move"),
    )


def bit_of(cell: int, width: int, height: int) -> int:
    """Return the bit of *cell*, and of a bit its cell."""
    return (height - 1 - cell // width) * width + cell % width


def is_too_wide(width: int, height: int) -> bool:
    """Return whether a key does not fit one number."""
    return width * (height + 1) > NUMBER_BITS
