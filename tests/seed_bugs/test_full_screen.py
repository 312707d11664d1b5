"""Tests of the mistakes of earlier programs, in our full screen, by keys and clicks.

Each function has the number of a mistake in its name, and asserts the correct behaviour.
"""

from collections.abc import Sequence
from itertools import cycle
from pathlib import Path
from unittest.mock import patch

import pytest

from noughts.arena.series import Begins
from noughts.arena.setup import Setup
from noughts.arena.stored_game import StoredGame
from noughts.games.base import Game, Move
from noughts.interfaces.presenting.i18n import LANGUAGES
from noughts.interfaces.tui.app import NoughtsApp
from noughts.interfaces.tui.game.game_page import GamePage
from noughts.players import base
from noughts.players.base import Player
from noughts.search.analysis import Limit
from noughts.text import display_width
from tests.interfaces.harness import EN, SAY, Program, forget_settings
from tests.interfaces.tui.screens import NOW, click_text, open_app, press, resize, seen, settle, text_of
from tests.interfaces.tui.table import (
    DRAW,
    WIN,
    assert_fits,
    assert_is_model,
    board_of,
    page_of,
    plan_of,
    sidebar_of,
    tells,
)
from tests.running import run
from tests.stand_ins import MemoryStore

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _no_settings_of_this_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    forget_settings(monkeypatch, tmp_path)


def played(
    *keys: str, game: str = "tictactoe", language: str = "en", players: Sequence[str] = ()
) -> StoredGame:
    """Return the stored game after *keys*."""
    store = MemoryStore()

    async def test() -> None:
        async with open_app((100, 30), language, plan=plan_of(game, *players), store=store) as (app, _):
            await press(app, *keys)
            assert_fits(app)

    run(test())
    (stored,) = store.games()
    return stored


def assert_refused(why: str, *texts: str) -> None:
    """Check that *texts* for a cell do not change the board, and that *why* is shown above it."""

    async def test() -> None:
        async with open_app((100, 30), plan=plan_of()) as (app, _):
            for text in texts:
                await press(app, "g", *("space" if key == " " else key for key in text), "enter")
                assert tells(app, EN(why, text=text)), seen(app)
                assert page_of(app).session.match.version == 0
                assert tells(app, EN("is-to-move", player="Ada"))
            await press(app, "enter")
            assert page_of(app).session.latest.ply == 1

    run(test())


# Seed 000


@pytest.mark.parametrize("typed", ["", "   "])
def test_a0_01_empty_entry_changes_nothing(typed: str) -> None:
    async def test() -> None:
        async with open_app((60, 20), plan=plan_of()) as (app, _):
            before = seen(app)
            await press(app, "g", *typed, "enter")
            assert seen(app) == before

    run(test())


def test_a0_02_a0_12_bad_cell_is_refused() -> None:
    assert_refused("move-no-such-cell", "12", "23", "0", "10", "d1", "a4")


@pytest.mark.parametrize(
    ("moves", "kind", "number", "cells"),
    [
        ("14253", "row", 3, "a3 b3 c3"),
        ("41526", "row", 2, "a2 b2 c2"),
        ("71829", "row", 1, "a1 b1 c1"),
        ("12457", "column", "a", "a3 a2 a1"),
        ("21548", "column", "b", "b3 b2 b1"),
        ("31629", "column", "c", "c3 c2 c1"),
    ],
)
def test_a0_03_a0_04_winning_line_has_number(moves: str, kind: str, number: object, cells: str) -> None:
    async def test() -> None:
        async with open_app((100, 30), plan=plan_of()) as (app, _):
            await press(app, *moves)
            facts = {"winner": "Ada", "number": number, "cells": cells}
            for language in LANGUAGES:
                app.set_language(language)
                await settle(app)
                assert tells(app, SAY[language](f"line-{kind}", **facts))

    run(test())


