"""Tasks for the tests of thinking elsewhere: the thinking process imports them from here."""

import os
import signal
import socket
import sys
import threading
import warnings
from dataclasses import make_dataclass
from typing import Any, NoReturn

from noughts.errors import DamagedFile, DamagedFileWarning
from noughts.search.analysis import Progress
from noughts.workers.messages import Desk


def double(desk: Desk, number: int) -> int:
    return 2 * number


def pid(desk: Desk) -> int:
    return os.getpid()


def facts(desk: Desk) -> tuple[Any, int]:
    """What Ctrl-C does to the thinking process, and how much it lets others go first."""
    return signal.getsignal(signal.SIGINT), os.nice(0)


def remember(desk: Desk, value: object) -> list[object]:
    known: list[object] = desk.memory.setdefault("known", [])
    known.append(value)
    return known


def size(desk: Desk, data: bytes) -> bytes:
    return data + data


def warn(desk: Desk) -> str:
    """Find a damaged file, and be warned of something else."""
    warnings.simplefilter("always")
    warnings.warn("something else", stacklevel=1)
    warnings.warn(DamagedFileWarning(DamagedFile("a.proof", "proof", game="3x3:3")), stacklevel=1)
    return "done"


def fail(desk: Desk) -> NoReturn:
    raise ValueError("no \x1b[31mluck")


class UnspeakableError(Exception):
    def __str__(self) -> str:
        raise SystemExit


def fail_unspeakably(desk: Desk) -> NoReturn:
    raise UnspeakableError


def leave(desk: Desk) -> NoReturn:
    sys.exit(3)


def interrupt(desk: Desk) -> NoReturn:
    raise KeyboardInterrupt


def leave_a_child(desk: Desk) -> int:
    """Begin a process that has all pipes of this one, and lives for ever; return its number."""
    number = os.fork()
    while not number:
        threading.Event().wait()
    return number


def places(desk: Desk) -> tuple[list[str], str | None]:
    """Where modules are found, and what programs of Python are told of that."""
    return sys.path, os.environ.get("PYTHONPATH")


def die(desk: Desk) -> NoReturn:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


def freeze(desk: Desk) -> None:
    os.kill(os.getpid(), signal.SIGSTOP)


def return_lambda(desk: Desk) -> object:
    return lambda: None


def return_unreadable(desk: Desk) -> object:
    """A value of a kind that is known here alone."""
    made = make_dataclass("Made", ())
    made.__module__ = "tests.workers.unknown"
    return made()


def until_stopped(desk: Desk) -> str:
    """Say that it has begun, and go on until it is stopped."""
    desk.report(Progress("searching", nodes=1))
    waits = threading.Event()
    while not desk.stop():
        waits.wait(0.001)
    return "stopped"


def for_ever(desk: Desk) -> NoReturn:
    """Say that it has begun, and never listen again."""
    desk.report(Progress("searching", nodes=1))
    while True:
        pass


def for_ever_connected(desk: Desk, path: str) -> NoReturn:
    """Connect to the socket at *path*, which hears of the end of this process, and compute for ever."""
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(path)
    connection.sendall(b"!")
    while True:
        pass


def make_noise(desk: Desk) -> str:
    """Write wherever something could appear on a terminal."""
    print("to standard output", flush=True)
    print("to standard error", file=sys.stderr, flush=True)
    warnings.warn("a warning", stacklevel=1)
    os.write(1, b"to 1")
    os.write(2, b"to 2")
    return repr(os.read(0, 1))
