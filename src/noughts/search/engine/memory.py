"""The memory that the engine's kernels work in.

An entry for each side is stored at ``2 * line + side`` for a line and at ``side * size + cell`` for a cell.
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
"""How deep the stack of the search is."""

MOVES = 64
"""The most moves of a position that are tried."""

MAX_SEQUENCE = 60
"""Threats in a sequence; longer ones are not tried."""

STOP = 1 << 10
"""Lines have fewer marks."""

TRIES = 16
"""Threats tried in one position of a sequence: those on the cells with the most pull."""

VALUE_BITS = 26
LACKS_THREE = 1 << VALUE_BITS
LACKS_TWO = 1 << (VALUE_BITS + 13)
"""The pull of a cell is one int of three parts: the value of the live lines through it, below that many bits,
and how many of these lines lack three marks and two marks, 13 bits each."""

VALUE_MASK = LACKS_THREE - 1

TEMPO = 12
"""What it is worth to be to move."""

WORTHS = (0, 40, 16, 4, 1)
FALLING_WORTHS = (0, 60, 24, 8, 3)
"""What a live line is worth that lacks so many marks, where they are placed freely and where they fall; those
that lack more are worth 1. Found by games of the engine against itself."""

PULLS = (0, 1200, 420, 130, 45, 16, 6)
"""What a live line adds to the pull of a cell, by how many marks it lacks; less than the last is worth 2."""


@dataclass(kw_only=True, eq=False)
class EngineMemory(Memory):
    """The board, the position, the search with its state at each ply, and the sequence of threats."""

    # The board
    size: Final[int]
    line_count: Final[int]
    k: Final[int]
    width: Final[int]
    """Columns where marks fall, 0 where they do not."""
    cells: Ints
    """The *k* cells of each line."""
    first: Ints
    """Where the lines of each cell begin in *through*."""
    through: Ints
    first_end: Ints
    """Where the lines that end at each cell begin in *end_of*."""
    end_of: Ints
    middle: Ints
    """How near each cell is to the middle."""
    hash: Ints
    """A number for each side and cell."""
    gain: Ints
    """By number of marks: what a live line adds to the pull of its cells."""
    worth_of: Ints
    """By number of marks: the value of a live line."""

    # The position
    key: int = 0
    """The hash key."""
    free: int
    """Empty cells."""
    board: Ints
    """0 for an empty cell, else side + 1."""
    marks: Ints
    """For each line and side: its marks, and STOP for each thing that stops it from completing the line."""
    winning: Ints
    """For each side: the cells that win at once."""
    winning_sum: Ints
    """For each side: the sum of their numbers."""
    worth: Ints
    """For each side: the value of its live lines."""
    nearly: Ints
    """For each side: how many of these lack two marks."""
    wins: Ints
    """For each side and cell: how many lines it completes."""
    pull: Ints
    """For each side and cell: the value of the lines through it."""
    lowest: Ints
    """The lowest empty cell of each column."""

    # The search
    ply: int = 0
    phase: int = 0
    """The next thing to do at this ply."""
    first_side: int = 0
    """The side to move at ply 0."""
    value: int = 0
    """Of the position just closed."""
    count: int = 0
    """Moves made in all."""
    max_nodes: int = 0
    """Moves that may be made."""
    attacker: int = 0
    """The side whose threats alone are searched; -1: an ordinary search."""
    breadth: int = 0
    """How many moves are tried where there are more."""
    history: Ints
    """For each side and cell: how often it was good."""
    scores: Ints
    """Scores that order moves."""

    # What is remembered
    entries: int = 0
    keys: Ints
    values: Ints
    fruitless: Ints
    """Keys of positions without a sequence."""
    effort: Ints
    """The moves with which it was looked for."""

    # At each ply
    low: Ints
    """The window."""
    high: Ints
    start: Ints
    """The low bound of the window at first."""
    best: Ints
    """The best score."""
    answer: Ints
    """The move that has it."""
    depth: Ints
    index: Ints
    """The number of the move being tried."""
    listed: Ints
    """How many moves there are."""
    kind: Ints
    """With what window the move is tried."""
    forced: Ints
    """Whether it is forced."""
    sure: Ints
    """Whether all moves were listed."""
    moves: Ints
    """MOVES numbers for each ply."""
    killers: Ints
    """Two for each ply."""

    # The sequence of threats
    threat: int = 0
    """How many threats were made."""
    threatener: int = 0
    """The side that makes them."""
    threat_nodes: int = 0
    """Moves made."""
    is_fresh: int = 0
    """Whether threats are still to be listed."""
    length: int = 0
    """How many threats the sequence has that was found."""
    zone_count: int = 0
    zone: Ints
    """The cells of its zone."""
    stamp: Ints
    """1 for each cell of the zone."""
    answered: Ints
    """1 for each cell of the replies."""
    attack: Ints
    """At each threat: the attacker's cell."""
    reply: Ints
    """The answer to it."""
    tried: Ints
    """The number of the threat being tried."""
    triable: Ints
    """How many threats there are."""
    threats: Ints
    """These, TRIES numbers each time."""


@lru_cache(maxsize=8)
def empty_memory(geometry: Geometry, gravity: bool, machine: Machine) -> EngineMemory:
    """The memory of an empty board without the positions that can be remembered; it is not to be changed."""
    table = line_table(geometry)
    assert table is not None  # noqa: S101 - the caller looked
    shape, k = geometry.shape, geometry.k
    size, width = table.size, table.size // shape[0] if gravity else 0
    first_end, end_of = _ends(table)
    gain, worth = line_gains(k), line_worths(k, falling=gravity)
    lines_through = [table.first[cell + 1] - table.first[cell] for cell in range(size)]
    wins = [lines if k == 1 else 0 for lines in lines_through]
    chance = Random(size)  # a number of 61 bits for each side and cell (Zobrist 1970)

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
    """The lines of which each cell is an end, in the form of ``LineTable.first`` and ``through``."""
    ended: list[list[int]] = [[] for _ in range(table.size)]
    for i, cell in enumerate(table.ends):
        if cell >= 0:
            ended[cell].append(i // 2)
    first = [0]
    for lines in ended:
        first.append(first[-1] + len(lines))
    return first, [line for lines in ended for line in lines]


def _nearness_to_middle(shape: tuple[int, ...]) -> tuple[int, ...]:
    """For each cell a small number, the greater the nearer it is to the middle of the board."""
    far = [0]
    for side in shape:
        # Twice the distance along this axis, so that even sides have whole numbers.
        steps = [abs(2 * i - side + 1) for i in range(side)]
        far = [sofar + step for sofar in far for step in steps]
    farthest = max(far)
    return tuple((farthest - distance) * 15 // max(farthest, 1) for distance in far)


def line_worths(k: int, *, falling: bool = False) -> list[int]:
    """For each number of marks from 0 to *k*, what a live line with so many of them is worth.

    >>> line_worths(5)
    [1, 1, 4, 16, 40, 0]
    """
    worths = FALLING_WORTHS if falling else WORTHS
    return [0 if n == 0 else worths[n] if n < min(k, len(worths)) else 1 for n in range(k, -1, -1)]


def line_gains(k: int) -> list[int]:
    """For each number of marks from 0 to *k*, what a live line with so many adds to the pull of its cells."""
    gains = []
    for lacking in range(k, -1, -1):
        value = PULLS[lacking] if lacking < len(PULLS) else 2
        gains.append(value + LACKS_THREE * (lacking == 3) + LACKS_TWO * (lacking == 2))
    return gains
