"""What is on the table: the game being played, the position that is looked at, the cursor, what is told.

It knows no screen and no colours. All that happens in a game happens in its :class:`Match`; what is kept
here besides is only what a person looks at: an earlier position, a line that is tried out, a cell, a
sentence, a question.
"""

from collections.abc import Callable

from noughts.arena.commands import Accept, Command, Decline, Flag, MakeMove, TakeBack
from noughts.arena.events import Event, EventKind
from noughts.arena.local_table import LocalTable
from noughts.arena.match import Match
from noughts.arena.runner import agrees
from noughts.core.board import Coordinate, coordinate_of, index_of
from noughts.drawing.view import cell_number
from noughts.games.base import Game
from noughts.games.moves import Move, Part
from noughts.interfaces.presenting.game_plan import HUMAN
from noughts.interfaces.presenting.move_builder import NextParts, cell_pointed_at, next_parts
from noughts.interfaces.presenting.move_names import Names
from noughts.interfaces.tui.game.cursor import is_sliding, middle_of, moved, nearest, settled
from noughts.interfaces.tui.game.evaluation_graph import EvaluationGraph
from noughts.interfaces.tui.game.questions import BoardQuestion, Phrase
from noughts.interfaces.tui.game.trial_list import TrialList
from noughts.records.record import Record

MAX_DIGITS = 9
"""Boards whose cells or columns have no greater numbers are played with the digit keys too."""


