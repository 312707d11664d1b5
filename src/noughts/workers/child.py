"""A process of our own that thinks, and the lines to it and from it; what it does is in :mod:`.loop`."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from queue import Empty, SimpleQueue
from typing import IO

from noughts.workers import loop

NAME = "noughts-thinking"
"""What threads are called that have to do with a thinking process."""

END_SECONDS = 1.0
"""How long is waited at most for the end of what was told to end."""

_STOPPED = getattr(os, "WSTOPPED", 0) | getattr(os, "WNOHANG", 0) | getattr(os, "WNOWAIT", 0)
"""Asks whether a process is stopped: at once, and so that whoever asks again is told again."""


class Child:
    """A process that thinks. All but :meth:`kill` is for one thread alone.

    Its temporary files are made in *folder*, or where there is none, in the usual place; it lets others go
    first by its *niceness*. Raises :class:`OSError` where no process can be had.
    """

    def __init__(self, folder: str | None = None, niceness: int = loop.NICENESS) -> None:
        self._ending = threading.Lock()
        path = os.pathsep.join(os.path.abspath(place) for place in sys.path)
        with _interrupts_kept_back():
            self._process = subprocess.Popen(  # noqa: S603 - it is this program
                loop.command(niceness, folder),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={**os.environ, "PYTHONPATH": path},
            )
        self._lines: SimpleQueue[str | None] = SimpleQueue()
        self._reader = threading.Thread(target=self._read, name=NAME, daemon=True)
        self._reader.start()

    def send(self, line: str) -> None:
        """Send *line*. Raises :class:`OSError` where the process has ended."""
        stream = _pipe(self._process.stdin)
        stream.write(f"{line}\n".encode())
        stream.flush()

    def receive(self, seconds: float) -> str | None:
        """The next line; None where none comes within so many *seconds*. Raises ``EOFError`` at the end."""
        with suppress(Empty):
            if (line := self._lines.get(timeout=seconds)) is not None:
                return line
            self._lines.put(None)  # it is the end for who asks again, too
            raise EOFError
        return None

    def drop(self) -> None:
        """Throw away the lines that have come. Raises ``EOFError`` at the end."""
        while self.receive(0) is not None:
            pass

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
        self._reader.join(END_SECONDS)
        for stream in (self._process.stdin, self._process.stdout):
            with suppress(OSError), _pipe(stream):  # what it has not read is lost
                pass

    def _read(self) -> None:
        with suppress(OSError, ValueError):  # it is no line of ours, and there will be no other
            for line in _pipe(self._process.stdout):
                self._lines.put(line.decode())
        self._lines.put(None)


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
