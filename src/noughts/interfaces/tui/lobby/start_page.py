"""The first screen: all games in small pictures, and how the next one is set up."""

from collections.abc import Callable, Sequence
from random import Random

from textual.app import ComposeResult
from textual.containers import Horizontal

from noughts.arena.local_table import LocalTable
from noughts.errors import BadInput, NotFound, NoughtsError, PlayerFailed
from noughts.games.base import Game
from noughts.interfaces.presenting.choices import Choices, Setting
from noughts.interfaces.presenting.i18n import Said, Translator
from noughts.interfaces.presenting.planning import Plan
from noughts.interfaces.presenting.players import player_called, refusal_in_words
from noughts.interfaces.presenting.starting import read_start, refusal_of_start
from noughts.interfaces.tui.launch import Unfinished, find_unfinished, table_for
from noughts.interfaces.tui.lobby.gallery import Choice, Shelf, described, fresh, stepped
from noughts.interfaces.tui.lobby.sheet import LobbySheet, message_lines
from noughts.interfaces.tui.widgets.keys import CHOOSING, footer
from noughts.interfaces.tui.widgets.page import Page
from noughts.interfaces.tui.widgets.picking import Item, Picker
from noughts.interfaces.tui.widgets.spans import LineInput, LinesView
from noughts.interfaces.tui.widgets.task_slot import TaskSlot
from noughts.workers.seating import seat_patience

FOOTER = ("play", "choose", "settings", "own", "puzzles", "find", "language", "help", "quit")
SETTING_FOOTER = ("play", "choose", "boards", "help", "close")
NAME_FOOTER = ("rename", "choose", "boards", "help", "close")
START_FOOTER = ("type-start", "choose", "boards", "help", "close")
"""The keys of the footer: among pictures, on a setting, on one that is a name, and on where a game begins."""


SEAT_SECONDS = 60.0
"""Seconds that a program may take before it says whether it plays a game."""


