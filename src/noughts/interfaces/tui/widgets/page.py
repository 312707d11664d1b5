"""The base of all screens, which are redrawn after a change of size, language or look."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import Any, ClassVar

from textual import events, getters
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.geometry import Size
from textual.screen import ModalScreen, Screen, ScreenResultType

from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.tui.widgets.base_app import BaseApp
from noughts.interfaces.tui.widgets.keys import Key, bindings, footer
from noughts.interfaces.tui.widgets.spans import Line, LineInput, LinesView, width_of

MIN_FIELD = 16
"""The minimum width of a field beside keys, in columns."""


class DrawnScreen(Screen[ScreenResultType]):
    """A screen or list that draws itself while it is mounted."""

    def __init__(self) -> None:
        super().__init__()
        self._drawn_size: Size | None = None

    def on_mount(self) -> None:
        """Paint the new screen only once it has its size: Textual reports several at first."""
        held = ExitStack()
        held.enter_context(self.app.batch_update())
        self.call_after_refresh(held.close)

    @property
    def is_current(self) -> bool:
        """True if the screen is visible; Textual would repaint everything for a covered screen."""
        stack = self.app.screen_stack
        above = stack[stack.index(self) + 1 :] if self in stack else stack
        return self in stack and all(isinstance(screen, ModalScreen) for screen in above)

    app = getters.app(BaseApp)

    @property
    def say(self) -> Translator:
        """The translator of the current language."""
        return self.app.say

    def redraw(self) -> None:
        """Draw everything again, since something that affects the look has changed.

        Nothing is drawn before all parts are mounted, or after the screen or the program was closed.
        """
        if self.is_mounted and self.is_attached and self in self.app.screen_stack:
            self._drawn_size = self.size
            self.draw()

    def draw(self) -> None:
        """Draw the current state in the current size."""
        raise NotImplementedError

    def on_resize(self) -> None:
        if self.size != self._drawn_size:  # Textual reports each size several times.
            self.redraw()

    on_screen_resume = on_resize

    def say_goodbye(self, *, by_choice: bool = True) -> list[str]:
        """Save the state of this screen and return the farewell messages for the terminal."""
        return []

    def action_roll(self, steps: int, sideways: bool = False) -> None:
        """Scroll by *steps*; negative numbers scroll back."""

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        event.stop()
        self.action_roll(1, event.shift)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        event.stop()
        self.action_roll(-1, event.shift)


class Page(DrawnScreen[ScreenResultType]):
    """A screen with a footer; its body is a sheet of lines unless it composes other parts."""

    AUTO_FOCUS = ""
    DEFAULT_CSS = """
    Page { layout: vertical; }
    Page #sheet { height: 1fr; }
    Page #bottom { height: 1; }
    Page #entry { display: none; width: 1fr; padding: 0 1; }
    """

    TABLE: ClassVar[Sequence[Key]] = ()
    """The keys of this screen, also for help and the command palette."""
    _field: LineInput | None = None
    _invitation: Callable[[Translator], str]
    """The placeholder of the field, in the current language."""

    def __init_subclass__(cls, keys: Sequence[Key], **more: Any) -> None:
        cls.TABLE, cls.BINDINGS = keys, [*bindings(keys)]
        super().__init_subclass__(**more)

    def has_use_of(self, key: Key) -> bool:
        """Return True if *key* has a use now, so that help lists it."""
        return True

    def compose(self) -> ComposeResult:
        yield LinesView(id="sheet")
        yield from self.compose_bottom()

    def compose_bottom(self) -> ComposeResult:
        """Yield the last line: the keys that matter now, and a field if one is open."""
        self._field = LineInput(id="entry")
        with Horizontal(id="bottom"):
            yield self._field
            yield LinesView(id="footer")

    def show_footer(self, keys: Line, *, is_there: bool) -> None:
        """Show *keys* in the footer if there is one; an open field shows its own keys beside it."""
        below, width = self.query_one("#footer", LinesView), self.size.width
        if (field := self.entry) is not None:
            field.placeholder = self._invitation(self.say)
            keys = footer(self.say, ("take", "drop"), width - MIN_FIELD)
        below.display = is_there and width_of(keys) + MIN_FIELD * self.is_typing <= width
        below.styles.width = width_of(keys) + 1 if self.is_typing else "1fr"
        below.show([keys])
        self.query_one("#bottom").display = is_there or self.is_typing

    def show_sheet(self, lines: Sequence[Line], keys: Sequence[str]) -> None:
        """Show *lines* and, if there is room, the *keys* in the footer."""
        width, height = self.size
        self.query_one("#sheet", LinesView).show(lines)
        self.show_footer(footer(self.say, keys, width), is_there=height > 1)

    @property
    def entry(self) -> LineInput | None:
        """The field that is open; None if there is none."""
        field = self._field  # A query would be slow, and each key needs the field.
        return field if field is not None and field.is_attached and field.display else None

    @property
    def is_typing(self) -> bool:
        """True if a field is open."""
        return self.entry is not None

    def open_entry(self, placeholder: Callable[[Translator], str], value: str = "") -> None:
        """Open a field, with *value* selected if it is not empty."""
        field = self.query_one(LineInput)
        self._invitation, field.value = placeholder, value
        field.cursor_position = len(value)
        field.select_on_focus = bool(value)
        field.display = True
        field.focus()
        self.redraw()

    def close_entry(self) -> None:
        """Close the field."""
        self.query_one(LineInput).display = False
        self.set_focus(None)
        self.redraw()

    def action_leave(self) -> None:
        """Return to the screen below."""
        self.dismiss(None)
