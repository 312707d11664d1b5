"""The game screen and its keys: playing, looking back and trying other moves."""

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widgets import Input

from noughts.arena.commands import OfferDraw, Resign
from noughts.arena.events import Event
from noughts.arena.local_table import LocalTable
from noughts.arena.match import Match
from noughts.drawing.view import View
from noughts.errors import NoughtsError
from noughts.games.base import Game
from noughts.games.notation import format_position
from noughts.interfaces.presenting.game_plan import adjourn
from noughts.interfaces.presenting.match_texts import Wording
from noughts.interfaces.presenting.players import shorten_names
from noughts.interfaces.presenting.review_texts import ReviewText
from noughts.interfaces.tui.game.analysis import Answers
from noughts.interfaces.tui.game.board import BoardView
from noughts.interfaces.tui.game.highlights import view_on
from noughts.interfaces.tui.game.move_input import MoveInput
from noughts.interfaces.tui.game.panels import Panels, has_use_of
from noughts.interfaces.tui.game.questions import BoardQuestion, Phrase
from noughts.interfaces.tui.game.review import ReviewPage
from noughts.interfaces.tui.game.saving import moves_or_position, save_with_message
from noughts.interfaces.tui.game.screen_layout import ScreenLayout, arrange
from noughts.interfaces.tui.game.session import GameSession
from noughts.interfaces.tui.game.status import names_of
from noughts.interfaces.tui.game.trial_list import TrialList
from noughts.interfaces.tui.game.turn_runner import TurnRunner
from noughts.interfaces.tui.widgets.base_app import BaseApp
from noughts.interfaces.tui.widgets.keys import EVERYWHERE, NARROW, PLAYING, Key
from noughts.interfaces.tui.widgets.keys import names_of as keys_of
from noughts.interfaces.tui.widgets.page import Page
from noughts.interfaces.tui.widgets.spans import EdgedPane, LinesView, clipped
from noughts.interfaces.tui.widgets.task_slot import TaskSlot
from noughts.search.explain.review import Review

if TYPE_CHECKING:
    from noughts.interfaces.tui.game.session import GameTable

NARROW_NAME = 10
"""The maximum width of a name, in columns, in the sentences of a narrow window."""

ALONE = ("slide", "take-back-alone", "again")
"""The keys that are listed only in games for one player."""

TICK_SECONDS = 0.25
"""The time between two looks at the clocks, in seconds."""

STILL_WORKING = {name for key in EVERYWHERE for name in keys_of(key, EVERYWHERE)}
"""The keys that keep their meaning while a question is open."""


