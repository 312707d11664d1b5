"""k-in-a-row games: boards of any shape, games on them, and players from random to perfect.

>>> from noughts import TicTacToe
>>> game = TicTacToe()
>>> game[1, 1] = "X"
>>> game.turn
'O'

Each name is loaded when it is first used, so that ``import noughts`` takes no time. Errors are in
``noughts.errors``.
"""

from importlib import import_module

__version__ = "0.1.0"

TYPE_CHECKING = False  # Importing it takes longer than everything else.
if TYPE_CHECKING:
    from typing import Any

    from noughts.arena.match import Match as Match
    from noughts.arena.runner import play as play
    from noughts.arena.series import Series as Series
    from noughts.batch.batch import Batch as Batch
    from noughts.core.board import Board as Board
    from noughts.drawing.board_text import draw_text as draw_text
    from noughts.drawing.svg import draw_svg as draw_svg
    from noughts.drawing.tree import Tree as Tree
    from noughts.drawing.tree import draw_tree as draw_tree
    from noughts.errors import NoughtsError as NoughtsError
    from noughts.games.base import Game as Game
    from noughts.games.base import Outcome as Outcome
    from noughts.games.catalogue import game_names as game_names
    from noughts.games.catalogue import new_game as new_game
    from noughts.games.kinarow import KInARow as KInARow
    from noughts.games.kinarow import TicTacToe as TicTacToe
    from noughts.games.moves import Placement as Placement
    from noughts.games.perft import perft as perft
    from noughts.games.rules import Rules as Rules
    from noughts.players.base import Player as Player
    from noughts.players.base import new_player as new_player
    from noughts.players.base import player_names as player_names
    from noughts.players.trees import search_tree as search_tree
    from noughts.records.formats import Record as Record
    from noughts.search.analysis import Analysis as Analysis
    from noughts.search.analysis import Limit as Limit
    from noughts.search.analyst import analyse as analyse
    from noughts.search.analyst import solve as solve

_MODULES = {
    "arena.match": ("Match",),
    "arena.runner": ("play",),
    "arena.series": ("Series",),
    "batch.batch": ("Batch",),
    "core.board": ("Board",),
    "drawing.svg": ("draw_svg",),
    "drawing.board_text": ("draw_text",),
    "drawing.tree": ("Tree", "draw_tree"),
    "errors": ("NoughtsError",),
    "games.base": ("Game", "Outcome"),
    "games.catalogue": ("game_names", "new_game"),
    "games.kinarow": ("KInARow", "TicTacToe"),
    "games.moves": ("Placement",),
    "games.perft": ("perft",),
    "games.rules": ("Rules",),
    "players.base": ("Player", "new_player", "player_names"),
    "players.trees": ("search_tree",),
    "records.formats": ("Record",),  # It knows all file formats.
    "search.analysis": ("Analysis", "Limit"),
    "search.analyst": ("analyse", "solve"),
}
"""The modules of the public names."""

__all__ = sorted(name for names in _MODULES.values() for name in names)


def __getattr__(name: str) -> "Any":
    """Load *name* once."""
    for module, names in _MODULES.items():
        if name in names:
            value = getattr(import_module(f"noughts.{module}"), name)
            globals()[name] = value
            return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__} - {"TYPE_CHECKING", "import_module"})
