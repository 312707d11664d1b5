"""The memory that the kernels of the exact search work in, for an empty board."""

from collections.abc import Iterable, Sequence
from itertools import repeat

from noughts.core.symmetry import symmetries
from noughts.games.rules import Rules
from noughts.search import exact_table as table
from noughts.search import line_kernels as lines
from noughts.search.compiled import Ints, Machine
from noughts.search.line_kernels import WORD
from noughts.search.space import Space, space_of

FEW_MARKS = 8
"""With so many marks positions are recognised in their images; with more it takes longer than it saves."""

MAX_POTENTIAL_K = 40
"""Potentials of longer lines would not fit a word."""

MAX_IMAGE_LINES = 5000
"""Of boards with more lines the symmetries take too long to find."""

MAX_IMAGES = 64
"""So many symmetries are used to recognise positions; more take longer than they save."""


Arrays = dict[int, Iterable[int]]
"""What arrays hold, by the number at which the memory says where they begin."""


def new_memory(rules: Rules, machine: Machine) -> Ints:
    """The memory of the kernels for an empty board of *rules*, which is not too large to be searched."""
    space = space_of(rules.shape, rules.k, wrap=rules.wrap, exact=rules.exact)
    if space is None:
        raise AssertionError(f"{rules.spec} is too large")
    group = _images(rules, space)
    numbers = _numbers(rules, space)
    numbers[table.IMAGES] = len(group)
    numbers[table.FEW] = 2 * FEW_MARKS if len(group) == 2 else FEW_MARKS
    arrays = {
        **_board_arrays(rules, space, numbers[lines.WORDS]),
        **_search_arrays(space.size, numbers[lines.WORDS], numbers[lines.MOVES]),
        table.IMAGE_OF: (to for permutation in group for to in permutation),
    }
    memory = [0] * table.ALL
    for name, number in numbers.items():
        memory[name] = number
    for name, values in arrays.items():
        memory[name] = len(memory)
        memory.extend(values)
    return machine.array(memory)


def _images(rules: Rules, space: Space) -> Sequence[Sequence[int]]:
    """The symmetries by which positions are recognised, the identity first."""
    if space.count > MAX_IMAGE_LINES:
        return (range(space.size),)
    return symmetries(rules.shape, rules.k, rules.wrap, rules.gravity)[:MAX_IMAGES]


def _numbers(rules: Rules, space: Space) -> dict[int, int]:
    """The facts of the rules, and the counts of an empty board that are not 0."""
    own_marks = not (rules.wild or rules.notakto)
    anywhere = own_marks and not rules.gravity and not rules.line_loses
    # With lines of one cell every line lacks one mark from the start.
    ready = space.count if space.k == 1 else 0
    return {
        lines.SIZE: space.size,
        lines.K: space.k,
        lines.LINES: space.count,
        lines.WIDTH: space.size // rules.shape[0],
        lines.WORDS: -(-space.size // WORD),
        lines.MARKING: lines.EITHER_MARK if rules.wild else lines.OWN_MARKS if own_marks else lines.ONE_MARK,
        lines.LINE_LOSES: int(rules.line_loses),
        lines.FALLS: int(rules.gravity),
        lines.EXACT: int(rules.exact),
        lines.NEVER_HURTS: int(rules.extra_mark_never_hurts),
        lines.POTENTIAL: int(anywhere and space.k <= MAX_POTENTIAL_K),
        lines.MOVES: 2 * space.size if rules.wild else space.size,
        lines.READY: ready,
        lines.READY_TOO: ready,
    }


def _search_arrays(size: int, words: int, moves: int) -> Arrays:
    """The arrays that ``exact_table`` names, but for the symmetries."""
    depths, key = size + 2, 2 * words + 1
    every = [sum(1 << cell % WORD for cell in range(size) if cell // WORD == word) for word in range(words)]
    return {
        table.TRIED: repeat(0, depths * moves),
        table.ORDER: repeat(0, moves),
        table.MANY_TRIED: repeat(0, depths),
        table.NEXT: repeat(0, depths),
        table.LEFT: repeat(0, depths),
        table.KEYS: repeat(0, depths * key),
        table.LIVE: repeat(0, key - 1),
        table.EVERY: every,
        table.GAIN: repeat(0, size),
        table.LOSS: repeat(0, size),
        table.GIVEN: repeat(0, key - 1),
        table.IMAGE: repeat(0, key - 1),
    }


def _board_arrays(rules: Rules, space: Space, words: int) -> Arrays:
    """The arrays that ``line_kernels`` names."""
    size, k = space.size, space.k
    width = size // rules.shape[0]
    cells_of = [space.cells[at : at + k] for at in range(0, space.count * k, k)]
    masks = [0] * (space.count * words)
    for line, cells in enumerate(cells_of):
        for cell in cells:
            masks[line * words + cell // WORD] |= 1 << cell % WORD
    return {
        lines.CELLS: space.cells,
        lines.FIRST: space.first,
        lines.THROUGH: space.through,
        lines.ENDS: space.ends,
        lines.BELOW: (cell + width if rules.gravity and cell + width < size else -1 for cell in range(size)),
        lines.WORD_OF: (cell // WORD for cell in range(size)),
        lines.BIT: (1 << cell % WORD for cell in range(size)),
        lines.MASKS: masks,
        lines.BOARD: repeat(0, size),
        lines.COUNTS: repeat(0, 2 * space.count),
        lines.REST: map(sum, cells_of),
        lines.STONES: repeat(0, 2 * words),
    }
