"""The inbox of a person with a key: what happened meanwhile, at most one note for each kind and subject.

Notes are written by the transactions that cause them, so none is lost and none is written twice.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from noughts.arena.digest import canonical_json
from noughts.arena.store.connections import Connection
from noughts.arena.store.database import Database

MAX_NOTES = 50
"""The number of notes that are stored for a person. Older ones are deleted."""

MAX_CHALLENGES = 10
"""The number of notes about challenges among them, so that nobody pushes other notes out by challenges."""

_IDENTITIES = "SELECT number FROM identities WHERE number IN (:numbers)"
_REPLACE = (
    "ON CONFLICT (identity, kind, subject) DO UPDATE SET at = excluded.at, facts = excluded.facts,"
    " is_read = excluded.is_read"
)
_REVISE = "UPDATE inbox SET facts = :facts WHERE identity = :identity AND kind = :kind AND subject = :subject"
_DROP = "DELETE FROM inbox WHERE identity = :identity AND kind = :kind AND subject = :subject"
_SHORTEN = (
    "DELETE FROM inbox WHERE identity = :identity AND at <"
    " (SELECT MIN(at) FROM (SELECT at FROM inbox WHERE identity = :identity ORDER BY at DESC LIMIT :count)"
    " AS newest)"
)
_SHORTEN_CHALLENGES = (
    "DELETE FROM inbox WHERE identity = :identity AND kind = :kind AND at < (SELECT MIN(at) FROM"
    " (SELECT at FROM inbox WHERE identity = :identity AND kind = :kind ORDER BY at DESC LIMIT :count)"
    " AS newest)"
)
_LIST = (
    "SELECT identity, kind, subject, at, facts, is_read FROM inbox WHERE identity = :identity"
    " ORDER BY at DESC, kind, subject"
)
_READ = "UPDATE inbox SET is_read = TRUE WHERE identity = :identity AND at <= :until"
_NEW = "SELECT COUNT(*) AS count FROM inbox WHERE identity = :identity AND NOT is_read"


class NoteKind(StrEnum):
    """The kinds of notes."""

    CHALLENGE = "challenge"
    """A player asked for a game."""
    TURN = "turn"
    """It is the person's turn in a game."""
    ENDED = "ended"
    """A game of the person has ended."""
    REMINDER = "reminder"
    """Little time is left for a move in a game by days."""
    BEGAN = "began"
    """An offer of the person was taken, and the game has begun."""
    TOURNAMENT = "tournament"
    """A tournament of the person has begun."""


@dataclass(frozen=True, slots=True)
class InboxNote:
    """A note for the identity ``identity``. A newer one with the same kind and subject replaces it.

    ``subject`` is the room, game, offer or tournament. ``facts`` are values that JSON can hold.
    """

    identity: int
    kind: NoteKind
    subject: str
    at: int
    facts: Mapping[str, Any]
    is_read: bool = False

    @property
    def exported(self) -> dict[str, str | int | bool]:
        """The note as the person downloads it, with its facts as JSON."""
        facts = canonical_json(dict(self.facts))
        return {"kind": str(self.kind), "at": self.at, "is_read": self.is_read, "facts": facts}


@dataclass(slots=True)
class InboxChanges:
    """The changes of inboxes in one transaction.

    A note that was added and dropped again in one transaction is not written.
    """

    _notes: dict[tuple[int, NoteKind, str], InboxNote | None] = field(default_factory=dict)
    _revised: dict[tuple[int, NoteKind, str], InboxNote] = field(default_factory=dict)

    @property
    def added(self) -> list[InboxNote]:
        """The new notes."""
        return [note for note in self._notes.values() if note is not None]

    def add(self, note: InboxNote) -> None:
        """Add *note*."""
        self._notes[note.identity, note.kind, note.subject] = note

    def revise(self, note: InboxNote) -> None:
        """Give a note the facts of *note*, if there is one of that kind and subject. It is no news."""
        key = note.identity, note.kind, note.subject
        if (added := self._notes.get(key)) is not None:
            self._notes[key] = replace(added, facts=note.facts)
        self._revised[key] = note

    def drop(self, identity: int, kind: NoteKind, subject: str) -> None:
        """Delete a note, if there is one."""
        self._notes[identity, kind, subject] = None

    def write(self, connection: Connection) -> None:
        """Write the changes. Notes for identities that do not exist any more are left out."""
        dropped = [
            {"identity": identity, "kind": str(kind), "subject": subject}
            for (identity, kind, subject), note in self._notes.items()
            if note is None
        ]
        if dropped:
            connection.change(_DROP, *dropped)
        numbers = tuple({note.identity for note in self.added})
        known = set(connection.column(_IDENTITIES, numbers=numbers)) if numbers else set()
        for key in [key for key, note in self._notes.items() if note is None or key[0] not in known]:
            del self._notes[key]
        connection.insert("inbox", *map(_row, self.added), unless=_REPLACE)
        if self._revised:
            connection.change(_REVISE, *map(_row, self._revised.values()))
        for identity in sorted({note.identity for note in self.added if note.kind is NoteKind.CHALLENGE}):
            row = {"identity": identity, "kind": str(NoteKind.CHALLENGE), "count": MAX_CHALLENGES}
            connection.change(_SHORTEN_CHALLENGES, row)
        for identity in sorted(known):
            connection.change(_SHORTEN, {"identity": identity, "count": MAX_NOTES})


class Inbox:
    """The inboxes in *database*."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def notes(self, identity: int) -> list[InboxNote]:
        """Return the notes of *identity*, the newest first."""
        with self._database.reading() as connection:
            return notes_of(connection, identity)

    def count_new(self, identity: int) -> int:
        """Return the number of the unread notes of *identity*."""
        with self._database.reading() as connection:
            return int(connection.column(_NEW, identity=identity)[0])

    def mark_read(self, identity: int, until: int) -> None:
        """Mark the notes of *identity* up to the instant *until* as read."""
        with self._database.writing() as connection:
            connection.change(_READ, {"identity": identity, "until": until})


def notes_of(connection: Connection, identity: int) -> list[InboxNote]:
    """Return the notes of *identity*, the newest first."""
    return [
        InboxNote(
            row["identity"],
            NoteKind(row["kind"]),
            row["subject"],
            row["at"],
            json.loads(row["facts"]),
            bool(row["is_read"]),
        )
        for row in connection.rows(_LIST, identity=identity)
    ]


def _row(note: InboxNote) -> dict[str, Any]:
    return {
        "identity": note.identity,
        "kind": str(note.kind),
        "subject": note.subject,
        "at": note.at,
        "facts": canonical_json(dict(note.facts)),
        "is_read": note.is_read,
    }
