"""Games from a position: typed, from a game, from a review, from the command line."""

import pytest

from noughts.errors import NoughtsError
from noughts.games.catalogue import new_game
from noughts.games.notation import format_position
from noughts.interfaces.presenting.start_position import read_start
from noughts.interfaces.tui.app import NoughtsApp
from noughts.interfaces.tui.game.game_page import GamePage
from noughts.interfaces.tui.lobby.start_page import StartPage
from noughts.interfaces.tui.widgets.spans import LineInput
from tests.interfaces.harness import SAY
from tests.interfaces.tui.gallery import page_of as start_of
from tests.interfaces.tui.screens import click_text, open_app, press, seen, settle
from tests.interfaces.tui.table import page_of, plan_of
from tests.running import run

SAYS = SAY["en"]
MOVED = "O../.X./... X"
"""The position after b2 a3."""


async def type_start(app: NoughtsApp, text: str) -> None:
    await click_text(app, "Position")
    start_of(app).query_one(LineInput).value = text
    await settle(app)
    await press(app, "enter")


def position_of(app: NoughtsApp) -> str:
    return format_position(page_of(app).session.latest)


@pytest.mark.parametrize(
    ("name", "text", "start"),
    [
        ("tictactoe", "b2 a3", MOVED),
        ("tictactoe", "5 1", MOVED),
        ("tictactoe", MOVED, MOVED),
        ("tictactoe", " ", None),
        ("tictactoe", ".../.../... X", None),
        ("7:3", "X.O....", "X.O.... X"),
        ("connect4", "4 4", "/".join(["......."] * 4 + ["...O...", "...X..."]) + " X"),
    ],
)
def test_start_is_moves_or_a_position(name: str, text: str, start: str | None) -> None:
    assert read_start(SAYS, name, text) == start


@pytest.mark.slow
@pytest.mark.parametrize("text", ["b2 b2", "XXX/OO./...", "XX./", "5 1 4 2 6"])
def test_invalid_start_is_refused(text: str) -> None:
    with pytest.raises(NoughtsError):
        read_start(SAYS, "tictactoe", text)


def test_typed_start_is_played() -> None:
    async def test() -> None:
        async with open_app((100, 30)) as (app, _):
            await click_text(app, "Opponent")
            await press(app, "tab")
            await type_start(app, "b2 b2")
            assert start_of(app).is_typing
            await press(app, "escape")
            assert start_of(app).choices.start(new_game("tictactoe")) is None
            await type_start(app, "b2 a3")
            assert "Position   your own" in seen(app)
            assert "Opening" not in seen(app)
            await click_text(app, "Enter  Play")
            assert position_of(app) == MOVED
            await press(app, "q")
            await press(app, "right", "left")  # The position fits this game, but not another one.
            assert "Position   your own" in seen(app)
            await click_text(app, "Gomoku")
            assert "the start" in seen(app)

    run(test())


@pytest.mark.slow
def test_first_player_is_fixed_by_the_position() -> None:
    async def test() -> None:
        async with open_app((100, 30)) as (app, _):
            await click_text(app, "Begins")
            for _ in range(4):
                if "whoever chooses" in seen(app) or start_of(app).choices.begins.value == "chooser":
                    break
                await press(app, "right")
            assert start_of(app).choices.begins.value == "chooser"
            await type_start(app, "b2")
            await click_text(app, "Enter  Play")
            assert page_of(app).session.table.series.begins.value == "alternate"

    run(test())


def test_new_game_starts_from_viewed_position() -> None:
    async def test() -> None:
        async with open_app((100, 30), plan=plan_of()) as (app, _):
            await press(app, "5", "1", "9", "p")
            assert SAYS("play-from-question") in seen(app)
            await press(app, "n")
            assert isinstance(app.screen, GamePage)
            await press(app, "[", "p", "y")
            assert isinstance(app.screen, StartPage)
            assert "Position   your own" in seen(app)
            await click_text(app, "Enter  Play")
            assert position_of(app) == MOVED

    run(test())


@pytest.mark.slow
def test_looking_back_after_the_end_starts_a_game() -> None:
    async def test() -> None:
        async with open_app((100, 30)) as (app, _):
            await click_text(app, "a friend")
            await click_text(app, "Enter  Play")
            await press(app, *"14253", "p")
            assert SAYS("nothing-to-play-from") in seen(app)
            await press(app, "home", "]", "]", "p")
            assert app.screen is start_of(app)
            assert start_of(app).choices.start(new_game("tictactoe")) == "X../O../... X"

    run(test())


def test_review_starts_a_game_before_a_move() -> None:
    async def test() -> None:
        async with open_app((100, 30)) as (app, _):
            await click_text(app, "a friend")
            await click_text(app, "Enter  Play")
            await press(app, *"14253", "v", "p")
            assert app.screen is start_of(app)
            start = start_of(app).choices.start(new_game("tictactoe"))
            assert start is not None

    run(test())


@pytest.mark.slow
def test_command_line_position_opens_the_gallery() -> None:
    async def test() -> None:
        async with open_app(
            (100, 30), start=("connect4", "/".join(["......."] * 5 + ["...X..."]) + " O")
        ) as (
            app,
            _,
        ):
            assert "Position   your own" in seen(app)
            await click_text(app, "a friend")
            await click_text(app, "Enter  Play")
            assert page_of(app).session.latest.turn == "O"

    run(test())
