"""PostgreSQL: connections to its servers, with the driver of the extra ``postgres``."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from functools import partial

from noughts.arena.store.connections import Connection, Dialect, Pool

POSTGRESQL = Dialect(
    reading="BEGIN ISOLATION LEVEL REPEATABLE READ",  # all statements of a transaction see the same instant
    writing="BEGIN",
    tables="SELECT tablename FROM pg_catalog.pg_tables WHERE schemaname = current_schema()",
    parameter=r"%(\1)s",
    words={" WITHOUT ROWID": ""},
    is_shared=True,
)

PATIENCE = {
    "connect_timeout": "5",
    "keepalives_idle": "5",
    "keepalives_interval": "2",
    "keepalives_count": "3",
    "tcp_user_timeout": "10000",
}
"""Seconds after which a server that does not answer counts as gone. The last value is in milliseconds."""

CLAIM_MS = 2_000
"""Milliseconds to wait for another program that has made the same claim."""

_CLAIM = "SELECT pg_advisory_lock(hashtextextended(current_schema() || CAST(:what AS text), 0))"


def server_pool(parameters: Mapping[str, str]) -> Pool:
    """Return a pool for the database with these *parameters* of the driver.

    The driver is loaded here. It may not be installed.
    """
    from psycopg import connect
    from psycopg.rows import dict_row

    chosen = {**PATIENCE, **parameters}

    def connection() -> Connection:
        return Connection(connect(autocommit=True, row_factory=dict_row, **chosen), POSTGRESQL)  # type: ignore[arg-type]

    return Pool(connection, POSTGRESQL, claim=partial(_claimed, connection))


@contextmanager
def _claimed(connect: Callable[[], Connection], name: str) -> Iterator[bool]:
    """Claim *name* by a lock that ends with its connection. Yield False if another program has it.

    Wait a moment for others: a server may notice late that a program has ended.
    """
    from psycopg.errors import LockNotAvailable

    with closing(connect()) as connection:
        connection.change(f"SET lock_timeout = {CLAIM_MS}")
        is_ours = True
        try:
            connection.rows(_CLAIM, what=name)
        except LockNotAvailable:
            is_ours = False
        yield is_ours
