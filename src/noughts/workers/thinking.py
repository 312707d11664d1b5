"""Thinking elsewhere: long questions are worked on in another process, so that who asks never waits.

A question is a task, a function of some module, with its arguments; both go to a :class:`Thinker`, which
calls the function with a :class:`Desk` and tells the asker what came of it: now and then a ``Progress``, at
the end one :class:`Answer` or :class:`Failure`. What is thought is not known here.
"""

import multiprocessing
import pickle
import threading
from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from math import inf
from multiprocessing.connection import Connection, wait
from time import monotonic
from typing import Any

try:
    from multiprocessing import resource_tracker
except ImportError:  # pragma: no cover - Windows has no need of one
    resource_tracker = None  # type: ignore[assignment]

from noughts.search.analysis import Progress
from noughts.workers.thinking_loop import live
from noughts.workers.thought import (
    Answer,
    Desk,
    Failure,
    Task,
    Tell,
    Thinker,
    Thought,
    closed_error,
    words,
)

__all__ = [
    "Answer",
    "Desk",
    "Failure",
    "Task",
    "Tell",
    "Thinker",
    "ThinkingProcess",
    "Thought",
]

STOP_SECONDS = 20.0
"""A task that goes on for so long after it was stopped is ended with its process."""

END_SECONDS = 1.0
"""How long is waited at most for the end of what was told to end."""

NAME = "noughts-thinking"
"""What process and thread are called where they are listed."""

CONTEXT = multiprocessing.get_context("spawn")
"""New processes share nothing with this one: a forked one would have its locks without its threads."""


@dataclass(slots=True, eq=False)
class _Question:
    """A question on its way: ``packed`` is the task with its arguments, or why it cannot be sent."""

    number: int
    thought: Thought
    packed: bytes | Failure
    patience: float | None
    is_pressed: bool = False
    """Whether the process has been told that the task should end."""
    end: float = inf
    """The instant at which it has taken too long."""
    is_left: bool = False
    """Whether *end* has been brought forward because nobody waits any more."""


class _Child:
    """A process that thinks, and the pipe to it. All but :meth:`kill` is for one thread alone."""

    def __init__(self) -> None:
        self.connection, other = CONTEXT.Pipe()
        self._process = CONTEXT.Process(target=live, args=(other,), name=NAME, daemon=True)
        self._ending = threading.Lock()
        self._has_ended = False
        try:
            self._process.start()
        except BaseException:
            self.connection.close()
            raise
        finally:
            other.close()

    def wait_for_end(self) -> str:
        """Wait a moment for a process that has closed its pipe; says how it ended."""
        with self._ending:
            self._process.join(END_SECONDS)
            return f"exit status {self._process.exitcode}"

    def kill(self) -> None:
        """End the process, whatever it is doing."""
        with self._ending:
            if not self._has_ended:
                self._process.kill()
                self._process.join(END_SECONDS)

    def close(self) -> None:
        """End the process, and give back everything that was held for it."""
        self.kill()
        with self._ending:
            self._has_ended = True
            self.connection.close()
            with suppress(ValueError):  # where the system has not got round to ending it yet
                self._process.close()


