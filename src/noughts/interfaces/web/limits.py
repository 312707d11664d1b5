"""How often anybody may ask: buckets that fill again with time, one for each address or seat."""

import ipaddress
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic

from noughts.interfaces.web.refusals import Refused

MOST_KEPT = 20_000
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


UNLIMITED = Limits(None, None, None, None, None, streams=1_000_000, all_streams=1_000_000)
"""For measurements on one machine."""


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
        while len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        if not is_allowed:
            raise Refused(429, "too-often", seconds=max(1, round((1 - left) / self.rate.per_second)))


def neighbourhood(address: str) -> str:
    """The key of an address: itself, or the network of 64 bits that one IPv6 subscriber has.

    >>> neighbourhood("2001:db8:1:2:3::4"), neighbourhood("192.0.2.7")
    ('2001:db8:1:2::/64', '192.0.2.7')
    """
    try:
        known = ipaddress.ip_address(address)
    except ValueError:
        return "unknown"
    if known.version == 4:
        return address
    return str(ipaddress.ip_network((known, 64), strict=False))
