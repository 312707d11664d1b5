"""Where everything stands in the one array of ints that the engine's kernels work on.

One flat array, not one for each thing: a compiled function that takes many arrays is slow to call and slow to
compile. What is called an entry for each side stands at ``2 * line + side`` for a line and at
``side * size + cell`` for a cell.
"""

from itertools import count

from noughts.core.lines import MAX_ENUMERATED

MAX_LINE = 512
"""Lines are shorter than this."""

PLIES = 100
"""How deep the stack of the search is."""

MOVES = 64
"""How many moves of a position are tried at most."""

MAX_SEQUENCE = 60
"""Threats in a sequence; longer ones are not tried."""

TRIES = 16
"""Threats tried in one position of a sequence: those on the cells with the most pull."""

_single = count()


def _one() -> int:
    return next(_single)


def _two() -> int:
    next(_single)
    return next(_single) - 1


# Facts: the numbers of cells, of lines, of cells in a line, of columns where marks fall (0: they do not).
SIZE, LINES, K, WIDTH = _one(), _one(), _one(), _one()

# For each side: the cells that win at once, the sum of their numbers, the worth of its live lines, and
# how many of these lack two marks.
WINNING, WINNING_SUM, WORTH, NEARLY = _two(), _two(), _two(), _two()

# The hash key of the position, and the number of empty cells.
KEY, FREE = _one(), _one()

# The search: its ply, what is next to do there, the side to move at ply 0, the value of the position just
# closed, the moves made in all, how many may be made, who attacks (-1: an ordinary search), and how many
# moves are tried where there are more.
PLY, PHASE, FIRST_SIDE, VALUE = _one(), _one(), _one(), _one()
COUNT, MAX_NODES, ATTACKER, BREADTH = _one(), _one(), _one(), _one()

# The threat sequence: how deep, who attacks, the moves made, whether moves are still to be listed,
# how many threats what was found has, and how many cells its zone.
AT, SIDE, NODES, FRESH, LENGTH, ZONE_COUNT = _one(), _one(), _one(), _one(), _one(), _one()

# Where the parts begin whose length depends on the board: the cells of each line, the lines through each cell
# and those it is an end of; for each line and side the marks and the stops; the memories, and their length.
CELLS, THROUGH, END_OF, OWN, STOPS = _one(), _one(), _one(), _one(), _one()
KEYS, VALUES, FRUITLESS, EFFORT, ENTRIES = _one(), _one(), _one(), _one(), _one()

_end = 64


def _room(length: int) -> int:
    """Set apart room for so many ints; where it begins."""
    global _end
    _end += length
    return _end - length


# By number of marks: what a live line adds to the pull of its cells, and what it is worth.
GAIN, WORTH_OF = _room(MAX_LINE), _room(MAX_LINE)

# For each ply of the search: the window, the low bound it began with, the best score and its move, the depth,
# which move is being tried, of how many, with what window, whether it is forced, whether all were listed.
LOW, HIGH, START, BEST, ANSWER, DEPTH = (_room(PLIES) for _ in range(6))
INDEX, LISTED, KIND, FORCED, SURE = (_room(PLIES) for _ in range(5))
LIST, SCORES, KILLERS = _room(PLIES * MOVES), _room(PLIES * MOVES), _room(2 * PLIES)

# For each threat of a sequence: the attacker's cell, the answer, which threat is being tried, of how many.
ATTACK, REPLY, TRIED, TRIABLE = (_room(MAX_SEQUENCE + 1) for _ in range(4))
THREATS, THREAT_SCORES = _room((MAX_SEQUENCE + 1) * TRIES), _room((MAX_SEQUENCE + 1) * TRIES)

# For each cell: where its lines begin in THROUGH and in END_OF, how near to the middle it is, what stands
# there (0: nothing, else side + 1), the cells of a zone in a list, 1 if in the zone, 1 if answered on;
# for each column, its lowest empty cell.
FIRST, FIRST_END = _room(MAX_ENUMERATED + 1), _room(MAX_ENUMERATED + 1)
MIDDLE, BOARD, ZONE, STAMP, ANSWERED, LOWEST = (_room(MAX_ENUMERATED) for _ in range(6))

# For each side and cell: hash numbers, how many lines it completes, the pull, and how often it was good.
HASH, WINS, PULL, HISTORY = (_room(2 * MAX_ENUMERATED) for _ in range(4))

FIXED = _end
"""The length of all parts whose length does not depend on the board."""
