"""The state of a game screen: match, viewed position, trial, cursor and message.

It does not depend on the screen. All events of a game happen in its :class:`Match`. This state holds only the
view of a person.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from noughts.arena.commands import Accept, Command, Decline, Flag, MakeMove, TakeBack
from noughts.arena.events import Event, EventKind
from noughts.arena.local_table import LocalTable
from noughts.arena.match import Match
from noughts.arena.runner import agrees
from noughts.core.board import Coordinate, coordinate_of, index_of
from noughts.drawing.view import cell_number
from noughts.games.base import Game
from noughts.games.moves import Move, Part
from noughts.interfaces.presenting.move_builder import NextParts, cell_pointed_at, next_parts
from noughts.interfaces.presenting.move_names import Names
from noughts.interfaces.tui.game.cursor import is_sliding, middle_of, moved, nearest, resting_cell
from noughts.interfaces.tui.game.evaluation_graph import EvaluationGraph
from noughts.interfaces.tui.game.questions import BoardQuestion, Phrase
from noughts.interfaces.tui.game.trial_list import TrialList
from noughts.records.record import Record

if TYPE_CHECKING:  # Games on servers need the network.
    from noughts.arena.remote.remote_table import RemoteTable

    GameTable = LocalTable | RemoteTable

MAX_DIGITS = 9
"""The highest cell or column number of boards that digit keys can play."""


PRESENCE = (EventKind.AWAY, EventKind.BACK)
"""The events that change nothing on the board."""


class GameSession:
    """The games of *table* as a person sees them; *now* returns the time in milliseconds.

    Cells are numbered from *first*. *changed* is called after a new message or question. Code that changes
    other visible state calls it too.
    """

    def __init__(
        self,
        table: "GameTable",
        now: Callable[[], int],
        first: int = 1,
        changed: Callable[[], None] = lambda: None,
    ) -> None:
        self.table, self.now, self.first, self.changed = table, now, first, changed
        self.trial: Match | None = None
        self.tried: TrialList | None = None
        """The trial lines; None if there are none."""
        self.shown: int | None = None
        self.cursor = 0
        """The flat index of the cursor's cell."""
        self.notice: Phrase | None = None
        """A notice about the table that stays while it is true."""
        self.message: Phrase | None = None
        """The message above the board, shown until the next action."""
        self.question: BoardQuestion | None = None
        """The question above the board; it blocks the other keys."""
        self.graph = EvaluationGraph()
        """The known values of positions."""
        self._ends: dict[bool, Event] = {}
        """The last event of the real match (True) and of a trial (False)."""
        self._seen: tuple[Match, int, int, Game] | None = None
        self._parts: tuple[Match | None, int, tuple[Part, ...]] = (None, 0, ())

    # State

    @property
    def match(self) -> Match:
        """The current match: the real one, or the trial."""
        match = self.trial or self.table.match
        if match is None:
            raise AssertionError("a game has been set up before it is looked at")
        return match

    @property
    def latest(self) -> Game:
        """The latest position. It must not be played on."""
        return self.match.game

    @property
    def game(self) -> Game:
        """The viewed position, the latest or an earlier one. It must not be played on."""
        match = self.match
        ply = match.game.ply if self.shown is None else self.shown
        if self._seen is None or self._seen[:3] != (match, match.version, ply):
            game = match.game.copy()
            while game.ply > ply:
                game.undo()
            self._seen = (match, match.version, ply, game)
        return self._seen[3]

    @property
    def record(self) -> Record:
        """The record of the real game, or of the trial."""
        if self.trial is None:
            return self.table.record
        return Record.of(self.trial.game, self.table.names, ended=self.trial.outcome)

    @property
    def names(self) -> Names:
        """The names of moves and cells in the viewed position."""
        return Names(self.game, self.first, letters=True)

    @property
    def is_over(self) -> bool:
        """True if the match has ended."""
        return self.match.outcome is not None

    @property
    def end(self) -> Event | None:
        """The event that ended the match; None while it is running."""
        return self._ends.get(self.trial is None) if self.is_over else None

    @property
    def is_at_end(self) -> bool:
        """True if the final position of a finished match is viewed."""
        return self.is_over and not self.is_looking_back

    @property
    def people(self) -> tuple[str, ...]:
        """The sides that people play on this screen."""
        own = self.table.own_sides
        is_free = self.trial is not None and not self.table.computed_sides
        return tuple(side for side in self.latest.sides if is_free or side in own)

    @property
    def thinking_side(self) -> str | None:
        """The side to move if a computer of this program plays it; None otherwise and after the end."""
        turn = self.match.turn
        return turn if turn in self.table.computed_sides and not self.is_over else None

    @property
    def hand(self) -> str | None:
        """The side that a person acts for: the one to move, or the only one that people play."""
        people = self.people
        if self.match.turn in people:
            return self.match.turn
        return people[0] if len(people) == 1 else None

    @property
    def last_digit(self) -> int:
        """The highest digit key that chooses a cell or a column; 0 if there is none."""
        last = self.names.range[1]
        return last if last <= MAX_DIGITS else 0

    # Messages and questions

    def show_message(self, message: Phrase | None) -> None:
        """Show *message* until the next action; None clears it."""
        self.message = message
        self.changed()

    def ask(self, question: BoardQuestion) -> None:
        """Ask *question*."""
        self.question = question
        self.changed()

    # Actions

    def apply(self, side: str, command: Command) -> list[Event]:
        """Carry out *command* of *side* and view the latest position.

        A person who is looking back stays there if a computer moves. Raises the error of the match or the
        store; nothing has changed then. At a server the events follow later.
        """
        is_own = side in self.people or not isinstance(command, MakeMove)
        events = (self.trial or self.table).apply(side, command, self.now())
        self._take_in(events)
        if self.trial is not None and self.tried is not None:
            self.tried.follow(self.trial.game.moves)
        if is_own:
            self.shown = None
        self._rest_cursor()
        return events

    def take_news(self, events: list[Event]) -> None:
        """Take in *events* of the real game that happened elsewhere."""
        if any(event.kind not in PRESENCE for event in events):
            self.leave_trial()
        self._take_in(events)

    def restart(self) -> None:
        """View the game that has begun at the table."""
        self._ends.clear()
        self.question = self.message = None
        self.leave_trial()
        self.settle()

    def _take_in(self, events: list[Event]) -> None:
        if events and events[-1].kind is EventKind.END:
            self._ends[self.trial is None], self.question = events[-1], None

    @property
    def parts(self) -> tuple[Part, ...]:
        """The chosen parts of an incomplete move; none while looking back."""
        match, version, parts = self._parts
        is_now = (match, version) == (self.match, self.match.version) and self.shown is None
        return parts if is_now else ()

    @property
    def step(self) -> NextParts:
        """The possible next parts of a move."""
        return next_parts(self.latest.legal_moves(), self.parts)

    def add_part(self, part: Part) -> None:
        """Add the next part of a move; if it is a cell, move the cursor there."""
        self._parts = self.match, self.match.version, (*self.parts, part)
        if not isinstance(part, str):
            self.cursor = index_of(self.latest.shape, part)

    def remove_part(self) -> None:
        """Remove the last part of a move."""
        self._parts = self.match, self.match.version, self.parts[:-1]
        self.show_message(None)

    def cell_pointed_at(self, index: int) -> Coordinate | None:
        """Return the next cell of a move if a person points at *index*; None if there is none."""
        return cell_pointed_at(self.latest, self.step, coordinate_of(self.latest.shape, index))

    def play_move(self, move: Move) -> list[Event]:
        """Make *move* for the side to move."""
        return self.apply(self.match.turn, MakeMove(move))

    @property
    def cell_name(self) -> str:
        """The text to type for the cursor's cell, or for its column if marks fall."""
        if self.latest.layout.gravity:
            return str(self.cursor % self.latest.layout.columns + 1)
        return cell_number(self.latest, self.cursor) if self.has_columns else self.names.cell_at(self.cursor)

    @property
    def has_columns(self) -> bool:
        """True if marks fall, so that columns name the moves."""
        return self.latest.layout.has_columns

    def take_back(self) -> list[Event]:
        """Take back the last move; against computers, back to the person's own move.

        Other people must agree: see :attr:`side_to_agree`.
        """
        plies, side = self.match.last_decision(self.people or self.latest.sides)
        return self.apply(side, TakeBack(plies)) + self.answer_for_absent()

    def answer_for_absent(self) -> list[Event]:
        """Answer an offer for all sides that are not asked on the screen.

        Computers answer by :func:`~noughts.arena.runner.agrees`. Trial moves can always be taken back.
        """
        events: list[Event] = []
        for side in self.latest.sides:
            offer = self.match.offer
            is_asked = self.trial is None and side not in self.table.computed_sides
            if offer is not None and side not in offer.agreed and not is_asked:
                events += self.apply(side, Accept() if agrees(self.match) else Decline())
        return events

    @property
    def side_to_agree(self) -> str | None:
        """The side whose person must answer the offer of a draw or a take-back; None if there is none."""
        offer = self.match.offer
        if offer is None or self.table.is_sending:
            return None
        return next((side for side in self.people if side not in offer.agreed), None)

    def flag(self) -> bool:
        """End the real game if the time of the side to move has run out; return True if so."""
        match = self.table.match
        falls = None if match is None else match.flag_falls
        if match is None or falls is None or self.table.instant(self.now()) < falls:
            return False
        events = self.table.apply(match.turn, Flag(), self.now())
        self.leave_trial()
        self._take_in(events)
        return True

    @property
    def time_taken(self) -> int:
        """The milliseconds from the start of the real game to its end or until now, without pauses."""
        match, end = self.table.match, self._ends.get(True)
        if match is None:
            return 0
        until = end.at if end is not None and match.outcome is not None else self.table.instant(self.now())
        return max(0, until - match.start)

    def time_left(self, side: str) -> int | None:
        """Return the milliseconds on the clock of *side* in the real game; None without a clock."""
        return self.table.time_left(side, self.now())

    # Viewing

    @property
    def is_looking_back(self) -> bool:
        """True if an earlier position is viewed."""
        return self.shown is not None

    def look_at(self, ply: int | None) -> None:
        """View the position after *ply* moves, or the nearest one; the latest for None."""
        latest = self.latest.ply
        self.shown = None if ply is None or ply >= latest else max(0, ply)

    def branch(self) -> bool:
        """Try other moves from the viewed position; return False if the game is over there.

        Earlier trial moves stay as lines of their own: see :meth:`change_lines`.
        """
        game = self.game
        if game.is_over:
            return False
        if self.tried is None:
            self.tried = TrialList(game)
        self.tried.branch(game)
        self._show_tried(self.tried)
        return True

    @property
    def lines(self) -> tuple[int, int]:
        """The number of the current trial line and the number of lines; (0, 0) without a trial."""
        return (0, 0) if self.tried is None else self.tried.place

    def change_lines(self, change: Callable[[TrialList], bool]) -> bool:
        """Change the trial lines or go to another one; return False if *change* is impossible."""
        if self.tried is None or not change(self.tried):
            return False
        self._show_tried(self.tried)
        return True

    def _show_tried(self, tried: TrialList) -> None:
        """Continue at the current trial line; its moves after the trunk can be taken back."""
        game, moves = tried.trunk_and_moves
        self.trial, self.shown = Match(game), None
        self._ends.pop(False, None)
        for move in moves:
            self._take_in(self.trial.apply(self.trial.turn, MakeMove(move), self.now()))
        self._rest_cursor()

    def leave_trial(self) -> None:
        """Go back to the real game."""
        self.trial = self.tried = None
        self.shown = None
        self._rest_cursor()

    def begin(self, choice: str | None = None) -> None:
        """Set up the next game.

        *choice* is the mark that the chooser takes, if the series lets a player choose.
        """
        self.table.begin(self.now(), choice)
        self.leave_trial()
        self.settle()

    # The cursor

    def settle(self) -> None:
        """Put the cursor in the middle, or on the nearest cell where a move can begin."""
        self.cursor = middle_of(self.latest)
        self._rest_cursor()
        if not self.is_sliding and self.step.cells and self.cell_pointed_at(self.cursor) is None:
            self.cursor = nearest(self.latest, self.cursor, self.step.cells)

    @property
    def is_sliding(self) -> bool:
        """True if this is a sliding game, running or finished."""
        return is_sliding(self.latest)

    def move_cursor(self, direction: str) -> None:
        """Move the cursor by a cell or a plane.

        Directions are left, right, up, down, next-plane and previous-plane.
        """
        game = self.latest
        self.cursor = moved(game, self.cursor, direction)
        if game.layout.gravity and direction in ("left", "right"):
            self._rest_cursor()

    def _rest_cursor(self) -> None:
        """Move the cursor to a cell where the person may place, if the board needs it."""
        self.cursor = resting_cell(self.latest, self.cursor, self.parts)
