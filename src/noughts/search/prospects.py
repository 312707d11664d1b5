"""What a move does in games of which lines tell nothing: where the reply must be, and how much is left to it.

All of it is exact; that it is good for the side that moves is what experience says.
"""

from typing import Any

from noughts.games.base import PASS, Game, Move
from noughts.games.kinarow import KInARow
from noughts.games.reversi import Reversi
from noughts.games.ultimate import Ultimate

Prospect = tuple[str, dict[str, Any]]
"""The code of a :class:`~noughts.search.reasons.Reason` and its data."""


def prospect(game: Game, move: Move) -> Prospect | None:
    """What a legal *move*, after which the game goes on, does; None where there is nothing to tell of it.

    >>> prospect(Ultimate(), (0, 2))
    ('sends', {'field': ((2, 6), (0, 8)), 'replies': 9})
    >>> prospect(Reversi(), (2, 3))
    ('leaves', {'replies': 3})
    """
    if isinstance(game, KInARow) or len(game.sides) != 2:
        return None
    after = game.copy()
    after.play(move)
    if isinstance(game, Reversi) and move in _corners(game):
        return "takes-corner", {}
    replies = sum(reply != PASS for reply in after.legal_moves())
    if not replies:
        return "leaves-pass", {}
    if isinstance(game, Ultimate) and isinstance(after, Ultimate):
        return _of_fields(game, after, replies)
    return "leaves", {"replies": replies}


def _corners(game: Game) -> set[Move]:
    rows, columns = game.shape
    return {(row, column) for row in (0, rows - 1) for column in (0, columns - 1)}


def _of_fields(game: Ultimate, after: Ultimate, replies: int) -> Prospect:
    if after.fields.count(game.turn) > game.fields.count(game.turn):
        return "wins-field", {}
    if after.state.open_field is None:
        return "leaves", {"replies": replies}
    row, column = (3 * number for number in divmod(after.state.open_field, 3))
    return "sends", {"field": ((row + 2, column), (row, column + 2)), "replies": replies}
