"""The lasting store: games, their events and series in a database, SQLite unless told otherwise.

What a method has returned from is committed. Nothing is believed on reading: a game has a digest over
its number, its setup and its events, a series one over its row, which also says how many games it has,
so that none can be lost from it unnoticed.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import (
    Connection,
    Engine,
    Row,
    Select,
    bindparam,
    create_engine,
    exists,
    func,
    insert,
    select,
    update,
)
from sqlalchemy.exc import SQLAlchemyError

from noughts.arena.match import Event, EventKind
from noughts.arena.store import sqlite_file
from noughts.arena.store.database_urls import parse_url, patience
from noughts.arena.store.revisions import bring_up_to_date, check_existing
from noughts.arena.store.store import (
    OnDamage,
    SeriesSetup,
    Setup,
    StoredGame,
    canonical_json,
    check_versions,
    digest_events,
)
from noughts.arena.store.tables import (
    event_row,
    events_table,
    first_digest,
    game_row,
    games_table,
    read_event,
    read_series,
    read_setup,
    series_digest,
    series_row,
    series_table,
    with_events,
)
from noughts.errors import DamagedStore, NotFound, StoreError, system_reason

MAX_ID = 2**31 - 1
"""The greatest number that a game or series can have."""

MEMORY = ":memory:"
"""Where a database is that lasts as long as the program."""

CHUNK = 100
"""How many games are read at once while all are gone through."""


# What each move needs is written out once: making a statement takes longer than running it.
_DIGEST = select(games_table.c.digest).where(games_table.c.id == bindparam("its")).with_for_update()
_NEWEST = select(func.max(events_table.c.version)).where(events_table.c.game_id == bindparam("its"))
_ADD_EVENTS = insert(events_table)
_FIND_SERIES = select(series_table).where(series_table.c.id == bindparam("its"))
_LOCK_SERIES = _FIND_SERIES.with_for_update()
_SEAL_SERIES = (
    update(series_table)
    .where(series_table.c.id == bindparam("its"))
    .values(ended=bindparam("has_ended"), games=bindparam("count"), digest=bindparam("sealed"))
)
_SEAL_GAME = (
    update(games_table).where(games_table.c.id == bindparam("its")).values(digest=bindparam("sealed"))
)


Found = TypeVar("Found")
Value = TypeVar("Value")


class Database:
    """A store in the database behind *engine*; :func:`open_database` makes one.

    Threads and processes may share a database. ``where`` names it in errors, without a password. What is
    done ``within`` a connection belongs to its transaction, and is kept when that is committed.
    """

    def __init__(self, engine: Engine, where: str) -> None:
        self.where = where
        self._engine = engine
        self._writer = engine.execution_options(**{sqlite_file.WRITING: True})
        self._reader = engine
        if self.is_shared:  # so that all statements of a transaction see the same time
            self._reader = engine.execution_options(isolation_level="REPEATABLE READ")

    @property
    def is_shared(self) -> bool:
        """Whether several machines may serve this database."""
        return self._engine.dialect.name == "postgresql"

    def add_game(self, setup: Setup) -> int:
        with self.writing() as connection:
            return self.begin_game(setup, connection)[0]

    def begin_game(self, setup: Setup, connection: Connection) -> tuple[int, str]:
        """Add a game within a transaction, and return its number and its digest."""
        setup = replace(setup, seats=dict(setup.seats), who=dict(setup.who))
        if setup.series is not None:
            row = self._find_series(connection, setup.series, to_change=True)
            _seal_series(connection, {**row, "games": row["games"] + 1})
        made = connection.execute(insert(games_table), {**game_row(setup), "digest": ""})
        number: int = made.inserted_primary_key[0]  # type: ignore[index]
        digest = first_digest(number, setup)
        connection.execute(_SEAL_GAME, {"its": number, "sealed": digest})
        return number, digest

    def append(self, game: int, events: Sequence[Event]) -> None:
        rows = [event_row(game, event) for event in events]
        mine = {"its": _checked("record", game)}
        with self.writing() as connection:
            digest = connection.execute(_DIGEST, mine).scalar_one_or_none()
            if digest is None:
                raise NotFound("record", game)
            # Asked apart, once the game is ours alone: another may have appended while we waited for it.
            kept = connection.execute(_NEWEST, mine).scalar() or 0
            if not (isinstance(digest, str) and digest.isascii() and isinstance(kept, int)):
                raise DamagedStore(self.where, f"game {game}: unreadable")
            check_versions(kept, events)
            if rows:
                connection.execute(_ADD_EVENTS, rows)
                connection.execute(_SEAL_GAME, {**mine, "sealed": digest_events(digest, events)})

    def load(self, game: int, within: Connection | None = None) -> StoredGame:
        query = with_events(select(games_table).where(games_table.c.id == _checked("record", game)))
        with self.reading(within) as connection:
            rows = connection.execute(query).all()
        if not rows:
            raise NotFound("record", game)
        return self._read_game(rows)

    def newest_games(
        self,
        before: int | None = None,
        *,
        is_over: bool | None = None,
        kind: str | None = None,
        on_damage: OnDamage | None = None,
    ) -> Iterator[StoredGame]:
        query = select(games_table)
        if kind is not None:
            query = query.where(games_table.c.who.contains(canonical_json(kind), autoescape=True))
        if is_over is not None:
            # Asked of each game, newest first: a list of all that have ended would be made for every page.
            mine = events_table.c.game_id == games_table.c.id
            has_ended = exists().where(mine, events_table.c.kind == str(EventKind.END))
            query = query.where(has_ended if is_over else ~has_ended)
        number = games_table.c.id
        query = query.order_by(number.desc()).limit(CHUNK)
        while games := self._read_rows(query.where(number <= (MAX_ID if before is None else before - 1))):
            before = games[0][0].id
            yield from _whole(self._read_game, reversed(games), on_damage)

    def games(
        self,
        series: int | None = None,
        within: Connection | None = None,
        on_damage: OnDamage | None = None,
        *,
        after: int = 0,
    ) -> Iterator[StoredGame]:
        missing = 0
        query = select(games_table).order_by(games_table.c.id).limit(CHUNK)
        if series is not None:
            try:
                with self.reading(within) as connection:  # more may come while they are read
                    missing = 0 if after else int(self._find_series(connection, series)["games"])
            except NotFound:
                return
            query = query.where(games_table.c.series_id == series)
        while games := self._read_rows(query.where(games_table.c.id > after), within):
            after = games[-1][0].id
            missing -= len(games)
            yield from _whole(self._read_game, games, on_damage)
        if missing > 0:
            raise DamagedStore(self.where, f"series {series}: {missing} games are missing")

    def _read_rows(self, query: Select[Any], within: Connection | None = None) -> list[list[Row[Any]]]:
        """The rows of each game of *query*, a chunk of all: so whoever reads slowly keeps nobody waiting."""
        with self.reading(within) as connection:
            rows = connection.execute(with_events(query)).all()
        return [list(group) for _, group in groupby(rows, key=lambda row: row.id)]

    def add_series(
        self, setup: SeriesSetup, within: Connection | None = None, *, has_ended: bool = False
    ) -> int:
        row = {**series_row(setup), "ended": has_ended}
        with self.writing(within) as connection:
            made = connection.execute(insert(series_table), {**row, "digest": ""})
            number: int = made.inserted_primary_key[0]  # type: ignore[index]
            _seal_series(connection, {**row, "id": number})
        return number

    def end_series(self, series: int) -> None:
        with self.writing() as connection:
            row = self._find_series(connection, series, to_change=True)
            _seal_series(connection, {**row, "ended": True})

    def all_open_series(self, on_damage: OnDamage | None = None) -> list[int]:
        # The database is not asked for those that go on: a flag that has flipped would hide one.
        query = select(series_table).order_by(series_table.c.id.desc())
        with self.reading() as connection:
            found = connection.execution_options(yield_per=CHUNK).execute(query)
            rows = _whole(self._checked_series, found, on_damage)
            return [row["id"] for row in rows if not row["ended"]]

    def load_series(self, series: int, within: Connection | None = None) -> SeriesSetup:
        with self.reading(within) as connection:
            return read_series(self._find_series(connection, series))

    def close(self) -> None:
        self._engine.dispose()

    def connect(self) -> Connection:
        """A connection whose statements are each committed at once, for whoever closes it."""
        return self._engine.connect().execution_options(isolation_level="AUTOCOMMIT")

    def writing(self, within: Connection | None = None) -> AbstractContextManager[Connection]:
        """A transaction that writes, committed at the end; or the one that *within* is in already."""
        return self._transaction(self._writer, within)

    def reading(self, within: Connection | None = None) -> AbstractContextManager[Connection]:
        """A transaction that reads, or the one that *within* is in already."""
        return self._transaction(self._reader, within)

    @contextmanager
    def _transaction(self, engine: Engine, within: Connection | None) -> Iterator[Connection]:
        with speaking_of(self.where):
            if within is not None:
                yield within
                return
            with engine.begin() as connection:
                yield connection

    def _read_game(self, rows: Sequence[Row[Any]]) -> StoredGame:
        """The game that *rows* tell of: its own columns, repeated, beside those of each event."""
        first = rows[0]
        try:
            setup = read_setup(first)
            events = tuple(read_event(row) for row in rows if row.version is not None)
            check_versions(0, events)
            digest = digest_events(first_digest(first.id, setup), events)
        except (ValueError, TypeError, StoreError, RecursionError) as error:
            raise DamagedStore(self.where, f"game {first.id}: unreadable") from error
        if digest != first.digest:
            raise DamagedStore(self.where, f"game {first.id}: its digest is another")
        return StoredGame(first.id, setup, events, digest)

    def _find_series(self, connection: Connection, series: int, *, to_change: bool = False) -> dict[str, Any]:
        query = _LOCK_SERIES if to_change else _FIND_SERIES
        found = connection.execute(query, {"its": _checked("series", series)}).one_or_none()
        if found is None:
            raise NotFound("series", series)
        return self._checked_series(found)

    def _checked_series(self, found: Row[Any]) -> dict[str, Any]:
        row = dict(found._mapping)
        try:
            intact = row["digest"] == series_digest(row)
        except (ValueError, TypeError):
            intact = False
        if not intact:
            raise DamagedStore(self.where, f"series {row['id']}: its digest is another")
        return row


def _whole(
    read: Callable[[Found], Value], found: Iterable[Found], on_damage: OnDamage | None
) -> Iterator[Value]:
    """What is *read* of all that was *found*; of what is damaged *on_damage* is told, else that is raised."""
    for one in found:
        try:
            value = read(one)
        except DamagedStore as damage:
            if on_damage is None:
                raise
            on_damage(damage)
        else:
            yield value


def open_database(url: str, busy_seconds: float = sqlite_file.BUSY_SECONDS) -> Database:
    """The store at *url*, such as ``sqlite:///games.db`` or ``sqlite://`` for one in memory.

    Where a file is locked by another program, that is waited for *busy_seconds* before it is an error. A
    database that is not there is made, and one of an older version is brought up to date. Raises
    :class:`~noughts.errors.StoreError`, and of its kinds :class:`~noughts.errors.DamagedStore` and
    :class:`~noughts.errors.NewerStore`, before anything is written to a file that was there.

    >>> store = open_database("sqlite://")
    >>> list(store.games())
    []
    >>> store.close()
    """
    parsed = parse_url(url)
    if parsed.drivername == "sqlite":
        where = parsed.database or MEMORY
    else:
        where = parsed.render_as_string(hide_password=True)
    with speaking_of(where):
        if parsed.drivername == "sqlite":
            engine = _open_sqlite(where, busy_seconds)
        else:  # a connection that was lost while nobody used it is replaced unseen
            engine = create_engine(parsed, pool_pre_ping=True, connect_args=patience(parsed))
        try:
            bring_up_to_date(engine, where)
        except BaseException:
            engine.dispose()
            raise
    return Database(engine, where)


def _open_sqlite(where: str, busy_seconds: float) -> Engine:
    if where == MEMORY:
        return sqlite_file.memory_engine()
    path = Path(where)
    if not path.exists():
        sqlite_file.create(path, lambda engine: bring_up_to_date(engine, where))
    sqlite_file.look_at(path, lambda connection: check_existing(connection, where))
    return sqlite_file.file_engine(path, busy_seconds)


@contextmanager
def speaking_of(where: str) -> Iterator[None]:
    """Turn what the engine, its driver and the system raise into errors of ours that name *where*."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise StoreError(where, f"the driver {error.name} is not installed") from error
    except OSError as error:
        raise StoreError(where, system_reason(error)) from error
    except (SQLAlchemyError, OverflowError, UnicodeError) as error:
        cause = getattr(error, "orig", None) or error
        kind = DamagedStore if sqlite_file.is_damage(cause) else StoreError
        raise kind(where, sqlite_file.reason_of(cause)) from error


def _seal_series(connection: Connection, row: Mapping[str, Any]) -> None:
    """Write what changes in a series, and its digest."""
    changed = {"has_ended": row["ended"], "count": row["games"], "sealed": series_digest(row)}
    connection.execute(_SEAL_SERIES, {"its": row["id"], **changed})


def _checked(what: str, number: int) -> int:
    """*number*, where it can be one: databases refuse greater ones each in its own way."""
    if not 0 < number <= MAX_ID:
        raise NotFound(what, number)
    return number
