"""What a screen has asked the thinker, and what came of it; late answers to old questions are dropped."""

from collections.abc import Callable
from math import inf
from typing import Any

from textual.message_pump import MessagePump

from noughts.workers.messages import PendingResult, Task, TaskFailure, TaskResult, TaskWorker


class TaskSlot:
    """One kind of question of a *screen*: asking again drops what was asked before.

    *on_progress* is called when the thinker has told of its progress.
    """

    def __init__(
        self, screen: MessagePump, thinker: TaskWorker, on_progress: Callable[[], object] = lambda: None
    ) -> None:
        self._screen, self._thinker, self._on_progress = screen, thinker, on_progress
        self._question: object = None
        self._thought: PendingResult | None = None
        self.progress: Any = None
        """What the thinker has told of its progress, None before."""
        self.last_progress: Any = None
        """What it had told of its progress when it answered."""

    @property
    def is_waiting(self) -> bool:
        """Whether an answer is to come."""
        return self._thought is not None

    def ask(
        self,
        task: Task,
        *arguments: Any,
        take: Callable[[Any], None],
        fail: Callable[[TaskFailure], None] = lambda failure: None,
        patience: float = inf,
    ) -> None:
        """Ask for *task*; *take* gets the answer, *fail* hears that there is none."""
        self.drop()
        question = self._question = object()

        # Called in another thread, from which only messages may be sent to the screen.
        def on_message(message: object) -> None:
            self._screen.call_later(self._receive, question, message, take, fail)

        self._thought = self._thinker.ask(task, *arguments, on_message=on_message, patience=patience)

    def drop(self) -> None:
        """Nobody waits for the answer any more."""
        if self._thought is not None:
            self._thought.stop()
        self._thought = self._question = self.progress = None

    def hurry(self) -> None:
        """The answer is wanted now."""
        if self._thought is not None:
            self._thought.hurry()

    def _receive(
        self,
        question: object,
        message: object,
        take: Callable[[Any], None],
        fail: Callable[[TaskFailure], None],
    ) -> None:
        """Take in what was *said*, unless it is about an older question."""
        if question is not self._question:
            return
        if not isinstance(message, TaskResult | TaskFailure):
            self.progress = message
            self._on_progress()
            return
        self.last_progress = self.progress
        self._thought = self._question = self.progress = None
        if isinstance(message, TaskResult):
            take(message.value)
        else:
            fail(message)
