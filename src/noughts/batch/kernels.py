"""The kernels of a batch: moves, observations and random games.

All games of a batch have the same rules. Their cells, moves and so on follow one another in the arrays of
``layout.Games``. A cell holds the number of its mark, or EMPTY. After the cells of each game comes EDGE, to
which the table of neighbours leads from the edges of the board. A move is stored as its *placing*: the cell,
times the number of marks that its mover chooses from, plus the mark.
"""

from noughts.batch import layout as at
from noughts.batch.chance import advance, pick
from noughts.batch.layout import Games, PlayoutResults, ScratchBoard
from noughts.search.numba_backend import Bytes, Floats, Ints, Words, inlined, released


@inlined
def has_line(b: Ints, around: Words, sets: Bytes, cells: Bytes, cell: int, mark: int) -> bool:
    """Return True if the *mark* on *cell* is in a line.

    On boards of few cells, *sets* has the answer for each set of cells, without branches for a processor to
    predict.
    """
    if len(sets):
        held = 0
        for each in range(b[at.SIZE]):
            held |= (cells[each] == mark) << each
        return sets[held] != 0
    row, k, exact = b[at.ROW], b[at.K], b[at.EXACT]
    for way in range(0, b[at.WAYS], row + row):
        run = 1
        ahead = around[way + cell]
        while cells[ahead] == mark and ahead != cell:
            run += 1
            ahead = around[way + ahead]
        if ahead != cell:  # Otherwise the run went once around and includes all.
            ahead = around[way + row + cell]
            while cells[ahead] == mark:
                run += 1
                ahead = around[way + row + ahead]
        if run >= k and (run == k or not exact):
            return True
    return False


@inlined
def oldest(b: Ints, moves: Words, length: int) -> int:
    """Return the cell of the mark that leaves with the last of *length* moves; -1 if none does."""
    if b[at.VANISH]:
        before = length - 1 - b[at.VANISH] * b[at.SIDES]
        if before >= 0:
            return moves[before]
    return -1


@inlined
def is_repeated(b: Ints, moves: Words, begun: int, length: int) -> bool:
    """Return True if the position after *length* moves has come up three times since move *begun*.

    If marks vanish, a position is identified by the moves that placed its marks.
    """
    window, sides = b[at.VANISH] * b[at.SIDES], b[at.SIDES]
    times, end = 1, length - sides
    while end >= begun and end >= window:
        if moves[end - 1] == moves[length - 1]:
            same = 2
            while same <= window and moves[end - same] == moves[length - same]:
                same += 1
            if same > window:
                times += 1
        end -= sides
    return times >= 3


@inlined
def winner_after(b: Ints, side: int, has_ended_by_line: bool, filled: int) -> int:
    """Return the winner after a move of *side* that completed a line or filled the board, or ONGOING."""
    if has_ended_by_line:
        return b[at.SIDES] - 1 - side if b[at.LOSES] else side
    return at.DRAWN if filled == b[at.SIZE] else at.ONGOING


@inlined
def place(
    b: Ints,
    around: Words,
    sets: Bytes,
    cells: Bytes,
    moves: Words,
    begun: int,
    length: int,
    side: int,
    filled: int,
    cell: int,
    chosen: int,
) -> int:
    """Make a move of *side* to *cell* after *length* others; return the winner after it, or ONGOING.

    *chosen* is the mark if movers choose it, else 0. *filled* is the number of marks on the board after the
    move, without one that leaves.
    """
    mark = chosen if b[at.MARKS] > 1 else side * (1 - b[at.ALIKE])
    moves[length] = cell * b[at.MARKS] + chosen
    cells[cell] = mark
    gone = oldest(b, moves, length + 1)
    if gone >= 0:
        cells[gone] = at.EMPTY
    is_line = filled >= b[at.SOONEST] and has_line(b, around, sets, cells, cell, mark)
    winner = winner_after(b, side, is_line, filled)
    if gone >= 0 and winner == at.ONGOING and is_repeated(b, moves, begun, length + 1):
        return at.DRAWN
    return winner


