"""Connections to a database: the common part of the drivers, and their few differences.

SQL is written once, as text that SQLite (from 3.35 on) and PostgreSQL both understand, with parameters like
``:name``. Transactions begin and end only by explicit statements.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from enum import IntEnum, unique
from functools import lru_cache
from threading import BoundedSemaphore
from typing import Any, Protocol

MAX_CONNECTIONS = 15
"""The maximum number of simultaneous transactions of one program. Further ones wait for their turn."""


@unique
class DatabaseLock(IntEnum):
    """The locks that the programs at one PostgreSQL database share, with their numbers."""

    UPGRADE = 6_685_726
    """Creating or upgrading the schema."""
    LOBBY = 6_685_727
    """Changing the lobby."""
    RATINGS = 6_685_728
    """Counting games for ratings."""
    NAMES = 6_685_729
    """Claiming a name."""


class Row(Protocol):
    """A row of a table with named columns."""

    def __getitem__(self, column: str, /) -> Any:
        """Return the value in *column*."""

    def keys(self) -> Iterable[str]:
        """Return the columns in order."""


@dataclass(frozen=True, eq=False, slots=True)
class Dialect:
    """The differences of one kind of database from the others.

    ``reading`` and ``writing`` are the statements that begin a transaction. ``tables`` is the query for the
    names of all tables. ``parameter`` replaces ``:name``. ``words`` maps words of our SQL to their
    replacements. ``is_shared`` is True if several machines may use a database.
    """

    reading: str
    writing: str
    tables: str
    words: Mapping[str, str]
    parameter: str = r":\1"
    is_shared: bool = False


class Connection:
    """A connection that *driver* has made, with rows that have names.

    Each statement is committed at once, unless a transaction was begun.
    """

    def __init__(self, driver: Any, dialect: Dialect) -> None:
        self.driver, self.dialect = driver, dialect

    def rows(self, sql: str, **values: Any) -> list[Row]:
        """Return the rows that the query *sql* finds.

        A tuple among *values* represents all its items, as after ``IN``.
        """
        if any(isinstance(value, tuple) for value in values.values()):
            sql, values = _with_items(sql, values)
        result: list[Row] = self.driver.execute(_in_dialect(sql, self.dialect), values).fetchall()
        return result

    def row(self, sql: str, **values: Any) -> Row | None:
        """Return the first row that the query *sql* finds, or None."""
        return next(iter(self.rows(sql, **values)), None)

    def column(self, sql: str, **values: Any) -> list[Any]:
        """Return the values in the only column of the rows that the query *sql* finds."""
        return [row[name] for row in self.rows(sql, **values) for name in row.keys()]  # noqa: SIM118

    def lock(self, lock: DatabaseLock) -> None:
        """Wait for *lock*, and hold it until the transaction ends. A file needs none: it has one writer."""
        if self.dialect.is_shared:
            self.rows("SELECT pg_advisory_xact_lock(:number)", number=int(lock))

    def change(self, sql: str, *rows: Mapping[str, Any]) -> int:
        """Execute *sql* for each of *rows*, or once without rows, and return the number of changed rows."""
        cursor, spelled = self.driver.cursor(), _in_dialect(sql, self.dialect)
        if len(rows) > 1:
            cursor.executemany(spelled, rows)
        else:
            cursor.execute(spelled, *rows)
        count: int = cursor.rowcount
        return count

    def insert(self, table: str, *rows: Mapping[str, Any], unless: str = "") -> int:
        """Add *rows*, which have the same columns, to *table*, and return the number of added rows.

        *unless* is the clause for rows with an existing key, from ``ON CONFLICT`` on.
        """
        return self.change(f"{insertion(table, rows[0])} {unless}", *rows) if rows else 0

    def close(self) -> None:
        """Close the connection."""
        self.driver.close()


def insertion(table: str, row: Mapping[str, Any]) -> str:
    """Return the statement that adds rows with the columns of *row* to *table*.

    >>> insertion("games", {"id": 1, "game": "gomoku"})
    'INSERT INTO games (id, game) VALUES (:id, :game)'
    """
    return f"INSERT INTO {table} ({', '.join(row)}) VALUES (:{', :'.join(row)})"  # noqa: S608 - names of ours


def containing(text: str) -> str:
    """Return the pattern for ``LIKE`` that finds *text* anywhere, with a slash as its escape."""
    return "%" + re.sub("[%_/]", r"/\g<0>", text) + "%"


@lru_cache(maxsize=256)
def _in_dialect(sql: str, dialect: Dialect) -> str:
    for word, other in dialect.words.items():
        sql = sql.replace(word, other)
    return re.sub(r":([a-z]\w*)", dialect.parameter, sql)


def _with_items(sql: str, values: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return *sql* and *values* with one parameter for each item of a tuple, also within other tuples."""
    flat: dict[str, Any] = {}

    def spell(name: str, value: Any) -> str:
        if not isinstance(value, tuple):
            flat[name] = value
            return f":{name}"
        items = [spell(f"{name}_{number}", item) for number, item in enumerate(value)]
        return ", ".join(f"({item})" if "," in item else item for item in items) or "NULL"

    for name, value in values.items():
        sql = re.sub(rf":{name}\b", spell(name, value), sql)
    return sql, flat


@dataclass
class Pool:
    """A pool of at most *size* connections. Threads that need another one wait for their turn.

    *check* is called before each transaction. A connection that was lost while it was idle is replaced
    silently. *claim* reserves a name for this program until it exits, and yields False if another program
    that uses the database has reserved it.
    """

    connect: Callable[[], Connection]
    dialect: Dialect
    size: int = MAX_CONNECTIONS
    check: Callable[[], None] = lambda: None
    claim: Callable[[str], AbstractContextManager[bool]] = lambda what: nullcontext(enter_result=True)
    _idle: list[Connection] = field(default_factory=list, init=False)
    _is_closed: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        self._turns = BoundedSemaphore(self.size)

    @contextmanager
    def transaction(self, *, writes: bool = False) -> Iterator[Connection]:
        """Yield a transaction, committed at its end.

        A transaction that *writes* to a file excludes other writers.
        """
        with self._turns:
            self.check()
            connection = self._begin(self.dialect.writing if writes else self.dialect.reading)
            try:
                yield connection
                connection.driver.commit()
            finally:
                self._release(connection)

    @contextmanager
    def alone(self) -> Iterator[Connection]:
        """Yield a private connection and close it. Each statement is committed at once."""
        with closing(self._idle_connection() or self.connect()) as connection:
            yield connection

    def close(self) -> None:
        """Close all connections."""
        self._is_closed = True
        while (connection := self._idle_connection()) is not None:
            connection.close()

    def _idle_connection(self) -> Connection | None:
        """Return an idle connection, or None."""
        with suppress(IndexError):
            return self._idle.pop()
        return None

    def _begin(self, begin: str) -> Connection:
        while True:
            used = self._idle_connection()
            connection = used or self.connect()
            try:
                connection.change(begin)
            except Exception:
                if used is None or not self.dialect.is_shared:
                    self._release(connection)
                    raise
                connection.close()
            else:
                return connection

    def _release(self, connection: Connection) -> None:
        """Roll *connection* back and return it to the pool, unless it was lost."""
        try:
            connection.driver.rollback()
        except Exception:
            connection.close()
            return
        self._idle.append(connection)
        if self._is_closed:
            self.close()
