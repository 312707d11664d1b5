"""Addresses of databases: parsing them, and showing them without passwords."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, unquote

from noughts.errors import StoreError

DRIVERS = {"sqlite": (None, "pysqlite"), "postgresql": (None, "psycopg")}
"""The allowed beginnings of a URL: kinds of databases with their drivers."""

MEMORY = ":memory:"
"""The file of a database that lasts as long as the program."""

_URL = re.compile(
    r"(?P<kind>\w+)(?:\+(?P<driver>\w+))?://"
    r"(?:(?P<user>[^:/@]*)(?::(?P<password>[^@]*))?@)?"
    r"(?:\[(?P<address>[^]/?]+)\]|(?P<host>[^:/?]*))(?::(?P<port>[0-9]*))?"
    r"(?:/(?P<dbname>[^?]*))?(?:\?(?P<query>.*))?"
)


_SECRET = re.compile("pass|secret|key|token", re.IGNORECASE)
"""A part of the names of parameters that may hold secrets."""


@dataclass(frozen=True, slots=True)
class Location:
    """The location of a database.

    ``file`` is a path, :data:`MEMORY`, or None for a server, which has ``parameters`` for the driver.
    ``where`` names it in errors.
    """

    where: str
    file: str | None
    parameters: Mapping[str, str] = field(default_factory=dict, repr=False)


def parse_url(url: str) -> Location:
    """Return the location in *url*. Raises :class:`~noughts.errors.StoreError`."""
    match = _URL.fullmatch(url) if url.isprintable() else None
    where = re.sub("([?&])([^=&]*)=([^&]*)", _masked, re.sub("//.*@", "//***@", url))
    if match is None:
        raise StoreError(where, "not-a-path-or-url")
    parts = match.groupdict()
    kind, driver, address, query = (parts.pop(name) for name in ("kind", "driver", "address", "query"))
    if driver not in DRIVERS.get(kind, ()):
        raise StoreError(where, "no-such-kind-of-database")
    if kind != "sqlite":
        named = {
            name: unquote(part) for name, part in {**parts, "host": address or parts["host"]}.items() if part
        }
        return Location(where, None, {**named, **dict(parse_qsl(query or ""))})
    file = unquote(parts.pop("dbname") or MEMORY)
    if address or query or any(parts.values()) or "\0" in file:
        raise StoreError(where, "not-a-path-or-url")
    return Location(file, file)


def _masked(parameter: re.Match[str]) -> str:
    """Return a parameter of a URL without a secret value."""
    before, name, _ = parameter.groups()
    return f"{before}{name}=***" if _SECRET.search(unquote(name)) else parameter[0]
