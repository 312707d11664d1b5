"""Computers in seats: they play, answer and forfeit, and think only while needed."""

import asyncio
from math import inf
from pathlib import Path
from typing import Any, ClassVar

import pytest

from noughts.arena.commands import Forfeit, MakeMove, Resign
from noughts.arena.store.database import open_database
from noughts.errors import DamagedStore, NotFound, StoreError
from noughts.interfaces.web.live import computers
from noughts.interfaces.web.live.computers import MAX_ATTEMPTS
from noughts.search.analysis import Progress
from noughts.workers.messages import OnMessage, PendingResult, Task, TaskFailure, TaskResult
from noughts.workers.seating import BUILT_IN_SEAT_SECONDS, seat_patience
from tests.interfaces.web.harness import House, running, served, settle
from tests.running import run


class Slow:
    """A worker that answers when the test says so."""

    def __init__(self) -> None:
        self.asked: list[tuple[Task, tuple[Any, ...], OnMessage, PendingResult]] = []
        self.is_closed = False

    def ask(self, task: Task, *arguments: Any, on_message: OnMessage, patience: float = inf) -> PendingResult:
        thought = PendingResult(on_message)
        self.asked.append((task, arguments, on_message, thought))
        if task.__name__ == "take_seat":
            thought.deliver(TaskResult(None))
        return thought

    @property
    def questions(self) -> list[PendingResult]:
        return [thought for task, _, _, thought in self.asked if task.__name__ == "choose"]

    def close(self) -> None:
        self.is_closed = True


@served
async def test_computer_plays_to_end(house: House) -> None:
    one = await house.open(opponent="rule")
    assert one.state["players"][1]["kind"] == "rule"
    assert one.state["players"][1]["here"]
    async with one.listening() as listener:
        state = await listener.next()
        while state["phase"] == "playing":
            if state["legal"] and state["version"] >= one.state["version"]:
                await one.do("move", move=state["legal"][0]["move"])
            state = await listener.next()
        assert state["result"]["sentences"]
        # The computer accepts the rematch, in which it moves first.
        await one.do("rematch")
        state = await listener.until(lambda state: state["series"]["number"] == 2 and state["legal"])
        assert state["ply"] == 1


@served
async def test_computer_can_move_first(house: House) -> None:
    one = await house.open(opponent="level:1", place=1)
    async with one.listening() as listener:
        state = await listener.until(lambda state: state["ply"] == 1)
    assert (state["players"][1]["side"], state["turn"]) == ("O", "O")


@served
async def test_computer_accepts_takeback_and_declines_draw(house: House) -> None:
    one = await house.open(opponent="rule")
    async with one.listening() as listener:
        await one.do("move", move="1")
        await listener.until(lambda state: state["ply"] == 2)
        await one.do("offer-draw")
        await listener.until(lambda state: state["offer"] is None and state["version"] > one.state["version"])
        await one.do("take-back")
        state = await listener.until(lambda state: state["ply"] == 0)
        assert state["turn"] == "X"


@served
async def test_two_computers_play_with_one_human(house: House) -> None:
    one = await house.open(game="three", opponent="rule")
    async with one.listening() as listener:
        await one.do("move", move="13")
        state = await listener.until(lambda state: state["ply"] == 3)
    assert [player["kind"] for player in state["players"]] == ["human", "rule", "rule"]


def test_thinking_stops_when_no_longer_needed() -> None:
    async def go() -> None:
        slow = Slow()
        async with running(thinkers=lambda: [slow]) as house:
            one = await house.open(opponent="rule")
            await one.do("move", move="5")
            await settle(lambda: len(slow.questions) == 1)
            # Other requests do not wait for it.
            await house.pair()
            await one.do("resign")
            await settle(lambda: slow.questions[0].is_over)
            assert house.service.computers.thinking == 0
        assert slow.is_closed

    run(go())


def test_late_event_announces_overdue_move() -> None:
    async def go() -> None:
        slow = Slow()
        async with running(thinkers=lambda: [slow]) as house:
            one = await house.open(opponent="rule")
            async with one.listening() as listener:
                version = (await one.do("move", move="5"))["version"]
                await settle(lambda: len(slow.questions) == 1)
                slow.questions[0].deliver(Progress("searching"))
                slow.questions[0].deliver(Progress("late"))
                await settle(lambda: f"event: late\ndata: {version}" in listener.texts)
                slow.questions[0].deliver(TaskResult(MakeMove((0, 0))))
                await listener.until(lambda state: state["ply"] == 2)
            assert not any(f"data: {version + 1}" in text for text in listener.texts if "late" in text)
            await one.do("move", move="6")  # without a reader
            await settle(lambda: len(slow.questions) == 2)
            slow.questions[1].deliver(Progress("late"))
            slow.questions[1].deliver(TaskResult(MakeMove((0, 1))))
            await settle(lambda: not house.service.computers.thinking)

    run(go())


