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


def _text_of(game: Game) -> str:
    """The board as text, for ``print``."""
    from noughts.drawing.text import draw_text

    return "\n".join(draw_text(game))


def _picture_of(game: Game) -> str | None:
    """The board as a picture, for notebooks; None where it is too large to draw."""
    from noughts.drawing.svg import draw_svg
    from noughts.errors import ShapeError

    try:
        return draw_svg(game)
    except ShapeError:
        return None


# Games know nothing of drawing; that they show themselves is added here, where everybody first meets them.
for _name, _shown in (("__str__", _text_of), ("_repr_svg_", _picture_of)):
    setattr(Game, _name, _shown)

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