class GamePage(Page[NoughtsError | tuple[str, str] | None], keys=PLAYING):
    """The screen of one table: game after game between the same players.

    Its result is the error that kept the first game from starting, or a game and a position to start another
    from.
    """

    DEFAULT_CSS = """
    GamePage #table { height: 1fr; }
    GamePage #left { width: 1fr; layers: board texts; }
    GamePage #board { layer: board; }
    GamePage #status { layer: texts; dock: top; }
    GamePage #notes { layer: texts; dock: bottom; }
    GamePage #sidebar { height: 1fr; }
    """

    TURNS: ClassVar = TurnRunner

    def __init__(self, table: "GameTable", program: BaseApp) -> None:
        super().__init__()
        services = program.services
        self.session = session = self.session_at(table, program)
        self.answers = Answers(
            session, lambda: TaskSlot(self, services.thinker, self.redraw), self._show_review
        )
        move_slot = TaskSlot(self, services.thinker)  # The timer shows the progress of a move.
        self.turns = self.TURNS(session, self.answers, move_slot, services.pace, self.set_timer, self._leave)
        self.move_input = MoveInput(session, self.turns)
        self._arranged: dict[object, ScreenLayout] = {}
        self._has_left = False
        self._review: tuple[tuple[Match, int], Review] | None = None
        """The latest review, with the match and version that it is about."""

    def session_at(self, table: "GameTable", program: BaseApp) -> GameSession:
        """Return the view of the games at *table*."""
        return GameSession(table, program.services.now, program.services.first, self.redraw)

    def compose(self) -> ComposeResult:
        with Horizontal(id="table"):
            with Vertical(id="left"):
                yield LinesView(id="status")
                yield BoardView(id="board")
                yield LinesView(id="notes")
            with EdgedPane():
                yield LinesView(id="sidebar")
        yield from self.compose_bottom()

    def on_mount(self) -> None:
        self._ticking = self.set_interval(TICK_SECONDS, self.turns.look_at_clocks)
        self.turns.begin()

    # Drawing

    @property
    def wording(self) -> Wording:
        """The texts for events, in the current language."""
        session, is_narrow = self.session, self.size.width < NARROW
        names = names_of(self.say, session, short=is_narrow)
        if is_narrow:  # Names are shortened rather than the texts about them.
            names = shorten_names(names, NARROW_NAME)
        return Wording(self.say, session.match, names, session.table.who_of, session.names)

    @property
    def _arrangement(self) -> ScreenLayout:
        """The layout of the window."""
        game, (width, height) = self.session.latest, self.size
        key = (game.name, width, height, self.app.has_unicode)
        if key not in self._arranged:
            self._arranged = {key: arrange(game, width, height, unicode=self.app.has_unicode)}
        return self._arranged[key]

    @property
    def panels(self) -> Panels:
        """The texts around the board and over it."""
        parts = (self.session, self.turns, self.answers, self._arrangement)
        has_colours = self.app.styling.system is not None
        return Panels(self.wording, *parts, self.size.width, self.app.has_unicode, has_colours)

    @property
    def view(self) -> View:
        """The marks, labels and signs of the cells."""
        return view_on(self.session, self.answers)

    def draw(self) -> None:
        if self.session.table.match is None:
            return
        panels, (width, height) = self.panels, self.size
        arrangement = panels.arrangement
        wide, high = width - arrangement.sidebar, height - max(arrangement.footer, self.is_typing)
        status, notes = panels.above_and_below(wide)
        board = self.query_one(BoardView)
        room = wide, arrangement.area
        board.lay_out(self.session.game, self.view, self.session.cursor, room, arrangement.reserved)
        if len(notes) > arrangement.free and self.session.question is None:
            before, after = board.lines_around_cursor(high - len(status))
            notes = clipped(notes, max(before, after, arrangement.free), wide)
            if len(notes) > max(after, arrangement.free):
                # Notes cover the board at the end that is farther from the cursor.
                status, notes = [*status, *notes], []
        self.query_one("#status", LinesView).show_all(status)
        self.query_one("#notes", LinesView).show_all(notes)
        board.styles.margin = arrangement.status, 0, 0, 0
        board.show(high - arrangement.status)
        edged = self.query_one(EdgedPane)
        edged.display = arrangement.sidebar > 0
        edged.show_edge(arrangement.sidebar)
        beside = panels.sidebar(arrangement.sidebar, height - arrangement.footer)
        self.query_one("#sidebar", LinesView).show(beside)
        self.show_footer(panels.footer(width), is_there=arrangement.footer > 0)

    def has_use_of(self, key: Key) -> bool:
        is_alone = len(self.session.latest.sides) == 1
        return has_use_of(self.session, key.id) if is_alone else key.id not in ALONE

    def _show_review(self) -> None:
        """Show the review of the match; a move that is chosen there is shown on the board."""
        match, game = self.session.match, self.session.latest
        about = match, match.version
        known = self._review[1] if self._review is not None and self._review[0] == about else None

        def keep(review: Review) -> None:
            self._review = about, review
            self.session.graph.keep_review(game, review)

        def texts_of(review: Review) -> ReviewText:
            return ReviewText(game, review, self.wording.names, letters=True)

        def look(chosen: tuple[int, bool] | None) -> None:
            if chosen is None:  # The review was closed. Its values are in the sidebar now.
                self.redraw()
                return
            self.action_look(chosen[0])
            if chosen[1]:
                self.action_play_from()

        self.app.push_screen(ReviewPage(game, match.settled_from, texts_of, known, keep), look)

    # Questions

    def action_answer(self, key: str) -> None:
        """Answer the question with *key*; ``escape`` withdraws it."""
        question, self.session.question = self.session.question, None
        if question is not None:
            self.session.message = None
            question.act(key)
            self.redraw()

    async def on_key(self, event: events.Key) -> None:
        if self.is_typing or self.session.table.match is None:
            return
        if self.session.question is not None:
            key = self.session.question.key_for(self.say, event.key, event.character)
            if key is not None or event.key not in STILL_WORKING:
                event.stop()
                event.prevent_default()
            if key is not None:
                self.action_answer(key)
        elif event.character and event.character.isascii() and event.character.isdigit():
            event.stop()
            event.prevent_default()
            self.move_input.play_digit(int(event.character))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Return True if *action* may run now.

        While a question or a field is open, only its own action may.
        """
        if self.session.table.match is None:
            return False  # The first game could not be set up, and the page is closing.
        waits = self.session.question is not None or self.is_typing
        return not waits or action == ("step_back" if self.is_typing else "answer")

    # Keys: the board

    def action_step(self, direction: str) -> None:
        """Move the cursor, or slide the tile on the other side of the gap in *direction*."""
        self.move_input.step(direction)

    def action_roll(self, steps: int, sideways: bool = False) -> None:
        """Move the cursor with the mouse wheel, which scrolls a large board too."""
        directions = ("left", "right") if sideways else ("up", "down")
        self.action_step(directions[steps > 0])

    def action_point(self, index: int, is_move: bool) -> None:
        """Place a mark on the clicked cell; the right button only moves the cursor there."""
        if self.session.is_sliding:
            if is_move:
                self.move_input.point_at(index)
            return
        self.session.cursor = index
        (self.action_place if is_move else self.redraw)()

    def action_place(self) -> None:
        """Make the move at the cursor, or repeat a move that could not be saved.

        If a computer is thinking, it has to move now.
        """
        if not self.turns.try_again() and self.turns.can_move():
            self.move_input.point_at(self.session.cursor)

    def action_hurry(self) -> None:
        """Make a thinking computer move now."""
        if self.session.thinking_side is not None:
            self.turns.hurry()

    # Keys: going to a cell by its name

    def action_go_to(self) -> None:
        """Open a field for the name of a cell."""
        self.open_entry(lambda say: say("go-to-cell", example=self.session.cell_name))

    def on_input_submitted(self, submitted: Input.Submitted) -> None:
        """Move the cursor to the typed cell, or make the typed move."""
        self.close_entry()
        self.move_input.go_to(submitted.value)

    # Keys: viewing and requests

    def action_look_on(self, plies: int) -> None:
        """View the position *plies* moves later, or earlier if it is negative."""
        self.action_look(self.session.game.ply + plies)

    def action_look(self, ply: int | None) -> None:
        """View the position after *ply* moves; the latest one for None."""
        self.session.look_at(ply)
        self.answers.refresh()
        self.session.show_message(None)

    def action_branch(self) -> None:
        """Try other moves from here, which are not saved; during a trial show its next line."""
        session, table = self.session, self.session.table
        if not table.may_be_helped:
            self._refuse_help()
        elif table.is_playing and table.terms.clock.is_timed:
            session.show_message(lambda wording: wording.say("not-while-timed"))
        elif session.trial is not None and not session.is_looking_back:
            if session.change_lines(TrialList.next_line):
                self._go_on_trying()
            else:
                session.show_message(lambda wording: wording.say("trial-one-line"))
        elif session.branch():
            self._go_on_trying()
        else:
            session.show_message(lambda wording: wording.say("game-over"))

    def _refuse_help(self) -> None:
        self.session.show_message(lambda wording: wording.say("refusal-game-goes-on"))

    def _go_on_trying(self) -> None:
        self.session.message = None
        self.turns.advance()

    def action_promote_line(self) -> None:
        """Make the current line of the trial its first one."""
        self._change_lines(TrialList.promote, "trial-promoted")

    def action_remove_line(self) -> None:
        """Remove the last trial move and all moves after it."""
        self._change_lines(TrialList.remove, "trial-removed")

    def _change_lines(self, change: Callable[[TrialList], bool], message_id: str) -> None:
        session = self.session
        if session.trial is None:
            session.show_message(lambda wording: wording.say("only-in-trial"))
        elif session.is_looking_back:
            session.show_message(lambda wording: wording.say("past-position"))
        else:
            id_ = message_id if session.change_lines(change) else "nothing-tried"
            self.turns.advance()
            session.show_message(lambda wording: wording.say(id_))

    def action_play_from(self) -> None:
        """Leave this game for a new one that starts from the viewed position."""
        session, game = self.session, self.session.game
        if game.is_over or len(game.sides) < 2:
            session.show_message(lambda wording: wording.say("nothing-to-play-from"))
        elif not session.table.may_be_helped:
            self._refuse_help()
        elif session.table.is_playing:
            ask: Phrase = lambda wording: wording.say("play-from-question")  # noqa: E731
            session.ask(BoardQuestion.yes_or_no(ask, lambda: self._leave_for(game)))
        else:
            self._leave_for(game)

    def _leave_for(self, game: Game) -> None:
        self._leave((self.session.table.terms.game, format_position(game)))

    def action_ask(self, kind: str) -> None:
        """Request a hint or more of it, or switch ``values``, ``lines`` or ``threats``."""
        if kind != "lines" and not self.session.table.may_be_helped:
            self._refuse_help()
        elif kind == "hint":
            self.answers.ask_for_hint()
        else:
            self.answers.toggle(kind)

    # Keys: the match

    def action_take_back(self) -> None:
        """Take back a move."""
        self.turns.carry_out(self.session.take_back)

    def action_offer_draw(self) -> None:
        """Offer a draw, after a question."""
        session = self.session
        if len(session.latest.sides) == 1:
            session.show_message(lambda wording: wording.say("refused-nobody-to-ask"))
            return
        self._ask_before(
            "offer-draw-question", lambda side: session.apply(side, OfferDraw()) + session.answer_for_absent()
        )

    def action_resign(self) -> None:
        """Resign, after a question."""
        self._ask_before("resign-question", lambda side: self.session.apply(side, Resign()))

    def _ask_before(self, question: str, act: Callable[[str], list[Event]]) -> None:
        """Ask *question*, then call *act* with the side of the person to move.

        It is for actions that end the real game, or may end it.
        """
        session, side = self.session, self.session.hand
        if side is None or session.is_over or session.trial is not None:
            over = "game-over" if session.is_over else "not-in-trial"
            why = "computers-play" if side is None else over
            session.show_message(lambda wording: wording.say(why))
            return
        text: Phrase = lambda wording: wording.say(question, player=wording.player(side))  # noqa: E731
        session.ask(BoardQuestion.yes_or_no(text, lambda: self.turns.carry_out(lambda: act(side))))

    def action_rematch(self) -> None:
        """Start the next game of the series."""
        session = self.session
        if session.trial is not None or session.table.is_playing:
            id_ = "rematch-after-end" if len(session.latest.sides) > 1 else "again-after-end"
            session.show_message(lambda wording: wording.say(id_))
        else:
            self.turns.begin_next()

    def action_save(self) -> None:
        """Save a picture of the position and the record of the game."""
        self.session.show_message(save_with_message(self.session, names_of(self.say, self.session)))

    def action_copy(self) -> None:
        """Copy the moves of the game, in the form of ``noughts analyse --moves``.

        If the game started from a position of its own, copy the position in the form of ``--position``.
        """
        text = moves_or_position(self.session.game)
        self.app.copy_to_clipboard(text)
        self.session.show_message(
            lambda wording: wording.say("copied", moves=text) if text else wording.say("nothing-to-copy")
        )

    def action_step_back(self) -> None:
        """Leave the innermost state: the field, a partial move, a past position, a trial, or the game."""
        if self.is_typing:
            self.close_entry()
        elif self.session.parts:
            self.session.remove_part()
        elif self.session.is_looking_back:
            self.action_look(None)
        else:
            self.action_leave()

    def action_leave(self) -> None:
        """Leave the trial, or else the game, which stays saved."""
        if self.session.trial is None:
            self._leave(None)
        else:
            self.session.leave_trial()
            self._go_on_trying()

    def _leave(self, why: NoughtsError | tuple[str, str] | None) -> None:
        """Leave the game; *why* is an error, or a game and a position to start another from."""
        self.turns.stop()
        self.answers.drop()
        farewell = [self.say.error(why)] if isinstance(why, NoughtsError) else self.say_goodbye()
        if self.app.screen_stack != [self]:
            self.dismiss(why)
        elif isinstance(why, tuple):
            self._ticking.stop()  # A covered page has nothing to do.
            self._has_left = True
            self.app.begin_from(*why)
        else:
            self.app.farewell = farewell
            self.app.exit()

    def say_goodbye(self, *, by_choice: bool = True) -> list[str]:
        """Adjourn the game and return the farewell messages.

        Between two games the series ends if a person chose to leave.
        """
        table, match = self.session.table, self.session.table.match
        if self._has_left or not isinstance(table, LocalTable):
            return []
        if table.is_playing and match is not None and match.version:
            sentences, is_adjourned = adjourn(table, self.session.now(), self.say)
            self.app.has_lost_game |= not is_adjourned
            return sentences
        with suppress(NoughtsError):
            if by_choice:
                table.end()
        return [self.say("left")]
