"""Rate limits and quotas of addresses and seats: requests, rooms, thinking, connections."""

import ipaddress
import re
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, fields, replace
from math import ceil, floor
from time import monotonic
from typing import Any

from noughts.interfaces.web.caches import SizedCache
from noughts.interfaces.web.http.replies import ApiError

MAX_BUCKETS = 20_000
"""The largest number of buckets in memory. Older buckets are long full again."""

MAX_KNOWN = 100_000
"""The largest number of rooms, and of visitors with offers, whose address is known."""

ROOMS_AGAIN, THINKING_AGAIN = 600, 3
"""Seconds after which a retry is useful: rooms close slowly, thinking ends quickly."""


@dataclass(frozen=True, slots=True)
class Rate:
    """A rate limit: ``per_second`` requests on average, and ``burst`` at once."""

    per_second: float
    burst: int


@dataclass(frozen=True, slots=True)
class ServerLimits:
    """The limits of each address and each seat. A rate of ``None`` means no limit."""

    commands: Rate | None = Rate(10, 20)
    """Commands of one seat."""
    requests: Rate | None = Rate(50, 200)
    """Requests of an address under ``/api``."""
    rooms: Rate | None = Rate(0.5, 20)
    """Rooms that an address opens."""
    joins: Rate | None = Rate(0.5, 20)
    """Attempts of an address to join a room, limited to prevent guessing of codes."""
    offers: Rate | None = Rate(1, 30)
    """Offers and challenges that an address makes in the lobby."""
    analyses: Rate | None = Rate(0.5, 5)
    """Analyses and reviews that an address requests."""
    identities: Rate | None = Rate(0.05, 60)
    """Players with keys that an address registers, and devices that ask to be added."""
    signatures: Rate | None = Rate(1, 60)
    """Signed requests of an address, and of a key."""
    names: Rate | None = Rate(3, 60)
    """Names that an address checks, and codes of devices that a player looks up."""
    streams: int = 60
    """Streams that an address holds open at once."""
    open_offers: int = 60
    """Offers that an address has open at once in the lobby."""
    all_streams: int = 10_000
    """Open streams of one worker."""
    cells: int = 10_000
    """Cells of a board."""
    plies: int = 3_000
    """Moves of a game in addition to one for each cell of its board. Some games have no end."""
    open_rooms: int = 300
    """Rooms that an address has open at once."""
    all_rooms: int = 100_000
    """Rooms of one database."""
    thinking: int = 6
    """Games and positions that computers think about for one address at once."""
    connections: int = 200
    """Connections of an address at once."""
    bodies: int = 20
    """Request bodies of an address that are being sent at once."""
    work: Rate | None = Rate(200, 4_000)
    """Estimated milliseconds of work that an address causes with boards and games."""
    waiting: int = 16
    """Responses with such work that an address waits for at once."""


ENTRIES = Rate(20, 100)
"""The rate of entries in one tournament."""

_RATE = re.compile(r"([0-9]{1,6}(?:\.[0-9]{1,3})?)/([0-9]{1,6})")

UNBOUNDED = 1_000_000

_UNLIMITED: dict[str, Any] = {
    limit.name: None if isinstance(limit.default, Rate) else UNBOUNDED for limit in fields(ServerLimits)
}
UNLIMITED = ServerLimits(**_UNLIMITED | {"cells": ServerLimits().cells})
"""The limits for benchmarks on one machine."""


