"""Live logs: a game is written to a file while it is played, so that it can be watched.

The player's process adds a line for each event. Lines with a number state the milliseconds by which the
game's time is behind the wall clock. The program that runs the tournament reads the file from time to time.
Nothing depends on it: a game is saved from the result of its worker.
"""

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any

from noughts.arena.digest import canonical_json
from noughts.records.temporary_folders import temporary_folder


class LiveLog:
    """The log of a game: a file at *path*.

    Without a path, or if the file cannot be created, nothing is written.

    After a failed write nothing more is written, so that no line is missing between others.
    """

    def __init__(self, path: str | None) -> None:
        self._file = None
        if path is not None:
            with suppress(OSError):  # another machine does not have the folder
                self._file = open(path, "wb", buffering=0)  # noqa: SIM115 - closed by close

    def write(self, items: Iterable[Any]) -> None:
        """Add a line of JSON for each item of *items*."""
        if self._file is None:
            return
        lines = "".join(f"{canonical_json(line)}\n" for line in items).encode("ascii")
        written = None
        with suppress(OSError):
            written = self._file.write(lines)
        if written != len(lines):
            self.close()

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()
            self._file = None


class LiveLogs:
    """The logs of the running games in *folder*. Without a folder there are no logs."""

    def __init__(self, folder: Path | None) -> None:
        self._folder, self._numbers = folder, count(1)

    def new(self) -> str | None:
        """Return an unused path for a log, or None without a folder."""
        return None if self._folder is None else str(self._folder / str(next(self._numbers)))

    @staticmethod
    def read(path: str | None) -> str | None:
        """Return the complete lines of a log, or None if it does not exist yet."""
        if path is None:
            return None
        try:
            whole, end, _ = Path(path).read_text(encoding="ascii").rpartition("\n")
        except (OSError, UnicodeDecodeError):
            return None
        return whole + end

    @staticmethod
    def drop(path: str | None) -> None:
        """Delete a log."""
        if path is not None:
            with suppress(OSError):  # it does not exist, or another process has it open
                Path(path).unlink()


@contextmanager
def new_live_logs() -> Iterator[LiveLogs]:
    """Yield logs in a new folder, which is removed in the end. If it cannot be created, there are no logs."""
    with ExitStack() as leaving:
        folder = None
        with suppress(OSError):
            folder = leaving.enter_context(temporary_folder())
        yield LiveLogs(folder)
