"""The API of rooms: opening, joining, playing, and errors."""

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import pytest

from noughts import errors
from noughts.core.board import MAX_CELLS
from noughts.errors import StoreError
from noughts.interfaces import web
from noughts.interfaces.presenting.i18n import LANGUAGES
from noughts.interfaces.web.api import rooms
from noughts.interfaces.web.app import make_app
from noughts.interfaces.web.http.limits import Rate, ServerLimits
from noughts.interfaces.web.http.middleware import AllowedHosts
from noughts.interfaces.web.http.replies import CODES
from noughts.interfaces.web.service import ServerOptions
from tests.interfaces.web.harness import ORIGIN, Guest, House, served, settle

CODE_LASTS = 15 * 60 * 1000

GAME = ["5", "1", "4", "6", "7", "3", "2", "8", "9"]
"""The moves of a drawn game."""


async def play(one: Guest, two: Guest, moves: list[str]) -> None:
    for number, move in enumerate(moves):
        await (one, two)[number % 2].do("move", move=move)


# A whole game


@pytest.mark.slow
@served
async def test_players_see_every_move(house: House) -> None:
    one = await house.open("Ada")
    async with one.listening() as first:
        assert (await first.next())["phase"] == "waiting"
        two = house.guest()
        await two.enter("/api/join", {"code": one.code, "name": "Wei"})
        async with two.listening() as second:
            for number, move in enumerate(GAME, 1):
                mover = (one, two)[(number - 1) % 2]
                await mover.do("move", move=move)
                seen = [
                    await listener.until(lambda state: state["ply"] == number)  # noqa: B023
                    for listener in (first, second)
                ]
                assert [state["cells"] for state in seen] == [mover.state["cells"]] * 2
                assert [state["you"] for state in seen] == [0, 1]
                assert [played["move"] for played in seen[0]["moves"]] == GAME[:number]
            assert seen[0]["phase"] == "over"
            assert seen[0]["result"]["winner"] is None
            assert seen[0]["result"]["sentences"][0]
            assert seen[0]["series"]["scores"][0]["draws"] == 1


@pytest.mark.slow
@served
async def test_new_room_has_initial_state(house: House) -> None:
    one = await house.open("Ada", clock={"base": 60_000, "increment": 1_000})
    state = one.state
    assert (one.place, state["you"], state["phase"], state["turn"]) == (0, 0, "waiting", None)
    assert (state["code"], state["expires"]) == (one.code, house.clock() + CODE_LASTS)
    assert state["link"] == f"/r/{one.room}"
    unrated = {"rating": None, "deviation": None, "is_provisional": False, "rating_change": None}
    guest = {"identity": None, "kind": "human", **unrated}
    assert state["players"] == [
        {"place": 0, "name": "Ada", **guest, "side": None, "here": True, "you": True},
        {"place": 1, "name": None, **guest, "side": None, "here": False, "you": False},
    ]
    terms = {"base": 60_000, "increment": 1_000, "per_move": None}
    left = {"X": 60_000, "O": 60_000}
    assert state["clock"] == {
        **terms,
        "left": left,
        "running": None,
        "paused_until": None,
        "at": house.clock(),
    }
    assert (await house.guest().get(f"/api/rooms/{one.room}")).json()["clock"] == state["clock"]
    assert state["cells"] == [None] * 9
    assert state["legal"] == []


@pytest.mark.slow
@served
async def test_state_hides_moves_and_code_from_others(house: House) -> None:
    one, two = await house.pair()
    await two.look()
    assert [legal["move"] for legal in one.state["legal"]] == list("123456789")
    assert two.state["legal"] == []
    watcher = house.guest()
    watcher.room = one.room
    await watcher.look()
    assert (watcher.state["you"], watcher.state["legal"], watcher.state["code"]) == (None, [], None)
    third = await house.open("Zoe")
    watcher.room = third.room
    assert (await watcher.look())["code"] is None


@served
async def test_cookie_restores_seat(house: House) -> None:
    one, _ = await house.pair()
    one.token = ""
    assert (await one.look())["you"] == 0
    answer = await one.ask("move", move="5")
    assert answer.status_code == 200
    cookie = (
        await house.guest().enter("/api/rooms", {"game": "4x4", "opponent": "friend", "name": "A"})
    ).headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    assert "Path=/api/rooms/" in cookie


