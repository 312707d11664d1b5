"""The first screen: choosing a game, setting it up, looking for one, going on, in any window."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import pytest
from babel.messages.pofile import read_po
from textual.events import MouseScrollDown, MouseScrollUp
from textual.pilot import Pilot

from noughts.arena.clock import UNTIMED, Clock
from noughts.arena.match import MakeMove, Resign
from noughts.arena.series import Begins, Series
from noughts.arena.sitting import Sitting
from noughts.arena.store import MemoryStore, StoredGame
from noughts.arena.thinking import Answer, Failure, ThinkingHere
from noughts.arena.thought import Thought
from noughts.errors import DamagedStore
from noughts.games.catalogue import CATALOGUE
from noughts.interfaces.i18n import LANGUAGES, Translator
from noughts.interfaces.naming import strength
from noughts.interfaces.planning import HUMAN, Plan
from noughts.interfaces.preferences import Preferences
from noughts.interfaces.tui.app import NoughtsApp
from noughts.interfaces.tui.field import Field
from noughts.interfaces.tui.start import StartPage
from noughts.text import display_width
from tests.interfaces.harness import squeezed
from tests.interfaces.messages import SOURCE
from tests.interfaces.tui.screens import NOW, SIZES, click_text, open_app, seen, settle, text_of
from tests.interfaces.tui.screens import press as press_keys
from tests.running import run

NAMES = [entry.name for entry in CATALOGUE]
EVERY = [(size, language) for size in SIZES.values() for language in LANGUAGES]


def ids() -> set[str]:
    path = SOURCE / "locales" / "en" / "LC_MESSAGES" / "noughts.po"
    with path.open("rb") as file:
        said = [message.id for message in read_po(file) if message.id]
    return {id_ if isinstance(id_, str) else str(id_[0]) for id_ in said}


IDS = {id_ for id_ in ids() if "-" in id_}


def check(app: NoughtsApp, size: tuple[int, int]) -> str:
    """Nothing sticks out of the window, and nothing is shown that is no word."""
    lines = text_of(app)
    assert len(lines) == size[1]
    assert {display_width(line) for line in lines} == {size[0]}
    text = "\n".join(lines)
    assert not IDS & set(re.findall(r"[a-z0-9]+(?:-[a-z0-9+]+)+", text)), text
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f\u202e\u200b]", text)
    return text


async def press(app: NoughtsApp, *keys: str) -> None:
    """Press keys, and wait for what comes of a field as well."""
    await press_keys(app, *keys)
    await settle(app)


async def resize(app: NoughtsApp, pilot: Pilot[None], *size: int) -> None:
    """Give the window another size."""
    await pilot.resize_terminal(*size)
    await pilot.pause()


@contextmanager
def recorded(app: NoughtsApp, what: str = "play") -> Iterator[list[Any]]:
    """What the application is asked to play, which it then does not."""
    asked: list[Any] = []
    with patch.object(app, what, asked.append):
        yield asked


def page_of(app: NoughtsApp) -> StartPage:
    page = app.screen
    assert isinstance(page, StartPage)
    return page


async def played(app: NoughtsApp, *keys: str) -> Plan:
    """The plan that comes of some keys."""
    with recorded(app) as plans:
        await press(app, *keys)
    (plan,) = plans
    assert isinstance(plan, Plan)
    return plan


# What is seen


@pytest.mark.many_cases
@pytest.mark.parametrize(("size", "language"), EVERY)
def test_every_game_is_shown_in_every_window(size: tuple[int, int], language: str) -> None:
    async def test() -> None:
        async with open_app(size, language) as (app, _):
            for name in NAMES:
                text = check(app, size)
                assert app.say(f"title-{name}")[: size[0] - 4] in text
                assert page_of(app).shown[page_of(app).shelf.place(page_of(app).shown)].name == name
                await press(app, "tab")
                check(app, size)
                await press(app, "tab", "right")

    run(test())


def test_the_sketches() -> None:
    async def test() -> None:
        for size, parts in (
            (
                (100, 30),
                ["noughts", "Choose a board", "1-9 of 19", ">Tic-tac-toe<", "3 in a row", "┃ Tic-tac-toe"],
            ),
            (
                (100, 30),
                ["With best play, a draw.", "(•) the computer", "Computer   level 4", "[ Enter  Play ]"],
            ),
            ((60, 20), ["1-6 of 19", "the computer, level 4   X, begins", "Enter play", "F1 help"]),
            ((24, 12), ["> Tic-tac-toe", "▼ 14 more", "the computer, level 4", "Enter play  F1 help"]),
        ):
            async with open_app(size) as (app, _):
                for part in parts:
                    assert part in seen(app), part

    run(test())


def test_without_unicode_all_is_ascii() -> None:
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


@pytest.mark.many_cases
@pytest.mark.parametrize("language", LANGUAGES)
def test_any_size_and_back(language: str) -> None:
    async def test() -> None:
        async with open_app((60, 20), language) as (app, pilot):
            before = seen(app)
            for keys in ([], ["tab"], ["escape", "slash", "x"]):
                await press(app, *keys)
                for size in SHAPES:
                    await resize(app, pilot, *size)
                    assert len(text_of(app)) == size[1]
                    if size[0] > 2:
                        assert {display_width(line) for line in text_of(app)} == {size[0]}
            await press(app, "escape")
            page_of(app)._choose("tictactoe")
            await resize(app, pilot, 60, 20)
            assert seen(app) == before

    run(test())


def test_the_choice_stays_in_sight_when_the_window_changes() -> None:
    async def test() -> None:
        async with open_app((100, 30)) as (app, pilot):
            page_of(app)._choose("reversi")
            for size in ((60, 20), (24, 12), (20, 10), (100, 30), (20, 5)):
                await resize(app, pilot, *size)
                assert "Reversi" in seen(app)

    run(test())


# Choosing


def test_enter_alone_plays_against_the_computer() -> None:
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


def test_enter_opens_the_board() -> None:
    async def test() -> None:
        async with open_app() as (app, _):
            await press(app, "enter")
            assert not isinstance(app.screen, StartPage)
            assert app.preferences.game == "tictactoe"

    run(test())


@pytest.mark.parametrize(
    ("keys", "game"),
    [
        ("right", "4x4"),
        ("l l", "5x5"),
        ("right left", "tictactoe"),
        ("left", "tictactoe"),
        ("up", "tictactoe"),
        ("down", "gomoku"),
        ("j k", "tictactoe"),
        ("l h", "tictactoe"),
        ("down down down down down down", "reversi"),
        ("right right down down down down down down", "reversi"),
        ("down down down down down down down up", "three"),
        ("end", "reversi"),
        ("end home", "tictactoe"),
        ("right pagedown", "torus"),
        ("pagedown pagedown pagedown", "reversi"),
        ("end pageup pageup pageup", "tictactoe"),
    ],
)
def test_arrows_choose(keys: str, game: str) -> None:
    async def test() -> None:
        async with open_app() as (app, _):
            assert (await played(app, *keys.split(), "enter")).game == game

    run(test())


def test_a_click_chooses_and_a_second_plays() -> None:
    async def test() -> None:
        async with open_app() as (app, _):
            with recorded(app) as plans:
                await click_text(app, "Connect Four")
                assert not plans
                assert ">Connect Four<" in seen(app)
                await click_text(app, "Connect Four<")
            assert [plan.game for plan in plans] == ["connect4"]

    run(test())


def test_a_click_in_the_list() -> None:
    async def test() -> None:
        async with open_app((24, 12)) as (app, _):
            await click_text(app, "5 × 5")
            assert "> 5 × 5" in seen(app)
            await click_text(app, "more")
            assert "> Gomoku" in seen(app)
            page_of(app)._choose("reversi")
            await click_text(app, "▲")
            assert "> Fifteen" in seen(app)

    run(test())


def test_the_wheel_goes_through_the_pictures() -> None:
    async def test() -> None:
        async with open_app() as (app, _):
            for kind, game in (
                (MouseScrollDown, "gomoku"),
                (MouseScrollUp, "tictactoe"),
                (MouseScrollUp, "tictactoe"),
            ):
                sheet = app.screen.query_one("#sheet")
                sheet.post_message(kind(sheet, 5, 5, 0, 0, 0, False, False, False))
                await settle(app)
                assert page_of(app).shelf.chosen == game

    run(test())


def test_a_click_on_what_is_gone_does_nothing() -> None:
    async def test() -> None:
        async with open_app() as (app, _):
            with recorded(app) as plans:
                page_of(app).action_choose(99)
            assert not plans

    run(test())


# Settings


def test_what_does_not_fit_is_not_offered() -> None:
    async def test() -> None:
        async with open_app() as (app, _):
            page = page_of(app)

            def offered() -> list[str]:
                return [setting.id for setting in page.choices.settings(app.say, page.game)]

            assert offered() == ["opponent", "computer", "mark", "name-0", "begins", "clock"]
            await press(app, "tab", "right")
            assert offered() == ["opponent", "name-0", "name-1", "begins", "clock"]
            await press(app, "right")
            assert offered() == ["opponent", "seat-0", "seat-1", "begins", "clock"]
            page._choose("fifteen")
            assert offered() == ["name-0"]
            page._choose("three")
            assert offered() == ["seat-0", "seat-1", "seat-2", "name-0", "begins", "clock"]

    run(test())


def test_settings_make_the_plan() -> None:
    async def test() -> None:
        kept: list[Preferences] = []
        async with open_app(remember=kept.append) as (app, _):
            keys = "tab down right right down right down down right down right enter"
            plan = await played(app, *keys.split())
            assert plan.who == ["level:6", HUMAN]
            assert plan.names == ["level:6", "Player"]
            assert plan.begins is Begins.LOSER if list(Begins)[2] is Begins.LOSER else plan.begins
            assert plan.clock == Clock(base=60_000)
            assert (kept[-1].opponent, kept[-1].level, kept[-1].mark, kept[-1].clock) == (
                "level:6",
                6,
                "O",
                "1+0",
            )
        async with open_app(preferences=kept[-1]) as (app, _):
            assert (await played(app, "enter")).who == plan.who

    run(test())


def test_what_was_chosen_is_remembered() -> None:
    async def test() -> None:
        kept: list[Preferences] = []
        async with open_app((60, 20), remember=kept.append) as (app, _):
            await press(app, "right", "tab", "right", "escape", "enter")
        assert (kept[-1].game, kept[-1].opponent) == ("4x4", HUMAN)
        async with open_app((60, 20), preferences=kept[-1]) as (app, _):
            assert ">4 × 4<" in seen(app)
            plan = await played(app, "enter")
            assert (plan.who, plan.names) == ([HUMAN, HUMAN], ["Player 1", "Player 2"])

    run(test())


@pytest.mark.parametrize("end", [("left",), ("left", "left")])
def test_two_computers_and_three_sides(end: tuple[str, ...]) -> None:
    async def test() -> None:
        kept: list[Preferences] = []
        async with open_app(remember=kept.append) as (app, _):
            await press(app, "tab", "left", "down", *end)
            plan = await played(app, "enter")
            assert plan.who == [f"level:{4 - len(end)}", "level:4"]
            assert plan.names == plan.who
        async with open_app(preferences=kept[-1]) as (app, _):
            assert (await played(app, "enter")).who == plan.who
            page_of(app)._choose("three")
            three = await played(app, "tab", "down", "down", "right", "enter")
            assert three.who == [HUMAN, "level:4", "level:5"]
        async with open_app(preferences=app.preferences) as (app, _):
            assert (await played(app, "enter")).who == three.who

    run(test())


@pytest.mark.parametrize("opponent", ["perfect", "human / perfect / level:2"])
def test_who_plays_no_game_of_three_gets_no_seat_there(opponent: str) -> None:
    async def test() -> None:
        async with open_app(preferences=Preferences(opponent=opponent, game="three")) as (app, _):
            assert (await played(app, "enter")).who == [HUMAN, "level:4", "level:4"]

    run(test())


def test_a_puzzle_is_for_one() -> None:
    async def test() -> None:
        async with open_app(preferences=Preferences(game="fifteen", names=("Ada",), clock="5+3")) as (app, _):
            plan = await played(app, "enter")
            assert (plan.who, plan.names, plan.series, plan.clock) == ([HUMAN], ["Ada"], False, UNTIMED)

    run(test())


def test_a_click_on_a_setting_changes_it() -> None:
    async def test() -> None:
        async with open_app() as (app, _):
            await click_text(app, "a friend, same keyboard")
            assert "(•) a friend, same keyboard" in seen(app)
            await click_text(app, "(•) a friend")
            assert "(•) a friend, same keyboard" in seen(app)
            await click_text(app, "Clock")
            assert re.search("Clock +1 min", seen(app))
            await click_text(app, "Name 2")
            await press(app, *"Wei", "enter")
            with recorded(app) as plans:
                await click_text(app, "[ Enter")
            (plan,) = plans
            assert plan.names == ["Player 1", "Wei"]

    run(test())


def test_in_a_small_window_the_settings_have_it_alone() -> None:
    async def test() -> None:
        for size in ((60, 20), (24, 12)):
            async with open_app(size) as (app, _):
                await click_text(app, "the computer, level 4")
                assert "> Opponent" in seen(app)
                assert "Gomoku" not in seen(app)
                await press(app, "tab")
                assert "Gomoku" in seen(app)

    run(test())


@pytest.mark.parametrize("size", [(60, 20), (24, 12), (20, 6)])
def test_the_setting_that_the_keys_go_to_is_seen(size: tuple[int, int]) -> None:
    async def test() -> None:
        async with open_app(size) as (app, _):
            await press(app, "tab")
            for label in ("Opponent", "Computer", "Your mark", "Name", "Begins", "Clock", "Opponent"):
                assert f"> {label}" in seen(app)
                await press(app, "down")
            await press(app, "up", "up")
            assert "> Clock" in seen(app)

    run(test())


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", [(24, 12), (20, 10)])
def test_in_a_narrow_window_what_is_chosen_is_read_whole(size: tuple[int, int], language: str) -> None:
    chosen = Preferences(opponent="human", clock="5+3", names=("Konstantin the Second",))

    async def test() -> None:
        async with open_app(size, language, preferences=chosen) as (app, _):
            await press(app, "tab")
            for text in ("opponent-friend", "Konstantin the Second", None, "order-alternate", "clock-5+3"):
                if text is not None:
                    assert squeezed(app.say(text)) in squeezed(check(app, size))
                await press(app, "down")

    run(test())


def test_rules_that_are_cut_take_all_the_room_there_is() -> None:
    async def test() -> None:
        async with open_app((24, 13)) as (app, _):
            await press(app, "tab")
            lines = seen(app).split("\n")
            assert lines[2].endswith("…")
            assert lines[3] == ""
            assert "> Opponent" in lines[4]

    run(test())


FOOTERS = {
    "": "Enter play   arrows choose   Tab settings   / find   L language   F1 help   q quit",
    "tab": "Enter play   arrows choose   Tab boards   F1 help   Esc back",
    "tab pagedown up up": "Enter change the name   arrows choose   Tab boards   F1 help   Esc back",
    "tab pagedown pageup": "Enter play   arrows choose   Tab boards   F1 help   Esc back",
    "tab pagedown up up enter": "Enter done   Esc cancel",
    "slash": "Enter done   Esc cancel",
}


@pytest.mark.parametrize("keys", FOOTERS)
def test_the_footer_says_what_the_keys_do(keys: str) -> None:
    async def test() -> None:
        async with open_app() as (app, _):
            await press(app, *keys.split())
            assert text_of(app)[-1].rstrip().endswith(FOOTERS[keys])

    run(test())


def test_the_keys_of_a_field_can_be_clicked() -> None:
    async def test() -> None:
        async with open_app() as (app, _):
            await press(app, "slash", *"gom")
            await click_text(app, "Esc cancel")
            assert not page_of(app).is_typing
            assert ">Tic-tac-toe<" in seen(app)
            await press(app, "slash", *"gom")
            await click_text(app, "Enter done")
            await settle(app)
            assert not page_of(app).is_typing
            assert ">Gomoku<" in seen(app)

    run(test())


# Names


def test_a_name_is_typed_and_remembered() -> None:
    async def test() -> None:
        kept: list[Preferences] = []
        async with open_app(remember=kept.append) as (app, _):
            await press(app, "tab", "down", "down", "down", "enter", "ctrl+u", *"Ada", "enter")
            assert [*kept[-1].names] == ["Ada"]
            assert "Name       Ada" in seen(app)
            await press(app, "tab")
            assert (await played(app, "enter")).names == ["Ada", "level:4"]
            await press(app, "tab", "enter", "ctrl+u", *"Wei", "enter", "left")
            assert (kept[-1].names, kept[-1].known) == (("Ada",), ("Wei", "Ada"))

    run(test())


def test_a_former_name_is_nobody_elses() -> None:
    async def test() -> None:
        kept: list[Preferences] = []
        async with open_app(remember=kept.append, preferences=Preferences(opponent="human")) as (app, _):
            await press(app, "tab", "down", "enter", "ctrl+u", *"Ada", "enter")
            await press(app, "enter", "ctrl+u", *"Bob", "enter")
        async with open_app(preferences=kept[-1]) as (app, _):
            assert (await played(app, "enter")).names == ["Bob", "Player 2"]

    run(test())


REFUSED = {
    "level:3": "name-computer",
    "": "name-empty",
    "x" * 41: "name-too-wide",
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_no_name_is_refused_and_asked_for_again(language: str) -> None:
    async def test() -> None:
        async with open_app((100, 30), language) as (app, _):
            await press(app, "tab", "down", "down", "down", "enter")
            page = page_of(app)
            for name, id_ in REFUSED.items():
                page.query_one(Field).value = name
                await press(app, "enter")
                assert page.is_typing
                assert page.message is not None
                assert page.message(app.say) == app.say(id_, name=name)
                check(app, (100, 30))
            page.query_one(Field).value = ""
            await press(app, *"Zoe", "enter")
            assert not page_of(app).is_typing
            assert page_of(app).message is None
            assert app.preferences.names == ("Zoe",)

    run(test())


def test_escape_leaves_the_name_as_it_was() -> None:
    async def test() -> None:
        async with open_app(preferences=Preferences(names=("Ada",))) as (app, _):
            await press(app, "tab", "down", "down", "down", "enter", *"xyz", "escape")
            assert not page_of(app).is_typing
            assert "Name       Ada" in seen(app)
            await press(app, "escape", "escape")
            assert app.is_running  # the gallery is left with q
            await press(app, "q")
            assert not app.is_running

    run(test())


def test_a_name_keeps_its_place() -> None:
    """Who is second after a restart is who was second before, though the first one has no name."""

    async def test() -> None:
        kept: list[Preferences] = []
        chosen = Preferences(opponent=HUMAN)
        async with open_app(preferences=chosen, remember=kept.append) as (app, _):
            await press(app, "tab", "down", "down", "enter", "home", "shift+end", *"Bob", "enter")
        async with open_app(preferences=kept[-1], remember=kept.append) as (app, _):
            assert (await played(app, "enter")).names == ["Player 1", "Bob"]
            await press(app, "tab", "down", "right")
            assert (await played(app, "tab", "enter")).names == ["Bob", "Bob"]
        async with open_app(preferences=kept[-1]) as (app, _):
            assert (await played(app, "enter")).names == ["Bob", "Player 2"]

    run(test())


def test_equal_names_are_told_apart() -> None:
    async def test() -> None:
        chosen = Preferences(names=("Ada", "ada"), opponent=HUMAN)
        async with open_app(preferences=chosen) as (app, _):
            await press(app, "enter")
            assert "Ada" in seen(app)
            assert "ada (2)" in seen(app)

    run(test())


def test_what_another_window_remembers_is_left_alone() -> None:
    async def test() -> None:
        kept = [Preferences(names=("Ada",))]
        around: dict[str, Any] = {"preferences": kept[0], "remember": kept.append, "recall": lambda: kept[-1]}
        async with open_app(**around) as (one, _), open_app(**around) as (other, _):
            await press(one, "L", "2")
            await press(other, "f2")
            await press(one, "enter", "q")
            assert (kept[-1].language, kept[-1].theme, kept[-1].names) == ("ru", "light", ("Ada",))

    run(test())


def test_what_is_asked_for_once_is_not_remembered() -> None:
    async def test() -> None:
        kept: list[Preferences] = []
        asked = Preferences(names=("Zoe",), begins="loser")
        async with open_app(preferences=Preferences(), asked=asked, remember=kept.append) as (app, _):
            assert (await played(app, "enter")).names == ["Zoe", "level:4"]
        assert (kept[-1].names, kept[-1].begins, kept[-1].game) == ((), None, "tictactoe")

    run(test())


def test_hostile_preferences_do_nothing() -> None:
    async def test() -> None:
        for opponent in (
            "x / y",
            "level:99",
            " / ",
            "human / human",
            "level:1 / human",
            "perfect / rule / human",
        ):
            chosen = Preferences(
                game="9x9:99",
                opponent=opponent,
                mark="Q",
                clock="evil",
                level=77,
                begins="x",
                names=("A\u200b",),
            )
            async with open_app((60, 20), preferences=chosen) as (app, _):
                check(app, (60, 20))
                plan = await played(app, "enter")
                assert plan.game == "tictactoe"
                assert plan.clock == UNTIMED

    run(test())


# Finding


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_game_is_found_by_its_words(language: str) -> None:
    async def test() -> None:
        async with open_app((60, 20), language) as (app, _):
            for name in ("gomoku", "reversi", "ultimate"):
                await press(app, "slash")
                page_of(app).query_one(Field).value = app.say(f"title-{name}").upper()
                await settle(app)
                assert page_of(app).shown[0].name == name
                assert len(page_of(app).shown) < 3
                await press(app, "enter")
                assert len(page_of(app).shown) == len(NAMES)
                assert (await played(app, "enter")).game == name

    run(test())


def test_typing_narrows() -> None:
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
def test_a_board_of_ones_own(typed: str, game: str) -> None:
    async def test() -> None:
        async with open_app((60, 20)) as (app, _):
            await press(app, "slash")
            page_of(app).query_one(Field).value = typed
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


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_no_game_is_told(language: str) -> None:
    async def test() -> None:
        async with open_app((100, 30), language) as (app, _):
            await press(app, "slash")
            page = page_of(app)
            for typed, part in WRONG.items():
                page.query_one(Field).value = typed
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


@pytest.mark.parametrize("size", SIZES.values())
def test_escape_gives_back_what_was_chosen_before(size: tuple[int, int]) -> None:
    async def test() -> None:
        async with open_app(size) as (app, _):
            await press(app, "right")
            before = seen(app)
            for typed in ("7x7", "gom", "zzz"):
                await press(app, "slash", *typed, "escape")
                assert seen(app) == before
            assert (await played(app, "enter")).game == "4x4"

    run(test())


def test_a_described_board_that_is_played_by_a_click_is_in_the_gallery() -> None:
    async def test() -> None:
        async with open_app() as (app, _):
            await press(app, "slash", *"7x7")
            with recorded(app) as plans:
                await click_text(app, "[ Enter")
            assert [plan.game for plan in plans] == ["7x7:7"]
            assert not page_of(app).is_typing
            assert ">7x7:7<" in seen(app)

    run(test())


def test_where_nothing_is_found_nothing_is_played() -> None:
    async def test() -> None:
        async with open_app() as (app, _):
            await press(app, "slash", *"zzz")
            assert "[ Enter" not in seen(app)
            with recorded(app) as plans:
                await press(app, "ctrl+p", *"play", "enter")
            assert not plans
            assert "No game is called so" in seen(app)

    run(test())


def test_a_setting_that_is_clicked_ends_the_search() -> None:
    async def test() -> None:
        async with open_app() as (app, _):
            await press(app, "slash", *"gom")
            await click_text(app, "Name ")
            await press(app, "ctrl+u", *"Ada", "enter")
            assert app.preferences.names == ("Ada",)
            assert ">Gomoku<" in seen(app)
            assert "1-9 of 19" in seen(app)

    run(test())


def test_to_continue_ends_the_search() -> None:
    async def test() -> None:
        async with open_app(store=interrupted()) as (app, _):
            await press(app, "slash", *"gom", "ctrl+p", *"continue", "enter")
            assert not isinstance(app.screen, StartPage)
            await press(app, "escape")
            assert not page_of(app).is_typing
            assert ">Tic-tac-toe<" in seen(app)

    run(test())


# Going on


def interrupted(
    game: str = "gomoku",
    names: tuple[str, str] = ("Ada", "Wei"),
    *,
    over: bool = False,
    store: MemoryStore | None = None,
) -> MemoryStore:
    """A store with a game that was interrupted, or a series between games."""
    store = store or MemoryStore()
    sitting = Sitting(store, game, Series(names), dict.fromkeys(Series(names).players, HUMAN), is_series=True)
    sitting.begin(NOW)
    match = sitting.match
    assert match is not None
    for _ in range(3):
        sitting.apply(MakeMove(match.turn, match.game.legal_moves()[0]), NOW)
    if over:
        sitting.apply(Resign("X"), NOW)
    return store


@pytest.mark.parametrize(("size", "language"), EVERY)
def test_what_was_interrupted_can_be_continued(size: tuple[int, int], language: str) -> None:
    async def test() -> None:
        async with open_app(size, language, store=interrupted()) as (app, _):
            text = check(app, size)
            if size[0] == 100:
                assert "Ada" in text
                assert "Wei" in text
            with recorded(app, "go_on") as sittings:
                await press(app, "c")
            (sitting,) = sittings
            assert sitting.match.game.ply == 3
            assert list(sitting.names.values()) == ["Ada", "Wei"]

    run(test())


def test_a_series_between_games_can_be_continued() -> None:
    async def test() -> None:
        async with open_app(store=interrupted(over=True)) as (app, _):
            assert "Ada, Wei, the next" in seen(app)
            with recorded(app, "go_on") as sittings:
                await click_text(app, "Continue")
            (sitting,) = sittings
            assert sitting.match is None
            assert len(sitting.series.results) == 1

    run(test())


def several(*games: str) -> MemoryStore:
    """A store with games that were interrupted, one after another."""
    store = MemoryStore()
    for game in games:
        interrupted(game, store=store)
    return store


@pytest.mark.parametrize(("size", "language"), [*EVERY, ((20, 10), "ru")])
def test_of_several_games_any_can_be_continued(size: tuple[int, int], language: str) -> None:
    async def test() -> None:
        games = ("gomoku", "tictactoe", "4x4")
        async with open_app(size, language, store=several(*games)) as (app, _):
            if size[1] >= 12:
                assert app.say.plural("more-unfinished", 2) in check(app, size)
            for keys, game in (
                ("c", "4x4"),
                ("C 1", "4x4"),
                ("C down enter", "tictactoe"),
                ("C 3", "gomoku"),
            ):
                with recorded(app, "go_on") as sittings:
                    await press(app, *keys.split())
                assert [sitting.game for sitting in sittings] == [game]
            await press(app, "C")
            assert app.say("choose-unfinished")[: size[0] - 5] in check(app, size)
            await press(app, "escape")
            assert isinstance(app.screen, StartPage)

    run(test())


def test_when_the_newest_has_ended_the_one_before_is_offered() -> None:
    async def test() -> None:
        store = several("gomoku", "tictactoe")
        async with open_app(store=store) as (app, _):
            assert "  Tic-tac-toe: Ada, Wei" in seen(app)
            await press(app, "c", "r", "y", "q")
            assert "  Gomoku: Ada, Wei" in seen(app)
            assert "more" not in seen(app)
            await press(app, "C", "1", "r", "y", "q")
            assert "Continue" not in seen(app)
            await press(app, "C")
            assert app.say("start-nothing-to-continue") in seen(app)

    run(test())


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_to_continue(language: str) -> None:
    async def test() -> None:
        async with open_app(language=language) as (app, _):
            await press(app, "c")
            assert app.say("start-nothing-to-continue") in seen(app)
            await press(app, "right")
            assert app.say("start-nothing-to-continue") not in seen(app)

    run(test())


def test_a_game_that_was_left_can_be_continued_at_once() -> None:
    async def test() -> None:
        async with open_app() as (app, _):
            assert "Continue" not in seen(app)
            await press(app, "enter", "enter", "escape")
            assert isinstance(app.screen, StartPage)
            assert "Continue" in seen(app)
            await press(app, "c")
            assert not isinstance(app.screen, StartPage)

    run(test())


def test_hostile_names_in_the_store_are_only_characters() -> None:
    async def test() -> None:
        names = ("A\x1b]0;evil\x07", "B\u202e\x1b[31m")
        store = interrupted()
        setup, _ = store._games[1]
        object.__setattr__(setup, "seats", dict(zip("XO", names, strict=True)))
        for size in SIZES.values():
            async with open_app(size, store=store) as (app, _):
                check(app, size)
        setup, _ = store._games[1]
        object.__setattr__(setup, "game", "no\x1bsuch")
        async with open_app(store=store) as (app, _):
            check(app, (100, 30))
            assert "unusable" in seen(app) or "cannot" in seen(app) or "damaged" in seen(app)
            await press(app, "c")
            check(app, (100, 30))

    run(test())


class Broken(MemoryStore):
    """A store that cannot be read."""

    def games(self, series: int | None = None) -> Iterator[StoredGame]:
        raise DamagedStore("game 1", "digest")


def test_a_store_that_cannot_be_read_is_told_and_games_are_played() -> None:
    async def test() -> None:
        async with open_app(store=Broken()) as (app, _):
            assert page_of(app).message is not None
            assert (await played(app, "enter")).game == "tictactoe"

    run(test())


def test_what_cannot_be_continued_after_all_is_told() -> None:
    async def test() -> None:
        async with open_app(store=interrupted()) as (app, _):
            with patch.object(Sitting, "resume", side_effect=DamagedStore("game 1", "digest")):
                await press(app, "c")
            assert page_of(app).message is not None
            assert isinstance(app.screen, StartPage)

    run(test())


# Computers that have to be asked


def test_a_computer_that_plays_the_game() -> None:
    async def test() -> None:
        async with open_app(preferences=Preferences(opponent="perfect")) as (app, _):
            assert (await played(app, "enter")).who == [HUMAN, "perfect"]

    run(test())


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_computer_that_declines_says_why(language: str) -> None:
    async def test() -> None:
        async with open_app(
            language=language, preferences=Preferences(opponent="perfect", game="gomoku")
        ) as (app, _):
            with recorded(app) as plans:
                await press(app, "enter")
            assert not plans
            assert page_of(app).message is not None
            told = page_of(app).message(app.say)  # type: ignore[misc]
            for word in (
                strength(app.say, "perfect"),
                strength(app.say, "level:10"),
                app.say("title-gomoku"),
            ):
                assert word in told
            assert "level:10" not in told
            assert told.endswith(app.say("start-other-player"))
            check(app, (100, 30))

    run(test())


class Slow(ThinkingHere):
    """A thinker that keeps its questions."""

    def __init__(self) -> None:
        super().__init__()
        self.thoughts: list[Thought] = []

    def ask(self, task: Any, *arguments: Any, tell: Any, patience: float | None = None) -> Thought:
        self.thoughts.append(Thought(tell))
        return self.thoughts[-1]


def test_what_is_asked_takes_its_time_and_can_be_given_up() -> None:
    async def test() -> None:
        thinker = Slow()
        async with open_app(preferences=Preferences(opponent="perfect"), thinker=thinker) as (app, _):
            with recorded(app) as plans:
                await press(app, "enter", "enter")
                assert "Computer (perfect) looks at the board" in seen(app)
                assert len(thinker.thoughts) == 1
                await press(app, "escape")
                assert thinker.thoughts[0].is_over
                assert app.is_running
                await press(app, "enter", "right", "left", "enter")
                assert thinker.thoughts[1].is_over
                thinker.thoughts[2].say(Failure("gone"))
                await settle(app)
                assert "perfect" in page_of(app).message(app.say)  # type: ignore[misc]
                assert not plans
                await press(app, "enter")
                thinker.thoughts[3].say(Answer(None))
                await settle(app)
            assert [plan.who for plan in plans] == [[HUMAN, "perfect"]]

    run(test())


def test_who_continues_a_game_waits_for_no_computer_of_another() -> None:
    async def test() -> None:
        thinker = Slow()
        preferences = Preferences(opponent="perfect")
        async with open_app(preferences=preferences, thinker=thinker, store=interrupted()) as (app, _):
            await press(app, "enter", "c", "q")
            thinker.thoughts[0].say(Answer(None))
            await settle(app)
            assert page_of(app).message is None
            assert app.screen is page_of(app)

    run(test())


# Leaving, language, help


@pytest.mark.parametrize("key", ["q", "Q", "в", "В", "й", "ctrl+c"])
def test_the_program_is_left(key: str) -> None:
    async def test() -> None:
        async with open_app() as (app, _):
            await press(app, key)
            assert not app.is_running

    run(test())


def test_the_language_changes_everything_at_once() -> None:
    async def test() -> None:
        async with open_app((60, 20)) as (app, _):
            await press(app, "c", "L", "2")
            say = Translator("ru")
            assert say("start-title") in seen(app)
            assert say("start-nothing-to-continue") in seen(app)
            assert app.preferences.language == "ru"
            await press(app, "slash", "L")
            assert page_of(app).query_one(Field).value == "L"

    run(test())


def test_who_has_no_name_is_called_in_the_language_of_the_moment() -> None:
    async def test() -> None:
        async with open_app(language="ru", preferences=Preferences(opponent=HUMAN)) as (app, _):
            await press(app, "enter", "5", "L", "3")
            assert "2 号玩家" in seen(app)
            assert "Игрок" not in seen(app)
            await press(app, "q", "L", "1")
            assert "Player 1," in seen(app)
            assert list(next(app.around.store.games()).setup.seats.values()) == ["Игрок 1", "Игрок 2"]

    run(test())


def test_theme_and_marks() -> None:
    async def test() -> None:
        async with open_app() as (app, _):
            await press(app, "f2", "f3")
            assert (app.preferences.theme, app.preferences.marks) == ("light", "ascii")
            assert "┃" not in seen(app)

    run(test())
