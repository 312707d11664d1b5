"""The memory of the pattern search.

Cells are numbered on a board with margins: *reach* rows above and below, and *reach* cells at the left of
each row, which also follow the row before. So the window of every cell lies inside the arrays. The entry of a
side is at ``side * size + cell`` for a cell, and that of a direction at ``4 * cell + direction``.
"""

from dataclasses import dataclass
from math import log
from random import Random
from typing import Final

from noughts.games.rules import Rules
from noughts.search.memory import Memory, zeros
from noughts.search.numba_backend import Ints, Machine
from noughts.search.patterns.line_classes import (
    LINE_CLASSES,
    OTHER,
    POINT_CLASSES,
    line_classes_of_sides,
    reach_of,
)
from noughts.search.patterns.weights import Weights, table_of_shapes

PLIES = 128
"""Size of the search stack."""

MOVES = 512
"""Maximum number of moves of a position."""

MAX_FOURS = 64
"""Maximum number of fours in a sequence."""

FOUR_MOVES = 80
"""Maximum number of fours tried in each position of a sequence."""

LINES = 64
"""Numbers of depths and of moves in the table of reductions."""

LATE_MOVE_DIVISOR = 0.6
"""Divisor of the reduction of late moves: the smaller, the greater the reductions. Chosen by matches."""

KEY_BITS = 20
"""Bits of the window key of side 0; that of side 1 is above them."""

KEY_MASK = (1 << KEY_BITS) - 1

CLASSES_BITS = 4
"""The logarithm of the number of line classes, of four bits each, in one number."""

NEAR = 2
"""Moves are tried only up to this distance from a mark."""

SPARE_CELLS = 44
"""In renju, wins of White by threats are claimed if so many moves of Black are surely legal.

One mark of Black can spoil 41 of these moves, those on its cell and on lines through it, and two marks of
White one each. At least one move is left.
"""

POINT_BITS, MOVER_BIT, POINT_SUM_BITS = 4, 40, 16
"""In a record: the bits of the point class, the place of the first weight, and that of the second one.

The sum of the point classes of all cells needs POINT_SUM_BITS. That of the second weight needs the bits up to
MOVER_BIT, with its sign.
"""

FAILED_BITS = 16
"""The number of failed sequences that are remembered, as a power of two."""


