"""The program ``noughts``, which is also ``python -m noughts``: Ctrl-C ends it quietly at any time.

All of it is imported while a first handler waits for Ctrl-C: Python's own would print where it was.
"""

import os
from _signal import (  # type: ignore[import-not-found]  # ``signal`` takes ten times as long to load
    SIGINT,
    default_int_handler,
    getsignal,
    signal,
)

INTERRUPTED = 130


def _leave(*_: object) -> None:
    os._exit(INTERRUPTED)


def _quietly() -> None:
    """Let Ctrl-C end the process quietly, unless whoever started it wants it ignored."""
    if getsignal(SIGINT) is default_int_handler:
        signal(SIGINT, _leave)


_quietly()


def main() -> None:
    """Run the program with the arguments of the process and exit."""
    try:
        from noughts.interfaces.cli import main as run

        if getsignal(SIGINT) is _leave:
            signal(SIGINT, default_int_handler)  # commands save what they have when it is raised
        run()
    except KeyboardInterrupt:
        _leave()
    finally:
        _quietly()  # nothing is left to be saved while the interpreter ends


if __name__ == "__main__":
    main()
