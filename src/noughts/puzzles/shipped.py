"""The puzzles that come with noughts, and how one of them is chosen."""

import json
from collections import Counter
from collections.abc import Sequence
from datetime import date
from functools import cache
from hashlib import sha256

from noughts.errors import NotFound
from noughts.games.catalogue import name_of, new_game
from noughts.own_files import read_own_file
from noughts.puzzles.puzzle import Puzzle

FILE = "puzzles.jsonl"
"""One puzzle a line, in the order of their numbers; `python -m benchmarks.puzzles --write` adds to it."""


@cache
def all_puzzles() -> tuple[Puzzle, ...]:
    """All puzzles, in the order of their numbers."""
    text = read_own_file(f"puzzles/{FILE}")
    return tuple(Puzzle(**json.loads(line)) for line in text.splitlines())


def find_puzzle(number: int) -> Puzzle:
    """The puzzle of that *number*. Raises :class:`~noughts.errors.NotFound`."""
    puzzles = all_puzzles()
    if not 1 <= number <= len(puzzles):
        raise NotFound("puzzle", number, (str(len(puzzles)),))
    return puzzles[number - 1]


def puzzles_of(game: str | None = None, grade: int | None = None) -> tuple[Puzzle, ...]:
    """The puzzles of *game*, a name or a spec, and of a *grade*; of all where None is given.

    Raises :class:`~noughts.errors.NotFound` for a name that no game has, a game that has no puzzles, and a
    grade of which there are none.
    """
    name = None if game is None else name_of(new_game(game))
    puzzles = [puzzle for puzzle in all_puzzles() if name in (None, puzzle.game)]
    if not puzzles:
        raise NotFound("puzzles", name, tuple(games_with_puzzles()))
    graded = tuple(puzzle for puzzle in puzzles if grade in (None, puzzle.grade))
    if not graded:
        raise NotFound("grade", grade, tuple(str(known) for known in sorted({one.grade for one in puzzles})))
    return graded


def games_with_puzzles() -> dict[str, int]:
    """The names of the games that have puzzles, and how many."""
    return dict(Counter(puzzle.game for puzzle in all_puzzles()))


def daily(day: date, puzzles: Sequence[Puzzle] | None = None) -> Puzzle:
    """The puzzle of the *day*, of all or one of *puzzles*: the same for everybody.

    Each puzzle draws a lot for each day, so that puzzles that are added change few days.
    """
    return max(puzzles or all_puzzles(), key=lambda one: sha256(f"{day} {one.id}".encode()).digest())


def next_after(
    puzzle: Puzzle | None, puzzles: Sequence[Puzzle], solved: frozenset[int] = frozenset()
) -> Puzzle:
    """The one of *puzzles* that follows *puzzle*, round and round: the easiest first, none that is *solved*.

    Where all are solved, the one that follows; without *puzzle* the first.
    """
    ordered = sorted(puzzles, key=lambda one: (one.grade, one.id))
    if puzzle is not None:
        after = [one for one in ordered if (one.grade, one.id) > (puzzle.grade, puzzle.id)]
        ordered = after + [one for one in ordered if one not in after]
    return next((one for one in ordered if one.id not in solved and one != puzzle), ordered[0])
