"""Bots over HTTP: their list of games, challenges, one stream for all their games, and fair rated games."""

from collections.abc import Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest

from noughts.interfaces.web import service
from noughts.interfaces.web.api import bot_stream
from noughts.interfaces.web.api.offers import MAX_BOT_GAMES
from noughts.interfaces.web.http.limits import UNLIMITED, Rate
from noughts.interfaces.web.http.replies import SESSION_COOKIE
from noughts.interfaces.web.live import lobby as live
from noughts.interfaces.web.models import GameGone
from tests.arena.people.signing import Signer
from tests.interfaces.web import test_api_lobby as lobby_tests
from tests.interfaces.web.harness import House, Json, served
from tests.interfaces.web.test_api_identities import Browser
from tests.interfaces.web.test_api_lobby import CLOCK, Heard, Visitor, with_key

GAMES = ["gomoku", "tictactoe"]


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_stream, "CHECK_SECONDS", 0.02)
    for name in ("SEND_SECONDS", "COUNT_SECONDS"):
        monkeypatch.setattr(live, name, 0.01)


class _AnyState:
    """Accepts all states, which other tests check against their model."""

    @staticmethod
    def model_validate_json(*_: object, **__: object) -> None:
        pass


lobby_tests.MODELS |= {"state": _AnyState, "gone": GameGone}  # type: ignore[dict-item]


class BotVisitor(Visitor):
    """A bot that sends its session with each request."""

    @asynccontextmanager
    async def here(self, *playing: str) -> Any:
        query = "&".join(("lang=en", *(f"room={room}" for room in playing)))
        listener = self.house.listener(self.guest, self.proof, "/api/bots/events", query)
        listener.start()
        try:
            yield Heard(listener)
        finally:
            await listener.stop()

    async def declare(self, **more: Any) -> Json:
        return await self.offer(games=GAMES, **more)

    async def answer(self, question: Json) -> str:
        """Accept a challenge, and return the room."""
        answer = await self.join(question["number"])
        assert answer.status_code == 201, answer.text
        return str(answer.json()["room"])

    async def command(self, room: str, command: Json, state: Json) -> Any:
        body = {"version": state["version"], "key": f"{room}-{state['version']}", "command": command}
        return await self.post(f"/api/rooms/{room}/commands", **body)


async def new_bot(house: House, name: str = "Robo") -> BotVisitor:
    bot = BotVisitor(house, name, "192.0.2.9")
    browser = Browser(bot.guest, Signer(90))
    answer = await browser.with_words(
        "/api/identities", "register", Signer(91), (name,), name=name, is_bot=True
    )
    assert answer.json()["identity"]["is_bot"] is True
    secret = bot.guest.client.cookies[SESSION_COOKIE]
    bot.guest.client.cookies.clear()
    bot.proof = {"authorization": f"Bearer {secret}"}
    return bot


def refusal(answer: Any) -> tuple[int, str]:
    error = answer.json()["error"]
    return answer.status_code, error.get("reason") or error["code"]


def asks(state: str = "open") -> Callable[[Json], bool]:
    return lambda data: bool(data["asked"]) and data["asked"][0]["state"] == state


async def challenge(person: Visitor, **more: Any) -> Any:
    body = {"games": ["gomoku"], "clocks": [CLOCK], "name": person.name, "to": "robo", **more}
    return await person.post("/api/challenges", **body)


@pytest.mark.slow
@served()
async def test_bot_is_listed_while_its_stream_is_open(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "GONE_SECONDS", 0.0)
    bot, ada = await new_bot(house), Visitor(house, "Ada")
    assert refusal(await challenge(ada)) == (422, "bot-away")
    async with bot.here():
        made = await bot.declare(strength=1700, rated=True)
        assert (made["is_bot"], made["strength"], made["rated"]) == (True, 1700, True)
        listed = (await ada.guest.get("/api/offers")).json()
        assert (listed["offers"], listed["waiting"], listed["people"]) == ([made], 0, 0)
        await house.service.lobby_streams.tick()
        assert (await ada.guest.get("/api/offers")).json()["offers"] == [made]
    for _ in range(2):
        await house.service.lobby_streams.tick()
    assert (await ada.guest.get("/api/offers")).json()["offers"] == []


@served()
async def test_streams_of_one_bot_are_limited(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "MAX_BOT_STREAMS", 1)
    bot = await new_bot(house)
    async with bot.here() as heard:
        await heard.until("own", lambda _: True)
        answer = await bot.guest.get("/api/bots/events", headers=bot.proof)
        assert refusal(answer) == (429, "too-many-streams")
    async with bot.here() as heard:
        await heard.until("own", lambda _: True)