@inlined
def lowest(b: Ints, cells: Bytes, column: int) -> int:
    """Return the cell on which a mark comes to rest in *column*; it is negative if the column is full."""
    cell = b[at.SIZE] - b[at.WIDTH] + column
    while cell >= 0 and cells[cell] != at.EMPTY:
        cell -= b[at.WIDTH]
    return cell


@released
def count_refused(b: Ints, games: Games, actions: Ints, refused: Bytes) -> int:
    """Set *refused* for the *actions* that their games do not allow, and return their number.

    -1 means no action.
    """
    count, marks = 0, b[at.MARKS]
    for game in range(len(actions)):
        action, is_refused = actions[game], False
        if action < 0 or action >= b[at.ACTIONS] or games.winner[game] != at.ONGOING:
            is_refused = action != -1
        else:  # The top cell decides: columns fill from below, and if nothing falls they have one cell.
            column = action if marks == 1 else action // marks
            is_refused = games.cells[game * b[at.ROW] + column] != at.EMPTY
        refused[game] = is_refused
        count += is_refused
    return count


@released
def list_legal(b: Ints, games: Games, legal: Bytes) -> None:
    """Set *legal* for the actions that each game allows."""
    actions, marks, width, row = b[at.ACTIONS], b[at.MARKS], b[at.WIDTH], b[at.ROW]
    for game in range(len(games.winner)):
        allowed = legal[game * actions : (game + 1) * actions]
        top = games.cells[game * row : game * row + width]
        empty = at.EMPTY if games.winner[game] == at.ONGOING else at.EDGE
        if marks == 1:
            for column in range(width):
                allowed[column] = top[column] == empty
        else:
            for column in range(width):
                for mark in range(marks):
                    allowed[column * marks + mark] = top[column] == empty


@released
def observe(b: Ints, games: Games, seen: Bytes) -> None:
    """Set the planes *seen* to the marks from the point of view of the side to move."""
    size, sides, vanish, planes = b[at.SIZE], b[at.SIDES], b[at.VANISH], b[at.PLANES]
    is_owned = b[at.MARKS] == 1 and not b[at.ALIKE]
    for game in range(len(games.turn)):
        plane = game * planes * size
        if vanish:
            for place_in_planes in range(plane, plane + planes * size):
                seen[place_in_planes] = 0
            for back in range(1, min(planes, games.length[game]) + 1):  # The last move is number 1.
                mover = (planes - back) % sides  # counted from the side to move
                stays = vanish - 1 - (back - 1) // sides
                cell = games.moves[game * b[at.CAPACITY] + games.length[game] - back]
                seen[plane + (mover * vanish + stays) * size + cell] = 1
        else:
            mark, base = games.turn[game] if is_owned else 0, game * b[at.ROW]
            for _ in range(planes):
                # Slices are views here, and no index is negative, so that they compile to far less code.
                shown, source = seen[plane : plane + size], games.cells[base : base + size]
                for cell in range(size):
                    shown[cell] = source[cell] == mark
                plane += size
                mark = mark + 1 if mark + 1 < planes else 0


@released
def step(
    b: Ints,
    around: Words,
    sets: Bytes,
    games: Games,
    actions: Ints,
    rewards: Floats,
    ended: Bytes,
    again: int,
) -> None:
    """Make *actions*, which must all be legal. Finished games start *again*, unless that is 0."""
    marks, sides = b[at.MARKS], b[at.SIDES]
    share = -1 / (sides - 1)  # the reward of each loser
    for game in range(len(actions)):
        action, won = actions[game], at.ONGOING
        if action >= 0:
            column, chosen = action, 0
            if marks > 1:
                column, chosen = action // marks, action % marks
            won = move(b, around, sets, games, game, column, chosen)
        for side in range(game * sides, (game + 1) * sides):
            rewards[side] = 0 if won < 0 else share
        if won >= 0:
            rewards[game * sides + won] = 1
        ended[game] = games.winner[game] != at.ONGOING
        if again and ended[game]:
            begin(b, games, game)


