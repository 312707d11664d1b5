"""The first screen: choosing a game in any window, starting it, leaving."""

from math import inf
from typing import Any

import pytest
from textual.events import MouseScrollDown, MouseScrollUp

from noughts.arena.clock import UNTIMED
from noughts.arena.series import Begins
from noughts.interfaces.presenting.game_plan import HUMAN
from noughts.interfaces.presenting.i18n import LANGUAGES, Translator
from noughts.interfaces.presenting.players import strength
from noughts.interfaces.presenting.preferences import Preferences
from noughts.interfaces.tui.lobby.start_page import StartPage
from noughts.interfaces.tui.widgets.spans import LineInput
from noughts.text import display_width
from noughts.workers.messages import PendingResult, TaskFailure, TaskResult
from tests.interfaces.tui.gallery import (
    NAMES,
    check,
    interrupted,
    page_of,
    played,
    press,
    recorded,
    resize,
)
from tests.interfaces.tui.screens import EVERY, SIZES, click_text, open_app, seen, settle, spoken, text_of
from tests.running import run
from tests.stand_ins import ThinkingHere

# Display


@pytest.mark.slow
@pytest.mark.parametrize(("size", "language"), EVERY)
def test_every_game_is_shown_in_every_window(size: tuple[int, int], language: str) -> None:
    async def test() -> None:
        async with open_app(size, language) as (app, _):
            await press(app, "home")
            window = EVERY.index((size, language))
            for place, name in enumerate(NAMES):
                text = check(app, size)
                assert app.say(f"title-{name}")[: size[0] - 4] in text
                assert page_of(app).shown[page_of(app).shelf.place(page_of(app).shown)].name == name
                if (place + window) % 3 == 0:  # Its settings take a third of them.
                    await press(app, "tab")
                    check(app, size)
                    await press(app, "tab")
                await press(app, "right")

    run(test())


@pytest.mark.slow
def test_gallery_matches_the_sketches() -> None:
    async def test() -> None:
        for size, parts in (
            (
                (100, 30),
                ["Choose a board", "1-9 of 24", "┏   X", "┗     │", "3 in a row", "┃ Tic-tac-toe"],
            ),
            (
                (100, 30),
                ["With best play, a draw.", "(•) the computer", "Computer   level 4", "[ Enter  Play ]"],
            ),
            ((60, 20), ["1-6 of 24", "the computer, level 4   X, begins", "Enter play", "F1 help"]),
            ((24, 12), ["> Tic-tac-toe", "▼ 19 more", "the computer, level 4", "Enter play  F1  q"]),
        ):
            async with open_app(size) as (app, _):
                for part in parts:
                    assert part in seen(app), part

    run(test())


@pytest.mark.slow
def test_gallery_without_unicode_is_ascii() -> None:
    async def test() -> None:
        for size in SIZES.values():
            async with open_app(size, has_unicode=False) as (app, _):
                text = check(app, size)
                assert text.isascii(), text
                assert "▼" not in text
                assert "┃" not in text

    run(test())


SHAPES = [
    (1, 1),
    (2, 1),
    (300, 100),
    (1, 100),
    (300, 1),
    (20, 10),
    (39, 13),
    (40, 14),
    (83, 30),
    (84, 22),
    (5, 2),
]


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_gallery_fits_any_size(language: str) -> None:
    async def test() -> None:
        async with open_app((60, 20), language) as (app, pilot):
            before = seen(app)
            for place, keys in enumerate(([], ["tab"], ["escape", "slash", "x"])):
                await press(app, *keys)
                half = (place + list(LANGUAGES).index(language)) % 2
                for size in SHAPES[half::2]:
                    await resize(app, pilot, *size)
                    assert len(text_of(app)) == size[1]
                    if size[0] > 2:
                        assert {display_width(line) for line in text_of(app)} == {size[0]}
            await press(app, "escape")
            page_of(app)._choose("tictactoe")
            await resize(app, pilot, 60, 20)
            assert seen(app) == before

    run(test())


