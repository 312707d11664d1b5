"""Saving the intact part of a damaged file to a new one.

A game is intact if its digest matches. Only the game itself can produce it, so no game is saved that was not
played. Rows that SQLite cannot read are skipped one by one.
"""

import re
import sqlite3
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from noughts.arena.digest import digest_events, first_digest
from noughts.arena.setup import TOURNAMENT
from noughts.arena.store.connections import Connection, Pool, Row
from noughts.arena.store.database import Database, translated_errors
from noughts.arena.store.revisions import TABLES, VERSION_TABLE, bring_up_to_date, revision_of
from noughts.arena.store.sqlite_file import copied, create, memory_pool
from noughts.arena.store.sqlite_pages import Column, TableShape, find_roots
from noughts.arena.store.tables import (
    OLD_FORM,
    device_digest,
    event_row,
    game_row,
    identity_digest,
    identity_rows,
    is_intact,
    pairing_digest,
    rated_digest,
    series_digest,
    tournament_digest,
)
from noughts.arena.stored_game import PUBLIC, StoredGame
from noughts.errors import DamagedStore, FileRefused, StoreError

MAX_SKIPPED = 20_000
"""The maximum number of unreadable numbers in a row, after which the search ends."""

UNREADABLE = (sqlite3.DatabaseError, UnicodeDecodeError)
"""The errors of reading damaged data. The second is raised if SQLite cannot even name the damage."""

SAVED = (
    "series",
    "games",
    "events",
    "tournaments",
    "tournament_games",
    "identities",
    "devices",
    "rated_games",
)
"""The tables with rows to save."""

_TEXT = "SELECT sql FROM sqlite_schema WHERE name = :table"

_INDEXED = r"(number BIGINT [^;]*),\s*PRIMARY KEY \(number\)"
"""The text of a table whose numbers have an index: they are too great for the number of a row."""

_EVENTS = "SELECT * FROM events WHERE game_id = :id ORDER BY version"


@dataclass(frozen=True, slots=True)
class RepairReport:
    """The numbers of games and series that were saved, and the ids of lost games, series and tournaments.

    ``lost_pairings`` are the ids of saved games of tournaments without their places in the tournaments.
    """

    games: int
    series: int
    lost_games: tuple[int, ...] = ()
    lost_series: tuple[int, ...] = ()
    lost_tournaments: tuple[int, ...] = ()
    lost_pairings: tuple[int, ...] = ()


def repair(old: Path, new: Path) -> RepairReport:
    """Save the intact part of the file *old* to the file *new*, which is not created if nothing is intact.

    Numbers do not change. A game of a lost series is saved without a series. Nothing is written to *old*.
    Raises :class:`~noughts.errors.FileRefused` if *new* exists, or has no folder. Raises
    :class:`~noughts.errors.StoreError` if one of the files cannot be used: *old* is not a file, or it belongs
    to a newer version or another program.
    """
    if new.exists() or not new.parent.is_dir():
        raise FileRefused(str(new), "exists" if new.exists() else "not-there")
    with translated_errors(str(old)):
        intact = _find_intact(old)
    if intact.games or intact.series:
        with translated_errors(str(new)):
            create(new, lambda pool: _write(pool, str(new), intact))
    paired = {row["game_id"] for row in intact.pairings}
    alone = [game.id for game in intact.games if game.setup.origin == TOURNAMENT and game.id not in paired]
    return RepairReport(
        len(intact.games),
        len(intact.series),
        tuple(sorted(intact.lost_games)),
        tuple(sorted(intact.lost_series)),
        tuple(sorted(intact.lost_tournaments)),
        tuple(alone),
    )


@dataclass(slots=True)
class _Found:
    """The intact games, series, tournaments and pairings of a file, and the ids of lost ones."""

    games: list[StoredGame]
    series: dict[int, dict[str, Any]]
    tournaments: list[dict[str, Any]]
    pairings: list[dict[str, Any]]
    people: list[dict[str, Any]]
    devices: list[dict[str, Any]]
    rated: list[dict[str, Any]]
    lost_games: set[int]
    lost_series: set[int]
    lost_tournaments: set[int]

    @property
    def amount(self) -> tuple[int, ...]:
        """The numbers of intact rows, for comparison."""
        tournaments = len(self.tournaments), len(self.pairings)
        people = len(self.people), len(self.devices), len(self.rated)
        return len(self.games), len(self.series), *tournaments, *people

    def add_losses(self, other: "_Found") -> None:
        """Add the lost ids that only *other* has found.

        They are meaningful only if a row of the same table is intact.
        """
        if other.games:
            self.lost_games |= other.lost_games - {game.id for game in self.games}
        if other.series:
            self.lost_series |= other.lost_series - {*self.series}
        if other.tournaments:
            self.lost_tournaments |= other.lost_tournaments - {row["id"] for row in self.tournaments}