@pytest.mark.parametrize(
    ("key", "language"),
    list(zip(["q", "Q", "в", "В", "escape", "ctrl+c", "ctrl+q"], cycle(LANGUAGES), strict=False)),
)
def test_a0_09_a0_11_leaving_is_no_draw(key: str, language: str) -> None:
    store = MemoryStore()

    async def test() -> None:
        async with open_app((60, 20), language, plan=plan_of(), store=store) as (app, _):
            await press(app, "5", key)
            assert not app.is_running
            assert app.farewell == [SAY[language]("left-kept")]

    run(test())
    assert [stored.result for stored in store.games()] == [None]


def test_a0_10_other_keys_change_nothing() -> None:
    async def test() -> None:
        async with open_app((60, 20), plan=plan_of()) as (app, _):
            before = seen(app)
            for key in ("\xff", "\udcff", "\x00", "٣", "f5", "ctrl+@"):
                await press(app, key)
                assert seen(app) == before
            await press(app, "5")
            assert board_of(app) == "....X...."

    run(test())


@pytest.mark.parametrize("text", [" 5", "5 ", " b2 ", "B2"])
def test_a0_12_blanks_around_cell_are_accepted(text: str) -> None:
    stored = played("left", "up", "g", *("space" if key == " " else key for key in text), "enter", "enter")
    assert [event.data["move"] for event in stored.events] == ["5"]


def test_a0_13_text_stays_within_the_board() -> None:
    assert_refused("move-unreadable", "3,0", "(0, 5)", "-1", "(1,-1)")


def test_a0_17_a1_10_no_move_after_win() -> None:
    stored = played(*WIN, "6", "7", "enter", "space")
    assert [event.data["move"] for event in stored.events if event.kind == "move"] == list(WIN)
    assert stored.result is not None
    assert stored.result.winner == "X"


def test_a0_19_larger_board_is_playable() -> None:
    store = MemoryStore()

    async def test() -> None:
        async with open_app((60, 20), plan=plan_of("4x4"), store=store) as (app, _):
            for name in ("d1", "a4", "c3", "b1"):
                await press(app, "g", *name, "enter", "enter")
            assert page_of(app).session.latest.ply == 4
            await press(app, "9")  # no digit means one of sixteen cells
            assert page_of(app).session.latest.ply == 4
            await press(app, "g", "1", "7", "enter")
            assert tells(app, EN("move-no-such-cell", text="17"))

    run(test())


@pytest.mark.parametrize("way", ["5", "enter", "space"])
def test_a0_21_occupied_cell_is_reported(way: str) -> None:
    async def test() -> None:
        async with open_app((100, 30), plan=plan_of()) as (app, _):
            await press(app, "5", way)
            free = ["a3", "b3", "c3", "a2", "c2", "a1", "b1", "c1"]
            for language in LANGUAGES:
                app.set_language(language)
                await settle(app)
                assert tells(app, SAY[language]("cell-taken", cell="b2", free=free))
                assert tells(app, SAY[language]("is-to-move", player="Wei"))

    run(test())


@pytest.mark.parametrize("size", [(80, 8), (80, 7), (1, 1), (300, 100)])
def test_a0_22_any_window_size_works(size: tuple[int, int]) -> None:
    async def test() -> None:
        async with open_app(size, plan=plan_of()) as (app, _):
            assert_fits(app)
            await press(app, "5", "left", "?")
            assert_fits(app)
            await resize(app, 60, 20)
            grown = seen(app)
            await resize(app, *size)
            assert_fits(app)
            assert "".join(text_of(app)).strip() or size == (1, 1)
            await resize(app, 60, 20)
            assert seen(app) == grown
            await press(app, "enter")
            assert board_of(app) == "...OX...."

    run(test())


def test_a0_22_console_without_a_terminal(tmp_path: Path) -> None:
    ran = Program(tmp_path).process("play", "--x", "human", "--o", "human", typed=b"q\n")
    assert (ran.status, ran.errors) == (0, "")
    assert EN("left") in ran.lines


@pytest.mark.parametrize("has_unicode", [True, False])
@pytest.mark.parametrize("size", [(20, 10), (60, 20), (100, 30)])
def test_a0_24_empty_board_names_its_cells(size: tuple[int, int], has_unicode: bool) -> None:
    async def test() -> None:
        async with open_app(size, plan=plan_of(), has_unicode=has_unicode) as (app, _):
            edge = size[0] - page_of(app).panels.arrangement.sidebar
            left = [line[:edge] for line in text_of(app)[2:]]
            assert any(line.split() == ["a", "b", "c"] for line in left) or size[0] == 20
            assert [line.split()[0] for line in left if line.strip()[:1] in ("1", "2", "3")] == [
                "3",
                "2",
                "1",
            ]
            assert ("│" if has_unicode else "|") in "".join(left)
            assert "".join(left).isascii() is not has_unicode

    run(test())


