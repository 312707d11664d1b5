"""Server-Sent Events: readers of a room get each change at once, and players count as present."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from noughts.arena.rooms.models import RoomView
from noughts.arena.rooms.rooms import Rooms
from noughts.errors import NotFound, NoughtsError
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.web.http.connections import GuardedConnection, chunk_of

SILENCE_SECONDS = 15.0
"""Seconds without an event after which a comment is sent, so that proxies keep the stream open."""

SERVED_AT_ONCE = 25
"""The number of readers that get news before other requests are served."""

COUNT_SECONDS = 0.3
"""Seconds after which a changed number of spectators is sent."""

STILL_HERE = ": still here\n\n"
"""The comment that keeps a silent stream open."""

RETRY_MILLISECONDS = 1_000
"""Milliseconds after which a browser reconnects when a stream has ended."""


def frame(name: str, data: object, number: int | None = None) -> str:
    """Return the text of an event, with *number* as its id."""
    id_ = "" if number is None else f"id: {number}\n"
    return f"{id_}event: {name}\ndata: {data}\n\n"


@dataclass(frozen=True, slots=True)
class RoomEvent:
    """An event of a room other than a new state.

    Each kind of event is a subclass. Its docstring describes the event in the API, and
    :meth:`WatchedRooms.send` sends it.
    A slow reader gets only the newest event of each kind.
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
    """`event: late` has as its data the version in which a computer is late. It moves soon, or forfeits."""

    name = "late"

    def is_for(self, version: int) -> bool:
        """Return True if the computer has not moved since."""
        return version == self.data


class NewsReader:
    """The event stream of one reader of something that changes as a whole.

    A task writes the events and waits for news. While it waits, :meth:`push` can write for it, which takes a
    third of the time.
    """

    def __init__(self) -> None:
        self.is_over = False
        self.news = asyncio.Event()
        self.connection: GuardedConnection | None = None
        """The connection of the response, or None if the server is not uvicorn."""
        self.seen: Any = None
        """The state that the reader knows: all earlier changes were written."""
        self._is_waiting = False

    def push(self, chunk: bytes) -> bool:
        """Write a *chunk* of :func:`chunk_of` at once. Return False if the task has to write.

        The task is busy, or the client reads slowly.
        """
        is_free = self._is_waiting and not self.news.is_set()
        return is_free and self.connection is not None and self.connection.push(chunk)

    def wake(self) -> None:
        """Check for news."""
        self.news.set()

    def end(self) -> None:
        """Send nothing more."""
        self.is_over = True
        self.wake()

    async def wait(self, seconds: float | None) -> bool:
        """Wait for news, for at most *seconds* if given. Return False if there was none."""
        self._is_waiting = True
        try:
            if seconds is None:
                await self.news.wait()
            else:
                await asyncio.wait_for(self.news.wait(), seconds)
        except TimeoutError:
            return False
        finally:
            self._is_waiting = False
        self.news.clear()
        return True


class LanguageReader(NewsReader):
    """A reader of texts in the language of *say*, which other readers get too."""

    def __init__(self, say: Translator) -> None:
        super().__init__()
        self.say = say


Reader = TypeVar("Reader", bound=LanguageReader)


async def deliver(
    readers: Iterable[Reader],
    before: object,
    now: object,
    text: Callable[[Translator], str | None],
    has_own_news: Callable[[Reader], bool] = lambda reader: False,
) -> None:
    """Bring *readers* from the state *before* to the state *now*.

    *text* returns the event with the changes, or None if nothing changed. Readers that have news of their
    own or another state are woken, so that their tasks write. Requests are served between groups of readers.
    """
    chunks = dict[str, bytes]()
    for number, reader in enumerate(tuple(readers), 1):
        is_pushed = False
        if reader.seen is before and not has_own_news(reader):
            language = reader.say.language
            if language not in chunks:
                chunks[language] = chunk_of(text(reader.say) or STILL_HERE)
            is_pushed = reader.push(chunks[language])
        if is_pushed:
            reader.seen = now
        else:
            reader.wake()
        if number % SERVED_AT_ONCE == 0:
            await asyncio.sleep(0)


