"""The settings of a game: players, marks, names, clock, and remembered choices."""

import re
from dataclasses import replace
from typing import Any

import pytest

from noughts.arena.clock import UNTIMED, Clock
from noughts.arena.series import Begins
from noughts.interfaces.presenting import players
from noughts.interfaces.presenting.game_plan import HUMAN
from noughts.interfaces.presenting.preferences import Preferences
from noughts.interfaces.tui.widgets.spans import LineInput
from tests.interfaces.harness import squeezed
from tests.interfaces.tui.gallery import check, page_of, played, press, recorded
from tests.interfaces.tui.screens import click_text, open_app, seen, settle, spoken, text_of
from tests.running import run

# Settings


@pytest.mark.slow
def test_unsuitable_settings_are_not_offered() -> None:
    async def test() -> None:
        async with open_app() as (app, _):
            page = page_of(app)

            def offered() -> list[str]:
                return [setting.id for setting in page.choices.settings(app.say, page.game)]

            assert offered() == [
                "opponent",
                "computer",
                "mark",
                "name-0",
                "begins",
                "clock",
                "start",
                "opening",
            ]
            await press(app, "tab", "right")
            assert offered() == ["opponent", "name-0", "name-1", "begins", "clock", "start", "opening"]
            await press(app, "right")
            assert offered() == ["opponent", "seat-0", "seat-1", "begins", "clock", "start", "opening"]
            page._choose("fifteen")
            assert offered() == ["name-0"]
            page._choose("three")
            assert offered() == ["seat-0", "seat-1", "seat-2", "name-0", "begins", "clock", "start"]

    run(test())


@pytest.mark.slow
def test_settings_make_the_plan() -> None:
    async def test() -> None:
        saved: list[Preferences] = []
        async with open_app(remember=saved.append) as (app, _):
            keys = "tab down right right down right down down right down right enter"
            plan = await played(app, *keys.split())
            assert plan.who == ["level:5", HUMAN]
            assert plan.names == ["level:5", "Player"]
            assert plan.begins is Begins.LOSER if list(Begins)[2] is Begins.LOSER else plan.begins
            assert plan.clock == Clock(base=60_000)
            assert (saved[-1].opponent, saved[-1].level, saved[-1].mark, saved[-1].clock) == (
                "level:5",
                5,
                "O",
                "1+0",
            )
        async with open_app(preferences=saved[-1]) as (app, _):
            assert (await played(app, "enter")).who == plan.who

    run(test())


@pytest.mark.slow
def test_choices_are_remembered() -> None:
    async def test() -> None:
        saved: list[Preferences] = []
        async with open_app((60, 20), remember=saved.append) as (app, _):
            await press(app, "right", "tab", "right", "escape", "enter")
        assert (saved[-1].game, saved[-1].opponent) == ("connect4", HUMAN)
        async with open_app((60, 20), preferences=saved[-1]) as (app, _):
            assert page_of(app).shelf.chosen == "connect4"
            plan = await played(app, "enter")
            assert (plan.who, plan.names) == ([HUMAN, HUMAN], ["Player 1", "Player 2"])

    run(test())


@pytest.mark.parametrize("end", [("left",), ("left", "left")])
def test_two_computers_and_three_sides(end: tuple[str, ...]) -> None:
    async def test() -> None:
        saved: list[Preferences] = []
        async with open_app(remember=saved.append) as (app, _):
            await press(app, "tab", "left", "down", *end)
            plan = await played(app, "enter")
            assert plan.who == [f"level:{4 - len(end)}", "level:4"]
            assert plan.names == plan.who
        async with open_app(preferences=saved[-1]) as (app, _):
            assert (await played(app, "enter")).who == plan.who
            page_of(app)._choose("three")
            three = await played(app, "tab", "down", "down", "right", "enter")
            assert three.who == [HUMAN, "level:4", "level:5"]
        async with open_app(preferences=app.preferences) as (app, _):
            assert (await played(app, "enter")).who == three.who

    run(test())


@pytest.mark.parametrize("opponent", ["perfect", "human / perfect / level:2"])
def test_unsuitable_player_is_replaced_for_three_sides(opponent: str) -> None:
    async def test() -> None:
        async with open_app(preferences=Preferences(opponent=opponent, game="three")) as (app, _):
            assert (await played(app, "enter")).who == [HUMAN, "level:4", "level:4"]

    run(test())


def test_puzzle_has_one_player() -> None:
    async def test() -> None:
        async with open_app(preferences=Preferences(game="fifteen", names=("Ada",), clock="5+3")) as (app, _):
            plan = await played(app, "enter")
            assert (plan.who, plan.names, plan.series, plan.clock) == ([HUMAN], ["Ada"], False, UNTIMED)

    run(test())


def test_clicked_setting_changes() -> None:
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


def test_settings_fill_a_small_window() -> None:
    async def test() -> None:
        for size in ((60, 20), (24, 12)):
            async with open_app(size) as (app, _):
                await click_text(app, "the computer, level 4")
                assert "> Opponent" in seen(app)
                assert "Gomoku" not in seen(app)
                await press(app, "tab")
                assert "Gomoku" in seen(app)

    run(test())


