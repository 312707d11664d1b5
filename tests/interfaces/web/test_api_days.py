"""Games by days over HTTP: the list of own games, and the seats of a person with a key on each device."""

import asyncio
import json

import pytest

from noughts.errors import StoreError
from noughts.interfaces.web.http.replies import SESSION_COOKIE
from tests.interfaces.harness import EN
from tests.interfaces.web.harness import SECONDS, Guest, House, Json, Listener, served
from tests.interfaces.web.test_api_lobby import Visitor, with_key

DAY = 86_400_000
CLOCK = {"per_move": 3 * DAY}
NOTHING: Json = {"rooms": [], "visits": [], "offers": [], "pause": None}


def _elsewhere(house: House, visitor: Visitor) -> Guest:
    """Return another browser of the person, which is signed in and has no seat token."""
    guest = house.guest("192.0.2.9")
    guest.client.cookies.set(SESSION_COOKIE, visitor.guest.client.cookies[SESSION_COOKIE], path="/")
    return guest


async def _next_change(listener: Listener, number: int) -> Json:
    """Return the event with a number of a list of games."""
    async with asyncio.timeout(SECONDS):
        while True:
            events = [text for text in listener.texts if "event: games" in text]
            if len(events) > number:
                change: Json = json.loads(events[number].partition("data: ")[2])
                return change
            await asyncio.sleep(0.01)


async def _game(one: Visitor, two: Visitor) -> tuple[Guest, Guest]:
    """Return the players in the order of their moves, in a game by days."""
    offer = await one.offer(clocks=[CLOCK], games=["gomoku"])
    room = (await two.join(offer["number"])).json()["room"]
    players = [await one.enter(room), await two.enter(room)]
    return tuple(sorted(players, key=lambda guest: guest.place or 0))  # type: ignore[return-value]


@served()
async def test_own_rooms_show_the_time_on_each_device(house: House) -> None:
    ada, wei = await with_key(house, "Ada", 1), await with_key(house, "Wei", 2)
    first, second = await _game(ada, wei)
    for guest, move in ((first, "1"), (second, "2")):
        await guest.look()
        await guest.do("move", move=move)
    house.clock.instant += 2 * DAY
    there = _elsewhere(house, ada if first is ada.guest else wei)
    (row,) = (await there.get("/api/rooms")).json()["rooms"]
    assert (row["is_your_turn"], row["left"], row["is_practice"]) == (True, DAY, False)
    assert row["clock"]["per_move"] == 3 * DAY
    (other,) = (await second.get("/api/rooms")).json()["rooms"]
    assert (other["is_your_turn"], other["left"]) == (False, DAY)


@served()
async def test_session_opens_the_own_seat_alone(house: House) -> None:
    ada, wei = await with_key(house, "Ada", 1), await with_key(house, "Wei", 2)
    first, _ = await _game(ada, wei)
    there = _elsewhere(house, ada if first is ada.guest else wei)
    there.room = first.room
    state = (await there.get(f"/api/rooms/{first.room}")).json()
    assert state["you"] == 0
    body = {"version": state["version"], "key": "first", "command": {"type": "move", "move": "7"}}
    answer = await there.post(f"/api/rooms/{first.room}/commands", body)
    assert answer.status_code == 200, answer.text
    assert (await there.post(f"/api/rooms/{first.room}/seat", {})).status_code == 401
    eve = await with_key(house, "Eve", 3)
    state = (await eve.guest.get(f"/api/rooms/{first.room}")).json()
    assert state["you"] is None
    assert (await eve.guest.post(f"/api/rooms/{first.room}/commands", body)).status_code == 401
    assert (await eve.guest.get("/api/rooms")).json() == NOTHING


@served()
async def test_guests_have_no_list_of_rooms(house: House) -> None:
    guest = await house.open(clock=CLOCK)
    assert (await guest.get("/api/rooms")).json() == NOTHING


