"""The tables and numbers that describe the board and the rules of a batch to the kernels."""

from itertools import product
from typing import TYPE_CHECKING, Any

from noughts.batch import falling, tiny
from noughts.batch import layout as at
from noughts.core.geometry import mask_of
from noughts.core.lines import line_table
from noughts.errors import UnsupportedRules
from noughts.games.rules import Rules

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[tuple[int, ...], np.dtype[Any]]

MAX_NEIGHBOURS = 1 << 25
"""The largest product of cells and directions. Above, the table of neighbours would take over 256 MB."""

HANDLED = frozenset(("gravity", "misere", "exact", "wrap", "wild", "notakto", "hex", "vanish", "players"))
"""The options of rules that the kernels handle. Lines take the same step from every cell."""

TINY = frozenset(("misere", "exact", "wrap", "hex"))
"""The options under which ``tiny`` can play games on boards of few cells."""

FALLING = frozenset(("gravity", "misere"))
"""The options under which ``falling`` can play games on small boards."""


def check_rules(rules: Rules) -> None:
    """Raise :class:`~noughts.errors.UnsupportedRules` unless the kernels handle *rules* and the board."""
    if not rules.facts <= HANDLED:
        raise UnsupportedRules("batch", rules.spec, "unknown-rules")
    cells = MAX_NEIGHBOURS // len(rules.geometry.steps)
    if rules.geometry.size > cells:
        raise UnsupportedRules("batch", rules.spec, "too-large", cells=cells)


def count_columns(rules: Rules) -> int:
    """Return the number of columns. If nothing falls, each cell is one."""
    return rules.geometry.size // (rules.shape[0] if rules.gravity else 1)


def count_planes(rules: Rules) -> int:
    """Return the number of planes of an observation."""
    return rules.players * rules.vanish if rules.vanish else len(rules.board_marks)


def numbers_of(rules: Rules) -> list[int]:
    """Return the numbers that describe *rules* to the kernels. ``layout`` defines their indices."""
    size, width = rules.geometry.size, count_columns(rules)
    marks = len(rules.marks) if rules.wild else 1
    numbers = {
        at.SIZE: size,
        at.WIDTH: width,
        at.SIDES: rules.players,
        at.MARKS: marks,
        at.ALIKE: int(rules.notakto),
        at.LOSES: int(rules.line_loses),
        at.K: rules.k,
        at.EXACT: int(rules.exact),
        at.VANISH: rules.vanish,
        at.SOONEST: rules.soonest_end,
        at.WAYS: 2 * (size + 1) * len(rules.geometry.steps),
        at.CAPACITY: size,
        at.ROW: size + 1,
        at.ACTIONS: width * marks,
        at.PLANES: count_planes(rules),
    }
    return [numbers[place] for place in range(at.LENGTH)]


def neighbours_of(rules: Rules) -> "Array":
    """Return the next cell of each cell for each direction and its opposite.

    At an edge of the board it is the extra cell behind the last one.
    """
    import numpy as np

    geometry = rules.geometry
    size = geometry.size
    places = np.indices(rules.shape, dtype=np.int32).reshape(len(rules.shape), size)
    table = np.full((len(geometry.steps), 2, size + 1), size, np.int32)
    for number, step in enumerate(geometry.steps):
        for way, sign in enumerate((1, -1)):
            index = np.zeros(size, np.int64)
            inside = np.ones(size, bool)
            for place, by, side, joined, stride in zip(
                places, step, geometry.shape, geometry.joined, geometry.strides, strict=True
            ):
                moved = place + sign * by
                if joined:
                    moved %= side
                else:
                    inside &= (moved >= 0) & (moved < side)
                index += moved * stride
            table[number, way, :size][inside] = index[inside]
    return table.reshape(-1)


def lines_of(rules: Rules) -> "Array | None":
    """Return the table of all sets of cells that contain a line; None if there are too many sets.

    Return None also for rules that ``tiny`` does not handle.
    """
    import numpy as np

    size, table = rules.geometry.size, None
    if size <= tiny.MAX_CELLS and rules.players == 2 and rules.facts <= TINY:
        table = line_table(rules.geometry)
    if table is None:
        return None
    sets = np.arange(1 << size)
    has_line = np.zeros(len(sets), bool)
    for mask, ends in zip(table.masks, table.ends_of, strict=True):
        has_line |= sets & (mask | mask_of(ends)) == mask
    return has_line.view(np.int8)


def masks_of(rules: Rules) -> "Array | None":
    """Return the shifts and masks with which ``falling`` plays *rules*; None if it cannot play them."""
    import numpy as np

    width, height = count_columns(rules), rules.shape[0]
    above = height + 1  # Bits go up the columns, and one more stays unset above each.
    fits = width <= falling.MAX_COLUMNS and width * above - 2 < falling.MAX_BITS and rules.k <= falling.MAX_K
    is_known = rules.gravity and rules.facts <= FALLING and rules.players == 2 and len(rules.shape) <= 2
    if not (fits and is_known):
        return None
    bits = [1 << column * above + height - 1 - row for row, column in product(range(height), range(width))]
    ways = [abs(sum(step[1:]) * above - step[0]) for step in rules.geometry.steps]
    times = {1: (0, 0), 2: (1, 0), 3: (1, 1), 4: (1, 2)}[rules.k]
    padding = [0] * (falling.MAX_COLUMNS - width)
    shifts = [ways[way % len(ways)] * each for way in range(falling.WAYS) for each in times]
    numbers = [
        # A shift by MAX_BITS leaves no bit. Processors do not shift by 64.
        *(min(shift, falling.MAX_BITS) for shift in shifts),
        *bits[-width:],
        *padding,
        *(sum(bits[column::width]) for column in range(width)),
        *padding,
        *bits,
    ]
    return np.array(numbers, np.int64)
