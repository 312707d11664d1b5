"""What a store of games is, and what is recounted from it.

A store keeps, of each game, how it was set up and the events of its match. Everything else (results,
scores, where a series stands) is recounted from those. Each game carries a digest, chained over its
events, which is checked whenever the game is read.
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
"""Is told of what cannot be read, where the rest is wanted nevertheless."""


class Store(Protocol):
    """Keeps games. What a method has returned from is kept, whatever happens next."""

    def add_game(self, setup: Setup) -> int:
        """Keep a new game and return its number."""

    def append(self, game: int, events: Sequence[Event]) -> None:
        """Keep *events* of a game, all or none; their versions must follow those already kept."""

    def load(self, game: int) -> StoredGame:
        """Read a game; :class:`~noughts.errors.NotFound`, :class:`~noughts.errors.DamagedStore`."""

    def games(self, series: int | None = None, *, on_damage: OnDamage | None = None) -> Iterator[StoredGame]:
        """All games, or those of a series, oldest first; damage as in :meth:`newest_games`."""

    def results(
        self, on_damage: OnDamage | None = None, is_wanted: Callable[[str], bool] | None = None
    ) -> list[Result]:
        """The results of all finished games, or of those whose catalogue name or spec *is_wanted*.

        Oldest first; damage as in :meth:`newest_games`.
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
        """The games, newest first, for who wants only a few; without those of tournaments.

        Only those with numbers below *before*; where *is_over* is not None, only those that have ended, or
        only those that have not; where *origin* is not None, only those that were played there; where
        *visible_by* is not None, only public ones and those with these numbers; where *game* is not None,
        only those of that name; of *players*, in any spelling, at least one had a seat, where there are any.
        Of a damaged one *on_damage* is told, and the others follow; without it damage is raised.
        """

    def add_series(self, setup: SeriesSetup) -> int:
        """Keep a new series and return its number."""

    def end_series(self, series: int) -> None:
        """Say that nobody wants to go on with a series."""

    def all_open_series(self, on_damage: OnDamage | None = None) -> list[int]:
        """The numbers of all series that were not ended, newest first; damage as in :meth:`newest_games`."""

    def load_series(self, series: int) -> SeriesSetup:
        """Read how a series was set up."""

    def close(self) -> None:
        """Let go of the store."""


def check_versions(kept: int, events: Iterable[Event]) -> None:
    """Raise :class:`~noughts.errors.StaleVersion` unless *events* go on where *kept* events end."""
    for version, event in enumerate(events, kept + 1):
        if event.version != version:
            raise StaleVersion("events", f"version {event.version} after {version - 1}")


def resume_series(store: Store, series: int) -> Series:
    """The series as its finished games in *store* left it."""
    setup = store.load_series(series)
    results = [game.result for game in store.games(series)]
    marks = new_game(setup.game).sides
    return Series(setup.players, setup.begins, marks, [result for result in results if result is not None])
