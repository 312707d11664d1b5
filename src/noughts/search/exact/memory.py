"""The memory that the kernels of the exact search work in."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from noughts.core.lines import line_table
from noughts.core.symmetry import symmetries
from noughts.games.rules import Rules
from noughts.search.memory import Memory, zeros
from noughts.search.numba_backend import Ints

WORD = 62
"""Bits in a word."""

OWN_MARKS, EITHER_MARK, ONE_MARK = range(3)
"""Which marks the side to move may place."""

MAX_IMAGE_MARKS = 8
"""With so many marks positions are recognised in their images; with more it takes longer than it saves."""

MAX_POTENTIAL_K = 40
"""Potentials of longer lines would not fit a word."""

MAX_IMAGE_LINES = 5000
"""Of boards with more lines the symmetries take too long to find."""

MAX_IMAGES = 64
"""The most symmetries that are used to recognise positions; more take longer than they save."""

FOLLOWED = frozenset(("gravity", "wrap"))
"""The facts under which a line that lacks a mark is won by that mark, whatever else stands there by then."""


@dataclass(kw_only=True, eq=False)
class ExactMemory(Memory):
    """The rules, the position, and the search with its state at each depth."""

    # The rules
    size: Final[int]
    k: Final[int]
    line_count: Final[int]
    width: Final[int]
    """Columns, where marks fall."""
    words: Final[int]
    """How many words of WORD bits hold a bit for each cell."""
    marking: Final[int]
    """OWN_MARKS, EITHER_MARK or ONE_MARK."""
    line_loses: Final[int]
    falls: Final[int]
    never_hurts: int
    """Whether one more mark of one's own can only help."""
    follows: int
    """Whether it is asked what following in columns proves."""
    potential: Final[int]
    """Whether the potentials of lines fit a word."""
    max_moves: Final[int]
    """The most moves there can be at once."""
    images: Final[int]
    """Symmetries of the board."""
    image_marks: int
    """With so many marks or fewer, positions that are images of each other are one."""
    cells: Sequence[int]
    """The *k* cells of each line."""
    first: Sequence[int]
    """Where the lines of each cell begin in *through*."""
    through: Sequence[int]
    ends: Sequence[int]
    """The two cells at each line that must not bear the mark of a complete line, -1 for none."""
    below: Ints
    """The cell that must be taken before each cell, -1 for none."""
    word_of: Ints
    """The word in which the bit of each cell stands."""
    bit: Ints
    masks: Ints
    """The bits of each line, in *words* words."""
    every: Ints
    """The bits of all cells."""
    image_of: Ints
    """Where each cell goes in each image, the identity first."""

    # The position
    side: int = 0
    """The number of the side to move."""
    placed: int = 0
    """Marks on the board."""
    ready: Ints
    """How many lines of each mark alone lack one mark."""
    board: Ints
    """0 for an empty cell, else 1 + mark."""
    counts: Ints
    """How many of each mark there are in each line."""
    rest: Ints
    """The sum of each line's empty cells."""
    stones: Ints
    """The bits of each mark."""
    live: Ints
    """The cells of the lines that each mark can still fill."""
    gain: Ints
    """The attacker's potential through each cell."""
    loss: Ints
    """The defender's."""
    key: Ints
    """The key, and one of its images."""
    image: Ints
    reached: Ints
    """The bits of the cells that the side to move has or may get if it is followed."""

    # The search
    attacker: int = 0
    """The number of the side asked about."""
    depth: int = 0
    """Below the position asked about."""
    is_returning: int = 0
    """Whether the depth below has just been answered."""
    result: int = 0
    """The answer."""
    nodes: int = 0
    """Moves made."""
    best: int = 0
    """The move that decided at depth 0, -1 for none."""
    order: Ints
    """Scores that order moves."""

    # At each depth
    tried: Ints
    """The moves to try, cell * 2 + mark: *max_moves* numbers."""
    move_count: Ints
    next_move: Ints
    """The number of the next one."""
    left: Ints
    """Within how many plies."""
    keys: Ints
    """The key, ``2 * words`` numbers, and the mixed key, -1 for none."""


def new_memory(rules: Rules) -> ExactMemory:
    """The memory of the kernels for an empty board of *rules*, which is not too large to be searched."""
    board = line_table(rules.geometry)
    if board is None:
        raise AssertionError(f"{rules.spec} is too large")
    size, count, width = board.size, board.count, board.size // rules.shape[0]
    words = -(-size // WORD)
    group: Sequence[Sequence[int]] = (range(size),)  # the identity first
    if count <= MAX_IMAGE_LINES:
        group = symmetries(rules.geometry, rules.gravity)[:MAX_IMAGES]
    bits = [1 << cell % WORD for cell in range(size)]
    masks = [0] * (count * words)
    for line, cells in enumerate(board.cells_of):
        for cell in cells:
            masks[line * words + cell // WORD] |= bits[cell]
    depths, max_moves = size + 2, 2 * size if rules.wild else size

    return ExactMemory(
        size=size,
        k=board.k,
        line_count=count,
        width=width,
        words=words,
        marking=EITHER_MARK if rules.wild else ONE_MARK if rules.notakto else OWN_MARKS,
        line_loses=int(rules.line_loses),
        falls=int(rules.gravity),
        never_hurts=int(rules.extra_mark_never_hurts),
        follows=int(rules.facts <= FOLLOWED and rules.gravity),
        potential=int(board.k <= MAX_POTENTIAL_K),
        max_moves=max_moves,
        images=len(group),
        image_marks=2 * MAX_IMAGE_MARKS if len(group) == 2 else MAX_IMAGE_MARKS,
        cells=board.cells,
        first=board.first,
        through=board.through,
        ends=board.ends,
        below=[cell + width if rules.gravity and cell + width < size else -1 for cell in range(size)],
        word_of=[cell // WORD for cell in range(size)],
        bit=bits,
        masks=masks,
        every=[sum(bits[word * WORD : (word + 1) * WORD]) for word in range(words)],
        image_of=[to for permutation in group for to in permutation],
        ready=[count if board.k == 1 else 0] * 2,  # every line of one cell lacks one mark from the start
        rest=[*map(sum, board.cells_of)],
        **zeros(2 * count, "counts"),
        **zeros(2 * words, "stones", "live", "key", "image"),
        **zeros(words, "reached"),
        **zeros(size, "board", "gain", "loss"),
        **zeros(max_moves, "order"),
        **zeros(depths * max_moves, "tried"),
        **zeros(depths, "move_count", "next_move", "left"),
        **zeros(depths * (2 * words + 1), "keys"),
    )
