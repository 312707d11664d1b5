"""Rooms as rows: how they are written beside their games, and read so that damage is noticed.

Everything here happens within a transaction of others. A room is one row with a digest over all of it;
what is derived (when it is due, whether a computer is awaited) stands in columns to be found by.
"""

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict
from itertools import islice
from typing import Any

from sqlalchemy import Connection, Row, bindparam, delete, func, insert, select, update

from noughts.arena.clock import Clock
from noughts.arena.match import EventKind
from noughts.arena.rooms.cache import KnownRooms
from noughts.arena.rooms.facts import RoomFacts, Seat
from noughts.arena.rooms.room import Room, seated
from noughts.arena.series import Begins
from noughts.arena.store.database import Database
from noughts.arena.store.store import Setup, canonical_json, digest_events, digest_of
from noughts.arena.store.tables import (
    events_table,
    games_table,
    read_event,
    room_workers_table,
    rooms_table,
)
from noughts.arena.table import Table, Terms
from noughts.errors import BadInput, DamagedStore, NotFound

MAX_DUE = 1000
"""How many rooms are found at once."""


# What each transaction needs is written out once: making a statement takes longer than running it.
_FIND = select(rooms_table).where(rooms_table.c.name.in_(bindparam("names", expanding=True)))
# In the same order everywhere, so that two workers never wait for one another.
_LOCK = _FIND.order_by(rooms_table.c.name).with_for_update()
_SINCE = (
    select(games_table.c.digest, *(column for column in events_table.c if column.name != "game_id"))
    .outerjoin_from(
        games_table,
        events_table,
        (events_table.c.game_id == games_table.c.id) & (events_table.c.version > bindparam("known")),
    )
    .where(games_table.c.id == bindparam("its"))
    .order_by(events_table.c.version)
)


