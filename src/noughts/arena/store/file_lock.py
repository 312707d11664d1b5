"""Files that one program holds alone, until it lets go of them or ends, in whatever way it ends."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from sqlite3 import SQLITE_BUSY

PRIMARY = 0xFF
"""The part of an error's number in SQLite that says what happened; the rest says more closely where."""


@contextmanager
def locked(path: Path, seconds: float = 0.0) -> Iterator[None]:
    """Hold the file *path*, in which there is nothing: it is made, and removed in the end.

    Raises BlockingIOError where another one holds it, who is waited for so many *seconds*, and other kinds of
    OSError where it cannot be made. The lock is one of SQLite, which every system ends with its process.
    """
    try:
        connection = sqlite3.connect(path, timeout=seconds, check_same_thread=False)
    except sqlite3.Error as error:
        raise OSError(str(error)) from error
    with closing(connection):
        try:
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.Error as error:
            is_held = error.sqlite_errorcode & PRIMARY == SQLITE_BUSY
            raise (BlockingIOError if is_held else OSError)(str(error)) from error
        try:
            yield
        finally:
            with suppress(OSError):  # some systems remove nothing that is open
                path.unlink()
