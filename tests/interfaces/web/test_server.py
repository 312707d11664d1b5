"""The server process: it serves a real socket, stops in time and loses nothing."""

import asyncio
import json
import os
import pickle
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from noughts.errors import StoreError
from noughts.interfaces.web import network, serving
from noughts.interfaces.web.http.limits import UNLIMITED, Rate, ServerLimits
from noughts.interfaces.web.service import ServerOptions
from tests.interfaces.harness import Program
from tests.running import run

SECONDS = 60.0
"""The time limit of all waits in seconds, long enough for a busy machine."""


class Server:
    """``noughts serve`` in a process of its own, started by the module *program*."""

    def __init__(self, where: str, *options: str, log: Path, program: str = "noughts") -> None:
        command = [sys.executable, "-m", program, "serve", "--log", "--port", "0", "--db", where, *options]
        self._log = log.open("w")
        environ = {**os.environ, "NOUGHTS_LANG": "en"}
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=self._log, text=True, env=environ
        )
        assert self.process.stdout is not None
        self.address = self.process.stdout.readline().strip().rstrip("/")

    def wait(self) -> None:
        """Wait for the first response."""
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            try:
                if httpx.get(f"{self.address}/healthz", timeout=5).status_code == 200:
                    return
            except httpx.TransportError:
                time.sleep(0.05)
        raise TimeoutError(self.address)

    def stop(self) -> float:
        """Stop the server, and return how many seconds that took."""
        began = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(SECONDS)
        return time.monotonic() - began

    def end(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait(SECONDS)
        assert self.process.stdout is not None
        self.process.stdout.close()
        self._log.close()


@contextmanager
def server(where: str, log: Path, *options: str, program: str = "noughts") -> Iterator[Server]:
    made = Server(where, *options, log=log, program=program)
    try:
        made.wait()
        yield made
    finally:
        made.end()


def states(lines: list[str]) -> list[dict[str, Any]]:
    return [json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: ")]


async def listen(client: httpx.AsyncClient, room: str, token: str, lines: list[str]) -> None:
    headers = {"authorization": f"Bearer {token}"}
    async with client.stream("GET", f"/api/rooms/{room}/events", headers=headers, timeout=SECONDS) as answer:
        async for line in answer.aiter_lines():
            if line:
                lines.append(line)  # noqa: PERF401 - as they come


async def until(condition: Any) -> None:
    async with asyncio.timeout(SECONDS):
        while not condition():
            await asyncio.sleep(0.02)


@pytest.mark.slow
def test_game_continues_after_server_restart(tmp_path: Path) -> None:
    where, log = str(tmp_path / "games.db"), tmp_path / "log"

    async def begin(address: str, running: Server) -> tuple[str, str, float]:
        async with httpx.AsyncClient(base_url=address, timeout=SECONDS) as client:
            query = {"game": "tictactoe", "opponent": "friend", "name": "Ada"}
            one = (await client.post("/api/rooms", json=query)).json()
            two = (await client.post("/api/join", json={"code": one["code"], "name": "Wei"})).json()
            seen: tuple[list[str], list[str]] = ([], [])
            listeners = [
                asyncio.ensure_future(listen(client, one["room"], each["token"], lines))
                for each, lines in zip((one, two), seen, strict=True)
            ]
            await until(lambda: all(states(lines) for lines in seen))
            version = two["state"]["version"]
            for number, move in enumerate(["5", "1", "4"], 1):
                token = (one, two)[(number - 1) % 2]["token"]
                body = {"version": version, "key": f"k{number}", "command": {"type": "move", "move": move}}
                path, headers = f"/api/rooms/{one['room']}/commands", {"authorization": f"Bearer {token}"}
                answer = await client.post(path, json=body, headers=headers)
                assert answer.status_code == 200, answer.text
                version = answer.json()["version"]
                await until(lambda: all(states(lines)[-1]["ply"] == number for lines in seen))  # noqa: B023
            seconds = await asyncio.to_thread(running.stop)
            await asyncio.gather(*listeners)  # the streams end normally
        return one["room"], one["token"], seconds

    with server(where, log) as running:
        room, token, seconds = run(begin(running.address, running))
    assert (running.process.returncode, seconds < 10) == (0, True)
    lines = [json.loads(line) for line in log.read_text().splitlines() if line.startswith("{")]
    assert {"stopped", "request"} <= {line["what"] for line in lines}
    assert token not in log.read_text()
    with sqlite3.connect(where) as database:
        assert database.execute("pragma integrity_check").fetchall() == [("ok",)]
    database.close()
    with server(where, log) as running:
        headers = {"authorization": f"Bearer {token}"}
        state = httpx.get(f"{running.address}/api/rooms/{room}", headers=headers, timeout=SECONDS).json()
        assert (state["you"], state["ply"], state["turn"]) == (0, 3, "O")
        assert httpx.get(running.address, headers={"x": "a" * 20_000}, timeout=SECONDS).status_code == 431


@pytest.mark.slow
def test_computers_think_in_other_processes(tmp_path: Path) -> None:
    with server(str(tmp_path / "games.db"), tmp_path / "log", "--unlimited", "--thinkers", "2") as running:
        with httpx.Client(base_url=running.address, timeout=SECONDS) as client:
            body = {"game": "tictactoe", "opponent": "level:2", "name": "Ada", "place": 1}
            entered = client.post("/api/rooms", json=body).json()
            room, headers = entered["room"], {"authorization": f"Bearer {entered['token']}"}
            end = time.monotonic() + SECONDS
            while client.get(f"/api/rooms/{room}", headers=headers).json()["ply"] == 0:
                assert time.monotonic() < end
                time.sleep(0.05)
        assert running.stop() < 10


def test_sqlite_allows_one_worker(tmp_path: Path) -> None:
    ran = Program(tmp_path).run("serve", "--workers", "2", "--db", str(tmp_path / "games.db"), "--lang", "en")
    assert ran.status == 2
    assert "only one worker" in ran.errors
    assert ran.output == ""


@pytest.mark.slow
@pytest.mark.parametrize(
    "options",
    [
        ["--port", "x"],
        ["--port", "65536"],
        ["--workers", "0"],
        ["--nothing"],
        ["--host", "203.0.113.1"],
        ["--host", "a" * 70],
        ["--proxy", "here"],
        ["--proxy", "10.0.0.0/33"],
        ["--origin", "play.example.org"],
        ["--origin", "https://play.example.org/a/path"],
        ["--limit", "rooms=3"],
        ["--limit", "rooms=0/1"],
        ["--limit", "streams=0"],
        ["--limit", "streams=1/2"],
        ["--limit", "doors=1"],
        ["--limit", "__class__=1"],
    ],
)
def test_invalid_options_are_rejected(tmp_path: Path, options: list[str]) -> None:
    ran = Program(tmp_path).run("serve", *options, "--lang", "en")
    assert (ran.status, ran.output) == (2, "")
    assert len(ran.errors.splitlines()) == 1
    assert all(word in ran.errors for word in options[:1] if word != "--host")


def test_taken_port_is_reported(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        ran = Program(tmp_path).run(
            "serve", "--port", port, "--db", str(tmp_path / "games.db"), "--lang", "en"
        )
    assert (ran.status, ran.output) == (2, "")
    assert len(ran.errors.splitlines()) == 1
    assert port in ran.errors


# Several workers


@pytest.mark.slow
def test_socket_is_inherited_by_workers() -> None:
    with network.listening_socket("127.0.0.1", 0) as listener:
        assert listener.proto == socket.IPPROTO_TCP
        assert listener.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
        assert listener.get_inheritable()


@pytest.mark.slow
def test_workers_get_server_options(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "set_up_log", lambda **_: None)
    ready: Any = SimpleNamespace(release=None)
    data = ServerOptions("postgresql://db", workers=3, origins=("https://a.example",), limits=UNLIMITED)
    changed = ServerOptions(
        "postgresql://db", proxies=("10.0.0.0/8",), limits=ServerLimits(rooms=Rate(2.5, 9), streams=7)
    )
    for each in (data, changed):
        # Workers are other processes.
        app = partial(serving.app_of_worker, each, ready)
        config = pickle.loads(pickle.dumps(serving._config(each, app)))
        assert config.app.args == (each, ready)
        config.load()
        assert config.loaded_app is not None


@pytest.mark.slow
def test_one_worker_can_serve_sqlite() -> None:
    serving.check_options(ServerOptions("sqlite:///games.db"))
    serving.check_options(ServerOptions("postgresql://db", workers=2))
    with pytest.raises(StoreError):
        serving.check_options(ServerOptions("sqlite:///games.db", workers=2))
