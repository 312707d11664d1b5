"""How often anybody may ask, and how much one address may have at once: rooms, thoughts, connections."""

import ipaddress
import re
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from time import monotonic
from typing import Any

from noughts.interfaces.web.caches import SizedCache
from noughts.interfaces.web.http.replies import ApiError

MAX_BUCKETS = 20_000
"""So many buckets are kept, those used last; the others are full again long before."""

MAX_KNOWN = 100_000
"""So many rooms are remembered with whose they are, the last ones."""

ROOMS_AGAIN, THINKING_AGAIN = 600, 3
"""After so many seconds it is worth asking again: rooms go slowly, thoughts quickly."""


@dataclass(frozen=True, slots=True)
class Rate:
    """``per_second`` requests in the long run, ``burst`` at once."""

    per_second: float
    burst: int


@dataclass(frozen=True, slots=True)
class ServerLimits:
    """What one address or one seat may ask for; ``None``: as often as it likes."""

    commands: Rate | None = Rate(10, 20)
    """Commands of one seat."""
    requests: Rate | None = Rate(50, 200)
    """All that an address asks for under ``/api``."""
    rooms: Rate | None = Rate(0.5, 20)
    """Rooms that an address opens."""
    joins: Rate | None = Rate(0.5, 20)
    """Codes and rooms that an address tries to join: codes must not be guessed."""
    analyses: Rate | None = Rate(0.5, 5)
    """What an address asks to be thought about."""
    streams: int = 60
    """Streams that an address holds open at once."""
    all_streams: int = 10_000
    """Streams of one worker."""
    cells: int = 10_000
    """Cells of a board."""
    plies: int = 3_000
    """Moves of a game, beyond one for each cell of its board: some games have no end."""
    open_rooms: int = 300
    """Rooms that an address has open at once."""
    all_rooms: int = 100_000
    """Rooms of one database."""
    thinking: int = 6
    """Games and positions that computers think about for an address at once."""
    connections: int = 200
    """Connections of an address at once."""
    bodies: int = 20
    """Commands of an address that are being sent at once and are not yet there."""
    work: Rate | None = Rate(200, 4_000)
    """Milliseconds of work, as estimated before it, that an address causes with boards and games."""
    waiting: int = 16
    """Answers of that kind for which an address waits at once."""


_RATE = re.compile(r"([0-9]{1,6}(?:\.[0-9]{1,3})?)/([0-9]{1,6})")

UNBOUNDED = 1_000_000

_UNLIMITED: dict[str, Any] = {
    limit.name: None if isinstance(limit.default, Rate) else UNBOUNDED for limit in fields(ServerLimits)
}
UNLIMITED = ServerLimits(**_UNLIMITED | {"cells": ServerLimits().cells})
"""For measurements on one machine."""


def with_limit(limits: ServerLimits, text: str) -> ServerLimits:
    """*limits* with the one that *text* names changed; ValueError where it names none.

    >>> with_limit(Limits(), "requests=100/400").requests
    Rate(per_second=100.0, burst=400)
    >>> with_limit(Limits(), "streams=200").streams
    200
    """
    name, _, value = text.strip().partition("=")
    is_rate = isinstance(getattr(ServerLimits(), name, None), Rate)
    rate = _RATE.fullmatch(value)
    named: dict[str, Any]
    if is_rate and rate and float(rate[1]) > 0 and int(rate[2]) > 0:
        named = {name: Rate(float(rate[1]), int(rate[2]))}
    elif not is_rate and name in ServerLimits.__slots__ and re.fullmatch("[1-9][0-9]{0,8}", value):
        named = {name: int(value)}
    else:
        raise ValueError(text)
    return replace(limits, **named)


class Buckets:
    """One bucket for each key, by one *rate*; *now* is a clock in seconds that only goes forward."""

    def __init__(self, rate: Rate | None, now: Callable[[], float] = monotonic) -> None:
        self.rate, self._now = rate, now
        self._kept = SizedCache[object, tuple[float, float]](MAX_BUCKETS)

    def take(self, key: object, cost: float = 1.0) -> None:
        """Take *cost* from the bucket of *key*; :class:`ApiError` (429) while there is less in it.

        A cost that no bucket can hold takes a full one.
        """
        if self.rate is None:
            return
        cost = min(cost, float(self.rate.burst))
        left = self._left(key, self.rate)
        is_allowed = left >= cost
        self._keep(key, left - cost if is_allowed else left)
        if not is_allowed:
            raise ApiError(429, "too-often", seconds=max(1, round((cost - left) / self.rate.per_second)))

    def owe(self, key: object, cost: float) -> None:
        """Take *cost* from the bucket of *key* even if it holds less: the debt is never above a full one."""
        if self.rate is not None:
            self._keep(key, max(self._left(key, self.rate) - cost, -float(self.rate.burst)))

    def _left(self, key: object, rate: Rate) -> float:
        now = self._now()
        left, then = self._kept.get(key) or (float(rate.burst), now)
        return min(float(rate.burst), left + (now - then) * rate.per_second)

    def _keep(self, key: object, left: float) -> None:
        self._kept.put(key, (left, self._now()))


