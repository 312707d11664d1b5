"""Analyses take turns, and a thought is cancelled when nobody waits for it."""

import asyncio
from typing import Any

import pytest

from noughts.interfaces.presenting.tasks import evaluate_moves
from noughts.interfaces.web.live.computers import FairQueue
from noughts.workers.messages import PendingResult, TaskFailure
from tests.interfaces.web.harness import Guest, House, served, settle
from tests.interfaces.web.test_api_computers import Slow
from tests.running import run


class Analyst(Slow):
    """A worker that notes its requests and their time limits."""

    @property
    def thoughts(self) -> list[tuple[float, PendingResult]]:
        return [(body[1], thought) for task, body, _, thought in self.asked if task is evaluate_moves]


async def finished(house: House) -> Guest:
    one = await house.open(opponent="rule")
    await one.do("resign")
    return one


def asked(one: Guest, seconds: float) -> dict[str, Any]:
    return {"game": one.state["game_id"], "seconds": seconds, "ply": 0}


@served
async def test_addresses_take_turns(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    analyst = Analyst()
    monkeypatch.setattr(house.service, "analyst", analyst)
    one, two = await finished(house), house.guest("192.0.2.2")

    def ask(guest: Guest, seconds: float) -> "asyncio.Task[Any]":
        return asyncio.ensure_future(guest.post("/api/analyse", asked(one, seconds)))

    answers = [ask(one, 9.0)]
    await settle(lambda: len(analyst.thoughts) == 1)
    for guest, seconds in ((one, 8.0), (one, 7.0), (two, 0.5)):
        waiting = house.service.thoughts.awaited
        answers.append(ask(guest, seconds))
        await settle(lambda: house.service.thoughts.awaited > waiting)  # noqa: B023
    await settle(lambda: house.service.turns._asking == 4)
    for number in range(4):
        await settle(lambda: len(analyst.thoughts) == number + 1)  # noqa: B023
        analyst.thoughts[number][1].deliver(TaskFailure("too-slow"))
    await asyncio.gather(*answers)
    assert [seconds for seconds, _ in analyst.thoughts] == [9.0, 0.5, 2.0, 7.0]


@served
async def test_disconnected_client_cancels_thinking(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    analyst = Analyst()
    monkeypatch.setattr(house.service, "analyst", analyst)
    one = await finished(house)
    gone = asyncio.Event()
    body = b'{"game":%d,"ply":0}' % one.state["game_id"]
    parts = [{"type": "http.request", "body": body, "more_body": False}, {"type": "http.request"}]
    data: list[Any] = []

    async def receive() -> Any:
        if parts:
            return parts.pop(0)
        await gone.wait()
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        data.append(message)

    scope = {
        "type": "http",
        "method": "POST",
        "path": "/api/analyse",
        "query_string": b"",
        "headers": [(b"content-type", b"application/json")],
        "client": ("192.0.2.2", 1),
    }
    asking = asyncio.ensure_future(house.app(scope, receive, send))
    await settle(lambda: len(analyst.thoughts) == 1)
    gone.set()
    await asking
    assert data[0]["status"] == 400
    assert analyst.thoughts[0][1].is_over
    assert house.service.thoughts.awaited == 0


def test_disconnected_client_frees_its_turn() -> None:
    async def go() -> None:
        turns, had = FairQueue(), []
        may_go = asyncio.Event()

        async def take(name: str) -> None:
            async with turns.turn(name, "any"):
                had.append(name)
                await may_go.wait()

        tasks = {name: asyncio.ensure_future(take(name)) for name in "abcd"}
        await settle(lambda: turns._asking == 4)
        tasks["b"].cancel()
        await asyncio.wait([tasks["b"]])
        may_go.set()
        tasks["a"].add_done_callback(lambda _: tasks["c"].cancel())  # its turn has just come
        await asyncio.wait(tasks.values())
        assert (had[0], had[-1], turns.is_awaited) == ("a", "d", False)
        await take("e")

    run(go())


def test_games_of_address_take_turns() -> None:
    """One game may have many requests."""

    async def go() -> None:
        turns, had, may_go = FairQueue(), list[str](), asyncio.Event()

        async def take(address: str, game: str) -> None:
            async with turns.turn(address, game):
                had.append(address + game)
                await may_go.wait()

        body = [("a", "1"), ("a", "1"), ("a", "1"), ("a", "2"), ("b", "1")]
        asking = asyncio.gather(*(take(*each) for each in body))
        await settle(lambda: turns._asking == 5)
        may_go.set()
        await asking
        assert had == ["a1", "b1", "a2", "a1", "a1"]

    run(go())
