"""The command ``puzzle``: positions with one right move."""

from collections.abc import Iterator

import click

from noughts.games.catalogue import name_of, new_game
from noughts.interfaces.cli.localized_click import command, json_option, print_json, whole_number
from noughts.interfaces.presenting.i18n import ReadableError, Translator
from noughts.interfaces.presenting.puzzle_texts import puzzle_as_json, solved_puzzles, today
from noughts.puzzles.puzzle import GRADES, Puzzle
from noughts.puzzles.shipped import daily as of_the_day
from noughts.puzzles.shipped import find_puzzle, next_after, puzzles_of


@command(epilog="help-puzzle-more")
@click.argument("game", required=False)
@click.option("--daily", is_flag=True)
@click.option("--id", "number", type=whole_number(), metavar="N")
@click.option("--level", "grade", type=whole_number(GRADES[0], GRADES[-1]), metavar="1..5")
@click.option("--solution", is_flag=True)
@json_option
@click.pass_obj
def puzzle(
    say: Translator,
    game: str | None,
    daily: bool,
    number: int | None,
    grade: int | None,
    solution: bool,
    as_json: bool,
) -> int | None:
    """Play puzzles: find the only move that wins or saves the game."""
    if daily and number is not None:
        raise ReadableError(say("usage-daily-or-id"))
    among = puzzles_of(game, grade)
    first = _chosen(say, among, game, daily=daily, number=number, skips_solved=not (as_json or solution))
    if as_json:
        facts = puzzle_as_json(first)
        print_json({**facts, "solution": list(first.solution())} if solution else facts)
        return None
    from noughts.interfaces.console.puzzle import print_solution, solve_puzzles

    if solution:
        print_solution(say, first)
        return None
    return solve_puzzles(say, _one_after_another(first, among))


def _chosen(
    say: Translator,
    among: tuple[Puzzle, ...],
    game: str | None,
    *,
    daily: bool,
    number: int | None,
    skips_solved: bool,
) -> Puzzle:
    """Return the puzzle that the arguments select, by default the easiest unsolved one."""
    if number is not None:
        puzzle = find_puzzle(number)
        if game is not None and puzzle.game != name_of(new_game(game)):
            raise ReadableError(say("puzzle-of-other-game", number=number, game=puzzle.game))
        return puzzle
    if daily:
        return of_the_day(today(), among)
    return next_after(None, among, solved_puzzles() if skips_solved else frozenset())


def _one_after_another(first: Puzzle, among: tuple[Puzzle, ...]) -> Iterator[Puzzle]:
    """Yield *first*, and then the following unsolved puzzles."""
    puzzle = first
    while True:
        yield puzzle
        puzzle = next_after(puzzle, among, solved_puzzles())
