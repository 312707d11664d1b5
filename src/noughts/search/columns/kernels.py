"""Is a position worth so much? The search, as functions that may be compiled.

Alpha-beta with a window of one: at each depth the side to move wants so much or more, and the answer bounds
what the position is worth. Below the first depth nobody is to move who can win at once. What decides a
position without looking further:

- the other side's cells that complete a line force the next move, and forbid those below them;
- how soon a win or a loss can be at best;
- what the other side gets by following in columns (``lines.follow``);
- the table, which is asked of all positions one move later as well (enhanced transposition cutoffs).

Moves that make most cells complete a line come first, those in the middle before others.
"""

from noughts.search.columns import layout as at
from noughts.search.columns.lines import count_bits, find_completing, follow
from noughts.search.columns.table import BIAS, WORTH, find, find_bucket, key_of, store
from noughts.search.compiled import Ints, insert, kernel


@kernel
def start(m: Ints, own: int, taken: int, wanted: int) -> None:
    """Ask whether the position is worth *wanted* or more."""
    first = at.ALL + 2 * m[at.WIDTH]
    m[first + at.OWN] = own
    m[first + at.TAKEN] = taken
    m[at.PLIES] = count_bits(taken)
    m[at.WANTED] = wanted
    m[at.DEPTH] = 0
    m[at.RETURNING] = 0
    m[at.BEST] = 0


@kernel
def run(m: Ints, t: Ints, max_nodes: int) -> int:
    """Go on until the worth is bounded, or *max_nodes* nodes were made (RUNNING).

    The answer is WANTED or more, which the position is worth at least, or less, which it is worth at most.
    """
    frames, frame = at.ALL + 2 * m[at.WIDTH], m[at.FRAME]
    while True:
        depth = m[at.DEPTH]
        here = frames + depth * frame
        wanted = 1 - m[at.WANTED] if depth & 1 else m[at.WANTED]
        result = (
            _consider(m, t, here, wanted, depth) if m[at.RETURNING] else _enter(m, t, here, wanted, depth)
        )
        if result != at.RUNNING:
            if depth == 0:
                return result
            m[at.RESULT] = result
            m[at.RETURNING] = 1
            m[at.DEPTH] = depth - 1
        elif m[at.NODES] >= max_nodes:
            m[at.RETURNING] = 1  # and go on from here as after a move that is worth nothing
            m[at.RESULT] = at.RUNNING
            return at.RUNNING
        else:
            move = m[here + at.MOVES + m[here + at.NEXT]]
            m[here + at.NEXT] += 1
            m[at.NODES] += 1
            m[here + frame + at.OWN] = m[here + at.OWN] ^ m[here + at.TAKEN]
            m[here + frame + at.TAKEN] = m[here + at.TAKEN] | move
            m[at.RETURNING] = 0
            m[at.DEPTH] = depth + 1


@kernel
def _enter(m: Ints, t: Ints, here: int, wanted: int, depth: int) -> int:
    """Bound the worth of the position *here* at once, or list its moves (RUNNING)."""
    own, taken, size, plies = m[here + at.OWN], m[here + at.TAKEN], m[at.SIZE], m[at.PLIES] + depth
    other = own ^ taken
    lowest = (taken + m[at.BOTTOM]) & m[at.BOARD]
    if depth == 0:
        m[at.BEST] = find_completing(m, own, taken) & lowest
        if m[at.BEST]:
            return size - plies
    elif lowest == 0:
        return 0
    threats = find_completing(m, other, taken)
    forced = threats & lowest
    moves = (forced if forced else lowest) & ~(threats >> 1)
    if forced & (forced - 1) or moves == 0:
        return plies + 1 - size  # the other side wins with its next move
    if depth:
        if plies >= size - 2:
            return 0
        if size - 2 - plies < wanted:
            return size - 2 - plies
        if plies + 3 - size >= wanted:
            return plies + 3 - size
    if wanted >= 0:
        most = follow(m, own, taken, threats)
        if most < wanted:
            return most
    return _look_up(m, t, here, wanted, depth, moves)


@kernel
def _look_up(m: Ints, t: Ints, here: int, wanted: int, depth: int, moves: int) -> int:
    """Bound the worth by what the table knows of the position and those after *moves*, or list these."""
    own, taken, plies = m[here + at.OWN], m[here + at.TAKEN], m[at.PLIES] + depth
    bucket = find_bucket(m, key_of(m, own, taken, plies))
    m[here + at.BUCKET] = bucket
    m[here + at.SIGN] = m[at.TAG]
    lower, upper = -BIAS, BIAS
    known = find(t, bucket, m[at.TAG])
    if known:
        lower, upper = (known & WORTH) - BIAS, (known >> 7 & WORTH) - BIAS
        if upper < wanted:
            return upper
        if lower >= wanted and depth:  # of the first position a move is wanted, too
            return lower
    m[here + at.LOWER] = lower
    m[here + at.UPPER] = upper
    if depth == 0 or (moves & (moves - 1) and plies >= m[at.FEW]):
        other = own ^ taken
        left = moves
        while left:
            move = left & -left
            left ^= move
            bucket = find_bucket(m, key_of(m, other, taken | move, plies + 1))
            known = find(t, bucket, m[at.TAG])
            if known and BIAS - (known >> 7 & WORTH) >= wanted:
                if depth == 0:
                    m[at.BEST] = move
                return BIAS - (known >> 7 & WORTH)
    _list_moves(m, here, moves)
    return at.RUNNING


@kernel
def _list_moves(m: Ints, here: int, moves: int) -> None:
    """List *moves*, those first that make most cells complete a line."""
    own, taken, width, count = m[here + at.OWN], m[here + at.TAKEN], m[at.WIDTH], 0
    for column in range(at.ALL, at.ALL + width):
        move = moves & m[column]
        if move:
            score = count_bits(find_completing(m, own | move, taken | move))
            count = insert(m, here + at.MOVES, at.ALL + width, count, width, move, score)
    m[here + at.MANY] = count
    m[here + at.NEXT] = 0
    m[here + at.VALUE] = -at.RUNNING
    m[here + at.WORK] = m[at.NODES]


@kernel
def _consider(m: Ints, t: Ints, here: int, wanted: int, depth: int) -> int:
    """Bound the worth of the position *here* by that of its last move, RESULT, or go on (RUNNING)."""
    value = -m[at.RESULT]
    if value > m[here + at.VALUE]:
        m[here + at.VALUE] = value
        if value >= wanted:
            if depth == 0:
                m[at.BEST] = m[here + at.MOVES + m[here + at.NEXT] - 1]
            lower = max(value, m[here + at.LOWER])
            work = m[at.NODES] - m[here + at.WORK]
            store(t, m[here + at.BUCKET], m[here + at.SIGN], lower, m[here + at.UPPER], work)
            return value
    if m[here + at.NEXT] < m[here + at.MANY]:
        return at.RUNNING
    value = m[here + at.VALUE]
    upper, work = min(value, m[here + at.UPPER]), m[at.NODES] - m[here + at.WORK]
    store(t, m[here + at.BUCKET], m[here + at.SIGN], m[here + at.LOWER], upper, work)
    return value
