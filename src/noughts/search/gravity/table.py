"""The transposition table of the gravity search, which stores bounds of values.

The key of a position has the marks of the side to move, and the lowest empty cell of each column, which may
be above the board. If all of that fits one number, an entry is eight bytes. The upper bits of the key decide
by how much the lower ones are rotated to choose a bucket. Only the upper bits are stored, since both together
give the key. On larger boards an entry has two numbers. The first has the lower bits of the marks and of the
lowest cells on the board. The second has the remaining bits, and which columns are full. So a wrong entry is
never found.
"""

from noughts.search.gravity.memory import NUMBER_BITS, GravityMemory
from noughts.search.numba_backend import Ints, inlined, kernel

WAYS = 4
"""The number of entries of a bucket. The one that took least work is replaced."""

BIAS = 63
"""The offset of a value in an entry, which makes it positive."""

DATA_BITS = 20
"""The number of bits beside the tag: six for the logarithm of the work, seven for each bound."""

TAG_BITS = NUMBER_BITS - DATA_BITS

LOW = (1 << NUMBER_BITS) - 1

WORTH = 127
"""The mask of a value in an entry."""


@inlined
def find_bucket(m: GravityMemory, own: int, taken: int) -> int:
    """Return the index of the bucket of a position; set *tag*, and *key* on large boards, to recognise it."""
    key = _key_of(m, own, taken)
    if m.is_wide:
        width = m.width
        full = taken >> (m.size - width) & ((1 << width) - 1)
        return _bucket_of_two(m, key & LOW, full << 2 | key >> NUMBER_BITS & 3)
    return _bucket_of_one(m, key)


@inlined
def _key_of(m: GravityMemory, own: int, taken: int) -> int:
    """Return the key: the marks *own* and the lowest empty cells."""
    return own | (taken << m.width | m.bottom) & ~taken & m.keyed


@inlined
def _bucket_of_one(m: GravityMemory, key: int) -> int:
    """Return the index of the bucket of *key*, if keys are one number."""
    shift = m.shift
    tag = key >> shift
    m.tag = tag
    return ((key + _turn(tag)) & ((1 << shift) - 1)) * WAYS


@inlined
def _bucket_of_two(m: GravityMemory, key: int, tag: int) -> int:
    """Return the index of the bucket of *key* and *tag*, if keys are two numbers."""
    m.key = key
    m.tag = tag
    mixed = _turn(key & 0xFFFFFFFFFFFF) ^ _turn(key >> 32 ^ tag << 6)
    return ((mixed ^ mixed >> 17) & ((1 << m.shift) - 1)) * 2 * WAYS


@inlined
def _turn(tag: int) -> int:
    """Return a hash of *tag*, which has up to 48 bits."""
    mixed = (tag & 0xFFFFFF) * 0x1E3779B97F + (tag >> 24) * 0x15D1CE4E5B
    return mixed ^ (mixed >> 31)


@inlined
def find_common_bucket(m: GravityMemory, own: int, taken: int, plies: int) -> int:
    """Return the index of the bucket that symmetric positions share.

    With few marks, it is that of the image with the smallest key.
    """
    if plies > m.image_marks:
        return find_bucket(m, own, taken)
    width, column = m.width, m.column
    least, first, both = LOW + 1, own, taken
    for image in range(0, m.images * width, width):
        mine, all_marks = 0, 0
        for x in range(width):
            mine |= (own >> x & column) << m.image_of[image + x]
            all_marks |= (taken >> x & column) << m.image_of[image + x]
        key = _key_of(m, mine, all_marks) & LOW
        if key < least:
            least, first, both = key, mine, all_marks
    return find_bucket(m, first, both)


@inlined
def find(m: GravityMemory, t: Ints, bucket: int) -> int:
    """Return the entry that matches the last key, 0 if there is none."""
    is_wide, tag = m.is_wide, m.tag
    step = 1 + is_wide
    for entry in range(bucket, bucket + WAYS * step, step):
        about = t[entry + is_wide]
        if about >> DATA_BITS == tag and about and (is_wide == 0 or t[entry] == m.key):
            return about
    return 0


@inlined
def store(
    m: GravityMemory, t: Ints, bucket: int, word: int, tag: int, lower: int, upper: int, work: int
) -> None:
    """Store bounds of the value of the position with *tag* and *word*, after *work* nodes."""
    size = 1
    while work > 1:
        work >>= 1
        size += 1
    _put(m, t, bucket, word, tag << DATA_BITS | size << 14 | (upper + BIAS) << 7 | lower + BIAS)


@inlined
def _put(m: GravityMemory, t: Ints, bucket: int, word: int, about: int) -> None:
    """Put an entry into its bucket, in place of the same key or of the entry that took least work."""
    is_wide = m.is_wide
    step = 1 + is_wide
    least, room = 64, bucket
    for entry in range(bucket, bucket + WAYS * step, step):
        there = t[entry + is_wide]
        if there == 0 or (there >> DATA_BITS == about >> DATA_BITS and (is_wide == 0 or t[entry] == word)):
            room = entry
            break
        work = there >> 14 & 63
        if work < least:
            least, room = work, entry
    t[room] = word  # The next line replaces it if an entry has one number.
    t[room + is_wide] = about


@kernel
def enlarge(m: GravityMemory, t: Ints, old: Ints) -> None:
    """Copy the entries of the table *old* to the larger *t*, and find the bucket of each depth there."""
    before, shift, is_wide = m.shift, m.shift, m.is_wide
    step = 1 + is_wide
    while WAYS * step << shift < len(t):
        shift += 1
    m.shift = shift
    for place in range(0, len(old), step):
        about = old[place + is_wide]
        if about:
            tag = about >> DATA_BITS
            if is_wide:
                bucket = _bucket_of_two(m, old[place], tag)
            else:
                low = (place // WAYS - _turn(tag)) & ((1 << before) - 1)
                bucket = _bucket_of_one(m, tag << before | low)
            _put(m, t, bucket, m.key, m.tag << DATA_BITS | about & ((1 << DATA_BITS) - 1))
    for depth in range(m.depth + 1):
        own, taken = m.own[depth], m.taken[depth]
        m.bucket[depth] = find_common_bucket(m, own, taken, m.marks + depth)
        m.tag_at[depth] = m.tag
