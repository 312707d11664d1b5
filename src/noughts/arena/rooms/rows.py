"""Rooms as rows: how they are written beside their games, and read so that damage is noticed.

Everything here happens within a transaction of others. A room is one row with a digest over all of it;
what is derived (when it is due, whether a computer is awaited) stands in columns to be found by.
"""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from noughts.arena.clock import Clock
from noughts.arena.digest import canonical_json, digest_events, digest_of
from noughts.arena.events import EventKind
from noughts.arena.rooms.cache import KnownRooms
from noughts.arena.rooms.facts import RoomFacts, Seat
from noughts.arena.rooms.pauses import NO_PAUSES, Pauses
from noughts.arena.rooms.room import Room, seated
from noughts.arena.series import Begins
from noughts.arena.setup import Setup
from noughts.arena.store.connections import Connection, Row
from noughts.arena.store.database import Database
from noughts.arena.store.game_filter import containing
from noughts.arena.store.tables import read_event
from noughts.arena.table import Table, Terms
from noughts.errors import BadInput, DamagedStore, GameBroken, NotFound, UnusableGame

MAX_DUE = 1000
"""How many rooms are found at once."""


_FIND = (
    "SELECT name, version, due, code, is_computer_awaited, facts, digest FROM rooms WHERE name IN (:names)"
)
# In the same order everywhere, so that two workers never wait for one another.
_LOCK = _FIND + " ORDER BY name FOR UPDATE"
_SINCE = (
    "SELECT digest, version, at, kind, side, data FROM games"
    " LEFT JOIN events ON game_id = id AND version > :known WHERE id = :id ORDER BY version"
)


