"""Computers in the worker process: keys work meanwhile, late answers are dropped."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from noughts.arena.events import Event, EventKind
from noughts.arena.local_table import LocalTable
from noughts.arena.series import Series
from noughts.errors import StaleVersion, StoreError
from noughts.interfaces.presenting.i18n import LANGUAGES
from noughts.interfaces.presenting.tasks import choose, evaluate_moves, find_hint
from noughts.interfaces.tui.game.analysis import say_thinking
from noughts.interfaces.tui.game.session import GameSession
from noughts.interfaces.tui.widgets.picking import Picker
from noughts.search.analysis import Progress
from noughts.workers.messages import TaskFailure, TaskResult
from tests.interfaces.harness import SAY
from tests.interfaces.tui.screens import NOW, open_app, press, seen, settle, start_of, text_of
from tests.interfaces.tui.table import (
    AGAINST_RULE,
    WIN,
    SlowThinker,
    assert_is_model,
    board_of,
    facts_of,
    page_of,
    plan_of,
    sidebar_of,
    tells,
    tick,
)
from tests.running import run
from tests.stand_ins import MemoryStore, ThinkingHere

SAYS = SAY["en"]


@pytest.mark.slow
def test_keys_work_while_a_computer_thinks() -> None:
    thinker, store = SlowThinker(), MemoryStore()

    async def test() -> None:
        async with open_app((60, 20), plan=AGAINST_RULE, thinker=thinker, store=store) as (app, _):
            await press(app, "5", "left")
            assert tells(app, SAYS("is-thinking", player=sidebar_name(app)))
            assert page_of(app).session.cursor == 3
            await press(app, "1", "t", "[")
            assert board_of(app) == "........."
            await press(app, "]", "L")
            assert isinstance(app.screen, Picker)
            await press(app, "escape")
            assert board_of(app) == "....X...."
            thinker.waiting[0].answer()
            await settle(app)
            assert board_of(app).count("O") == 1
            assert_is_model(app, store)

    run(test())


def sidebar_name(app: Any) -> str:
    """Return the name of the computer beside the board."""
    from noughts.interfaces.presenting.players import player_called

    return player_called(app.say, "rule", "rule")


@pytest.mark.slow
def test_enter_hurries_a_computer() -> None:
    thinker = SlowThinker()

    async def test() -> None:
        async with open_app((60, 20), plan=AGAINST_RULE, thinker=thinker) as (app, _):
            await press(app, "5")
            assert not thinker.last.thought.should_end
            await press(app, "enter")
            assert thinker.last.thought.should_end
            assert not thinker.last.is_stopped
            thinker.last.answer()
            await settle(app)
            assert board_of(app).count("O") == 1

    run(test())


@pytest.mark.slow
@pytest.mark.parametrize("keys", ["u", "ry", "ryn", "[b", "q", "u5u1"])
@pytest.mark.parametrize("is_late", [True, False])
def test_late_answers_are_dropped(keys: str, is_late: bool) -> None:
    """After each action the answer comes late, or was already on its way."""
    thinker, store = SlowThinker(), MemoryStore()

    async def test() -> None:
        async with open_app((60, 20), store=store, thinker=thinker) as (app, _):
            start_of(app).play(AGAINST_RULE)
            await settle(app)
            page = page_of(app)
            await press(app, "5")
            task = thinker.last
            await press(app, *keys)
            assert task.is_stopped
            before = seen(app), facts_of(page.session.table.match)
            if is_late:
                task.answer_late()
            else:
                task.answer()
            await settle(app)
            assert (seen(app), facts_of(page.session.table.match)) == before
            if keys != "q":
                assert_is_model(app, store)

    run(test())


def test_delayed_answer_is_dropped() -> None:
    """A computer's move is shown after a moment; if it is taken back meanwhile, it never is."""
    store = MemoryStore()

    async def test() -> None:
        async with open_app((60, 20), plan=AGAINST_RULE, store=store, pace=3600.0) as (app, _):
            await press(app, "5")
            assert board_of(app) == "....X...."
            await press(app, "enter")  # The computer does not wait any more.
            assert board_of(app).count("O") == 1
            await press(app, "u", "5", "u")
            assert board_of(app) == "........."
            assert_is_model(app, store)

    run(test())


