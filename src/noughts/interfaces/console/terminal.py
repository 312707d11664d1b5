"""Lines in, lines out: everything that touches the real terminal."""

import contextlib
import io
import os
import select
import sys
import time
from typing import TextIO

from noughts.interfaces.presenting.terminal_capabilities import columns_of, has_unicode

PIPE_WIDTH = 79
MAX_LINE = 4096
"""Characters read of one line; the rest of a longer one is thrown away."""


class InputEndedError(Exception):
    """There is nothing more to read."""


class Terminal:
    """A place to write lines to and read lines from.

    Bytes that cannot be decoded and characters that cannot be encoded are replaced by something
    harmless, so that no input and no name can end the program.
    """

    def __init__(self, source: TextIO | None = None, target: TextIO | None = None) -> None:
        # A process that was started without one of its streams has None in its place.
        self._source = source or sys.stdin or io.StringIO()
        self._target = target or sys.stdout or io.StringIO()
        self.is_interactive = self._source.isatty() and self._target.isatty()
        for stream, errors in ((self._source, "surrogateescape"), (self._target, "backslashreplace")):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors=errors)
        if self.is_interactive:
            _enable_line_editing()

    @property
    def width(self) -> int:
        """How many columns a line may take."""
        return columns_of(self._target, os.environ) or PIPE_WIDTH

    @property
    def has_unicode(self) -> bool:
        """Whether line drawing characters can be shown."""
        return has_unicode(self._target, os.environ)

    @property
    def has_colour(self) -> bool:
        """Whether colours may be used: on a terminal that has them, unless ``NO_COLOR`` asks for none."""
        return self._target.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"

    def write(self, text: str = "") -> None:
        """Write a line, or several, for all to see."""
        print(text, file=self._target, flush=True)

    def read(self, prompt: str) -> str:
        """Ask with *prompt* and return the line that was typed, without its end.

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

    def pause(self, seconds: float) -> None:
        """Wait, but no longer than until Enter is pressed; not at all through a pipe."""
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
    """Write *sentence* to standard error, where there is one."""
    if sys.stderr is not None:  # a process may be started without it
        print(sentence, file=sys.stderr)


def _enable_line_editing() -> None:
    with contextlib.suppress(ImportError):  # not on every system
        import readline  # noqa: F401 - its import is what makes input() edit lines
