"""Sequences of threats: each move of the attacker makes a line that lacks one cell, until two lines do.

Independent threats lead to the same position in every order, so only one order is tried. A threat that makes
no new line with two empty cells is useful only together with another threat, so the next threat must be on a
line through it. Therefore a sequence may be missed if a reply is a threat too.

When a search for a sequence starts, no line of either side on the board lacks a single cell.
"""

from noughts.search.dfpn.memory import ATTACKER, DEFENDER, FRUITLESS_SIZE, NOTHING, AttackMemory
from noughts.search.dfpn.position import find_empty, find_threat, lift, put, take, take_back
from noughts.search.numba_backend import kernel


@kernel
def find_sequence(m: AttackMemory, max_tries: int, forced: int) -> bool:
    """Return True if the attacker, to move, wins by threats that are found in at most *max_tries* tries.

    The attacker starts with the cell *forced* unless it is -1. Then *attack* has the *length* moves of the
    attacker, and *reply* the replies.
    """
    m.left = max_tries
    m.length = 0
    if _list_pairs(m) == 0:
        return False
    m.forced[0] = forced
    m.lone[0] = -1
    depth = 0
    if _enter(m, 0):
        return True
    while True:
        if m.left > 0 and _advance(m, depth):
            depth += 1
            if _enter(m, depth):
                m.length = depth + 1
                while depth > 0:
                    depth -= 1
                    _take_back(m, depth)
                return True
            continue
        if m.left > 0 and m.lone[depth] < 0:
            m.fruitless[m.hash % FRUITLESS_SIZE] = m.hash
        if depth == 0:
            return False
        depth -= 1
        _take_back(m, depth)


@kernel
def _list_pairs(m: AttackMemory) -> int:
    """List the attacker's lines that lack two cells, and return their number."""
    count, two = 0, m.k - 2
    for line in range(m.line_count):
        if m.attacker_marks[line] == two and m.defender_marks[line] == 0:
            one = find_empty(m, line, -1)
            m.one[count] = one
            m.other[count] = find_empty(m, line, one)
            m.tried[count] = 0
            count += 1
    m.pairs[0] = count
    return count


@kernel
def _enter(m: AttackMemory, depth: int) -> bool:
    """Return True if a cell makes two threats at once.

    Otherwise prepare to try one threat after another.
    """
    count, forced = m.pairs[depth], m.forced[depth]
    m.turned[depth] = 4 * count
    m.length = 1
    if m.fruitless[m.hash % FRUITLESS_SIZE] == m.hash:
        m.turned[depth] = 0
        return False
    m.stamped += 1
    stamp, base = m.stamped, depth * m.line_count
    ones, others, stamps, partners = m.one, m.other, m.stamp, m.partner
    for pair in range(base, base + count):
        one, other = ones[pair], others[pair]
        for _ in range(2):
            if forced < 0 or one == forced:
                if stamps[one] != stamp:
                    stamps[one] = stamp
                    partners[one] = other
                elif partners[one] != other:
                    m.attack[depth] = one
                    m.reply[depth] = other
                    return True
            one, other = other, one
    return False


@kernel
def _advance(m: AttackMemory, depth: int) -> bool:
    """Make the next threat at *depth* and the reply to it, or return False if there is none left."""
    while m.turned[depth] > 0:
        m.turned[depth] -= 1
        turn = m.turned[depth]
        if _is_due(m, depth, turn) and _make_threat(m, depth, turn):
            return True
    return False


@kernel
def _pair_of(m: AttackMemory, depth: int, turn: int) -> int:
    """Return the pair of *turn*: all pairs are tried twice, with either cell."""
    half = 2 * m.pairs[depth]
    if turn >= half:
        turn -= half
    return depth * m.line_count + (turn >> 1)


@kernel
def _is_due(m: AttackMemory, depth: int, turn: int) -> bool:
    """Return True if the threat of *turn* is tried at *depth*.

    The threats that also make another line lack two cells come first.
    """
    pair, forced = _pair_of(m, depth, turn), m.forced[depth]
    is_first = turn >= 2 * m.pairs[depth]
    attack = m.one[pair]
    if turn & 1:
        attack = m.other[pair]
    if forced >= 0:
        return is_first and attack == forced
    if m.tried[pair] & 1 + (turn & 1) or is_first != _makes_pair(m, attack):
        return False
    lone = m.lone[depth]
    return lone < 0 or _share_line(m, lone, attack)


@kernel
def _makes_pair(m: AttackMemory, cell: int) -> bool:
    """Return True if a mark on *cell* makes a line of the attacker lack two cells."""
    for place in range(m.first[cell], m.first[cell + 1]):
        line = m.through[place]
        if m.attacker_marks[line] == m.k - 3 and m.defender_marks[line] == 0:
            return True
    return False