class Stream:
    """The event stream of one reader of a room. ``place`` is the seat, or None for a spectator.

    It ends if another token proves the seat, since its device may be lost. The reader has to come back.
    Streams of several rooms may share *news*, so that one reader waits for all of them.
    """

    def __init__(
        self, watch: "WatchedRoom", view: RoomView, place: int | None, news: asyncio.Event | None = None
    ) -> None:
        self.watch, self.place = watch, place
        self._token = None if place is None else view.tokens[place]
        self.is_over = False
        self._events: dict[type[RoomEvent], RoomEvent] = {}
        self._news = asyncio.Event() if news is None else news

    def wake(self) -> None:
        """Check for new events."""
        self._news.set()

    def send(self, event: RoomEvent) -> None:
        """Send *event*."""
        self._events[type(event)] = event
        self.wake()

    def check_seat(self, view: RoomView) -> None:
        """End if the seat is proved by another token in *view*."""
        if self.place is not None and view.tokens[self.place] != self._token:
            self.end()

    def end(self) -> None:
        """Send nothing more."""
        self.is_over = True
        self.wake()

    async def wait(self, version: int, seconds: float) -> None:
        """Wait for a newer state than *version* or an event, for at most *seconds*."""
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
    """A room that has readers, in its newest known state."""

    def __init__(self, room: str) -> None:
        self.room = room
        self.view: RoomView | None = None
        self.streams: set[Stream] = set()
        self.spectators = self.sent_spectators = 0
        """The number of readers without a seat: now, and in the last event."""
        self.is_counting = False
        self.announced = -1
        """The newest version that is known to exist."""
        self.reading: asyncio.Task[None] | None = None

    @property
    def version(self) -> int:
        """The version of the newest known state, or -1 if there is none."""
        return -1 if self.view is None else self.view.version

    def take_in(self, view: RoomView) -> None:
        """Show *view* to all readers unless they have seen a newer state."""
        if view.version > self.version:
            self.view = view
            for stream in self.streams:
                stream.check_seat(view)
                stream.wake()


