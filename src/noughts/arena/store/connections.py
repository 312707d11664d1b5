"""Connections to a database: what its drivers have in common, and the few words in which they differ.

SQL is written once, as text that SQLite (from 3.35 on) and PostgreSQL both understand, with parameters
like ``:name``. Transactions begin and end when they say so.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from functools import lru_cache
from threading import BoundedSemaphore
from typing import Any, Protocol

MAX_CONNECTIONS = 15
"""How many transactions of one program a database has at once; further ones wait for their turn."""


class Row(Protocol):
    """A row of a table, whose columns are found by name."""

    def __getitem__(self, column: str, /) -> Any:
        """What stands in *column*."""

    def keys(self) -> Iterable[str]:
        """The columns in order."""


@dataclass(frozen=True, eq=False, slots=True)
class Dialect:
    """What one kind of database says in other words than the others.

    ``reading`` and ``writing`` begin a transaction, ``tables`` finds the names of all tables, ``parameter``
    replaces ``:name``, and ``words`` what is here called otherwise or is not needed. ``is_shared`` says
    whether several machines may use a database.
    """

    reading: str
    writing: str
    tables: str
    words: Mapping[str, str]
    parameter: str = r":\1"
    is_shared: bool = False


class Connection:
    """A connection that *driver* has made, with rows that have names; each statement is committed at once,
    unless a transaction was begun.
    """

    def __init__(self, driver: Any, dialect: Dialect) -> None:
        self.driver, self.dialect = driver, dialect

    def rows(self, sql: str, **values: Any) -> list[Row]:
        """What the query *sql* finds; a tuple among *values* stands for all of its items, as after ``IN``."""
        if any(isinstance(value, tuple) for value in values.values()):
            sql, values = _with_items(sql, values)
        found: list[Row] = self.driver.execute(_spelled(sql, self.dialect), values).fetchall()
        return found

    def row(self, sql: str, **values: Any) -> Row | None:
        """The first row that the query *sql* finds, None where it finds none."""
        return next(iter(self.rows(sql, **values)), None)

    def column(self, sql: str, **values: Any) -> list[Any]:
        """What stands in the only column of the rows that the query *sql* finds."""
        return [row[name] for row in self.rows(sql, **values) for name in row.keys()]  # noqa: SIM118

    def change(self, sql: str, *rows: Mapping[str, Any]) -> int:
        """Carry *sql* out for each of *rows*, or once where there are none; how many rows it changed."""
        cursor, spelled = self.driver.cursor(), _spelled(sql, self.dialect)
        if len(rows) > 1:
            cursor.executemany(spelled, rows)
        else:
            cursor.execute(spelled, *rows)
        count: int = cursor.rowcount
        return count

    def insert(self, table: str, *rows: Mapping[str, Any], unless: str = "") -> int:
        """Add *rows*, which have the same columns, to *table*; how many it added. *unless* says what is done
        with those whose key is there, from ``ON CONFLICT`` on.
        """
        return self.change(f"{insertion(table, rows[0])} {unless}", *rows) if rows else 0

    def close(self) -> None:
        """Let go of it."""
        self.driver.close()


def insertion(table: str, row: Mapping[str, Any]) -> str:
    """The statement that adds rows with the columns of *row* to *table*.

    >>> insertion("games", {"id": 1, "game": "gomoku"})
    'INSERT INTO games (id, game) VALUES (:id, :game)'
    """
    return f"INSERT INTO {table} ({', '.join(row)}) VALUES (:{', :'.join(row)})"  # noqa: S608 - names of ours


def containing(text: str) -> str:
    """The pattern for ``LIKE`` of what contains *text*, with a slash as its escape."""
    return "%" + re.sub("[%_/]", r"/\g<0>", text) + "%"


@lru_cache(maxsize=256)
def _spelled(sql: str, dialect: Dialect) -> str:
    for word, other in dialect.words.items():
        sql = sql.replace(word, other)
    return re.sub(r":([a-z]\w*)", dialect.parameter, sql)


def _with_items(sql: str, values: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """*sql* with a parameter for each item of the tuples among *values*, and of tuples in those."""
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
    """Connections that are used again; *size* at once at most, whoever wants another waits for their turn.

    *check* is called before each transaction. One that was lost while nobody used it is replaced unseen.
    *claim* keeps other programs that use the database from what a name stands for, until its end; it tells
    whether none of them has claimed that.
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
        """A transaction, committed at its end; whoever *writes* says so, and excludes others in a file."""
        with self._turns:
            self.check()
            connection = self._begin(self.dialect.writing if writes else self.dialect.reading)
            try:
                yield connection
                connection.driver.commit()
            finally:
                self._put_back(connection)

    @contextmanager
    def alone(self) -> Iterator[Connection]:
        """A connection of one's own, whose statements are each committed at once; closed afterwards."""
        with closing(self._used() or self.connect()) as connection:
            yield connection

    def close(self) -> None:
        """Close all connections."""
        self._is_closed = True
        while (connection := self._used()) is not None:
            connection.close()

    def _used(self) -> Connection | None:
        """A connection that nobody uses now; None where there is none."""
        with suppress(IndexError):
            return self._idle.pop()
        return None

    def _begin(self, begin: str) -> Connection:
        while True:
            used = self._used()
            connection = used or self.connect()
            try:
                connection.change(begin)
            except Exception:
                if used is None or not self.dialect.is_shared:
                    self._put_back(connection)
                    raise
                connection.close()
            else:
                return connection

    def _put_back(self, connection: Connection) -> None:
        """Keep *connection* for others, without what was not committed, unless it was lost."""
        try:
            connection.driver.rollback()
        except Exception:
            connection.close()
            return
        self._idle.append(connection)
        if self._is_closed:
            self.close()
