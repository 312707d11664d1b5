"""How often anybody may ask: buckets that fill again with time, one for each address or seat."""

import ipaddress
import re
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from time import monotonic
from typing import Any

from noughts.interfaces.web.http.problems import Refused

MAX_BUCKETS = 20_000
"""So many buckets are kept, those used last; the others are full again long before."""


@dataclass(frozen=True, slots=True)
class Rate:
    """``per_second`` requests in the long run, ``burst`` at once."""

    per_second: float
    burst: int


@dataclass(frozen=True, slots=True)
class Limits:
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


_RATE = re.compile(r"([0-9]{1,6}(?:\.[0-9]{1,3})?)/([0-9]{1,6})")

MANY = 1_000_000

UNLIMITED = Limits(
    *(None,) * 5,
    streams=MANY,
    all_streams=MANY,
    plies=MANY,
    open_rooms=MANY,
    all_rooms=MANY,
    thinking=MANY,
    connections=MANY,
    bodies=MANY,
)
"""For measurements on one machine."""


def changed(limits: Limits, text: str) -> Limits:
    """*limits* with the one that *text* names changed; ValueError where it names none.

    >>> changed(Limits(), "requests=100/400").requests
    Rate(per_second=100.0, burst=400)
    >>> changed(Limits(), "streams=200").streams
    200
    """
    name, _, value = text.strip().partition("=")
    is_rate = isinstance(getattr(Limits(), name, None), Rate)
    found = _RATE.fullmatch(value)
    named: dict[str, Any]
    if is_rate and found and float(found[1]) > 0 and int(found[2]) > 0:
        named = {name: Rate(float(found[1]), int(found[2]))}
    elif not is_rate and name in Limits.__slots__ and re.fullmatch("[1-9][0-9]{0,8}", value):
        named = {name: int(value)}
    else:
        raise ValueError(text)
    return replace(limits, **named)


class Buckets:
    """One bucket for each key, by one *rate*; *now* is a clock in seconds that only goes forward."""

    def __init__(self, rate: Rate | None, now: Callable[[], float] = monotonic) -> None:
        self.rate, self._now = rate, now
        self._kept: OrderedDict[object, tuple[float, float]] = OrderedDict()

    def take(self, key: object) -> None:
        """Take one from the bucket of *key*; :class:`Refused` (429) while it is empty."""
        if self.rate is None:
            return
        now = self._now()
        left, then = self._kept.pop(key, (float(self.rate.burst), now))
        left = min(float(self.rate.burst), left + (now - then) * self.rate.per_second)
        is_allowed = left >= 1
        self._kept[key] = (left - 1 if is_allowed else left, now)
        while len(self._kept) > MAX_BUCKETS:
            self._kept.popitem(last=False)
        if not is_allowed:
            raise Refused(429, "too-often", seconds=max(1, round((1 - left) / self.rate.per_second)))


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
