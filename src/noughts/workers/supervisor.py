"""A process that works on questions, so that the asking process never waits.

This module does what a plain pool of processes cannot: it asks a running task politely to stop, passes on
reports of progress, and ends a process that hangs. Calls without these needs go through
:mod:`noughts.workers.executor`. The code of the process itself is in :mod:`noughts.workers.worker_main`.
"""

import atexit
import threading
import warnings
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from math import inf
from queue import SimpleQueue
from time import monotonic
from typing import Any

from noughts.errors import DamagedFile, DamagedFileWarning
from noughts.search.analysis import Progress
from noughts.workers.messages import (
    OnMessage,
    PendingResult,
    Task,
    TaskFailure,
    TaskResult,
    describe_error,
    failure_of,
)
from noughts.workers.transfer import pack_call, unpack
from noughts.workers.worker_main import NICENESS
from noughts.workers.worker_process import END_SECONDS, NAME, WorkerProcess

STOP_SECONDS = 20.0
"""A task that goes on for so long after it was stopped is ended with its process."""

LOOK_SECONDS = 0.02
"""Seconds between checks whether a question that is being worked on is still wanted."""

FROZEN_LOOKS = 1_500
"""A process that is found stopped so many times on end, for half a minute, is not waited for.

Looks are counted, not seconds: Ctrl-Z stops both, and nothing is lost when they go on.
"""


@dataclass(frozen=True, slots=True, eq=False)
class _Question:
    """A question on its way: ``call`` is that of its task as text, or why it cannot be sent."""

    number: int
    thought: PendingResult
    call: str | TaskFailure
    patience: float


class ProcessWorker:
    """A thinker with one process, which is started with the first question, and anew when it has ended.

    Messages come from a thread of this class. A process that ends, whoever ended it, is a failure of the
    question that it was working on alone; what the memory of the desks held is lost with it. When the
    asking process ends, in whatever way, the thinking process does. Temporary files of it are made in
    *folder*, or where there is none, in the usual place; it lets others go first by its *niceness*.
    """

    def __init__(self, folder: str | None = None, niceness: int = NICENESS) -> None:
        self._folder, self._niceness = folder, niceness
        self._lock = threading.Lock()
        self._waiting: SimpleQueue[_Question | None] = SimpleQueue()
        self._asked: set[PendingResult] = set()
        self._numbers = count(1)
        self._is_closed = False
        self._thread: threading.Thread | None = None
        self._child: WorkerProcess | None = None

    def start(self) -> None:
        """Start the process now, so that the first question need not wait for it."""
        self._put(None)

    def ask(self, task: Task, *arguments: Any, on_message: OnMessage, patience: float = inf) -> PendingResult:
        call: str | TaskFailure
        try:
            call = pack_call(task, *arguments)
        except Exception as error:
            call = failure_of(error)
        thought = PendingResult(on_message)
        self._put(_Question(next(self._numbers), thought, call, patience))
        return thought

    def close(self) -> None:
        """Stop everything that was asked, and end process and thread, within about a second."""
        atexit.unregister(self.close)
        with self._lock:
            self._is_closed = True
            asked, child, thread = list(self._asked), self._child, self._thread
        if child is not None:
            child.kill()
        for thought in asked:
            thought.stop()
        self._waiting.put(None)
        if thread is not None and thread is not threading.current_thread():
            thread.join(END_SECONDS)

    def _put(self, question: _Question | None) -> None:
        """Let the thread, which is begun if need be, work on *question*, or get a process ready for one."""
        with self._lock:
            if self._is_closed:
                raise RuntimeError("the thinker is closed: nothing can be asked any more")
            if self._thread is None:
                thread = threading.Thread(target=self._work, name=NAME, daemon=True)
                thread.start()  # where there can be no more of them nothing has been asked
                self._thread = thread
                atexit.register(self.close)  # a thread that is starting a process then can crash Python
            if question is not None:
                self._asked.add(question.thought)
            self._waiting.put(question)

    # What the thread does

    def _work(self) -> None:
        while True:
            question = self._waiting.get()
            if self._is_closed:
                break
            if question is None:
                with suppress(Exception):  # the first question will tell
                    self._ready_child()
                continue
            if not question.thought.is_over:
                answer = self._answer(question)
                if not self._is_closed:
                    question.thought.say(answer)
            with self._lock:
                self._asked.discard(question.thought)
        self._end_child()

    def _answer(self, question: _Question) -> TaskResult | TaskFailure:
        """Have the process work on *question*, and tell its progress meanwhile."""
        if isinstance(question.call, TaskFailure):
            return question.call
        try:
            child = self._ready_child()
        except Exception as error:
            return TaskFailure("gone", describe_error(error))
        child.send(f"ask {question.number} {question.call}")
        thought, end = question.thought, monotonic() + question.patience
        is_pressed = is_left = False
        frozen = 0
        while (left := end - monotonic()) > 0 and not self._is_closed and frozen < FROZEN_LOOKS:
            frozen = frozen + 1 if child.is_stopped() else 0
            if thought.is_pressed and not is_pressed:
                is_pressed = True
                child.send(f"stop {question.number}")
            if thought.is_over and not is_left:
                is_left, end = True, min(end, monotonic() + STOP_SECONDS)
            message = _hear(child, question.number, min(left, LOOK_SECONDS))
            if isinstance(message, Progress) and isinstance(message.found, DamagedFile):
                with suppress(
                    DamagedFileWarning
                ):  # filters may make it an error, which would end this thread
                    warnings.warn(DamagedFileWarning(message.found), stacklevel=1)
            elif isinstance(message, Progress):
                thought.say(message)
            elif message is not None:
                if isinstance(message, TaskFailure) and message.reason == "gone":
                    self._end_child()
                return message
        self._end_child()
        return TaskFailure("gone", "stopped") if frozen == FROZEN_LOOKS else TaskFailure("too-slow")

    def _ready_child(self) -> WorkerProcess:
        """The process, started if there is none that lives."""
        if self._child is not None:
            try:
                self._child.drop()
            except EOFError:  # it ended while there was nothing to do
                self._end_child()
        if self._child is None:
            child = WorkerProcess(self._folder, self._niceness)
            with self._lock:
                self._child = child
        return self._child

    def _end_child(self) -> None:
        with self._lock:
            child, self._child = self._child, None
        if child is not None:
            child.close()


def _hear(child: WorkerProcess, number: int, seconds: float) -> Progress | TaskResult | TaskFailure | None:
    """What *child* says to the question *number* within so many *seconds*; its end is a failure.

    What it says to none, and whatever else it may write, is not heard.
    """
    try:
        line = child.receive(seconds)
    except EOFError:
        return TaskFailure("gone", child.wait_for_end())
    word, told, text = (*(line or "").split(" ", 2), "", "")[:3]
    if told != str(number):
        return None
    try:
        message = unpack(text)
    except Exception as error:
        message = TaskFailure("failed", describe_error(error))
    if not isinstance(message, Progress | TaskResult | TaskFailure):
        message = TaskFailure("failed", "it is no message")
    return message if word == "end" or isinstance(message, Progress) else None
