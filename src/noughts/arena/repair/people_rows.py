"""The intact tournaments of people in a damaged file."""

import json
from collections import Counter
from typing import Any, Final

from noughts.arena.repair.damaged_file import readable
from noughts.arena.store.connections import Connection
from noughts.arena.store.tables import is_intact
from noughts.arena.tournament.people import PeopleEvent, PeopleTournament
from noughts.arena.tournament.people_repository import (
    KEPT_MS,
    PersonEntered,
    entry_digest,
    entry_row,
    first_people_digest,
    next_people_digest,
    read_people_terms,
)

PEOPLE_TOURNAMENTS: Final = ("people_tournaments", "people_entries", "people_events")
"""The tables of tournaments of people, the tournaments first."""

Rows = list[dict[str, Any]]


def intact_people_tournaments(connection: Connection, damaged: Counter[str]) -> dict[str, Rows]:
    """Return the rows of intact tournaments by table. Count damaged tournaments and entries.

    A damaged entry loses its name and its secret, as old ones do, and the tournament stays.
    """
    found: dict[str, Rows] = {table: [] for table in PEOPLE_TOURNAMENTS}
    for row in readable(connection, "people_tournaments", "rowid"):
        try:
            events = [*readable(connection, "people_events", "version", f"tournament_id = {int(row['id'])}")]
            tournament = _checked(row, events)
        except (LookupError, ValueError, TypeError, AttributeError, RecursionError):
            damaged["people_tournaments"] += 1
            continue
        entries = {
            entry["number"]: entry
            for entry in readable(connection, "people_entries", "number", f"tournament_id = {row['id']}")
            if is_intact(entry, entry_digest)
        }
        for number in tournament.entries.keys() - entries.keys():
            entries[number] = entry_row(row["id"], number, PersonEntered("", ""))
            damaged["people_entries"] += 1
        # The digest does not cover these columns.
        facts = {"version": tournament.version, "is_over": tournament.ended is not None}
        forget = None if row["forget"] is None else row["created"] + KEPT_MS
        found["people_tournaments"].append({**row, **facts, "forget": forget})
        found["people_events"] += events
        found["people_entries"] += (entries[number] for number in tournament.entries)
    return found


def _checked(row: dict[str, Any], events: Rows) -> PeopleTournament:
    """Return the tournament in *row* after *events*. Raises ``ValueError`` and others if it is damaged."""
    tournament, digest = PeopleTournament(read_people_terms(row["terms"])), first_people_digest(row)
    for one in events:
        event = PeopleEvent(one["version"], one["at"], one["kind"], json.loads(one["data"]))
        digest = next_people_digest(digest, event)
        tournament.apply_event(event)
    if digest != row["digest"]:
        raise ValueError("its digest is another")
    return tournament
