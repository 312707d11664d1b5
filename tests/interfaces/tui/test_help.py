"""Help lists every key of the screen below, in every language and window."""

from dataclasses import replace
from unittest.mock import patch

import pytest
from textual.events import MouseScrollDown, MouseScrollUp

from noughts.interfaces.presenting.i18n import LANGUAGES, Translator
from noughts.interfaces.tui.app import NoughtsApp
from noughts.interfaces.tui.game.game_page import ALONE
from noughts.interfaces.tui.lobby.start_page import StartPage
from noughts.interfaces.tui.widgets.base_app import in_ascii_signs
from noughts.interfaces.tui.widgets.help import SIGNS, KeyHelpPage, about, key_lines, short, sign_lines
from noughts.interfaces.tui.widgets.keys import CHOOSING, EVERYWHERE, PLAYING, Key
from noughts.interfaces.tui.widgets.spans import LinesView, width_of
from noughts.text import display_width
from tests.interfaces.tui.screens import EVERY, click_text, open_app, press, seen, settle, text_of
from tests.running import run


def squeezed(text: str) -> str:
    return "".join(text.split())


async def read_through(app: NoughtsApp) -> str:
    """Return the help text, line by line."""
    page = app.screen
    assert isinstance(page, KeyHelpPage)
    lines: list[str] = []
    for _ in range(200):
        lines.append(seen(app))
        before = page.first
        await press(app, "down")
        if page.first == before:
            return "\n".join(lines)
    raise AssertionError("help has no end")


@pytest.mark.slow
@pytest.mark.parametrize(("size", "language"), EVERY)
@pytest.mark.parametrize("keys", [[], ["enter"]])
def test_help_lists_every_key(size: tuple[int, int], language: str, keys: list[str]) -> None:
    async def test() -> None:
        async with open_app(size, language) as (app, _):
            await press(app, *keys, "f1")
            assert {display_width(line) for line in text_of(app)} == {size[0]}
            text = squeezed(await read_through(app))
            say = app.say
            for key in (*(PLAYING if keys else CHOOSING), *EVERYWHERE):
                if key.id in ALONE:
                    continue
                assert squeezed(key.shown(say)) in text, key
                if not (key.is_step or key.variant):
                    word = about(say, key) if size[0] >= 40 else short(say, key)
                    if size[0] == 100:  # In narrower windows a wrapped line is between other words.
                        assert all(piece in text for piece in word.split()), key
            for id_, sign in SIGNS.items():
                assert sign in text, id_

    run(test())


@pytest.mark.slow
def test_help_combines_direction_keys() -> None:
    async def test() -> None:
        async with open_app() as (app, _):
            await press(app, "f1")
            assert "h j k l" in seen(app)
            assert "layer" not in seen(app)
            await press(app, "f1", "enter", "f1")
            assert "PgUp PgDn  layer" in seen(app)

    run(test())


@pytest.mark.slow
def test_help_lists_leaving_answering_and_suspending() -> None:
    async def test() -> None:
        async with open_app() as (app, _):
            for keys in ([], ["enter"]):
                await press(app, *keys, "f1")
                for key in ("Esc", "Ctrl-C", "Ctrl-Z", "also Ctrl-Q", "Russian keyboard"):
                    assert key in seen(app), key
                assert ("y n" in seen(app), "also Space" in seen(app)) == (bool(keys), bool(keys))
                await press(app, "escape")

    run(test())


@pytest.mark.slow
def test_new_key_appears_in_help() -> None:
    class Changed(StartPage, keys=(*CHOOSING, replace(CHOOSING[0], cap="Ctrl-Shift-F11"))):
        """The first screen with one more key."""

    async def test() -> None:
        async with open_app() as (app, _):
            await app.push_screen(Changed())
            await press(app, "f1")
            assert "Ctrl-Shift-F11" in seen(app)

    run(test())


