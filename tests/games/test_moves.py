"""Tests of moves: only their parts are used."""

from noughts.games.catalogue import new_game
from noughts.games.moves import PASS, Placement, cells_of, choices_of, parts_of
from noughts.games.notation import parse_position, play_moves


def test_move_separates_cells_and_choices() -> None:
    placed = Placement((2, 1), "O")
    assert (parts_of(placed), cells_of(placed), choices_of(placed)) == (((2, 1), "O"), ((2, 1),), ("O",))
    assert (parts_of((2, 1)), cells_of((2, 1)), choices_of((2, 1))) == (((2, 1),), ((2, 1),), ())
    assert (parts_of(PASS), cells_of(PASS), choices_of(PASS)) == (("pass",), (), ("pass",))


def test_movers_are_known_after_uneven_start() -> None:
    begun = parse_position(new_game("tictactoe"), "X../.O./..X O")
    play_moves(begun, ["2", "3"])
    assert begun.movers == ("O", "X")
    assert new_game("tictactoe").movers == ()
