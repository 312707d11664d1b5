"""The transposition table of the two-valued search.

The key of a position has the bits of the marks that matter in it, the side to move and the attacker. With few
marks on the board, symmetric positions share a key.
"""

from noughts.search.exact.memory import ExactMemory
from noughts.search.numba_backend import Ints, inlined, kernel

RUNNING = -1

NO_LIMIT = 4094
"""The number of plies that means any distance: no game of this search is longer."""

UNKNOWN = 4095

TABLE_WAYS = 2

PRIME = 2147483647


@inlined
def _mix(a: Ints, base: int, count: int, mixed: int) -> int:
    """Hash *count* numbers of *a* and *mixed* to a number below PRIME."""
    for i in range(base, base + count):
        part = a[i]
        mixed = (mixed * 1640531527 + part % PRIME) % PRIME
        mixed = (mixed * 1103515245 + part // PRIME) % PRIME
    return mixed


@inlined
def _place_in_table(m: ExactMemory, t: Ints, mixed: int) -> int:
    """Return the index of the first of the entries that a key may have."""
    width = 2 * m.words + 1
    return mixed % (len(t) // width // TABLE_WAYS) * TABLE_WAYS * width


@inlined
def _find_entry(m: ExactMemory, t: Ints, base: int, entry: int) -> int:
    """Return the index of the entry with the key at *base*, starting at *entry*; -1 if there is none."""
    parts = 2 * m.words
    sides = 2 * m.side + m.attacker
    for _ in range(TABLE_WAYS):
        about = t[entry + parts]
        if about and about & 3 == sides:
            i = 0
            while i < parts and t[entry + i] == m.keys[base + i]:
                i += 1
            if i == parts:
                return entry
        entry += parts + 1
    return -1


@kernel
def probe(m: ExactMemory, t: Ints, depth: int) -> int:
    """Return the stored answer for the position, or RUNNING, and keep its key.

    *live* must have its live lines.
    """
    parts = 2 * m.words
    base = depth * (parts + 1)
    _write_key(m, base)
    if m.placed <= m.image_marks:
        _choose_image(m, base)
    mixed = _mix(m.keys, base, parts, 2 * m.side + m.attacker)
    m.keys[base + parts] = mixed
    entry = _find_entry(m, t, base, _place_in_table(m, t, mixed))
    if entry >= 0:
        about = t[entry + parts]
        if (about >> 4) & UNKNOWN <= m.left[depth]:
            return 1
        if (about >> 16) & UNKNOWN >= m.left[depth]:
            return 0
    return RUNNING


@inlined
def _write_key(m: ExactMemory, base: int) -> None:
    """Write the key of the position to *base*: two bits for each cell, one in the words of each mark.

    If one more mark never hurts, only live cells count: a mark on a line that its side can still fill, and an
    empty cell (no bit) on a line that some side can still fill. All other cells are equally dead (both bits),
    since no line through them can be filled any more.
    """
    words, stones, live = m.words, m.stones, m.live
    for i in range(words):
        one, two = stones[i], stones[words + i]
        if m.never_hurts:
            empty = (live[i] | live[words + i]) & ~(one | two)
            one &= live[i]
            two &= live[words + i]
            dead = m.every[i] & ~(one | two | empty)
            one |= dead
            two |= dead
        m.keys[base + i] = one
        m.keys[base + words + i] = two


@inlined
def _choose_image(m: ExactMemory, base: int) -> None:
    """Replace the key at *base* by the smallest of its symmetric images."""
    size, words, image, key = m.size, m.words, m.image, m.key
    for i in range(2 * words):
        key[i] = m.keys[base + i]
    for number in range(1, m.images):
        for i in range(2 * words):
            image[i] = 0
        for cell in range(size):
            word, bit = m.word_of[cell], m.bit[cell]
            to = m.image_of[number * size + cell]
            if key[word] & bit:
                image[m.word_of[to]] |= m.bit[to]
            if key[words + word] & bit:
                image[words + m.word_of[to]] |= m.bit[to]
        i = 0
        while i < 2 * words - 1 and image[i] == m.keys[base + i]:
            i += 1
        if image[i] < m.keys[base + i]:
            for i in range(2 * words):
                m.keys[base + i] = image[i]


@kernel
def store(m: ExactMemory, t: Ints, depth: int, result: int) -> None:
    """Store *result*, the answer at *depth*, in the table."""
    parts = 2 * m.words
    base = depth * (parts + 1)
    mixed = m.keys[base + parts]
    if mixed < 0:
        return
    left = m.left[depth]
    empty = m.size - m.placed
    yes, no = UNKNOWN, 0
    first = _place_in_table(m, t, mixed)
    entry = _find_entry(m, t, base, first)
    if entry >= 0:
        yes, no = (t[entry + parts] >> 4) & UNKNOWN, (t[entry + parts] >> 16) & UNKNOWN
    elif t[first + parts] >> 28 <= empty:
        entry = first  # The first entry keeps the position nearer to the root.
    else:
        entry = first + parts + 1
    if result:
        yes = min(yes, left, empty)  # No game lasts longer than the number of empty cells.
    else:
        no = max(no, NO_LIMIT if left >= empty else left)
    for i in range(parts):
        t[entry + i] = m.keys[base + i]
    t[entry + parts] = 2 * m.side + m.attacker | 8 | yes << 4 | no << 16 | empty << 28


@kernel
def enlarge(m: ExactMemory, t: Ints, old: Ints) -> None:
    """Copy the entries of the table *old* to the larger *t*."""
    parts = 2 * m.words
    for from_entry in range(0, len(old), parts + 1):
        about = old[from_entry + parts]
        if about:
            entry = _place_in_table(m, t, _mix(old, from_entry, parts, about & 3))
            if t[entry + parts]:
                entry += parts + 1
            for i in range(parts + 1):
                t[entry + i] = old[from_entry + i]
