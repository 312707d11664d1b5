"""News of rooms from other workers at the same PostgreSQL, which tells them with each commit.

Told within a transaction, a notice goes out with its commit and never without. Whoever loses the
connection looks again at everything, so that nothing is missed for long. A connection can be lost without
a word: where nothing has come for a while, the worker tells itself something by another, and hears it or not.
"""

from collections.abc import Callable, Generator, Mapping
from contextlib import closing
from threading import Event, Thread

from noughts.arena.rooms.pauses import be_alive
from noughts.arena.store.connections import Connection
from noughts.arena.store.database import Database

CHANNEL = "noughts_rooms"

WAIT = 0.5
"""How many seconds a wait for news lasts at most, and a pause after the connection was lost."""

QUIET, LOST = 4, 8
"""After so many waits without any news a worker tells itself something, and believes the connection lost."""

_TELL = "SELECT pg_notify(:channel, told) FROM unnest(CAST(:told AS text[])) AS told"


def notify(connection: Connection, worker: str, versions: Mapping[str, int]) -> None:
    """Tell all workers, once this is committed, to which *versions* rooms have come."""
    told = [f"{worker} {version} {room}" for room, version in versions.items()]
    connection.rows(_TELL, channel=CHANNEL, told=told)


def news(connection: Connection) -> Generator[str | None]:
    """What is told on the channel, as it comes; None once for a while in which nothing does."""
    connection.change(f"LISTEN {CHANNEL}")
    yield None
    while True:
        for notice in connection.driver.notifies(timeout=WAIT):
            yield notice.payload
        yield None


class Notices:
    """A thread that tells *on_change* of each room that another worker than *worker* has changed.

    It has a connection to *database* of its own; *catch_up* is called whenever news may have been missed.
    ``has_begun`` is set once it listens and has caught up for the first time.
    """

    def __init__(
        self,
        database: Database,
        worker: str,
        on_change: Callable[[str, int], None],
        catch_up: Callable[[], None],
    ) -> None:
        self._database, self._worker, self._on_change, self._catch_up = database, worker, on_change, catch_up
        self.has_begun, self._ended = Event(), Event()
        self._thread = Thread(target=self._serve, name="noughts-notices", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop."""
        self._ended.set()
        self._thread.join()

    def _serve(self) -> None:
        while not self._ended.is_set():
            try:
                self._listen()
            except Exception:  # the database stopped, or its driver has lost it, in words of its own
                self._ended.wait(WAIT)

    def _listen(self) -> None:
        with self._database.connect() as connection, closing(news(connection)) as told:
            next(told)  # from here on nothing is missed
            be_alive(connection, self._worker)
            self._catch_up()
            self.has_begun.set()
            waits = 0
            for notice in told:
                waits = waits + 1 if notice is None else 0
                if notice is not None:
                    self._read(notice)
                if waits == QUIET:
                    with self._database.writing() as other:
                        notify(other, self._worker, {"": 0})
                if waits == LOST or self._ended.is_set():
                    return

    def _read(self, notice: str) -> None:
        worker, version, room = notice.split(" ", 2)
        if room and worker != self._worker:  # what this one did was heard at once
            self._on_change(room, int(version))
