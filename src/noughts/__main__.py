"""The program ``noughts``, which is also ``python -m noughts``. Ctrl-C stops it quietly at any time.

A first handler of Ctrl-C is active during the imports, since Python's own would print a traceback.
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
    """Let Ctrl-C end the process quietly, unless the parent process wants it ignored."""
    if getsignal(SIGINT) is default_int_handler:
        signal(SIGINT, _leave)


_quietly()


def main() -> None:
    """Run the program with the arguments of the process and exit."""
    try:
        from noughts.interfaces.cli import main as run

        if getsignal(SIGINT) is _leave:
            signal(SIGINT, default_int_handler)  # Commands save their work when KeyboardInterrupt is raised.
        run()
    except KeyboardInterrupt:
        _leave()
    finally:
        _quietly()  # There is nothing to save while the interpreter ends.


if __name__ == "__main__":
    main()
