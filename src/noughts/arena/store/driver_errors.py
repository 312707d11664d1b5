"""What the drivers of databases and the system raise, as errors of ours."""

import sqlite3
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from noughts.arena.store import sqlite_file
from noughts.errors import DamagedStore, StoreError, system_reason


@contextmanager
def speaking_of(where: str) -> Iterator[None]:
    """Turn what the drivers and the system raise into errors of ours that name *where*."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise StoreError(where, "no-driver") from error
    except OSError as error:
        raise StoreError(where, system_reason(error)) from error
    except _driver_errors() as error:
        kind = DamagedStore if sqlite_file.is_damage(error) else StoreError
        raise kind(where, sqlite_file.reason_of(error, where)) from error


def _driver_errors() -> tuple[type[Exception], ...]:
    """What the drivers raise, of those that are in use, and for values that no database can hold."""
    psycopg: Any = sys.modules.get("psycopg")
    others = () if psycopg is None else (psycopg.Error,)
    return (sqlite3.Error, OverflowError, UnicodeError, *others)
