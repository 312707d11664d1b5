"""A list over the screen to pick an item from, such as a language or a command."""

from collections.abc import Iterable, Sequence
from typing import ClassVar, NamedTuple

from rich.segment import Segment
from rich.text import Text
from textual import events, getters
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.strip import Strip
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from noughts.interfaces.tui.widgets.base_app import BaseApp
from noughts.interfaces.tui.widgets.help import about, short
from noughts.interfaces.tui.widgets.keys import EVERYWHERE, NARROW
from noughts.interfaces.tui.widgets.page import DrawnScreen, Page
from noughts.interfaces.tui.widgets.spans import Bit, Line, LineInput, LinesView, cut, spread
from noughts.interfaces.tui.widgets.styles import SECOND
from noughts.text import display_width

MAX_WIDTH = 64
FRAMED = (12, 6)
"""The width and height of a window, in columns and lines, from which a list has a frame."""

WORKING = ("theme", "marks", "help", "leave-at-once", "suspend")
"""The keys that keep their usual action in a list."""


class Item(NamedTuple):
    """An item of a list: its value, its label, the text at its right, and its search words."""

    value: str
    label: str
    right: str = ""
    words: str = ""


class PointedList(OptionList, can_focus=False):
    """A list of one-line options; the highlighted one is bold, with the cursor's sign before it."""

    DEFAULT_CSS = """
    PointedList { min-width: 3; border: none; padding: 0; background: $background; scrollbar-size: 0 0; }
    PointedList > .option-list--option { padding: 0 0 0 2; }
    PointedList > .option-list--option-disabled { color: $foreground; }
    PointedList > .option-list--option-hover { background: $background; }
    PointedList > .option-list--option-highlighted {
        background: $background; color: $foreground; text-style: bold;
    }
    """
    app = getters.app(BaseApp)

    def fill(self, lines: Iterable[Line], place: int | None) -> None:
        """Show *lines* and highlight the one at *place*; with None no option can be chosen."""
        styling, printable = self.app.styling, self.app.printable
        texts = [
            Text.assemble(*((printable(text), styling.style(role, strong)) for text, role, strong, _ in line))
            for line in lines
        ]
        if texts != [option.prompt for option in self.options]:
            self.set_options(Option(text, disabled=place is None) for text in texts)
        self.highlighted = place

    def render_line(self, y: int) -> Strip:
        strip = super().render_line(y)
        if self.scroll_offset.y + y != self.highlighted:
            return strip
        sign = Segment("> ", self.app.styling.style("", strong=True))
        return Strip.join([Strip([sign]), strip.crop(2)])

    @property
    def more(self) -> str:
        """The signs for more options above and below the visible ones."""
        return "▲" * (self.scroll_y > 0) + "▼" * (self.scroll_y < self.max_scroll_y)


