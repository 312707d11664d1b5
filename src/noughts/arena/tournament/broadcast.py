"""The running games of a tournament, written to the database for spectators.

The program that runs the tournament writes them, at most once a second and all together, in one row. No
result depends on the row: if it is lost or out of date, finished games are not affected.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from time import monotonic
from typing import Any

from noughts.arena.digest import canonical_json
from noughts.arena.events import Event
from noughts.arena.store.database import Database
from noughts.arena.tournament.live_log import LiveLogs, new_live_logs
from noughts.arena.tournament.play import Assignment
from noughts.errors import StoreError

WRITE_SECONDS = 1.0
"""The minimum number of seconds between two writes."""

AGAIN_SECONDS = 5.0
"""Seconds after which an unchanged row is written again, as a sign of life. After a failed write, the next
one waits as long.
"""

STALE_MS = 15_000
"""The age in milliseconds from which a row is ignored, because the program that wrote it has ended."""

MAX_BROADCAST = 12
"""The maximum number of games that are broadcast, those handed out first."""

_READ = "SELECT at, games FROM tournament_running WHERE tournament_id = :id"
_FORGET = "DELETE FROM tournament_running WHERE tournament_id = :id"
_INSTEAD = "ON CONFLICT (tournament_id) DO UPDATE SET at = excluded.at, games = excluded.games"


@dataclass(frozen=True, slots=True)
class RunningGame:
    """A running game: its ``number`` in the tournament, its ``log``, and the time when it was ``created``.

    The log is None for a game that cannot be watched, as on another machine. ``at`` is the time of the write.
    Both times are in milliseconds since 1970.
    """

    number: int
    created: int
    log: str | None
    at: int

    def events(self) -> list[Event]:
        """Return the events so far.

        Raises ``ValueError``, ``TypeError`` or ``RecursionError`` if the log cannot be read.
        """
        events = [Event.of(*line) for line in self._lines() if not isinstance(line, int)]
        if not all(map(_can_happen, events)):
            raise ValueError("impossible events")
        return events

    @property
    def behind(self) -> int | None:
        """The milliseconds by which the game's time is behind the wall clock, or None before its time begins.

        Raises the same errors as :meth:`events`.
        """
        return next((line for line in reversed(self._lines()) if isinstance(line, int)), None)

    def _lines(self) -> list[Any]:
        return [json.loads(line) for line in (self.log or "").splitlines()]


class RunningGames:
    """The running games of the tournament with this *number* in *database*."""

    def __init__(self, database: Database, number: int) -> None:
        self._database, self._number = database, number

    def write(self, games: list[tuple[int, int, str | None]], at: int) -> None:
        """Write the running *games* (numbers, creation times, logs) at the instant *at*."""
        row = {"tournament_id": self._number, "at": at, "games": canonical_json(games)}
        with self._database.writing() as connection:
            connection.insert("tournament_running", row, unless=_INSTEAD)

    def delete(self) -> None:
        """Delete the row of running games, if there is one and the database can be written."""
        with suppress(StoreError):
            with self._database.reading() as connection:
                row = connection.row(_READ, id=self._number)
            if row is not None:
                with self._database.writing() as connection:
                    connection.change(_FORGET, {"id": self._number})

    def read(self, now: int) -> list[RunningGame]:
        """Return the running games at the instant *now*.

        An empty list if the row is missing or out of date.
        """
        with self._database.reading() as connection:
            row = connection.row(_READ, id=self._number)
        try:
            if row is None or abs(now - row["at"]) > STALE_MS:
                return []
            games = json.loads(row["games"])
            running = [RunningGame(number, created, log, row["at"]) for number, created, log in games]
        except (ValueError, TypeError, RecursionError):
            return []
        return [game for game in running if _is_possible(game)]


def _is_possible(game: RunningGame) -> bool:
    """Return True if the fields of *game* have the right types."""
    is_numbered = isinstance(game.number, int) and isinstance(game.created, int)
    return is_numbered and isinstance(game.log, str | None)


def _can_happen(event: Event) -> bool:
    """Return True if the times and the side of *event* have the right types. The match checks the rest."""
    if not isinstance(event.data, dict):
        return False
    numbers = (event.version, event.at, event.data.get("left", 0))
    return all(isinstance(number, int) for number in numbers) and isinstance(event.side, str | None)


class NullBroadcast:
    """A broadcast that does nothing."""

    def begin(self, task: Assignment) -> Assignment:
        """Note that *task* is handed out, and return it with its log."""
        return task

    def end(self, task: Assignment) -> None:
        """Note that *task* has ended or failed."""

    def update(self) -> None:
        """Write the running games, if it is time to."""


class Broadcast(NullBroadcast):
    """A broadcast that copies the logs of running games from *logs* to *games*.

    *now_ms* returns the milliseconds since 1970, *seconds* the time on a clock that only goes forward. A game
    keeps its place among the broadcast ones until it ends, and another takes it.
    """

    def __init__(
        self,
        games: RunningGames,
        logs: LiveLogs,
        now_ms: Callable[[], int],
        seconds: Callable[[], float] = monotonic,
    ) -> None:
        self._games, self._logs, self._now_ms, self._seconds = games, logs, now_ms, seconds
        self._places: list[Assignment | None] = []
        self._written: list[tuple[int, int, str | None]] = []
        self._next = self._again = seconds()

    def begin(self, task: Assignment) -> Assignment:
        task = replace(task, log=self._logs.new())
        if None in self._places:
            self._places[self._places.index(None)] = task
        else:
            self._places.append(task)
        return task

    def end(self, task: Assignment) -> None:
        self._places[self._places.index(task)] = None
        self._logs.drop(task.log)

    def update(self) -> None:
        now = self._seconds()
        if now < self._next:
            return
        self._next = now + WRITE_SECONDS
        tasks = [task for task in self._places if task is not None]
        running = [(task.number, task.created, self._logs.read(task.log)) for task in tasks[:MAX_BROADCAST]]
        if running == self._written and now < self._again:
            return
        try:
            self._games.write(running, self._now_ms())
        except StoreError:  # the tournament does not depend on it
            self._next = now + AGAIN_SECONDS
        else:
            self._written, self._again = running, now + AGAIN_SECONDS


@contextmanager
def broadcasting(database: Database, number: int, now_ms: Callable[[], int]) -> Iterator[Broadcast]:
    """Yield the broadcast of the tournament with this *number* to *database*.

    The row of another program is deleted before: that program was killed, or will write it again.
    """
    games = RunningGames(database, number)
    with new_live_logs() as logs:
        games.delete()
        try:
            yield Broadcast(games, logs, now_ms)
        finally:
            games.delete()
