"""Live logs: a game is written to a file while it is played, so that it can be watched.

The player's process adds a line for each event, and numbers that tell how many milliseconds the time of the
game is behind that of day. The program that runs the tournament reads the file now and then. Nothing depends
on it: a game is saved from what its player returns.
"""

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any

from noughts.arena.digest import canonical_json
from noughts.records.own_folders import own_folder


class LiveLog:
    """Where a game is written down: a file at *path*; nowhere without one, or where none can be made.

    Where something cannot be written, nothing that follows is, so that no line is missing between others.
    """

    def __init__(self, path: str | None) -> None:
        self._file = None
        if path is not None:
            with suppress(OSError):  # on another machine there is no such folder
                self._file = open(path, "wb", buffering=0)  # noqa: SIM115 - closed by close

    def write(self, what: Iterable[Any]) -> None:
        """Add lines, each of which is *what* JSON can say."""
        if self._file is None:
            return
        lines = "".join(f"{canonical_json(line)}\n" for line in what).encode("ascii")
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


class LiveLogs:
    """The logs of the games that are being played, in *folder*; none where that is None."""

    def __init__(self, folder: Path | None) -> None:
        self._folder, self._numbers = folder, count(1)

    def new(self) -> str | None:
        """The path of a log that was never used."""
        return None if self._folder is None else str(self._folder / str(next(self._numbers)))

    @staticmethod
    def read(path: str | None) -> str | None:
        """The lines of a log, as far as they are whole; None where there is no such log yet."""
        if path is None:
            return None
        try:
            whole, end, _ = Path(path).read_text(encoding="ascii").rpartition("\n")
        except (OSError, UnicodeDecodeError):
            return None
        return whole + end

    @staticmethod
    def drop(path: str | None) -> None:
        """Throw a log away."""
        if path is not None:
            with suppress(OSError):  # there was none, or somebody still has it open
                Path(path).unlink()


@contextmanager
def new_live_logs() -> Iterator[LiveLogs]:
    """LiveLogs in a new folder, which is removed in the end; none where there can be no folder."""
    with ExitStack() as leaving:
        folder = None
        with suppress(OSError):
            folder = leaving.enter_context(own_folder())
        yield LiveLogs(folder)