@pytest.mark.slow
def test_answers_for_earlier_position_are_dropped() -> None:
    thinker = SlowThinker()

    async def test() -> None:
        async with open_app((100, 30), plan=plan_of(), thinker=thinker) as (app, _):
            await press(app, "?")
            hint = thinker.last
            assert hint.task is find_hint
            await press(app, "5")
            assert hint.is_stopped
            before = seen(app)
            hint.answer_late()
            await settle(app)
            assert seen(app) == before
            await press(app, "v")
            worth = thinker.last
            assert worth.task is evaluate_moves
            await press(app, "[")
            assert worth.is_stopped
            assert thinker.last is not worth  # The search is now about the earlier position.
            worth.answer_late()
            await settle(app)
            assert "(=)" not in seen(app)
            await press(app, "v")
            assert thinker.last.is_stopped

    run(test())


@pytest.mark.slow
def test_second_request_uses_one_search() -> None:
    async def screen_after(before: int, after: int) -> str:
        """Return the screen after ``?`` was pressed *before* times, and *after* times after the answer."""
        thinker = SlowThinker()
        async with open_app((100, 30), plan=plan_of(), thinker=thinker) as (app, _):
            await press(app, *["?"] * before)
            thinker.last.answer()
            await settle(app)
            await press(app, *["?"] * after)
            assert len(thinker.waiting) == 1
            return seen(app)

    async def test() -> None:
        where, which, why, more = [await screen_after(1, presses) for presses in range(4)]
        assert where != which != why == more  # Further requests show no more than the reason.
        assert [await screen_after(2, 0), await screen_after(3, 0)] == [which, why]

    run(test())


def test_progress_is_shown_at_intervals() -> None:
    thinker, time = SlowThinker(), [NOW]

    async def test() -> None:
        around: dict[str, Any] = {"thinker": thinker, "now": lambda: time[0]}
        async with open_app((100, 30), plan=AGAINST_RULE, **around) as (app, _):

            async def later(milliseconds: int, *reports: Progress) -> list[str]:
                for report in reports:
                    thinker.last.tell(report)
                await settle(app)  # A tick of the real clock cannot come between.
                time[0] += milliseconds
                await tick(app)
                return [line.partition("│")[0].strip() for line in text_of(app)[:2]]

            await press(app, "5")
            turn, _ = await later(200, Progress("searching", nodes=1234))
            assert turn.endswith("is thinking")  # The time is not shown yet.
            turn, report = await later(100)
            assert turn.endswith("is thinking  0:00")
            assert report == SAYS("progress-nodes", nodes=1234)
            deep = Progress("searching", 5000, 3, (0, 0), ((0, 0), (2, 2)), 42)
            assert (await later(300, deep))[1] == report  # Reports come at most twice a second.
            assert (await later(400, deep))[1] == "depth 3   O +0.4   expects a3 c1"
            assert (await later(6_000, replace(deep, pv=(), score=None)))[1] == "depth 3   expects a3"
            assert (await later(600, replace(deep, score=-999_996, pv=())))[1].startswith("depth 3   O -2 ")
            await press(app, "left")
            assert text_of(app)[0].split("│")[0].rstrip().endswith("0:07")
            report = (await later(600, Progress("unproved", 5000)))[1]
            assert SAYS("thinking-unproved").startswith(report.rstrip("…"))
            assert (await later(600, Progress("late")))[1].startswith(SAYS("thinking-late")[:20])
            footer = text_of(app)[-1]
            assert all(
                report in footer for report in ("arrows look around", ". move now", "F1 help", "q leave")
            )
            thinker.last.answer()
            await settle(app)
            assert not tells(app, "expects")
            await press(app, ".")  # No player is thinking, so it does nothing.
            assert len(thinker.waiting) == 1

    run(test())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "expected"),
    [
        ((60, 20), ["Play in the field d4-f6.", "depth 3   O +0.4   expects f6 i9"]),
        ((160, 50), ["Play in the field d4-f6.   depth 3   O +0.4   expects f6 i9"]),
        ((100, 12), ["Play in the field d4-f6.   depth 3   O +0.4   expects f6 i9"]),
        ((44, 14), ["Play in the field d4-f6.   depth 3"]),
    ],
)
def test_forced_field_is_named_while_thinking(size: tuple[int, int], expected: list[str]) -> None:
    thinker, time = SlowThinker(), [NOW]

    async def test() -> None:
        around: dict[str, Any] = {"thinker": thinker, "now": lambda: time[0]}
        async with open_app(size, plan=plan_of("ultimate", "human", "rule"), **around) as (app, _):
            await press(app, "g", "e", "5", "enter", "enter")
            thinker.last.tell(Progress("searching", 5000, 3, (3, 5), ((3, 5), (0, 8)), 42))
            await settle(app)
            time[0] += 600
            await tick(app)
            lines = [line.partition("│")[0].strip() for line in text_of(app)]
            assert [line for line in lines[1:] if "Play" in line or "depth" in line] == expected

    run(test())


