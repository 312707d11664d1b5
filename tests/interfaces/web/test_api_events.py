"""Event streams: the newest state after a gap, presence, and ends of streams."""

import asyncio
from typing import Any

import pytest

from noughts.arena.commands import WrittenMove
from noughts.arena.rooms.rooms import Rooms
from noughts.errors import StoreError
from noughts.interfaces.web import service
from noughts.interfaces.web.api.description import EVENTS
from noughts.interfaces.web.live import events
from noughts.interfaces.web.live.events import LateEvent, RoomEvent, SpectatorsEvent
from tests.interfaces.web.harness import SECONDS, House, served, settle


@served
async def test_two_streams_send_same_states(house: House) -> None:
    one, two = await house.pair()
    watcher = house.guest("192.0.2.3")
    watcher.room = one.room
    async with one.listening() as a, watcher.listening() as b:
        for number, move in enumerate(["5", "1", "9"], 1):
            await (one, two)[(number - 1) % 2].do("move", move=move)
            states = [await each.until(lambda state: state["ply"] == number) for each in (a, b)]  # noqa: B023
            assert states[0]["cells"] == states[1]["cells"]
        assert states[1]["you"] is None


@served
async def test_stream_resumes_from_last_event(house: House) -> None:
    one, two = await house.pair()
    async with one.listening() as listener:
        last = await listener.next()
    async with two.listening() as other:  # only the presence has changed
        await other.until(lambda state: not state["players"][0]["here"])
    now = await one.look()
    async with one.listening(since=last["version"]) as listener:
        assert (await listener.next())["version"] >= now["version"]
    for nonsense in (10**9, "x"):
        async with one.listening(since=nonsense) as listener:  # type: ignore[arg-type]
            assert (await listener.next())["room"] == one.room


@served
async def test_up_to_date_stream_sends_nothing(house: House) -> None:
    one, _ = await house.pair()
    watcher = house.guest()
    watcher.room = one.room
    version = (await watcher.look())["version"]
    async with watcher.listening(since=version) as listener:
        await settle(lambda: bool(listener.texts))
        assert not listener.has_news
        await one.do("move", move="5")
        assert (await listener.next())["ply"] == 1


@served
async def test_presence_follows_streams(house: House) -> None:
    one, two = await house.pair()
    async with one.listening() as listener:
        async with two.listening(), two.listening():
            await listener.until(lambda state: state["players"][1]["here"])
        gone = await listener.until(lambda state: not state["players"][1]["here"])
        assert gone["claim_at"] is not None
        async with two.listening():
            back = await listener.until(lambda state: state["players"][1]["here"])
            assert back["claim_at"] is None


@served
async def test_requests_keep_player_present_until_silence(house: House) -> None:
    one, two = await house.pair()
    watcher = house.guest("192.0.2.3")
    watcher.room = one.room

    async def here() -> list[bool]:
        return [player["here"] for player in (await watcher.look())["players"]]

    async with watcher.listening() as listener:
        house.clock.instant += 29_000
        await one.do("move", move="5")
        house.clock.instant += 29_000  # the second player has been silent since joining
        await listener.until(lambda state: [player["here"] for player in state["players"]] == [True, False])
        await two.look()  # a request makes the player present
        await listener.until(lambda state: state["players"][1]["here"])
        version = (await watcher.look())["version"]
        for _ in range(3):
            await one.look()
            await two.look()
        assert (await watcher.look())["version"] == version
        async with one.listening() as own:  # a reader may be silent
            await own.next()
            house.clock.instant += 60_000
            await listener.until(lambda state: not state["players"][1]["here"])
            assert await here() == [True, False]


