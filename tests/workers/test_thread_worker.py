"""A worker of threads: a limited number of tasks at once, in order, and none that was cancelled."""

import threading
from queue import SimpleQueue
from typing import Any

import pytest

from noughts.search.analysis import Progress
from noughts.workers.messages import TaskContext, TaskFailure, TaskResult
from noughts.workers.thread_worker import ThreadWorker

PATIENCE = 60.0
"""Seconds after which a test fails."""

Messages = SimpleQueue[Any]


def wait(context: TaskContext, name: str, begun: Messages, may_end: threading.Event) -> str:
    """Report the beginning, and wait for permission to end."""
    begun.put(name)
    context.memory[name] = True
    context.report(Progress("searching"))
    may_end.wait(PATIENCE)
    return name


def fail(context: TaskContext) -> None:
    raise ValueError("no")


def test_tasks_begin_in_order() -> None:
    worker, begun, messages, may_end = ThreadWorker(2), Messages(), Messages(), threading.Event()
    thoughts = [worker.ask(wait, name, begun, may_end, on_message=messages.put) for name in "abcd"]
    assert {begun.get(timeout=PATIENCE), begun.get(timeout=PATIENCE)} == {"a", "b"}
    assert begun.empty()
    thoughts[2].stop()
    may_end.set()
    assert begun.get(timeout=PATIENCE) == "d"
    delivered = [messages.get(timeout=PATIENCE) for _ in range(6)]
    assert sorted(message.value for message in delivered if isinstance(message, TaskResult)) == [
        "a",
        "b",
        "d",
    ]
    assert set(worker._memory) == {"a", "b", "d"}
    worker.ask(fail, on_message=messages.put)
    assert messages.get(timeout=PATIENCE) == TaskFailure("failed", "ValueError: no")


def test_slow_task_is_stopped_and_fails() -> None:
    now = [0.0]
    worker, messages = ThreadWorker(1, lambda: now[0]), Messages()

    def look(context: TaskContext) -> bool:
        assert not context.stop()
        now[0] = 5.0
        return context.stop()

    worker.ask(look, on_message=messages.put, patience=5)
    assert messages.get(timeout=PATIENCE) == TaskFailure("too-slow")


def test_close_stops_pending_tasks() -> None:
    worker, begun, messages, may_end = ThreadWorker(1), Messages(), Messages(), threading.Event()
    first, second = (worker.ask(wait, name, begun, may_end, on_message=messages.put) for name in "ab")
    begun.get(timeout=PATIENCE)
    while messages.empty():
        pass
    worker.close()
    assert first.is_over
    assert second.is_over
    assert not worker._memory
    may_end.set()
    with pytest.raises(RuntimeError):
        worker.ask(fail, on_message=messages.put)
    assert messages.qsize() == 1
