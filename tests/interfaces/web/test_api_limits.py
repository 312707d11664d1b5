"""Rate limits: a flood gets status 429 in every language and does not disturb others."""

import asyncio
import json
import threading
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from starlette.types import Message

from noughts.interfaces.presenting.i18n import LANGUAGES
from noughts.interfaces.web.http import body, limits, middleware
from noughts.interfaces.web.http.limits import (
    UNLIMITED,
    OpenRoomQuota,
    Owners,
    Rate,
    ServerLimits,
    ThinkingQuota,
)
from noughts.interfaces.web.http.replies import ApiError
from tests.interfaces.web.harness import Guest, House, served, settle
from tests.interfaces.web.test_api_computers import Slow

OPEN = {"game": "tictactoe", "opponent": "friend", "name": "Ada"}
SLOWLY = 0.0001
"""A rate with which no bucket refills during a test."""


def problem(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]["code"]


TIGHT = ServerLimits(
    commands=Rate(SLOWLY, 10),
    requests=Rate(SLOWLY, 120),
    rooms=Rate(SLOWLY, 4),
    joins=Rate(SLOWLY, 4),
    analyses=Rate(SLOWLY, 2),
    streams=2,
)


@pytest.mark.slow
@served(limits=TIGHT)
async def test_flood_does_not_disturb_other_games(house: House) -> None:
    one, two = await house.pair()
    flood = house.guest("198.51.100.7")
    await flood.enter("/api/rooms", OPEN)
    opened = [await flood.post("/api/rooms", OPEN) for _ in range(20)]
    assert [answer.status_code for answer in opened] == [201] * 3 + [429] * 17
    guess = {"code": "AAAAAA", "name": "Eve"}
    joins = [problem(await flood.post("/api/join", guess)) for _ in range(20)]
    assert joins == [(404, "not-found")] * 4 + [(429, "too-often")] * 16
    commands = [problem(await flood.ask("claim")) for _ in range(20)]
    assert commands == [(422, "command-refused")] * 10 + [(429, "too-often")] * 10
    async with flood.listening() as a, flood.listening() as b, flood.listening() as c:
        await settle(lambda: Counter((a.status, b.status, c.status)) == {200: 2, 429: 1})
        for number, move in enumerate(["5", "1", "4", "2", "6"]):  # during the flood
            await (one, two)[number % 2].do("move", move=move)
    assert one.state["result"]["winner"] == "X"
    request = {"game": one.state["game_id"], "seconds": 0.1}
    answers = [await flood.post("/api/analyse", request) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    while (last := await flood.get("/api/players")).status_code == 200:
        pass
    assert problem(last) == (429, "too-often")
    assert problem(await flood.get(f"/api/rooms/{flood.room}")) == (429, "too-often")
    assert (await two.get("/api/players")).status_code == 200


class Sender:
    """A body that is sent in parts. The test releases the last one."""

    def __init__(self, house: House, address: str = "192.0.2.1", rest: Message | None = None) -> None:
        self.rest: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        self._parts: list[Message] = [{"type": "http.request", "body": b'{"game":', "more_body": True}]
        self._told: list[Message] = []
        if rest is not None:
            self.rest.set_result(rest)
        self._answer = asyncio.ensure_future(house.app(self._scope(address), self._receive, self._hear))

    def _scope(self, address: str) -> dict[str, Any]:
        return {
            "type": "http",
            "method": "POST",
            "path": "/api/rooms",
            "query_string": b"",
            "headers": [(b"content-type", b"application/json")],
            "client": (address, 1),
        }

    @property
    def is_sending(self) -> bool:
        return not self._parts

    async def _receive(self) -> Message:
        return self._parts.pop() if self._parts else await self.rest

    async def _hear(self, message: Message) -> None:
        self._told.append(message)

    async def refused(self) -> tuple[int, str]:
        """Return the error of a request."""
        await self._answer
        return self._told[0]["status"], json.loads(self._told[1]["body"])["error"]["code"]


GONE: Message = {"type": "http.disconnect"}


@served
async def test_slow_or_incomplete_body_is_rejected(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(body, "BODY_SECONDS", 0.05)
    assert await Sender(house).refused() == (408, "body-too-slow")
    assert await Sender(house, rest=GONE).refused() == (400, "unreadable")
    assert await house.service.run(house.service.rooms.store.count) == 0


@served
async def test_slow_body_delays_nobody(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(middleware, "MAX_UNDER_WAY", 1)
    one, _ = await house.pair()
    slow = [Sender(house) for _ in range(3)]
    await settle(lambda: all(each.is_sending for each in slow))
    assert (await one.ask("move", move="5")).status_code == 200
    for each in slow:
        each.rest.set_result(GONE)
    assert {await each.refused() for each in slow} <= {(400, "unreadable"), (503, "server-busy")}
    assert (await one.ask("resign")).status_code == 200


@served(limits=replace(UNLIMITED, bodies=2))
async def test_concurrent_bodies_of_address_are_limited(house: House) -> None:
    slow = [Sender(house) for _ in range(2)]
    await settle(lambda: all(each.is_sending for each in slow))
    assert problem(await house.guest().post("/api/rooms", OPEN)) == (429, "too-often")
    await house.guest("192.0.2.2").enter("/api/rooms", OPEN)
    for each in slow:
        each.rest.set_result(GONE)
        assert await each.refused() == (400, "unreadable")
    await house.guest().enter("/api/rooms", OPEN)


# Quotas


@served(limits=ServerLimits(None, None, None, None, None, open_rooms=2))
async def test_open_rooms_of_address_are_limited(house: House) -> None:
    guest, key = house.guest(), "k" * 22
    await guest.enter("/api/rooms", OPEN)
    await guest.enter("/api/rooms", {**OPEN, "key": key})
    sentences = set()
    for language in LANGUAGES:
        answer = await guest.post(f"/api/rooms?lang={language}", OPEN)
        assert problem(answer) == (429, "too-many-rooms")
        assert (answer.json()["error"]["limit"], answer.headers["retry-after"]) == (2, "600")
        sentences.add(answer.json()["error"]["sentence"])
    assert len(sentences) == 4
    await guest.enter("/api/rooms", {**OPEN, "key": key})  # a lost response
    await house.guest("192.0.2.2").enter("/api/rooms", OPEN)
    await guest.do("leave")
    await house.service.run(house.service.rooms.set_presence, guest.room, 0, here=False)
    house.clock.instant += 24 * 60 * 60 * 1000
    await house.service.run(house.service.rooms.expiry.tick)  # abandoned rooms are gone
    await guest.enter("/api/rooms", OPEN)


@served(limits=ServerLimits(None, None, None, None, None, all_rooms=2))
async def test_rooms_of_server_are_limited(house: House) -> None:
    for number in range(2):
        await house.guest(f"192.0.2.{number}").enter("/api/rooms", OPEN)
    answer = await house.guest("192.0.2.9").post("/api/rooms", OPEN)
    assert problem(answer) == (503, "server-full")
    assert answer.headers["retry-after"] == "60"


@served(limits=ServerLimits(None, None, None, None, None, thinking=2), thinkers=lambda: [Slow()])
async def test_thinking_for_address_is_limited(house: House) -> None:
    async def play(guest: Guest) -> Any:
        await guest.enter("/api/rooms", {**OPEN, "opponent": "rule"})
        return await guest.ask("move", move="5")

    guests = [house.guest() for _ in range(3)]
    assert [(await play(guest)).status_code for guest in guests] == [200, 200, 429]
    assert problem(await guests[2].ask("move", move="5")) == (429, "thinking-for-you")
    assert (await guests[2].ask("resign")).status_code == 200  # this starts no computer
    assert problem(await guests[0].post("/api/rooms", {**OPEN, "game": "4x4:4", "opponent": "rule"})) == (
        429,
        "thinking-for-you",
    )
    assert (await play(house.guest("192.0.2.2"))).status_code == 200
    one, _ = await house.pair()  # no computer thinks in games between people
    assert (await one.ask("move", move="5")).status_code == 200
    assert (await guests[0].ask("resign", version=guests[0].state["version"])).status_code == 200
    assert (await play(house.guest())).status_code == 200


@served(limits=ServerLimits(None, None, None, None, None, thinking=1), thinkers=lambda: [Slow()])
async def test_watched_computer_games_are_limited(house: House) -> None:
    guests = [house.guest(), house.guest(), house.guest("192.0.2.2")]
    for guest in guests:
        await guest.enter("/api/rooms", {"game": "tictactoe", "computers": ["rule", "random"]})
    async with guests[0].listening() as a, guests[1].listening() as b, guests[2].listening() as c:
        await settle(lambda: (a.status, b.status, c.status) == (200, 429, 200))


# Unit tests


def test_room_belongs_to_one_address(monkeypatch: pytest.MonkeyPatch) -> None:
    rooms = Owners()
    rooms.add("a", "one")
    rooms.add("b", "one")
    assert [sorted(rooms.of(address)) for address in "ab"] == [[], ["one"]]
    monkeypatch.setattr(limits, "MAX_KNOWN", 2)
    for name in ("two", "three"):
        rooms.add("b", name)
    assert rooms.of("b") == {"two", "three"}
    rooms.drop("nothing")


def test_finished_thinking_does_not_count() -> None:
    going_on = {"one"}
    thoughts = ThinkingQuota(1, going_on.__contains__)
    thoughts.check_room("a", "unknown")
    thoughts.add("a", "one")
    thoughts.add("a", "two")
    thoughts.check_room("a", "one")  # it is thinking already
    with pytest.raises(ApiError):
        thoughts.check_room("a", "two")
    with pytest.raises(ApiError), thoughts.one_more("a"):
        raise AssertionError("no more")
    going_on.clear()
    with thoughts.one_more("a"):
        assert thoughts.awaited == 1
        with pytest.raises(ApiError):
            thoughts.check("a")
    assert thoughts.awaited == 0
    thoughts.check("a")


def test_unknown_address_owns_no_rooms() -> None:
    async def left(rooms: frozenset[str]) -> set[str]:
        raise AssertionError("nobody asks")

    assert None not in OpenRoomQuota(1, left).of("a")


@served
async def test_overload_returns_503(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(middleware, "MAX_UNDER_WAY", 1)
    one, two = await house.pair()
    writer_waits, may_go_on = threading.Event(), threading.Event()

    def hold(_: object) -> None:
        writer_waits.set()
        may_go_on.wait(20)

    house.service.rooms._writer.submit("", hold)
    await asyncio.to_thread(writer_waits.wait)
    asking = asyncio.ensure_future(one.ask("move", move="5"))
    await settle(lambda: not house.service.rooms._writer._jobs.empty())
    answer = await two.ask("resign")
    assert problem(answer) == (503, "server-busy")
    assert answer.headers["retry-after"] == "1"
    assert (await two.get("/api/openapi.json")).status_code != 503  # reading is always possible
    may_go_on.set()
    assert (await asking).status_code == 200
    assert (await two.ask("resign", version=one.state["version"])).status_code == 200


@pytest.mark.slow
@served(limits=replace(UNLIMITED, plies=2))
async def test_endless_game_becomes_too_long(house: House) -> None:
    one = await house.open(game="fifteen")
    while one.state["ply"] < len(one.state["cells"]) + 2:
        assert one.state["phase"] == "playing"
        assert (await one.ask("move", move=one.state["legal"][0]["move"])).status_code == 200
    sentences = set()
    for language in LANGUAGES:
        one.client.headers["accept-language"] = language
        answer = await one.ask("move", move=one.state["legal"][0]["move"])
        assert (problem(answer), answer.json()["error"]["limit"]) == ((422, "game-too-long"), 18)
        sentences.add(answer.json()["error"]["sentence"])
    assert len(sentences) == 4
    assert (await one.ask("resign")).status_code == 200
    assert (await one.ask("rematch")).status_code == 200
    assert (await one.ask("move", move=one.state["legal"][0]["move"])).status_code == 200


@served(limits=replace(UNLIMITED, plies=-6))
async def test_computers_resign_too_long_games(house: House) -> None:
    one = await house.open(opponent="rule")
    async with one.listening() as listener:
        for moves in (1, 3):
            state = await listener.until(lambda state: state["ply"] == moves - 1)  # noqa: B023
            one.state = state
            await one.ask("move", move=state["legal"][0]["move"])
        state = await listener.until(lambda state: state["phase"] == "over")
    assert (state["result"]["termination"], state["ply"]) == ("resignation", 3)


@served(limits=ServerLimits(requests=Rate(10, 100), rooms=Rate(0.5, 2)))
async def test_responses_tell_their_rate_limits(house: House) -> None:
    guest = house.guest()
    asked = {"game": "tictactoe", "opponent": "rule", "name": "Ada"}
    answers = [await guest.post("/api/rooms", asked) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [201, 201, 429]
    for answer, left in zip(answers, (1, 0, 0), strict=True):
        assert answer.headers["ratelimit-policy"] == '"requests";q=100;w=10, "rooms";q=2;w=4'
        assert f'"rooms";r={left};t=' in answer.headers["ratelimit"]
    page = await guest.get("/")
    assert "ratelimit" not in page.headers
