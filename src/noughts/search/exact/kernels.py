"""The two-valued search, as kernels: does one side win within a given number of plies?

The question is about a position and one side, the attacker. Any end except its win is a no. The table stores
within how many plies a side is known to win, and within how many it is known not to. The search prunes by
these facts:

- A line that is one mark short decides the position or forces the next move.
- A line is dead if the other side has touched it, or if it lacks more marks than the attacker has moves.
- A defender who may place anywhere stops all lines if the sum of their potentials is below 1 (Erdos and
  Selfridge 1973). The potential of a line is 2 ** -(marks it lacks). If the attacker is to move, the sum
  after its move counts.
- Pairs of cells may stop all lines: the defender takes one when the attacker takes the other (``covering``).
- If one more mark never hurts, marks and cells on no live line do not matter.
- With gravity, a move just below a cell that wins for the other side loses. The other side may also win
  by following in columns (``following``).
"""

from noughts.search.exact.covering import is_covered
from noughts.search.exact.following import cannot_win, loses
from noughts.search.exact.memory import EITHER_MARK, OWN_MARKS, ExactMemory
from noughts.search.exact.position import find_completing, is_open, lift, place, would_complete
from noughts.search.exact.table import NO_LIMIT, RUNNING, probe, store
from noughts.search.maker_breaker.memory import CoverMemory
from noughts.search.numba_backend import Ints, inlined, insert_ranked, kernel


@kernel
def run(m: ExactMemory, t: Ints, b: CoverMemory, max_nodes: int) -> int:
    """Continue the search until it has an answer (1, 0) or has made *max_nodes* nodes (RUNNING).

    *b* is the memory for the search for pairs. Its *size* is 0 if no pairs are sought.
    """
    following, many = m.next_move, m.move_count
    while True:
        depth = m.depth
        if m.is_returning == 0:
            m.result = _expand(m, t, b, depth)
        elif m.result == (m.side == m.attacker) or following[depth] >= many[depth]:
            store(m, t, depth, m.result)
            if depth == 0 and m.result == (m.side == m.attacker):
                m.best = m.tried[following[0] - 1]
        else:
            m.result = RUNNING
        if m.result != RUNNING:
            if depth == 0:
                return m.result
            _ascend(m)
        elif m.nodes >= max_nodes:
            m.is_returning = 1  # Continue here as after a move that did not decide.
            m.result = 1 - (m.side == m.attacker)
            return RUNNING
        else:
            _descend(m, depth)


