"""What a screen has asked the thinker, and what came of it; late answers to old questions are dropped."""

from collections.abc import Callable
from math import inf
from typing import Any

from textual.message import Message
from textual.message_pump import MessagePump

from noughts.workers.messages import Answer, Failure, Task, Thinker, Thought


class ThinkerMessage(Message):
    """Something the thinker said about a *question* of *asked*."""

    def __init__(self, asked: "TaskSlot", question: object, said: object) -> None:
        super().__init__()
        self.asked, self.question, self.said = asked, question, said


class TaskSlot:
    """One kind of question of a screen: asking again drops what was asked before."""

    def __init__(self, screen: MessagePump, thinker: Thinker) -> None:
        self._screen, self._thinker = screen, thinker
        self._question: object = None
        self._thought: Thought | None = None
        self._take: Callable[[Any], None] = lambda value: None
        self._fail: Callable[[Failure], None] = lambda failure: None
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
        fail: Callable[[Failure], None] = lambda failure: None,
        patience: float = inf,
    ) -> None:
        """Ask for *task*; *take* gets the answer, *fail* hears that there is none."""
        self.drop()
        question = self._question = object()
        self._take, self._fail = take, fail

        # Told in another thread; a message is what crosses over safely, also from this one.
        def on_message(said: object) -> None:
            self._screen.post_message(ThinkerMessage(self, question, said))

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

    def receive(self, message: ThinkerMessage) -> bool:
        """Take *message* in, unless it is about an older question; whether it was news of progress."""
        if message.question is not self._question:
            return False
        if not isinstance(message.said, Answer | Failure):
            self.progress = message.said
            return True
        self.last_progress = self.progress
        self._thought = self._question = self.progress = None
        if isinstance(message.said, Answer):
            self._take(message.said.value)
        else:
            self._fail(message.said)
        return False
