"""Grades of puzzles, similarity of puzzles, and the choice of puzzles.

Difficulty is measured: the lowest level that plays the move in most of several tries, and the number of moves
that a search must try to prefer it. The grade follows from them. Symmetric positions are one puzzle.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from random import Random

from noughts import Game
from noughts.core.geometry import Geometry
from noughts.core.symmetry import symmetries
from noughts.games.base import Move
from noughts.players.base import new_player
from noughts.puzzles.puzzle import Puzzle
from noughts.search.analysis import Limit
from noughts.search.analyst import Analyst

TRIES = 5
"""The number of tries of each level."""

NODES = tuple(1 << power for power in range(4, 18, 2))
"""The numbers of nodes with which the search chooses its move."""

LEVELS_OF_GRADE = (4, 6, 7, 8)
"""The highest level of each grade but the last: it is the lowest that finds the move."""

MAX_OF_GRADE = (6, 16, 16, 16, 16)
"""The maximum number of puzzles of each grade in one game."""

MAX_OBVIOUS = 2
"""The maximum number of puzzles that end with the first, winning move."""

MAX_MEASURED = 60
"""The maximum number of candidates that are measured."""


def measured(puzzle: Puzzle) -> Puzzle:
    """Return *puzzle* with the level and the nodes that find its move, and the resulting grade."""
    game, line = puzzle.start(), puzzle.moves()
    level = lowest_finding(game, line[0])
    grade = 1 + sum(level > most for most in LEVELS_OF_GRADE)
    nodes = next((nodes for nodes in NODES if _prefers(game, line[0], nodes)), NODES[-1] * 4)
    return replace(puzzle, grade=grade, found_by=level, nodes=nodes)


def lowest_finding(game: Game, move: Move) -> int:
    """Return the lowest level that finds *move* and whose next level does too, or 11 if none does."""
    lowest = 11
    for level in range(1, 11):
        if not _finds(game, move, level):
            lowest = 11
        elif lowest < level:
            break
        else:
            lowest = level
    return lowest


def _finds(game: Game, move: Move, level: int) -> bool:
    """Return True if *level* plays *move*, or an equivalent one, in most of its tries."""
    found, wanted = 0, key_after(game, move)
    for number in range(TRIES):
        player = new_player(f"level:{level}", Random(f"try {number}"))
        found += key_after(game, player.choose(game.copy(), Limit())) == wanted
    return found > TRIES // 2


def _prefers(game: Game, move: Move, nodes: int) -> bool:
    best = Analyst().analyse(game, Limit(nodes=nodes)).best
    return best is not None and key_after(game, best) == key_after(game, move)


def image(puzzle: Puzzle) -> tuple[str, ...]:
    """Return a value that is the same for all symmetric positions."""
    game = puzzle.start()
    falls = game.rules is not None and game.rules.gravity
    cells = [cell or "." for cell in game.cells]
    geometry = Geometry(game.shape, min(game.shape)) if game.rules is None else game.rules.geometry
    images = (tuple(cells[cell] for cell in one) for one in _symmetries(geometry, falls))
    return (puzzle.game, game.turn, *min(images))


@cache
def _symmetries(geometry: Geometry, falls: bool) -> tuple[tuple[int, ...], ...]:
    return symmetries(geometry, falls)


def worth_measuring(candidates: Sequence[Puzzle]) -> list[Puzzle]:
    """Yield some of *candidates*, with few obvious ones, in their order."""
    obvious = [puzzle for puzzle in candidates if puzzle.kind == "win" and " " not in puzzle.line]
    rest = [puzzle for puzzle in candidates if puzzle not in obvious]
    return rest[: MAX_MEASURED - MAX_OBVIOUS] + obvious[:MAX_OBVIOUS]


def chosen(candidates: Sequence[Puzzle], kept: Sequence[Puzzle]) -> list[Puzzle]:
    """Return *candidates* that differ from each other and from the *kept* ones, not too many of a grade."""
    seen = {image(puzzle) for puzzle in kept}
    counts = Counter((puzzle.game, puzzle.grade) for puzzle in kept)
    new: list[Puzzle] = []
    for puzzle in sorted(candidates, key=lambda one: " " not in one.line):  # The shortest ones are preferred.
        place, one = (puzzle.game, puzzle.grade), image(puzzle)
        if one not in seen and counts[place] < MAX_OF_GRADE[puzzle.grade - 1]:
            seen.add(one)
            counts[place] += 1
            new.append(puzzle)
    return new


def key_after(game: Game, move: Move) -> object:
    """Return the key of the position after *move*."""
    game.play(move)
    key = game.key()
    game.undo()
    return key