@dataclass(kw_only=True, eq=False)
class PatternMemory(Memory):
    """The board, the position, the search with its state at each ply, and the sequence of fours."""

    # The board
    size: Final[int]
    """Number of cells with the margins."""
    width: Final[int]
    """Number of cells from a cell to the one below it."""
    reach: Final[int]
    """Number of cells of a window on each side of its middle."""
    cell_count: Final[int]
    """Number of cells of the board."""
    cells: Ints
    """The cells of the board in reading order."""
    middle: Final[int]
    """The cell in the middle of the board."""
    steps: Ints
    """The step to the next cell in each direction."""
    spare: Final[int]
    """SPARE_CELLS in renju, else 0."""
    near_count: Final[int]
    near: Ints
    """The *near_count* steps to the cells up to the distance NEAR."""
    digits: Ints
    """For each place of a window and each side: the change of the window keys by a mark there."""
    second_classes: Final[int]
    second_shapes: Final[int]
    """Index of the entries of side 1 in tables of window keys and of shapes; 0 if both sides share them."""
    classes: Ints
    """The line classes of the window keys, 16 in each number from the lowest bits on."""
    records: Ints
    """For each shape: its weights in the value and its point class, in one number; see :func:`record_of`."""
    own: Ints
    other: Ints
    """For each shape: its weight in the order of moves, for the mover and for the other side."""
    threat_weights: Ints
    """For each threat mask: its weight."""
    hash: Ints
    """A random number for each side and cell."""
    reductions: Ints
    """At ``LINES * depth + number``: the reduction of a late move, in plies."""

    # The position
    key: int
    """The hash key."""
    free: int
    """Number of empty cells."""
    board: Ints
    """0 for an empty cell, side + 1 for a mark, BEYOND for a cell of the margins."""
    windows: Ints
    """For each cell and direction: the window keys of both sides."""
    line_pair: Ints
    """For each cell and direction: the line class of side 0, plus LINE_CLASSES times that of side 1."""
    shapes: Ints
    """For each side and cell: the shape."""
    point: Ints
    """For each side and cell: the point class. It is NO_POINT on marks."""
    neighbours: Ints
    """For each cell: the number of marks near it."""
    counts: Ints
    """For each side and point class: the number of empty cells."""
    sums: Ints
    """For each side: the sum of the records of its shapes."""
    changes: Ints
    """The log of changes: index and old values, in one number each; see :func:`place`."""
    change_count: int = 0
    frames: Ints
    """For each mark placed: *change_count* before it."""
    marks: int = 0
    """Number of marks placed since the memory was made."""

    # The judgement of a point in renju
    judged: Ints
    """At each level: the cell that is judged, with a mark of Black on it."""
    judged_way: Ints
    """At each level: the way along its lines that is next."""
    judged_threes: Ints
    """At each level: the number of threes found."""

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
    """Maximum number of moves and of positions visited by sequences."""
    root_move: int = 0
    """The move to try first at ply 0, or NOWHERE."""
    low: Ints
    high: Ints
    """At each ply: the window of values that matter."""
    first_low: Ints
    """At each ply: *low* before the first move."""
    depth: Ints
    """At each ply: the number of plies to search."""
    best: Ints
    best_move: Ints
    """At each ply: the best value so far and its move."""
    move: Ints
    """At each ply: the move that is being searched."""
    table_move: Ints
    """At each ply: the best move of the table, or NOWHERE."""
    index: Ints
    """At each ply: the number of moves tried."""
    listed: Ints
    """At each ply: the number of moves, or -1 if they are not listed yet."""
    stage: Ints
    """At each ply: how the current move is being searched."""
    next_depth: Ints
    is_pv: Ints
    """At each ply: 1 if the exact value is needed."""
    is_quiet: Ints
    """At each ply: 1 if the other side threatens nothing."""
    estimate: Ints
    """At each ply: the value of the position without a search."""
    moves: Ints
    scores: Ints
    """At each ply: MOVES moves and their order scores."""
    history: Ints
    """For each side and cell: how often a move there was best."""
    killers: Ints
    """At each ply: two moves that were best in sibling positions."""
    entry_count: Final[int]
    """Number of entries of the transposition table, a power of two."""
    entries: Ints
    """The transposition table: the key and the value of each entry, in buckets of two entries.

    A bucket is one access to the main memory. See :func:`store_entry` for the values.
    """

    # The sequence of fours
    sequence_count: int = 0
    """Number of positions visited by sequences in total."""
    sequence_move: int = 0
    """The first move of the sequence that was found."""
    sequence_side: int = 0
    """The attacker."""
    sequence_length: int = 0
    """Number of fours on the board."""
    sequence_plies: int = 0
    """The plies to the win that was found, or 0."""
    sequence_is_new: int = 0
    """1 if the position has not been visited yet."""
    sequence_limit: int = 0
    """Value of *sequence_count* at which the search ends."""
    max_fours: int = 0
    failed: Ints
    """Hash keys of positions without a sequence."""
    four: Ints
    reply: Ints
    """At each four of a sequence: its cell and the cell of the reply."""
    sequence_key: Ints
    four_index: Ints
    four_count: Ints
    four_scores: Ints
    four_moves: Ints
    """At each four of a sequence: the moves to try."""


BEYOND = 3
"""The content of a cell of the margins."""


