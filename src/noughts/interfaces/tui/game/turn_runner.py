"""Turn after turn: computers' moves, clocks, offers and the next game."""

from collections.abc import Callable
from functools import partial

from textual.timer import Timer

from noughts.arena.commands import Accept, Break, Command, Decline, Forfeit, Put, Swap
from noughts.arena.events import Event, EventKind
from noughts.arena.match import Match
from noughts.errors import NoughtsError, StaleVersion, StoreError
from noughts.games.moves import is_pass
from noughts.games.openings import PUT, SWAP
from noughts.interfaces.presenting.game_plan import MOVE_SECONDS, THINK_SECONDS
from noughts.interfaces.presenting.match_texts import Wording
from noughts.interfaces.presenting.players import refusal_in_words
from noughts.interfaces.presenting.tasks import choose
from noughts.interfaces.tui.game.analysis import Answers, say_failure
from noughts.interfaces.tui.game.questions import BoardQuestion, Phrase
from noughts.interfaces.tui.game.session import GameSession
from noughts.interfaces.tui.widgets.task_slot import TaskSlot
from noughts.search.analysis import Progress
from noughts.workers.messages import TaskFailure
from noughts.workers.seating import seat_patience

REPORT_AFTER, REPORT_EVERY = 300, 500
"""The milliseconds before a thinking computer is shown, and between two reports of it."""

CLOCK_SHARE = 20
"""A computer uses one part in this number of its remaining time for a move."""

ANSWERS = (EventKind.MOVE, EventKind.DECLINE, EventKind.TAKEBACK, EventKind.END)
"""The events after which an offer is not open any more."""

MIN_SECONDS = 0.05
"""The minimum number of seconds for a computer's move."""

REFUSED_MILLISECONDS = 5_000
"""The milliseconds until clocks are checked again after the store refused to save a time-out."""

SEAT_SECONDS = 60.0
"""The seconds that a program may take before its first move."""