@served()
async def test_guest_finds_offers_and_games_by_the_key_of_the_lobby(house: House) -> None:
    ada, wei = Visitor(house, "Ada"), Visitor(house, "Wei", "192.0.2.2")
    made = await ada.offer(clocks=[CLOCK], lasts=True)
    await house.service.lobby_streams.tick()
    assert (made["lasts"], made["expires"] - made["since"]) == (True, 7 * DAY)
    listed = (await ada.guest.get("/api/rooms", headers=ada.proof)).json()
    assert (listed["offers"], listed["rooms"]) == ([made], [])
    assert (await wei.guest.get("/api/rooms", headers=wei.proof)).json() == NOTHING
    room = (await wei.join(made["number"])).json()["room"]
    listed = (await ada.guest.get("/api/rooms", headers=ada.proof)).json()
    (row,) = listed["rooms"]
    assert (listed["offers"], listed["visits"], row["others"]) == ([], [room], ["Wei"])
    assert (row["board"]["ply"], row["board"]["sides"], len(row["board"]["cells"])) == (0, ["X", "O"], 225)
    guest = await ada.enter(room)
    assert row["is_your_turn"] == (guest.place == 0)


@served()
async def test_key_withdraws_a_lasting_offer_on_each_device(house: House) -> None:
    ada = await with_key(house, "Ada", 1)
    made = await ada.offer(clocks=[CLOCK], lasts=True)
    there = _elsewhere(house, ada)
    assert [one["number"] for one in (await there.get("/api/rooms")).json()["offers"]] == [made["number"]]
    proof = {"authorization": f"Bearer {'another-browser':-<30}"}
    await there.post(f"/api/offers/{made['number']}/withdraw", {}, headers=proof)
    assert (await there.get("/api/rooms")).json() == NOTHING


@served()
async def test_question_by_days_waits_for_a_player_with_a_key(house: House) -> None:
    ada, wei = await with_key(house, "Ada", 1), Visitor(house, "Wei", "192.0.2.2")
    asked = await wei.offer("/api/challenges", clocks=[CLOCK], lasts=True, to="Ada")
    house.clock.instant += DAY
    await house.service.lobby_streams.tick()
    (own,) = (await wei.guest.get("/api/rooms", headers=wei.proof)).json()["offers"]
    assert (own["number"], own["to"]) == (asked["number"], "Ada")
    body = {"games": ["gomoku"], "clocks": [CLOCK], "name": "Wei", "lasts": True, "to": "Nobody 7"}
    refused = await wei.post("/api/challenges", **body)
    assert refused.json()["error"]["code"] == "asked-guest"
    assert (await ada.join(asked["number"])).status_code == 201
    note = (await ada.guest.get("/api/inbox")).json()
    assert note["notes"] == []


@served()
async def test_owner_with_a_key_reads_that_the_game_has_begun(house: House) -> None:
    ada, wei = await with_key(house, "Ada", 1), Visitor(house, "Wei", "192.0.2.2")
    made = await ada.offer(clocks=[CLOCK], lasts=True)
    room = (await wei.join(made["number"])).json()["room"]
    (note,) = (await ada.guest.get("/api/inbox")).json()["notes"]
    assert (note["kind"], note["link"], note["is_new"]) == ("began", f"/r/{room}", True)
    assert note["sentence"].startswith("Your game with Wei has begun")
    (row,) = (await ada.guest.get("/api/rooms")).json()["rooms"]
    assert row["room"] == room


@served()
async def test_list_of_games_hears_of_moves_and_new_games(house: House) -> None:
    ada, wei = Visitor(house, "Ada"), Visitor(house, "Wei", "192.0.2.2")
    first = (await wei.join((await ada.offer(clocks=[CLOCK], lasts=True))["number"])).json()["room"]
    (row,) = (await ada.guest.get("/api/rooms", headers=ada.proof)).json()["rooms"]
    query = f"lang=en&room={first}:{row['version']}&room=gone:3"
    listener = house.listener(ada.guest, ada.proof, "/api/rooms/events", query)
    listener.start()
    try:
        assert "gone" in (await _next_change(listener, 0))["rooms"]
        players = [await ada.enter(first), await wei.enter(first)]
        await players[0].look()
        mover = players[0] if players[0].place == 0 else players[1]
        await mover.look()
        await mover.do("move", move="7")
        heard = await _next_change(listener, 1)
        assert heard == {"rooms": [first], "is_new": False}
        made = await ada.offer(games=["connect4"], clocks=[CLOCK], lasts=True)
        await wei.join(made["number"])
        changes = [await _next_change(listener, 2)]
        while not changes[-1]["is_new"]:  # The players may have been noted as present before.
            changes.append(await _next_change(listener, 2 + len(changes)))
    finally:
        await listener.stop()


