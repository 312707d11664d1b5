"""What the search remembers: proof numbers, by two hashes of 120 bits together.

Positions are one where the same lines can still be filled by marks on the same cells. Positions of few marks
that symmetries of the board make of each other are searched as one of them, their canonical image.
"""

from noughts.search.dfpn import layout as at
from noughts.search.dfpn.position import load, weigh
from noughts.search.numba_backend import Ints, kernel

WAYS = 4
"""So many entries may hold a key: what took least work makes room."""

ENTRY = 4
"""Numbers of an entry: the two hashes, both proof numbers, and the work with the move that wins."""

MAX_WORK = (1 << 40) - 1

HALF = 30
"""Bits of a proof number in an entry."""

DEFENDER_MOVES = (1 << 59) + 12345
"""Combined with a hash where the defender is to move."""


@kernel
def note_images(m: Ints) -> None:
    """Note the hash of the position in each image, if it has few marks: see :func:`note_key`."""
    if m[at.MARKS] > m[at.FEW]:
        return
    _list_cells(m)
    for image in range(m[at.IMAGES]):
        m[m[at.IMAGE_SIGNS] + image] = _hash(m, m[at.HASHES], image)


@kernel
def least_hash(m: Ints) -> int:
    """The least hash of all images of the position: what stands for each of them."""
    weigh(m)
    _list_cells(m)
    least = _hash(m, m[at.HASHES], 0)
    for image in range(1, m[at.IMAGES]):
        least = min(least, _hash(m, m[at.HASHES], image))
    return least


@kernel
def _list_cells(m: Ints) -> None:
    """List what the key of the position is made of.

    With few marks these are the marks; with more those alone that some line can still use, and the cells that
    none can, as USEFUL tells.
    """
    size, count, few = m[at.SIZE], 0, m[at.MARKS] <= m[at.FEW]
    board, uses, cells, kinds = m[at.CELL], m[at.USEFUL], m[at.LISTED_CELLS], m[at.KINDS]
    for cell in range(size):
        bears = m[board + cell]
        kind = bears - 1
        if not few:
            useful = m[uses + cell]
            if (useful & bears if bears else useful) == 0:
                kind = 2
        if kind >= 0:
            m[cells + count] = cell
            m[kinds + count] = kind * size
            count += 1
    m[at.COUNT] = count


@kernel
def _hash(m: Ints, hashes: int, image: int) -> int:
    """The hash of what is listed, in an image."""
    cells, kinds = m[at.LISTED_CELLS], m[at.KINDS]
    map_, total = m[at.IMAGE_OF] + image * m[at.SIZE], 0
    for place in range(m[at.COUNT]):
        total ^= m[hashes + m[kinds + place] + m[map_ + m[cells + place]]]
    return total


@kernel
def note_key(m: Ints) -> None:
    """Note the key of the position, and the IMAGE in which it is looked for: with few marks the least one.

    The images of the position that was loaded were noted; the lines of one with more marks were weighed.
    """
    m[at.IMAGE] = 0
    if m[at.MARKS] > m[at.FEW]:
        _list_cells(m)
        m[at.SIGN] = _hash(m, m[at.HASHES], 0)
    else:
        m[at.SIGN] = _least_image(m)
        _list_cells(m)
    m[at.SEAL] = _hash(m, m[at.CHECKS], m[at.IMAGE])
    if m[at.MOVER] == at.DEFENDER:
        m[at.SIGN] ^= DEFENDER_MOVES


@kernel
def _least_image(m: Ints) -> int:
    """The least hash of all images of the position, which has few marks; IMAGE is the image."""
    size, signs, hashes, board = m[at.SIZE], m[at.IMAGE_SIGNS], m[at.HASHES] - m[at.SIZE], m[at.CELL]
    played, made, map_ = m[at.PLAYED], m[at.MADE], m[at.IMAGE_OF]
    least, found = -1, 0
    for image in range(m[at.IMAGES]):
        sign = m[signs + image]
        for place in range(played, played + made):
            cell = m[place]
            sign ^= m[hashes + m[board + cell] * size + m[map_ + cell]]
        if sign < least or least < 0:
            least, found = sign, image
        map_ += size
    m[at.IMAGE] = found
    return least


