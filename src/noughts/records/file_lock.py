"""Files that one program holds alone, until it lets go of them or ends, in whatever way it ends."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from errno import EIO, ENOSPC
from pathlib import Path
from sqlite3 import SQLITE_BUSY, SQLITE_FULL, SQLITE_IOERR

PRIMARY = 0xFF
"""The part of an error's number in SQLite that says what happened; the rest says more closely where."""

MAX_TRIES = 100
"""So often a file is opened at most that is another one by the time it is held."""


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the file *path*, in which there is nothing: it is made, and removed in the end.

    Raises BlockingIOError where another one holds it, and other kinds of OSError where it cannot be made. The
    lock is one of SQLite, which every system ends with its process.
    """
    with closing(_hold(path)):
        try:
            yield
        finally:
            with suppress(OSError):  # some systems remove nothing that is open
                path.unlink()


def _hold(path: Path) -> sqlite3.Connection:
    """What holds the file *path* until it is closed.

    Who held that before may have removed it after it was opened here: then it would keep nobody away, and is
    opened again.
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
    """Return what SQLite has against a file as the system says it."""
    is_full = error.sqlite_errorcode & PRIMARY in (SQLITE_FULL, SQLITE_IOERR)
    return OSError(ENOSPC if is_full else EIO, str(error))


def _state(path: Path) -> tuple[int, int, int] | None:
    """Which file *path* is, None for none: the number of a file that is gone may be that of a later one."""
    try:
        stat = path.stat()
    except FileNotFoundError:
        return None
    return stat.st_dev, stat.st_ino, stat.st_ctime_ns