@inlined
def _descend(m: ExactMemory, depth: int) -> None:
    """Make the next move of *depth*: store the answer if it ends the game, else go down one depth."""
    move = m.tried[depth * m.max_moves + m.next_move[depth]]
    m.next_move[depth] += 1
    m.nodes += 1
    side = m.side
    done = place(m, move // 2, move % 2)
    if done or m.placed == m.size:
        lift(m, move // 2)
        winner = 1 - side if m.line_loses else side
        m.result = 1 if done and winner == m.attacker else 0
        m.is_returning = 1
    else:
        m.side = 1 - side
        m.depth = depth + 1
        m.is_returning = 0
        m.left[depth + 1] = m.left[depth] - 1


@inlined
def _ascend(m: ExactMemory) -> None:
    """Take back the last move."""
    depth = m.depth - 1
    lift(m, m.tried[depth * m.max_moves + m.next_move[depth] - 1] // 2)
    m.side = 1 - m.side
    m.depth = depth
    m.is_returning = 1


@kernel
def unwind(m: ExactMemory) -> None:
    """Take back all moves of an abandoned search."""
    while m.depth > 0:
        _ascend(m)


@kernel
def _expand(m: ExactMemory, t: Ints, b: CoverMemory, depth: int) -> int:
    """Answer at once (1 or 0), or list the moves to try (RUNNING)."""
    attacks = m.side == m.attacker
    left = m.left[depth]
    if m.line_loses:
        return _list_all(m, t, depth) if left >= 1 + attacks else 0
    if left < 2 - attacks:
        return 0
    if m.marking == OWN_MARKS:
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
def _expand_own(m: ExactMemory, t: Ints, b: CoverMemory, depth: int) -> int:
    """Expand a position if a line of the side's own marks wins; see :func:`_expand`."""
    side = m.side
    attacks = side == m.attacker
    cell = find_completing(m, side, -1)
    if cell >= 0:
        if depth == 0:
            m.best = 2 * cell + side
        return 1 if attacks else 0
    if m.left[depth] < 2 + attacks:
        return 0
    cell = find_completing(m, 1 - side, -1)
    if cell >= 0:
        if find_completing(m, 1 - side, cell) >= 0:
            return 0 if attacks else 1
        _list_one(m, depth, cell, side)
        return RUNNING
    return _list_falling(m, t, depth) if m.falls else _list_live(m, t, b, depth)


@inlined
def _try(m: ExactMemory, depth: int, many: int) -> int:
    """Prepare the *many* moves that are listed at *depth* to be tried from the first one."""
    m.move_count[depth] = many
    m.next_move[depth] = 0
    return RUNNING


@inlined
def _list_one(m: ExactMemory, depth: int, cell: int, mark: int) -> None:
    """List the only move that matters. Its answer is not worth storing."""
    m.tried[depth * m.max_moves] = 2 * cell + mark
    _try(m, depth, 1)
    m.keys[(depth + 1) * (2 * m.words + 1) - 1] = -1


@kernel
def _list_all(m: ExactMemory, t: Ints, depth: int) -> int:
    """List every legal move if marks are shared or lines lose, moves that prepare lines last."""
    known = probe(m, t, depth)
    if known != RUNNING:
        return known
    first, last = 0, 1
    if m.marking == EITHER_MARK:
        last = 2
    elif m.marking == OWN_MARKS:
        first, last = m.side, m.side + 1
    moves, scores, many = m.max_moves, m.order, 0
    base = depth * moves
    for cell in range(m.size):
        if is_open(m, cell):
            for mark in range(first, last):
                many = insert_ranked(
                    m.tried, base, scores, many, moves, 2 * cell + mark, -_preparing(m, cell, mark)
                )
    return _try(m, depth, many)


@kernel
def _preparing(m: ExactMemory, cell: int, mark: int) -> int:
    """Score *mark* on *cell* by the lines that it extends; completing a line scores most."""
    counts = m.counts
    total = 0
    for i in range(m.first[cell], m.first[cell + 1]):
        line = m.through[i]
        if counts[2 * line + 1 - mark] == 0:
            mine = counts[2 * line + mark]
            total += 1 << 4 * min(mine, 10)
            if mine == m.k - 1:
                total += 1 << 50
    return total


@inlined
def _list_falling(m: ExactMemory, t: Ints, depth: int) -> int:
    """List the moves if marks fall and a line wins, without those that let the other side win just above."""
    if not _has_live_line(m, depth):
        return 0
    if m.follows:
        if m.side == m.attacker:
            if cannot_win(m) or loses(m):
                return 0
        elif m.left[depth] >= m.size - m.placed and loses(m):
            return 1
    known = probe(m, t, depth)
    if known != RUNNING:
        return known
    board, width, side = m.board, m.width, m.side
    moves, scores, many = m.max_moves, m.order, 0
    base = depth * moves
    for column in range(width):
        cell = m.size - width + column
        while cell >= 0 and board[cell]:
            cell -= width
        lets_win = cell >= width and m.ready[1 - side] and would_complete(m, cell - width, 1 - side)
        if cell >= 0 and not lets_win:
            many = insert_ranked(
                m.tried, base, scores, many, moves, 2 * cell + side, _order_score(m, cell, side)
            )
    if many == 0:
        return 0 if side == m.attacker else 1
    return _try(m, depth, many)


@inlined
def _has_live_line(m: ExactMemory, depth: int) -> bool:
    """Return True if the attacker can still fill a line with the moves that are left."""
    attacker = m.attacker
    left = min(m.left[depth], m.size - m.placed)
    least = m.k - (left + (m.side == attacker)) // 2
    counts = m.counts
    i = 0
    while i < 2 * m.line_count and (counts[i + 1 - attacker] or counts[i + attacker] < least):
        i += 2
    return i < 2 * m.line_count


@inlined
def _order_score(m: ExactMemory, cell: int, side: int) -> int:
    """Score *cell* by the lines through it that either side can still fill."""
    counts = m.counts
    total = 0
    for i in range(m.first[cell], m.first[cell + 1]):
        line = m.through[i]
        mine = counts[2 * line + side]
        theirs = counts[2 * line + 1 - side]
        if theirs == 0:
            total += 1 << 2 * min(mine, 20)
        if mine == 0:
            total += 1 << min(theirs, 40)
    return total


@kernel
def _list_live(m: ExactMemory, t: Ints, b: CoverMemory, depth: int) -> int:
    """List the moves that matter if marks go anywhere and a line of the side's own marks wins.

    Return 0 if the attacker cannot win in time.
    """
    board, gain, loss, size = m.board, m.gain, m.loss, m.size
    attacks = m.side == m.attacker
    total = _weigh(m, (m.left[depth] + attacks) // 2)
    if total == 0:
        return 0
    if m.potential:
        max_nodes = 0
        if attacks:
            for cell in range(size):
                if board[cell] == 0 and gain[cell] > max_nodes:
                    max_nodes = gain[cell]
        if total + max_nodes < 1 << m.k:
            return 0
    known = probe(m, t, depth)
    if known != RUNNING:
        return known
    if attacks and is_covered(m, b, total):
        m.left[depth] = NO_LIMIT
        store(m, t, depth, 0)
        return 0
    moves, scores, many = m.max_moves, m.order, 0
    base = depth * moves
    for cell in range(size):
        weight = gain[cell] + loss[cell]
        if board[cell] == 0 and (weight or m.never_hurts == 0):
            many = insert_ranked(m.tried, base, scores, many, moves, 2 * cell + m.side, weight)
    return _try(m, depth, many)


@inlined
def _weigh(m: ExactMemory, own_moves: int) -> int:
    """Return the sum of the potentials of the attacker's lines that *own_moves* moves can fill.

    Set *gain* and *loss* to the sums by cell, and *live* to the cells of live lines.
    """
    k, counts, cells, masks, words = m.k, m.counts, m.cells, m.masks, m.words
    gain, loss, attacker = m.gain, m.loss, m.attacker
    live, own, others = m.live, attacker * words, (1 - attacker) * words
    for cell in range(m.size):
        gain[cell] = 0
        loss[cell] = 0
    for i in range(words):
        live[own + i] = 0
        live[others + i] = 0
    total = 0
    for line in range(m.line_count):
        mine = counts[2 * line + attacker]
        theirs = counts[2 * line + 1 - attacker]
        if theirs == 0:
            for i in range(words):
                live[own + i] |= masks[line * words + i]
            if k - mine <= own_moves:
                weight = 1 << min(mine, 40)
                total += weight
                for i in range(line * k, line * k + k):
                    gain[cells[i]] += weight
        if mine == 0:
            weight = 1 << min(theirs, 40)
            for i in range(words):
                live[others + i] |= masks[line * words + i]
            for i in range(line * k, line * k + k):
                loss[cells[i]] += weight
    return total
