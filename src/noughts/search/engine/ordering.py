"""Which moves the engine tries in a position, and in what order."""

from noughts.search.compiled import Ints, insert, kernel
from noughts.search.engine.arrays import (
    BOARD,
    BREADTH,
    DEPTH,
    HISTORY,
    KILLERS,
    LIST,
    LISTED,
    LOWEST,
    MIDDLE,
    MOVES,
    PULL,
    SCORES,
    SIZE,
    SURE,
    WIDTH,
    ZONE,
    ZONE_COUNT,
)
from noughts.search.engine.incremental import LACKS_THREE, VALUE_MASK

MAX_HISTORY = 600
"""The history of no move counts more than this."""


@kernel
def order_score(m: Ints, mine: int, theirs: int) -> int:
    """How soon a cell should be tried, greater is sooner; its entries for either side are given."""
    return 4 * (m[PULL + mine] & VALUE_MASK) + 3 * (m[PULL + theirs] & VALUE_MASK) + m[HISTORY + mine]


@kernel
def raise_killers(m: Ints, ply: int, side: int, by: int) -> None:
    """Let the killer moves at *ply* be tried sooner (*by* = 1), or no longer (*by* = -1)."""
    for at in range(KILLERS + 2 * ply, KILLERS + 2 * ply + 2):
        if m[at] > 0:
            m[HISTORY + side * m[SIZE] + m[at] - 1] += 500 * by


@kernel
def put_first(m: Ints, ply: int, first: int) -> None:
    """Put the move *first* before all others at *ply*, if it is among them."""
    base = LIST + ply * MOVES
    for at in range(base, base + m[LISTED + ply]):
        if m[at] == first:
            while at > base:
                m[at] = m[at - 1]
                at -= 1
            m[base] = first
            return


@kernel
def list_zone(m: Ints, ply: int, side: int, first: int) -> None:
    """List the moves that may break the sequence just found; all others lose."""
    mine, theirs = side * m[SIZE], (1 - side) * m[SIZE]
    base = ply * MOVES
    count = 0
    for at in range(m[ZONE_COUNT]):
        cell = m[ZONE + at]
        score = order_score(m, mine + cell, theirs + cell)
        count = insert(m, LIST + base, SCORES + base, count, MOVES, cell, score)
    m[LISTED + ply] = count
    put_first(m, ply, first)


@kernel
def list_moves(m: Ints, ply: int, side: int, first: int) -> None:
    """List the moves that promise most, at most as many as the breadth."""
    width, breadth = m[WIDTH], m[BREADTH]
    mine, theirs = side * m[SIZE], (1 - side) * m[SIZE]
    base = ply * MOVES
    count = 0
    seen = 0
    raise_killers(m, ply, side, 1)
    for place in range(width if width > 0 else m[SIZE]):
        cell = m[LOWEST + place] if width > 0 else place
        if cell >= 0 and m[BOARD + cell] == 0:
            seen += 1
            score = order_score(m, mine + cell, theirs + cell) + m[MIDDLE + cell]
            count = insert(m, LIST + base, SCORES + base, count, breadth, cell, score)
    raise_killers(m, ply, side, -1)
    m[LISTED + ply] = count
    put_first(m, ply, first)
    if seen > breadth:
        m[SURE + ply] = 0


@kernel
def list_attack(m: Ints, ply: int, side: int, first: int) -> None:
    """List the moves of an attacker on lines that lack two or three marks."""
    mine, theirs = side * m[SIZE], (1 - side) * m[SIZE]
    base = ply * MOVES
    count = 0
    for cell in range(m[SIZE]):
        if m[BOARD + cell] == 0 and m[PULL + mine + cell] >= LACKS_THREE:
            score = order_score(m, mine + cell, theirs + cell)
            count = insert(m, LIST + base, SCORES + base, count, m[BREADTH], cell, score)
    m[LISTED + ply] = count
    put_first(m, ply, first)


@kernel
def update_history(m: Ints, ply: int, side: int, cell: int) -> None:
    """Remember that *cell* was good enough to make all other moves at *ply* needless."""
    if m[KILLERS + 2 * ply] != cell + 1:
        m[KILLERS + 2 * ply + 1] = m[KILLERS + 2 * ply]
        m[KILLERS + 2 * ply] = cell + 1
    depth = max(m[DEPTH + ply], 1)
    at = side * m[SIZE] + cell
    m[HISTORY + at] += depth * depth
    if m[HISTORY + at] > MAX_HISTORY:
        for place in range(2 * m[SIZE]):
            m[HISTORY + place] //= 2
