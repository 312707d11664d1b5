"""The transposition table of the Maker-Breaker search: live lines, by two hashes of 104 bits together.

With few marks on the board, symmetric positions share an entry. An answer and its reply are stored for the
one image that represents them.
"""

from noughts.search.maker_breaker.memory import LinesMemory
from noughts.search.numba_backend import Ints, kernel
from noughts.search.table import find_entry, find_room

RUNNING = -1

ENTRY = 3
"""The number of numbers in an entry: the two hashes, and the answer with its reply and its work."""

MAX_WORK = (1 << 40) - 1

SHARED, WORK = 1 << 11, 12
"""The parts of the third number of an entry: the bit of shared answers, and the first bit of the work."""

BREAKER_MOVES = (1 << 51) + 12345
"""Added to a hash if Breaker is to move."""


@kernel
def note_key(m: LinesMemory, depth: int) -> None:
    """Compute the key of the position at *depth*, that of the image with the smallest hash."""
    k, lines, images = m.k, m.line_count, 1
    best, check, frame = m.key, m.check, 0
    if m.ply[depth] <= m.image_marks:
        images = m.images
    for image in range(1, images):
        total, base = 0, image * lines << k
        for line in range(lines):
            lacking = m.lacking[line]
            if lacking:
                total += m.hashes[base + (line << k) + lacking]
        if total < best:
            best, frame = total, image
    if frame:
        check, base = 0, frame * lines << k
        for line in range(lines):
            lacking = m.lacking[line]
            if lacking:
                check += m.checks[base + (line << k) + lacking]
    m.sign[depth] = best + m.turn[depth] * BREAKER_MOVES
    m.seal[depth] = check
    m.frame[depth] = frame


@kernel
def probe(m: LinesMemory, t: Ints, depth: int) -> int:
    """Return the stored answer for the position at *depth*, and set its *reply*.

    The key must have been computed.
    """
    entry = find_entry(t, ENTRY, m.sign[depth], m.seal[depth])
    if entry < 0:
        return RUNNING
    about = t[entry + 2]
    reply = (about >> 1 & 1023) - 1
    if reply >= 0:
        reply = m.origin_of[m.frame[depth] * m.size + reply]
    m.reply[depth] = reply
    return about & 1


@kernel
def store(m: LinesMemory, t: Ints, depth: int, result: int) -> None:
    """Store *result* and the reply at *depth*, unless its move was forced."""
    sign, seal = m.sign[depth], m.seal[depth]
    if sign < 0:
        return
    reply = m.reply[depth]
    if reply >= 0:
        reply = m.image_of[m.frame[depth] * m.size + reply]
    work = min(m.nodes - m.nodes_before[depth], MAX_WORK)
    entry = find_room(t, ENTRY, WORK, sign)
    t[entry] = sign
    t[entry + 1] = seal
    t[entry + 2] = result | reply + 1 << 1 | work << WORK | 1 << 53


@kernel
def list_news(t: Ints, news: Ints) -> int:
    """Write the answers that were never shared to *news*, as many as fit, and return their number."""
    count = 0
    for entry in range(0, len(t), ENTRY):
        about = t[entry + 2]
        if about and not about & SHARED and count * ENTRY < len(news):
            t[entry + 2] = about | SHARED
            for i in range(ENTRY):
                news[count * ENTRY + i] = t[entry + i]
            count += 1
    return count
