"""The puzzles that come with noughts, and the ways to choose one."""

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
"""The file of puzzles, one a line in the order of their numbers.

`python -m benchmarks.puzzles --write` adds to it.
"""


@cache
def all_puzzles() -> tuple[Puzzle, ...]:
    """Return all puzzles, in the order of their numbers."""
    text = read_own_file(f"puzzles/{FILE}")
    return tuple(Puzzle(**json.loads(line)) for line in text.splitlines())


def find_puzzle(number: int) -> Puzzle:
    """Return the puzzle called *number*. Raises :class:`~noughts.errors.NotFound`."""
    puzzles = all_puzzles()
    if not 1 <= number <= len(puzzles):
        raise NotFound("puzzle", number, (str(len(puzzles)),))
    return puzzles[number - 1]


def puzzles_of(game: str | None = None, grade: int | None = None) -> tuple[Puzzle, ...]:
    """Return the puzzles of *game*, a name or a spec, and of a *grade*. By default all are returned.

    Raises :class:`~noughts.errors.NotFound` for an unknown name, a game without puzzles, and a grade without
    puzzles.
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
    """Return the number of puzzles of each game that has puzzles."""
    return dict(Counter(puzzle.game for puzzle in all_puzzles()))


def daily(day: date, puzzles: Sequence[Puzzle] | None = None) -> Puzzle:
    """Return the puzzle of the *day*, from all or from *puzzles*: the same for all players.

    Each puzzle draws a lot for each day, so additional puzzles change few days.
    """
    return max(puzzles or all_puzzles(), key=lambda one: sha256(f"{day} {one.id}".encode()).digest())


def next_after(
    puzzle: Puzzle | None, puzzles: Sequence[Puzzle], solved: frozenset[int] = frozenset()
) -> Puzzle:
    """Return the one of *puzzles* that follows *puzzle* cyclically, by difficulty, and is not *solved*.

    If all are solved, return the next one. Without *puzzle* return the first.
    """
    ordered = sorted(puzzles, key=lambda one: (one.grade, one.id))
    if puzzle is not None:
        after = [one for one in ordered if (one.grade, one.id) > (puzzle.grade, puzzle.id)]
        ordered = after + [one for one in ordered if one not in after]
    return next((one for one in ordered if one.id not in solved and one != puzzle), ordered[0])
