"""The application as its parts see it: what it stands on, what a person has set, how it is drawn."""

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
"""The ASCII forms of our signs."""


def in_ascii_signs(text: str) -> str:
    """*text* that a terminal without other signs can show; letters and words stay."""
    return plain_text(safe_text(text.translate(ASCII_SIGNS)))


@dataclass(frozen=True)
class Surroundings:
    """What the application gets from outside.

    ``now`` gives the time in milliseconds since 1970; ``pace`` is how many seconds a computer's move takes
    at least, so that eyes can follow. ``preferences`` are what was chosen before, ``requested`` the same with
    what is wanted this time; ``remember`` keeps what a person chooses, ``recall`` reads what is kept by now,
    maybe by another window. ``has_unicode`` says whether the terminal shows line drawing characters,
    ``colours`` how many colours it has, None for none. ``keeps_all`` says whether games between computers
    are kept too, ``first`` is the first cell's number.
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
        """Where games are kept, opened when it is first needed; raises what opening does."""
        return self.open_store()


class BaseApp(App[None]):
    """The application without its screens."""

    def __init__(self, say: Translator, around: Surroundings) -> None:
        # Textual's own parts, such as fields, keep to the terminal's colours where ours do, or to none.
        super().__init__(ansi_color=None if Styling("dark", around.colours).is_rich else True)
        self.say, self.around = say, around
        self.preferences = around.requested or around.preferences
        self.begin_from: Callable[[str, str], object] = lambda game, position: None
        """Lets be chosen who plays a game from a position, where no other page is open."""
        self._remembered = around.preferences
        self.farewell: list[str] = []
        self.has_lost_game = False
        """What is to be said on the terminal when the full screen has gone."""
        self.failure: NoughtsError | None = None
        """Why the full screen had to be left."""
        self.styling = self.styling_of(self.preferences.theme or DEFAULT_THEME)

    def styling_of(self, theme: str) -> Styling:
        """The styles of *theme* on this terminal; those of the dark one for a theme that is not known."""
        return Styling(theme if theme in PALETTES else "dark", self.around.colours)

    @property
    def has_unicode(self) -> bool:
        """Whether marks and lines are drawn with more than ASCII."""
        chosen = self.preferences.marks
        return self.around.has_unicode if chosen is None else chosen == "unicode"

    def spell(self, text: str) -> str:
        """*text* in characters that the terminal can show and that do not steer it."""
        return safe_text(text) if self.has_unicode else in_ascii_signs(text)

    def prefer(self, **chosen: object) -> None:
        """Remember what is chosen otherwise than before; what else is remembered stays as it is."""
        changed = {name: value for name, value in chosen.items() if value != getattr(self.preferences, name)}
        self.preferences = replace(self.preferences, **changed)  # type: ignore[arg-type]
        before = self._remembered if self.around.recall is None else self.around.recall()
        self._remembered = replace(before, **changed)  # type: ignore[arg-type]
        self.around.remember(self._remembered)
