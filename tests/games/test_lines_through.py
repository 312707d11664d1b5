"""Tests of the lines through a cell, for every rule that affects lines."""

from random import Random

import pytest

from noughts import Game, TicTacToe, new_game
from noughts.core.board import coordinate_of, index_of
from noughts.core.geometry import lines as core_lines
from noughts.games.kinarow import KInARow
from noughts.games.lines_through import LinesThrough
from noughts.games.notation import parse_position


def lit(game: Game, index: int) -> LinesThrough | None:
    return game.lines_through(coordinate_of(game.shape, index))


def through(spec: str, position: str, index: int) -> LinesThrough:
    result = lit(parse_position(new_game(spec), position), index)
    assert result is not None
    return result


def test_foreign_mark_closes_a_line() -> None:
    result = through("3x3", "X../.O./...", 0)
    assert result == LinesThrough(frozenset({1, 2, 3, 6}), frozenset({8}), 3, 2)


def test_open_lines_belong_to_side_to_move() -> None:
    assert through("3x3", ".../.X./...", 4) == LinesThrough(
        frozenset(), frozenset({0, 1, 2, 3, 5, 6, 7, 8}), 4, 0
    )
    assert through("3x3", "O../.X./...", 4).open == {1, 2, 3, 5, 6, 7}


def test_cell_on_an_open_line_is_open() -> None:
    # Five cells in a row of four: one of their lines is closed, and its cells are on the other too.
    result = through("5:4", "O...X X", 2)
    assert result == LinesThrough(frozenset({1, 2, 3}), frozenset(), 2, 1)


def test_each_other_side_closes_lines() -> None:
    result = through("5x5:4,players=3", "...../...../..X../.OZ../.....", 12)
    assert {10, 11, 13, 14} <= result.open
    assert 22 not in result.open
    assert 22 in result.closed
    assert (result.count, result.open_count) == (8, 4)


def test_any_mark_counts_in_notakto() -> None:
    result = through("3x3:3,notakto", "X../.../..X", 4)
    assert (result.open_count, result.closed) == (4, frozenset())


def test_two_kinds_of_marks_close_wild_lines() -> None:
    result = through("3x3:3,wild", "X.X/.../..O", 0)
    assert result == LinesThrough(frozenset({1, 3, 6}), frozenset({4}), 3, 2)


def test_no_line_is_closed_with_vanishing_marks() -> None:
    game = new_game("vanishing")
    for cell in ((0, 0), (0, 1), (1, 0)):
        game.play(cell)
    assert lit(game, 1) == LinesThrough(frozenset({2, 4, 7}), frozenset(), 2, 2)


def test_mark_at_end_closes_exact_lines() -> None:
    assert through("5:3,exact", "X.O.. X", 3).open == frozenset()
    result = through("7:3,exact", "X.....O X", 3)
    # 1-3 would make four with the X at 0. 3-5 has a foreign mark at its end, which is harmless.
    assert result == LinesThrough(frozenset({2, 3, 4, 5}), frozenset({1}), 3, 2)


def test_highlighted_lines_cross_joined_edges() -> None:
    result = through("4x4:4,wrap", "..../..../..../....", 0)
    assert (result.count, result.open_count) == (4, 4)
    assert {1, 2, 3, 4, 8, 12, 5, 10, 15, 7, 13} <= result.open


def test_ultimate_highlighted_lines_are_those_of_field() -> None:
    game = new_game("ultimate")
    result = lit(game, 40)
    assert result == LinesThrough(frozenset({30, 31, 32, 39, 40, 41, 48, 49, 50}), frozenset(), 4, 4)
    game.play((4, 4))
    assert lit(game, 30) == LinesThrough(frozenset({30, 31, 32, 39, 48}), frozenset({50}), 3, 2)


def test_ultimate_decided_field_is_closed() -> None:
    rows = ["XXX......", "OO.......", *["........."] * 6, "........O"]
    result = lit(parse_position(new_game("ultimate"), "/".join(rows) + " X -"), 18)
    assert result == LinesThrough(frozenset(), frozenset({18, 19, 20}), 3, 0)


@pytest.mark.parametrize("name", ["reversi", "fifteen"])
def test_game_without_lines_has_no_highlighted_lines(name: str) -> None:
    assert lit(new_game(name, seed=1), 0) is None


@pytest.mark.parametrize("spec", ["3x3", "7x6:4,gravity", "4x4x4:3", "5x4:3,wrap", "3x3:3,misere"])
def test_highlighted_lines_agree_with_board_lines(spec: str) -> None:
    chance = Random(spec)
    game = new_game(spec)
    assert isinstance(game, KInARow)
    for _ in range(8):
        game.play(chance.choice(game.legal_moves()))
        if game.outcome is not None:
            game.undo()
    cells = game.cells
    every = core_lines(game.shape, game.rules.k, game.rules.geometry.joined, game.rules.tiling)
    for index in range(len(cells)):
        cell = coordinate_of(game.shape, index)
        lines = [
            {index_of(game.shape, other) for other in line.cells} for line in every if cell in line.cells
        ]
        is_open = [all(cells[other] in (None, game.turn) for other in line) for line in lines]
        empty = {other for line in lines for other in line if cells[other] is None}
        open_cells = {
            other for line, known in zip(lines, is_open, strict=True) if known for other in line
        } & empty
        wanted = LinesThrough(frozenset(open_cells), frozenset(empty - open_cells), len(lines), sum(is_open))
        assert lit(game, index) == wanted


def test_highlighted_lines_do_not_change_the_game() -> None:
    game = TicTacToe()
    game.play((0, 0))
    lit(game, 4)
    assert game.moves == ((0, 0),)
