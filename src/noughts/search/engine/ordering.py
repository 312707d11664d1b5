"""Which moves the engine tries in a position, and in what order."""

from noughts.search.engine import arrays as at
from noughts.search.engine.incremental import LACKS_THREE, VALUE_MASK
from noughts.search.numba_backend import Ints, insert, kernel

MAX_HISTORY = 600
"""The history of no move counts more than this."""


@kernel
def order_score(m: Ints, mine: int, theirs: int) -> int:
    """How soon a cell should be tried, greater is sooner; its entries for either side are given."""
    return (
        4 * (m[at.PULL + mine] & VALUE_MASK) + 3 * (m[at.PULL + theirs] & VALUE_MASK) + m[at.HISTORY + mine]
    )


@kernel
def raise_killers(m: Ints, ply: int, side: int, by: int) -> None:
    """Let the killer moves at *ply* be tried sooner (*by* = 1), or no longer (*by* = -1)."""
    for i in range(at.KILLERS + 2 * ply, at.KILLERS + 2 * ply + 2):
        if m[i] > 0:
            m[at.HISTORY + side * m[at.SIZE] + m[i] - 1] += 500 * by


@kernel
def put_first(m: Ints, ply: int, first: int) -> None:
    """Put the move *first* before all others at *ply*, if it is among them."""
    base = at.LIST + ply * at.MOVES
    for i in range(base, base + m[at.LISTED + ply]):
        if m[i] == first:
            while i > base:
                m[i] = m[i - 1]
                i -= 1
            m[base] = first
            return


@kernel
def list_zone(m: Ints, ply: int, side: int, first: int) -> None:
    """List the moves that may break the sequence just found; all others lose."""
    mine, theirs = side * m[at.SIZE], (1 - side) * m[at.SIZE]
    base = ply * at.MOVES
    count = 0
    for i in range(m[at.ZONE_COUNT]):
        cell = m[at.ZONE + i]
        score = order_score(m, mine + cell, theirs + cell)
        count = insert(m, at.LIST + base, at.SCORES + base, count, at.MOVES, cell, score)
    m[at.LISTED + ply] = count
    put_first(m, ply, first)


@kernel
def list_moves(m: Ints, ply: int, side: int, first: int) -> None:
    """List the moves that promise most, at most as many as the breadth."""
    width, breadth = m[at.WIDTH], m[at.BREADTH]
    mine, theirs = side * m[at.SIZE], (1 - side) * m[at.SIZE]
    base = ply * at.MOVES
    count = 0
    seen = 0
    raise_killers(m, ply, side, 1)
    for place in range(width if width > 0 else m[at.SIZE]):
        cell = m[at.LOWEST + place] if width > 0 else place
        if cell >= 0 and m[at.BOARD + cell] == 0:
            seen += 1
            score = order_score(m, mine + cell, theirs + cell) + m[at.MIDDLE + cell]
            count = insert(m, at.LIST + base, at.SCORES + base, count, breadth, cell, score)
    raise_killers(m, ply, side, -1)
    m[at.LISTED + ply] = count
    put_first(m, ply, first)
    if seen > breadth:
        m[at.SURE + ply] = 0


@kernel
def list_attack(m: Ints, ply: int, side: int, first: int) -> None:
    """List the moves of an attacker on lines that lack two or three marks."""
    mine, theirs = side * m[at.SIZE], (1 - side) * m[at.SIZE]
    base = ply * at.MOVES
    count = 0
    for cell in range(m[at.SIZE]):
        if m[at.BOARD + cell] == 0 and m[at.PULL + mine + cell] >= LACKS_THREE:
            score = order_score(m, mine + cell, theirs + cell)
            count = insert(m, at.LIST + base, at.SCORES + base, count, m[at.BREADTH], cell, score)
    m[at.LISTED + ply] = count
    put_first(m, ply, first)


@kernel
def update_history(m: Ints, ply: int, side: int, cell: int) -> None:
    """Remember that *cell* was good enough to make all other moves at *ply* needless."""
    if m[at.KILLERS + 2 * ply] != cell + 1:
        m[at.KILLERS + 2 * ply + 1] = m[at.KILLERS + 2 * ply]
        m[at.KILLERS + 2 * ply] = cell + 1
    depth = max(m[at.DEPTH + ply], 1)
    i = side * m[at.SIZE] + cell
    m[at.HISTORY + i] += depth * depth
    if m[at.HISTORY + i] > MAX_HISTORY:
        for place in range(2 * m[at.SIZE]):
            m[at.HISTORY + place] //= 2
