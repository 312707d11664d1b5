"""Threads for tasks that only wait for external programs.

The threads are daemons, unlike those of :class:`concurrent.futures.ThreadPoolExecutor`: a server that stops
does not wait for programs that take their time.
"""

import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from time import monotonic
from typing import Any

from noughts.workers.messages import OnMessage, PendingResult, Task, TaskContext, TaskFailure, run_task


@dataclass(frozen=True, slots=True, eq=False)
class _QueuedTask:
    pending: PendingResult
    task: Task
    arguments: tuple[Any, ...]
    patience: float

    def call(self, context: TaskContext) -> Any:
        """Return the value of the task."""
        return self.task(context, *self.arguments)


class ThreadWorker:
    """A worker that executes up to *most* tasks at once, and begins them in order.

    The tasks share one memory, and cannot be ended from outside. If a task's time is over, or its result is
    not wanted any more, its ``stop`` becomes true. *now* returns seconds.
    """

    def __init__(self, most: int, now: Callable[[], float] = monotonic) -> None:
        self._now = now
        self._lock = threading.Lock()
        self._free = most
        self._waiting: deque[_QueuedTask] = deque()
        self._working: set[_QueuedTask] = set()
        self._memory: dict[object, Any] = {}
        self._is_closed = False

    def ask(self, task: Task, *arguments: Any, on_message: OnMessage, patience: float = inf) -> PendingResult:
        queued = _QueuedTask(PendingResult(on_message), task, arguments, patience)
        with self._lock:
            if self._is_closed:
                raise RuntimeError("the worker is closed: no more tasks are accepted")
            self._waiting.append(queued)
        self._begin()
        return queued.pending

    def close(self) -> None:
        with self._lock:
            self._is_closed = True
            tasks = [*self._waiting, *self._working]
            self._waiting.clear()
        for task in tasks:
            task.pending.stop()
        self._memory.clear()

    def _begin(self) -> None:
        """Start waiting tasks, up to the limit."""
        with self._lock:
            while self._free and self._waiting:
                task = self._waiting.popleft()
                if not task.pending.is_over:
                    self._free -= 1
                    self._working.add(task)
                    job = threading.Thread(target=self._work, args=(task,), daemon=True)
                    job.name = "noughts-programs-asked"
                    job.start()

    def _work(self, task: _QueuedTask) -> None:
        pending, end = task.pending, self._now() + task.patience
        stop = lambda: pending.should_end or self._now() >= end  # noqa: E731
        answer = run_task(TaskContext(self._memory, pending.deliver, stop), task.call)
        with self._lock:
            self._free += 1
            self._working.discard(task)
        pending.deliver(TaskFailure("too-slow") if self._now() >= end else answer)
        self._begin()
