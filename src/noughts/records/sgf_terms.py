"""What reading and writing SGF share: which games it holds, and how it calls things."""

from noughts.errors import UnsupportedRules
from noughts.games.base import Game

MAX_SIDE = 52
"""The longest side of a board: coordinates are the letters a-z and A-Z."""

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
COLOURS = ("B", "W")

HEADERS = {
    "title": "GN",
    "event": "EV",
    "round": "RO",
    "place": "PC",
    "date": "DT",
    "opening": "ON",
    "annotator": "AN",
    "source": "SO",
    "user": "US",
    "copyright": "CP",
}
"""The headers that are SGF properties of one line; ``comment`` is the comment of the first node."""

REASONS = {"resignation": "R", "time": "T", "forfeit": "F"}
"""The letters behind a result; other terminations have none."""
TERMINATIONS = {letter: termination for termination, letter in REASONS.items()}


def check_supported(game: Game) -> None:
    """Raise :class:`~noughts.errors.UnsupportedRules` for games that SGF cannot hold."""
    reason = None
    if game.rules is None:
        reason = "not-k-in-a-row"
    elif len(game.shape) != 2:
        reason = "not-flat"
    elif max(game.shape) > MAX_SIDE:
        reason = "too-large"
    elif len(game.sides) != 2:
        reason = "not-two-sides"
    if reason is not None:
        raise UnsupportedRules("sgf", game.name, reason)
