"""What all screens have in common: they are drawn again when the size, language, theme or marks change."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, cast

from textual import events
from textual.screen import Screen

from noughts.interfaces.i18n import Translator
from noughts.interfaces.tui.keys import PLAYING, Key

if TYPE_CHECKING:
    from noughts.interfaces.tui.app import NoughtsApp


class Page(Screen[int | None]):
    """A screen of ours."""

    AUTO_FOCUS = ""

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

    def redraw(self) -> None:
        """Draw everything anew: something that decides how it looks has changed."""
        raise NotImplementedError

    def on_resize(self, event: events.Resize) -> None:
        self.redraw()

    def on_screen_resume(self) -> None:
        self.redraw()
