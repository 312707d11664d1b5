"""The arguments of the kernels: games as arrays, the board as numbers, and the codes of results."""

from typing import NamedTuple

from noughts.search.numba_backend import Bytes, Ints, Words


class Games(NamedTuple):
    """The arrays of a batch, with a row or a number for each game. Kernels get them flattened."""

    cells: Bytes
    """The number of the mark on each cell, or EMPTY; EDGE after the last cell."""

    turn: Bytes
    winner: Bytes
    filled: Words
    """The number of marks on the board."""

    moves: Words
    """The placings of all marks, first those that were on the board when the game started."""

    begun: Words
    """The number of placings before the game started."""

    length: Words
    """The number of placings."""

    chance: Ints


class ScratchBoard(NamedTuple):
    """The board on which one game is played to its end at random, beside the others."""

    cells: Bytes
    open_cells: Words
    moves: Words


class PlayoutResults(NamedTuple):
    """The results of random games, one number for each."""

    winners: Bytes
    plies: Words


ONGOING = -2
"""The winner of an unfinished game."""

DRAWN = -1
"""The winner of a draw."""

OK = -1
"""The result if all games were played; otherwise it is the number of the first game that was not."""

EMPTY = -1
"""The number of a cell without a mark."""

EDGE = -3
"""The number after the last cell of each game: there is never a mark beyond the board."""

(
    SIZE,  # cells
    WIDTH,  # columns; if nothing falls, each cell is one
    SIDES,
    MARKS,  # marks that the mover chooses from: 1 except in wild games
    ALIKE,  # 1 if every side places the first mark
    LOSES,  # 1 if a side that completes a line loses
    K,
    EXACT,  # 1 if more than k in a row are no line
    VANISH,  # the number of marks of a side that stay; 0: all
    SOONEST,  # the least number of marks at the end of a game
    WAYS,  # numbers in the table of neighbours for all directions
    CAPACITY,  # the number of moves for which each game has room
    ROW,  # cells and the edge
    ACTIONS,
    PLANES,  # planes of an observation
    LENGTH,  # the length of this list of indices
) = range(16)
