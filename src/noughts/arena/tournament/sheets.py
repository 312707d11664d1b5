"""Sheets, on which a game is written down while it is played, so that it can be watched.

A sheet is a file: whoever plays adds a line for each event, whoever holds the tournament reads it now and
then. Nothing depends on it: a game is kept from what its player returns.
"""

import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from shutil import rmtree
from tempfile import gettempdir, mkdtemp
from typing import Any

from noughts.arena.store.store import canonical_json

PREFIX = "noughts-sheets-"
"""How the names of folders with sheets begin."""

LEFT_SECONDS = 24 * 60 * 60.0
"""A folder to which no sheet came for so many seconds was left by a program that was killed."""


class Sheet:
    """Where a game is written down: a file at *path*; nowhere without one, or where none can be made.

    Where something cannot be written, nothing that follows is, so that no line is missing between others.
    """

    def __init__(self, path: str | None) -> None:
        self._file = None
        if path is not None:
            with suppress(OSError):  # on another machine there is no such folder
                self._file = open(path, "wb", buffering=0)  # noqa: SIM115 - closed by close

    def write(self, events: Iterable[Any]) -> None:
        """Add *events*, each of which is what JSON can say."""
        if self._file is None:
            return
        lines = "".join(f"{canonical_json(event)}\n" for event in events).encode("ascii")
        written = None
        with suppress(OSError):
            written = self._file.write(lines)
        if written != len(lines):
            self.close()

    def close(self) -> None:
        """Write no more."""
        if self._file is not None:
            self._file.close()
            self._file = None


class Sheets:
    """The sheets of the games that are being played, in *folder*; none where that is None."""

    def __init__(self, folder: Path | None) -> None:
        self._folder, self._numbers = folder, count(1)

    def new(self) -> str | None:
        """The path of a sheet that was never used."""
        return None if self._folder is None else str(self._folder / str(next(self._numbers)))

    @staticmethod
    def read(path: str | None) -> str | None:
        """The lines of a sheet, as far as they are whole; None where there is no such sheet yet."""
        if path is None:
            return None
        try:
            whole, end, _ = Path(path).read_text(encoding="ascii").rpartition("\n")
        except (OSError, UnicodeDecodeError):
            return None
        return whole + end

    @staticmethod
    def drop(path: str | None) -> None:
        """Throw a sheet away."""
        if path is not None:
            with suppress(OSError):  # there was none, or somebody still has it open
                Path(path).unlink()


@contextmanager
def new_sheets() -> Iterator[Sheets]:
    """Sheets in a new folder, which is removed in the end; none where there can be no folder.

    Folders of programs that were killed are removed too.
    """
    try:
        _sweep(Path(gettempdir()))
        folder = Path(mkdtemp(prefix=PREFIX))
    except OSError:
        yield Sheets(None)
        return
    try:
        yield Sheets(folder)
    finally:
        rmtree(folder, ignore_errors=True)


def _sweep(folder: Path) -> None:
    """Remove from *folder* what programs have left there that were killed."""
    for left in folder.glob(f"{PREFIX}*"):
        with suppress(OSError):  # another program removes it, too
            if time.time() - left.stat().st_mtime > LEFT_SECONDS:
                rmtree(left, ignore_errors=True)
