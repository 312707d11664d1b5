"""The terminal: output of lines, input of lines."""

import contextlib
import io
import os
import select
import sys
import time
from collections.abc import Callable
from typing import TextIO

from noughts.interfaces.presenting.terminal_capabilities import columns_of, has_unicode

PIPE_WIDTH = 79
MAX_LINE = 4096
"""The maximum length of a line in characters.

The rest is discarded.
"""


class InputEndedError(Exception):
    """The input has ended."""


class Alarm:
    """Wakes a terminal that waits for a line. Any thread may ring it."""

    def __init__(self) -> None:
        import socket  # Help must start quickly.

        self._bell, self._ear = socket.socketpair()
        self._bell.setblocking(False)
        self._ear.setblocking(False)

    def ring(self) -> None:
        """Wake the terminal."""
        with contextlib.suppress(OSError):  # It is closed, or has been rung often.
            self._bell.send(b"!")

    def clear(self) -> None:
        """Forget all rings."""
        with contextlib.suppress(BlockingIOError):
            while self._ear.recv(MAX_LINE):
                pass

    def fileno(self) -> int:
        """Return the number of the file that can be read after a ring."""
        return self._ear.fileno()

    def close(self) -> None:
        """Close both ends."""
        self._bell.close()
        self._ear.close()


class Terminal:
    """A terminal for writing and reading lines.

    Bytes that cannot be decoded and characters that cannot be encoded are replaced, so that no input and no
    name can stop the program.
    """

    def __init__(self, source: TextIO | None = None, target: TextIO | None = None) -> None:
        # If a process starts without one of its streams, Python sets it to None.
        self._source = source or sys.stdin or io.StringIO()
        self._target = target or sys.stdout or io.StringIO()
        self._typed = b""
        self.is_interactive = self._source.isatty() and self._target.isatty()
        for stream, errors in ((self._source, "surrogateescape"), (self._target, "backslashreplace")):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors=errors)
        if self.is_interactive:
            _enable_line_editing()

    @property
    def width(self) -> int:
        """The number of columns in a line."""
        return columns_of(self._target, os.environ) or PIPE_WIDTH

    @property
    def has_unicode(self) -> bool:
        """True if line drawing characters can be shown."""
        return has_unicode(self._target, os.environ)

    @property
    def has_colour(self) -> bool:
        """True if the terminal has colours and ``NO_COLOR`` is not set."""
        return self._target.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"

    def write(self, text: str = "") -> None:
        """Write one or several lines at once."""
        print(text, file=self._target, flush=True)

    def read(self, prompt: str) -> str:
        """Show *prompt* and return the line that was typed, without its end.

        Raises :class:`InputEndedError`.
        """
        if self.is_interactive:
            try:
                return input(prompt + " ")
            except EOFError:
                self.write()
                raise InputEndedError from None
        self.write(prompt)
        self._target.flush()
        line = self._source.readline(MAX_LINE)
        if not line:
            raise InputEndedError
        rest = line
        while len(rest) == MAX_LINE and not rest.endswith("\n"):
            rest = self._source.readline(MAX_LINE)
        return line.rstrip("\r\n")

    def read_unless(self, prompt: str, alarm: Alarm, is_news: Callable[[], bool]) -> str | None:
        """Show *prompt* and return the line that was typed, or None as soon as there is news.

        *is_news* returns True if there is some. It is called after each ring of *alarm*. Lines that are typed
        meanwhile are read later. On systems that cannot wait for a console, news interrupts no line.
        """
        if is_news():
            return None
        try:
            number = self._source.fileno()
            select.select([number], [], [], 0)
        except (OSError, ValueError, AttributeError):  # pragma: no cover - such a system, or a text in a test
            return self.read(prompt)
        print(prompt, end=" " if self.is_interactive else "\n", file=self._target, flush=True)
        while b"\n" not in self._typed:
            if self.wait(alarm, number) is False:
                if is_news():
                    if self.is_interactive:
                        self.write()
                    return None
                continue
            data = os.read(number, MAX_LINE)
            self._typed += data
            if not data or len(self._typed) > MAX_LINE:
                break
        if not self._typed:
            if self.is_interactive:
                self.write()
            raise InputEndedError
        line, _, self._typed = self._typed.partition(b"\n")
        return line[:MAX_LINE].decode(self._source.encoding or "utf-8", "surrogateescape").rstrip("\r")

    def wait(self, alarm: Alarm, number: int | None = None) -> bool:
        """Wait until *alarm* rings, or the file *number* can be read. Return True for the file."""
        ears = [alarm.fileno()] if number is None else [number, alarm.fileno()]
        if alarm.fileno() in select.select(ears, [], [])[0]:
            alarm.clear()
            return False
        return True

    def pause(self, seconds: float) -> None:
        """Wait until Enter is pressed, at most *seconds*, but not in a pipe."""
        if not self.is_interactive:
            return
        self._target.flush()
        try:
            ready, _, _ = select.select([self._source], [], [], seconds)
        except (OSError, ValueError):  # pragma: no cover - systems that cannot wait for a console
            time.sleep(seconds)
            return
        if ready:
            self._source.readline()


def print_error(sentence: str) -> None:
    """Write *sentence* to standard error, if there is one."""
    if sys.stderr is not None:  # A process may start without standard error.
        print(sentence, file=sys.stderr)


def _enable_line_editing() -> None:
    with contextlib.suppress(ImportError):  # Not every system has it.
        import readline  # noqa: F401 - its import is what makes input() edit lines
