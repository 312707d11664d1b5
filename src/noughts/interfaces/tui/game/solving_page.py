"""Puzzles on the board of the full screen: tries, refutations, hints and solutions."""

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Vertical

from noughts.arena.events import Event
from noughts.arena.local_table import LocalTable
from noughts.arena.match import Match
from noughts.core.board import index_of
from noughts.drawing.view import View, view_of
from noughts.errors import IllegalMove, NoughtsError
from noughts.games.base import Game, Move
from noughts.games.catalogue import new_game
from noughts.games.moves import cells_of
from noughts.games.notation import format_move
from noughts.interfaces.presenting.game_plan import HUMAN, GamePlan, open_table
from noughts.interfaces.presenting.move_names import Names
from noughts.interfaces.presenting.puzzle_texts import (
    NO_SEARCH,
    judge_puzzle,
    replay_attempt,
    say_judged,
    say_puzzle_hint,
    say_solution,
    say_task,
    say_which,
)
from noughts.interfaces.tui.game.analysis import say_failure
from noughts.interfaces.tui.game.board import BoardView
from noughts.interfaces.tui.game.game_page import GamePage
from noughts.interfaces.tui.game.highlights import chosen_parts, highlighted
from noughts.interfaces.tui.game.session import GameSession
from noughts.interfaces.tui.game.status import side_bit
from noughts.interfaces.tui.game.turn_runner import TurnRunner
from noughts.interfaces.tui.widgets.base_app import BaseApp
from noughts.interfaces.tui.widgets.keys import NARROW, PUZZLING, footer
from noughts.interfaces.tui.widgets.spans import Bit, Line, LinesView, clipped, note_lines, spread, width_of
from noughts.interfaces.tui.widgets.styles import SECOND
from noughts.interfaces.tui.widgets.task_slot import TaskSlot
from noughts.puzzles.attempt import Attempt, JudgedMove, MoveVerdict
from noughts.puzzles.puzzle import Puzzle
from noughts.puzzles.shipped import next_after
from noughts.workers.messages import TaskFailure

if TYPE_CHECKING:
    from noughts.interfaces.tui.game.session import GameTable

OPEN_KEYS: tuple[str, ...] = (
    "move",
    "layer",
    "try",
    "puzzle-hint",
    "solution",
    "next-puzzle",
    "help",
    "leave-puzzle",
)
OVER_KEYS: tuple[str, ...] = ("next-puzzle", "start-over", "help", "leave-puzzle")
"""The keys of the footer, before and after the puzzle is finished."""

JUDGE_SECONDS = 20.0
PATIENCE_SECONDS = 60.0
"""The seconds for judging a move that is not best play, and until no answer is expected."""

FOUND, UNFOUND = ("•", "*"), ("·", ".")
"""The signs of found moves and of moves still to find, in Unicode and in ASCII."""

HIGH_FROM, MIN_BOARD = 16, 4
"""The height of a window from which messages have three lines, and the lines that the board keeps."""


def _table_of(game: Game) -> LocalTable:
    """Return a table for puzzles of *game*, of which nothing is saved."""
    sides = new_game(game.name).sides
    return open_table(GamePlan(game.name, [HUMAN] * len(sides), list(sides)), None)


class SolvingSession(GameSession):
    """The position of an attempt as a person sees it; moves are tried instead of made."""

    try_move: Callable[[Move], None]

    def open(self, game: Game) -> None:
        """Put the position of *game* on the table."""
        if self.table.match is None or game.name != self.latest.name:
            self.table = _table_of(game)
            self.begin()
        self.go_to(game)
        self.settle()

    def play_move(self, move: Move) -> list[Event]:
        self._parts = None, 0, ()  # The move is complete, whatever its result is.
        self.try_move(move)
        return []

    def go_to(self, game: Game) -> None:
        """Show the position of *game*; the cursor stays as near as possible."""
        self.trial = Match(game.copy())
        self.look_at(None)
        self._rest_cursor()