@pytest.mark.slow
@pytest.mark.parametrize("key", ["escape", "q", "f1", "в", "enter"])
def test_help_can_be_closed(key: str) -> None:
    async def test() -> None:
        async with open_app((60, 20)) as (app, _):
            before = seen(app)
            await press(app, "f1")
            assert "Help" in seen(app)
            await press(app, key)
            await settle(app)
            assert seen(app) == before

    run(test())


@pytest.mark.slow
def test_help_scrolls_by_keys_and_pages() -> None:
    async def test() -> None:
        async with open_app((24, 12)) as (app, pilot):
            await press(app, "f1")
            page = app.screen
            assert isinstance(page, KeyHelpPage)
            top = seen(app)
            assert "▼" in top
            await press(app, "up", "pageup")
            assert seen(app) == top
            await press(app, "pagedown")
            assert page.first == page._seen
            assert "▲" in seen(app)
            await press(app, *["pagedown"] * 9)
            assert "▼" not in seen(app)
            assert page.first == page._most
            await press(app, "home")
            assert seen(app) == top
            await press(app, "end")
            assert page.first == page._most
            await press(app, *["pageup"] * 9, "j", "k", "space")
            assert page.first == 1
            await pilot.resize_terminal(100, 30)
            await pilot.pause()
            assert page.first == 0
            assert "▼" not in seen(app)

    run(test())


def test_help_scrolls_by_wheel_and_footer() -> None:
    async def test() -> None:
        async with open_app((24, 12)) as (app, pilot):
            await press(app, "f1")
            page = app.screen
            assert isinstance(page, KeyHelpPage)
            sheet = page.query_one("#sheet", LinesView)
            await sheet.run_action("screen.roll(1)")
            assert page.first == 1
            with patch.object(page, "action_roll") as scrolled:
                await pilot._post_mouse_events([MouseScrollDown], "#sheet", offset=(2, 2))
                await pilot._post_mouse_events([MouseScrollUp], "#sheet", offset=(2, 2))
            assert [call.args for call in scrolled.call_args_list] == [(1, False), (-1, False)]
            await click_text(app, "Esc")
            await settle(app)
            assert isinstance(app.screen, StartPage)

    run(test())


@pytest.mark.slow
@pytest.mark.parametrize("size", [(1, 1), (2, 2), (5, 5), (20, 10), (300, 100)])
def test_help_fits_any_size(size: tuple[int, int]) -> None:
    async def test() -> None:
        async with open_app(size) as (app, _):
            await press(app, "f1", "down", "down")
            assert len(text_of(app)) == size[1]

    run(test())


@pytest.mark.slow
def test_help_changes_its_language() -> None:
    async def test() -> None:
        async with open_app() as (app, _):
            await press(app, "f1", "L", "4")
            await settle(app)
            assert "說明" in seen(app)

    run(test())


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_help_lines_fit_their_width(language: str) -> None:
    say = Translator(language)
    keys: list[Key] = [*PLAYING, *EVERYWHERE]
    for width in (1, 7, 19, 24, 40, 60, 96, 200):
        lines = key_lines(say, keys, width)
        assert width < 40 or len(sign_lines(say, width)) < len(SIGNS)
        assert width < 24 or all(width_of(line) <= width for line in lines)
        assert width < 200 or len(lines) == (len(keys) + 1) // 2


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_help_words_are_whole_in_smallest_window(language: str) -> None:
    say = Translator(language)
    for width in (20, 24):
        lines = [*key_lines(say, [*PLAYING, *EVERYWHERE], width), *sign_lines(say, width)]
        assert max(map(width_of, lines)) <= width
        assert "…" not in "".join(bit.text for line in lines for bit in line)
        assert (
            squeezed("".join(bit.text for line in lines for bit in line)).count(squeezed(say("key-draw")))
            == 1
        )


@pytest.mark.slow
def test_help_signs_without_unicode() -> None:
    shown = [in_ascii_signs(bit.text) for line in sign_lines(Translator("en"), 200) for bit in line]
    assert "<.>" in shown
    assert all(text.isascii() for text in shown)
