"""Two servers at one PostgreSQL database, as on two machines, and guests who alternate between them."""

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from itertools import count
from pathlib import Path

import httpx

from tests.interfaces.web.clocked import BYTES, SharedClock
from tests.interfaces.web.conftest import wait_until_it_answers
from tests.interfaces.web.harness import SECONDS, Clock, Guest, House, Listener

SERVERS = 2


class TwoServers(House):
    """A house with several addresses. Guests alternate between them, and listen at another one."""

    def __init__(self, addresses: list[str], clock: SharedClock) -> None:
        self.addresses, self.clock = addresses, clock  # type: ignore[assignment]
        self._numbers = count()
        self._guests: dict[Guest, httpx.AsyncClient] = {}

    def guest(self, address: str = "", **headers: str) -> Guest:
        number = next(self._numbers)
        asks, listens = (self.addresses[(number + other) % len(self.addresses)] for other in (0, 1))
        guest = Guest(self, address, httpx.AsyncHTTPTransport(verify=False), asks, headers)
        self._guests[guest] = httpx.AsyncClient(base_url=listens, verify=False, timeout=SECONDS)
        return guest

    def listener(self, guest: Guest, headers: dict[str, str], path: str, query: str) -> Listener:
        return NetworkListener(self._guests[guest], headers, f"{path}?{query}")

    async def close(self) -> None:
        for guest, listens in self._guests.items():
            await guest.client.aclose()
            await listens.aclose()


class NetworkListener(Listener):
    """A reader of an event stream over the network."""

    def __init__(self, client: httpx.AsyncClient, headers: dict[str, str], where: str) -> None:
        super().__init__(None, "", {}, "", "")
        self._client, self._headers, self._where = client, headers, where

    async def _listen(self) -> None:
        try:
            async with self._client.stream("GET", self._where, headers=self._headers, timeout=None) as answer:
                self.status = answer.status_code
                async for text in answer.aiter_text():
                    self._take_in(text)
        finally:
            self.is_over.set()

    async def stop(self) -> None:
        self._task.cancel()
        await asyncio.wait([self._task])


@contextmanager
def two_servers(database: str, folder: Path) -> Iterator[tuple[list[str], SharedClock]]:
    """Return the addresses of two servers at *database*, and their common clock."""
    (folder / "clock").write_bytes(Clock().instant.to_bytes(BYTES, "big"))
    with ExitStack() as stack:
        clock = SharedClock(folder / "clock")
        stack.callback(clock.close)
        servers = [stack.enter_context(_server(database, folder, number)) for number in range(SERVERS)]
        addresses = []
        for server in servers:
            assert server.stdout is not None
            data = server.stdout.readline().strip()
            assert data.startswith("http://"), [path.read_text() for path in folder.glob("log-*")]
            wait_until_it_answers(data)
            addresses.append(data.rstrip("/"))
        yield addresses, clock
        for server in servers:
            server.terminate()
        assert [server.wait(SECONDS) for server in servers] == [0] * SERVERS
    for path in folder.glob("log-*"):
        assert '"level": "error"' not in path.read_text()


@contextmanager
def _server(database: str, folder: Path, number: int) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "tests.interfaces.web.clocked", str(folder / "clock")]
    options = ["serve", "--port", "0", "--db", database, "--unlimited"]
    environ = {**os.environ, "NOUGHTS_LANG": "en", "PYTHONWARNINGS": "ignore"}
    with (
        (folder / f"log-{number}").open("w") as log,
        subprocess.Popen(
            [*command, *options], stdout=subprocess.PIPE, stderr=log, text=True, env=environ
        ) as process,
    ):
        try:
            yield process
        finally:
            process.kill()


@asynccontextmanager
async def at_two_servers(addresses: list[str], clock: SharedClock) -> AsyncIterator[House]:
    """Return the house of the servers at *addresses*."""
    house = TwoServers(addresses, clock)
    try:
        yield house
    finally:
        await house.close()
