"""Keys that arrive together: each waits until the one before it was handled."""

import asyncio
from random import Random
from typing import Any

import pytest

from noughts.interfaces.presenting.preferences import Preferences
from noughts.interfaces.tui.game.game_page import GamePage
from noughts.interfaces.tui.lobby.start_page import StartPage
from noughts.interfaces.tui.widgets.picking import Picker
from tests.interfaces.harness import DONE, EN, PATIENCE, Program
from tests.interfaces.pseudo_terminal import PseudoTerminal
from tests.interfaces.tui.screens import open_app, press, seen, send, settle
from tests.interfaces.tui.table import SlowThinker
from tests.running import run
from tests.stand_ins import MemoryStore

pytestmark = pytest.mark.slow

OPENING = ("enter", "f1", "ctrl+p", "L", "slash", "tab", "g", "question_mark", "v")
LEAVING = ("q", "escape", "escape", "enter", "n", "y")
PLAYING = (*"123456789", "up", "down", "left", "right", "u", "r", "d", "b", "t", "left_square_bracket", "c")


def around() -> dict[str, Any]:
    """Two people without searches, so that neither chance nor the clock decides."""
    preferences = Preferences(opponent="human", names=("Ada", "Wei"))
    return {"store": MemoryStore(), "preferences": preferences, "thinker": SlowThinker()}


@pytest.mark.parametrize("seed", range(2))
def test_keys_in_one_piece_are_handled_in_order(seed: int) -> None:
    chance = Random(seed)
    kinds = (OPENING, LEAVING, PLAYING)
    keys = [chance.choice(chance.choice(kinds)) for _ in range(50)]

    async def outcome(*, at_once: bool) -> Any:
        facts = around()
        async with open_app((60, 20), **facts) as (app, _):
            if at_once:
                send(app, *keys)
                await settle(app)
            else:
                for key in keys:
                    if app.screen.is_attached:
                        await press(app, key)
            screen = seen(app) if app.screen.is_attached else "left"
        return screen, [(game.setup.game, game.events) for game in facts["store"].games()]

    assert run(outcome(at_once=True)) == run(outcome(at_once=False)), keys


@pytest.mark.parametrize(
    ("keys", "language"),
    [("L 2", "ru"), ("L q", "en"), ("f1 q q", "en"), ("ctrl+p q escape", "en"), ("f1 L 2 q", "ru")],
)
def test_keys_for_an_opening_screen_wait(keys: str, language: str) -> None:
    async def test() -> None:
        async with open_app((60, 20), **around()) as (app, _):
            send(app, *keys.split())
            await settle(app)
            assert app.say.language == language
            assert not app.screen.is_attached or isinstance(app.screen, StartPage)

    run(test())


def test_typing_after_the_palette_goes_into_it() -> None:
    async def test() -> None:
        async with open_app((60, 20), **around()) as (app, _):
            send(app, "enter", "ctrl+p", *"ry")
            await settle(app)
            assert isinstance(app.screen, Picker)
            assert app.screen._query == "ry"
            (page,) = (screen for screen in app.screen_stack if isinstance(screen, GamePage))
            assert page.session.question is None
            assert page.session.table.is_playing

    run(test())


def test_key_waits_for_a_slow_one(monkeypatch: pytest.MonkeyPatch) -> None:
    may_open = asyncio.Event()

    async def wait(picker: Picker) -> None:
        await may_open.wait()

    monkeypatch.setattr(Picker, "on_mount", wait, raising=False)

    async def test() -> None:
        async with open_app((60, 20), **around()) as (app, _):
            send(app, "enter", "ctrl+p", *"ry")
            for _ in range(20_000):  # The list for these keys is still being opened.
                await asyncio.sleep(0)
            assert app.input_queue.count == 3
            may_open.set()
            await settle(app)
            assert isinstance(app.screen, Picker)
            assert app.screen._query == "ry"

    run(test())


def test_key_after_enter_reaches_the_game() -> None:
    async def test() -> None:
        facts = around()
        async with open_app((60, 20), **facts) as (app, _):
            send(app, "slash", *"conn", "enter", "enter", *"44", "g", *"3", "enter", "enter")
            await settle(app)
            (stored,) = facts["store"].games()
            assert stored.setup.game == "connect4"
            assert [event.data["move"] for event in stored.events] == ["4", "4", "3"]

    run(test())


@pytest.mark.parametrize("keys", ["enter", "ctrl+p", "f1", "enter L", "enter q"])
def test_program_can_end_while_a_screen_opens(keys: str) -> None:
    async def test() -> None:
        async with open_app((60, 20), **around()) as (app, pilot):
            send(app, *keys.split())
            app.call_later(app.action_leave_program)  # A signal does the same.
            await pilot.pause()
        assert app._exception is None

    run(test())


@pytest.mark.parametrize("keys", ["\r514qq", "\x1bOPqq"])
def test_keys_in_one_piece_in_real_terminal(program: Program, keys: str) -> None:
    with PseudoTerminal.opened(program, size=(100, 30)) as terminal:
        while EN("start-title").encode() not in terminal.raw:
            assert terminal.is_ready(PATIENCE)
            assert terminal.read()
        terminal.type(keys + "\x11")  # Ctrl-Q works wherever the other keys have led.
        assert terminal.finish() == DONE
        assert b"Traceback" not in terminal.raw
