"""Random games on boards of few cells, with a table of all sets of marks that contain a line.

There are two sides with a mark each, up to 15 cells, and no gravity. The marks of a side are a set of cells:
a number with a bit for each. The open cells are listed in one number, four bits for each.
"""

from noughts.batch import layout as at
from noughts.batch.chance import advance, pick, without
from noughts.batch.kernels import keep_result
from noughts.batch.layout import Games, PlayoutResults
from noughts.search.numba_backend import Bytes, Ints, inlined, released

MAX_CELLS = 15

IN_ORDER = sum(cell << 4 * cell for cell in range(MAX_CELLS))
"""The open cells of an empty board, followed by some that it does not have."""


@released
def play_out_tiny(
    b: Ints, has_line: Bytes, games: Games, results: PlayoutResults, first: int, last: int
) -> int:
    """Play games number *first* to *last* - 1 to their end at random. Their boards do not change.

    ``has_line[marks]`` is not 0 if a side with these *marks* has a line.
    """
    for game in range(first, last):
        if games.winner[game] != at.ONGOING:
            keep_result(games, results, game)
        else:
            play_one(b, has_line, games, results, game)
    return at.OK


@inlined
def play_one(b: Ints, has_line: Bytes, games: Games, results: PlayoutResults, game: int) -> None:
    """Play *game* to its end: first the moves that cannot end it, then the others."""
    own, other, order, count = 0, 0, IN_ORDER, b[at.SIZE]
    if games.filled[game]:
        own, other, order, count = set_up(b, games, game)
    open_at_first, open_at_soonest = count, b[at.SIZE] - b[at.SOONEST]
    state, winner = games.chance[game], at.DRAWN
    while count > open_at_soonest + 1:
        state, order, cell = draw(state, order, count)
        own, other = other, own | 1 << cell
        count -= 1
    while count:
        state, order, cell = draw(state, order, count)
        own, other = other, own | 1 << cell
        count -= 1
        if has_line[other]:
            made = open_at_first - count
            winner = (games.turn[game] + made + 1 + b[at.LOSES]) & 1
            break
    games.chance[game], results.winners[game] = state, winner
    results.plies[game] = games.length[game] - games.begun[game] + open_at_first - count


@inlined
def set_up(b: Ints, games: Games, game: int) -> tuple[int, int, int, int]:
    """Return the marks in *game* of the side to move and the other side, the open cells, and their number."""
    own, other, order, count = 0, 0, 0, 0
    for cell in range(b[at.SIZE]):
        mark = games.cells[game * b[at.ROW] + cell]
        if mark == at.EMPTY:
            order |= cell << 4 * count
            count += 1
        elif mark == games.turn[game]:
            own |= 1 << cell
        else:
            other |= 1 << cell
    return own, other, order, count


@inlined
def draw(state: int, order: int, count: int) -> tuple[int, int, int]:
    """Draw one of *count* open cells; return the next *state*, the *order* without the cell, and the cell."""
    state = advance(state)
    shift = pick(state, count) << 2
    return state, without(order, shift, count - 1), order >> shift & 15
