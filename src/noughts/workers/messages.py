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
"""Progress that follows earlier progress of the same stage sooner than this is not told."""

TELL_SECONDS = 1.0
"""How long :meth:`PendingResult.stop` waits at most for who is just being told."""

DAMAGED = "damaged"
"""The stage of a progress that names a damaged file, by its error; it is not for the asker."""

MAX_DETAIL = 200
"""How much is kept of what a task raised, in characters."""


@dataclass(frozen=True, slots=True)
class TaskResult:
    """What a task returned."""

    value: Any


@dataclass(frozen=True, slots=True)
class TaskFailure:
    """Why there is no answer; ``detail`` is for whoever wrote the task.

    ``failed``: the task raised, or question or answer could not be sent; ``too-slow``: patience was over;
    ``gone``: the process could not be started, or it ended.
    """

    reason: Literal["failed", "too-slow", "gone"]
    detail: str = ""
    fault: GameBroken | None = None
    """The fault of the package of the game that was sent, if that is why the task failed."""


Task = Callable[..., Any]
"""``task(desk, *arguments)``: a function of a module, by whose name it is found in the other process."""

OnMessage = Callable[[Progress | TaskResult | TaskFailure], None]
"""Is called with each message. It should be quick; what it raises is dropped: who asked may be gone."""


class TaskContext:
    """What a task has where it is worked on.

    ``memory`` is kept from task to task, as long as the process lives: players and what they learned.
    ``stop()`` says whether the answer is wanted no more, or at once; quick, and callable from any thread.
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
        """Tell the asker of *progress*; what comes too soon after the last is dropped, so call it often."""
        now = self._now()
        if progress.stage != self._stage or now >= self._next:
            self._stage, self._next = progress.stage, now + self._apart
            self._on_progress(progress)


class PendingResult:
    """One question that was asked."""

    def __init__(self, on_message: OnMessage) -> None:
        self._on_message = on_message
        self._telling = threading.RLock()
        self._is_answered = self._is_stopped = self._is_hurried = False

    @property
    def is_over(self) -> bool:
        """Whether nothing will be told any more: it was answered, failed or was stopped."""
        return self._is_answered or self._is_stopped

    @property
    def is_pressed(self) -> bool:
        """Whether the task should come to its end."""
        return self._is_stopped or self._is_hurried

    def stop(self) -> None:
        """The answer is not wanted any more: once this returns nothing of it is told; the task hears of it.

        Where another thread is just being told, this waits for it, though not for more than a second, in
        case that one waits for this thread.
        """
        self._is_stopped = True
        if self._telling.acquire(timeout=TELL_SECONDS):
            self._telling.release()

    def hurry(self) -> None:
        """The answer is wanted now: the task hears that it should end, and its answer is still told."""
        self._is_hurried = True

    def say(self, message: Progress | TaskResult | TaskFailure) -> None:
        """Tell *message* to who asked, unless it is over; for thinkers."""
        with self._telling:
            if not self.is_over:
                self._is_answered = not isinstance(message, Progress)
                with suppress(Exception):
                    self._on_message(message)


class TaskWorker(Protocol):
    """Who works on questions."""

    def ask(self, task: Task, *arguments: Any, on_message: OnMessage, patience: float = inf) -> PendingResult:
        """Have ``task(desk, *arguments)`` worked on; *on_message* gets its progress and what comes of it.

        Questions are worked on one after another. *patience* is how many seconds one may take before it
        fails, counted from when it is begun. Raises :class:`RuntimeError` after :meth:`close`.
        """

    def close(self) -> None:
        """Stop everything that was asked; nothing is told any more, and nothing can be asked."""


def run_task(desk: TaskContext, call: Callable[[TaskContext], Any]) -> TaskResult | TaskFailure:
    """What comes of the *call* of a task."""
    try:
        return TaskResult(call(desk))
    except BaseException as error:  # a task may want to leave, and it is not its program
        return failure_of(error)


def failure_of(error: BaseException) -> TaskFailure:
    """The failure of a task that raised *error*."""
    return TaskFailure("failed", describe_error(error), error if isinstance(error, GameBroken) else None)


def describe_error(error: BaseException) -> str:
    """*error* in words that can be printed, whatever it is."""
    try:
        return safe_text(f"{type(error).__name__}: {error}"[:MAX_DETAIL])
    except KeyboardInterrupt:
        raise
    except BaseException:
        return type(error).__name__
