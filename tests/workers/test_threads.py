"""A worker of threads: a limited number of tasks at once, in order, and none that was cancelled."""

import threading
from queue import SimpleQueue
from typing import Any

import pytest

from noughts.search.analysis import Progress
from noughts.workers.messages import TaskContext, TaskFailure, TaskResult
from noughts.workers.threads import ThreadWorker

PATIENCE = 60.0
"""Seconds after which a test fails."""

Told = SimpleQueue[Any]


def wait(desk: TaskContext, name: str, begun: Told, may_end: threading.Event) -> str:
    """Report the beginning, and wait for permission to end."""
    begun.put(name)
    desk.memory[name] = True
    desk.report(Progress("searching"))
    may_end.wait(PATIENCE)
    return name


def fail(desk: TaskContext) -> None:
    raise ValueError("no")


def test_tasks_begin_in_order() -> None:
    thinker, begun, told, may_end = ThreadWorker(2), Told(), Told(), threading.Event()
    thoughts = [thinker.ask(wait, name, begun, may_end, on_message=told.put) for name in "abcd"]
    assert {begun.get(timeout=PATIENCE), begun.get(timeout=PATIENCE)} == {"a", "b"}
    assert begun.empty()
    thoughts[2].stop()
    may_end.set()
    assert begun.get(timeout=PATIENCE) == "d"
    messages = [told.get(timeout=PATIENCE) for _ in range(6)]
    assert sorted(message.value for message in messages if isinstance(message, TaskResult)) == ["a", "b", "d"]
    assert set(thinker._memory) == {"a", "b", "d"}
    thinker.ask(fail, on_message=told.put)
    assert told.get(timeout=PATIENCE) == TaskFailure("failed", "ValueError: no")


def test_slow_task_is_stopped_and_fails() -> None:
    now = [0.0]
    thinker, told = ThreadWorker(1, lambda: now[0]), Told()

    def look(desk: TaskContext) -> bool:
        assert not desk.stop()
        now[0] = 5.0
        return desk.stop()

    thinker.ask(look, on_message=told.put, patience=5)
    assert told.get(timeout=PATIENCE) == TaskFailure("too-slow")


def test_close_stops_pending_tasks() -> None:
    thinker, begun, told, may_end = ThreadWorker(1), Told(), Told(), threading.Event()
    first, second = (thinker.ask(wait, name, begun, may_end, on_message=told.put) for name in "ab")
    begun.get(timeout=PATIENCE)
    while told.empty():
        pass
    thinker.close()
    assert first.is_over
    assert second.is_over
    assert not thinker._memory
    may_end.set()
    with pytest.raises(RuntimeError):
        thinker.ask(fail, on_message=told.put)
    assert told.qsize() == 1
