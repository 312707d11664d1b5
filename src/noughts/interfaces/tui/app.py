"""The application: its screens, and the way from the command line to them and back to the terminal."""

import gc
import os
import sys
from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar

from rich.color import ColorSystem
from rich.console import COLOR_SYSTEMS, Console
from textual.events import Event, InputEvent, MouseMove, Paste

from noughts.arena.process_time import now_ms
from noughts.arena.store.store import Store
from noughts.games.catalogue import new_game
from noughts.interfaces.presenting.choices import remembered_choices
from noughts.interfaces.presenting.damage import report_damage
from noughts.interfaces.presenting.game_plan import (
    DEFAULT_GAME,
    GamePlan,
    PlayOptions,
    open_plan,
    settled_plan,
)
from noughts.interfaces.presenting.i18n import LANGUAGES, Translator
from noughts.interfaces.presenting.preferences import Preferences, load_preferences, save_preferences
from noughts.interfaces.presenting.settings import choose_setting
from noughts.interfaces.presenting.terminal_capabilities import has_unicode
from noughts.interfaces.tui.launch import check_size, table_for
from noughts.interfaces.tui.lobby.start_page import StartPage
from noughts.interfaces.tui.widgets import signals
from noughts.interfaces.tui.widgets.base_app import BaseApp, Surroundings
from noughts.interfaces.tui.widgets.help import KeyHelpPage
from noughts.interfaces.tui.widgets.input_queue import InputQueue
from noughts.interfaces.tui.widgets.keys import EVERYWHERE, bindings
from noughts.interfaces.tui.widgets.page import Drawn
from noughts.interfaces.tui.widgets.picking import Item, Picker, offer_commands
from noughts.interfaces.tui.widgets.styles import PALETTES, textual_theme
from noughts.workers.supervisor import ProcessWorker

DONE = 0

PACE_SECONDS = 0.6
"""How long a computer's move takes at least."""


class NoughtsApp(BaseApp):
    """The full screen. With a *plan* it begins in the game, and ends with it.

    Without one it begins in the gallery; there a game may *start* from a position, told by name and position.
    """

    CSS_PATH = "style.tcss"
    ENABLE_COMMAND_PALETTE = False
    ALLOW_SELECT = False
    ESCAPE_TO_MINIMIZE = False
    BINDINGS: ClassVar = [*bindings(EVERYWHERE)]

    def __init__(
        self,
        say: Translator,
        around: Surroundings,
        plan: GamePlan | None = None,
        start: tuple[str, str] | None = None,
    ) -> None:
        super().__init__(say, around)
        self._plan, self._start = plan, start
        self.begin_from = lambda game, position: self.push_screen(StartPage((game, position)))
        self.input_queue = InputQueue(self, super().on_event)
        self._signals = ExitStack()
        self._wear(self.styling.theme)
        self.stylesheet.set_variables(self.get_css_variables())  # else the first screen is styled twice

    # What a person sets

    def action_switch_theme(self) -> None:
        """The other theme."""
        following = next(theme for theme in PALETTES if theme != self.styling.theme)
        self.prefer(theme=following)
        self._wear(following)
        self.redraw()

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
        items = [Item(code, name) for code, name in LANGUAGES.items()]
        picker = Picker("choose-language", items, self.say.language)
        self.push_screen(picker, lambda language: self.speak(language) if language else None)

    def action_commands(self) -> None:
        """Let a command be chosen from all there are here."""
        offer_commands(self)

    def action_help(self) -> None:
        """Every key."""
        if not isinstance(self.screen, KeyHelpPage):
            self.push_screen(KeyHelpPage())

    # Looks

    def _wear(self, theme: str) -> None:
        self.styling = self.styling_of(theme)
        look = textual_theme(self.styling)
        self.register_theme(look)
        self.theme = look.name

    def redraw(self) -> None:
        """Draw all screens anew."""
        for screen in self.screen_stack:
            if isinstance(screen, Drawn):
                screen.redraw()

    # Coming and going

    def on_mount(self) -> None:
        self._signals.enter_context(signals.listening(partial(self.action_leave_program, by_choice=False)))
        signals.go_on_only_after_a_stop()
        if not self.is_headless:
            self.set_interval(signals.LOOK_SECONDS, signals.hang_up_without_terminal)
        self.run_worker(self.input_queue.work_off())

    def get_default_screen(self) -> Drawn[Any]:
        """The first page: the game of the plan, or the gallery; Textual asks for it.

        Raises :class:`~noughts.errors.ShapeError` for a board that is too large for the full screen.
        """
        if self._plan is None:
            return StartPage(self._start)
        from noughts.interfaces.tui.game.game_page import GamePage

        around = self.around
        return GamePage(table_for(self._plan, around.store, keeps_all=around.keeps_all), self)

    def on_unmount(self) -> None:
        self._signals.close()

    async def on_event(self, event: Event) -> None:
        """Let keys and clicks wait for their turn; Textual calls this for all that comes."""
        is_done_by_a_person = isinstance(event, InputEvent | Paste) and not event.is_forwarded
        if is_done_by_a_person and not isinstance(event, MouseMove):
            self.input_queue.take(event)
        else:
            await super().on_event(event)

    def action_leave_program(self, by_choice: bool = True) -> None:
        """Leave at once; what was played is kept.

        Where nobody chose to leave, a series between two games can be gone on with too.
        """
        for screen in self.screen_stack:
            if isinstance(screen, Drawn):
                self.farewell += screen.say_goodbye(by_choice=by_choice)
        self.exit()


