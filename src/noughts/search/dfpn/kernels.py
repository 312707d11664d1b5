"""Does the attacker win? The search, as functions that may be compiled.

Depth first, led by proof numbers: how many positions have to be won at least to prove a win, and refuted to
refute it (Allis 1994; depth first by Nagai 2002). What decides a position without looking further:

- a sequence of threats wins;
- where the attacker would have one, the defender has to break it, and only the cells of its zone can;
- the potentials of all lines (Erdos and Selfridge 1973) are too small.

Forced moves are made at once: where the search looks at a position, no line lacks a single cell. Of quiet
moves the attacker tries the likeliest WIDTH alone: a win is a win, but that the attack fails says nothing.
"""

from noughts.search.dfpn import layout as at
from noughts.search.dfpn.position import load, play, take_back, weigh
from noughts.search.dfpn.sequence import find_sequence, mark_zone
from noughts.search.dfpn.table import note_images, note_key, probe, store, take_image
from noughts.search.numba_backend import Ints, insert, kernel

TRIES = 1000
"""Threats that are tried for a sequence."""

PASS_TRIES = 4000
"""The same where it tells which moves of the defender are of use."""

NO_ATTACK = 10
"""Added to the proof number of a position in which the defender may move anywhere."""

ALIKE = 16
"""So many ranks have moves that look alike: chance, which the seed decides, orders them."""


@kernel
def start(m: Ints, t: Ints) -> int:
    """Ask about the position of the board, in which MOVER has no forced move; it becomes its canonical IMAGE.

    WON or REFUTED if that is known at once, else RUNNING.
    """
    m[at.MADE] = 0
    image = take_known_image(m, t)
    note_images(m)
    _evaluate(m, t)
    m[at.IMAGE] = image
    if m[at.PROOF] == 0:
        return at.WON
    if m[at.DISPROOF] == 0:
        return at.REFUTED
    m[at.DEPTH] = 0
    m[m[at.MAX_PROOF]] = at.INFINITE
    m[m[at.MAX_DISPROOF]] = at.INFINITE
    _begin(m, 0)
    return at.RUNNING


@kernel
def take_known_image(m: Ints, t: Ints) -> int:
    """Make the position of the board the image of it that is searched; which one that is."""
    image = 0
    if m[at.MARKS] > m[at.FEW]:
        image = _take_won_image(m, t)
    weigh(m)
    note_images(m)
    note_key(m)
    if m[at.MARKS] <= m[at.FEW]:
        take_image(m)
        image = m[at.IMAGE]
    return image


@kernel
def _take_won_image(m: Ints, t: Ints) -> int:
    """Make the position, which has many marks, an image of it that is known to be won; which one that is.

    What has few marks was searched in its canonical image, and all that followed in that frame. Where none is
    known the position stays as it is, image 0.
    """
    size, here = m[at.SIZE], m[at.POSITION]
    for cell in range(size):
        m[here + cell] = m[m[at.CELL] + cell]
    for image in range(m[at.IMAGES]):
        map_ = m[at.IMAGE_OF] + image * size
        for cell in range(size):
            m[m[at.IMAGED] + m[map_ + cell]] = m[here + cell]
        load(m, m[at.IMAGED])
        weigh(m)
        note_key(m)
        if probe(m, t, m[at.SIGN], m[at.SEAL]) and m[at.PROOF] == 0:
            return image
    load(m, here)
    return 0


@kernel
def _begin(m: Ints, depth: int) -> None:
    """Make the position of the board, whose key is noted, the one at *depth*."""
    position = m[at.POSITION] + depth * m[at.SIZE]
    for cell in range(m[at.SIZE]):
        m[position + cell] = m[m[at.CELL] + cell]
    m[m[at.TURN] + depth] = m[at.MOVER]
    m[m[at.SIGN_AT] + depth] = m[at.SIGN]
    m[m[at.SEAL_AT] + depth] = m[at.SEAL]
    m[m[at.WORK] + depth] = m[at.NODES]
    m[at.PHASE] = at.ENTERING


@kernel
def run(m: Ints, t: Ints, max_nodes: int) -> int:
    """Go on until it is WON or REFUTED, or *max_nodes* nodes were made (RUNNING)."""
    while True:
        depth = m[at.DEPTH]
        if m[at.PHASE] == at.ENTERING:
            _enter(m, depth)
        if m[at.PHASE] == at.LISTING:
            result = _list(m, t, depth, max_nodes)
            if m[at.PHASE] == at.LISTING:
                return at.RUNNING
        else:
            _refresh(m, t, depth)
            result = at.RUNNING
        if result == at.RUNNING:
            result = _choose(m, depth)
        if result == at.RUNNING and m[at.PHASE] == at.ENTERING:
            continue
        if result == at.WON:
            m[at.PROOF] = 0
            m[at.DISPROOF] = at.INFINITE
        elif result == at.REFUTED:
            m[at.PROOF] = at.INFINITE
            m[at.DISPROOF] = 0
        work = m[at.NODES] - m[m[at.WORK] + depth]
        store(m, t, m[m[at.SIGN_AT] + depth], m[m[at.SEAL_AT] + depth], work)
        if depth == 0:
            return result
        m[at.DEPTH] = depth - 1
        m[at.PHASE] = at.CHOOSING


