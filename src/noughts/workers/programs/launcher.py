"""The launcher: sets the limits of this process, then replaces itself by a program.

It is run as a file, by a Python without our packages. ``python -I -S launcher.py MEMORY CPU FILE OPEN
PROCESSES USER [PLACE...] -- COMMAND...``: bytes of memory, seconds of processor time, bytes of a file, open
files, processes. ``-`` leaves one unchanged. No core is dumped. On Linux the program ends with the process
that started this one.

In a sandbox, USER is the number of the user for the program if this is the superuser. Each PLACE,
``DEVICE:INODE:PATH``, is a file to be checked for its identity. Without a sandbox USER is ``-``.
"""

import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

LIMITED = ("RLIMIT_AS", "RLIMIT_CPU", "RLIMIT_FSIZE", "RLIMIT_NOFILE", "RLIMIT_NPROC")
"""The resources that are limited, in the order of the arguments."""

END = "--"
"""The word before the command."""

CANNOT_RUN = 126
"""The exit status if the program could not be started. The reason is the last line on standard error."""

NOBODY = 65_534
"""The user for the program if the system has too few numbers for a separate one."""

_DIE_WITH_PARENT, _ADOPT = 1, 36
_KILL = 9


def main(
    arguments: Sequence[str],
    limit: Callable[[str, int], None],
    execute: Callable[[str, list[str]], Any] = os.execvp,
    become: Callable[[int], None] | None = None,
) -> int:
    """Set each limit by *limit*, and become the program. Return an exit status only if that fails.

    *become* is called with the number of the user, by default :func:`become_user`.
    """
    end = arguments.index(END)
    numbers, command = arguments[: len(LIMITED)], arguments[end + 1 :]
    user, places = arguments[len(LIMITED)], arguments[len(LIMITED) + 1 : end]
    for place in places:
        device, inode, path = place.split(":", 2)
        if not is_same(path, int(device), int(inode)):
            sys.stderr.write(f"{path}: has been replaced\n")
            return CANNOT_RUN
    limit("RLIMIT_CORE", 0)
    for name, number in zip(LIMITED, numbers, strict=True):
        if number != "-":
            limit(name, int(number))
    try:
        if user != "-":
            (become or become_user)(int(user))
        execute(command[0], list(command))
    except OSError as error:
        sys.stderr.write(f"{command[0]}: {error.strerror}\n")
    return CANNOT_RUN


def is_same(path: str, device: int, inode: int) -> bool:
    """Return True if *path* is the file with these numbers."""
    with suppress(OSError):
        about = os.lstat(path)
        return (about.st_dev, about.st_ino) == (device, inode)
    return False


def become_user(user: int) -> None:
    """Give up the rights of the superuser permanently, if this is the superuser. Raises :class:`OSError`."""
    if os.getuid() != 0 and os.geteuid() != 0:
        return
    os.setgroups([])
    try:
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)
    except OSError:
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)


def set_limit(name: str, number: int) -> None:
    """Set the soft and the hard limit *name*. If the system has no such limit, nothing is set."""
    import resource

    with suppress(AttributeError, ValueError, OSError):
        which = getattr(resource, name)
        hard = resource.getrlimit(which)[1]
        most = number if hard == resource.RLIM_INFINITY else min(number, hard)
        resource.setrlimit(which, (most, most))


def end_with_parent() -> None:
    """Make the system end this process with its parent (on Linux)."""
    _control(_DIE_WITH_PARENT, _KILL)


def adopt_orphans() -> None:
    """Make orphaned descendants children of this process, so that they can still be found."""
    _control(_ADOPT, 1)


def _control(option: int, value: int) -> None:
    """Set an option of this process, on Linux."""
    if sys.platform == "linux":
        import ctypes

        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(option, value)


if __name__ == "__main__":  # pragma: no cover - the same is run in a process of its own
    end_with_parent()
    if sys.argv[1 + len(LIMITED)] == "-":
        adopt_orphans()  # in a sandbox its first process adopts them
    sys.exit(main(sys.argv[1:], set_limit))
