"""The application: its screens, and what a person set: language, theme, marks."""

from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from math import prod
from typing import ClassVar

from rich.color import ColorSystem
from textual.app import App
from textual.events import Event, InputEvent, MouseMove, Paste

from noughts.arena.sitting import Sitting
from noughts.arena.store.store import Store
from noughts.drawing.svg import MOST_CELLS
from noughts.errors import NoughtsError, ShapeError
from noughts.games.catalogue import new_game
from noughts.interfaces.presenting.i18n import LANGUAGES, Translator
from noughts.interfaces.presenting.planning import Plan, sit_down
from noughts.interfaces.presenting.preferences import Preferences
from noughts.interfaces.tui.game.game_page import GamePage
from noughts.interfaces.tui.kit.input_queue import Turns
from noughts.interfaces.tui.kit.keys import EVERYWHERE, bindings
from noughts.interfaces.tui.kit.page import Drawn
from noughts.interfaces.tui.kit.signals import (
    LOOK_SECONDS,
    go_on_only_after_a_stop,
    hang_up_without_terminal,
    listening,
)
from noughts.interfaces.tui.kit.styles import PALETTES, Inks, has_many, textual_theme
from noughts.interfaces.tui.start.start_page import StartPage
from noughts.workers.messages import Thinker


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the application gets from outside.

    ``now`` gives the time in milliseconds since 1970; ``pace`` is how many seconds a computer's move takes
    at least, so that eyes can follow. ``preferences`` are what was chosen before, ``asked`` the same with
    what is wanted this time; ``remember`` keeps what a person chooses, ``recall`` reads what is kept by now,
    maybe by another window. ``has_unicode`` says whether the terminal shows line drawing characters,
    ``colours`` how many colours it has, None for none. ``keeps_all`` says whether games between computers
    are kept too, ``first`` is the first cell's number.
    """

    store: Store
    thinker: Thinker
    now: Callable[[], int]
    preferences: Preferences = field(default_factory=Preferences)
    asked: Preferences | None = None
    remember: Callable[[Preferences], object] = lambda preferences: None
    recall: Callable[[], Preferences] | None = None
    has_unicode: bool = True
    pace: float = 0.0
    keeps_all: bool = False
    first: int = 1
    colours: ColorSystem | None = ColorSystem.TRUECOLOR


def check_size(game: str) -> None:
    """Raise :class:`~noughts.errors.ShapeError` where the board of *game* has too many cells."""
    shape = new_game(game).shape
    if prod(shape) > MOST_CELLS:
        raise ShapeError(shape, "too-large-to-draw", MOST_CELLS)


class NoughtsApp(App[None]):
    """The full screen. With a *plan* it begins in the game."""

    CSS_PATH = "style.tcss"
    ENABLE_COMMAND_PALETTE = False
    ALLOW_SELECT = False
    ESCAPE_TO_MINIMIZE = False
    BINDINGS: ClassVar = [*bindings(EVERYWHERE)]

    def __init__(self, say: Translator, around: Surroundings, plan: Plan | None = None) -> None:
        # Textual's own parts, such as fields, keep to the terminal's colours where ours do, or to none.
        super().__init__(ansi_color=None if has_many(around.colours) else True)
        self.say, self.around = say, around
        self.preferences = around.asked or around.preferences
        self._remembered = around.preferences
        self._plan = plan
        self.inks = self._inks_of(self.preferences.theme or "dark")
        self.farewell: list[str] = []
        """What is to be said on the terminal when the full screen has gone."""
        self.turns = Turns(self, super().on_event)
        self._signals = ExitStack()

    # What a person set

    @property
    def has_unicode(self) -> bool:
        """Whether marks and lines are drawn with more than ASCII."""
        chosen = self.preferences.marks
        return self.around.has_unicode if chosen is None else chosen == "unicode"

    def prefer(self, **chosen: object) -> None:
        """Remember what is chosen otherwise than before; what else is remembered stays as it is."""
        changed = {name: value for name, value in chosen.items() if value != getattr(self.preferences, name)}
        self.preferences = replace(self.preferences, **changed)  # type: ignore[arg-type]
        before = self._remembered if self.around.recall is None else self.around.recall()
        self._remembered = replace(before, **changed)  # type: ignore[arg-type]
        self.around.remember(self._remembered)

    def action_switch_theme(self) -> None:
        """The other theme."""
        names = list(PALETTES)
        following = names[(names.index(self.inks.theme) + 1) % len(names)]
        self.prefer(theme=following)
        self._wear(following)

    def action_switch_marks(self) -> None:
        """Draw with Unicode, or with ASCII alone."""
        self.prefer(marks="ascii" if self.has_unicode else "unicode")
        self.redraw()

    def speak(self, language: str) -> None:
        """Go on in *language*."""
        self.say = Translator(language)
        self.prefer(language=language)
        self.redraw()

    def action_choose_language(self) -> None:
        """Let a language be chosen."""
        from noughts.interfaces.tui.kit.picking import Picker

        picker = Picker("choose-language", list(LANGUAGES.items()), self.say.language)
        self.push_screen(picker, lambda language: self.speak(language) if language else None)

    def action_commands(self) -> None:
        """Let a command be chosen from all there are here."""
        from noughts.interfaces.tui.kit.picking import offer_commands

        offer_commands(self)

    def action_help(self) -> None:
        """Every key."""
        from noughts.interfaces.tui.kit.help import HelpPage

        if not isinstance(self.screen, HelpPage):
            self.push_screen(HelpPage())

    # Looks

    def _inks_of(self, theme: str) -> Inks:
        return Inks(theme if theme in PALETTES else "dark", self.around.colours)

    def _wear(self, theme: str) -> None:
        self.inks = self._inks_of(theme)
        look = textual_theme(self.inks)
        self.register_theme(look)
        self.theme = look.name
        self.redraw()

    def redraw(self) -> None:
        """Draw all screens anew."""
        for screen in self.screen_stack:
            if isinstance(screen, Drawn):
                screen.redraw()
                screen.refresh(layout=True)
                for widget in screen.query("*"):
                    widget.refresh()

    # Coming and going

    def on_mount(self) -> None:
        self._signals.enter_context(listening(self._break_off))
        go_on_only_after_a_stop()
        if not self.is_headless:
            self.set_interval(LOOK_SECONDS, hang_up_without_terminal)
        self._wear(self.inks.theme)
        if self._plan is not None:
            self.play(self._plan, is_only=True)
        else:
            self.push_screen(StartPage())
        self.run_worker(self.turns.work_off())

    def on_unmount(self) -> None:
        self._signals.close()

    async def on_event(self, event: Event) -> None:
        """Let keys and clicks wait for their turn; Textual calls this for all that comes."""
        is_done_by_a_person = isinstance(event, InputEvent | Paste) and not event.is_forwarded
        if is_done_by_a_person and not isinstance(event, MouseMove):
            self.turns.take(event)
        else:
            await super().on_event(event)

    def play(self, plan: Plan, *, is_only: bool = False) -> None:
        """Play what *plan* says; with *is_only* the program ends with it.

        Raises :class:`~noughts.errors.ShapeError` for a board that is too large for the full screen.
        """
        check_size(plan.game)
        is_kept = plan.has_people or self.around.keeps_all
        sitting = sit_down(plan, self.around.store if is_kept else None)
        self.push_screen(GamePage(sitting, self.around.now, self.around.first, is_only=is_only))

    def go_on(self, sitting: Sitting) -> None:
        """Go on with a *sitting* that was interrupted.

        Raises :class:`~noughts.errors.ShapeError` for a board that is too large for the full screen.
        """
        check_size(sitting.terms.game)
        self.push_screen(GamePage(sitting, self.around.now, self.around.first))

    def give_up(self, page: GamePage, error: NoughtsError) -> None:
        """Leave *page*, whose first game could not be set up, and tell why where the person came from."""
        sentence = self.say.error(error)
        if page.is_only:
            self.farewell = [sentence]
            self.exit()
            return
        page.dismiss(None)
        for screen in self.screen_stack:
            if isinstance(screen, StartPage):
                screen.tell(lambda say: say.error(error))

    def leave_game(self, page: GamePage) -> None:
        """Leave the game of *page*: it is kept as it stands."""
        self._say_goodbye(page)
        if page.is_only:
            self.exit()
        else:
            self.farewell.clear()
            page.dismiss(None)
            for screen in self.screen_stack:
                if isinstance(screen, StartPage):
                    screen.look_again()

    def _say_goodbye(self, page: GamePage, *, by_choice: bool = True) -> None:
        """What is said on the terminal afterwards, and what becomes of the series.

        Between two games it ends where a person chose to leave it.
        """
        sitting = page.playing.sitting
        match = sitting.match
        is_untouched = match is None or match.version == 0
        if sitting.is_playing and not is_untouched:
            self.farewell = [self.say("left-in-game" if sitting.store is None else "left-kept")]
            try:
                sitting.put_by(self.around.now())
            except NoughtsError as error:
                self.farewell = [self.say("left-in-game"), self.say.error(error)]
            return
        self.farewell = [self.say("left")]
        with suppress(NoughtsError):
            if by_choice:
                sitting.end()

    def action_leave_program(self) -> None:
        """Leave at once; what was played is kept."""
        self._leave(by_choice=True)

    def _break_off(self) -> None:
        """Leave at once, as nobody chose to: also a series between two games can be gone on with."""
        self._leave(by_choice=False)

    def _leave(self, *, by_choice: bool) -> None:
        for screen in self.screen_stack:
            if isinstance(screen, GamePage):
                self._say_goodbye(screen, by_choice=by_choice)
        self.exit()
