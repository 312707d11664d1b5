"""One transaction over rooms: what its jobs need is read at once, what they have changed is written at once.

To ask the database takes longer than what it then does, whether it is a file or another machine. So a
transaction takes as many statements for a hundred commands as for one.
"""

from collections.abc import Collection
from dataclasses import replace

from sqlalchemy import Connection

from noughts.arena.rooms.cache import KnownRooms
from noughts.arena.rooms.facts import RoomFacts
from noughts.arena.rooms.room import Room
from noughts.arena.rooms.rows import Kept, Key, RoomStore
from noughts.arena.store.store import SeriesSetup, digest_events
from noughts.arena.store.tables import event_row
from noughts.errors import NotFound


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
        self._answered = store.find_keys(connection, [key for key in keys if key[0] in self._rows])
        self._new = Kept()

    def read(self, name: str) -> Room:
        """The room *name* as it is in this transaction.

        Raises :class:`~noughts.errors.NotFound` and :class:`~noughts.errors.DamagedStore`.
        """
        if name in self.changed:
            return self.changed[name]
        row = self._rows.get(name)
        if row is None:
            self._known.forget(name)
            raise NotFound("room", name)
        known = self._known.just(name, row.digest)
        return known or self._store.unpack(self.connection, row, self._known.newest(name))

    def add(self, room: Room) -> None:
        """Open a new room."""
        self._store.add(self.connection, room)
        self.changed[room.name] = room

    def keep(self, before: Room, after: Room) -> Room:
        """Keep *after*, which was *before*, with the new events of its game; return it as it is kept."""
        facts, digest = after.facts, after.digest
        if after.new_events:
            facts, digest = self._begin_game(after)
            game = facts.game_id or 0
            first = self._new.seals[game][0] if game in self._new.seals else digest
            digest = digest_events(digest, after.new_events)
            self._new.seals[game] = first, digest
            self._new.events += [event_row(game, event) for event in after.new_events]
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
        self._new.rooms[kept.name] = self._new.rooms.get(kept.name, (before.version, kept))[0], kept
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
        number, digest = database.begin_game(begun, self.connection)
        return replace(facts, game_id=number), digest

    def remove(self, room: Room) -> None:
        """Delete *room*; its games stay."""
        self._store.remove(self.connection, room.name)
        self._new.rooms.pop(room.name, None)
        self.changed.pop(room.name, None)
        self.gone[room.name] = room.version + 1

    def answered(self, key: Key, asked: str) -> int | None:
        """The version *asked* made under *key*; 0 where something else made it, None where nothing did."""
        row = self._answered.get(key)
        return None if row is None else self._store.version_made(row, asked)

    def add_key(self, key: Key, asked: str, version: int) -> None:
        """Keep that *asked* was carried out under *key* and made *version*."""
        row = self._answered[key] = self._store.key_row(key, asked, version)
        self._new.keys.append(row)

    def write(self) -> None:
        """Write what was kept; :class:`~noughts.errors.StaleVersion` where that is not as it was read."""
        self._store.write(self.connection, self._new)
        self._new = Kept()
