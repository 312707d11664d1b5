"""Rooms in the database: written beside their games, checked for damage when read, and cached.

Everything here happens within a transaction. A room is one row with a digest over all of it. Derived facts
(the due time, and if a computer has to decide) have their own columns, so that queries can use them. A
transaction reads the rows of all its jobs at once, and writes their changes at once: a hundred commands take
as many statements as one.
"""

import json
from collections import OrderedDict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, fields, replace
from threading import Lock
from typing import Any, Protocol

from noughts.arena.clock import Clock
from noughts.arena.digest import canonical_json, digest_events, digest_of
from noughts.arena.events import EventKind
from noughts.arena.people.conduct import is_watched
from noughts.arena.people.inbox import InboxChanges
from noughts.arena.people.moderation import note_conduct
from noughts.arena.ratings.rating_repository import RatingStore
from noughts.arena.rooms.keys import key_of_game, link_of_game
from noughts.arena.rooms.models import RoomFacts, RoomSeat
from noughts.arena.rooms.pauses import NO_PAUSES, Pauses
from noughts.arena.rooms.phrases import SaidPhrase
from noughts.arena.rooms.room import Room, seated
from noughts.arena.rooms.room_notes import note_beginning, note_changes
from noughts.arena.seat_names import seat_name
from noughts.arena.series import Begins
from noughts.arena.setup import SeriesSetup, Setup
from noughts.arena.store.connections import Connection, Row, containing
from noughts.arena.store.database import Database
from noughts.arena.store.tables import event_row, read_event
from noughts.arena.stored_game import PUBLIC, Access
from noughts.arena.table import Table, Terms
from noughts.errors import BadInput, DamagedStore, GameBroken, NotFound, StaleVersion, UnusableGame

MAX_ROOMS = 4096
"""The maximum number of rooms in memory."""


class KnownRooms:
    """The rooms in memory by name, each at the newest known version.

    This class is thread-safe. No caller may change a room that is stored here. To change one, make a draft of
    it.
    """

    def __init__(self) -> None:
        self._rooms: OrderedDict[str, Room] = OrderedDict()
        self._lock = Lock()

    def newest(self, name: str) -> Room | None:
        """Return the room *name*, or None if it is not in memory."""
        with self._lock:
            room = self._rooms.get(name)
            if room is not None:
                self._rooms.move_to_end(name)
            return room

    def learn(self, room: Room) -> None:
        """Store *room*, unless a newer version of it is known, or a newer room of that name."""
        with self._lock:
            before = self._rooms.get(room.name)
            if before is None or _age(before) < _age(room):
                self._rooms[room.name] = room
                self._rooms.move_to_end(room.name)
                while len(self._rooms) > MAX_ROOMS:
                    self._rooms.popitem(last=False)

    def forget(self, name: str) -> None:
        """Remove the room *name*, which does not exist any more."""
        with self._lock:
            self._rooms.pop(name, None)

    def versions(self) -> dict[str, int]:
        """Return the known version of each room."""
        with self._lock:
            return {room.name: room.version for room in self._rooms.values()}


def _age(room: Room) -> tuple[int, int]:
    return room.table.terms.created, room.version


_FORGET_PEOPLE = "DELETE FROM room_people WHERE room = :name"
_FORGET_VISITORS = "DELETE FROM room_visitors WHERE room = :name"

MAX_OWN = 200
"""The maximum number of rooms of one person that are listed."""

MAX_DUE = 1000
"""The maximum number of rooms that one query finds."""


_FORGOTTEN = (
    "SELECT identity, room FROM room_people"
    " WHERE NOT EXISTS (SELECT 1 FROM identities WHERE number = identity) ORDER BY room"
)
_FIND = (
    "SELECT name, version, due, code, is_computer_awaited, facts, digest FROM rooms WHERE name IN (:names)"
)
# All workers use the same order, so that no two of them wait for each other.
_LOCK = _FIND + " ORDER BY name FOR UPDATE"
_SINCE = (
    "SELECT digest, version, at, kind, side, data FROM games"
    " LEFT JOIN events ON game_id = id AND version > :known WHERE id = :id ORDER BY version"
)


