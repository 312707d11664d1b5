"""The memory that the kernels of the exact search work in, for an empty board."""

from collections.abc import Sequence
from itertools import repeat

from noughts.core.lines import LineTable, line_table
from noughts.core.symmetry import symmetries
from noughts.games.rules import Rules
from noughts.search.exact import layout as at
from noughts.search.memory import Arrays, laid_out
from noughts.search.numba_backend import Ints, Machine

FEW_MARKS = 8
"""With so many marks positions are recognised in their images; with more it takes longer than it saves."""

MAX_POTENTIAL_K = 40
"""Potentials of longer lines would not fit a word."""

MAX_IMAGE_LINES = 5000
"""Of boards with more lines the symmetries take too long to find."""

MAX_IMAGES = 64
"""So many symmetries are used to recognise positions; more take longer than they save."""


FOLLOWED = frozenset(("gravity", "wrap"))
"""The facts under which a line that lacks a mark is won by that mark, whatever else stands there by then."""


def new_memory(rules: Rules, machine: Machine) -> Ints:
    """The memory of the kernels for an empty board of *rules*, which is not too large to be searched."""
    board = line_table(rules.geometry)
    if board is None:
        raise AssertionError(f"{rules.spec} is too large")
    group: Sequence[Sequence[int]] = (range(board.size),)  # the identity first
    if board.count <= MAX_IMAGE_LINES:
        group = symmetries(rules.geometry, rules.gravity)[:MAX_IMAGES]
    numbers = _numbers(rules, board)
    numbers[at.IMAGES] = len(group)
    numbers[at.FEW] = 2 * FEW_MARKS if len(group) == 2 else FEW_MARKS
    arrays = {
        **_board_arrays(rules, board, numbers[at.WORDS]),
        **_search_arrays(board.size, numbers[at.WORDS], numbers[at.MOVES]),
        at.IMAGE_OF: (to for permutation in group for to in permutation),
    }
    return laid_out(numbers, arrays, at.ALL, machine)


def _numbers(rules: Rules, board: LineTable) -> dict[int, int]:
    """The facts of the rules, and the counts of an empty board that are not 0."""
    own_marks = not (rules.wild or rules.notakto)
    # With lines of one cell every line lacks one mark from the start.
    ready = board.count if board.k == 1 else 0
    return {
        at.SIZE: board.size,
        at.K: board.k,
        at.LINES: board.count,
        at.WIDTH: board.size // rules.shape[0],
        at.WORDS: -(-board.size // at.WORD),
        at.MARKING: at.EITHER_MARK if rules.wild else at.OWN_MARKS if own_marks else at.ONE_MARK,
        at.LINE_LOSES: int(rules.line_loses),
        at.FALLS: int(rules.gravity),
        at.NEVER_HURTS: int(rules.extra_mark_never_hurts),
        at.FOLLOWS: int(rules.facts <= FOLLOWED and rules.gravity),
        at.POTENTIAL: int(board.k <= MAX_POTENTIAL_K),
        at.MOVES: 2 * board.size if rules.wild else board.size,
        at.READY: ready,
        at.READY_TOO: ready,
    }


def _search_arrays(size: int, words: int, moves: int) -> Arrays:
    """The arrays of the search and of what it remembers, but for the symmetries."""
    depths, key = size + 2, 2 * words + 1
    bits = [1 << cell % at.WORD for cell in range(size)]
    return {
        at.TRIED: repeat(0, depths * moves),
        at.ORDER: repeat(0, moves),
        at.MANY_TRIED: repeat(0, depths),
        at.NEXT: repeat(0, depths),
        at.LEFT: repeat(0, depths),
        at.KEYS: repeat(0, depths * key),
        at.LIVE: repeat(0, key - 1),
        at.EVERY: (sum(bits[word * at.WORD : (word + 1) * at.WORD]) for word in range(words)),
        at.GAIN: repeat(0, size),
        at.LOSS: repeat(0, size),
        at.GIVEN: repeat(0, key - 1),
        at.IMAGE: repeat(0, key - 1),
        at.REACHED: repeat(0, words),
    }


def _board_arrays(rules: Rules, board: LineTable, words: int) -> Arrays:
    """The arrays of the position."""
    size = board.size
    width = size // rules.shape[0]
    masks = [0] * (board.count * words)
    for line, cells in enumerate(board.cells_of):
        for cell in cells:
            masks[line * words + cell // at.WORD] |= 1 << cell % at.WORD
    return {
        at.CELLS: board.cells,
        at.FIRST: board.first,
        at.THROUGH: board.through,
        at.ENDS: board.ends,
        at.BELOW: (cell + width if rules.gravity and cell + width < size else -1 for cell in range(size)),
        at.WORD_OF: (cell // at.WORD for cell in range(size)),
        at.BIT: (1 << cell % at.WORD for cell in range(size)),
        at.MASKS: masks,
        at.BOARD: repeat(0, size),
        at.COUNTS: repeat(0, 2 * board.count),
        at.REST: map(sum, board.cells_of),
        at.STONES: repeat(0, 2 * words),
    }
