"""The memory for the kernels of the gravity search.

A mask has a bit for each cell, layer by layer from the lowest. So the cell above is as many bits further as
there are columns. On boards of 64 cells the last bit is the sign in compiled kernels. So masks are joined,
counted and shifted, and bits outside the board are removed, but masks are never compared.

The value of a position for the side to move is a number: 0 for a draw, and ``size + 1 - n`` for a win with
mark number *n* on the board. It is negative for a loss. More is better, so a sooner win is better.
"""

from dataclasses import dataclass
from typing import Final

from noughts.core.lines import line_table
from noughts.core.symmetry import symmetries
from noughts.games.rules import Rules
from noughts.search.memory import Memory, zeros
from noughts.search.numba_backend import Ints

RUNNING = 1000
"""The result of a search that has not ended. It is no value."""

NUMBER_BITS = 62
"""The number of bits that are used in a number of the table."""

IMAGE_PART = 3
"""The divisor of the cells that gives the number of marks up to which symmetric positions share an entry.

Beyond, it takes longer than it saves.
"""

MAX_IMAGES = 64
"""The maximum number of symmetries that are used to recognise positions. More take longer than they save."""


@dataclass(kw_only=True, eq=False)
class GravityMemory(Memory):
    """The board, the question, and the search with its state at each depth."""

    # The board
    size: Final[int]
    width: Final[int]
    """The number of columns."""
    height: Final[int]
    k: Final[int]
    board: Final[int]
    """The mask of all cells."""
    bottom: Final[int]
    """The mask of the lowest layer."""
    column: Final[int]
    """The mask of the first column."""
    below: Final[int]
    """The mask of all cells but the highest layer."""
    good: Final[int]
    """The mask of the layers at an odd distance from the highest. They go to the side that is followed."""
    keyed: Final[int]
    """The mask of the cells in a key, with one layer above the board if it fits."""
    is_wide: Final[int]
    """1 if the table has two numbers for a position, not one."""
    image_marks: Final[int]
    """The number of marks up to which symmetric positions share an entry."""
    images: Final[int]
    """The number of symmetries of the columns."""
    columns: Ints
    """The masks of the columns, those with the most lines first."""
    direction_count: Final[int]
    directions: Ints
    """The steps and starts of lines, by direction.

    For each direction there are two numbers: the distance in bits between the cells of a line, and the mask
    of the first cells of lines.
    """
    first: Ints
    """The index of the first line of each cell in *through*."""
    through: Ints
    """The masks of the lines."""
    image_of: Ints
    """The image of each column under each symmetry, the identity first."""

    # The question: is the value *wanted* or more for the side to move?
    marks: int = 0
    """The number of marks on the board."""
    wanted: int = 0

    # The search
    depth: int = 0
    is_returning: int = 0
    """1 if the depth below has just been answered."""
    result: int = 0
    """The answer of the depth below."""
    nodes: int = 0
    """The number of moves made in all questions."""
    best: int = 0
    """The bit of the move that reaches the value, 0 for none."""
    shift: int = 0
    """The base-2 logarithm of the number of buckets in the table."""
    key: int = 0
    """The last key that was probed."""
    tag: int = 0
    order: Ints
    """Scores that order moves."""

    # At each depth
    own: Ints
    """The marks of the side to move."""
    taken: Ints
    """The marks of both sides."""
    own_wins: Ints
    """The empty cells that complete a line of the side to move."""
    other_wins: Ints
    """The empty cells that complete a line of the other side."""
    bucket: Ints
    """The index of the bucket of the position in the table."""
    tag_at: Ints
    key_at: Ints
    lower: Ints
    """The stored bounds of the value."""
    upper: Ints
    nodes_before: Ints
    value: Ints
    """The best value of the moves so far."""
    move_count: Ints
    next_move: Ints
    """The index in *moves* of the next move to try."""
    moves: Ints
    """The bits of the moves, the likeliest first: *width* numbers for each depth."""


def new_memory(rules: Rules) -> GravityMemory:
    """Create the memory for *rules*. Its masks are never negative, even with 64 bits."""
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
    """Return the bit number of *cell*; the mapping is its own inverse."""
    return (height - 1 - cell // width) * width + cell % width


def is_too_wide(width: int, height: int) -> bool:
    """Return True if a key does not fit one number."""
    return width * (height + 1) > NUMBER_BITS