@served
async def test_state_describes_every_kind_of_game(house: House) -> None:
    one, _ = await house.pair(game="wild")
    assert one.state["legal"][0] == {"move": "X1", "cell": 0, "parts": [0, "X"], "mark": "X"}
    await one.do("move", move="O5")
    assert one.state["moves"] == [{"move": "O5", "name": "Ob2", "side": "X", "ply": 1, "cell": 4}]
    four, _ = await house.pair(game="connect4")
    await four.do("move", move="4")
    assert (four.state["last"], four.state["moves"][0]["name"]) == ([38], "4")
    assert four.state["game"]["layout"]["gravity"] is True


@served
async def test_rematch_continues_series(house: House) -> None:
    one, two = await house.pair()
    await one.do("resign")
    assert one.state["result"] == {
        "winner": "O",
        "termination": "resignation",
        "reason": None,
        "sentences": one.state["result"]["sentences"],
    }
    assert "Ada" in one.state["result"]["sentences"][0]
    await two.do("rematch")
    assert two.state["wishes"] == [1]
    await one.do("rematch")
    assert (one.state["phase"], one.state["series"]["number"], one.state["turn"]) == ("playing", 2, "X")
    assert [player["side"] for player in one.state["players"]] == ["O", "X"]
    assert [score["points"] for score in one.state["series"]["scores"]] == [0, 1]


@served
async def test_draw_and_takeback_offers(house: House) -> None:
    one, two = await house.pair()
    await one.do("move", move="5")
    await two.do("offer-draw")
    assert two.state["offer"] == {"side": "O", "what": "draw", "plies": 0}
    await one.do("decline")
    await two.do("move", move="1")
    await one.do("take-back")  # to the caller's last decision
    assert one.state["offer"] == {"side": "X", "what": "takeback", "plies": 2}
    await two.do("accept")
    assert two.state["ply"] == 0
    answer = await one.ask("take-back", version=two.state["version"])
    assert (answer.status_code, answer.json()["error"]["reason"]) == (422, "nothing-to-take-back")
    await one.do("move", move="5")
    await two.do("move", move="1")
    await one.do("take-back", plies=1)
    assert one.state["offer"]["plies"] == 1


@served
async def test_chooser_takes_mark(house: House) -> None:
    one, two = await house.pair(begins="chooser")
    await one.look()
    assert (one.state["phase"], one.state["needs_choice"], one.state["chooser"]) == ("choosing", True, 0)
    assert (await two.ask("choose", mark="X")).json()["error"]["reason"] == "nothing-to-choose"
    await one.do("choose", mark="O")
    assert [player["side"] for player in one.state["players"]] == ["O", "X"]
    assert one.state["turn"] == "O"
    assert one.state["game"]["sides"] == ["O", "X"]
    await one.do("move", move="5")
    await two.do("resign")
    data = (await one.get(f"/api/games/{one.state['game_id']}")).json()
    assert data["tournament"] is None
    assert data["game"]["sides"] == ["O", "X"]


@served
async def test_clock_ends_game(house: House) -> None:
    one, two = await house.pair(clock={"per_move": 5_000})
    house.clock.instant += 60_000
    assert (await one.look())["clock"]["running"] is None
    await one.do("move", move="5")
    await two.do("move", move="1")
    assert (await one.look())["clock"]["running"] == "X"
    house.clock.instant += 1_000
    assert (await one.look())["clock"]["left"] == {"X": 4_000, "O": 5_000}
    async with two.listening() as listener:
        house.clock.instant += 5_000
        state = await listener.until(lambda state: state["phase"] == "over")
    assert (state["result"]["winner"], state["result"]["termination"]) == ("O", "time")


@served
async def test_absent_player_loses_claimed_game(house: House) -> None:
    one, two = await house.pair()
    async with one.listening() as first:
        async with two.listening():
            await first.until(lambda state: all(player["here"] for player in state["players"]))
        away = await first.until(lambda state: not state["players"][1]["here"])
        assert away["claim_at"] == house.clock() + 60_000
        await one.look()
        assert (await one.ask("claim")).json()["error"]["reason"] == "too-early"
        house.clock.instant += 60_000
        await one.do("claim")
        assert (one.state["result"]["winner"], one.state["result"]["termination"]) == ("X", "abandonment")


@served
async def test_leaving_closes_room(house: House) -> None:
    one, two = await house.pair()
    assert (await one.ask("leave")).json()["error"]["reason"] == "playing"
    await one.do("resign")
    await one.do("leave")
    assert one.state["phase"] == "closed"
    assert (await two.ask("rematch", version=one.state["version"])).json()["error"]["reason"] == "room-closed"


# Languages


