"""Lists over the screen: languages and commands."""

from itertools import cycle
from unittest.mock import patch

import pytest
from textual.events import MouseScrollDown, MouseScrollUp

from noughts.interfaces.presenting.i18n import LANGUAGES
from noughts.interfaces.tui.app import NoughtsApp
from noughts.interfaces.tui.game.game_page import ALONE
from noughts.interfaces.tui.lobby.start_page import StartPage
from noughts.interfaces.tui.widgets.help import KeyHelpPage, about
from noughts.interfaces.tui.widgets.keys import CHOOSING, EVERYWHERE, KEYS, PLAYING
from noughts.interfaces.tui.widgets.picking import Item, Picker, PointedList, fits
from noughts.interfaces.tui.widgets.spans import LineInput
from noughts.text import display_width
from tests.interfaces.tui.screens import EVERY, click_text, open_app, seen, settle, spoken, text_of
from tests.interfaces.tui.screens import press as press_keys
from tests.running import run

FRUIT = [Item("a", "apple"), Item("b", "berry"), Item("c", "cherry")]


async def press(app: NoughtsApp, *keys: str) -> None:
    await press_keys(app, *keys)
    await settle(app)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("keys", "taken"),
    [
        (["enter"], "b"),
        (["down", "enter"], "c"),
        (["down", "down", "enter"], "a"),
        (["up", "enter"], "a"),
        (["j", "space"], "c"),
        (["k", "k", "enter"], "c"),
        (["pagedown", "enter"], "c"),
        (["pageup", "enter"], "a"),
        (["3"], "c"),
        (["9", "enter"], "b"),
        (["0", "x", "enter"], "b"),
        (["escape"], None),
        (["q"], None),
    ],
)
def test_item_is_picked_by_keys(keys: list[str], taken: str | None) -> None:
    async def test() -> None:
        picked: list[str | None] = []
        async with open_app() as (app, _):
            await app.push_screen(Picker("choose-language", FRUIT, "b"), picked.append)
            await settle(app)
            await press(app, *keys)
            assert picked == [taken]
            assert isinstance(app.screen, StartPage)

    run(test())


@pytest.mark.slow
def test_item_is_picked_by_mouse() -> None:
    async def test() -> None:
        picked: list[str | None] = []
        async with open_app() as (app, pilot):
            await app.push_screen(Picker("choose-language", FRUIT), picked.append)
            await pilot.pause()
            for kind, place in ((MouseScrollDown, 1), (MouseScrollUp, 0), (MouseScrollUp, 2)):
                await pilot._post_mouse_events([kind], "#items", offset=(1, 1))
                assert isinstance(app.screen, Picker)
                assert app.screen.query_one(PointedList).highlighted == place
            await click_text(app, "berry")
            await settle(app)
            assert picked == ["b"]

    run(test())


@pytest.mark.slow
def test_long_list_scrolls_without_numbers() -> None:
    async def test() -> None:
        picked: list[str | None] = []
        items = [Item(str(number), f"item {number}") for number in range(40)]
        async with open_app((24, 12)) as (app, _):
            await app.push_screen(Picker("choose-language", items, "30"), picked.append)
            await settle(app)
            assert "> item 30" in seen(app)
            assert "▲▼" in seen(app)
            await press(app, "3", "down")
            assert "> item 31" in seen(app)
            await press(app, "enter")
            assert picked == ["31"]

    run(test())


@pytest.mark.slow
@pytest.mark.parametrize(("size", "language"), EVERY)
def test_languages_have_their_own_names(size: tuple[int, int], language: str) -> None:
    async def test() -> None:
        async with open_app(size, language) as (app, _):
            await press(app, "L")
            assert {display_width(line) for line in text_of(app)} == {size[0]}
            for name in LANGUAGES.values():
                assert name in seen(app)
            assert f"> {list(LANGUAGES).index(language) + 1} {LANGUAGES[language]}" in seen(app)
            await press(app, "2")
            assert app.say.language == "ru"

    run(test())


@pytest.mark.slow
@pytest.mark.parametrize("size", [(1, 1), (2, 2), (4, 3), (11, 5), (20, 10), (300, 100)])
def test_list_fits_any_size(size: tuple[int, int]) -> None:
    async def test() -> None:
        async with open_app(size) as (app, pilot):
            for key in ("L", "ctrl+p"):
                await press(app, key, "down")
                assert len(text_of(app)) == size[1]
                await pilot.resize_terminal(40, 12)
                await pilot.pause()
                assert len(text_of(app)) == 12
                await press(app, "escape")
                assert isinstance(app.screen, StartPage)
                await pilot.resize_terminal(*size)
                await pilot.pause()

    run(test())


@pytest.mark.slow
@pytest.mark.parametrize("key", ["L", "ctrl+p"])
def test_theme_marks_and_help_work_in_a_list(key: str) -> None:
    async def test() -> None:
        async with open_app((60, 20)) as (app, _):
            await press(app, key, "f2", "f3")
            assert (app.preferences.theme, app.preferences.marks) == ("light", "ascii")
            assert isinstance(app.screen, Picker)
            assert seen(app).isascii() == (key == "ctrl+p")  # Languages are shown in their own names.
            await press(app, "f1")
            assert isinstance(app.screen, KeyHelpPage)
            assert app.say("key-about-find") in seen(app)
            await press(app, "f1", *([key] if key == "ctrl+p" else ["q"]))
            assert isinstance(app.screen, StartPage)

    run(test())


