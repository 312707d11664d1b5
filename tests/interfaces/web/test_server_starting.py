"""Workers that start slowly, as on a busy machine."""

import multiprocessing
import signal
import socket
import threading
from functools import partial
from typing import Any

import pytest

from noughts.interfaces.web import serving
from noughts.interfaces.web.service import ServerOptions
from tests.running import run


class Supervisor:
    """A supervisor whose workers start when the test says so."""

    def __init__(self, config: Any, sockets: list[socket.socket]) -> None:
        self.ready = config.app.args[1]
        self.may_end = threading.Event()
        supervisors.append(self)

    def run(self) -> None:
        self.may_end.wait(20)


supervisors: list[Supervisor] = []


def test_server_is_ready_after_all_workers_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "Multiprocess", Supervisor)
    monkeypatch.setattr(serving, "check_options", lambda _: None)
    monkeypatch.setattr(serving, "set_up_log", lambda **_: None)
    monkeypatch.setattr(serving, "collect_rarely", lambda: None)
    supervisors.clear()
    is_ready, data = threading.Event(), list[bool]()
    with socket.socket() as listener:
        serve = partial(serving.serve, ServerOptions("sqlite://", workers=2), listener, is_ready.set)
        thread = threading.Thread(target=lambda: data.append(serve()))
        thread.start()
        while not supervisors:
            thread.join(0.01)
        (supervisor,) = supervisors
        supervisor.ready.release()
        assert not is_ready.wait(0.05)  # the second worker is still starting
        supervisor.ready.release()
        assert is_ready.wait(20)
        supervisor.may_end.set()
        thread.join()
    assert data == [True]


def test_silent_worker_has_long_timeout() -> None:
    config = serving._config(ServerOptions("", workers=2), lambda: None)  # type: ignore[arg-type]
    assert config.timeout_worker_healthcheck == serving.SILENCE_SECONDS


def test_worker_reports_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "set_up_log", lambda **_: None)
    monkeypatch.setattr(serving, "collect_rarely", lambda: None)
    ready = multiprocessing.get_context("spawn").Semaphore(0)
    made: dict[str, Any] = {}
    monkeypatch.setattr(serving, "make_app", lambda told, **more: made.update(more))
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    serving.app_of_worker(ServerOptions("sqlite://"), ready)

    async def start() -> None:
        made["on_start"](None)

    run(start())
    assert ready.acquire(block=False)
