"""The command by which other programs play with this one: ``engine``."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial

from noughts.interfaces.cli.localized_click import command

CHUNK = 1 << 16
"""Bytes that are read at once at most."""

WIDE = "noughts"
"""The word with which a manager begins that speaks the wider protocol."""

STRONGEST = "level:10"
"""Who plays by the wider protocol."""

Read = Callable[[], bytes]


@command(epilog="help-engine-more")
def engine() -> None:
    """Answer a manager on standard input and output, until ``END`` or the end of input."""
    if sys.stdin is None:  # it was closed before this began
        return
    read = partial(read_some, sys.stdin.fileno())
    with suppress(KeyboardInterrupt, BrokenPipeError):  # the manager ends, or has ended
        first_bytes = read_first_line(read)
        speak = speak_wide if first_bytes.split()[:1] == [WIDE.encode()] else speak_gomocup
        speak(partial(next, chain_read(first_bytes, read), b""))
    # At once: managers wait for a second at most, and to end what is being loaded may take longer.
    os._exit(0)


def read_some(file: int) -> bytes:
    """The next bytes of *file*, none at its end; what can be read no more has ended.

    Of the file itself: a buffer that a thread is reading cannot be closed when the program ends.
    """
    with suppress(OSError):
        return os.read(file, CHUNK)
    return b""


def read_first_line(read: Read) -> bytes:
    """What *read* brings until a line has ended that is not empty, or nothing more comes."""
    text = b""
    while not _holds_a_line(text) and len(text) < CHUNK:
        data = read()
        if not data:
            break
        text += data
    return text


def _holds_a_line(text: bytes) -> bool:
    """Whether a line in *text* that is not empty has ended."""
    rest = text.lstrip()
    return b"\r" in rest or b"\n" in rest


def chain_read(first_bytes: bytes, read: Read) -> Iterator[bytes]:
    """What was *first_bytes*, and then what *read* brings, until nothing more comes."""
    if first_bytes:
        yield first_bytes
    while data := read():
        yield data


def speak_gomocup(read: Read) -> None:
    """Answer by the protocol of Gomocup."""
    from noughts.interfaces.engine.loop import EngineLoop

    EngineLoop(read, partial(print, flush=True)).run()


def speak_wide(read: Read) -> None:
    """Answer by the wider protocol, in which all games can be told."""
    from noughts.bots import MAX_LINE, run
    from noughts.players.base import new_player
    from noughts.workers.protocols.line_buffer import LineBuffer

    def lines() -> Iterator[str]:
        splitter = LineBuffer(
            4 * (MAX_LINE + 1)
        )  # of bytes: a line that is cut is too long to be taken for another
        while data := read():
            yield from splitter.feed(data)
        yield from splitter.rest()

    run(new_player(STRONGEST), name="noughts", lines=lines())