def empty_memory(rules: Rules, machine: Machine, weights: Weights) -> PatternMemory:
    """Return the memory of an empty board, without a transposition table."""
    rows, columns = rules.shape
    reach = reach_of(rules.k, any(rules.exact_for))
    width = columns + reach
    size = (rows + 2 * reach) * width + 2 * reach
    cells = [(row + reach) * width + reach + column for row in range(rows) for column in range(columns)]
    steps = [1, width, width + 1, width - 1]
    inside = set(cells)
    distances = [*range(-reach, 0), *range(1, reach + 1)]
    powers = [3 ** (2 * reach - 1 - number) for number in range(2 * reach)]
    tables = line_classes_of_sides(rules, machine)
    classes = [line_class for table in tables for line_class in table]
    second_classes = len(tables[0]) if rules.renju else 0
    tables_of_shapes = [table_of_shapes(weights, rules.renju and not side) for side in range(len(tables))]
    points, mover, waiting, own, other = (
        [number for table in tables_of_shapes for number in table[part]] for part in range(5)
    )
    second_shapes = len(tables_of_shapes[0][0]) if rules.renju else 0
    records = [*map(record_of, points, mover, waiting)]
    windows, line_pair, shapes, point = [0] * 4 * size, [0] * 4 * size, [0] * 2 * size, [0] * 2 * size
    counts, sums = [0] * 2 * POINT_CLASSES, [0, 0]
    for cell in cells:
        for direction, step in enumerate(steps):
            beyond = [
                power
                for power, distance in zip(powers, distances, strict=True)
                if cell + distance * step not in inside
            ]
            window = OTHER * sum(beyond)
            first, second = classes[window], classes[second_classes + window]
            windows[4 * cell + direction] = window << KEY_BITS | window
            line_pair[4 * cell + direction] = first + LINE_CLASSES * second
            shapes[cell] |= first << 4 * direction
            shapes[size + cell] |= second << 4 * direction
        for side in (0, 1):
            shape = side * second_shapes + shapes[side * size + cell]
            point[side * size + cell] = points[shape]
            counts[side * POINT_CLASSES + points[shape]] += 1
            sums[side] += records[shape]
    near = [
        row * width + column
        for row in range(-NEAR, NEAR + 1)
        for column in range(-NEAR, NEAR + 1)
        if (row, column) != (0, 0)
    ]
    chance = Random(size)  # 61 bits for each side and cell (Zobrist 1970)
    return PatternMemory(
        size=size,
        width=width,
        reach=reach,
        cell_count=len(cells),
        cells=machine.array(cells),
        middle=cells[rows // 2 * columns + columns // 2],
        steps=machine.array(steps),
        spare=SPARE_CELLS if rules.renju else 0,
        near_count=len(near),
        near=machine.array(near),
        digits=machine.array(
            [power * (own + (other << KEY_BITS)) for power in powers for own, other in ((1, 2), (2, 1))]
        ),
        second_classes=second_classes,
        second_shapes=second_shapes,
        classes=machine.array([machine.word(number) for number in packed(classes)]),
        records=machine.array(records),
        own=machine.array(own),
        other=machine.array(other),
        threat_weights=machine.array(weights.threats),
        hash=machine.array([chance.getrandbits(61) for _ in range(2 * size)]),
        reductions=machine.array(
            [_reduction(depth, number) for depth in range(LINES) for number in range(LINES)]
        ),
        entry_count=0,
        key=chance.getrandbits(61),  # 0 is the key of an unused entry.
        free=len(cells),
        board=machine.array([0 if cell in inside else BEYOND for cell in range(size)]),
        windows=machine.array(windows),
        line_pair=machine.array(line_pair),
        shapes=machine.array(shapes),
        point=machine.array(point),
        counts=machine.array(counts),
        sums=machine.array(sums),
        **zeros(size, "neighbours"),
        **zeros(2 * size, "history"),
        **zeros((len(cells) + PLIES) * 8 * reach, "changes"),
        **zeros(len(cells) + PLIES, "frames"),
        **zeros(len(cells) + 1, "judged", "judged_way", "judged_threes"),
        **zeros(PLIES, "low", "first_low", "high", "depth", "best", "best_move", "move", "table_move"),
        **zeros(PLIES, "index", "listed", "stage", "next_depth", "is_pv", "is_quiet", "estimate"),
        **zeros(PLIES * MOVES, "moves", "scores"),
        **zeros(2 * PLIES, "killers"),
        **zeros(0, "entries"),
        **zeros(1 << FAILED_BITS, "failed"),
        **zeros(FOUR_MOVES, "four_scores"),
        **zeros(MAX_FOURS + 1, "four", "reply", "sequence_key", "four_index", "four_count"),
        **zeros((MAX_FOURS + 1) * FOUR_MOVES, "four_moves"),
    )


def packed(classes: list[int]) -> list[int]:
    """Return line classes as numbers of 16 classes each, so that they fit into the first-level cache."""
    size = 1 << CLASSES_BITS
    return [
        sum(line_class << 4 * i for i, line_class in enumerate(classes[first : first + size]))
        for first in range(0, len(classes), size)
    ]


def record_of(point: int, mover: int, waiting: int) -> int:
    """Return the record of a shape.

    It has the weights for the side to move and for the other side, and the *point* class. One table of
    records stays in the cache of the processor, unlike three tables. Sums of records need one addition.
    """
    return (mover << MOVER_BIT) + (waiting << POINT_SUM_BITS) + point


def _reduction(depth: int, number: int) -> int:
    """Return the reduction of the move with this *number* at *depth*, in plies."""
    return int(0.4 + log(depth) * log(number) / LATE_MOVE_DIVISOR) if depth and number else 0
