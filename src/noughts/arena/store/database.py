"""The permanent store: games, their events and series in a database, by default SQLite.

When a method returns, its change is committed. Everything is checked on reading. A game has a digest over its
number, its setup and its events. A series has one over its row, which also counts its games, so that no loss
of one goes unnoticed. If the row of any other game is gone, its events reveal it.
"""

import json
import sqlite3
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, suppress
from dataclasses import asdict, replace
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, TypeVar

from noughts.arena.digest import canonical_json, digest_events, first_digest
from noughts.arena.events import Event
from noughts.arena.seat_names import FORMER_PLAYER, seat_number
from noughts.arena.series import Result
from noughts.arena.setup import TOURNAMENT, SeriesSetup, Setup
from noughts.arena.store import sqlite_file
from noughts.arena.store.connections import Connection, Pool, Row, containing, insertion
from noughts.arena.store.database_urls import MEMORY, parse_url
from noughts.arena.store.results import read_results, write_results
from noughts.arena.store.revisions import bring_up_to_date, is_outdated
from noughts.arena.store.store import OnDamage, check_versions
from noughts.arena.store.tables import (
    event_row,
    game_row,
    identity_digest,
    identity_rows,
    is_intact,
    read_access,
    read_event,
    read_series,
    read_setup,
    series_digest,
    series_row,
)
from noughts.arena.stored_game import PUBLIC, Access, StoredGame
from noughts.errors import DamagedStore, NotFound, StaleVersion, StoreError, system_reason
from noughts.records.temporary_folders import sweep
from noughts.text import fold_name


