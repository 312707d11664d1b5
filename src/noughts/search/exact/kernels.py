"""Does one side win within so many plies? The two-valued search, as functions that may be compiled.

The question is asked of a position and one side, the attacker; every other end is a no. Answers are kept
in a table: within how many plies a side is known to win, within how many it is known not to. What prunes:

- a line that is one mark short decides or forces the next move;
- a line that the other side has touched, or that lacks more marks than the attacker has moves, is dead;
- by Erdos and Selfridge (1973) a defender who may place anywhere stops all lines whose potential, the sum
  of 2 ** -(marks it lacks), is below 1 (below 1 after the attacker's move where the attacker is to move);
- where one more mark never hurts, marks and cells on no live line do not matter;
- where marks fall, a move just below a cell where the other side would win loses.
"""

from noughts.search.compiled import Ints, insert, kernel
from noughts.search.exact.position import (
    BOARD,
    CELLS,
    COUNTS,
    EITHER_MARK,
    FALLS,
    FIRST,
    LINE_LOSES,
    LINES,
    MARKING,
    MASKS,
    MOVES,
    NEVER_HURTS,
    OWN_MARKS,
    PLACED,
    POTENTIAL,
    READY,
    SIDE,
    SIZE,
    THROUGH,
    WIDTH,
    WORDS,
    K,
    find_completing,
    is_open,
    lift,
    place,
    would_complete,
)
from noughts.search.exact.table import (
    ATTACKER,
    BEST,
    DEPTH,
    GAIN,
    KEYS,
    LEFT,
    LIVE,
    LOSS,
    MANY_TRIED,
    NEXT,
    NODES,
    ORDER,
    RESULT,
    RETURNING,
    RUNNING,
    TRIED,
    probe,
    store,
)


@kernel
def run(m: Ints, t: Ints, max_nodes: int) -> int:
    """Go on with the question until it is answered (1, 0) or *max_nodes* nodes were made (RUNNING)."""
    following, many = m[NEXT], m[MANY_TRIED]
    while True:
        depth = m[DEPTH]
        if m[RETURNING] == 0:
            m[RESULT] = _expand(m, t, depth)
        elif m[RESULT] == (m[SIDE] == m[ATTACKER]) or m[following + depth] >= m[many + depth]:
            store(m, t, depth, m[RESULT])
            if depth == 0 and m[RESULT] == (m[SIDE] == m[ATTACKER]):
                m[BEST] = m[m[TRIED] + m[following] - 1]
        else:
            m[RESULT] = RUNNING
        if m[RESULT] != RUNNING:
            if depth == 0:
                return m[RESULT]
            _ascend(m)
        elif m[NODES] >= max_nodes:
            m[RETURNING] = 1  # and go on from here as after a move that did not decide
            m[RESULT] = 1 - (m[SIDE] == m[ATTACKER])
            return RUNNING
        else:
            _descend(m, depth)