@pytest.mark.slow
@pytest.mark.parametrize("size", [(60, 20), (24, 12), (20, 6)])
def test_selected_setting_is_visible(size: tuple[int, int]) -> None:
    async def test() -> None:
        async with open_app(size) as (app, _):
            await press(app, "tab")
            for label in (
                "Opponent",
                "Computer",
                "Your mark",
                "Name",
                "Begins",
                "Clock",
                "Position",
                "Opening",
                "Opponent",
            ):
                assert f"> {label}" in seen(app)
                await press(app, "down")
            await press(app, "up", "up")
            assert "> Opening" in seen(app)

    run(test())


@pytest.mark.slow
@pytest.mark.parametrize("size", [(24, 12), (20, 10)])
def test_narrow_window_shows_whole_value(size: tuple[int, int]) -> None:
    chosen = Preferences(
        game="gomoku", opponent="human", clock="5+3", opening="swap2", names=("Konstantin the Second",)
    )

    async def test() -> None:
        async with open_app(size, preferences=chosen) as (app, _):
            await press(app, "tab")
            for text in (
                "opponent-friend",
                "Konstantin the Second",
                None,
                "order-alternate",
                "clock-5+3",
                "start-usual",
                "opening-swap2",
            ):
                if text is not None:
                    async for say in spoken(app):
                        assert squeezed(say(text)) in squeezed(check(app, size))
                await press(app, "down")

    run(test())


@pytest.mark.slow
def test_opening_is_offered_and_remembered() -> None:
    async def test() -> None:
        saved: list[Preferences] = []
        async with open_app(preferences=Preferences(game="6x6:4"), remember=saved.append) as (app, _):
            assert (await played(app, "enter")).opening is None
            await press(app, "tab", "pagedown", "right")
            assert "> Opening" in seen(app)
            assert "pie: swap after one move" in seen(app)
            await press(app, "right")
            assert "swap2: three marks, then" in seen(app)
            assert (await played(app, "enter")).opening == saved[-1].opening == "swap2"
        for game, opening in (("tictactoe", None), ("reversi", None), ("connect4", "swap2")):
            async with open_app(preferences=replace(saved[-1], game=game)) as (app, _):
                assert (await played(app, "enter")).opening == opening
                assert app.preferences.opening == "swap2"  # It applies to a game that allows it.

    run(test())


def test_cut_rules_take_all_room() -> None:
    async def test() -> None:
        async with open_app((24, 15)) as (app, _):
            await press(app, "tab")
            lines = seen(app).split("\n")
            assert lines[2].endswith("…")
            assert lines[3] == ""
            assert "> Opponent" in lines[4]

    run(test())


FOOTERS = {
    "": "Enter play   arrows choose   Tab settings   o build   p puzzles   / find   F1 help…   q quit",
    "tab": "Enter play   arrows choose   Tab boards   F1 help   Esc back",
    "tab pagedown up up up up": "Enter change the name   arrows choose   Tab boards   F1 help   Esc back",
    "tab pagedown up": "Enter type a position   arrows choose   Tab boards   F1 help   Esc back",
    "tab pagedown pageup": "Enter play   arrows choose   Tab boards   F1 help   Esc back",
    "tab pagedown up up up up enter": "Enter done   Esc cancel",
    "slash": "Enter done   Esc cancel",
}


@pytest.mark.slow
@pytest.mark.parametrize("keys", FOOTERS)
def test_footer_describes_the_keys(keys: str) -> None:
    async def test() -> None:
        async with open_app() as (app, _):
            await press(app, *keys.split())
            assert text_of(app)[-1].rstrip().endswith(FOOTERS[keys])

    run(test())


@pytest.mark.slow
def test_field_keys_can_be_clicked() -> None:
    async def test() -> None:
        async with open_app() as (app, _):
            await press(app, "slash", *"gom")
            await click_text(app, "Esc cancel")
            assert not page_of(app).is_typing
            assert page_of(app).shelf.chosen == "tictactoe"
            await press(app, "slash", *"gom")
            await click_text(app, "Enter done")
            await settle(app)
            assert not page_of(app).is_typing
            assert page_of(app).shelf.chosen == "gomoku"

    run(test())


# Names


@pytest.mark.slow
def test_typed_name_is_remembered() -> None:
    async def test() -> None:
        saved: list[Preferences] = []
        async with open_app(remember=saved.append) as (app, _):
            await press(app, "tab", "down", "down", "down", "enter", "ctrl+u", *"Ada", "enter")
            assert [*saved[-1].names] == ["Ada"]
            assert "Name       Ada" in seen(app)
            await press(app, "tab")
            assert (await played(app, "enter")).names == ["Ada", "level:4"]
            await press(app, "tab", "enter", "ctrl+u", *"Wei", "enter", "left")
            assert (saved[-1].names, saved[-1].known) == (("Ada",), ("Wei", "Ada"))

    run(test())