class RoomStore:
    """The rooms in *database*."""

    def __init__(self, database: Database, pauses: Pauses = NO_PAUSES) -> None:
        self.database, self.pauses = database, pauses
        self.ratings = RatingStore(database)

    # Rooms

    def find(
        self, connection: Connection, names: Collection[str], *, to_change: bool = True
    ) -> dict[str, Row]:
        """Return the rows of those of *names* that exist, and by default lock them."""
        valid = tuple(name for name in names if 0 < len(name) <= 32 and name.isascii() and name.isprintable())
        if not valid:
            return {}
        return {row["name"]: row for row in connection.rows(_LOCK if to_change else _FIND, names=valid)}

    def read(self, connection: Connection, name: str, known: KnownRooms) -> Room:
        """Return the room *name*: from *known* if its version is current, or else from the database.

        Raises :class:`~noughts.errors.NotFound` and :class:`~noughts.errors.DamagedStore`.
        """
        row = self.find(connection, (name,), to_change=False).get(name)
        return self.room_of(connection, name, row, known)

    def room_of(self, connection: Connection, name: str, row: Row | None, known: KnownRooms) -> Room:
        """Return the room *name* from its *row*, which is None for a missing room. See :meth:`read`."""
        if row is None:
            known.forget(name)
            raise NotFound("room", name)
        before = known.newest(name)
        # Versions are not enough: a room that was removed can be opened again under its key.
        if before is not None and before.seal == row["digest"]:
            return before
        return self.unpack(connection, row, before)

    def unpack(self, connection: Connection, row: Row, before: Room | None) -> Room:
        """Return the room in *row*, with its games. *before* is an earlier state of it, or None.

        Raises :class:`~noughts.errors.DamagedStore`.
        """
        where = f"room {row['name']}"
        try:
            intact = row["digest"] == room_digest(row)
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
        """Copy the game of *before* to *room* and apply its newer events.

        Return False if *room* has another game. Nothing is changed then.
        """
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
        """Fill in the present game and the results of the series.

        Read only results that *before* does not have.
        """
        table, number = room.table, room.table.series_number
        if number is not None:
            if before is not None and before.table.series_number == number:
                _take_over(room, before)
            self.database.load_series(number, connection)  # raises if it is missing
            for game in self.database.games(number, connection, after=room.ended):
                if game.result is not None:
                    table.series.add(game.result)
                    room.ended = game.id
        events: Sequence[Any] = ()
        if room.facts.game_id is not None:
            stored = self.database.load(room.facts.game_id, connection)
            table.setup, events, room.digest = stored.setup, stored.events, stored.digest
        if table.setup is not None:
            table.match = table.setup.replay(events, **table.terms.match_settings)

    # Queries, in a transaction of their own or *within* another

    def _names(self, query: str, within: Connection | None = None, **values: Any) -> list[str]:
        with self.database.reading(within) as connection:
            return connection.column(query, **values)

    def with_code(self, code: str, within: Connection | None = None) -> str | None:
        """Return the name of the room that *code* opens, or None."""
        return next(iter(self._names("SELECT name FROM rooms WHERE code = :code", within, code=code)), None)

    def due(self, at: int, without: Collection[str]) -> list[str]:
        """Return the rooms, except those in *without*, in which something is due at the instant *at*.

        At most :data:`MAX_DUE` are returned, the latest due times first: a flag that falls now does not wait
        for changes that have been due for long.
        """
        query = "SELECT name FROM rooms WHERE due <= :at ORDER BY due DESC LIMIT :count"
        due = self._names(query, at=at, count=MAX_DUE + len(without))
        return [name for name in due if name not in without][:MAX_DUE]

    def due_between(self, first: int, last: int) -> dict[str, int]:
        """Return the rooms in which something is due between two instants, each with the instant."""
        query = "SELECT name, due FROM rooms WHERE due > :first AND due <= :last ORDER BY due LIMIT :count"
        with self.database.reading() as connection:
            rows = connection.rows(query, first=first, last=last, count=MAX_DUE)
            return {row["name"]: row["due"] for row in rows}

    def awaiting_computers(self) -> list[str]:
        """Return the rooms in which a computer has to decide, as after a restart."""
        return self._names("SELECT name FROM rooms WHERE is_computer_awaited")

    def with_public_games(self, within: Connection, count: int) -> dict[str, int]:
        """Return the versions of at most *count* rooms in which a public game is being played, by name.

        Rooms that were written by an earlier version follow with their next change.
        """
        rows = within.rows(_PUBLIC, count=count)
        return {row["name"]: row["version"] for row in rows}

    def names(self) -> list[str]:
        """Return the names of all rooms."""
        return self._names("SELECT name FROM rooms ORDER BY name")

    def held_by(self, worker: str) -> list[str]:
        """Return the rooms in which *worker* holds a seat."""
        query = "SELECT name FROM rooms WHERE facts LIKE :worker ESCAPE '/'"
        return self._names(query, worker=containing(f'"{worker}"'))

    def of_series(self, series: int) -> list[str]:
        """Return the rooms in which *series* is played, at most one if the database is intact."""
        query = "SELECT name FROM rooms WHERE facts LIKE :series ESCAPE '/'"
        return self._names(query, series=containing(f'"series_id":{series},"setup":{{'))

    def of_identity(self, number: int, within: Connection, most: int = MAX_OWN) -> list[str]:
        """Return the rooms in which the person with the key *number* has a seat, at most *most*."""
        query = "SELECT room FROM room_people WHERE identity = :number ORDER BY room LIMIT :count"
        return self._names(query, within, number=number, count=most)

    def of_forgotten(self, within: Connection) -> dict[int, list[str]]:
        """Return the rooms with seats of people forgotten meanwhile, by their numbers."""
        found: dict[int, list[str]] = {}
        for row in within.rows(_FORGOTTEN):
            found.setdefault(row["identity"], []).append(row["room"])
        return found

    def of_visitor(self, token: str, within: Connection) -> list[str]:
        """Return the rooms of :meth:`RoomBatch.note_away` for the hash *token*, at most :data:`MAX_OWN`."""
        query = "SELECT room FROM room_visitors WHERE visitor = :token ORDER BY room LIMIT :count"
        return self._names(query, within, token=token, count=MAX_OWN)

    def count(self) -> int:
        """Return the number of rooms, open and closed ones."""
        with self.database.reading() as connection:
            (count,) = connection.column("SELECT COUNT(*) AS count FROM rooms")
        return int(count)

    def left(self, names: Collection[str]) -> set[str]:
        """Return those of the rooms *names* that exist."""
        return set(self.versions(names))

    def versions(self, names: Iterable[str]) -> dict[str, int]:
        """Return the versions of those of *names* that exist."""
        query = "SELECT name, version FROM rooms WHERE name IN (:names)"
        with self.database.reading() as connection:
            return {row["name"]: row["version"] for row in connection.rows(query, names=tuple(names))}

    # Workers

    def seen(self, connection: Connection, worker: str, at: int) -> None:
        """Write that *worker* was alive at the instant *at*."""
        row = {"name": worker, "seen": at}
        connection.insert("room_workers", row, unless="ON CONFLICT (name) DO UPDATE SET seen = excluded.seen")

    def not_seen_since(self, at: int, within: Connection) -> list[str]:
        """Return the workers that were last alive before the instant *at*."""
        return self._names("SELECT name FROM room_workers WHERE seen < :at", within, at=at)


