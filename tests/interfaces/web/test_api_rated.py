"""Rated games over the API: both players have keys, nobody is helped, and the end shows the new ratings."""

from typing import Any

from noughts.arena.remote.remote_state import RemoteState
from tests.arena.people.signing import Signer
from tests.interfaces.web.harness import Guest, House, Json, served
from tests.interfaces.web.test_api_identities import browser

RATED: Json = {
    "game": "gomoku",
    "opponent": "friend",
    "clock": {"base": 60_000, "increment": 0},
    "opening": "pie",
    "rated": True,
}


async def person(house: House, name: str, number: int) -> Guest:
    """Return a player with a key."""
    made = browser(house, Signer(20 + number), f"192.0.2.{number}")
    assert (await made.register(name, Signer(40 + number))).status_code == 201
    return made.guest


async def pair(house: House) -> tuple[Guest, Guest]:
    """Return Ada and Wei in a room with rated games."""
    ada, wei = await person(house, "Ada", 1), await person(house, "Wei", 2)
    await ada.enter("/api/rooms", RATED)
    await wei.enter("/api/join", {"code": ada.code, "name": "ignored"})
    return ada, wei


def ratings(state: Json) -> list[tuple[Any, ...]]:
    return [(one["rating"], one["is_provisional"], one["rating_change"]) for one in state["players"]]


@served
async def test_end_of_a_rated_game_shows_the_new_ratings(house: House) -> None:
    ada, wei = await pair(house)
    assert ratings(await ada.look()) == [(1500, True, None)] * 2
    await ada.do("move", move="h8")
    await wei.do("move", move="i9")
    refused = await wei.ask("take-back")
    assert (refused.status_code, refused.json()["error"]["reason"]) == (422, "rated")
    state = await wei.do("resign")
    (one, _, up), (two, _, down) = ratings(state)
    assert up == one - 1500 > 100
    assert down == two - 1500 == -up
    assert (state["rated"], state["unrated"]) == (True, None)
    number = state["players"][0]["identity"]
    assert (await ada.get(f"/api/ratings/{number}")).json()["ratings"][0]["wins"] == 1
    assert (await ada.get(f"/api/ratings/{number}")).json()["games"] == []  # by link


@served
async def test_game_that_changes_no_rating_says_why(house: House) -> None:
    ada, wei = await pair(house)
    await ada.do("move", move="h8")
    state = await wei.do("resign")
    assert state["unrated"] == "too-short"
    assert ratings(state) == [(1500, True, None)] * 2


@served
async def test_nobody_plays_a_rated_game_against_the_own_key(house: House) -> None:
    ada = await person(house, "Ada", 1)
    await ada.enter("/api/rooms", RATED)
    refused = await ada.post("/api/join", {"code": ada.code, "name": "Wei"})
    assert (refused.status_code, refused.json()["error"]["reason"]) == (422, "same-person"), refused.text


@served
async def test_guests_play_no_rated_game(house: House) -> None:
    ada, wei = await person(house, "Ada", 1), house.guest("192.0.2.9")
    refused = await wei.post("/api/rooms", {**RATED, "name": "Wei"})
    assert (refused.status_code, refused.json()["error"]["reason"]) == (422, "no-key")
    await ada.enter("/api/rooms", RATED)
    refused = await wei.post("/api/join", {"code": ada.code, "name": "Wei"})
    assert (refused.status_code, refused.json()["error"]["reason"]) == (422, "no-key")
    refused = await ada.post("/api/rooms", {**RATED, "opening": "none"})
    assert refused.json()["error"]["code"] == "not-rated"


@served
async def test_rated_game_with_a_computer_has_no_help(house: House) -> None:
    ada = await person(house, "Ada", 1)
    await ada.enter("/api/rooms", {**RATED, "opponent": "level:4", "place": 0})
    assert ratings(await ada.look()) == [(1500, True, None), (1500, False, None)]
    refused = await ada.post(f"/api/rooms/{ada.room}/analyse", {"seconds": 1}, headers=ada.proof)
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "game-goes-on")


@served
async def test_watchers_see_a_rated_game_three_moves_late(house: House) -> None:
    ada, wei = await pair(house)
    for number, (player, kind, facts) in enumerate(
        ((ada, "move", {"move": "h8"}), (wei, "swap", {}), (ada, "move", {"move": "i9"}))
    ):
        state = await player.do(kind, **facts)
        assert state["delay"] == 0, number
    watcher = house.guest("192.0.2.9")
    watcher.room = ada.room
    seen = await watcher.look()
    assert (seen["ply"], seen["moves"], seen["delay"], seen["clock"]["running"]) == (0, [], 3, None)
    assert [one["side"] for one in seen["players"]] == ["X", "O"]  # the swap comes with its move
    assert not seen["opening"]["is_swapped"]
    for player, move in ((wei, "g7"), (ada, "j10")):
        await player.do("move", move=move)
    seen = await watcher.look()
    assert [move["move"] for move in seen["moves"]] == ["113"]
    assert [one["side"] for one in seen["players"]] == ["O", "X"]
    assert sum(cell is not None for cell in seen["cells"]) == seen["ply"] == 1
    remote = RemoteState.of(seen)
    assert (remote.delay, remote.moves, remote.opening) == (3, (("113", "X"),), (0, (), True))
    path = f"/api/rooms/{ada.room}"
    assert (await watcher.get(f"{path}/plies/2")).status_code == 422
    assert (await ada.get(f"{path}/plies/2", headers=ada.proof)).json()["ply"] == 2
    seen_lines = (await watcher.get(f"{path}/lines/112")).json()
    assert seen_lines != (await ada.get(f"{path}/lines/112", headers=ada.proof)).json()
    brief = (await watcher.get(f"{path}/brief")).json()
    assert brief["turn"] == next(one["name"] for one in seen["players"] if one["side"] == seen["turn"])
    async with watcher.listening() as stream:
        first = await stream.next()
        assert (first["ply"], first["delay"]) == (1, 3)
        await wei.do("resign")
        ended = await stream.until(lambda state: state["phase"] == "over")
    assert (ended["ply"], ended["delay"], ended["phase"]) == (4, 0, "over")


@served
async def test_watchers_see_a_casual_game_at_once(house: House) -> None:
    ada, _ = await house.pair()
    await ada.do("move", move="5")
    watcher = house.guest("192.0.2.9")
    watcher.room = ada.room
    seen = await watcher.look()
    assert (seen["ply"], seen["delay"]) == (1, 0)
