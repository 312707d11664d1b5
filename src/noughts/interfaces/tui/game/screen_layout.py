"""The layout of a window: board, sidebar, status and notes."""

from dataclasses import dataclass, replace

from noughts.drawing.board_text import draw_window
from noughts.drawing.cell_sizes import SPACED
from noughts.drawing.view import View
from noughts.drawing.viewport import FREE_FROM
from noughts.games.base import Game

WIDE_FROM = 100
"""The width of a window, in columns, from which the sidebar is wide."""

SIDEBARS = ((200, 54), (140, 42), (WIDE_FROM, 32), (80, 26), (60, 20))
"""Pairs of the minimum width of a window and the width of its sidebar with the edge, in columns."""

ALWAYS_FROM = 80
"""The width of a window, in columns, from which every board has a sidebar."""

HIGH_FROM, LOW_BELOW = 16, 10
"""The height of a window, in lines, from which it is not low, and below which its status has one line."""

MIN_NOTES, MAX_FREE = 3, 8
"""The minimum number of lines of notes below a part of a board, and the maximum number of free lines."""

MAX_COVERED, MIN_BOARD = 4, 3
"""The number of lines of the board that a message may cover, and the number that stay visible."""


@dataclass(frozen=True, slots=True)
class ScreenLayout:
    """The width of the sidebar (0: none), and the heights of status, board area and footer.

    A window with ``is_low`` shows fewer texts. Without ``has_board`` not even one cell fits. Below the board
    ``free`` lines are left. A question or message may take ``message_lines`` lines and covers some of the
    board, which keeps its place. ``is_whole`` is true if all cells are visible, ``is_named`` if the names of
    rows and columns are.
    """

    sidebar: int
    status: int
    area: int
    footer: int
    has_board: bool = True
    free: int = 0
    message_lines: int = 0
    is_whole: bool = True
    is_named: bool = True
    is_low: bool = False

    @property
    def notes(self) -> int:
        """The number of lines for notes below the board; 0 if there is a sidebar, which shows the notes."""
        return 0 if self.sidebar else self.free

    @property
    def reserved(self) -> int:
        """The number of lines below the board that are reserved for notes."""
        return 0 if self.sidebar else MIN_NOTES


def lines_above(board: int, area: int, reserved: int = 0) -> int:
    """Return the number of free lines above a *board* of that many lines in an *area*.

    The board is in the middle, unless *reserved* lines are needed below it.
    """
    spare = max(0, area - board)
    return max(min(spare, area >= FREE_FROM), min(spare // 2, spare - reserved))


def arrange(game: Game, width: int, height: int, *, unicode: bool) -> ScreenLayout:
    """Return the layout that shows most of the board of *game* in a window of *width* x *height*."""
    footer = int(height > 3)
    status = 2 if height >= LOW_BELOW else int(height > 1)
    left = height - footer - status
    if not draw_window(game, View(), width=width, height=left, unicode=unicode).rows:
        return ScreenLayout(0, height, 0, 0, has_board=False, is_low=True)
    sidebar = _sidebar_width(game, width, left, unicode=unicode)
    lowest = len(game.cells) - 1  # The lowest layer may have a floor.
    window = draw_window(game, View(), width=width - sidebar, height=left, unicode=unicode, focus=lowest)
    has_notes = not (sidebar or window.is_whole or window.is_named) and left > LOW_BELOW
    below = min(MIN_NOTES, left - LOW_BELOW) if has_notes else 0
    layout = ScreenLayout(
        *(sidebar, status, left - below, footer),
        is_whole=window.is_whole,
        is_named=window.is_named,
        is_low=height < HIGH_FROM,
    )
    lines = min(window.height, layout.area)
    free = min(MAX_FREE, left - lines - lines_above(lines, layout.area, layout.reserved))
    return replace(layout, free=free, message_lines=max(free, min(MAX_COVERED, left - MIN_BOARD)))


def _sidebar_width(game: Game, width: int, height: int, *, unicode: bool) -> int:
    """Return the width of the sidebar in columns; 0 if a narrow window needs them for the signs of cells."""
    sidebar = next((columns for least, columns in SIDEBARS if width >= least), 0)
    if width >= ALWAYS_FROM or not sidebar:
        return sidebar
    beside, alone = (
        draw_window(game, View(), width=room, height=height, unicode=unicode)
        for room in (width - sidebar, width)
    )
    widths = [next((box.width for box in window.boxes.values()), 0) for window in (beside, alone)]
    return sidebar if beside.is_whole and beside.rows and not widths[0] < SPACED.wide <= widths[1] else 0
