"""The course of a game on the screen: whose turn it is, what a computer answers, what comes next."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from textual.timer import Timer

from noughts.arena.commands import Accept, Command, Decline, Forfeit, Put, Swap
from noughts.arena.match import Event, EventKind, Match
from noughts.errors import BadInput, NoughtsError
from noughts.games.moves import is_pass
from noughts.games.openings import PUT, SWAP
from noughts.interfaces.presenting.computers import MOVE_SECONDS, THINK_SECONDS
from noughts.interfaces.presenting.naming import refusal_in_words
from noughts.interfaces.presenting.tasks import choose
from noughts.interfaces.tui.game.analysis_text import say_failure
from noughts.interfaces.tui.game.questions import Question, Sentence
from noughts.interfaces.tui.game.session import PastPositionError
from noughts.interfaces.tui.kit.tasks import Asked, Told
from noughts.workers.messages import Failure

if TYPE_CHECKING:
    from noughts.interfaces.tui.game.game_page import GamePage

CLOCK_SHARE = 20
"""A computer thinks about a move for one part in so many of the time it has left."""

LEAST_SECONDS = 0.05
"""However little that is."""

REFUSED_MILLISECONDS = 5_000
"""How long clocks are let alone after the store has refused to keep that one has run out."""

PATIENCE_SECONDS = MOVE_SECONDS + 60
"""When a process that does not answer is given up: compiling is off a computer's clock, but not off this."""


