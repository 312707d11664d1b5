"""The memory of the engine's kernels.

The entry of a side is at ``2 * line + side`` for a line, and at ``side * size + cell`` for a cell.
"""

from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Final

from noughts.core.geometry import Geometry
from noughts.core.lines import LineTable, line_table
from noughts.search.memory import Memory, zeros
from noughts.search.numba_backend import Ints, Machine

PLIES = 100
"""Size of the search stack."""

MOVES = 64
"""Maximum number of moves tried in a position."""

MAX_SEQUENCE = 60
"""Maximum number of threats in a sequence."""

STOP = 1 << 10
"""The count of one obstacle of a line. It is greater than the number of marks in any line."""

TRIES = 16
"""Maximum number of threats tried in each position of a sequence: those with the most pull."""

VALUE_BITS = 26
LACKS_THREE = 1 << VALUE_BITS
LACKS_TWO = 1 << (VALUE_BITS + 13)
"""Units of the pull of a cell, which is one int of three parts.

The lowest VALUE_BITS bits are the value of the live lines through the cell. Two counts of 13 bits each
follow:
of the lines that lack three marks, and of those that lack two marks.
"""

VALUE_MASK = LACKS_THREE - 1

TEMPO = 12
"""The value of having the move."""

WORTHS = (0, 40, 16, 4, 1)
FALLING_WORTHS = (0, 60, 24, 8, 3)
"""The value of a live line by the number of marks that it lacks, without and with gravity.

Lines that lack more marks have the value 1. The numbers were found by games of the engine against itself.
"""

PULLS = (0, 1200, 420, 130, 45, 16, 6)
"""The pull that a live line gives to its cells, by the number of marks that it lacks.

It is 2 for lines that lack more.
"""


@dataclass(kw_only=True, eq=False)
class EngineMemory(Memory):
    """The board, the position, the search with its state at each ply, and the threat sequence."""

    # The board
    size: Final[int]
    line_count: Final[int]
    k: Final[int]
    width: Final[int]
    """Number of columns, or 0 without gravity."""
    cells: Ints
    """The *k* cells of each line."""
    first: Ints
    """The index in *through* at which the lines of each cell start."""
    through: Ints
    first_end: Ints
    """The index in *end_of* at which the lines that end at each cell start."""
    end_of: Ints
    middle: Ints
    """For each cell: how near it is to the middle."""
    hash: Ints
    """A random number for each side and cell."""
    gain: Ints
    """By number of marks: the pull that a live line gives to its cells."""
    worth_of: Ints
    """By number of marks: the value of a live line."""

    # The position
    key: int = 0
    """The hash key."""
    free: int
    """Number of empty cells."""
    board: Ints
    """0 for an empty cell, else side + 1."""
    marks: Ints
    """For each line and side: its marks, plus STOP for each obstacle."""
    winning: Ints
    """For each side: the number of cells on which it wins at once."""
    winning_sum: Ints
    """For each side: the sum of the numbers of the cells on which it wins at once."""
    worth: Ints
    """For each side: the total value of its live lines."""
    nearly: Ints
    """For each side: the number of its live lines that lack two marks."""
    wins: Ints
    """For each side and cell: the number of lines that a mark completes."""
    pull: Ints
    """For each side and cell: the pull."""
    lowest: Ints
    """The lowest empty cell of each column."""

    # The search
    ply: int = 0
    phase: int = 0
    """The next step at this ply."""
    first_side: int = 0
    """The side to move at ply 0."""
    value: int = 0
    """The value of the position that was closed last."""
    count: int = 0
    """Number of moves made in total."""
    max_nodes: int = 0
    """Maximum number of moves."""
    attacker: int = 0
    """The side that attacks by threats alone, or -1 in an ordinary search."""
    breadth: int = 0
    """Maximum number of moves tried in a position."""
    history: Ints
    """For each side and cell: how often the move caused a cutoff."""
    scores: Ints
    """Scores by which moves are sorted."""

    # Transposition table
    entries: int = 0
    keys: Ints
    values: Ints
    fruitless: Ints
    """Keys of positions in which no sequence was found."""
    effort: Ints
    """The number of moves of the failed search for a sequence, by the slot of its key."""

    # At each ply
    low: Ints
    """The lower bound of the window."""
    high: Ints
    start: Ints
    """The lower bound of the window at the start."""
    best: Ints
    """The best score so far."""
    answer: Ints
    """The move with the best score."""
    depth: Ints
    index: Ints
    """The index of the move that is being tried."""
    listed: Ints
    """Number of listed moves."""
    kind: Ints
    """The kind of search of the move that is being tried."""
    forced: Ints
    """1 if the move is forced."""
    sure: Ints
    """1 if all moves were listed."""
    moves: Ints
    """The listed moves, MOVES numbers for each ply."""
    killers: Ints
    """Two killer moves for each ply."""

    # The threat sequence
    threat: int = 0
    """Number of threats made."""
    threatener: int = 0
    """The side that makes the threats."""
    threat_nodes: int = 0
    """Number of moves made in this search for a sequence."""
    is_fresh: int = 0
    """1 if the threats of the position are not listed yet."""
    length: int = 0
    """Number of threats in the sequence that was found."""
    zone_count: int = 0
    zone: Ints
    """The cells of the sequence's zone."""
    stamp: Ints
    """1 for each cell of the zone."""
    answered: Ints
    """1 for each cell of a reply."""
    attack: Ints
    """At each threat: the cell of the attacker."""
    reply: Ints
    """At each threat: the cell of the reply."""
    tried: Ints
    """At each threat: the index of the next threat to try."""
    triable: Ints
    """At each threat: the number of possible threats."""
    threats: Ints
    """At each threat: the cells of the threats, TRIES numbers."""


