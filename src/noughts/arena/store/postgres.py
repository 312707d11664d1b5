"""PostgreSQL: how its servers are reached, by the driver of the extra ``postgres``."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from functools import partial

from noughts.arena.store.connections import Connection, Dialect, Pool

POSTGRESQL = Dialect(
    reading="BEGIN ISOLATION LEVEL REPEATABLE READ",  # so that all its statements see the same time
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
"""When a server counts as gone that does not answer, in seconds; the last in milliseconds."""

CLAIM_MS = 2_000
"""For so many milliseconds is waited for another program that has claimed the same."""

_CLAIM = "SELECT pg_advisory_lock(hashtextextended(current_schema() || CAST(:what AS text), 0))"


def server_pool(parameters: Mapping[str, str]) -> Pool:
    """The database that *parameters* of the driver name; it is loaded here, and may not be installed."""
    from psycopg import connect
    from psycopg.rows import dict_row

    chosen = {**PATIENCE, **parameters}

    def connection() -> Connection:
        return Connection(connect(autocommit=True, row_factory=dict_row, **chosen), POSTGRESQL)  # type: ignore[arg-type]

    return Pool(connection, POSTGRESQL, claim=partial(_claimed, connection))


@contextmanager
def _claimed(connect: Callable[[], Connection], what: str) -> Iterator[bool]:
    """Claim *what*, by a lock that ends with its connection.

    Others are waited for a moment: a server may learn only now that the program of one of them has ended.
    """
    from psycopg.errors import LockNotAvailable

    with closing(connect()) as connection:
        connection.change(f"SET lock_timeout = {CLAIM_MS}")
        is_ours = True
        try:
            connection.rows(_CLAIM, what=what)
        except LockNotAvailable:
            is_ours = False
        yield is_ours