@kernel
def _enter(m: Ints, depth: int) -> None:
    """List the moves at *depth*, the likeliest first."""
    size, turn = m[at.SIZE], m[m[at.TURN] + depth]
    moves, own, theirs = m[at.MOVE] + depth * size, m[at.OWN_LOAD], m[at.THEIR_LOAD]
    m[at.PHASE] = at.LISTING
    m[m[at.NEXT] + depth] = 0
    m[m[at.MANY] + depth] = 0
    load(m, m[at.POSITION] + depth * size)
    weigh(m)
    has_zone = turn == at.DEFENDER and find_sequence(m, PASS_TRIES, -1)
    if has_zone:
        mark_zone(m)
    count = 0
    for cell in range(size):
        if m[m[at.CELL] + cell] == at.NOTHING and m[m[at.USEFUL] + cell]:
            if has_zone and m[m[at.IN_ZONE] + cell] == 0:
                continue
            if turn == at.ATTACKER and _threatens(m, cell):
                continue
            if _is_dominated(m, cell):
                continue
            rank = (2 * m[own + cell] + m[theirs + cell]) * ALIKE
            rank += ((m[at.HASH] ^ m[m[at.HASHES] + cell]) >> m[at.SEED]) % ALIKE
            count = insert(m, moves, m[at.RANKS], count, size, cell, rank)
    if turn == at.ATTACKER:
        count = min(count, m[at.WIDTH])
    m[m[at.LISTED] + depth] = count


@kernel
def _threatens(m: Ints, cell: int) -> bool:
    """Whether the attacker makes a threat by *cell*: sequences of them were looked for already."""
    for place in range(m[m[at.FIRST] + cell], m[m[at.FIRST] + cell + 1]):
        line = m[m[at.THROUGH] + place]
        if m[m[at.MINE] + line] == m[at.K] - 2 and m[m[at.THEIRS] + line] == 0:
            return True
    return False


@kernel
def _is_dominated(m: Ints, cell: int) -> bool:
    """Whether some other cell is at least as good for either side: each live line of *cell* goes through it.

    Of cells that are as good as each other the one with the least number is not dominated.
    """
    k, cells, mine, theirs, board = m[at.K], m[at.CELLS], m[at.MINE], m[at.THEIRS], m[at.CELL]
    lines, first = m[at.THROUGH], m[at.FIRST] + cell
    count, some = 0, -1
    for place in range(lines + m[first], lines + m[first + 1]):
        line = m[place]
        if m[mine + line] == 0 or m[theirs + line] == 0:
            count += 1
            some = line
    for i in range(cells + some * k, cells + some * k + k):
        other = m[i]
        if other != cell and m[board + other] == at.NOTHING:
            shared, live = 0, 0
            first = m[at.FIRST] + other
            for place in range(lines + m[first], lines + m[first + 1]):
                line = m[place]
                if m[mine + line] == 0 or m[theirs + line] == 0:
                    live += 1
                    for j in range(cells + line * k, cells + line * k + k):
                        shared += m[j] == cell
            if shared == count and (live > count or other < cell):
                return True
    return False


@kernel
def _list(m: Ints, t: Ints, depth: int, max_nodes: int) -> int:
    """Look at each move that is listed at *depth*, and keep those that do not end the game.

    WON or REFUTED where that decides it. The phase stays LISTING if it takes more than *max_nodes* nodes.
    """
    turn, base = m[m[at.TURN] + depth], depth * m[at.SIZE]
    moves, position = m[at.MOVE] + base, m[at.POSITION] + base
    wanted = at.WON if turn == at.ATTACKER else at.REFUTED
    load(m, position)
    note_images(m)
    while m[m[at.NEXT] + depth] < m[m[at.LISTED] + depth]:
        if m[at.NODES] >= max_nodes:
            return at.RUNNING
        m[at.NODES] += 1
        move = m[moves + m[m[at.NEXT] + depth]]
        m[m[at.NEXT] + depth] += 1
        m[at.IMAGE] = 0
        result = play(m, move, turn)
        if result == at.RUNNING:
            _evaluate(m, t)
            if m[at.PROOF] == 0:
                result = at.WON
            elif m[at.DISPROOF] == 0:
                result = at.REFUTED
        if result == wanted:
            m[at.PHASE] = at.CHOOSING
            m[at.BEST] = move
            return wanted
        if result == at.RUNNING:
            _keep(m, depth, move)
        if m[at.IMAGE]:
            load(m, position)
        else:
            take_back(m, 0)
    m[at.PHASE] = at.CHOOSING
    return at.RUNNING