def test_crashing_computer_is_retried_then_forfeits() -> None:
    async def go() -> None:
        slow = Slow()
        async with running(thinkers=lambda: [slow]) as house:
            one = await house.open(opponent="rule")
            async with one.listening() as listener:
                await one.do("move", move="5")
                for number in range(1, MAX_ATTEMPTS + 1):
                    await settle(lambda number=number: len(slow.questions) == number)  # type: ignore[misc]
                    slow.questions[-1].deliver(TaskFailure("gone", "exit status -9"))
                state = await listener.until(lambda state: state["phase"] == "over")
            assert (state["result"]["winner"], state["result"]["termination"]) == ("X", "forfeit")
            assert state["result"]["sentences"][0]

    run(go())


@pytest.mark.slow
def test_state_marks_unproved_move(tmp_path: Path) -> None:
    where = f"sqlite:///{tmp_path / 'games.db'}"

    async def go() -> None:
        slow = Slow()
        async with running(thinkers=lambda: [slow], database=lambda: open_database(where)) as house:
            one = await house.open(opponent="perfect")
            async with one.listening() as listener:
                await one.do("move", move="5")
                await settle(lambda: len(slow.questions) == 1)
                slow.questions[-1].deliver(Progress("unproved"))
                slow.questions[-1].deliver(TaskResult(MakeMove((0, 0))))
                assert (await listener.until(lambda state: state["ply"] == 2))["unproved"] is True
        # Another server at the same database reads it from the events of the game.
        async with running(thinkers=lambda: [slow], database=lambda: open_database(where)) as house:
            other = house.guest()
            other.room, other.token = one.room, one.token
            assert (await other.look())["unproved"] is True
            await other.do("move", move="9")
            assert other.state["unproved"] is False
            await settle(lambda: len(slow.questions) == 2)
            await other.do("resign")

    run(go())


def test_next_move_clears_unproved_mark() -> None:
    async def go() -> None:
        slow = Slow()
        async with running(thinkers=lambda: [slow]) as house:
            one = await house.open(opponent="perfect")
            async with one.listening() as listener:
                for asked, is_unproved in enumerate((True, False), 1):
                    await one.do("move", move="5")
                    await settle(lambda asked=asked: len(slow.questions) == asked)  # type: ignore[misc]
                    if is_unproved:
                        slow.questions[-1].deliver(Progress("unproved"))
                    slow.questions[-1].deliver(TaskResult(MakeMove((0, 0))))
                    assert (await listener.until(lambda state: state["ply"] == 2))["unproved"] is is_unproved
                    await one.do("take-back")
                    await listener.until(lambda state: state["ply"] == 0)

    run(go())


@pytest.mark.parametrize("who", ["rule", "level:10"])
@pytest.mark.parametrize("reason", ["too-slow", "failed"])
def test_failed_first_move_forfeits_once(reason: Any, who: str) -> None:
    async def go() -> None:
        slow = Slow()
        async with running(thinkers=lambda: [slow]) as house:
            one = await house.open(opponent=who)
            async with one.listening() as listener:
                await one.do("move", move="5")
                await settle(lambda: len(slow.questions) == 1)
                slow.questions[0].deliver(TaskFailure(reason))
                await listener.until(lambda state: state["phase"] == "over")
            assert len(slow.questions) == 1
            metrics = (await one.get("/metrics")).text
            assert "noughts_computer_troubles_total 1" in metrics

    run(go())


def test_computers_continue_after_restart(tmp_path: Any) -> None:
    async def go() -> None:
        where = f"sqlite:///{tmp_path / 'games.db'}"
        slow = Slow()
        async with running(database=lambda: open_database(where), thinkers=lambda: [slow]) as house:
            one = await house.open(opponent="rule")
            await one.do("move", move="5")
        async with running(database=lambda: open_database(where)) as house:
            again = house.guest()
            again.room, again.token, again.place = one.room, one.token, one.place
            async with again.listening() as listener:
                await listener.until(lambda state: state["ply"] == 2)

    run(go())


def test_unavailable_worker_returns_503(tmp_path: Any) -> None:
    class Broken(Slow):
        def ask(
            self, task: Task, *arguments: Any, on_message: OnMessage, patience: float = inf
        ) -> PendingResult:
            thought = PendingResult(on_message)
            thought.deliver(TaskFailure("gone"))
            return thought

    async def go() -> None:
        async with running(thinkers=lambda: [Broken()]) as house:
            body = {"game": "tictactoe", "opponent": "rule", "name": "Ada"}
            answer = await house.guest().post("/api/rooms", body)
            assert (answer.status_code, answer.json()["error"]["code"]) == (503, "thinking-failed")

    run(go())


def test_built_in_players_have_long_seat_timeout() -> None:
    class Timed(Slow):
        patience: ClassVar[list[float]] = []

        def ask(
            self, task: Task, *arguments: Any, on_message: OnMessage, patience: float = inf
        ) -> PendingResult:
            self.patience.append(patience)
            return super().ask(task, *arguments, on_message=on_message, patience=patience)

    async def go() -> None:
        async with running(thinkers=lambda: [Timed()]) as house:
            one = await house.open(game="6x6:4", opponent="perfect")
            await one.do("move", move="15")

    run(go())
    assert len(Timed.patience) == 2
    assert min(Timed.patience) >= BUILT_IN_SEAT_SECONDS > seat_patience("bot:ada", 30.0) == 30.0


