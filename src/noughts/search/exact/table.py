"""What the two-valued search works with, beside the position, and what it remembers.

A position is remembered by the bits of the marks that matter in it, with the side to move and the side
asked about; where few marks are on the board its images under the symmetries of the board are the same.
"""

from noughts.search.compiled import Ints, kernel
from noughts.search.exact.position import (
    BIT,
    END,
    NEVER_HURTS,
    PLACED,
    SIDE,
    SIZE,
    STONES,
    WORD_OF,
    WORDS,
)

# What stands where in the memory, after what ``line_kernels`` names.
(
    ATTACKER,  # the number of the side asked about
    DEPTH,  # of the search below the position asked about
    RETURNING,  # whether the depth below has just been answered
    RESULT,  # the answer
    NODES,  # moves made
    BEST,  # the move that decided at depth 0, -1 for none
    IMAGES,  # symmetries of the board
    FEW,  # with so many marks or fewer, positions that are images of each other are one
    IMAGE_OF,  # [IMAGES * SIZE] where each cell goes, the identity first
    TRIED,  # [(SIZE + 2) * MOVES] the moves to try at each depth, cell * 2 + mark
    ORDER,  # [MOVES] scores that order them
    MANY_TRIED,  # [SIZE + 2] how many
    NEXT,  # [SIZE + 2] which is next
    LEFT,  # [SIZE + 2] within how many plies
    KEYS,  # [(SIZE + 2) * (2 * WORDS + 1)] the key of each depth; its last is the mixed key, -1 for none
    LIVE,  # [2 * WORDS] the cells of the lines that each mark can still fill
    EVERY,  # [WORDS] the bits of all cells
    GAIN,  # [SIZE] the attacker's potential through each cell
    LOSS,  # [SIZE] the defender's
    GIVEN,  # [2 * WORDS] the key as it is
    IMAGE,  # [2 * WORDS] and one of its images
    ALL,
) = range(END, END + 22)

RUNNING = -1

MANY = 4094
"""As many plies as there are: no game of this search is longer."""

UNKNOWN = 4095

TABLE_WAYS = 2

PRIME = 2147483647


