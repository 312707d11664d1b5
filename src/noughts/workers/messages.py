"""The messages between a caller and a worker: tasks, progress, results and failures.

A task is a function of some module with its arguments. A :class:`TaskWorker` calls the function with a
:class:`TaskContext`. It sends the caller any number of ``Progress`` messages, and at the end one
:class:`TaskResult` or :class:`TaskFailure`. This module does not know what the tasks compute.
"""

import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from math import inf
from time import monotonic
from typing import Any, Literal, Protocol

from noughts.errors import GameBroken
from noughts.search.analysis import Progress
from noughts.text import safe_text

REPORT_SECONDS = 0.1
"""Seconds within which further progress of the same stage is dropped."""

DELIVER_SECONDS = 1.0
"""The maximum number of seconds that :meth:`PendingResult.stop` waits for a running callback."""

DAMAGED = "damaged"
"""The stage of a progress that reports a damaged file by its error. It is not passed to the caller."""

MAX_DETAIL = 200
"""The maximum length of the description of an error, in characters."""


@dataclass(frozen=True, slots=True)
class TaskResult:
    """The value that a task returned."""

    value: Any


@dataclass(frozen=True, slots=True)
class TaskFailure:
    """The reason why a task has no result. ``detail`` is for the author of the task.

    ``failed``: the task raised an error, or its arguments or result could not be sent. ``too-slow``: the task
    exceeded its time. ``gone``: the process could not be started, or it ended.
    """

    reason: Literal["failed", "too-slow", "gone"]
    detail: str = ""
    fault: GameBroken | None = None
    """The fault of the package of the game that was sent, if that is why the task failed."""


Task = Callable[..., Any]
"""A function of a module, called as ``task(context, *arguments)``. The other process finds it by its name."""

OnMessage = Callable[[Progress | TaskResult | TaskFailure], None]
"""A callback for each message. It should be quick. Its errors are dropped, since the caller may be gone."""


class TaskContext:
    """The environment of a running task.

    ``memory`` is shared by all tasks of the process, such as players and their learned data. ``stop()``
    returns True if the result is wanted at once, or not at all. It is quick, and may be called from any
    thread.
    """

    def __init__(
        self,
        memory: dict[object, Any],
        on_progress: Callable[[Progress], None],
        stop: Callable[[], bool],
        *,
        apart: float = REPORT_SECONDS,
        now: Callable[[], float] = monotonic,
    ) -> None:
        self.memory, self.stop, self._on_progress = memory, stop, on_progress
        self._apart, self._now = apart, now
        self._stage, self._next = "", 0.0

    def report(self, progress: Progress) -> None:
        """Send *progress* to the caller. Reports that follow too soon are dropped, so call it often."""
        now = self._now()
        if progress.stage != self._stage or now >= self._next:
            self._stage, self._next = progress.stage, now + self._apart
            self._on_progress(progress)


class PendingResult:
    """A task that was given to a worker, and the delivery of its messages."""

    def __init__(self, on_message: OnMessage) -> None:
        self._on_message = on_message
        self._telling = threading.RLock()
        self._is_answered = self._is_stopped = self._is_hurried = False

    @property
    def is_over(self) -> bool:
        """True if no more messages will come: the task has ended, failed, or was stopped."""
        return self._is_answered or self._is_stopped

    @property
    def should_end(self) -> bool:
        """True if the task should end now."""
        return self._is_stopped or self._is_hurried

    def stop(self) -> None:
        """Cancel the task. After this method returns, no message is delivered.

        If another thread is delivering a message, wait for it, but not for more than a second: that thread
        may be waiting for this one.
        """
        self._is_stopped = True
        if self._telling.acquire(timeout=DELIVER_SECONDS):
            self._telling.release()

    def hurry(self) -> None:
        """Ask the task to end now. Its result is still delivered."""
        self._is_hurried = True

    def deliver(self, message: Progress | TaskResult | TaskFailure) -> None:
        """Deliver *message* to the caller, unless the task is over. For workers."""
        with self._telling:
            if not self.is_over:
                self._is_answered = not isinstance(message, Progress)
                with suppress(Exception):
                    self._on_message(message)


class TaskWorker(Protocol):
    """A worker that executes tasks."""

    def ask(self, task: Task, *arguments: Any, on_message: OnMessage, patience: float = inf) -> PendingResult:
        """Execute ``task(context, *arguments)``. *on_message* gets its progress, and its result or failure.

        Tasks are executed one after another. A task fails after *patience* seconds, counted from its
        beginning. Raises :class:`RuntimeError` after :meth:`close`.
        """

    def close(self) -> None:
        """Cancel all tasks. No more messages are delivered, and no more tasks are accepted."""


def run_task(context: TaskContext, call: Callable[[TaskContext], Any]) -> TaskResult | TaskFailure:
    """Return the result or the failure of *call*."""
    try:
        return TaskResult(call(context))
    except BaseException as error:  # SystemExit too: a task must not end the worker
        return failure_of(error)


def failure_of(error: BaseException) -> TaskFailure:
    """Return the failure of a task that raised *error*."""
    return TaskFailure("failed", describe_error(error), error if isinstance(error, GameBroken) else None)


def describe_error(error: BaseException) -> str:
    """Return *error* as a text that can be printed, even if its ``__str__`` fails."""
    try:
        return safe_text(f"{type(error).__name__}: {error}"[:MAX_DETAIL])
    except KeyboardInterrupt:
        raise
    except BaseException:
        return type(error).__name__
