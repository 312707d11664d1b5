"""Tournaments in the database: each has a row, and each game of it that has ended is saved once."""

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from noughts.arena.digest import canonical_json
from noughts.arena.events import Event
from noughts.arena.setup import Setup
from noughts.arena.store.connections import Connection, Row
from noughts.arena.store.database import MAX_ID, Database
from noughts.arena.store.store import OnDamage
from noughts.arena.store.tables import is_intact, pairing_digest, tournament_digest
from noughts.arena.stored_game import StoredGame
from noughts.arena.tournament.plan import TournamentPlan
from noughts.errors import DamagedStore, NotFound

_READ = "SELECT id, created, name, plan, openings, digest FROM tournaments "
_FIND = _READ + "WHERE name = :name"
_UNLESS_KEPT = "ON CONFLICT (name) DO NOTHING"
_LOAD = _READ + "WHERE id = :id"
_NEWEST = _READ + "ORDER BY id DESC LIMIT :count"
_COUNT = "SELECT COUNT(*) AS number FROM tournament_games WHERE tournament_id = :id"
_LOCK = "SELECT id FROM tournaments WHERE id = :id FOR UPDATE"
_KEPT = (
    "SELECT tournament_id, number, game_id, digest FROM tournament_games"
    " WHERE tournament_id = :id ORDER BY number"
)
_THERE = "SELECT number FROM tournament_games WHERE tournament_id = :id AND number IN (:numbers)"
_OF_GAME = "SELECT tournament_id FROM tournament_games WHERE game_id = :id"

Openings = Mapping[str, Sequence[Sequence[str]]]
"""The moves of the openings of each game, in the order of laps."""


OnDamagedGame = Callable[[int, DamagedStore], object]
"""Called with the number and the error of an unreadable game, so that the rest can still be read."""


@dataclass(frozen=True, slots=True)
class StoredTournament:
    """A tournament at its beginning: its number in the store, its creation time, its plan and openings."""

    number: int
    created: int
    plan: TournamentPlan
    openings: Openings


@dataclass(frozen=True, slots=True)
class EndedGame:
    """A game of a tournament that has ended: its number in the tournament, its setup, its events."""

    number: int
    setup: Setup
    events: Sequence[Event]


class Tournaments:
    """The tournaments in *database*."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def begin(
        self, name: str, facts: Mapping[str, Any], openings: Openings, created: int
    ) -> StoredTournament:
        """Save a new tournament and return it. *name* and *facts* are those of its plan.

        If another program has begun the same tournament at the same moment, return that one.
        """
        row = {
            "created": created,
            "name": name,
            "plan": canonical_json(facts),
            "openings": canonical_json(openings),
        }
        with self.database.writing() as connection:
            connection.insert("tournaments", {**row, "digest": tournament_digest(row)}, unless=_UNLESS_KEPT)
            stored = connection.row(_FIND, name=name)
        assert stored is not None  # noqa: S101 - it was written just now
        return self._read(stored)

    def find(self, name: str) -> StoredTournament | None:
        """Return the tournament with the plan of this *name*, or None.

        Raises :class:`~noughts.errors.DamagedStore`.
        """
        with self.database.reading() as connection:
            row = connection.row(_FIND, name=name)
        return None if row is None else self._read(row)

    def load(self, number: int) -> StoredTournament:
        """Return the tournament of this *number*.

        Raises :class:`~noughts.errors.NotFound` and :class:`~noughts.errors.DamagedStore`.
        """
        with self.database.reading() as connection:
            row = connection.row(_LOAD, id=number) if 0 < number <= MAX_ID else None
        if row is None:
            raise NotFound("tournament", number)
        return self._read(row)

    def newest(self, count: int, on_damage: OnDamage) -> Iterator[StoredTournament]:
        """Yield the newest tournaments, *count* at most. Call *on_damage* with the errors of damaged ones."""
        with self.database.reading() as connection:
            rows = connection.rows(_NEWEST, count=count)
        for row in rows:
            try:
                yield self._read(row)
            except DamagedStore as damage:
                on_damage(damage)

    def count_games(self, tournament: int) -> int:
        """Return the number of games of a tournament that have ended."""
        with self.database.reading() as connection:
            (count,) = connection.column(_COUNT, id=tournament)
        return int(count)

    def of_game(self, id_: int) -> int | None:
        """Return the number of the tournament in which the game *id_* of the store was played, or None."""
        with self.database.reading() as connection:
            return next(iter(connection.column(_OF_GAME, id=id_)), None)

    def _read(self, row: Row) -> StoredTournament:
        with suppress(LookupError, ValueError, TypeError, AttributeError, RecursionError):
            plan, openings = TournamentPlan.of(json.loads(row["plan"])), json.loads(row["openings"])
            if is_intact(row, tournament_digest):
                return StoredTournament(row["id"], row["created"], plan, openings)
        raise DamagedStore(self.database.where, "tournament-altered", tournament=row["id"])

    def save(self, tournament: int, games: Iterable[EndedGame]) -> dict[int, int]:
        """Save *games*, all or none, and return their numbers in the store by those in the tournament.

        Games that another program has already saved for the same tournament are omitted.
        """
        wanted = {game.number: game for game in games}
        with self.database.writing() as connection:
            connection.rows(_LOCK, id=tournament)  # other programs that save its games wait
            saved = set(connection.column(_THERE, id=tournament, numbers=tuple(wanted)))
            return {
                number: self._save(connection, tournament, game)
                for number, game in wanted.items()
                if number not in saved
            }

    def _save(self, connection: Connection, tournament: int, game: EndedGame) -> int:
        number, digest = self.database.begin_game(game.setup, connection, events=game.events)
        row = {"tournament_id": tournament, "number": game.number, "game_id": number}
        connection.insert("tournament_games", {**row, "digest": pairing_digest(row, digest)})
        return number

    def games(
        self,
        tournament: int,
        numbers: Collection[int] | None = None,
        *,
        without: Collection[int] = (),
        on_damage: OnDamagedGame | None = None,
    ) -> Iterator[tuple[int, StoredGame]]:
        """Yield the finished games of a tournament by number, or only those of *numbers*.

        Numbers in *without* are skipped. *on_damage* is called with the error of each damaged game, and the
        others follow. Without it :class:`~noughts.errors.DamagedStore` is raised.
        """
        with self.database.reading() as connection:
            rows = connection.rows(_KEPT, id=tournament)
        for row in rows:
            number = row["number"]
            if number in without or (numbers is not None and number not in numbers):
                continue
            try:
                stored = self._game(row)
            except DamagedStore as damage:
                if on_damage is None:
                    raise
                on_damage(number, damage)
            else:
                yield number, stored

    def _game(self, row: Row) -> StoredGame:
        """Return the game in *row* of the tournament."""
        try:
            stored = self.database.load(row["game_id"])
            is_intact = row["digest"] == pairing_digest(row, stored.digest)
        except NotFound:
            raise DamagedStore(self.database.where, "game-missing", game=row["game_id"]) from None
        except TypeError:  # a damaged number
            is_intact = False
        if not is_intact:
            raise DamagedStore(self.database.where, "pairing-altered", number=row["number"])
        return stored
