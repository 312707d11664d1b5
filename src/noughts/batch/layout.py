"""What kernels are given: games as arrays, a board as numbers; and the codes that they answer with."""

from typing import NamedTuple

from noughts.search.numba_backend import Bytes, Ints, Words


class Games(NamedTuple):
    """The arrays that a batch is: a row or number for each game, for kernels one after the other."""

    cells: Bytes
    """The number of the mark on each cell, or EMPTY; behind the last cell EDGE."""

    turn: Bytes
    winner: Bytes
    filled: Words
    """How many marks stand on the board."""

    moves: Words
    """The placings that led here: first those that stood when the game began."""

    begun: Words
    """How many of them stood then."""

    length: Words
    """How many there are."""

    chance: Ints


class ScratchBoard(NamedTuple):
    """Where one game is played to its end at random, beside the others."""

    cells: Bytes
    open_cells: Words
    moves: Words


class PlayoutResults(NamedTuple):
    """What came of random games, one number for each."""

    winners: Bytes
    plies: Words


ONGOING = -2
"""The winner of a game that goes on."""

DRAWN = -1
"""The winner of a game that nobody has won."""

OK = -1
"""All was done; else the number of the first game that was not."""

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