@kernel
def _mix(a: Ints, base: int, count: int, mixed: int) -> int:
    """*count* numbers of *a* and *mixed* in one number below PRIME."""
    for at in range(base, base + count):
        part = a[at]
        mixed = (mixed * 1640531527 + part % PRIME) % PRIME
        mixed = (mixed * 1103515245 + part // PRIME) % PRIME
    return mixed


@kernel
def _place_in_table(m: Ints, t: Ints, mixed: int) -> int:
    """The number of the first of the entries that a key may have."""
    width = 2 * m[WORDS] + 1
    return mixed % (len(t) // width // TABLE_WAYS) * TABLE_WAYS * width


@kernel
def _find_entry(m: Ints, t: Ints, base: int, entry: int) -> int:
    """Where the table has the key at *base*, looked for from *entry* on, or -1."""
    parts = 2 * m[WORDS]
    sides = 2 * m[SIDE] + m[ATTACKER]
    for _ in range(TABLE_WAYS):
        about = t[entry + parts]
        if about and about & 3 == sides:
            at = 0
            while at < parts and t[entry + at] == m[base + at]:
                at += 1
            if at == parts:
                return entry
        entry += parts + 1
    return -1


@kernel
def probe(m: Ints, t: Ints, depth: int) -> int:
    """What the table knows of the position, whose live lines stand in LIVE; keep its key."""
    parts = 2 * m[WORDS]
    base = m[KEYS] + depth * (parts + 1)
    _write_key(m, base)
    if m[PLACED] <= m[FEW]:
        _choose_image(m, base)
    mixed = _mix(m, base, parts, 2 * m[SIDE] + m[ATTACKER])
    m[base + parts] = mixed
    entry = _find_entry(m, t, base, _place_in_table(m, t, mixed))
    if entry >= 0:
        about = t[entry + parts]
        if (about >> 4) & UNKNOWN <= m[m[LEFT] + depth]:
            return 1
        if (about >> 16) & UNKNOWN >= m[m[LEFT] + depth]:
            return 0
    return RUNNING


@kernel
def _write_key(m: Ints, base: int) -> None:
    """Put the key of the position at *base*: two bits for each cell, one in the words of each mark.

    Where one more mark never hurts only what lives counts: a mark on a line that its side can still fill, an
    empty cell on a line that some side can still fill (no bit). All other cells are dead alike (both
    bits): no line through them can be filled any more.
    """
    words, stones, live = m[WORDS], m[STONES], m[LIVE]
    for at in range(words):
        one, two = m[stones + at], m[stones + words + at]
        if m[NEVER_HURTS]:
            empty = (m[live + at] | m[live + words + at]) & ~(one | two)
            one &= m[live + at]
            two &= m[live + words + at]
            dead = m[m[EVERY] + at] & ~(one | two | empty)
            one |= dead
            two |= dead
        m[base + at] = one
        m[base + words + at] = two


@kernel
def _choose_image(m: Ints, base: int) -> None:
    """Replace the key at *base* by the smallest that a symmetry of the board makes of it."""
    size, words, image, given = m[SIZE], m[WORDS], m[IMAGE], m[GIVEN]
    for at in range(2 * words):
        m[given + at] = m[base + at]
    for number in range(1, m[IMAGES]):
        for at in range(2 * words):
            m[image + at] = 0
        for cell in range(size):
            word, bit = m[m[WORD_OF] + cell], m[m[BIT] + cell]
            to = m[m[IMAGE_OF] + number * size + cell]
            if m[given + word] & bit:
                m[image + m[m[WORD_OF] + to]] |= m[m[BIT] + to]
            if m[given + words + word] & bit:
                m[image + words + m[m[WORD_OF] + to]] |= m[m[BIT] + to]
        at = 0
        while at < 2 * words - 1 and m[image + at] == m[base + at]:
            at += 1
        if m[image + at] < m[base + at]:
            for at in range(2 * words):
                m[base + at] = m[image + at]


@kernel
def store(m: Ints, t: Ints, depth: int, result: int) -> None:
    """Keep *result*, the answer at *depth*, in the table."""
    parts = 2 * m[WORDS]
    base = m[KEYS] + depth * (parts + 1)
    mixed = m[base + parts]
    if mixed < 0:
        return
    left = m[m[LEFT] + depth]
    empty = m[SIZE] - m[PLACED]
    yes, no = UNKNOWN, 0
    first = _place_in_table(m, t, mixed)
    entry = _find_entry(m, t, base, first)
    if entry >= 0:
        yes, no = (t[entry + parts] >> 4) & UNKNOWN, (t[entry + parts] >> 16) & UNKNOWN
    elif t[first + parts] >> 28 <= empty:
        entry = first  # the first entry keeps what is nearer to the root
    else:
        entry = first + parts + 1
    if result:
        yes = min(yes, left)
    else:
        no = max(no, MANY if left >= empty else left)
    for at in range(parts):
        t[entry + at] = m[base + at]
    t[entry + parts] = 2 * m[SIDE] + m[ATTACKER] | 8 | yes << 4 | no << 16 | empty << 28


@kernel
def enlarge(m: Ints, t: Ints, old: Ints) -> None:
    """Carry the answers of the table *old* over to the larger *t*."""
    parts = 2 * m[WORDS]
    for from_entry in range(0, len(old), parts + 1):
        about = old[from_entry + parts]
        if about:
            entry = _place_in_table(m, t, _mix(old, from_entry, parts, about & 3))
            if t[entry + parts]:
                entry += parts + 1
            for at in range(parts + 1):
                t[entry + at] = old[from_entry + at]