@pytest.mark.slow
@pytest.mark.parametrize("key", ["L", "ctrl+p"])
def test_program_can_be_suspended_in_a_list(key: str) -> None:
    async def test() -> None:
        async with open_app((60, 20)) as (app, _):
            with patch.object(NoughtsApp, "action_suspend_process") as suspended:
                await press(app, key, "ctrl+z")
            assert suspended.call_count == 1

    run(test())


def test_command_palette_replaces_another_list() -> None:
    async def test() -> None:
        async with open_app((60, 20)) as (app, _):
            await press(app, "L", "ctrl+p")
            assert isinstance(app.screen, Picker)
            assert app.screen.query(LineInput)
            await press(app, "ctrl+p")
            assert isinstance(app.screen, StartPage)
            await press(app, "L", "в")
            assert isinstance(app.screen, StartPage)

    run(test())


@pytest.mark.slow
def test_list_frame_uses_ascii_without_unicode() -> None:
    async def test() -> None:
        async with open_app(has_unicode=False) as (app, _):
            await press(app, "ctrl+p")
            assert "╭" not in seen(app)
            assert "+--" in seen(app)

    run(test())


# Commands


@pytest.mark.slow
@pytest.mark.parametrize(("size", "language"), EVERY)
def test_palette_has_all_commands_of_the_screen(size: tuple[int, int], language: str) -> None:
    async def test() -> None:
        async with open_app(size, language) as (app, _):
            for keys, table in (([], CHOOSING), (["enter"], PLAYING)):
                await press(app, *keys, "ctrl+p")
                assert {display_width(line) for line in text_of(app)} == {size[0]}
                commands = app.screen
                assert isinstance(commands, Picker)
                wanted = [
                    key.action for key in (*table, *EVERYWHERE) if key.is_command and key.id not in ALONE
                ]
                assert [item.value for item in commands.items] == wanted
                assert not any(action.startswith("step") for action in wanted)
                if size[0] == 100:
                    assert about(app.say, KEYS["theme"]) in seen(app)
                    assert "F2" in seen(app)
                await press(app, "escape")

    run(test())


@pytest.mark.slow
def test_palette_narrows_and_runs_a_command() -> None:
    async def test() -> None:
        async with open_app((60, 20)) as (app, _):
            themes = cycle(("light", "dark"))
            async for say in spoken(app):
                await press(app, "ctrl+p")
                app.screen.query_one(LineInput).value = say("key-about-theme").upper()
                await settle(app)
                await press(app, "enter")
                assert isinstance(app.screen, StartPage)
                assert app.preferences.theme == next(themes)

    run(test())


@pytest.mark.slow
def test_palette_runs_a_command_of_the_screen_below() -> None:
    async def test() -> None:
        async with open_app() as (app, _):
            await press(app, "ctrl+p", *"sett", "enter")
            page = app.screen
            assert isinstance(page, StartPage)
            assert page.is_setting
            await press(app, "ctrl+p")
            await click_text(app, "help")
            await settle(app)
            assert isinstance(app.screen, KeyHelpPage)

    run(test())


@pytest.mark.slow
def test_palette_command_can_open_another_list() -> None:
    async def test() -> None:
        async with open_app() as (app, _):
            await press(app, "ctrl+p", *"langu", "enter")
            await settle(app)
            await press(app, "3")
            assert app.say.language == "zh-Hans"
            await press(app, "f1", "ctrl+p", "escape", "escape", "q")
            assert not app.is_running

    run(test())


def test_palette_without_match_shows_a_message() -> None:
    async def test() -> None:
        async with open_app((60, 20)) as (app, _):
            await press(app, "ctrl+p", *"qqqq", "down", "enter")
            assert isinstance(app.screen, Picker)
            async for say in spoken(app):
                assert say("nothing-fits") in seen(app)
            await press(app, "escape")
            assert isinstance(app.screen, StartPage)

    run(test())


@pytest.mark.slow
def test_pasted_control_characters_are_dropped() -> None:
    async def test() -> None:
        async with open_app() as (app, _):
            await press(app, "ctrl+p")
            app.screen.query_one(LineInput).value = "\x1b[31mhe\u202elp\n"
            await settle(app)
            assert "\x1b" not in seen(app)
            assert app.screen.query_one(LineInput).value == "[31mhelp"

    run(test())


@pytest.mark.parametrize("key", ["ctrl+c", "ctrl+q"])
def test_program_can_be_left_from_a_list(key: str) -> None:
    async def test() -> None:
        async with open_app() as (app, _):
            await press(app, "L", key)
            assert not app.is_running

    run(test())


@pytest.mark.slow
def test_fits_needs_every_word() -> None:
    assert fits("light or dark theme", "")
    assert fits("light or dark theme", "DARK light")
    assert not fits("light or dark theme", "dark lights")
