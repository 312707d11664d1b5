"""Joining a room: idempotency keys, names and spectators."""

import logging
from typing import Any

import pytest

from noughts.arena.commands import Forfeit
from noughts.arena.store.database import open_database
from noughts.interfaces.presenting.i18n import LANGUAGES
from noughts.interfaces.web.http.metrics import JsonLines
from noughts.workers.messages import TaskResult
from tests.interfaces.web.harness import House, running, served, settle
from tests.interfaces.web.test_api_computers import Slow
from tests.interfaces.web.test_api_matrix import everything
from tests.running import run

ONE, TWO = "one_" * 6, "two-" * 6
OPEN = {"game": "tictactoe", "opponent": "friend", "name": "Ada"}


def test_key_repeats_response_after_restart(tmp_path: Any) -> None:
    where = f"sqlite:///{tmp_path / 'games.db'}"

    async def go() -> None:
        async with running(database=lambda: open_database(where)) as house:
            one, two = house.guest(), house.guest("192.0.2.2")
            opened = await one.enter("/api/rooms", {**OPEN, "key": ONE})
            again = await house.guest().enter("/api/rooms", {**OPEN, "key": ONE})
            assert again.json() == opened.json()
            assert again.headers["set-cookie"] == opened.headers["set-cookie"]
            await two.enter("/api/join", {"code": one.code, "name": "Wei", "key": TWO})
            await one.do("move", move="5")
        async with running(database=lambda: open_database(where)) as house:
            back = house.guest()
            for way in ({"code": one.code}, {"room": one.room}):
                await back.enter("/api/join", {**way, "name": "Wei", "key": TWO})
                assert (back.room, back.token, back.place) == (two.room, two.token, 1)
            assert (back.state["you"], back.state["ply"]) == (1, 1)
            await back.do("move", move="1")
            await back.enter("/api/rooms", {**OPEN, "key": ONE})
            assert (back.token, back.code, back.state["ply"]) == (one.token, "", 2)

    run(go())


@served
async def test_key_cannot_be_reused_for_another_request(house: House) -> None:
    one = house.guest()
    await one.enter("/api/rooms", {**OPEN, "key": ONE})
    before = everything(house)
    for other in ({"game": "wild"}, {"name": "Zoe"}, {"place": 1}, {"clock": {"per_move": 5000}}):
        answer = await one.post("/api/rooms", {**OPEN, "key": ONE, **other})
        assert (answer.status_code, answer.json()["error"]["reason"]) == (422, "key-used")
    for key in ("short", "x" * 65, "x" * 21 + "é", "x" * 21 + "\n", ""):
        for path, body in (("/api/rooms", OPEN), ("/api/join", {"code": one.code, "name": "Wei"})):
            answer = await one.post(path, {**body, "key": key})
            assert (answer.status_code, answer.json()["error"]["code"]) == (422, "invalid"), key
    two = house.guest()
    answer = await two.post("/api/join", {"code": one.code, "name": "rule", "key": TWO})
    assert answer.status_code == 422
    assert everything(house) == before
    await two.enter("/api/join", {"code": one.code, "name": "Wei", "key": TWO})
    answer = await two.post("/api/join", {"room": one.room, "name": "Zoe", "key": TWO})
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "seat-taken")


@served
async def test_log_contains_no_keys_or_tokens(house: House, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "noughts")
    caplog.handler.setFormatter(JsonLines())
    one, two = house.guest(), house.guest()
    await one.enter("/api/rooms", {**OPEN, "key": ONE})
    await two.enter("/api/join", {"code": one.code, "name": "Wei", "key": TWO})
    await one.get(f"/api/rooms/{one.room}?token={one.token}&key={ONE}", headers=two.proof)
    await one.get(f"/api/rooms/{one.token}/events", headers={"referer": two.token, "user-agent": ONE})
    await one.do("move", move="5")
    assert caplog.text.count('"what": "request"') == 6
    for secret in (ONE, TWO, one.token, two.token, one.code, one.room):
        assert secret not in caplog.text


# Names


@served
async def test_player_cannot_use_computer_name(house: House) -> None:
    one = await house.open()
    before, guest = everything(house), house.guest()
    for name in ("rule", "RULE", "ｒｕｌｅ", "perfect", "level:3", "Level:3", " random "):
        for path, body in (("/api/rooms", OPEN), ("/api/join", {"code": one.code})):
            sentences = set()
            for language in LANGUAGES:
                answer = await guest.post(f"{path}?lang={language}", {**body, "name": name})
                error = answer.json()["error"]
                assert (answer.status_code, error["code"], error["reason"]) == (
                    422,
                    "name-refused",
                    "computer",
                )
                sentences.add(error["sentence"])
            assert len(sentences) == 4
    assert everything(house) == before
    await guest.enter("/api/join", {"code": one.code, "name": "ADA"})  # like the console
    assert [player["name"] for player in guest.state["players"]] == ["Ada", "ADA (2)"]