class WatchedRooms:
    """The rooms that readers of this worker follow.

    *known* returns the cached state of a room if it has a given version or a newer one. *look* reads the
    state without blocking the event loop. All methods are for the thread of the event loop.
    """

    def __init__(
        self,
        known: Callable[[str, int], RoomView | None],
        look: Callable[[str], Awaitable[RoomView]],
        on_view: Callable[[RoomView], None],
    ) -> None:
        self._known, self._look, self._on_view = known, look, on_view
        self._watches: dict[str, WatchedRoom] = {}
        self.further: Callable[[str], int] = lambda room: 0
        """Return the number of spectators of a room without a stream of the room here."""
        self._loop = asyncio.get_running_loop()
        self._is_closed = False

    @property
    def count(self) -> int:
        """The number of open streams."""
        return sum(len(watch.streams) for watch in self._watches.values())

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the rooms that have readers."""
        return tuple(self._watches)

    def on_version(self, room: str, version: int) -> None:
        """Show the state of *room*, which has the version *version* now."""
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
        """Show *view*, which has been read for another purpose, to the readers of its room."""
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
                if view.version < watch.announced:  # not visible yet
                    await asyncio.sleep(0.01)
        except Exception:
            # Readers reconnect and get the error then.
            for stream in tuple(watch.streams):
                stream.end()
        finally:
            watch.reading = None

    def open(self, view: RoomView, place: int | None, news: asyncio.Event | None = None) -> Stream:
        """Return a new stream of the room of *view* for the seat *place*, which announces *news*."""
        watch = self._watches.setdefault(view.room, WatchedRoom(view.room))
        stream = Stream(watch, view, place, news)
        watch.streams.add(stream)
        watch.take_in(view)
        stream.check_seat(watch.view or view)
        if place is None:
            self._count(watch, 1)
        if self._is_closed:
            stream.end()
        return stream

    def close_stream(self, stream: Stream) -> None:
        """Forget *stream*, which has no reader any more."""
        watch = stream.watch
        watch.streams.discard(stream)
        if stream.place is None:
            self._count(watch, -1)
        if not watch.streams and self._watches.get(watch.room) is watch:
            del self._watches[watch.room]

    def _count(self, watch: WatchedRoom, more: int) -> None:
        """Change the number of spectators. Readers get it soon, once for several changes."""
        watch.spectators += more
        if not watch.is_counting:
            watch.is_counting = True
            self._loop.call_later(COUNT_SECONDS, self._announce_count, watch)

    def _announce_count(self, watch: WatchedRoom) -> None:
        watch.is_counting = False
        if (count := self.spectators(watch.room)) != watch.sent_spectators:
            watch.sent_spectators = count
            self.send(watch.room, SpectatorsEvent(count))

    def send(self, room: str, event: RoomEvent) -> None:
        """Send *event* to all readers of *room*."""
        watch = self._watches.get(room)
        for stream in () if watch is None else watch.streams:
            stream.send(event)

    def is_reading(self, room: str, place: int) -> bool:
        """Return True if the player of the seat *place* reads *room*."""
        watch = self._watches.get(room)
        return watch is not None and any(stream.place == place for stream in watch.streams)

    @property
    def own_spectators(self) -> dict[str, int]:
        """The numbers of readers without a seat on this worker, by room."""
        return {room: watch.spectators for room, watch in self._watches.items() if watch.spectators}

    def spectators(self, room: str) -> int:
        """Return the number of spectators of *room*."""
        watch = self._watches.get(room)
        return (0 if watch is None else watch.spectators) + self.further(room)

    def recount(self, room: str) -> None:
        """Send the number of spectators of *room* soon if it has changed."""
        if (watch := self._watches.get(room)) is not None:
            self._count(watch, 0)

    def is_watched(self, room: str) -> bool:
        """Return True if *room* has readers."""
        return room in self._watches

    def close(self) -> None:
        """End all open streams and all later ones."""
        if self._is_closed:
            return
        self._is_closed = True
        for watch in tuple(self._watches.values()):
            for stream in tuple(watch.streams):
                stream.end()


@dataclass(frozen=True, slots=True)
class Presence:
    """The presence of players in *rooms*, as far as this worker knows it.

    *run* calls a function in a thread, and *run_in_background* starts a background task. A player counts as
    away *away_seconds* after the last stream has ended. Without a stream, the limit is *silent_seconds* after
    the last request.
    """

    rooms: Rooms
    watches: WatchedRooms
    run: Callable[..., Awaitable[Any]]
    run_in_background: Callable[[Any], None]
    away_seconds: float
    silent_seconds: float

    def start_reading(self, room: str, place: int) -> None:
        """Mark the player of the seat *place* as present, since a stream has started."""
        if not self.rooms.holds(room, place):
            self.run_in_background(self._mark_present(room, place))

    def stop_reading(self, room: str, place: int) -> None:
        """Mark the player of the seat *place* as away soon, since a stream has ended.

        The player stays present if there is another stream then.
        """
        self.run_in_background(self._mark_away(room, place, self.away_seconds))

    def see(self, view: RoomView, place: int) -> None:
        """Mark the player of the seat *place* as present, since a request has arrived."""
        if place in view.present:
            self.rooms.heartbeats.note(view.room, place)
        else:
            self.run_in_background(self._mark_present(view.room, place))

    def restore_presence(self, view: RoomView) -> None:
        """Mark players as present if they read the room here but are marked as away by another worker."""
        for place in range(len(view.names)):
            if place not in view.present and self.watches.is_reading(view.room, place):
                self.run_in_background(self._mark_present(view.room, place))

    def mark_silent_away(self) -> None:
        """Mark players as away after too long without a request."""
        for room, place in self.rooms.heartbeats.take_silent(int(self.silent_seconds * 1_000)):
            self.run_in_background(self._mark_away(room, place))

    async def _mark_away(self, room: str, place: int, seconds: float = 0.0) -> None:
        await asyncio.sleep(seconds)
        if self.watches.is_reading(room, place):
            return
        try:
            with suppress(NotFound):
                await self.run(self.rooms.set_presence, room, place, here=False)
        except NoughtsError:
            # The store is not available. The player is marked after another silence.
            self.rooms.heartbeats.note(room, place)

    async def _mark_present(self, room: str, place: int) -> None:
        with suppress(NoughtsError):  # later requests try again
            await self.run(self.rooms.set_presence, room, place, here=True)


# The response


HEADERS = {"cache-control": "no-store", "x-accel-buffering": "no"}


class EventStream(StreamingResponse):
    """The response that streams *events* to one *reader*. *on_end* is called when it ends.

    The *reader*, if given, may write to the connection itself, so the response must not be compressed.
    """

    def __init__(
        self, events: AsyncIterator[str], on_end: Callable[[], None], reader: NewsReader | None = None
    ) -> None:
        super().__init__(events, headers=HEADERS, media_type="text/event-stream")
        self._on_end, self._reader = on_end, reader

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._reader is not None:
            self._reader.connection = scope.get("state", {}).get("connection")
        try:
            with suppress(OSError):  # The client has disconnected.
                await super().__call__(scope, receive, send)
        finally:
            self._on_end()


async def room_events(
    stream: Stream, version: int, written: Callable[[RoomView], Awaitable[str]]
) -> AsyncIterator[str]:
    """Yield the states of a room that are newer than *version*, and the other events of *stream*.

    *written* returns the JSON of a view.
    """
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
            yield STILL_HERE
