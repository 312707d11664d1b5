"""Lists over the screen, from which one thing is picked: a language, or any command there is here."""

from collections.abc import Sequence
from typing import ClassVar, Literal

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.color import Color
from textual.containers import Vertical
from textual.screen import ModalScreen

from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.tui.kit.help import about, short
from noughts.interfaces.tui.kit.keys import EVERYWHERE, NARROW, Key
from noughts.interfaces.tui.kit.page import Drawn, Page
from noughts.interfaces.tui.kit.program import Program
from noughts.interfaces.tui.kit.spans import Bit, Field, Line, Lines, cut, spread
from noughts.interfaces.tui.kit.styles import SECOND
from noughts.interfaces.tui.start.gallery import Grid, first_row
from noughts.text import display_width

MOST_WIDTH = 64
FRAMED = (12, 6)
"""From this size on a list has a frame."""

WORKING = ("theme", "marks", "help", "leave-at-once", "suspend")
"""The keys that do in a list what they do everywhere."""


class PickedList(Drawn[str | None], ModalScreen[str | None]):
    """A list over the screen: a title, a field to type in if there is one, and the items that fit it."""

    BINDINGS: ClassVar = [
        Binding("up", "step(-1)", show=False),
        Binding("down", "step(1)", show=False),
        Binding("pageup", "step(-5)", show=False),
        Binding("pagedown", "step(5)", show=False),
        Binding("enter", "take", show=False),
        Binding("escape", "give_up", show=False),
        *(Binding(key.keys, key.action, show=False) for key in EVERYWHERE if key.id in WORKING),
    ]
    DEFAULT_CSS = """
    PickedList { align: center middle; }
    PickedList #frame { background: $background; width: auto; height: auto; }
    """
    AUTO_FOCUS = "Field"
    has_field = False

    def __init__(self, title: str) -> None:
        super().__init__()
        self._title = title
        self.place = 0
        self._first = 0

    @property
    def items(self) -> list[tuple[str, str, str]]:
        """What can be picked now: what is returned, what it is called, and what stands at its right."""
        raise NotImplementedError

    def compose(self) -> ComposeResult:
        with Vertical(id="frame"):
            yield Lines(id="heading")
            if self.has_field:
                yield Field(self.say("command-placeholder"))
            yield Lines(id="items")

    def draw(self) -> None:
        inks = self.program.inks
        if inks.is_rich:
            # What lies below is seen through a background that is not quite nothing; the terminal's own
            # colours cannot be mixed with another, so there it is covered.
            self.styles.background = Color.parse(inks.palette.paper).with_alpha(0.01)
        columns, rows = self.size
        is_framed = columns >= FRAMED[0] and rows >= FRAMED[1]
        items = self.items
        self.place = max(0, min(self.place, len(items) - 1))
        width = min(columns - 4 * is_framed, self._wanted_width())
        room = max(0, rows - 2 * is_framed - 1 - self.has_field)
        frame, heading, shown = self.query_one("#frame"), *self.query(Lines)
        ink = inks.palette.line
        round_or_not: Literal["round", "ascii"] = "round" if self.program.has_unicode else "ascii"
        frame.styles.border = (round_or_not, ink) if is_framed else None
        frame.styles.padding = (0, 1) if is_framed else 0
        frame.styles.width = width + 4 * is_framed
        lines = self._item_lines(items, width, min(room, self._wanted_height()))
        up, down = "▲▼" if self.program.has_unicode else "^v"
        more = (up if self._first else "") + (down if self._first + len(lines) < len(items) else "")
        heading.show(
            [spread([Bit(self.say(self._title), "", True)], [Bit(more, SECOND)] if more else [], width)]
        )
        shown.styles.height, shown.display = len(lines), bool(lines)
        shown.show(lines)

    def _wanted_width(self) -> int:
        raise NotImplementedError

    def _wanted_height(self) -> int:
        return max(1, len(self.items))

    def _item_lines(self, items: Sequence[tuple[str, str, str]], width: int, height: int) -> list[Line]:
        if not items:
            nothing: Line = [Bit(self.say("nothing-fits"), SECOND)]
            return [nothing][:height]
        self._first = first_row(Grid(1, max(1, height), 1, 1), self.place, self._first, len(items))
        lines: list[Line] = []
        for place, (_, label, right) in list(enumerate(items))[self._first : self._first + height]:
            is_here, action = place == self.place, f"pick({place})"
            sign = "> " if is_here else "  "
            left = [Bit(sign, "", True, action), Bit(label, "", is_here, action)]
            line = spread(left, [Bit(right, SECOND, False, action)] if right else [], width)
            lines.append([bit._replace(action=action) for bit in cut(line, width)])
        return lines

    def action_step(self, steps: int) -> None:
        """So many items further."""
        items = self.items
        if items:
            self.place = (self.place + steps) % len(items) if abs(steps) == 1 else self.place + steps
        self.redraw()

    def action_pick(self, place: int) -> None:
        """The item that was clicked."""
        if place < len(self.items):
            self.dismiss(self.items[place][0])

    def action_take(self) -> None:
        """The item with the cursor."""
        self.action_pick(self.place)

    def action_give_up(self) -> None:
        """Nothing is picked."""
        self.dismiss(None)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        event.stop()
        self.action_step(1)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        event.stop()
        self.action_step(-1)


