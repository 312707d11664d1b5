"""Tasks for the tests of workers, which worker processes import from here."""

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


def double(context: TaskContext, number: int) -> int:
    return 2 * number


def pid(context: TaskContext) -> int:
    return os.getpid()


def facts(context: TaskContext) -> tuple[Any, int]:
    """Return the handling of Ctrl-C in the worker process, and its niceness."""
    return signal.getsignal(signal.SIGINT), os.nice(0)


def remember(context: TaskContext, value: object) -> list[object]:
    known: list[object] = context.memory.setdefault("known", [])
    known.append(value)
    return known


def size(context: TaskContext, data: bytes) -> bytes:
    return data + data


def warn(context: TaskContext) -> str:
    """Find a damaged file, and raise another warning."""
    warnings.simplefilter("always")
    warnings.warn("something else", stacklevel=1)
    warnings.warn(DamagedFileWarning(DamagedFile("a.proof", "proof", game="3x3:3")), stacklevel=1)
    return "done"


def fail(context: TaskContext) -> NoReturn:
    raise ValueError("no \x1b[31mluck")


class UnspeakableError(Exception):
    def __str__(self) -> str:
        raise SystemExit


def fail_unspeakably(context: TaskContext) -> NoReturn:
    raise UnspeakableError


def leave(context: TaskContext) -> NoReturn:
    sys.exit(3)


def interrupt(context: TaskContext) -> NoReturn:
    raise KeyboardInterrupt


def leave_a_child(context: TaskContext) -> int:
    """Start an endless process that inherits all pipes of this one, and return its id."""
    number = os.fork()
    while not number:
        threading.Event().wait()
    return number


def places(context: TaskContext) -> tuple[list[str], str | None]:
    """Return the module path of this process, and the variable for that of other Pythons."""
    return sys.path, os.environ.get("PYTHONPATH")


def die(context: TaskContext) -> NoReturn:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


def freeze(context: TaskContext) -> None:
    os.kill(os.getpid(), signal.SIGSTOP)


def return_lambda(context: TaskContext) -> object:
    return lambda: None


def return_unreadable(context: TaskContext) -> object:
    """Return a value of a kind that only this process knows."""
    made = make_dataclass("Made", ())
    made.__module__ = "tests.workers.unknown"
    return made()


def until_stopped(context: TaskContext) -> str:
    """Report the beginning, and run until stopped."""
    context.report(Progress("searching", nodes=1))
    waits = threading.Event()
    while not context.stop():
        waits.wait(0.001)
    return "stopped"


def for_ever(context: TaskContext) -> NoReturn:
    """Report the beginning, and run for ever."""
    context.report(Progress("searching", nodes=1))
    while True:
        pass


def for_ever_connected(context: TaskContext, path: str) -> NoReturn:
    """Connect to the socket at *path*, which closes with this process, and compute for ever."""
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(path)
    connection.sendall(b"!")
    while True:
        pass


def make_noise(context: TaskContext) -> str:
    """Write to every place that a terminal could show."""
    print("to standard output", flush=True)
    print("to standard error", file=sys.stderr, flush=True)
    warnings.warn("a warning", stacklevel=1)
    os.write(1, b"to 1")
    os.write(2, b"to 2")
    return repr(os.read(0, 1))
