"""The screen on which a game is played, looked back at and tried out."""

from collections.abc import Callable
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Input

from noughts.arena.commands import OfferDraw, Resign
from noughts.arena.match import Event
from noughts.arena.sitting import Sitting
from noughts.errors import BadInput
from noughts.games.moves import Part
from noughts.interfaces.presenting.naming import cut_apart
from noughts.interfaces.presenting.reviewing import ReviewTold
from noughts.interfaces.presenting.wording import Wording
from noughts.interfaces.tui.game.analysis import Asking
from noughts.interfaces.tui.game.arrange import Arrangement, arrange
from noughts.interfaces.tui.game.board import BoardView
from noughts.interfaces.tui.game.panels import Telling
from noughts.interfaces.tui.game.questions import Question, Sentence, which_next
from noughts.interfaces.tui.game.review import ReviewPage
from noughts.interfaces.tui.game.session import Playing
from noughts.interfaces.tui.game.sidebar import names_of
from noughts.interfaces.tui.game.turns import Course
from noughts.interfaces.tui.kit.keys import EVERYWHERE, NARROW, PLAYING, bindings
from noughts.interfaces.tui.kit.keys import names_of as keys_of
from noughts.interfaces.tui.kit.page import Page
from noughts.interfaces.tui.kit.spans import Lines
from noughts.interfaces.tui.kit.tasks import Told
from noughts.search.insight.review import Review

NARROW_NAME = 10
"""Columns of a name in the sentences of a narrow window."""

TICK_SECONDS = 0.25
"""How often clocks are looked at."""