@kernel
def take_image(m: Ints) -> None:
    """Make the position the IMAGE of it."""
    if m[at.IMAGE] == 0:
        return
    map_ = m[at.IMAGE_OF] + m[at.IMAGE] * m[at.SIZE]
    for cell in range(m[at.SIZE]):
        m[m[at.IMAGED] + m[map_ + cell]] = m[m[at.CELL] + cell]
    load(m, m[at.IMAGED])


@kernel
def _find(t: Ints, sign: int, seal: int) -> int:
    """Where the table has a key, -1 for nowhere."""
    place = sign % (len(t) // (ENTRY * WAYS)) * ENTRY * WAYS
    for entry in range(place, place + ENTRY * WAYS, ENTRY):
        if t[entry] == sign and t[entry + 1] == seal and t[entry + 2]:
            return entry
    return -1


@kernel
def probe(m: Ints, t: Ints, sign: int, seal: int) -> bool:
    """Whether the table knows the proof numbers of a position; they go to PROOF and DISPROOF."""
    entry = _find(t, sign, seal)
    if entry < 0:
        return False
    m[at.PROOF] = t[entry + 2] >> HALF
    m[at.DISPROOF] = t[entry + 2] & (1 << HALF) - 1
    m[at.BEST] = (t[entry + 3] & 1023) - 1
    return True


@kernel
def store(m: Ints, t: Ints, sign: int, seal: int, work: int) -> None:
    """Keep PROOF, DISPROOF and BEST, after *work* nodes more."""
    entry = _find(t, sign, seal)
    if entry >= 0:
        work += t[entry + 3] >> 10
    else:
        entry = _room(t, sign)
    t[entry] = sign
    t[entry + 1] = seal
    t[entry + 2] = m[at.PROOF] << HALF | m[at.DISPROOF]
    t[entry + 3] = min(work, MAX_WORK) << 10 | m[at.BEST] + 1


@kernel
def _room(t: Ints, sign: int) -> int:
    """The entry that a key may take: of those that it may have, an empty one or the one of the least work."""
    place = sign % (len(t) // (ENTRY * WAYS)) * ENTRY * WAYS
    least = place
    for entry in range(place, place + ENTRY * WAYS, ENTRY):
        if t[entry + 2] == 0:
            return entry
        if t[entry + 3] >> 10 < t[least + 3] >> 10:
            least = entry
    return least


@kernel
def enlarge(t: Ints, old: Ints) -> None:
    """Carry what the table *old* has over to the larger *t*."""
    for entry in range(0, len(old), ENTRY):
        if old[entry + 2]:
            room = _room(t, old[entry])
            for i in range(ENTRY):
                t[room + i] = old[entry + i]


@kernel
def list_wins(t: Ints, wins: Ints, work: int) -> int:
    """Write the entries of wins that took so much *work* or more to *wins*, as many as it has room for.

    How many there are.
    """
    count = 0
    for entry in range(0, len(t), ENTRY):
        if t[entry + 2] and t[entry + 2] >> HALF == 0 and t[entry + 3] >> 10 >= work:
            if count * ENTRY < len(wins):
                for i in range(ENTRY):
                    wins[count * ENTRY + i] = t[entry + i]
            count += 1
    return count


@kernel
def add_wins(t: Ints, wins: Ints) -> None:
    """Enter the *wins* of another table."""
    for win in range(0, len(wins), ENTRY):
        entry = _find(t, wins[win], wins[win + 1])
        if entry < 0:
            entry = _room(t, wins[win])
        for i in range(ENTRY):
            t[entry + i] = wins[win + i]


@kernel
def keep_wins(t: Ints) -> None:
    """Forget all but the wins: what attacks of other kinds failed at says nothing."""
    for entry in range(0, len(t), ENTRY):
        if t[entry + 2] >> HALF:
            t[entry + 2] = 0
            t[entry + 3] = 0
