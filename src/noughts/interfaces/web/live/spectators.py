"""The numbers of spectators at other workers, which tell each other theirs without storing them."""

from collections.abc import Callable, Mapping

COUNT_SECONDS = 1.0
"""The time between two counts that are sent to other workers."""

REPEATED = 10
"""The number of counts after which all numbers are sent again, for workers that have just started."""

STALE_SECONDS = 3 * REPEATED * COUNT_SECONDS
"""The age in seconds from which a number counts no more: its worker has stopped."""

_NAME = "spectators"


class Spectators:
    """The numbers of spectators by room and worker. *now* is a monotonic clock in seconds."""

    def __init__(self, worker: str, now: Callable[[], float]) -> None:
        self._worker, self._now = worker, now
        self._heard: dict[str, dict[str, tuple[int, float]]] = {}
        self._sent: dict[str, int] = {}
        self._counts = 0

    def news(self, counts: Mapping[str, int]) -> dict[str, int]:
        """Return the news for other workers about the numbers *counts* by room, as names with numbers."""
        self._counts += 1
        is_all = self._counts % REPEATED == 0
        rooms = counts.keys() | self._sent.keys()
        changed = {room: counts.get(room, 0) for room in rooms}
        news = {room: count for room, count in changed.items() if is_all or self._sent.get(room, 0) != count}
        self._sent = dict(counts)
        return {f"{_NAME} {self._worker} {room}": count for room, count in news.items()}

    def hear(self, name: str, count: int) -> str | None:
        """Note the news *name* of another worker. Return its room, or None if the news is of another kind."""
        kind, _, rest = name.partition(" ")
        worker, _, room = rest.partition(" ")
        if kind != _NAME or not room:
            return None
        workers = self._heard.setdefault(room, {})
        if count:
            workers[worker] = count, self._now()
        else:
            workers.pop(worker, None)
        if not workers:
            del self._heard[room]
        return room

    def elsewhere(self, room: str) -> int:
        """Return the number of spectators of *room* at other workers."""
        since = self._now() - STALE_SECONDS
        return sum(count for count, at in self._heard.get(room, {}).values() if at >= since)