# Seed 001


def test_a1_03_occupied_cell_costs_no_turn() -> None:
    stored = played("5", "5", "enter", "5", "1")
    assert [(event.side, event.data["move"]) for event in stored.events] == [("X", "5"), ("O", "1")]


def test_a1_07_shown_digits_are_accepted() -> None:
    async def test() -> None:
        async with open_app((60, 20), plan=plan_of()) as (app, _):
            for number, digit in enumerate("1234567"):
                await press(app, "0", digit)
                assert page_of(app).session.latest.ply == number + 1

    run(test())


class Stubborn(Player):
    """A player that always returns the same move."""

    def __init__(self, move: Move | None) -> None:
        self.move, self.asked = move, 0

    def choose(self, game: Game, limit: Limit) -> Move:
        self.asked += 1
        return self.move  # type: ignore[return-value]


@pytest.mark.parametrize(("move", "why"), [((1, 1), "illegal-move"), (None, "no-move")])
def test_a1_11_a1_12_faulty_computer_forfeits(move: Move | None, why: str) -> None:
    bot, store = Stubborn(move), MemoryStore()

    async def test() -> None:
        plan = plan_of("tictactoe", "human", "stubborn", names=("Ada", "Bot"), begins=Begins.X)
        async with open_app((100, 30), plan=plan, store=store) as (app, _):
            for number in (1, 2):
                await press(app, "5")
                assert bot.asked == number
                assert tells(app, EN(f"forfeit-{why}", loser="Bot", detail=str(move)))
                assert_is_model(app, store)
                await press(app, "n")

    with patch.dict(base._registry, {"stubborn": (lambda argument, chance: bot, ())}):
        run(test())
    assert [stored.result.winner for stored in store.games() if stored.result] == ["X", "X"]


# Seed 002


def test_a2_01_a2_02_unreadable_input_is_reported() -> None:
    assert_refused("move-unreadable", "abc", "1.5", "-1", "0_4", "x")


@pytest.mark.parametrize(("language", "yes"), [("en", "Y"), ("ru", "Д"), ("ru", "y"), ("zh-Hans", "是")])
def test_a2_03_yes_works_in_our_languages(language: str, yes: str) -> None:
    stored = played("5", "r", "m", "z", yes, language=language)
    assert stored.result is not None
    assert (stored.result.winner, stored.result.termination) == ("X", "resignation")


@pytest.mark.parametrize("keys", [[], ["5"], ["5", "["], [*WIN], ["5", "5"]])
def test_a2_04_a3_06_leaving_always_works(keys: list[str]) -> None:
    async def test() -> None:
        async with open_app((60, 20), plan=plan_of()) as (app, _):
            await press(app, *keys, "q")
            assert not app.is_running

    run(test())


# Seed 003


def test_a3_01_a3_02_other_keys_do_nothing() -> None:
    store = MemoryStore()

    async def test() -> None:
        async with open_app((60, 20), plan=plan_of(begins=Begins.CHOOSER), store=store) as (app, _):
            for key in ("4", "5", "-", "2", "0", "1", "enter"):
                await press(app, key)
                assert tells(app, EN("choose-mark", name="Ada"))
                assert page_of(app).session.latest.ply == 0

    run(test())
    assert list(store.games()) == []


def test_a3_03_wrong_key_clears_old_seats() -> None:
    store = MemoryStore()

    async def test() -> None:
        async with open_app((60, 20), plan=plan_of(begins=Begins.CHOOSER), store=store) as (app, _):
            await press(app, "o", *WIN, "n", "-", "1", "x", *WIN)
            assert [line.split()[-1] for line in sidebar_of(app) if "Ada" in line or "Wei" in line] == [
                "1",
                "1",
            ]
            assert_is_model(app, store)

    run(test())
    assert [dict(stored.setup.seats) for stored in store.games()] == [
        {"O": "Ada", "X": "Wei"},
        {"X": "Wei", "O": "Ada"},
    ]


