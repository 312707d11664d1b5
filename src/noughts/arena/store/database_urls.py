"""Where a database is: addresses with the drivers that we use, and none of their passwords."""

import re

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from noughts.errors import StoreError

DRIVERS = {"sqlite": ("", "pysqlite"), "postgresql": ("", "psycopg")}
"""What a URL may begin with; the last driver is the one that is used."""

PATIENCE = {
    "connect_timeout": 5,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
}
"""What the driver is told of how long it waits for a network without answers; the last in milliseconds."""


def parse_url(url: str) -> URL:
    """*url* with the driver we use. Raises :class:`~noughts.errors.StoreError`."""
    try:
        parsed = make_url(url) if url.isprintable() else None
    except (ArgumentError, ValueError):
        parsed = None
    if parsed is None:
        raise StoreError(_without_password(url), "not-a-path-or-url")
    backend, _, driver = parsed.drivername.partition("+")
    if driver not in DRIVERS.get(backend, ()):
        raise StoreError(parsed.render_as_string(hide_password=True), "no-such-kind-of-database")
    if backend != "sqlite":
        return parsed.set(drivername=f"{backend}+{DRIVERS[backend][-1]}")
    if parsed.host or parsed.query or "\0" in (parsed.database or ""):
        raise StoreError(_without_password(url), "not-a-path-or-url")
    return parsed.set(drivername="sqlite")


def patience(url: URL) -> dict[str, int]:
    """When a PostgreSQL counts as gone that does not answer; what *url* says itself is left out."""
    return {name: value for name, value in PATIENCE.items() if name not in url.query}


def _without_password(url: str) -> str:
    return re.sub("//[^/]*@", "//***@", url)
