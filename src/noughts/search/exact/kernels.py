"""Does one side win within so many plies? The two-valued search, as functions that may be compiled.

The question is asked of a position and one side, the attacker; every other end is a no. Answers are kept
in a table: within how many plies a side is known to win, within how many it is known not to. What prunes:

- a line that is one mark short decides or forces the next move;
- a line that the other side has touched, or that lacks more marks than the attacker has moves, is dead;
- by Erdos and Selfridge (1973) a defender who may place anywhere stops all lines whose potential, the sum
  of 2 ** -(marks it lacks), is below 1 (below 1 after the attacker's move where the attacker is to move);
- pairs of cells may stop all lines: the defender takes one when the attacker takes the other (``covering``);
- where one more mark never hurts, marks and cells on no live line do not matter;
- where marks fall, a move just below a cell where the other side would win loses, and so it may by what the
  other side gets if it follows in columns (``following``).
"""

from noughts.search.exact import layout as at
from noughts.search.exact.covering import is_covered
from noughts.search.exact.following import cannot_win, loses
from noughts.search.exact.position import find_completing, is_open, lift, place, would_complete
from noughts.search.exact.table import MANY, RUNNING, probe, store
from noughts.search.maker_breaker.memory import CoverMemory
from noughts.search.numba_backend import Ints, inlined, insert, kernel


@kernel
def run(m: Ints, t: Ints, b: CoverMemory, max_nodes: int) -> int:
    """Go on with the question until it is answered (1, 0) or *max_nodes* nodes were made (RUNNING).

    *b* is the memory in which pairs are looked for; its SIZE is 0 where they are not.
    """
    following, many = m[at.NEXT], m[at.MANY_TRIED]
    while True:
        depth = m[at.DEPTH]
        if m[at.RETURNING] == 0:
            m[at.RESULT] = _expand(m, t, b, depth)
        elif m[at.RESULT] == (m[at.SIDE] == m[at.ATTACKER]) or m[following + depth] >= m[many + depth]:
            store(m, t, depth, m[at.RESULT])
            if depth == 0 and m[at.RESULT] == (m[at.SIDE] == m[at.ATTACKER]):
                m[at.BEST] = m[m[at.TRIED] + m[following] - 1]
        else:
            m[at.RESULT] = RUNNING
        if m[at.RESULT] != RUNNING:
            if depth == 0:
                return m[at.RESULT]
            _ascend(m)
        elif m[at.NODES] >= max_nodes:
            m[at.RETURNING] = 1  # and go on from here as after a move that did not decide
            m[at.RESULT] = 1 - (m[at.SIDE] == m[at.ATTACKER])
            return RUNNING
        else:
            _descend(m, depth)


