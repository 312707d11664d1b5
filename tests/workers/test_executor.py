"""Functions called in other processes, which may end at any moment."""

import operator
import os
import signal
import time
from collections.abc import Iterator
from concurrent.futures import Future
from typing import Any

import pytest

from noughts import new_game, solve
from noughts.search.exact import scheduler
from noughts.search.parallel import division
from noughts.workers import supervisor, worker_process
from noughts.workers.executor import CallFailedError, ProcessExecutor, call
from noughts.workers.messages import TaskContext
from noughts.workers.transfer import pack_call

pytestmark = pytest.mark.slow

LONG = 60.0
"""Seconds after which a test gives up waiting. No test depends on durations."""


@pytest.fixture
def executor(monkeypatch: pytest.MonkeyPatch) -> Iterator[ProcessExecutor]:
    for module in (worker_process, supervisor):
        monkeypatch.setattr(module, "END_SECONDS", LONG)  # on a busy machine an end takes longer
    made = ProcessExecutor(2)
    yield made
    made.shutdown(wait=False, cancel_futures=True)


def test_killed_process_fails_its_call_alone(executor: ProcessExecutor) -> None:
    first, second = (executor.submit(os.getpid).result(LONG) for _ in range(2))
    assert os.getpid() not in (first, second)
    sleeping: Future[None] = executor.submit(time.sleep, LONG)
    others = [executor.submit(operator.mul, 6, number) for number in range(3)]
    assert [other.result(LONG) for other in others] == [0, 6, 12]
    busy = ({first, second} - {executor.submit(os.getpid).result(LONG)}).pop() if first != second else first
    os.kill(busy, signal.SIGKILL)
    with pytest.raises(CallFailedError, match="gone"):
        sleeping.result(LONG)
    assert executor.submit(int, "11", base=2).result(LONG) == 3


def test_call_gets_no_context() -> None:
    assert call(TaskContext({}, print, bool), pack_call(int, "11", base=2)) == 3


def test_exception_of_a_call_is_described(executor: ProcessExecutor) -> None:
    with pytest.raises(CallFailedError, match="ValueError"):
        executor.submit(int, "no number").result(LONG)


def test_shutdown_ends_running_calls(executor: ProcessExecutor) -> None:
    last = executor.submit(operator.mul, 6, 7)
    executor.shutdown()
    assert last.result(0) == 42
    with pytest.raises(RuntimeError, match="shut down"):
        executor.submit(os.getpid)
    other = ProcessExecutor(1)
    futures: list[Future[Any]] = [other.submit(time.sleep, LONG) for _ in range(3)]
    futures[1].cancel()
    while not futures[0].running():
        time.sleep(0.01)
    other.shutdown(wait=False, cancel_futures=True)
    assert futures[2].cancelled()
    with pytest.raises(CallFailedError, match="ended"):
        futures[0].result(0)


def test_cancelled_waiting_call_is_not_made(executor: ProcessExecutor) -> None:
    busy = [executor.submit(time.sleep, 0.2) for _ in range(2)]
    waiting = executor.submit(os.getpid)
    assert waiting.cancel()
    last = executor.submit(operator.mul, 6, 7)
    assert last.result(LONG) == 42
    assert all(future.result(LONG) is None for future in busy)


def test_two_processes_solve_a_game(executor: ProcessExecutor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(division, "MIN_BUDGETS", {False: 256, True: 16})
    monkeypatch.setattr(division, "MIN_TASKS", {False: 128, True: 16})
    game = new_game("4x4:3,gravity")
    result = solve(game, executor=executor, workers=2)
    assert (result.value, result.plies) == (1, 9)
    monkeypatch.setattr(scheduler, "ATTACK_AFTER", 0)  # workers race for attacks
    result = solve(new_game("3x3x3:3"), executor=executor, workers=2)
    assert (result.value, result.plies) == (1, 7)
    assert executor.submit(operator.mul, 6, 7).result(LONG) == 42