def _take_over(room: Room, before: Room) -> None:
    """Copy the results that are known from *before* to *room*."""
    room.table.series, room.ended = before.table.series.copy(), before.ended


# Rows


def pack_room(room: Room) -> dict[str, Any]:
    """Return the row of *room*, and set the room's seal."""
    row = {
        "name": room.name,
        "version": room.version,
        "due": room.due(),
        "code": room.facts.code,
        "is_computer_awaited": room.is_computer_awaited,
        "has_public_game": room.has_public_game,
        "facts": _write_room(room),
    }
    room.seal = room_digest(row)
    return {**row, "digest": room.seal}


def room_digest(row: Row | Mapping[str, Any]) -> str:
    """Return the digest of the *row* of a room. It does not cover ``has_public_game``."""
    facts = [row[name] for name in ("name", "version", "due", "code")]
    return digest_of([*facts, bool(row["is_computer_awaited"]), row["facts"]])


def _write_room(room: Room) -> str:
    facts, table = room.facts, room.table
    setup = table.setup if facts.game_id is None else None  # a game with events is in the store
    content = {
        **{field.name: getattr(facts, field.name) for field in fields(facts)},  # asdict would copy the seats
        "setup": asdict(table.terms),
        "seats": [seat and [seat.name, seat.token, seat.holder] for seat in facts.seats],
        "wishes": sorted(table.wishes),
        "begun": setup and {**asdict(setup), "seats": list(setup.seats.items())},
        "series_id": table.series_number,
    }
    del content["code"]  # the code has a column
    content["lines"] = sorted(facts.lines.items())
    content["said"] = [[one.place, one.phrase, one.at] for one in facts.said]
    return canonical_json(content)