class RoomStore:
    """The rooms in *database*."""

    def __init__(self, database: Database) -> None:
        self.database = database

    # Rooms

    def find(
        self, connection: Connection, names: Collection[str], *, to_change: bool = True
    ) -> dict[str, Row[Any]]:
        """The rows of those of the rooms *names* that there are, which nobody else then changes."""
        asked = [name for name in names if 0 < len(name) <= 32 and name.isascii() and name.isprintable()]
        if not asked:
            return {}
        found = connection.execute(_LOCK if to_change else _FIND, {"names": asked})
        return {row.name: row for row in found}

    def read(self, connection: Connection, name: str, known: KnownRooms) -> Room:
        """The room *name*: as it is *known* at that version, or else as it is read.

        Raises :class:`~noughts.errors.NotFound` and :class:`~noughts.errors.DamagedStore`.
        """
        row = self.find(connection, (name,), to_change=False).get(name)
        return self.room_of(connection, name, row, known)

    def room_of(self, connection: Connection, name: str, row: Row[Any] | None, known: KnownRooms) -> Room:
        """The room *name*, of which *row* is what there is; see :meth:`read`."""
        if row is None:
            known.forget(name)
            raise NotFound("room", name)
        return known.just(name, row.digest) or self.unpack(connection, row, known.newest(name))

    def unpack(self, connection: Connection, row: Row[Any], before: Room | None) -> Room:
        """The room that *row* holds, with its games; *before* is how it was known.

        Raises :class:`~noughts.errors.DamagedStore`.
        """
        where = f"room {row.name}"
        try:
            intact = row.digest == _digest(row._mapping)
            read = _read_room(row.facts, row.code) if intact else None
        except (ValueError, TypeError, LookupError, RecursionError) as error:
            raise DamagedStore(self.database.where, f"{where}: unreadable") from error
        if read is None:
            raise DamagedStore(self.database.where, f"{where}: its digest is another")
        table, facts = read
        room = Room(row.name, row.version, table, facts, seal=row.digest)
        try:
            if before is None or not self._go_on(connection, room, before):
                self._load_games(connection, room, before)
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
        rows = connection.execute(_SINCE, {"its": number, "known": known.match.version}).all()
        events = [read_event(row) for row in rows if row.version is not None]
        digest = digest_events(before.digest, events)
        if not rows or rows[0].digest != digest:
            return False
        table.match, table.setup, room.digest = known.match.copy(), known.setup, digest
        _take_over(room, before)
        for event in events:
            table.match.take_in(event)
        if events:
            table.count(events)
            room.ended = number if events[-1].kind is EventKind.END else room.ended
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

    # Finding rooms

    def with_code(self, connection: Connection, code: str) -> str | None:
        """The room that *code* opens."""
        query = select(rooms_table.c.name).where(rooms_table.c.code == code)
        return connection.execute(query).scalar_one_or_none()

    def due(self, connection: Connection, at: int, without: Collection[str]) -> list[str]:
        """Rooms, *without* some, in which something is due at the instant *at*.

        At most :data:`MAX_DUE`, those first that have been due for the shortest: a flag that falls now does
        not wait for what has been left undone for long.
        """
        query = select(rooms_table.c.name).where(rooms_table.c.due <= at).order_by(rooms_table.c.due.desc())
        with connection.execution_options(yield_per=MAX_DUE).execute(query) as found:  # it may stop half-way
            return list(islice((name for name in found.scalars() if name not in without), MAX_DUE))

    def awaiting_computers(self, connection: Connection) -> list[str]:
        """Rooms in which a computer is asked for something."""
        query = select(rooms_table.c.name).where(rooms_table.c.is_computer_awaited)
        return list(connection.execute(query).scalars())

    def held_by(self, connection: Connection, worker: str) -> list[str]:
        """Rooms in which *worker* said that somebody is here."""
        mentions = rooms_table.c.facts.contains(f'"{worker}"', autoescape=True)
        return list(connection.execute(select(rooms_table.c.name).where(mentions)).scalars())

    def count(self, connection: Connection) -> int:
        """How many rooms there are, open ones and those that have not gone yet."""
        return connection.execute(select(func.count()).select_from(rooms_table)).scalar_one()

    def versions(self, connection: Connection, names: Iterable[str]) -> dict[str, int]:
        """The versions of those of *names* that there are."""
        columns = rooms_table.c
        query = select(columns.name, columns.version).where(columns.name.in_(list(names)))
        return {row.name: row.version for row in connection.execute(query)}

    # Workers

    def seen(self, connection: Connection, worker: str, at: int) -> None:
        """Write that *worker* was alive at the instant *at*."""
        mine = update(room_workers_table).where(room_workers_table.c.name == worker).values(seen=at)
        if connection.execute(mine).rowcount == 0:
            connection.execute(insert(room_workers_table).values(name=worker, seen=at))

    def not_seen_since(self, connection: Connection, at: int) -> list[str]:
        """Workers that were last alive before the instant *at*."""
        query = select(room_workers_table.c.name).where(room_workers_table.c.seen < at)
        return list(connection.execute(query).scalars())

    def forget_worker(self, connection: Connection, worker: str) -> None:
        """Delete a worker that is gone."""
        connection.execute(delete(room_workers_table).where(room_workers_table.c.name == worker))


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


def _digest(row: Any) -> str:
    return digest_of([row[column.name] for column in rooms_table.c if column.name != "digest"])


def _write_room(room: Room) -> str:
    facts, table = room.facts, room.table
    begun = table.setup if facts.game_id is None else None  # one that has begun is in the store
    return canonical_json(
        {
            "setup": asdict(table.terms),
            "seats": [seat and [seat.name, seat.token, seat.holder] for seat in facts.seats],
            "touched": facts.touched,
            "expires": facts.expires,
            "wishes": sorted(table.wishes),
            "acted": facts.acted,
            "begun": begun and {**asdict(begun), "seats": list(begun.seats.items())},
            "game_id": facts.game_id,
            "series_id": table.series_number,
            "is_closed": facts.is_closed,
        }
    )


def _read_room(text: str, code: str | None) -> tuple[Table, RoomFacts]:
    facts = json.loads(text)
    seats = tuple(seat and Seat(*seat) for seat in facts.pop("seats"))
    table = seated(_read_terms(facts.pop("setup")), [None if seat is None else seat.name for seat in seats])
    begun = facts.pop("begun")
    table.setup = begun and _read_begun(begun)
    table.wishes, table.series_number = frozenset(facts.pop("wishes")), facts.pop("series_id")
    return table, RoomFacts(**facts, seats=seats, code=code)


def _read_terms(facts: dict[str, Any]) -> Terms:
    more = {
        "who": tuple(facts["who"]),
        "begins": Begins(facts["begins"]),
        "clock": Clock(**facts["clock"]),
    }
    return Terms(**{**facts, **more})


def _read_begun(facts: dict[str, Any]) -> Setup:
    return Setup(**{**facts, "seats": dict(facts["seats"]), "clock": Clock(**facts["clock"])})