@pytest.mark.slow
@served
async def test_failed_absence_is_written_later(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    _, two = await house.pair()
    real, give_sign, signs = house.service.rooms.set_presence, house.service.rooms.heartbeats.note, []

    def fail(room: str, place: int, here: bool) -> None:
        raise StoreError("rooms", "away")

    def signed(room: str, place: int) -> None:
        give_sign(room, place)
        signs.append(place)

    with monkeypatch.context() as patched:
        patched.setattr(house.service.rooms, "set_presence", fail)
        patched.setattr(house.service.rooms.heartbeats, "note", signed)
        house.clock.instant += 30_000
        # The absence is settled only when the clock moves on.
        await settle(lambda: sorted(signs) == [0, 1])
    assert house.service.rooms.set_presence == real
    house.clock.instant += 30_000
    async with two.listening() as listener:
        await listener.until(lambda state: not state["players"][0]["here"])


@served
async def test_ticks_continue_after_errors(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = []

    def fail() -> None:
        ticks.append(1)
        raise RuntimeError("broken")

    monkeypatch.setattr(service, "TICK_SECONDS", 0.01)
    monkeypatch.setattr(house.service.rooms.expiry, "tick", fail)
    await settle(lambda: len(ticks) >= 2)


@served(away_seconds=30.0)
async def test_reload_keeps_player_present(house: House) -> None:
    one, two = await house.pair()
    async with one.listening() as listener:
        for _ in range(3):
            async with two.listening() as other:
                await other.next()
        await one.do("move", move="5")
        state = await listener.until(lambda state: state["ply"] == 1)
        assert state["players"][1]["here"]


@served
async def test_comment_keeps_stream_alive(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "SILENCE_SECONDS", 0.01)
    one, _ = await house.pair()
    async with one.listening() as listener:
        await settle(lambda: listener.texts.count(": still here") >= 2)
    assert listener.texts[0] == "retry: 1000"


@served
async def test_server_stop_ends_streams(house: House) -> None:
    one, _ = await house.pair()
    async with one.listening() as listener:
        await listener.next()
        house.service.end_streams()
        await asyncio.wait_for(listener.is_over.wait(), 10)
    async with one.listening() as late:
        await asyncio.wait_for(late.is_over.wait(), 10)


@served
async def test_unreadable_room_ends_its_streams(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    one, _ = await house.pair()
    async with one.listening() as listener:
        state = await listener.next()

        def fail(*_: Any) -> None:
            raise RuntimeError("gone")

        with monkeypatch.context() as patched:
            patched.setattr(house.service.rooms, "look", fail)
            house.service.watches.on_version(one.room, state["version"] + 5)
            await asyncio.wait_for(listener.is_over.wait(), 10)


@served
async def test_large_board_states_are_written_in_thread(house: House) -> None:
    one, _ = await house.pair(game="40x40:5")
    async with one.listening() as listener:
        assert len((await listener.next())["cells"]) == 1_600


@served
async def test_open_stream_overrides_absence_from_another_worker(house: House) -> None:
    one, _ = await house.pair()
    async with one.listening() as listener:
        first = await listener.next()
        house.service.rooms.set_presence(one.room, 0, False)  # as for a worker that was killed
        state = await listener.until(lambda state: state["version"] > first["version"] + 1)
        assert state["players"][0]["here"]


@served
async def test_missed_version_is_read_again(house: House) -> None:
    one, _ = await house.pair()
    async with one.listening() as listener:
        state = await listener.next()
        elsewhere = Rooms(house.service.database, now=house.clock)
        played = elsewhere.submit(one.room, 0, WrittenMove("5"), version=state["version"], key="k").result()
        house.service.rooms._known.forget(one.room)
        house.service.rooms._catch_up()
        await listener.until(lambda state: state["version"] >= played.version)
        elsewhere.close()


@served
async def test_change_before_first_stream_is_sent(house: House) -> None:
    one, _ = await house.pair()
    seen = await house.service.look(one.room)
    await one.do("move", move="5")
    stream = house.service.open_stream(seen, None, "192.0.2.3")
    await stream.wait(seen.version, SECONDS)
    newer = stream.newer(seen.version)
    house.service.close_stream(stream, "192.0.2.3")
    assert newer is not None
    assert newer.match.game.ply == 1


@served
async def test_stream_sends_newest_event_of_each_kind(house: House) -> None:
    one, _ = await house.pair()
    view = await house.service.look(one.room)
    stream = house.service.open_stream(view, 0, "192.0.2.3")
    for event in (SpectatorsEvent(1), LateEvent(view.version - 1), SpectatorsEvent(2)):
        house.service.watches.send(one.room, event)
    assert stream.take_events(view.version) == [SpectatorsEvent(2)]
    house.service.watches.send(one.room, LateEvent(view.version))
    assert stream.take_events(view.version) == [LateEvent(view.version)]
    assert stream.take_events(view.version) == []
    house.service.close_stream(stream, "192.0.2.3")


def test_description_names_every_event() -> None:
    described = EVENTS[200]["description"]
    assert all(f"`event: {kind.name}`" in described for kind in RoomEvent.__subclasses__())
