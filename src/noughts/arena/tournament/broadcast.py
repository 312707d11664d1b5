"""The games that are being played of a tournament, written to the database for anyone who watches.

The program that runs the tournament writes them, at most once a second and all together, in one row. That
counts for nothing: what is lost of it or out of date hides or changes no game that has ended.
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

TELL_SECONDS = 1.0
"""Seconds between two times that it is told, at least."""

AGAIN_SECONDS = 5.0
"""So many seconds after it was told it is told again though nothing has changed: whoever tells it lives.

As long nothing is told after it could not be.
"""

STALE_MS = 15_000
"""What was told longer ago than so many milliseconds was told by a program that has ended since."""

MAX_TOLD = 12
"""Of so many games it is told, those that were handed out first."""

_READ = "SELECT at, games FROM tournament_running WHERE tournament_id = :id"
_FORGET = "DELETE FROM tournament_running WHERE tournament_id = :id"
_INSTEAD = "ON CONFLICT (tournament_id) DO UPDATE SET at = excluded.at, games = excluded.games"


@dataclass(frozen=True, slots=True)
class RunningGame:
    """A game that is being played: its ``number`` in the tournament, when it was ``created``, its ``log``.

    The log is None where nothing is seen of it until it ends, as on another machine. ``at`` is when this
    was told, in milliseconds since 1970 as ``created`` is.
    """

    number: int
    created: int
    log: str | None
    at: int

    def events(self) -> list[Event]:
        """What has happened in it.

        Raises ValueError, TypeError or RecursionError where its log cannot be read.
        """
        events = [Event.of(*line) for line in self._lines() if not isinstance(line, int)]
        if not all(map(_can_happen, events)):
            raise ValueError("events of no match")
        return events

    @property
    def behind(self) -> int | None:
        """How many milliseconds its time is behind that of day; None before that begins.

        Raises as ``events`` does.
        """
        return next((line for line in reversed(self._lines()) if isinstance(line, int)), None)

    def _lines(self) -> list[Any]:
        return [json.loads(line) for line in (self.log or "").splitlines()]


class RunningGames:
    """The games that are being played of the tournament with this *number* in *database*."""

    def __init__(self, database: Database, number: int) -> None:
        self._database, self._number = database, number

    def tell(self, games: list[tuple[int, int, str | None]], at: int) -> None:
        """Keep that these *games* are being played at the instant *at*: numbers, when created, logs."""
        row = {"tournament_id": self._number, "at": at, "games": canonical_json(games)}
        with self._database.writing() as connection:
            connection.insert("tournament_running", row, unless=_INSTEAD)

    def forget(self) -> None:
        """Keep that nothing is being played, where anything else is kept and that can be changed."""
        with suppress(StoreError):
            with self._database.reading() as connection:
                row = connection.row(_READ, id=self._number)
            if row is not None:
                with self._database.writing() as connection:
                    connection.change(_FORGET, {"id": self._number})

    def read(self, now: int) -> list[RunningGame]:
        """What is being played at the instant *now*; nothing where that is out of date, or no such row."""
        with self._database.reading() as connection:
            row = connection.row(_READ, id=self._number)
        try:
            if row is None or abs(now - row["at"]) > STALE_MS:
                return []
            games = json.loads(row["games"])
            told = [RunningGame(number, created, log, row["at"]) for number, created, log in games]
        except (ValueError, TypeError, RecursionError):
            return []
        return [game for game in told if _is_possible(game)]


def _is_possible(game: RunningGame) -> bool:
    """Whether *game* has what a running game has, of the kinds that it has."""
    is_numbered = isinstance(game.number, int) and isinstance(game.created, int)
    return is_numbered and isinstance(game.log, str | None)


def _can_happen(event: Event) -> bool:
    """Whether *event* has times and a side of the kinds that they are of; the match looks at the rest."""
    if not isinstance(event.data, dict):
        return False
    numbers = (event.version, event.at, event.data.get("left", 0))
    return all(isinstance(number, int) for number in numbers) and isinstance(event.side, str | None)


class Unwatched:
    """Tells nobody what is being played."""

    def begin(self, task: Assignment) -> Assignment:
        """*task* as it is handed out."""
        return task

    def end(self, task: Assignment) -> None:
        """*task* is over, or has failed."""

    def tell(self) -> None:
        """Tell what is being played, if it is time to."""


class Broadcast(Unwatched):
    """Tells in *games* what is written down on *logs*.

    *now_ms* tells the milliseconds since 1970, *seconds* those on a clock that only goes forward. A game
    keeps its place among those that are told until it ends, and another takes it.
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
        self._told: list[tuple[int, int, str | None]] = []
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

    def tell(self) -> None:
        now = self._seconds()
        if now < self._next:
            return
        self._next = now + TELL_SECONDS
        tasks = [task for task in self._places if task is not None]
        told = [(task.number, task.created, self._logs.read(task.log)) for task in tasks[:MAX_TOLD]]
        if told == self._told and now < self._again:
            return
        try:
            self._games.tell(told, self._now_ms())
        except StoreError:  # nothing depends on it
            self._next = now + AGAIN_SECONDS
        else:
            self._told, self._again = told, now + AGAIN_SECONDS


@contextmanager
def broadcasting(database: Database, number: int, now_ms: Callable[[], int]) -> Iterator[Broadcast]:
    """What tells in *database* what is being played of the tournament with this *number*, until the end.

    What another program has told of it is forgotten before: it was killed, or tells it again.
    """
    games = RunningGames(database, number)
    with new_live_logs() as logs:
        games.forget()
        try:
            yield Broadcast(games, logs, now_ms)
        finally:
            games.forget()