def test_full_stop_requests_the_move() -> None:
    thinker = SlowThinker()

    async def test() -> None:
        async with open_app((100, 30), plan=AGAINST_RULE, thinker=thinker) as (app, _):
            await press(app, "5", "full_stop")
            assert thinker.last.thought.should_end

    run(test())


@pytest.mark.parametrize("language", LANGUAGES)
def test_search_report_is_cut_at_whole_moves(language: str) -> None:
    table = LocalTable(None, "gomoku", Series(("Ada", "Wei")), {"Ada": "human", "Wei": "human"})
    session = GameSession(table, lambda: 0)
    session.begin()
    line = tuple((row, 9) for row in range(5))
    progress, say = Progress("searching", 900, 9, line[0], line, -140), SAY[language]
    whole = say_thinking(say, session, progress, 100)
    decimal = "-1,4" if language == "ru" else "-1.4"
    assert f"   X {decimal}   " in whole
    assert whole.endswith("j15 j14 j13 j12 j11")
    shown = {say_thinking(say, session, progress, width) for width in range(1, 60)}
    assert {report.split()[-1] for report in shown} == {"j15", "j14", "j13", "j12", "j11", decimal, "9"}
    assert say_thinking(say, session, None, 100) == ""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("failure", "reason"),
    [
        (TaskFailure("failed", "Ouch"), "raised"),
        (TaskFailure("too-slow"), "too-slow"),
    ],
)
def test_computer_without_answer_forfeits(failure: TaskFailure, reason: str) -> None:
    thinker, store = SlowThinker(), MemoryStore()

    async def test() -> None:
        async with open_app((100, 30), plan=AGAINST_RULE, thinker=thinker, store=store) as (app, _):
            await press(app, "5")
            thinker.last.tell(failure)
            await settle(app)
            match = page_of(app).session.match
            assert match.outcome is not None
            assert (match.outcome.winner, match.outcome.termination) == ("X", "forfeit")
            loser = sidebar_name(app)
            assert tells(app, SAYS(f"forfeit-{reason}", loser=loser, detail=failure.detail))
            assert [line.split()[-3:] for line in sidebar_of(app) if line.startswith("Ada")] == [list("100")]
            assert_is_model(app, store)
            await press(app, "n")
            assert not page_of(app).session.is_over

    run(test())