class SolvingTurns(TurnRunner):
    """The turns of a puzzle, in which only the solver moves."""

    may_try: Callable[[], bool]
    """Returns True if there is something to find and no move is being judged."""

    def begin(self) -> None:
        self._session.changed()

    def carry_out(self, act: Callable[[], list[Event]]) -> None:
        try:
            act()
        except NoughtsError as error:
            self.refuse(error)

    def can_move(self) -> bool:
        return self.may_try()


class SolvingPage(GamePage, keys=PUZZLING, inherit_bindings=False):
    """The screen of puzzles: it begins with *puzzle* and continues in *among*."""

    TURNS = SolvingTurns
    session: SolvingSession
    turns: SolvingTurns

    def __init__(self, puzzle: Puzzle, among: Sequence[Puzzle], program: BaseApp) -> None:
        self._among = among
        self._begin_with(puzzle)
        super().__init__(_table_of(self._attempt.game), program)
        self._judge = TaskSlot(self, program.services.thinker)
        self.turns.may_try = self._may_try
        self.session.try_move = self._try
        self.session.open(self._attempt.game)

    def session_at(self, table: "GameTable", program: BaseApp) -> SolvingSession:
        return SolvingSession(table, program.services.now, program.services.first, self.redraw)

    def _begin_with(self, puzzle: Puzzle) -> None:
        self._puzzle, self._attempt = puzzle, Attempt(puzzle)
        self._texts: list[str] = []
        """The solver's correct moves."""
        self._helped = 0
        """The number of hints for the next move."""
        self._is_shown = False
        """True if the solution was shown."""

    def compose(self) -> ComposeResult:
        with Vertical(id="left"):
            yield LinesView(id="status")
            yield BoardView(id="board")
        yield from self.compose_bottom()

    @property
    def _is_over(self) -> bool:
        return self._is_shown or self._attempt.is_solved

    # Drawing

    def draw(self) -> None:
        width, height = self.size
        foot = int(height > 3)
        status = self._status(width, height)
        self.query_one("#status", LinesView).show_all(status)
        ids: tuple[str, ...] = OVER_KEYS if self._is_over else OPEN_KEYS
        question = self.session.question
        layered = self.session.latest.layout.planes > 1
        ids = ids if layered else tuple(id_ for id_ in ids if id_ != "layer")
        keys = footer(self.say, ids, width) if question is None else question.footer(self.say)
        self.show_footer(keys, is_there=foot > 0)
        board, lines = self.query_one(BoardView), height - len(status)
        board.lay_out(self.session.game, self.view, self.session.cursor, (width, lines - foot))
        board.styles.margin = len(status), 0, 0, 0
        board.show(lines - max(foot, self.is_typing))

    def _status(self, width: int, height: int) -> list[Line]:
        """Return the task, the progress and the last message, above the board."""
        say, indent = self.say, [] if width < NARROW else [Bit("  ")]
        room = width - 2 * len(indent)
        before, mark, after = say_task(say, self._puzzle).partition(self._attempt.solver)
        pen = side_bit(self._attempt.game, self._attempt.solver).role if mark else ""
        task: Line = [Bit(before, "", True), Bit(mark, pen, True), Bit(after, "", True)]
        made, left = self._attempt.moves_made, self._attempt.moves_left
        form = int(not self.app.has_unicode)
        signs = [FOUND[form]] * made + [UNFOUND[form]] * left
        progress = [Bit(" ".join(signs), SECOND)]
        first = spread(task, progress, room) if width_of([*task, *progress]) + 3 < room else task
        message = self._message_lines(room)
        most = 3 if height >= HIGH_FROM else 1
        lines = [first, *clipped(message, most, room)]
        lines += [[]] * (most + 1 - len(lines))  # The board keeps its place.
        return [[*indent, *line] for line in lines[: max(1, height - MIN_BOARD)]]

    def _message_lines(self, width: int) -> list[Line]:
        question, message = self.session.question, self.session.message
        if question is not None:
            return note_lines([self.say.joined([question.text(self.wording)])], width)
        if message is not None:
            return note_lines([message(self.wording)], width)
        return note_lines([say_which(self.say, self._puzzle)], width, SECOND)

    @property
    def view(self) -> View:
        marked: list[tuple[str, Iterable[int]]] = [("cursor", (self.session.cursor,))]
        if self._helped > 1 and not self._is_over:
            shape, hint = self.session.latest.shape, cells_of(self._attempt.best)
            marked.append(("hint", [index_of(shape, cell) for cell in hint]))
        return highlighted(view_of(self.session.game, labels=False), [*marked, *chosen_parts(self.session)])

    # Trying

    def _may_try(self) -> bool:
        return not (self._is_over or self._judge.is_waiting)

    def _try(self, move: Move) -> None:
        """Judge *move*: best play at once, other moves in the worker process."""
        texts = [*self._texts, format_move(self._attempt.game, move)]
        try:
            attempt, judged = replay_attempt(self._puzzle, texts, NO_SEARCH)
        except IllegalMove:  # An earlier move was not best play, so nothing is known about this one here.
            judged = None
        if judged is not None and judged.verdict in (MoveVerdict.RIGHT, MoveVerdict.SOLVED):
            self._take(texts, (attempt, judged))
            return
        self.session.show_message(lambda wording: wording.say("searching"))
        self._judge.ask(
            *(judge_puzzle, self._puzzle, texts, JUDGE_SECONDS),
            on_answer=lambda result: self._take(texts, result),
            on_failure=self._on_failure,
            patience=PATIENCE_SECONDS,
        )

    def _on_failure(self, failure: TaskFailure) -> None:
        self.session.show_message(lambda wording: say_failure(wording.say, failure))

    def _take(self, texts: list[str], result: tuple[Attempt, JudgedMove | None] | NoughtsError) -> None:
        if isinstance(result, NoughtsError):
            self.turns.refuse(result)
            return
        attempt, judged = result
        if judged is None:
            raise AssertionError("a move was tried")
        if judged.verdict in (MoveVerdict.RIGHT, MoveVerdict.SOLVED):
            self._attempt, self._texts, self._helped = attempt, texts, 0
            self.session.go_to(attempt.game)
        elif judged.verdict is MoveVerdict.WRONG and attempt.moves_made == self._attempt.moves_made:
            self._attempt.refuted |= attempt.refuted  # Hints avoid refuted moves.
        if judged.verdict is MoveVerdict.SOLVED:
            solved = self.app.preferences.solved
            self.app.save_choices(
                solved=(*(one for one in solved if one != self._puzzle.id), self._puzzle.id)
            )
        self.session.show_message(
            lambda wording: say_judged(wording.say, attempt, judged, self._names_in(attempt))
        )

    def _names_in(self, attempt: Attempt) -> Names:
        return Names(attempt.game, self.session.first, letters=True)

    # Keys

    def action_place(self) -> None:
        """Try the move at the cursor; in a finished puzzle, go on with the next one."""
        if self._is_over:
            self.action_next_puzzle()
        else:
            super().action_place()

    def action_puzzle_hint(self) -> None:
        """Show the area of the next move, then the move itself."""
        if self._is_over:
            return
        attempt, step = self._attempt, self._helped
        self._helped += 1
        self.session.show_message(
            lambda wording: say_puzzle_hint(wording.say, attempt, self._names_in(attempt), step)
        )

    def action_solution(self) -> None:
        """Show the moves of best play to the end of the puzzle."""
        if self._is_over:
            return
        self._judge.drop()
        self._is_shown = True
        attempt = self._attempt
        after = self._attempt.game.copy()
        for move in self._attempt.line:
            after.play(move)
        self.session.go_to(after)
        self.session.show_message(lambda wording: say_solution(wording.say, attempt, self._names_in(attempt)))

    def action_start_over(self) -> None:
        """Start the puzzle again."""
        self._open(self._puzzle)

    def action_next_puzzle(self) -> None:
        """Open the next unsolved puzzle."""
        self._open(next_after(self._puzzle, self._among, frozenset(self.app.preferences.solved)))

    def _open(self, puzzle: Puzzle) -> None:
        self._judge.drop()
        self._begin_with(puzzle)
        self.session.open(self._attempt.game)
        self.session.show_message(None)

    def action_leave(self) -> None:
        """Return to the games."""
        self._judge.drop()
        self._leave(None)

    def say_goodbye(self, *, by_choice: bool = True) -> list[str]:
        return [self.say("left")]