def _read_room(text: str, code: str | None, last_pause: int) -> tuple[Table, RoomFacts]:
    facts = json.loads(text)
    # An earlier version did not store the pauses that an open room had seen.
    if "touched_after" not in facts:
        facts["touched_after"] = last_pause
        if facts["expires"] is not None:
            facts["begun_after"] = last_pause
    seats = tuple(seat and RoomSeat(*seat) for seat in facts.pop("seats"))
    table = seated(_read_terms(facts.pop("setup")), [None if seat is None else seat.name for seat in seats])
    if begun := facts.pop("begun"):
        begun |= {"seats": dict(begun["seats"]), "clock": Clock(**begun["clock"])}
        is_old = "origin" not in begun
        table.setup = Setup.of_earlier_version(begun.pop("who"), **begun) if is_old else Setup(**begun)
    table.wishes, table.series_number = frozenset(facts.pop("wishes")), facts.pop("series_id")
    said = tuple(SaidPhrase(*one) for one in facts.pop("said", ()))  # rooms of earlier versions have none
    lines = {place: tuple(tuple(line) for line in own) for place, own in facts.pop("lines", ())}
    return table, RoomFacts(**facts, seats=seats, code=code, said=said, lines=lines)


def _read_terms(facts: dict[str, Any]) -> Terms:
    read = {"who": tuple(facts["who"]), "begins": Begins(facts["begins"]), "clock": Clock(**facts["clock"])}
    return Terms(**facts | read)


_FIND_KEYS = (
    "SELECT room, place, key, version, digest FROM room_keys WHERE (room, place, key) IN (VALUES :keys)"
)
_WRITE_ROOM = (
    "UPDATE rooms SET version = :version, due = :due, code = :code, facts = :facts, digest = :digest,"
    " is_computer_awaited = :is_computer_awaited, has_public_game = :has_public_game"
    " WHERE name = :name AND version = :before"
)
_PUBLIC = "SELECT name, version FROM rooms WHERE has_public_game ORDER BY name LIMIT :count"
_SHARE = "UPDATE games SET visibility = :public WHERE id = :id AND series_id = :series"
_SEAL_GAME = "UPDATE games SET digest = :sealed WHERE id = :id AND digest = :before"

Key = tuple[str, int, str]
"""A key of a command with its room and place."""


class BatchPart(Protocol):
    """Something other than rooms that jobs change in a transaction."""

    def write(self) -> None:
        """Write all changes. This is called once, after the last job."""


