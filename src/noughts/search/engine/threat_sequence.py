"""Forced wins: sequences of threats that leave the other side one answer each.

A *threat sequence* is one in which every move of the attacker makes a line that lacks one mark, so that the
defender must fill its last cell; it ends with two such cells at once (what gomoku players call victory by
continuous fours; threat-space search in Allis, van den Herik and Huntjens 1993). Answers that threaten
themselves must be met by the attacker's next move. A sequence that is found is a win; that none is found
proves nothing.

If the attacker had one after a pass of the defender, the defender must break that sequence: the cells
that can do it are its *zone*. Any other move leaves every move and every answer as it was.
Boards on which marks fall are not searched so: there a pass may be worse than any move, and cells open.
"""

from noughts.search.engine import arrays as at
from noughts.search.engine.incremental import LACKS_TWO, VALUE_MASK, change
from noughts.search.numba_backend import Ints, insert, kernel

FAILED, FOUND, RUNNING = 0, 1, 2


@kernel
def start_sequence(m: Ints, side: int) -> None:
    """Make ready to look for a sequence of *side*, which is to move."""
    m[at.AT] = 0
    m[at.SIDE] = side
    m[at.NODES] = 0
    m[at.FRESH] = 1


@kernel
def list_threats(m: Ints) -> int:
    """List the threats of the attacker, who is to move and cannot win at once; how many there are."""
    side = m[at.SIDE]
    other = 1 - side
    size = m[at.SIZE]
    pulls = at.PULL + side * size
    base = m[at.AT] * at.TRIES
    if m[at.NEARLY + side] == 0 or m[at.AT] >= at.MAX_SEQUENCE:
        return 0
    if m[at.WINNING + other] > 1:
        return 0
    if m[at.WINNING + other] == 1:
        forced = m[at.WINNING_SUM + other]
        if m[pulls + forced] < LACKS_TWO:
            return 0
        m[at.THREATS + base] = forced
        return 1
    count = 0
    for cell in range(size):
        pull = m[pulls + cell]
        if pull >= LACKS_TWO and m[at.BOARD + cell] == 0:
            score = pull // LACKS_TWO * (VALUE_MASK + 1) + (pull & VALUE_MASK)
            count = insert(m, at.THREATS + base, at.THREAT_SCORES + base, count, at.TRIES, cell, score)
    return count


@kernel
def go_on(m: Ints, max_nodes: int) -> int:
    """Go on with a sequence until *max_nodes* moves were made in all: FOUND, FAILED, or RUNNING.

    While it is RUNNING its moves stand on the board; see :func:`take_back`. What is FOUND stands in
    ``ATTACK`` and ``REPLY``, its zone in ``ZONE``.
    """
    side = m[at.SIDE]
    other = 1 - side
    while m[at.NODES] < max_nodes:
        i = m[at.AT]
        if m[at.FRESH] == 1:
            m[at.FRESH] = 0
            if m[at.WINNING + side] > 0:
                m[at.LENGTH] = i
                mark_zone(m, i)
                take_back(m)
                return FOUND
            m[at.TRIABLE + i] = list_threats(m)
            m[at.TRIED + i] = 0
        if m[at.TRIED + i] >= m[at.TRIABLE + i]:
            if i == 0:
                return FAILED
            change(m, m[at.REPLY + i - 1], other, -1)
            change(m, m[at.ATTACK + i - 1], side, -1)
            m[at.AT] = i - 1
            continue
        cell = m[at.THREATS + i * at.TRIES + m[at.TRIED + i]]
        m[at.TRIED + i] += 1
        change(m, cell, side, 1)
        m[at.NODES] += 1
        m[at.ATTACK + i] = cell
        if m[at.WINNING + side] > 1:
            m[at.LENGTH] = i + 1
            mark_zone(m, i + 1)
            change(m, cell, side, -1)
            take_back(m)
            return FOUND
        if m[at.WINNING + side] == 0 or m[at.FREE] < 2:
            change(m, cell, side, -1)
            continue
        reply = m[at.WINNING_SUM + side]
        change(m, reply, other, 1)
        m[at.NODES] += 1
        m[at.REPLY + i] = reply
        m[at.AT] = i + 1
        m[at.FRESH] = 1
    return RUNNING


@kernel
def take_back(m: Ints) -> None:
    """Take the moves of a sequence off the board."""
    side = m[at.SIDE]
    while m[at.AT] > 0:
        m[at.AT] -= 1
        i = m[at.AT]
        change(m, m[at.REPLY + i], 1 - side, -1)
        change(m, m[at.ATTACK + i], side, -1)
    m[at.FRESH] = 1


@kernel
def add_to_zone(m: Ints, cell: int) -> None:
    """One more cell of the zone."""
    if m[at.STAMP + cell] == 0:
        m[at.STAMP + cell] = 1
        m[at.ZONE + m[at.ZONE_COUNT]] = cell
        m[at.ZONE_COUNT] += 1


@kernel
def mark_zone(m: Ints, threats: int) -> None:
    """List the cells by which the defender, if to move before the sequence, could break it.

    These are the attacker's cells and the answers, where the attacker wins in the end, and the empty
    cells of each line that the defender may complete while answering: the defender's marks and answers
    in it are k - 2 or more. Called while all *threats* stand on the board.
    """
    side = m[at.SIDE]
    size = m[at.SIZE]
    for i in range(m[at.ZONE_COUNT]):
        m[at.STAMP + m[at.ZONE + i]] = 0
    m[at.ZONE_COUNT] = 0
    for i in range(threats):
        add_to_zone(m, m[at.ATTACK + i])
    for i in range(m[at.AT]):
        add_to_zone(m, m[at.REPLY + i])
        m[at.ANSWERED + m[at.REPLY + i]] = 1
    for cell in range(size):
        if m[at.BOARD + cell] == 0 and m[at.WINS + side * size + cell] > 0:
            add_to_zone(m, cell)
            m[at.ANSWERED + cell] = 1
    mark_counter_lines(m, threats)
    for cell in range(size):
        m[at.ANSWERED + cell] = 0


@kernel
def mark_counter_lines(m: Ints, threats: int) -> None:
    """Add to the zone the cells of the lines that the defender may complete while answering.

    A line that an attacking move stops counts too: it may be complete before that move is made.
    """
    k = m[at.K]
    mark = 2 - m[at.SIDE]
    for line in range(m[at.LINES]):
        count = 0
        for place in range(line * k, line * k + k):
            cell = m[m[at.CELLS] + place]
            if m[at.BOARD + cell] == mark or m[at.ANSWERED + cell] == 1:
                count += 1
            elif m[at.BOARD + cell] != 0 and not is_attack(m, cell, threats):
                count -= k
        if count >= k - 2:
            for place in range(line * k, line * k + k):
                cell = m[m[at.CELLS] + place]
                if m[at.BOARD + cell] == 0 or is_attack(m, cell, threats):
                    add_to_zone(m, cell)


@kernel
def is_attack(m: Ints, cell: int, threats: int) -> bool:
    """Whether *cell* is one of the attacker's in the sequence of *threats*."""
    for i in range(threats):  # noqa: SIM110 - compiled
        if m[at.ATTACK + i] == cell:
            return True
    return False
