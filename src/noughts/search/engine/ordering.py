"""The choice and order of the moves that the engine tries in a position."""

from noughts.search.engine.memory import LACKS_THREE, MOVES, VALUE_MASK, EngineMemory
from noughts.search.numba_backend import insert_ranked, kernel

MAX_HISTORY = 600
"""Upper limit of the history score of a move."""


@kernel
def order_score(m: EngineMemory, mine: int, theirs: int) -> int:
    """Return the score by which a cell is sorted, from the indices of its entries for both sides."""
    return 4 * (m.pull[mine] & VALUE_MASK) + 3 * (m.pull[theirs] & VALUE_MASK) + m.history[mine]


@kernel
def raise_killers(m: EngineMemory, ply: int, side: int, by: int) -> None:
    """Raise the killer moves at *ply* in the order (*by* = 1), or lower them again (*by* = -1)."""
    for i in range(2 * ply, 2 * ply + 2):
        if m.killers[i] > 0:
            m.history[side * m.size + m.killers[i] - 1] += 500 * by


@kernel
def put_first(m: EngineMemory, ply: int, first: int) -> None:
    """Move *first* to the front of the moves at *ply*, if it is among them."""
    moves, base = m.moves, ply * MOVES
    for i in range(base, base + m.listed[ply]):
        if moves[i] == first:
            while i > base:
                moves[i] = moves[i - 1]
                i -= 1
            moves[base] = first
            return


@kernel
def list_zone(m: EngineMemory, ply: int, side: int, first: int) -> None:
    """List the moves that may break the sequence that was found. All other moves lose."""
    mine, theirs = side * m.size, (1 - side) * m.size
    base = ply * MOVES
    count = 0
    for i in range(m.zone_count):
        cell = m.zone[i]
        score = order_score(m, mine + cell, theirs + cell)
        count = insert_ranked(m.moves, base, m.scores, count, MOVES, cell, score)
    m.listed[ply] = count
    put_first(m, ply, first)


@kernel
def list_moves(m: EngineMemory, ply: int, side: int, first: int) -> None:
    """List the most promising moves, at most *breadth* of them."""
    width, breadth = m.width, m.breadth
    mine, theirs = side * m.size, (1 - side) * m.size
    base = ply * MOVES
    count = 0
    seen = 0
    raise_killers(m, ply, side, 1)
    for place in range(width if width > 0 else m.size):
        cell = m.lowest[place] if width > 0 else place
        if cell >= 0 and m.board[cell] == 0:
            seen += 1
            score = order_score(m, mine + cell, theirs + cell) + m.middle[cell]
            count = insert_ranked(m.moves, base, m.scores, count, breadth, cell, score)
    raise_killers(m, ply, side, -1)
    m.listed[ply] = count
    put_first(m, ply, first)
    if seen > breadth:
        m.sure[ply] = 0


@kernel
def list_attack(m: EngineMemory, ply: int, side: int, first: int) -> None:
    """List the attacker's moves on lines that lack two or three marks."""
    mine, theirs = side * m.size, (1 - side) * m.size
    base = ply * MOVES
    count = 0
    for cell in range(m.size):
        if m.board[cell] == 0 and m.pull[mine + cell] >= LACKS_THREE:
            score = order_score(m, mine + cell, theirs + cell)
            count = insert_ranked(m.moves, base, m.scores, count, m.breadth, cell, score)
    m.listed[ply] = count
    put_first(m, ply, first)


@kernel
def update_history(m: EngineMemory, ply: int, side: int, cell: int) -> None:
    """Record that the move *cell* at *ply* caused a cutoff."""
    if m.killers[2 * ply] != cell + 1:
        m.killers[2 * ply + 1] = m.killers[2 * ply]
        m.killers[2 * ply] = cell + 1
    depth = max(m.depth[ply], 1)
    i = side * m.size + cell
    m.history[i] += depth * depth
    if m.history[i] > MAX_HISTORY:
        for place in range(2 * m.size):
            m.history[place] //= 2
