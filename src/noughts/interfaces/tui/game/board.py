"""The board widget, which draws itself line by line."""

from collections.abc import Sequence

from rich.style import Style
from textual import events, getters
from textual.strip import Strip
from textual.widget import Widget

from noughts.drawing.board_text import Window, draw_window
from noughts.drawing.canvas import Box, Span
from noughts.drawing.view import View
from noughts.games.base import Game
from noughts.interfaces.tui.game.screen_layout import lines_above
from noughts.interfaces.tui.widgets.base_app import BaseApp
from noughts.interfaces.tui.widgets.spans import joined, refresh_changed

Run = tuple[str, Style]
"""Characters of one style, side by side."""

LEFT, RIGHT = 1, 3
"""The buttons of the mouse."""


class BoardView(Widget):
    """The board of the viewed position with a cursor; larger boards scroll."""

    can_focus = False
    DEFAULT_CSS = "BoardView { width: 1fr; height: 1fr; }"

    def __init__(self, *, id: str | None = None, disabled: bool = False) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id, disabled=disabled)
        self._origin = (0, 0)  # The origin of the last move of the cursor, for every size of the window.
        self._here: tuple[int, int | None] | None = None
        self.window: Window | None = None
        """The result of the last layout."""
        self._lines: list[Strip] = []
        self._strips: list[Strip] = []
        self._cursor: Box | None = None
        self._left = self._above = 0

    app = getters.app(BaseApp)

    def lay_out(
        self, game: Game, view: View, cursor: int | None, room: tuple[int, int], reserved: int = 0
    ) -> None:
        """Lay out *game* with *view* in a *room* of columns and lines.

        The board is in the middle, unless *reserved* lines below it are needed for something else.
        """
        (width, area), blank, here = room, self.app.styling.blank, (game.ply, cursor)
        window = draw_window(
            game,
            view,
            width=width,
            height=area,
            unicode=self.app.has_unicode,
            focus=cursor,
            origin=self._origin,
            shaded=self.app.styling.is_rich,
            coloured=self.app.styling.system is not None,
        )
        if here != self._here:
            self._here, self._origin = here, window.origin
        self.window, self._left = window, min((width - window.width) // 2, width - window.reach)
        self._cursor = None if cursor is None else window.boxes.get(cursor)
        drawn = [self._runs(line) for line in window.rows]
        for y in {y for box, _, _ in window.backgrounds for y in range(box.y, box.y + box.height)}:
            drawn[y] = [(character, style) for text, style in drawn[y] for character in text]
        for box, kind, mark in window.backgrounds:
            _lay(drawn, box, self.app.styling.background(kind, mark), blank)
        self._above = lines_above(window.height, area, reserved)
        lines: list[list[Run]] = [[] for _ in range(self._above)]
        lines += [[(" " * self._left, blank), *line] for line in drawn]
        self._lines = [joined(line, width, blank) for line in lines]

    @property
    def has_room(self) -> bool:
        """True if any of the board can be seen."""
        return self.window is not None and bool(self.window.rows)

    def lines_around_cursor(self, lines: int) -> tuple[int, int]:
        """Return how many of the area's first *lines* are above and below the cursor's cell."""
        if self._cursor is None:
            return 0, lines
        above = self._above + self._cursor.y
        return above, lines - above - self._cursor.height

    def show(self, lines: int) -> None:
        """Show the first *lines* lines of the area."""
        before, self._strips = self._strips, self._lines[:lines]
        refresh_changed(self, before, self._strips, Strip)

    # Drawing

    def _runs(self, line: Sequence[Span]) -> list[Run]:
        styling = self.app.styling
        return [(text, styling.style(role, strong)) for text, role, strong in line]

    def render_line(self, y: int) -> Strip:
        if y < len(self._strips):
            return self._strips[y]
        return Strip.blank(self.size.width, self.app.styling.blank)

    # The mouse

    async def on_click(self, event: events.Click) -> None:
        # A double click counts once. The middle button pastes text.
        if self.window is not None and event.button in (LEFT, RIGHT) and event.chain == 1:
            index = self.window.cell_at(event.x - self._left, event.y - self._above)
            if index is not None:
                await self.run_action(f"screen.point({index}, {event.button == LEFT})")


def _lay(drawn: list[list[Run]], box: Box, style: Style, blank: Style) -> None:
    """Add *style* to all characters in *box*, each as a run of its own."""
    for line in drawn[box.y : box.y + box.height]:
        line += [(" ", blank)] * (box.x + box.width - len(line))
        for x in range(box.x, box.x + box.width):
            character, own = line[x]
            line[x] = (character, own + style)
