"""Workers that start slowly, as on a busy machine, are waited for."""

import signal
import socket
from types import SimpleNamespace
from typing import Any

import pytest
from uvicorn.supervisors import multiprocess

from noughts.interfaces.web import serving
from noughts.interfaces.web.service import Serving


class Pipe:
    """The supervisor's end of a pipe to a worker: it answers nothing until it has *answers*."""

    def __init__(self, answers: list[bool]) -> None:
        self.answers, self.sent = answers, 0

    def send(self, _: bytes) -> None:
        self.sent += 1

    def poll(self, timeout: float = 0) -> bool:
        return bool(self.answers)

    def recv(self) -> bool:
        return self.answers.pop(0)


class Worker(multiprocess.Process):
    """A worker without a process."""

    def __init__(self, number: int) -> None:
        self.is_running, self.is_killed = True, False
        self.process: Any = SimpleNamespace(pid=number, is_alive=lambda: self.is_running, exitcode=0)
        self.process.join = lambda: None
        self.parent_conn: Any = Pipe([])

    def start(self) -> None:
        pass

    def kill(self) -> None:
        self.is_killed = True


@pytest.fixture
def supervisor(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    config, ready = serving._config(Serving("", workers=2), lambda: None), list[bool]()  # type: ignore[arg-type]
    with socket.socket() as listener:
        several = serving._Several(config, listener, lambda: ready.append(True))
    several.processes = [Worker(1), Worker(2)]
    monkeypatch.setattr(multiprocess, "Process", lambda *_: Worker(3))
    return SimpleNamespace(several=several, workers=list(several.processes), ready=ready)


def test_supervisor_waits_for_workers_that_start(supervisor: Any) -> None:
    first, second = supervisor.workers
    for _ in range(20):  # far longer than a health check
        supervisor.several.keep_subprocess_alive()
    assert [worker.parent_conn.sent for worker in (first, second)] == [1, 1]
    assert supervisor.several.processes == [first, second]
    first.parent_conn.answers = [False, True]
    supervisor.several.keep_subprocess_alive()
    assert supervisor.ready == []  # the second still starts
    first.parent_conn.answers, second.parent_conn.answers = [True, True], [True, True, True]
    supervisor.several.keep_subprocess_alive()
    assert supervisor.ready == [True]


def test_supervisor_replaces_worker_that_ends_while_it_starts(supervisor: Any) -> None:
    second = supervisor.workers[1]
    second.is_running = False
    supervisor.several.keep_subprocess_alive()
    assert second.is_killed
    assert [worker.pid for worker in supervisor.several.processes] == [1, 3]


def test_supervisor_replaces_worker_whose_pipe_is_gone(supervisor: Any) -> None:
    first, _ = supervisor.workers

    def fail(_: object) -> None:
        raise BrokenPipeError

    first.parent_conn.send = fail
    supervisor.several.keep_subprocess_alive()
    assert first.is_killed


def test_silent_worker_has_long_to_answer() -> None:
    config = serving._config(Serving("", workers=2), lambda: None)  # type: ignore[arg-type]
    assert config.timeout_worker_healthcheck == serving.SILENCE_SECONDS
