"""The first screen: pictures of all games, and the settings of the next game.

The size of the window decides the layout: pictures with notes, pictures, settings, or a list.
"""

from collections.abc import Callable, Iterator, Sequence
from random import Random

from textual.app import ComposeResult
from textual.containers import Horizontal

from noughts.arena.local_table import LocalTable
from noughts.errors import BadInput, NotFound, NoughtsError, PlayerFailed
from noughts.games.base import Game
from noughts.interfaces.presenting.choices import Choices, GameSetting
from noughts.interfaces.presenting.game_plan import HUMAN, GamePlan
from noughts.interfaces.presenting.i18n import ReadableError, Translator
from noughts.interfaces.presenting.known_result_texts import say_basis, say_best_play
from noughts.interfaces.presenting.players import (
    describe_computer,
    levels_without_fast,
    player_called,
    refusal_in_words,
    strongest_level,
)
from noughts.interfaces.presenting.start_position import read_start, refusal_of_start
from noughts.interfaces.presenting.titles import title_of
from noughts.interfaces.tui.launch import Unfinished, find_unfinished, table_for
from noughts.interfaces.tui.lobby import gallery
from noughts.interfaces.tui.widgets.keys import CHOOSING, KEYS, footer, key_item
from noughts.interfaces.tui.widgets.page import Page
from noughts.interfaces.tui.widgets.picking import Item, Picker
from noughts.interfaces.tui.widgets.spans import (
    Bit,
    EdgedPane,
    Line,
    LineInput,
    LinesView,
    clipped,
    cut,
    first_visible,
    spread,
    width_of,
)
from noughts.interfaces.tui.widgets.styles import SECOND
from noughts.interfaces.tui.widgets.task_slot import TaskSlot
from noughts.text import display_width, fit, wrap
from noughts.workers.seating import seat_patience

FOOTER = ("play", "choose", "settings", "own", "puzzles", "find", "language", "help", "quit")
SETTING_FOOTER = ("play", "choose", "boards", "help", "close")
NAME_FOOTER = ("rename", "choose", "boards", "help", "close")
START_FOOTER = ("type-start", "choose", "boards", "help", "close")
"""The keys of the footer: among pictures, on a setting, on a name, and on the start position."""


WIDE = (80, 22)
"""The width and height of a window, in columns and lines, from which the notes are beside the pictures."""

PICTURED = (40, 14)
"""The width and height of a window, in columns and lines, from which there are pictures, not a list."""

MIN_LABEL = 8

MAX_MESSAGE_LINES = 4

ABOUT = 12
"""The number of lines that are reserved for the title and the rules of the chosen game."""

SEAT_SECONDS = 60.0
"""The time in seconds for a program to answer if it plays a game."""