class Course:
    """Lets the game of *page* take its course."""

    def __init__(self, page: "GamePage") -> None:
        self._page, self._playing = page, page.playing
        self._asked = Asked(page, page.program.around.thinker)
        self._question: tuple[Match, int] | None = None
        """The position for which a computer thinks, or has found a move whose time has not come."""
        self._found: Command | None = None
        self._timer: Timer | None = None
        self._is_due = True
        self._asked_sides: tuple[Match, int] | None = None
        """The match and its version at which a person was asked for a side."""
        self._is_begun = False
        self._next_look = 0
        self._has_asked_again = False
        self._end: Event | None = None
        self._trial_end: Event | None = None

    @property
    def progress(self) -> object:
        """How far a computer has come with its move; None where none thinks or nothing was told."""
        return self._asked.progress

    @property
    def is_thinking(self) -> bool:
        """Whether a computer's move is to come by itself: it is thought about, or its time has not come."""
        return self._asked.is_waiting or self._found is not None

    @property
    def end(self) -> Event | None:
        """The event that ended the match that is on the table; None while it goes on."""
        return self._end if self._playing.trial is None else self._trial_end

    # From game to game

    def begin(self) -> None:
        """Begin with the game that was taken up again, or with the first of the sitting."""
        if self._playing.sitting.match is None:
            self.begin_next()
        else:
            self._is_begun = True
            self._playing.settle()
            self.go_on()

    def begin_next(self) -> None:
        """Set up the next game of the series, asking for a mark where that is to be chosen."""
        sitting = self._playing.sitting
        if not sitting.needs_choice:
            self._set_up(None)
            return
        chooser, marks = sitting.series.chooser, sitting.series.marks
        if sitting.match is None and not self._shown_while_choosing(marks[0]):
            return

        def beginning_with(mark: str) -> Callable[[], None]:
            return lambda: self._set_up(mark)

        answers = {mark.lower(): (mark, beginning_with(mark)) for mark in marks}
        leave = self._page.redraw if self._playing.is_over else self._page.action_leave
        self._page.ask(Question(lambda say: say("choose-mark", name=chooser), answers, leave))

    def _shown_while_choosing(self, mark: str) -> bool:
        """Set up what is seen while a mark is chosen; no clock runs there. Whether it could be."""
        try:
            self._playing.begin(mark)
        except NoughtsError as error:
            self._give_up(error)
            return False
        return True

    def _set_up(self, choice: str | None) -> None:
        try:
            self._playing.begin(choice)
        except NoughtsError as error:
            self._give_up(error)
            return
        self._is_begun, self._end, self._page.message = True, None, None
        self._page.asking.put_away()
        self.go_on()

    def _give_up(self, error: NoughtsError) -> None:
        """The next game could not be set up: tell it here, or where the person came from."""
        if self._is_begun:
            self.refuse(error)
        else:
            self._page.program.give_up(self._page, error)

    def begin_trial(self) -> None:
        """Go on in moves that are only tried out."""
        self._trial_end = None
        self.go_on()

    # From move to move

    def carry_out(self, act: Callable[[], list[Event]]) -> None:
        """Do *act*, tell what came of it or why it was refused, and go on."""
        try:
            happened = act()
        except PastPositionError:
            self._page.tell(lambda say: say("past-position"))
        except NoughtsError as error:
            self.refuse(error)
        else:
            # Where computers play on by themselves, why a key was refused is left to be read.
            kept = None if self._playing.people else self._page.message
            self._page.message = self._news(happened) or kept
            self.go_on()

    def _news(self, happened: list[Event]) -> Sentence | None:
        """What is to be said of what happened besides what is seen on the board."""
        kinds = [event.kind for event in happened]
        if EventKind.END in kinds:
            self._page.question = None
            if self._playing.trial is None:
                self._end = happened[-1]
            else:
                self._trial_end = happened[-1]
        elif EventKind.MOVE in kinds and is_pass(self._playing.latest.moves[-1]):
            side = happened[-1].side or ""
            return lambda say: say("plays-pass", player=self._page.wording.player(side))
        if EventKind.CHOICE in kinds:
            choice, side = happened[0].data["choice"], self._playing.match.turn
            if choice == SWAP:  # whose turn it is now had that side before
                side = next(other for other in self._playing.latest.sides if other != side)
            return lambda say: say(f"chose-{choice}", name=self._page.wording.names[side], mark=side)
        if EventKind.DECLINE in kinds:
            return lambda say: say("offer-declined")
        if EventKind.TAKEBACK in kinds:
            return lambda say: say("taken-back")
        return None

    def refuse(self, error: NoughtsError) -> None:
        """Tell why something could not be done."""
        if isinstance(error, BadInput):
            self._page.tell(lambda say: self._page.wording.refusal(error))
        else:
            self._page.tell(lambda say: say.error(error))

    def go_on(self) -> None:
        """Whatever follows from how things stand: an answer, a computer's move, values, the end."""
        playing = self._playing
        asked = playing.asked
        side = playing.thinking_side if asked is None else None
        question = None if side is None else (playing.match, playing.latest.ply)
        if question is None or question != self._question:  # an offer that was declined disturbs no thought
            self.stop()
        self._page.asking.look_again()
        if asked is not None:
            self._ask_to_agree(asked)
        elif side is not None and self._question is None:
            self._let_think(side)
        elif side is None and not playing.match.standing.is_over and not playing.is_over:
            self._tell_opening()
        self._page.redraw()

    def _tell_opening(self) -> None:
        """Say what the opening asks of the person whose turn it is; for a side it asks once."""
        page, match = self._page, self._playing.match
        page.message = page.message or (lambda _: page.wording.opening()[0])
        if match.standing.answers and self._asked_sides != (match, match.version):
            self._asked_sides = (match, match.version)
            self._ask_side(match)

    def _ask_side(self, match: Match) -> None:
        """Ask the person whose turn it is for a side; to keep it is to make a move then."""

        def answering(command: Command) -> Callable[[], None]:
            return lambda: self.carry_out(lambda: self._playing.apply(match.turn, command))

        commands: dict[str, tuple[str, str, Command]] = {
            SWAP: ("s", "answer-swap", Swap()),
            PUT: ("p", "answer-put", Put()),
        }
        answers = {"k": ("answer-stay", self._page.redraw)}
        for answer in match.standing.answers:
            key, word, command = commands[answer]
            answers[key] = (word, answering(command))
        other = next(side for side in match.game.sides if side != match.turn)
        name, mark = self._page.wording.names[match.turn], match.turn
        text: Sentence = lambda say: say("choose-side-question", name=name, mark=mark, other=other)  # noqa: E731
        self._page.message = None
        self._page.ask(Question(text, answers, self._page.redraw))

    def _ask_to_agree(self, side: str) -> None:
        """Ask the person who plays *side* about the offer that waits for an answer."""

        def answering(command: Command) -> Callable[[], None]:
            return lambda: self.carry_out(lambda: self._playing.apply(side, command))

        offer = self._playing.match.offer
        is_draw = offer is not None and offer.what == "draw"
        question = "accept-draw-question" if is_draw else "accept-take-back-question"
        self._page.ask(
            Question.yes_or_no(
                lambda say: say(question, player=self._page.wording.player(side)),
                answering(Accept()),
                answering(Decline()),
            )
        )

    # A computer's move

    def _let_think(self, side: str) -> None:
        playing, pace = self._playing, self._page.program.around.pace
        left = playing.time_left(side) if playing.trial is None else None
        seconds = THINK_SECONDS
        if left is not None:
            seconds = min(seconds, max(LEAST_SECONDS, left / 1000 / CLOCK_SHARE))
        self._is_due, self._question = not pace, (playing.match, playing.latest.ply)
        if pace:
            self._timer = self._page.set_timer(pace, self._make_found)
        self._asked.ask(
            choose,
            playing.sitting.who_of[side],
            playing.latest.copy(),
            playing.sitting.seed,
            seconds,
            MOVE_SECONDS,
            playing.match.standing,
            take=self._take,
            fail=lambda failure: self._hear_failure(side, failure),
            patience=PATIENCE_SECONDS,
        )

    def _hear_failure(self, side: str, failure: Failure) -> None:
        """A player that fails forfeits; where only its process has gone, it is asked once more."""
        if failure.reason != "gone":
            self._take(Forfeit("too-slow" if failure.reason == "too-slow" else "raised", failure.detail))
        elif not self._has_asked_again:
            self._has_asked_again = True
            self._let_think(side)
        else:
            self._question = None
            self._page.tell(lambda say: say_failure(say, failure))

    def _take(self, command: Command | NoughtsError) -> None:
        self._has_asked_again = False
        if isinstance(command, NoughtsError):  # it is not there, or declines: nobody has lost by that
            self.stop()
            self._page.tell(lambda say: refusal_in_words(say, command))
            return
        self._found = command
        if self._is_due:
            self._make_found()

    def _make_found(self) -> None:
        """Make the computer's move, once it is found and its time has come."""
        self._is_due = True
        command, self._found = self._found, None
        side = self._playing.match.turn
        if command is not None:
            self._question = None
            self.carry_out(lambda: self._playing.apply(side, command))

    def hurry(self) -> None:
        """The computer's move is wanted now; one that could not be kept is asked for again."""
        if self.is_thinking:
            self._asked.hurry()
            self._make_found()
        else:
            self.go_on()

    def hear(self, told: Told) -> bool:
        """Take in what the thinker said of the move that is waited for; whether it was news of progress."""
        return self._asked.hear(told)

    def stop(self) -> None:
        """No computer's move is waited for any more."""
        self._asked.drop()
        self._found = self._question = None
        if self._timer is not None:
            self._timer.stop()
            self._timer = None

    # Clocks

    def look_at_clocks(self) -> None:
        """End the game whose clock has run out; show the clocks."""
        playing = self._playing
        match = playing.sitting.match
        if match is None or not self._is_begun or not playing.sitting.is_playing:
            return
        if playing.time_left(match.turn) is None or self._page.program.around.now() < self._next_look:
            return
        try:
            happened = playing.flag()
        except NoughtsError as error:
            self._next_look = self._page.program.around.now() + REFUSED_MILLISECONDS
            self.refuse(error)
            return
        if happened:
            playing.leave_trial()
            self._end, self._page.question = happened[-1], None
            self.go_on()
        else:
            self._page.redraw()