class TurnRunner:
    """Goes from move to move in *session*, and from game to game.

    *slot* runs the computers' tasks. Their moves take *pace* seconds or more, which *wait* lets pass. *leave*
    is called if nobody wants to start, or with an error if a game cannot start.
    """

    def __init__(
        self,
        session: GameSession,
        answers: Answers,
        slot: TaskSlot,
        pace: float,
        wait: Callable[[float, Callable[[], object]], Timer],
        leave: Callable[[NoughtsError | None], None],
    ) -> None:
        self._session, self._answers, self._slot = session, answers, slot
        self._pace, self._wait, self._leave = pace, wait, leave
        self._question: tuple[Match, int] | None = None
        """The position of a computer's search, or of its move that waits for the pace."""
        self._command: Command | None = None
        self._timer: Timer | None = None
        self._is_due = True
        self._asked_sides: tuple[Match, int] | None = None
        """The match and its version at which a person was asked for a side."""
        self._refusal: Phrase | None = None
        self._refused: tuple[Phrase | None, int, Callable[[], list[Event]]] | None = None
        """A person's action that could not be saved: its message, the cursor, and the action."""
        self._is_begun = False
        self._next_look = 0
        self._second = 0
        """The second that is shown."""
        self._asked_at = self._reported_at = 0
        self._progress: object = None
        self._thought_shown: object = None
        """The times of the request and of the last report, the report itself, and its displayed parts."""
        self._has_asked_again = False

    @property
    def progress(self) -> object:
        """The last progress report of a thinking computer; None if there is none."""
        return self._progress if self.thinking_milliseconds is not None else None

    @property
    def thinking_milliseconds(self) -> int | None:
        """The time that a computer has been thinking; None if it is too short to show."""
        gone = self._session.now() - self._asked_at
        return gone if self.is_thinking and gone >= REPORT_AFTER else None

    @property
    def is_thinking(self) -> bool:
        """True if a computer's move will come: it is searched, or waits for the pace."""
        return self._slot.is_waiting or self._command is not None

    # From game to game

    def begin(self) -> None:
        """Start with the resumed game, or with the first one at the table."""
        if self._session.table.match is None:
            self.begin_next()
        else:
            self._is_begun = True
            self._session.settle()
            self.advance()

    def begin_next(self) -> None:
        """Set up the next game of the series; ask for a mark if a player has to choose."""
        session, table = self._session, self._session.table
        if not table.needs_choice:
            self._set_up(None)
            return
        chooser, marks = table.series.players[table.chooser], table.series.marks
        # The game is shown while a mark is chosen, and no clock runs.
        if table.match is None and not self._try_to_begin(marks[0]):
            return

        answers = {mark.lower(): (mark, partial(self._set_up, mark)) for mark in marks}
        text: Phrase = lambda wording: wording.say("choose-mark", name=chooser)  # noqa: E731
        session.ask(BoardQuestion(text, answers, lambda: None if session.is_over else self._leave(None)))

    def _set_up(self, choice: str | None) -> None:
        if self._try_to_begin(choice):
            self._is_begun, self._session.message = True, None
            self._answers.shown = frozenset()
            self.advance()

    def _try_to_begin(self, choice: str | None) -> bool:
        """Set up the next game; if that fails, show the error here or on the page before."""
        try:
            self._session.begin(choice)
        except NoughtsError as error:
            (self.refuse if self._is_begun else self._leave)(error)
            return False
        return True

    # From move to move

    def carry_out(self, act: Callable[[], list[Event]]) -> None:
        """Run *act*, show its result or its error, and continue."""
        try:
            happened = act()
        except NoughtsError as error:
            can_be_kept = isinstance(error, StoreError) and not isinstance(error, StaleVersion)
            # A computer's unsaved move has a message of its own.
            if can_be_kept and self._session.thinking_side is None:
                self._offer_again(act, error)
            else:
                self.refuse(error)
        else:
            # If only computers play, an error message stays readable while they play on.
            message = None if self._session.people else self._session.message
            self._session.message = self._message_about(happened) or message
            self.advance()

    def take_news(self, happened: list[Event]) -> None:
        """Show the events of the real game that *happened* elsewhere, and continue."""
        session = self._session
        if happened:  # The refusal was about an earlier state.
            self.clear_refusal()
        was_asking = session.side_to_agree is None and session.question is not None
        session.take_news(happened)
        if any(event.kind in ANSWERS for event in happened) and not was_asking:
            session.question = None
        before = None if session.is_over else session.message  # The reason for the end is shown now.
        session.message = self._message_about(happened) or before
        self.advance()

    def _offer_again(self, act: Callable[[], list[Event]], error: NoughtsError) -> None:
        session = self._session

        def text(wording: Wording) -> str:
            is_offered = self._refused is not None and self._refused[1] == session.cursor
            again = [wording.say("enter-tries-again")] if is_offered else []
            return wording.say.joined([wording.say.error(error), *again])

        self._refused = text, session.cursor, act
        session.show_message(text)

    def try_again(self) -> bool:
        """Repeat an action that could not be saved, if its message and the cursor are unchanged.

        Return False if there is none.
        """
        refused, self._refused = self._refused, None
        if refused is None or refused[:2] != (self._session.message, self._session.cursor):
            return False
        self.carry_out(refused[2])
        return True

    def _message_about(self, happened: list[Event]) -> Phrase | None:
        """Return the message about events that the board does not show."""
        kinds, match = [event.kind for event in happened], self._session.match
        side = (happened[-1].side if happened else None) or ""
        if EventKind.MOVE in kinds and match.outcome is None and is_pass(match.game.moves[-1]):
            return lambda wording: wording.say("plays-pass", player=wording.player(side))
        if EventKind.CHOICE in kinds:
            choice, turn = happened[0].data["choice"], match.turn
            if choice == SWAP:  # The side to move now had that side before.
                turn = next(other for other in match.game.sides if other != turn)
            return lambda wording: wording.say(f"chose-{choice}", name=wording.names[turn], mark=turn)
        if EventKind.DECLINE in kinds:
            return lambda wording: wording.say("offer-declined")
        if EventKind.TAKEBACK in kinds:
            return lambda wording: wording.say("taken-back")
        return None

    def refuse(self, error: NoughtsError) -> None:
        """Show the reason of *error* until a key is pressed, or something happens elsewhere."""
        self._show_refusal(lambda wording: wording.refusal(error))

    def _show_refusal(self, reason: Phrase) -> None:
        self._refusal = reason
        self._session.show_message(reason)

    def clear_refusal(self) -> None:
        """Clear the reason why an action was refused, if it is shown."""
        if self._session.message is self._refusal:
            self._session.message = None

    def advance(self) -> None:
        """Continue with the next step: an answer, a computer's move, values, or the end."""
        session = self._session
        side_to_agree = session.side_to_agree
        side = session.thinking_side if side_to_agree is None else None
        question = None if side is None else (session.match, session.latest.ply)
        if question is None or question != self._question:  # A declined offer does not stop the search.
            self.stop()
        self._answers.refresh()
        if side_to_agree is not None:
            self._ask_to_agree(side_to_agree)
        elif side is not None and self._question is None:
            self._start_computer(side)
        elif side is None and self._is_opening_here:
            self._show_opening()
        session.changed()

    @property
    def _is_opening_here(self) -> bool:
        """True if a person on this screen decides in the opening."""
        session, match = self._session, self._session.match
        return not match.standing.is_over and not session.is_over and match.turn in session.people

    def _answering(self, side: str, command: Command) -> Callable[[], None]:
        return lambda: self.carry_out(lambda: self._session.apply(side, command))

    def _show_opening(self) -> None:
        """Show the opening's instruction for the person to move; ask once for a side."""
        session, match = self._session, self._session.match
        session.message = session.message or (lambda wording: wording.opening()[0])
        if match.standing.answers and self._asked_sides != (match, match.version):
            self._asked_sides = (match, match.version)
            session.message = None
            self._ask_side(match)

    def _ask_side(self, match: Match) -> None:
        """Ask the person to move for a side; keeping it means making a move."""
        mark = match.turn
        other = next(side for side in match.game.sides if side != mark)
        commands: dict[str, Command] = {SWAP: Swap(), PUT: Put()}
        answers: dict[str, tuple[str, Callable[[], None]]] = {"k": ("answer-stay", lambda: None)}
        for answer in match.standing.answers:
            word = "answer-swap" if answer == SWAP else "answer-put"
            answers[answer[0]] = (word, self._answering(mark, commands[answer]))

        def text(wording: Wording) -> str:
            return wording.say("choose-side-question", name=wording.names[mark], mark=mark, other=other)

        self._session.ask(BoardQuestion(text, answers))

    def _ask_to_agree(self, side: str) -> None:
        """Ask the player of *side* to answer the open offer."""
        offer = self._session.match.offer
        is_draw = offer is not None and offer.what == "draw"
        question = "accept-draw-question" if is_draw else "accept-take-back-question"
        text: Phrase = lambda wording: wording.say(question, player=wording.player(side))  # noqa: E731
        accept, decline = self._answering(side, Accept()), self._answering(side, Decline())
        self._session.ask(BoardQuestion.yes_or_no(text, accept, decline))

    # A computer's move

    def _start_computer(self, side: str) -> None:
        session = self._session
        player = session.table.who_of[side]
        left = session.time_left(side) if session.trial is None else None
        seconds = THINK_SECONDS
        if left is not None:
            seconds = min(seconds, max(MIN_SECONDS, left / 1000 / CLOCK_SHARE))
        self._is_due, self._question = not self._pace, (session.match, session.latest.ply)
        if self._pace:
            self._timer = self._wait(self._pace, self._make_move)
        self._asked_at, self._reported_at = session.now(), 0
        self._progress = self._thought_shown = None
        self._slot.ask(
            choose,
            player,
            session.latest.copy(),
            session.table.seed,
            seconds,
            MOVE_SECONDS,
            session.match.standing,
            session.table.names[side],
            on_answer=self._take,
            on_failure=lambda failure: self._on_failure(side, failure),
            patience=MOVE_SECONDS + seat_patience(player, SEAT_SECONDS),
        )

    def _on_failure(self, side: str, failure: TaskFailure) -> None:
        """Let a failed player forfeit; if only its process died, repeat the task once."""
        if failure.fault is not None:
            self._take(Break(failure.fault.package, failure.fault.words))
        elif failure.reason != "gone":
            self._take(Forfeit("too-slow" if failure.reason == "too-slow" else "raised", failure.detail))
        elif not self._has_asked_again:
            self._has_asked_again = True
            self._start_computer(side)
        else:
            self._question = None
            self._session.show_message(lambda wording: say_failure(wording.say, failure))

    def _take(self, command: Command | NoughtsError) -> None:
        self._has_asked_again = False
        if isinstance(self._slot.last_progress, Progress):
            self._session.graph.keep(self._session.latest, None, self._slot.last_progress.score)
        if isinstance(command, NoughtsError):  # The player is missing or declines, so the game is not lost.
            self.stop()
            self._session.show_message(lambda wording: refusal_in_words(wording.say, command))
            return
        self._command = command
        if self._is_due:
            self._make_move()

    def _make_move(self) -> None:
        """Make the computer's move if it is known and the pace has passed."""
        self._is_due = True
        command, self._command = self._command, None
        if command is not None:
            self._question = None
            self._answering(self._session.match.turn, command)()

    def _look_at_thinking(self) -> None:
        """Show the time once a second, and search reports at most twice a second."""
        gone, session = self.thinking_milliseconds, self._session
        if gone is None:
            return
        if session.now() - self._reported_at >= REPORT_EVERY and self._slot.progress is not None:
            self._reported_at, self._progress = session.now(), self._slot.progress
        shown = gone // 1000, self._progress
        if shown != self._thought_shown:
            self._thought_shown = shown
            session.changed()

    def can_move(self) -> bool:
        """Return True if a person may move now.

        If not, show the reason, or make a thinking computer move.
        """
        session = self._session
        if session.is_over:
            session.show_message(lambda wording: wording.say("game-over"))
        elif session.is_looking_back:
            session.show_message(lambda wording: wording.say("past-position"))
        elif session.thinking_side is not None:
            self.hurry()
        elif session.match.turn not in session.people:
            id_ = "room-not-your-turn" if session.people else "web-watching"
            self._show_refusal(lambda wording: wording.say(id_))
        else:
            return True
        return False

    def hurry(self) -> None:
        """Make the computer move now; repeat a task whose move could not be saved."""
        if self.is_thinking:
            self._slot.hurry()
            self._make_move()
        else:
            self.advance()

    def stop(self) -> None:
        """Drop the computer's search and its move."""
        self._slot.drop()
        self._command = self._question = None
        if self._timer is not None:
            self._timer.stop()
            self._timer = None

    # Clocks

    def look_at_clocks(self) -> None:
        """End the game if a clock has run out; show the clocks and a computer's progress."""
        self._look_at_thinking()
        session = self._session
        match = session.table.match
        if match is None or not self._is_begun or not session.table.is_playing:
            return
        second = session.time_taken // 1000
        if len(match.game.sides) == 1 and second != self._second:
            self._second = second
            session.changed()
        if session.time_left(match.turn) is None or session.now() < self._next_look:
            return
        try:
            has_run_out = session.flag()
        except NoughtsError as error:
            self._next_look = session.now() + REFUSED_MILLISECONDS
            self.refuse(error)
        else:
            (self.advance if has_run_out else session.changed)()