def with_limit(limits: ServerLimits, text: str) -> ServerLimits:
    """Return *limits* with the change in *text*, such as ``streams=200``. Raises ValueError for other texts.

    >>> with_limit(ServerLimits(), "requests=100/400").requests
    Rate(per_second=100.0, burst=400)
    >>> with_limit(ServerLimits(), "streams=200").streams
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


Allowances = dict[str, tuple[Rate, float]]
"""The rate limits of one request by name, each with the number of requests that are left."""

_NOTED: ContextVar[Allowances | None] = ContextVar("noughts_allowances", default=None)
"""The rate limits that the present request counts on so far."""


def note_allowances() -> Allowances:
    """Return the rate limits of the present request. They are added to it later."""
    noted: Allowances = {}
    _NOTED.set(noted)
    return noted


def rate_headers(noted: Allowances) -> list[tuple[bytes, bytes]]:
    """Return the headers ``RateLimit-Policy`` and ``RateLimit`` of a draft of the IETF for rate limits.

    >>> rate_headers({"offers": (Rate(1, 30), 28.2)})
    [(b'ratelimit-policy', b'"offers";q=30;w=30'), (b'ratelimit', b'"offers";r=28;t=2')]
    """
    if not noted:
        return []
    policies, states = list[str](), list[str]()
    for name, (rate, left) in noted.items():
        policies.append(f'"{name}";q={rate.burst};w={ceil(rate.burst / rate.per_second)}')
        full_in = ceil((rate.burst - left) / rate.per_second)
        states.append(f'"{name}";r={max(0, floor(left))};t={full_in}')
    texts = {b"ratelimit-policy": policies, b"ratelimit": states}
    return [(header, ", ".join(text).encode()) for header, text in texts.items()]


class Buckets:
    """Token buckets by key, all with the same *rate*. *now* is a monotonic clock in seconds.

    Responses tell the state of the bucket by *name*, if there is one.
    """

    def __init__(self, rate: Rate | None, now: Callable[[], float] = monotonic, name: str = "") -> None:
        self.rate, self._now, self._name = rate, now, name
        self._kept = SizedCache[object, tuple[float, float]](MAX_BUCKETS)

    def take(self, key: object, cost: float = 1.0) -> None:
        """Take *cost* from the bucket of *key*; :class:`ApiError` (429) if it has less.

        A cost that is larger than the bucket takes a full one.
        """
        if self.rate is None:
            return
        cost = min(cost, float(self.rate.burst))
        left = self._left(key, self.rate)
        is_allowed = left >= cost
        left_now = left - cost if is_allowed else left
        self._keep(key, left_now)
        if self._name and (noted := _NOTED.get()) is not None:
            noted[self._name] = self.rate, left_now
        if not is_allowed:
            raise ApiError(429, "too-often", seconds=max(1, round((cost - left) / self.rate.per_second)))

    def owe(self, key: object, cost: float) -> None:
        """Take *cost* from the bucket of *key* even if it has less. The debt is at most one full bucket."""
        if self.rate is not None:
            self._keep(key, max(self._left(key, self.rate) - cost, -float(self.rate.burst)))

    def _left(self, key: object, rate: Rate) -> float:
        now = self._now()
        left, then = self._kept.get(key) or (float(rate.burst), now)
        return min(float(rate.burst), left + (now - then) * rate.per_second)

    def _keep(self, key: object, left: float) -> None:
        self._kept.put(key, (left, self._now()))


class Quotas:
    """The rate limits of seats and addresses, as *limits* sets them."""

    def __init__(self, limits: ServerLimits) -> None:
        self.commands = Buckets(limits.commands, name="commands")
        """Commands by room and seat."""
        self.opened = Buckets(limits.rooms, name="rooms")
        self.joined = Buckets(limits.joins, name="joins")
        self.offers = Buckets(limits.offers, name="offers")
        self.entries = Buckets(None if limits.joins is None else ENTRIES, name="entries")
        """Entries by tournament. A whole class may share one address."""
        self.analyses = Buckets(limits.analyses, name="analyses")
        self.tries = Buckets(limits.commands, name="tries")
        """Moves in puzzles."""
        self.identities = Buckets(limits.identities, name="identities")
        self.signatures = Buckets(limits.signatures, name="signatures")
        self.names = Buckets(limits.names, name="names")
        self.work = Buckets(limits.work)
        """Milliseconds of work by address."""


def neighbourhood(address: str) -> str:
    """Return the key of an address: the address, or for IPv6 its network of 64 bits.

    One subscriber usually has a whole IPv6 network of that size.

    >>> neighbourhood("2001:db8:1:2:3::4"), neighbourhood("192.0.2.7"), neighbourhood("::ffff:192.0.2.7")
    ('2001:db8:1:2::/64', '192.0.2.7', '192.0.2.7')
    """
    try:
        known = ipaddress.ip_address(address)
    except ValueError:
        return "unknown"
    if known.version == 4:
        return address
    if known.ipv4_mapped:  # An IPv6 socket maps IPv4 addresses.
        return str(known.ipv4_mapped)
    return str(ipaddress.ip_network((known, 64), strict=False))


# Quotas


class Tally(Counter[str]):
    """Counts by address. An address with a count of zero has no entry."""

    def drop(self, address: str) -> None:
        """Subtract one from the count of *address*."""
        self[address] -= 1
        if not self[address]:
            del self[address]


class Owners:
    """The rooms, or other things with a name, that belong to each address. Each belongs to one address."""

    def __init__(self) -> None:
        self._owners: OrderedDict[str, str] = OrderedDict()
        self._rooms: dict[str, set[str]] = {}

    def of(self, address: str) -> frozenset[str]:
        """Return the rooms of *address*."""
        return frozenset(self._rooms.get(address, ()))

    def add(self, address: str, room: str) -> None:
        """Give *room* to *address*."""
        self.drop(room)
        self._owners[room] = address
        self._rooms.setdefault(address, set()).add(room)
        if len(self._owners) > MAX_KNOWN:
            self.drop(next(iter(self._owners)))

    def drop(self, room: str) -> None:
        """Forget the owner of *room*."""
        address = self._owners.pop(room, None)
        if address is not None:
            self._rooms[address].discard(room)
            if not self._rooms[address]:
                del self._rooms[address]


class OpenRoomQuota(Owners):
    """The open rooms of each address: at most *limit*.

    *left* returns those of a set of rooms that still exist. The counts start at zero when the server starts.
    """

    def __init__(self, limit: int, left: Callable[[frozenset[str]], Awaitable[set[str]]]) -> None:
        super().__init__()
        self._limit, self._left = limit, left

    async def check(self, address: str) -> None:
        """Raise :class:`ApiError` (429) if *address* can open no more rooms."""
        rooms = self.of(address)
        if len(rooms) < self._limit:
            return
        for gone in rooms - await self._left(rooms):
            self.drop(gone)
        if len(self.of(address)) >= self._limit:
            raise ApiError(429, "too-many-rooms", limit=self._limit, seconds=ROOMS_AGAIN)


class ThinkingQuota(Owners):
    """The thinking for each address: requests that wait, and rooms with computers that belong to it.

    At most *limit* of them are allowed at once. *is_thought_about* returns True if a computer of a room is
    thinking.
    """

    def __init__(self, limit: int, is_thought_about: Callable[[str], bool]) -> None:
        super().__init__()
        self._limit, self._is_thought_about = limit, is_thought_about
        self._awaited = Tally()

    @property
    def awaited(self) -> int:
        """The number of requests that wait for thinking, of all addresses."""
        return self._awaited.total()

    def check(self, address: str) -> None:
        """Raise :class:`ApiError` (429) if computers already think about enough for *address*."""
        rooms = sum(map(self._is_thought_about, self.of(address)))
        if rooms + self._awaited[address] >= self._limit:
            raise ApiError(429, "thinking-for-you", limit=self._limit, seconds=THINKING_AGAIN)

    def check_room(self, address: str, room: str) -> None:
        """Raise :class:`ApiError` (429) if a computer of *room* cannot start to think for *address*.

        A room in which a computer already thinks, and the rooms of other addresses, are not limited here.
        """
        if room in self.of(address) and not self._is_thought_about(room):
            self.check(address)

    @contextmanager
    def one_more(self, address: str) -> Iterator[None]:
        """Count one more waiting request of *address* inside a ``with`` block.

        Raises :class:`ApiError` (429) if too many wait already.
        """
        self.check(address)
        self._awaited[address] += 1
        try:
            yield
        finally:
            self._awaited.drop(address)