@served
async def test_sentences_use_requested_language(house: House) -> None:
    one, _ = await house.pair()
    titles = {}
    for language in LANGUAGES:
        by_address = await one.get(f"/api/rooms/{one.room}?lang={language}")
        by_header = await one.get(
            f"/api/rooms/{one.room}", headers={"accept-language": f"{language},en;q=0.1"}
        )
        titles[language] = by_address.json()["game"]["title"]
        assert by_header.json()["game"] == by_address.json()["game"]
    assert len(set(titles.values())) == 4
    answer = await one.client.post(
        f"/api/rooms/{one.room}/commands?lang=ru",
        json={"version": one.state["version"], "key": "k", "command": {"type": "move", "move": "99"}},
        headers=one.proof,
    )
    assert answer.status_code == 422
    assert any("а" <= letter <= "я" for letter in answer.json()["error"]["sentence"])


@served
async def test_sentence_isolates_right_to_left_name(house: House) -> None:
    one, _ = await house.pair(name="\u05e2\u05d3\u05d4 (1)")
    state = await one.do("resign")
    assert "\u2068\u05e2\u05d3\u05d4 (1)\u2069" in " ".join(state["result"]["sentences"])
    assert {player["name"] for player in state["players"]} >= {"\u05e2\u05d3\u05d4 (1)"}


# Errors


@served
async def test_join_takes_free_seat(house: House) -> None:
    one, _two = await house.pair()
    three = house.guest()
    cases = {
        "/api/join": [
            ({"room": one.room, "name": "Zoe"}, 409, "seat-taken"),
            ({"room": "A" * 20, "name": "Zoe"}, 404, "not-found"),
            ({"code": one.code, "name": "Zoe"}, 404, "not-found"),
            ({"code": "ABCDEF", "name": "Zoe"}, 404, "not-found"),
        ]
    }
    for path, request in cases.items():
        for body, status, code in request:
            answer = await three.post(path, body)
            assert (answer.status_code, answer.json()["error"]["code"]) == (status, code), answer.text
            assert answer.json()["error"]["sentence"]
    late = await house.open()
    house.clock.instant += CODE_LASTS
    answer = await three.post("/api/join", {"code": late.code, "name": "Zoe"})
    assert answer.status_code == 404
    fresh = await three.post("/api/join", {"room": late.room, "name": "Zoe"})
    assert fresh.status_code == 201


@served
async def test_code_shows_room_before_joining(house: House) -> None:
    clock = {"base": 180_000, "increment": 2_000}
    one, two = await house.open(clock=clock, opening="pie", visibility="link"), house.guest("192.0.2.2")
    for code in (one.code, one.code.lower()):
        data = (await two.get(f"/api/join/{code}")).json()
        assert {name: data["clock"][name] for name in clock} == clock
        assert (data["room"], data["protocol"], data["game"]["name"]) == (one.room, "pie", "tictactoe")
        assert [player["name"] for player in data["players"]] == ["Ada", None]
        assert (data["you"], data["code"], data["phase"]) == (None, None, "waiting")
    for code in ("ABCDEF", "ABC", "%00"):
        answer = await two.get(f"/api/join/{code}")
        assert (answer.status_code, answer.json()["error"]["code"]) == (404, "not-found")
    await two.enter("/api/join", {"code": one.code, "name": "Wei"})
    spent = await two.get(f"/api/join/{one.code}")
    late = await house.open()
    house.clock.instant += CODE_LASTS
    assert (await two.get(f"/api/join/{late.code}")).status_code == spent.status_code == 404


@served
async def test_private_room_looks_like_missing_room(house: House) -> None:
    guest = house.guest()
    answers = [
        await guest.get(f"/api/rooms/{'A' * 20}"),
        await guest.get(
            f"/api/rooms/{'A' * 20}", headers={"authorization": "Bearer nobody-knows-this-token"}
        ),
        await guest.post(
            f"/api/rooms/{'A' * 20}/commands", {"version": 1, "key": "k", "command": {"type": "resign"}}
        ),
        await guest.get(f"/api/rooms/{'A' * 20}/events"),
    ]
    assert {answer.status_code for answer in answers} == {404}
    assert len({answer.text for answer in answers}) == 1


