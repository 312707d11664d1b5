"""The tables of the lasting store, and how values become rows and rows values."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Row,
    Select,
    String,
    Table,
    Text,
    select,
)

from noughts.arena.clock import Clock
from noughts.arena.match import Event, EventKind
from noughts.arena.series import Begins
from noughts.arena.store.store import SeriesSetup, Setup, canonical_json, digest_of, digest_setup

VERSION_TABLE = "noughts_version"
"""Where the revision of the schema stands. The name also says whose database this is."""

metadata = MetaData()

series_table = Table(
    "series",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("created", BigInteger, nullable=False),
    Column("game", Text, nullable=False),
    Column("players", Text, nullable=False),
    Column("begins", Text, nullable=False),
    Column("ended", Boolean, nullable=False),
    Column("games", Integer, nullable=False),
    Column("digest", String(64), nullable=False),
)

# There is no index on series_id: what an index has lost is not missed by any check of the file.
games_table = Table(
    "games",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("created", BigInteger, nullable=False),
    Column("game", Text, nullable=False),
    Column("start", Text),
    Column("seats", Text, nullable=False),
    Column("clock", Text, nullable=False),
    Column("who", Text, nullable=False),
    Column("series_id", Integer, ForeignKey("series.id")),
    Column("digest", String(64), nullable=False),
    Column("opening", Text),
)

events_table = Table(
    "events",
    metadata,
    Column("game_id", Integer, ForeignKey("games.id"), primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
    Column("kind", Text, nullable=False),
    Column("side", Text),
    Column("data", Text, nullable=False),
    sqlite_with_rowid=False,
)

# What the rooms are found by is written with them, and what is read of a room is checked by its digest.
rooms_table = Table(
    "rooms",
    metadata,
    Column("name", String(32), primary_key=True),
    Column("version", Integer, nullable=False),
    Column("due", BigInteger, nullable=False),
    Column("code", String(6)),
    Column("is_computer_awaited", Boolean, nullable=False),
    Column("facts", Text, nullable=False),
    Column("digest", String(64), nullable=False),
    Index("rooms_due", "due"),
    Index("rooms_code", "code", unique=True),
)

room_keys_table = Table(
    "room_keys",
    metadata,
    Column("room", String(32), ForeignKey("rooms.name"), primary_key=True),
    Column("place", Integer, primary_key=True, autoincrement=False),
    Column("key", String(64), primary_key=True),
    Column("version", Integer, nullable=False),
    Column("digest", String(64), nullable=False),
    sqlite_with_rowid=False,
)

room_workers_table = Table(
    "room_workers",
    metadata,
    Column("name", String(32), primary_key=True),
    Column("seen", BigInteger, nullable=False),
)

version_table = Table(VERSION_TABLE, MetaData(), Column("version_num", String(32)))


# Rows: text columns that hold JSON hold ASCII, so that any name fits any database.


def game_row(setup: Setup) -> dict[str, Any]:
    """What the table of games holds of *setup*."""
    return {
        "created": setup.created,
        "game": setup.game,
        "start": setup.start,
        "seats": canonical_json(list(setup.seats.items())),
        "clock": canonical_json(asdict(setup.clock)),
        "who": canonical_json(dict(setup.who)),
        "series_id": setup.series,
        "opening": setup.opening,
    }


def read_setup(row: Row[Any]) -> Setup:
    """The setup that *row* was made from. Raises ValueError or TypeError for what no setup gives."""
    seats, clock = dict(json.loads(row.seats)), Clock(**json.loads(row.clock))
    who = json.loads(row.who)
    return Setup(row.game, seats, row.start, clock, row.series_id, row.created, who, row.opening)


def first_digest(number: int, setup: Setup) -> str:
    """The digest of a game without events: its number is part of it, so games cannot change places."""
    return digest_of([number, digest_setup(setup)])


def event_row(game: int, event: Event) -> dict[str, Any]:
    """What the table of events holds of *event*. Its data must be what JSON can say."""
    return {
        "game_id": game,
        "version": event.version,
        "at": event.at,
        "kind": str(event.kind),
        "side": event.side,
        "data": canonical_json(dict(event.data)),
    }


def read_event(row: Row[Any]) -> Event:
    """The event that *row* was made from. Raises ValueError or TypeError for what no event gives."""
    return Event(row.version, row.at, EventKind(row.kind), row.side, json.loads(row.data))


def with_events(query: Select[Any]) -> Select[Any]:
    """The games of *query* with a row for each event, in one statement: both as they were at one time."""
    games = query.subquery("chosen")
    events = [column for column in events_table.c if column.name != "game_id"]
    joined = games.outerjoin(events_table, events_table.c.game_id == games.c.id)
    return select(games, *events).select_from(joined).order_by(games.c.id, events_table.c.version)


def series_row(setup: SeriesSetup) -> dict[str, Any]:
    """What the table of series holds of a new series."""
    return {
        "created": setup.created,
        "game": setup.game,
        "players": canonical_json(list(setup.players)),
        "begins": str(setup.begins),
        "ended": False,
        "games": 0,
    }


def read_series(row: Mapping[str, Any]) -> SeriesSetup:
    """The setup that *row* was made from."""
    players = tuple(json.loads(row["players"]))
    return SeriesSetup(row["game"], players, Begins(row["begins"]), row["created"])


def series_digest(row: Mapping[str, Any]) -> str:
    """The digest over everything else in *row*."""
    return digest_of([row[column.name] for column in series_table.c if column.name != "digest"])
