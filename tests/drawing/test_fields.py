"""Boards with heavy lines between fields that nobody wins."""

import pytest

from noughts.drawing.board_text import draw_text, draw_thumbnail, draw_window
from noughts.drawing.svg import draw_svg
from noughts.drawing.view import view_of
from noughts.games.kinarow import KInARow
from noughts.games.layout import Layout
from noughts.games.rules import Rules
from tests.drawing.test_svg import parsed
from tests.drawing.test_text import assert_drawn as assert_text
from tests.drawing.test_window import assert_sound, lines_of
from tests.drawing.test_window_pictures import assert_drawn


class Quarters(KInARow):
    """Five in a row on a board of four quarters."""

    @property
    def layout(self) -> Layout:
        return Layout(1, 6, 6, fields=(3, 3))


@pytest.fixture
def game() -> Quarters:
    game = Quarters(Rules(shape=(6, 6), k=5))
    for cell in ((0, 0), (2, 3), (3, 3)):
        game.play(cell)
    return game


def test_console_separates_fields(game: Quarters) -> None:
    assert_text(
        game,
        """
     X  2  3  ┃  4  5  6
     7  8  9  ┃ 10 11 12
    13 14 15  ┃  O 17 18
    ━━━━━━━━━━╋━━━━━━━━━━
    19 20 21  ┃ [X]23 24
    25 26 27  ┃ 28 29 30
    31 32 33  ┃ 34 35 36""",
    )
    assert draw_text(game, width=17, unicode=False)[1:4] == [
        "5 . . . | . . .",
        "4 . . . | O . .",
        "  ------+------",
    ]
    assert draw_text(game, width=14)[:2] == ["6  X  ·  ·", "5  ·  ·  ·"]


def test_windows_separate_fields(game: Quarters) -> None:
    assert_drawn(
        draw_window(game, width=40, height=10),
        """
        6  X  ·  ·  ┃  ·  ·  ·
        5  ·  ·  ·  ┃  ·  ·  ·
        4  ·  ·  ·  ┃  O  ·  ·
          ━━━━━━━━━━╋━━━━━━━━━━
        3  ·  ·  ·  ┃ [X] ·  ·
        2  ·  ·  ·  ┃  ·  ·  ·
        1  ·  ·  ·  ┃  ·  ·  ·
           a  b  c     d  e  f
        """,
    )
    part = draw_window(game, width=24, height=5, focus=35)
    assert lines_of(part.rows)[0] == "3 · · · ┃[X]· ·  ▲"


@pytest.mark.slow
def test_fields_at_every_window_size(game: Quarters) -> None:
    for focus in range(0, 36, 9):
        for width in range(1, 24):
            for height in range(1, 10):
                window = draw_window(
                    game, view_of(game, labels=False), width=width, height=height, focus=focus
                )
                assert_sound(game, window, width, height, focus if window.boxes else None)


def test_thumbnails_separate_fields(game: Quarters) -> None:
    assert lines_of(draw_thumbnail(game, width=9, height=7)) == [
        "X·· ┃ ···",
        "··· ┃ ···",
        "··· ┃ O··",
        "━━━━╋━━━━",
        "··· ┃ X··",
        "··· ┃ ···",
        "··· ┃ ···",
    ]


def test_pictures_separate_fields(game: Quarters) -> None:
    plain = KInARow(game.rules)
    for cell in game.moves:
        plain.play(cell)
    with_fields, without = parsed(draw_svg(game)), parsed(draw_svg(plain))
    assert len(list(with_fields.iter())) == len(list(without.iter())) + 1
