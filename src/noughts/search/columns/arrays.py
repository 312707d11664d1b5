"""The memory that the kernels of this search work in."""

from collections.abc import Iterable

from noughts.core.lines import line_table
from noughts.core.symmetry import symmetries
from noughts.games.rules import Rules
from noughts.search.columns import layout as at
from noughts.search.columns.table import NUMBER_BITS

FEW_PART = 3
"""Images of a position are one until a third of the cells is taken; later it takes longer than it saves."""

MAX_IMAGES = 64
"""So many symmetries are used to recognise positions; more take longer than they save."""


def new_memory(rules: Rules) -> list[int]:
    """The memory for *rules*, no bit of whose masks is a sign."""
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
    memory = [0] * at.ALL
    for name, number in {
        at.SIZE: size,
        at.WIDTH: width,
        at.HEIGHT: height,
        at.K: rules.k,
        at.BOARD: sum(columns),
        at.BOTTOM: (1 << width) - 1,
        at.COLUMN: columns[0],
        at.BELOW: (1 << size - width) - 1,
        at.GOOD: sum((1 << width) - 1 << y * width for y in range(height - 2, -1, -2)),
        at.KEYED: (1 << size + (0 if is_wide else width)) - 1,
        at.IS_WIDE: int(is_wide),
        at.FEW: size // FEW_PART,
        at.IMAGES: len(group),
        at.STEPS: len(directions),
        at.FRAME: at.MOVES + width,
    }.items():
        memory[name] = number
    first_lines = [sum(map(len, through[:bit])) for bit in range(size + 1)]
    arrays: dict[int, Iterable[int]] = {
        at.COLUMNS: (columns[x] for x in sorted(range(width), key=many.__getitem__, reverse=True)),
        at.ORDER: [0] * width,
        at.DIRECTIONS: (number for pair in directions.items() for number in pair),
        at.FIRST: first_lines,
        at.THROUGH: (line for there in through for line in there),
        at.IMAGE_OF: (cell for image in group for cell in image[:width]),
        at.FRAMES: [0] * ((size + 2) * memory[at.FRAME]),
    }
    for name, values in arrays.items():
        memory[name] = len(memory)
        memory.extend(values)
    return memory


def bit_of(cell: int, width: int, height: int) -> int:
    """Which bit *cell* has, and of a bit which cell has it."""
    return (height - 1 - cell // width) * width + cell % width


def is_too_wide(width: int, height: int) -> bool:
    """Whether a key does not fit one number."""
    return width * (height + 1) > NUMBER_BITS
