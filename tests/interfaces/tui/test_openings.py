"""Openings in the full screen: instructions for marks, and questions for sides."""

import pytest

from noughts.arena.stored_game import record_of
from noughts.interfaces.presenting.game_plan import GamePlan
from noughts.interfaces.tui.app import NoughtsApp
from tests.interfaces.harness import SAY
from tests.interfaces.tui.screens import open_app, press
from tests.interfaces.tui.table import assert_is_model, page_of, plan_of, tells
from tests.running import run
from tests.stand_ins import MemoryStore

EN = SAY["en"]


def opened(game: str, opening: str, *who: str) -> GamePlan:
    plan = plan_of(game, *who)
    plan.opening = opening
    return plan


def question(app: NoughtsApp) -> str:
    question = page_of(app).session.question
    return "" if question is None else " ".join(question.answers)


@pytest.mark.slow
def test_swap2_by_keys() -> None:
    store = MemoryStore()

    async def test() -> None:
        async with open_app((100, 30), plan=opened("6x6:4", "swap2"), store=store) as (app, _):
            facts = {"name": "Ada", "mark": "X", "opponent": "Wei", "other": "O"}
            assert tells(app, EN.plural("opening-places", 3, **facts))
            await press(app, "enter", "left", "enter")
            assert tells(app, EN.plural("opening-places", 1, **facts))
            await press(app, "question_mark")
            assert tells(app, EN("no-hint-in-opening"))
            await press(app, "left", "enter")
            assert tells(app, EN("choose-side-question", name="Wei", mark="O", other="X"))
            assert question(app) == "k s p"
            await press(app, "p")
            assert tells(app, EN("chose-put", name="Wei", mark="X"))
            await press(app, "up", "enter", "right", "enter")
            assert (
                tells(app, EN("choose-side-question", name="Ada", mark="O", other="X")),
                question(app),
            ) == (
                True,
                "k s",
            )
            await press(app, "s")
            assert tells(app, EN("chose-swap", name="Ada", mark="X"))
            assert page_of(app).session.table.names == {"X": "Ada", "O": "Wei"}
            await press(app, "right", "enter")
            assert_is_model(app, store)

    run(test())
    (game,) = store.games()
    record = record_of(game)
    assert record.opening is not None
    assert [made["choice"] for made in record.opening["choices"]] == ["put", "swap"]
    assert len(record.moves) == 6


def test_keeping_a_side_is_moving() -> None:
    store = MemoryStore()

    async def test() -> None:
        async with open_app((100, 30), plan=opened("tictactoe", "pie"), store=store) as (app, _):
            await press(app, "5")
            assert question(app) == "k s"
            await press(app, "k")
            assert question(app) == ""
            await press(app, "x", "1")
            assert page_of(app).session.latest.ply == 2
            await press(app, "u", "y")
            assert question(app) == "k s"
            await press(app, "s", "1")
            assert page_of(app).session.table.names == {"X": "Wei", "O": "Ada"}

    run(test())
    (game,) = store.games()
    assert record_of(game).players == {"X": "Wei", "O": "Ada"}


@pytest.mark.slow
def test_computer_swaps_in_an_opening() -> None:
    async def test() -> None:
        async with open_app((100, 30), plan=opened("connect4", "pie", "human", "random")) as (app, _):
            await press(app, "4")
            assert page_of(app).session.table.names["X"] == "random"
            assert page_of(app).session.hand == "O"

    run(test())
