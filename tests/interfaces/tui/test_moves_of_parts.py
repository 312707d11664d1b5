"""Moves of several parts in the full screen: cells, then a text, and back again."""

import pytest

from noughts.games.catalogue import BY_NAME
from tests.games.pairs import ENTRY
from tests.interfaces.harness import SAY
from tests.interfaces.tui.screens import open_app, press, resize, seen
from tests.interfaces.tui.table import board_of, page_of, plan_of, tells
from tests.running import run

SAYS = SAY["en"]


@pytest.fixture(autouse=True)
def _pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BY_NAME, "pairs", ENTRY)


@pytest.mark.slow
def test_move_is_pointed_at_and_chosen() -> None:
    async def test() -> None:
        async with open_app((60, 20), plan=plan_of("pairs")) as (app, _):
            await press(app, "enter")
            assert tells(app, SAYS("point-next", said="b2"))
            assert page_of(app).session.parts == ((1, 1),)
            await press(app, "up", "enter")
            assert tells(app, SAYS("choose-next", said="b2 b3"))
            assert "a mine  b yours" in seen(app)
            await press(app, "b")
            assert board_of(app) == ".O..X...."
            await press(app, "1", "4", "a")
            assert board_of(app) == "OO.OX...."
            assert page_of(app).session.parts == ()

    run(test())


@pytest.mark.slow
def test_game_asks_for_parts_in_own_words() -> None:
    async def test() -> None:
        async with open_app((80, 24), plan=plan_of("pentago")) as (app, _):
            await press(app, "enter")
            parts = page_of(app).session.names.spell_parts(page_of(app).session.parts)
            assert tells(app, SAYS("which-twist", said=parts))
            assert "a 1l  b 1r" in seen(app)

    run(test())


def test_escape_removes_the_last_part() -> None:
    async def test() -> None:
        async with open_app((60, 20), plan=plan_of("pairs")) as (app, _):
            await press(app, "5", "6")
            assert page_of(app).session.question is not None
            await press(app, "escape")
            assert page_of(app).session.parts == ((1, 1),)
            await press(app, "2", "escape", "escape")
            assert page_of(app).session.parts == ()
            assert board_of(app) == "." * 9
            assert page_of(app) is app.screen

    run(test())


def test_wrong_next_cell_is_refused() -> None:
    async def test() -> None:
        async with open_app((60, 20), plan=plan_of("pairs")) as (app, _):
            await press(app, "5", "9")
            assert tells(app, SAYS("not-next", cell="c1", said="b2"))
            await press(app, "2", "a", "5")
            assert tells(app, SAYS("cell-taken", cell="b2", free=["a3", "c3", "a2", "c2", "a1", "b1", "c1"]))
            await press(app, "[", "enter")
            assert tells(app, SAYS("past-position"))

    run(test())


@pytest.mark.slow
def test_chosen_and_next_cells_are_shown() -> None:
    async def test() -> None:
        async with open_app((60, 20), plan=plan_of("pairs")) as (app, _):
            await press(app, "5")
            view = page_of(app).view
            assert view.codes(4) == ("cursor", "said")
            assert {index for index in range(9) if "next" in view.codes(index)} == {1, 3, 5, 7}

    run(test())


def test_whole_move_can_be_typed() -> None:
    async def test() -> None:
        async with open_app((60, 20), plan=plan_of("pairs")) as (app, _):
            await press(app, "g", *"a3-b3-mine", "enter")
            assert board_of(app) == "XX......."
            await press(app, "g", *"a3-a2-mine", "enter")
            assert tells(app, SAYS("move-illegal-many", cell="a3-a2-mine"))
            await press(app, "g", *"c1", "enter")
            assert page_of(app).session.cursor == 8
            await press(app, "[", "g", *"5-8-mine", "enter")
            assert tells(app, SAYS("past-position"))

    run(test())


# Forbidden points

BEFORE_A_DOUBLE_THREE = ("h8", "a1", "h9", "a3", "g7", "a5", "f7", "a7")


@pytest.mark.slow
def test_forbidden_cell_shows_its_reason() -> None:
    async def test() -> None:
        async with open_app((60, 24), plan=plan_of("15x15:5,renju")) as (app, _):
            for cell in BEFORE_A_DOUBLE_THREE:
                await press(app, "g", *cell, "enter", "enter")
            reason = SAYS("cell-forbidden-33", cell="h7")
            view = page_of(app).view
            assert [index for index in view.highlights if "forbidden" in view.codes(index)] == [127]
            assert not tells(app, reason)
            await press(app, "g", "h", "7", "enter")
            for size in ((60, 24), (100, 30), (24, 10)):
                await resize(app, *size)
                assert ">#<" in seen(app)
                if size[0] > 24:
                    assert tells(app, reason)
            await press(app, "enter")
            assert page_of(app).session.latest.ply == 8
            await press(app, "g", "h", "6", "enter", "enter")
            assert "#" not in seen(app)

    run(test())


def test_many_answers_take_several_lines() -> None:
    async def test() -> None:
        async with open_app((40, 24), plan=plan_of("pentago")) as (app, _):
            await press(app, "enter")
            assert tells(app, "a 1l  b 1r  c 2l  d 2r  e 3l  f 3r")
            assert tells(app, "g 4l  h 4r")
            await press(app, "h")
            assert page_of(app).session.latest.ply == 1

    run(test())
