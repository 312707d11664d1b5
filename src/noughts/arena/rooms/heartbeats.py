"""Signs of life: who was heard of last when, of those who may not be looking on.

Whoever looks at a room is here as long as they look. Whoever sat down, asked for something or asked how
it stands may be gone the next moment, and nobody would notice: they are here until they have been silent
for too long.
"""

from collections.abc import Callable
from threading import Lock


class Heartbeats:
    """When each seat, a room and a place, was last heard of, by the clock *now*; for all threads."""

    def __init__(self, now: Callable[[], int]) -> None:
        self._now = now
        self._last: dict[tuple[str, int], int] = {}
        self._lock = Lock()

    def note(self, room: str, place: int) -> None:
        """Note that who sits at *place* of *room* has just given a sign of life; nothing is written."""
        with self._lock:
            self._last[room, place] = self._now()

    def take_silent(self, milliseconds: int) -> list[tuple[str, int]]:
        """The seats that have been silent for so long; each silence is told of once.

        Who sits down, asks for something or comes back gives a sign. Unless they are looking on, they are to
        be said to be away.
        """
        since = self._now() - milliseconds
        with self._lock:
            silent = [seat for seat, last in self._last.items() if last <= since]
            for seat in silent:
                del self._last[seat]
        return silent
