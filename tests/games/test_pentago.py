"""Tests of Pentago: turns, wins, and agreement with a slow model."""

from random import Random

import pytest

from noughts import new_game
from noughts.errors import CoordinateError, IllegalMove, NotationError, OccupiedCell
from noughts.games.moves import cells_of, choices_of
from noughts.games.notation import format_move, parse_move, parse_position, play_moves
from noughts.games.pentago import Pentago, Twist
from noughts.interfaces.presenting.move_names import Names
from tests.games.slow_games import SlowPentago


def pentago(*rows: str) -> Pentago:
    game = parse_position(Pentago(), "/".join(rows))
    assert isinstance(game, Pentago)
    return game


EMPTY = "......"


@pytest.mark.slow
def test_pentago_agrees_with_model() -> None:
    chance = Random(6)
    results = set()
    for _ in range(150):
        game, slow = Pentago(), SlowPentago()
        while not game.is_over:
            if game.ply % 5 == 0:
                assert list(game.legal_moves()) == slow.moves()
            move = chance.choice(game.legal_moves())
            placed = game.copy()
            game.play(move)
            slow = slow.after(move)
            assert "".join(cell or "." for cell in game.cells) == "".join(slow.rows)
            (last,) = game.last_cells()
            assert game[last] == placed.turn
            assert (game.turn, game.winner or ("=" if game.is_over else None)) == (slow.turn, slow.result)
        results.add(slow.result)
    assert results == {"X", "O", "="}


@pytest.mark.parametrize(
    ("move", "last"),
    [
        ("a6/1r", (0, 2)),
        ("a6/1l", (2, 0)),
        ("b6/1r", (1, 2)),
        ("b5/1l", (1, 1)),
        ("a6/2r", (0, 0)),
        ("d6/2r", (0, 5)),
        ("a3/3r", (3, 2)),
        ("f1/4l", (3, 5)),
    ],
)
def test_mark_turns_with_its_quadrant(move: str, last: tuple[int, int]) -> None:
    game = Pentago()
    play_moves(game, [move])
    assert game.last_cells() == (last,)
    assert game.annotations().fields == {int(move[3]) - 1: (f"turned:{move[4]}",)}
    assert [game.cells.index("X")] == [last[0] * 6 + last[1]]
    game.undo()
    assert game.last_cells() == ()
    assert game.annotations().fields == {}


def test_five_on_placing_win_before_turn() -> None:
    game = pentago("XXXX..", "OOOO..", *[EMPTY] * 4)
    twists = [move for move in game.legal_moves() if move[0] == (0, 4)]
    assert len(twists) == 8
    for twist in twists:
        twin = game.copy()
        twin.play(twist)
        assert twin.outcome is not None
        assert (twin.winner, twin.outcome.termination, len(twin.outcome.lines)) == ("X", "line", 1)
        assert twin.cells[:6] == ("X",) * 5 + (None,)
        assert twin.last_cells() == ((0, 4),)
        assert twin.annotations().fields == {}


def test_turn_can_win_for_other_side() -> None:
    game = pentago(".O....", ".O.OOO", EMPTY, "X.X...", ".X....", "X...X.")
    play_moves(game, ["f6/1r"])
    assert game.outcome is not None
    assert (game.winner, game.outcome.termination) == ("O", "line")
    assert game.outcome.line is not None
    assert game.outcome.line.cells == tuple((1, column) for column in range(1, 6))


def test_five_of_both_sides_draw() -> None:
    game = pentago(".OX...", ".OXOOO", "..XXX.", *[EMPTY] * 3)
    play_moves(game, ["a1/1r"])
    assert game.outcome is not None
    assert (game.winner, game.outcome.termination) == (None, "both")
    assert {game[line.start] for line in game.outcome.lines} == {"X", "O"}
    assert game.end_text(game.outcome).id == "draw-both"
    assert set(game.terminations) == {"line", "both", "full"}


def test_pentago_refuses_bad_moves() -> None:
    game = pentago("X.....", *[EMPTY] * 5)
    for wrong, error in (
        ((0, 1), IllegalMove),
        ((0, 0), OccupiedCell),
        (((0, 0), 1, "r"), OccupiedCell),
        (((0, 1), 5, "r"), CoordinateError),
        (((0, 1), 1, "x"), CoordinateError),
        (((9, 9), 1, "r"), CoordinateError),
    ):
        with pytest.raises(error):
            game.play(wrong)
    with pytest.raises(IllegalMove):
        game[1, 1] = "O"
    assert game.ply == 0
    game.play([[0, 1], 1, "r"])  # another form of the move
    assert game.moves == (Twist((0, 1), 1, "r"),)
    assert all(type(part) is int for part in game.moves[0].coordinate)


def test_pentago_move_is_cell_and_turn() -> None:
    game = new_game("pentago")
    move = parse_move(game, " B5/2R ")
    assert move == Twist((1, 1), 2, "r") == parse_move(game, "8/2r") == parse_move(game, "7/2r", 0)
    assert (cells_of(move), choices_of(move)) == (((1, 1),), ("2r",))
    assert (format_move(game, move), format_move(game, move, 0)) == ("8/2r", "7/2r")
    assert Names(game, letters=True).move(move) == "b5/2r"
    for text in ("8", "b5", "8/", "8/5r", "8/2x", "8/2r3", "b5 2r"):
        with pytest.raises(NotationError):
            parse_move(game, text)
    with pytest.raises(NotationError) as missing:
        parse_move(game, "b5")
    assert missing.value.reason == "turn-missing"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Z...../" + "/".join([EMPTY] * 5), "unknown-mark"),
        ("XX..../" + "/".join([EMPTY] * 5), "counts"),
        ("X...../" + "/".join([EMPTY] * 5) + " X", "counts"),
        ("X...../" + "/".join([EMPTY] * 5) + " O 1", "extra-not-used"),
    ],
)
def test_pentago_refuses_impossible_positions(text: str, reason: str) -> None:
    with pytest.raises(NotationError) as wrong:
        parse_position(Pentago(), text)
    assert wrong.value.reason == reason


def test_pentago_evaluation_grows_towards_five() -> None:
    ahead = pentago("XXX...", "O..O..", "....O.", *[EMPTY] * 3)
    assert ahead.turn == "X"
    score = ahead.static_evaluation()
    assert score > 0
    other = ahead.with_turn("O")
    assert other.static_evaluation() == -score
    assert [Pentago().weight(((row, row), 1, "r")) for row in range(3)] == [3, 6, 7]
