"""Slots for tasks of the worker process; late answers to replaced tasks are dropped."""

from collections.abc import Callable
from math import inf
from typing import Any

from textual.message_pump import MessagePump

from noughts.workers.messages import PendingResult, Task, TaskFailure, TaskResult, TaskWorker


class TaskSlot:
    """A slot for one kind of task of a *screen*; a new task replaces the one before.

    *on_progress* is called after each progress report.
    """

    def __init__(
        self, screen: MessagePump, thinker: TaskWorker, on_progress: Callable[[], object] = lambda: None
    ) -> None:
        self._screen, self._thinker, self._on_progress = screen, thinker, on_progress
        self._question: object = None
        self._thought: PendingResult | None = None
        self.progress: Any = None
        """The latest progress report of the running task; None before the first."""
        self.last_progress: Any = None
        """The last progress report of the finished task."""

    @property
    def is_waiting(self) -> bool:
        """True if a task is running."""
        return self._thought is not None

    def ask(
        self,
        task: Task,
        *arguments: Any,
        on_answer: Callable[[Any], None],
        on_failure: Callable[[TaskFailure], None] = lambda failure: None,
        patience: float = inf,
    ) -> None:
        """Start *task*; *on_answer* gets its answer, *on_failure* is called if there is none."""
        self.drop()
        question = self._question = object()

        # This runs in another thread, which may only send messages to the screen.
        def on_message(message: object) -> None:
            self._screen.call_later(self._receive, question, message, on_answer, on_failure)

        self._thought = self._thinker.ask(task, *arguments, on_message=on_message, patience=patience)

    def drop(self) -> None:
        """Stop the task and ignore its answer."""
        if self._thought is not None:
            self._thought.stop()
        self._thought = self._question = self.progress = None

    def hurry(self) -> None:
        """Ask the task for an answer now."""
        if self._thought is not None:
            self._thought.hurry()

    def _receive(
        self,
        question: object,
        message: object,
        on_answer: Callable[[Any], None],
        on_failure: Callable[[TaskFailure], None],
    ) -> None:
        """Handle *message* unless it belongs to a replaced task."""
        if question is not self._question:
            return
        if not isinstance(message, TaskResult | TaskFailure):
            self.progress = message
            self._on_progress()
            return
        self.last_progress = self.progress
        self._thought = self._question = self.progress = None
        if isinstance(message, TaskResult):
            on_answer(message.value)
        else:
            on_failure(message)