NO_ROOMS: list[tuple[dict[str, Any], int, str]] = [
    ({"game": "nothing"}, 422, "not-found"),
    ({"game": "101x100:5"}, 422, "shape-error"),
    ({"game": "1000x1000:5"}, 422, "shape-error"),
    ({"game": "999999999x999999999:3"}, 422, "shape-error"),
    ({"game": "1000^8:5"}, 422, "shape-error"),
    ({"game": "1000x1000x1000x1000x1000x1000x1000x1000:5"}, 422, "shape-error"),
    ({"game": "-3x3:3"}, 422, "not-found"),
    ({"game": "0x3:3"}, 422, "shape-error"),
    ({"game": "9" * 300 + "x3:3"}, 422, "shape-error"),
    ({"game": "3x3:" + "9" * 300}, 422, "rules-error"),
    ({"game": "x" * 401}, 422, "invalid"),
    ({"game": "3x3:9"}, 422, "rules-error"),
    ({"opponent": "nobody"}, 422, "not-found"),
    ({"opponent": "perfect", "game": "gomoku"}, 422, "unsupported-rules"),
    ({"opponent": "level:3", "game": "fifteen"}, 422, "plays-alone"),
    ({"name": ""}, 422, "name-refused"),
    ({"name": "rule"}, 422, "name-refused"),
    ({"name": "a\u202eb"}, 422, "name-refused"),
    ({"name": "A" * 41}, 422, "name-refused"),
    ({"place": 2}, 422, "no-such-seat"),
    ({"place": -1}, 422, "invalid"),
    ({"place": True}, 422, "invalid"),
    ({"place": "0"}, 422, "invalid"),
    ({"begins": "nobody"}, 422, "invalid"),
    ({"clock": {"base": 0}}, 422, "invalid"),
    ({"clock": {"base": 5_000, "per_move": 5_000}}, 422, "invalid"),
    ({"more": 1}, 422, "invalid"),
    ({"name": None}, 422, "invalid"),
]


@pytest.mark.slow
@served
async def test_invalid_rooms_are_rejected(house: House) -> None:
    for request, status, code in NO_ROOMS:
        body = {"game": "tictactoe", "opponent": "friend", "name": "Ada", **request}
        answer = await house.guest().post("/api/rooms", body)
        assert (answer.status_code, answer.json()["error"]["code"]) == (status, code), request
        assert answer.json()["error"]["sentence"]
    assert await house.service.run(house.service.rooms.store.count) == 0


@served
async def test_validation_error_names_accepted_values(house: House) -> None:
    guest = house.guest()
    wrong = {
        "game": "tictactoe",
        "opponent": "friend",
        "name": "A",
        "key": "short",
        "place": 9,
        "begins": "me",
    }
    error = (await guest.post("/api/rooms", wrong)).json()["error"]
    assert "key accepts ^[A-Za-z0-9_-]{22,64}$" in error["sentence"]
    assert "place accepts ≤ 7" in error["sentence"]
    data = error["fields"]
    accepted = {field["at"]: field["accepted"] for field in data}
    assert accepted["body.key"] == {"pattern": "^[A-Za-z0-9_-]{22,64}$"}
    assert accepted["body.place"] == {"le": 7}
    assert "'alternate'" in accepted["body.begins"]["expected"]


@served
async def test_validation_error_concerns_best_matching_model(house: House) -> None:
    guest = house.guest()
    for path, query, at, said in (
        (
            "rooms",
            {"clock": {"per_move": 5}},
            ["body.clock.PerMoveClock.per_move"],
            "clock.per_move accepts ≥ 1000",
        ),
        ("rooms", {"clock": {"base": 5}}, ["body.clock.WholeGameClock.base"], "clock.base accepts ≥ 1000"),
        ("rooms", {"Clock": {}}, ["body.Clock"], "Clock is not known here"),
        ("join", {"room": "abc"}, ["body.JoinByRoom.name"], "name is missing"),
    ):
        rest = {"game": "tictactoe", "name": "A"} if path == "rooms" else {}
        error = (await guest.post(f"/api/{path}", {**rest, **query})).json()["error"]
        assert [field["at"] for field in error["fields"]] == at
        assert error["sentence"] == f"The request is not valid: {said}."


@served
async def test_brief_summarises_room(house: House) -> None:
    ada, wei = await house.pair()
    path = f"/api/rooms/{ada.room}/brief"
    data = (await ada.get(path, headers=ada.proof)).json()
    assert (data["phase"], data["game"], data["title"]) == ("playing", "tictactoe", "Tic-tac-toe")
    assert (data["others"], data["turn"], data["is_your_turn"]) == (["Wei"], "Ada", True)
    data = (await wei.get(path, headers=wei.proof)).json()
    assert (data["others"], data["is_your_turn"]) == (["Ada"], False)
    assert (await house.guest().get(path)).json()["others"] == ["Ada", "Wei"]
    choosing = await house.open(begins="chooser")
    await house.guest("192.0.2.3").enter("/api/join", {"code": choosing.code, "name": "Lin"})
    data = (await choosing.get(f"/api/rooms/{choosing.room}/brief", headers=choosing.proof)).json()
    assert data["phase"] == "choosing"
    assert data["turn"] is not None
    waiting = await house.open(game="7x7:4")
    data = (await house.guest().get(f"/api/rooms/{waiting.room}/brief")).json()
    assert (data["phase"], data["title"], data["turn"]) == ("waiting", "7x7:4", None)
    assert (data["others"], data["free"]) == (["Ada"], 1)


