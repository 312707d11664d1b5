"""Tests of Quixo: legal pushes, wins, and draws."""

import pytest

from noughts.errors import MoveRefused, NotationError
from noughts.games.base import Game
from noughts.games.notation import format_move, parse_move, parse_position, play_moves
from noughts_quixo import Push, Quixo


def at(text: str) -> Game:
    return parse_position(Quixo(), text)


def test_push_moves_row_towards_gap() -> None:
    game = at("XO.../O..../...../...../..... X")
    game.play(Push((0, 0), (0, 4)))
    assert game.cells[:5] == ("O", None, None, None, "X")
    assert game.undo() == Push((0, 0), (0, 4))
    game.play(Push((0, 0), (4, 0)))
    assert [game[row, 0] for row in range(5)] == ["O", None, None, None, "X"]


def test_blank_and_own_cubes_may_be_taken() -> None:
    game = at("XOOOX/O...O/O...O/O...O/XOOO. X")
    taken = [format_move(game, move) for move in game.legal_moves()]
    assert taken == ["1-5", "1-21", "5-1", "5-25", "21-1", "21-25", "25-5", "25-21"]
    with pytest.raises(MoveRefused):
        game.play(Push((0, 1), (0, 0)))  # a cube of the other side
    with pytest.raises(MoveRefused):
        game.play(Push((0, 0), (0, 0)))  # not back to its old place


def test_moves_are_written_with_both_cells() -> None:
    game = Quixo()
    assert parse_move(game, "a5-e5") == parse_move(game, "1 5") == Push((0, 0), (0, 4))
    for text in ("1", "1-5-5", "a9-e5", "x", ""):
        with pytest.raises((NotationError, MoveRefused)):
            parse_move(game, text)


def test_five_in_a_row_win() -> None:
    game = at("XXXX./OOO../...../...../....O X")
    play_moves(game, ["10-6"])
    assert game.outcome is None
    game = at("X..../X..../X..../X..../.OOOX X")
    play_moves(game, ["25-21"])
    assert game.winner == "X"
    assert game.outcome is not None
    assert game.outcome.line is not None
    assert game.outcome.line.step == (1, 0)


def test_five_of_other_side_lose() -> None:
    # Row 1 moves one to the left: X completes its column, and O the one beside it.
    game = at(".XO../.XO../.XO../.XO../X.XO. X")
    play_moves(game, ["21-25"])
    assert game.winner == "O"
    assert game.outcome is not None
    assert {game[line.start] for line in game.outcome.lines} == {"O"}


def test_third_repetition_is_a_draw() -> None:
    game = at("X..../...../...../...../....O X")
    for number in range(2):
        for move in ("1-5", "25-21", "5-1", "21-25"):
            assert game.outcome is None, (number, move)
            play_moves(game, [move])
    assert game.outcome is not None
    assert (game.winner, game.outcome.termination) == (None, "repetition")


@pytest.mark.parametrize(
    "position", ["Z..../...../...../...../..... X", "...../...../...../...../.....", "x"]
)
def test_impossible_positions_are_refused(position: str) -> None:
    with pytest.raises(NotationError):
        at(position)
