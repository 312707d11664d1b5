"""Openings in rooms: the state, the commands, and computers that choose."""

from typing import Any, get_args

import pytest

from noughts.games.openings import NO_OPENING, OPENINGS
from noughts.interfaces.web.api.requests import OpeningName
from tests.interfaces.web.harness import House, served


@served
async def test_room_supports_swap2(house: House) -> None:
    one, two = await house.pair(game="gomoku", opening="swap2")
    state = await one.look()
    assert state["game"]["openings"] == ["pie", "swap2"]
    assert (state["turn"], state["opening"]["place"], state["opening"]["placing"]) == ("X", 0, 3)
    assert state["opening"]["sentences"]
    await one.do("move", move="h8")
    state = await one.look()
    assert (state["turn"], state["opening"]["mark"]) == ("X", "O")
    assert len(state["legal"]) == 224
    assert (await two.ask("move", move="a1")).status_code == 409
    await one.do("move", move="a1")
    await one.do("move", move="c3")
    state = await two.look()
    assert state["opening"] == {
        "protocol": "swap2",
        "place": 1,
        "placing": 0,
        "mark": "O",
        "answers": ["swap", "put"],
        "is_swapped": False,
        "sentences": state["opening"]["sentences"],
    }
    refused = (await one.ask("swap")).json()["error"]
    assert refused["code"] == "out-of-turn"
    wrong = (await two.ask("put", moves=["d4", "d4"])).json()["error"]
    assert wrong["code"] == "occupied-cell"
    await two.do("put", moves=["d4", "e5"])
    state = await one.look()
    assert [player["side"] for player in state["players"]] == ["O", "X"]
    assert (state["ply"], state["opening"]["answers"]) == (5, ["swap"])
    await one.do("swap")
    state = await two.look()
    assert [player["side"] for player in state["players"]] == ["X", "O"]
    assert (state["turn"], state["opening"]["place"], state["opening"]["sentences"]) == ("O", None, [])
    again = (await two.ask("swap")).json()["error"]
    assert again["reason"] == "no-such-choice"
    await two.do("take-back", plies=0)
    await one.do("accept")
    assert (await one.look())["opening"]["answers"] == ["swap"]


@served
async def test_series_counts_final_sides(house: House) -> None:
    one, two = await house.pair(game="connect4", opening="pie")
    await one.do("move", move="4")
    await two.do("swap")
    await two.do("resign")
    state = await one.look()
    assert [score["wins"] for score in state["series"]["scores"]] == [1, 0]
    assert state["result"]["winner"] == "O"
    record = (await one.get(f"/api/games/{state['game_id']}/record")).json()
    assert record["players"]["O"] == state["players"][0]["name"]
    assert [made["choice"] for made in record["opening"]["choices"]] == ["swap"]
    data = (await one.get(f"/api/games/{state['game_id']}")).json()
    assert [player["name"] for player in data["players"]] == [record["players"]["X"], record["players"]["O"]]


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        ({"game": "wild", "opening": "pie"}, 201),
        ({"game": "wild", "opening": "swap2"}, 422),
        ({"game": "11x11:5,hex", "opening": "swap2"}, 201),
        ({"game": "three", "opening": "pie"}, 422),
        ({"game": "tictactoe", "opening": "swap2"}, 422),
        ({"game": "gomoku", "opening": "swap3"}, 422),
        ({"game": "gomoku", "opening": None}, 201),
        ({"game": "wild", "opening": "none"}, 201),
    ],
)
@served
async def test_opening_restricts_rooms(house: House, asked: dict[str, Any], status: int) -> None:
    answer = await house.guest("192.0.2.5").post("/api/rooms", {"name": "Ada", **asked})
    assert answer.status_code == status


@served
async def test_computer_can_swap_sides(house: House) -> None:
    one = await house.open(game="connect4", opponent="random", opening="pie")
    await one.do("move", move="4")
    async with one.listening() as listener:
        state = await listener.until(
            lambda state: state["turn"] == one.state["players"][0]["side"] or state["opening"]["is_swapped"]
        )
    assert state["opening"]["place"] is None
    assert state["opening"]["is_swapped"]


def test_every_opening_can_be_requested() -> None:
    assert get_args(OpeningName) == (NO_OPENING, *OPENINGS)
