"""Reminders of games by days: a note for a player with a key when less than 12 hours are left for a move."""

from collections.abc import Callable
from contextlib import suppress
from functools import partial

from noughts.arena.rooms.room_notes import reminder
from noughts.arena.rooms.room_repository import RoomBatch
from noughts.arena.rooms.rooms import Rooms
from noughts.arena.rooms.waiting import SOON_MS, waiting_seat
from noughts.errors import DamagedStore, NotFound

LIVE_MS = 60 * 60 * 1000
"""The time left below which no reminder is written: most of these rooms are live games."""

_KNOWN = "SELECT at FROM inbox WHERE identity = :identity AND kind = :kind AND subject = :subject"


class Reminders:
    """The reminders of games in *rooms*. *now* returns the milliseconds since 1970."""

    def __init__(self, rooms: Rooms, now: Callable[[], int]) -> None:
        self._rooms, self._now = rooms, now
        self._seen: dict[str, int] = {}
        """The rooms that were checked, each with the instant that was due."""

    def tick(self) -> None:
        """Write the reminders that are due now."""
        at = self._now()
        due = self._rooms.store.due_between(at + LIVE_MS, at + SOON_MS)
        new = [room for room, instant in due.items() if self._seen.get(room) != instant]
        self._seen = due
        for room in new:
            with suppress(NotFound, DamagedStore):
                seat = waiting_seat(self._rooms.look(room))
                if seat is not None and seat.identity is not None and seat.ends_soon(at):
                    self._rooms.transact(room, partial(_remind, name=room, at=at))


def _remind(batch: RoomBatch, name: str, at: int) -> None:
    """Write the reminder of the room *name*, unless there is one already."""
    room = batch.read(name)
    seat = waiting_seat(room.view())
    note = None if seat is None else reminder(seat, room, at)
    if note is None:
        return
    key = {"identity": note.identity, "kind": str(note.kind), "subject": note.subject}
    if not batch.connection.column(_KNOWN, **key):
        batch.inbox.add(note)
