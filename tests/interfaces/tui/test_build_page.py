"""Custom boards in the full screen: by steps and ticks, by clicks, and by typing."""

from itertools import cycle

import pytest

from noughts.interfaces.presenting.i18n import LANGUAGES
from noughts.interfaces.tui.lobby.build_page import BuildPage
from noughts.interfaces.tui.widgets.spans import LineInput
from tests.interfaces.tui.gallery import page_of, played
from tests.interfaces.tui.screens import click_text, open_app, press, seen, settle, text_of
from tests.interfaces.tui.table import assert_fits
from tests.running import run


def built(app: object) -> BuildPage:
    page = app.screen  # type: ignore[attr-defined]
    assert isinstance(page, BuildPage)
    return page


async def type_in(app: object, text: str) -> None:
    await press(app, "slash")  # type: ignore[arg-type]
    built(app).query_one(LineInput).value = text
    await settle(app)  # type: ignore[arg-type]


def test_board_is_built_by_keys_and_played() -> None:
    async def test() -> None:
        async with open_app((80, 24)) as (app, _):
            await press(app, "o")
            assert built(app).rules.spec == "3x3:3"
            await press(app, "down", *["right"] * 4, "down", "plus", "l", "plus", "down", "right")
            assert built(app).rules.spec == "7x6:4"
            assert "Connect Four" not in seen(app)
            await press(app, *["down"] * 3, "space")
            assert built(app).rules.spec == "7x6:4,gravity"
            assert "Connect Four" in seen(app)
            assert "42 cells" in seen(app)
            await press(app, "space", "k", "k", "k", "minus", "home", "end", "enter")
            assert page_of(app).shelf.chosen == "7x6:3"
            assert page_of(app).is_setting
            assert (await played(app, "enter")).game == "7x6:3"

    run(test())


@pytest.mark.slow
def test_impossible_change_shows_its_reason() -> None:
    async def test() -> None:
        async with open_app((100, 30)) as (app, _):
            await press(app, "o")
            await type_in(app, "7x6:4,gravity")
            await press(app, "enter", "end")
            assert "cannot be combined with: Marks fall" in seen(app)
            await press(app, "space", "left", "right")
            assert built(app).rules.spec == "7x6:4,gravity"
            await type_in(app, "100x100:5")
            await press(app, "enter", "home", "down", "right")
            assert built(app).rules.spec == "100x100:5"
            assert "10000" in seen(app).replace(",", "")
            await press(app, "up")
            assert not built(app).refused
            await type_in(app, "1:1")
            await press(app, "enter", "home", "left")
            assert (built(app).rules.spec, built(app).refused) == ("1:1", None)

    run(test())


def test_typed_board_is_drawn_at_once() -> None:
    async def test() -> None:
        async with open_app((60, 20)) as (app, _):
            await press(app, "o")
            await type_in(app, "4x4:4")
            assert built(app).rules.spec == "4x4:4"
            for wrong in ("4x4:9", "nothing", "reversi", "1000x1000:5"):
                built(app).query_one(LineInput).value = wrong
                await settle(app)
                assert built(app).refused
                await press(app, "enter")
                assert built(app).is_typing
            await press(app, "escape")
            assert not built(app).is_typing
            assert built(app).rules.spec == "3x3:3"
            await type_in(app, "connect4")
            await press(app, "enter", "q")
            assert page_of(app).shelf.chosen == "tictactoe"

    run(test())


def test_mouse_builds_a_board() -> None:
    async def test() -> None:
        async with open_app((80, 24)) as (app, _):
            await click_text(app, "build")
            await click_text(app, "Width")
            assert built(app).row == 1
            built(app).action_nudge(1, 1)
            built(app).action_nudge(99, 1)
            await settle(app)
            assert built(app).rules.spec == "4x3:3"
            await click_text(app, "A row loses")
            assert built(app).rules.spec == "4x3:3,misere"
            built(app).action_roll(1)
            await click_text(app, "4x3:3,misere")
            assert built(app).is_typing
            await press(app, "escape", "escape")
            assert page_of(app).shelf.chosen == "tictactoe"

    run(test())


@pytest.mark.slow
def test_other_rules_start_with_default_board() -> None:
    async def test() -> None:
        async with open_app() as (app, _):
            await press(app, "slash", *"reversi", "enter", "o")
            assert built(app).rules.spec == "5x5:4"

    run(test())


def test_failed_search_stays_open() -> None:
    async def test() -> None:
        async with open_app() as (app, _):
            await press(app, "slash", *"nothing")
            page_of(app).action_build()
            assert app.screen is page_of(app)

    run(test())


WINDOWS = ((20, 3), (24, 12), (40, 12), (60, 20), (100, 12), (240, 70))


@pytest.mark.slow
@pytest.mark.parametrize(("size", "language"), list(zip(WINDOWS, cycle(LANGUAGES), strict=False)))
def test_build_page_fits_every_window(language: str, size: tuple[int, int]) -> None:
    async def test() -> None:
        async with open_app(size, language, has_unicode=language != "en") as (app, _):
            await press(app, "o")
            for spec in ("3x3x3x3x3:3", "15x15:5,renju"):
                await type_in(app, spec)
                await press(app, "enter")
                for key in ("home", "end", "space", "up"):
                    await press(app, key)
                    assert_fits(app)
                    if language == "en":
                        assert "".join(text_of(app)).isascii()

    run(test())
