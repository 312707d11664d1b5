"""Where things stand in the numbers that describe a board to the kernels, and the codes these answer with."""

ONGOING = -2
"""The winner of a game that goes on."""

DRAWN = -1
"""The winner of a game that nobody has won."""

EMPTY = -1
"""What stands on a cell without a mark."""

EDGE = -3
"""What stands behind the last cell of each game: where the board ends there is never a mark."""

(
    SIZE,  # cells
    WIDTH,  # columns; where nothing falls each cell is one
    SIDES,
    MARKS,  # how many the mover chooses from: 1 but in wild games
    ALIKE,  # whether everybody places the first mark
    LOSES,  # whether who completes a line loses
    K,
    EXACT,  # whether more than k is no line
    VANISH,  # how many marks of a side stay; 0: all
    SOONEST,  # marks on the board before which no game ends
    WAYS,  # numbers of NEXT for all directions
    CAPACITY,  # moves of each game that there is room for
    ROW,  # cells and the edge
    ACTIONS,
    PLANES,  # of an observation
    LENGTH,  # how many numbers these are
) = range(16)
