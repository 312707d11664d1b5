"""Tests of the mistakes of programs in tutorials, as far as a library can have them.

Each test has the id of a mistake in its name: A0 is a universal board with unchecked writes, A1 a course's
tic-tac-toe, A2 a rule player.
"""

import os
import subprocess
import sys
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import noughts
from noughts import Board, Game, TicTacToe, new_game
from noughts.core.board import Shape
from noughts.errors import (
    CoordinateError,
    GameOver,
    NotationError,
    NoughtsError,
    OccupiedCell,
    OutOfTurn,
    ShapeError,
    UnknownMark,
)
from noughts.games.catalogue import CATALOGUE
from noughts.games.notation import parse_move, play_moves
from tests.strategies import coordinates_of, games, shapes


def played(moves: str) -> TicTacToe:
    game = TicTacToe()
    play_moves(game, moves.split())
    return game


def assert_refused(game: Game, error: type[Exception], attempt: Callable[[], object]) -> None:
    """Check that *attempt* raises *error* and leaves *game* unchanged."""
    before = (game.key(), game.cells, game.moves, game.turn, game.outcome)
    with pytest.raises(error):
        attempt()
    assert (game.key(), game.cells, game.moves, game.turn, game.outcome) == before


def write(game: Any, coordinate: Any, mark: Any) -> Callable[[], None]:
    return lambda: game.__setitem__(coordinate, mark)


def test_a0_02_cell_12_is_refused() -> None:
    for text in ("12", "23", "123456789"):
        with pytest.raises(NotationError) as refused:
            parse_move(TicTacToe(), text)
        assert refused.value.reason in ("no-such-cell", "unreadable")


@pytest.mark.parametrize(("moves", "row"), [("1 4 2 5 3", 0), ("4 1 5 2 6", 1), ("7 1 8 2 9", 2)])
def test_a0_03_winning_row_is_correct(moves: str, row: int) -> None:
    outcome = played(moves).outcome
    assert outcome is not None
    assert outcome.line is not None
    assert outcome.line.cells == ((row, 0), (row, 1), (row, 2))
    assert outcome.line.step == (0, 1)


@pytest.mark.parametrize(("moves", "column"), [("1 2 4 5 7", 0), ("2 1 5 4 8", 1), ("3 1 6 2 9", 2)])
def test_a0_04_winning_column_is_correct(moves: str, column: int) -> None:
    outcome = played(moves).outcome
    assert outcome is not None
    assert outcome.line is not None
    assert outcome.line.cells == ((0, column), (1, column), (2, column))
    assert outcome.line.step == (1, 0)


@pytest.mark.parametrize(
    ("moves", "start", "step"), [("1 2 5 3 9", (0, 0), (1, 1)), ("3 1 5 2 7", (0, 2), (1, -1))]
)
def test_a0_05_diagonals_have_their_own_steps(moves: str, start: Any, step: Any) -> None:
    outcome = played(moves).outcome
    assert outcome is not None
    assert outcome.line is not None
    assert (outcome.line.start, outcome.line.step) == (start, step)


@pytest.mark.slow
@given(st.data(), shapes(max_dimensions=6))
def test_a0_08_index_and_coordinate_are_a_bijection(data: st.DataObject, shape: Shape) -> None:
    board: Board[None] = Board(shape)
    cell = data.draw(coordinates_of(shape))
    assert board.coordinate(board.index(cell)) == cell
    assert {board.index(each) for each in product(*map(range, shape))} == set(range(len(board)))


def test_a0_08_a_2x3x4_board_has_24_cells() -> None:
    assert len(Board((2, 3, 4))) == 24
    assert Board((2, 3, 4)).index((0, 0, 3)) == 3


def test_a0_12_blanks_around_number_are_ignored() -> None:
    assert parse_move(TicTacToe(), " 5") == parse_move(TicTacToe(), "5 ") == (1, 1)
    for text in ("0", "x", "10"):
        with pytest.raises(NotationError) as refused:
            parse_move(TicTacToe(), text)
        assert refused.value.reason


def test_a0_13_cell_0_5_is_refused() -> None:
    game = TicTacToe()
    assert_refused(game, CoordinateError, write(game, (0, 5), "X"))
    assert_refused(game, CoordinateError, lambda: game.play((0, 5)))
    with pytest.raises(CoordinateError):
        Board((3, 3), fill="")[0, 5] = "X"


@pytest.mark.parametrize("cell", [(1, -1), (-1, -1), (-1, 0)])
def test_a0_14_negative_cells_are_refused(cell: Any) -> None:
    game = TicTacToe()
    assert_refused(game, CoordinateError, write(game, cell, "X"))
    assert_refused(game, CoordinateError, lambda: game.play(cell))
    with pytest.raises(CoordinateError):
        Board((3, 3), fill="")[cell] = "X"


@pytest.mark.parametrize("cell", [(1,), (), (1, 1, 2)])
def test_a0_15_coordinate_needs_all_dimensions(cell: Any) -> None:
    game = TicTacToe()
    assert_refused(game, CoordinateError, write(game, cell, "X"))
    assert_refused(game, CoordinateError, lambda: game.play(cell))
    with pytest.raises(CoordinateError):
        Board((3, 3), fill="")[cell] = "X"


@pytest.mark.parametrize(
    "cell", [(3, 0), (0, 3), (0, 5), (-1, 0), (1,), (), (1, 1, 2), None, "a1", 1.5, (0, "1")]
)
def test_a0_16_bad_coordinates_share_one_error(cell: Any) -> None:
    for target in (TicTacToe(), Board((3, 3), fill="")):
        with pytest.raises(CoordinateError) as refused:
            target[cell]
        assert isinstance(refused.value, ValueError)
        with pytest.raises(CoordinateError):
            target[cell] = "X"