class RoomStore:
    """The rooms in *database*."""

    def __init__(self, database: Database, pauses: Pauses = NO_PAUSES) -> None:
        self.database, self.pauses = database, pauses

    # Rooms

    def find(
        self, connection: Connection, names: Collection[str], *, to_change: bool = True
    ) -> dict[str, Row]:
        """The rows of those of the rooms *names* that there are, which nobody else then changes."""
        asked = tuple(name for name in names if 0 < len(name) <= 32 and name.isascii() and name.isprintable())
        if not asked:
            return {}
        return {row["name"]: row for row in connection.rows(_LOCK if to_change else _FIND, names=asked)}

    def read(self, connection: Connection, name: str, known: KnownRooms) -> Room:
        """The room *name*: as it is *known* at that version, or else as it is read.

        Raises :class:`~noughts.errors.NotFound` and :class:`~noughts.errors.DamagedStore`.
        """
        row = self.find(connection, (name,), to_change=False).get(name)
        return self.room_of(connection, name, row, known)

    def room_of(self, connection: Connection, name: str, row: Row | None, known: KnownRooms) -> Room:
        """The room *name*, of which *row* is what there is; see :meth:`read`."""
        if row is None:
            known.forget(name)
            raise NotFound("room", name)
        before = known.newest(name)
        # The version would not do: a room that has gone can be opened again under its key.
        if before is not None and before.seal == row["digest"]:
            return before
        return self.unpack(connection, row, before)

    def unpack(self, connection: Connection, row: Row, before: Room | None) -> Room:
        """The room that *row* holds, with its games; *before* is how it was known.

        Raises :class:`~noughts.errors.DamagedStore`.
        """
        where = f"room {row['name']}"
        try:
            intact = row["digest"] == _digest(row)
            read = _read_room(row["facts"], row["code"], self.pauses.last) if intact else None
        except (ValueError, TypeError, LookupError, RecursionError) as error:
            raise DamagedStore(self.database.where, f"{where}: unreadable") from error
        if read is None:
            raise DamagedStore(self.database.where, f"{where}: its digest is another")
        table, facts = read
        room = Room(row["name"], row["version"], table, facts, seal=row["digest"], pauses=self.pauses)
        try:
            if before is None or not self._go_on(connection, room, before):
                self._load_games(connection, room, before)
        except GameBroken as fault:
            raise UnusableGame(where, fault) from fault
        except (LookupError, TypeError, BadInput) as error:
            is_missing = isinstance(error, NotFound) and error.what != "game"
            reason = "its games are missing" if is_missing else "unreadable"
            raise DamagedStore(self.database.where, f"{where}: {reason}") from error
        return room

    def _go_on(self, connection: Connection, room: Room, before: Room) -> bool:
        """Fill in the game of *before* with what has happened in it since; False where another is played."""
        number = room.facts.game_id
        known, table = before.table, room.table
        if number is None or number != before.facts.game_id or known.match is None:
            return False
        rows = connection.rows(_SINCE, id=number, known=known.match.version)
        events = [read_event(row) for row in rows if row["version"] is not None]
        digest = digest_events(before.digest, events)
        if not rows or rows[0]["digest"] != digest:
            return False
        table.match, table.setup, room.digest = known.match.copy(), known.setup, digest
        _take_over(room, before)
        for event in events:
            table.apply_event(event)
            room.ended = number if event.kind is EventKind.END else room.ended
        return True

    def _load_games(self, connection: Connection, room: Room, before: Room | None) -> None:
        """Fill in the present game and the results of the series, from those of *before* on."""
        table, number = room.table, room.table.series_number
        if number is not None:
            if before is not None and before.table.series_number == number:
                _take_over(room, before)
            self.database.load_series(number, connection)  # no series would be one without games
            for game in self.database.games(number, connection, after=room.ended):
                if game.result is not None:
                    table.series.add(game.result)
                    room.ended = game.id
        events: Sequence[Any] = ()
        if room.facts.game_id is not None:
            stored = self.database.load(room.facts.game_id, connection)
            table.setup, events, room.digest = stored.setup, stored.events, stored.digest
        if table.setup is not None:
            table.match = table.setup.replay(events, claim_after=table.terms.claim_after or None)

    # Finding rooms, in a transaction of their own or *within* another

    def _names(self, query: str, within: Connection | None = None, **values: Any) -> list[str]:
        with self.database.reading(within) as connection:
            return connection.column(query, **values)

    def with_code(self, code: str, within: Connection | None = None) -> str | None:
        """The room that *code* opens."""
        return next(iter(self._names("SELECT name FROM rooms WHERE code = :code", within, code=code)), None)

    def due(self, at: int, without: Collection[str]) -> list[str]:
        """Rooms, *without* some, in which something is due at the instant *at*.

        At most :data:`MAX_DUE`, those first that have been due for the shortest: a flag that falls now does
        not wait for what has been left undone for long.
        """
        query = "SELECT name FROM rooms WHERE due <= :at ORDER BY due DESC LIMIT :count"
        found = self._names(query, at=at, count=MAX_DUE + len(without))
        return [name for name in found if name not in without][:MAX_DUE]

    def awaiting_computers(self) -> list[str]:
        """Rooms in which a computer is asked for something, as after a restart."""
        return self._names("SELECT name FROM rooms WHERE is_computer_awaited")

    def names(self) -> list[str]:
        """The names of all rooms."""
        return self._names("SELECT name FROM rooms ORDER BY name")

    def held_by(self, worker: str) -> list[str]:
        """Rooms in which *worker* said that somebody is here."""
        query = "SELECT name FROM rooms WHERE facts LIKE :worker ESCAPE '/'"
        return self._names(query, worker=containing(f'"{worker}"'))

    def of_series(self, series: int) -> list[str]:
        """Return the rooms in which *series* is played; at most one if the database is intact."""
        query = "SELECT name FROM rooms WHERE facts LIKE :series ESCAPE '/'"
        return self._names(query, series=containing(f'"series_id":{series},"setup":{{'))

    def count(self) -> int:
        """How many rooms there are, open ones and those that have not gone yet."""
        with self.database.reading() as connection:
            (count,) = connection.column("SELECT COUNT(*) AS count FROM rooms")
        return int(count)

    def left(self, names: Collection[str]) -> set[str]:
        """Those of the rooms *names* that there are."""
        return set(self.versions(names))

    def versions(self, names: Iterable[str]) -> dict[str, int]:
        """The versions of those of *names* that there are."""
        query = "SELECT name, version FROM rooms WHERE name IN (:names)"
        with self.database.reading() as connection:
            return {row["name"]: row["version"] for row in connection.rows(query, names=tuple(names))}

    # Workers

    def seen(self, connection: Connection, worker: str, at: int) -> None:
        """Write that *worker* was alive at the instant *at*."""
        row = {"name": worker, "seen": at}
        connection.insert("room_workers", row, unless="ON CONFLICT (name) DO UPDATE SET seen = excluded.seen")

    def not_seen_since(self, at: int, within: Connection) -> list[str]:
        """Workers that were last alive before the instant *at*."""
        return self._names("SELECT name FROM room_workers WHERE seen < :at", within, at=at)


