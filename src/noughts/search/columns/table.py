"""What the search remembers: bounds of what positions are worth, eight bytes for each.

A position is its key, one number: the marks of the side to move added to those of both. Its upper bits say by
how much the lower ones are turned to choose a bucket, and only they are kept: both together give the key.
"""

from noughts.search.columns import layout as at
from noughts.search.compiled import Ints, kernel

WAYS = 4
"""Entries of a bucket: what took least work makes room."""

BIAS = 63
"""Added to a worth, so that it is positive in an entry."""

DATA_BITS = 20
"""Bits of an entry beside the tag: six for the logarithm of the work, seven for each bound."""

TAG_BITS = 62 - DATA_BITS

WORTH = 127
"""The mask of a worth in an entry."""


@kernel
def find_bucket(m: Ints, key: int) -> int:
    """Where the bucket of *key* begins; TAG is what tells it from other keys there."""
    shift = m[at.SHIFT]
    tag = key >> shift
    m[at.TAG] = tag
    return ((key + _turn(tag)) & ((1 << shift) - 1)) * WAYS


@kernel
def _turn(tag: int) -> int:
    """A number mixed from *tag*, which has up to 48 bits."""
    mixed = (tag & 0xFFFFFF) * 0x1E3779B97F + (tag >> 24) * 0x15D1CE4E5B
    return mixed ^ (mixed >> 31)


@kernel
def key_of(m: Ints, own: int, taken: int, plies: int) -> int:
    """The key of a position; with few marks on the board the smaller of it and that of its mirror image."""
    key = own + taken
    if plies <= m[at.FEW]:
        step, left, mirrored = m[at.STEP], key, 0
        for _ in range(m[at.WIDTH]):
            mirrored = mirrored << step | left & ((1 << step) - 1)
            left >>= step
        key = min(key, mirrored)
    return key


@kernel
def find(t: Ints, bucket: int, tag: int) -> int:
    """What the table keeps of a key, 0 for nothing."""
    for entry in range(bucket, bucket + WAYS):
        if t[entry] >> DATA_BITS == tag and t[entry]:
            return t[entry]
    return 0


@kernel
def store(t: Ints, bucket: int, tag: int, lower: int, upper: int, work: int) -> None:
    """Keep what bounds the worth of the position with *tag*, after *work* nodes."""
    size = 1
    while work > 1:
        work >>= 1
        size += 1
    _put(t, bucket, tag << DATA_BITS | size << 14 | (upper + BIAS) << 7 | lower + BIAS)


@kernel
def _put(t: Ints, bucket: int, about: int) -> None:
    """Put an entry in its bucket, where its key is already or in place of that which took least work."""
    least, room = 64, bucket
    for entry in range(bucket, bucket + WAYS):
        if t[entry] == 0 or t[entry] >> DATA_BITS == about >> DATA_BITS:
            room = entry
            break
        work = t[entry] >> 14 & 63
        if work < least:
            least, room = work, entry
    t[room] = about


@kernel
def enlarge(m: Ints, t: Ints, old: Ints) -> None:
    """Carry the answers of the table *old* over to the larger *t*; each frame finds its place there."""
    before, shift = m[at.SHIFT], m[at.SHIFT]
    while WAYS << shift < len(t):
        shift += 1
    m[at.SHIFT] = shift
    for place in range(len(old)):
        about = old[place]
        if about:
            tag = about >> DATA_BITS
            low = (place // WAYS - _turn(tag)) & ((1 << before) - 1)
            bucket = find_bucket(m, tag << before | low)
            _put(t, bucket, m[at.TAG] << DATA_BITS | about & ((1 << DATA_BITS) - 1))
    here = at.ALL + 2 * m[at.WIDTH]
    for depth in range(m[at.DEPTH] + 1):
        key = key_of(m, m[here + at.OWN], m[here + at.TAKEN], m[at.PLIES] + depth)
        m[here + at.BUCKET] = find_bucket(m, key)
        m[here + at.SIGN] = m[at.TAG]
        here += m[at.FRAME]
