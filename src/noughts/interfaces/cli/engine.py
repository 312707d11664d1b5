"""The command by which other programs play with this one: ``engine``."""

import os
import sys
from contextlib import suppress
from functools import partial

from noughts.interfaces.cli.speaking import command

CHUNK = 1 << 16
"""Bytes that are read at once at most."""


@command(epilog="help-engine-more")
def engine() -> None:
    """Answer a manager on standard input and output, until ``END`` or the end of input."""
    from noughts.interfaces.engine.loop import Loop

    if sys.stdin is None:  # it was closed before this began
        return
    # The file itself: a buffer that a thread is reading cannot be closed when the program ends.
    loop = Loop(partial(os.read, sys.stdin.fileno(), CHUNK), partial(print, flush=True))
    with suppress(KeyboardInterrupt, BrokenPipeError):  # the manager ends, or has ended
        loop.run()
    # At once: managers wait for a second at most, and to end what is being loaded may take longer.
    os._exit(0)
