"""Tables without games: their valid rows in a damaged file, and the tables that are not saved.

Few of these tables have digests. A row of the others is valid if each value fits its column, and if the
people, devices and games that it names are saved.
"""

import hashlib
import json
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from noughts.arena.lobby.shared_lobby import offer_digest
from noughts.arena.people.conduct import BanScope, Conduct
from noughts.arena.people.inbox import NoteKind
from noughts.arena.people.moderation import CaseDecision, ReportReason
from noughts.arena.rooms.room_repository import room_digest
from noughts.arena.seat_names import seat_number
from noughts.arena.store.connections import Connection
from noughts.arena.store.revisions import TABLES
from noughts.arena.store.tables import is_intact

NOT_SAVED: Final[Mapping[str, str]] = {
    "game_identities": "They are written again from the seats of the saved games.",
    "room_people": "They are written again from the seats of the saved rooms.",
    "ratings": "They are computed again from the rated games.",
    "rating_changes": "They are computed again from the rated games.",
    "walls": "The server chooses the games on the wall again.",
    "tournament_running": "The program that plays a tournament writes it again.",
    "sessions": "A device signs in again with its key.",
    "device_requests": "They are valid for two minutes.",
    "used_nonces": "The secret of the login texts is not saved, so none of them works twice.",
    "room_keys": "Their digests cover commands that are not stored. A repeated command has an old version.",
}
"""The tables that are not saved, each with the reason."""

WITH_GAMES: Final = frozenset(
    {
        *("series", "games", "events", "tournaments", "tournament_games"),
        *("identities", "devices", "rated_games"),
        *("people_tournaments", "people_entries", "people_events"),
    }
)
"""The tables with digests over several rows, or with rows that belong together."""

PLAIN: Final = tuple(sorted(TABLES - WITH_GAMES - NOT_SAVED.keys()))
"""The tables that are saved row by row: all others, so that none is forgotten."""

LOGIN: Final = "login"
"""The name of the secret that is not saved: a new one is made."""

KINDS: Final[Mapping[tuple[str, str], type[StrEnum]]] = {
    ("inbox", "kind"): NoteKind,
    ("reports", "reason"): ReportReason,
    ("operator_actions", "decision"): CaseDecision,
    ("bans", "scope"): BanScope,
    ("conduct", "kind"): Conduct,
}
"""The columns with values from a list."""

PEOPLE = frozenset({"identity", "blocked", "reporter", "reported"})
"""The columns with the number of a person with a key."""

LIMIT = 2**63

CHECKS: Final[Mapping[str, Callable[[Mapping[str, Any]], object]]] = {
    "rooms": lambda row: is_intact(row, room_digest),
    "room_visitors": lambda row: re.fullmatch("[0-9a-f]{64}", row["visitor"]),
    "offers": lambda row: is_intact(row, offer_digest),
    "player_pauses": lambda row: row["begun"] <= row["ends"],
    "bans": lambda row: row["ends"] is None or row["since"] <= row["ends"],
    "push_subscriptions": lambda row: row["id"] == hashlib.sha256(row["endpoint"].encode()).hexdigest(),
    "server_secrets": lambda row: re.fullmatch("[0-9a-f]{64}", row["secret"]),
    "room_workers": lambda row: re.fullmatch("[0-9a-f]{16}", row["name"]),
    # Without a description, the rows of two other tables look the same.
    "taken_names": lambda row: not re.fullmatch("[0-9a-f]{16}|[0-9a-f]{64}", row["shape"]),
}
"""Conditions for rows of some tables."""


