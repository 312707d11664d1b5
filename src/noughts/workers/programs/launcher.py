"""Limits what a program may use, then becomes it. Run as a file, by a Python that knows nothing of us.

``python -I -S launcher.py MEMORY CPU FILE OPEN PROCESSES COMMAND...``: bytes of memory, seconds of
processor, bytes of a file, open files, processes; ``-`` leaves one as it is. No core is dumped. On Linux the
program ends with the process that started this one.
"""

import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

LIMITED = ("RLIMIT_AS", "RLIMIT_CPU", "RLIMIT_FSIZE", "RLIMIT_NOFILE", "RLIMIT_NPROC")
"""What the numbers limit, in their order."""

CANNOT_RUN = 126
"""The exit status where the program could not be started; why is the last line on standard error."""

_DIE_WITH_PARENT = 1
_KILL = 9


def main(
    arguments: Sequence[str],
    limit: Callable[[str, int], None],
    execute: Callable[[str, list[str]], Any] = os.execvp,
) -> int:
    """Set each limit by *limit*, and become the program; returns only where that cannot be done."""
    numbers, command = arguments[: len(LIMITED)], arguments[len(LIMITED) :]
    limit("RLIMIT_CORE", 0)
    for name, number in zip(LIMITED, numbers, strict=True):
        if number != "-":
            limit(name, int(number))
    try:
        execute(command[0], list(command))
    except OSError as error:
        sys.stderr.write(f"{command[0]}: {error.strerror}\n")
    return CANNOT_RUN


def set_limit(name: str, number: int) -> None:
    """Set the soft and the hard limit *name*; where the system has no such limit, nothing is set."""
    import resource

    with suppress(AttributeError, ValueError, OSError):
        which = getattr(resource, name)
        hard = resource.getrlimit(which)[1]
        most = number if hard == resource.RLIM_INFINITY else min(number, hard)
        resource.setrlimit(which, (most, most))


def end_with_parent() -> None:
    """Have the system end this process with the one that started it, where it can: on Linux."""
    if sys.platform == "linux":
        import ctypes

        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, _KILL)


if __name__ == "__main__":  # pragma: no cover - the same is run in a process of its own
    end_with_parent()
    sys.exit(main(sys.argv[1:], set_limit))
