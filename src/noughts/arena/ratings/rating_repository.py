"""Ratings in the database: counting finished games, the present ratings, and their history.

Each finished rated game is one row, written by the transaction that ends the game. The other tables are
computed from these rows in their order, and :meth:`RatingStore.rebuild` computes them again.
"""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from noughts.arena.digest import canonical_json
from noughts.arena.ratings.fairness import rated_game_of
from noughts.arena.ratings.glicko import PROVISIONAL, GlickoRating
from noughts.arena.ratings.models import (
    UNRATED,
    PersonRating,
    RatedGame,
    RatedPlayer,
    RatingChange,
    RatingKey,
    Speed,
    changes_of,
    keys_of,
)
from noughts.arena.store.connections import Connection, DatabaseLock, Row
from noughts.arena.store.database import Database
from noughts.arena.store.store import OnDamage
from noughts.arena.store.tables import rated_digest
from noughts.arena.stored_game import PUBLIC, StoredGame
from noughts.errors import DamagedStore

CHUNK = 2_000
"""The number of rated games that are read at once."""

LISTED = 100
"""The maximum number of people in a list of the best."""

# The names of people in rated games are never given to others.
_MARK = "UPDATE game_identities SET rated = TRUE WHERE game_id = :game"
_LAST = "SELECT number, at FROM rated_games ORDER BY number DESC LIMIT 1"
_PRESENT = (
    "SELECT identity, game, speed, rating, deviation, volatility, at, wins, draws, losses FROM ratings"
    " WHERE (identity, game, speed) IN (VALUES :keys)"
)
_OF_PERSON = (
    "SELECT identity, game, speed, rating, deviation, volatility, at, wins, draws, losses FROM ratings"
    " WHERE identity = :identity ORDER BY game, speed"
)
_BEST = (
    "SELECT identity, game, speed, rating, deviation, volatility, at, wins, draws, losses, name FROM ratings"
    " JOIN identities ON identities.number = identity"
    " WHERE game = :game AND speed = :speed AND deviation <= :sure AND is_bot = :is_bot"
    " ORDER BY rating DESC, identity LIMIT :count"
)
_PLAYED = "SELECT DISTINCT game, speed FROM ratings ORDER BY game, speed"
_COUNTED = (
    "SELECT number, game_id, rated_games.at, rated_games.game, speed, players, half_points,"
    " rated_games.digest, games.digest AS sealed FROM rated_games LEFT JOIN games ON games.id = game_id"
    " WHERE number > :after ORDER BY number LIMIT :count"
)
_HISTORY = (
    "SELECT rated_games.number, game_id, rated_games.at, rated_games.game, speed, players, half_points,"
    " rating_before, deviation_before, rating, deviation, visibility FROM rating_changes"
    " JOIN rated_games ON rated_games.number = rating_changes.number JOIN games ON games.id = game_id"
    " WHERE identity = :identity AND rated_games.number < :before"
)
_OF_GAME = (
    "SELECT identity, rating_before, deviation_before, rating, deviation FROM rating_changes"
    " JOIN rated_games ON rated_games.number = rating_changes.number WHERE game_id = :game"
)
_REPLACE = "ON CONFLICT (identity, game, speed) DO UPDATE SET " + ", ".join(
    f"{name} = excluded.{name}"
    for name in ("rating", "deviation", "volatility", "at", "wins", "draws", "losses")
)

FIRST_NUMBER, LAST_NUMBER = 0, 2**31 - 1


@dataclass(frozen=True, slots=True)
class Ranked:
    """A person in a list of the best: the ``rating`` with its present deviation."""

    identity: int
    name: str | None
    rating: PersonRating
    now: GlickoRating


@dataclass(frozen=True, slots=True)
class RatedResult:
    """A rated game from the point of view of one person.

    ``number`` is its place in the order of counting. ``is_public`` is False for a game that only people with
    its link may see.
    """

    number: int
    game_id: int
    at: int
    game: str
    speed: Speed
    opponent: RatedPlayer
    points: float
    before: GlickoRating
    after: GlickoRating
    is_public: bool


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """The result of a rebuild: the numbers of counted games and of ratings."""

    games: int
    ratings: int