@contextmanager
def translated_errors(where: str) -> Iterator[None]:
    """Turn the errors of the drivers and the system into our errors, which name *where*."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise StoreError(where, "no-driver") from error
    except OSError as error:
        raise StoreError(where, system_reason(error)) from error
    except _driver_errors() as error:
        if getattr(error, "sqlstate", None) == DEADLOCK:
            raise StaleVersion(where, "another program was faster") from error
        kind = DamagedStore if sqlite_file.is_damage(error) else StoreError
        raise kind(where, sqlite_file.reason_of(error, where)) from error


def _driver_errors() -> tuple[type[Exception], ...]:
    """Return the errors of the drivers in use, and those for values that no database can hold."""
    psycopg: Any = sys.modules.get("psycopg")
    others = () if psycopg is None else (psycopg.Error,)
    return (sqlite3.Error, OverflowError, UnicodeError, *others)


DEADLOCK = "40P01"
"""The code of PostgreSQL for a transaction that it stopped because two waited for each other."""

MAX_ID = 2**31 - 1
"""The maximum number of a game or series."""

UPGRADE_SECONDS = 600.0
"""Seconds to wait for another program that upgrades a file. A million games take ten seconds."""

CHUNK = 100
"""The number of games that are read at once."""

_FIND_SERIES = "SELECT id, created, game, players, begins, ended, games, digest FROM series "
_SEAL_SERIES = "UPDATE series SET ended = :ended, games = :games, digest = :digest WHERE id = :id"
_SEAL_GAME = "UPDATE games SET digest = :digest WHERE id = :id"
_SEAL_NEW_GAME = "UPDATE games SET digest = :digest, visibility = :visibility, link = :link WHERE id = :id"
# One statement reads the games and their events, so that both have the state of one instant.
_READ_GAMES = (
    "SELECT chosen.*, version, at, kind, side, data FROM ("
    "SELECT id, created, game, start, seats, clock, who, series_id, opening, origin, counted, form,"
    " digest, visibility, link FROM games WHERE ",
    ") AS chosen LEFT JOIN events ON game_id = chosen.id ORDER BY chosen.id, version",
)
# A subquery for each game, newest first, is faster than a list of all finished games for each page.
_HAS_ENDED = "EXISTS (SELECT 1 FROM events WHERE game_id = games.id AND kind = 'end')"
# The origin is checked too: without its pairing row a game of a tournament is still not a game of people.
_IS_OF_PEOPLE = "id NOT IN (SELECT game_id FROM tournament_games) AND origin != :tournament"
_FIND_ACCESS = "SELECT origin, series_id, visibility, link FROM games WHERE id = :id"
_FIND_NAMES = (
    "SELECT number, key, name, folded_name, shape, created, renamed, seen, words_checked, asked_by, is_bot,"
    " digest FROM identities WHERE number IN (:numbers)"
)
# Games are never deleted, so each game with events must have a row.
_MISSING = "SELECT DISTINCT game_id FROM events WHERE game_id NOT IN (SELECT id FROM games) ORDER BY game_id"


Found = TypeVar("Found")
Value = TypeVar("Value")


class Database:
    """A store in the database behind *pool*. :func:`open_database` makes one.

    Threads and processes may share a database. ``where`` names it in errors, without a password. A change
    ``within`` a connection belongs to its transaction, and is saved when that is committed.
    """

    def __init__(self, pool: Pool, where: str) -> None:
        self.where = where
        self._pool = pool

    @property
    def is_shared(self) -> bool:
        """True if several machines may serve this database."""
        return self._pool.dialect.is_shared

    def add_game(self, setup: Setup) -> int:
        with self.writing() as connection:
            return self.begin_game(setup, connection)[0]

    def begin_game(
        self,
        setup: Setup,
        connection: Connection,
        access: Callable[[int], Access] | None = None,
        events: Sequence[Event] = (),
        *,
        has_new_series: bool = False,
    ) -> tuple[int, str]:
        """Add a game with *events* within a transaction, and return its number and its digest.

        *access* returns the visibility of the game with a number. By default games of tournaments are public,
        and other games have no link. *has_new_series* is True if the series was added with this game.
        """
        setup = replace(setup, seats=dict(setup.seats), who=dict(setup.who))
        if setup.series is not None and not has_new_series:
            row = self._find_series(connection, setup.series, to_change=True)
            _seal_series(connection, {**row, "games": row["games"] + 1})
        row = game_row(setup)
        number = _add(connection, "games", row)
        digest = digest_events(first_digest(number, setup), events)
        connection.insert("events", *(event_row(number, event) for event in events))
        connection.insert("game_identities", *identity_rows(number, setup))
        seen_by = Access(row["visibility"]) if access is None else access(number)
        connection.change(_SEAL_NEW_GAME, {"id": number, "digest": digest, **asdict(seen_by)})
        return number, digest

    def links(self, games: Collection[int]) -> dict[int, str]:
        """Return the stored hashes of the links of *games*, by number. Games without a link are omitted."""
        with self.reading() as connection:
            rows = connection.rows("SELECT id, link FROM games WHERE id IN (:numbers)", numbers=tuple(games))
        return {row["id"]: row["link"] for row in rows if row["link"] is not None}

    def access(self, game: int) -> tuple[str, int | None, Access]:
        """Return the origin, the series and the visibility of *game*, without reading the game itself.

        Raises :class:`~noughts.errors.NotFound`.
        """
        with self.reading() as connection:
            row = connection.row(_FIND_ACCESS, id=_checked("record", game))
        if row is None:
            raise NotFound("record", game)
        return row["origin"], row["series_id"], read_access(row)

    def append(self, game: int, events: Sequence[Event]) -> None:
        rows = [event_row(game, event) for event in events]
        number = _checked("record", game)
        with self.writing() as connection:
            row = connection.row("SELECT digest FROM games WHERE id = :id FOR UPDATE", id=number)
            if row is None:
                raise NotFound("record", game)
            digest = row["digest"]
            # This is a separate query, after the row is locked: another program may have appended while we
            # waited.
            (saved,) = connection.column(
                "SELECT COALESCE(MAX(version), 0) AS kept FROM events WHERE game_id = :id", id=number
            )
            if not (isinstance(digest, str) and digest.isascii() and isinstance(saved, int)):
                raise DamagedStore(self.where, "game-unreadable", game=game)
            check_versions(saved, events)
            if connection.insert("events", *rows):
                connection.change(_SEAL_GAME, {"id": number, "digest": digest_events(digest, events)})

    def load(self, game: int, within: Connection | None = None) -> StoredGame:
        games = self._read_rows(within, "id = :id", id=_checked("record", game))
        if not games:
            raise NotFound("record", game)
        return self._named([self.read_game(games[0])], within)[0]

    def newest_games(
        self,
        before: int | None = None,
        *,
        is_over: bool | None = None,
        origin: str | None = None,
        visible_by: Collection[int] | None = None,
        game: str | None = None,
        players: Collection[str] = (),
        on_damage: OnDamage | None = None,
    ) -> Iterator[StoredGame]:
        names = self._stored_names(players) if players else ()
        seated = {f"seat_{at}": containing(f",{name}]") for at, name in enumerate(names)}
        any_seat = " OR ".join(["1 = 0", *(f"seats LIKE :{seat} ESCAPE '/'" for seat in seated)])
        conditions = {
            _IS_OF_PEOPLE: True,
            "game = :game": game is not None,
            f"({any_seat})": bool(players),
            "origin = :origin": origin is not None,
            "(visibility = :public OR id IN (:visible_by))": visible_by is not None,
            _HAS_ENDED: is_over is True,
            f"NOT {_HAS_ENDED}": is_over is False,
            "id < :before": True,
        }
        condition = " AND ".join(text for text, is_wanted in conditions.items() if is_wanted)
        condition += " ORDER BY id DESC LIMIT :count"
        fixed = {"tournament": TOURNAMENT, "public": PUBLIC, "visible_by": tuple(visible_by or ())}
        values = {**fixed, "origin": origin, "game": game, "count": CHUNK, **seated}
        if before is None and on_damage is not None:
            self._missing(on_damage)
        before = MAX_ID + 1 if before is None else before
        while games := self._read_rows(None, condition, before=before, **values):
            before = games[0][0]["id"]
            yield from self._named([*_intact(self.read_game, reversed(games), on_damage)], None)

    def _stored_names(self, players: Collection[str]) -> set[str]:
        """Return the names of *players* as they are stored in the rows of games, as JSON."""
        wanted = set(map(fold_name, players))
        with self.reading() as connection:
            rows = connection.column("SELECT DISTINCT seats FROM games")
        names: set[str] = set()
        for row in rows:
            with suppress(ValueError, TypeError):  # damage is reported when the game is read
                names.update(dict(json.loads(row)).values())
        shown = {name: name for name in names} | self.called(names)
        return {canonical_json(name) for name in names if fold_name(shown[name]) in wanted}

    def games(
        self,
        series: int | None = None,
        within: Connection | None = None,
        on_damage: OnDamage | None = None,
        *,
        after: int = 0,
    ) -> Iterator[StoredGame]:
        missing, condition = 0, "id > :after"
        if series is None and not after and on_damage is not None:
            self._missing(on_damage)
        if series is not None:
            try:
                with self.reading(within) as connection:  # games may be added during the reading
                    missing = 0 if after else int(self._find_series(connection, series)["games"])
            except NotFound:
                return
            condition += " AND series_id = :series"
        condition += " ORDER BY id LIMIT :count"
        while games := self._read_rows(within, condition, after=after, series=series, count=CHUNK):
            after = games[-1][0]["id"]
            missing -= len(games)
            yield from self._named([*_intact(self.read_game, games, on_damage)], within)
        if missing > 0:
            raise DamagedStore(self.where, "games-missing", series=series, missing=missing)

    def results(
        self, on_damage: OnDamage | None = None, is_wanted: Callable[[str], bool] | None = None
    ) -> list[Result]:
        missing = self._missing(on_damage)
        with self.reading() as connection:
            rows = connection.rows("SELECT id, game, digest FROM games ORDER BY id")
        digests = {row["id"]: row["digest"] for row in rows if is_wanted is None or is_wanted(row["game"])}
        results: dict[int, Result | None] = {}
        with suppress(StoreError), self.reading() as connection:  # the cache may be missing or damaged
            results = read_results(connection, digests)
        new = [number for number in digests if number not in results]
        counted: list[tuple[int, str, Result | None]] = []
        for first in range(0, len(new), CHUNK):
            read = self._read_rows(None, "id IN (:numbers)", numbers=tuple(new[first : first + CHUNK]))
            counted += _intact(self._count_game, read, on_damage)
        is_whole = not missing and len(counted) == len(new)
        if new and is_whole:  # a damaged database is not written to
            with suppress(StoreError), self.writing() as connection:  # the cache is optional
                write_results(connection, counted)
        results |= {number: result for number, _, result in counted}
        found = [result for result in map(results.get, digests) if result is not None]
        called = self.called({name for result in found for name in result.seats.values()})
        return [_with_names(result, called) for result in found] if called else found

    def _missing(self, on_damage: OnDamage | None) -> list[int]:
        """Return the games with events but without a row, which has been deleted.

        *on_damage* is called with an error for each. Without it the first error is raised.
        """
        with self.reading() as connection:
            missing = connection.column(_MISSING)
        for number in missing:
            damage = DamagedStore(self.where, "game-missing", game=number)
            if on_damage is None:
                raise damage
            on_damage(damage)
        return missing

    def called(self, texts: Iterable[str], within: Connection | None = None) -> dict[str, str]:
        """Return the present names of people with keys by the texts in seats. Other *texts* are omitted.

        A person without a name any more is :data:`FORMER_PLAYER`.
        """
        numbers = {number: text for text in texts if (number := seat_number(text)) is not None}
        if not numbers:
            return {}
        with self.reading(within) as connection:
            rows = connection.rows(_FIND_NAMES, numbers=tuple(numbers))
        known = {numbers[row["number"]]: row["name"] for row in rows if is_intact(row, identity_digest)}
        return {text: known.get(text) or FORMER_PLAYER for text in numbers.values()}

    def _named(self, games: list[StoredGame], within: Connection | None) -> list[StoredGame]:
        """Return *games* with the present names of people with keys."""
        called = self.called((name for game in games for name in game.setup.seats.values()), within)
        return [replace(game, called=called) for game in games] if called else games

    def _read_rows(self, within: Connection | None, condition: str, **values: Any) -> list[list[Row]]:
        """Return the rows of each game that *condition* selects, oldest first.

        The caller limits the number of games, so that a slow reader blocks no other.
        """
        with self.reading(within) as connection:
            rows = connection.rows(condition.join(_READ_GAMES), **values)
        return [list(group) for _, group in groupby(rows, key=itemgetter("id"))]

    def add_series(
        self,
        setup: SeriesSetup,
        within: Connection | None = None,
        *,
        has_ended: bool = False,
        games: int = 0,
    ) -> int:
        """Add a series, and return its number. The caller adds *games* games in the same transaction."""
        row = {**series_row(setup), "ended": has_ended, "games": games}
        with self.writing(within) as connection:
            number = _add(connection, "series", row)
            _seal_series(connection, {**row, "id": number})
        return number

    def rename_players(self, series: int, names: Sequence[str | None], connection: Connection) -> None:
        """Replace the names of the players of a series, also in its games. None keeps a name.

        Raises :class:`~noughts.errors.DamagedStore` if a game is damaged. Nothing may be written then.
        """
        row = self._find_series(connection, series, to_change=True)
        known = json.loads(row["players"])
        players = [old if new is None else new for old, new in zip(known, names, strict=True)]
        fresh = dict(zip(known, players, strict=True))
        renamed = {**{name: row[name] for name in row.keys()}, "players": canonical_json(players)}  # noqa: SIM118
        connection.change("UPDATE series SET players = :players WHERE id = :id", renamed)
        _seal_series(connection, renamed)
        for game in list(self.games(series, connection)):
            seats = {side: fresh.get(name, name) for side, name in game.setup.seats.items()}
            setup = replace(game.setup, seats=seats)
            digest = digest_events(first_digest(game.id, setup), game.events)
            connection.change(
                "UPDATE games SET seats = :seats, digest = :digest WHERE id = :id",
                {"seats": game_row(setup)["seats"], "digest": digest, "id": game.id},
            )

    def end_series(self, series: int) -> None:
        with self.writing() as connection:
            row = self._find_series(connection, series, to_change=True)
            _seal_series(connection, {**row, "ended": True})

    def all_open_series(self, on_damage: OnDamage | None = None) -> list[int]:
        # The rows are filtered here, not by the query: a damaged flag would hide a series.
        with self.reading() as connection:
            rows = connection.rows(_FIND_SERIES + "ORDER BY id DESC")
        return [row["id"] for row in _intact(self.checked_series, rows, on_damage) if not row["ended"]]

    def load_series(self, series: int, within: Connection | None = None) -> SeriesSetup:
        with self.reading(within) as connection:
            return read_series(self._find_series(connection, series))

    def close(self) -> None:
        self._pool.close()

    def connect(self) -> AbstractContextManager[Connection]:
        """Return a private connection, which commits each statement at once."""
        return self._pool.alone()

    @contextmanager
    def claim(self, name: str) -> Iterator[bool]:
        """Reserve *name* for this program. Yield False if another program has reserved it.

        The claim ends with the context, and with the program, even if it is killed.
        """
        with ExitStack() as leaving:
            with translated_errors(self.where):
                is_ours = leaving.enter_context(self._pool.claim(name))
            yield is_ours

    def writing(self, within: Connection | None = None) -> AbstractContextManager[Connection]:
        """Return a transaction that writes and is committed at the end, or the running one of *within*."""
        return self._transaction(within, writes=True)

    def reading(self, within: Connection | None = None) -> AbstractContextManager[Connection]:
        """Return a transaction that reads, or the running one of *within*."""
        return self._transaction(within, writes=False)

    @contextmanager
    def _transaction(self, within: Connection | None, *, writes: bool) -> Iterator[Connection]:
        with translated_errors(self.where):
            if within is not None:
                yield within
                return
            with self._pool.transaction(writes=writes) as connection:
                yield connection

    def read_game(self, rows: Sequence[Row]) -> StoredGame:
        """Return the game in *rows*: one row for each event, with the columns of the game repeated."""
        number: int = rows[0]["id"]
        try:
            setup = read_setup(rows[0])
            events = tuple(read_event(row) for row in rows if row["version"] is not None)
            check_versions(0, events)
            digest = digest_events(first_digest(number, setup), events)
        except (LookupError, ValueError, TypeError, StoreError, RecursionError) as error:
            raise DamagedStore(self.where, "game-unreadable", game=number) from error
        if digest != rows[0]["digest"]:
            raise DamagedStore(self.where, "game-altered", game=number)
        return StoredGame(number, setup, events, digest, access=read_access(rows[0]))

    def _count_game(self, rows: Sequence[Row]) -> tuple[int, str, Result | None]:
        game = self.read_game(rows)
        return game.id, game.digest, game.result if game.setup.is_counted else None

    def _find_series(self, connection: Connection, series: int, *, to_change: bool = False) -> Row:
        condition = "WHERE id = :id FOR UPDATE" if to_change else "WHERE id = :id"
        row = connection.row(_FIND_SERIES + condition, id=_checked("series", series))
        if row is None:
            raise NotFound("series", series)
        return self.checked_series(row)

    def checked_series(self, row: Row) -> Row:
        """Return *row* of a series.

        Raises :class:`~noughts.errors.DamagedStore` if its digest does not match.
        """
        if not is_intact(row, series_digest):
            raise DamagedStore(self.where, "series-altered", series=row["id"])
        return row


def _with_names(result: Result, called: Mapping[str, str]) -> Result:
    """Return *result* with the present names of people with keys."""
    return replace(result, seats={side: called.get(name, name) for side, name in result.seats.items()})


def _intact(
    read: Callable[[Found], Value], rows: Iterable[Found], on_damage: OnDamage | None
) -> Iterator[Value]:
    """Yield the result of *read* for each row of *rows*.

    *on_damage* is called with the error of each damaged row. Without it the error is raised.
    """
    for row in rows:
        try:
            value = read(row)
        except DamagedStore as damage:
            if on_damage is None:
                raise
            on_damage(damage)
        else:
            yield value


def open_database(url: str, busy_seconds: float = sqlite_file.BUSY_SECONDS) -> Database:
    """Return the store at *url*, such as ``sqlite:///games.db`` or ``sqlite://`` for one in memory.

    If another program has locked a file, wait for *busy_seconds* before raising an error. A missing database
    is created, and one of an older version is upgraded. Raises :class:`~noughts.errors.StoreError`, or its
    subclasses :class:`~noughts.errors.DamagedStore` and :class:`~noughts.errors.NewerStore`, before anything
    is written to an existing file.

    >>> store = open_database("sqlite://")
    >>> list(store.games())
    []
    >>> store.close()
    """
    location = parse_url(url)
    where = location.where
    with translated_errors(where):
        if location.file is None:
            from noughts.arena.store.postgres import server_pool

            pool = server_pool(location.parameters)
        else:
            pool = sqlite_file.memory_pool() if location.file == MEMORY else _open_file(where, busy_seconds)
        try:
            bring_up_to_date(pool, where)
        except BaseException:
            pool.close()
            raise
    return Database(pool, where)


def _open_file(where: str, busy_seconds: float) -> Pool:
    path = Path(where)
    if not path.exists():
        sqlite_file.create(path, lambda pool: bring_up_to_date(pool, where))
    sweep(path.parent)
    if sqlite_file.inspect_file(path, lambda connection: is_outdated(connection, where), busy_seconds):
        # Another program may be upgrading the file.
        with closing(sqlite_file.file_pool(path, UPGRADE_SECONDS)) as pool:
            bring_up_to_date(pool, where)
    return sqlite_file.file_pool(path, busy_seconds)


def _add(connection: Connection, table: str, row: Mapping[str, Any]) -> int:
    """Add *row* to *table* and return its number. Its digest is written later, since it covers the number."""
    row = {**row, "digest": ""}
    number: int = connection.column(f"{insertion(table, row)} RETURNING id", **row)[0]
    return number


def _seal_series(connection: Connection, row: Row | Mapping[str, Any]) -> None:
    """Write the changed columns of a series, and its digest."""
    connection.change(_SEAL_SERIES, {**row, "digest": series_digest(row)})


def _checked(kind: str, number: int) -> int:
    """Return *number* if it is in range. Databases refuse greater ones in different ways."""
    if not 0 < number <= MAX_ID:
        raise NotFound(kind, number)
    return number
