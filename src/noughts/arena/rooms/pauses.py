"""Jumps of the server's time between two processes, which count as nobody's time.

Each process has its own clock. When a process starts and its time is not near the last time that any process
wrote, the server was down or the clocks differ. The process then stores the difference as a pause. The match
of a game that began before a pause is behind the server by that much. A process that was alive meanwhile
moves its own clock by the same amount when it reads the pause. So all of them agree, and no match notices.
"""

from collections.abc import Callable

from noughts.arena.store.connections import Connection

APART_MS = 12_000
"""Times of two processes that differ by more are a pause: each writes its time every ten seconds."""

_NEWEST = "SELECT MAX(seen) AS seen FROM room_workers"
_PAUSES = "SELECT milliseconds FROM room_pauses ORDER BY number"
# Otherwise the next process would find the same difference once more.
_MOVE_ALL = "UPDATE room_workers SET seen = seen + :apart"


class Pauses:
    """The pauses of a server, in order; :meth:`learn` adds those that come later."""

    def __init__(self) -> None:
        self._lengths: tuple[int, ...] = ()

    @property
    def last(self) -> int:
        """The number of the newest pause; 0 before the first."""
        return len(self._lengths)

    def since(self, number: int) -> int:
        """Return the milliseconds of all pauses after the one with that *number*."""
        return sum(self._lengths[number:])

    def learn(self, lengths: tuple[int, ...]) -> None:
        """Replace what is known by *lengths*."""
        self._lengths = lengths


NO_PAUSES = Pauses()
"""Those of a room that no server holds."""


class ServerTime:
    """The time of one process that serves rooms: its own clock *now*, moved as other processes require."""

    def __init__(self, now: Callable[[], int]) -> None:
        self.own, self.pauses = now, Pauses()
        self._ahead = 0

    def __call__(self) -> int:
        """Return the milliseconds since 1970."""
        return self.own() + self._ahead

    def join(self, connection: Connection) -> bool:
        """Start beside, or after, the processes that have written their time; store a pause if that is far.

        Return True if the time has jumped back: what was due then is due earlier now.
        """
        (newest,) = connection.column(_NEWEST)
        self.pauses.learn(tuple(connection.column(_PAUSES)))
        apart = 0 if newest is None else self() - newest
        if abs(apart) > APART_MS:
            row = {"number": self.pauses.last + 1, "milliseconds": apart}
            if connection.insert("room_pauses", row, unless="ON CONFLICT (number) DO NOTHING"):
                connection.change(_MOVE_ALL, {"apart": apart})
            # Another process that started at the same time may have stored its own instead.
            self.pauses.learn(tuple(connection.column(_PAUSES)))
        return apart < -APART_MS

    def follow(self, connection: Connection) -> None:
        """Take in the pauses that processes with other clocks have stored since."""
        known = self.pauses.last
        self.pauses.learn(tuple(connection.column(_PAUSES)))
        self._ahead += self.pauses.since(known)
