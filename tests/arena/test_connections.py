"""Connections: the SQL of each database, and the handling of lost connections."""

import contextlib
import gc
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from noughts.arena.store import connections
from noughts.arena.store.connections import Connection, Pool
from noughts.arena.store.postgres import POSTGRESQL
from noughts.arena.store.sqlite_file import SQLITE, file_pool, memory_pool
from noughts.errors import StoreError
from tests.databases import new_file


class Driver:
    """A connection of a driver that fails when *fails* says so."""

    def __init__(self, *fails: str) -> None:
        self.fails, self.done = fails, list[str]()

    def _do(self, what: str) -> None:
        self.done.append(what)
        if what in self.fails:
            raise sqlite3.OperationalError("lost")

    def cursor(self) -> "Driver":
        return self

    rowcount = 0

    def execute(self, sql: str) -> None:
        self._do(sql.partition(" ")[0].lower())

    def commit(self) -> None:
        self._do("commit")

    def rollback(self) -> None:
        self._do("rollback")

    def close(self) -> None:
        self._do("close")


def test_sql_is_adapted_to_each_dialect() -> None:
    sql = "SELECT a FROM b WHERE c = :c AND d = '1:2' FOR UPDATE"
    assert connections._in_dialect(sql, SQLITE) == "SELECT a FROM b WHERE c = :c AND d = '1:2'"
    assert connections._in_dialect(sql, POSTGRESQL) == sql.replace(":c", "%(c)s")


def test_tuple_parameter_represents_its_items() -> None:
    with contextlib.closing(memory_pool()) as pool, pool.transaction() as connection:
        query = "WITH t(a, b) AS (VALUES (1, 'x'), (2, 'y'), (3, 'x')) SELECT a FROM t WHERE "
        assert connection.column(query + "a IN (:a) AND b = :b", a=(1, 2), b="x") == [1]
        assert connection.column(query + "(a, b) IN (VALUES :some)", some=((1, "x"), (2, "x"))) == [1]
        assert connection.column(query + "a IN (:a)", a=()) == []


def test_failed_transaction_is_rolled_back(tmp_path: Path) -> None:
    with contextlib.closing(file_pool(new_file(tmp_path / "games.db"))) as pool:
        with contextlib.suppress(KeyError), pool.transaction(writes=True) as connection:
            connection.change("INSERT INTO room_workers VALUES ('it', 1)")
            raise KeyError
        with pool.transaction() as connection:
            assert connection.row("SELECT name FROM room_workers") is None


LEAVE = """
import sqlite3, sys
other = sqlite3.connect(sys.argv[1])
other.execute("SELECT * FROM room_workers").fetchall()
other.close()
"""


@pytest.mark.slow
def test_closing_elsewhere_keeps_the_log(tmp_path: Path) -> None:
    """Even after the file was read beside SQLite, and after another pool of this program was closed."""
    path = new_file(tmp_path / "games.db")
    log = path.with_name(path.name + "-wal")

    def write(pool: Pool, name: str) -> None:
        with pool.transaction(writes=True) as connection:
            connection.insert("room_workers", {"name": name, "seen": 1})

    with contextlib.closing(file_pool(path)) as pool:
        write(pool, "one")
        with contextlib.closing(file_pool(path)) as another:
            write(another, "two")
            with another.alone() as connection:
                connection.rows("PRAGMA wal_checkpoint(PASSIVE)")  # the file changes, and is inspected
        del another
        gc.collect()
        write(pool, "three")
        before = log.stat().st_ino
        subprocess.run([sys.executable, "-c", LEAVE, str(path)], check=True)
        assert log.stat().st_ino == before
        write(pool, "four")
    with contextlib.closing(file_pool(path)) as pool, pool.transaction() as connection:
        names = connection.column("SELECT name FROM room_workers ORDER BY name")
    assert names == ["four", "one", "three", "two"]


def test_deleted_file_has_no_pool(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="gone"):
        file_pool(tmp_path / "games.db")


def test_lost_idle_connection_is_replaced() -> None:
    drivers = [Driver(), Driver()]
    given = iter(drivers)
    pool = Pool(lambda: Connection(next(given), POSTGRESQL), POSTGRESQL)
    for lost in (False, True):
        drivers[0].fails = ("begin",) * lost
        with pool.transaction():
            pass
    assert drivers[0].done == ["begin", "commit", "rollback", "begin", "close"]
    assert drivers[1].done == ["begin", "commit", "rollback"]


def test_connection_lost_in_use_is_discarded() -> None:
    drivers = [Driver("commit", "rollback"), Driver("begin")]
    given = iter(drivers)
    pool = Pool(lambda: Connection(next(given), POSTGRESQL), POSTGRESQL)
    for _ in drivers:
        with pytest.raises(sqlite3.OperationalError), pool.transaction():
            pass
    assert drivers[0].done == ["begin", "commit", "rollback", "close"]
    assert drivers[1].done == ["begin", "rollback"]


def test_closed_pool_closes_connections_in_use() -> None:
    driver = Driver()
    pool = Pool(lambda: Connection(driver, SQLITE), SQLITE)
    with pool.transaction(writes=True):
        pool.close()
    assert driver.done == ["begin", "commit", "rollback", "close"]
