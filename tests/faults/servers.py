"""Servers for faults: separate processes, or forked ones, which start faster."""

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

import httpx

from tests.faults.target import TAG

CEILING = 120.0
"""The maximum number of seconds for any step, since the machine may be busy."""

_tags = count()


def free_port() -> int:
    """Return an unused port."""
    with socket.socket() as result:
        result.bind(("127.0.0.1", 0))
        port: int = result.getsockname()[1]
    return port


class Server:
    """``noughts serve`` at an address that stays the same after restarts."""

    def __init__(self, database: str, log: Path, *options: str) -> None:
        self.port, self.log = free_port(), log
        self.address = f"http://127.0.0.1:{self.port}"
        where = ["--db", database, "--port", str(self.port)]
        self.arguments = ["serve", "--unlimited", *where, *options]
        self.tag = ""

    def _new_tag(self) -> str:
        self.tag = f"{os.getpid()}-{next(_tags)}"
        return self.tag

    async def answering(self) -> None:
        """Wait until the server answers."""
        async with asyncio.timeout(CEILING), httpx.AsyncClient(verify=False) as client:
            while True:
                try:
                    if (await client.get(f"{self.address}/healthz", timeout=5)).status_code == 200:
                        return
                except httpx.TransportError:
                    self.check_running()
                await asyncio.sleep(0.02)

    def check_running(self) -> None:
        """Raise AssertionError if the process has ended by itself."""

    def family(self) -> list[int]:
        """Return the living processes that the server has started."""
        mark, result = f"{TAG}={self.tag}".encode(), []
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                is_mine = mark in (folder / "environ").read_bytes().split(b"\0")
            except OSError:
                continue
            if is_mine:
                result.append(int(folder.name))
        return result

    async def wait_until_gone(self) -> None:
        """Wait until all processes that the server has started have ended."""
        async with asyncio.timeout(CEILING):
            while self.family():
                await asyncio.sleep(0.01)


class ForkedServer(Server):
    """A server that :mod:`tests.faults.target` starts, optionally with a point at which it kills itself."""

    def __init__(self, launcher: "Launcher", database: str, log: Path, *options: str) -> None:
        super().__init__(database, log, *options)
        self._launcher, self.pid = launcher, 0

    def start(self, point: str = "", passage: int = 0, *, thinking: bool = False) -> None:
        command = {"arguments": self.arguments, "log": str(self.log), "point": point, "passage": passage}
        self.pid = self._launcher.fork({**command, "tag": self._new_tag(), "thinking": thinking})

    def kill(self) -> None:
        os.kill(self.pid, signal.SIGKILL)

    async def gone(self) -> int:
        """Wait for the end of the server, and return its status."""
        async with asyncio.timeout(CEILING):
            return await asyncio.to_thread(self._launcher.status)


class Launcher:
    """The process that forks servers, one at a time."""

    def __init__(self) -> None:
        self._last = 0
        command = [sys.executable, "-m", "tests.faults.target"]
        self._errors = tempfile.TemporaryFile("w+")  # noqa: SIM115 - close() closes it
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
            env=environment(),
        )

    def fork(self, command: dict[str, object]) -> int:
        """Start a server and return its process. Remains of the last one are ended."""
        self._end_last()
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(command) + "\n")
        self._process.stdin.flush()
        self._last = self._read("child")
        return self._last

    def status(self) -> int:
        """Wait until the server has ended, and return its exit status."""
        status = self._read("gone")
        self._last = 0
        return status

    def _read(self, expected: str) -> int:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line.startswith(expected):
            self._errors.seek(0)
            raise AssertionError(
                f"{line!r} instead of {expected!r}, {self._process.poll()}: {self._errors.read()}"
            )
        return int(line.split()[1])

    def _end_last(self) -> None:
        if self._last:
            with suppress(ProcessLookupError):
                os.kill(self._last, signal.SIGKILL)
            self.status()

    def close(self) -> None:
        self._end_last()
        self._process.communicate()
        self._errors.close()


class SeparateServer(Server):
    """A server as a separate process, started as users start it."""

    process: subprocess.Popen[bytes]

    def start(self, *limits: str) -> None:
        """Start the server, with fewer resources if *limits* are the words of such a command (prlimit)."""
        command = [*limits, sys.executable, "-m", "noughts", *self.arguments]
        with self.log.open("a") as log:
            environ = {**environment(), TAG: self._new_tag()}
            self.process = subprocess.Popen(command, stdout=log, stderr=log, env=environ)

    def check_running(self) -> None:
        assert self.process.poll() is None, self.log.read_text()[-2000:]

    async def stop(self) -> tuple[int, float]:
        """Tell the server to stop, and return its exit status and the seconds that it took."""
        began = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        status = await asyncio.to_thread(self.process.wait, CEILING)
        return status, time.monotonic() - began

    def end(self) -> None:
        """Kill the server if it still runs."""
        if hasattr(self, "process") and self.process.poll() is None:
            self.process.kill()
            self.process.wait(CEILING)


def environment() -> dict[str, str]:
    """Return the environment of servers, without the settings of the tests."""
    return {**os.environ, "NOUGHTS_LANG": "en", "PYTHONWARNINGS": "ignore"}


@contextmanager
def separate_server(database: str, log: Path, *options: str) -> Iterator[SeparateServer]:
    """Yield a separate server that is not started yet, and end it afterwards."""
    made = SeparateServer(database, log, *options)
    try:
        yield made
    finally:
        made.end()


@contextmanager
def launching() -> Iterator[Launcher]:
    """Yield the process that forks servers."""
    launcher = Launcher()
    try:
        yield launcher
    finally:
        launcher.close()