# Spectators


@pytest.mark.slow
@served
async def test_spectators_are_counted(house: House) -> None:
    one, two = await house.pair()
    first, second = house.guest(), house.guest()
    first.room = second.room = one.room
    async with one.listening() as player:
        assert (await player.next())["spectators"] == 0
        async with first.listening() as onlooker:
            assert (await onlooker.next())["spectators"] == 1
            async with second.listening():
                await settle(lambda: "event: spectators\ndata: 2" in player.texts)
                assert (await two.look())["spectators"] == 2
                await one.do("move", move="5")
                assert one.state["spectators"] == 2
        await settle(lambda: player.texts[-1] == "event: spectators\ndata: 0")
        async with two.listening():  # a player is no spectator
            await player.until(lambda state: state["players"][1]["here"])
    assert (await one.look())["spectators"] == 0


@pytest.mark.slow
@served
async def test_missing_room_returns_404_to_all_callers(house: House) -> None:
    one, _ = await house.pair()
    guest = house.guest()
    for room in ("A" * 20, "A" * 64, "%00", "é", "'--", one.room[:-1], one.room + "A", one.room.swapcase()):
        path, command = f"/api/rooms/{room}", {"version": 1, "key": "k", "command": {"type": "resign"}}
        for proof in ({}, {"authorization": f"Bearer {'x' * 32}"}, one.proof):
            answers = [
                *[await guest.get(path + more, headers=proof) for more in ("", "/events", "/plies/0")],
                await guest.post(f"{path}/commands", command, headers=proof),
                await guest.post(f"{path}/analyse", {}, headers=proof),
                await guest.post("/api/join", {"room": room[:64], "name": "Zoe"}),
            ]
            assert {answer.status_code for answer in answers} == {404}, room
            assert len({answer.text for answer in answers}) == 1
            assert room not in answers[0].text


# Forfeits


@pytest.mark.slow
@pytest.mark.parametrize("reason", ["raised", "no-move", "illegal-move", "too-slow"])
@served
async def test_result_has_forfeit_reason(house: House, monkeypatch: pytest.MonkeyPatch, reason: str) -> None:
    slow = Slow()
    monkeypatch.setattr(house.service.computers, "thinkers", [slow])
    one = await house.open(opponent="rule")
    await one.do("move", move="5")
    await settle(lambda: len(slow.questions) == 1)
    slow.questions[0].deliver(TaskResult(Forfeit(reason, "secret detail")))
    async with one.listening() as listener:
        state = await listener.until(lambda state: state["phase"] == "over")
    number, sentences = state["game_id"], set()
    for language in LANGUAGES:
        seen = (await one.get(f"/api/rooms/{one.room}?lang={language}")).json()["result"]
        kept = (await one.get(f"/api/games/{number}?lang={language}")).json()
        assert (seen["winner"], seen["termination"], seen["reason"]) == ("X", "forfeit", reason)
        assert (kept["sentences"], kept["reason"]) == (seen["sentences"], reason)
        assert "secret" not in str(seen)
        sentences.add(seen["sentences"][0])
    assert len(sentences) == 4


# Invalid paths and methods


@served
async def test_tricky_paths_and_methods_are_rejected(house: House) -> None:
    one, _ = await house.pair()
    guest, before = house.guest(), everything(house)
    room = f"/api/rooms/{one.room}"
    for path in (
        f"{room}/",
        f"/{room}",
        room.upper(),
        f"{room}/../{one.room}/commands/",
        f"{room};x=1/commands/",
        f"{room}//events",
        "/api/rooms/..%2f..%2fhealthz",
        "/api/",
        "/api/rooms/./",
    ):
        answer = await guest.get(path)
        assert (answer.status_code, answer.json()["error"]["code"]) == (404, "no-such-path"), path
        assert "location" not in answer.headers
    for method in ("HEAD", "OPTIONS", "PUT", "PATCH", "DELETE", "TRACE", "X" * 300):
        answer = await guest.client.request(method, room, headers={"origin": "http://test"})
        assert (answer.status_code, answer.headers["allow"]) == (405, "GET"), method
        assert not [name for name in answer.headers if name.startswith("access-control")]
    override = {"x-http-method-override": "DELETE", "x-forwarded-host": "evil.example"}
    assert (await guest.get(f"{room}?_method=DELETE", headers=override)).status_code == 200
    assert everything(house) == before
