"""The board widget: the cells of clicks, and the backgrounds of cells."""

import pytest
from rich.color import Color

from noughts.interfaces.tui.app import NoughtsApp
from noughts.interfaces.tui.game.board import BoardView
from tests.interfaces.tui.screens import click, open_app, press, seen, text_of
from tests.interfaces.tui.table import board_of, page_of, plan_of
from tests.running import run

pytestmark = pytest.mark.slow


def papers_of(app: NoughtsApp) -> list[list[Color | None]]:
    """Return the background of each character of the window, line by line.

    All characters have one column.
    """
    return [
        [segment.style.bgcolor if segment.style else None for segment in strip for _ in segment.text]
        for strip in app.screen._compositor.render_strips()
    ]


def places_of(app: NoughtsApp, sign: str) -> list[tuple[int, int]]:
    """Return the columns and lines of *sign* on the board."""
    region = page_of(app).query_one(BoardView).region
    lines = text_of(app)
    return [
        (x, y)
        for y in range(region.y, region.bottom)
        for x in range(region.x, region.right)
        if lines[y][x] == sign
    ]


# Mouse


@pytest.mark.parametrize(
    ("game", "size", "cell"),
    [
        ("gomoku", (60, 20), "c4"),
        ("gomoku", (24, 12), "g6"),
        ("30x30:5", (60, 20), "w25"),
        ("qubic", (60, 20), "43"),
        ("qubic", (24, 12), "43"),
        ("ultimate", (100, 30), "e8"),
        ("11x11:5,hex", (80, 24), "c4"),
        ("11x11:5,hex", (60, 20), "i9"),
        ("30x30:5,hex", (80, 24), "w25"),
    ],
)
def test_click_selects_the_visible_cell(game: str, size: tuple[int, int], cell: str) -> None:
    async def test() -> None:
        async with open_app(size, plan=plan_of(game)) as (app, _):
            playing = page_of(app).session
            await press(app, "g", *cell, "enter")
            at = playing.cursor
            (left, y), (right, _) = places_of(app, ">")[-1], places_of(app, "<")[-1]
            await press(app, "left")
            await click(app, (left + right) // 2, y)
            assert playing.latest.cells[at] == "X"

    run(test())


def test_click_below_layer_names_selects_visible_layer() -> None:
    async def test() -> None:
        async with open_app((24, 12), plan=plan_of("qubic")) as (app, _):
            region = page_of(app).query_one(BoardView).region
            await click(app, region.x + 10, region.y)
            assert page_of(app).session.latest.ply == 0
            assert "1        >2< ▸ 2" in seen(app)
            await click(app, *places_of(app, "·")[4])
            assert page_of(app).session.latest.cells[16] == "X"

    run(test())


def test_double_click_drops_one_mark() -> None:
    async def test() -> None:
        async with open_app((60, 20), plan=plan_of("connect4")) as (app, _):
            await click(app, *places_of(app, "3")[0], times=2)
            assert page_of(app).session.latest.moves == ((5, 2),)

    run(test())


@pytest.mark.parametrize(("button", "cursor"), [(2, 4), (3, 0)])
def test_left_button_places_and_right_button_points(button: int, cursor: int) -> None:
    async def test() -> None:
        async with open_app((24, 12), plan=plan_of()) as (app, _):
            x, y = places_of(app, "3")[0]  # The number of the row.
            await click(app, x + 3, y, button)
            assert (board_of(app), page_of(app).session.cursor) == (".........", cursor)

    run(test())


def test_footer_keys_need_the_left_button() -> None:
    async def test() -> None:
        async with open_app((100, 30), plan=plan_of()) as (app, _):
            y = next(y for y, line in enumerate(text_of(app)) if "v values" in line)
            for button, is_shown in ((3, False), (2, False), (1, True)):
                await click(app, text_of(app)[y].index("v values"), y, button)
                assert ("values" in page_of(app).answers.shown) == is_shown

    run(test())


# Backgrounds


@pytest.mark.parametrize(("moves", "winner"), [("14253", "X"), ("142596", "O")])
def test_winning_cells_have_colour_of_winner(moves: str, winner: str) -> None:
    async def test() -> None:
        async with open_app((100, 30), plan=plan_of()) as (app, _):
            await press(app, *moves)
            washes = {mark: app.styling.background("wash", mark).bgcolor for mark in "XO"}
            assert washes["X"] != washes["O"]
            shown = [paper for line in papers_of(app) for paper in line[:60]]
            assert shown.count(washes[winner]) >= 100
            assert washes["XO".replace(winner, "")] not in shown

    run(test())


def test_won_field_has_colour_of_owner() -> None:
    async def test() -> None:
        async with open_app((60, 20), plan=plan_of("ultimate")) as (app, _):
            playing = page_of(app).session
            for move in ((0, 0), (0, 1), (0, 3), (1, 1), (3, 3), (2, 1)):  # O has the first field.
                playing.play_move(move)
            page_of(app).redraw()
            wash = app.styling.background("wash", "O").bgcolor
            papers, lines = papers_of(app), text_of(app)
            washed = [(x, y) for y in range(20) for x in range(36) if papers[y][x] == wash]
            assert len(washed) == 33  # Three lines with a column on each side.
            assert {lines[y][x] for x, y in washed} == set(" ▀▄█")  # One large O.

    run(test())
