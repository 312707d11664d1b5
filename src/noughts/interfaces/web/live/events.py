"""Server-Sent Events: whoever looks at a room sees each change at once, and who is here."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, ClassVar

from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from noughts.arena.rooms.models import RoomView
from noughts.arena.rooms.rooms import Rooms
from noughts.errors import NotFound, NoughtsError

SILENCE_SECONDS = 15.0
"""After so long without news a comment is sent, so that nobody in between takes the stream for dead."""

COUNT_SECONDS = 0.3
"""So long after a spectator has come or gone the others are told how many there are."""

RETRY_MILLISECONDS = 1_000
"""After so long a browser comes back when a stream has ended."""


def frame(name: str, data: object, number: int | None = None) -> str:
    """Return the text of an event, with *number* as its id."""
    id_ = "" if number is None else f"id: {number}\n"
    return f"{id_}event: {name}\ndata: {data}\n\n"


@dataclass(frozen=True, slots=True)
class RoomEvent:
    """News of a room beside its state.

    A kind of event is a subclass: its docstring describes the event in the API, and :meth:`WatchedRooms.send`
    sends it. A reader who is behind gets only the newest event of each kind.
    """

    name: ClassVar[str]
    data: int

    def is_for(self, version: int) -> bool:
        """Return True if the event still matters to a reader of the state of *version*."""
        return True


class SpectatorsEvent(RoomEvent):
    """`event: spectators` has the number of spectators as its data."""

    name = "spectators"


class LateEvent(RoomEvent):
    """`event: late` has the version of the state in which a computer is late: it moves soon, or forfeits."""

    name = "late"

    def is_for(self, version: int) -> bool:
        """Return True if the computer has not moved since."""
        return version == self.data


class Stream:
    """A reader of a room: ``place`` is the seat, None for a spectator."""

    def __init__(self, watch: "WatchedRoom", place: int | None) -> None:
        self.watch, self.place = watch, place
        self.is_over = False
        self._events: dict[type[RoomEvent], RoomEvent] = {}
        self._news = asyncio.Event()

    def wake(self) -> None:
        """Look at what is new."""
        self._news.set()

    def send(self, event: RoomEvent) -> None:
        """Send *event*."""
        self._events[type(event)] = event
        self.wake()

    def end(self) -> None:
        """Send nothing more."""
        self.is_over = True
        self.wake()

    async def wait(self, version: int, seconds: float) -> None:
        """Return when there is a newer state than *version*, or an event, or after that many *seconds*."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while not (self.is_over or self._events or self.watch.version > version):
                    self._news.clear()
                    await self._news.wait()

    def newer(self, version: int) -> RoomView | None:
        """Return the newest state if it is newer than *version*."""
        view = self.watch.view
        return view if view is not None and view.version > version and not self.is_over else None

    def take_events(self, version: int) -> list[RoomEvent]:
        """Return the events that were not sent yet and matter to a reader of the state of *version*."""
        events, self._events = self._events.values(), {}
        return [event for event in events if event.is_for(version)]


class WatchedRoom:
    """A room that somebody looks at, as it was last read."""

    def __init__(self, room: str) -> None:
        self.room = room
        self.view: RoomView | None = None
        self.streams: set[Stream] = set()
        self.spectators = self.sent_spectators = 0
        """The number of readers without a seat, now and when it was sent last."""
        self.is_counting = False
        self.announced = -1
        """The newest version that is known to exist."""
        self.reading: asyncio.Task[None] | None = None

    @property
    def version(self) -> int:
        """The version of the state that is at hand."""
        return -1 if self.view is None else self.view.version

    def take_in(self, view: RoomView) -> None:
        """Show *view* to everybody unless something newer has been shown."""
        if view.version > self.version:
            self.view = view
            for stream in self.streams:
                stream.wake()


