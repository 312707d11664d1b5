"""Every game, and boards of many other shapes, opened and played at several sizes."""

from typing import Any

import pytest

from noughts.games.catalogue import CATALOGUE
from noughts.interfaces.tui.game.board import BoardView
from noughts.interfaces.tui.game.game_page import GamePage
from noughts.interfaces.tui.launch import table_for
from noughts.interfaces.tui.widgets.keys import PLAYING
from tests.interfaces.tui.screens import SIZES, open_app, press, resize, seen, send, settle
from tests.interfaces.tui.table import (
    WIN,
    SlowThinker,
    assert_fits,
    assert_is_model,
    make_a_move,
    page_of,
    plan_of,
)
from tests.running import run
from tests.stand_ins import MemoryStore
from tests.weekly import each_week_all

pytestmark = pytest.mark.slow


SPECS = ("1x1:1", "2x2x2x2x2x2:2", "100x100:5", "7x7:4,gravity,wild", "5x5:4,wrap", "9x9:5,players=4")
GAMES = (*(entry.name for entry in CATALOGUE), *SPECS)
WALKS = {
    "narrow": ("right", "down", "pagedown", "k"),
    "normal": ("l", "j", "pageup", "pagedown"),
    "wide": ("left", "up", "h", "down"),
}
"""Each way is used at least once in each kind of game.

The tests of windows check that every cell is visible.
"""

TOGGLES = ("t", "exclamation_mark", "t", "v", "v", "question_mark", "question_mark", "question_mark")


@pytest.mark.parametrize("game", each_week_all(GAMES, 2))
def test_every_game_opens_and_moves_at_several_sizes(game: str) -> None:
    store = MemoryStore()
    at = GAMES.index(game)
    toggled, left_out = (tuple(SIZES)[(at + step) % len(SIZES)] for step in (0, 1))

    async def test() -> None:
        around: dict[str, Any] = {"store": store, "thinker": SlowThinker()}
        async with open_app(SIZES["wide"], plan=plan_of(game), **around) as (app, _):
            for name, size in SIZES.items():
                if name == left_out:
                    continue
                await resize(app, *size)
                assert_fits(app)
                playing = page_of(app).session
                before = playing.match.version
                for key in WALKS[name]:
                    await press(app, key)
                    assert_fits(app)
                    window = page_of(app).query_one(BoardView).window
                    assert window is not None
                    assert playing.cursor in window.boxes, seen(app)
                await make_a_move(app)
                assert playing.match.version > before or playing.is_over, seen(app)
                if name == toggled:
                    for key in TOGGLES:
                        await press(app, key)
                        assert_fits(app)
                assert_is_model(app, store)

    run(test())
    (stored,) = store.games()
    assert stored.replay().game.ply > 0


@pytest.mark.parametrize(("game", "digits"), [("connect4", "1234567"), ("tictactoe", "123456789")])
def test_digits_choose_columns_or_cells(game: str, digits: str) -> None:
    async def test() -> None:
        async with open_app((60, 20), plan=plan_of(game)) as (app, _):
            for digit in digits:
                playing = page_of(app).session
                await press(app, digit)
                assert playing.latest.ply == 1
                assert int(digit) - 1 == playing.cursor % playing.latest.notation.count
                await press(app, "u", "y")
                assert playing.latest.ply == 0
            await press(app, "0", "٣", "³", "五")
            assert playing.latest.ply == 0

    run(test())


def test_column_choice_drops_a_mark() -> None:
    async def test() -> None:
        async with open_app((60, 20), plan=plan_of("connect4")) as (app, _):
            await press(app, "4", "4", "enter", "left", "enter")
            game = page_of(app).session.game
            column = [game.cells[game.layout.index(0, row, 3)] for row in range(6)]
            assert column == [None, None, None, "X", "O", "X"]
            assert game.cells[game.layout.index(0, 5, 2)] == "O"

    run(test())


# Every key in every state

STATES = ("playing", "thinking", "looking back", "trial", "question", "over", "typing")
KEYS = [*([digit] for digit in "0123456789"), *(row.keys.split(",") for row in PLAYING if row.keys)]
"""Groups of keys with the same action; each state uses another key of the group."""
LEAVING = {key for row in PLAYING if row.action in ("leave", "step_back") for key in row.keys.split(",")}


async def bring_about(app: Any, state: str) -> None:
    """Return the keys that lead from a new game to *state*."""
    send(app, *{"over": WIN, "thinking": "5"}.get(state, "51"))
    send(app, *{"looking back": "[", "trial": "[b", "question": "r", "typing": "g"}.get(state, ""))
    await settle(app)


def facts(page: GamePage) -> Any:
    """Return all facts that decide the action of a key, but the cursor and the last message."""
    session, answers = page.session, page.answers
    shown = (answers.shown, answers.shown_hint)
    table = (session.match, session.match.version, session.shown, session.parts)
    return *table, session.question, shown, page.is_typing


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("game", ["tictactoe"])
def test_every_key_works_in_every_state(
    game: str, state: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    """Press each key twice; continue in the same game if that restores the state."""
    monkeypatch.chdir(tmp_path)

    plan = plan_of(game, "human", "rule" if state == "thinking" else "human")
    store = MemoryStore()

    async def test() -> None:
        async with open_app((60, 20), plan=plan, store=store, thinker=SlowThinker()) as (app, _):
            app.copy_to_clipboard = lambda text: None  # type: ignore[method-assign]
            page, before = None, None
            for key in sorted(row[STATES.index(state) % len(row)] for row in KEYS):
                if page is None or app.screen is not page or facts(page) != before:
                    while len(app.screen_stack) > 1:
                        app.pop_screen()
                        await settle(app)
                    app.push_screen(GamePage(table_for(plan, store, keeps_all=False), app))
                    await settle(app)
                    await bring_about(app, state)
                    page = page_of(app)
                    before = facts(page)
                for _ in range(2):
                    await press(app, key)
                    if page not in app.screen_stack:
                        assert key in LEAVING, key
                        break
                    assert_fits(app)
                    assert_is_model(app, store)

    run(test())