@served()
async def test_bot_plays_several_games_by_one_stream(house: House) -> None:
    bot, people = await new_bot(house), [Visitor(house, name) for name in ("Ada", "Wei")]
    rooms = []
    async with bot.here() as hears:
        made = await bot.declare()
        for person in people:
            question = (await challenge(person)).json()
            (asked,) = (await hears.until("own", asks()))["asked"]
            assert asked["number"] == question["number"]
            rooms.append(await bot.answer(asked))
            state = await hears.until("state", lambda state: state["room"] == rooms[-1])
            assert (state["phase"], state["players"][state["you"]]["name"]) == ("playing", "Robo")
        assert len(set(rooms)) == 2
        assert (await people[0].guest.get("/api/offers")).json()["offers"] == [made]
        for person, room in zip(people, rooms, strict=True):
            guest = await person.enter(room)
            mine = (await bot.guest.get(f"/api/rooms/{room}", headers=bot.proof)).json()
            if not mine["legal"]:
                await guest.do("move", move="h8")
                mine = await hears.until(
                    "state", lambda state, room=room: state["room"] == room and state["legal"]
                )
            command = {"type": "move", "move": mine["legal"][0]["move"]}
            answer = await bot.command(room, command, mine)
            assert answer.status_code == 200, answer.text
    async with bot.here() as hears:  # a new stream begins with all games that are not left
        begun = {(await hears.until("state"))["room"] for _ in rooms}
        assert begun == set(rooms)
        guest = await people[0].enter(rooms[0])
        await guest.do("resign")
        ended = await hears.until("state", lambda state: state["room"] == rooms[0] and state["result"])
        assert (await bot.command(rooms[0], {"type": "leave"}, ended)).status_code == 200
        assert (await hears.until("state", lambda state: state["phase"] == "closed"))["room"] == rooms[0]
    async with bot.here() as hears:
        assert (await hears.until("state"))["room"] == rooms[1]


@served()
async def test_bot_hears_of_games_that_closed_without_it(house: House) -> None:
    bot, person, other = await new_bot(house), Visitor(house, "Zed"), Visitor(house, "Yao")
    async with bot.here() as hears:
        await bot.declare()
        asked = await challenge(person)
        assert asked.status_code == 201, asked.text
        (asked,) = (await hears.until("own", asks()))["asked"]
        room = await bot.answer(asked)
        await hears.until("state", lambda state: state["room"] == room)
    guest = await person.enter(room)
    await guest.do("resign")
    await guest.do("leave")
    foreign = await other.guest.enter("/api/rooms", {"game": "gomoku", "opponent": "friend", "name": "Yao"})
    private = foreign.json()["room"]
    async with bot.here(room, private, "nowhere", room) as hears:
        state = await hears.until("state")
        assert (state["room"], state["phase"], state["result"]["termination"]) == (
            room,
            "closed",
            "resignation",
        )
        assert [(await hears.until("gone"))["room"] for _ in range(2)] == [private, "nowhere"]


@pytest.mark.slow
@served()
async def test_bot_declines_and_is_asked_within_its_terms(house: House) -> None:
    bot, ada = await new_bot(house), Visitor(house, "Ada")
    async with bot.here() as hears, ada.here() as ada_hears:
        made = await bot.declare()
        assert refusal(await ada.join(made["number"])) == (422, "ask-bot")
        assert refusal(await challenge(ada, games=["connect4"])) == (422, "not-offered")
        assert refusal(await challenge(ada, clocks=[{"base": 60_000}])) == (422, "not-offered")
        key = await with_key(house, "Zoe", 1)
        assert refusal(await challenge(key, rated=True)) == (422, "bot-unrated")
        await challenge(ada)
        (asked,) = (await hears.until("own", asks()))["asked"]
        await bot.post(f"/api/challenges/{asked['number']}/decline", name="Robo")
        await ada_hears.until("own", lambda own: own["challenge"] and own["challenge"]["state"] == "declined")


@served()
async def test_bot_plays_rated_games_only_if_a_person_asks(house: House) -> None:
    bot, ada = await new_bot(house), await with_key(house, "Ada", 1)
    offered = await ada.offer(rated=True)
    terms = {"game": "gomoku", "opponent": "friend", "rated": True, "clock": CLOCK, "opening": "pie"}
    opened = (await ada.guest.post("/api/rooms", {**terms, "name": "Ada"})).json()
    async with bot.here() as hears:
        await bot.declare(rated=True)
        assert refusal(await bot.join(offered["number"])) == (422, "bot-asks")
        assert refusal(await bot.post("/api/rooms", **terms, name="Robo")) == (422, "bot-asks")
        for place in ({"code": opened["code"]}, {"room": opened["room"]}):
            assert refusal(await bot.post("/api/join", **place, name="Robo")) == (422, "bot-asks")
        cup = {"title": "Cup", "game": "tictactoe", "clock": {"base": 60_000}, "rounds": 3}
        code = (await ada.guest.post("/api/tournaments", cup)).json()["code"]
        assert refusal(await bot.post(f"/api/tournaments/{code}/entries", name="Robo")) == (422, "bot-asks")
        own = {"games": ["gomoku"], "clocks": [CLOCK], "name": "Robo", "to": "Ada"}
        assert refusal(await bot.post("/api/challenges", **own)) == (422, "bot-asks")
        await challenge(ada, rated=True)
        (asked,) = (await hears.until("own", asks()))["asked"]
        room = await bot.answer(asked)
        state = await hears.until("state", lambda state: state["room"] == room)
        assert (state["rated"], state["protocol"]) == (True, "pie")
        casual = await ada.guest.post("/api/rooms", {"game": "gomoku", "name": "Ada"})
        joined = await bot.post("/api/join", code=casual.json()["code"], name="Robo")
        assert joined.status_code == 201