@inlined
def move(b: Ints, around: Words, sets: Bytes, games: Games, game: int, column: int, chosen: int) -> int:
    """Make the move to *column* in *game*; return the winner after it, or ONGOING."""
    row, capacity, window = b[at.ROW], b[at.CAPACITY], b[at.VANISH] * b[at.SIDES]
    side, length = games.turn[game], games.length[game]
    if window == 0 or games.filled[game] < window:
        games.filled[game] += 1
    cells = games.cells[game * row : (game + 1) * row]
    moves = games.moves[game * capacity : (game + 1) * capacity]
    cell = lowest(b, cells, column)
    won = place(
        b, around, sets, cells, moves, games.begun[game], length, side, games.filled[game], cell, chosen
    )
    games.winner[game], games.length[game] = won, length + 1
    games.turn[game] = side + 1 if side + 1 < b[at.SIDES] else 0
    return won


@inlined
def begin(b: Ints, games: Games, game: int) -> None:
    """Restart *game*."""
    cells = games.cells[game * b[at.ROW] : game * b[at.ROW] + b[at.SIZE]]
    for cell in range(b[at.SIZE]):
        cells[cell] = at.EMPTY
    games.turn[game], games.winner[game] = 0, at.ONGOING
    games.filled[game] = games.begun[game] = games.length[game] = 0


@released
def restart(b: Ints, games: Games, which: Bytes) -> None:
    """Restart the games for which *which* is not 0."""
    for game in range(len(which)):
        if which[game]:
            begin(b, games, game)


@released
def play_out(
    b: Ints,
    around: Words,
    sets: Bytes,
    games: Games,
    scratch: ScratchBoard,
    results: PlayoutResults,
    first: int,
    last: int,
) -> int:
    """Play games number *first* to *last* - 1 to their end at random, on the *scratch* board.

    Return the number of the first game that needs more moves than there is room for, or OK.
    """
    for game in range(first, last):
        if games.winner[game] != at.ONGOING:
            keep_result(games, results, game)
        elif not play_one(b, around, sets, games, game, scratch, results):
            return game
    return at.OK


@inlined
def keep_result(games: Games, results: PlayoutResults, game: int) -> None:
    """Store the result of *game*, which is over already."""
    results.winners[game] = games.winner[game]
    results.plies[game] = games.length[game] - games.begun[game]


@inlined
def set_up(b: Ints, games: Games, game: int, scratch: ScratchBoard) -> int:
    """Copy the position of *game* to the *scratch* board, list the open cells, and return their number."""
    source, count = games.cells[game * b[at.ROW] : (game + 1) * b[at.ROW]], 0
    for cell in range(b[at.ROW]):
        scratch.cells[cell] = source[cell]
    if b[at.VANISH]:
        for number in range(games.length[game]):
            scratch.moves[number] = games.moves[game * b[at.CAPACITY] + number]
    for column in range(b[at.WIDTH]):
        cell = lowest(b, scratch.cells, column)
        if cell >= 0:
            scratch.open_cells[count] = cell
            count += 1
    return count


@inlined
def play_one(
    b: Ints,
    around: Words,
    sets: Bytes,
    games: Games,
    game: int,
    scratch: ScratchBoard,
    results: PlayoutResults,
) -> bool:
    """Play *game* to its end on the *scratch* board; return False if there is no room for its moves."""
    marks, width, sides, window = b[at.MARKS], b[at.WIDTH], b[at.SIDES], b[at.VANISH] * b[at.SIDES]
    count, open_cells = set_up(b, games, game, scratch), scratch.open_cells
    side, filled, begun, length = games.turn[game], games.filled[game], games.begun[game], games.length[game]
    winner, state = at.ONGOING, games.chance[game]
    while winner == at.ONGOING:
        if length == len(scratch.moves):
            return False
        state = advance(state)
        number = pick(state, count * marks)
        place_in_list, chosen = number, 0
        if marks > 1:
            place_in_list, chosen = number // marks, number % marks
        cell = open_cells[place_in_list]
        if cell >= width:
            open_cells[place_in_list] = cell - width
        else:
            count -= 1
            open_cells[place_in_list] = open_cells[count]
        if window and filled == window:  # The oldest mark leaves.
            open_cells[count] = scratch.moves[length - window]
            count += 1
        else:
            filled += 1
        winner = place(
            b, around, sets, scratch.cells, scratch.moves, begun, length, side, filled, cell, chosen
        )
        length += 1
        side = side + 1 if side + 1 < sides else 0
    games.chance[game], results.winners[game], results.plies[game] = state, winner, length - begun
    return True