def _find_intact(old: Path) -> _Found:
    """Find the intact rows of the file *old*. For a damaged file, also try without its schema."""
    with copied(old) as (copy, pool):
        damaged = Database(pool, str(old))
        with damaged.connect() as connection:
            _check_ours(connection, str(old))
            is_damaged = _is_damaged(connection)
            _repair_names(connection)
            lost = [table for table in SAVED if not _is_described(connection, table)]
            _describe_tables(connection, copy, lost)
            first = _read_intact(damaged, connection)
    if not (is_damaged or first.lost_games or first.lost_series or first.lost_tournaments):
        return first
    with copied(old, is_description_lost=True) as (copy, pool):
        damaged = Database(pool, str(old))
        with damaged.connect() as connection:
            _describe_tables(connection, copy, SAVED)
            second = _read_intact(damaged, connection)
    better, other = (second, first) if second.amount > first.amount else (first, second)
    better.add_losses(other)
    return better


def _read_intact(damaged: Database, connection: Connection) -> _Found:
    """Read the intact rows of the tables in the schema."""
    series, lost_series = _intact_series(damaged, connection)
    games, lost_games = _intact_games(damaged, connection)
    tournaments, lost_tournaments = _intact_tournaments(connection)
    pairings = _intact_pairings(connection, tournaments, games)
    lost_series |= {game.setup.series for game in games if game.setup.series is not None} - {*series}
    people, devices = _intact_people(connection)
    lost = lost_games, lost_series, lost_tournaments
    rated = _intact_rated(connection, games)
    return _Found(games, series, tournaments, pairings, people, devices, rated, *lost)


def _check_ours(connection: Connection, where: str) -> None:
    """Raise :class:`~noughts.errors.StoreError` for a newer database, or an intact one of another program.

    In a damaged file the names of our tables may be unreadable. The rows that are saved have our digests.
    """
    try:
        revision_of(connection, where)
    except (DamagedStore, *UNREADABLE):
        pass
    except StoreError as error:
        if error.reason == "belongs-to-another-program" and _is_damaged(connection):
            return
        raise


def _repair_names(connection: Connection) -> None:
    """Restore the names of the tables of the copy.

    A description of a table has the name in three places. One intact place is enough.
    """
    with suppress(*UNREADABLE):
        for row in connection.rows(
            "SELECT rowid, name, tbl_name, sql FROM sqlite_schema WHERE type = 'table'"
        ):
            with suppress(UnicodeEncodeError):  # more than the name is damaged
                _repair_name(connection, row)
        _read_descriptions(connection)


def _repair_name(connection: Connection, row: Row) -> None:
    """Write the name of one of our tables into all three places of its description, a *row* of the schema."""
    words = re.match(r"CREATE TABLE (\w+)", str(row["sql"]))
    names = {str(row["name"]), str(row["tbl_name"]), *([words.group(1)] if words else [])}
    known = names & {*TABLES, VERSION_TABLE}
    if len(known) == 1 < len(names):
        name, sql = known.pop(), str(row["sql"])
        if words is not None:
            sql = f"CREATE TABLE {name}{sql[words.end() :]}"
        change = "UPDATE sqlite_schema SET name = :name, tbl_name = :name, sql = :sql WHERE rowid = :number"
        connection.change(change, {"name": name, "sql": sql, "number": row["rowid"]})


def _describe_tables(connection: Connection, copy: Path, tables: Collection[str]) -> None:
    """Describe the *tables* of the *copy* again, with the pages on which matching rows are found."""
    if not tables:
        return
    with closing(memory_pool()) as pool:
        bring_up_to_date(pool, "")
        with pool.alone() as new:
            shapes = {table: _shape(new, table) for table in tables}
            # A primary key that is not the number of the row has an index, which is not described here.
            texts = {table: re.sub(_INDEXED, r"\1", new.column(_TEXT, table=table)[0]) for table in tables}
    with suppress(*UNREADABLE):
        for table, root in find_roots(copy, shapes).items():
            connection.change("DELETE FROM sqlite_schema WHERE :name IN (name, tbl_name)", {"name": table})
            connection.change(
                "INSERT INTO sqlite_schema (type, name, tbl_name, rootpage, sql)"
                " VALUES ('table', :name, :name, :root, :text)",
                {"name": table, "root": root, "text": texts[table]},
            )
        _read_descriptions(connection)


