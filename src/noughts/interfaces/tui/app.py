"""The application: its screens, its start from the command line and its end."""

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
from noughts.interfaces.tui.widgets.base_app import AppServices, BaseApp
from noughts.interfaces.tui.widgets.help import KeyHelpPage
from noughts.interfaces.tui.widgets.input_queue import InputQueue
from noughts.interfaces.tui.widgets.keys import EVERYWHERE, bindings
from noughts.interfaces.tui.widgets.page import DrawnScreen
from noughts.interfaces.tui.widgets.picking import Item, Picker, offer_commands
from noughts.interfaces.tui.widgets.styles import PALETTES, textual_theme
from noughts.workers.supervisor import ProcessWorker

DONE = 0

FirstPage = Callable[["NoughtsApp"], DrawnScreen[Any]]
"""Makes the first page, if that is neither the gallery nor a game of a plan."""

PACE_SECONDS = 0.6
"""The least time of a computer's move, in seconds."""


class NoughtsApp(BaseApp):
    """The full screen; with a *plan* it starts in its game and ends after it.

    Without a plan it starts in the gallery. *start* is a game and a position to start that game from.
    *first_page* replaces both.
    """

    CSS_PATH = "style.tcss"
    ENABLE_COMMAND_PALETTE = False
    ALLOW_SELECT = False
    ESCAPE_TO_MINIMIZE = False
    BINDINGS: ClassVar = [*bindings(EVERYWHERE)]

    def __init__(
        self,
        say: Translator,
        services: AppServices,
        plan: GamePlan | None = None,
        start: tuple[str, str] | None = None,
        first_page: FirstPage | None = None,
    ) -> None:
        super().__init__(say, services)
        self._plan, self._start, self._first_page = plan, start, first_page
        self.begin_from = lambda game, position: self.push_screen(StartPage((game, position)))
        self.input_queue = InputQueue(self, super().on_event)
        self._signals = ExitStack()
        self._apply_theme(self.styling.theme)
        # Without this the first screen is styled twice.
        self.stylesheet.set_variables(self.get_css_variables())

    # Settings

    def action_switch_theme(self) -> None:
        """Switch to the next theme."""
        following = next(theme for theme in PALETTES if theme != self.styling.theme)
        self.save_choices(theme=following)
        self._apply_theme(following)
        self.redraw()

    def action_switch_marks(self) -> None:
        """Switch between Unicode and ASCII drawings."""
        self.save_choices(marks="ascii" if self.has_unicode else "unicode")
        self.redraw()

    def set_language(self, language: str) -> None:
        """Continue in *language*."""
        self.say = Translator(language)
        self.save_choices(language=language)
        self.redraw()

    def action_choose_language(self) -> None:
        """Open the list of languages."""
        items = [Item(code, name) for code, name in LANGUAGES.items()]
        picker = Picker("choose-language", items, self.say.language)
        self.push_screen(picker, lambda language: self.set_language(language) if language else None)

    def action_commands(self) -> None:
        """Open the command palette of the current screen."""
        offer_commands(self)

    def action_help(self) -> None:
        """Open the list of all keys."""
        if not isinstance(self.screen, KeyHelpPage):
            self.push_screen(KeyHelpPage())

    # Looks

    def _apply_theme(self, theme: str) -> None:
        self.styling = self.styling_of(theme)
        look = textual_theme(self.styling)
        self.register_theme(look)
        self.theme = look.name

    def redraw(self) -> None:
        """Draw all screens again."""
        for screen in self.screen_stack:
            if isinstance(screen, DrawnScreen):
                screen.redraw()

    # Start and end

    def on_mount(self) -> None:
        self._signals.enter_context(signals.listening(partial(self.action_leave_program, by_choice=False)))
        signals.continue_only_after_stop()
        if not self.is_headless:
            self.set_interval(signals.LOOK_SECONDS, signals.end_without_terminal)
        self.run_worker(self.input_queue.run_queue())

    def get_default_screen(self) -> DrawnScreen[Any]:
        """Return the first page: the game of the plan, or the gallery.

        Raises :class:`~noughts.errors.ShapeError` if the board is too large for the full screen.
        """
        if self._first_page is not None:
            return self._first_page(self)
        if self._plan is None:
            return StartPage(self._start)
        from noughts.interfaces.tui.game.game_page import GamePage

        services = self.services
        return GamePage(table_for(self._plan, services.store, keeps_all=services.keeps_all), self)

    def on_unmount(self) -> None:
        self._signals.close()

    async def on_event(self, event: Event) -> None:
        """Queue keys and clicks; Textual calls this for every event."""
        is_done_by_a_person = isinstance(event, InputEvent | Paste) and not event.is_forwarded
        if is_done_by_a_person and not isinstance(event, MouseMove):
            self.input_queue.add(event)
        else:
            await super().on_event(event)

    def action_leave_program(self, by_choice: bool = True) -> None:
        """Leave at once; the games stay saved.

        Unless a person chose to leave, a series between two games can be continued too.
        """
        for screen in self.screen_stack:
            if isinstance(screen, DrawnScreen):
                self.farewell += screen.say_goodbye(by_choice=by_choice)
        self.exit()


def start(
    options: PlayOptions,
    say: Translator,
    open_store: Callable[[], Store],
    first_page: FirstPage | None = None,
) -> int:
    """Play in the full screen, from *first_page* if that is given; return the exit status.

    If *options* choose players, the game starts with people on the other seats. If they name only a game, it
    starts with the players of the last game. Otherwise the gallery is shown before the store is opened. A
    :class:`~noughts.errors.NoughtsError` is raised if the options or the database cannot be used.
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
        thinker.start()  # The process starts while the screen is made.
        services = AppServices(
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
            _ = services.store  # Open the store now, to report errors before the screen starts.
        start = None if options.game is None or options.position is None else (options.game, options.position)
        app = NoughtsApp(say, services, plan, start, first_page)
        gc.freeze()  # Imported objects stay, and collecting them again would delay keys.
        gc.enable()
        # Messages must not disturb the screen, and a signal to end must restore the terminal.
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
    """Return the plan for the game of *options* with the players in *preferences*."""
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
    os.environ.pop("NO_COLOR", None)  # An empty value has no effect, but Textual would obey it.
    return COLOR_SYSTEMS.get(Console(file=sys.__stderr__).color_system or "")
