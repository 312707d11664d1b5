"""A worker process, and the lines to it and from it. Its program is :mod:`.worker_main`."""

import os
import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from queue import Empty, SimpleQueue
from typing import IO

from noughts.workers import worker_main

NAME = "noughts-thinking"
"""The name of threads that serve a worker process."""

END_SECONDS = 1.0
"""The maximum number of seconds to wait for the end of a process or thread."""

_STOPPED = getattr(os, "WSTOPPED", 0) | getattr(os, "WNOHANG", 0) | getattr(os, "WNOWAIT", 0)
"""The options for checking if a process is suspended, without waiting, and without consuming the state."""


class WorkerProcess:
    """A worker process. All methods except :meth:`kill` are for one thread.

    Its temporary files are in *folder*, by default in the usual place. It runs at a lower priority
    (*niceness*). Raises :class:`OSError` if no process can be started.
    """

    def __init__(self, folder: str | None = None, niceness: int = worker_main.NICENESS) -> None:
        self._ending = threading.Lock()
        with _interrupts_blocked():
            self._process = subprocess.Popen(  # noqa: S603 - it is this program
                worker_main.worker_command(niceness, folder),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        self._lines: SimpleQueue[str | None] = SimpleQueue()
        self._unsent: SimpleQueue[str | None] = SimpleQueue()
        jobs = self._read, self._write
        self._threads = [threading.Thread(target=job, name=NAME, daemon=True) for job in jobs]
        for thread in self._threads:
            thread.start()

    def send(self, line: str) -> None:
        """Send *line* without waiting for the process to read it."""
        self._unsent.put(line)

    def receive(self, seconds: float) -> str | None:
        """Return the next line, or None if none comes within *seconds*.

        Raises ``EOFError`` at the end.
        """
        with suppress(Empty):
            if (line := self._lines.get(timeout=seconds)) is not None:
                return line
            self._lines.put(None)  # the next call raises EOFError too
            raise EOFError
        return None

    def drop(self) -> None:
        """Discard the lines that have come. Raises ``EOFError`` if the process has ended."""
        while self.receive(0) is not None:
            pass
        if self.has_ended():
            raise EOFError

    def has_ended(self) -> bool:
        """Return True if the process has ended."""
        with self._ending:
            return self._process.poll() is not None

    def is_stopped(self) -> bool:
        """Return True if the process is suspended; False if the system cannot tell."""
        status = None
        with self._ending, suppress(AttributeError, OSError):
            status = os.waitid(os.P_PID, self._process.pid, _STOPPED)
        return status is not None

    def wait_for_end(self) -> str:
        """Wait a moment for a process that has closed its pipe, and return a text about its end."""
        with self._ending, suppress(subprocess.TimeoutExpired):
            self._process.wait(END_SECONDS)
        return f"exit status {self._process.returncode}"

    def kill(self) -> None:
        """End the process, whatever it is doing."""
        with self._ending, suppress(subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait(END_SECONDS)

    def close(self) -> None:
        """End the process, and release its threads and pipes."""
        self.kill()
        self._unsent.put(None)
        for thread in self._threads:  # they close the pipes
            thread.join(END_SECONDS)

    def _read(self) -> None:
        with suppress(OSError), _pipe(self._process.stdout) as stream:
            for line in stream:
                if line.endswith(b"\n"):  # other lines were cut short
                    self._lines.put(line.decode(errors="replace"))
        self._lines.put(None)

    def _write(self) -> None:
        with suppress(OSError), _pipe(self._process.stdin) as stream:  # unread lines are lost
            while (line := self._unsent.get()) is not None:
                stream.write(f"{line}\n".encode())
                stream.flush()


def _pipe(stream: IO[bytes] | None) -> IO[bytes]:
    if stream is None:
        raise AssertionError("a worker process has pipes")
    return stream


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Block Ctrl-C while a process starts, until that process handles it itself."""
    if not hasattr(signal, "pthread_sigmask"):  # pragma: no cover - Windows has none
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT,))
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
