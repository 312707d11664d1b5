"""Windows of every size, and windows that change while a game is played."""

from functools import partial
from itertools import cycle
from random import Random
from typing import Any

import pytest

from noughts.interfaces.tui.game.board import BoardView
from tests.interfaces.tui.screens import open_app, press, resize, roll, seen, spoken, text_of
from tests.interfaces.tui.table import (
    SlowThinker,
    assert_fits,
    assert_is_model,
    left_of,
    page_of,
    plan_of,
    sidebar_of,
)
from tests.running import run
from tests.stand_ins import MemoryStore
from tests.weekly import each_week_all

pytestmark = pytest.mark.slow


GAMES = ("tictactoe", "qubic", "gomoku", "connect4", "ultimate", "100x100:5", "3x3x3x3x3:3", "fifteen")
KEYS = (
    "left",
    "right",
    "up",
    "down",
    "enter",
    "t",
    "v",
    "?",
    "!",
    "[",
    "]",
    "g",
    "escape",
    "r",
    "u",
    "pagedown",
)
WIDE = ("gomoku", "19x19:5", "8x8x8:4", "connect4", "reversi", "ultimate")
SMALL = ((20, 10), (24, 12), (30, 14))
EDGES = ((1, 1), (2, 1), (1, 30), (300, 1), (300, 100), (20, 10), (19, 9), (20, 9), (24, 4), (3, 3), (40, 2))


@pytest.mark.parametrize("game", each_week_all(GAMES, 2))
def test_many_sizes_in_turn(game: str) -> None:
    chance, store = Random(game), MemoryStore()

    async def test() -> None:
        around: dict[str, Any] = {"store": store, "thinker": SlowThinker()}
        async with open_app((60, 20), "zh-Hans", plan=plan_of(game), **around) as (app, _):
            page = page_of(app)
            edges = EDGES[GAMES.index(game) % 2 :: 2]
            sizes = [*edges, *((chance.randint(1, 300), chance.randint(1, 100)) for _ in range(1))]
            chance.shuffle(sizes)
            for width, height in sizes:
                await resize(app, width, height)
                assert_fits(app)
                for key in chance.sample(KEYS, 3):
                    if key == "escape" and not (
                        page.is_typing or page.session.question or page.session.trial
                    ):
                        continue
                    await press(app, key)
                    assert_fits(app)
                assert_is_model(app, store)

    run(test())


@pytest.mark.parametrize("game", GAMES)
def test_growing_window_restores_the_texts(game: str) -> None:
    async def test() -> None:
        async with open_app((100, 30), plan=plan_of(game), thinker=SlowThinker()) as (app, _):
            await press(app, "enter", "right", "t")
            before, cursor = seen(app), page_of(app).session.cursor
            sizes = ((1, 1), (300, 100), (20, 10), (10, 3))
            for size in sizes[GAMES.index(game) % 2 :: 2]:
                await resize(app, *size)
                await resize(app, 100, 30)
                assert seen(app) == before
                assert page_of(app).session.cursor == cursor

    run(test())


def test_question_and_input_survive_a_small_window() -> None:
    async def test() -> None:
        async with open_app((60, 20), plan=plan_of()) as (app, _):
            await press(app, "5", "r")
            before = seen(app)
            await resize(app, 1, 1)
            await resize(app, 60, 20)
            assert seen(app) == before
            await press(app, "escape", "g", "a")
            await resize(app, 3, 2)
            await resize(app, 60, 20)
            await press(app, "1", "enter", "enter")
            assert page_of(app).session.latest[2, 0] == "O"

    run(test())


def test_smallest_window_shows_board_and_cursor() -> None:
    async def test() -> None:
        async with open_app((20, 10), plan=plan_of()) as (app, _):
            await press(app, *"59", "left", "up")
            async for _say in spoken(app):
                assert_fits(app)
                rows = [line for line in text_of(app) if line.count("│") == 2]
                assert [row.replace(" ", "").lstrip("321") for row in rows] == ["│2│3", "4│>X<│6", "7│8│[O]"]
                assert sum("┼" in line for line in text_of(app)) in (0, 2)

    run(test())


@pytest.mark.parametrize(("game", "size"), list(zip(WIDE, cycle(SMALL), strict=False)))
def test_cursor_stays_visible(game: str, size: tuple[int, int]) -> None:
    chance = Random(f"{game} {size}")

    async def test() -> None:
        async with open_app(size, plan=plan_of(game), thinker=SlowThinker()) as (app, _):
            for _ in range(8):
                key = chance.choice(("left", "right", "up", "down", "pagedown"))
                await press(app, *[key] * chance.randint(1, 4))
                window = page_of(app).query_one(BoardView).window
                assert window is not None
                assert page_of(app).session.cursor in window.boxes, seen(app)
                assert ">" in seen(app)

    run(test())


def test_wheel_scrolls_a_large_board() -> None:
    async def test() -> None:
        async with open_app((24, 12), plan=plan_of("30x30:5")) as (app, _):
            playing = page_of(app).session
            for up, shift, step in (
                (False, False, 30),
                (True, False, -30),
                (False, True, 1),
                (True, True, -1),
            ):
                at = playing.cursor
                await roll(app, 5, 5, up=up, shift=shift)
                assert playing.cursor == at + step

    run(test())


def test_large_board_notes_hidden_parts() -> None:
    async def test() -> None:
        async with open_app((60, 20), plan=plan_of("30x30:5")) as (app, _):
            assert "▲" in seen(app)
            assert "▼" in seen(app)
            assert "◂" in seen(app)
            assert "▸" in seen(app)
            await press(app, "g", "a", "3", "0", "enter")
            assert "▲" not in seen(app)
            assert "◂" not in seen(app)
            assert "▼" in seen(app)

    run(test())


@pytest.mark.parametrize("game", GAMES)
def test_low_window_names_players_once(game: str) -> None:
    async def test() -> None:
        async with open_app((100, 12), plan=plan_of(game), thinker=SlowThinker()) as (app, _):
            for _ in range(2):
                session = page_of(app).session
                names = session.table.names.values()
                beside = ["".join(sidebar_of(app))] if page_of(app).panels.arrangement.sidebar else []
                shown_names = [name for name in names if beside and name in beside[0]]
                waiting = [name for name in shown_names if name != session.table.names[session.match.turn]]
                if session.latest.ply:  # Before the first move the first line names the opponent.
                    assert not any(name in left_of(app) for name in waiting), seen(app)
                move = session.latest.legal_moves()[0]
                page_of(app).turns.carry_out(partial(session.play_move, move))
                await press(app, "left")

    run(test())
