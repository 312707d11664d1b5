"""The rows of the database: conversion of values to rows and back."""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

from noughts.arena.clock import Clock
from noughts.arena.digest import canonical_json, digest_of
from noughts.arena.events import Event
from noughts.arena.seat_names import seat_number
from noughts.arena.series import Begins
from noughts.arena.setup import ONLINE, TOURNAMENT, SeriesSetup, Setup
from noughts.arena.store.connections import Row
from noughts.arena.stored_game import BY_LINK, PUBLIC, Access

OLD_FORM, FORM = 1, 2
"""The versions of the rows of games. In the old one ``who`` also had the origin, and if the game counts."""

# JSON columns hold ASCII, so that any database can store any name.


def game_row(setup: Setup) -> dict[str, Any]:
    """Return the row of *setup* in the table of games."""
    return {
        "created": setup.created,
        "game": setup.game,
        "start": setup.start,
        "seats": canonical_json(list(setup.seats.items())),
        "clock": canonical_json(asdict(setup.clock)),
        "who": canonical_json(dict(setup.who if setup.old_who is None else setup.old_who)),
        "series_id": setup.series,
        "opening": setup.opening,
        "origin": setup.origin,
        "counted": setup.is_counted,
        "form": OLD_FORM if setup.old_who is not None else FORM,
        "visibility": PUBLIC if setup.origin == TOURNAMENT else BY_LINK,
    }


def identity_rows(game: int, setup: Setup) -> list[dict[str, Any]]:
    """Return the rows of the people with keys in an online *game*. Other games have none."""
    numbers = {side: seat_number(name) for side, name in setup.seats.items()}
    return [
        {"game_id": game, "side": side, "identity": number, "rated": False}
        for side, number in numbers.items()
        if number is not None and setup.origin == ONLINE
    ]


def read_setup(row: Row) -> Setup:
    """Return the setup in *row*. Raises ``ValueError`` or ``TypeError`` if the row has none."""
    facts = {name: row[name] for name in ("game", "start", "created", "opening")}
    facts |= {"seats": dict(json.loads(row["seats"])), "clock": Clock(**json.loads(row["clock"]))}
    facts["series"], who = row["series_id"], dict(json.loads(row["who"]))
    if row["form"] == OLD_FORM:
        return Setup.of_earlier_version(who, **facts)
    return Setup(**facts, who=who, origin=row["origin"], is_counted=bool(row["counted"]))


def read_access(row: Row | Mapping[str, Any]) -> Access:
    """Return the visibility of the game in *row*."""
    return Access(row["visibility"], row["link"])


def event_row(game: int, event: Event) -> dict[str, Any]:
    """Return the row of *event* in the table of events. Its data must be valid JSON."""
    return {
        "game_id": game,
        "version": event.version,
        "at": event.at,
        "kind": str(event.kind),
        "side": event.side,
        "data": canonical_json(dict(event.data)),
    }


def read_event(row: Row) -> Event:
    """Return the event in *row*. Raises ``ValueError`` or ``TypeError`` if the row has none."""
    return Event.of(row["version"], row["at"], row["kind"], row["side"], json.loads(row["data"]))


def series_row(setup: SeriesSetup) -> dict[str, Any]:
    """Return the row of a new series."""
    return {
        "created": setup.created,
        "game": setup.game,
        "players": canonical_json(list(setup.players)),
        "begins": str(setup.begins),
        "ended": False,
        "games": 0,
    }


def read_series(row: Row) -> SeriesSetup:
    """Return the setup of the series in *row*."""
    players = tuple(json.loads(row["players"]))
    return SeriesSetup(row["game"], players, Begins(row["begins"]), row["created"])


def series_digest(row: Row) -> str:
    """Return the digest over all other columns of *row*."""
    facts = [row[name] for name in ("id", "created", "game", "players", "begins")]
    return digest_of([*facts, bool(row["ended"]), row["games"]])


def is_intact(row: Row | Mapping[str, Any], digest: Callable[[Any], str]) -> bool:
    """Return True if *row* has the *digest* of its content."""
    try:
        return bool(row["digest"] == digest(row))
    except (LookupError, ValueError, TypeError):
        return False


def tournament_digest(row: Row | Mapping[str, Any]) -> str:
    """Return the digest over all other columns of the *row* of a tournament except its number."""
    return digest_of([row[name] for name in ("created", "name", "plan", "openings")])


def rated_digest(row: Row | Mapping[str, Any], game: str) -> str:
    """Return the digest of the *row* of a rated game. *game* is the digest of the stored game."""
    names = ("game_id", "at", "game", "speed", "players", "half_points")
    return digest_of([*(row[name] for name in names), game])


def pairing_digest(row: Row | Mapping[str, Any], game: str) -> str:
    """Return the digest of the *row* that links a game to a tournament. *game* is the digest of the game."""
    return digest_of([*(row[name] for name in ("tournament_id", "number", "game_id")), game])


def identity_digest(row: Row | Mapping[str, Any]) -> str:
    """Return the digest over all other columns of the *row* of a person with a key."""
    texts = ("number", "key", "name", "folded_name", "shape", "created", "renamed", "seen", "words_checked")
    return digest_of([*(row[name] for name in texts), row["asked_by"], bool(row["is_bot"])])


def device_digest(row: Row | Mapping[str, Any]) -> str:
    """Return the digest over all other columns of the *row* of a device."""
    return digest_of([row[name] for name in ("number", "identity", "key", "label", "created", "seen")])


def session_digest(row: Row | Mapping[str, Any]) -> str:
    """Return the digest over all other columns of the *row* of a session."""
    return digest_of([row[name] for name in ("token", "device", "expires")])
