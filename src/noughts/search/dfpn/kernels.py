"""The kernels of the search for a win of the attacker.

The search is depth first and led by proof numbers (Allis 1994; depth first by Nagai 2002). These numbers are
the least number of positions that must be won to prove a win, and refuted to refute it. A position is decided
without further search in these cases:

- a sequence of threats wins;
- the attacker would have a sequence, so the defender must play in its zone to break it;
- the potentials of all lines (Erdos and Selfridge 1973) are too small.

Forced moves are made at once, so no line lacks a single cell in a position that is searched. The attacker
tries only the *width* likeliest quiet moves. A win found so is a win; a failed attack proves nothing.
"""

from noughts.search.dfpn.memory import (
    ATTACKER,
    CHOOSING,
    DEFENDER,
    ENTERING,
    INFINITE,
    LISTING,
    NOTHING,
    REFUTED,
    RUNNING,
    WON,
    AttackMemory,
)
from noughts.search.dfpn.position import load, play, take_back, weigh
from noughts.search.dfpn.sequence import find_sequence, mark_zone
from noughts.search.dfpn.table import note_images, note_key, probe, store, take_image
from noughts.search.numba_backend import Ints, insert_ranked, kernel

TRIES = 1000
"""Maximum number of threats tried in the search for a sequence."""

PASS_TRIES = 4000
"""Maximum number of threats tried if the sequence decides which moves of the defender are tried."""

NO_ATTACK = 10
"""Added to the proof number of a position in which the defender may move anywhere."""

ALIKE = 16
"""Number of ranks among which moves of equal value are spread, in an order that depends on the seed."""


@kernel
def start(m: AttackMemory, t: Ints) -> int:
    """Start a search of the position on the board, in which *mover* has no forced move.

    The position is replaced by its canonical image, number *image*. Return WON or REFUTED if the result is
    known at once, else RUNNING.
    """
    m.made = 0
    image = take_known_image(m, t)
    note_images(m)
    _evaluate(m, t)
    m.image = image
    if m.proof == 0:
        return WON
    if m.disproof == 0:
        return REFUTED
    m.depth = 0
    m.max_proof[0] = INFINITE
    m.max_disproof[0] = INFINITE
    _store_position(m, 0)
    return RUNNING


@kernel
def take_known_image(m: AttackMemory, t: Ints) -> int:
    """Replace the position on the board by the image that is searched, and return its number."""
    image = 0
    if m.marks > m.max_image_marks:
        image = _take_won_image(m, t)
    weigh(m)
    note_images(m)
    note_key(m)
    if m.marks <= m.max_image_marks:
        take_image(m)
        image = m.image
    return image


@kernel
def _take_won_image(m: AttackMemory, t: Ints) -> int:
    """Replace the position, which has many marks, by an image that is known to be won.

    Return the number of the image, or 0 if none is known to be won. In that case the position is unchanged.
    Earlier positions with few marks were searched in their canonical image, and all that followed used the
    same image.
    """
    size = m.size
    for cell in range(size):
        m.position[cell] = m.board[cell]
    for image in range(m.images):
        for cell in range(size):
            m.imaged[m.image_of[image * size + cell]] = m.position[cell]
        load(m, m.imaged, 0)
        weigh(m)
        note_key(m)
        if probe(m, t, m.sign, m.seal) and m.proof == 0:
            return image
    load(m, m.position, 0)
    return 0


@kernel
def _store_position(m: AttackMemory, depth: int) -> None:
    """Store the position on the board as the position at *depth*.

    The key of the position must be noted before.
    """
    for cell in range(m.size):
        m.position[depth * m.size + cell] = m.board[cell]
    m.turn[depth] = m.mover
    m.sign_at[depth] = m.sign
    m.seal_at[depth] = m.seal
    m.nodes_before[depth] = m.nodes
    m.phase = ENTERING