@dataclass(frozen=True, slots=True)
class PlainColumn:
    """A column, with its type in SQL."""

    name: str
    type: str
    is_needed: bool

    def accepts(self, value: Any) -> bool:
        """Return True if the column may hold *value*. Unreadable letters are surrogates."""
        if value is None:
            return not self.is_needed
        if self.type == "BOOLEAN":
            return value in (0, 1)
        if self.type in ("INTEGER", "BIGINT"):
            return isinstance(value, int) and -LIMIT <= value < LIMIT
        if self.type == "DOUBLE PRECISION":
            return isinstance(value, float)
        length = int((re.findall("[0-9]+", self.type) or [LIMIT])[0])
        return isinstance(value, str) and len(value) <= length and not re.search("[\ud800-\udfff]", value)


@dataclass(frozen=True, slots=True)
class PlainTable:
    """A table that is saved row by row, if the rows are valid."""

    name: str
    columns: tuple[PlainColumn, ...]

    @classmethod
    def of(cls, new: Connection, name: str) -> "PlainTable":
        """Return the table *name* of a *new* database."""
        rows = new.rows(f"PRAGMA table_info({name})")
        columns = (PlainColumn(row["name"], row["type"], bool(row["notnull"])) for row in rows)
        return cls(name, tuple(columns))

    def is_valid(self, row: Mapping[str, Any]) -> bool:
        """Return True if each value of *row* fits its column. Rows of old revisions lack some columns."""
        try:
            return (
                all(column.accepts(row[column.name]) for column in self.columns if column.name in row)
                and all(self._is_known(column, value) for column, value in row.items())
                and bool(CHECKS.get(self.name, bool)(row))
            )
        except (LookupError, ValueError, TypeError, RecursionError):
            return False

    def _is_known(self, column: str, value: Any) -> bool:
        """Return True unless *value* is missing in the list of values of *column*, or is no JSON object."""
        if column == "facts":
            return isinstance(json.loads(value), dict)
        return (self.name, column) not in KINDS or value in tuple(KINDS[self.name, column])


def are_known(row: Mapping[str, Any], people: Collection[int]) -> bool:
    """Return True if *people* has the numbers of all people with keys in *row*."""
    return all(row[column] is None or row[column] in people for column in PEOPLE & row.keys())


@dataclass(frozen=True, slots=True)
class References:
    """The numbers of the people, devices, games, series and tournaments of people that are saved."""

    people: Collection[int]
    devices: Collection[int]
    games: Collection[int]
    series: Collection[int]
    tournaments: Collection[int]

    def checked(self, table: str, row: dict[str, Any]) -> dict[str, Any] | None:
        """Return the valid *row* of *table*, or None if something that it needs is lost.

        A report needs no game, and an entry of a tournament no key.
        """
        if table == "people_entries" and row["identity"] not in self.people:
            return {**row, "identity": None}
        needed, known = [(row.get("device"), self.devices)], row
        if table == "rooms":
            facts = json.loads(row["facts"])
            needed += (facts["game_id"], self.games), (facts["series_id"], self.series)
        elif table == "reports" and row["reason"] == ReportReason.TOURNAMENT:
            needed.append((row["reported"], self.tournaments))
            known = {**row, "reported": None}
        elif table == "reports" and row["game_id"] not in self.games:
            row = {**row, "game_id": None}
        else:
            needed.append((row.get("game_id"), self.games))
        are_saved = all(number is None or number in saved for number, saved in needed)
        return row if are_saved and are_known(known, self.people) else None


def seated_people(room: Mapping[str, Any]) -> set[int]:
    """Return the numbers of the people with keys in the row of a *room*."""
    facts = json.loads(room["facts"])
    if facts["is_closed"]:
        return set()
    numbers = {seat_number(seat[0]) for seat in facts["seats"] if seat}
    return {number for number in numbers if number is not None}


def without_gaps(pauses: Collection[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the rows of *pauses* with 0 ms for each lost one, since rooms count the pauses.

    A number far beyond the others comes from damage.
    """
    lengths, newest = {row["number"]: row["milliseconds"] for row in pauses}, 0
    for number in sorted(lengths):
        if newest < number <= newest + len(lengths):
            newest = number
    return [{"number": at, "milliseconds": lengths.get(at, 0)} for at in range(1, newest + 1)]
