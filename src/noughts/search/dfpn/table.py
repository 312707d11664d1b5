"""The table of proof numbers, indexed by two hashes of 120 bits in total.

Positions are equal if the same lines can still be filled by marks on the same cells. Symmetric positions with
few marks are searched as one position, their canonical image.
"""

from noughts.search.dfpn.memory import DEFENDER, AttackMemory
from noughts.search.dfpn.position import load, weigh
from noughts.search.numba_backend import Ints, kernel
from noughts.search.table import find_entry, find_room

ENTRY = 4
"""The number of numbers in an entry.

They are two hashes, both proof numbers in one number, and the work together with the winning move.
"""

WORK = 10
"""The lowest bit of the work in the last number of an entry."""

MAX_WORK = (1 << 40) - 1

HALF = 30
"""The number of bits of a proof number in an entry."""

DEFENDER_MOVES = (1 << 59) + 12345
"""Combined with the hash if the defender is to move."""


@kernel
def note_images(m: AttackMemory) -> None:
    """Note the hash of the position in each image if it has few marks, for :func:`note_key`."""
    if m.marks > m.max_image_marks:
        return
    _list_cells(m)
    for image in range(m.images):
        m.image_signs[image] = _hash(m, m.hashes, image)


@kernel
def least_hash(m: AttackMemory) -> int:
    """Return the least hash of all images of the position, which identifies all of them."""
    weigh(m)
    _list_cells(m)
    least = _hash(m, m.hashes, 0)
    for image in range(1, m.images):
        least = min(least, _hash(m, m.hashes, image))
    return least


@kernel
def _list_cells(m: AttackMemory) -> None:
    """List the cells that form the key of the position.

    With few marks these are the marks. Otherwise they are the marks that a line can still use and the cells
    that no line can use, according to *useful*.
    """
    size, count, has_few = m.size, 0, m.marks <= m.max_image_marks
    board, uses, cells, kinds = m.board, m.useful, m.listed_cells, m.kinds
    for cell in range(size):
        bears = board[cell]
        kind = bears - 1
        if not has_few:
            useful = uses[cell]
            if (useful & bears if bears else useful) == 0:
                kind = 2
        if kind >= 0:
            cells[count] = cell
            kinds[count] = kind * size
            count += 1
    m.listed_count = count


@kernel
def _hash(m: AttackMemory, hashes: Ints, image: int) -> int:
    """Return the hash of the listed cells in an image."""
    cells, kinds = m.listed_cells, m.kinds
    first, total = image * m.size, 0
    for place in range(m.listed_count):
        total ^= hashes[kinds[place] + m.image_of[first + cells[place]]]
    return total


@kernel
def note_key(m: AttackMemory) -> None:
    """Note the key of the position and its *image*: with few marks the one with the least hash.

    The images of a loaded position must be noted before. The lines of a position with many marks must be
    weighed.
    """
    m.image = 0
    if m.marks > m.max_image_marks:
        _list_cells(m)
        m.sign = _hash(m, m.hashes, 0)
    else:
        m.sign = _least_image(m)
        _list_cells(m)
    m.seal = _hash(m, m.checks, m.image)
    if m.mover == DEFENDER:
        m.sign ^= DEFENDER_MOVES


@kernel
def _least_image(m: AttackMemory) -> int:
    """Set *image* to the image with the least hash, and return that hash. The position has few marks."""
    size, least, best_image = m.size, -1, 0
    for image in range(m.images):
        sign = m.image_signs[image]
        for place in range(m.made):
            cell = m.played[place]
            sign ^= m.hashes[(m.board[cell] - 1) * size + m.image_of[image * size + cell]]
        if sign < least or least < 0:
            least, best_image = sign, image
    m.image = best_image
    return least


@kernel
def take_image(m: AttackMemory) -> None:
    """Replace the position by its image number *image*."""
    if m.image == 0:
        return
    for cell in range(m.size):
        m.imaged[m.image_of[m.image * m.size + cell]] = m.board[cell]
    load(m, m.imaged, 0)


@kernel
def probe(m: AttackMemory, t: Ints, sign: int, seal: int) -> bool:
    """Look a position up, and return True if the table has it.

    In that case *proof*, *disproof* and *best* are set.
    """
    entry = find_entry(t, ENTRY, sign, seal)
    if entry < 0:
        return False
    m.proof = t[entry + 2] >> HALF
    m.disproof = t[entry + 2] & (1 << HALF) - 1
    m.best = (t[entry + 3] & 1023) - 1
    return True


@kernel
def store(m: AttackMemory, t: Ints, sign: int, seal: int, work: int) -> None:
    """Store *proof*, *disproof* and *best*, which took *work* more nodes."""
    entry = find_entry(t, ENTRY, sign, seal)
    if entry >= 0:
        work += t[entry + 3] >> WORK
    else:
        entry = find_room(t, ENTRY, WORK, sign)
    t[entry] = sign
    t[entry + 1] = seal
    t[entry + 2] = m.proof << HALF | m.disproof
    t[entry + 3] = min(work, MAX_WORK) << WORK | m.best + 1


@kernel
def list_wins(t: Ints, wins: Ints, work: int) -> int:
    """Copy the entries of wins that took at least *work* nodes to *wins*, as far as it has room.

    Return the number of such entries.
    """
    count = 0
    for entry in range(0, len(t), ENTRY):
        if t[entry + 2] and t[entry + 2] >> HALF == 0 and t[entry + 3] >> WORK >= work:
            if count * ENTRY < len(wins):
                for i in range(ENTRY):
                    wins[count * ENTRY + i] = t[entry + i]
            count += 1
    return count


@kernel
def keep_wins(t: Ints) -> None:
    """Forget all entries but the wins: a failed attack of another kind proves nothing."""
    for entry in range(0, len(t), ENTRY):
        if t[entry + 2] >> HALF:
            t[entry + 2] = 0
            t[entry + 3] = 0
