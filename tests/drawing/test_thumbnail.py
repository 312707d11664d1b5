"""Thumbnails: they fit their size, are cut without room, and match the design."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts.drawing.board_text import draw_thumbnail
from noughts.drawing.canvas import FAINT, LINE, SECOND
from noughts.games.base import Game
from noughts.games.catalogue import CATALOGUE, new_game, sample
from noughts.games.notation import parse_move
from tests.strategies import games


def thumbnail(game: Game, width: int, height: int, *, unicode: bool = True) -> list[str]:
    rows = draw_thumbnail(game, width=width, height=height, unicode=unicode)
    return ["".join(span.text for span in row) for row in rows]


def assert_fits(game: Game, width: int, height: int) -> None:
    lines = thumbnail(game, width, height)
    assert len(lines) <= height
    assert max(map(len, lines), default=0) <= width
    assert all(map(str.isascii, thumbnail(game, width, height, unicode=False)))


@pytest.mark.slow
@given(game=games(), width=st.integers(0, 40), height=st.integers(0, 12))
def test_thumbnails_fit_their_room(game: Game, width: int, height: int) -> None:
    assert_fits(game, width, height)


@pytest.mark.slow
def test_every_game_at_every_small_size() -> None:
    for entry in CATALOGUE:
        game = sample(entry.name)
        for width in range(0, 32, 3):
            for height in range(9):
                assert_fits(game, width, height)
        assert thumbnail(game, 16, 6)


def test_flat_board_thumbnails_fit_their_size() -> None:
    assert thumbnail(sample("tictactoe"), 10, 5) == [" X  ·  O", " O  X  X", " ·  ·  O"]
    assert thumbnail(sample("tictactoe"), 8, 5, unicode=False) == ["X . O", "O X X", ". . O"]
    assert thumbnail(sample("reversi"), 16, 5)[0] == "· · · · · X · ·"  # Possible cells are not marked.
    assert thumbnail(sample("fifteen"), 16, 5) == [
        "  1   2   3   4",
        "  5   6   7   8",
        "  9  10   ·  11",
        " 13  14  15  12",
    ]


def test_small_boards_are_ruled_with_room() -> None:
    assert thumbnail(sample("tictactoe"), 16, 5) == [
        " X │   │ O",
        "───┼───┼───",
        " O │ X │ X",
        "───┼───┼───",
        "   │   │ O",
    ]
    assert thumbnail(sample("tictactoe"), 11, 5, unicode=False)[:2] == [" X |   | O", "---+---+---"]
    assert thumbnail(sample("tictactoe"), 16, 4) == [" X  ·  O", " O  X  X", " ·  ·  O"]
    assert thumbnail(sample("tictactoe"), 23, 11)[:3] == [
        " ▀▄ ▄▀ │       │ ▄▀▀▀▄",
        "  ▄▀▄  │       │ █   █",
        " ▀   ▀ │       │  ▀▀▀",
    ]


def test_large_board_shows_its_middle() -> None:
    assert thumbnail(sample("gomoku"), 13, 5) == [
        "O X O X─┼─┼─┼",
        "O X X O X─┼─┼",
        "┼ O X X X O─┼",
        "O─┼ O X O─┼─┼",
        "┼─┼─┼─┼ X─┼─┼",
    ]


def test_walled_board_shows_its_lowest_rows() -> None:
    game = new_game("connect4")
    for text in ("4", "4", "3", "7"):
        game.play(parse_move(game, text))
    assert thumbnail(game, 16, 4) == [
        "┃             ┃",
        "┃      O      ┃",
        "┃    X X     O┃",
        "┗━━━━━━━━━━━━━┛",
    ]
    assert thumbnail(game, 12, 2) == ["   X X", "━━━━━━━━━━━"]


def test_fields_are_between_lines() -> None:
    assert thumbnail(sample("ultimate"), 16, 5) == [
        "·OX ┃ ·O· ┃ ···",
        "··· ┃ XXO ┃ ··X",
        "·O· ┃ ·O· ┃ OXX",
        "━━━━╋━━━━━╋━━━━",
        "··· ┃ OXO ┃ XXO",
    ]
    assert thumbnail(sample("ultimate"), 7, 3) == ["··· ┃ O", "··O ┃ ·"]
    assert thumbnail(sample("ultimate"), 3, 1) == ["O"]


def test_planes_are_side_by_side() -> None:
    assert thumbnail(sample("3d"), 16, 3) == ["X · ·  · · ·", "· O ·  · O ·", "· · ·  · · ·"]
    assert len(thumbnail(sample("4d"), 20, 7)) == 7
    assert thumbnail(sample("4d"), 20, 7)[0] == "O · X  · · ·  · · ·"
    assert thumbnail(sample("4d"), 20, 7)[3] == ""


def test_lowest_planes_are_shown_when_marks_fall() -> None:
    assert thumbnail(sample("score4"), 8, 4) == ["O · · X", "· O · O", "X O · X", "O · · X"]
    game = new_game("3x3x3x3:3,gravity")
    game.play((2, 0, 0, 0))
    assert thumbnail(game, 20, 3)[0] == "X · ·  · · ·  · · ·"


def test_marks_and_lines_have_roles() -> None:
    spans = [span for row in draw_thumbnail(sample("connect4"), width=16, height=3) for span in row]
    assert {span.role for span in spans if span.text.strip()} == {"X", "O", LINE}
    layers = [span for row in draw_thumbnail(sample("qubic"), width=16, height=3) for span in row]
    assert {(span.role, span.strong) for span in layers if span.text.strip()} == {
        *((mark, True) for mark in "XO"),
        (FAINT, False),
    }
    tiles = draw_thumbnail(sample("fifteen"), width=16, height=5)
    assert {span.role for row in tiles for span in row if span.text.strip()} == {SECOND, FAINT}
