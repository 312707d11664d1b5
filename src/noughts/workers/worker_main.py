"""The program of a worker process. Its caller is in :mod:`noughts.workers.supervisor`.

Both write lines of text to each other. The process receives ``ask NUMBER CALL``, and ``stop NUMBER`` if the
result of that task is wanted at once, or not at all. It sends ``progress NUMBER MESSAGE``, and at last ``end
NUMBER MESSAGE``. Calls and messages are packed by :mod:`noughts.workers.transfer`. When a pipe ends, the
process ends.
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
"""The default niceness of worker processes, which lowers their priority."""


def worker_command(niceness: int, folder: str | None) -> list[str]:
    """Return the command that starts a worker process. See :func:`main`."""
    return python_command(f"from {__name__} import main; main()", str(niceness), folder or "")


def main() -> None:
    """Run a worker process until its standard input ends. Its arguments are a niceness and a folder.

    Temporary files are created in the folder, or if it is empty in the usual place. The caller removes it,
    since this process may be killed at any moment.
    """
    niceness, folder = sys.argv[1:]
    tempfile.tempdir = folder or None
    questions, answers = _leave_terminal(int(niceness))
    with questions, answers:
        _write(answers, "")  # ends a line that was written during the start
        lines = (line.decode() for line in questions if line.endswith(b"\n"))  # other lines were cut short
        run_tasks(lines, partial(_write, answers), lambda: os._exit(0))


def _leave_terminal(niceness: int) -> tuple[IO[bytes], IO[bytes]]:
    """Leave the terminal to the calling process, and lower the priority by *niceness*.

    Ctrl-C is meant for the calling process, and no warning may appear on a full screen. Return the original
    standard input and output, which carry the questions and the answers.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(AttributeError):  # Windows lacks it
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
    """Execute the tasks in *lines* and *write* their messages, until the lines end.

    Then call *leave* at once.

    It is called in another thread, so that the process ends even during a computation.
    """
    questions: SimpleQueue[tuple[str, str, threading.Event] | None] = SimpleQueue()
    threading.Thread(target=_listen, args=(lines, questions, leave), daemon=True).start()
    memory: dict[object, Any] = {}
    sending = threading.Lock()  # tasks may report from several threads

    def send(number: str, message: Progress | TaskResult | TaskFailure) -> None:
        line = f"{'progress' if isinstance(message, Progress) else 'end'} {number} {pack(message)}"
        with sending, suppress(OSError):  # the caller is gone, which the listener notices too
            write(line)

    while (question := questions.get()) is not None:
        number, call, stop = question
        with _damage_forwarded(partial(send, number)):
            answer = run_task(
                TaskContext(memory, partial(send, number), stop.is_set), partial(call_packed, call)
            )
        stop.set()  # stops threads that the task has left
        try:
            send(number, answer)
        except Exception as error:
            send(number, failure_of(error))


@contextmanager
def _damage_forwarded(send: Callable[[Progress], None]) -> Iterator[None]:
    """Send warnings about damaged files to the calling process: this one has no standard error."""
    with warnings.catch_warnings():
        warnings.simplefilter("always", DamagedFileWarning)

        def show(message: Warning | str, *_: object, **__: object) -> None:
            if isinstance(message, DamagedFileWarning):
                send(Progress(DAMAGED, result=message.error))

        warnings.showwarning = show
        yield


def _listen(
    lines: Iterable[str],
    questions: "SimpleQueue[tuple[str, str, threading.Event] | None]",
    leave: Callable[[], None],
) -> None:
    """Put requests into *questions*, and set the stop events of tasks."""
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
