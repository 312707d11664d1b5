"""Jumps of the server's time between two processes, which count on no player's clock.

Each process has its own clock. A process that starts while no other serves the rooms starts after a gap: no
player could move between the last sign of life and now. It stores the gap as a pause, even if its clock is
behind that sign. If others are alive, only their clocks can differ, and a great difference is a pause too.

The match of a game that began before a pause is behind the server by that much. A process that was alive
meanwhile moves its own clock by the same amount when it reads the pause. So all of them agree.

A process writes a sign of life every ten seconds, when it stops, and with each change for players, at most
once a second. Events of a game between the last sign and a crash take no time.
"""

from collections.abc import Callable

from noughts.arena.store.connections import Connection

APART_MS = 12_000
"""The difference in milliseconds above which the times of two living processes count as a pause.

Each process writes its time every ten seconds.
"""

_NEWEST = "SELECT MAX(seen) AS seen FROM room_workers"
_PAUSES = "SELECT milliseconds FROM room_pauses ORDER BY number"
# Otherwise the next process would find the same difference once more.
_MOVE_ALL = "UPDATE room_workers SET seen = seen + :apart"
# Two processes that start at once must not both find the same gap.
_ONE_BY_ONE = "LOCK TABLE room_pauses IN SHARE ROW EXCLUSIVE MODE"
# A living process holds the lock of its name; see :func:`be_alive`.
_LOCK = "hashtextextended(current_schema() || 'noughts worker ' || name, 0)"
_LIVING = f"SELECT name FROM room_workers WHERE name != :worker AND NOT pg_try_advisory_xact_lock({_LOCK})"  # noqa: S608 - constant
_BE_ALIVE = f"SELECT pg_advisory_lock_shared({_LOCK}) FROM (SELECT CAST(:worker AS text) AS name) AS it"  # noqa: S608 - constant


def be_alive(connection: Connection, worker: str) -> None:
    """Let other processes see that *worker* is alive, as long as *connection* to a PostgreSQL is open."""
    connection.rows(_BE_ALIVE, worker=worker)


def living_workers(connection: Connection, worker: str) -> list[str]:
    """Return the other workers than *worker* that are alive, in a transaction that writes."""
    return connection.column(_LIVING, worker=worker)


class Pauses:
    """The pauses of a server, in order. :meth:`learn` adds those that come later."""

    def __init__(self) -> None:
        self._lengths: tuple[int, ...] = ()

    @property
    def last(self) -> int:
        """The number of the newest pause, or 0 before the first."""
        return len(self._lengths)

    def since(self, number: int) -> int:
        """Return the milliseconds of all pauses after the one with that *number*."""
        return sum(self._lengths[number:])

    def learn(self, lengths: tuple[int, ...]) -> None:
        """Replace the known pauses by *lengths*."""
        self._lengths = lengths


NO_PAUSES = Pauses()
"""The pauses of a room without a server."""


class ServerTime:
    """The time of one process that serves rooms: its own clock *now*, corrected by the pauses."""

    def __init__(self, now: Callable[[], int]) -> None:
        self.own, self.pauses = now, Pauses()
        self._ahead = 0

    def __call__(self) -> int:
        """Return the milliseconds since 1970."""
        return self.at(self.own())

    def at(self, own: int) -> int:
        """Return the server's time at the instant *own* of the clock of this process."""
        return own + self._ahead

    def join(self, connection: Connection, worker: str) -> bool:
        """Join the processes that have written their time, and store a pause if there is one.

        *worker* is the name of this process. Return True if the time has jumped back, so that due times are
        earlier now.
        """
        is_shared = connection.dialect.is_shared
        if is_shared:
            connection.change(_ONE_BY_ONE)
        (newest,) = connection.column(_NEWEST)
        is_beside_others = is_shared and bool(living_workers(connection, worker))
        apart = 0 if newest is None else self() - newest
        self.pauses.learn(tuple(connection.column(_PAUSES)))
        if abs(apart) <= (APART_MS if is_beside_others else 0):
            return False
        connection.insert("room_pauses", {"number": self.pauses.last + 1, "milliseconds": apart})
        connection.change(_MOVE_ALL, {"apart": apart})
        self.pauses.learn(tuple(connection.column(_PAUSES)))
        return apart < 0

    def follow(self, connection: Connection) -> None:
        """Adopt the pauses that processes with other clocks have stored since."""
        known = self.pauses.last
        self.pauses.learn(tuple(connection.column(_PAUSES)))
        self._ahead += self.pauses.since(known)