STILL_WORKING = {name for key in EVERYWHERE for name in keys_of(key, EVERYWHERE)}
"""The keys that do what they always do while a question waits."""


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
    """

    def __init__(
        self, sitting: Sitting, now: Callable[[], int], first: int = 1, *, is_only: bool = False
    ) -> None:
        super().__init__()
        self.playing = Playing(sitting, now, first)
        self.is_only = is_only
        self.question: Question | None = None
        self.message: Sentence | None = None
        self._arranged: tuple[object, Arrangement] | None = None

    def compose(self) -> ComposeResult:
        with Horizontal(id="table"):
            with Vertical(id="left"):
                yield Lines(id="status")
                yield BoardView(id="board")
                yield Lines(id="notes")
            yield Lines(id="margin")
        yield from self.compose_bottom()

    def on_mount(self) -> None:
        self.asking = Asking(self)
        self.course = Course(self)
        self.telling = Telling(self)
        self.set_interval(TICK_SECONDS, self.course.look_at_clocks)
        self.course.begin()

    # What is shown

    @property
    def wording(self) -> Wording:
        """Puts what happens into words, in the language of the moment."""
        playing = self.playing
        names = names_of(self.say, playing, short=self.size.width < NARROW)
        if self.size.width < NARROW:  # rather a name is cut than what is said of it
            names = cut_apart(names, NARROW_NAME)
        return Wording(self.say, playing.match, names, playing.sitting.who_of, playing.names)

    @property
    def arrangement(self) -> Arrangement:
        """How the window is shared out."""
        game, (width, height) = self.playing.latest, self.size
        key = (game.name, width, height, self.program.has_unicode)
        if self._arranged is None or self._arranged[0] != key:
            self._arranged = key, arrange(game, width, height, unicode=self.program.has_unicode)
        return self._arranged[1]

    def draw(self) -> None:
        if self.playing.sitting.match is None:
            return
        arrangement, telling, (width, height) = self.arrangement, self.telling, self.size
        wide, high = width - arrangement.margin, height - max(arrangement.footer, self.is_typing)
        status, notes = telling.above_and_below(wide)
        self.query_one("#status", Lines).show_all(status)
        self.query_one("#notes", Lines).show_all(notes)
        margin = self.query_one("#margin", Lines)
        margin.styles.width, margin.display = arrangement.margin, arrangement.margin > 0
        margin.show(telling.margin(arrangement.margin, height - arrangement.footer))
        self.show_footer(telling.footer(width), is_there=arrangement.footer > 0)
        room = (wide, high - len(status) - len(notes))
        self.query_one(BoardView).show(self.playing.game, telling.view(), self.playing.cursor, room)

    def tell(self, sentence: Sentence | None) -> None:
        """Show a sentence above the board until something else happens."""
        self.message = sentence
        self.redraw()

    def show_review(self, review: Review) -> None:
        """Show the review of the match; a move chosen there is looked at on the board."""
        told = ReviewTold(self.playing.latest, review, self.wording.names, letters=True)

        def look(ply: int | None) -> None:
            if ply is not None:
                self.action_look(ply)

        if self.app.screen is self:  # not over help or a list that was opened meanwhile
            self.app.push_screen(ReviewPage(told), look)

    def on_told(self, told: Told) -> None:
        """The thinker has said something."""
        if self.course.hear(told) or self.asking.hear(told):
            self.redraw()

    # Questions

    def ask(self, question: Question) -> None:
        """Ask *question* above the board; other keys wait."""
        self.question = question
        self.redraw()

    def action_answer(self, key: str) -> None:
        """Answer the question with *key*; ``escape`` withdraws it."""
        question, self.question = self.question, None
        if question is not None:
            self.message = None
            question.act(key)
            self.redraw()

    def ask_yes_no(self, text: Sentence, yes: Callable[[], None]) -> None:
        """Ask a question to which no is the answer that changes nothing."""
        self.ask(Question.yes_or_no(text, yes, self.redraw))

    async def on_key(self, event: events.Key) -> None:
        if self.is_typing or self.playing.sitting.match is None:
            return
        if self.question is not None:
            key = self.question.key_for(self.say, event.key, event.character)
            if key is not None or event.key not in STILL_WORKING:
                event.stop()
                event.prevent_default()
            if key is not None:
                self.action_answer(key)
        elif event.character and event.character.isascii() and event.character.isdigit():
            event.stop()
            event.prevent_default()
            self._play_digit(int(event.character))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """While something is asked for, nothing else is done; Textual asks this before each action."""
        if self.playing.sitting.match is None:
            return False  # the first game could not be set up: the page is being left
        return action in ("answer", "drop_entry") or (self.question is None and not self.is_typing)

    # Keys: the board

    def action_step(self, direction: str) -> None:
        """Move the cursor."""
        self.playing.move_cursor(direction)
        self.redraw()

    def on_board_view_rolled(self, rolled: BoardView.Rolled) -> None:
        """The wheel moves the cursor, and with it what is seen of a large board."""
        self.action_step(rolled.direction)

    def on_board_view_pointed(self, pointed: BoardView.Pointed) -> None:
        """A click places a mark, one with the right button only puts the cursor there."""
        if self.question is None and not self.is_typing:
            self.playing.point_at(pointed.index)
            (self.action_place if pointed.is_move else self.redraw)()

    def action_place(self) -> None:
        """Make the move at the cursor; while a computer thinks, ask for its move now."""
        if self._can_move():
            self._point_at(self.playing.cursor)

    def _can_move(self) -> bool:
        """Whether a person may move now; where not, that is told, and a computer that thinks hurried."""
        playing = self.playing
        if playing.is_over:
            self.tell(lambda say: say("game-over"))
        elif playing.is_looking_back:
            self.tell(lambda say: say("past-position"))
        elif playing.thinking_side is not None:
            self.course.hurry()
        else:
            return True
        return False

    def _point_at(self, index: int) -> None:
        """Say that a move goes on at a cell; where there is no cell to point at, any stands for the rest."""
        playing = self.playing
        cell = playing.cell_meant(index)
        if cell is not None:
            self._say(cell)
        elif not playing.step.cells:
            self._go_on()
        elif playing.said:
            name = playing.names.cell_at(index)
            self.tell(lambda say: say("not-next", cell=name, said=playing.names.said(playing.said)))
        else:
            self.course.refuse(playing.refusal_of(index))

    def _say(self, part: Part) -> None:
        self.playing.say(part)
        self._go_on()

    def _go_on(self) -> None:
        """Make the move that was said; where more is to be said of it, ask for that."""
        playing, step = self.playing, self.playing.step
        if len(step.moves) == 1:
            self.course.carry_out(lambda: playing.play_move(step.moves[0]))
        elif step.cells:
            said = playing.said
            self.tell(lambda say: say("point-next", said=playing.names.said(said)))
        else:
            self.ask(which_next(playing, self._say, self._unsay))

    def _unsay(self) -> None:
        """Take the part of a move back that was said last."""
        self.playing.unsay()
        self.tell(None)

    def _play_digit(self, digit: int) -> None:
        playing = self.playing
        if not playing.names.range[0] <= digit <= playing.last_digit or not self._can_move():
            return
        try:
            index = playing.read_cell(str(digit))
        except BadInput as error:
            self.course.refuse(error)
        else:
            self._point_at(index)

    # Going to a cell by its name

    def action_go_to(self) -> None:
        """Ask for a cell to go to."""
        self.open_entry(self.say("go-to-cell", example=self.playing.called_cell))

    def on_input_submitted(self, submitted: Input.Submitted) -> None:
        """Put the cursor on the cell that was typed; a text that is a whole move makes it."""
        text, playing = submitted.value, self.playing
        self.close_entry()
        if (move := playing.read_move(text)) is not None:
            if self._can_move():
                self.course.carry_out(lambda: playing.play_move(move))
        elif text.strip():
            try:
                playing.point_at(playing.find_cell(text))
            except BadInput as error:
                self.course.refuse(error)
            else:
                self.tell(None)

    def key_escape(self, event: events.Key) -> None:
        """Type no name after all."""
        if self.is_typing:
            event.stop()
            event.prevent_default()
            self.action_drop_entry()

    def action_drop_entry(self) -> None:
        """Type no name after all."""
        self.close_entry()

    # Keys: looking and asking

    def _look(self, act: Callable[[], None]) -> None:
        act()
        self.asking.look_again()
        self.tell(None)

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
        sitting = self.playing.sitting
        if sitting.is_playing and sitting.terms.clock.is_timed:
            self.tell(lambda say: say("not-while-timed"))
        elif self.playing.branch():
            self.message = None
            self.course.begin_trial()
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
        self.course.carry_out(self.playing.take_back)

    def _settle(self, question: str, act: Callable[[str], list[Event]]) -> None:
        """Do something that ends the real game, or may, for the person whose turn it is; ask before."""
        side = self.playing.hand
        if self.playing.trial is not None or side is None or self.playing.is_over:
            why = (
                "computers-play" if side is None else "game-over" if self.playing.is_over else "not-in-trial"
            )
            self.tell(lambda say: say(why))
            return
        self.ask_yes_no(
            lambda say: say(question, player=self.wording.player(side)),
            lambda: self.course.carry_out(lambda: act(side)),
        )

    def action_offer_draw(self) -> None:
        """Offer a draw, after asking once."""
        playing = self.playing
        if len(playing.latest.sides) == 1:
            self.tell(lambda say: say("refused-nobody-to-ask"))
            return
        self._settle(
            "offer-draw-question", lambda side: playing.apply(side, OfferDraw()) + playing.answer_for_others()
        )

    def action_resign(self) -> None:
        """Give up, after asking once."""
        self._settle("resign-question", lambda side: self.playing.apply(side, Resign()))

    def action_rematch(self) -> None:
        """The next game of the series."""
        if self.playing.trial is not None or self.playing.sitting.is_playing:
            self.tell(lambda say: say("rematch-after-end"))
        else:
            self.course.begin_next()

    def action_save(self) -> None:
        """Save a picture and the record."""
        self.asking.save()

    def action_copy(self) -> None:
        """Copy the moves."""
        self.asking.copy()

    def action_step_back(self) -> None:
        """One step back: in a move, to the latest position, to the game, out of it."""
        if self.playing.said:
            self._unsay()
        elif self.playing.is_looking_back:
            self.action_latest()
        else:
            self.action_leave()

    def action_leave(self) -> None:
        """Back to the game from what is tried out; else leave the game, which is kept."""
        if self.playing.trial is not None:
            self.playing.leave_trial()
            self.message = None
            self.course.go_on()
            return
        self.course.stop()
        self.asking.drop()
        self.program.leave_game(self)