@kernel
def run(m: AttackMemory, t: Ints, max_nodes: int) -> int:
    """Continue the search until the result is WON or REFUTED, or *max_nodes* nodes were made (RUNNING)."""
    while True:
        depth = m.depth
        if m.phase == ENTERING:
            _list_moves(m, depth)
        if m.phase == LISTING:
            result = _evaluate_moves(m, t, depth, max_nodes)
            if m.phase == LISTING:
                return RUNNING
        else:
            _refresh(m, t, depth)
            result = RUNNING
        if result == RUNNING:
            result = _choose(m, depth)
        if result == RUNNING and m.phase == ENTERING:
            continue
        if result == WON:
            m.proof = 0
            m.disproof = INFINITE
        elif result == REFUTED:
            m.proof = INFINITE
            m.disproof = 0
        work = m.nodes - m.nodes_before[depth]
        store(m, t, m.sign_at[depth], m.seal_at[depth], work)
        if depth == 0:
            return result
        m.depth = depth - 1
        m.phase = CHOOSING


@kernel
def _list_moves(m: AttackMemory, depth: int) -> None:
    """List the moves at *depth*, the likeliest first."""
    size, turn = m.size, m.turn[depth]
    own, theirs = m.attacker_load, m.defender_load
    m.phase = LISTING
    m.next_move[depth] = 0
    m.move_count[depth] = 0
    load(m, m.position, depth * size)
    weigh(m)
    has_zone = turn == DEFENDER and find_sequence(m, PASS_TRIES, -1)
    if has_zone:
        mark_zone(m)
    count = 0
    for cell in range(size):
        if m.board[cell] == NOTHING and m.useful[cell]:
            if has_zone and m.in_zone[cell] == 0:
                continue
            if turn == ATTACKER and _threatens(m, cell):
                continue
            if _is_dominated(m, cell):
                continue
            rank = (2 * own[cell] + theirs[cell]) * ALIKE
            rank += ((m.hash ^ m.hashes[cell]) >> m.seed) % ALIKE
            count = insert_ranked(m.move, depth * size, m.ranks, count, size, cell, rank)
    if turn == ATTACKER:
        count = min(count, m.width)
    m.listed[depth] = count


@kernel
def _threatens(m: AttackMemory, cell: int) -> bool:
    """Return True if *cell* makes a threat of the attacker. Such moves were tried in sequences already."""
    for place in range(m.first[cell], m.first[cell + 1]):
        line = m.through[place]
        if m.attacker_marks[line] == m.k - 2 and m.defender_marks[line] == 0:
            return True
    return False


@kernel
def _is_dominated(m: AttackMemory, cell: int) -> bool:
    """Return True if another cell is at least as good for both sides: all live lines of *cell* contain it.

    Of equally good cells, the one with the lowest number is not dominated.
    """
    k, cells, mine, theirs, board = m.k, m.cells, m.attacker_marks, m.defender_marks, m.board
    count, some = 0, -1
    for place in range(m.first[cell], m.first[cell + 1]):
        line = m.through[place]
        if mine[line] == 0 or theirs[line] == 0:
            count += 1
            some = line
    for i in range(some * k, some * k + k):
        other = cells[i]
        if other != cell and board[other] == NOTHING:
            shared, live = 0, 0
            for place in range(m.first[other], m.first[other + 1]):
                line = m.through[place]
                if mine[line] == 0 or theirs[line] == 0:
                    live += 1
                    for j in range(line * k, line * k + k):
                        shared += cells[j] == cell
            if shared == count and (live > count or other < cell):
                return True
    return False


@kernel
def _evaluate_moves(m: AttackMemory, t: Ints, depth: int, max_nodes: int) -> int:
    """Evaluate each listed move at *depth*, and keep the moves that do not end the game.

    Return WON or REFUTED if a move decides the position. The phase remains LISTING if more than *max_nodes*
    nodes are needed.
    """
    turn, base = m.turn[depth], depth * m.size
    wanted = WON if turn == ATTACKER else REFUTED
    load(m, m.position, base)
    note_images(m)
    while m.next_move[depth] < m.listed[depth]:
        if m.nodes >= max_nodes:
            return RUNNING
        m.nodes += 1
        move = m.move[base + m.next_move[depth]]
        m.next_move[depth] += 1
        m.image = 0
        result = play(m, move, turn)
        if result == RUNNING:
            _evaluate(m, t)
            if m.proof == 0:
                result = WON
            elif m.disproof == 0:
                result = REFUTED
        if result == wanted:
            m.phase = CHOOSING
            m.best = move
            return wanted
        if result == RUNNING:
            _add_move(m, depth, move)
        if m.image:
            load(m, m.position, base)
        else:
            take_back(m, 0)
    m.phase = CHOOSING
    return RUNNING


