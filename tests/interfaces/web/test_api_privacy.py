"""Private games: without their link, responses are the same as for missing games."""

import re
from typing import Any

import httpx
import pytest

from noughts.interfaces.web.api import games as routes
from tests.interfaces.web.harness import Guest, House, served

Json = dict[str, Any]

MISSING = 987_654


async def finished(house: House, **asked: Any) -> tuple[Guest, Guest]:
    """Return two players after a game of a room, which is private by default."""
    one, two = await house.pair(visibility="link", **asked)
    await one.do("move", move="5")
    await two.do("resign")
    await one.look()
    return one, two


async def answers(guest: Guest, number: int, key: str = "") -> list[tuple[int, str]]:
    """Return the responses to requests for the game *number*, without the number."""
    query, paths = f"?key={key}" if key else "", ("", "/record", "/picture", "/review")
    found = [await guest.get(f"/api/games/{number}{path}{query}") for path in paths]
    found.append(await guest.post("/api/analyse", {"game": number, "seconds": 0.1, "key": key or None}))
    found.append(await guest.get(f"/g/{number}{query}"))
    return [(answer.status_code, _without(number, answer)) for answer in found]


def _without(number: int, answer: httpx.Response) -> str:
    kind = answer.headers["content-type"]
    if kind.startswith("image/"):
        return ""
    return re.sub(rf"/g/{number}\b" if "html" in kind else rf"\b{number}\b", "N", answer.text)


@pytest.mark.slow
@served
async def test_private_game_is_hidden_from_strangers(house: House) -> None:
    one, _ = await finished(house)
    number, stranger = one.state["game_id"], house.guest()
    nothing = await answers(stranger, MISSING)
    assert [status for status, _ in nothing] == [404] * 5 + [200]
    for key in ("", "wrong", one.room, one.token, "%F0%9F%99%82"):
        assert await answers(stranger, number, key) == await answers(stranger, MISSING, key) == nothing
    for path in ("/api/games", "/api/games?player=Ada", "/api/games?game=tictactoe&result=X", "/history"):
        assert "Ada" not in (await stranger.get(path)).text.replace('value="Ada"', "")
    assert (await stranger.get("/api/scores")).json()["players"] == []


@served
async def test_damaged_private_game_is_hidden(house: House) -> None:
    one, _ = await finished(house)
    number, stranger = one.state["game_id"], house.guest()
    with house.service.database.writing() as connection:
        connection.change("UPDATE games SET game = 'gomoku'")
    assert await answers(stranger, number) == await answers(stranger, MISSING)
    assert (await stranger.get(one.state["game_link"].replace("/g/", "/api/games/"))).status_code == 500
    assert (await stranger.get("/api/games")).json()["damaged"] == 0


@pytest.mark.slow
@served
async def test_link_opens_private_game(house: House) -> None:
    one, _ = await finished(house)
    number, link = one.state["game_id"], one.state["game_link"]
    key, stranger = link.partition("?key=")[2], house.guest()
    data = (await stranger.get(f"/api/games/{number}?key={key}")).json()
    assert (data["id"], data["visibility"], data["link"]) == (number, "link", link)
    assert [status for status, _ in await answers(stranger, number, key)] == [200] * 6
    assert (await answers(stranger, number))[0][0] == 404, "what one has seen is not shown to another"
    other, _ = await finished(house)
    assert (await stranger.get(f"/api/games/{other.state['game_id']}?key={key}")).status_code == 404
    own = f"{number}.{key},{other.state['game_id']}.{key},{MISSING}.{key}"
    (listed,) = (await stranger.get(f"/api/games?own={own}")).json()["games"]
    assert (listed["id"], listed["link"]) == (number, link)
    for wrong in ("x", f"{number}", f"{number}.{key};", f"0.{key}", f"{number}.{key}," * 51, f"{2**31}.!"):
        assert (await stranger.get("/api/games", params={"own": wrong})).status_code == 422
    assert (await stranger.get("/api/games", params={"own": f"{10**9 * 9}.{key}"})).json()["games"] == []


@served
async def test_player_can_share_game(house: House) -> None:
    one, two = await house.pair(visibility="link")
    stranger = house.guest()
    stranger.room, stranger.state = one.room, one.state
    assert (await one.ask("share")).json()["error"]["reason"] == "not-begun"
    await one.do("move", move="5")
    assert (await one.ask("share")).json()["error"]["reason"] == "playing"
    await two.do("resign")
    number = two.state["game_id"]
    assert two.state["visibility"] == "link"
    assert (await stranger.ask("share")).status_code == 401
    for guest in (two, one, one):
        assert (await guest.do("share", game=number))["visibility"] == "public"
    assert (await one.ask("share", game=MISSING)).status_code == 404
    (listed,) = (await stranger.get("/api/games")).json()["games"]
    assert (listed["id"], listed["visibility"], listed["link"]) == (number, "public", f"/g/{number}")
    assert (await stranger.get(f"/api/games/{number}")).status_code == 200
    assert [row["name"] for row in (await stranger.get("/api/scores")).json()["players"]] == ["Ada", "Wei"]


@served
async def test_rooms_are_private_by_default(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    guest = house.guest()
    room = {"game": "tictactoe", "opponent": "friend", "name": "Ada"}
    await guest.enter("/api/rooms", room)
    assert guest.state["visibility"] == "link"
    answer = await guest.post("/api/rooms", {**room, "visibility": "all"})
    assert answer.status_code == 422
    monkeypatch.setattr(routes, "LOCAL", "online")  # a local game is never shown, with any key
    one, _ = await finished(house)
    assert (await guest.get(one.state["game_link"].replace("/g/", "/api/games/"))).status_code == 404
