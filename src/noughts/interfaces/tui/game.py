"""The screen on which a game is played, looked back at and tried out."""

from collections.abc import Callable
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.timer import Timer
from textual.widgets import Input

from noughts.arena.match import Accept, Command, Decline, Event, EventKind, Forfeit, OfferDraw, Resign
from noughts.arena.sitting import Sitting
from noughts.arena.thinking import Failure
from noughts.errors import BadInput, NoughtsError
from noughts.games.base import PASS, Move, Placement
from noughts.interfaces.computers import MOVE_SECONDS, THINK_SECONDS
from noughts.interfaces.planning import HUMAN
from noughts.interfaces.reviewing import ReviewTold
from noughts.interfaces.thinking import choose
from noughts.interfaces.tui.arrange import Arrangement, arrange
from noughts.interfaces.tui.asking import Asking
from noughts.interfaces.tui.board import BoardView
from noughts.interfaces.tui.keys import PLAYING, bindings
from noughts.interfaces.tui.lines import Lines
from noughts.interfaces.tui.margin import seat_names
from noughts.interfaces.tui.page import Page
from noughts.interfaces.tui.playing import PastPositionError, Playing
from noughts.interfaces.tui.questions import Question, Sentence
from noughts.interfaces.tui.review import ReviewPage
from noughts.interfaces.tui.telling import Telling
from noughts.interfaces.tui.thoughts import Asked, Told
from noughts.interfaces.wording import Wording
from noughts.search.review import Review

TICK_SECONDS = 0.25
"""How often clocks are looked at."""


def _nothing() -> None:
    """The answer that changes nothing."""