@kernel
def _add_move(m: AttackMemory, depth: int, move: int) -> None:
    """Keep *move* with the key and proof numbers of the next position, unless the key is listed."""
    base = depth * m.size
    end = base + m.move_count[depth]
    for place in range(base, end):
        if m.move_sign[place] == m.sign and m.move_seal[place] == m.seal:
            return
    m.move[end] = move
    m.move_sign[end] = m.sign
    m.move_seal[end] = m.seal
    m.move_proof[end] = m.proof
    m.move_disproof[end] = m.disproof
    m.move_count[depth] += 1


@kernel
def _refresh(m: AttackMemory, t: Ints, depth: int) -> None:
    """Update the proof numbers of the moves at *depth* from the table."""
    base = depth * m.size
    for place in range(base, base + m.move_count[depth]):
        if probe(m, t, m.move_sign[place], m.move_seal[place]):
            m.move_proof[place] = m.proof
            m.move_disproof[place] = m.disproof


@kernel
def _choose(m: AttackMemory, depth: int) -> int:
    """Go to the next position at *depth* (phase ENTERING), or set the proof numbers of this one."""
    base, turn = depth * m.size, m.turn[depth]
    least, sums = m.move_proof, m.move_disproof
    max_least, max_sum = m.max_proof[depth], m.max_disproof[depth]
    if turn == DEFENDER:
        least, sums = sums, least
        max_least, max_sum = max_sum, max_least
    best, first, second, total = -1, INFINITE, INFINITE, 0
    for place in range(base, base + m.move_count[depth]):
        number = least[place]
        if sums[place] == 0:  # the move fails
            continue
        total += sums[place]
        if number < first or best < 0:
            second, first, best = first, number, place
        elif number < second:
            second = number
    if best < 0:
        m.best = -1
        return REFUTED if turn == ATTACKER else WON
    m.best = m.move[best]
    if first == 0:
        return WON if turn == ATTACKER else REFUTED
    total = min(total, INFINITE - 1)
    m.proof, m.disproof = first, total
    if turn == DEFENDER:
        m.proof, m.disproof = total, first
    if first >= max_least or total >= max_sum:
        return RUNNING
    max_least = min(max_least, second + 1 + second // 4)
    max_sum = min(max_sum - total + sums[best], INFINITE - 1)
    m.max_proof[depth + 1] = max_least if turn == ATTACKER else max_sum
    m.max_disproof[depth + 1] = max_sum if turn == ATTACKER else max_least
    load(m, m.position, base)
    note_images(m)
    play(m, m.best, turn)
    weigh(m)
    note_key(m)
    take_image(m)
    _store_position(m, depth + 1)
    m.depth = depth + 1
    return RUNNING


@kernel
def _evaluate(m: AttackMemory, t: Ints) -> None:
    """Set the proof numbers and the key of the position on the board, which may become its canonical image.

    If the attacker is to move and a sequence wins, *best* is its first move in that image.
    """
    if m.marks > m.max_image_marks:
        weigh(m)
    note_key(m)
    if probe(m, t, m.sign, m.seal):
        return
    if m.marks <= m.max_image_marks:
        take_image(m)
        weigh(m)
    m.best = -1
    total, target, greatest = m.potential, 1 << m.k, 0
    for cell in range(m.size):
        greatest = max(greatest, m.attacker_load[cell])
    if total + (greatest if m.mover == ATTACKER else 0) < target:
        m.proof, m.disproof = INFINITE, 0
    elif m.mover == ATTACKER:
        m.proof, m.disproof = 1 + 8 * target // (total + 1), 1 + total // target
        if find_sequence(m, TRIES, -1):
            m.proof, m.disproof = 0, INFINITE
            m.best = m.attack[0]
    else:
        m.proof, m.disproof = 1 + 12 * target // (total + 1), 1 + (total - greatest) // target
        if find_sequence(m, TRIES, -1):
            mark_zone(m)
            m.proof = 1 + m.zone // 2
        else:
            m.proof += NO_ATTACK
    store(m, t, m.sign, m.seal, 1)
