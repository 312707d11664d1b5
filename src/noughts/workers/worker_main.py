"""What a thinking process does all its life; who asks is in :mod:`noughts.workers.supervisor`.

Both write lines of text to each other. To the process go ``ask NUMBER CALL``, and ``stop NUMBER``: the answer
to that one is wanted no more, or at once. From it come ``progress NUMBER MESSAGE``, and at last ``end NUMBER
MESSAGE``. Calls and messages are as :mod:`noughts.workers.transfer` has them. A pipe that ends is the end of
the process.
"""

import os
import signal
import sys
import tempfile
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from queue import SimpleQueue
from typing import IO, Any

from noughts.errors import DamagedFileWarning
from noughts.python import python_command
from noughts.search.analysis import Progress
from noughts.workers.messages import DAMAGED, TaskContext, TaskFailure, TaskResult, failure_of, run_task
from noughts.workers.transfer import call_packed, pack

NICENESS = 5
"""By how much the thinking process lets others go first, unless told."""


def worker_command(niceness: int, folder: str | None) -> list[str]:
    """How a thinking process is started; see :func:`main`."""
    return python_command(f"from {__name__} import main; main()", str(niceness), folder or "")


def main() -> None:
    """The life of a thinking process, until its standard input ends; others go first by so much niceness.

    What it makes for a while lies in the folder that it is told, which whoever asks removes: it may be killed
    at any moment. If there is none, it lies in the usual place.
    """
    niceness, folder = sys.argv[1:]
    tempfile.tempdir = folder or None
    questions, answers = _withdraw(int(niceness))
    with questions, answers:
        _write(answers, "")  # whatever else was written while this process was starting ends here
        lines = (line.decode() for line in questions if line.endswith(b"\n"))  # else it was cut short
        run_tasks(lines, partial(_write, answers), lambda: os._exit(0))


def _withdraw(niceness: int) -> tuple[IO[bytes], IO[bytes]]:
    """Leave the terminal and its keys to the process that asks, and go after it by so much *niceness*.

    Ctrl-C is meant for the asking process; and on a full screen not a single warning may appear. Returns what
    the standard streams were, from which questions come and to which answers go.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(AttributeError):  # Windows has none
        signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGINT,))
    streams = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    with open(os.devnull, "r+b", buffering=0) as nothing:
        for standard in range(3):
            os.dup2(nothing.fileno(), standard)
    with suppress(AttributeError, OSError):  # not every system has it
        os.nice(niceness)
    return streams


def _write(stream: IO[bytes], line: str) -> None:
    stream.write(f"{line}\n".encode())
    stream.flush()


def run_tasks(lines: Iterable[str], write: Callable[[str], None], leave: Callable[[], None]) -> None:
    """Work on what *lines* ask and *write* what comes of it, until they end; then *leave* is called at once.

    That happens in a thread of its own, so that the process ends whatever it is computing.
    """
    questions: SimpleQueue[tuple[str, str, threading.Event] | None] = SimpleQueue()
    threading.Thread(target=_listen, args=(lines, questions, leave), daemon=True).start()
    memory: dict[object, Any] = {}
    sending = threading.Lock()  # tasks may report from several threads

    def send(number: str, message: Progress | TaskResult | TaskFailure) -> None:
        line = f"{'progress' if isinstance(message, Progress) else 'end'} {number} {pack(message)}"
        with sending, suppress(OSError):  # nobody is there any more, which the listener hears too
            write(line)

    while (question := questions.get()) is not None:
        number, call, stop = question
        with _telling_of_damage(partial(send, number)):
            answer = run_task(
                TaskContext(memory, partial(send, number), stop.is_set), partial(call_packed, call)
            )
        stop.set()  # for whatever the task has left behind
        try:
            send(number, answer)
        except Exception as error:
            send(number, failure_of(error))


@contextmanager
def _telling_of_damage(send: Callable[[Progress], None]) -> Iterator[None]:
    """Send warnings about damaged files to the process that asks; this one has no standard error."""
    with warnings.catch_warnings():
        warnings.simplefilter("always", DamagedFileWarning)

        def show(message: Warning | str, *_: object, **__: object) -> None:
            if isinstance(message, DamagedFileWarning):
                send(Progress(DAMAGED, found=message.error))

        warnings.showwarning = show
        yield


def _listen(
    lines: Iterable[str],
    questions: "SimpleQueue[tuple[str, str, threading.Event] | None]",
    leave: Callable[[], None],
) -> None:
    """Put what is asked into *questions*, and let tasks know that they should end."""
    latest, stop = "", threading.Event()
    for line in lines:
        word, number, *call = line.split(maxsplit=2)
        if word == "ask":
            latest, stop = number, threading.Event()
            questions.put((number, call[0], stop))
        elif number == latest:
            stop.set()
    questions.put(None)
    leave()
