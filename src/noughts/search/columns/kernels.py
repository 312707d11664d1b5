"""Is a position worth so much? The search, as functions that may be compiled.

Alpha-beta with a window of one: at each depth the side to move wants so much or more, and the answer bounds
what the position is worth. Below the first depth nobody is to move who can win at once. What decides a
position without looking further:

- the other side's cells that complete a line force the next move, and forbid those below them;
- how soon a win or a loss can be at best;
- two cells at once where a move makes the side win, side by side or one on the other;
- what a side gets by following in columns (``lines.follow``), which all moves are asked about before the
  first of them is tried: of Connect Four half of the nodes is left by that;
- the table, which is asked of all positions one move later as well (enhanced transposition cutoffs).

Moves that make most cells complete a line come first, columns with most lines before others.
"""

from noughts.search.columns import layout as at
from noughts.search.columns.lines import completing_with, find_completing, find_lowest, follow
from noughts.search.columns.table import BIAS, WORTH, find, find_bucket, find_common_bucket, store
from noughts.search.compiled import Ints, inlined, insert, kernel
from noughts.search.instructions import count_bits, fetch


@kernel
def start(m: Ints, own: int, taken: int, wanted: int) -> None:
    """Ask whether the position is worth *wanted* or more."""
    first = m[at.FRAMES]
    m[first + at.OWN] = own
    m[first + at.TAKEN] = taken
    m[first + at.MINE] = find_completing(m, own, taken)
    m[first + at.THEIRS] = find_completing(m, own ^ taken, taken)
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
    frames, frame = m[at.FRAMES], m[at.FRAME]
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
            _move(m, here, move)
            m[at.RETURNING] = 0
            m[at.DEPTH] = depth + 1


@inlined
def _move(m: Ints, here: int, move: int) -> None:
    """Fill the next frame with the position after *move*."""
    own, taken, then = m[here + at.OWN], m[here + at.TAKEN] | move, here + m[at.FRAME]
    m[then + at.OWN] = own ^ m[here + at.TAKEN]
    m[then + at.TAKEN] = taken
    m[then + at.MINE] = m[here + at.THEIRS] & ~move
    m[then + at.THEIRS] = completing_with(m, m[here + at.MINE], own | move, taken, move)


@inlined
def _enter(m: Ints, t: Ints, here: int, wanted: int, depth: int) -> int:
    """Bound the worth of the position *here* at once, or list its moves (RUNNING)."""
    own, taken, size, plies = m[here + at.OWN], m[here + at.TAKEN], m[at.SIZE], m[at.PLIES] + depth
    lowest = find_lowest(m, taken)
    if depth == 0:
        m[at.BEST] = m[here + at.MINE] & lowest
        if m[at.BEST]:
            return size - plies
    elif lowest == 0:
        return 0
    threats = m[here + at.THEIRS]
    forced = threats & lowest
    moves = (forced if forced else lowest) & ~(threats >> m[at.WIDTH] & m[at.BELOW])
    if forced & (forced - 1) or moves == 0:
        return plies + 1 - size  # the other side wins with its next move
    if depth:
        if plies >= size - 2:
            return 0
        if size - 2 - plies < wanted:
            return size - 2 - plies
        if plies + 3 - size >= wanted:
            return plies + 3 - size
    elif wanted >= 0:  # below the first depth this has been asked before the move was made
        most = follow(m, own, taken, threats)
        if most < wanted:
            return most
    return _look_up(m, t, here, wanted, depth, moves)


