"""A thousand spectators of one game: ``python -m tests.faults.spectators``.

Every move must reach all of them, in order. It measures the seconds from sending a move until each of them
has the whole event, and the memory of the server. The spectators are sockets of one process on the machine of
the server, and share its processors.
"""

import argparse
import asyncio
import re
import sys
import tempfile
from functools import partial
from pathlib import Path
from time import monotonic

import httpx
from benchmarks.server import percentile

from tests.databases import new_file, url_of
from tests.faults.servers import CEILING, separate_server
from tests.faults.traffic import Asked, Player, traffic

GOAL_SECONDS = 0.3
"""The goal for the seconds after which 99 of 100 events have arrived."""

AT_ONCE = 50
"""The number of spectators that connect at the same time."""

_EVENT = re.compile(rb"\nid: (\d+)\nevent: state\n")
_END = b"\n\n\r\n"
"""The end of the last event of a chunk."""


class Spectators:
    """All spectators of *room*."""

    def __init__(self, room: str) -> None:
        self.room, self.onlookers = room, list[Spectator]()
        self.seen: list[float] = []
        """The delivery times of all events in seconds."""
        self._began, self._version, self._missing = 0.0, -1, 0
        self._all_have = asyncio.Event()

    async def fill(self, host: str, port: int, count: int) -> None:
        """Connect *count* spectators, and let them read the game."""
        loop = asyncio.get_running_loop()
        for first in range(0, count, AT_ONCE):
            new = [Spectator(self, f"{host}:{port}") for _ in range(min(AT_ONCE, count - first))]
            await asyncio.gather(*(loop.create_connection(partial(_itself, one), host, port) for one in new))
            async with asyncio.timeout(CEILING):
                await asyncio.gather(*(one.is_there for one in new))
            self.onlookers += new

    def expect(self, version: int) -> None:
        """Expect *version* at all spectators from now on."""
        self._began, self._version, self._missing = monotonic(), version, len(self.onlookers)
        self._all_have.clear()

    def hear(self, version: int) -> None:
        """Note that a spectator has received *version*."""
        assert version == self._version, "every state comes once, in its order"
        self.seen.append(monotonic() - self._began)
        self._missing -= 1
        if not self._missing:
            self._all_have.set()

    async def has_seen(self) -> float:
        """Wait until all spectators have received the version, and return the seconds of the last one."""
        async with asyncio.timeout(CEILING):
            await self._all_have.wait()
        return self.seen[-1]

    def leave(self) -> None:
        """Disconnect all spectators."""
        for one in self.onlookers:
            one.transport.close()


class Spectator(asyncio.Protocol):
    """A client without a seat that listens."""

    transport: asyncio.Transport

    def __init__(self, gallery: Spectators, host: str) -> None:
        self._gallery, self._host = gallery, host
        self._part = bytearray()
        self.is_there: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        path = f"/api/rooms/{self._gallery.room}/events"
        transport.write(f"GET {path} HTTP/1.1\r\nhost: {self._host}\r\n\r\n".encode())

    def data_received(self, data: bytes) -> None:
        self._part += data
        if not self._part.endswith(_END):
            return
        versions = [int(result) for result in _EVENT.findall(self._part)]
        self._part.clear()
        for version in versions:
            if self.is_there.done():
                self._gallery.hear(version)
            else:
                self.is_there.set_result(None)


def _itself(protocol: asyncio.Protocol) -> asyncio.Protocol:
    return protocol


def memory_of(pid: int, what: str) -> float:
    """Return the MiB of a process: ``VmRSS`` is the present use, ``VmHWM`` the peak."""
    status = Path(f"/proc/{pid}/status").read_text()
    result = re.search(rf"^{what}:\s+(\d+) kB", status, re.MULTILINE)
    assert result is not None
    return int(result[1]) / 1024


async def look_on(folder: Path, count: int, moves: int, game: str = "gomoku") -> str:
    """Play *moves* while *count* spectators watch, and return a report."""
    url = url_of(new_file(folder / "games.db"))
    async with asyncio.timeout(CEILING + 2 * moves):
        with separate_server(url, folder / "log") as server:
            server.start()
            await server.answering()
            async with traffic(server.address, seed="spectators") as people:
                (client,) = people.clients
                players = [Player(people, seat, client) for seat in await people.enter(0, game)]
                room = players[0].entered.room
                alone, gallery, latest = memory_of(server.process.pid, "VmRSS"), Spectators(room), 0.0
                await gallery.fill("127.0.0.1", server.port, count)
                await _until_counted(client, room, count)
                for number in range(moves):
                    await asyncio.gather(*(player.look() for player in players))
                    player = next(player for player in players if player.state["legal"])
                    command = {"type": "move", "move": people.chance.choice(player.state["legal"])["move"]}
                    version = player.state["version"]
                    asked = Asked(room, 0, {"version": version, "key": f"k{number}", "command": command})
                    gallery.expect(version + 1)
                    assert await player.ask(asked)
                    latest = max(latest, await gallery.has_seen())
                most = memory_of(server.process.pid, "VmHWM")
                gallery.leave()
                await _until_counted(client, room, 0)
            assert (await server.stop())[0] == 0
    assert len(gallery.seen) == count * moves
    half, nearly_all = (percentile(gallery.seen, share) for share in (0.5, 0.99))
    return (
        f"{count} who look on at {moves} moves: half of the events after {1000 * half:.0f} ms, 99 of 100"
        f" after {1000 * nearly_all:.0f} ms, the last after {1000 * latest:.0f} ms"
        f" ({'reached' if nearly_all <= GOAL_SECONDS else 'missed'});"
        f" {most:.0f} MiB, and {alone:.0f} before they came"
    )


async def _until_counted(client: httpx.AsyncClient, room: str, count: int) -> None:
    """Wait until the server reports *count* spectators."""
    async with asyncio.timeout(CEILING):
        while (await client.get(f"/api/rooms/{room}")).json()["spectators"] != count:
            await asyncio.sleep(0.05)


def main() -> int:
    """Run the full proof, or a given number of spectators."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--spectators", type=int, default=1000)
    parser.add_argument("--moves", type=int, default=100)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="noughts-spectators-") as folder:
        print(asyncio.run(look_on(Path(folder), options.spectators, options.moves)), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
