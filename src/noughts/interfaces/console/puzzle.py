"""Puzzles at the console: the task, the board, moves, hints and the solution."""

from collections.abc import Callable, Iterator

from noughts.arena.match import Match
from noughts.drawing.view import field_owners
from noughts.games.notation import parse_move
from noughts.interfaces.console.prompts import Conversation, UserQuit, show_board
from noughts.interfaces.console.terminal import Terminal
from noughts.interfaces.presenting.annotation_texts import position_notes
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.match_texts import Wording
from noughts.interfaces.presenting.move_names import Names
from noughts.interfaces.presenting.puzzle_texts import (
    remember_solved,
    say_judged,
    say_puzzle_hint,
    say_solution,
    say_task,
    say_which,
    solved_puzzles,
)
from noughts.puzzles.attempt import Attempt, MoveVerdict
from noughts.puzzles.puzzle import Puzzle

DONE, NO = 0, 1
"""Exit statuses: done or left; input ended before the puzzle was solved."""


def solve_puzzles(say: Translator, puzzles: Iterator[Puzzle]) -> int:
    """Play *puzzles* until the player quits. Return the exit status."""
    talk, is_open = Conversation(Terminal(), say), False
    talk.not_now = "command-not-in-puzzle"
    try:
        for puzzle in puzzles:
            is_open = True
            _Puzzling(talk, puzzle).ask()
            is_open = False
            if not talk.ask_yes_no(say("puzzle-ask-next"), default=True):
                break
    except UserQuit as left:
        talk.write_message("left")
        return NO if left.input_ended and is_open else DONE
    except KeyboardInterrupt:
        talk.write()
        talk.write_message("left")
    return DONE


def print_solution(say: Translator, puzzle: Puzzle) -> None:
    """Show *puzzle* and the moves of its solution, those of both sides."""
    _Puzzling(Conversation(Terminal(), say), puzzle).show_with_solution()


class _Puzzling:
    """One puzzle at the console, until it is solved, shown or skipped."""

    def __init__(self, talk: Conversation, puzzle: Puzzle) -> None:
        self._talk, self._say = talk, talk.say
        self._puzzle = puzzle
        self._attempt = Attempt(puzzle)
        self._helped = 0
        """The number of hints for this move."""
        self._owners: tuple[str | None, ...] = ()
        """The last owners of fields that were announced."""

    def ask(self) -> None:
        """Read moves until the puzzle is solved or left."""
        self._show_puzzle()
        if self._puzzle.id in solved_puzzles():
            self._talk.write_message("puzzle-solved-before")
        while not self._attempt.is_solved:
            if not self._talk.ask(
                self._prompt(), self._read, commands=self._commands(), explain=self._wording.refusal
            ):
                return

    def show_with_solution(self) -> None:
        """Show the puzzle with its solution."""
        self._show_puzzle()
        self._show()

    def _show_puzzle(self) -> None:
        self._talk.sentence(say_which(self._say, self._puzzle))
        self._board(is_first=True)
        self._talk.sentence(say_task(self._say, self._puzzle))

    @property
    def _names(self) -> Names:
        return Names(self._attempt.game)

    def _board(self, *, is_first: bool = False) -> None:
        show_board(self._talk, self._attempt.game)
        self._talk.notes(position_notes(self._say, self._names, self._owners, is_first=is_first))
        self._owners = field_owners(self._attempt.game)

    @property
    def _wording(self) -> Wording:
        sides = dict.fromkeys(self._attempt.game.sides, "")
        return Wording(self._say, Match(self._attempt.game), sides, {}, self._names)

    def _prompt(self) -> str:
        return self._say("puzzle-prompt", side=self._attempt.solver, left=self._attempt.moves_left)

    def _read(self, text: str) -> bool:
        """Try the move *text* and write the verdict."""
        attempt, names = self._attempt, self._names
        judged = attempt.try_move(parse_move(attempt.game, text))
        is_kept = judged.verdict in (MoveVerdict.RIGHT, MoveVerdict.SOLVED)
        if is_kept:
            self._helped = 0
            self._board()
        self._talk.sentence(say_judged(self._say, attempt, judged, names))
        if judged.verdict == MoveVerdict.SOLVED:
            remember_solved(self._puzzle)
        return True

    def _commands(self) -> dict[str, Callable[[], bool | None]]:
        words = dict.fromkeys(self._say("words-show").split(), self._show)
        words |= {word: lambda: False for word in self._say("words-next").split()}
        return {**words, "h": self._help, "?": self._hint}

    def _help(self) -> None:
        self._talk.sentence(self._say.messages(self._attempt.game.rule_text))
        self._talk.sentence(self._wording.accepted())
        show, following = (self._say(id_).split()[0] for id_ in ("words-show", "words-next"))
        self._talk.write_message("help-puzzle-keys", show=show, next=following)
        self._talk.command_words("h", "?", "q")

    def _hint(self) -> None:
        self._talk.sentence(say_puzzle_hint(self._say, self._attempt, self._names, self._helped))
        self._helped += 1

    def _show(self) -> bool:
        self._talk.sentence(say_solution(self._say, self._attempt, self._names))
        return False