def _take_over(room: Room, before: Room) -> None:
    """Let *room* have the results that were known of it *before*."""
    room.table.series, room.ended = before.table.series.copy(), before.ended


# Rows


def pack_room(room: Room) -> dict[str, Any]:
    """The row that holds *room*, which is sealed by it."""
    row = {
        "name": room.name,
        "version": room.version,
        "due": room.due(),
        "code": room.facts.code,
        "is_computer_awaited": room.is_computer_awaited,
        "facts": _write_room(room),
    }
    room.seal = _digest(row)
    return {**row, "digest": room.seal}


def _digest(row: Row | Mapping[str, Any]) -> str:
    facts = [row[name] for name in ("name", "version", "due", "code")]
    return digest_of([*facts, bool(row["is_computer_awaited"]), row["facts"]])


def _write_room(room: Room) -> str:
    facts, table = room.facts, room.table
    begun = table.setup if facts.game_id is None else None  # one that has begun is in the store
    return canonical_json(
        {
            "setup": asdict(table.terms),
            "shared": facts.shared,
            "begun_after": facts.begun_after,
            "seats": [seat and [seat.name, seat.token, seat.holder] for seat in facts.seats],
            "touched": facts.touched,
            "touched_after": facts.touched_after,
            "expires": facts.expires,
            "wishes": sorted(table.wishes),
            "acted": facts.acted,
            "begun": begun and {**asdict(begun), "seats": list(begun.seats.items())},
            "game_id": facts.game_id,
            "series_id": table.series_number,
            "is_closed": facts.is_closed,
        }
    )


def _read_room(text: str, code: str | None, last_pause: int) -> tuple[Table, RoomFacts]:
    facts = json.loads(text)
    # An earlier version did not store which pauses an open room had seen.
    if "touched_after" not in facts:
        facts["touched_after"] = last_pause
        if facts["expires"] is not None:
            facts["begun_after"] = last_pause
    seats = tuple(seat and Seat(*seat) for seat in facts.pop("seats"))
    table = seated(_read_terms(facts.pop("setup")), [None if seat is None else seat.name for seat in seats])
    if begun := facts.pop("begun"):
        begun |= {"seats": dict(begun["seats"]), "clock": Clock(**begun["clock"])}
        is_old = "origin" not in begun
        table.setup = Setup.of_earlier_version(begun.pop("who"), **begun) if is_old else Setup(**begun)
    table.wishes, table.series_number = frozenset(facts.pop("wishes")), facts.pop("series_id")
    return table, RoomFacts(**facts, seats=seats, code=code)


def _read_terms(facts: dict[str, Any]) -> Terms:
    read = {"who": tuple(facts["who"]), "begins": Begins(facts["begins"]), "clock": Clock(**facts["clock"])}
    return Terms(**facts | read)
