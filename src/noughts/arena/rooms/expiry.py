"""Expiry in rooms: flags, codes, idle rooms, dead workers, and silent people."""

from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from threading import Lock

from noughts.arena.rooms.group_commit import GroupCommit
from noughts.arena.rooms.pauses import ServerTime
from noughts.arena.rooms.room_repository import RoomBatch, RoomStore
from noughts.arena.store.revisions import revision_of
from noughts.errors import DamagedStore, NotFound, StaleVersion


class Heartbeats:
    """The times of the last signs of life of seats (a room and a place), by the clock *now*.

    This class is thread-safe.
    """

    def __init__(self, now: Callable[[], int]) -> None:
        self._now = now
        self._last: dict[tuple[str, int], int] = {}
        self._lock = Lock()

    def note(self, room: str, place: int) -> None:
        """Note a sign of life of the player at *place* of *room*. Nothing is written."""
        with self._lock:
            self._last[room, place] = self._now()

    def take_silent(self, milliseconds: int) -> list[tuple[str, int]]:
        """Return the seats that have been silent for *milliseconds*. Each silence is returned once.

        Sitting down, sending a request or coming back ends a silence. A silent player is shown as away unless
        the page of the player is open.
        """
        since = self._now() - milliseconds
        with self._lock:
            silent = [seat for seat, last in self._last.items() if last <= since]
            for seat in silent:
                del self._last[seat]
        return silent


ROOMS_AT_ONCE = 32
"""The number of rooms that are updated in one transaction."""

HEARTBEAT_MS, GONE_AFTER = 10_000, 60_000
"""The interval of a worker's signs of life, and the silence after which the worker counts as gone."""

HEARTBEAT_AGAIN_MS = 1_000
"""Milliseconds after which a sign of life is added to any transaction that writes."""


class Expiry:
    """The changes that become due in the rooms of *store*, made by *worker* through its *writer*."""

    def __init__(self, store: RoomStore, writer: GroupCommit, worker: str, now: ServerTime) -> None:
        self._store, self._writer, self._worker, self._now = store, writer, worker, now
        self._began = now()
        self._seen: int | None = None
        self._has_gone_back = False
        self._damaged: set[str] = set()

    def tick(self) -> None:
        """Make the changes that are due now: flags, expired codes, idle rooms, dead workers."""
        if self._seen is None or self._now.own() - self._seen >= HEARTBEAT_MS:
            self._sweep()
        self._write_each(self._store.due(self._now(), self._damaged), self._settle)

    def write_heartbeat(self) -> "Future[None]":
        """Write that this worker is alive. The future gets the store's error if nothing can be written."""
        return self._writer.submit("", self._write_heartbeat)

    def join(self) -> None:
        """Adopt the time of the server, unless that has been done.

        A pause lasts until people can play again.
        """
        if self._seen is None:
            self.write_heartbeat().result()

    def write_heartbeat_first(self, batch: RoomBatch) -> None:
        """Write that this worker is alive before anything else, unless that was written a moment ago."""
        if self._seen is None or self._now.own() - self._seen >= HEARTBEAT_AGAIN_MS:
            self._write_heartbeat(batch)

    def note_committed(self, batch: RoomBatch) -> None:
        """Note that *batch* was committed, and with it this worker's sign of life."""
        self._seen = self._seen if batch.seen is None else batch.seen

    def _write_each(self, rooms: list[str], work: Callable[..., None]) -> None:
        """Do *work* for each of *rooms*, some at a time, so that commands come between.

        Skip damaged rooms.
        """
        for first in range(0, len(rooms), ROOMS_AT_ONCE):
            some = rooms[first : first + ROOMS_AT_ONCE]
            futures = {room: self._writer.submit(room, partial(work, room=room)) for room in some}
            for room, future in futures.items():
                try:
                    future.result()
                except (NotFound, StaleVersion):  # another worker was faster
                    continue
                except DamagedStore:
                    self._damaged.add(room)

    def _settle(self, batch: RoomBatch, room: str) -> None:
        at = self._now()
        if not batch.is_due(room, at):  # another worker was faster, and reading the room takes long
            return
        before = batch.read(room)
        if before.is_abandoned(at, self._began):
            batch.remove(before)
            return
        after = before.draft()
        if after.settle(at) or (before.pauses.last and after.due() > at):  # a pause has moved the due time
            batch.save(before, after)

    def _renew(self, batch: RoomBatch, room: str) -> None:
        """Write the due time of *room* again, if a flag can fall or a code can expire in it."""
        before = batch.read(room)
        if before.flag_falls is not None or before.expires is not None:
            batch.save(before, before.draft())

    def _sweep(self) -> None:
        """Write that this worker is alive, and mark people as away if their worker is gone."""

        def work(batch: RoomBatch) -> list[str]:
            self._write_heartbeat(batch)
            return self._store.not_seen_since(self._now() - GONE_AFTER, batch.connection)

        gone = self._writer.submit("", work).result()
        if self._has_gone_back:
            self._write_each(self._store.names(), self._renew)
            self._has_gone_back = False
        for worker in gone:
            self._write_each(self._store.held_by(worker), partial(self._empty, worker))
            self._writer.submit("", partial(self._forget, worker)).result()

    def _write_heartbeat(self, batch: RoomBatch) -> None:
        if batch.seen is not None:
            return
        revision_of(batch.connection, self._store.database.where)  # a newer version may have migrated it
        if self._seen is None:
            self._has_gone_back |= self._now.join(batch.connection, self._worker)
        else:
            self._now.follow(batch.connection)
        self._store.seen(batch.connection, self._worker, self._now())
        batch.seen = self._now.own()

    def _forget(self, worker: str, batch: RoomBatch) -> None:
        batch.connection.change("DELETE FROM room_workers WHERE name = :name", {"name": worker})

    def _empty(self, worker: str, batch: RoomBatch, room: str) -> None:
        before = batch.read(room)
        after = before.draft()
        for place, seat in enumerate(before.facts.seats):
            if seat is not None and seat.holder == worker:
                after.set_holder(place, None, self._now())
        if after.facts != before.facts:
            batch.save(before, after)
