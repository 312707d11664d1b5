"""Sequences of threats: each move of the attacker makes a line that lacks one cell, until two do.

Threats that do not need each other lead to the same position in every order: one of these orders is tried.
A threat that leaves no new line with two empty cells serves only one that comes with it: the next has to be
on a line through it. So a sequence may be missed, where the reply to one threat is a threat too.

The board of the memory has no line of either side that lacks a single cell when a sequence begins.
"""

from noughts.search.dfpn import layout as at
from noughts.search.dfpn.position import find_empty, find_threat, lift, put, take, take_back
from noughts.search.numba_backend import Ints, kernel


@kernel
def find_sequence(m: Ints, most: int, forced: int) -> bool:
    """Whether the attacker, if he is to move, is found to win by threats with at most *most* tries.

    He begins with the cell *forced* unless that is -1. His moves stand at ATTACK then, LENGTH of them, and
    what answers them at REPLY.
    """
    m[at.LEFT] = most
    m[at.LENGTH] = 0
    if _list_pairs(m) == 0:
        return False
    m[m[at.FORCED]] = forced
    m[m[at.LONE]] = -1
    depth = 0
    if _enter(m, 0):
        return True
    while True:
        if m[at.LEFT] > 0 and _advance(m, depth):
            depth += 1
            if _enter(m, depth):
                m[at.LENGTH] = depth + 1
                while depth > 0:
                    depth -= 1
                    _take_back(m, depth)
                return True
            continue
        if m[at.LEFT] > 0 and m[m[at.LONE] + depth] < 0:
            m[m[at.FRUITLESS] + m[at.HASH] % at.FRUITLESS_SIZE] = m[at.HASH]
        if depth == 0:
            return False
        depth -= 1
        _take_back(m, depth)


@kernel
def _list_pairs(m: Ints) -> int:
    """List the lines of the attacker that lack two cells; how many there are."""
    count, two = 0, m[at.K] - 2
    for line in range(m[at.LINES]):
        if m[m[at.MINE] + line] == two and m[m[at.THEIRS] + line] == 0:
            one = find_empty(m, line, -1)
            m[m[at.ONE] + count] = one
            m[m[at.OTHER] + count] = find_empty(m, line, one)
            m[m[at.TRIED] + count] = 0
            count += 1
    m[m[at.PAIRS]] = count
    return count


@kernel
def _enter(m: Ints, depth: int) -> bool:
    """Whether a cell makes two threats at once; else make ready to try one threat after another."""
    count, forced = m[m[at.PAIRS] + depth], m[m[at.FORCED] + depth]
    m[m[at.TURNED] + depth] = 4 * count
    m[at.LENGTH] = 1
    if m[m[at.FRUITLESS] + m[at.HASH] % at.FRUITLESS_SIZE] == m[at.HASH]:
        m[m[at.TURNED] + depth] = 0
        return False
    m[at.STAMPED] += 1
    stamp, base = m[at.STAMPED], depth * m[at.LINES]
    ones, others, stamps, partners = m[at.ONE], m[at.OTHER], m[at.STAMP], m[at.PARTNER]
    for pair in range(base, base + count):
        one, other = m[ones + pair], m[others + pair]
        for _ in range(2):
            if forced < 0 or one == forced:
                if m[stamps + one] != stamp:
                    m[stamps + one] = stamp
                    m[partners + one] = other
                elif m[partners + one] != other:
                    m[m[at.ATTACK] + depth] = one
                    m[m[at.REPLY] + depth] = other
                    return True
            one, other = other, one
    return False


@kernel
def _advance(m: Ints, depth: int) -> bool:
    """Make the next threat at *depth*, and the reply to it; False where there is none left."""
    turned = m[at.TURNED] + depth
    while m[turned] > 0:
        m[turned] -= 1
        if _is_due(m, depth, m[turned]) and _make(m, depth, m[turned]):
            return True
    return False


@kernel
def _pair_of(m: Ints, depth: int, turn: int) -> int:
    """The pair of *turn*: all are gone through twice, with either cell."""
    half = 2 * m[m[at.PAIRS] + depth]
    if turn >= half:
        turn -= half
    return depth * m[at.LINES] + (turn >> 1)


@kernel
def _is_due(m: Ints, depth: int, turn: int) -> bool:
    """Whether the threat of *turn* is tried at *depth*: first those that make a line lack two cells."""
    pair, forced = _pair_of(m, depth, turn), m[m[at.FORCED] + depth]
    is_first = turn >= 2 * m[m[at.PAIRS] + depth]
    attack = m[m[at.ONE] + pair]
    if turn & 1:
        attack = m[m[at.OTHER] + pair]
    if forced >= 0:
        return is_first and attack == forced
    if m[m[at.TRIED] + pair] & 1 + (turn & 1) or is_first != _makes_pair(m, attack):
        return False
    lone = m[m[at.LONE] + depth]
    return lone < 0 or _share_line(m, lone, attack)


@kernel
def _makes_pair(m: Ints, cell: int) -> bool:
    """Whether a mark on *cell* makes a line of the attacker lack two cells."""
    mine, theirs, three, lines, first = (
        m[at.MINE],
        m[at.THEIRS],
        m[at.K] - 3,
        m[at.THROUGH],
        m[at.FIRST] + cell,
    )
    for place in range(lines + m[first], lines + m[first + 1]):
        line = m[place]
        if m[mine + line] == three and m[theirs + line] == 0:
            return True
    return False


