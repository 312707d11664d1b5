"""A transposition table: an array of entries of so many numbers, found by two hashes.

An entry of *size* numbers begins with the hashes *sign* and *seal*. Its third number is 0 only if it is
empty, and its last one has the work that it took from the bit *shift* on.
"""

from noughts.search.numba_backend import Ints, inlined, kernel

WAYS = 4
"""How many entries may hold a key: the one that took least work makes room."""


@inlined
def _first_entry(t: Ints, size: int, sign: int) -> int:
    """Where the entries begin that may hold a key."""
    return sign % (len(t) // (size * WAYS)) * size * WAYS


@inlined
def find_entry(t: Ints, size: int, sign: int, seal: int) -> int:
    """Where the table has a key, -1 for nowhere."""
    place = _first_entry(t, size, sign)
    for entry in range(place, place + size * WAYS, size):
        if t[entry] == sign and t[entry + 1] == seal and t[entry + 2]:
            return entry
    return -1


@inlined
def find_room(t: Ints, size: int, shift: int, sign: int) -> int:
    """The entry that a key may take: of those that it may have, an empty one or the one of the least work."""
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
    """Carry the entries of the table *old* over to the larger *t*."""
    for entry in range(0, len(old), size):
        if old[entry + 2]:
            room = find_room(t, size, shift, old[entry])
            for i in range(size):
                t[room + i] = old[entry + i]


@kernel
def add_entries(t: Ints, size: int, shift: int, news: Ints) -> None:
    """Enter the entries *news* of another table."""
    for one in range(0, len(news), size):
        entry = find_entry(t, size, news[one], news[one + 1])
        if entry < 0:
            entry = find_room(t, size, shift, news[one])
        for i in range(size):
            t[entry + i] = news[one + i]
