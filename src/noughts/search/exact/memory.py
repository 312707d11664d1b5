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
"""The number of bits in a word."""

OWN_MARKS, EITHER_MARK, ONE_MARK = range(3)
"""The marks that the side to move may place."""

MAX_IMAGE_MARKS = 8
"""The number of marks up to which symmetric positions share an entry.

With more marks, finding them takes longer than it saves.
"""

MAX_POTENTIAL_K = 40
"""The length of the longest lines with potentials that fit a word."""

MAX_IMAGE_LINES = 5000
"""The number of lines above which the symmetries of the board take too long to find."""

MAX_IMAGES = 64
"""The maximum number of symmetries that are used to recognise positions. More take longer than they save."""

FOLLOWED = frozenset(("gravity", "wrap"))
"""The facts under which a line that lacks a mark is won by that mark, whatever other marks are there by then.
"""


@dataclass(kw_only=True, eq=False)
class ExactMemory(Memory):
    """The rules, the position, and the search with its state at each depth."""

    # The rules
    size: Final[int]
    k: Final[int]
    line_count: Final[int]
    width: Final[int]
    """The number of columns, if marks fall."""
    words: Final[int]
    """The number of words of WORD bits that hold a bit for each cell."""
    marking: Final[int]
    """OWN_MARKS, EITHER_MARK or ONE_MARK."""
    line_loses: Final[int]
    falls: Final[int]
    never_hurts: int
    """1 if one more mark can only help its side."""
    follows: int
    """1 if the search uses follow-up play in columns."""
    potential: Final[int]
    """1 if the potentials of lines fit a word."""
    max_moves: Final[int]
    """The largest number of moves in a position."""
    images: Final[int]
    """The number of symmetries of the board."""
    image_marks: int
    """The number of marks up to which symmetric positions share an entry."""
    cells: Sequence[int]
    """The *k* cells of each line."""
    first: Sequence[int]
    """The index of the first line of each cell in *through*."""
    through: Sequence[int]
    ends: Sequence[int]
    """The two cells at the ends of each line that must not have the mark of a complete line, -1 for none."""
    below: Ints
    """The cell below each cell, which must be taken first, -1 for none."""
    word_of: Ints
    """The word that has the bit of each cell."""
    bit: Ints
    masks: Ints
    """The mask of each line, in *words* words."""
    every: Ints
    """The mask of all cells."""
    image_of: Ints
    """The image of each cell under each symmetry, the identity first."""

    # The position
    side: int = 0
    """The number of the side to move."""
    placed: int = 0
    """The number of marks on the board."""
    ready: Ints
    """For each mark: the number of lines that have no other mark and lack one."""
    board: Ints
    """0 for an empty cell, else 1 + mark."""
    counts: Ints
    """The number of each mark in each line."""
    rest: Ints
    """The sum of the empty cells of each line."""
    stones: Ints
    """The mask of the cells with each mark."""
    live: Ints
    """The mask of the lines that each mark can still fill."""
    gain: Ints
    """The attacker's potential through each cell."""
    loss: Ints
    """The defender's potential through each cell."""
    key: Ints
    """The key of the position, while its images are compared."""
    image: Ints
    reached: Ints
    """The cells that the side to move has or may get if the other side follows."""

    # The search
    attacker: int = 0
    """The number of the side that the question is about."""
    depth: int = 0
    """The number of plies below the root."""
    is_returning: int = 0
    """1 if the depth below has just been answered."""
    result: int = 0
    """The answer at the depth below: 1 for yes, 0 for no."""
    nodes: int = 0
    """The number of moves made."""
    best: int = 0
    """The move that decided at depth 0, -1 for none."""
    order: Ints
    """Scores that order moves."""

    # At each depth
    tried: Ints
    """The moves to try, cell * 2 + mark: *max_moves* numbers."""
    move_count: Ints
    next_move: Ints
    """The index of the next move."""
    left: Ints
    """The number of plies that are left."""
    keys: Ints
    """The key of ``2 * words`` numbers, and its hash, -1 for none."""


def new_memory(rules: Rules) -> ExactMemory:
    """Create the memory for an empty board of *rules*, which must not be too large to search."""
    board = line_table(rules.geometry)
    if board is None:
        raise AssertionError(f"{rules.spec} is too large")
    size, count, width = board.size, board.count, board.size // rules.shape[0]
    words = -(-size // WORD)
    group: Sequence[Sequence[int]] = (range(size),)  # The identity comes first.
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
        ready=[count if board.k == 1 else 0] * 2,  # Every line of one cell lacks one mark from the start.
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
