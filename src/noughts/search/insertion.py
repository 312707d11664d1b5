"""Lists of moves in the order in which they are to be tried, in the memory of a search."""

from noughts.search.compiled import Ints, kernel


@kernel
def insert(m: Ints, moves: int, scores: int, count: int, most: int, move: int, score: int) -> int:
    """Enter *move* in the list of *count* at *moves*, best first, and first come first; the new count.

    Its scores stand at *scores*. The list keeps the best *most*.
    """
    if count == most:
        if score <= m[scores + count - 1]:
            return count
        count -= 1
    at = count
    while at > 0 and m[scores + at - 1] < score:
        m[moves + at] = m[moves + at - 1]
        m[scores + at] = m[scores + at - 1]
        at -= 1
    m[moves + at] = move
    m[scores + at] = score
    return count + 1
