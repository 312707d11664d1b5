"""Pauses of people with keys: one a year, which stops the clocks of all their games by days.

The row of a pause is stored first. Then each game of the player gets an event, by a transaction for each
room. :meth:`PlayerPauses.spread` repeats the second step, so a crash between them, or a game that begins
during the pause, loses no time for long.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from noughts.arena.match import MAX_PAUSE, PAUSE_EVERY
from noughts.arena.rooms.room_repository import RoomBatch
from noughts.arena.rooms.rooms import Rooms
from noughts.arena.store.connections import Connection
from noughts.arena.store.database import Database
from noughts.errors import NotFound, PauseRefused, StoreError

_READ = "SELECT begun, ends FROM player_pauses WHERE identity = :identity"
_ACTIVE = (
    "SELECT identity, ends FROM player_pauses WHERE ends > :at"
    " AND EXISTS (SELECT 1 FROM room_people WHERE room_people.identity = player_pauses.identity)"
)
_REPLACE = "ON CONFLICT (identity) DO UPDATE SET begun = excluded.begun, ends = excluded.ends"


@dataclass(frozen=True, slots=True)
class PlayerPause:
    """The last pause of a player, from the instant ``begun`` to the instant ``ends``."""

    begun: int
    ends: int

    @property
    def another(self) -> int:
        """The instant from which another pause can begin."""
        return self.begun + PAUSE_EVERY


class PlayerPauses:
    """The pauses in *database* of people in *rooms*. *now* returns the milliseconds since 1970."""

    def __init__(self, rooms: Rooms, database: Database, *, now: Callable[[], int]) -> None:
        self._rooms, self._database, self._now = rooms, database, now

    def last(self, identity: int, within: Connection | None = None) -> PlayerPause | None:
        """Return the last pause of the person with the key *identity*, or None without one."""
        with self._database.reading(within) as connection:
            row = connection.row(_READ, identity=identity)
        return None if row is None else PlayerPause(row["begun"], row["ends"])

    def begin(self, identity: int, length: int) -> PlayerPause:
        """Stop the clocks of all games by days of *identity* for *length* milliseconds.

        Raises :class:`~noughts.errors.PauseRefused` if the length is too long, or if the last pause began
        less than a year ago.
        """
        if not 0 < length <= MAX_PAUSE:
            raise PauseRefused("pause-too-long")

        def work(batch: RoomBatch) -> PlayerPause:
            at, last = self._now(), self.last(identity, batch.connection)
            if last is not None and at < last.another:
                raise PauseRefused("paused-already")
            self._write(batch, identity, pause := PlayerPause(at, at + length))
            return pause

        pause = self._rooms.transact(f"pause {identity}", work)
        self._stop(identity, length)
        return pause

    def end(self, identity: int) -> None:
        """End the pause of *identity* now, if there is one. It counts as the pause of the year."""
        at, last = self._now(), self.last(identity)
        if last is not None and last.ends > at:
            ended = PlayerPause(last.begun, at)
            self._rooms.transact(f"pause {identity}", lambda batch: self._write(batch, identity, ended))
            self._stop(identity, 0)

    def spread(self) -> None:
        """Stop the clocks of games of pausing players in which they run."""
        at = self._now()
        with self._database.reading() as connection:
            active = {row["identity"]: row["ends"] for row in connection.rows(_ACTIVE, at=at)}
        for identity, ends in active.items():
            self._stop(identity, ends - at)

    def _stop(self, identity: int, length: int) -> None:
        """Stop the clocks of the games of *identity* for *length*, or let them run again if it is 0."""
        for view in self._rooms.of_identity(identity):
            side = view.sides.get(place) if (place := view.place_of(identity)) is not None else None
            if place is None or side is None or not view.setup.clock.is_by_days:
                continue
            if view.match.is_pausing(side, view.instant(self._now())) != bool(length):

                def work(batch: RoomBatch, room: str = view.room, place: int = place) -> None:
                    after = (before := batch.read(room)).draft()
                    if after.pause(place, length, self._now()):
                        batch.save(before, after)

                with suppress(NotFound, StoreError):  # the room is gone, or damaged
                    self._rooms.transact(view.room, work)

    def _write(self, batch: RoomBatch, identity: int, pause: PlayerPause) -> None:
        row = {"identity": identity, "begun": pause.begun, "ends": pause.ends}
        batch.connection.insert("player_pauses", row, unless=_REPLACE)
