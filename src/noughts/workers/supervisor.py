"""A worker with one process, so that the calling process never waits.

This module asks a running task politely to stop, passes on reports of progress, and ends a process that
hangs. A plain pool of processes cannot do this. Calls without these needs go through
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
"""Seconds after which a task that ignores a stop is ended with its process."""

LOOK_SECONDS = 0.02
"""Seconds between checks whether a running task is still wanted."""

FROZEN_CHECKS = 1_500
"""The number of consecutive checks, half a minute, after which a suspended process is given up.

Checks are counted, not seconds: Ctrl-Z suspends both processes, and nothing is lost when they continue.
"""


@dataclass(frozen=True, slots=True, eq=False)
class _QueuedTask:
    """A task on its way: ``call`` is its packed call, or the failure of packing it."""

    number: int
    pending: PendingResult
    call: str | TaskFailure
    patience: float


class ProcessWorker:
    """A worker with one process, which is started with the first task, and again after it has ended.

    Messages come from a thread of this class. If the process ends for any reason, only the current task
    fails, and the memory of the task contexts is lost. The process ends when the calling process ends, even
    if that is killed. Its temporary files are in *folder*, by default in the usual place. It runs at a lower
    priority (*niceness*).
    """

    def __init__(self, folder: str | None = None, niceness: int = NICENESS) -> None:
        self._folder, self._niceness = folder, niceness
        self._lock = threading.Lock()
        self._waiting: SimpleQueue[_QueuedTask | None] = SimpleQueue()
        self._pending: set[PendingResult] = set()
        self._numbers = count(1)
        self._is_closed = False
        self._thread: threading.Thread | None = None
        self._child: WorkerProcess | None = None

    def start(self) -> None:
        """Start the process now, so that the first task need not wait for it."""
        self._enqueue(None)

    def ask(self, task: Task, *arguments: Any, on_message: OnMessage, patience: float = inf) -> PendingResult:
        call: str | TaskFailure
        try:
            call = pack_call(task, *arguments)
        except Exception as error:
            call = failure_of(error)
        pending = PendingResult(on_message)
        self._enqueue(_QueuedTask(next(self._numbers), pending, call, patience))
        return pending

    def close(self) -> None:
        """Cancel all tasks, and end the process and the thread, within about a second."""
        atexit.unregister(self.close)
        with self._lock:
            self._is_closed = True
            tasks, child, thread = list(self._pending), self._child, self._thread
        if child is not None:
            child.kill()
        for pending in tasks:
            pending.stop()
        self._waiting.put(None)
        if thread is not None and thread is not threading.current_thread():
            thread.join(END_SECONDS)

    def _enqueue(self, task: _QueuedTask | None) -> None:
        """Queue *task* for the thread, which is started if necessary. With None, get a process ready."""
        with self._lock:
            if self._is_closed:
                raise RuntimeError("the worker is closed: no more tasks are accepted")
            if self._thread is None:
                thread = threading.Thread(target=self._work, name=NAME, daemon=True)
                thread.start()  # if it fails, nothing has been queued
                self._thread = thread
                atexit.register(self.close)  # a thread that is starting a process at exit can crash Python
            if task is not None:
                self._pending.add(task.pending)
            self._waiting.put(task)

    # The thread

    def _work(self) -> None:
        while True:
            task = self._waiting.get()
            if self._is_closed:
                break
            if task is None:
                with suppress(Exception):  # the first task will report the error
                    self._ready_child()
                continue
            if not task.pending.is_over:
                answer = self._run(task)
                if not self._is_closed:
                    task.pending.deliver(answer)
            with self._lock:
                self._pending.discard(task.pending)
        self._end_child()

    def _run(self, task: _QueuedTask) -> TaskResult | TaskFailure:
        """Send *task* to the process, deliver its progress, and return its result."""
        if isinstance(task.call, TaskFailure):
            return task.call
        try:
            child = self._ready_child()
        except Exception as error:
            return TaskFailure("gone", describe_error(error))
        child.send(f"ask {task.number} {task.call}")
        pending, end = task.pending, monotonic() + task.patience
        should_end = is_left = False
        frozen = 0
        while (left := end - monotonic()) > 0 and not self._is_closed and frozen < FROZEN_CHECKS:
            frozen = frozen + 1 if child.is_stopped() else 0
            if pending.should_end and not should_end:
                should_end = True
                child.send(f"stop {task.number}")
            if pending.is_over and not is_left:
                is_left, end = True, min(end, monotonic() + STOP_SECONDS)
            message = _receive(child, task.number, min(left, LOOK_SECONDS))
            if isinstance(message, Progress) and isinstance(message.result, DamagedFile):
                with suppress(DamagedFileWarning):  # a filter may turn it into an error
                    warnings.warn(DamagedFileWarning(message.result), stacklevel=1)
            elif isinstance(message, Progress):
                pending.deliver(message)
            elif message is not None:
                if isinstance(message, TaskFailure) and message.reason == "gone":
                    self._end_child()
                return message
        self._end_child()
        return TaskFailure("gone", "stopped") if frozen == FROZEN_CHECKS else TaskFailure("too-slow")

    def _ready_child(self) -> WorkerProcess:
        """Return the process, and start it if it is not running."""
        if self._child is not None:
            try:
                self._child.drop()
            except EOFError:  # it ended while it was idle
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


def _receive(child: WorkerProcess, number: int, seconds: float) -> Progress | TaskResult | TaskFailure | None:
    """Return the message of *child* about the task *number* within *seconds*, or None.

    The end of the process is a failure. Other output is ignored.
    """
    try:
        line = child.receive(seconds)
    except EOFError:
        return TaskFailure("gone", child.wait_for_end())
    word, number_text, text = (*(line or "").split(" ", 2), "", "")[:3]
    if number_text != str(number):
        return None
    try:
        message = unpack(text)
    except Exception as error:
        message = TaskFailure("failed", describe_error(error))
    if not isinstance(message, Progress | TaskResult | TaskFailure):
        message = TaskFailure("failed", "not a message")
    return message if word == "end" or isinstance(message, Progress) else None
