"""Opening files that the user chose, without blocking, and writing them completely or not at all."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import BufferedReader, TextIOWrapper
from pathlib import Path
from stat import S_ISDIR, S_ISFIFO, S_ISREG
from typing import IO, cast

from noughts.records.temporary_folders import temporary_folder

PIPE_SECONDS = 1.0
"""The longest wait for a program at the other end of a named pipe."""


def open_to_read(path: str | os.PathLike[str], *, takes_pipes: bool = False) -> BufferedReader:
    """Open the file *path*, or a pipe if *takes_pipes* is true and a program writes to it.

    Raises :class:`OSError`, also for a device and for a pipe that no program writes to. Reading those could
    block for ever.
    """
    mode = os.stat(path).st_mode
    if S_ISFIFO(mode) and takes_pipes:
        return cast(BufferedReader, _open_pipe(path, "rb"))
    if not (S_ISREG(mode) or S_ISDIR(mode)):
        raise OSError(errno.ENXIO, "not a file", os.fspath(path))
    return open(path, "rb")


def _open_pipe(path: str | os.PathLike[str], mode: str) -> IO[bytes]:
    """Open the named pipe *path*. Raises :class:`OSError` if no program opens its other end soon."""
    import threading  # needed only here
    from queue import Empty, SimpleQueue

    opened: SimpleQueue[IO[bytes] | OSError] = SimpleQueue()

    def wait() -> None:
        try:
            opened.put(open(path, mode))  # noqa: SIM115 - closed by the caller
        except OSError as error:
            opened.put(error)

    threading.Thread(target=wait, name="noughts-pipe", daemon=True).start()
    try:
        stream = opened.get(timeout=PIPE_SECONDS)
    except Empty:
        stream = OSError(errno.ENOTCONN, "nothing at the other end of the pipe", os.fspath(path))
        with suppress(OSError):  # open the other end for a moment, so that the thread ends
            os.close(os.open(path, os.O_NONBLOCK | (os.O_WRONLY if mode == "rb" else os.O_RDONLY)))
            if not isinstance(late := opened.get(), OSError):
                late.close()
    if isinstance(stream, OSError):
        raise stream
    return stream


def write_atomically(path: str | os.PathLike[str], text: str) -> None:
    """Make *text* the content of the file *path*. If this fails, the file is unchanged.

    Raises :class:`OSError`.
    """
    with atomic_writer(path) as stream:
        stream.write(text)


def check_can_write(path: str | os.PathLike[str]) -> None:
    """Raise the :class:`OSError` that writing the file *path* would raise now. Nothing is changed.

    A pipe or a device is not tried, because its reader would take the trial for the content.
    """
    there = Path(path)
    if there.is_dir() or there.is_file() or not there.exists():
        with suppress(_WritingCancelledError), atomic_writer(path):
            raise _WritingCancelledError


class _WritingCancelledError(Exception):
    """An exception that cancels the writing of a file."""


@contextmanager
def atomic_writer(path: str | os.PathLike[str]) -> Iterator[TextIOWrapper]:
    """Yield a text file that becomes *path* when it is complete. After an error *path* is unchanged.

    Raises :class:`OSError`.
    """
    import shutil  # slow to load, and few commands write files

    is_there = Path(path).exists()
    if is_there and not Path(path).is_file():  # a pipe is written directly, and a folder raises an error
        with (
            _open_pipe(path, "wb") if Path(path).is_fifo() else open(path, "wb") as opened,
            TextIOWrapper(opened, encoding="utf-8") as stream,
        ):
            yield stream
        return
    path = Path(os.path.realpath(path))  # a link remains a link
    if is_there:  # a read-only file must not be replaced either
        path.open("ab").close()
    with temporary_folder(path.parent) as folder:
        new = folder / path.name
        with new.open("w", encoding="utf-8") as stream:
            yield stream
        if is_there:
            shutil.copymode(path, new)
        new.replace(path)