def described() -> Any:
    """Return the API description."""
    app: Any = make_app(ServerOptions(database=":memory:"))
    return app.openapi()


@pytest.mark.slow
def test_every_field_and_argument_has_description() -> None:
    data = described()
    for message, schema in data["components"]["schemas"].items():
        for name, field in schema.get("properties", {}).items():
            assert field.get("description"), (message, name)
    for path, methods in data["paths"].items():
        for argument in (one for route in methods.values() for one in route.get("parameters", [])):
            assert argument.get("description"), (path, argument["name"])


NO_REQUESTS: list[tuple[bytes, str, int, str | None]] = [
    (b"{", "application/json", 400, "syntax"),
    (b"", "application/json", 400, "syntax"),
    (b"\xff\xfe", "application/json", 400, "encoding"),
    (b'{"game": "a", "game": "b"}', "application/json", 400, "key-twice"),
    (b'{"place": NaN}', "application/json", 400, "number"),
    (b'{"place": -Infinity}', "application/json", 400, "number"),
    (b'{"place": 1e999}', "application/json", 400, "number"),
    (b'{"place": ' + b"9" * 19 + b"}", "application/json", 400, "number"),
    (b'{"place": ' + b"9" * 5000 + b"}", "application/json", 400, "number"),
    (b"[" * 2_000 + b"]" * 2_000, "application/json", 400, "depth"),
    (b"[" * 30_000, "application/json", 400, "depth"),
    (b'{"a":' * 2_000 + b"1" + b"}" * 2_000, "application/json", 400, "depth"),
    (b'{"name": "\\ud800"}', "application/json", 400, "text"),
    (b'{"name": "' + b"[" * 40 + b'\\"{"}', "application/json", 422, None),
    (b"{}", "text/plain", 415, None),
    (b"{}", "application/x-www-form-urlencoded", 415, None),
    (b"{}", "multipart/form-data; boundary=x", 415, None),
    (b"{}", "application/json; charset=utf-16", 415, None),
    (b"{}", "application/jsonx", 415, None),
    (b"{}", "", 415, None),
    (b'{"a": "' + b"x" * 70_000 + b'"}', "application/json", 413, None),
    (b"[]", "application/json", 422, None),
    (b"null", "application/json", 422, None),
    (b'"' + b'\\"' * 30_000, "application/json", 400, "syntax"),
]


