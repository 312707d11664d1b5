"""A transposition table: an array of entries of a fixed size, found by two hashes.

An entry of *size* numbers starts with the hashes *sign* and *seal*. Its third number is 0 only if it is
empty. Its last number has the work of the entry from the bit *shift* on.
"""

from noughts.search.numba_backend import Ints, inlined, kernel

WAYS = 4
"""The number of entries that may hold a key. The entry that took least work is replaced."""


@inlined
def _first_entry(t: Ints, size: int, sign: int) -> int:
    """Return the first of the entries that may hold a key."""
    return sign % (len(t) // (size * WAYS)) * size * WAYS


@inlined
def find_entry(t: Ints, size: int, sign: int, seal: int) -> int:
    """Return the entry of a key, -1 if the table has none."""
    place = _first_entry(t, size, sign)
    for entry in range(place, place + size * WAYS, size):
        if t[entry] == sign and t[entry + 1] == seal and t[entry + 2]:
            return entry
    return -1


@inlined
def find_room(t: Ints, size: int, shift: int, sign: int) -> int:
    """Return the entry to use for a key: an empty one, or the one that took least work."""
    place = _first_entry(t, size, sign)
    least = place
    for entry in range(place, place + size * WAYS, size):
        if t[entry + 2] == 0:
            return entry
        if t[entry + size - 1] >> shift < t[least + size - 1] >> shift:
            least = entry
    return least


@kernel
def enlarge(t: Ints, size: int, shift: int, old: Ints) -> None:
    """Copy the entries of the table *old* to the larger *t*."""
    for entry in range(0, len(old), size):
        if old[entry + 2]:
            room = find_room(t, size, shift, old[entry])
            for i in range(size):
                t[room + i] = old[entry + i]


@kernel
def add_entries(t: Ints, size: int, shift: int, news: Ints) -> None:
    """Add the entries *news* of another table."""
    for one in range(0, len(news), size):
        entry = find_entry(t, size, news[one], news[one + 1])
        if entry < 0:
            entry = find_room(t, size, shift, news[one])
        for i in range(size):
            t[entry + i] = news[one + i]
