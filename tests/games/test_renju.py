"""Tests of renju as a game: forbidden points for Black, and long rows that win for White."""

import pytest

from noughts import KInARow, new_game
from noughts.core.board import Coordinate
from noughts.errors import ForbiddenMove, NotationError, OccupiedCell
from noughts.games.notation import parse_move, parse_position, play_moves
from noughts.games.rules import Rules


def renju(*rows: str, side: str = "") -> KInARow:
    """Return a game from a position of *rows*."""
    game = new_game(f"{len(rows[0])}x{len(rows)}:5,renju")
    placed = parse_position(game, "/".join(rows) + f" {side}")
    assert isinstance(placed, KInARow)
    return placed


DOUBLE_THREE = (
    "........",
    "...X....",
    "...X....",
    ".XX.....",
    "........",
    "........",
    "OOO.O...",
    "........",
)
HERE = (3, 3)


def test_forbidden_point_is_refused_with_reason() -> None:
    game = renju(*DOUBLE_THREE)
    assert game.turn == "X"
    assert HERE not in game.legal_moves()
    assert len(game.legal_moves()) == 64 - 8 - 1
    with pytest.raises(ForbiddenMove) as refused:
        game.play(list(HERE))
    assert (refused.value.reason, refused.value.move, refused.value.legal) == (
        "33",
        HERE,
        tuple(game.legal_moves()),
    )
    assert "a double three" in str(refused.value)
    with pytest.raises(OccupiedCell):
        game.play((1, 3))
    assert game.annotations().cells == {HERE: ("no:33",)}
    assert game.ply == 0


def test_other_side_may_play_forbidden_points() -> None:
    game = renju(*DOUBLE_THREE)
    game.play((0, 0))
    assert not game.annotations().cells
    assert HERE in game.legal_moves()
    game.play(HERE)
    assert game[HERE] == "O"
    game.undo()
    game.undo()
    assert HERE not in game.legal_moves()


def test_restrictions_apply_to_first_side() -> None:
    rows = [row.translate(str.maketrans("XO", "OX")) for row in DOUBLE_THREE]
    game = KInARow(Rules(shape=(8, 8), k=5, renju=True, marks=("O", "X")))
    placed = parse_position(game, "/".join(rows))
    assert placed.turn == "O"
    assert placed.annotations().cells == {HERE: ("no:33",)}


@pytest.mark.parametrize(
    ("row", "side", "cell", "winner", "lines"),
    [
        (".XX.XX.O.O.O.O", "X", (0, 3), "X", 1),
        ("OO.OOO.X.X.X.X.XX", "O", (0, 2), "O", 2),
    ],
)
def test_black_needs_exactly_five(row: str, side: str, cell: Coordinate, winner: str, lines: int) -> None:
    game = renju(row, side=side)
    game.play(cell)
    assert game.outcome is not None
    assert (game.winner, len(game.outcome.lines), game.outcome.termination) == (winner, lines, "line")
    assert not game.annotations().cells
    again = parse_position(new_game(game.name), "/".join(["".join(mark or "." for mark in game.cells)]))
    assert again.outcome is not None
    assert (again.winner, set(again.outcome.lines)) == (winner, set(game.outcome.lines))


def test_overline_of_black_is_forbidden() -> None:
    game = renju("XXX.XX.O.O.O.O.O")
    with pytest.raises(ForbiddenMove) as refused:
        game.play((0, 3))
    assert refused.value.reason == "6"
    for row in ("XXXXXX.O.O.O.O.O", "XXXXXX.OOOOOO", "XXXXXXXXXXX.O.O.O.O.O.O.O.O.O.O"):
        with pytest.raises(NotationError) as wrong:
            renju(row)
        assert wrong.value.reason == "overline"


def test_overline_is_possible_beside_winning_five() -> None:
    others = ["OOOO.OOO", "..O...O."]
    across = ["XXXXX..."]
    game = renju(*others, *["X......."] * 3, *across, *["X......."] * 2)
    assert game.winner == "X"
    with pytest.raises(NotationError) as wrong:  # the five above had already won
        renju(*others, *["X......."] * 5, *across)
    assert wrong.value.reason == "overline"
    apart = ["XXXXXX..", "........", "XXXXX...", "OOOO.OOO", "..O.O.O."]
    with pytest.raises(NotationError) as wrong:
        renju(*apart)
    assert wrong.value.reason == "overline"


def test_side_without_legal_move_draws() -> None:
    game = renju("OXXX.XXOO.O")
    game.play((0, 9))
    assert game.outcome is not None
    assert (game.winner, game.outcome.termination, game.legal_moves()) == (None, "full", [])
    assert game.cells.count(None) == 1
    assert renju("OXXX.XXOOOO").outcome == game.outcome
    game.undo()
    assert game.legal_moves() == [(0, 4), (0, 9)]


def test_full_renju_board_draws() -> None:
    game = renju("XOXOX", "XOXOX", "OXOXO", "XOXOX", "OXO..", side="")
    play_moves(game, ["24", "25"])
    assert game.outcome is not None
    assert (game.winner, game.outcome.termination) == (None, "full")


def test_renju_highlighted_lines_count_for_their_side() -> None:
    game = new_game("9x1:5,renju")
    play_moves(game, ["1", "9"])
    own = game.lines_through((0, 4))
    assert own is not None
    assert (own.count, own.open_count) == (5, 3)
    game.play(parse_move(game, "2"))
    other = game.lines_through((0, 4))
    assert other is not None
    assert (other.count, other.open_count) == (5, 3)