def _shape(new: Connection, table: str) -> TableShape:
    """Return the shape of the rows of *table* in the new database *new*."""
    is_index = "WITHOUT ROWID" in new.column(_TEXT, table=table)[0]
    columns = [
        Column(
            is_number=row["type"] in {"INTEGER", "BIGINT", "BOOLEAN"},
            is_digest=row["name"] == "digest",
            # The number of a row is not stored among its values.
            can_be_null=not row["notnull"] or bool(row["pk"] and not is_index),
            is_optional=not row["notnull"] or row["dflt_value"] is not None,
        )
        for row in new.rows(f"PRAGMA table_info({table})")
    ]
    return TableShape(is_index, tuple(columns))


def _is_described(connection: Connection, table: str) -> bool:
    """Return True if the schema describes the *table*."""
    try:
        connection.rows(f"SELECT 1 FROM {table} LIMIT 0")  # noqa: S608 - a name of ours
    except UNREADABLE:
        return False
    return True


def _read_descriptions(connection: Connection) -> None:
    """Make SQLite read the changed descriptions of tables."""
    connection.driver.commit()
    connection.change("PRAGMA writable_schema = RESET")
    connection.change("PRAGMA writable_schema = ON")


def _is_damaged(connection: Connection) -> bool:
    """Return True if SQLite finds damage, or if the names in the description of a table differ."""
    try:
        if connection.column("PRAGMA quick_check(1)") != ["ok"]:
            return True
        rows = connection.rows("SELECT name, tbl_name, sql FROM sqlite_schema WHERE type = 'table'")
    except UNREADABLE:
        return True
    return any(row["name"] != row["tbl_name"] or str(row["name"]) not in str(row["sql"]) for row in rows)


def _intact_series(damaged: Database, connection: Connection) -> tuple[dict[int, dict[str, Any]], set[int]]:
    """Return the intact rows of series by number, and the numbers of damaged ones."""
    intact, lost = dict[int, dict[str, Any]](), set[int]()
    for row in _readable(connection, "series", "id"):
        try:
            intact[row["id"]] = dict(damaged.checked_series(row))
        except DamagedStore:
            lost.add(row["id"])
    return intact, lost


def _intact_games(damaged: Database, connection: Connection) -> tuple[list[StoredGame], set[int]]:
    """Return the intact games, and the numbers of lost ones."""
    intact, numbers = (
        list[StoredGame](),
        {row["game_id"] for row in _readable(connection, "events", "game_id")},
    )
    for row in _readable(connection, "games", "id"):
        numbers.add(row["id"])
        row = {
            "opening": None,
            "visibility": None,
            "link": None,
            "form": OLD_FORM,
            **row,
        }  # Rows of old versions lack the first columns.
        try:
            rows = [{**row, **dict(event)} for event in connection.rows(_EVENTS, id=row["id"])]
            intact.append(damaged.read_game(rows or [{**row, "version": None}]))
        except (DamagedStore, *UNREADABLE):
            continue
    # Games are never deleted: each number up to the newest had a game, even without an event. A number far
    # beyond the others comes from damage.
    newest = max((game.id for game in intact), default=0)
    for number in sorted(numbers):
        if newest < number <= newest + len(numbers):
            newest = number
    numbers.update(range(1, newest))
    return intact, numbers.difference(game.id for game in intact)


def _intact_tournaments(connection: Connection) -> tuple[list[dict[str, Any]], set[int]]:
    """Return the intact rows of tournaments, and the numbers of lost ones."""
    try:
        connection.rows("SELECT id FROM tournaments LIMIT 0")
    except UNREADABLE:  # files of earlier versions have no such table
        return [], set()
    rows = list(_readable(connection, "tournaments", "id"))
    intact = [row for row in rows if is_intact(row, tournament_digest)]
    numbers = {row["id"] for row in rows}
    numbers.update(row["tournament_id"] for row in _readable(connection, "tournament_games", "tournament_id"))
    return intact, numbers.difference(row["id"] for row in intact)


