"""Tournaments of people in the database: their events, and the names of players, deleted in time."""

import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, TypeVar

from noughts.arena.clock import Clock
from noughts.arena.digest import canonical_json, digest_of
from noughts.arena.store.connections import Connection, Row
from noughts.arena.store.database import Database
from noughts.arena.stored_game import PUBLIC
from noughts.arena.tournament.people import (
    PairingSystem,
    PeopleEvent,
    PeopleTerms,
    PeopleTournament,
)
from noughts.errors import DamagedStore, NotFound

Answer = TypeVar("Answer")

KEPT_MS = 30 * 24 * 60 * 60 * 1000
"""The time after the opening of a tournament in which the names of its players are stored."""

_FIND = "SELECT * FROM people_tournaments WHERE code = :code"
_EVENTS = (
    "SELECT version, at, kind, data FROM people_events"
    " WHERE tournament_id = :id AND version > :known ORDER BY version"
)
_ENTRIES = "SELECT * FROM people_entries WHERE tournament_id = :id ORDER BY number"
_RUNNING = "SELECT code, version FROM people_tournaments WHERE NOT is_over ORDER BY id"
_VERSIONS = "SELECT code, version FROM people_tournaments WHERE code IN (:codes)"
_PUBLIC = (
    "SELECT code, version FROM people_tournaments WHERE terms LIKE :public AND created >= :since"
    " AND NOT EXISTS (SELECT 1 FROM people_events WHERE tournament_id = id AND kind = 'unlisted')"
    " ORDER BY is_over, id DESC LIMIT :count"
)
_CODES = "SELECT code FROM people_tournaments WHERE id IN (:numbers)"
_DUE = "SELECT code FROM people_tournaments WHERE forget <= :at ORDER BY forget LIMIT :count"
_SAVE = (
    "UPDATE people_tournaments SET version = :version, is_over = :is_over, digest = :digest WHERE id = :id"
)
_UPDATE = (
    "UPDATE people_entries SET name = :name, token = :token, digest = :digest"
    " WHERE tournament_id = :tournament_id AND number = :number"
)
_FORGET = "UPDATE people_tournaments SET forget = NULL WHERE id = :id"

MAX_FORGOTTEN = 10
"""The largest number of tournaments whose names are deleted at once."""


@dataclass(frozen=True, slots=True)
class PersonEntered:
    """A player's name, the hash of the player's secret, and the number of the player's identity, if any.

    The name is empty once it has been deleted.
    """

    name: str
    token: str
    identity: int | None = None


@dataclass(slots=True)
class StoredPeople:
    """A tournament of people as stored: its state, and the people by the number of their entries.

    ``organiser`` is the hash of the organiser's secret. No caller may change a stored tournament. To change
    one, use :meth:`draft`. ``events`` are those of the draft that are not saved yet.
    """

    number: int
    code: str
    organiser: str
    tournament: PeopleTournament
    people: dict[int, PersonEntered]
    forget: int | None
    digest: str
    log: tuple[PeopleEvent, ...] = ()
    events: list[PeopleEvent] = field(default_factory=list)

    @property
    def version(self) -> int:
        """The number of events."""
        return self.tournament.version

    def draft(self) -> "StoredPeople":
        """Return a copy that can be changed without a change to this one."""
        return replace(self, tournament=self.tournament.copy(), people=dict(self.people), events=[])

    def entry_of(self, token: str) -> int | None:
        """Return the number of the entry with a secret of the hash *token*, or None."""
        return next((number for number, person in self.people.items() if person.token == token), None)


