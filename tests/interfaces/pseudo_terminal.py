"""The program in a real terminal: keys go in, and all its output comes out."""

import contextlib
import os
import select
import struct
import subprocess
import sys
from collections.abc import Iterator
from typing import Any, Self

import pytest

from tests.interfaces.harness import COMMAND, PATIENCE, Program

pty = pytest.importorskip("pty", reason="this system has no pseudo-terminals")
termios = pytest.importorskip("termios", reason="this system has no pseudo-terminals")

_LEADER = (
    "import fcntl, os, sys, termios\n"
    "fcntl.ioctl(0, termios.TIOCSCTTY, 0)\n"  # Ctrl-C then reaches the program.
    "os.execv(sys.argv[1], sys.argv[1:])\n"
)
_OTHER = "import os, sys\nos.execv(sys.argv[1], sys.argv[1:])\n"


class PseudoTerminal:
    """The program called with *arguments* in a terminal of *size* (columns, rows).

    The terminal controls the program, as usual, unless *is_controlling* is False.
    """

    def __init__(
        self,
        program: Program,
        *arguments: str,
        size: tuple[int, int] = (80, 24),
        is_controlling: bool = True,
    ) -> None:
        import fcntl

        columns, rows = size
        self.raw = b""
        """All output so far."""
        self._fd, program_side = pty.openpty()
        fcntl.ioctl(program_side, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.modes = self.modes_now()
        """The input modes of the terminal before the program changes them."""
        self.process = subprocess.Popen(
            [sys.executable, "-c", _LEADER if is_controlling else _OTHER, COMMAND, *arguments],
            stdin=program_side,
            stdout=program_side,
            stderr=program_side,
            env=program.variables(),
            cwd=program.folder,
            start_new_session=True,
        )
        os.close(program_side)

    @classmethod
    @contextlib.contextmanager
    def opened(cls, program: Program, *arguments: str, **facts: Any) -> Iterator[Self]:
        """Open a terminal, and close it at the end; skip the test if the system has none."""
        try:
            terminal = cls(program, *arguments, **facts)
        except OSError as error:
            pytest.skip(f"no pseudo-terminal can be opened: {error}")
        try:
            yield terminal
        finally:
            terminal._close()

    def modes_now(self) -> list[int]:
        """Return the input modes of the terminal."""
        modes: list[int] = termios.tcgetattr(self._fd)
        return modes

    def type(self, keys: str | bytes) -> None:
        """Press keys."""
        os.write(self._fd, keys.encode() if isinstance(keys, str) else keys)

    def is_ready(self, seconds: float) -> bool:
        """Return True if more output arrives within a time in seconds."""
        return bool(select.select([self._fd], [], [], seconds)[0])

    def read(self) -> bool:
        """Read the available output. Return False if the program has ended."""
        try:
            more = os.read(self._fd, 65536)
        except OSError:  # On Linux this means that the other end is closed.
            return False
        self.raw += more
        return bool(more)

    def finish(self) -> int:
        """Wait for the end of the program; return its exit status."""
        while True:
            assert self.is_ready(PATIENCE), f"it never ends: {self.raw!r}"
            if not self.read():
                return self.process.wait(PATIENCE)

    def hang_up(self) -> None:
        """Close the window."""
        os.close(self._fd)
        self._fd = -1

    def _close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(PATIENCE)
        if self._fd >= 0:
            os.close(self._fd)
