"""Random games on small boards where marks fall, on two numbers for a position and tables.

There are two sides with a mark each, up to 15 columns, and lines of up to four cells that do not wrap around.
Each cell has a bit, and above each column there is a bit that is never set. So the marks of a side, shifted
by a stride and combined with themselves by "and", show neighbouring marks. The open columns are listed in one
number, four bits for each. A mark comes to rest on the bit to which adding the lowest bit of its column
carries.
"""

from noughts.batch import layout as at
from noughts.batch.chance import advance, pick, without
from noughts.batch.kernels import keep_result
from noughts.batch.layout import Games, PlayoutResults
from noughts.search.numba_backend import Ints, inlined, released

MAX_COLUMNS = 15
MAX_BITS = 62
MAX_K = 4
WAYS = 4

SHIFTS = 0
"""The first and the second shift of the marks for each of four directions."""
BOTTOMS = SHIFTS + 2 * WAYS
"""The lowest bit of each column."""
COLUMNS = BOTTOMS + MAX_COLUMNS
"""The mask of each column."""
BITS = COLUMNS + MAX_COLUMNS
"""The bit of each cell."""

IN_ORDER = sum(column << 4 * column for column in range(MAX_COLUMNS))
"""The open columns of an empty board, followed by some that it does not have."""


@released
def play_out_falling(b: Ints, m: Ints, games: Games, results: PlayoutResults, first: int, last: int) -> int:
    """Play games number *first* to *last* - 1 to their end at random. Their boards do not change.

    *m* has the shifts and bits of the board.
    """
    for game in range(first, last):
        if games.winner[game] != at.ONGOING:
            keep_result(games, results, game)
        else:
            play_one(b, m, games, results, game)
    return at.OK


@inlined
def play_one(b: Ints, m: Ints, games: Games, results: PlayoutResults, game: int) -> None:
    """Play *game* to its end."""
    own, taken, order, count = 0, 0, IN_ORDER, b[at.WIDTH]
    if games.filled[game]:
        own, taken, order, count = set_up(b, m, games, game)
    state, winner, side, placed = games.chance[game], at.ONGOING, games.turn[game], games.filled[game]
    while winner == at.ONGOING:
        state = advance(state)
        shift = pick(state, count) << 2
        column = order >> shift & 15
        bottom, whole = m[BOTTOMS + column], m[COLUMNS + column]
        move = (taken + bottom) & whole
        taken |= move
        own |= move
        placed += 1
        if placed >= b[at.SOONEST] and has_line(m, own):
            winner = 1 - side if b[at.LOSES] else side
        if (taken + bottom) & whole == 0:
            count -= 1
            order = without(order, shift, count)
            if count == 0 and winner == at.ONGOING:
                winner = at.DRAWN
        own ^= taken
        side = 1 - side
    games.chance[game], results.winners[game] = state, winner
    results.plies[game] = games.length[game] - games.begun[game] + placed - games.filled[game]


@inlined
def set_up(b: Ints, m: Ints, games: Games, game: int) -> tuple[int, int, int, int]:
    """Return the marks of the side to move in *game*, all marks, the open columns, and their number."""
    own, taken, order, count, base = 0, 0, 0, 0, game * b[at.ROW]
    for cell in range(b[at.SIZE]):
        mark = games.cells[base + cell]
        if mark != at.EMPTY:
            taken |= m[BITS + cell]
            if mark == games.turn[game]:
                own |= m[BITS + cell]
    for column in range(b[at.WIDTH]):
        if games.cells[base + column] == at.EMPTY:
            order |= column << 4 * count
            count += 1
    return own, taken, order, count


@inlined
def has_line(m: Ints, marks: int) -> bool:
    """Return True if *marks* contain a line: pairs of neighbours are shifted and combined with others."""
    result = 0
    for way in range(SHIFTS, SHIFTS + 2 * WAYS, 2):
        pairs = marks & marks >> m[way]
        result |= pairs & pairs >> m[way + 1]
    return result != 0