@pytest.mark.slow
@pytest.mark.parametrize("key", ["v", "?"])
def test_failed_search_is_reported(key: str) -> None:
    thinker = SlowThinker()

    async def test() -> None:
        async with open_app((100, 30), plan=plan_of(), thinker=thinker) as (app, _):
            await press(app, key)
            thinker.last.tell(TaskFailure("failed", "out of memory"))
            await settle(app)
            assert tells(app, SAYS("thinking-failed", detail="out of memory"))
            await press(app, "5")
            assert board_of(app) == "....X...."

    run(test())


@pytest.mark.slow
def test_messages_after_leaving_are_harmless() -> None:
    thinker = SlowThinker()

    async def test() -> None:
        async with open_app((60, 20), plan=AGAINST_RULE, thinker=thinker) as (app, _):
            await press(app, "5", "q")
            assert not app.is_running
            thinker.waiting[0].answer_late()

    run(test())
    assert thinker.waiting[0].is_stopped


# Failing stores


class FailingStore(MemoryStore):
    """A store that raises *error*, if it is set, instead of saving."""

    def __init__(self) -> None:
        super().__init__()
        self.error: Exception | None = None

    def append(self, game: int, events: Sequence[Event]) -> None:
        if self.error is not None:
            raise self.error
        super().append(game, events)


ERRORS = (
    StoreError("games.db", "disk full"),
    StaleVersion("games.db", "version 3 after 5"),
)


@pytest.mark.slow
@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
@pytest.mark.parametrize("keys", ["1", "u", "ry", "dy"])
def test_unsaved_move_has_not_happened(keys: str, error: Exception) -> None:
    store = FailingStore()

    async def test() -> None:
        async with open_app((100, 30), plan=plan_of(), store=store) as (app, _):
            await press(app, "5")
            before = facts_of(page_of(app).session.match)
            store.error = error
            await press(app, *keys)
            assert facts_of(page_of(app).session.match) == before
            message = page_of(app).session.message
            assert message is not None
            assert tells(app, message(page_of(app).wording))
            store.error = None
            assert_is_model(app, store)
            await press(app, "9")
            assert board_of(app) == "....X...O"
            assert_is_model(app, store)

    run(test())


@pytest.mark.slow
@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_unsaved_computer_move_can_be_requested_again(error: Exception) -> None:
    store, thinker = FailingStore(), SlowThinker()

    async def test() -> None:
        async with open_app((100, 30), plan=AGAINST_RULE, store=store, thinker=thinker) as (app, _):
            await press(app, "5")
            store.error = error
            thinker.last.answer()
            await settle(app)
            assert board_of(app) == "....X...."
            message = page_of(app).session.message
            assert message is not None
            assert tells(app, message(page_of(app).wording))
            store.error = None
            await press(app, "enter")
            if not thinker.last.thought.is_over:
                thinker.last.answer()
                await settle(app)
            assert board_of(app).count("O") == 1, seen(app)
            assert_is_model(app, store)

    run(test())


@pytest.mark.slow
def test_unsaved_result_does_not_count() -> None:
    store = FailingStore()

    async def test() -> None:
        async with open_app((60, 20), plan=plan_of(), store=store) as (app, _):
            await press(app, *WIN[:-1])
            store.error = StoreError("games.db", "disk full")
            await press(app, WIN[-1])
            assert not page_of(app).session.is_over
            assert page_of(app).session.table.series.results == []
            store.error = None
            await press(app, WIN[-1])
            assert page_of(app).session.is_over
            assert len(page_of(app).session.table.series.results) == 1
            assert_is_model(app, store)

    run(test())


@pytest.mark.slow
def test_local_thinker_answers_at_once() -> None:
    """The thinker of other tests sends its answers as messages, as a real one does."""
    messages: list[Any] = []
    game = page_game()
    ThinkingHere().ask(choose, "rule", game, 1, 1.0, 5.0, on_message=messages.append)
    assert isinstance(messages[-1], TaskResult)
    assert EventKind.MOVE.value == "move"


def page_game() -> Any:
    from noughts.games.catalogue import new_game

    return new_game("tictactoe")
