"""Tests of the shipped puzzles: each has exactly one right move."""

from collections import Counter
from random import Random

import pytest
from benchmarks.puzzle_grades import LEVELS_OF_GRADE, NODES, image
from benchmarks.puzzles import PROOF_NODES, analyse_forced, values_of_positions

from noughts import new_game
from noughts.games.base import Game, Move
from noughts.games.notation import format_position
from noughts.puzzles.puzzle import GRADES, Puzzle
from noughts.puzzles.shipped import all_puzzles
from noughts.search.analysis import Limit, MoveValue
from noughts.search.analyst import Analyst
from tests.weekly import each_week_all

pytestmark = pytest.mark.slow

MAX_SEARCHED_MOVES = 300
"""The minimum number of shipped puzzles."""

EASY = 2_000
"""The maximum number of nodes of puzzles that are proved again on each run."""


DISTANCE_NODES = 4_000_000
"""The nodes for a proof that no win is shorter, if the proof of the win does not show it."""


def sample() -> list[Puzzle]:
    """Return the cheapest puzzle of each kind of each game."""
    result: dict[tuple[str, str], Puzzle] = {}
    for puzzle in sorted(all_puzzles(), key=lambda one: (one.nodes, len(one.line))):
        if puzzle.nodes <= EASY:
            result.setdefault((puzzle.game, puzzle.kind), puzzle)
    return list(result.values())


def name_of(puzzle: Puzzle) -> str:
    return f"{puzzle.game}-{puzzle.kind}-{puzzle.id}"


def check_proof(puzzle: Puzzle, *, proves_length: bool = False) -> None:
    """Prove by the exact search that exactly one move wins, or that exactly one saves."""
    game = puzzle.start()
    result = analyse_forced(game, EASY) or Analyst().analyse(game, Limit(nodes=2 * PROOF_NODES))
    values = values_of_positions(game, result)
    assert result.is_complete
    assert result.best is not None
    assert position_after(game, result.best) == position_after(game, puzzle.moves()[0])
    if puzzle.kind == "win":
        assert (result.value, values[1]) == (1, 1)
        plies = result.plies
        if plies is None and proves_length:  # a proof that none is shorter takes longer
            plies = Analyst().solve(game, Limit(nodes=DISTANCE_NODES)).plies
            assert plies is not None
        assert plies in (None, len(puzzle.line.split()))
    else:
        assert (result.value, values[0], set(values)) == (0, 1, {0, -1})


def position_after(game: Game, move: Move) -> object:
    game = game.copy()
    game.play(move)
    return game.key()


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("puzzle", each_week_all(sample(), 2), ids=name_of)
def test_sample_of_puzzles_is_proved_again(puzzle: Puzzle) -> None:
    check_proof(puzzle)


@pytest.mark.weekly
@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("puzzle", all_puzzles(), ids=name_of)
def test_every_puzzle_is_proved_again(puzzle: Puzzle) -> None:
    check_proof(puzzle, proves_length=True)


@pytest.mark.parametrize("name", ["tictactoe", "misere", "wild", "connect4"])
def test_immediate_values_agree_with_search(name: str) -> None:
    result = 0
    for number in range(12):
        game = late(name, number)
        forced = analyse_forced(game, PROOF_NODES)
        if forced is not None and forced.best is not None:
            result += 1
            whole = Analyst().analyse(game)
            assert (forced.value, forced.moves) == (
                whole.value,
                tuple(MoveValue(known.move, known.value) for known in whole.moves),
            )
    assert result


def late(name: str, number: int) -> Game:
    """Return a position of *name* near the end, after random moves that end nothing."""
    chance, game = Random(f"late {name} {number}"), new_game(name)
    for _ in range(game.cells.count(None) * 2 // 3):
        move = chance.choice(game.legal_moves())
        game.play(move)
        if game.outcome is not None:
            game.undo()
    return game


def test_shipped_puzzles_are_numbered_in_order() -> None:
    puzzles = all_puzzles()
    assert [puzzle.id for puzzle in puzzles] == list(range(1, len(puzzles) + 1))
    assert len(puzzles) >= MAX_SEARCHED_MOVES
    assert {puzzle.grade for puzzle in puzzles} == set(GRADES)


def test_shipped_puzzles_can_be_played() -> None:
    for puzzle in all_puzzles():
        game = puzzle.start()
        assert format_position(game) == puzzle.position
        assert game.outcome is None
        for move in puzzle.moves():
            game.play(move)
        assert puzzle.kind == "save" or game.winner == puzzle.side
        assert puzzle.solution()[0] == puzzle.line.split()[0]


def test_grade_follows_from_measurements() -> None:
    for puzzle in all_puzzles():
        assert puzzle.kind in ("win", "save")
        assert 1 <= puzzle.found_by <= 11
        assert puzzle.nodes in (*NODES, NODES[-1] * 4)
        assert puzzle.grade == 1 + sum(puzzle.found_by > most for most in LEVELS_OF_GRADE)


def test_no_two_puzzles_are_symmetric() -> None:
    assert not [one for one, count in Counter(map(image, all_puzzles())).items() if count > 1]
