"""The search of the gallery, and custom boards."""

import pytest

from noughts.games.catalogue import all_entries
from noughts.interfaces.presenting.i18n import LANGUAGES
from noughts.interfaces.tui.lobby.start_page import StartPage
from noughts.interfaces.tui.widgets.spans import LineInput
from tests.interfaces.tui.gallery import NAMES, check, interrupted, page_of, played, press, recorded
from tests.interfaces.tui.screens import SIZES, click_text, open_app, seen, settle, spoken
from tests.running import run


@pytest.mark.slow
def test_game_is_found_by_its_words() -> None:
    async def test() -> None:
        async with open_app((60, 20)) as (app, _):
            languages = spoken(app)
            for name in ("gomoku", "reversi", "ultimate", "qubic"):
                say = await anext(languages)
                await press(app, "slash")
                page_of(app).query_one(LineInput).value = say(f"title-{name}").upper()
                await settle(app)
                assert page_of(app).shown[0].name == name
                assert len(page_of(app).shown) < 3
                await press(app, "enter")
                assert len(page_of(app).shown) == len(NAMES)
                assert (await played(app, "enter")).game == name

    run(test())


@pytest.mark.slow
def test_typing_narrows_the_games() -> None:
    async def test() -> None:
        async with open_app() as (app, _):
            await press(app, "slash", *"fall")
            assert [choice.name for choice in page_of(app).shown] == ["connect4", "score4"]
            await press(app, "down", "enter")
            assert page_of(app).shelf.chosen == "connect4"
            await press(app, "slash", *"fall")
            await click_text(app, "Score Four")
            assert page_of(app).shelf.chosen == "score4"
            plan = await played(app, "enter", "enter")
            assert plan.game == "score4"

    run(test())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("typed", "game"),
    [
        ("7x7:4,gravity", "7x7:4,gravity"),
        ("5x5x5:4", "5x5x5:4"),
        ("7 х 7:4", "7x7:4"),
        ("7×7", "7x7:7"),
        ("3x3:3", "tictactoe"),
        ("15x15:5,exact", "gomoku-standard"),
    ],
)
def test_custom_board_is_found_by_description(typed: str, game: str) -> None:
    async def test() -> None:
        async with open_app((60, 20)) as (app, _):
            await press(app, "slash")
            page_of(app).query_one(LineInput).value = typed
            await settle(app)
            await press(app, "enter")
            assert (await played(app, "enter")).game == game
            assert app.preferences.game == game
        async with open_app((60, 20), preferences=app.preferences) as (app, _):
            assert (await played(app, "enter")).game == game

    run(test())


WRONG = {
    "3x3:9": "3",
    "7x7:4,sideways": "sideways",
    "1000x1000:5": "10000",
    "9x": "7x6:4,gravity",
    "nothing of the kind": "7x6:4,gravity",
    "999999999x999999999": "",
    "7x7:4,\x1b[31m\u202e": "[31m",
    "3x3:3,players=9999999": "",
}


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_unknown_game_shows_a_message(language: str) -> None:
    async def test() -> None:
        async with open_app((100, 30), language) as (app, _):
            await press(app, "slash")
            page = page_of(app)
            for typed, part in WRONG.items():
                page.query_one(LineInput).value = typed
                await settle(app)
                assert page.shown == []
                assert page.message is not None
                assert part in page.message(app.say)
                assert len(page.message(app.say)) > 5
                check(app, (100, 30))
            await press(app, "enter", "down", "up")
            assert page.is_typing
            await press(app, "escape")
            assert page_of(app).message is None
            assert len(page_of(app).shown) == len(NAMES)

    run(test())


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES.values())
def test_escape_restores_the_previous_choice(size: tuple[int, int]) -> None:
    async def test() -> None:
        async with open_app(size) as (app, _):
            await press(app, "right")
            before = seen(app)
            for typed in ("7x7", "gom", "zzz"):
                await press(app, "slash", *typed, "escape")
                assert seen(app) == before
            assert (await played(app, "enter")).game == "connect4"

    run(test())


def test_clicked_custom_board_stays_in_gallery() -> None:
    async def test() -> None:
        async with open_app() as (app, _):
            await press(app, "slash", *"7x7")
            with recorded(app) as plans:
                await click_text(app, "[ Enter")
            assert [plan.game for plan in plans] == ["7x7:7"]
            assert not page_of(app).is_typing
            assert page_of(app).shelf.chosen == "7x7:7"

    run(test())


@pytest.mark.slow
def test_failed_search_starts_no_game() -> None:
    async def test() -> None:
        async with open_app() as (app, _):
            await press(app, "slash", *"zzz")
            assert "[ Enter" not in seen(app)
            with recorded(app) as plans:
                await press(app, "ctrl+p", *"play", "enter")
            assert not plans
            assert "No game has that name" in seen(app)

    run(test())


@pytest.mark.slow
def test_clicked_setting_ends_the_search() -> None:
    async def test() -> None:
        async with open_app() as (app, _):
            await press(app, "slash", *"gom")
            await click_text(app, "Name ")
            await press(app, "ctrl+u", *"Ada", "enter")
            assert app.preferences.names == ("Ada",)
            assert page_of(app).shelf.chosen == "gomoku"
            assert f"1-9 of {len(all_entries())}" in seen(app)

    run(test())


@pytest.mark.slow
def test_continuing_ends_the_search() -> None:
    async def test() -> None:
        async with open_app(store=interrupted()) as (app, _):
            await press(app, "slash", *"gom", "ctrl+p", *"continue", "enter")
            assert not isinstance(app.screen, StartPage)
            await press(app, "escape")
            assert not page_of(app).is_typing
            assert page_of(app).shelf.chosen == "tictactoe"

    run(test())