class RatingStore:
    """The ratings in *database*."""

    def __init__(self, database: Database) -> None:
        self._database = database

    # Counting

    def count(self, connection: Connection, stored: StoredGame, at: int) -> bool:
        """Count the finished game *stored* within the transaction that ends it, at the instant *at*.

        Return False if the game was counted already, or changes no rating.
        """
        connection.lock(DatabaseLock.RATINGS)
        last = connection.row(_LAST)
        number, latest = (0, 0) if last is None else (last["number"], last["at"])
        game = rated_game_of(stored, max(at, latest))
        if game is None:
            return False
        keys = keys_of(game)
        before = dict(map(_read, connection.rows(_PRESENT, keys=keys)))
        row = _row(number + 1, game, stored.digest)
        if not connection.insert("rated_games", row, unless="ON CONFLICT (game_id) DO NOTHING"):
            return False
        people = tuple(key[0] for key in keys)
        known = set(
            connection.column("SELECT number FROM identities WHERE number IN (:people)", people=people)
        )
        # A player may have been forgotten during the game.
        changes = [one for one in changes_of(game, before) if one.key[0] in known]
        connection.insert("ratings", *(_rating_row(one.key, one.after) for one in changes), unless=_REPLACE)
        connection.insert("rating_changes", *(_change_row(number + 1, one) for one in changes))
        connection.change(_MARK, {"game": stored.id})
        return True

    def rebuild(self, on_damage: OnDamage | None = None) -> Rebuilt:
        """Compute all ratings again from the rated games, and return their numbers.

        *on_damage* is called with the error of each damaged game, which then counts for nothing. Without it
        the first error is raised, and nothing changes. Games may end meanwhile: only the last of them are
        read by the transaction that writes.
        """
        ratings: dict[RatingKey, PersonRating] = {}
        changes: list[dict[str, Any]] = []
        with self._database.reading() as connection:
            counted, last = self._recount(connection, FIRST_NUMBER, ratings, changes, on_damage)
        with self._database.writing() as connection:
            connection.lock(DatabaseLock.RATINGS)
            counted += self._recount(connection, last, ratings, changes, on_damage)[0]
            known = set(connection.column("SELECT number FROM identities"))
            present = {key: rating for key, rating in ratings.items() if key[0] in known}
            for table in ("rating_changes", "ratings"):
                connection.change(f"DELETE FROM {table}")  # noqa: S608 - names of ours
            connection.insert("ratings", *(_rating_row(key, rating) for key, rating in present.items()))
            connection.insert("rating_changes", *(row for row in changes if row["identity"] in known))
        return Rebuilt(counted, len(present))

    def _recount(
        self,
        connection: Connection,
        after: int,
        ratings: dict[RatingKey, PersonRating],
        changes: list[dict[str, Any]],
        on_damage: OnDamage | None,
    ) -> tuple[int, int]:
        """Count the rated games after number *after*. Return the number of games, and the last number."""
        games = 0
        while rows := connection.rows(_COUNTED, after=after, count=CHUNK):
            for row in rows:
                try:
                    game = _read_game(row, self._database.where)
                except DamagedStore as damage:
                    if on_damage is None:
                        raise
                    on_damage(damage)
                    continue
                games += 1
                for change in changes_of(game, ratings):
                    ratings[change.key] = change.after
                    changes.append(_change_row(row["number"], change))
            after = rows[-1]["number"]
        return games, after

    # Queries

    def ratings_of(
        self, identities: Collection[int], game: str, speed: Speed, within: Connection | None = None
    ) -> dict[int, PersonRating]:
        """Return the rating of each of *identities* in *game* at *speed*. People without games have 1500."""
        keys = tuple((identity, game, speed) for identity in identities)
        with self._database.reading(within) as connection:
            found = dict(map(_read, connection.rows(_PRESENT, keys=keys))) if keys else {}
        return {key[0]: found.get(key, UNRATED) for key in keys}

    def ratings_of_person(self, identity: int) -> dict[tuple[str, Speed], PersonRating]:
        """Return all ratings of *identity* by game and speed."""
        with self._database.reading() as connection:
            rows = connection.rows(_OF_PERSON, identity=identity)
        return {key[1:]: rating for key, rating in map(_read, rows)}

    def best(
        self, game: str, speed: Speed, at: int, *, are_bots: bool = False, count: int = LISTED
    ) -> list[Ranked]:
        """Return the people, or the bots, with the best ratings in *game*, without provisional ones.

        Deviations are those at the instant *at*.
        """
        values = {"game": game, "speed": speed, "sure": PROVISIONAL, "is_bot": are_bots, "count": count}
        with self._database.reading() as connection:
            rows = connection.rows(_BEST, **values)
        found = [(row["name"], *_read(row)) for row in rows]
        ranked = [Ranked(key[0], name, rating, rating.now(at)) for name, key, rating in found]
        return [one for one in ranked if not one.now.is_provisional]

    def lists(self, at: int, *, are_bots: bool = False) -> list[tuple[str, Speed, list[Ranked]]]:
        """Return all lists of the best that are not empty, by game and speed."""
        known = [(*key, self.best(*key, at, are_bots=are_bots)) for key in self.played()]
        return [one for one in known if one[-1]]

    def played(self) -> list[tuple[str, Speed]]:
        """Return the games and speeds with ratings."""
        with self._database.reading() as connection:
            return [(row["game"], Speed(row["speed"])) for row in connection.rows(_PLAYED)]

    def history(
        self,
        identity: int,
        game: str | None = None,
        speed: Speed | None = None,
        *,
        before: int = LAST_NUMBER,
        count: int | None = None,
    ) -> list[RatedResult]:
        """Return the rated games of *identity*, newest first, below the number *before*.

        *game* and *speed* select some of them. At most *count* are returned.
        """
        query = _HISTORY
        query += "" if game is None else " AND rated_games.game = :game"
        query += "" if speed is None else " AND speed = :speed"
        query += " ORDER BY rated_games.number DESC" + ("" if count is None else " LIMIT :count")
        values = {"identity": identity, "game": game, "speed": speed, "before": before, "count": count}
        with self._database.reading() as connection:
            rows = connection.rows(
                query, **{name: value for name, value in values.items() if value is not None}
            )
        return [_read_result(row, identity) for row in rows]

    def counted(self, games: Collection[int]) -> set[int]:
        """Return those of *games* that changed ratings."""
        query = "SELECT game_id FROM rated_games WHERE game_id IN (:games)"
        with self._database.reading() as connection:
            return set(connection.column(query, games=tuple(games)))

    def changes_in(self, game: int) -> dict[int, tuple[GlickoRating, GlickoRating]]:
        """Return the ratings before and after the *game* with that number, by identity.

        Empty for a game that was not counted.
        """
        with self._database.reading() as connection:
            rows = connection.rows(_OF_GAME, game=game)
        return {row["identity"]: _both(row) for row in rows}