@served
async def test_computers_play_only_with_spectators(house: House) -> None:
    watcher = house.guest()
    answer = await watcher.enter("/api/rooms", {"game": "tictactoe", "computers": ["rule", "random"]})
    assert "set-cookie" not in answer.headers
    assert (watcher.place, watcher.token) == (None, "")
    assert watcher.state["phase"] == "playing"
    await asyncio.sleep(0.05)
    assert (await watcher.look())["ply"] == 0
    async with watcher.listening() as listener:
        state = await listener.until(lambda state: state["phase"] == "over")
    assert [player["kind"] for player in state["players"]] == ["rule", "random"]
    assert state["result"]["sentences"]
    for wrong in (["rule"], ["rule"] * 3, ["rule", "human"]):
        answer = await watcher.post("/api/rooms", {"game": "tictactoe", "computers": wrong})
        assert answer.status_code == 422


@pytest.mark.parametrize(
    "answer",
    [Forfeit("illegal-move", "(9, 9)"), NotFound("player", "rule")],
    ids=["illegal", "not-there"],
)
@served
async def test_failing_player_forfeits(house: House, monkeypatch: pytest.MonkeyPatch, answer: Any) -> None:
    slow = Slow()
    monkeypatch.setattr(house.service.computers, "thinkers", [slow])
    one = await house.open(opponent="rule")
    await one.do("move", move="5")
    await settle(lambda: len(slow.questions) == 1)
    slow.questions[0].deliver(TaskResult(answer))
    async with one.listening() as listener:
        state = await listener.until(lambda state: state["phase"] == "over")
    assert (state["result"]["winner"], state["result"]["termination"]) == ("X", "forfeit")


@served
async def test_computer_can_resign(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = Slow()
    monkeypatch.setattr(house.service.computers, "thinkers", [slow])
    one = await house.open(opponent="rule")
    await one.do("move", move="5")
    await settle(lambda: len(slow.questions) == 1)
    slow.questions[0].deliver(TaskResult(Resign()))
    async with one.listening() as listener:
        state = await listener.until(lambda state: state["phase"] == "over")
    assert state["result"]["termination"] == "resignation"


@served
async def test_late_decision_is_dropped(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = Slow()
    monkeypatch.setattr(house.service.computers, "thinkers", [slow])
    one = await house.open(opponent="rule")
    await one.do("move", move="5")
    await settle(lambda: len(slow.questions) == 1)

    def fail(*_: Any, **__: Any) -> None:
        raise StoreError("db", "disk full")

    with monkeypatch.context() as patched:
        patched.setattr(house.service.rooms, "submit", fail)
        patched.setattr(computers, "PAUSES", (0.0,))
        slow.questions[0].deliver(TaskResult(MakeMove((0, 0))))
        await settle(lambda: house.service.computers.thinking == 0)
    assert (await one.look())["ply"] == 1
    await house.service._sweep()
    await settle(lambda: len(slow.questions) == 2)


@served
async def test_unwritten_move_is_retried_without_new_search(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow, tries = Slow(), list[int]()
    monkeypatch.setattr(house.service.computers, "thinkers", [slow])
    monkeypatch.setattr(computers, "PAUSES", (0.0, 0.0, 0.0))
    one = await house.open(opponent="rule")
    await one.do("move", move="5")
    await settle(lambda: len(slow.questions) == 1)
    ask = house.service.rooms.submit

    def ask_in_vain(*arguments: Any, **named: Any) -> Any:
        tries.append(1)
        if len(tries) < 3:
            raise StoreError("db", "locked")
        return ask(*arguments, **named)

    monkeypatch.setattr(house.service.rooms, "submit", ask_in_vain)
    slow.questions[0].deliver(TaskResult(MakeMove((0, 0))))
    await settle(lambda: house.service.computers.thinking == 0)
    assert (await one.look())["ply"] == 2
    assert (len(tries), len(slow.questions)) == (3, 1)


@served
async def test_damaged_rooms_do_not_block_computers(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = Slow()
    one = await house.open(opponent="rule")
    monkeypatch.setattr(house.service.computers, "thinkers", [slow])
    await one.do("move", move="5")
    await settle(lambda: len(slow.questions) == 1)
    house.service.computers._asked.clear()  # as after a restart
    looked = house.service.rooms.look

    def look(room: str) -> Any:
        if room == "damaged":
            raise DamagedStore("db", "its digest is another")
        return looked(room)

    monkeypatch.setattr(house.service.rooms, "look", look)
    monkeypatch.setattr(
        house.service.rooms.store, "awaiting_computers", lambda: ["gone", "damaged", one.room]
    )
    await house.service._sweep()
    await settle(lambda: len(slow.questions) == 2)
