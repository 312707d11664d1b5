"""Rooms as rows: how they are written beside their games, and read so that damage is noticed.

Everything here happens within a transaction of others. A room is one row with a digest over all of it;
what is derived (when it is due, whether a computer is awaited) stands in columns to be found by.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, replace
from typing import Any

from sqlalchemy import Connection, Row, bindparam, delete, insert, select, update

from noughts.arena.clock import Clock
from noughts.arena.database import Database
from noughts.arena.match import Match
from noughts.arena.room import Room
from noughts.arena.room_facts import RoomFacts, RoomSetup, Seat
from noughts.arena.series import Begins
from noughts.arena.store import SeriesSetup, Setup, canonical_json
from noughts.arena.tables import digest_of, room_keys_table, room_workers_table, rooms_table
from noughts.errors import BadInput, DamagedStore, NotFound, StaleVersion

MANY = 1000
"""How many rooms are found at once."""


# What each command needs is written out once: making a statement takes longer than running it.
_FIND = select(rooms_table).where(rooms_table.c.name == bindparam("room"))
_LOCK = _FIND.with_for_update()
_WRITE = update(rooms_table).where(
    rooms_table.c.name == bindparam("room"), rooms_table.c.version == bindparam("before")
)
_FIND_KEY = select(room_keys_table).where(
    room_keys_table.c.room == bindparam("its"),
    room_keys_table.c.place == bindparam("seat"),
    room_keys_table.c.key == bindparam("used"),
)
_ADD_KEY = insert(room_keys_table)


class RoomStore:
    """The rooms in *database*."""

    def __init__(self, database: Database) -> None:
        self.database = database

    # Rooms

    def read(
        self,
        connection: Connection,
        name: str,
        known: Callable[[str, int], Room | None],
        *,
        to_change: bool = False,
    ) -> Room:
        """The room *name*: the one that is *known* of that version, or else as it is read.

        Raises :class:`~noughts.errors.NotFound` and :class:`~noughts.errors.DamagedStore`.
        """
        row = None
        if 0 < len(name) <= 32 and name.isascii() and name.isprintable():
            row = connection.execute(_LOCK if to_change else _FIND, {"room": name}).one_or_none()
        if row is None:
            raise NotFound("room", name)
        return known(name, row.version) or self._unpack(connection, row)

    def add(self, connection: Connection, room: Room) -> None:
        """Write a new room."""
        connection.execute(insert(rooms_table).values(_pack(room)))

    def write(self, connection: Connection, before: Room, room: Room) -> Room:
        """Write *room*, which was *before*, with the new events of its game; return it as it is kept."""
        facts = self._keep_events(connection, room)
        kept = Room(room.name, before.version + 1, facts, room.match, room.game, room.results)
        values = {**_pack(kept), "room": room.name, "before": before.version}
        if connection.execute(_WRITE, values).rowcount != 1:
            raise StaleVersion(self.database.where, f"room {room.name}: not at version {before.version}")
        return kept

    def remove(self, connection: Connection, name: str) -> None:
        """Delete a room; its games stay."""
        connection.execute(delete(room_keys_table).where(room_keys_table.c.room == name))
        connection.execute(delete(rooms_table).where(rooms_table.c.name == name))

    def _keep_events(self, connection: Connection, room: Room) -> RoomFacts:
        """Write the new events; a game, and the series, gets a row with the first of them."""
        facts, database = room.facts, self.database
        if not room.new_events or room.game is None:
            return facts
        if facts.series_id is None:
            setup, players = facts.setup, tuple(name or "" for name in room.names)
            series = database.add_series(
                SeriesSetup(setup.game, players, setup.begins, room.game.created), connection
            )
            database.end_series(series, connection)  # nobody else may go on with it
            facts = replace(facts, series_id=series)
        if facts.game_id is None:
            game = database.add_game(replace(room.game, series=facts.series_id), connection)
            facts = replace(facts, game_id=game, begun=None)
        database.append(facts.game_id or 0, room.new_events, connection)
        return facts

    def _unpack(self, connection: Connection, row: Row[Any]) -> Room:
        where = f"room {row.name}"
        try:
            intact = row.digest == _digest(row._mapping)
            facts = _read_facts(row.facts, row.code) if intact else None
        except (ValueError, TypeError, LookupError, RecursionError) as error:
            raise DamagedStore(self.database.where, f"{where}: unreadable") from error
        if facts is None:
            raise DamagedStore(self.database.where, f"{where}: its digest is another")
        room = Room(row.name, row.version, facts)
        try:
            self._load_games(connection, room)
        except (LookupError, TypeError, BadInput) as error:
            is_missing = isinstance(error, NotFound) and error.what != "game"
            reason = "its games are missing" if is_missing else "unreadable"
            raise DamagedStore(self.database.where, f"{where}: {reason}") from error
        return room

    def _load_games(self, connection: Connection, room: Room) -> None:
        """Fill in the present game and the results of the series."""
        facts = room.facts
        if facts.series_id is not None:
            self.database.load_series(facts.series_id, connection)  # no series would be one without games
            found = [game.result for game in self.database.games(facts.series_id, connection)]
            room.results.extend(result for result in found if result is not None)
        events: Sequence[Any] = ()
        room.game = facts.begun
        if facts.game_id is not None:
            stored = self.database.load(facts.game_id, connection)
            room.game, events = stored.setup, stored.events
        if room.game is not None:
            room.match = Match.replay(
                room.game.new_game(),
                events,
                room.game.clock,
                start=room.game.created,
                claim_after=facts.setup.claim_after or None,
            )

    # Finding rooms

    def with_code(self, connection: Connection, code: str) -> str | None:
        """The room that *code* opens."""
        query = select(rooms_table.c.name).where(rooms_table.c.code == code)
        return connection.execute(query).scalar_one_or_none()

    def due(self, connection: Connection, at: int) -> list[str]:
        """Rooms in which something is due at the instant *at*."""
        query = select(rooms_table.c.name).where(rooms_table.c.due <= at)
        return list(connection.execute(query.order_by(rooms_table.c.due).limit(MANY)).scalars())

    def awaiting_computers(self, connection: Connection) -> list[str]:
        """Rooms in which a computer is asked for something."""
        query = select(rooms_table.c.name).where(rooms_table.c.is_computer_awaited)
        return list(connection.execute(query).scalars())

    def held_by(self, connection: Connection, worker: str) -> list[str]:
        """Rooms in which *worker* said that somebody is here."""
        mentions = rooms_table.c.facts.contains(f'"{worker}"', autoescape=True)
        return list(connection.execute(select(rooms_table.c.name).where(mentions)).scalars())

    def versions(self, connection: Connection, names: Iterable[str]) -> dict[str, int]:
        """The versions of those of *names* that there are."""
        columns = rooms_table.c
        query = select(columns.name, columns.version).where(columns.name.in_(list(names)))
        return {row.name: row.version for row in connection.execute(query)}

    # Keys of commands

    def answered(
        self, connection: Connection, room: str, place: int, key: str, asked: str
    ) -> tuple[bool, int]:
        """Whether *key* was used at this place, and the version made by what was *asked* with it.

        The version is 0 where something else was asked with that key.
        """
        row = connection.execute(_FIND_KEY, {"its": room, "seat": place, "used": key}).one_or_none()
        if row is None:
            return False, 0
        is_same = row.digest == digest_of([room, place, key, asked, row.version])
        return True, row.version if is_same else 0

    def add_key(
        self, connection: Connection, room: str, place: int, key: str, asked: str, version: int
    ) -> None:
        """Write that *asked* was carried out under *key* and made *version*."""
        digest = digest_of([room, place, key, asked, version])
        row = {"room": room, "place": place, "key": key, "version": version, "digest": digest}
        connection.execute(_ADD_KEY, row)

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


# Rows


def _pack(room: Room) -> dict[str, Any]:
    row = {
        "name": room.name,
        "version": room.version,
        "due": room.due(),
        "code": room.facts.code,
        "is_computer_awaited": room.is_computer_awaited,
        "facts": _write_facts(room.facts),
    }
    return {**row, "digest": _digest(row)}


def _digest(row: Any) -> str:
    return digest_of([row[column.name] for column in rooms_table.c if column.name != "digest"])


def _write_facts(facts: RoomFacts) -> str:
    setup, begun = facts.setup, facts.begun
    return canonical_json(
        {
            "setup": asdict(setup),
            "seats": [seat and [seat.name, seat.token, seat.holder] for seat in facts.seats],
            "touched": facts.touched,
            "expires": facts.expires,
            "wishes": sorted(facts.wishes),
            "acted": facts.acted,
            "begun": begun and {**asdict(begun), "seats": list(begun.seats.items())},
            "game_id": facts.game_id,
            "series_id": facts.series_id,
            "is_closed": facts.is_closed,
        }
    )


def _read_facts(text: str, code: str | None) -> RoomFacts:
    facts = json.loads(text)
    return RoomFacts(
        **{
            **facts,
            "setup": _read_setup(facts["setup"]),
            "seats": tuple(seat and Seat(*seat) for seat in facts["seats"]),
            "wishes": frozenset(facts["wishes"]),
            "begun": facts["begun"] and _read_begun(facts["begun"]),
            "code": code,
        }
    )


def _read_setup(facts: dict[str, Any]) -> RoomSetup:
    more = {
        "who": tuple(facts["who"]),
        "begins": Begins(facts["begins"]),
        "clock": Clock(**facts["clock"]),
    }
    return RoomSetup(**{**facts, **more})


def _read_begun(facts: dict[str, Any]) -> Setup:
    return Setup(**{**facts, "seats": dict(facts["seats"]), "clock": Clock(**facts["clock"])})
