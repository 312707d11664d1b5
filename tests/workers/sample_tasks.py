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
from noughts.workers.messages import TaskContext


def double(desk: TaskContext, number: int) -> int:
    return 2 * number


def pid(desk: TaskContext) -> int:
    return os.getpid()


def facts(desk: TaskContext) -> tuple[Any, int]:
    """What Ctrl-C does to the thinking process, and how much it lets others go first."""
    return signal.getsignal(signal.SIGINT), os.nice(0)


def remember(desk: TaskContext, value: object) -> list[object]:
    known: list[object] = desk.memory.setdefault("known", [])
    known.append(value)
    return known


def size(desk: TaskContext, data: bytes) -> bytes:
    return data + data


def warn(desk: TaskContext) -> str:
    """Find a damaged file, and be warned of something else."""
    warnings.simplefilter("always")
    warnings.warn("something else", stacklevel=1)
    warnings.warn(DamagedFileWarning(DamagedFile("a.proof", "proof", game="3x3:3")), stacklevel=1)
    return "done"


def fail(desk: TaskContext) -> NoReturn:
    raise ValueError("no \x1b[31mluck")


class UnspeakableError(Exception):
    def __str__(self) -> str:
        raise SystemExit


def fail_unspeakably(desk: TaskContext) -> NoReturn:
    raise UnspeakableError


def leave(desk: TaskContext) -> NoReturn:
    sys.exit(3)


def interrupt(desk: TaskContext) -> NoReturn:
    raise KeyboardInterrupt


def leave_a_child(desk: TaskContext) -> int:
    """Begin a process that has all pipes of this one, and lives for ever; return its number."""
    number = os.fork()
    while not number:
        threading.Event().wait()
    return number


def places(desk: TaskContext) -> tuple[list[str], str | None]:
    """Where modules are found, and what programs of Python are told of that."""
    return sys.path, os.environ.get("PYTHONPATH")


def die(desk: TaskContext) -> NoReturn:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


def freeze(desk: TaskContext) -> None:
    os.kill(os.getpid(), signal.SIGSTOP)


def return_lambda(desk: TaskContext) -> object:
    return lambda: None


def return_unreadable(desk: TaskContext) -> object:
    """A value of a kind that is known here alone."""
    made = make_dataclass("Made", ())
    made.__module__ = "tests.workers.unknown"
    return made()


def until_stopped(desk: TaskContext) -> str:
    """Say that it has begun, and go on until it is stopped."""
    desk.report(Progress("searching", nodes=1))
    waits = threading.Event()
    while not desk.stop():
        waits.wait(0.001)
    return "stopped"


def for_ever(desk: TaskContext) -> NoReturn:
    """Say that it has begun, and never listen again."""
    desk.report(Progress("searching", nodes=1))
    while True:
        pass


def for_ever_connected(desk: TaskContext, path: str) -> NoReturn:
    """Connect to the socket at *path*, which hears of the end of this process, and compute for ever."""
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(path)
    connection.sendall(b"!")
    while True:
        pass


def make_noise(desk: TaskContext) -> str:
    """Write wherever something could appear on a terminal."""
    print("to standard output", flush=True)
    print("to standard error", file=sys.stderr, flush=True)
    warnings.warn("a warning", stacklevel=1)
    os.write(1, b"to 1")
    os.write(2, b"to 2")
    return repr(os.read(0, 1))
