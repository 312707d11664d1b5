"""The numbers that describe the board and the rules of a batch to the kernels."""

from collections.abc import Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

from noughts.batch import layout as at
from noughts.batch import small
from noughts.errors import UnsupportedRules
from noughts.games.rules import Rules

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[tuple[int, ...], np.dtype[Any]]

MAX_NEIGHBOURS = 1 << 25
"""Cells times directions, above which the table of neighbours would take more than 256 MB."""

HANDLED = frozenset(("gravity", "misere", "exact", "wrap", "wild", "notakto", "hex", "vanish", "players"))
"""The options of rules that the kernels play by."""

SMALL = frozenset(("gravity", "misere", "hex"))
"""Those under which games on small boards may be played by ``small``."""


def check_rules(rules: Rules) -> None:
    """Refuse *rules* that the kernels do not play by, and boards that are too large for them."""
    if not rules.facts <= HANDLED:
        raise UnsupportedRules("batch", rules.spec, "unknown-rules")
    cells = MAX_NEIGHBOURS // len(rules.geometry.steps)
    if rules.geometry.size > cells:
        raise UnsupportedRules("batch", rules.spec, "too-large", cells=cells)


def count_columns(rules: Rules) -> int:
    """How many columns there are; where nothing falls each cell is one."""
    return rules.geometry.size // (rules.shape[0] if rules.gravity else 1)


def count_planes(rules: Rules) -> int:
    """How many planes an observation has."""
    return rules.players * rules.vanish if rules.vanish else len(rules.placed)


def numbers_of(rules: Rules) -> list[int]:
    """The numbers of *rules*, in the places that ``layout`` names."""
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
    """For each direction and its opposite the next cell of each cell, the one behind the last at an edge."""
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


def small_of(rules: Rules) -> list[int] | None:
    """The numbers that ``small`` plays *rules* by; None where it cannot."""
    width = count_columns(rules)
    dimensions = len(rules.shape)
    fits = width <= small.MAX_COLUMNS and rules.k <= small.MAX_K and dimensions <= len(STRIDES)
    if not fits or rules.players != len(STRIDES) or not rules.facts <= SMALL:
        return None
    height = rules.shape[0]
    across = rules.shape[-1] if dimensions > 1 else 1
    # Bits go up columns where marks fall, along rows where they do not; one more stays unset after each.
    strides = (1, height + 1) if rules.gravity else (across + 1, 1)
    bits = [
        (height - 1 - row if rules.gravity else row) * strides[0] + column * strides[1]
        for row, column in product(range(height), range(across))
    ]
    if max(bits) >= small.MAX_BITS:
        return None
    return _small(rules, [1 << bit for bit in bits], strides)


STRIDES = ("rows", "columns")


def _small(rules: Rules, bits: Sequence[int], strides: tuple[int, int]) -> list[int]:
    width = count_columns(rules)
    falls = -1 if rules.gravity else 1
    shifts = [abs(step[0] * falls * strides[0] + sum(step[1:]) * strides[1]) for step in rules.geometry.steps]
    shifts = [shifts[way % len(shifts)] for way in range(small.WAYS)]
    again = {1: (0, 0), 2: (1, 0), 3: (1, 1), 4: (1, 2)}[rules.k]
    padding = [0] * (small.MAX_COLUMNS - width)
    return [
        *(rules.geometry.size, width, rules.geometry.size + 1, int(rules.line_loses), rules.soonest_end),
        sum(column << 4 * column for column in range(width)),
        *(shift * times for shift in shifts for times in again),
        *bits[-width:],
        *padding,
        *(sum(bits[column::width]) for column in range(width)),
        *padding,
        *bits,
    ]