class PeopleStore:
    """The tournaments of people in *database*. Everything happens within the transaction of a connection."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def add(
        self, connection: Connection, terms: PeopleTerms, code: str, organiser: str
    ) -> StoredPeople | None:
        """Add a tournament that *code* opens, or return None if another one has the code."""
        row = {"created": terms.created, "code": code, "organiser": organiser, "terms": _write_terms(terms)}
        digest, forget = first_people_digest(row), terms.created + KEPT_MS
        more = {"version": 0, "is_over": False, "forget": forget, "digest": digest}
        if not connection.insert("people_tournaments", {**row, **more}, unless="ON CONFLICT DO NOTHING"):
            return None
        number = connection.column("SELECT id FROM people_tournaments WHERE code = :code", code=code)[0]
        return StoredPeople(number, code, organiser, PeopleTournament(terms), {}, forget, digest)

    def read(
        self, connection: Connection, code: str, known: StoredPeople | None = None, *, to_change: bool = False
    ) -> StoredPeople:
        """Return the tournament that *code* opens. Events of *known*, an earlier state, are not read again.

        With *to_change* its row is locked. Raises :class:`~noughts.errors.NotFound` and
        :class:`~noughts.errors.DamagedStore`.
        """
        row = connection.row(_FIND + (" FOR UPDATE" if to_change else ""), code=code)
        if row is None:
            raise NotFound("tournament", code)
        if known is not None and known.digest == row["digest"] and known.forget == row["forget"]:
            return known
        try:
            return self._unpack(connection, row, known)
        except (ValueError, TypeError, LookupError, AttributeError) as error:
            raise DamagedStore(self.database.where, f"tournament of people {row['id']}") from error

    def _unpack(self, connection: Connection, row: Row, known: StoredPeople | None) -> StoredPeople:
        if known is None or known.version > row["version"]:
            tournament, digest = PeopleTournament(read_people_terms(row["terms"])), first_people_digest(row)
            log: tuple[PeopleEvent, ...] = ()
        else:
            tournament, digest, log = known.tournament.copy(), known.digest, known.log
        found = connection.rows(_EVENTS, id=row["id"], known=tournament.version)
        events = [
            PeopleEvent(one["version"], one["at"], one["kind"], json.loads(one["data"])) for one in found
        ]
        for event in events:
            digest = next_people_digest(digest, event)
            tournament.apply_event(event)
        people = self._people(connection, row)
        if digest != row["digest"] or set(people) != set(tournament.entries):
            raise ValueError("its digest is another")
        return StoredPeople(
            row["id"],
            row["code"],
            row["organiser"],
            tournament,
            people,
            row["forget"],
            digest,
            log + tuple(events),
        )

    @staticmethod
    def _people(connection: Connection, row: Row) -> dict[int, PersonEntered]:
        people = {}
        for entry in connection.rows(_ENTRIES, id=row["id"]):
            if entry["digest"] != entry_digest(entry):
                raise ValueError("the digest of an entry is another")
            people[entry["number"]] = PersonEntered(entry["name"], entry["token"], entry["identity"])
        return people

    def change(
        self,
        connection: Connection,
        code: str,
        work: Callable[[StoredPeople], Answer],
        known: StoredPeople | None = None,
    ) -> tuple[StoredPeople, StoredPeople, Answer]:
        """Change the tournament that *code* opens by *work*, which gets a draft and adds events.

        Return the tournament before and after, and the answer of *work*. See :meth:`read`.
        """
        before = self.read(connection, code, known, to_change=True)
        after = before.draft()
        answer = work(after)
        return before, self.save(connection, before, after) if after.events else before, answer

    def save(self, connection: Connection, before: StoredPeople, after: StoredPeople) -> StoredPeople:
        """Save *after*, a changed draft of *before*, and return it as saved."""
        digest = before.digest
        for event in after.events:
            digest = next_people_digest(digest, event)
        rows = [
            {
                "tournament_id": after.number,
                "version": event.version,
                "at": event.at,
                "kind": event.kind,
                "data": canonical_json(dict(event.data)),
            }
            for event in after.events
        ]
        connection.insert("people_events", *rows)
        is_over = after.tournament.ended is not None
        row = {"version": after.version, "is_over": is_over, "digest": digest, "id": after.number}
        connection.change(_SAVE, row)
        for number, person in after.people.items():
            if before.people.get(number) != person:
                entry = entry_row(after.number, number, person)
                if number in before.people:
                    connection.change(_UPDATE, {name: entry[name] for name in _CHANGEABLE})
                else:
                    connection.insert("people_entries", entry)
        return replace(after, digest=digest, log=before.log + tuple(after.events), events=[])

    def forget_names(self, connection: Connection, stored: StoredPeople) -> StoredPeople:
        """Delete the names of the players of *stored*."""
        people = {
            number: replace(person, name="", token="", identity=None)
            for number, person in stored.people.items()
        }
        connection.change("DELETE FROM people_entries WHERE tournament_id = :id", {"id": stored.number})
        connection.insert(
            "people_entries",
            *(entry_row(stored.number, number, person) for number, person in people.items()),
        )
        connection.change(_FORGET, {"id": stored.number})
        return replace(stored, people=people, forget=None)

    def running(self) -> dict[str, int]:
        """Return the versions of the tournaments that have not ended, by code."""
        with self.database.reading() as connection:
            return {row["code"]: row["version"] for row in connection.rows(_RUNNING)}

    def versions(self, codes: Collection[str]) -> dict[str, int]:
        """Return the versions of the tournaments with these *codes*, by code."""
        if not codes:
            return {}
        with self.database.reading() as connection:
            rows = connection.rows(_VERSIONS, codes=tuple(codes))
        return {row["code"]: row["version"] for row in rows}

    def public(self, since: int, count: int) -> dict[str, int]:
        """Return the versions of the public tournaments that were opened after *since*, by code.

        Those that have not ended are the first ones, and then newer ones. There are at most *count*.
        """
        public = f'%"visibility":"{PUBLIC}"%'  # In a title, canonical JSON escapes the quotes.
        with self.database.reading() as connection:
            rows = connection.rows(_PUBLIC, public=public, since=since, count=count)
        return {row["code"]: row["version"] for row in rows}

    def codes(self, numbers: Collection[int]) -> list[str]:
        """Return the codes of the tournaments with these *numbers*."""
        if not numbers:
            return []
        with self.database.reading() as connection:
            return connection.column(_CODES, numbers=tuple(numbers))

    def to_forget(self, at: int) -> list[str]:
        """Return the codes of tournaments whose names are to be deleted at the instant *at*."""
        with self.database.reading() as connection:
            return connection.column(_DUE, at=at, count=MAX_FORGOTTEN)


_CHANGEABLE = ("tournament_id", "number", "name", "token", "digest")


def entry_row(tournament: int, number: int, person: PersonEntered) -> dict[str, Any]:
    """Return the row of the entry *number* of a *tournament*."""
    row = {"tournament_id": tournament, "number": number, **asdict(person)}
    return {**row, "digest": entry_digest(row)}


def entry_digest(row: Row | Mapping[str, Any]) -> str:
    """Return the digest of the *row* of an entry."""
    # The digest does not cover the identity, which "Forget me" deletes. Old rows have none.
    return digest_of([*(row[name] for name in ("tournament_id", "number", "name", "token")), None])


def first_people_digest(row: Row | Mapping[str, Any]) -> str:
    """Return the digest of the *row* of a tournament of people before its events."""
    return digest_of([row[name] for name in ("created", "code", "organiser", "terms")])


def next_people_digest(digest: str, event: PeopleEvent) -> str:
    """Return the digest of a tournament of people after *event*. *digest* is the digest before it."""
    return digest_of([digest, event.values])


def _write_terms(terms: PeopleTerms) -> str:
    return canonical_json(asdict(terms))


def read_people_terms(text: str) -> PeopleTerms:
    """Return the terms in the column ``terms``."""
    facts = json.loads(text)
    read = {"clock": Clock(**facts["clock"]), "system": PairingSystem(facts["system"])}
    return PeopleTerms(**facts | read)