class WatchedRooms:
    """All rooms that somebody looks at through this worker.

    *known* tells at once how a room is that is known at some version or a newer one; *look* reads a room
    without keeping the event loop waiting. All methods are for the event loop's own thread.
    """

    def __init__(
        self,
        known: Callable[[str, int], RoomView | None],
        look: Callable[[str], Awaitable[RoomView]],
        on_view: Callable[[RoomView], None],
    ) -> None:
        self._known, self._look, self._on_view = known, look, on_view
        self._watches: dict[str, WatchedRoom] = {}
        self._loop = asyncio.get_running_loop()
        self._is_closed = False

    @property
    def count(self) -> int:
        """How many streams are open."""
        return sum(len(watch.streams) for watch in self._watches.values())

    @property
    def names(self) -> tuple[str, ...]:
        """The rooms that are looked at."""
        return tuple(self._watches)

    def on_version(self, room: str, version: int) -> None:
        """*room* has the *version* now."""
        watch = self._watches.get(room)
        if watch is None or watch.version >= version:
            return
        view = self._known(room, version)
        if view is not None:
            watch.take_in(view)
            self._on_view(view)
            return
        watch.announced = max(watch.announced, version)
        self._read(watch)

    def offer(self, view: RoomView) -> None:
        """*view* was read anyway: show it to those who look."""
        watch = self._watches.get(view.room)
        if watch is not None:
            watch.take_in(view)

    def _read(self, watch: WatchedRoom) -> None:
        if watch.reading is None and watch.version < watch.announced and not self._is_closed:
            watch.reading = self._loop.create_task(self._read_until_new(watch))

    async def _read_until_new(self, watch: WatchedRoom) -> None:
        try:
            while watch.version < watch.announced and watch.streams:
                view = await self._look(watch.room)
                watch.take_in(view)
                self._on_view(view)
                if view.version < watch.announced:  # a reader may be a moment behind who wrote
                    await asyncio.sleep(0.01)
        except Exception:
            # Whoever looks comes back and is told what is the matter.
            for stream in tuple(watch.streams):
                stream.end()
        finally:
            watch.reading = None

    def open(self, view: RoomView, place: int | None) -> Stream:
        """A stream for *place* of the room of *view*."""
        watch = self._watches.setdefault(view.room, WatchedRoom(view.room))
        stream = Stream(watch, place)
        watch.streams.add(stream)
        watch.take_in(view)
        if place is None:
            self._count(watch, 1)
        if self._is_closed:
            stream.end()
        return stream

    def close_stream(self, stream: Stream) -> None:
        """*stream* is not looked at any more."""
        watch = stream.watch
        watch.streams.discard(stream)
        if stream.place is None:
            self._count(watch, -1)
        if not watch.streams and self._watches.get(watch.room) is watch:
            del self._watches[watch.room]

    def _count(self, watch: WatchedRoom, more: int) -> None:
        """A spectator has come or gone: who looks is told soon, and once of many."""
        watch.spectators += more
        if not watch.is_counting:
            watch.is_counting = True
            self._loop.call_later(COUNT_SECONDS, self._announce_count, watch)

    def _announce_count(self, watch: WatchedRoom) -> None:
        watch.is_counting = False
        if watch.spectators != watch.sent_spectators:
            watch.sent_spectators = watch.spectators
            self.send(watch.room, SpectatorsEvent(watch.spectators))

    def send(self, room: str, event: RoomEvent) -> None:
        """Send *event* to all readers of *room*."""
        watch = self._watches.get(room)
        for stream in () if watch is None else watch.streams:
            stream.send(event)

    def is_looking(self, room: str, place: int) -> bool:
        """Whether anybody looks at *room* from the seat *place*."""
        watch = self._watches.get(room)
        return watch is not None and any(stream.place == place for stream in watch.streams)

    def spectators(self, room: str) -> int:
        """How many look at *room* without a seat, through this worker."""
        watch = self._watches.get(room)
        return 0 if watch is None else watch.spectators

    def is_watched(self, room: str) -> bool:
        """Whether anybody looks at *room*."""
        return room in self._watches

    def close(self) -> None:
        """End all streams, and those that are opened from now on."""
        if self._is_closed:
            return
        self._is_closed = True
        for watch in tuple(self._watches.values()):
            for stream in tuple(watch.streams):
                stream.end()