def _intact_pairings(
    connection: Connection, tournaments: Iterable[Mapping[str, Any]], games: Iterable[StoredGame]
) -> list[dict[str, Any]]:
    """Return the intact rows that link *games* to *tournaments*."""
    digests, pairings = {game.id: game.digest for game in games}, list[dict[str, Any]]()
    for tournament in tournaments:
        for row in _readable(connection, "tournament_games", "number", f"tournament_id = {tournament['id']}"):
            digest = digests.get(row["game_id"])
            if digest is not None and row["digest"] == pairing_digest(row, digest):
                pairings.append(row)
    return pairings


def _intact_people(connection: Connection) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the intact rows of people with keys, and of their devices."""
    try:
        connection.rows("SELECT number FROM devices LIMIT 0")
    except UNREADABLE:  # files of earlier versions have no such table
        return [], []
    people = [row for row in _readable(connection, "identities", "number") if is_intact(row, identity_digest)]
    numbers = {row["number"] for row in people}
    devices = [row for row in _readable(connection, "devices", "number") if is_intact(row, device_digest)]
    return people, [row for row in devices if row["identity"] in numbers]


def _intact_rated(connection: Connection, games: Iterable[StoredGame]) -> list[dict[str, Any]]:
    """Return the intact rows of rated games among *games*."""
    try:
        connection.rows("SELECT number FROM rated_games LIMIT 0")
    except UNREADABLE:  # files of earlier versions have no such table
        return []
    digests = {game.id: game.digest for game in games}
    rows = _readable(connection, "rated_games", "number")
    return [row for row in rows if is_intact(row, lambda row: rated_digest(row, digests[row["game_id"]]))]


def _readable(
    connection: Connection, table: str, column: str, condition: str = "1 = 1"
) -> Iterator[dict[str, Any]]:
    """Yield the first row of *table* for each number in *column*. Skip unreadable rows."""
    query = f"SELECT * FROM {table} WHERE {condition} AND {column} > :after ORDER BY {column} LIMIT 1"  # noqa: S608
    after = skipped = 0
    while skipped < MAX_SKIPPED:
        try:
            row = connection.row(query, after=after)
        except UNREADABLE:
            row = {column: None}
        if row is None:
            return
        number = row[column]
        if isinstance(number, int) and number > after:
            after, skipped = number, 0
            yield dict(row)
        else:
            after, skipped = after + 1, skipped + 1


def _write(
    pool: Pool,
    where: str,
    intact: _Found,
) -> None:
    """Fill the new database behind *pool*."""
    bring_up_to_date(pool, where)
    counts = Counter(game.setup.series for game in intact.games)
    games = [game if game.setup.series in intact.series else _on_its_own(game) for game in intact.games]
    counted = [{**row, "games": counts[number]} for number, row in intact.series.items()]
    with pool.transaction(writes=True) as connection:
        connection.insert("series", *({**row, "digest": series_digest(row)} for row in counted))
        connection.insert("games", *map(_row_of, games))
        connection.insert("events", *(event_row(game.id, event) for game in games for event in game.events))
        # The seats say it, so no row of this table is read.
        rows = [row for game in games for row in identity_rows(game.id, game.setup)]
        connection.insert("game_identities", *rows)
        connection.insert("identities", *intact.people)
        connection.insert("devices", *intact.devices)
        # The ratings are rebuilt from these rows. The digest of a game without its series has changed.
        digests = {game.id: game.digest for game in games}
        rated = [{**row, "digest": rated_digest(row, digests[row["game_id"]])} for row in intact.rated]
        connection.insert("rated_games", *rated)
        if rated:
            change = "UPDATE game_identities SET rated = TRUE WHERE game_id = :game_id"
            connection.change(change, *({"game_id": row["game_id"]} for row in rated))
        connection.insert("tournaments", *intact.tournaments)
        connection.insert("tournament_games", *intact.pairings)


def _row_of(game: StoredGame) -> dict[str, Any]:
    """Return the row of *game*, with its visibility if it could be read."""
    row, access = {"id": game.id, **game_row(game.setup), "digest": game.digest}, game.access
    return {**row, "link": access.link, **({"visibility": PUBLIC} if access.is_public else {})}


def _on_its_own(game: StoredGame) -> StoredGame:
    """Return *game* without its series."""
    setup = replace(game.setup, series=None)
    return replace(game, setup=setup, digest=digest_events(first_digest(game.id, setup), game.events))
