"""Turn after turn: whose it is, what a computer answers, when time runs out, which game comes next."""

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
"""Milliseconds before it is told that a computer thinks, and between two reports of its search."""

CLOCK_SHARE = 20
"""A computer thinks about a move for one part in so many of the time it has left."""

MIN_SECONDS = 0.05
"""However little that is."""

REFUSED_MILLISECONDS = 5_000
"""How long clocks are let alone after the store has refused to keep that one has run out."""

SEAT_SECONDS = 60.0
"""Seconds that a program may take before its first move."""


class TurnRunner:
    """Goes from move to move in *session*, and from game to game.

    Computers' moves are *asked* for and take *pace* seconds at least, which *wait* lets pass. *leave* is
    called where nobody wants to begin, with an error where nobody can.
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
        """The position for which a computer thinks, or has found a move whose time has not come."""
        self._command: Command | None = None
        self._timer: Timer | None = None
        self._is_due = True
        self._asked_sides: tuple[Match, int] | None = None
        """The match and its version at which a person was asked for a side."""
        self._refusal: Phrase | None = None
        self._refused: tuple[Phrase | None, int, Callable[[], list[Event]]] | None = None
        """What a person did that the store did not keep: how that is told, the cursor, and the doing."""
        self._is_begun = False
        self._next_look = 0
        self._second = 0
        """Of the time that is shown."""
        self._asked_at = self._reported_at = 0
        self._progress: object = None
        self._thought_shown: object = None
        """When a computer was asked, when it last told how far it had come, what, and all that is shown."""
        self._has_asked_again = False

    @property
    def progress(self) -> object:
        """How far a computer had come with its move lately; None where none thinks or nothing was told."""
        return self._progress if self.thinking_milliseconds is not None else None

    @property
    def thinking_milliseconds(self) -> int | None:
        """How long a computer has been thinking; None where none is, or not for long enough to be told."""
        gone = self._session.now() - self._asked_at
        return gone if self.is_thinking and gone >= REPORT_AFTER else None

    @property
    def is_thinking(self) -> bool:
        """Whether a computer's move is to come by itself: it is thought about, or its time has not come."""
        return self._slot.is_waiting or self._command is not None

    # From game to game

    def begin(self) -> None:
        """Begin with the game that was taken up again, or with the first at the table."""
        if self._session.table.match is None:
            self.begin_next()
        else:
            self._is_begun = True
            self._session.settle()
            self.go_on()

    def begin_next(self) -> None:
        """Set up the next game of the series, asking for a mark where that is to be chosen."""
        session, table = self._session, self._session.table
        if not table.needs_choice:
            self._set_up(None)
            return
        chooser, marks = table.series.chooser, table.series.marks
        # Something is seen while a mark is chosen; no clock runs there.
        if table.match is None and not self._could_begin(marks[0]):
            return

        answers = {mark.lower(): (mark, partial(self._set_up, mark)) for mark in marks}
        text: Phrase = lambda wording: wording.say("choose-mark", name=chooser)  # noqa: E731
        session.ask(BoardQuestion(text, answers, lambda: None if session.is_over else self._leave(None)))

    def _set_up(self, choice: str | None) -> None:
        if self._could_begin(choice):
            self._is_begun, self._session.message = True, None
            self._answers.shown = frozenset()
            self.go_on()

    def _could_begin(self, choice: str | None) -> bool:
        """Set the next game up; where that cannot be done, tell it here, or where the person came from."""
        try:
            self._session.begin(choice)
        except NoughtsError as error:
            (self.refuse if self._is_begun else self._leave)(error)
            return False
        return True

    # From move to move

    def carry_out(self, act: Callable[[], list[Event]]) -> None:
        """Do *act*, tell what came of it or why it was refused, and go on."""
        try:
            happened = act()
        except NoughtsError as error:
            can_be_kept = isinstance(error, StoreError) and not isinstance(error, StaleVersion)
            if can_be_kept and self._session.thinking_side is None:  # of its moves another sentence tells
                self._offer_again(act, error)
            else:
                self.refuse(error)
        else:
            # Where computers play on by themselves, why a key was refused is left to be read.
            message = None if self._session.people else self._session.message
            self._session.message = self._news(happened) or message
            self.go_on()

    def _offer_again(self, act: Callable[[], list[Event]], error: NoughtsError) -> None:
        session = self._session

        def text(wording: Wording) -> str:
            is_offered = self._refused is not None and self._refused[1] == session.cursor
            again = [wording.say("enter-tries-again")] if is_offered else []
            return wording.say.joined([wording.say.error(error), *again])

        self._refused = text, session.cursor, act
        session.tell(text)

    def try_again(self) -> bool:
        """Do once more what was not kept while that is told and the cursor stays; whether it was done."""
        refused, self._refused = self._refused, None
        if refused is None or refused[:2] != (self._session.message, self._session.cursor):
            return False
        self.carry_out(refused[2])
        return True

    def _news(self, happened: list[Event]) -> Phrase | None:
        """What is to be said of what happened besides what is seen on the board."""
        kinds, match = [event.kind for event in happened], self._session.match
        side = happened[-1].side or ""
        if EventKind.MOVE in kinds and match.outcome is None and is_pass(match.game.moves[-1]):
            return lambda wording: wording.say("plays-pass", player=wording.player(side))
        if EventKind.CHOICE in kinds:
            choice, turn = happened[0].data["choice"], match.turn
            if choice == SWAP:  # whose turn it is now had that side before
                turn = next(other for other in match.game.sides if other != turn)
            return lambda wording: wording.say(f"chose-{choice}", name=wording.names[turn], mark=turn)
        if EventKind.DECLINE in kinds:
            return lambda wording: wording.say("offer-declined")
        if EventKind.TAKEBACK in kinds:
            return lambda wording: wording.say("taken-back")
        return None

    def refuse(self, error: NoughtsError) -> None:
        """Tell why something could not be done, until a key is pressed."""
        self._refusal = lambda wording: wording.refusal(error)
        self._session.tell(self._refusal)

    def forget_refusal(self) -> None:
        """Tell no more why something could not be done."""
        if self._session.message is self._refusal:
            self._session.message = None

    def go_on(self) -> None:
        """Whatever follows from how things stand: an answer, a computer's move, values, the end."""
        session = self._session
        side_to_agree = session.side_to_agree
        side = session.thinking_side if side_to_agree is None else None
        question = None if side is None else (session.match, session.latest.ply)
        if question is None or question != self._question:  # an offer that was declined disturbs no thought
            self.stop()
        self._answers.look_again()
        if side_to_agree is not None:
            self._ask_to_agree(side_to_agree)
        elif side is not None and self._question is None:
            self._let_think(side)
        elif side is None and not session.match.standing.is_over and not session.is_over:
            self._tell_opening()
        session.changed()

    def _answering(self, side: str, command: Command) -> Callable[[], None]:
        return lambda: self.carry_out(lambda: self._session.apply(side, command))

    def _tell_opening(self) -> None:
        """Say what the opening asks of the person whose turn it is; for a side it asks once."""
        session, match = self._session, self._session.match
        session.message = session.message or (lambda wording: wording.opening()[0])
        if match.standing.answers and self._asked_sides != (match, match.version):
            self._asked_sides = (match, match.version)
            session.message = None
            self._ask_side(match)

    def _ask_side(self, match: Match) -> None:
        """Ask the person whose turn it is for a side; to keep it is to make a move then."""
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
        """Ask the person who plays *side* about the offer that waits for an answer."""
        offer = self._session.match.offer
        is_draw = offer is not None and offer.what == "draw"
        question = "accept-draw-question" if is_draw else "accept-take-back-question"
        text: Phrase = lambda wording: wording.say(question, player=wording.player(side))  # noqa: E731
        accept, decline = self._answering(side, Accept()), self._answering(side, Decline())
        self._session.ask(BoardQuestion.yes_or_no(text, accept, decline))

    # A computer's move

    def _let_think(self, side: str) -> None:
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
            take=self._take,
            fail=lambda failure: self._hear_failure(side, failure),
            patience=MOVE_SECONDS + seat_patience(player, SEAT_SECONDS),
        )

    def _hear_failure(self, side: str, failure: TaskFailure) -> None:
        """A player that fails forfeits; where only its process has gone, it is asked once more."""
        if failure.fault is not None:
            self._take(Break(failure.fault.package, failure.fault.words))
        elif failure.reason != "gone":
            self._take(Forfeit("too-slow" if failure.reason == "too-slow" else "raised", failure.detail))
        elif not self._has_asked_again:
            self._has_asked_again = True
            self._let_think(side)
        else:
            self._question = None
            self._session.tell(lambda wording: say_failure(wording.say, failure))

    def _take(self, command: Command | NoughtsError) -> None:
        self._has_asked_again = False
        if isinstance(self._slot.last_progress, Progress):
            self._session.graph.keep(self._session.latest, None, self._slot.last_progress.score)
        if isinstance(command, NoughtsError):  # it is not there, or declines: nobody has lost by that
            self.stop()
            self._session.tell(lambda wording: refusal_in_words(wording.say, command))
            return
        self._command = command
        if self._is_due:
            self._make_move()

    def _make_move(self) -> None:
        """Make the computer's move, once it is found and its time has come."""
        self._is_due = True
        command, self._command = self._command, None
        if command is not None:
            self._question = None
            self._answering(self._session.match.turn, command)()

    def _look_at_thinking(self) -> None:
        """Show the time once a second, and what the search says twice a second at most."""
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
        """Whether a person may move now; where not, that is told, and a computer that thinks hurried."""
        session = self._session
        if session.is_over:
            session.tell(lambda wording: wording.say("game-over"))
        elif session.is_looking_back:
            session.tell(lambda wording: wording.say("past-position"))
        elif session.thinking_side is not None:
            self.hurry()
        else:
            return True
        return False

    def hurry(self) -> None:
        """The computer's move is wanted now; one that could not be kept is asked for again."""
        if self.is_thinking:
            self._slot.hurry()
            self._make_move()
        else:
            self.go_on()

    def stop(self) -> None:
        """No computer's move is waited for any more."""
        self._slot.drop()
        self._command = self._question = None
        if self._timer is not None:
            self._timer.stop()
            self._timer = None

    # Clocks

    def look_at_clocks(self) -> None:
        """End the game whose clock has run out; show the clocks, and how far a computer is with its move."""
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
            (self.go_on if has_run_out else session.changed)()
