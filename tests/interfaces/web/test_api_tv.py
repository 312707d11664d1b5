"""The wall of public games over the API: the choice, the stream of differences, and privacy."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

import pytest

from noughts.arena.store.database import open_database
from noughts.arena.watching.shared_wall import SharedWall, ShownWall
from noughts.errors import StoreError
from noughts.interfaces.web.http.replies import Model
from noughts.interfaces.web.live.spectators import REPEATED, STALE_SECONDS, Spectators
from noughts.interfaces.web.wall_models import WallChanges, WallState
from tests.interfaces.web.harness import SECONDS, Guest, House, Json, Listener, running, served
from tests.interfaces.web.test_api_rated import RATED, person
from tests.postgres import postgres, postgres_url  # noqa: F401 - fixtures
from tests.running import run

MODELS: dict[str, type[Model]] = {"wall": WallState, "changes": WallChanges}


class Wall:
    """The boards that a reader of the stream has, by room."""

    def __init__(self, listener: Listener) -> None:
        self.listener, self.read = listener, 0
        self.games: dict[str, Json] = {}
        self.order: list[str] = []
        self.featured: str | None = None
        self.playing = 0

    async def until(self, room: str | None, **facts: object) -> Json:
        """Return the game in *room* when it has *facts*, or an empty one if *room* is None."""
        async with asyncio.timeout(SECONDS):
            self._take_in()
            while not self._has(room, facts):
                await asyncio.sleep(0.02)
                self._take_in()
        return self.games.get(room or "", {})

    def _has(self, room: str | None, facts: Json) -> bool:
        if room is None:
            return self.read > 0 and not self.order
        return facts.items() <= self.games.get(room, {}).items() and room in self.order

    def _take_in(self) -> None:
        events = [text for text in self.listener.texts if text.startswith("event: ")]
        for text in events[self.read :]:
            name, data = (line.partition(": ")[2] for line in text.split("\n"))
            value = json.loads(data)
            MODELS[name].model_validate(value)
            for game in value["games"] if name == "wall" else value["new"]:
                self.games[game["room"]] = game
            for change in value.get("changed", ()):
                game = self.games[change["room"]]
                for index, mark in change.pop("changed").items():
                    game["cells"][int(index)] = mark
                game.update(change)
            self.order = value["order"] if name == "changes" else [game["room"] for game in value["games"]]
            self.featured, self.playing = value["featured"], value["playing"]
        self.read = len(events)


@asynccontextmanager
async def watching(house: House, guest: Guest) -> AsyncIterator[Wall]:
    """Follow the wall."""
    listener = house.listener(guest, {}, "/api/tv/events", "")
    listener.start()
    try:
        yield Wall(listener)
    finally:
        await listener.stop()


async def wall_of(house: House) -> Json:
    """Return the wall. The last one may be a second old."""
    await house.service.walls.of("").check()
    result: Json = (await house.guest("192.0.2.9").get("/api/tv")).json()
    return result


@served
async def test_stream_shows_each_move_of_a_public_game(house: House) -> None:
    one, two = await house.pair()
    assert await wall_of(house) == {"featured": None, "games": [], "playing": 0}  # before the first move
    await one.do("move", move="5")
    async with watching(house, house.guest("192.0.2.9")) as wall:
        seen = await wall.until(one.room, ply=1)
        assert (wall.featured, wall.playing, seen["cells"][4]) == (one.room, 1, "X")
        assert [(player["side"], player["name"]) for player in seen["players"]] == [
            ("X", "Ada"),
            ("O", "Wei"),
        ]
        await two.do("move", move="1")
        seen = await wall.until(one.room, ply=2)
        assert [seen["cells"][index] for index in (0, 4)] == ["O", "X"]
        await one.do("resign")
        assert (await wall.until(one.room, turn=None))["result"]["winner"] == "O"
        assert wall.featured == one.room
        house.clock.instant += 10_000
        await house.service.walls.of("").check()
        await wall.until(None)
        assert not wall.featured


@served
async def test_private_game_is_not_on_the_wall(house: House) -> None:
    one, _ = await house.pair(visibility="link")
    await one.do("move", move="5")
    assert await wall_of(house) == {"featured": None, "games": [], "playing": 0}
    two, _ = await house.pair()
    assert (await wall_of(house))["games"] == []  # nothing has happened yet
    await two.do("move", move="5")
    seen = await wall_of(house)
    assert [game["room"] for game in seen["games"]] == [two.room]
    assert one.room not in json.dumps(seen)


@served
async def test_wall_shows_the_chosen_games(house: House) -> None:
    one, _ = await house.pair()
    await one.do("move", move="5")
    two, _ = await house.pair(game="connect4")
    await two.do("move", move="4")
    asked = {"game": "gomoku", "computers": ["random", "random"], "visibility": "public"}
    opener = house.guest("192.0.2.8")
    await opener.enter("/api/rooms", asked)
    guest, service = house.guest("192.0.2.9"), house.service
    for show, rooms in (
        ("", {one.room, two.room, opener.room}),
        ("connect4", {two.room}),
        ("computers", {opener.room}),
        ("reversi", set()),
    ):
        listener = house.listener(guest, {}, "/api/tv/events", f"show={show}")
        listener.start()
        wall = Wall(listener)
        await wall.until(next(iter(rooms), None))
        assert (set(wall.order), wall.playing) == (rooms, len(rooms))
        assert wall.featured is None or service.walls.watchers(wall.featured) > 0
        await listener.stop()
        seen = (await guest.get(f"/api/tv?show={show}")).json()
        assert {game["room"] for game in seen["games"]} == rooms
    await service.walls.tick()
    assert service.walls.count == 0
    refused = await guest.get("/api/tv?show=nothing")
    assert refused.status_code == 422
    assert refused.json()["error"]["sentence"].startswith("Possible values: computers, gomoku, ")


@served
async def test_rated_game_on_the_wall_is_late(house: House) -> None:
    casual, _ = await house.pair()
    await casual.do("move", move="5")
    ada, wei = await person(house, "Ada", 1), await person(house, "Wei", 2)
    await ada.enter("/api/rooms", {**RATED, "visibility": "public"})
    await wei.enter("/api/join", {"code": ada.code, "name": "ignored"})
    for player, kind, facts in (
        (ada, "move", {"move": "h8"}),
        (wei, "swap", {}),
        (ada, "move", {"move": "i9"}),
        (wei, "move", {"move": "g7"}),
        (ada, "move", {"move": "a1"}),
    ):
        await player.do(kind, **facts)
    async with watching(house, house.guest("192.0.2.9")) as wall:
        seen = await wall.until(ada.room, ply=1)
        assert wall.order == [ada.room, casual.room]
        assert (seen["delay"], seen["players"][0]["rating"], seen["clock"]["running"]) == (3, 1500, None)
        assert sum(mark is not None for mark in seen["cells"]) == 1
        await wei.do("resign")
        seen = await wall.until(ada.room, ply=4)
        assert sum(mark is not None for mark in seen["cells"]) == 4


@served
async def test_computers_play_while_they_are_featured(house: House) -> None:
    opener = house.guest()
    computers = {"game": "gomoku", "computers": ["random", "random"], "visibility": "public"}
    await opener.enter("/api/rooms", computers)
    assert (await opener.look())["ply"] == 0
    async with watching(house, house.guest("192.0.2.9")) as wall:
        await wall.until(opener.room)
        async with asyncio.timeout(SECONDS):
            while (await opener.look())["ply"] < 5:
                await asyncio.sleep(0.02)


@served
async def test_readers_of_the_wall_are_spectators_of_the_featured_game(house: House) -> None:
    one, _ = await house.pair()
    await one.do("move", move="5")
    async with one.listening() as player:
        await player.next()
        async with watching(house, house.guest("192.0.2.9")) as wall:
            await wall.until(one.room)
            async with asyncio.timeout(SECONDS):
                while "event: spectators\ndata: 1" not in player.texts:
                    await asyncio.sleep(0.02)
        async with asyncio.timeout(SECONDS):
            while "event: spectators\ndata: 0" not in player.texts:
                await asyncio.sleep(0.02)


def test_workers_add_their_spectators_up() -> None:
    seconds = [0.0]
    ours, other = (Spectators(worker, lambda: seconds[0]) for worker in ("ours", "other"))
    news = other.news({"room": 3, "hall": 1})
    assert {ours.hear(name, count) for name, count in news.items()} == {"room", "hall"}
    assert (ours.elsewhere("room"), ours.elsewhere("attic")) == (3, 0)
    assert other.news({"room": 3, "hall": 1}) == {}
    for name, count in other.news({"room": 3}).items():
        ours.hear(name, count)
    assert (ours.elsewhere("room"), ours.elsewhere("hall")) == (3, 0)
    assert ours.hear("a-room", 7) is None
    repeated = [other.news({"room": 3}) for _ in range(REPEATED)]
    assert [len(news) for news in repeated if news] == [1]
    seconds[0] = STALE_SECONDS + 1
    assert ours.elsewhere("room") == 0


def test_two_workers_show_the_same_wall(postgres_url: str) -> None:  # noqa: F811
    async def play() -> None:
        database = partial(open_database, postgres_url)
        async with running(database=database) as one, running(database=database) as two:
            player, _ = await one.pair()
            await player.do("move", move="5")
            assert (await wall_of(two))["featured"] == player.room
            other, _ = await two.pair()
            await other.do("move", move="5")
            for house in (one, two):
                assert [game["room"] for game in (await wall_of(house))["games"]] == [player.room, other.room]
            watcher = two.guest("192.0.2.9")
            watcher.room = player.room
            async with watcher.listening(), player.listening() as stream:
                async with asyncio.timeout(SECONDS):
                    while "event: spectators\ndata: 1" not in stream.texts:
                        await asyncio.sleep(0.02)
                assert (await player.look())["spectators"] == 1

    run(play())


@served
async def test_removed_room_leaves_the_wall_at_once(house: House) -> None:
    one, _ = await house.pair()
    other, _ = await house.pair()
    for player in (one, other):
        await player.do("move", move="5")
    async with watching(house, house.guest("192.0.2.9")) as wall:
        await wall.until(one.room)
        await wall.until(other.room)
        featured = wall.featured
        assert featured is not None
        removal = lambda batch: batch.remove(batch.read(featured))  # noqa: E731
        await house.service.run(house.service.rooms.transact, featured, removal)
        (left,) = {one.room, other.room} - {featured}
        async with asyncio.timeout(SECONDS):
            while wall.order != [left]:
                await wall.until(left)
                await asyncio.sleep(0.02)


@served
async def test_wall_follows_after_trouble_with_the_store(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, _ = await house.pair()
    await one.do("move", move="5")

    def fail(_: SharedWall) -> ShownWall:
        raise StoreError("the store", "locked")

    with monkeypatch.context() as broken:
        broken.setattr(SharedWall, "read", fail)
        assert (await wall_of(house))["games"] == []
    assert [game["room"] for game in (await wall_of(house))["games"]] == [one.room]