def start(options: PlayOptions, say: Translator, open_store: Callable[[], Store]) -> int:
    """Play in the full screen; return the exit status.

    If *options* take a seat, the game starts with people on the other seats. If they name only a game, it
    starts with the players of the last game. Otherwise the gallery is shown, before the store is opened.
    Raises a :class:`~noughts.errors.NoughtsError` for options and databases that cannot be used.
    """
    game = None if options.game is None else new_game(options.game)
    if game is not None:
        check_size(game.shape)
    preferences = load_preferences(os.environ, sys.platform)
    plan = None
    if options.who or (game is not None and len(game.sides) == 1):
        plan = settled_plan(options, say, at_once=True)
    elif game is not None:
        plan = _remembered_plan(options, say, _preferring(preferences, options))
    damages: list[str] = []
    with ExitStack() as closed, closing(ProcessWorker()) as thinker:
        thinker.start()  # while the screen is being made
        around = Surroundings(
            open_store=lambda: closed.enter_context(closing(open_store())),
            thinker=thinker,
            now=now_ms,
            preferences=preferences,
            requested=_preferring(preferences, options),
            remember=lambda chosen: save_preferences(chosen, os.environ, sys.platform),
            recall=lambda: load_preferences(os.environ, sys.platform),
            has_unicode=has_unicode(sys.stdout, os.environ),
            pace=PACE_SECONDS,
            keeps_all=options.keep,
            first=options.first,
            colours=_colours(),
        )
        if plan is not None:
            _ = around.store  # so that where it cannot be used that is told before anything is shown
        start = None if options.game is None or options.position is None else (options.game, options.position)
        app = NoughtsApp(say, around, plan, start)
        gc.freeze()  # what is imported stays; looking through it again and again would hold keys up
        gc.enable()
        # nothing else may appear on the full screen, which a signal to end leaves in order
        with report_damage(say, damages.append), signals.waiting():
            app.run()
    for sentence in damages:
        print(sentence, file=sys.stderr)
    if app.failure is not None:
        raise app.failure
    for sentence in app.farewell:
        print(sentence)
    return app.return_code or int(app.has_lost_game)


def _remembered_plan(options: PlayOptions, say: Translator, preferences: Preferences) -> GamePlan:
    """Return the plan for the game of *options* between the players that *preferences* remember."""
    plan, game = open_plan(options, say, options.game or DEFAULT_GAME)
    choices = remembered_choices(preferences, game, plan.seed)
    choices.begin_from(game, options.position)
    return choices.plan(say, plan.game, game, plan.seed)


def _preferring(preferences: Preferences, options: PlayOptions) -> Preferences:
    """Return *preferences* with the settings of the environment and the options of the command line."""
    name = choose_setting("name").value
    changes: dict[str, object] = {
        "theme": choose_setting("theme").value,
        "marks": choose_setting("signs").value,
        "names": (name, *preferences.names[1:]) if name else None,
    }
    for option in ("game", "names", "begins", "opening"):
        changes[option] = getattr(options, option) or changes.get(option)
    return replace(preferences, **{name: value for name, value in changes.items() if value})  # type: ignore[arg-type]


def _colours() -> ColorSystem | None:
    if os.environ.get("NO_COLOR"):
        return None
    os.environ.pop("NO_COLOR", None)  # empty, it means nothing; Textual would take it for a wish
    return COLOR_SYSTEMS.get(Console(file=sys.__stderr__).color_system or "")
