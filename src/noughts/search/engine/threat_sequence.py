"""Forced wins: sequences of threats that leave the other side one answer each.

In a *threat sequence*, every move of the attacker makes a line that lacks one mark, so that the defender must
fill its last cell. It ends with two such cells at once. Gomoku players call this victory by continuous fours;
see also threat-space search in Allis, van den Herik and Huntjens (1993). If an answer is a threat too, the
attacker's next move must meet it. A sequence is a proved win; a failed search proves nothing.

If the attacker would have a sequence after a pass of the defender, the defender must break it. The *zone* is
the set of cells that can do so. Any other move leaves all moves and answers of the sequence unchanged. With
gravity there is no such search: a pass may be worse than any move, and moves open new cells.
"""

from noughts.search.engine.incremental import change
from noughts.search.engine.memory import LACKS_TWO, MAX_SEQUENCE, TRIES, VALUE_MASK, EngineMemory
from noughts.search.numba_backend import insert_ranked, kernel

FAILED, FOUND, RUNNING = 0, 1, 2


@kernel
def start_sequence(m: EngineMemory, side: int) -> None:
    """Start a search for a sequence of *side*, which is to move."""
    m.threat = 0
    m.threatener = side
    m.threat_nodes = 0
    m.is_fresh = 1


@kernel
def list_threats(m: EngineMemory) -> int:
    """List the threats of the attacker, which is to move and cannot win at once.

    Return their number.
    """
    side = m.threatener
    other = 1 - side
    size = m.size
    first = side * size
    base = m.threat * TRIES
    if m.nearly[side] == 0 or m.threat >= MAX_SEQUENCE:
        return 0
    if m.winning[other] > 1:
        return 0
    if m.winning[other] == 1:
        forced = m.winning_sum[other]
        if m.pull[first + forced] < LACKS_TWO:
            return 0
        m.threats[base] = forced
        return 1
    count = 0
    for cell in range(size):
        pull = m.pull[first + cell]
        if pull >= LACKS_TWO and m.board[cell] == 0:
            score = pull // LACKS_TWO * (VALUE_MASK + 1) + (pull & VALUE_MASK)
            count = insert_ranked(m.threats, base, m.scores, count, TRIES, cell, score)
    return count


@kernel
def continue_sequence(m: EngineMemory, max_nodes: int) -> int:
    """Continue the search until *max_nodes* moves were made in total.

    Return FOUND, FAILED or RUNNING. If RUNNING, the moves of the sequence are on the board (see
    :func:`take_back`). If FOUND, *attack* and *reply* have the sequence and *zone* its zone.
    """
    side = m.threatener
    other = 1 - side
    while m.threat_nodes < max_nodes:
        i = m.threat
        if m.is_fresh == 1:
            m.is_fresh = 0
            if m.winning[side] > 0:
                m.length = i
                mark_zone(m, i)
                take_back(m)
                return FOUND
            m.triable[i] = list_threats(m)
            m.tried[i] = 0
        if m.tried[i] >= m.triable[i]:
            if i == 0:
                return FAILED
            change(m, m.reply[i - 1], other, -1)
            change(m, m.attack[i - 1], side, -1)
            m.threat = i - 1
            continue
        cell = m.threats[i * TRIES + m.tried[i]]
        m.tried[i] += 1
        change(m, cell, side, 1)
        m.threat_nodes += 1
        m.attack[i] = cell
        if m.winning[side] > 1:
            m.length = i + 1
            mark_zone(m, i + 1)
            change(m, cell, side, -1)
            take_back(m)
            return FOUND
        if m.winning[side] == 0 or m.free < 2:
            change(m, cell, side, -1)
            continue
        reply = m.winning_sum[side]
        change(m, reply, other, 1)
        m.threat_nodes += 1
        m.reply[i] = reply
        m.threat = i + 1
        m.is_fresh = 1
    return RUNNING


@kernel
def take_back(m: EngineMemory) -> None:
    """Remove the moves of a sequence from the board."""
    side = m.threatener
    while m.threat > 0:
        m.threat -= 1
        i = m.threat
        change(m, m.reply[i], 1 - side, -1)
        change(m, m.attack[i], side, -1)
    m.is_fresh = 1


@kernel
def add_to_zone(m: EngineMemory, cell: int) -> None:
    """Add *cell* to the zone."""
    if m.stamp[cell] == 0:
        m.stamp[cell] = 1
        m.zone[m.zone_count] = cell
        m.zone_count += 1


@kernel
def mark_zone(m: EngineMemory, threats: int) -> None:
    """List the cells by which the defender could break the sequence, if it moved before the sequence.

    These are the attacker's cells, the answers, the winning cells at the end, and the empty cells of
    counter-lines. A counter-line is one that the defender may complete while answering: at least k - 2 of its
    cells have the defender's marks or answers. All *threats* must be on the board.
    """
    side = m.threatener
    size = m.size
    for i in range(m.zone_count):
        m.stamp[m.zone[i]] = 0
    m.zone_count = 0
    for i in range(threats):
        add_to_zone(m, m.attack[i])
    for i in range(m.threat):
        add_to_zone(m, m.reply[i])
        m.answered[m.reply[i]] = 1
    for cell in range(size):
        if m.board[cell] == 0 and m.wins[side * size + cell] > 0:
            add_to_zone(m, cell)
            m.answered[cell] = 1
    mark_counter_lines(m, threats)
    for cell in range(size):
        m.answered[cell] = 0


@kernel
def mark_counter_lines(m: EngineMemory, threats: int) -> None:
    """Add the empty cells of the lines that the defender may complete while answering to the zone.

    A line that an attacking move stops counts too: it may be complete before that move is made.
    """
    k = m.k
    mark = 2 - m.threatener
    for line in range(m.line_count):
        count = 0
        for place in range(line * k, line * k + k):
            cell = m.cells[place]
            if m.board[cell] == mark or m.answered[cell] == 1:
                count += 1
            elif m.board[cell] != 0 and not is_attack(m, cell, threats):
                count -= k
        if count >= k - 2:
            for place in range(line * k, line * k + k):
                cell = m.cells[place]
                if m.board[cell] == 0 or is_attack(m, cell, threats):
                    add_to_zone(m, cell)


@kernel
def is_attack(m: EngineMemory, cell: int, threats: int) -> bool:
    """Return True if *cell* is one of the attacker's cells in a sequence of *threats* threats."""
    for i in range(threats):  # noqa: SIM110 - compiled
        if m.attack[i] == cell:
            return True
    return False
