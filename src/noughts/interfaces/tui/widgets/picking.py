"""A list over the screen, from which one thing is picked: a language, or any command there is here."""

from collections.abc import Sequence
from typing import ClassVar, Literal, NamedTuple

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.color import Color
from textual.containers import Vertical
from textual.screen import ModalScreen

from noughts.interfaces.tui.widgets.base_app import BaseApp
from noughts.interfaces.tui.widgets.help import about, short
from noughts.interfaces.tui.widgets.keys import EVERYWHERE, NARROW
from noughts.interfaces.tui.widgets.page import Drawn, Page
from noughts.interfaces.tui.widgets.spans import Bit, Line, LineInput, LinesView, cut, first_seen, spread
from noughts.interfaces.tui.widgets.styles import SECOND
from noughts.text import display_width

MAX_WIDTH = 64
FRAMED = (12, 6)
"""From this size on a list has a frame."""

WORKING = ("theme", "marks", "help", "leave-at-once", "suspend")
"""The keys that do in a list what they do everywhere."""


class Item(NamedTuple):
    """What can be picked: what is returned, its name, what stands at its right, words to find it by."""

    value: str
    label: str
    right: str = ""
    words: str = ""


class Picker(Drawn[str | None], ModalScreen[str | None]):
    """A list over the screen: *title* is a message, *chosen* the value to begin at.

    A short list is picked from with digits too. With *finds* there is a field, and typing leaves what fits.
    """

    BINDINGS: ClassVar = [
        Binding("up,k", "roll(-1)", show=False),
        Binding("down,j", "roll(1)", show=False),
        Binding("pageup", "roll(-5)", show=False),
        Binding("pagedown", "roll(5)", show=False),
        Binding("enter,space", "take", show=False),
        Binding("escape,q,Q,в,В", "give_up", show=False),
        Binding("ctrl+p", "commands", show=False),
        *(Binding(key.keys, key.action, show=False) for key in EVERYWHERE if key.id in WORKING),
    ]
    DEFAULT_CSS = """
    Picker { align: center middle; }
    Picker #frame { background: $background; width: auto; height: auto; }
    """
    AUTO_FOCUS = "LineInput"

    def __init__(
        self, title: str, items: Sequence[Item], chosen: str | None = None, *, finds: bool = False
    ) -> None:
        super().__init__()
        self._title, self._finds, self._all = title, finds, list(items)
        self._has_digits = not finds and len(items) < 10
        if self._has_digits:
            self._all = [one._replace(label=f"{number} {one.label}") for number, one in enumerate(items, 1)]
        self._query = ""
        values = [item.value for item in items]
        self.place = values.index(chosen) if chosen in values else 0
        self._first = 0

    @property
    def items(self) -> list[Item]:
        """What can be picked now."""
        return [item for item in self._all if fits(item.words, self._query)]

    def compose(self) -> ComposeResult:
        with Vertical(id="frame"):
            yield LinesView(id="heading")
            if self._finds:
                yield LineInput(self.say("command-placeholder"))
            yield LinesView(id="items")

    def draw(self) -> None:
        styling = self.app.styling
        if styling.is_rich:
            # What lies below is seen through a background that is not quite nothing; the terminal's own
            # colours cannot be mixed with another, so there it is covered.
            self.styles.background = Color.parse(styling.palette.paper).with_alpha(0.01)
        columns, rows = self.size
        is_framed = columns >= FRAMED[0] and rows >= FRAMED[1]
        items = self.items
        self.place = max(0, min(self.place, len(items) - 1))
        labels = [self.say(self._title), *(item.label for item in self._all)]
        wanted = MAX_WIDTH if self._finds else max(map(display_width, labels)) + 4
        width = min(columns - 4 * is_framed, wanted)
        room = max(0, rows - 2 * is_framed - 1 - self._finds)
        frame, heading, shown = self.query_one("#frame"), *self.query(LinesView)
        kind: Literal["round", "ascii"] = "round" if self.app.has_unicode else "ascii"
        frame.styles.border = (kind, styling.palette.line) if is_framed else None
        frame.styles.padding = (0, 1) if is_framed else 0
        frame.styles.width = width + 4 * is_framed
        lines = self._item_lines(items, width, min(room, max(1, len(self._all))))
        more = "▲" * (self._first > 0) + "▼" * (self._first + len(lines) < len(items))
        title = [Bit(self.say(self._title), "", True)]
        heading.show([spread(title, [Bit(more, SECOND)] if more else [], width)])
        shown.show_all(lines)

    def _item_lines(self, items: Sequence[Item], width: int, height: int) -> list[Line]:
        if not items:
            nothing: Line = [Bit(self.say("nothing-fits"), SECOND)]
            return [nothing][:height]
        self._first = first_seen(self.place, self._first, max(1, height), len(items))
        lines: list[Line] = []
        for place, (_, label, right, _) in list(enumerate(items))[self._first : self._first + height]:
            is_here = place == self.place
            left = [Bit("> " if is_here else "  ", "", True), Bit(label, "", is_here)]
            line = spread(left, [Bit(right, SECOND)] if right else [], width)
            lines.append([bit._replace(action=f"pick({place})") for bit in cut(line, width)])
        return lines

    def action_roll(self, steps: int, sideways: bool = False) -> None:
        """So many items further."""
        items = self.items
        if items:
            self.place = (self.place + steps) % len(items) if abs(steps) == 1 else self.place + steps
        self.redraw()

    def action_pick(self, place: int) -> None:
        """The item that was clicked."""
        if place < len(self.items):
            self.dismiss(self.items[place].value)

    def action_take(self) -> None:
        """The item with the cursor."""
        self.action_pick(self.place)

    def action_give_up(self) -> None:
        """Nothing is picked."""
        self.dismiss(None)

    def action_commands(self) -> None:
        """The list of commands instead of this one, or neither."""
        self.action_give_up()
        if not self._finds:
            offer_commands(self.app)

    def on_key(self, event: events.Key) -> None:
        """A digit picks the item with its number."""
        if event.character and event.character in "123456789" and self._has_digits:
            event.stop()
            self.action_pick(int(event.character) - 1)

    def on_input_changed(self, changed: LineInput.Changed) -> None:
        """Other items fit."""
        self._query, self.place = changed.value, 0
        self.redraw()

    def on_input_submitted(self, submitted: LineInput.Submitted) -> None:
        """Enter in the field takes the item with the cursor."""
        self.action_take()


def fits(words: str, text: str) -> bool:
    """Whether every word of *text* occurs in *words*."""
    return all(word in words.casefold() for word in text.casefold().split())


def offer_commands(app: BaseApp) -> None:
    """Let a command be picked from all those of the screen, with the keys for it; carry it out there."""
    page, say = app.screen, app.say
    table = page.TABLE if isinstance(page, Page) else ()
    told = about if app.size.width >= NARROW else short
    items = [
        Item(key.action, told(say, key), key.shown(say), f"{short(say, key)} {about(say, key)}")
        for key in (*table, *EVERYWHERE)
        if key.is_command and not (isinstance(page, Page) and not page.has_use_of(key))
    ]

    async def carry_out(action: str | None) -> None:
        if action is not None:
            await app.run_action(action, page)

    app.push_screen(Picker("choose-command", items, finds=True), carry_out)