def _row(number: int, game: RatedGame, sealed: str) -> dict[str, Any]:
    """Return the row of *game*. Its digest also covers *sealed*, the digest of the stored game."""
    row = {
        "number": number,
        "game_id": game.game_id,
        "at": game.at,
        "game": game.game,
        "speed": str(game.speed),
        "players": canonical_json(list(game.players)),
        "half_points": round(2 * game.points),
    }
    return {**row, "digest": rated_digest(row, sealed)}


def _read_game(row: Row, where: str) -> RatedGame:
    """Return the rated game in *row*.

    Raises :class:`~noughts.errors.DamagedStore` unless its digest fits the row and the stored game.
    """
    try:
        if row["digest"] == rated_digest(row, row["sealed"]):
            one, two = json.loads(row["players"])
            points = row["half_points"] / 2
            return RatedGame(row["game_id"], row["game"], Speed(row["speed"]), (one, two), points, row["at"])
    except (ValueError, TypeError) as error:
        raise DamagedStore(where, "game-unreadable", game=row["game_id"]) from error
    raise DamagedStore(where, "game-altered", game=row["game_id"])


def _rating_row(key: RatingKey, rating: PersonRating) -> dict[str, Any]:
    identity, game, speed = key
    return {
        "identity": identity,
        "game": game,
        "speed": str(speed),
        "rating": rating.rating.value,
        "deviation": rating.rating.deviation,
        "volatility": rating.rating.volatility,
        "at": rating.at,
        "wins": rating.wins,
        "draws": rating.draws,
        "losses": rating.losses,
    }


def _read(row: Row) -> tuple[RatingKey, PersonRating]:
    rating = GlickoRating(row["rating"], row["deviation"], row["volatility"])
    counted = row["at"], row["wins"], row["draws"], row["losses"]
    return (row["identity"], row["game"], Speed(row["speed"])), PersonRating(rating, *counted)


def _change_row(number: int, change: RatingChange) -> dict[str, Any]:
    return {
        "number": number,
        "identity": change.key[0],
        "rating_before": change.before.value,
        "deviation_before": change.before.deviation,
        "rating": change.after.rating.value,
        "deviation": change.after.rating.deviation,
    }


def _both(row: Row) -> tuple[GlickoRating, GlickoRating]:
    """Return the ratings before and after a game. The history has no volatilities."""
    return (
        GlickoRating(row["rating_before"], row["deviation_before"]),
        GlickoRating(row["rating"], row["deviation"]),
    )


def _read_result(row: Row, identity: int) -> RatedResult:
    players: Sequence[RatedPlayer] = json.loads(row["players"])
    place = players.index(identity)
    points = row["half_points"] / 2
    before, after = _both(row)
    return RatedResult(
        row["number"],
        row["game_id"],
        row["at"],
        row["game"],
        Speed(row["speed"]),
        players[1 - place],
        1 - points if place else points,
        before,
        after,
        row["visibility"] == PUBLIC,
    )