@inlined
def _look_up(m: Ints, t: Ints, here: int, wanted: int, depth: int, moves: int) -> int:
    """Bound the worth by what the table knows of the position and those after *moves*, or list these."""
    own, taken, plies = m[here + at.OWN], m[here + at.TAKEN], m[at.PLIES] + depth
    bucket = find_common_bucket(m, own, taken, plies)
    m[here + at.BUCKET] = bucket
    m[here + at.SIGN] = m[at.TAG]
    m[here + at.WORD] = m[at.KEY]
    lower, upper = -BIAS, BIAS
    known = find(m, t, bucket)
    if known:
        lower, upper = (known & WORTH) - BIAS, (known >> 7 & WORTH) - BIAS
        if upper < wanted:
            return upper
        if lower >= wanted and depth:  # of the first position a move is wanted, too
            return lower
    m[here + at.LOWER] = lower
    m[here + at.UPPER] = upper
    found = _list_moves(m, t, here, wanted, moves, plies)
    if found != at.RUNNING:
        return found
    if depth == 0 or (m[here + at.MANY] > 1 and plies >= m[at.FEW]):
        return _ask_table(m, t, here, wanted, plies)
    return at.RUNNING


@inlined
def _list_moves(m: Ints, t: Ints, here: int, wanted: int, moves: int, plies: int) -> int:
    """List *moves*, those first that make most cells complete a line, or bound the worth by one of them."""
    own, taken, width, count = m[here + at.OWN], m[here + at.TAKEN], m[at.WIDTH], 0
    is_late = plies >= m[at.FEW]
    for column in range(m[at.COLUMNS], m[at.COLUMNS] + width):
        move = moves & m[column]
        if move:
            if is_late:
                fetch(t, find_bucket(m, own ^ taken, taken | move))
            threats = completing_with(m, m[here + at.MINE], own | move, taken | move, move)
            least = _bound(m, own ^ taken, taken | move, threats, wanted, plies)
            if least != at.RUNNING:
                if plies == m[at.PLIES]:
                    m[at.BEST] = move
                return least
            count = insert(m, here + at.MOVES, m[at.ORDER], count, width, move, count_bits(threats))
    m[here + at.MANY] = count
    m[here + at.NEXT] = 0
    m[here + at.VALUE] = -at.RUNNING
    m[here + at.WORK] = m[at.NODES]
    return at.RUNNING


@inlined
def _bound(m: Ints, other: int, taken: int, threats: int, wanted: int, plies: int) -> int:
    """The least that a move is worth, RUNNING where that is not known to be *wanted* or more.

    After it the marks are *taken*, those of the *other* side among them, and who made it has *threats*.
    """
    forced = threats & find_lowest(m, taken)
    if forced & (forced - 1) or forced & (threats >> m[at.WIDTH]) & m[at.BELOW]:
        return m[at.SIZE] - 2 - plies
    if wanted <= 1:
        least = -follow(m, other, taken, threats)
        if least >= wanted:
            return least
    return at.RUNNING


@inlined
def _ask_table(m: Ints, t: Ints, here: int, wanted: int, plies: int) -> int:
    """Bound the worth by what the table knows of the positions after the moves *here*, or RUNNING."""
    other, taken = m[here + at.OWN] ^ m[here + at.TAKEN], m[here + at.TAKEN]
    for place in range(here + at.MOVES, here + at.MOVES + m[here + at.MANY]):
        bucket = find_common_bucket(m, other, taken | m[place], plies + 1)
        known = find(m, t, bucket)
        if known and BIAS - (known >> 7 & WORTH) >= wanted:
            if plies == m[at.PLIES]:
                m[at.BEST] = m[place]
            return BIAS - (known >> 7 & WORTH)
    return at.RUNNING


@inlined
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
            _store(m, t, here, lower, m[here + at.UPPER], work)
            return value
    if m[here + at.NEXT] < m[here + at.MANY]:
        return at.RUNNING
    value = m[here + at.VALUE]
    upper, work = min(value, m[here + at.UPPER]), m[at.NODES] - m[here + at.WORK]
    _store(m, t, here, m[here + at.LOWER], upper, work)
    return value


@inlined
def _store(m: Ints, t: Ints, here: int, lower: int, upper: int, work: int) -> None:
    """Keep what bounds the worth of the position *here*."""
    store(m, t, m[here + at.BUCKET], m[here + at.WORD], m[here + at.SIGN], lower, upper, work)
