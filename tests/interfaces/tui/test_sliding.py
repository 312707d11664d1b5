"""The fifteen puzzle in the full screen: arrows and clicks slide tiles."""

import pytest

from noughts.interfaces.tui.game.board import BoardView
from noughts.interfaces.tui.widgets.help import KeyHelpPage
from tests.interfaces.harness import SAY
from tests.interfaces.tui.screens import NOW, click, open_app, press, seen, text_of
from tests.interfaces.tui.table import SlowThinker, page_of, plan_of, sidebar_of, tells, tick
from tests.running import run

PLAN = plan_of("fifteen")
"""The gap of this position is in the third column of the last row."""

GAP = 14


@pytest.mark.slow
@pytest.mark.parametrize(
    ("key", "tile"), [("down", 10), ("j", 10), ("left", 15), ("h", 15), ("right", 13), ("l", 13)]
)
def test_arrow_slides_the_tile_across_the_gap(key: str, tile: int) -> None:
    async def test() -> None:
        async with open_app(plan=PLAN) as (app, _):
            before = page_of(app).session.game.cells
            assert before[GAP] is None
            await press(app, key)
            after = page_of(app).session.game.cells
            assert (after[GAP], after[tile]) == (before[tile], None)
            assert page_of(app).session.game.ply == 1

    run(test())


def test_impossible_slide_shows_a_message() -> None:
    async def test() -> None:
        async with open_app(plan=PLAN) as (app, _):
            await press(app, "up")
            assert page_of(app).session.game.ply == 0
            assert tells(app, "No tile can slide that way.")
            await press(app, "down", "[", "left")  # An earlier position is viewed.
            assert page_of(app).session.latest.ply == 1

    run(test())


@pytest.mark.slow
def test_enter_explains_the_sliding_keys() -> None:
    async def test() -> None:
        async with open_app(plan=PLAN) as (app, _):
            page = page_of(app)
            await press(app, "enter")
            assert page.session.message is not None
            assert page.session.message(page.wording) == "Arrows slide a tile into the gap."
            assert page.session.game.ply == 0

    run(test())


def test_click_slides_all_tiles_up_to_the_gap() -> None:
    async def test() -> None:
        async with open_app(plan=PLAN) as (app, _):
            view, session = app.screen.query_one(BoardView), page_of(app).session
            assert view.window is not None

            async def click_on(index: int, button: int = 1) -> None:
                box = view.window.boxes[index]  # type: ignore[union-attr]
                x, y = view.region.offset
                await click(app, x + view._left + box.x + box.width // 2, y + view._above + box.y, button)

            before = session.game.cells
            await click_on(12, 3)  # The right button makes no move.
            await click_on(0)
            assert session.game.ply == 0
            assert session.message is not None
            await click_on(12)
            assert session.game.ply == 2
            assert session.game.cells[12:15] == (None, before[12], before[13])
            await click_on(0)
            assert session.game.ply == 5
            assert session.game.cells[0] is None
            assert [session.game.cells[index] for index in (4, 8, 12)] == [before[0], before[4], before[8]]

    run(test())


@pytest.mark.slow
@pytest.mark.parametrize("unicode", [True, False])
def test_sliding_tiles_show_keys_without_cursor(unicode: bool) -> None:
    async def test() -> None:
        async with open_app((60, 20), plan=PLAN, has_unicode=unicode) as (app, _):
            board = "\n".join(line.partition("┃" if unicode else "|")[0] for line in text_of(app))
            board = "\n".join(text_of(app)) if not unicode else board
            keys = ("↓", "→", "←") if unicode else ("v", ">", "<")
            assert all(key in board for key in keys)
            assert ("↑" if unicode else "^") not in board
            assert ">11<" not in board

    run(test())


def test_moves_time_and_placed_tiles_are_counted() -> None:
    time = [NOW]

    async def test() -> None:
        async with open_app(plan=PLAN, now=lambda: time[0]) as (app, _):
            assert [line.split() for line in sidebar_of(app)[:4]] == [
                ["Ada"],
                ["moves", "0"],
                ["time", "0:00"],
                ["in", "place", "1", "of", "15"],
            ]
            await press(app, "left")
            time[0] += 62_500
            await tick(app)
            assert [line.split()[-1] for line in sidebar_of(app)[1:3]] == ["1", "1:02"]

    run(test())


@pytest.mark.slow
def test_sliding_game_uses_words_for_one_player() -> None:
    say = SAY["ru"]
    of_two = ("key-place", "key-draw", "key-threats", "key-lines", "key-rematch", "key-about-take-back")

    async def test() -> None:
        async with open_app((160, 50), "ru", plan=PLAN, thinker=SlowThinker()) as (app, _):
            shown = [seen(app)]
            await press(app, "f1")
            assert isinstance(app.screen, KeyHelpPage)
            shown.append(seen(app).split(say("help-layout")[:4])[0].split("[X]")[0])
            await press(app, "escape", "n")
            shown.append(seen(app))
            for text in shown:
                assert not [id_ for id_ in of_two if say(id_) in text]
                assert "X Ada" not in text
            assert say("key-about-slide")[:12] in shown[1]
            assert tells(app, say("again-after-end"))

    run(test())
