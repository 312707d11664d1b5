"""The interface of a store of games, and values that are computed from it.

A store holds, for each game, its setup and the events of its match. Everything else (results, scores, the
state of a series) is computed from those. Each game has a digest, chained over its events, which is checked
whenever the game is read.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Protocol

from noughts.arena.events import Event
from noughts.arena.series import Result, Series
from noughts.arena.setup import SeriesSetup, Setup
from noughts.arena.stored_game import StoredGame
from noughts.errors import DamagedStore, StaleVersion
from noughts.games.catalogue import new_game

OnDamage = Callable[[DamagedStore], object]
"""Called with the error of unreadable data, so that the rest can still be read."""


class Store(Protocol):
    """A store of games. When a method returns, its change is saved permanently."""

    def add_game(self, setup: Setup) -> int:
        """Save a new game and return its number."""

    def append(self, game: int, events: Sequence[Event]) -> None:
        """Save *events* of a game, all or none. Their versions must follow the saved ones."""

    def load(self, game: int) -> StoredGame:
        """Return a game.

        Raises :class:`~noughts.errors.NotFound` and :class:`~noughts.errors.DamagedStore`.
        """

    def games(self, series: int | None = None, *, on_damage: OnDamage | None = None) -> Iterator[StoredGame]:
        """Return all games, or those of a series, oldest first. For damage see :meth:`newest_games`."""

    def results(
        self, on_damage: OnDamage | None = None, is_wanted: Callable[[str], bool] | None = None
    ) -> list[Result]:
        """Return the results of all finished games, or of those with a name or spec that *is_wanted*.

        They are oldest first. For damage see :meth:`newest_games`.
        """

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
        """Yield the games, newest first, except those of tournaments. Only the games that are used are read.

        Each argument except *on_damage* is a filter:

        - *before*: only games with lower numbers
        - *is_over*: only finished games (True) or unfinished ones (False)
        - *origin*: only games with that origin
        - *visible_by*: only public games, and those with these numbers
        - *game*: only games with that name
        - *players*: only games with at least one of these players, in any spelling

        *on_damage* is called with the error of each damaged game, and the others follow. Without it the error
        is raised.
        """

    def add_series(self, setup: SeriesSetup) -> int:
        """Save a new series and return its number."""

    def end_series(self, series: int) -> None:
        """Mark a series as ended, so that it is not offered for resumption."""

    def all_open_series(self, on_damage: OnDamage | None = None) -> list[int]:
        """Return the numbers of all series that have not ended, newest first.

        For damage see :meth:`newest_games`.
        """

    def load_series(self, series: int) -> SeriesSetup:
        """Return the setup of a series."""

    def close(self) -> None:
        """Close the store."""


def check_versions(saved: int, events: Iterable[Event]) -> None:
    """Raise :class:`~noughts.errors.StaleVersion` unless *events* follow the first *saved* events."""
    for version, event in enumerate(events, saved + 1):
        if event.version != version:
            raise StaleVersion("events", f"version {event.version} after {version - 1}")


def resume_series(store: Store, series: int) -> Series:
    """Return the series after its finished games in *store*."""
    setup = store.load_series(series)
    results = [game.result for game in store.games(series)]
    marks = new_game(setup.game).sides
    return Series(setup.players, setup.begins, marks, [result for result in results if result is not None])
