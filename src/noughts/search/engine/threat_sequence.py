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

from noughts.search.compiled import Ints, insert, kernel
from noughts.search.engine.arrays import (
    ANSWERED,
    AT,
    ATTACK,
    BOARD,
    CELLS,
    FREE,
    FRESH,
    LENGTH,
    LINES,
    MAX_SEQUENCE,
    NEARLY,
    NODES,
    PULL,
    REPLY,
    SIDE,
    SIZE,
    STAMP,
    THREAT_SCORES,
    THREATS,
    TRIABLE,
    TRIED,
    TRIES,
    WINNING,
    WINNING_SUM,
    WINS,
    ZONE,
    ZONE_COUNT,
    K,
)
from noughts.search.engine.incremental import LACKS_TWO, VALUE_MASK, change

FAILED, FOUND, RUNNING = 0, 1, 2


@kernel
def start_sequence(m: Ints, side: int) -> None:
    """Make ready to look for a sequence of *side*, which is to move."""
    m[AT] = 0
    m[SIDE] = side
    m[NODES] = 0
    m[FRESH] = 1


@kernel
def list_threats(m: Ints) -> int:
    """List the threats of the attacker, who is to move and cannot win at once; how many there are."""
    side = m[SIDE]
    other = 1 - side
    size = m[SIZE]
    pulls = PULL + side * size
    base = m[AT] * TRIES
    if m[NEARLY + side] == 0 or m[AT] >= MAX_SEQUENCE:
        return 0
    if m[WINNING + other] > 1:
        return 0
    if m[WINNING + other] == 1:
        forced = m[WINNING_SUM + other]
        if m[pulls + forced] < LACKS_TWO:
            return 0
        m[THREATS + base] = forced
        return 1
    count = 0
    for cell in range(size):
        pull = m[pulls + cell]
        if pull >= LACKS_TWO and m[BOARD + cell] == 0:
            score = pull // LACKS_TWO * (VALUE_MASK + 1) + (pull & VALUE_MASK)
            count = insert(m, THREATS + base, THREAT_SCORES + base, count, TRIES, cell, score)
    return count


@kernel
def go_on(m: Ints, max_nodes: int) -> int:
    """Go on with a sequence until *max_nodes* moves were made in all: FOUND, FAILED, or RUNNING.

    While it is RUNNING its moves stand on the board; see :func:`take_back`. What is FOUND stands in
    ``ATTACK`` and ``REPLY``, its zone in ``ZONE``.
    """
    side = m[SIDE]
    other = 1 - side
    while m[NODES] < max_nodes:
        at = m[AT]
        if m[FRESH] == 1:
            m[FRESH] = 0
            if m[WINNING + side] > 0:
                m[LENGTH] = at
                mark_zone(m, at)
                take_back(m)
                return FOUND
            m[TRIABLE + at] = list_threats(m)
            m[TRIED + at] = 0
        if m[TRIED + at] >= m[TRIABLE + at]:
            if at == 0:
                return FAILED
            change(m, m[REPLY + at - 1], other, -1)
            change(m, m[ATTACK + at - 1], side, -1)
            m[AT] = at - 1
            continue
        cell = m[THREATS + at * TRIES + m[TRIED + at]]
        m[TRIED + at] += 1
        change(m, cell, side, 1)
        m[NODES] += 1
        m[ATTACK + at] = cell
        if m[WINNING + side] > 1:
            m[LENGTH] = at + 1
            mark_zone(m, at + 1)
            change(m, cell, side, -1)
            take_back(m)
            return FOUND
        if m[WINNING + side] == 0 or m[FREE] < 2:
            change(m, cell, side, -1)
            continue
        reply = m[WINNING_SUM + side]
        change(m, reply, other, 1)
        m[NODES] += 1
        m[REPLY + at] = reply
        m[AT] = at + 1
        m[FRESH] = 1
    return RUNNING


@kernel
def take_back(m: Ints) -> None:
    """Take the moves of a sequence off the board."""
    side = m[SIDE]
    while m[AT] > 0:
        m[AT] -= 1
        at = m[AT]
        change(m, m[REPLY + at], 1 - side, -1)
        change(m, m[ATTACK + at], side, -1)
    m[FRESH] = 1


@kernel
def add_to_zone(m: Ints, cell: int) -> None:
    """One more cell of the zone."""
    if m[STAMP + cell] == 0:
        m[STAMP + cell] = 1
        m[ZONE + m[ZONE_COUNT]] = cell
        m[ZONE_COUNT] += 1


@kernel
def mark_zone(m: Ints, threats: int) -> None:
    """List the cells by which the defender, if to move before the sequence, could break it.

    These are the attacker's cells and the answers, where the attacker wins in the end, and the empty
    cells of each line that the defender may complete while answering: the defender's marks and answers
    in it are k - 2 or more. Called while all *threats* stand on the board.
    """
    side = m[SIDE]
    size = m[SIZE]
    for at in range(m[ZONE_COUNT]):
        m[STAMP + m[ZONE + at]] = 0
    m[ZONE_COUNT] = 0
    for at in range(threats):
        add_to_zone(m, m[ATTACK + at])
    for at in range(m[AT]):
        add_to_zone(m, m[REPLY + at])
        m[ANSWERED + m[REPLY + at]] = 1
    for cell in range(size):
        if m[BOARD + cell] == 0 and m[WINS + side * size + cell] > 0:
            add_to_zone(m, cell)
            m[ANSWERED + cell] = 1
    mark_counter_lines(m, threats)
    for cell in range(size):
        m[ANSWERED + cell] = 0


@kernel
def mark_counter_lines(m: Ints, threats: int) -> None:
    """Add to the zone the cells of the lines that the defender may complete while answering.

    A line that an attacking move stops counts too: it may be complete before that move is made.
    """
    k = m[K]
    mark = 2 - m[SIDE]
    for line in range(m[LINES]):
        count = 0
        for place in range(line * k, line * k + k):
            cell = m[m[CELLS] + place]
            if m[BOARD + cell] == mark or m[ANSWERED + cell] == 1:
                count += 1
            elif m[BOARD + cell] != 0 and not is_attack(m, cell, threats):
                count -= k
        if count >= k - 2:
            for place in range(line * k, line * k + k):
                cell = m[m[CELLS] + place]
                if m[BOARD + cell] == 0 or is_attack(m, cell, threats):
                    add_to_zone(m, cell)


@kernel
def is_attack(m: Ints, cell: int, threats: int) -> bool:
    """Whether *cell* is one of the attacker's in the sequence of *threats*."""
    for at in range(threats):  # noqa: SIM110 - compiled
        if m[ATTACK + at] == cell:
            return True
    return False
