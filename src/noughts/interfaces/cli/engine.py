"""The command ``engine``, by which other programs play against noughts."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial

from noughts.interfaces.cli.localized_click import command

CHUNK = 1 << 16
"""The maximum number of bytes that are read at once."""

WIDE = "noughts"
"""The first word of a manager that uses the noughts protocol."""

STRONGEST = "level:10"
"""The player of the noughts protocol."""

Read = Callable[[], bytes]


@command(epilog="help-engine-more")
def engine() -> None:
    """Answer a manager on standard input and output, until ``END`` or the end of input."""
    if sys.stdin is None:  # The process was started without an input.
        return
    read = partial(read_some, sys.stdin.fileno())
    with suppress(KeyboardInterrupt, BrokenPipeError):  # The manager stops, or has stopped.
        first_bytes = read_first_line(read)
        speak = speak_wide if first_bytes.split()[:1] == [WIDE.encode()] else speak_gomocup
        speak(partial(next, chain_read(first_bytes, read), b""))
    # Exit at once: managers wait for a second at most, and a module that is being loaded may take longer.
    os._exit(0)


def read_some(file: int) -> bytes:
    """Return the next bytes of *file*, none at its end. A file that cannot be read has ended.

    The file itself is read, since a buffer that a thread reads cannot be closed when the program ends.
    """
    with suppress(OSError):
        return os.read(file, CHUNK)
    return b""


def read_first_line(read: Read) -> bytes:
    """Read from *read* up to the end of the first line that is not empty, or to the end of input."""
    text = b""
    while not _holds_a_line(text) and len(text) < CHUNK:
        data = read()
        if not data:
            break
        text += data
    return text


def _holds_a_line(text: bytes) -> bool:
    """Return True if a line of *text* that is not empty has ended."""
    rest = text.lstrip()
    return b"\r" in rest or b"\n" in rest


def chain_read(first_bytes: bytes, read: Read) -> Iterator[bytes]:
    """Yield *first_bytes*, and then the bytes of *read* until its end."""
    if first_bytes:
        yield first_bytes
    while data := read():
        yield data


def speak_gomocup(read: Read) -> None:
    """Answer in the protocol of Gomocup."""
    from noughts.interfaces.engine.loop import EngineLoop

    EngineLoop(read, partial(print, flush=True)).run()


def speak_wide(read: Read) -> None:
    """Answer in the noughts protocol, which supports all games."""
    from noughts.bots import MAX_LINE, run
    from noughts.players.base import new_player
    from noughts.workers.protocols.line_buffer import LineBuffer

    def lines() -> Iterator[str]:
        # The limit is in bytes, so that a line that is cut is still too long for any command.
        splitter = LineBuffer(4 * (MAX_LINE + 1))
        while data := read():
            yield from splitter.feed(data)
        yield from splitter.rest()

    run(new_player(STRONGEST), name="noughts", lines=lines())
