"""Where a database is: addresses with the drivers that we use, and none of their passwords."""

import re

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from noughts.errors import StoreError

DRIVERS = {"sqlite": ("", "pysqlite"), "postgresql": ("", "psycopg")}
"""What a URL may begin with; the last driver is the one that is used."""


def parse_url(url: str) -> URL:
    """*url* with the driver we use. Raises :class:`~noughts.errors.StoreError`."""
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError) as error:
        raise StoreError(_without_password(url), "not-a-path-or-url") from error
    backend, _, driver = parsed.drivername.partition("+")
    if driver not in DRIVERS.get(backend, ()):
        raise StoreError(parsed.render_as_string(hide_password=True), "no-such-kind-of-database")
    if backend != "sqlite":
        return parsed.set(drivername=f"{backend}+{DRIVERS[backend][-1]}")
    if parsed.host or parsed.query or "\0" in (parsed.database or ""):
        raise StoreError(_without_password(url), "not-a-path-or-url")
    return parsed.set(drivername="sqlite")


def _without_password(url: str) -> str:
    return re.sub("//[^/]*@", "//***@", url)