@pytest.mark.slow
def test_choice_stays_visible_after_resize() -> None:
    async def test() -> None:
        async with open_app((100, 30)) as (app, pilot):
            page_of(app)._choose("reversi")
            for size in ((60, 20), (24, 12), (20, 10), (100, 30), (20, 5)):
                await resize(app, pilot, *size)
                assert "Reversi" in seen(app)

    run(test())


# Choosing a game


@pytest.mark.slow
def test_enter_plays_against_the_computer() -> None:
    async def test() -> None:
        async with open_app() as (app, _):
            plan = await played(app, "enter")
            assert (plan.game, plan.who, plan.names) == (
                "tictactoe",
                [HUMAN, "level:4"],
                ["Player", "level:4"],
            )
            assert (plan.series, plan.begins, plan.clock) == (True, Begins.ALTERNATE, UNTIMED)

    run(test())


@pytest.mark.slow
def test_enter_opens_the_board() -> None:
    async def test() -> None:
        async with open_app() as (app, _):
            await press(app, "enter")
            assert not isinstance(app.screen, StartPage)
            assert app.preferences.game == "tictactoe"

    run(test())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("keys", "game"),
    [
        ("right", "connect4"),
        ("l l", "reversi"),
        ("right left", "tictactoe"),
        ("left", "gomoku"),
        ("left left", "gomoku"),
        ("up", "tictactoe"),
        ("down", "ultimate"),
        ("j k", "tictactoe"),
        ("l h", "tictactoe"),
        ("down down down down down down down", "order-and-chaos"),
        ("right right down down down down down down down", "pentago"),
        ("down down down down down down down down up", "three"),
        ("end", "fifteen"),
        ("end home", "gomoku"),
        ("right pagedown", "3d"),
        ("pagedown pagedown pagedown", "fifteen"),
        ("end pageup pageup pageup", "gomoku"),
    ],
)
def test_arrows_choose_a_game(keys: str, game: str) -> None:
    async def test() -> None:
        async with open_app() as (app, _):
            assert (await played(app, *keys.split(), "enter")).game == game

    run(test())


@pytest.mark.slow
def test_click_chooses_and_second_click_plays() -> None:
    async def test() -> None:
        async with open_app() as (app, _):
            with recorded(app) as plans:
                await click_text(app, "Connect Four")
                assert not plans
                assert page_of(app).shelf.chosen == "connect4"
                await click_text(app, "marks fall")
            assert [plan.game for plan in plans] == ["connect4"]

    run(test())


@pytest.mark.slow
def test_click_chooses_a_listed_game() -> None:
    async def test() -> None:
        async with open_app((24, 12)) as (app, _):
            await click_text(app, "Ultimate")
            assert "> Ultimate" in seen(app)
            await click_text(app, "more")
            assert "> Qubic" in seen(app)
            page_of(app)._choose("fifteen")
            await click_text(app, "▲")
            assert "> Order and Chaos" in seen(app)

    run(test())


@pytest.mark.slow
def test_wheel_moves_through_the_pictures() -> None:
    async def test() -> None:
        async with open_app() as (app, _):
            for kind, game in (
                (MouseScrollDown, "ultimate"),
                (MouseScrollUp, "tictactoe"),
                (MouseScrollUp, "tictactoe"),
            ):
                sheet = app.screen.query_one("#pictures")
                sheet.post_message(kind(sheet, 5, 5, 0, 0, 0, False, False, False))
                await settle(app)
                assert page_of(app).shelf.chosen == game

    run(test())


def test_click_on_missing_picture_does_nothing() -> None:
    async def test() -> None:
        async with open_app() as (app, _):
            with recorded(app) as plans:
                page_of(app).action_choose(99)
            assert not plans

    run(test())


# Computers that must be asked first


@pytest.mark.slow
def test_computer_that_plays_the_game_starts() -> None:
    async def test() -> None:
        async with open_app(preferences=Preferences(opponent="perfect")) as (app, _):
            assert (await played(app, "enter")).who == [HUMAN, "perfect"]

    run(test())


