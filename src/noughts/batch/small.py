"""Random games on boards so small that a position is two numbers: nothing is read from memory but tables.

Two sides that each have a mark, up to 15 columns, lines of up to four cells that do not go round. Each cell
has a bit, and between columns or rows lie bits that are never set, so that the marks of a side, shifted by a
stride and met with themselves, show what lies side by side. The columns that are open stand in one number,
four bits for each; a mark comes to rest where adding the lowest bit of its column carries to.
"""

from noughts.batch import layout as at
from noughts.batch.chance import advance, pick
from noughts.batch.layout import Games, Results
from noughts.search.compiled import Ints, released

MAX_COLUMNS = 15
MAX_BITS = 62
MAX_K = 4
WAYS = 4

SIZE, WIDTH, ROW, LOSES, SOONEST, ORDER = range(6)
SHIFTS = 6
"""For each of four directions, by how much marks are shifted the first and the second time."""
BOTTOMS = SHIFTS + 2 * WAYS
"""The lowest bit of each column."""
COLUMNS = BOTTOMS + MAX_COLUMNS
"""All bits of it."""
BITS = COLUMNS + MAX_COLUMNS
"""The bit of each cell."""


@released
def play_out_small(p: Ints, games: Games, results: Results, first: int, last: int) -> None:
    """Play the games from number *first* to before *last* to their end at random, beside their boards."""
    north, north_again = p[SHIFTS], p[SHIFTS + 1]
    east, east_again = p[SHIFTS + 2], p[SHIFTS + 3]
    rising, rising_again = p[SHIFTS + 4], p[SHIFTS + 5]
    falling, falling_again = p[SHIFTS + 6], p[SHIFTS + 7]
    size, width, row, loses, soonest = p[SIZE], p[WIDTH], p[ROW], p[LOSES], p[SOONEST]
    for game in range(first, last):
        if games.winner[game] != at.ONGOING:
            results.winners[game] = games.winner[game]
            results.plies[game] = games.length[game] - games.begun[game]
            continue
        own, taken, order, count, base, side = 0, 0, p[ORDER], width, game * row, games.turn[game]
        placed = games.filled[game]
        if placed:
            order, count = 0, 0
            for cell in range(size):
                if games.cells[base + cell] != at.EMPTY:
                    taken |= p[BITS + cell]
                    if games.cells[base + cell] == side:
                        own |= p[BITS + cell]
            for column in range(width):
                if games.cells[base + column] == at.EMPTY:
                    order |= column << 4 * count
                    count += 1
        state, result = games.chance[game], at.ONGOING
        while result == at.ONGOING:
            state = advance(state)
            shift = pick(state, count) << 2
            column = order >> shift & 15
            move = (taken + p[BOTTOMS + column]) & p[COLUMNS + column]
            taken |= move
            own |= move
            placed += 1
            if placed >= soonest:
                a, b = own & own >> north, own & own >> east
                c, d = own & own >> rising, own & own >> falling
                a &= a >> north_again
                b &= b >> east_again
                c &= c >> rising_again
                d &= d >> falling_again
                if a | b | c | d:
                    result = 1 - side if loses else side
            if (taken + p[BOTTOMS + column]) & p[COLUMNS + column] == 0:
                count -= 1
                order ^= (column ^ (order >> 4 * count & 15)) << shift
                if count == 0 and result == at.ONGOING:
                    result = at.DRAWN
            own ^= taken
            side = 1 - side
        games.chance[game], results.winners[game] = state, result
        results.plies[game] = games.length[game] - games.begun[game] + placed - games.filled[game]