@lru_cache(maxsize=8)
def empty_memory(geometry: Geometry, gravity: bool, machine: Machine) -> EngineMemory:
    """Return the memory of an empty board, without a transposition table.

    It is shared between calls and must not be changed.
    """
    table = line_table(geometry)
    assert table is not None  # noqa: S101 - the caller looked
    shape, k = geometry.shape, geometry.k
    size, width = table.size, table.size // shape[0] if gravity else 0
    first_end, end_of = _ends(table)
    gain, worth = line_gains(k), line_worths(k, falling=gravity)
    lines_through = [table.first[cell + 1] - table.first[cell] for cell in range(size)]
    wins = [lines if k == 1 else 0 for lines in lines_through]
    chance = Random(size)  # 61 bits for each side and cell (Zobrist 1970)

    return EngineMemory(
        size=size,
        line_count=table.count,
        k=k,
        width=width,
        cells=machine.array(table.cells),
        first=machine.array(table.first),
        through=machine.array(table.through),
        first_end=machine.array(first_end),
        end_of=machine.array(end_of),
        middle=machine.array(_nearness_to_middle(shape)),
        hash=machine.array([chance.getrandbits(61) for _ in range(2 * size)]),
        gain=machine.array(gain),
        worth_of=machine.array(worth),
        free=size,
        winning=[size - wins.count(0)] * 2,
        winning_sum=[sum(cell for cell in range(size) if wins[cell])] * 2,
        worth=[table.count * worth[0]] * 2,
        nearly=[table.count if k == 2 else 0] * 2,
        wins=machine.array(2 * wins),
        pull=machine.array(2 * [lines * gain[0] for lines in lines_through]),
        lowest=[*range(size - width, size)] if width else [],
        **zeros(size, "board", "zone", "stamp", "answered"),
        **zeros(2 * size, "history"),
        **zeros(2 * table.count, "marks"),
        **zeros(max(MOVES, TRIES), "scores"),
        **zeros(0, "keys", "values", "fruitless", "effort"),
        **zeros(PLIES, "low", "high", "start", "best", "answer", "depth", "index", "listed", "kind"),
        **zeros(PLIES, "forced", "sure"),
        **zeros(PLIES * MOVES, "moves"),
        **zeros(2 * PLIES, "killers"),
        **zeros(MAX_SEQUENCE + 1, "attack", "reply", "tried", "triable"),
        **zeros((MAX_SEQUENCE + 1) * TRIES, "threats"),
    )


def _ends(table: LineTable) -> tuple[list[int], list[int]]:
    """Return the lines that each cell ends, in the form of ``LineTable.first`` and ``through``."""
    ended: list[list[int]] = [[] for _ in range(table.size)]
    for i, cell in enumerate(table.ends):
        if cell >= 0:
            ended[cell].append(i // 2)
    first = [0]
    for lines in ended:
        first.append(first[-1] + len(lines))
    return first, [line for lines in ended for line in lines]


def _nearness_to_middle(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Return a small number for each cell: the nearer to the middle of the board, the greater."""
    far = [0]
    for side in shape:
        # Distances along this axis are doubled, so that even sides have integers too.
        steps = [abs(2 * i - side + 1) for i in range(side)]
        far = [sofar + step for sofar in far for step in steps]
    farthest = max(far)
    return tuple((farthest - distance) * 15 // max(farthest, 1) for distance in far)


def line_worths(k: int, *, falling: bool = False) -> list[int]:
    """Return the value of a live line for each number of marks from 0 to *k*.

    >>> line_worths(5)
    [1, 1, 4, 16, 40, 0]
    """
    worths = FALLING_WORTHS if falling else WORTHS
    return [0 if n == 0 else worths[n] if n < min(k, len(worths)) else 1 for n in range(k, -1, -1)]


def line_gains(k: int) -> list[int]:
    """Return the pull that a live line gives to its cells for each number of marks from 0 to *k*."""
    gains = []
    for lacking in range(k, -1, -1):
        value = PULLS[lacking] if lacking < len(PULLS) else 2
        gains.append(value + LACKS_THREE * (lacking == 3) + LACKS_TWO * (lacking == 2))
    return gains