@pytest.mark.slow
@pytest.mark.usefixtures("compiled")
def test_computer_that_declines_shows_its_reason() -> None:
    async def test() -> None:
        async with open_app(preferences=Preferences(opponent="perfect", game="gomoku")) as (app, _):
            with recorded(app) as plans:
                await press(app, "enter")
            assert not plans
            message = page_of(app).message
            assert message is not None
            async for say in spoken(app):
                text = message(say)
                for word in (strength(say, "perfect"), strength(say, "level:10"), say("title-gomoku")):
                    assert word in text
                assert "level:10" not in text
                assert text.endswith(say("start-other-player"))
                check(app, (100, 30))

    run(test())


class Slow(ThinkingHere):
    """A thinker that stores its tasks."""

    def __init__(self) -> None:
        super().__init__()
        self.thoughts: list[PendingResult] = []

    def ask(self, task: Any, *arguments: Any, on_message: Any, patience: float = inf) -> PendingResult:
        self.thoughts.append(PendingResult(on_message))
        return self.thoughts[-1]


def test_waiting_for_a_computer_can_be_cancelled() -> None:
    async def test() -> None:
        thinker = Slow()
        async with open_app(preferences=Preferences(opponent="perfect"), thinker=thinker) as (app, _):
            with recorded(app) as plans:
                await press(app, "enter", "enter")
                assert "Computer (perfect) is looking at the board" in seen(app)
                assert len(thinker.thoughts) == 1
                await press(app, "escape")
                assert thinker.thoughts[0].is_over
                assert app.is_running
                await press(app, "enter", "right", "left", "enter")
                assert thinker.thoughts[1].is_over
                thinker.thoughts[2].deliver(TaskFailure("gone"))
                await settle(app)
                assert "perfect" in page_of(app).message(app.say)  # type: ignore[misc]
                assert not plans
                await press(app, "enter")
                thinker.thoughts[3].deliver(TaskResult(None))
                await settle(app)
            assert [plan.who for plan in plans] == [[HUMAN, "perfect"]]

    run(test())


@pytest.mark.slow
def test_continued_game_cancels_waiting() -> None:
    async def test() -> None:
        thinker = Slow()
        preferences = Preferences(opponent="perfect")
        async with open_app(preferences=preferences, thinker=thinker, store=interrupted()) as (app, _):
            await press(app, "enter", "c", "q")
            thinker.thoughts[0].deliver(TaskResult(None))
            await settle(app)
            assert page_of(app).message is None
            assert app.screen is page_of(app)

    run(test())


# Leaving, language and help


@pytest.mark.slow
@pytest.mark.parametrize("key", ["q", "Q", "в", "В", "й", "ctrl+c"])
def test_program_can_be_left(key: str) -> None:
    async def test() -> None:
        async with open_app() as (app, _):
            await press(app, key)
            assert not app.is_running

    run(test())


@pytest.mark.slow
def test_language_changes_everything() -> None:
    async def test() -> None:
        async with open_app((60, 20)) as (app, _):
            await press(app, "c", "L", "2")
            say = Translator("ru")
            assert say("start-title") in seen(app)
            assert say("start-nothing-to-continue") in seen(app)
            assert app.preferences.language == "ru"
            await press(app, "slash", "L")
            assert page_of(app).query_one(LineInput).value == "L"

    run(test())


@pytest.mark.slow
def test_unnamed_player_has_translated_name() -> None:
    async def test() -> None:
        async with open_app(language="ru", preferences=Preferences(opponent=HUMAN)) as (app, _):
            await press(app, "enter", "5", "1", "L", "3")
            assert "2 号玩家" in seen(app)
            assert "Игрок" not in seen(app)
            await press(app, "q", "L", "1")
            assert "Player 1," in seen(app)
            assert list(next(app.services.store.games()).setup.seats.values()) == ["Игрок 1", "Игрок 2"]

    run(test())


@pytest.mark.slow
def test_theme_and_marks_change() -> None:
    async def test() -> None:
        async with open_app() as (app, _):
            await press(app, "f2", "f3")
            assert (app.preferences.theme, app.preferences.marks) == ("light", "ascii")
            assert "┃" not in seen(app)

    run(test())
