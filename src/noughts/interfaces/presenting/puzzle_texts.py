"""Puzzles in words, and the list of solved puzzles, for every interface."""

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
"""The limit for moves that can be judged without a search: moves of best play."""


def today() -> date:
    """Return the current day in UTC, so that everyone has the same puzzle of the day."""
    return datetime.now(UTC).date()


def puzzle_as_json(puzzle: Puzzle) -> dict[str, Any]:
    """Return the data of *puzzle* without its solution."""
    return {
        "id": puzzle.id,
        "game": puzzle.game,
        "position": puzzle.position,
        "side": puzzle.side,
        "kind": puzzle.kind,
        "grade": puzzle.grade,
    }


def say_which(say: Translator, puzzle: Puzzle) -> str:
    """Return the number of *puzzle*, its game and its grade."""
    title = title_of(say, puzzle.game)
    grade = say(f"web-grade-{puzzle.grade}")
    return say("puzzle-which", number=puzzle.id, game=title, grade=grade, level=puzzle.grade, of=GRADES[-1])


def say_task(say: Translator, puzzle: Puzzle) -> str:
    """Return the task of *puzzle*."""
    if puzzle.kind == "save":
        return say("puzzle-save", side=puzzle.side)
    return say.plural("puzzle-win", len(puzzle.solution()), side=puzzle.side)


def replay_attempt(puzzle: Puzzle, texts: Sequence[str], limit: Limit) -> tuple[Attempt, JudgedMove | None]:
    """Return the attempt at *puzzle* after the moves *texts*, and the verdict on the last move.

    Raises :class:`~noughts.errors.BadInput` for an unreadable move, and for a move before the last that is
    not known to be right within *limit*.
    """
    attempt = Attempt.after(puzzle, texts[:-1], limit)
    if not texts:
        return attempt, None
    return attempt, attempt.try_move(parse_move(attempt.game, texts[-1]), limit)


def judge_puzzle(
    desk: TaskContext, puzzle: Puzzle, texts: Sequence[str], seconds: float
) -> tuple[Attempt, JudgedMove | None] | NoughtsError:
    """Judge an attempt in a worker, in about *seconds*. Errors are returned."""
    limit = Limit(nodes=JUDGE_LIMIT.nodes, seconds=seconds, stop=desk.stop)
    try:
        return replay_attempt(puzzle, texts, limit)
    except NoughtsError as error:
        return error


def say_judged(say: Translator, attempt: Attempt, judged: JudgedMove, names: Names) -> str:
    """Return the verdict on a move that was tried in *attempt*.

    *names* spells moves of its game.
    """
    other = next(side for side in attempt.game.sides if side != attempt.solver)
    if judged.verdict == MoveVerdict.SOLVED:
        return say(f"puzzle-solved-{attempt.puzzle.kind}", side=attempt.solver)
    if judged.answers:
        return say(f"puzzle-{judged.verdict}-answered", side=other, moves=names.phrase(*judged.answers))
    return say(f"puzzle-{judged.verdict}")


def say_puzzle_hint(say: Translator, attempt: Attempt, names: Names, step: int) -> str:
    """Return a hint for the next move: *step* 0 is the area, higher steps are the move."""
    if step:
        return say("hint", move=names.phrase(attempt.best))
    id_, data = find_area(attempt.game, attempt.best, names, refuted=attempt.refuted)
    return say(id_, **data)


def say_solution(say: Translator, attempt: Attempt, names: Names) -> str:
    """Return the moves of both sides up to the end of the puzzle."""
    return say("puzzle-solution", moves=names.line_phrase(attempt.line))


def solved_puzzles() -> frozenset[int]:
    """Return the numbers of the puzzles that were solved on this device."""
    return frozenset(load_preferences().solved)


def remember_solved(puzzle: Puzzle) -> None:
    """Save that *puzzle* was solved. Failure to save is ignored."""
    preferences = load_preferences()
    if puzzle.id not in preferences.solved:
        save_preferences(replace(preferences, solved=(*preferences.solved, puzzle.id)))
