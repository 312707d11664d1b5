"""The file in which ``solve`` stores its work, so that an interrupted search can be resumed."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import IO, cast

from noughts.errors import FileRefused, system_reason
from noughts.games.base import Game
from noughts.interfaces.presenting.i18n import ReadableError, Translator
from noughts.records.files import atomic_writer, check_can_write, open_to_read
from noughts.search.analysis import Progress
from noughts.search.analyst import Analyst
from noughts.search.exact.checkpoint import CheckpointError, read_checkpoint, write_checkpoint
from noughts.search.exact.search import ExactSearch
from noughts.search.numba_backend import Machine, best_machine

LARGE_BYTES = 1 << 23
"""The file size from which a search loads its kernels first: lists would take four times the memory."""

MEGABYTE = 1_000_000

SAVE_SECONDS = 10.0
"""The search time between two writes of the file, in seconds, and as a multiple of the time to write it."""


def machine_for(file: Path | None) -> Machine | None:
    """Return the machine for a search with the work in *file*.

    None selects any machine that is ready.
    """
    is_large = file is not None and file.is_file() and file.stat().st_size >= LARGE_BYTES
    return best_machine() if is_large else None


def limit_memory(say: Translator, analyst: Analyst, game: Game, megabytes: int, processes: int) -> None:
    """Limit the tables of *analyst* for *game* in all *processes* together to *megabytes*.

    Raises :class:`ReadableError` if that is too little.
    """
    search = analyst.exact_search(game)
    if search is None:
        raise ReadableError(say("memory-unsupported", game=game.name))
    least = -(-search.limit_memory(megabytes * MEGABYTE // processes) * processes // MEGABYTE)
    if least > megabytes:
        raise ReadableError(say("memory-too-small", game=game.name, least=least))


class DamagedCheckpointError(ReadableError):
    """The error of a damaged file."""


class SolveCheckpoint:
    """The work of *analyst* on *game*, stored in *file*. *now* returns the time in seconds.

    Raises :class:`~noughts.errors.FileRefused` or :class:`ReadableError` if the file cannot be used.
    """

    def __init__(
        self,
        say: Translator,
        analyst: Analyst,
        game: Game,
        file: Path,
        now: Callable[[], float] = monotonic,
    ) -> None:
        search = analyst.exact_search(game)
        if search is None:
            raise ReadableError(say("resume-unsupported", game=game.name))
        self._search: ExactSearch = search
        self._file, self._now, self._report = file, now, analyst.report
        try:
            if file.exists():
                with open_to_read(file) as stream:
                    read_checkpoint(search, stream)
            check_can_write(file)
        except CheckpointError as error:
            kind = DamagedCheckpointError if error.reason == "damaged" else ReadableError
            raise kind(say(f"resume-{error.reason}", file=file, game=game.name)) from None
        except OSError as error:
            raise FileRefused(str(file), system_reason(error)) from None
        self._next_time = now() + SAVE_SECONDS

    def report(self, progress: Progress) -> None:
        """Pass *progress* to the previous report function, and write the file from time to time.

        If writing fails the search continues, since the next attempt may succeed.
        """
        self._report(progress)
        if self._now() >= self._next_time:
            with suppress(FileRefused):
                self.save()

    def save(self) -> None:
        """Write the whole file or nothing. Raises :class:`~noughts.errors.FileRefused`."""
        started = self._now()
        try:
            with atomic_writer(self._file) as stream:
                write_checkpoint(self._search, cast(IO[bytes], stream.buffer))
        except OSError as error:
            raise FileRefused(str(self._file), system_reason(error)) from None
        finally:
            ended = self._now()
            self._next_time = ended + SAVE_SECONDS * max(1.0, ended - started)