class Quotas:
    """How often each seat and each address may do, by *limits*, what it may not do as often as it likes."""

    def __init__(self, limits: ServerLimits) -> None:
        self.commands = Buckets(limits.commands)
        """By room and place."""
        self.opened = Buckets(limits.rooms)
        self.joined = Buckets(limits.joins)
        self.analyses = Buckets(limits.analyses)
        self.tries = Buckets(limits.commands)
        """Moves in puzzles."""
        self.work = Buckets(limits.work)
        """Milliseconds of work by address."""


def neighbourhood(address: str) -> str:
    """The key of an address: itself, or the network of 64 bits that one IPv6 subscriber has.

    >>> neighbourhood("2001:db8:1:2:3::4"), neighbourhood("192.0.2.7"), neighbourhood("::ffff:192.0.2.7")
    ('2001:db8:1:2::/64', '192.0.2.7', '192.0.2.7')
    """
    try:
        known = ipaddress.ip_address(address)
    except ValueError:
        return "unknown"
    if known.version == 4:
        return address
    if known.ipv4_mapped:  # how a socket of IPv6 names those who come by IPv4
        return str(known.ipv4_mapped)
    return str(ipaddress.ip_network((known, 64), strict=False))


# How much


class Tally(Counter[str]):
    """How many things each address has; of those that have none nothing is kept."""

    def drop(self, address: str) -> None:
        """*address* has one less."""
        self[address] -= 1
        if not self[address]:
            del self[address]


class RoomOwners:
    """Which rooms belong to which address; a room belongs to one."""

    def __init__(self) -> None:
        self._owners: OrderedDict[str, str] = OrderedDict()
        self._rooms: dict[str, set[str]] = {}

    def of(self, address: str) -> frozenset[str]:
        """The rooms of *address*."""
        return frozenset(self._rooms.get(address, ()))

    def add(self, address: str, room: str) -> None:
        """*room* belongs to *address* now."""
        self.drop(room)
        self._owners[room] = address
        self._rooms.setdefault(address, set()).add(room)
        if len(self._owners) > MAX_KNOWN:
            self.drop(next(iter(self._owners)))

    def drop(self, room: str) -> None:
        """*room* belongs to nobody."""
        address = self._owners.pop(room, None)
        if address is not None:
            self._rooms[address].discard(room)
            if not self._rooms[address]:
                del self._rooms[address]


class OpenRoomQuota(RoomOwners):
    """The rooms that each address has opened here: *most* of them while they last.

    *left* tells which of some rooms there still are. A server that starts again begins to count anew.
    """

    def __init__(self, most: int, left: Callable[[frozenset[str]], Awaitable[set[str]]]) -> None:
        super().__init__()
        self._most, self._left = most, left

    async def check(self, address: str) -> None:
        """:class:`ApiError` (429) where *address* has as many rooms as it may."""
        rooms = self.of(address)
        if len(rooms) < self._most:
            return
        for gone in rooms - await self._left(rooms):
            self.drop(gone)
        if len(self.of(address)) >= self._most:
            raise ApiError(429, "too-many-rooms", limit=self._most, seconds=ROOMS_AGAIN)


class ThinkingQuota(RoomOwners):
    """What is thought about at the wish of each address, to which rooms with computers belong.

    There may be *most* things at once. *is_thought_about* says of a room whether a computer in it is being
    asked.
    """

    def __init__(self, most: int, is_thought_about: Callable[[str], bool]) -> None:
        super().__init__()
        self._most, self._is_thought_about = most, is_thought_about
        self._awaited = Tally()

    @property
    def awaited(self) -> int:
        """How many answers are waited for, whoever does."""
        return self._awaited.total()

    def check(self, address: str) -> None:
        """:class:`ApiError` (429) where enough is thought about for *address*."""
        rooms = sum(map(self._is_thought_about, self.of(address)))
        if rooms + self._awaited[address] >= self._most:
            raise ApiError(429, "thinking-for-you", limit=self._most, seconds=THINKING_AGAIN)

    def check_room(self, address: str, room: str) -> None:
        """The same, where a computer would be asked in *room* and is not yet; others need no thought."""
        if room in self.of(address) and not self._is_thought_about(room):
            self.check(address)

    @contextmanager
    def one_more(self, address: str) -> Iterator[None]:
        """While this lasts *address* waits for an answer; :class:`ApiError` where it waits for enough."""
        self.check(address)
        self._awaited[address] += 1
        try:
            yield
        finally:
            self._awaited.drop(address)