class GamePage(Page):
    """One sitting: game after game between the same players.

    With *is_only* the program ends when it is left.
    """

    BINDINGS: ClassVar[list[BindingType]] = [*bindings(PLAYING)]
    DEFAULT_CSS = """
    GamePage { layout: vertical; }
    GamePage #table { height: 1fr; }
    GamePage #left { width: 1fr; }
    GamePage #margin { height: 100%; }
    GamePage #entry { display: none; height: 1; border: none; padding: 0 1; }
    """

    def __init__(
        self, sitting: Sitting, now: Callable[[], int], first: int = 1, *, is_only: bool = False
    ) -> None:
        super().__init__()
        self.playing = Playing(sitting, now, first)
        self.is_only = is_only
        self.question: Question | None = None
        self.message: Sentence | None = None
        self.end: Event | None = None
        self._arranged: tuple[object, Arrangement] | None = None
        self._pending: Command | None = None
        self._is_paced = True
        self._timer: Timer | None = None

    def compose(self) -> ComposeResult:
        with Horizontal(id="table"):
            with Vertical(id="left"):
                yield Lines(id="status")
                yield BoardView(id="board")
                yield Lines(id="notes")
            yield Lines(id="margin")
        yield Input(id="entry", compact=True)
        yield Lines(id="footer")

    def on_mount(self) -> None:
        self.seat = Asked(self, self.program.around.thinker)
        self.asking = Asking(self)
        self.telling = Telling(self)
        self.set_interval(TICK_SECONDS, self._tick)
        if self.playing.sitting.match is None:
            self._next_game()
        else:
            self.playing.leave_trial()
            self.playing.cursor = self.playing.middle()
            self._go_on()

    # What is shown

    @property
    def wording(self) -> Wording:
        """Puts what happens into words, in the language of the moment."""
        playing = self.playing
        names = seat_names(self.say, playing)
        return Wording(self.say, playing.match, names, playing.sitting.who_of, playing.names)

    @property
    def arrangement(self) -> Arrangement:
        """How the window is shared out."""
        game, (width, height) = self.playing.latest, self.size
        key = (game.name, width, height, self.program.has_unicode)
        if self._arranged is None or self._arranged[0] != key:
            self._arranged = key, arrange(game, width, height, unicode=self.program.has_unicode)
        return self._arranged[1]

    def redraw(self) -> None:
        if not self.is_mounted or self.playing.sitting.match is None:
            return
        arrangement = self.arrangement
        margin, notes = self.query_one("#margin", Lines), self.query_one("#notes", Lines)
        status, footer = self.query_one("#status", Lines), self.query_one("#footer", Lines)
        margin.styles.width, margin.display = arrangement.margin, arrangement.margin > 0
        notes.styles.height, notes.display = arrangement.notes, arrangement.notes > 0
        status.styles.height, status.display = arrangement.status, arrangement.status > 0
        footer.display = arrangement.footer > 0 and not self._is_typing
        telling, width = self.telling, self.size.width - arrangement.margin
        status.show(telling.status(width, arrangement.status))
        margin.show(telling.margin(arrangement.margin, self.size.height - arrangement.footer))
        notes.show(telling.notes(width, arrangement.notes))
        footer.show([telling.footer(self.size.width)])
        self.query_one(BoardView).show(self.playing.game, telling.view(), self.playing.cursor)

    def tell(self, sentence: Sentence | None) -> None:
        """Show a sentence above the board until something else happens."""
        self.message = sentence
        self.redraw()

    # The course of the game

    def _next_game(self) -> None:
        """Set up the next game of the series, asking for a mark where that is to be chosen."""
        series = self.playing.sitting.series
        if not series.needs_choice:
            self._begin(None)
            return
        chooser, marks = series.chooser, series.marks
        if self.playing.sitting.who[chooser] != HUMAN:
            self._begin(marks[0])
            return
        if self.playing.sitting.match is None:  # something has to be shown while the mark is chosen
            self.playing.begin(marks[0])

        def beginning_with(mark: str) -> Callable[[], None]:
            return lambda: self._begin(mark)

        answers = {mark.lower(): (mark, beginning_with(mark)) for mark in marks}
        leave = _nothing if self.playing.is_over else self.action_leave
        self.ask(Question(lambda say: say("choose-mark", name=chooser), answers, leave))

    def _begin(self, choice: str | None) -> None:
        try:
            self.playing.begin(choice)
        except NoughtsError as error:
            self._refuse(error)
            return
        self.end = None
        self.message = None
        self._go_on()

    def _go_on(self) -> None:
        """Whatever follows from how things stand now: an answer, a computer's move, values, the end."""
        playing = self.playing
        self.seat.drop()
        self._pending = None
        if self._timer is not None:
            self._timer.stop()
        self.asking.look_again()
        asked = playing.asked_for_draw
        if asked is not None and not playing.is_over:
            self._ask_for_draw(asked)
        elif (side := playing.thinking_side) is not None:
            self._let_think(side)
        self.redraw()

    def _let_think(self, side: str) -> None:
        playing = self.playing
        sitting = playing.sitting
        left = playing.time_left(side) if playing.trial is None else None
        seconds = THINK_SECONDS if left is None else min(THINK_SECONDS, max(0.05, left / 1000 / 20))
        pace = self.program.around.pace
        self._is_paced = not pace
        if pace:
            self._timer = self.set_timer(pace, self._make_pending)
        self.seat.ask(
            choose,
            sitting.who_of[side],
            side,
            playing.latest.copy(),
            sitting.seed,
            seconds,
            MOVE_SECONDS,
            take=self._take_move,
            fail=lambda failure: self._take_move(_forfeit(side, failure)),
            patience=MOVE_SECONDS + THINK_SECONDS,
        )

    def _take_move(self, command: Command) -> None:
        self._pending = command
        if self._is_paced:
            self._make_pending()

    def _make_pending(self) -> None:
        """Make the computer's move, once it is found and its time has come."""
        self._is_paced = True
        command, self._pending = self._pending, None
        if command is not None:
            self.carry_out(lambda: self.playing.apply(command))

    def carry_out(self, act: Callable[[], list[Event]]) -> bool:
        """Do *act*, tell what came of it or why it was refused, and go on; whether it was done."""
        try:
            happened = act()
        except PastPositionError:
            self.tell(lambda say: say("past-position"))
            return False
        except NoughtsError as error:
            self._refuse(error)
            return False
        self.message = self._sentence_for(happened)
        self._go_on()
        return True

    def _sentence_for(self, happened: list[Event]) -> Sentence | None:
        last = happened[-1] if happened else None
        if last is None:
            return None
        if last.kind is EventKind.END and self.playing.trial is None:
            self.end = last
        if last.kind in (EventKind.DECLINE, EventKind.TAKEBACK):
            kind = "offer-declined" if last.kind is EventKind.DECLINE else "taken-back"
            return lambda say: say(kind)
        return None

    def _refuse(self, error: NoughtsError) -> None:
        if isinstance(error, BadInput):
            self.tell(lambda say: self.wording.refusal(error))
        else:
            self.tell(lambda say: say.error(error))

    def _tick(self) -> None:
        """Look at the clocks."""
        playing = self.playing
        if playing.sitting.match is None or playing.time_left(playing.sitting.match.turn) is None:
            return
        if playing.sitting.is_playing:
            happened = playing.flag()
            if happened:
                playing.leave_trial()
                self.end = happened[-1]
                self._go_on()
            else:
                self.redraw()

    def on_told(self, told: Told) -> None:
        """The thinker has said something."""
        if self.seat.hear(told) or self.asking.hear(told):
            self.redraw()

    # Questions

    def ask(self, question: Question) -> None:
        """Ask *question* above the board; other keys wait."""
        self.question = question
        self.redraw()

    def answer(self, key: str) -> None:
        """Answer the question with *key*; ``escape`` withdraws it."""
        question, self.question = self.question, None
        if question is None:
            return
        self.message = None
        act = question.escape if key == "escape" else question.answers[key][1]
        act()
        self.redraw()

    def action_answer(self, key: str) -> None:
        """The answer that was clicked."""
        self.answer(key)

    def on_key(self, event: events.Key) -> None:
        if self._is_typing:
            return
        if self.question is not None:
            self._answer_by_key(event)
        elif event.character and event.character.isascii() and event.character.isdigit():
            event.stop()
            self._play_digit(event.character)

    def _answer_by_key(self, event: events.Key) -> None:
        if self.question is None or event.key in ("f1", "f2", "f3", "ctrl+p", "ctrl+c", "ctrl+q"):
            return
        event.stop()
        event.prevent_default()
        key = self.question.key_for(self.say, event.key, event.character)
        if key is not None:
            self.answer(key)

    def _ask_yes_no(self, text: Sentence, yes: Callable[[], None], no: Callable[[], None] = _nothing) -> None:
        self.ask(Question.yes_or_no(text, yes, no))

    def _ask_for_draw(self, side: str) -> None:
        self._ask_yes_no(
            lambda say: self.wording.say("accept-draw-question", player=self.wording.player(side)),
            lambda: self._answer_draw(Accept(side)),
            lambda: self._answer_draw(Decline(side)),
        )

    def _answer_draw(self, command: Command) -> None:
        self.carry_out(lambda: self.playing.apply(command))

    # Keys: the board

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """While something is asked for, nothing else is done; Textual asks this before each action."""
        is_free = self.question is None or action == "answer"
        return is_free and not (self._is_typing and action != "answer")

    def action_step(self, direction: str) -> None:
        """Move the cursor."""
        self.playing.move_cursor(direction)
        self.redraw()

    def on_board_view_rolled(self, rolled: BoardView.Rolled) -> None:
        """The wheel moves the cursor, and with it what is seen of a large board."""
        self.action_step(rolled.direction)

    def on_board_view_pointed(self, pointed: BoardView.Pointed) -> None:
        """A click places a mark."""
        if self.question is None:
            self.playing.point_at(pointed.index)
            self.action_place()

    def action_place(self) -> None:
        """Make the move at the cursor; while a computer thinks, ask for its move now."""
        playing = self.playing
        if playing.is_over:
            self.tell(lambda say: say("game-over"))
        elif playing.is_looking_back:
            self.tell(lambda say: say("past-position"))
        elif playing.thinking_side is not None:
            self.seat.hurry()
            self._make_pending()
        else:
            self._place(playing.moves_at(playing.cursor))

    def _place(self, moves: list[Move]) -> None:
        playing = self.playing
        if not moves:
            error = playing.refusal_of(playing.cursor)
            self.tell(lambda say: self.wording.refusal(error))
        elif len(moves) == 1:
            if moves[0] != PASS:
                playing.point_at(playing.index_of_move(moves[0]))
            self.carry_out(lambda: playing.play_move(moves[0]))
        else:
            self._ask_which_mark(moves)

    def _ask_which_mark(self, moves: list[Move]) -> None:
        def playing_of(move: Move) -> Callable[[], None]:
            return lambda: self._place([move])

        marks = {move.mark: move for move in moves if isinstance(move, Placement)}
        self.playing.point_at(self.playing.index_of_move(moves[0]))
        answers = {mark.lower(): (mark, playing_of(move)) for mark, move in marks.items()}
        self.ask(Question(lambda say: say("which-mark"), answers))

    def _play_digit(self, digit: str) -> None:
        if 0 < int(digit) <= self.playing.digit_count:
            self._play_text(digit)

    def _play_text(self, text: str) -> None:
        playing = self.playing
        if playing.is_over or playing.is_looking_back or playing.thinking_side is not None:
            self.action_place()
            return
        try:
            moves = playing.read_move(text)
        except BadInput as error:
            self._refuse(error)
            return
        legal = playing.latest.legal_moves()
        if all(move in legal for move in moves):
            self._place(moves)
        else:
            self.carry_out(lambda: playing.play_move(moves[0]))

    @property
    def _is_typing(self) -> bool:
        return bool(self.query_one("#entry", Input).display)

    def action_go_to(self) -> None:
        """Ask for a cell to go to."""
        entry = self.query_one("#entry", Input)
        entry.placeholder = self.say("go-to-cell", example=self.playing.names.cell_at(self.playing.cursor))
        entry.value = ""
        entry.display = True
        entry.focus()
        self.redraw()

    def on_input_submitted(self, submitted: Input.Submitted) -> None:
        """Put the cursor on the cell that was typed."""
        text = submitted.value
        self._close_entry()
        if text.strip():
            try:
                move = self.playing.read_move(text)[0]
            except BadInput as error:
                self._refuse(error)
                return
            self.message = None
            self.playing.point_at(self.playing.index_of_move(move))
            self.redraw()

    def _close_entry(self) -> None:
        self.query_one("#entry", Input).display = False
        self.set_focus(None)
        self.redraw()

    async def key_escape(self, event: events.Key) -> None:
        if self._is_typing:
            event.stop()
            event.prevent_default()
            self._close_entry()

    # Keys: looking and asking

    def _look(self, act: Callable[[], None]) -> None:
        act()
        self.message = None
        self.asking.look_again()
        self.redraw()

    def action_back(self) -> None:
        """Look one move further back."""
        self._look(lambda: self.playing.look(-1))

    def action_forward(self) -> None:
        """Look one move further on."""
        self._look(lambda: self.playing.look(1))

    def action_first(self) -> None:
        """Look at the beginning."""
        self._look(lambda: self.playing.look_at(0))

    def action_latest(self) -> None:
        """Look at the game as it stands."""
        self._look(lambda: self.playing.look_at(self.playing.latest.ply))

    def action_look(self, ply: int) -> None:
        """Look at the position after a move of the list."""
        self._look(lambda: self.playing.look_at(ply))

    def action_branch(self) -> None:
        """Try other moves from here; nothing of it is kept or counted."""
        if self.playing.branch():
            self.message = None
            self._go_on()
        else:
            self.tell(lambda say: say("game-over"))

    def action_hint(self) -> None:
        """Where to look; again: which move; again: why."""
        self.asking.ask_for_hint()

    def action_values(self) -> None:
        """What every move is worth, on or off; after the end, a review of the game."""
        self.asking.switch_values()

    def action_lines(self) -> None:
        """The lines through the cursor's cell, on or off."""
        self.asking.switch_lines()

    def action_threats(self) -> None:
        """Where a line is one move from done, on or off."""
        self.asking.switch_threats()

    # Keys: the match

    def action_take_back(self) -> None:
        """Take a move back."""
        self.carry_out(self.playing.take_back)

    def action_offer_draw(self) -> None:
        """Offer a draw, after asking once."""
        side = self.playing.hand
        if self.playing.trial is not None or side is None:
            self.tell(lambda say: say("not-in-trial" if self.playing.trial else "computers-play"))
            return

        def offer() -> None:
            self.carry_out(lambda: self.playing.apply(OfferDraw(side)) + self.playing.answer_for_others())

        self._ask_yes_no(lambda say: say("offer-draw-question"), offer)

    def action_resign(self) -> None:
        """Give up, after asking once."""
        side = self.playing.hand
        if self.playing.trial is not None or side is None:
            self.tell(lambda say: say("not-in-trial" if self.playing.trial else "computers-play"))
            return

        def resign() -> None:
            self.carry_out(lambda: self.playing.apply(Resign(side)))

        self._ask_yes_no(lambda say: say("resign-question", player=self.wording.player(side)), resign)

    def action_rematch(self) -> None:
        """The next game of the series."""
        playing = self.playing
        if playing.trial is not None or playing.sitting.is_playing:
            self.tell(lambda say: say("rematch-after-end"))
        else:
            self._next_game()

    def action_save(self) -> None:
        """Save a picture and the record."""
        self.asking.save()

    def action_copy(self) -> None:
        """Copy the moves."""
        self.asking.copy()

    def show_review(self, review: Review) -> None:
        """Show the review of the match; a move chosen there is looked at on the board."""
        game = self.playing.match.game
        told = ReviewTold(game, review, self.wording.names, letters=True)

        def look(ply: int | None) -> None:
            if ply is not None:
                self.action_look(ply)

        self.app.push_screen(ReviewPage(told), look)

    def action_leave(self) -> None:
        """Back to the game from what is tried out; else leave the game, which is kept."""
        if self.playing.trial is not None:
            self.playing.leave_trial()
            self.message = None
            self._go_on()
            return
        self.seat.drop()
        self.asking.drop()
        self.program.leave_game(self)


def _forfeit(side: str, failure: Failure) -> Command:
    """What follows when the thinker has no answer: the program that was to move did not play."""
    return Forfeit(side, "too-slow" if failure.reason == "too-slow" else "raised", failure.detail)
