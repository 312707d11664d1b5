"""News of rooms from other workers at the same PostgreSQL, sent with each commit.

A notice is sent within a transaction, so it goes out with its commit and never without. A worker that loses
the connection reads everything again, so that nothing is missed for long. A connection can be lost without an
error. After a silence the worker therefore notifies itself by another connection, and hears it or not.
"""

from collections.abc import Callable, Generator, Mapping
from contextlib import closing
from threading import Event, Thread

from noughts.arena.rooms.pauses import be_alive
from noughts.arena.store.connections import Connection
from noughts.arena.store.database import Database

CHANNEL = "noughts_rooms"

WAIT = 0.5
"""The seconds of one wait for news, and of the pause after a connection is lost."""

QUIET, LOST = 4, 8
"""The number of waits without news after which a worker notifies itself, and after which it reconnects."""

_NOTIFY = "SELECT pg_notify(:channel, message) FROM unnest(CAST(:messages AS text[])) AS message"


def notify(connection: Connection, worker: str, versions: Mapping[str, int]) -> None:
    """Send the new *versions* of rooms to all workers as soon as the transaction is committed."""
    messages = [f"{worker} {version} {room}" for room, version in versions.items()]
    connection.rows(_NOTIFY, channel=CHANNEL, messages=messages)


def news(connection: Connection) -> Generator[str | None]:
    """Yield each notice on the channel, and None after each wait without one."""
    connection.change(f"LISTEN {CHANNEL}")
    yield None
    while True:
        for notice in connection.driver.notifies(timeout=WAIT):
            yield notice.payload
        yield None


class Notices:
    """A thread that calls *on_change* for each room that a worker other than *worker* has changed.

    It has its own connection to *database*. *catch_up* is called if news may have been missed. ``has_begun``
    is set when it listens and has caught up for the first time.
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
            except Exception:  # the server stopped, or the driver lost it with an error of its own
                self._ended.wait(WAIT)

    def _listen(self) -> None:
        with self._database.connect() as connection, closing(news(connection)) as notices:
            next(notices)  # no notice is missed from here on
            be_alive(connection, self._worker)
            self._catch_up()
            self.has_begun.set()
            waits = 0
            for notice in notices:
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
        if room and worker != self._worker:  # this worker published its own changes at once
            self._on_change(room, int(version))
