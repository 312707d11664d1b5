"""Past faults between a game on the full screen and its computers, store and clocks."""

from collections.abc import Sequence
from typing import Any

import pytest

from noughts.arena.clock import Clock
from noughts.arena.events import Event
from noughts.arena.series import Begins
from noughts.errors import NotFound, StoreError
from noughts.interfaces.presenting.hints import Hint
from noughts.interfaces.presenting.players import player_called
from noughts.interfaces.presenting.tasks import MoveEvaluation, choose, evaluate_moves, find_hint
from noughts.players.base import player_names
from noughts.search.analysis import Analysis, Progress
from noughts.search.explain.reasons import MoveReason
from noughts.workers.messages import TaskFailure, TaskResult
from tests.interfaces.harness import SAY
from tests.interfaces.tui.screens import NOW, open_app, press, settle, spoken, text_of
from tests.interfaces.tui.table import (
    AGAINST_RULE,
    SlowThinker,
    assert_is_model,
    board_of,
    message_of,
    page_of,
    plan_of,
    sidebar_of,
    tells,
    tick,
)
from tests.running import run
from tests.stand_ins import MemoryStore

SAYS = SAY["en"]


# Computers


class RefusingOnce(MemoryStore):
    """A store that refuses the next append on request."""

    def __init__(self) -> None:
        super().__init__()
        self.refuses = False

    def append(self, game: int, events: Sequence[Event]) -> None:
        if self.refuses:
            self.refuses = False
            raise StoreError("games.db", "database is locked")
        super().append(game, events)


@pytest.mark.slow
def test_refused_computer_move_is_requested_again() -> None:
    store, thinker = RefusingOnce(), SlowThinker()

    async def test() -> None:
        async with open_app((100, 30), plan=AGAINST_RULE, store=store, thinker=thinker) as (app, _):
            await press(app, "5")
            store.refuses = True
            thinker.last.answer()
            await settle(app)
            assert board_of(app) == "....X...."
            assert "database is locked" in message_of(app)
            await press(app, "enter")
            assert [question.task for question in thinker.waiting] == [choose, choose]
            thinker.last.answer()
            await settle(app)
            assert board_of(app).count("O") == 1
            assert_is_model(app, store)

    run(test())


@pytest.mark.slow
def test_enter_repeats_an_unsaved_action() -> None:
    store = RefusingOnce()

    async def test() -> None:
        async with open_app((100, 30), plan=plan_of(), store=store) as (app, _):
            again = SAYS("enter-tries-again")
            for keys in (("g", "b", "1", "enter", "enter"), ("r", "y")):
                store.refuses = True
                await press(app, *keys)
                assert "database is locked" in message_of(app)
                assert message_of(app).endswith(again)
                before = page_of(app).session.match.version
                await press(app, "left")
                assert not tells(app, again)
                await press(app, "right")
                assert tells(app, again)
                store.refuses = True
                await press(app, "enter")
                assert tells(app, again)
                await press(app, "enter")
                assert page_of(app).session.match.version > before
                assert_is_model(app, store)
            assert board_of(app) == ".......X."
            assert page_of(app).session.is_over
            await press(app, "enter")
            assert message_of(app) == SAYS("game-over")

    run(test())


@pytest.mark.slow
def test_unsaved_action_is_not_repeated_elsewhere() -> None:
    store = RefusingOnce()

    async def test() -> None:
        async with open_app((100, 30), plan=plan_of(), store=store) as (app, _):
            store.refuses = True
            await press(app, "5", "left", "enter")
            assert board_of(app) == "...X....."
            assert page_of(app).session.message is None

    run(test())


def test_dead_process_is_retried_without_forfeit() -> None:
    store, thinker = MemoryStore(), SlowThinker()

    async def test() -> None:
        async with open_app((100, 30), plan=AGAINST_RULE, store=store, thinker=thinker) as (app, _):
            await press(app, "5")
            thinker.last.tell(TaskFailure("gone", "exit status -9"))
            await settle(app)
            assert len(thinker.waiting) == 2
            assert page_of(app).session.message is None
            thinker.last.tell(TaskFailure("gone", "exit status -9"))
            await settle(app)
            assert len(thinker.waiting) == 2
            assert message_of(app) == SAYS("thinking-gone")
            assert not page_of(app).session.is_over
            assert tells(app, SAYS("no-move-came"))
            assert SAYS("key-take-back") in text_of(app)[-1]
            assert SAYS("key-hurry") not in text_of(app)[-1]
            await press(app, "t")
            assert not tells(app, SAYS("is-thinking", player=SAYS("computer")))
            assert tells(app, SAYS("no-move-came"))
            await press(app, "enter")
            assert not tells(app, SAYS("no-move-came"))
            assert len(thinker.waiting) == 3
            thinker.last.answer()
            await settle(app)
            assert board_of(app).count("O") == 1
            assert_is_model(app, store)

    run(test())


