"""The memory that the kernels of the exact search work in, for an empty board."""

from collections.abc import Iterable, Sequence
from itertools import repeat

from noughts.core.lines import LineTable, line_table
from noughts.core.symmetry import symmetries
from noughts.games.rules import Rules
from noughts.search.compiled import Ints, Machine
from noughts.search.exact import position as lines
from noughts.search.exact import table
from noughts.search.exact.position import WORD

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
    board = line_table(rules.geometry)
    if board is None:
        raise AssertionError(f"{rules.spec} is too large")
    group = _images(rules, board)
    numbers = _numbers(rules, board)
    numbers[table.IMAGES] = len(group)
    numbers[table.FEW] = 2 * FEW_MARKS if len(group) == 2 else FEW_MARKS
    arrays = {
        **_board_arrays(rules, board, numbers[lines.WORDS]),
        **_search_arrays(board.size, numbers[lines.WORDS], numbers[lines.MOVES]),
        table.IMAGE_OF: (to for permutation in group for to in permutation),
    }
    memory = [0] * table.ALL
    for name, number in numbers.items():
        memory[name] = number
    for name, values in arrays.items():
        memory[name] = len(memory)
        memory.extend(values)
    return machine.array(memory)


def _images(rules: Rules, board: LineTable) -> Sequence[Sequence[int]]:
    """The symmetries by which positions are recognised, the identity first."""
    if board.count > MAX_IMAGE_LINES:
        return (range(board.size),)
    return symmetries(rules.geometry, rules.gravity)[:MAX_IMAGES]


def _numbers(rules: Rules, board: LineTable) -> dict[int, int]:
    """The facts of the rules, and the counts of an empty board that are not 0."""
    own_marks = not (rules.wild or rules.notakto)
    anywhere = own_marks and not rules.gravity and not rules.line_loses
    # With lines of one cell every line lacks one mark from the start.
    ready = board.count if board.k == 1 else 0
    return {
        lines.SIZE: board.size,
        lines.K: board.k,
        lines.LINES: board.count,
        lines.WIDTH: board.size // rules.shape[0],
        lines.WORDS: -(-board.size // WORD),
        lines.MARKING: lines.EITHER_MARK if rules.wild else lines.OWN_MARKS if own_marks else lines.ONE_MARK,
        lines.LINE_LOSES: int(rules.line_loses),
        lines.FALLS: int(rules.gravity),
        lines.EXACT: int(rules.exact),
        lines.NEVER_HURTS: int(rules.extra_mark_never_hurts),
        lines.POTENTIAL: int(anywhere and board.k <= MAX_POTENTIAL_K),
        lines.MOVES: 2 * board.size if rules.wild else board.size,
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


def _board_arrays(rules: Rules, board: LineTable, words: int) -> Arrays:
    """The arrays that ``line_kernels`` names."""
    size = board.size
    width = size // rules.shape[0]
    masks = [0] * (board.count * words)
    for line, cells in enumerate(board.cells_of):
        for cell in cells:
            masks[line * words + cell // WORD] |= 1 << cell % WORD
    return {
        lines.CELLS: board.cells,
        lines.FIRST: board.first,
        lines.THROUGH: board.through,
        lines.ENDS: board.ends,
        lines.BELOW: (cell + width if rules.gravity and cell + width < size else -1 for cell in range(size)),
        lines.WORD_OF: (cell // WORD for cell in range(size)),
        lines.BIT: (1 << cell % WORD for cell in range(size)),
        lines.MASKS: masks,
        lines.BOARD: repeat(0, size),
        lines.COUNTS: repeat(0, 2 * board.count),
        lines.REST: map(sum, board.cells_of),
        lines.STONES: repeat(0, 2 * words),
    }