@kernel
def _descend(m: Ints, depth: int) -> None:
    """Make the next move of *depth*; its answer, where it ends the game, or a step down."""
    move = m[m[TRIED] + depth * m[MOVES] + m[m[NEXT] + depth]]
    m[m[NEXT] + depth] += 1
    m[NODES] += 1
    side = m[SIDE]
    done = place(m, move // 2, move % 2)
    if done or m[PLACED] == m[SIZE]:
        lift(m, move // 2)
        winner = 1 - side if m[LINE_LOSES] else side
        m[RESULT] = 1 if done and winner == m[ATTACKER] else 0
        m[RETURNING] = 1
    else:
        m[SIDE] = 1 - side
        m[DEPTH] = depth + 1
        m[RETURNING] = 0
        m[m[LEFT] + depth + 1] = m[m[LEFT] + depth] - 1


@kernel
def _ascend(m: Ints) -> None:
    """Take the last move back."""
    depth = m[DEPTH] - 1
    lift(m, m[m[TRIED] + depth * m[MOVES] + m[m[NEXT] + depth] - 1] // 2)
    m[SIDE] = 1 - m[SIDE]
    m[DEPTH] = depth
    m[RETURNING] = 1


@kernel
def unwind(m: Ints) -> None:
    """Take back all moves of a search that is given up."""
    while m[DEPTH] > 0:
        _ascend(m)


@kernel
def _expand(m: Ints, t: Ints, depth: int) -> int:
    """Answer at once (1 or 0), or list the moves to try (RUNNING)."""
    attacks = m[SIDE] == m[ATTACKER]
    left = m[m[LEFT] + depth]
    if m[LINE_LOSES]:
        return _list_all(m, t, depth) if left >= 1 + attacks else 0
    if left < 2 - attacks:
        return 0
    if m[MARKING] == OWN_MARKS:
        return _expand_own(m, t, depth)
    for mark in range(2):
        cell = find_completing(m, mark, -1)
        if cell >= 0:
            if attacks == 0:
                return 0
            _list_one(m, depth, cell, mark)
            return RUNNING
    return _list_all(m, t, depth) if left >= 2 + attacks else 0


@kernel
def _expand_own(m: Ints, t: Ints, depth: int) -> int:
    """The same where a line of one's own mark wins."""
    side = m[SIDE]
    attacks = side == m[ATTACKER]
    cell = find_completing(m, side, -1)
    if cell >= 0:
        if depth == 0:
            m[BEST] = 2 * cell + side
        return 1 if attacks else 0
    if m[m[LEFT] + depth] < 2 + attacks:
        return 0
    cell = find_completing(m, 1 - side, -1)
    if cell >= 0:
        if find_completing(m, 1 - side, cell) >= 0:
            return 0 if attacks else 1
        _list_one(m, depth, cell, side)
        return RUNNING
    return _list_falling(m, t, depth) if m[FALLS] else _list_live(m, t, depth)


@kernel
def _list_one(m: Ints, depth: int, cell: int, mark: int) -> None:
    """The one move that matters; its answer is not worth keeping."""
    m[m[TRIED] + depth * m[MOVES]] = 2 * cell + mark
    m[m[MANY_TRIED] + depth] = 1
    m[m[NEXT] + depth] = 0
    m[m[KEYS] + (depth + 1) * (2 * m[WORDS] + 1) - 1] = -1


@kernel
def _list_all(m: Ints, t: Ints, depth: int) -> int:
    """Every legal move, where marks are shared or lines lose; those last that prepare lines."""
    known = probe(m, t, depth)
    if known != RUNNING:
        return known
    first, last = 0, 1
    if m[MARKING] == EITHER_MARK:
        last = 2
    elif m[MARKING] == OWN_MARKS:
        first, last = m[SIDE], m[SIDE] + 1
    base = m[TRIED] + depth * m[MOVES]
    many = 0
    for cell in range(m[SIZE]):
        if is_open(m, cell):
            for mark in range(first, last):
                many = insert(m, base, m[ORDER], many, m[MOVES], 2 * cell + mark, -_preparing(m, cell, mark))
    m[m[MANY_TRIED] + depth] = many
    m[m[NEXT] + depth] = 0
    return RUNNING


@kernel
def _preparing(m: Ints, cell: int, mark: int) -> int:
    """How much *mark* on *cell* adds to lines of this mark; most where it completes one."""
    first, through, counts = m[FIRST], m[THROUGH], m[COUNTS]
    total = 0
    for at in range(through + m[first + cell], through + m[first + cell + 1]):
        line = m[at]
        if m[counts + 2 * line + 1 - mark] == 0:
            mine = m[counts + 2 * line + mark]
            total += 1 << 4 * min(mine, 10)
            if mine == m[K] - 1:
                total += 1 << 50
    return total


@kernel
def _list_falling(m: Ints, t: Ints, depth: int) -> int:
    """The moves that do not let the other side win just above, where marks fall and a line wins."""
    if not _has_live_line(m, depth):
        return 0
    known = probe(m, t, depth)
    if known != RUNNING:
        return known
    board, width, side = m[BOARD], m[WIDTH], m[SIDE]
    base = m[TRIED] + depth * m[MOVES]
    many = 0
    for column in range(width):
        cell = m[SIZE] - width + column
        while cell >= 0 and m[board + cell]:
            cell -= width
        lets_win = cell >= width and m[READY + 1 - side] and would_complete(m, cell - width, 1 - side)
        if cell >= 0 and not lets_win:
            many = insert(m, base, m[ORDER], many, m[MOVES], 2 * cell + side, _order_score(m, cell, side))
    if many == 0:
        return 0 if side == m[ATTACKER] else 1
    m[m[MANY_TRIED] + depth] = many
    m[m[NEXT] + depth] = 0
    return RUNNING


@kernel
def _has_live_line(m: Ints, depth: int) -> bool:
    """Whether the attacker can still fill a line with the moves that are left."""
    attacker = m[ATTACKER]
    left = min(m[m[LEFT] + depth], m[SIZE] - m[PLACED])
    least = m[K] - (left + (m[SIDE] == attacker)) // 2
    own, others = m[COUNTS] + attacker, m[COUNTS] + 1 - attacker
    at = 0
    while at < 2 * m[LINES] and (m[others + at] or m[own + at] < least):
        at += 2
    return at < 2 * m[LINES]


@kernel
def _order_score(m: Ints, cell: int, side: int) -> int:
    """How much *cell* matters to lines that either side can still fill."""
    first, through, counts = m[FIRST], m[THROUGH], m[COUNTS]
    total = 0
    for at in range(through + m[first + cell], through + m[first + cell + 1]):
        line = m[at]
        mine = m[counts + 2 * line + side]
        theirs = m[counts + 2 * line + 1 - side]
        if theirs == 0:
            total += 1 << 2 * min(mine, 20)
        if mine == 0:
            total += 1 << min(theirs, 40)
    return total


@kernel
def _list_live(m: Ints, t: Ints, depth: int) -> int:
    """The moves that matter where marks go anywhere and a line of one's own wins.

    Or 0, where the attacker cannot win in time.
    """
    board, gain, loss, size = m[BOARD], m[GAIN], m[LOSS], m[SIZE]
    attacks = m[SIDE] == m[ATTACKER]
    total = _weigh(m, (m[m[LEFT] + depth] + attacks) // 2)
    if total == 0:
        return 0
    if m[POTENTIAL]:
        max_nodes = 0
        if attacks:
            for cell in range(size):
                if m[board + cell] == 0 and m[gain + cell] > max_nodes:
                    max_nodes = m[gain + cell]
        if total + max_nodes < 1 << m[K]:
            return 0
    known = probe(m, t, depth)
    if known != RUNNING:
        return known
    base = m[TRIED] + depth * m[MOVES]
    many = 0
    for cell in range(size):
        worth = m[gain + cell] + m[loss + cell]
        if m[board + cell] == 0 and (worth or m[NEVER_HURTS] == 0):
            many = insert(m, base, m[ORDER], many, m[MOVES], 2 * cell + m[SIDE], worth)
    m[m[MANY_TRIED] + depth] = many
    m[m[NEXT] + depth] = 0
    return RUNNING


@kernel
def _weigh(m: Ints, own_moves: int) -> int:
    """The potential of the attacker's lines that *own_moves* can fill; by cells in GAIN and LOSS; LIVE."""
    k, counts, cells, masks, words = m[K], m[COUNTS], m[CELLS], m[MASKS], m[WORDS]
    gain, loss, attacker = m[GAIN], m[LOSS], m[ATTACKER]
    own, others = m[LIVE] + attacker * words, m[LIVE] + (1 - attacker) * words
    for cell in range(m[SIZE]):
        m[gain + cell] = 0
        m[loss + cell] = 0
    for at in range(words):
        m[own + at] = 0
        m[others + at] = 0
    total = 0
    for line in range(m[LINES]):
        mine = m[counts + 2 * line + attacker]
        theirs = m[counts + 2 * line + 1 - attacker]
        if theirs == 0:
            for at in range(words):
                m[own + at] |= m[masks + line * words + at]
            if k - mine <= own_moves:
                worth = 1 << min(mine, 40)
                total += worth
                for at in range(cells + line * k, cells + line * k + k):
                    m[gain + m[at]] += worth
        if mine == 0:
            worth = 1 << min(theirs, 40)
            for at in range(words):
                m[others + at] |= m[masks + line * words + at]
            for at in range(cells + line * k, cells + line * k + k):
                m[loss + m[at]] += worth
    return total
