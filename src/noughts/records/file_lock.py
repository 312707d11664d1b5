"""Locks by files: only one program holds a file, until it releases it or ends in any way."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from errno import EIO, ENOSPC
from pathlib import Path
from sqlite3 import SQLITE_BUSY, SQLITE_FULL, SQLITE_IOERR

PRIMARY = 0xFF
"""The part of an SQLite error number that names the kind of error. The rest gives details."""

MAX_TRIES = 100
"""The maximum number of attempts, if the file is replaced before each lock."""


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the empty file *path*, which is created, and removed at the end.

    Raises BlockingIOError if another program holds it, and another OSError if it cannot be created. The lock
    is one of SQLite, which every system releases with its process.
    """
    with closing(_hold(path)):
        try:
            yield
        finally:
            with suppress(OSError):  # some systems do not remove open files
                path.unlink()


def _hold(path: Path) -> sqlite3.Connection:
    """Return the connection that holds the file *path* until it is closed.

    The previous holder may have removed the file after it was opened here. Such a file locks nothing, so the
    new one is opened.
    """
    for _ in range(MAX_TRIES):
        known = _state(path)
        connection = _opened(path)
        try:
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.Error as error:
            connection.close()
            if error.sqlite_errorcode & PRIMARY == SQLITE_BUSY:
                raise BlockingIOError(str(error)) from error
            if known is not None and known == _state(path):
                raise _as_system_error(error) from error
        else:
            if known is not None and known == _state(path):
                return connection
            connection.close()
    raise BlockingIOError(f"{path} is another file each time")


def _opened(path: Path) -> sqlite3.Connection:
    try:
        return sqlite3.connect(path, timeout=0, check_same_thread=False)
    except sqlite3.Error as error:
        raise _as_system_error(error) from error


def _as_system_error(error: sqlite3.Error) -> OSError:
    """Return an SQLite error about a file as an error of the system."""
    is_full = error.sqlite_errorcode & PRIMARY in (SQLITE_FULL, SQLITE_IOERR)
    return OSError(ENOSPC if is_full else EIO, str(error))


def _state(path: Path) -> tuple[int, int, int] | None:
    """Return the identity of the file *path*, or None if there is none.

    It includes the time of change, because a later file may get the number of a removed one.
    """
    try:
        stat = path.stat()
    except FileNotFoundError:
        return None
    return stat.st_dev, stat.st_ino, stat.st_ctime_ns