class StartPage(Page[None], keys=CHOOSING):
    """The page to choose and set up a game; *start* is a game and a position to start from."""

    DEFAULT_CSS = """
    StartPage #panes { height: 1fr; }
    StartPage #pictures { width: 1fr; height: 100%; }
    StartPage #notes { height: 1fr; }
    StartPage EdgedPane.-edged { border-left: heavy $line; }
    StartPage EdgedPane.-edged.-ascii { border-left: ascii $line; }
    """

    def __init__(self, start: tuple[str, str] | None = None) -> None:
        super().__init__()
        self._begun_from = start
        self.message: Callable[[Translator], str] | None = None
        self.is_setting = False
        """True if the keys go to the settings, False if they go to the pictures."""
        self.setting = 0
        """The index of the selected setting."""
        self.shelf = gallery.GameShelf()
        self._editing: str | None = None
        self._first = 0
        self._columns = self._rows = 1
        self._unfinished: list[Unfinished] = []

    def on_mount(self) -> None:
        preferences = self.app.preferences
        self.choices = Choices(preferences)
        self._slot = TaskSlot(self, self.app.services.thinker)
        if preferences.game is not None:
            self.shelf.recall(preferences.game)
        if self._begun_from is not None:
            self._begin_from(*self._begun_from)
        # The page is first laid out, then painted.
        self.call_after_refresh(self.call_after_refresh, self._prepare)

    def _prepare(self) -> None:
        """Open the store and load the game page, which takes time, after the first frame."""
        self._look_for_unfinished()
        self.redraw()
        import noughts.interfaces.tui.game.game_page  # noqa: F401

    def _look_for_unfinished(self) -> None:
        """Find the games that can be continued, as far as the store can be read."""
        try:
            store = self.app.services.store
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
    def shown(self) -> list[gallery.Choice]:
        """The games to choose from: all, or those that match the search."""
        return self.shelf.shown(self.say)

    @property
    def game(self) -> Game:
        """The chosen game before its first move."""
        return gallery.empty_game(self.shelf.chosen)

    # Drawing

    def compose(self) -> ComposeResult:
        with Horizontal(id="panes"):
            yield LinesView(id="pictures")
            with EdgedPane():
                yield LinesView(id="notes")
        yield LinesView(id="message")
        yield from self.compose_bottom()

    def draw(self) -> None:
        width, height = self.size
        body = height - (height > 1)
        *panes, sidebar = self._panes(width, body)
        for pane, lines in zip(self.query("#panes > *"), panes, strict=True):
            pane.display = bool(lines)
        for view, lines in zip(self.query("#panes LinesView").results(LinesView), panes, strict=True):
            view.show(lines)
        self.query_one(EdgedPane).show_edge(sidebar)
        message = [] if self.message is None else message_lines(self.message(self.say), width, body)
        self.query_one("#message", LinesView).show_all(message)
        self.show_footer(footer(self.say, self._footer_keys, width), is_there=height > 1)

    @property
    def _newest(self) -> str:
        """The newest unfinished game in one sentence; empty if there is none."""
        return self._unfinished[0].sentence(self.say) if self._unfinished else ""

    def _panes(self, width: int, height: int) -> tuple[list[Line], list[Line], int]:
        """Return the pictures or titles, the notes, and the columns of the notes.

        If there is room for only one of them, the other has no lines and the columns are 0.
        """
        if width >= WIDE[0] and height + 1 >= WIDE[1]:
            sidebar = min(46, max(26, width * 32 // 100))
            notes = self._notes(sidebar - 2, height)
            return self._pictures(width - sidebar, height), notes, sidebar
        is_pictured = width >= PICTURED[0]
        if self.is_setting:
            indent = 2 * is_pictured
            notes = self._notes(width - 2 * indent, height)
            return [], [[Bit(" " * indent), *line] for line in notes], 0
        if is_pictured and height + 1 >= PICTURED[1]:
            heading, _, *pictures = self._pictures(width, height - 1)
            going_on = [Bit("  "), *self._unfinished_line(width)] if self._newest else []
            return [heading, going_on, *pictures, self._summary(width)], [], 0
        return self._listed(width, height), [], 0

    def _pictures(self, width: int, height: int) -> list[Line]:
        """Return the heading and the grid, exactly *height* lines."""
        shown, room = self.shown, height - 2
        count, place = len(shown), self.shelf.place(shown)
        grid = gallery.arrange(count or 1, width, room)
        self._columns, self._rows = grid.columns, grid.rows
        self._first = first_visible(place // grid.columns, self._first, grid.rows, -(-count // grid.columns))
        start = self._first * grid.columns
        last = min(count, start + grid.columns * grid.rows)
        is_told = last - start < count or not count
        places = self.say("start-range", first=start + 1, last=last, count=count) if count and is_told else ""
        heading = spread([Bit(f"  {self.say('start-title')}", "", True)], [Bit(f"{places}  ", SECOND)], width)
        here = not self.is_setting
        pictures = gallery.grid_lines(
            shown, place, grid, self._first, unicode=self.app.has_unicode, here=here
        )
        left = max(0, width - grid.columns * grid.wide) // 2
        above = max(0, room + 1 - grid.rows * grid.high) // 2
        lines: list[Line] = [heading, [], *([[]] * above)]
        lines += [[Bit(" " * left), *line] for line in pictures]
        return [*lines[:height], *([] for _ in range(height - len(lines)))]

    def _listed(self, width: int, height: int) -> list[Line]:
        """Return the heading, a list of titles, and the settings, as far as there is room."""
        self._columns = 1
        head: list[Line] = [[Bit("noughts", SECOND)], self._unfinished_line(width + 2)] if height >= 9 else []
        foot: list[Line] = []
        if height >= 6:
            summary = self.choices.summary(self.say, self.game)[:1]
            foot = [[], [Bit(text, SECOND, False, "settings") for text in summary]]
            foot += [[]] if height >= 9 else []
        room = height - len(head) - len(foot)
        shown = self.shown
        titles, self._first = gallery.list_lines(self.say, shown, self.shelf.place(shown), room, self._first)
        self._rows = max(1, room - 1)
        return [*head, *titles, *([] for _ in range(room - len(titles))), *foot]

    def _summary(self, width: int) -> Line:
        """Return the settings in one line, with the key to change them."""
        text = "   ".join(self.choices.summary(self.say, self.game))
        set_ = Bit(f"  {text}", SECOND, False, KEYS["settings"].action)
        return spread([set_], [*key_item(self.say, "settings"), Bit("  ")], width)

    # Games to continue

    def _unfinished_line(self, width: int) -> list[Bit]:
        """Return the game to continue in one line of at most *width* columns, with its key."""
        if not self._newest:
            return []
        line, others = key_item(self.say, "continue", self._newest), self._other_unfinished()
        return [*cut(line, width - 2 - width_of(others)), *others, Bit("  ")]

    def _unfinished_lines(self, width: int) -> list[Line]:
        if not self._newest:
            return []
        key = KEYS["continue"]
        heading = [
            Bit(f"{self.say('key-continue').capitalize()}  ", SECOND, False, key.action),
            Bit(key.shown(self.say), "", True, key.action),
            *self._other_unfinished(),
        ]
        lines = [[Bit(text, "", False, key.action)] for text in wrap(self._newest, max(1, width - 2))]
        return [heading, *([Bit("  "), *line] for line in clipped(lines, 2, width - 2)), []]

    def _other_unfinished(self) -> Line:
        """Return the number of other games to continue, with their key; nothing if there is none."""
        if len(self._unfinished) < 2:
            return []
        count = self.say.plural("more-unfinished", len(self._unfinished) - 1)
        return [Bit("   "), *key_item(self.say, "continue-other", count)]

    # Notes: games to continue, the chosen game with its rules, and the settings

    def _notes(self, width: int, height: int) -> list[Line]:
        """Return the notes in exactly *height* lines of *width* columns, blank without a game.

        If there is too little room, the settings move together, the rules are cut, and finally only lines
        that can be used are left.
        """
        if not self.shown:
            return [[]] * height
        play: list[Line] = [[], [Bit(f"[ Enter  {self.say('key-play').capitalize()} ]", "", True, "start")]]
        going_on, about = self._unfinished_lines(width), self._about_lines(width)
        chosen = self._setting_lines(width, roomy=True)
        if _total(going_on, chosen, play) + ABOUT > height:
            chosen = self._setting_lines(width, roomy=False)
        room = height - _total(going_on, chosen, play)
        if room < 3:
            going_on, room = [], height - _total(chosen, play)
        if ABOUT < room < 2 * ABOUT:  # The settings keep their place while another game is chosen.
            room = ABOUT
        if room < 3:
            about = [*about[:1], []] if room == 2 else []
        elif len(about) > room:
            about = [*clipped(about[:-1], room - 1, width), []]
        else:
            about += [[] for _ in range(min(room, ABOUT) - len(about))]
        blocks = (*self._computer_lines(width), [])
        computers = next(
            block for block in blocks if _total(going_on, about, chosen, block, play) <= height or not block
        )
        if _total(chosen, play) > height:
            play = []
        if len(chosen) > height:  # Only the settings around the selected one are left.
            chosen = chosen[
                max(0, min((self.setting if self.is_setting else 0) - height // 2, len(chosen) - height)) :
            ]
        lines = [*going_on, *about, *chosen, *computers, *play][:height]
        return [*lines, *([] for _ in range(height - len(lines)))]

    def _about_lines(self, width: int) -> list[Line]:
        """Return the title, the rules and the result of best play, then a blank line."""
        say = self.say
        sentences = [say.messages(self.game.rule_text), *filter(None, [say_best_play(say, self.game)])]
        lines: list[Line] = [[Bit(title_of(say, self.shelf.chosen), "", True)]]
        return [*lines, *([Bit(line)] for line in wrap(say.joined(sentences), max(1, width))), []]

    def _computer_lines(self, width: int) -> Iterator[list[Line]]:
        """Yield a blank line and notes about the chosen computers, then the same with fewer notes.

        The notes are the style of each computer, a caution if one is weaker here, and the source of the
        value.
        """
        say, players = self.say, self.choices.who(self.game)
        sentences = [
            describe_computer(say, name)
            for name in dict.fromkeys(players)
            if name != HUMAN and len(players) == 2
        ]
        if f"level:{strongest_level()}" in players:
            sentences.append(levels_without_fast(say, self.game) or "")
        if self.choices.start(self.game) is not None:
            sentences.append(say("web-play-on-about"))
        sentences.append(say_basis(say, self.game))
        notes = [*filter(None, sentences)]
        while notes:
            yield [[], *([Bit(line, SECOND)] for line in wrap(say.joined(notes), max(1, width)))]
            notes.pop()

    def _setting_lines(self, width: int, *, roomy: bool) -> list[Line]:
        """Return the settings, one below another; the selected one has the cursor's sign.

        With *roomy*, settings with few options show all of them.
        """
        settings = self.choices.settings(self.say, self.game)
        lines: list[Line] = []
        wide = max([MIN_LABEL, *(display_width(setting.label) for setting in settings)])
        wide = min(wide, max(1, width // 2))
        at = None if not self.is_setting else min(self.setting, len(settings) - 1)
        for place, setting in enumerate(settings):
            if roomy and setting.is_listed:
                if lines and lines[-1]:
                    lines.append([])
                options = _all_options(setting, width, is_here=place == at)
                lines += [*options, []]
            else:
                lines += _chosen_alone(setting, wide, width, is_here=place == at)
        return lines

    @property
    def _focused(self) -> GameSetting:
        """The selected setting."""
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
        """Choose another picture or, in the settings, another setting or value."""
        if self.is_setting:
            self._step_in_settings(direction)
        else:
            self._step_to_picture(direction)

    def _step_to_picture(self, direction: str) -> None:
        shown = self.shown
        if shown:
            place = gallery.place_after_step(
                direction, self.shelf.place(shown), len(shown), self._columns, self._rows
            )
            self._choose(shown[place].name)

    def _choose(self, name: str) -> None:
        self._slot.drop()
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

    def _change(self, setting: GameSetting, steps: int) -> None:
        self._slot.drop()
        self.message = None
        setting.change(steps)
        self._remember()

    def _remember(self) -> None:
        self.app.save_choices(**self.choices.to_remember(self.game))

    def action_roll(self, steps: int, sideways: bool = False) -> None:
        """Move by a row of pictures."""
        self._step_to_picture("down" if steps > 0 else "up")

    def action_choose(self, place: int) -> None:
        """Choose the clicked picture; play its game if it was chosen already."""
        shown = self.shown
        if place >= len(shown):
            return
        if shown[place].name == self.shelf.chosen:
            self.action_start()
        else:
            self.is_setting = False
            self._choose(shown[place].name)

    def action_change(self, setting: str, steps: int) -> None:
        """Select the clicked setting: open a field for a name, or change another value."""
        if not self._accept_entry():
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
        """Switch between the pictures and the settings."""
        if not self.is_typing:
            self.is_setting = not self.is_setting
            self._show_message(None)

    # Keys: typing

    def close_entry(self) -> None:
        """Close the field of the search or of a name."""
        self.shelf.query = self._editing = None
        super().close_entry()

    def _discard_entry(self) -> None:
        """Forget the typed text, and choose the game that was chosen before the search."""
        self.shelf.give_up_search()
        self.close_entry()

    def _accept_entry(self) -> bool:
        """Accept the text in the open field. Return False if it is not valid; the field stays open."""
        field = self.entry
        if field is None:
            return True
        if self._editing is not None:
            return self._accept_text(self._editing, field.value)
        if not self.shown:
            return False
        self.shelf.keep()
        self.message = None
        self.close_entry()
        return True

    def action_find(self) -> None:
        """Open a field to search for a game or to describe a board."""
        if not self._accept_entry():
            return
        self._slot.drop()
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
        """Show the games that match the changed search text."""
        if self.shelf.query is None or not self.is_typing:
            return
        query = changed.value.strip()
        is_found = self.shelf.search(self.say, query)
        refused = None if is_found else gallery.described_board(query)
        if isinstance(refused, BadInput):
            self._refuse(refused)
        else:
            self._show_message(None if is_found else lambda say: say("start-nothing-found"))

    def on_input_submitted(self, submitted: LineInput.Submitted) -> None:
        """Accept the typed text: a name, or the game that was searched."""
        self._accept_entry()

    def _accept_text(self, setting: str, text: str) -> bool:
        """Use *text* as a person's name or as the start position; return False if it is invalid."""
        game, first = self.shelf.chosen, self.app.services.first
        try:
            if setting == "start":
                self.choices.begin_from(self.game, read_start(self.say, game, text, first))
            else:
                self.choices.rename(int(setting.removeprefix("name-")), text)
        except ReadableError:
            self._show_message(lambda say: refusal_of_start(say, game, text, first))
            return False
        except NoughtsError as error:
            self._refuse(error)
            return False
        self.message = None
        self._remember()
        self.close_entry()
        return True

    # Keys: playing and other pages

    def action_play(self) -> None:
        """Play the chosen game with its settings; on a typed setting, open its field."""
        if self.is_setting and self._focused.is_typed and not self.is_typing:
            self._ask_text()
        else:
            self.action_start()

    def action_start(self) -> None:
        """Play the chosen game after all computers have answered that they play it."""
        if self._accept_entry() and not self._slot.is_waiting:
            begun = self.choices.begun(self.game)
            self._ask_players(self.choices.doubtful(begun), begun)

    def _ask_players(self, doubtful: Sequence[str], game: Game) -> None:
        """Ask each of the *doubtful* computers if it plays *game*; then start the game."""
        if not doubtful:
            self._play()
            return
        player, *others = doubtful

        def take(refusal: NoughtsError | None) -> None:
            if refusal is None:
                self._ask_players(others, game)
            else:
                self._show_message(
                    lambda say: say.joined([refusal_in_words(say, refusal), say("start-other-player")])
                )

        from noughts.interfaces.presenting.tasks import take_seat

        self._slot.ask(
            *(take_seat, player, game.copy(), None),
            on_answer=take,
            on_failure=lambda failure: take(PlayerFailed(player, failure.reason)),
            patience=seat_patience(player, SEAT_SECONDS),
        )
        self._show_message(lambda say: say("start-ready", player=player_called(say, player, player)))

    def _refuse(self, error: NoughtsError) -> None:
        self._show_message(lambda say: say.error(error))

    def _show_message(self, sentence: Callable[[Translator], str] | None) -> None:
        """Show *sentence* until the next action; None clears it."""
        self.message = sentence
        self.redraw()

    def _play(self) -> None:
        self.message = None
        if self.app.screen is not self:  # Help or a list was opened before the computer answered.
            return
        self.app.save_choices(game=self.shelf.chosen, **self.choices.to_remember(self.game))
        # Every game has another seed, which is saved with the game.
        seed = Random().randrange(2**31)
        self.play(self.choices.plan(self.say, self.shelf.chosen, self.game, seed))

    def play(self, plan: GamePlan) -> None:
        """Play the game of *plan*; show the error if it cannot start."""
        services = self.app.services
        self.open(lambda: table_for(plan, services.store, keeps_all=services.keeps_all))

    def open(self, prepare: Callable[[], LocalTable]) -> None:
        """Open the game that *prepare* makes; show the error if it cannot start."""
        from noughts.interfaces.tui.game.game_page import GamePage

        try:
            page = GamePage(prepare(), self.app)
        except NoughtsError as error:
            self._refuse(error)
        else:
            self.app.push_screen(page, self._on_game_closed)

    def _on_game_closed(self, left: NoughtsError | tuple[str, str] | None) -> None:
        """Handle the result of a game page: an error, or a game and a position to start from.

        Other games may be unfinished now.
        """
        self._look_for_unfinished()
        if isinstance(left, NoughtsError):
            self._refuse(left)
            return
        if left is not None:
            self._begin_from(*left)
        self.redraw()

    def _begin_from(self, game: str, position: str) -> None:
        """Open the settings for *game* with the start *position*."""
        self.shelf.chosen, self.is_setting, self.setting = game, True, 0
        self.shelf.keep()
        self.choices.begin_from(self.game, position)

    def action_build(self) -> None:
        """Build a custom board, starting with the chosen one; then show its settings."""
        from noughts.interfaces.tui.lobby.build_page import BuildPage

        if not self._accept_entry():
            return
        self._slot.drop()

        def take(built: str | None) -> None:
            if built is not None:
                self.shelf.chosen, self.is_setting, self.setting = built, True, 0
                self.shelf.keep()
            self._show_message(None)

        self.app.push_screen(BuildPage(self.shelf.chosen), take)

    def action_puzzles(self) -> None:
        """Solve puzzles of the chosen game, or of all games if it has none."""
        from noughts.interfaces.tui.game.solving_page import SolvingPage
        from noughts.puzzles.shipped import all_puzzles, next_after, puzzles_of

        if not self._accept_entry():
            return
        self._slot.drop()
        self.message = None
        try:
            among = puzzles_of(self.game.name)
        except NotFound:
            among = all_puzzles()
        first = next_after(None, among, frozenset(self.app.preferences.solved))
        self.app.push_screen(SolvingPage(first, among, self.app), self._on_game_closed)

    def action_continue_game(self) -> None:
        """Continue the newest unfinished game."""
        if self._unfinished:
            self._continue(self._unfinished[0])
        else:
            self._show_message(lambda say: say("start-nothing-to-continue"))

    def action_choose_unfinished(self) -> None:
        """Open a list of all unfinished games."""

        def continue_chosen(place: str | None) -> None:
            if place is not None:
                self._continue(self._unfinished[int(place)])

        if self._unfinished:
            items = [Item(str(place), one.sentence(self.say)) for place, one in enumerate(self._unfinished)]
            self.app.push_screen(Picker("choose-unfinished", items), continue_chosen)
        else:
            self.action_continue_game()

    def _continue(self, unfinished: Unfinished) -> None:
        self._slot.drop()  # No other game may start after this one.
        self._discard_entry()
        self.message = None
        self.open(lambda: unfinished.resume(self.app.services.now, Random().randrange(2**31)))

    def action_leave(self) -> None:
        """Close the field, the settings, or the program."""
        if self.is_typing or self._slot.is_waiting or self.is_setting:
            self.action_step_back()
        else:
            self.app.exit()

    def action_step_back(self) -> None:
        """Close the field, stop waiting for a computer, or leave the settings."""
        if self.is_typing:
            self._discard_entry()
        elif self._slot.is_waiting:
            self._slot.drop()
        else:
            self.is_setting = False
        self._show_message(None)


def message_lines(message: str, width: int, height: int) -> list[Line]:
    """Return *message* in at most *height* lines at the bottom."""
    indent = " " * (2 if width >= PICTURED[0] else 0)
    room = max(1, width - 2 * len(indent))
    lines: list[Line] = [[Bit(line, "", True)] for line in wrap(message, room)]
    return [[Bit(indent), *line] for line in clipped(lines, min(MAX_MESSAGE_LINES, height), room)]


def _total(*parts: list[Line]) -> int:
    return sum(map(len, parts))


def _chosen_alone(setting: GameSetting, wide: int, width: int, *, is_here: bool) -> list[Line]:
    """Return a setting and its value in one line, as far as it fits.

    In a narrow window the values are not aligned. The value of the selected setting is always whole, if
    necessary on lines below.
    """
    action = f"change('{setting.id}', 1)"
    sign = Bit("> " if is_here else "  ", "", is_here, action)
    label = Bit(f"{fit(setting.label, wide)}  ", SECOND, False, action)
    chosen = Bit(setting.text, "", is_here, action)
    if width_of([sign, label, chosen]) > width:
        label = label._replace(text=f"{setting.label}  ")
    if not is_here or width_of([sign, label, chosen]) <= width:
        return [[sign, label, chosen]]
    indent = Bit("    ", action=action)
    return [
        [sign, label],
        *([indent, chosen._replace(text=text)] for text in wrap(setting.text, max(1, width - 4))),
    ]


def _all_options(setting: GameSetting, width: int, *, is_here: bool) -> list[Line]:
    """Return a setting with all its options, in one line if they fit, else one below another."""
    heading: Line = [Bit("> " if is_here else "  ", "", is_here), Bit(setting.label, SECOND)]
    at, bits = setting.values.index(setting.chosen), []
    for place, option in enumerate(map(setting.word, setting.values)):
        action, is_chosen = f"change('{setting.id}', {place - at})", place == at
        bits.append(Bit(f"({'•' if is_chosen else ' '}) {option}", "", is_here and is_chosen, action))
    if width_of(bits) + 2 * len(bits) <= width:
        return [heading, [part for bit in bits for part in (Bit("  "), bit)]]
    return [heading, *([Bit("  "), bit] for bit in bits)]