@dataclass(frozen=True, slots=True)
class Presence:
    """Tells *rooms* who is here and who is away, as far as this worker knows.

    *run* calls in a thread, *keep_going* does work beside all else. Who stops looking is away after
    *away_seconds*, who asks without looking after a silence of *silent_seconds*.
    """

    rooms: Rooms
    watches: WatchedRooms
    run: Callable[..., Awaitable[Any]]
    keep_going: Callable[[Any], None]
    away_seconds: float
    silent_seconds: float

    def begin_looking(self, room: str, place: int) -> None:
        """Who sits at *place* looks at *room* from now on."""
        if not self.rooms.holds(room, place):
            self.keep_going(self._say_here(room, place))

    def stop_looking(self, room: str, place: int) -> None:
        """A stream of *place* has ended; who comes back soon, or has another, has not been away."""
        self.keep_going(self._say_away(room, place, self.away_seconds))

    def see(self, view: RoomView, place: int) -> None:
        """Who sits at *place* has asked how it stands: so they are here."""
        if place in view.present:
            self.rooms.heartbeats.note(view.room, place)
        else:
            self.keep_going(self._say_here(view.room, place))

    def look_over(self, view: RoomView) -> None:
        """Say of those who look that they are here, where another worker has said they are away."""
        for place in range(len(view.names)):
            if place not in view.present and self.watches.is_looking(view.room, place):
                self.keep_going(self._say_here(view.room, place))

    def leave_silent(self) -> None:
        """Say of those who have been silent for too long that they are away."""
        for room, place in self.rooms.heartbeats.take_silent(int(self.silent_seconds * 1_000)):
            self.keep_going(self._say_away(room, place))

    async def _say_away(self, room: str, place: int, seconds: float = 0.0) -> None:
        await asyncio.sleep(seconds)
        if self.watches.is_looking(room, place):
            return
        try:
            with suppress(NotFound):
                await self.run(self.rooms.set_presence, room, place, here=False)
        except NoughtsError:
            # The store is away: it is said again after another silence.
            self.rooms.heartbeats.note(room, place)

    async def _say_here(self, room: str, place: int) -> None:
        with suppress(NoughtsError):  # the room is gone, or the store is away: it will be said again
            await self.run(self.rooms.set_presence, room, place, here=True)


# The stream itself


HEADERS = {"cache-control": "no-store", "x-accel-buffering": "no"}


class EventStream(StreamingResponse):
    """The answer that *stream* is: states as they come, those newer than the version *since*.

    *written* makes JSON of a view; *on_end* is called when it is over, however it ends.
    """

    def __init__(
        self,
        stream: Stream,
        since: int,
        written: Callable[[RoomView], Awaitable[str]],
        on_end: Callable[[], None],
    ) -> None:
        super().__init__(_events(stream, since, written), headers=HEADERS, media_type="text/event-stream")
        self._on_end = on_end

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            with suppress(OSError):  # the connection has ended, and with it what was to be told
                await super().__call__(scope, receive, send)
        finally:
            self._on_end()


async def _events(
    stream: Stream, version: int, written: Callable[[RoomView], Awaitable[str]]
) -> AsyncIterator[str]:
    yield f"retry: {RETRY_MILLISECONDS}\n\n"
    while not stream.is_over:
        await stream.wait(version, SILENCE_SECONDS)
        is_silent = not stream.is_over
        if (view := stream.newer(version)) is not None:
            version, is_silent = view.version, False
            yield frame("state", await written(view), version)
        for event in stream.take_events(version):
            is_silent = False
            yield frame(event.name, event.data)
        if is_silent:
            yield ": still here\n\n"