@kernel
def _share_line(m: Ints, cell: int, other: int) -> bool:
    """Whether a line that the attacker can still fill goes through both cells."""
    theirs, cells, k, lines, first = m[at.THEIRS], m[at.CELLS], m[at.K], m[at.THROUGH], m[at.FIRST] + cell
    for place in range(lines + m[first], lines + m[first + 1]):
        line = m[place]
        if m[theirs + line] == 0:
            for i in range(cells + line * k, cells + line * k + k):
                if m[i] == other:
                    return True
    return False


@kernel
def _make(m: Ints, depth: int, turn: int) -> bool:
    """Make the threat of *turn* at *depth*, and the reply to it; False where that makes two threats."""
    pair = _pair_of(m, depth, turn)
    attack, reply = m[m[at.ONE] + pair], m[m[at.OTHER] + pair]
    if turn & 1:
        attack, reply = reply, attack
    m[at.LEFT] -= 1
    put(m, attack, at.ATTACKER)
    put(m, reply, at.DEFENDER)
    m[m[at.ATTACK] + depth] = attack
    m[m[at.REPLY] + depth] = reply
    danger = find_threat(m, reply, at.DEFENDER, -1)
    if danger < 0:
        m[m[at.TRIED] + pair] |= 1 + (turn & 1)
    elif find_threat(m, reply, at.DEFENDER, danger) >= 0:
        _take_back(m, depth)
        return False
    m[m[at.FORCED] + depth + 1] = danger
    m[m[at.LONE] + depth + 1] = -1 if turn >= 2 * m[m[at.PAIRS] + depth] else attack
    _carry_pairs(m, depth)
    return True


@kernel
def _carry_pairs(m: Ints, depth: int) -> None:
    """List the lines of the attacker that lack two cells after the moves at *depth*."""
    attack, reply = m[m[at.ATTACK] + depth], m[m[at.REPLY] + depth]
    ones, others, two, mine, theirs = m[at.ONE], m[at.OTHER], m[at.K] - 2, m[at.MINE], m[at.THEIRS]
    lines, first, tried = m[at.THROUGH], m[at.FIRST] + attack, m[at.TRIED]
    base = depth * m[at.LINES]
    room = base + m[at.LINES]
    for pair in range(base, base + m[m[at.PAIRS] + depth]):
        one, other = m[ones + pair], m[others + pair]
        if one != attack and other != attack and one != reply and other != reply:
            m[ones + room] = one
            m[others + room] = other
            m[tried + room] = m[tried + pair]
            room += 1
    for place in range(lines + m[first], lines + m[first + 1]):
        line = m[place]
        if m[mine + line] == two and m[theirs + line] == 0:
            one = find_empty(m, line, -1)
            m[ones + room] = one
            m[others + room] = find_empty(m, line, one)
            m[tried + room] = 0
            room += 1
    m[m[at.PAIRS] + depth + 1] = room - base - m[at.LINES]


@kernel
def _take_back(m: Ints, depth: int) -> None:
    """Take the moves at *depth* off the board."""
    lift(m, m[m[at.REPLY] + depth])
    lift(m, m[m[at.ATTACK] + depth])


@kernel
def mark_zone(m: Ints) -> None:
    """Mark the cells by which the defender could break the sequence that was found, if he had a move first.

    Its own cells, and the empty cells of each line that he may bring to lack one cell by his replies and that
    move: elsewhere all stays as it was. ZONE is how many there are.
    """
    zone, k = m[at.IN_ZONE], m[at.K]
    for cell in range(m[at.SIZE]):
        m[zone + cell] = 0
    last = m[at.LENGTH] - 1
    final = m[m[at.ATTACK] + last]
    m[zone + final] = 1
    m[zone + m[m[at.PARTNER] + final]] = 2
    for depth in range(last + 1):
        m[zone + m[m[at.ATTACK] + depth]] = 1
        m[zone + m[m[at.REPLY] + depth]] = 2
    for line in range(m[at.LINES]):
        if m[m[at.MINE] + line] == 0:
            first, count = m[at.CELLS] + line * k, m[m[at.THEIRS] + line]
            for place in range(first, first + k):
                count += m[zone + m[place]] == 2
            if count >= k - 2:
                for place in range(first, first + k):
                    cell = m[place]
                    if m[m[at.CELL] + cell] == at.NOTHING and m[zone + cell] == 0:
                        m[zone + cell] = 3
    m[at.ZONE] = 0
    for cell in range(m[at.SIZE]):
        m[at.ZONE] += m[zone + cell] != 0


@kernel
def is_refuted(m: Ints, cell: int) -> bool:
    """Whether the sequence that was found last wins after the defender has taken *cell*, which is empty."""
    found = _wins_after(m, cell)
    take_back(m, 0)
    return found


@kernel
def _wins_after(m: Ints, cell: int) -> bool:
    """The same, with all that is played left on the board."""
    take(m, cell, at.DEFENDER)
    last, end = cell, m[at.ATTACK] + m[at.LENGTH]
    for place in range(m[at.ATTACK], end):
        attack = m[place]
        if m[m[at.CELL] + attack] != at.NOTHING or find_threat(m, last, at.DEFENDER, attack) >= 0:
            return False
        take(m, attack, at.ATTACKER)
        last = find_threat(m, attack, at.ATTACKER, -1)
        if last < 0:
            return False
        if find_threat(m, attack, at.ATTACKER, last) >= 0:
            return place == end - 1
        take(m, last, at.DEFENDER)
    return False