def test_declined_offer_keeps_the_search() -> None:
    thinker = SlowThinker()

    async def test() -> None:
        async with open_app((100, 30), plan=AGAINST_RULE, thinker=thinker) as (app, _):
            await press(app, "5", "d", "y")
            assert message_of(app) == SAYS("offer-declined")
            assert len(thinker.waiting) == 1
            assert not thinker.last.is_stopped
            thinker.last.tell(Progress("searching", 1000, 4, (0, 1), ((0, 1), (1, 2))))
            await settle(app)
            assert not thinker.last.is_stopped
            thinker.last.answer()
            await settle(app)
            assert board_of(app).count("O") == 1

    run(test())


def test_missing_computer_loses_nothing() -> None:
    store = MemoryStore()

    async def test() -> None:
        plan = plan_of("tictactoe", "human", "nobody")
        async with open_app((100, 30), plan=plan, store=store) as (app, _):
            await press(app, "5", "enter")
            message, why = page_of(app).session.message, NotFound("player", "nobody", tuple(player_names()))
            assert message is not None
            async for say in spoken(app):
                assert message(page_of(app).wording) == say.error(why)
            assert not page_of(app).session.is_over
            assert_is_model(app, store)

    run(test())


@pytest.mark.slow
def test_two_computers_of_one_kind_have_different_names() -> None:
    first, second = (player_called(SAYS, name, "random") for name in ("random", "random (2)"))

    async def test() -> None:
        plan = plan_of("tictactoe", "random", "random")
        async with open_app((100, 30), plan=plan, thinker=SlowThinker()) as (app, _):
            beside = "\n".join(sidebar_of(app))
            assert f"X {first}" in beside
            assert f"O {second}" in beside
            assert "random (2)" not in beside

    run(test())


def test_hint_and_values_can_be_requested_together() -> None:
    thinker = SlowThinker()

    async def test() -> None:
        async with open_app((100, 30), plan=plan_of(), thinker=thinker) as (app, _):
            await press(app, "5", "v", "?")
            worth, hint = thinker.waiting
            assert (worth.task, hint.task) == (evaluate_moves, find_hint)
            assert not worth.is_stopped
            hint.answer()
            worth.answer()
            await settle(app)
            page = page_of(app)
            assert page.answers.worth is not None
            assert page.answers.hint_sentence(app.say) is not None
            assert not page.answers.is_searching

    run(test())


WORTH = MoveEvaluation(Analysis(-1, 4, (1, 2), 9), {(1, 2): MoveReason("lost-anyway")})


@pytest.mark.slow
@pytest.mark.parametrize("keys", ["v?", "?v"])
def test_hint_and_values_name_the_same_best_move(keys: str) -> None:
    thinker = SlowThinker()

    async def test() -> None:
        async with open_app((100, 30), plan=plan_of(), thinker=thinker) as (app, _):
            await press(app, *keys)
            for question in thinker.waiting:
                result = WORTH if question.task is evaluate_moves else Hint((0, 0), MoveReason("unknown"))
                question.thought.deliver(TaskResult(result))
            await settle(app)
            await press(app, "?", "?")
            assert page_of(app).answers.shown_hint == Hint((1, 2), MoveReason("lost-anyway"))

    run(test())


def test_hint_after_values_needs_no_search() -> None:
    thinker = SlowThinker()

    async def test() -> None:
        async with open_app((100, 30), plan=plan_of(), thinker=thinker) as (app, _):
            await press(app, "v")
            thinker.last.thought.deliver(TaskResult(WORTH))
            await settle(app)
            await press(app, "v", "?", "?")
            assert len(thinker.waiting) == 1
            assert page_of(app).answers.shown_hint == Hint((1, 2), MoveReason("lost-anyway"))

    run(test())


# Clocks


@pytest.mark.slow
@pytest.mark.parametrize("late", [59_000, 61_000, 3_600_000])
def test_clock_is_stopped_while_first_mark_is_chosen(late: int) -> None:
    time, store = [NOW], MemoryStore()
    plan = plan_of(begins=Begins.CHOOSER, clock=Clock(base=60_000))

    async def test() -> None:
        around: dict[str, Any] = {"store": store, "now": lambda: time[0]}
        async with open_app((60, 20), plan=plan, **around) as (app, _):
            time[0] += late
            await tick(app)
            assert page_of(app).session.question is not None
            assert list(store.games()) == []
            assert not page_of(app).session.table.series.results
            await press(app, "o")
            playing = page_of(app).session
            assert playing.match.turn == "O"
            assert playing.time_left("O") == playing.time_left("X") == 60_000
            assert list(store.games()) == []
            await press(app, "5")
            assert_is_model(app, store)

    run(test())


@pytest.mark.slow
def test_loser_on_time_has_no_time_left() -> None:
    time = [NOW]
    plan = plan_of(clock=Clock(base=60_000))

    async def test() -> None:
        async with open_app((100, 30), plan=plan, now=lambda: time[0]) as (app, _):
            await press(app, "1", "2")
            time[0] += 20_000
            await press(app, "5")
            time[0] += 60_000
            await tick(app)
            assert page_of(app).session.is_over
            beside = sidebar_of(app)
            assert [line for line in beside if "Wei" in line and " 0.0" in line]
            assert [line for line in beside if "Ada" in line and " 0:40" in line]

    run(test())
