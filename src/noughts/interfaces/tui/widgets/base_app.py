"""The application as its parts see it: its services, the user's settings and the styles."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property

from rich.color import ColorSystem
from textual.app import App

from noughts.arena.store.store import Store
from noughts.errors import NoughtsError
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.preferences import Preferences
from noughts.interfaces.presenting.settings import DEFAULT_THEME
from noughts.interfaces.tui.widgets.styles import PALETTES, Styling
from noughts.text import plain_text, safe_text
from noughts.workers.messages import TaskWorker

ASCII_SIGNS = str.maketrans("╳○─┃│┼▲▼", "XO-||+^v")
"""The ASCII forms of the signs."""


def in_ascii_signs(text: str) -> str:
    """Return *text* for a terminal that shows only ASCII signs; letters and words stay."""
    return plain_text(safe_text(text.translate(ASCII_SIGNS)))


@dataclass(frozen=True)
class AppServices:
    """The services and settings that the application gets from outside.

    ``now`` returns the time in milliseconds since 1970. ``pace`` is the least time of a computer's move in
    seconds, so that people can follow. ``preferences`` are the saved choices, ``requested`` the same with the
    options of this run. ``remember`` saves a person's choices. ``recall`` reads the saved ones again, which
    another window may have changed. ``has_unicode`` is true if the terminal shows line drawing characters.
    ``colours`` is its colour system, None without colours. With ``keeps_all`` games between computers are
    saved too. ``first`` is the number of the first cell.
    """

    open_store: Callable[[], Store]
    thinker: TaskWorker
    now: Callable[[], int]
    preferences: Preferences = field(default_factory=Preferences)
    requested: Preferences | None = None
    remember: Callable[[Preferences], object] = lambda preferences: None
    recall: Callable[[], Preferences] | None = None
    has_unicode: bool = True
    pace: float = 0.0
    keeps_all: bool = False
    first: int = 1
    colours: ColorSystem | None = ColorSystem.TRUECOLOR

    @cached_property
    def store(self) -> Store:
        """The store of games, opened at the first use, which may raise an error."""
        return self.open_store()


class BaseApp(App[None]):
    """The application without its screens."""

    def __init__(self, say: Translator, services: AppServices) -> None:
        # Textual's own widgets, such as fields, use the same colours as ours.
        super().__init__(ansi_color=None if Styling("dark", services.colours).is_rich else True)
        self.say, self.services = say, services
        self.preferences = services.requested or services.preferences
        self.begin_from: Callable[[str, str], object] = lambda game, position: None
        """Opens the settings of a game that starts from a position, if no other page is open."""
        self._remembered = services.preferences
        self.farewell: list[str] = []
        self.has_lost_game = False
        """The messages for the terminal after the full screen, and True if a game was lost."""
        self.failure: NoughtsError | None = None
        """The error that ended the full screen."""
        self.styling = self.styling_of(self.preferences.theme or DEFAULT_THEME)

    def styling_of(self, theme: str) -> Styling:
        """Return the styles of *theme* on this terminal; those of the dark theme if it is unknown."""
        return Styling(theme if theme in PALETTES else "dark", self.services.colours)

    @property
    def has_unicode(self) -> bool:
        """True if marks and lines may use more than ASCII."""
        chosen = self.preferences.marks
        return self.services.has_unicode if chosen is None else chosen == "unicode"

    def printable(self, text: str) -> str:
        """Return *text* in characters that the terminal can show, without control characters."""
        return safe_text(text) if self.has_unicode else in_ascii_signs(text)

    def save_choices(self, **chosen: object) -> None:
        """Save the choices that differ from the current ones; other saved preferences stay."""
        changed = {name: value for name, value in chosen.items() if value != getattr(self.preferences, name)}
        self.preferences = replace(self.preferences, **changed)  # type: ignore[arg-type]
        before = self._remembered if self.services.recall is None else self.services.recall()
        self._remembered = replace(before, **changed)  # type: ignore[arg-type]
        self.services.remember(self._remembered)
