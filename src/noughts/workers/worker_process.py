"""A process of our own that thinks, and the lines to it and from it; what it does is in :mod:`.loop`."""

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
"""What threads are called that have to do with a thinking process."""

END_SECONDS = 1.0
"""How long is waited at most for the end of what was told to end."""

_STOPPED = getattr(os, "WSTOPPED", 0) | getattr(os, "WNOHANG", 0) | getattr(os, "WNOWAIT", 0)
"""Asks whether a process is stopped: at once, and so that whoever asks again is told again."""


class WorkerProcess:
    """A process that thinks. All but :meth:`kill` is for one thread alone.

    Its temporary files are made in *folder*, or where there is none, in the usual place; it lets others go
    first by its *niceness*. Raises :class:`OSError` where no process can be had.
    """

    def __init__(self, folder: str | None = None, niceness: int = worker_main.NICENESS) -> None:
        self._ending = threading.Lock()
        with _interrupts_kept_back():
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
        """Send *line*, without waiting for the process to read it; one that has ended never does."""
        self._unsent.put(line)

    def receive(self, seconds: float) -> str | None:
        """The next line; None where none comes within so many *seconds*. Raises ``EOFError`` at the end."""
        with suppress(Empty):
            if (line := self._lines.get(timeout=seconds)) is not None:
                return line
            self._lines.put(None)  # it is the end for who asks again, too
            raise EOFError
        return None

    def drop(self) -> None:
        """Throw away the lines that have come. Raises ``EOFError`` at the end, be it read yet or not."""
        while self.receive(0) is not None:
            pass
        if self.has_ended():
            raise EOFError

    def has_ended(self) -> bool:
        """Whether the process has ended."""
        with self._ending:
            return self._process.poll() is not None

    def is_stopped(self) -> bool:
        """Whether somebody has stopped the process, and not let it go on since; False where none can tell."""
        found = None
        with self._ending, suppress(AttributeError, OSError):
            found = os.waitid(os.P_PID, self._process.pid, _STOPPED)
        return found is not None

    def wait_for_end(self) -> str:
        """Wait a moment for a process that has closed its pipe; says how it ended."""
        with self._ending, suppress(subprocess.TimeoutExpired):
            self._process.wait(END_SECONDS)
        return f"exit status {self._process.returncode}"

    def kill(self) -> None:
        """End the process, whatever it is doing."""
        with self._ending, suppress(subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait(END_SECONDS)

    def close(self) -> None:
        """End the process, and give back everything that was held for it."""
        self.kill()
        self._unsent.put(None)
        for thread in self._threads:  # they close the pipes: it may be long until the other ends are closed
            thread.join(END_SECONDS)

    def _read(self) -> None:
        with suppress(OSError), _pipe(self._process.stdout) as stream:
            for line in stream:
                if line.endswith(b"\n"):  # what was cut short says nothing
                    self._lines.put(line.decode(errors="replace"))
        self._lines.put(None)

    def _write(self) -> None:
        with suppress(OSError), _pipe(self._process.stdin) as stream:  # what it has not read is lost
            while (line := self._unsent.get()) is not None:
                stream.write(f"{line}\n".encode())
                stream.flush()


def _pipe(stream: IO[bytes] | None) -> IO[bytes]:
    if stream is None:
        raise AssertionError("a thinking process has pipes")
    return stream


@contextmanager
def _interrupts_kept_back() -> Iterator[None]:
    """Let Ctrl-C not end what is started, until it says itself what becomes of that."""
    if not hasattr(signal, "pthread_sigmask"):  # pragma: no cover - Windows has none
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT,))
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
