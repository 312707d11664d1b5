"""The visitors of the lobby benchmark: people with an open page of the lobby, some of whom offer games.

Like the players in ``visitors.py`` they use no library, because they share the processor with the server.
"""

import asyncio
import re
from collections import deque
from dataclasses import dataclass, field
from functools import partial
from itertools import cycle, product
from json import dumps, loads
from time import monotonic
from typing import Any, cast

from benchmarks.visitors import REFUSALS, Tally, itself

GAMES = ("gomoku", "connect4", "reversi", "renju", "squava")
CLOCKS = tuple(
    {"base": 60_000 * minutes, "increment": 1_000 * seconds}
    for minutes, seconds in product((3, 5, 10, 15), (0, 5))
)

SENDERS = 32
"""The number of connections for requests."""

CONNECT_SECONDS = 0.02
"""The time between the starts of two connections."""

OPEN_SECONDS = 0.5
"""The time after which another visitor takes an offer, or its player withdraws it, in turn."""

WATCHERS = 200
"""The number of visitors who note when an offer appears, spread evenly over all. They offer nothing."""

CONNECTING = 100
"""The number of streams that are opened at once."""

_LENGTH = re.compile(rb"content-length: (\d+)", re.IGNORECASE)
_OFFER = re.compile(rb'"name":"n(\d+)"')


@dataclass(slots=True)
class LobbyTally(Tally):
    """The results of the requests. An offer is seen when it appears on the page of a watcher."""

    due: dict[int, float] = field(default_factory=dict)
    """The planned instant of each offer by its place in the order."""
    taken: int = 0
    gone: int = 0
    """The number of offers that were paired before another visitor could take them."""


class LobbyPage(asyncio.Protocol):
    """The stream of one page. A watcher notes the offers in the tally of *people*."""

    def __init__(self, visitor: str, people: "People", *, is_watcher: bool) -> None:
        self._visitor, self._people, self._is_watcher = visitor, people, is_watcher
        self._rest = b""
        self._seen: set[int] = set()
        self.transport: asyncio.Transport | None = None
        self.began: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)  # that of uvloop has another base class
        self.transport.write(
            f"GET /api/offers/events HTTP/1.1\r\nhost: {self._people.host}\r\n"
            f"authorization: Bearer {self._visitor}\r\n\r\n".encode()
        )

    def data_received(self, data: bytes) -> None:
        if not self.began.done():
            self.began.set_result(None)
        if not self._is_watcher:
            return
        data = self._rest + data
        tally, now = self._people.tally, monotonic()
        for found in _OFFER.finditer(data):
            number = int(found[1])
            if number not in self._seen and number in tally.due:
                self._seen.add(number)
                tally.seen.append(now - tally.due[number])
        self._rest = data[-20:]

    def connection_lost(self, error: Exception | None) -> None:
        if not self._people.is_leaving:
            self._people.tally.troubles["stream lost"] += 1


class People:
    """All people in the lobby of the server at *host* and *port*."""

    def __init__(self, host: str, port: int) -> None:
        self.host, self._address, self._port = f"{host}:{port}", host, port
        self.tally = LobbyTally()
        self.is_leaving = False
        self._pages: list[LobbyPage] = []
        self._players: deque[str] = deque()
        """The visitors without an offer."""

    async def enter(self, count: int) -> None:
        """Let *count* people open the page."""
        visitors = [f"visitor-{number:020}" for number in range(count)]
        loop, watchers = asyncio.get_running_loop(), set(range(0, count, max(2, count // WATCHERS)))
        for first in range(0, count, CONNECTING):
            pages = []
            for number in range(first, min(first + CONNECTING, count)):
                page = LobbyPage(visitors[number], self, is_watcher=number in watchers)
                await loop.create_connection(partial(itself, page), self._address, self._port)
                pages.append(page)
            await asyncio.gather(*(page.began for page in pages))
            self._pages += pages
        self._players.extend(visitor for number, visitor in enumerate(visitors) if number not in watchers)

    async def offer(self, rate: float, seconds: float) -> LobbyTally:
        """Offer *rate* games a second, each of which is taken or withdrawn soon after."""
        tally = self.tally = LobbyTally()
        work: asyncio.Queue[tuple[float, int, str, int | None]] = asyncio.Queue()
        senders = []
        for _ in range(SENDERS):  # A worker accepts all connections that arrive at the same moment.
            senders.append(asyncio.create_task(self._send(work, tally)))
            await asyncio.sleep(CONNECT_SECONDS)
        began = monotonic()
        for place in range(round(rate * seconds)):
            due = began + place / rate
            await asyncio.sleep(max(0.0, due - monotonic()))
            tally.due[place] = due
            tally.offered += 1
            work.put_nowait((due, place, self._players.popleft(), None))
        await asyncio.sleep(2 * OPEN_SECONDS)
        await work.join()
        for sender in senders:
            sender.cancel()
        await asyncio.gather(*senders, return_exceptions=True)
        return tally

    async def _send(
        self, work: "asyncio.Queue[tuple[float, int, str, int | None]]", tally: LobbyTally
    ) -> None:
        """Send requests in turn: an offer, or the end of the offer with a number."""
        loop = asyncio.get_running_loop()
        reader, writer = await asyncio.open_connection(self._address, self._port)
        choices = cycle(product(GAMES, CLOCKS))
        while True:
            due, place, visitor, number = await work.get()
            name, free = {"name": f"n{place}"}, [visitor]
            body: dict[str, Any]
            if number is None:
                game, clock = next(choices)
                path, body = "/api/offers", {"games": [game], "clocks": [clock], **name}
            elif place % 2:
                path, body = f"/api/offers/{number}/withdraw", {}
            else:
                visitor = self._players.popleft()
                free.append(visitor)
                path, body = f"/api/offers/{number}/join", name
            status, answer = await self._post(reader, writer, path, visitor, body)
            if status in (200, 201):
                tally.acknowledged.append(monotonic() - due)
                tally.taken += number is not None and not place % 2
            elif status in REFUSALS:
                tally.refused.append(monotonic() - due)
            elif status == 409:
                tally.gone += 1
            else:
                tally.troubles[str(status)] += 1
            if number is None and status == 201:
                end = monotonic() + OPEN_SECONDS, place, visitor, int(answer["number"])
                loop.call_later(OPEN_SECONDS, work.put_nowait, end)
            else:
                self._players += free
            work.task_done()

    async def _post(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, path: str, visitor: str, value: Any
    ) -> tuple[int, Any]:
        body = dumps(value).encode()
        writer.write(
            f"POST {path} HTTP/1.1\r\nhost: {self.host}\r\nauthorization: Bearer {visitor}\r\n"
            f"content-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n".encode()
            + body
        )
        head = await reader.readuntil(b"\r\n\r\n")
        length = _LENGTH.search(head)
        return int(head[9:12]), loads(await reader.readexactly(int(length[1]) if length else 0))

    def leave(self) -> None:
        """Close all pages."""
        self.is_leaving = True
        for page in self._pages:
            if page.transport is not None:
                page.transport.close()
