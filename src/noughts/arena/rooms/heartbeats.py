"""Signs of life: who was heard of last when, of those who may not be looking on.

Whoever looks at a room is here as long as they look. Whoever sat down, asked for something or asked how
it stands may be gone the next moment, and nobody would notice: they are here until they have been silent
for too long.
"""

from threading import Lock


class Heartbeats:
    """When each seat, a room and a place, was last heard of; for all threads."""

    def __init__(self) -> None:
        self._last: dict[tuple[str, int], int] = {}
        self._lock = Lock()

    def note(self, room: str, place: int, at: int) -> None:
        """Who sits at *place* of *room* gave a sign of life at the instant *at*."""
        with self._lock:
            self._last[room, place] = at

    def take_silent(self, since: int) -> list[tuple[str, int]]:
        """The seats that have been silent since the instant *since*, each told once."""
        with self._lock:
            silent = [seat for seat, last in self._last.items() if last <= since]
            for seat in silent:
                del self._last[seat]
        return silent
