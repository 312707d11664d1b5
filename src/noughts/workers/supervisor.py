"""A thinker whose questions are worked on in a process of its own, so that who asks never waits.

This is the side of who asks; what the process does is in :mod:`noughts.workers.loop`.
"""

import multiprocessing
import os
import pickle
import threading
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from math import inf
from queue import SimpleQueue
from time import monotonic
from typing import Any

try:
    from multiprocessing import resource_tracker
except ImportError:  # pragma: no cover - Windows has no need of one
    resource_tracker = None  # type: ignore[assignment]

from noughts.search.analysis import Progress
from noughts.workers.loop import NICENESS, live
from noughts.workers.messages import Answer, Failure, OnMessage, Task, Thought, words

STOP_SECONDS = 20.0
"""A task that goes on for so long after it was stopped is ended with its process."""

END_SECONDS = 1.0
"""How long is waited at most for the end of what was told to end."""

LOOK_SECONDS = 0.02
"""Seconds between checks whether a question that is being worked on is still wanted."""

FROZEN_LOOKS = 1_500
"""A process that is found stopped so many times on end, for half a minute, is not waited for.

Looks are counted, not seconds: Ctrl-Z stops both, and nothing is lost when they go on.
"""

NAME = "noughts-thinking"
"""What process and thread are called where they are listed."""

_STOPPED = getattr(os, "WSTOPPED", 0) | getattr(os, "WNOHANG", 0) | getattr(os, "WNOWAIT", 0)
"""Asks whether a process is stopped: at once, and so that whoever asks again is told again."""

CONTEXT = multiprocessing.get_context("spawn")
"""New processes share nothing with this one: a forked one would have its locks without its threads."""


@dataclass(frozen=True, slots=True, eq=False)
class _Question:
    """A question on its way: ``packed`` is the task with its arguments, or why it cannot be sent."""

    number: int
    thought: Thought
    packed: bytes | Failure
    patience: float


class _Child:
    """A process that thinks, and the pipe to it. All but :meth:`kill` is for one thread alone."""

    def __init__(self, folder: str | None = None, niceness: int = NICENESS) -> None:
        self.connection, other = CONTEXT.Pipe()
        arguments = (other, folder, niceness)
        self._process = CONTEXT.Process(target=live, args=arguments, name=NAME, daemon=True)
        self._ending = threading.Lock()
        self._has_ended = False
        try:
            self._process.start()
        except BaseException:
            self.connection.close()
            raise
        finally:
            other.close()

    def is_stopped(self) -> bool:
        """Whether somebody has stopped the process, and not let it go on since; False where none can tell."""
        found = None
        with self._ending, suppress(AttributeError, OSError):
            found = os.waitid(os.P_PID, self._process.pid or 0, _STOPPED)
        return found is not None

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

    Messages come from a thread of this class. A process that ends, whoever ended it, is a failure of the
    question that it was working on alone; what the memory of the desks held is lost with it. When the
    asking process ends, in whatever way, the thinking process does. Temporary files of it are made in
    *folder*, or where there is none, in the usual place; it lets others go first by its *niceness*.
    """

    def __init__(self, folder: str | None = None, niceness: int = NICENESS) -> None:
        self._folder, self._niceness = folder, niceness
        self._lock = threading.Lock()
        self._waiting: SimpleQueue[_Question | None] = SimpleQueue()
        self._asked: set[Thought] = set()
        self._numbers = count(1)
        self._is_closed = False
        self._thread: threading.Thread | None = None
        self._child: _Child | None = None

    def start(self) -> None:
        """Start the process now, so that the first question need not wait for it.

        What a process needs of the standard streams is taken in the calling thread: a full screen puts its
        own in their place soon, and no process could be started with those.
        """
        if resource_tracker is not None:
            resource_tracker.ensure_running()
        self._put(None)

    def ask(self, task: Task, *arguments: Any, on_message: OnMessage, patience: float = inf) -> Thought:
        packed: bytes | Failure
        try:
            packed = pickle.dumps((task, arguments))
        except Exception as error:
            packed = Failure("failed", words(error))
        thought = Thought(on_message)
        self._put(_Question(next(self._numbers), thought, packed, patience))
        return thought

    def close(self) -> None:
        """Stop everything that was asked, and end process and thread, within about a second."""
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
                self._thread = threading.Thread(target=self._work, name=NAME, daemon=True)
                self._thread.start()
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

    def _answer(self, question: _Question) -> Answer | Failure:
        """Have the process work on *question*, and tell its progress meanwhile."""
        if isinstance(question.packed, Failure):
            return question.packed
        try:
            child = self._ready_child()
            child.connection.send((question.number, question.packed))
        except Exception as error:
            self._end_child()
            return Failure("gone", words(error))
        thought, end = question.thought, monotonic() + question.patience
        is_pressed = is_left = False
        frozen = 0
        while (left := end - monotonic()) > 0 and not self._is_closed and frozen < FROZEN_LOOKS:
            frozen = frozen + 1 if child.is_stopped() else 0
            if thought.is_pressed and not is_pressed:
                is_pressed = True
                with suppress(OSError):  # it has ended: the pipe will say so
                    child.connection.send((question.number, None))
            if thought.is_over and not is_left:
                is_left, end = True, min(end, monotonic() + STOP_SECONDS)
            message = _hear(child, question.number, min(left, LOOK_SECONDS))
            if isinstance(message, Progress):
                thought.say(message)
            elif message is not None:
                if isinstance(message, Failure) and message.reason == "gone":
                    self._end_child()
                return message
        self._end_child()
        return Failure("gone", "stopped") if frozen == FROZEN_LOOKS else Failure("too-slow")

    def _ready_child(self) -> _Child:
        """The process, started if there is none that lives."""
        while self._child is not None and self._child.connection.poll():
            if _hear(self._child, 0, 0.0) is not None:  # it ended while there was nothing to do
                self._end_child()
        if self._child is None:
            child = _Child(self._folder, self._niceness)
            with self._lock:
                self._child = child
        return self._child

    def _end_child(self) -> None:
        with self._lock:
            child, self._child = self._child, None
        if child is not None:
            child.close()


def _hear(child: _Child, number: int, seconds: float) -> Progress | Answer | Failure | None:
    """What *child* says to the question *number* within so many *seconds*; its end is a failure."""
    try:
        if not child.connection.poll(seconds):
            return None
        told, is_last, packed = child.connection.recv()
    except (EOFError, OSError):
        return Failure("gone", child.wait_for_end())
    if told != number:
        return None  # a thread that a task left behind goes on reporting
    message: Progress | Answer | Failure
    try:
        message = pickle.loads(packed)  # noqa: S301 - it comes from a process of our own
    except Exception as error:
        message = Failure("failed", words(error))
    return message if is_last or isinstance(message, Progress) else None