class Picker(DrawnScreen[str | None], ModalScreen[str | None]):
    """A list over the screen; *title* is a message id, *chosen* the first highlighted value.

    Digits pick from a short list. With *finds* there is a field, and typing filters the items.
    """

    BINDINGS: ClassVar = [
        Binding("up,k", "roll(-1)", show=False),
        Binding("down,j", "roll(1)", show=False),
        Binding("pageup", "turn('up')", show=False),
        Binding("pagedown", "turn('down')", show=False),
        Binding("enter,space", "take", show=False),
        Binding("escape,q,Q,в,В", "give_up", show=False),
        Binding("ctrl+p", "commands", show=False),
        *(Binding(key.keys, key.action, show=False) for key in EVERYWHERE if key.id in WORKING),
    ]
    HORIZONTAL_BREAKPOINTS = [(0, "-bare"), (FRAMED[0], "-wide")]  # noqa: RUF012 - an instance's, in Textual
    VERTICAL_BREAKPOINTS = [(0, "-low"), (FRAMED[1], "-high")]  # noqa: RUF012
    DEFAULT_CSS = """
    Picker { align: center middle; }
    Picker #frame { background: $background; width: auto; height: auto; }
    Picker.-wide.-high #frame { border: round $line; padding: 0 1; }
    Picker.-wide.-high #frame.-ascii { border: ascii $line; }
    """
    AUTO_FOCUS = "LineInput"

    def __init__(
        self, title: str, items: Sequence[Item], chosen: str | None = None, *, finds: bool = False
    ) -> None:
        super().__init__()
        self._title, self._finds = title, finds
        self._has_digits = not finds and len(items) < 10
        self._all = [
            one._replace(label=f"{number} {one.label}") if self._has_digits else one
            for number, one in enumerate(items, 1)
        ]
        self._query, self._width = "", 0
        values = [item.value for item in items]
        self._place = values.index(chosen) if chosen in values else 0

    @property
    def items(self) -> list[Item]:
        """The items that match the field."""
        return [item for item in self._all if fits(item.words, self._query)]

    def compose(self) -> ComposeResult:
        with Vertical(id="frame"):
            yield LinesView(id="heading")
            if self._finds:
                yield LineInput(self.say("command-placeholder"))
            yield PointedList(id="items")

    def draw(self) -> None:
        columns, rows = self.size
        is_framed = columns >= FRAMED[0] and rows >= FRAMED[1]
        labels = [self.say(self._title), *(item.label for item in self._all)]
        wanted = MAX_WIDTH if self._finds else max(map(display_width, labels)) + 4
        self._width = width = min(columns - 4 * is_framed, wanted)
        frame, shown = self.query_one("#frame"), self.query_one(PointedList)
        frame.set_class(not self.app.has_unicode, "-ascii")
        frame.styles.width = width + 4 * is_framed
        shown.styles.max_height = max(0, rows - 2 * is_framed - 1 - self._finds)
        lines = [
            cut(spread([Bit(item.label)], [Bit(item.right, SECOND)] if item.right else [], width - 2), width)
            for item in self.items
        ]
        shown.fill(lines or [[Bit(self.say("nothing-fits"), SECOND)]], self._place if lines else None)
        self._show_heading()

    def _show_heading(self) -> None:
        more = self.query_one(PointedList).more
        title, heading = [Bit(self.say(self._title), "", True)], self.query_one("#heading", LinesView)
        heading.show([spread(title, [Bit(more, SECOND)] if more else [], self._width)])

    def action_roll(self, steps: int, sideways: bool = False) -> None:
        """Highlight the next item, or the previous one; the list is cyclic."""
        shown = self.query_one(PointedList)
        (shown.action_cursor_down if steps > 0 else shown.action_cursor_up)()

    async def action_turn(self, direction: str) -> None:
        """Move by a page of items."""
        await self.query_one(PointedList).run_action(f"page_{direction}")

    def action_take(self) -> None:
        """Pick the highlighted item."""
        self.query_one(PointedList).action_select()

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Note the highlighted item and update the signs for more items."""
        self._place = event.option_index
        self._show_heading()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Close the list with the item that was picked."""
        self.dismiss(self.items[event.option_index].value)

    def action_give_up(self) -> None:
        """Close the list without an item."""
        self.dismiss(None)

    def action_commands(self) -> None:
        """Open the command palette in place of this list, or close it."""
        self.action_give_up()
        if not self._finds:
            offer_commands(self.app)

    def on_key(self, event: events.Key) -> None:
        """Pick the item with the typed digit."""
        if event.character and event.character in "123456789" and self._has_digits:
            event.stop()
            if (place := int(event.character) - 1) < len(self.items):
                self.dismiss(self.items[place].value)

    def on_input_changed(self, changed: LineInput.Changed) -> None:
        """Show the items that match the field."""
        self._query, self._place = changed.value, 0
        self.redraw()

    def on_input_submitted(self, submitted: LineInput.Submitted) -> None:
        """Pick the highlighted item when Enter is pressed in the field."""
        self.action_take()


def fits(words: str, text: str) -> bool:
    """Return True if every word of *text* occurs in *words*."""
    return all(word in words.casefold() for word in text.casefold().split())


def offer_commands(app: BaseApp) -> None:
    """Open a list of the screen's commands with their keys, and run the one that is picked."""
    page, say = app.screen, app.say
    table = page.TABLE if isinstance(page, Page) else ()
    describe = about if app.size.width >= NARROW else short
    items = [
        Item(key.action, describe(say, key), key.shown(say), f"{short(say, key)} {about(say, key)}")
        for key in (*table, *EVERYWHERE)
        if key.is_command and not (isinstance(page, Page) and not page.has_use_of(key))
    ]

    async def carry_out(action: str | None) -> None:
        if action is not None:
            await app.run_action(action, page)

    app.push_screen(Picker("choose-command", items, finds=True), carry_out)