@pytest.mark.slow
def test_renamed_player_has_only_the_new_name() -> None:
    async def test() -> None:
        saved: list[Preferences] = []
        async with open_app(remember=saved.append, preferences=Preferences(opponent="human")) as (app, _):
            await press(app, "tab", "down", "enter", "ctrl+u", *"Ada", "enter")
            await press(app, "enter", "ctrl+u", *"Bob", "enter")
        async with open_app(preferences=saved[-1]) as (app, _):
            assert (await played(app, "enter")).names == ["Bob", "Player 2"]

    run(test())


REFUSED = {
    "level:3": "name-computer",
    "": "name-empty",
    "x" * 41: "name-too-wide",
}


@pytest.mark.slow
def test_invalid_name_is_asked_again() -> None:
    async def test() -> None:
        async with open_app((100, 30)) as (app, _):
            await press(app, "tab", "down", "down", "down", "enter")
            page = page_of(app)
            for name, id_ in REFUSED.items():
                page.query_one(LineInput).value = name
                await press(app, "enter")
                assert page.is_typing
                assert page.message is not None
                async for say in spoken(app):
                    assert page.message(say) == say(id_, name=name)
                    check(app, (100, 30))
            page.query_one(LineInput).value = ""
            await press(app, *"Zoe", "enter")
            assert not page_of(app).is_typing
            assert page_of(app).message is None
            assert app.preferences.names == ("Zoe",)

    run(test())


def test_escape_keeps_the_name() -> None:
    async def test() -> None:
        async with open_app(preferences=Preferences(names=("Ada",))) as (app, _):
            await press(app, "tab", "down", "down", "down", "enter", *"xyz", "escape")
            assert not page_of(app).is_typing
            assert "Name       Ada" in seen(app)
            await press(app, "escape", "escape")
            assert app.is_running  # The key q leaves the gallery.
            await press(app, "q")
            assert not app.is_running

    run(test())


@pytest.mark.slow
def test_name_keeps_its_seat() -> None:
    """The second player stays second after a restart, even if the first has no name."""

    async def test() -> None:
        saved: list[Preferences] = []
        chosen = Preferences(opponent=HUMAN)
        async with open_app(preferences=chosen, remember=saved.append) as (app, _):
            await press(app, "tab", "down", "down", "enter", "home", "shift+end", *"Bob", "enter")
        async with open_app(preferences=saved[-1], remember=saved.append) as (app, _):
            assert (await played(app, "enter")).names == ["Player 1", "Bob"]
            await press(app, "tab", "down", "right")
            assert (await played(app, "tab", "enter")).names == ["Bob", "Bob"]
        async with open_app(preferences=saved[-1]) as (app, _):
            assert (await played(app, "enter")).names == ["Bob", "Player 2"]

    run(test())


@pytest.mark.slow
def test_equal_names_are_made_different() -> None:
    async def test() -> None:
        chosen = Preferences(names=("Ada", "ada"), opponent=HUMAN)
        async with open_app(preferences=chosen) as (app, _):
            await press(app, "enter")
            assert "Ada" in seen(app)
            assert "ada (2)" in seen(app)

    run(test())


@pytest.mark.slow
def test_choices_of_other_windows_are_kept() -> None:
    async def test() -> None:
        saved = [Preferences(names=("Ada",))]
        around: dict[str, Any] = {
            "preferences": saved[0],
            "remember": saved.append,
            "recall": lambda: saved[-1],
        }
        async with open_app(**around) as (one, _), open_app(**around) as (other, _):
            await press(one, "L", "2")
            await press(other, "f2")
            await press(one, "enter", "q")
            assert (saved[-1].language, saved[-1].theme, saved[-1].names) == ("ru", "light", ("Ada",))

    run(test())


@pytest.mark.slow
def test_options_of_one_run_are_not_remembered() -> None:
    async def test() -> None:
        saved: list[Preferences] = []
        requested = Preferences(names=("Zoe",), begins="loser")
        async with open_app(preferences=Preferences(), requested=requested, remember=saved.append) as (
            app,
            _,
        ):
            assert (await played(app, "enter")).names == ["Zoe", "level:4"]
        assert (saved[-1].names, saved[-1].begins, saved[-1].game) == ((), None, "tictactoe")
        assert saved[-1].known == ()

    run(test())


@pytest.mark.slow
def test_hostile_preferences_are_harmless() -> None:
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


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "level", "is_installed", "is_told"),
    [
        ("gomoku", 10, False, True),
        ("tictactoe", 10, False, False),
        ("gomoku", 9, False, False),
        ("gomoku", 10, True, False),
    ],
)
def test_weaker_level_shows_a_caution(
    game: str, level: int, is_installed: bool, is_told: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(players, "find_spec", lambda name: is_installed or None)
    preferences = Preferences(game=game, opponent="computer", level=level)

    async def test() -> None:
        async with open_app((120, 40), preferences=preferences) as (app, _):
            assert (".[fast]" in seen(app)) is is_told

    run(test())