@inlined
def _descend(m: Ints, depth: int) -> None:
    """Make the next move of *depth*; its answer, where it ends the game, or a step down."""
    move = m[m[at.TRIED] + depth * m[at.MOVES] + m[m[at.NEXT] + depth]]
    m[m[at.NEXT] + depth] += 1
    m[at.NODES] += 1
    side = m[at.SIDE]
    done = place(m, move // 2, move % 2)
    if done or m[at.PLACED] == m[at.SIZE]:
        lift(m, move // 2)
        winner = 1 - side if m[at.LINE_LOSES] else side
        m[at.RESULT] = 1 if done and winner == m[at.ATTACKER] else 0
        m[at.RETURNING] = 1
    else:
        m[at.SIDE] = 1 - side
        m[at.DEPTH] = depth + 1
        m[at.RETURNING] = 0
        m[m[at.LEFT] + depth + 1] = m[m[at.LEFT] + depth] - 1


@inlined
def _ascend(m: Ints) -> None:
    """Take the last move back."""
    depth = m[at.DEPTH] - 1
    lift(m, m[m[at.TRIED] + depth * m[at.MOVES] + m[m[at.NEXT] + depth] - 1] // 2)
    m[at.SIDE] = 1 - m[at.SIDE]
    m[at.DEPTH] = depth
    m[at.RETURNING] = 1


@kernel
def unwind(m: Ints) -> None:
    """Take back all moves of a search that is given up."""
    while m[at.DEPTH] > 0:
        _ascend(m)


@kernel
def _expand(m: Ints, t: Ints, b: CoverMemory, depth: int) -> int:
    """Answer at once (1 or 0), or list the moves to try (RUNNING)."""
    attacks = m[at.SIDE] == m[at.ATTACKER]
    left = m[m[at.LEFT] + depth]
    if m[at.LINE_LOSES]:
        return _list_all(m, t, depth) if left >= 1 + attacks else 0
    if left < 2 - attacks:
        return 0
    if m[at.MARKING] == at.OWN_MARKS:
        return _expand_own(m, t, b, depth)
    for mark in range(2):
        cell = find_completing(m, mark, -1)
        if cell >= 0:
            if attacks == 0:
                return 0
            _list_one(m, depth, cell, mark)
            return RUNNING
    return _list_all(m, t, depth) if left >= 2 + attacks else 0


@inlined
def _expand_own(m: Ints, t: Ints, b: CoverMemory, depth: int) -> int:
    """The same where a line of one's own mark wins."""
    side = m[at.SIDE]
    attacks = side == m[at.ATTACKER]
    cell = find_completing(m, side, -1)
    if cell >= 0:
        if depth == 0:
            m[at.BEST] = 2 * cell + side
        return 1 if attacks else 0
    if m[m[at.LEFT] + depth] < 2 + attacks:
        return 0
    cell = find_completing(m, 1 - side, -1)
    if cell >= 0:
        if find_completing(m, 1 - side, cell) >= 0:
            return 0 if attacks else 1
        _list_one(m, depth, cell, side)
        return RUNNING
    return _list_falling(m, t, depth) if m[at.FALLS] else _list_live(m, t, b, depth)


@inlined
def _try(m: Ints, depth: int, many: int) -> int:
    """So *many* moves are listed at *depth*: they are to be tried from the first on."""
    m[m[at.MANY_TRIED] + depth] = many
    m[m[at.NEXT] + depth] = 0
    return RUNNING


@inlined
def _list_one(m: Ints, depth: int, cell: int, mark: int) -> None:
    """The one move that matters; its answer is not worth keeping."""
    m[m[at.TRIED] + depth * m[at.MOVES]] = 2 * cell + mark
    _try(m, depth, 1)
    m[m[at.KEYS] + (depth + 1) * (2 * m[at.WORDS] + 1) - 1] = -1


@kernel
def _list_all(m: Ints, t: Ints, depth: int) -> int:
    """Every legal move, where marks are shared or lines lose; those last that prepare lines."""
    known = probe(m, t, depth)
    if known != RUNNING:
        return known
    first, last = 0, 1
    if m[at.MARKING] == at.EITHER_MARK:
        last = 2
    elif m[at.MARKING] == at.OWN_MARKS:
        first, last = m[at.SIDE], m[at.SIDE] + 1
    moves, scores, many = m[at.MOVES], m[at.ORDER], 0
    base = m[at.TRIED] + depth * moves
    for cell in range(m[at.SIZE]):
        if is_open(m, cell):
            for mark in range(first, last):
                many = insert(m, base, scores, many, moves, 2 * cell + mark, -_preparing(m, cell, mark))
    return _try(m, depth, many)


@kernel
def _preparing(m: Ints, cell: int, mark: int) -> int:
    """How much *mark* on *cell* adds to lines of this mark; most where it completes one."""
    first, through, counts = m[at.FIRST], m[at.THROUGH], m[at.COUNTS]
    total = 0
    for i in range(through + m[first + cell], through + m[first + cell + 1]):
        line = m[i]
        if m[counts + 2 * line + 1 - mark] == 0:
            mine = m[counts + 2 * line + mark]
            total += 1 << 4 * min(mine, 10)
            if mine == m[at.K] - 1:
                total += 1 << 50
    return total


@inlined
def _list_falling(m: Ints, t: Ints, depth: int) -> int:
    """The moves that do not let the other side win just above, where marks fall and a line wins."""
    if not _has_live_line(m, depth):
        return 0
    if m[at.FOLLOWS]:
        if m[at.SIDE] == m[at.ATTACKER]:
            if cannot_win(m) or loses(m):
                return 0
        elif m[m[at.LEFT] + depth] >= m[at.SIZE] - m[at.PLACED] and loses(m):
            return 1
    known = probe(m, t, depth)
    if known != RUNNING:
        return known
    board, width, side = m[at.BOARD], m[at.WIDTH], m[at.SIDE]
    moves, scores, many = m[at.MOVES], m[at.ORDER], 0
    base = m[at.TRIED] + depth * moves
    for column in range(width):
        cell = m[at.SIZE] - width + column
        while cell >= 0 and m[board + cell]:
            cell -= width
        lets_win = cell >= width and m[at.READY + 1 - side] and would_complete(m, cell - width, 1 - side)
        if cell >= 0 and not lets_win:
            many = insert(m, base, scores, many, moves, 2 * cell + side, _order_score(m, cell, side))
    if many == 0:
        return 0 if side == m[at.ATTACKER] else 1
    return _try(m, depth, many)


@inlined
def _has_live_line(m: Ints, depth: int) -> bool:
    """Whether the attacker can still fill a line with the moves that are left."""
    attacker = m[at.ATTACKER]
    left = min(m[m[at.LEFT] + depth], m[at.SIZE] - m[at.PLACED])
    least = m[at.K] - (left + (m[at.SIDE] == attacker)) // 2
    own, others = m[at.COUNTS] + attacker, m[at.COUNTS] + 1 - attacker
    i = 0
    while i < 2 * m[at.LINES] and (m[others + i] or m[own + i] < least):
        i += 2
    return i < 2 * m[at.LINES]


@inlined
def _order_score(m: Ints, cell: int, side: int) -> int:
    """How much *cell* matters to lines that either side can still fill."""
    first, through, counts = m[at.FIRST], m[at.THROUGH], m[at.COUNTS]
    total = 0
    for i in range(through + m[first + cell], through + m[first + cell + 1]):
        line = m[i]
        mine = m[counts + 2 * line + side]
        theirs = m[counts + 2 * line + 1 - side]
        if theirs == 0:
            total += 1 << 2 * min(mine, 20)
        if mine == 0:
            total += 1 << min(theirs, 40)
    return total


@kernel
def _list_live(m: Ints, t: Ints, b: CoverMemory, depth: int) -> int:
    """The moves that matter where marks go anywhere and a line of one's own wins.

    Or 0, where the attacker cannot win in time.
    """
    board, gain, loss, size = m[at.BOARD], m[at.GAIN], m[at.LOSS], m[at.SIZE]
    attacks = m[at.SIDE] == m[at.ATTACKER]
    total = _weigh(m, (m[m[at.LEFT] + depth] + attacks) // 2)
    if total == 0:
        return 0
    if m[at.POTENTIAL]:
        max_nodes = 0
        if attacks:
            for cell in range(size):
                if m[board + cell] == 0 and m[gain + cell] > max_nodes:
                    max_nodes = m[gain + cell]
        if total + max_nodes < 1 << m[at.K]:
            return 0
    known = probe(m, t, depth)
    if known != RUNNING:
        return known
    if attacks and is_covered(m, b, total):
        m[m[at.LEFT] + depth] = MANY
        store(m, t, depth, 0)
        return 0
    moves, scores, many = m[at.MOVES], m[at.ORDER], 0
    base = m[at.TRIED] + depth * moves
    for cell in range(size):
        worth = m[gain + cell] + m[loss + cell]
        if m[board + cell] == 0 and (worth or m[at.NEVER_HURTS] == 0):
            many = insert(m, base, scores, many, moves, 2 * cell + m[at.SIDE], worth)
    return _try(m, depth, many)


@inlined
def _weigh(m: Ints, own_moves: int) -> int:
    """The potential of the attacker's lines that *own_moves* can fill; by cells in GAIN and LOSS; LIVE."""
    k, counts, cells, masks, words = m[at.K], m[at.COUNTS], m[at.CELLS], m[at.MASKS], m[at.WORDS]
    gain, loss, attacker = m[at.GAIN], m[at.LOSS], m[at.ATTACKER]
    own, others = m[at.LIVE] + attacker * words, m[at.LIVE] + (1 - attacker) * words
    for cell in range(m[at.SIZE]):
        m[gain + cell] = 0
        m[loss + cell] = 0
    for i in range(words):
        m[own + i] = 0
        m[others + i] = 0
    total = 0
    for line in range(m[at.LINES]):
        mine = m[counts + 2 * line + attacker]
        theirs = m[counts + 2 * line + 1 - attacker]
        if theirs == 0:
            for i in range(words):
                m[own + i] |= m[masks + line * words + i]
            if k - mine <= own_moves:
                worth = 1 << min(mine, 40)
                total += worth
                for i in range(cells + line * k, cells + line * k + k):
                    m[gain + m[i]] += worth
        if mine == 0:
            worth = 1 << min(theirs, 40)
            for i in range(words):
                m[others + i] |= m[masks + line * words + i]
            for i in range(cells + line * k, cells + line * k + k):
                m[loss + m[i]] += worth
    return total
