"""Substitutes for a database and a worker process."""

from collections.abc import Callable, Collection, Iterator, Sequence
from math import inf
from typing import Any

from noughts.arena.events import Event
from noughts.arena.series import Result
from noughts.arena.setup import SeriesSetup, Setup
from noughts.arena.store.store import OnDamage, Store, check_versions
from noughts.arena.stored_game import StoredGame
from noughts.errors import NotFound
from noughts.text import fold_name
from noughts.workers.messages import OnMessage, PendingResult, Task, TaskContext, run_task


class MemoryStore:
    """A store in memory."""

    def __init__(self) -> None:
        self._games: dict[int, tuple[Setup, list[Event]]] = {}
        self._series: dict[int, SeriesSetup] = {}
        self._ended: set[int] = set()

    def add_game(self, setup: Setup) -> int:
        number = len(self._games) + 1
        self._games[number] = (setup, [])
        return number

    def append(self, game: int, events: Sequence[Event]) -> None:
        stored = self._find(game)[1]
        check_versions(len(stored), events)
        stored.extend(events)

    def load(self, game: int) -> StoredGame:
        setup, events = self._find(game)
        return StoredGame(game, setup, tuple(events))

    def games(self, series: int | None = None, *, on_damage: OnDamage | None = None) -> Iterator[StoredGame]:
        for number, (setup, events) in self._games.items():
            if series is None or setup.series == series:
                yield StoredGame(number, setup, tuple(events))

    def results(
        self, on_damage: OnDamage | None = None, is_wanted: Callable[[str], bool] | None = None
    ) -> list[Result]:
        games = [game for game in self.games() if is_wanted is None or is_wanted(game.setup.game)]
        return [game.result for game in games if game.result is not None]

    def newest_games(
        self,
        before: int | None = None,
        *,
        is_over: bool | None = None,
        origin: str | None = None,
        visible_by: Collection[int] | None = None,
        game: str | None = None,
        players: Collection[str] = (),
        on_damage: OnDamage | None = None,
    ) -> Iterator[StoredGame]:
        wanted = set(map(fold_name, players))
        for one in reversed(list(self.games())):
            is_meant = is_over in (None, one.result is not None) and origin in (None, one.setup.origin)
            is_meant = is_meant and (visible_by is None or one.id in visible_by)
            is_of = game in (None, one.setup.game)
            is_theirs = not wanted or not wanted.isdisjoint(map(fold_name, one.setup.seats.values()))
            if is_meant and is_of and is_theirs and (before is None or one.id < before):
                yield one

    def add_series(self, setup: SeriesSetup) -> int:
        number = len(self._series) + 1
        self._series[number] = setup
        return number

    def end_series(self, series: int) -> None:
        self._ended.add(series)

    def all_open_series(self, on_damage: OnDamage | None = None) -> list[int]:
        return sorted(self._series.keys() - self._ended, reverse=True)

    def load_series(self, series: int) -> SeriesSetup:
        if series not in self._series:
            raise NotFound("series", series)
        return self._series[series]

    def close(self) -> None:
        pass

    def _find(self, game: int) -> tuple[Setup, list[Event]]:
        if game not in self._games:
            raise NotFound("record", game)
        return self._games[game]


class ThinkingHere:
    """A worker without a process: :meth:`ask` returns after the task has ended in the same thread.

    All progress is reported. Nothing can interrupt a task, so that patience has no effect. *on_message* is
    called before the caller has the result.
    """

    def __init__(self) -> None:
        self._memory: dict[object, Any] = {}
        self._is_closed = False

    def ask(self, task: Task, *arguments: Any, on_message: OnMessage, patience: float = inf) -> PendingResult:
        if self._is_closed:
            raise RuntimeError("the worker is closed")
        thought = PendingResult(on_message)
        desk = TaskContext(
            self._memory, thought.deliver, lambda: thought.should_end or self._is_closed, apart=0.0
        )
        answer = run_task(desk, lambda at: task(at, *arguments))
        if not self._is_closed:
            thought.deliver(answer)
        return thought

    def close(self) -> None:
        self._is_closed = True


def open_series(store: Store) -> tuple[int, SeriesSetup] | None:
    """Return the newest open series of *store*, with its setup."""
    newest = next(iter(store.all_open_series()), None)
    return None if newest is None else (newest, store.load_series(newest))