@served
async def test_too_large_boards_are_not_created(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    def make(*_: Any, **__: Any) -> None:
        raise AssertionError("a board was made")

    monkeypatch.setattr(rooms, "new_game", make)
    for game in ("1000x1000:5", "101x100:5", "1000x1000x1000:3", "999999999x999999999:3"):
        body = {"game": game, "opponent": "friend", "name": "Ada"}
        answer = await house.guest().post("/api/rooms", body)
        assert answer.json()["error"]["limit"] in (house.service.limits.cells, MAX_CELLS)
        assert (await house.guest().get(f"/api/rules?game={game}")).status_code == 422


@served
async def test_malformed_bodies_are_rejected(house: House) -> None:
    for body, kind, status, reason in NO_REQUESTS:
        for path in ("/api/rooms", "/api/join"):
            answer = await house.guest().client.post(path, content=body, headers={"content-type": kind})
            assert answer.status_code == status, (body[:50], kind)
            assert answer.json()["error"].get("reason") == reason
            assert answer.json()["error"]["sentence"]


@served
async def test_body_without_length_is_limited(house: House) -> None:
    async def pour() -> Any:
        for _ in range(100):
            yield b"[" + b" " * 4_000

    answer = await house.guest().client.post(
        "/api/rooms", content=pour(), headers={"content-type": "application/json; charset=UTF-8"}
    )
    assert answer.status_code == 413


@served
async def test_illegal_move_error_names_legal_moves(house: House) -> None:
    one, two = await house.pair()
    await one.do("move", move="5")
    for move, code in (
        ("5", "occupied-cell"),
        ("10", "notation-error"),
        ("", "notation-error"),
        ("x", "notation-error"),
    ):
        await two.look()
        answer = await two.ask("move", move=move)
        assert (answer.status_code, answer.json()["error"]["code"]) == (422, code)
        assert answer.json()["error"]["sentence"]
    sentence = (await two.ask("move", move="5")).json()["error"]["sentence"]
    assert "b2" in sentence
    assert "a3" in sentence


@served
async def test_stale_command_returns_state(house: House) -> None:
    one, _two = await house.pair()
    old = one.state["version"]
    await one.do("move", move="5")
    answer = await one.ask("resign", version=old)
    assert answer.status_code == 409
    assert answer.json()["error"]["code"] == "stale"
    assert answer.json()["state"]["ply"] == 1
    assert answer.json()["state"]["you"] == 0
    future = await one.ask("resign", version=10**9)
    assert future.status_code == 409


@served
async def test_repeated_command_returns_same_response(house: House) -> None:
    one, two = await house.pair()
    version = one.state["version"]
    first = await one.ask("move", move="5", key="again", version=version)
    second = await one.ask("move", move="5", key="again", version=version)
    assert (first.status_code, second.status_code) == (200, 200)
    assert first.json()["version"] == second.json()["version"]
    assert second.json()["state"]["ply"] == 1
    other = await one.ask("resign", key="again", version=version)
    assert other.json()["error"]["reason"] == "key-used"
    twenty = await asyncio.gather(
        *(two.ask("move", move="1", key="twin", version=first.json()["version"]) for _ in range(20))
    )
    assert {answer.status_code for answer in twenty} == {200}
    assert (await two.look())["ply"] == 2


@served
async def test_one_of_two_concurrent_commands_wins(house: House) -> None:
    one = await house.open()
    guests = [house.guest() for _ in range(8)]
    answers = await asyncio.gather(
        *(guest.post("/api/join", {"code": one.code, "name": "Wei"}) for guest in guests)
    )
    assert sorted(answer.status_code for answer in answers)[0] == 201
    assert [answer.status_code for answer in answers].count(201) == 1
    await one.look()
    version = one.state["version"]
    moves = await asyncio.gather(*(one.ask("move", move=str(cell), version=version) for cell in (1, 2, 3)))
    assert sorted(answer.status_code for answer in moves) == [200, 409, 409]


# Origins


ORIGINS = [
    (ORIGIN, False),
    ("https://play.example", False),
    ("HTTPS://PLAY.EXAMPLE", False),
    ("null", True),
    ("http://evil.example", True),
    ("http://test.evil.example", True),
    ("http://eviltest", True),
    ("http://test:81", True),
    ("ftp://test", True),
    ("https://play.example.evil", True),
    ("http://[", True),
]


@served(origins=("https://play.example/",))
async def test_foreign_origin_cannot_post(house: House) -> None:
    body = {"game": "tictactoe", "opponent": "friend", "name": "Ada"}
    for origin, is_refused in ORIGINS:
        answer = await house.guest().post("/api/rooms", body, headers={"origin": origin})
        assert answer.status_code == (403 if is_refused else 201), origin


@served
async def test_post_with_cookie_needs_origin(house: House) -> None:
    one, _ = await house.pair()
    body = {"version": one.state["version"], "key": "k", "command": {"type": "resign"}}
    path = f"/api/rooms/{one.room}/commands"
    assert (await one.client.post(path, json=body)).status_code == 403
    for header in ("Basic eDp5", "Bearer", "Bearer  "):  # a browser may send them without a script
        answer = await one.client.post(path, json=body, headers={"authorization": header})
        assert answer.json()["error"]["code"] == "foreign-origin", header
    assert (await one.client.post(path, json=body, headers=one.proof)).status_code == 200


@served
async def test_every_response_has_security_headers(house: House) -> None:
    guest = house.guest()
    for path in ("/", "/api/catalogue", "/nothing", "/static/style.css", "/healthz", "/api/rooms/x"):
        headers = (await guest.get(path)).headers
        assert "'unsafe" not in headers["content-security-policy"]
        assert headers["content-security-policy"].startswith("default-src 'none'")
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        # Embedded replays load public files, also in a frame without an origin.
        assert ("access-control-allow-origin" in headers) == path.startswith("/static/")


# Limits

FEW = ServerLimits(
    commands=Rate(0.001, 3),
    requests=Rate(0.001, 30),
    rooms=Rate(0.001, 2),
    joins=Rate(0.001, 3),
    analyses=Rate(0.001, 1),
    streams=2,
    all_streams=3,
)


@pytest.mark.slow
@served(limits=FEW)
async def test_rate_limit_sets_retry_after(house: House) -> None:
    one, two = await house.pair()
    await house.open()
    body = {"game": "tictactoe", "opponent": "friend", "name": "Ada"}
    answer = await one.post("/api/rooms", body)
    assert (answer.status_code, answer.json()["error"]["code"]) == (429, "too-often")
    assert int(answer.headers["retry-after"]) == answer.json()["error"]["seconds"] > 0
    for _ in range(2):
        await two.get("/api/join/ABCDEF")
    for answer in (
        await two.get("/api/join/ABCDEF"),
        await two.post("/api/join", {"code": "ABCDEF", "name": "Wei"}),
    ):
        assert answer.status_code == 429
    for _ in range(3):
        await one.ask("claim")
    assert (await one.ask("move", move="5")).status_code == 429
    assert (await two.ask("offer-draw")).status_code != 429
    statuses = [(await one.get("/api/players")).status_code for _ in range(40)]
    assert statuses[-1] == 429
    assert (await two.get("/api/players")).status_code == 200


@served(limits=FEW)
async def test_streams_are_limited(house: House) -> None:
    one, two = await house.pair()
    async with one.listening() as a, one.listening() as b, two.listening() as c:
        for listener in (a, b, c):
            await listener.next()
        async with one.listening() as d:
            await settle(lambda: d.status == 429)
        third = house.guest("192.0.2.9")
        third.room = one.room
        async with third.listening() as e:
            await settle(lambda: e.status == 429)
    await settle(lambda: house.service.watches.count == 0)
    assert house.service.streams == {}


# Failures


@served
async def test_missing_store_returns_503(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    one, _ = await house.pair()

    def fail(*_: Any, **__: Any) -> None:
        raise StoreError("db", "disk full")

    with monkeypatch.context() as patched:
        patched.setattr(house.service.rooms, "submit", fail)
        answer = await one.ask("move", move="5")
    assert (answer.status_code, answer.json()["error"]["code"]) == (503, "store-error")
    assert "disk full" not in answer.text  # and no location of the database
    assert (await one.ask("move", move="5")).status_code == 200


@served
async def test_unexpected_error_hides_traceback(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    one, _ = await house.pair()

    def fail(*_: Any, **__: Any) -> None:
        raise RuntimeError("secret")

    monkeypatch.setattr(house.service.rooms, "look", fail)
    answer = await one.get(f"/api/rooms/{one.room}")
    assert (answer.status_code, answer.json()["error"]["code"]) == (500, "failed")
    assert "secret" not in answer.text


@served
async def test_memory_error_returns_503(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    def open_room(*_: Any, **__: Any) -> None:
        raise MemoryError

    monkeypatch.setattr(house.service.rooms, "open", open_room)
    answer = await house.guest().post("/api/rooms", {"game": "tictactoe", "name": "Ada"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (503, "server-busy")
    assert answer.headers["retry-after"] == "5"


@served
async def test_unknown_paths_and_methods(house: House) -> None:
    guest = house.guest()
    for path in (
        "/nothing",
        "/api/nothing",
        "/static/../app.py",
        "/static/nothing.js",
        "/i18n/fr.json",
        "/g/x",
        "/puzzle/x",
        "/g/٣",
        "/g/" + "9" * 5000,
    ):
        answer = await guest.get(path)
        assert (answer.status_code, answer.json()["error"]["code"]) == (404, "no-such-path"), path
    page = await guest.get("/nothing", headers={"accept": "text/html", "accept-language": "ru"})
    assert (page.status_code, page.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert 'lang="ru"' in page.text
    answer = await guest.client.delete("/api/rooms/x", headers={"origin": ORIGIN})
    assert (answer.status_code, answer.json()["error"]["code"]) == (405, "no-such-method")
    assert answer.headers["allow"]


@pytest.mark.slow
@served
async def test_description_is_openapi(house: House) -> None:
    described = (await house.guest().get("/openapi.json")).json()
    assert described["openapi"].startswith("3.")
    for path in ("/api/rooms", "/api/join", "/api/rooms/{room}/commands", "/api/rooms/{room}/events"):
        assert path in described["paths"]
    kinds = json.dumps(described["components"]["schemas"]["CommandRequest"])
    assert all(name in kinds for name in ("MoveCommand", "TakeBackCommand", "ChooseCommand", "PlainCommand"))


@pytest.mark.slow
@served
async def test_description_page_shows_routes(house: House) -> None:
    page = await house.guest().get("/api")
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    for data in ("POST /api/rooms/{room}/commands", "openapi.json", "too-many-rooms", "Server-Sent Events"):
        assert data in page.text


@pytest.mark.slow
@served
async def test_every_route_is_described(house: House) -> None:
    described = (await house.guest().get("/openapi.json")).json()
    routes = {
        (method, path): route for path, ways in described["paths"].items() for method, route in ways.items()
    }
    names = [route["operationId"] for route in routes.values()]
    assert len(set(names)) == len(names)
    assert {tag for route in routes.values() for tag in route["tags"]} == {
        tag["name"] for tag in described["tags"]
    }
    for (method, path), route in routes.items():
        assert route["description"], path
        assert {"422", "429", "503"} <= set(route["responses"]), path
        assert ({"400", "403", "408", "413", "415"} <= set(route["responses"])) == (method == "post"), path
        for status, response in route["responses"].items():
            assert response["description"]
            assert response.get("content") or status == "304", path
            for link in response.get("links", {}).values():
                assert link["operationId"] in names


def test_error_codes_are_complete() -> None:
    """Every new error code must be described."""
    data = {code for codes in CODES.values() for code in codes}
    library = {
        re.sub("(?<=[a-z])(?=[A-Z])", "-", kind.__name__).lower()
        for kind in vars(errors).values()
        if isinstance(kind, type) and issubclass(kind, errors.NoughtsError)
    }
    never = {"noughts-error", "bad-input", "file-refused", "move-refused", "nothing-to-undo", "stale-room"}
    sources = Path(web.__file__).parent.rglob("*.py")
    written = {
        code
        for path in sources
        for code in re.findall(r'ApiError\(\s*[^,()]+, "([a-z-]+)"', path.read_text())
    }
    assert data - library == written
    # Errors that no route returns: foreign databases are not served, skipped games cannot be requested, and
    # the server uses no cluster, no external bots, no batches, no words of keys and no other server.
    unheard = {"workers-failed", "sandbox-missing", "sandbox-refused", "illegal-actions", "words-refused"}
    unheard |= {"server-failed", "damaged-file"}  # The last one is only a warning.
    assert library - never - data == {"newer-store", "game-left-out"} | unheard


@pytest.mark.slow
@served
async def test_invalid_headers_cause_no_error(house: House) -> None:
    guest = house.guest()
    for headers in (
        {"host": "["},
        {"host": ""},
        {"accept-language": ";;q=,,,zh;q=9,ru;q=x"},
        {"cookie": "noughts-seat=\x7f; ;;=="},
        {"last-event-id": "9" * 99},
        {"authorization": "Basic ÿ".encode("latin-1")},
    ):
        for path in ("/", f"/api/rooms/{'A' * 20}/events", "/api/catalogue"):
            assert (await guest.get(path, headers=headers)).status_code in (200, 404, 421), (path, headers)


LOCAL = ("localhost:8000", "LOCALHOST", "127.0.0.1:8000", "127.9.9.9", "[::1]:8000")
ADDRESSES = ("192.0.2.7:8000", "10.0.0.1", "[2001:db8::1]")
NAMES = ("evil.example", "127.0.0.1.evil.example", "localhost.evil.example", "[", "[::1", "0x7f000001", ":80")


@pytest.mark.parametrize(
    ("bound", "known", "unknown"),
    [
        (("127.0.0.1", "127.0.0.1"), LOCAL, (*ADDRESSES, *NAMES)),
        (("192.0.2.7", "192.0.2.7"), (*LOCAL, "192.0.2.7"), ("10.0.0.1", *NAMES)),
        (("Box.local", "192.0.2.7"), (*LOCAL, "box.local:80", "192.0.2.7"), ("10.0.0.1", *NAMES)),
        (("0.0.0.0", "0.0.0.0"), (*LOCAL, *ADDRESSES), NAMES),
        (("::", "::"), (*LOCAL, *ADDRESSES), NAMES),
    ],
)
def test_only_own_host_names_are_answered(
    bound: tuple[str, ...], known: tuple[str, ...], unknown: tuple[str, ...]
) -> None:
    hosts = AllowedHosts(bound, ("https://play.example.org", "nonsense"))
    assert [host for host in (*known, "play.example.org", "Play.Example.org:443") if host not in hosts] == []
    assert [host for host in unknown if host in hosts] == []


@pytest.mark.slow
@served(origins=("https://play.example.org",))
async def test_foreign_host_is_rejected(house: House) -> None:
    guest = house.guest()
    for host, status in (("evil.example", 421), ("play.example.org", 200), ("test", 200), ("", 200)):
        for path in ("/", "/api/catalogue", "/static/style.css"):
            answer = await guest.get(path, headers={"host": host})
            assert answer.status_code == status, (host, path)
    refused = await guest.get("/healthz", headers={"host": "evil.example"})
    assert refused.json()["error"]["code"] == "foreign-host"