def test_a3_04_equal_names_are_distinguished() -> None:
    async def test() -> None:
        async with open_app((60, 20), plan=plan_of(names=("A", "A"))) as (app, _):
            assert any(line.startswith("O A (2)") for line in sidebar_of(app))
            await press(app, *WIN)
            assert [line.split()[-1] for line in sidebar_of(app)[:2]] == ["1", "0"]

    run(test())


def test_a3_05_draw_counts_for_both() -> None:
    async def test() -> None:
        async with open_app((60, 20), plan=plan_of()) as (app, _):
            await press(app, *DRAW)
            assert [(score.draws, score.points) for score in page_of(app).session.table.series.scores()] == [
                (1, 0.5),
                (1, 0.5),
            ]

    run(test())


def test_a3_07_starting_rule_is_followed() -> None:
    store = MemoryStore()

    async def test() -> None:
        async with open_app((60, 20), plan=plan_of(begins=Begins.LOSER), store=store) as (app, _):
            await press(app, *WIN, "n")
            assert tells(app, EN("is-to-move", player="Wei"))

    run(test())
    assert store.load_series(1).begins is Begins.LOSER


@pytest.mark.parametrize("name", ["A\x1b[31m", "\x07B", "A\u202eB", "A\x9b1m", "[red]A[/]", "[@click=quit]A"])
def test_a3_08_foreign_control_characters_are_escaped(name: str) -> None:
    from noughts.arena.events import Event, EventKind
    from noughts.arena.local_table import LocalTable

    store = MemoryStore()
    seats = {"X": name, "O": "Wei"}
    number = store.add_game(Setup("tictactoe", seats, created=1, who={"X": "human", "O": "human"}))
    store.append(number, [Event(1, 1, EventKind.MOVE, "X", {"move": "5"})])

    async def test() -> None:
        async with open_app((100, 30), store=store) as (app, _):
            with patch("noughts.arena.series.check_name", lambda text: text):
                sitting = LocalTable.resume(store, store.load(number), NOW)
                app.push_screen(GamePage(sitting, app))
            await settle(app)
            await press(app, *"1425", "L", "escape", "r", "escape")
            text = "".join(text_of(app))
            assert not set("\x1b\x07\u202e\x9b") & set(text)
            if name.startswith("["):
                assert name in text
            assert_fits(app)

    run(test())


@pytest.mark.parametrize("name", ["A" * 40, "井" * 20, "e\u0301" * 40, "A\u0302\u0323" * 30])
def test_a3_09_any_names_keep_columns_straight(name: str) -> None:
    async def test() -> None:
        async with open_app((24, 12), plan=plan_of(names=(name, "Wei"))) as (app, _):
            await press(app, *WIN)
            for size in ((24, 12), (60, 20), (100, 30)):
                await resize(app, *size)
                assert_columns_are_straight(app)

    run(test())


def assert_columns_are_straight(app: NoughtsApp) -> None:
    """Check that the text behind a name begins in the same column of all lines."""
    assert_fits(app)
    lines = [line for line in text_of(app) if "┃" in line]
    assert len({display_width(line.partition("┃")[0]) for line in lines}) <= 1
    for mark, points in (("╳", "1"), ("○", "0")):
        sidebar = sidebar_of(app)
        place = next((place for place, line in enumerate(sidebar) if line.startswith(mark)), None)
        if place is not None:  # beside the name, or below it if the name fills the line
            assert points in [line.split()[-1] for line in sidebar[place : place + 2] if line.split()]


def test_a3_10_scores_survive_every_exit() -> None:
    store = MemoryStore()

    async def test() -> None:
        async with open_app((60, 20), plan=plan_of(), store=store) as (app, _):
            await press(app, *WIN)
            await click_text(app, EN("key-rematch"))
            await press(app, "5")
            app.exit()  # as after a request to exit

    run(test())
    assert [stored.result.winner if stored.result else None for stored in store.games()] == ["X", None]