class Picker(PickedList):
    """A short list: *items* are values and labels, *title_id* a message, *chosen* the value to begin at."""

    BINDINGS: ClassVar = [
        Binding("k", "step(-1)", show=False),
        Binding("j", "step(1)", show=False),
        Binding("space", "take", show=False),
        Binding("q,Q,в,В", "give_up", show=False),
        Binding("ctrl+p", "commands", show=False),
    ]

    def __init__(self, title_id: str, items: Sequence[tuple[str, str]], chosen: str | None = None) -> None:
        super().__init__(title_id)
        self._items = [(value, label, "") for value, label in items]
        values = [value for value, _ in items]
        self.place = values.index(chosen) if chosen in values else 0

    @property
    def items(self) -> list[tuple[str, str, str]]:
        return [
            (value, f"{number} {label}" if len(self._items) < 10 else label, right)
            for number, (value, label, right) in enumerate(self._items, 1)
        ]

    def _wanted_width(self) -> int:
        labels = [label for _, label, _ in self.items]
        return max(map(display_width, [self.say(self._title), *labels])) + 4

    def action_commands(self) -> None:
        """The list of commands instead of this one."""
        self.action_give_up()
        offer_commands(self.program)

    def on_key(self, event: events.Key) -> None:
        """A digit picks the item with its number."""
        if event.character and event.character in "123456789" and len(self._items) < 10:
            event.stop()
            self.action_pick(int(event.character) - 1)


class Commands(PickedList):
    """All that can be done on a screen, with the keys for it; typing leaves what fits."""

    BINDINGS: ClassVar = [Binding("ctrl+p", "give_up", show=False)]
    has_field = True

    def __init__(self, keys: Sequence[Key]) -> None:
        super().__init__("choose-command")
        self._keys = keys
        self._query = ""

    @property
    def items(self) -> list[tuple[str, str, str]]:
        say = self.say
        found = [key for key in self._keys if fits(say, key, self._query)]
        told = about if self.size.width >= NARROW else short
        return [(key.action, told(say, key), key.shown(say)) for key in found]

    def _wanted_width(self) -> int:
        return MOST_WIDTH

    def _wanted_height(self) -> int:
        return len(self._keys)

    def on_input_changed(self, changed: Field.Changed) -> None:
        """Other commands fit."""
        self._query, self.place = changed.value, 0
        self.redraw()

    def on_input_submitted(self, submitted: Field.Submitted) -> None:
        """Enter in the field takes the command with the cursor."""
        self.action_take()


def fits(say: Translator, key: Key, text: str) -> bool:
    """Whether every word of *text* occurs in what *key* is called."""
    called = f"{say(f'key-{key.id}')} {about(say, key)}".casefold()
    return all(word in called for word in text.casefold().split())


def offer_commands(app: Program) -> None:
    """Let a command be picked from all those of the screen, and carry it out there."""
    page = app.screen
    table = page.TABLE if isinstance(page, Page) else ()
    keys = [key for key in (*table, *EVERYWHERE) if key.is_command]

    async def carry_out(action: str | None) -> None:
        if action is not None:
            await app.run_action(action, page)

    app.push_screen(Commands(keys), carry_out)
