"""Tests of Order and Chaos: wins, and agreement with a slow model."""

from random import Random

import pytest

from noughts import new_game
from noughts.errors import CoordinateError, GameOver, IllegalMove, NotationError, OccupiedCell, UnknownMark
from noughts.games.moves import PASS, Placement
from noughts.games.notation import parse_position, play_moves
from noughts.games.order_and_chaos import OrderAndChaos
from tests.games.slow_games import SlowOrderAndChaos

EMPTY = "......"


def order(*rows: str) -> OrderAndChaos:
    game = parse_position(OrderAndChaos(), "/".join(rows))
    assert isinstance(game, OrderAndChaos)
    return game


@pytest.mark.slow
def test_order_and_chaos_agrees_with_model() -> None:
    chance = Random(6)
    results = set()
    for _ in range(150):
        game, slow = OrderAndChaos(), SlowOrderAndChaos()
        while not game.is_over:
            if game.ply % 5 == 0:
                assert list(game.legal_moves()) == slow.moves()
            move = chance.choice(game.legal_moves())
            assert game.mark_of(move) == move[1]
            game.play(move)
            slow = slow.after(move)
            assert "".join(cell or "." for cell in game.cells) == "".join(slow.rows)
            assert (game.turn, game.winner) == (slow.turn, slow.result)
        results.add(slow.result)
    assert results == {"X", "O"}


@pytest.mark.parametrize("mark", ["X", "O"])
def test_five_of_one_mark_win_for_order(mark: str) -> None:
    other = {"X": "O", "O": "X"}[mark]
    for rest in (f"{other}.....", f"{other}{other}...."):
        game = order(f"{mark * 3}.{mark}.", rest, *[EMPTY] * 4)
        game.play(((0, 3), mark))
        assert game.outcome is not None
        assert (game.winner, game.outcome.termination, len(game.outcome.lines)) == ("X", "line", 1)
        assert game.end_text(game.outcome).id == "wins-line"


def test_six_in_a_row_win_for_order() -> None:
    game = order("XXX.XX", *[EMPTY] * 5)
    game[0, 3] = "X"
    assert game.outcome is not None
    assert (game.winner, len(game.outcome.lines)) == ("X", 2)
    assert order("XXXXXX", *[EMPTY] * 5).outcome == game.outcome


def test_full_board_without_five_wins_for_chaos() -> None:
    game = order("XXOOXX", "OOXXOO", "XXOOXX", "OOXXOO", "XXOOXX", "OOXXO.")
    assert game.turn == "O"
    game.play(((5, 5), "X"))
    assert game.outcome is not None
    assert (game.winner, game.outcome.termination) == ("O", "exhausted")
    assert game.end_text(game.outcome).id == "wins-exhausted"
    assert set(game.terminations) == {"line", "exhausted"}
    with pytest.raises(GameOver):
        game.play(((5, 5), "X"))


def test_chaos_may_begin_and_order_is_x() -> None:
    game = new_game("order-and-chaos", marks=("O", "X"))
    assert game.turn == "O"
    play_moves(game, ["X1", "O36", "X2", "O35", "X3", "O34", "X4", "O33", "X5"])
    assert game.winner == "X"


def test_order_and_chaos_refuses_bad_moves() -> None:
    game = order("X.....", *[EMPTY] * 5)
    for wrong, error in (
        ((0, 0), IllegalMove),
        (PASS, IllegalMove),
        (5, IllegalMove),
        (((0, 0), "X"), OccupiedCell),
        (((0, 1), "Z"), UnknownMark),
        (((0, 1), 5), IllegalMove),
        (((9, 9), "X"), CoordinateError),
    ):
        with pytest.raises(error):
            game.play(wrong)  # type: ignore[arg-type]
    with pytest.raises(UnknownMark):
        game[0, 1] = "Z"
    assert game.ply == 0
    game.play([[0, 1], "O"])
    assert game.moves == (Placement((0, 1), "O"),)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Z...../" + "/".join([EMPTY] * 5), "unknown-mark"),
        ("XX..../" + "/".join([EMPTY] * 5) + " O", "counts"),
        ("X...../" + "/".join([EMPTY] * 5) + " O 1", "extra-not-used"),
        ("XXXXX./....../OOOOO./" + "/".join([EMPTY] * 3), "lines-apart"),
    ],
)
def test_order_and_chaos_refuses_impossible_positions(text: str, reason: str) -> None:
    with pytest.raises(NotationError) as wrong:
        parse_position(OrderAndChaos(), text)
    assert wrong.value.reason == reason


def test_line_with_both_marks_is_closed() -> None:
    game = order("X....O", *[EMPTY] * 5)
    through = game.lines_through((0, 2))
    assert (through.count, through.open_count) == (3, 3)
    game.play(((0, 1), "O"))
    through = game.lines_through((0, 2))
    assert (through.count, through.open_count) == (3, 2)


def test_evaluation_prefers_lines_of_one_mark() -> None:
    built, spoilt = order("XXXX..", *[EMPTY] * 5), order("XOXO..", *[EMPTY] * 5)
    assert built.turn == "X"
    assert built.static_evaluation() > spoilt.static_evaluation()
    assert built.with_turn("O").static_evaluation() == -built.static_evaluation()
    assert [OrderAndChaos().weight(((row, row), "X")) for row in range(3)] == [3, 6, 7]
