"""How a window is shared out between the board, the margin, the status and the notes."""

from dataclasses import dataclass

from noughts.games.base import Game
from noughts.games.drawing.view import View
from noughts.games.drawing.window import draw_window

WIDE_FROM, NORMAL_FROM = 90, 56
"""Columns from which the margin is wide, and from which there can be one at all."""

WIDE_MARGIN, NORMAL_MARGIN = 32, 24
"""Columns of the margin with its line."""

HIGH_FROM, LOW_BELOW = 16, 10
"""Lines from which the status has two lines and a blank one, and below which it has one alone."""


@dataclass(frozen=True, slots=True)
class Arrangement:
    """Columns of the margin (0: none), lines of the status above the board, of notes below, of the footer.

    With ``has_board`` false there is no room for a single cell.
    """

    margin: int
    status: int
    notes: int
    footer: int
    has_board: bool = True


def arrange(game: Game, width: int, height: int, *, unicode: bool) -> Arrangement:
    """The arrangement that shows most of the board of *game* in a window of *width* x *height*."""
    footer = int(height > 3)
    status = 3 if height >= HIGH_FROM else 2 if height >= LOW_BELOW else int(height > 1)
    left = height - footer - status
    if not draw_window(game, View(), width=width, height=left, unicode=unicode).rows:
        return Arrangement(0, height, 0, 0, has_board=False)
    margin = _margin(game, width, left, unicode=unicode)
    notes = 0 if margin else _lines_left(game, width, left, unicode=unicode)
    return Arrangement(margin, status, notes, footer)


def _margin(game: Game, width: int, height: int, *, unicode: bool) -> int:
    if width >= WIDE_FROM:
        return WIDE_MARGIN
    if width < NORMAL_FROM:
        return 0
    window = draw_window(game, View(), width=width - NORMAL_MARGIN, height=height, unicode=unicode)
    is_whole = window.plane is None and not any(window.hidden)
    return NORMAL_MARGIN if is_whole and window.rows else 0


def _lines_left(game: Game, width: int, height: int, *, unicode: bool) -> int:
    """The lines that the board leaves free, and at least two where the window is not low."""
    window = draw_window(game, View(), width=width, height=height, unicode=unicode)
    layers = int(window.plane is not None)
    least = 2 if height >= LOW_BELOW else 0
    return max(least, min(8, height - window.height - layers))
