"""What a thinking process does all its life; who asks is in :mod:`noughts.workers.supervisor`.

Both talk through a pipe. To the process go ``(number, question)``, the question pickled, and
``(number, None)``: the answer to that one is wanted no more, or at once. From it come
``(number, is_last, message)``, the message pickled. A pipe that ends is the end of the process.
"""

import os
import pickle
import signal
import tempfile
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from multiprocessing.connection import Connection
from queue import SimpleQueue
from typing import Any

from noughts.search.analysis import Progress
from noughts.workers.messages import Answer, Desk, Failure, words, work

NICENESS = 5
"""By how much the thinking process lets others go first, unless told."""


def live(connection: Connection, folder: str | None = None, niceness: int = NICENESS) -> None:
    """The life of a thinking process, until *connection* ends; others go first by so much *niceness*.

    What it makes for a while lies in *folder*, which whoever asks removes: it may be killed at any moment. If
    that is None, it lies in the usual place.
    """
    tempfile.tempdir = folder
    _withdraw(niceness)
    think(connection, lambda: os._exit(0))


def _withdraw(niceness: int) -> None:
    """Leave the terminal and its keys to the process that asks, and go after it by so much *niceness*.

    Ctrl-C is meant for the asking process; and on a full screen not a single warning may appear.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with open(os.devnull, "r+b", buffering=0) as nothing:
        for standard in range(3):
            os.dup2(nothing.fileno(), standard)
    with suppress(AttributeError, OSError):  # not every system has it
        os.nice(niceness)


def think(connection: Connection, leave: Callable[[], None]) -> None:
    """Work on what comes through *connection* until it ends; then *leave* is called at once.

    That happens in a thread of its own, so that the process ends whatever it is computing.
    """
    questions: SimpleQueue[tuple[int, bytes, threading.Event] | None] = SimpleQueue()
    threading.Thread(target=_listen, args=(connection, questions, leave), daemon=True).start()
    memory: dict[object, Any] = {}
    sending = threading.Lock()  # tasks may report from several threads

    def send(number: int, message: Progress | Answer | Failure) -> None:
        is_last = not isinstance(message, Progress)
        packed = pickle.dumps(message)
        with sending, suppress(OSError):  # nobody is there any more, which the listener hears too
            connection.send((number, is_last, packed))

    while (question := questions.get()) is not None:
        number, packed, stop = question
        # The question comes from the process that started this one.
        unpack = partial(pickle.loads, packed)
        answer = work(Desk(memory, partial(send, number), stop.is_set), unpack)
        stop.set()  # for whatever the task has left behind
        try:
            send(number, answer)
        except Exception as error:
            send(number, Failure("failed", words(error)))


def _listen(
    connection: Connection,
    questions: "SimpleQueue[tuple[int, bytes, threading.Event] | None]",
    leave: Callable[[], None],
) -> None:
    """Put what is asked into *questions*, and let tasks know that they should end."""
    latest, stop = 0, threading.Event()
    while True:
        try:
            number, packed = connection.recv()
        except (EOFError, OSError):
            questions.put(None)
            leave()
            return
        if packed is not None:
            latest, stop = number, threading.Event()
            questions.put((number, packed, stop))
        elif number == latest:
            stop.set()