@served()
async def test_only_their_player_sees_prepared_moves(house: House) -> None:
    one, two = await house.pair(clock=CLOCK)
    await one.do("move", move="1")
    state = await one.do("prepare", lines=[["5", "9", "3", "7"], ["2", "5"]])
    assert [[move["move"] for move in line] for line in state["prepared"]] == [
        ["5", "9", "3", "7"],
        ["2", "5"],
    ]
    assert state["prepared"][0][0] == {"move": "5", "name": "b2", "side": "O"}
    brief = f"/api/rooms/{one.room}/brief"
    assert (await one.get(brief, headers=one.proof)).json()["prepared"] == 2
    watcher = house.guest("192.0.2.3")
    for guest in (two, watcher):
        guest.room = one.room
        assert (await guest.look())["prepared"] == []
        assert (await guest.get(brief, headers=guest.proof)).json()["prepared"] == 0
    state = await two.do("move", move="5")
    assert [move["move"] for move in state["moves"]] == ["1", "5", "9"]
    assert (await one.look())["prepared"][0][0]["move"] == "3"


@served()
async def test_prepared_moves_are_checked(house: House) -> None:
    one, _ = await house.pair(clock=CLOCK)
    await one.do("move", move="1")
    for lines, status in (([["1", "2"]], 422), ([["2"]], 422), ([["2", "3"]] * 6, 422), ("2", 422)):
        answer = await one.ask("prepare", lines=lines)
        assert answer.status_code == status, answer.text
    refused = (await one.ask("prepare", lines=[["2", "2"]])).json()["error"]
    free = ["c3", "a2", "b2", "c2", "a1", "b1", "c1"]  # after the expected move
    assert refused["sentence"] == EN("cell-taken", cell="b3", free=free)


@served()
async def test_pause_of_a_key_stops_the_clocks(house: House) -> None:
    ada, wei = await with_key(house, "Ada", 1), await with_key(house, "Wei", 2)
    first, second = await _game(ada, wei)
    for guest, move in ((first, "1"), (second, "2")):
        await guest.do("move", move=move)
    assert (await house.guest().post("/api/pause", {"days": 7})).status_code == 401
    assert (await first.post("/api/pause", {"days": 0})).status_code == 422
    assert (await first.post("/api/pause", {"days": 15})).status_code == 422
    answer = await first.post("/api/pause", {"days": 7})
    assert answer.json()["ends"] == house.clock.instant + 7 * DAY
    assert (await first.post("/api/pause", {"days": 7})).json()["error"]["code"] == "pause-refused"
    clock = (await second.look())["clock"]
    assert (clock["paused_until"], clock["running"]) == (house.clock.instant + 7 * DAY, None)
    house.clock.instant += DAY
    assert (await first.post("/api/pause", {"days": 0})).json()["ends"] == house.clock.instant
    clock = (await second.look())["clock"]
    assert (clock["paused_until"], clock["running"], clock["left"]["X"]) == (None, "X", 3 * DAY)
    assert (await first.get("/api/rooms")).json()["pause"]["ends"] == house.clock.instant


@served()
async def test_guest_pauses_a_game_by_days(house: House) -> None:
    one, two = await house.pair(clock=CLOCK)
    await one.do("move", move="1")
    state = await two.do("pause", days=2)
    assert state["first_move_at"] - state["now"] == 5 * DAY
    assert (await two.do("pause", days=0))["clock"]["paused_until"] is None


@served()
async def test_failed_stream_of_games_is_not_counted(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> dict[str, int]:
        raise StoreError("the store", "locked")

    monkeypatch.setattr(house.service.rooms.store, "versions", fail)
    answer = await Visitor(house, "Ada").guest.get("/api/rooms/events?room=gone:3")
    assert answer.status_code >= 500
    assert house.service.stream_count == sum(house.service.streams.values()) == 0
