"""Games by days over HTTP: the list of own games, and the seats of a person with a key on each device."""

import pytest

from noughts.interfaces.web.http.replies import SESSION_COOKIE
from tests.interfaces.web.harness import Guest, House, served
from tests.interfaces.web.test_api_lobby import Visitor, with_key

pytestmark = pytest.mark.slow

DAY = 86_400_000
CLOCK = {"per_move": 3 * DAY}


def _elsewhere(house: House, visitor: Visitor) -> Guest:
    """Return another browser of the person, which is signed in and has no seat token."""
    guest = house.guest("192.0.2.9")
    guest.client.cookies.set(SESSION_COOKIE, visitor.guest.client.cookies[SESSION_COOKIE], path="/")
    return guest


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
    assert (await eve.guest.get("/api/rooms")).json() == {"rooms": [], "pause": None}


@served()
async def test_guests_have_no_list_of_rooms(house: House) -> None:
    guest = await house.open(clock=CLOCK)
    assert (await guest.get("/api/rooms")).json() == {"rooms": [], "pause": None}


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