class ThinkingProcess:
    """A thinker with one process, which is started with the first question, and anew when it has ended.

    *tell* is called in a thread of this class. A process that ends, whoever ended it, is a failure of the
    question that it was working on alone; what the memory of the desks held is lost with it. When the
    asking process ends, in whatever way, the thinking process does.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: deque[_Question] = deque()
        self._running: _Question | None = None
        self._numbers = count(1)
        self._is_closed = self._is_wanted = self._is_woken = False
        self._thread: threading.Thread | None = None
        self._bell: Connection | None = None
        self._child: _Child | None = None

    def start(self) -> None:
        """Start the process now, so that the first question need not wait for it.

        What a process needs of the standard streams is taken in the calling thread: a full screen puts its
        own in their place soon, and no process could be started with those.
        """
        if resource_tracker is not None:
            resource_tracker.ensure_running()
        with self._lock:
            self._is_wanted = True
            self._begin_work()
        self._wake()

    def ask(self, task: Task, *arguments: Any, tell: Tell, patience: float | None = None) -> Thought:
        packed: bytes | Failure
        try:
            packed = pickle.dumps((task, arguments))
        except Exception as error:
            packed = Failure("failed", words(error))
        thought = Thought(tell, self._wake)
        with self._lock:
            self._begin_work()
            self._waiting.append(_Question(next(self._numbers), thought, packed, patience))
        self._wake()
        return thought

    def close(self) -> None:
        """Stop everything that was asked, and end process and thread, within about a second."""
        with self._lock:
            self._is_closed = True
            asked = [*self._waiting, *([self._running] if self._running else [])]
            child, thread = self._child, self._thread
        if child is not None:
            child.kill()
        for question in asked:
            question.thought.stop()
        self._wake()
        if thread is not None and thread is not threading.current_thread():
            thread.join(END_SECONDS)

    def _begin_work(self) -> None:
        """See to it that there is a thread that works."""
        if self._is_closed:
            raise closed_error()
        if self._thread is None:
            bell = CONTEXT.Pipe(duplex=False)
            self._bell = bell[1]
            self._thread = threading.Thread(target=self._work, args=bell, name=NAME, daemon=True)
            self._thread.start()

    def _wake(self) -> None:
        """Make the thread look at what there is to do."""
        with self._lock:
            if self._bell is not None and not self._is_woken:
                self._is_woken = True
                self._bell.send_bytes(b".")

    # What the thread does

    def _work(self, hears: Connection, bell: Connection) -> None:
        while not self._is_closed:
            if not self._begin_next():
                self._wait(hears)
        self._end_child()
        with self._lock:
            self._bell = None
        bell.close()
        hears.close()

    def _begin_next(self) -> bool:
        """Hand the next question over if nothing is being worked on; whether there was one."""
        with self._lock:
            if self._running is not None:
                return False
            while self._waiting and self._running is None:
                question = self._waiting.popleft()
                self._running = None if question.thought.is_over else question
            running, is_wanted = self._running, self._is_wanted
            self._is_wanted = False
        if running is not None:
            self._hand_over(running)
        elif is_wanted:
            with suppress(Exception):  # the first question will tell
                self._ready_child()
        return running is not None

    def _hand_over(self, question: _Question) -> None:
        if isinstance(question.packed, Failure):
            self._finish(question.packed)
            return
        try:
            self._ready_child().connection.send((question.number, question.packed))
        except Exception as error:
            self._end_child()
            self._finish(Failure("gone", words(error)))
            return
        if question.patience is not None:
            question.end = monotonic() + question.patience

    def _ready_child(self) -> _Child:
        """The process, started if there is none that lives."""
        while self._child is not None and self._child.connection.poll():
            if _received(self._child) is None:  # it ended while there was nothing to do
                self._end_child()
        if self._child is None:
            child = _Child()
            with self._lock:
                self._child = child
        return self._child

    def _wait(self, hears: Connection) -> None:
        """Wait until there is something to do, and do it."""
        child = self._child
        sources = [hears] if child is None else [hears, child.connection]
        ready = wait(sources, self._seconds_left())
        if hears in ready:
            with self._lock:
                hears.recv_bytes()
                self._is_woken = False
        if child is None or self._is_closed:
            return
        if child.connection in ready:
            self._take_in(child)
        if self._running is not None:
            self._press(self._running, child)
        if self._seconds_left() == 0:
            self._end_child()
            self._finish(Failure("too-slow"))

    def _seconds_left(self) -> float | None:
        """How long the question that is being worked on may still take."""
        running = self._running
        return None if running is None or running.end == inf else max(0.0, running.end - monotonic())

    def _press(self, question: _Question, child: _Child) -> None:
        """Let the process know what the asker wishes."""
        thought = question.thought
        if thought.is_pressed and not question.is_pressed:
            question.is_pressed = True
            with suppress(OSError):  # it has ended: the pipe will say so
                child.connection.send((question.number, None))
        if thought.is_over and not question.is_left:
            question.is_left, question.end = True, min(question.end, monotonic() + STOP_SECONDS)

    def _take_in(self, child: _Child) -> None:
        """Take one message of the process in, or its end."""
        received, running = _received(child), self._running
        if received is None:
            how = child.wait_for_end()
            self._end_child()
            self._finish(Failure("gone", how))
            return
        number, is_last, packed = received
        if running is None or running.number != number:
            return  # a thread that a task left behind goes on reporting
        message: Progress | Answer | Failure
        try:
            message = pickle.loads(packed)  # noqa: S301 - it comes from a process of our own
        except Exception as error:
            message = Failure("failed", words(error))
        if is_last:
            self._finish(message)
        elif isinstance(message, Progress):
            running.thought.say(message)

    def _finish(self, message: Progress | Answer | Failure) -> None:
        """The question that was being worked on, if any, has come to its end."""
        with self._lock:
            running, self._running = self._running, None
        if running is not None and not self._is_closed:
            running.thought.say(message)

    def _end_child(self) -> None:
        with self._lock:
            child, self._child = self._child, None
        if child is not None:
            child.close()


def _received(child: _Child) -> tuple[int, bool, bytes] | None:
    """The next message of *child*; None where it has ended."""
    try:
        number, is_last, packed = child.connection.recv()
    except (EOFError, OSError):
        return None
    return number, is_last, packed
