"""The watchers of the wall benchmark: people with an open page of the wall of live boards."""

import asyncio
import re
from bisect import bisect_left
from collections.abc import Iterable
from functools import partial
from time import monotonic
from typing import cast

from benchmarks.visitors import Game, itself

MEASURING = 100
"""The number of watchers who note when a move appears, spread evenly over all."""

CONNECTING = 100
"""The number of streams that are opened at once."""

_BOARD = re.compile(rb'"room":"([^"]+)","version":(\d+)')
_LONGEST = 100
"""The length in bytes that a match of a board cannot exceed."""


class Watcher(asyncio.Protocol):
    """The stream of one page. A measuring watcher notes the first instant of each version of a room."""

    def __init__(self, host: str, *, is_measuring: bool) -> None:
        self._host, self._is_measuring = host, is_measuring
        self._rest = b""
        self._versions: dict[str, list[int]] = {}
        self._instants: dict[str, list[float]] = {}
        self.is_lost = False
        self.transport: asyncio.Transport | None = None
        self.began: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)  # that of uvloop has another base class
        self.transport.write(f"GET /api/tv/events HTTP/1.1\r\nhost: {self._host}\r\n\r\n".encode())

    def data_received(self, data: bytes) -> None:
        data, now = self._rest + data, monotonic()
        if not self.began.done() and b"event: wall" in data:
            self.began.set_result(None)
        for found in _BOARD.finditer(data) if self._is_measuring else ():
            room, version = found[1].decode(), int(found[2])
            versions = self._versions.setdefault(room, [])
            if not versions or version > versions[-1]:
                versions.append(version)
                self._instants.setdefault(room, []).append(now)
        self._rest = data[-_LONGEST:]

    def connection_lost(self, error: Exception | None) -> None:
        self.is_lost = True

    @property
    def rooms(self) -> Iterable[str]:
        """The rooms that have been on the wall."""
        return self._versions.keys()

    def instant_of(self, room: str, version: int) -> float | None:
        """Return the instant at which *version* or a later one of *room* appeared, or None."""
        place = bisect_left(self._versions.get(room, []), version)
        instants = self._instants.get(room, [])
        return instants[place] if place < len(instants) else None


class Watchers:
    """All watchers of the wall at *host* and *port*."""

    def __init__(self, host: str, port: int) -> None:
        self._host, self._port = host, port
        self._all: list[Watcher] = []
        self._measuring: list[Watcher] = []

    async def enter(self, count: int) -> None:
        """Let *count* people open the page."""
        loop, host = asyncio.get_running_loop(), f"{self._host}:{self._port}"
        measuring = set(range(0, count, max(1, count // MEASURING)))
        for first in range(0, count, CONNECTING):
            numbers = range(first, min(first + CONNECTING, count))
            watchers = [Watcher(host, is_measuring=number in measuring) for number in numbers]
            for watcher in watchers:
                await loop.create_connection(partial(itself, watcher), self._host, self._port)
            await asyncio.gather(*(watcher.began for watcher in watchers))
            self._all += watchers
        self._measuring = [self._all[number] for number in sorted(measuring)]

    @property
    def rooms(self) -> set[str]:
        """The rooms that have been on the wall up to now."""
        return set[str]().union(*(watcher.rooms for watcher in self._measuring))

    def delays(self, games: list[Game]) -> tuple[list[float], int]:
        """Return the seconds from the planned instant of each command of *games* until it appeared.

        Return also the number of those that did not appear.
        """
        delays, unseen = list[float](), 0
        for game in games:
            for due, version in game.commands:
                for watcher in self._measuring:
                    instant = watcher.instant_of(game.room, version)
                    if instant is None:
                        unseen += 1
                    else:
                        delays.append(instant - due)
        return delays, unseen

    def leave(self) -> int:
        """Close all pages, and return the number of lost ones."""
        lost = sum(watcher.is_lost for watcher in self._all)
        for watcher in self._all:
            if watcher.transport is not None:
                watcher.transport.close()
        return lost