def test_a0_17_finished_game_is_unchanged() -> None:
    game = played("7 1 8 2 9")
    assert game.winner == "X"
    assert_refused(game, GameOver, lambda: game.play((0, 2)))
    assert_refused(game, GameOver, write(game, (0, 2), "O"))
    assert game.winner == "X"


@pytest.mark.parametrize("shape", [(0,), (-1,), (3, 0), (3, -1), (0, 0), ()])
def test_a0_18_empty_board_is_refused(shape: Any) -> None:
    for make in (Board, lambda shape: TicTacToe(shape=shape)):
        with pytest.raises(ShapeError) as refused:
            make(shape)
        assert refused.value.reason in ("side-too-short", "no-dimensions")


def test_a0_19_all_4x4_cells_are_playable() -> None:
    game = new_game("4x4")
    assert [parse_move(game, str(number)) for number in range(1, 17)] == game.legal_moves()
    with pytest.raises(NotationError) as refused:
        parse_move(game, "17")
    assert refused.value.data == {"first": 1, "last": 16}


def test_a0_20_refused_move_keeps_the_turn() -> None:
    game = played("5")
    for cell in ((1, 1), (9, 9), None):
        with pytest.raises(NoughtsError):
            game.play(cell)  # type: ignore[arg-type]
        assert (game.turn, game.ply) == ("O", 1)


def test_a0_23_class_has_one_name() -> None:
    import noughts.core.board as module

    assert noughts.Board is module.Board is sys.modules["noughts.core.board"].Board
    assert isinstance(new_game().board, noughts.Board)
    assert all(isinstance(new_game(entry.name), noughts.Game) for entry in CATALOGUE)


def test_a1_02_only_known_marks_are_accepted() -> None:
    game = TicTacToe()
    assert game.turn == "X"
    assert_refused(game, UnknownMark, write(game, (0, 0), "x"))


def test_a1_03_occupied_cell_costs_no_turn() -> None:
    game = played("1")
    assert_refused(game, OccupiedCell, lambda: game.play((0, 0)))
    game.play((0, 1))
    assert [game[0, 0], game[0, 1], game.turn] == ["X", "O", "X"]


def test_a1_04_library_is_silent(capsys: pytest.CaptureFixture[str]) -> None:
    played("1 2 3 5 4 6 8 7 9")
    assert capsys.readouterr() == ("", "")


def test_a1_08_empty_board_has_no_winner() -> None:
    game = TicTacToe()
    assert_refused(game, CoordinateError, lambda: game.play(-1))  # type: ignore[arg-type]
    assert game.outcome is None


@pytest.mark.slow
@given(games())
def test_a1_08_winner_has_k_in_a_line(game: noughts.KInARow) -> None:
    if game.winner is None:
        return
    assert game.outcome is not None
    assert game.outcome.lines
    for line in game.outcome.lines:
        assert len(set(line.cells)) in (game.rules.k, game.rules.avoid)
        assert len({game[cell] for cell in line.cells}) == 1
        assert game[line.start] is not None


@pytest.mark.parametrize(
    ("cell", "mark", "error"),
    [
        ((3, 0), "X", CoordinateError),
        (9, "X", CoordinateError),
        ((0, 0), " ", UnknownMark),
        ((0, 0), "Q", UnknownMark),
        ((0, 0), None, UnknownMark),
        ((0, 0), "O", OutOfTurn),
    ],
)
def test_a1_09_each_mistake_has_its_error(cell: Any, mark: Any, error: type[Exception]) -> None:
    game = TicTacToe()
    assert_refused(game, error, write(game, cell, mark))


def test_a1_09_x_does_not_move_twice() -> None:
    game = played("1")
    assert_refused(game, OutOfTurn, write(game, (0, 1), "X"))


def test_a1_10_no_moves_after_the_end() -> None:
    game = played("1 4 2 5 3")
    for cell in product(range(3), repeat=2):
        assert_refused(game, GameOver, lambda cell=cell: game.play(cell))  # type: ignore[misc]
    assert game.winner == "X"


@pytest.mark.parametrize("moves", ["1 4 2 5 3", "1 2 3 5 4 6 8 7 9"])
def test_a1_13_no_legal_moves_after_end(moves: str) -> None:
    game = played(moves)
    assert game.is_over
    assert game.legal_moves() == []
    assert_refused(game, GameOver, lambda: game.play((0, 0)))


@pytest.mark.parametrize("text", ["٣", "0_4", "３", "²", "+4", "4.", "0x4", "4e0", "-4", "4 4"])
def test_a1_14_only_ascii_digits_count(text: str) -> None:
    with pytest.raises(NotationError) as refused:
        parse_move(TicTacToe(), text)
    assert refused.value.reason == "unreadable"


def test_a2_06_search_on_copy_changes_nothing() -> None:
    game = played("5 1")
    before = (game.key(), game.cells, game.turn)
    for move in game.legal_moves():
        twin = game.copy()
        twin.play(move)
    assert (game.key(), game.cells, game.turn) == before


@pytest.mark.slow
@given(games())
def test_a2_06_undo_leaves_no_trace(game: noughts.KInARow) -> None:
    before = (game.key(), game.cells, game.turn, game.outcome, game.legal_moves())
    for move in game.legal_moves():
        game.play(move)
        game.undo()
    assert (game.key(), game.cells, game.turn, game.outcome, game.legal_moves()) == before


def test_a2_08_import_has_no_side_effects() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "import noughts"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=True,
        env={**os.environ, "PYTHONWARNINGS": "error"},
    )
    assert (done.stdout, done.stderr) == (b"", b"")