class StartPage(Page[None], keys=CHOOSING):
    """Where a game is chosen and set up; with *start*, its name and a position of it to begin from."""

    DEFAULT_CSS = """
    StartPage #panes { height: 1fr; }
    StartPage #pictures { width: 1fr; height: 100%; }
    StartPage #notes { height: 100%; }
    """

    def __init__(self, start: tuple[str, str] | None = None) -> None:
        super().__init__()
        self._begun_from = start
        self.message: Callable[[Translator], str] | None = None
        self.is_setting = False
        """Whether the keys go to the settings, else to the pictures."""
        self.setting = 0
        """The setting that the keys go to."""
        self.shelf = Shelf()
        self._editing: str | None = None
        self._first = 0
        self._columns = self._rows = 1
        self._unfinished: list[Unfinished] = []

    def on_mount(self) -> None:
        preferences = self.app.preferences
        self.choices = Choices(preferences)
        self._asked = TaskSlot(self, self.app.around.thinker)
        if preferences.game is not None:
            self.shelf.recall(preferences.game)
        if self._begun_from is not None:
            self._begin_from(*self._begun_from)
        self.app.when_seen(self._prepare)

    def _prepare(self) -> None:
        """Do what takes time once the pictures are seen: open the store, load what a game needs."""
        self._look_for_unfinished()
        self.redraw()
        import noughts.interfaces.tui.game.game_page  # noqa: F401

    def _look_for_unfinished(self) -> None:
        """What could be gone on with, as far as the store can be read."""
        try:
            store = self.app.around.store
        except NoughtsError as error:
            self.app.failure = error
            self.app.exit()
            return
        self._unfinished, refused = [], list[NoughtsError]()
        try:
            self._unfinished.extend(find_unfinished(store, refused.append))
        except NoughtsError as error:
            refused.append(error)
        if refused:
            self.message = lambda say: say.error(refused[0])

    @property
    def shown(self) -> list[Choice]:
        """The games to choose from: all, or while something is looked for those that fit."""
        return self.shelf.shown(self.say)

    @property
    def game(self) -> Game:
        """The chosen game before its first move."""
        return fresh(self.shelf.chosen)

    # What is shown

    def compose(self) -> ComposeResult:
        with Horizontal(id="panes"):
            yield LinesView(id="pictures")
            yield LinesView(id="notes")
        yield LinesView(id="message")
        yield from self.compose_bottom()

    def draw(self) -> None:
        width, height = self.size
        body = height - (height > 1)
        facts = (self.say, self.app.has_unicode, self.shelf, self.choices, self._unfinished)
        sheet = LobbySheet(*facts, self.setting if self.is_setting else None, self._first)
        *panes, sidebar = sheet.panes(width, body)
        self._first, self._columns, self._rows = sheet.first, sheet.columns, sheet.rows
        for pane, lines in zip(self.query("#panes > LinesView").results(LinesView), panes, strict=True):
            pane.display = bool(lines)
            pane.show(lines)
        self.query_one("#notes").styles.width = sidebar or "1fr"
        said = [] if self.message is None else message_lines(self.message(self.say), width, body)
        self.query_one("#message", LinesView).show_all(said)
        self.show_footer(footer(self.say, self._footer_keys, width), is_there=height > 1)

    @property
    def _focused(self) -> Setting:
        """The setting that the keys go to, or would."""
        settings = self.choices.settings(self.say, self.game)
        return settings[min(self.setting, len(settings) - 1)]

    @property
    def _footer_keys(self) -> Sequence[str]:
        if not self.is_setting:
            return FOOTER
        if self._focused.id == "start":
            return START_FOOTER
        return NAME_FOOTER if self._focused.is_typed else SETTING_FOOTER

    # Keys: choosing

    def action_step(self, direction: str) -> None:
        """To the next picture, or while settings are chosen to the next setting or its next value."""
        if self.is_setting:
            self._step_in_settings(direction)
        else:
            self._step_to_picture(direction)

    def _step_to_picture(self, direction: str) -> None:
        shown = self.shown
        if shown:
            place = stepped(direction, self.shelf.place(shown), len(shown), self._columns, self._rows)
            self._choose(shown[place].name)

    def _choose(self, name: str) -> None:
        self._asked.drop()
        self.shelf.chosen, self.message = name, None
        self.setting = 0 if not self.is_setting else self.setting
        self.redraw()

    def _step_in_settings(self, direction: str) -> None:
        settings = self.choices.settings(self.say, self.game)
        last = len(settings) - 1
        if direction in ("up", "down"):
            self.setting = (self.setting + (1 if direction == "down" else -1)) % len(settings)
        elif direction in ("left", "right"):
            self.setting = min(self.setting, last)
            self._change(settings[self.setting], 1 if direction == "right" else -1)
        else:
            self.setting = 0 if direction in ("top", "page-up") else last
        self.redraw()

    def _change(self, setting: Setting, steps: int) -> None:
        self._asked.drop()
        self.message = None
        setting.change(steps)
        self._remember()

    def _remember(self) -> None:
        self.app.prefer(**self.choices.to_remember(self.game))

    def action_roll(self, steps: int, sideways: bool = False) -> None:
        """A row of pictures further, or with less than 0 back."""
        self._step_to_picture("down" if steps > 0 else "up")

    def action_choose(self, place: int) -> None:
        """A picture was clicked: it is chosen, and if it was already, the game is played."""
        shown = self.shown
        if place >= len(shown):
            return
        if shown[place].name == self.shelf.chosen:
            self.action_start()
        else:
            self.is_setting = False
            self._choose(shown[place].name)

    def action_change(self, setting: str, steps: int) -> None:
        """A setting was clicked: a name is asked for, of anything else another is chosen."""
        if not self._take_entry():
            return
        settings = self.choices.settings(self.say, self.game)
        self.setting = next((place for place, one in enumerate(settings) if one.id == setting), 0)
        self.is_setting = True
        if self._focused.is_typed:
            self._ask_text()
        elif steps:
            self._change(self._focused, steps)
        self.redraw()

    def action_settings(self) -> None:
        """From the pictures to the settings, and back."""
        if not self.is_typing:
            self.is_setting = not self.is_setting
            self._tell(None)

    # Keys: what is typed

    def close_entry(self) -> None:
        """Nothing is looked for or renamed any more."""
        self.shelf.query = self._editing = None
        super().close_entry()

    def _give_up_entry(self) -> None:
        """What was typed is forgotten; chosen is what was chosen before something was looked for."""
        self.shelf.give_up_search()
        self.close_entry()

    def _take_entry(self) -> bool:
        """What is being typed, if anything is, holds now; False where it cannot, and the field stays open."""
        field = self.entry
        if field is None:
            return True
        if self._editing is not None:
            return self._take_text(self._editing, field.value)
        if not self.shown:
            return False
        self.shelf.keep()
        self.message = None
        self.close_entry()
        return True

    def action_find(self) -> None:
        """Look for a game, or describe a board."""
        if not self._take_entry():
            return
        self._asked.drop()
        self.is_setting, self.message = False, None
        self.shelf.begin_search()
        self.open_entry(lambda say: say("start-find"))

    def _ask_text(self) -> None:
        self.message, self._editing = None, self._focused.id
        if self._editing == "start":
            self.open_entry(lambda say: say("start-from"), self.choices.start(self.game) or "")
        else:
            self.open_entry(lambda _: self._focused.label, self._focused.text)

    def on_input_changed(self, changed: LineInput.Changed) -> None:
        """What is looked for has changed, and with it what is shown."""
        if self.shelf.query is None or not self.is_typing:
            return
        query = changed.value.strip()
        is_found = self.shelf.search(self.say, query)
        refused = None if is_found else described(query)
        if isinstance(refused, BadInput):
            self._refuse(refused)
        else:
            self._tell(None if is_found else lambda say: say("start-nothing-found"))

    def on_input_submitted(self, submitted: LineInput.Submitted) -> None:
        """What was typed holds: a name, or the game that was looked for."""
        self._take_entry()

    def _take_text(self, setting: str, text: str) -> bool:
        """Call a person *text*, or begin from where it says; return whether that can be."""
        game, first = self.shelf.chosen, self.app.around.first
        try:
            if setting == "start":
                self.choices.begin_from(self.game, read_start(self.say, game, text, first))
            else:
                self.choices.rename(int(setting.removeprefix("name-")), text)
        except Said:
            self._tell(lambda say: refusal_of_start(say, game, text, first))
            return False
        except NoughtsError as error:
            self._refuse(error)
            return False
        self.message = None
        self._remember()
        self.close_entry()
        return True

    # Keys: what comes of it

    def action_play(self) -> None:
        """Play the chosen game as it is set up; on a name, change the name."""
        if self.is_setting and self._focused.is_typed and not self.is_typing:
            self._ask_text()
        else:
            self.action_start()

    def action_start(self) -> None:
        """Play the chosen game, once all computers have said that they play it."""
        if self._take_entry() and not self._asked.is_waiting:
            begun = self.choices.begun(self.game)
            self._ask_players(self.choices.doubtful(begun), begun)

    def _ask_players(self, doubtful: Sequence[str], game: Game) -> None:
        """Ask each of the *doubtful* computers whether it plays *game*; once all do, play."""
        if not doubtful:
            self._play()
            return
        who, *others = doubtful

        def take(refusal: NoughtsError | None) -> None:
            if refusal is None:
                self._ask_players(others, game)
            else:
                self._tell(
                    lambda say: say.joined([refusal_in_words(say, refusal), say("start-other-player")])
                )

        from noughts.interfaces.presenting.tasks import take_seat

        self._asked.ask(
            *(take_seat, who, game.copy(), None),
            take=take,
            fail=lambda failure: take(PlayerFailed(who, failure.reason)),
            patience=seat_patience(who, SEAT_SECONDS),
        )
        self._tell(lambda say: say("start-ready", player=player_called(say, who, who)))

    def _refuse(self, error: NoughtsError) -> None:
        self._tell(lambda say: say.error(error))

    def _tell(self, sentence: Callable[[Translator], str] | None) -> None:
        """Show a sentence until something else happens; none, for None."""
        self.message = sentence
        self.redraw()

    def _play(self) -> None:
        self.message = None
        if self.app.screen is not self:  # help or a list was opened while a computer was asked
            return
        self.app.prefer(game=self.shelf.chosen, **self.choices.to_remember(self.game))
        # Every game differs; the start that comes of it is kept with the game.
        seed = Random().randrange(2**31)
        self.play(self.choices.plan(self.say, self.shelf.chosen, self.game, seed))

    def play(self, plan: Plan) -> None:
        """Play what *plan* says; where that cannot be done, tell why."""
        around = self.app.around
        self.open(lambda: table_for(plan, around.store, keeps_all=around.keeps_all))

    def open(self, prepare: Callable[[], LocalTable]) -> None:
        """Open the game that *prepare* makes; where that cannot be done, tell why."""
        from noughts.interfaces.tui.game.game_page import GamePage

        try:
            page = GamePage(prepare(), self.app)
        except NoughtsError as error:
            self._refuse(error)
        else:
            self.app.push_screen(page, self._come_back)

    def _come_back(self, left: NoughtsError | tuple[str, str] | None) -> None:
        """A game was left, for another from a position of it, or could not begin.

        There may be something else to go on with.
        """
        self._look_for_unfinished()
        if isinstance(left, NoughtsError):
            self._refuse(left)
            return
        if left is not None:
            self._begin_from(*left)
        self.redraw()

    def _begin_from(self, game: str, position: str) -> None:
        """Let be chosen who plays *game* from *position*."""
        self.shelf.chosen, self.is_setting, self.setting = game, True, 0
        self.shelf.keep()
        self.choices.begin_from(self.game, position)

    def action_build(self) -> None:
        """Build a board of one's own, beginning with the chosen one; then choose who plays."""
        from noughts.interfaces.tui.lobby.build_page import BuildPage

        if not self._take_entry():
            return
        self._asked.drop()

        def take(built: str | None) -> None:
            if built is not None:
                self.shelf.chosen, self.is_setting, self.setting = built, True, 0
                self.shelf.keep()
            self._tell(None)

        self.app.push_screen(BuildPage(self.shelf.chosen), take)

    def action_puzzles(self) -> None:
        """Solve puzzles of the chosen game; of all games where it has none."""
        from noughts.interfaces.tui.game.puzzle_page import SolvingPage
        from noughts.puzzles.shipped import all_puzzles, next_after, puzzles_of

        if not self._take_entry():
            return
        self._asked.drop()
        self.message = None
        try:
            among = puzzles_of(self.game.name)
        except NotFound:
            among = all_puzzles()
        first = next_after(None, among, frozenset(self.app.preferences.solved))
        self.app.push_screen(SolvingPage(first, among, self.app), self._come_back)

    def action_go_on(self) -> None:
        """Go on with the newest game that was interrupted."""
        if self._unfinished:
            self._go_on(self._unfinished[0])
        else:
            self._tell(lambda say: say("start-nothing-to-continue"))

    def action_choose_unfinished(self) -> None:
        """Let a game be chosen from all that were interrupted."""

        def go_on(place: str | None) -> None:
            if place is not None:
                self._go_on(self._unfinished[int(place)])

        if self._unfinished:
            items = [Item(str(place), one.sentence(self.say)) for place, one in enumerate(self._unfinished)]
            self.app.push_screen(Picker("choose-unfinished", items), go_on)
        else:
            self.action_go_on()

    def _go_on(self, unfinished: Unfinished) -> None:
        self._asked.drop()  # no other game shall begin when this one is left
        self._give_up_entry()
        self.message = None
        self.open(lambda: unfinished.resume(self.app.around.now, Random().randrange(2**31)))

    def action_leave(self) -> None:
        """Out of the field, out of the settings, or out of the program."""
        if self.is_typing or self._asked.is_waiting or self.is_setting:
            self.action_step_back()
        else:
            self.app.exit()

    def action_step_back(self) -> None:
        """Out of the field, out of waiting for a computer, or out of the settings."""
        if self.is_typing:
            self._give_up_entry()
        elif self._asked.is_waiting:
            self._asked.drop()
        else:
            self.is_setting = False
        self._tell(None)