class RoomBatch:
    """A transaction over *names* and *keys*, within *connection*. ``seen`` is the time of its sign of life.

    ``changed`` holds the changed rooms. ``gone`` holds the removed rooms with the versions of their removal.
    ``other_news`` has new versions of other things, which all workers hear of like rooms.
    ``parts`` has the other things that jobs change, by name. ``inbox`` has the notes for people with keys.
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
        self.other_news: dict[str, int] = {}
        self.parts: dict[str, BatchPart] = {}
        self.inbox = InboxChanges()
        self.seen: int | None = None
        self._store, self._known = store, known
        self._rows = store.find(connection, names)
        known_keys = tuple(key for key in keys if key[0] in self._rows)
        answered = connection.rows(_FIND_KEYS, keys=known_keys) if known_keys else []
        self._answered = {(row["room"], row["place"], row["key"]): {**row} for row in answered}
        # Rows to write: new rooms, events, digests of games (before, after), rooms (version before, room),
        # keys.
        self._added: dict[str, dict[str, Any]] = {}
        self._events: list[dict[str, Any]] = []
        self._seals: dict[int, tuple[str, str]] = {}
        self._saved: dict[str, tuple[int, Room]] = {}
        self._keys: list[dict[str, Any]] = []
        self._people: list[dict[str, Any]] = []
        self._rated: dict[int, int] = {}
        """The rated games that have ended, and the instants of their ends."""
        self._watched: dict[int, tuple[int, int]] = {}
        """The ended games in which conduct counts: the time for a first move, and the instant of the end."""

    def lock(self, names: Iterable[str]) -> None:
        """Lock further rooms, which no job has named as its order."""
        self._rows |= self._store.find(self.connection, [name for name in names if name not in self._rows])

    def read(self, name: str) -> Room:
        """Return the room *name* in its state within this transaction. It has to be locked.

        Raises :class:`~noughts.errors.NotFound` and :class:`~noughts.errors.DamagedStore`.
        """
        if name in self.changed:
            return self.changed[name]
        return self._store.room_of(self.connection, name, self._rows.get(name), self._known)

    def is_due(self, name: str, at: int) -> bool:
        """Return True if something is due in the room *name* at the instant *at*, as far as is stored."""
        row = self._rows.get(name)
        return row is not None and row["due"] is not None and row["due"] <= at

    def look(self, name: str) -> Room:
        """Return any room without a lock, so another worker may change it. See :meth:`read`."""
        if name in self.changed:
            return self.changed[name]
        room = self._store.read(self.connection, name, self._known)
        self._known.learn(room)
        return room

    def known(self, name: str) -> Room | None:
        """Return the room *name* from memory, perhaps in an earlier state, or None."""
        return self.changed.get(name) or self._known.newest(name)

    def add(self, room: Room) -> None:
        """Add a new room."""
        self._added[room.name] = pack_room(room)
        self._note_people(room, frozenset())
        self.changed[room.name] = room

    def save(self, before: Room, after: Room) -> Room:
        """Save *after*, the new state of *before*, with the new events of its game. Return it as saved."""
        facts, digest = after.facts, after.digest
        if after.new_events:
            facts, digest = self._begin_game(after)
            game = facts.game_id or 0
            first = self._seals[game][0] if game in self._seals else digest
            digest = digest_events(digest, after.new_events)
            self._seals[game] = first, digest
            self._events += [event_row(game, event) for event in after.new_events]
            end, terms = after.new_events[-1], after.table.terms
            if end.kind is EventKind.END and is_watched(terms):
                self._watched[game] = terms.first_move, end.at + after.paused
        results = after.table.series.results
        ended = facts.game_id if len(results) > len(before.table.series.results) else None
        note_changes(before, after, self.inbox, ended)
        saved = replace(
            after,
            version=before.version + 1,
            facts=facts,
            new_events=[],
            digest=digest,
            ended=before.ended if ended is None else ended,
        )
        if ended is not None and after.table.terms.rated:
            self._rated[ended] = after.new_events[-1].at + after.paused
        if len(after.identities) > len(before.identities):
            self._note_people(after, before.identities)
        if after.facts.is_closed and not before.facts.is_closed:
            self._people = [row for row in self._people if row["room"] != after.name]
            for change in (_FORGET_PEOPLE, _FORGET_VISITORS):
                self.connection.change(change, {"name": after.name})
        self._saved[saved.name] = self._saved.get(saved.name, (before.version, saved))[0], saved
        self.changed[saved.name] = saved
        return saved

    def _note_people(self, room: Room, known: frozenset[int]) -> None:
        """Note that the people with keys in *room* have seats there, except the *known* ones."""
        self._people += [{"identity": number, "room": room.name} for number in room.identities - known]
        self.other_news |= {seat_name(number): room.version for number in room.identities - known}

    def note_away(self, name: str, place: int, at: int) -> None:
        """Note that the game in the new room *name* began at the instant *at* without the player at *place*.

        The player finds the room by the hash of the token. A player with a key gets a note too.
        """
        room = self.changed[name]
        if (seat := room.facts.seats[place]) is None:
            raise AssertionError("nobody has this seat")
        self.connection.insert("room_visitors", {"visitor": seat.token, "room": name})
        self.other_news[seat.token] = room.version
        note_beginning(room, place, at, self.inbox)

    def _begin_game(self, room: Room) -> tuple[RoomFacts, str]:
        """Add rows for the game and the series of *room*. Return its new facts and the digest of the game."""
        facts, table, database, is_new = room.facts, room.table, self._store.database, False
        if table.setup is None:
            raise AssertionError("no game has begun")
        if table.series_number is None:
            terms = table.terms
            series = SeriesSetup(terms.game, table.series.players, terms.begins, table.setup.created)
            # The series counts as ended, so that it cannot be resumed outside the room.
            table.series_number = database.add_series(series, self.connection, has_ended=True, games=1)
            is_new = True
        if facts.game_id is not None:
            return facts, room.digest
        begun = replace(table.setup, series=table.series_number)

        def access(number: int) -> Access:
            return Access(table.terms.visibility, link_of_game(key_of_game(room.name, number)))

        number, digest = database.begin_game(begun, self.connection, access, has_new_series=is_new)
        return replace(facts, game_id=number), digest

    def share(self, room: Room, game: int) -> None:
        """Make a *game* of *room* public.

        Raises :class:`~noughts.errors.NotFound` if it was not played there.
        """
        row = {"id": game, "series": room.table.series_number, "public": PUBLIC}
        if not self.connection.change(_SHARE, row):
            raise NotFound("record", game)

    def remove(self, room: Room) -> None:
        """Delete *room*. Its games stay."""
        row = {"name": room.name}
        self.connection.change("DELETE FROM room_keys WHERE room = :name", row)
        self.connection.change(_FORGET_PEOPLE, row)
        self.connection.change(_FORGET_VISITORS, row)
        self.connection.change("DELETE FROM rooms WHERE name = :name", row)
        self._rows.pop(room.name, None)
        self._added.pop(room.name, None)
        self._saved.pop(room.name, None)
        self.changed.pop(room.name, None)
        self.gone[room.name] = room.version + 1

    def answered(self, key: Key, command: str) -> int | None:
        """Return the version that *command* made under *key*.

        Return 0 if another command used the key, and None if none did.
        """
        row = self._answered.get(key)
        if row is None:
            return None
        is_same = row["digest"] == _key_row(key, command, row["version"])["digest"]
        return int(row["version"]) if is_same else 0

    def add_key(self, key: Key, command: str, version: int) -> None:
        """Save that *command* was executed under *key* and made *version*."""
        row = self._answered[key] = _key_row(key, command, version)
        self._keys.append(row)

    @property
    def news(self) -> dict[str, int]:
        """The new version of each room, negative for a removed room, and of other things."""
        changed = {room.name: room.version for room in self.changed.values()}
        return self.other_news | changed | {name: -version for name, version in self.gone.items()}

    def write(self) -> None:
        """Write all saved changes.

        Raises :class:`~noughts.errors.StaleVersion` if another worker has changed the rows since they were
        read, or has just opened a room of the same name.
        """
        where, added = self._store.database.where, self._added.values()
        if self.connection.insert("rooms", *added, unless="ON CONFLICT DO NOTHING") != len(added):
            raise StaleVersion(where, f"there already: {', '.join(self._added)}")
        seals = [
            {"id": game, "before": before, "sealed": sealed} for game, (before, sealed) in self._seals.items()
        ]
        rooms = [{**pack_room(room), "before": before} for before, room in self._saved.values()]
        for change, rows in ((_SEAL_GAME, seals), (_WRITE_ROOM, rooms)):
            if rows and self.connection.change(change, *rows) != len(rows):
                raise StaleVersion(where, f"not as they were read: {', '.join(self._saved)}")
        self.connection.insert("events", *self._events)
        self.connection.insert("room_keys", *self._keys)
        self.connection.insert("room_people", *self._people, unless="ON CONFLICT DO NOTHING")
        for part in self.parts.values():
            part.write()
        self.inbox.write(self.connection)
        for game, at in self._rated.items():
            stored = self._store.database.load(game, self.connection)
            self._store.ratings.count(self.connection, stored, at)
        for game, (first_move, at) in self._watched.items():
            note_conduct(self.connection, self._store.database.load(game, self.connection), first_move, at)


def _key_row(key: Key, command: str, version: int) -> dict[str, Any]:
    """Return the row that records that *command* was executed under *key* and made *version*."""
    room, place, text = key
    digest = digest_of([room, place, text, command, version])
    return {"room": room, "place": place, "key": text, "version": version, "digest": digest}
