"""The streams of the wall of live boards: all boards at first, then differences, at most four times a second.

One producer for each worker reads the boards, and only while somebody watches. All readers of a language
share its texts. A slow reader gets the differences since the last event that it has read.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from noughts.arena.rooms.models import RoomView
from noughts.arena.watching.shared_wall import SharedWall, ShownWall
from noughts.arena.watching.wall import Wall
from noughts.errors import NoughtsError
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.web.http.metrics import LOG
from noughts.interfaces.web.live.events import (
    RETRY_MILLISECONDS,
    SILENCE_SECONDS,
    STILL_HERE,
    LanguageReader,
    deliver,
    frame,
)
from noughts.interfaces.web.wall_models import WallChanges, WallState, WatchedChange, WatchedGame

SEND_SECONDS = 0.25
"""The shortest time between two events about moves."""

CHECK_SECONDS = 2.0
"""The time between two choices of the boards while they have watchers."""

FRESH_SECONDS = 1.0
"""The age in seconds up to which a reader of the present wall gets the last one."""


@dataclass(frozen=True, eq=False, slots=True)
class WallSnapshot:
    """The wall at the instant *at*, as watchers see it. ``spectators`` are their numbers by room."""

    wall: Wall
    views: Mapping[str, RoomView]
    spectators: Mapping[str, int]
    playing: int
    at: int

    @property
    def facts(self) -> tuple[Any, ...]:
        """All facts that readers can see, to compare snapshots."""
        versions = {room: (view.setup.created, view.version) for room, view in self.views.items()}
        return self.wall, versions, dict(self.spectators), self.playing

    def game(self, room: str, say: Translator, at: int) -> WatchedGame:
        """Return the game in *room* as a message. *at* is the present instant."""
        return WatchedGame.of_room(self.views[room], say, at, self.spectators[room])

    def change(self, room: str, before: RoomView, say: Translator) -> WatchedChange:
        """Return the changes of the game in *room* since *before*."""
        cells = before.match.game.cells
        return WatchedChange.since(cells, self.views[room], say, self.at, self.spectators[room])


class WallStreams:
    """The streams of the wall on this worker. All methods are for the thread of the event loop.

    *run* calls a function of *shared* in a thread, and *run_in_background* starts a task. *prepare* returns a
    room as watchers see it. *spectators* returns the number of spectators of a room. *on_featured* is called
    with the room of the featured game and the one before, or None.
    """

    def __init__(
        self,
        shared: SharedWall,
        run: Callable[..., Awaitable[Any]],
        run_in_background: Callable[[Any], None],
        *,
        prepare: Callable[[RoomView], Awaitable[RoomView]],
        spectators: Callable[[str], int],
        on_featured: Callable[[RoomView | None, str | None], None],
        now: Callable[[], int],
    ) -> None:
        self._shared, self._run, self._in_background = shared, run, run_in_background
        self._prepare, self._spectators, self._on_featured = prepare, spectators, on_featured
        self._now = now
        self._readers: set[LanguageReader] = set()
        self._shown = ShownWall()
        self._texts: dict[tuple[WallSnapshot | None, str], tuple[int, str]] = {}
        self._changed: dict[str, int] = {}
        """The rooms that have changed since they were read, and their versions."""
        self._reading = asyncio.Lock()
        self._loop = asyncio.get_running_loop()
        self._checked_at = -FRESH_SECONDS
        self._is_due = self._is_closed = False
        self.current: WallSnapshot | None = None

    @property
    def count(self) -> int:
        """The number of open streams."""
        return len(self._readers)

    @property
    def featured(self) -> str | None:
        """The room of the featured game, or None."""
        return self._shown.wall.featured

    def watchers(self, room: str) -> int:
        """Return the number of readers with the game in *room* as the featured one."""
        return len(self._readers) if self._shown.wall.featured == room else 0

    # Streams

    def open(self, say: Translator) -> LanguageReader:
        """Return a new stream."""
        reader = LanguageReader(say)
        self._readers.add(reader)
        if self._is_closed:
            reader.end()
        else:
            self._in_background(self.check())
        return reader

    def close_reader(self, reader: LanguageReader) -> None:
        """Forget *reader* after the end of its connection."""
        self._readers.discard(reader)

    def close(self) -> None:
        """End all open streams and all later ones."""
        self._is_closed = True
        for reader in self._readers:
            reader.end()

    # News

    def on_change(self) -> None:
        """Read the wall again, since another worker has changed it."""
        if self._readers:
            self._in_background(self.check())

    def on_version(self, room: str, version: int) -> None:
        """Show the room, which has *version* now, soon if it is on the wall."""
        if not self._readers or room not in self._shown.views:
            return
        self._changed[room] = version
        if not self._is_due:
            self._is_due = True
            self._loop.call_later(SEND_SECONDS, lambda: self._in_background(self._read_changed()))

    async def tick(self) -> None:
        """Choose the boards again if they have watchers."""
        if self._readers:
            await self.check()

    async def check(self) -> None:
        """Choose the boards again, and show them."""
        async with self._reading:
            try:
                self._shown, before = await self._run(self._shared.read), self._shown
            except NoughtsError as error:  # the next check tries again
                LOG.warning("wall", extra={"facts": {"trouble": str(error)[:300]}})
                return
            self._checked_at = self._loop.time()
            await self._show(before)

    async def newest(self) -> WallSnapshot | None:
        """Return the present wall, or None if it cannot be read."""
        if self._loop.time() - self._checked_at >= FRESH_SECONDS:
            await self.check()
        return self.current

    async def _read_changed(self) -> None:
        self._is_due = False
        async with self._reading:
            changed, self._changed = self._changed, {}
            before, views = self._shown, dict(self._shown.views)
            for room, version in changed.items():
                if room not in views:
                    continue
                view = await self._run(self._shared.view, room, version)
                if view is None:
                    del views[room]
                else:
                    views[room] = view
            wall = before.wall
            featured = wall.featured if wall.featured in views else None
            wall = Wall(featured, tuple(room for room in wall.small if room in views))
            self._shown = replace(before, wall=wall, views=views)
            await self._show(before)

    async def _show(self, before: ShownWall) -> None:
        """Wake the readers if anything is new."""
        shown = self._shown
        views = {room: await self._prepare(view) for room, view in shown.views.items()}
        spectators = {room: self._spectators(room) for room in views}
        now = WallSnapshot(shown.wall, views, spectators, shown.playing, self._now())
        featured = shown.wall.featured
        self._on_featured(None if featured is None else shown.views[featured], before.wall.featured)
        if self.current is not None and self.current.facts == now.facts:
            return
        last, self.current = self.current, now
        self._texts.clear()
        await deliver(self._readers, last, now, partial(self.text, last))

    def text(self, since: WallSnapshot | None, say: Translator) -> str | None:
        """Return the event with the changes *since* a snapshot, or with all boards. None if nothing changed.

        All readers of a language share the text. The clocks of all boards are of the same second.
        """
        now, at = self.current, self._now()
        if now is None or since is now:
            return None
        key, second = (since, say.language), at // 1000
        known = self._texts.get(key)
        if known is None or (since is None and known[0] != second):
            text = _everything(now, say, at) if since is None else _changes(since, now, say)
            known = self._texts[key] = second, text
        return known[1]


class Walls:
    """The walls on this worker by their choice: the one of all games, and others while they are used.

    *make* returns the streams of a choice. All methods are for the thread of the event loop.
    """

    def __init__(self, make: Callable[[str], WallStreams]) -> None:
        self._make, self._walls, self._is_closed = make, {"": make("")}, False

    def of(self, show: str) -> WallStreams:
        """Return the wall of the choice *show*."""
        if show not in self._walls:
            self._walls[show] = self._make(show)
            if self._is_closed:
                self._walls[show].close()
        return self._walls[show]

    @property
    def count(self) -> int:
        """The number of open streams."""
        return sum(wall.count for wall in self._walls.values())

    @property
    def featured(self) -> set[str]:
        """The rooms of the featured games."""
        return {wall.featured for wall in self._walls.values() if wall.featured is not None}

    def watchers(self, room: str) -> int:
        """Return the number of readers with the game in *room* as the featured one."""
        return sum(wall.watchers(room) for wall in self._walls.values())

    def on_change(self) -> None:
        """Read the walls again, since another worker has changed one."""
        for wall in self._walls.values():
            wall.on_change()

    def on_version(self, room: str, version: int) -> None:
        """Show the room, which has *version* now, soon if it is on a wall."""
        for wall in self._walls.values():
            wall.on_version(room, version)

    async def tick(self) -> None:
        """Choose the boards again, and forget the walls of other choices without readers."""
        self._walls = {show: wall for show, wall in self._walls.items() if wall.count or not show}
        for wall in tuple(self._walls.values()):
            await wall.tick()

    def close(self) -> None:
        """End all open streams and all later ones."""
        self._is_closed = True
        for wall in self._walls.values():
            wall.close()


def state_of(now: WallSnapshot, say: Translator, at: int) -> WallState:
    """Return the wall *now* as a message at the instant *at*."""
    games = [now.game(room, say, at) for room in now.wall]
    return WallState(featured=now.wall.featured, games=games, playing=now.playing)


def _everything(now: WallSnapshot, say: Translator, at: int) -> str:
    return frame("wall", state_of(now, say, at).to_json())


def _changes(since: WallSnapshot, now: WallSnapshot, say: Translator) -> str:
    """Return the event with the differences of two snapshots."""
    new, changed = [], []
    for room in now.wall:
        before, after = since.views.get(room), now.views[room]
        if before is None or _is_another_game(before, after):
            new.append(now.game(room, say, now.at))
        elif before.version != after.version or since.spectators[room] != now.spectators[room]:
            changed.append(now.change(room, before, say))
    order, featured = [*now.wall], now.wall.featured
    changes = WallChanges(featured=featured, order=order, new=new, changed=changed, playing=now.playing)
    return frame("changes", changes.to_json())


def _is_another_game(before: RoomView, after: RoomView) -> bool:
    """Return True if the differences of two states of a room are more than moves."""
    facts = [(view.setup, view.game_id, view.sides, view.called, view.ratings) for view in (before, after)]
    return facts[0] != facts[1]


async def wall_events(streams: WallStreams, reader: LanguageReader) -> AsyncIterator[str]:
    """Yield the boards and their changes, until *reader* ends."""
    yield f"retry: {RETRY_MILLISECONDS}\n\n"
    await streams.newest()
    while not reader.is_over:
        current, text = streams.current, streams.text(reader.seen, reader.say)
        if text is not None:
            yield text  # This takes long if the client reads slowly, and the boards change meanwhile.
        reader.seen = current
        if not await reader.wait(SILENCE_SECONDS):
            yield STILL_HERE