async def become_bot(person: Browser, name: str = "Ada") -> Any:
    return await person.signed("/api/identities/me/bot", "become-bot", (name,), name=name)


@served()
async def test_key_without_rated_games_becomes_a_bot(house: House) -> None:
    ada, wei = await with_key(house, "Ada", 1), Visitor(house, "Wei")
    person = Browser(ada.guest, Signer(21))
    lasting: Json = {"clocks": [{"per_move": 86_400_000}], "lasts": True}
    numbers = {(await ada.offer(**more))["number"] for more in ({}, lasting)}
    assert refusal(await become_bot(person, "Adah")) == (403, "other-name")
    assert (await person.me() or {})["is_bot"] is False
    for _ in range(2):
        assert (await become_bot(person)).json()["identity"]["is_bot"] is True
    assert (await wei.guest.get("/api/offers")).json()["offers"] == []
    assert (await wei.join(min(numbers))).status_code == 409
    room = await ada.guest.post("/api/rooms", {"game": "tictactoe", "name": "Ada"})
    assert room.status_code == 201


@served()
async def test_key_becomes_a_bot_during_a_request(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """The session was read when the key was still that of a person."""
    ada, wei = await with_key(house, "Ada", 1), await with_key(house, "Wei", 2)
    terms = {"game": "gomoku", "opponent": "friend", "rated": True, "clock": CLOCK, "opening": "pie"}
    check = house.service.check_rooms

    async def check_late(*facts: Any) -> None:
        await check(*facts)
        assert (await become_bot(Browser(ada.guest, Signer(21)))).status_code == 200

    with monkeypatch.context() as patch:
        patch.setattr(house.service, "check_rooms", check_late)
        assert refusal(await ada.guest.post("/api/rooms", {**terms, "name": ""})) == (422, "bot-asks")
    opened = await wei.guest.post("/api/rooms", {**terms, "name": ""})
    code = {"code": opened.json()["code"], "name": ""}
    assert refusal(await ada.guest.post("/api/join", code)) == (422, "bot-asks")


@served()
async def test_key_with_rated_games_becomes_no_bot(house: House) -> None:
    ada, wei = await with_key(house, "Ada", 1), await with_key(house, "Wei", 2)
    terms = {"game": "gomoku", "opponent": "friend", "rated": True, "clock": CLOCK, "opening": "pie"}
    await ada.guest.enter("/api/rooms", {**terms, "name": ""})
    people = [Browser(visitor.guest, Signer(20 + number)) for number, visitor in ((1, ada), (2, wei))]
    assert refusal(await become_bot(people[0])) == (403, "rated-games")
    await wei.guest.enter("/api/join", {"code": ada.guest.code, "name": ""})
    await ada.guest.do("move", move="h8")
    await wei.guest.do("move", move="i9")
    await ada.guest.do("resign")
    await ada.guest.do("leave")
    for name, person in zip(("Ada", "Wei"), people, strict=True):
        assert refusal(await become_bot(person, name)) == (403, "rated-games")
        assert (await person.me() or {})["is_bot"] is False


@served(limits=replace(UNLIMITED, commands=Rate(0.001, 2)))
async def test_new_streams_of_one_bot_are_limited(house: House) -> None:
    bot = await new_bot(house)
    for _ in range(2):
        async with bot.here(*(f"room{number}" for number in range(MAX_BOT_GAMES))) as hears:
            await hears.until("gone")
    assert (await bot.guest.get("/api/bots/events", headers=bot.proof)).status_code == 429
    rooms = "&".join(f"room={number}" for number in range(MAX_BOT_GAMES + 1))
    assert (await bot.guest.get(f"/api/bots/events?{rooms}", headers=bot.proof)).status_code == 422


@served()
async def test_stream_of_bots_refuses_others(house: House) -> None:
    ada = await with_key(house, "Ada", 1)
    assert refusal(await ada.guest.get("/api/bots/events"))[0] == 401
    assert refusal(await ada.guest.get("/api/bots/events", headers=ada.proof)) == (403, "not-a-bot")
    guest = Visitor(house, "Wei")
    assert refusal(await guest.guest.get("/api/bots/events", headers=guest.proof)) == (401, "no-key")
