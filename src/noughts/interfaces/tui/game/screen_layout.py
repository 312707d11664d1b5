"""How a window is shared out between the board, the sidebar, the status and the notes."""

from dataclasses import dataclass, replace

from noughts.drawing.board_text import draw_window
from noughts.drawing.cell_sizes import SPACED
from noughts.drawing.view import View
from noughts.drawing.viewport import FREE_FROM
from noughts.games.base import Game

WIDE_FROM = 100
"""Columns from which the sidebar is wide."""

SIDEBARS = ((200, 54), (140, 42), (WIDE_FROM, 32), (80, 26), (60, 20))
"""The columns of the sidebar with its line, by those from which on the window has it."""

ALWAYS_FROM = 80
"""Columns from which there is a sidebar whatever the board."""

HIGH_FROM, LOW_BELOW = 16, 10
"""Lines from which the window is not low, and below which the status has one line alone."""

MIN_NOTES, MAX_FREE = 3, 8
"""Lines of notes below a board of which a part without names is seen, and the most that count as free."""

MAX_COVERED, MIN_BOARD = 4, 3
"""So many lines of the board what is asked or told may cover, as long as so many are left."""


@dataclass(frozen=True, slots=True)
class ScreenLayout:
    """Columns of the sidebar (0: none), lines of the status, of the board's area, of the footer.

    The window ``is_low`` if it shows less. If not ``has_board``, not even one cell fits. Below the board ``free``
    lines are left. A question or message may have ``message_lines`` lines and covers some of the board, which
    stays in place. ``is_whole`` if all cells are visible, ``is_named`` if the names of rows and columns are.
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
        """The lines for notes below the board, which stand in the sidebar where there is one."""
        return 0 if self.sidebar else self.free

    @property
    def reserved(self) -> int:
        """The lines below the board that are kept for notes as long as there are any."""
        return 0 if self.sidebar else MIN_NOTES


def lines_above(board: int, area: int, reserved: int = 0) -> int:
    """The lines that stay free above a *board* of so many lines in an *area*: it stands in the middle.

    Unless lines are *kept* below it.
    """
    spare = max(0, area - board)
    return max(min(spare, area >= FREE_FROM), min(spare // 2, spare - reserved))


def arrange(game: Game, width: int, height: int, *, unicode: bool) -> ScreenLayout:
    """The arrangement that shows most of the board of *game* in a window of *width* x *height*."""
    footer = int(height > 3)
    status = 2 if height >= LOW_BELOW else int(height > 1)
    left = height - footer - status
    if not draw_window(game, View(), width=width, height=left, unicode=unicode).rows:
        return ScreenLayout(0, height, 0, 0, has_board=False, is_low=True)
    sidebar = _sidebar_width(game, width, left, unicode=unicode)
    lowest = len(game.cells) - 1  # its layer may stand on a floor
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
    """The columns of the sidebar; in a narrow window cells with room for their signs go before it."""
    sidebar = next((columns for least, columns in SIDEBARS if width >= least), 0)
    if width >= ALWAYS_FROM or not sidebar:
        return sidebar
    beside, alone = (
        draw_window(game, View(), width=room, height=height, unicode=unicode)
        for room in (width - sidebar, width)
    )
    widths = [next((box.width for box in window.boxes.values()), 0) for window in (beside, alone)]
    return sidebar if beside.is_whole and beside.rows and not widths[0] < SPACED.wide <= widths[1] else 0
