"""Puzzles in words, and which of them somebody has solved; for every interface."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

from noughts.errors import NoughtsError
from noughts.games.notation import parse_move
from noughts.interfaces.presenting.hints import find_area
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.move_names import Names
from noughts.interfaces.presenting.preferences import load_preferences, save_preferences
from noughts.interfaces.presenting.titles import title_of
from noughts.puzzles.attempt import JUDGE_LIMIT, Attempt, JudgedMove, MoveVerdict
from noughts.puzzles.puzzle import GRADES, Puzzle
from noughts.search.analysis import Limit
from noughts.workers.messages import TaskContext

NO_SEARCH = Limit(nodes=0)
"""What is judged at once: moves of best play, which need no search."""


def today() -> date:
    """The day, which is UTC's everywhere, so that all have the same puzzle of the day."""
    return datetime.now(UTC).date()


def puzzle_as_json(puzzle: Puzzle) -> dict[str, Any]:
    """The facts of *puzzle* without its solution."""
    return {
        "id": puzzle.id,
        "game": puzzle.game,
        "position": puzzle.position,
        "side": puzzle.side,
        "kind": puzzle.kind,
        "grade": puzzle.grade,
    }


def say_which(say: Translator, puzzle: Puzzle) -> str:
    """The number of *puzzle*, its game and how hard it is."""
    title = title_of(say, puzzle.game)
    grade = say(f"web-grade-{puzzle.grade}")
    return say("puzzle-which", number=puzzle.id, game=title, grade=grade, level=puzzle.grade, of=GRADES[-1])


def say_task(say: Translator, puzzle: Puzzle) -> str:
    """What *puzzle* asks for."""
    if puzzle.kind == "save":
        return say("puzzle-save", side=puzzle.side)
    return say.plural("puzzle-win", len(puzzle.solution()), side=puzzle.side)


def replay_attempt(puzzle: Puzzle, texts: Sequence[str], limit: Limit) -> tuple[Attempt, JudgedMove | None]:
    """The attempt at *puzzle* in which the solver makes the moves *texts*, and what came of the last of them.

    Raises :class:`~noughts.errors.BadInput` for what is no move, and for one before the last that is not
    known to be right within *limit*.
    """
    attempt = Attempt.after(puzzle, texts[:-1], limit)
    if not texts:
        return attempt, None
    return attempt, attempt.try_move(parse_move(attempt.game, texts[-1]), limit)


def judge_puzzle(
    desk: TaskContext, puzzle: Puzzle, texts: Sequence[str], seconds: float
) -> tuple[Attempt, JudgedMove | None] | NoughtsError:
    """The same, elsewhere, in about so many *seconds*; what it raises is returned."""
    limit = Limit(nodes=JUDGE_LIMIT.nodes, seconds=seconds, stop=desk.stop)
    try:
        return replay_attempt(puzzle, texts, limit)
    except NoughtsError as error:
        return error


def say_judged(say: Translator, attempt: Attempt, judged: JudgedMove, names: Names) -> str:
    """What came of a move that was tried in *attempt*; *names* are those of its game."""
    other = next(side for side in attempt.game.sides if side != attempt.solver)
    if judged.verdict == MoveVerdict.SOLVED:
        return say(f"puzzle-solved-{attempt.puzzle.kind}", side=attempt.solver)
    if judged.answers:
        return say(f"puzzle-{judged.verdict}-answered", side=other, moves=names.phrase(*judged.answers))
    return say(f"puzzle-{judged.verdict}")


def say_puzzle_hint(say: Translator, attempt: Attempt, names: Names, step: int) -> str:
    """What helps with the next move: at *step* 0 where to look, then which it is."""
    if step:
        return say("hint", move=names.phrase(attempt.best))
    id_, data = find_area(attempt.game, attempt.best, names, refuted=attempt.refuted)
    return say(id_, **data)


def say_solution(say: Translator, attempt: Attempt, names: Names) -> str:
    """The moves that lead on to the end of the puzzle, those of both sides."""
    return say("puzzle-solution", moves=names.line_phrase(attempt.line))


def solved_puzzles() -> frozenset[int]:
    """The numbers of the puzzles that were solved on this device."""
    return frozenset(load_preferences().solved)


def remember_solved(puzzle: Puzzle) -> None:
    """Keep that *puzzle* was solved; where that cannot be kept it is lost."""
    preferences = load_preferences()
    if puzzle.id not in preferences.solved:
        save_preferences(replace(preferences, solved=(*preferences.solved, puzzle.id)))
