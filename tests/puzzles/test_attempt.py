"""Tests of tried moves: right, wrong with a refutation, or undecided in time."""

import pytest

from noughts.errors import GameOver, IllegalMove, OccupiedCell
from noughts.games.base import PASS
from noughts.puzzles.attempt import Attempt, JudgedMove, MoveVerdict
from noughts.puzzles.puzzle import Puzzle
from noughts.puzzles.shipped import all_puzzles
from noughts.search.analysis import Limit

FORK = Puzzle(1, "tictactoe", "X../.O./..X O", "save", 1, "2 8 7")
"""A corner would lose at once to the third corner."""

THREE = Puzzle(2, "connect4", "......./......./......./......./......./XX.OO.. X", "win", 1, "3")


def moves_of(attempt: Attempt, texts: str) -> list[JudgedMove]:
    return [attempt.try_move(attempt.game.notation.parse(text, attempt.game)) for text in texts.split()]


@pytest.mark.parametrize("puzzle", all_puzzles()[::12], ids=lambda one: f"{one.game}-{one.id}")
def test_solution_solves_the_puzzle(puzzle: Puzzle) -> None:
    attempt = Attempt(puzzle)
    assert attempt.moves_left == len(puzzle.solution())
    assert attempt.line == puzzle.moves()
    verdicts = [moves_of(attempt, text)[0].verdict for text in puzzle.solution()]
    assert verdicts == [MoveVerdict.RIGHT] * (len(verdicts) - 1) + [MoveVerdict.SOLVED]
    assert attempt.is_solved
    assert (attempt.moves_made, attempt.moves_left) == (len(verdicts), 0)
    with pytest.raises(GameOver):
        _ = attempt.best


def test_wrong_move_is_refuted_and_not_played() -> None:
    attempt = Attempt(FORK)
    judged = moves_of(attempt, "3")[0]
    assert judged == JudgedMove(MoveVerdict.WRONG, ((2, 0),))
    assert attempt.refuted == {(0, 2)}
    assert attempt.game.ply == 0
    assert attempt.moves_made == 0


def test_immediate_loss_is_refuted_without_search() -> None:
    """A general search would first try a hundred replies that do not win."""
    open_four = Puzzle(
        7,
        "renju",
        "/".join(["." * 15] * 6 + ["...XOOOO......."] + ["." * 15] * 7 + ["XX.X..........."]) + " X",
        "save",
        1,
        "129",
    )
    judged = Attempt(open_four).try_move((0, 0), Limit(nodes=0))
    assert judged == JudgedMove(MoveVerdict.WRONG, ((6, 8),))


def test_wrong_final_move_has_no_answer() -> None:
    loses = Puzzle(3, "misere", "XX./OO./... X", "save", 1, "6")
    assert moves_of(Attempt(loses), "3") == [JudgedMove(MoveVerdict.WRONG)]


def test_late_refutation_is_missing() -> None:
    attempt = Attempt(FORK)
    assert attempt.try_move((0, 2), Limit(nodes=0)) == JudgedMove(MoveVerdict.WRONG)


def test_illegal_attempt_leaves_puzzle_unchanged() -> None:
    attempt = Attempt(FORK)
    with pytest.raises(OccupiedCell):
        attempt.try_move((0, 0))
    assert attempt.best == (0, 1)


LONG = Puzzle(4, "tictactoe", "X../.../..O X", "win", 1, "3 2 7 4 5")
"""The corner wins, and then there are two ways."""


def test_later_moves_need_only_win() -> None:
    attempt = Attempt(LONG)
    assert moves_of(attempt, "3")[0] == JudgedMove(MoveVerdict.RIGHT, ((0, 1),))
    assert attempt.moves_left == 2
    other = Attempt(LONG)
    moves_of(other, "3")
    assert moves_of(other, "8")[0].verdict == MoveVerdict.WRONG
    assert moves_of(other, "7")[0].verdict == MoveVerdict.RIGHT
    assert moves_of(other, "5")[0].verdict == MoveVerdict.SOLVED


SLOWER = Puzzle(5, "connect4", "..O..../..XXO.X/..OOO.X/X.OOO.O/X.XXX.X/O.OXO.X X", "win", 1, "5 4 6 6 6")
"""After the first move there are wins in two moves and in three."""


def test_slower_win_is_answered_by_best_play() -> None:
    attempt = Attempt(SLOWER)
    assert moves_of(attempt, "5")[0].verdict == MoveVerdict.RIGHT
    assert attempt.moves_left == 2
    assert moves_of(attempt, "1")[0].verdict == MoveVerdict.RIGHT
    assert attempt.moves_left == 2
    while not attempt.is_solved:
        judged = attempt.try_move(attempt.best)
        assert judged.verdict in (MoveVerdict.RIGHT, MoveVerdict.SOLVED)
    assert (attempt.game.winner, attempt.moves_made) == ("X", 4)


def test_moves_to_same_position_are_equal() -> None:
    """The mark completes a row, so there is no turn, whatever the move states."""
    turned = Puzzle(6, "pentago", "XXXX../OOO.../....../....../....../O..... X", "win", 1, "5/4r")
    assert moves_of(Attempt(turned), "5/4l")[0].verdict == MoveVerdict.SOLVED
    other = turned.start().notation.parse("6/4l", turned.start())
    assert Attempt(turned).try_move(other, Limit(nodes=0)).verdict == MoveVerdict.WRONG


def test_unproved_alternative_is_unknown() -> None:
    attempt = Attempt(SLOWER)
    moves_of(attempt, "5")
    move = attempt.game.notation.parse("1", attempt.game)
    assert attempt.try_move(move, Limit(nodes=0)) == JudgedMove(MoveVerdict.UNKNOWN)
    assert attempt.moves_made == 1


def test_attempt_continues_after_earlier_moves() -> None:
    attempt = Attempt.after(LONG, ["3"])
    assert (attempt.moves_made, attempt.moves_left) == (1, 2)
    with pytest.raises(IllegalMove):
        Attempt.after(LONG, ["2"])


@pytest.mark.slow
def test_forced_pass_needs_no_answer() -> None:
    for puzzle in all_puzzles():
        game = puzzle.start()
        assert list(game.legal_moves()) != [PASS]


RENJU = Puzzle(
    8,
    "renju",
    "/".join(
        [
            "O..............",
            *["..............."] * 5,
            ".OXOOOX........",
            "....X..........",
            ".OXXXXOX.......",
            "...X...O.......",
            "........O......",
            *["..............."] * 4,
        ]
    )
    + " X",
    "win",
    1,
    "111 83 153",
)


def test_threats_decide_large_boards() -> None:
    """After other moves the other side wins by threats. After the first move another threat wins, too."""
    attempt, few = Attempt(RENJU), Limit(nodes=500)
    far = attempt.try_move((14, 14), few)
    assert far.verdict == MoveVerdict.WRONG
    assert far.answers
    assert attempt.try_move((7, 5), few) == JudgedMove(MoveVerdict.RIGHT, ((5, 7),))
    judged = attempt.try_move((14, 14), few)  # A quiet move that stops the row.
    assert judged == JudgedMove(MoveVerdict.WRONG, ((10, 2),))
    assert attempt.try_move((14, 14), Limit(nodes=0)) == JudgedMove(MoveVerdict.UNKNOWN)
    assert attempt.moves_made == 1
    assert attempt.try_move((9, 4), few) == JudgedMove(MoveVerdict.RIGHT, ((10, 2),))
