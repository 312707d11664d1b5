"""One transaction over rooms: what its jobs need is read at once, what they have changed is written at once.

To ask the database takes longer than what it then does, whether it is a file or another machine. So a
transaction takes as many statements for a hundred commands as for one.
"""

from collections.abc import Collection
from dataclasses import replace
from typing import Any

from noughts.arena.digest import digest_events, digest_of
from noughts.arena.rooms.cache import KnownRooms
from noughts.arena.rooms.facts import RoomFacts
from noughts.arena.rooms.keys import key_of_game, link_of_game
from noughts.arena.rooms.room import Room
from noughts.arena.rooms.rows import RoomStore, pack_room
from noughts.arena.setup import SeriesSetup
from noughts.arena.store.connections import Connection
from noughts.arena.store.tables import event_row
from noughts.arena.stored_game import PUBLIC, Access
from noughts.errors import NotFound, StaleVersion

_FIND_KEYS = (
    "SELECT room, place, key, version, digest FROM room_keys WHERE (room, place, key) IN (VALUES :keys)"
)
_WRITE_ROOM = (
    "UPDATE rooms SET version = :version, due = :due, code = :code, facts = :facts, digest = :digest,"
    " is_computer_awaited = :is_computer_awaited WHERE name = :name AND version = :before"
)
_SHARE = "UPDATE games SET visibility = :public WHERE id = :id AND series_id = :series"
_SEAL_GAME = "UPDATE games SET digest = :sealed WHERE id = :id AND digest = :before"

Key = tuple[str, int, str]
"""A key of a command with its room and place."""


class RoomBatch:
    """A transaction over *names* and *keys*, within *connection*; ``seen`` is when it says who is alive.

    ``changed`` holds the rooms as they are in it, ``gone`` those that went with the version that says so.
    """

    def __init__(
        self,
        store: RoomStore,
        connection: Connection,
        known: KnownRooms,
        names: Collection[str] = (),
        keys: Collection[Key] = (),
    ) -> None:
        self.connection = connection
        self.changed: dict[str, Room] = {}
        self.gone: dict[str, int] = {}
        self.seen: int | None = None
        self._store, self._known = store, known
        self._rows = store.find(connection, names)
        asked = tuple(key for key in keys if key[0] in self._rows)
        answered = connection.rows(_FIND_KEYS, keys=asked) if asked else []
        self._answered = {(row["room"], row["place"], row["key"]): {**row} for row in answered}
        # What is to be written: events, digests of games (before, after), rooms (version before, room), keys.
        self._events: list[dict[str, Any]] = []
        self._seals: dict[int, tuple[str, str]] = {}
        self._kept: dict[str, tuple[int, Room]] = {}
        self._keys: list[dict[str, Any]] = []

    def read(self, name: str) -> Room:
        """The room *name* as it is in this transaction.

        Raises :class:`~noughts.errors.NotFound` and :class:`~noughts.errors.DamagedStore`.
        """
        if name in self.changed:
            return self.changed[name]
        return self._store.room_of(self.connection, name, self._rows.get(name), self._known)

    def add(self, room: Room) -> None:
        """Open a new room; :class:`StaleVersion` where another worker has just opened one of its name."""
        if not self.connection.insert("rooms", pack_room(room), unless="ON CONFLICT DO NOTHING"):
            raise StaleVersion(self._store.database.where, f"there is {room.name} already")
        self.changed[room.name] = room

    def keep(self, before: Room, after: Room) -> Room:
        """Keep *after*, which was *before*, with the new events of its game; return it as it is kept."""
        facts, digest = after.facts, after.digest
        if after.new_events:
            facts, digest = self._begin_game(after)
            game = facts.game_id or 0
            first = self._seals[game][0] if game in self._seals else digest
            digest = digest_events(digest, after.new_events)
            self._seals[game] = first, digest
            self._events += [event_row(game, event) for event in after.new_events]
        results = after.table.series.results
        ended = facts.game_id if len(results) > len(before.table.series.results) else None
        kept = replace(
            after,
            version=before.version + 1,
            facts=facts,
            new_events=[],
            digest=digest,
            ended=before.ended if ended is None else ended,
        )
        self._kept[kept.name] = self._kept.get(kept.name, (before.version, kept))[0], kept
        self.changed[kept.name] = kept
        return kept

    def _begin_game(self, room: Room) -> tuple[RoomFacts, str]:
        """The facts of *room* once its game, and its series, have rows, and the digest of the game so far."""
        facts, table, database = room.facts, room.table, self._store.database
        if table.setup is None:
            raise AssertionError("no game was begun")
        if table.series_number is None:
            terms = table.terms
            series = SeriesSetup(terms.game, table.series.players, terms.begins, table.setup.created)
            # Nobody else may go on with it.
            table.series_number = database.add_series(series, self.connection, has_ended=True)
        if facts.game_id is not None:
            return facts, room.digest
        begun = replace(table.setup, series=table.series_number)

        def access(number: int) -> Access:
            return Access(table.terms.visibility, link_of_game(key_of_game(room.name, number)))

        number, digest = database.begin_game(begun, self.connection, access)
        return replace(facts, game_id=number), digest

    def share(self, room: Room, game: int) -> None:
        """Make a *game* of *room* public; :class:`~noughts.errors.NotFound` if it was not played there."""
        row = {"id": game, "series": room.table.series_number, "public": PUBLIC}
        if not self.connection.change(_SHARE, row):
            raise NotFound("record", game)

    def remove(self, room: Room) -> None:
        """Delete *room*; its games stay."""
        its = {"name": room.name}
        self.connection.change("DELETE FROM room_keys WHERE room = :name", its)
        self.connection.change("DELETE FROM rooms WHERE name = :name", its)
        self._kept.pop(room.name, None)
        self.changed.pop(room.name, None)
        self.gone[room.name] = room.version + 1

    def answered(self, key: Key, asked: str) -> int | None:
        """The version *asked* made under *key*; 0 where something else made it, None where nothing did."""
        row = self._answered.get(key)
        if row is None:
            return None
        is_same = row["digest"] == _key_row(key, asked, row["version"])["digest"]
        return int(row["version"]) if is_same else 0

    def add_key(self, key: Key, asked: str, version: int) -> None:
        """Keep that *asked* was carried out under *key* and made *version*."""
        row = self._answered[key] = _key_row(key, asked, version)
        self._keys.append(row)

    @property
    def news(self) -> dict[str, int]:
        """The version to which each room has come; a negative one says that it went."""
        changed = {room.name: room.version for room in self.changed.values()}
        return changed | {name: -version for name, version in self.gone.items()}

    def write(self) -> None:
        """Write what was kept; :class:`~noughts.errors.StaleVersion` where that is not as it was read."""
        seals = [
            {"id": game, "before": before, "sealed": sealed} for game, (before, sealed) in self._seals.items()
        ]
        rooms = [{**pack_room(room), "before": before} for before, room in self._kept.values()]
        for change, rows in ((_SEAL_GAME, seals), (_WRITE_ROOM, rooms)):
            if rows and self.connection.change(change, *rows) != len(rows):
                where = self._store.database.where
                raise StaleVersion(where, f"not as they were read: {', '.join(self._kept)}")
        self.connection.insert("events", *self._events)
        self.connection.insert("room_keys", *self._keys)


def _key_row(key: Key, asked: str, version: int) -> dict[str, Any]:
    """The row that says that *asked* was carried out under *key* and made *version*."""
    room, place, text = key
    digest = digest_of([room, place, text, asked, version])
    return {"room": room, "place": place, "key": text, "version": version, "digest": digest}
