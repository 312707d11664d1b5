"""What all screens have in common: they are drawn again when the size, language, theme or marks change."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, cast

from textual import events
from textual.screen import Screen

from noughts.interfaces.i18n import Translator
from noughts.interfaces.tui.field import Field
from noughts.interfaces.tui.keys import PLAYING, Key, names_of

if TYPE_CHECKING:
    from noughts.interfaces.tui.app import NoughtsApp


class Page(Screen[int | None]):
    """A screen of ours."""

    AUTO_FOCUS = ""
    DEFAULT_CSS = "Page #entry { display: none; padding: 0 1; }"

    TABLE: ClassVar[Sequence[Key]] = PLAYING
    """The keys of this screen, for help and the list of commands."""

    @property
    def program(self) -> "NoughtsApp":
        """The application."""
        return cast("NoughtsApp", self.app)

    @property
    def say(self) -> Translator:
        """Says things in the language of the moment."""
        return self.program.say

    @property
    def entry(self) -> Field | None:
        """The field in which something is being typed, None while nothing is."""
        field = next(iter(self.query(Field)), None)
        return field if field is not None and field.display else None

    @property
    def is_typing(self) -> bool:
        """Whether something is being typed in a field."""
        return self.entry is not None

    def open_entry(self, placeholder: str, value: str = "") -> None:
        """Let something be typed, over *value* where there is one."""
        field = self.query_one(Field)
        field.placeholder, field.value = placeholder, value
        field.cursor_position = len(value)
        field.select_on_focus = bool(value)
        field.display = True
        field.focus()
        self.redraw()

    def close_entry(self) -> None:
        """Nothing is typed any more."""
        self.query_one(Field).display = False
        self.set_focus(None)
        self.redraw()

    async def on_key(self, event: events.Key) -> None:
        """Do what a key does before the next one is looked at.

        Textual would run its action only once the key has gone up to the application, and give a field the
        focus a moment after it is opened: keys that come in one piece would go astray.
        """
        field = self.entry
        if field is None:
            action = next((key.action for key in self.TABLE if event.key in names_of(key, self.TABLE)), None)
            if action is not None:
                event.stop()
                event.prevent_default()
                await self.app.run_action(action, self)
        elif not field.has_focus and event.key != "escape":
            event.stop()
            event.prevent_default()
            await field.take(event)

    def redraw(self) -> None:
        """Draw everything anew: something that decides how it looks has changed."""
        raise NotImplementedError

    def on_resize(self, event: events.Resize) -> None:
        self.redraw()

    def on_screen_resume(self) -> None:
        self.redraw()