@kernel
def _share_line(m: AttackMemory, cell: int, other: int) -> bool:
    """Return True if a line that the attacker can still fill contains both cells."""
    for place in range(m.first[cell], m.first[cell + 1]):
        line = m.through[place]
        if m.defender_marks[line] == 0:
            for i in range(line * m.k, line * m.k + m.k):
                if m.cells[i] == other:
                    return True
    return False


@kernel
def _make_threat(m: AttackMemory, depth: int, turn: int) -> bool:
    """Make the threat of *turn* at *depth*, and the reply to it.

    Return False if the reply makes two threats.
    """
    pair = _pair_of(m, depth, turn)
    attack, reply = m.one[pair], m.other[pair]
    if turn & 1:
        attack, reply = reply, attack
    m.left -= 1
    put(m, attack, ATTACKER)
    put(m, reply, DEFENDER)
    m.attack[depth] = attack
    m.reply[depth] = reply
    danger = find_threat(m, reply, DEFENDER, -1)
    if danger < 0:
        m.tried[pair] |= 1 + (turn & 1)
    elif find_threat(m, reply, DEFENDER, danger) >= 0:
        _take_back(m, depth)
        return False
    m.forced[depth + 1] = danger
    m.lone[depth + 1] = -1 if turn >= 2 * m.pairs[depth] else attack
    _update_pairs(m, depth)
    return True


@kernel
def _update_pairs(m: AttackMemory, depth: int) -> None:
    """List the attacker's lines that lack two cells after the moves at *depth*."""
    attack, reply = m.attack[depth], m.reply[depth]
    ones, others, two, mine, theirs = m.one, m.other, m.k - 2, m.attacker_marks, m.defender_marks
    tried, base = m.tried, depth * m.line_count
    room = base + m.line_count
    for pair in range(base, base + m.pairs[depth]):
        one, other = ones[pair], others[pair]
        if one != attack and other != attack and one != reply and other != reply:
            ones[room] = one
            others[room] = other
            tried[room] = tried[pair]
            room += 1
    for place in range(m.first[attack], m.first[attack + 1]):
        line = m.through[place]
        if mine[line] == two and theirs[line] == 0:
            one = find_empty(m, line, -1)
            ones[room] = one
            others[room] = find_empty(m, line, one)
            tried[room] = 0
            room += 1
    m.pairs[depth + 1] = room - base - m.line_count


@kernel
def _take_back(m: AttackMemory, depth: int) -> None:
    """Take back the moves at *depth*."""
    lift(m, m.reply[depth])
    lift(m, m.attack[depth])


@kernel
def mark_zone(m: AttackMemory) -> None:
    """Mark the cells by which the defender, if to move first, could break the sequence that was found.

    These are the cells of the sequence, and the empty cells of lines that the defender's replies and that
    move may bring to lack one cell. A move elsewhere changes nothing. *zone* is the number of marked cells.
    """
    zone, k = m.in_zone, m.k
    for cell in range(m.size):
        zone[cell] = 0
    last = m.length - 1
    final = m.attack[last]
    zone[final] = 1
    zone[m.partner[final]] = 2
    for depth in range(last + 1):
        zone[m.attack[depth]] = 1
        zone[m.reply[depth]] = 2
    for line in range(m.line_count):
        if m.attacker_marks[line] == 0:
            first, count = line * k, m.defender_marks[line]
            for place in range(first, first + k):
                count += zone[m.cells[place]] == 2
            if count >= k - 2:
                for place in range(first, first + k):
                    cell = m.cells[place]
                    if m.board[cell] == NOTHING and zone[cell] == 0:
                        zone[cell] = 3
    m.zone = 0
    for cell in range(m.size):
        m.zone += zone[cell] != 0


@kernel
def is_refuted(m: AttackMemory, cell: int) -> bool:
    """Return True if the last sequence still wins after the defender has taken *cell*, which is empty."""
    wins = _wins_after(m, cell)
    take_back(m, 0)
    return wins


@kernel
def _wins_after(m: AttackMemory, cell: int) -> bool:
    """Do the same as :func:`is_refuted`, but leave the moves on the board."""
    take(m, cell, DEFENDER)
    last = cell
    for depth in range(m.length):
        attack = m.attack[depth]
        if m.board[attack] != NOTHING or find_threat(m, last, DEFENDER, attack) >= 0:
            return False
        take(m, attack, ATTACKER)
        last = find_threat(m, attack, ATTACKER, -1)
        if last < 0:
            return False
        if find_threat(m, attack, ATTACKER, last) >= 0:
            return depth == m.length - 1
        take(m, last, DEFENDER)
    return False