class GameSession:
    """The games of *table* as a person sees them; *now* is the time in milliseconds.

    Cells are numbered from *first*. *changed* is called when something is told or asked; whoever changes
    anything else that is seen calls it too.
    """

    def __init__(
        self,
        table: LocalTable,
        now: Callable[[], int],
        first: int = 1,
        changed: Callable[[], None] = lambda: None,
    ) -> None:
        self.table, self.now, self.first, self.changed = table, now, first, changed
        self.trial: Match | None = None
        self.tried: TrialList | None = None
        """What is tried out; None while nothing is."""
        self.shown: int | None = None
        self.cursor = 0
        """The cell that a person points at."""
        self.message: Phrase | None = None
        """What is told above the board until something else happens."""
        self.question: BoardQuestion | None = None
        """What is asked above the board; other keys wait."""
        self.graph = EvaluationGraph()
        """What positions were found to be worth."""
        self._ends: dict[bool, Event] = {}
        """The last event of the real match, under True, and of a trial."""
        self._seen: tuple[Match, int, int, Game] | None = None
        self._parts: tuple[Match | None, int, tuple[Part, ...]] = (None, 0, ())

    # What there is

    @property
    def match(self) -> Match:
        """The match that is played: the real one, or the one in which moves are tried out."""
        match = self.trial or self.table.match
        if match is None:
            raise AssertionError("a game has been set up before it is looked at")
        return match

    @property
    def latest(self) -> Game:
        """The game as it stands. Not to be played on."""
        return self.match.game

    @property
    def game(self) -> Game:
        """The position that is looked at: the latest one or an earlier one. Not to be played on."""
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
        """The record of what is on the table: the real game, or what was tried out."""
        if self.trial is None:
            return self.table.record
        return Record.of(self.trial.game, self.table.names, ended=self.trial.outcome)

    @property
    def names(self) -> Names:
        """What the moves and cells of the position are called."""
        return Names(self.game, self.first, letters=True)

    @property
    def is_over(self) -> bool:
        """Whether the match has ended."""
        return self.match.outcome is not None

    @property
    def end(self) -> Event | None:
        """The event that ended the match; None while it goes on."""
        return self._ends.get(self.trial is None) if self.is_over else None

    @property
    def is_at_end(self) -> bool:
        """Whether the end of the match is looked at, and not a position before it."""
        return self.is_over and not self.is_looking_back

    @property
    def people(self) -> tuple[str, ...]:
        """The sides that people have."""
        return tuple(side for side in self.latest.sides if self.table.who_of[side] == HUMAN)

    @property
    def thinking_side(self) -> str | None:
        """The side to move if a computer has it, None otherwise and after the end."""
        turn = self.match.turn
        return None if self.is_over or self.table.who_of[turn] == HUMAN else turn

    @property
    def hand(self) -> str | None:
        """The side for which a person acts now: the one to move, or the only one that a person has."""
        people = self.people
        if self.match.turn in people:
            return self.match.turn
        return people[0] if len(people) == 1 else None

    @property
    def last_digit(self) -> int:
        """The greatest digit key that chooses a cell or a column: 0 where none does."""
        last = self.names.range[1]
        return last if last <= MAX_DIGITS else 0

    # Saying and asking

    def tell(self, message: Phrase | None) -> None:
        """Tell something until something else happens; nothing, for None."""
        self.message = message
        self.changed()

    def ask(self, question: BoardQuestion) -> None:
        """Ask *question*."""
        self.question = question
        self.changed()

    # Acting

    def apply(self, side: str, command: Command) -> list[Event]:
        """Carry *command* of *side* out; what is looked at then is the latest position.

        A computer's move leaves a person who looks back where that is. Raises what the match or the store
        refuses with, and then nothing has changed.
        """
        is_own = side in self.people or not isinstance(command, MakeMove)
        events = (self.trial or self.table).apply(side, command, self.now())
        self._take_in(events)
        if self.trial is not None and self.tried is not None:
            self.tried.follow(self.trial.game.moves)
        if is_own:
            self.shown = None
        self._settle_cursor()
        return events

    def _take_in(self, events: list[Event]) -> None:
        if events[-1].kind is EventKind.END:
            self._ends[self.trial is None], self.question = events[-1], None

    @property
    def parts(self) -> tuple[Part, ...]:
        """The parts of a move of which a person has said some; none while looking back."""
        match, version, parts = self._parts
        is_now = (match, version) == (self.match, self.match.version) and self.shown is None
        return parts if is_now else ()

    @property
    def step(self) -> NextParts:
        """What a person can say next of a move."""
        return next_parts(self.latest.legal_moves(), self.parts)

    def add_part(self, part: Part) -> None:
        """Say the next part of a move; the cursor goes to a cell."""
        self._parts = self.match, self.match.version, (*self.parts, part)
        if not isinstance(part, str):
            self.cursor = index_of(self.latest.shape, part)

    def remove_part(self) -> None:
        """Take the part back that was said last."""
        self._parts = self.match, self.match.version, self.parts[:-1]
        self.tell(None)

    def cell_pointed_at(self, index: int) -> Coordinate | None:
        """The next cell of a move that a person means who points at a cell; None where that is none."""
        return cell_pointed_at(self.latest, self.step, coordinate_of(self.latest.shape, index))

    def play_move(self, move: Move) -> list[Event]:
        """Make *move* for the side to move."""
        return self.apply(self.match.turn, MakeMove(move))

    @property
    def called_cell(self) -> str:
        """How to type where the cursor is: a cell, or a column where marks fall."""
        if self.latest.layout.gravity:
            return str(self.cursor % self.latest.layout.columns + 1)
        return cell_number(self.latest, self.cursor) if self.has_columns else self.names.cell_at(self.cursor)

    @property
    def has_columns(self) -> bool:
        """Whether marks fall, so that moves and places are called by their columns."""
        return self.latest.layout.has_columns

    def take_back(self) -> list[Event]:
        """Ask for the last move back for whoever made it; against computers, back to a person's own one.

        Other people have to allow it: see :attr:`side_to_agree`.
        """
        plies, side = self.match.last_decision(self.people or self.latest.sides)
        return self.apply(side, TakeBack(plies)) + self.answer_for_others()

    def answer_for_others(self) -> list[Event]:
        """What everybody says to an offer who is not asked on the screen.

        Computers answer as :func:`~noughts.arena.runner.agrees` has it; what is tried out may always be taken
        back.
        """
        events: list[Event] = []
        for side in self.latest.sides:
            offer = self.match.offer
            if offer is not None and side not in offer.agreed and (self.trial or side not in self.people):
                events += self.apply(side, Accept() if agrees(self.match) else Decline())
        return events

    @property
    def side_to_agree(self) -> str | None:
        """The person who has to say whether it shall be a draw, or whether a move may be taken back."""
        offer = self.match.offer
        if offer is None:
            return None
        return next((side for side in self.people if side not in offer.agreed), None)

    def flag(self) -> bool:
        """End the real game if the time of the side to move has run out; whether it had."""
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
        """Milliseconds from the beginning of the real game to its end, or until now; pauses do not count."""
        match, end = self.table.match, self._ends.get(True)
        if match is None:
            return 0
        until = end.at if end is not None and match.outcome is not None else self.table.instant(self.now())
        return max(0, until - match.start)

    def time_left(self, side: str) -> int | None:
        """Milliseconds on the clock of *side* in the real game; None without a clock."""
        match = self.table.match
        return None if match is None else match.time_left(side, self.table.instant(self.now()))

    # Looking around

    @property
    def is_looking_back(self) -> bool:
        """Whether an earlier position is looked at."""
        return self.shown is not None

    def look_at(self, ply: int | None) -> None:
        """Look at the position after *ply* moves, as near to that as there is; at the latest, for None."""
        latest = self.latest.ply
        self.shown = None if ply is None or ply >= latest else max(0, ply)

    def branch(self) -> bool:
        """Try other moves from the position that is looked at; whether there are any to try.

        What was tried out before stays as a line of its own: see :meth:`change_lines`.
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
        """The number of the line that is tried out, and how many there are; (0, 0) without a trial."""
        return (0, 0) if self.tried is None else self.tried.place

    def change_lines(self, change: Callable[[TrialList], bool]) -> bool:
        """Go to another line that is tried out, or do something to it; False where *change* cannot be."""
        if self.tried is None or not change(self.tried):
            return False
        self._show_tried(self.tried)
        return True

    def _show_tried(self, tried: TrialList) -> None:
        """Play on where the lines are; what was tried out since their trunk can be taken back."""
        game, moves = tried.trunk_and_moves
        self.trial, self.shown = Match(game), None
        self._ends.pop(False, None)
        for move in moves:
            self._take_in(self.trial.apply(self.trial.turn, MakeMove(move), self.now()))
        self._settle_cursor()

    def leave_trial(self) -> None:
        """Go back to the real game."""
        self.trial = self.tried = None
        self.shown = None
        self._settle_cursor()

    def begin(self, choice: str | None = None) -> None:
        """Set the next game up. *choice* is the mark of the chooser, where the series asks for it."""
        self.table.begin(self.now(), choice)
        self.leave_trial()
        self.settle()

    # The cursor

    def settle(self) -> None:
        """Put the cursor where it begins: in the middle, or as near to it as a move may begin."""
        self.cursor = middle_of(self.latest)
        self._settle_cursor()
        if not self.is_sliding and self.step.cells and self.cell_pointed_at(self.cursor) is None:
            self.cursor = nearest(self.latest, self.cursor, self.step.cells)

    @property
    def is_sliding(self) -> bool:
        """Whether it is a game of sliding, also once it is over."""
        return is_sliding(self.latest)

    def move_cursor(self, direction: str) -> None:
        """Move the cursor by a cell or a plane: left, right, up, down, next-plane or previous-plane."""
        game = self.latest
        self.cursor = moved(game, self.cursor, direction)
        if game.layout.gravity and direction in ("left", "right"):
            self._settle_cursor()

    def _settle_cursor(self) -> None:
        """Put the cursor where a person may place, on boards where that is elsewhere."""
        self.cursor = settled(self.latest, self.cursor, self.parts)
