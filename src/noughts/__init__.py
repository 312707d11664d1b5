"""Everything k-in-a-row: a board of any shape, games on it, players from random to perfect.

>>> from noughts import TicTacToe
>>> game = TicTacToe()
>>> game[1, 1] = "X"
>>> game.turn
'O'
"""

from noughts.arena.runner import play
from noughts.core.board import Board
from noughts.errors import NoughtsError
from noughts.games.base import Game, Outcome, Placement
from noughts.games.catalogue import new_game
from noughts.games.kinarow import KInARow, TicTacToe
from noughts.games.perft import perft
from noughts.games.rules import Rules
from noughts.players.base import Player

__all__ = [
    "Board",
    "Game",
    "KInARow",
    "NoughtsError",
    "Outcome",
    "Placement",
    "Player",
    "Rules",
    "TicTacToe",
    "new_game",
    "perft",
    "play",
]