@kernel
def _keep(m: Ints, depth: int, move: int) -> None:
    """Keep *move* with the key and the proof numbers of the position after it, if there is none like it."""
    base = depth * m[at.SIZE]
    signs, seals, count = m[at.MOVE_SIGN] + base, m[at.MOVE_SEAL] + base, m[m[at.MANY] + depth]
    for place in range(count):
        if m[signs + place] == m[at.SIGN] and m[seals + place] == m[at.SEAL]:
            return
    m[m[at.MOVE] + base + count] = move
    m[signs + count] = m[at.SIGN]
    m[seals + count] = m[at.SEAL]
    m[m[at.MOVE_PROOF] + base + count] = m[at.PROOF]
    m[m[at.MOVE_DISPROOF] + base + count] = m[at.DISPROOF]
    m[m[at.MANY] + depth] += 1


@kernel
def _refresh(m: Ints, t: Ints, depth: int) -> None:
    """Ask the table what was found of the moves at *depth*."""
    base = depth * m[at.SIZE]
    for place in range(base, base + m[m[at.MANY] + depth]):
        if probe(m, t, m[m[at.MOVE_SIGN] + place], m[m[at.MOVE_SEAL] + place]):
            m[m[at.MOVE_PROOF] + place] = m[at.PROOF]
            m[m[at.MOVE_DISPROOF] + place] = m[at.DISPROOF]


@kernel
def _choose(m: Ints, depth: int) -> int:
    """Go on with a move at *depth* (ENTERING), or tell the proof numbers there."""
    base, turn = depth * m[at.SIZE], m[m[at.TURN] + depth]
    least, sums = m[at.MOVE_PROOF] + base, m[at.MOVE_DISPROOF] + base
    max_least, max_sum = m[m[at.MAX_PROOF] + depth], m[m[at.MAX_DISPROOF] + depth]
    if turn == at.DEFENDER:
        least, sums = sums, least
        max_least, max_sum = max_sum, max_least
    best, first, second, total = -1, at.INFINITE, at.INFINITE, 0
    for place in range(m[m[at.MANY] + depth]):
        number = m[least + place]
        if m[sums + place] == 0:  # the move fails
            continue
        total += m[sums + place]
        if number < first or best < 0:
            second, first, best = first, number, place
        elif number < second:
            second = number
    if best < 0:
        m[at.BEST] = -1
        return at.REFUTED if turn == at.ATTACKER else at.WON
    m[at.BEST] = m[m[at.MOVE] + base + best]
    if first == 0:
        return at.WON if turn == at.ATTACKER else at.REFUTED
    total = min(total, at.INFINITE - 1)
    m[at.PROOF], m[at.DISPROOF] = first, total
    if turn == at.DEFENDER:
        m[at.PROOF], m[at.DISPROOF] = total, first
    if first >= max_least or total >= max_sum:
        return at.RUNNING
    max_least = min(max_least, second + 1 + second // 4)
    max_sum = min(max_sum - total + m[sums + best], at.INFINITE - 1)
    m[m[at.MAX_PROOF] + depth + 1] = max_least if turn == at.ATTACKER else max_sum
    m[m[at.MAX_DISPROOF] + depth + 1] = max_sum if turn == at.ATTACKER else max_least
    load(m, m[at.POSITION] + base)
    note_images(m)
    play(m, m[at.BEST], turn)
    weigh(m)
    note_key(m)
    take_image(m)
    _begin(m, depth + 1)
    m[at.DEPTH] = depth + 1
    return at.RUNNING


@kernel
def _evaluate(m: Ints, t: Ints) -> None:
    """Tell the proof numbers and the key of the position of the board; it may become its canonical image.

    Where the attacker is to move and a sequence wins, BEST is its first move in that image.
    """
    if m[at.MARKS] > m[at.FEW]:
        weigh(m)
    note_key(m)
    if probe(m, t, m[at.SIGN], m[at.SEAL]):
        return
    if m[at.MARKS] <= m[at.FEW]:
        take_image(m)
        weigh(m)
    m[at.BEST] = -1
    total, target, greatest = m[at.SUM], 1 << m[at.K], 0
    for cell in range(m[at.SIZE]):
        greatest = max(greatest, m[m[at.OWN_LOAD] + cell])
    if total + (greatest if m[at.MOVER] == at.ATTACKER else 0) < target:
        m[at.PROOF], m[at.DISPROOF] = at.INFINITE, 0
    elif m[at.MOVER] == at.ATTACKER:
        m[at.PROOF], m[at.DISPROOF] = 1 + 8 * target // (total + 1), 1 + total // target
        if find_sequence(m, TRIES, -1):
            m[at.PROOF], m[at.DISPROOF] = 0, at.INFINITE
            m[at.BEST] = m[m[at.ATTACK]]
    else:
        m[at.PROOF], m[at.DISPROOF] = 1 + 12 * target // (total + 1), 1 + (total - greatest) // target
        if find_sequence(m, TRIES, -1):
            mark_zone(m)
            m[at.PROOF] = 1 + m[at.ZONE] // 2
        else:
            m[at.PROOF] += NO_ATTACK
    store(m, t, m[at.SIGN], m[at.SEAL], 1)
