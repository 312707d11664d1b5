"""A local table: one whose games are kept as they are played."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from noughts.arena.clock import UNTIMED, Clock
from noughts.arena.commands import Command, Leave, Return
from noughts.arena.events import Event
from noughts.arena.series import Series
from noughts.arena.setup import ONLINE, SeriesSetup, Setup
from noughts.arena.store.store import OnDamage, Store, resume_series
from noughts.arena.stored_game import StoredGame, record_of
from noughts.arena.table import HUMAN, Table, Terms
from noughts.errors import DamagedStore, NotFound, NoughtsError, StaleVersion, StoreError
from noughts.records.record import Record

WhenRefused = Callable[[NoughtsError, StoredGame], None]
"""Is told why the store refuses a move, and the game with it; what it raises ends the trying."""


def _raise(error: NoughtsError, _: StoredGame) -> None:
    raise error


class LocalTable(Table):
    """A table whose games, one or a series, are kept in a store before they count.

    *who* says of each player of *series*, by name, whether a ``human`` or which bot it is. The starts of the
    games are decided by *seed*; with *start* they begin from that position, and do not count. Without a store
    nothing is kept. All times are milliseconds since 1970. If the store refuses what has happened,
    ``when_refused`` is called, and it is tried again; by default the error is raised.

    >>> from noughts.arena.commands import Resign
    >>> series = Series(("Ada", "Wei"))
    >>> table = LocalTable(None, "tictactoe", series, {"Ada": "human", "Wei": "rule"})
    >>> table.begin(at=0).seats, table.who_of["O"]
    ({'X': 'Ada', 'O': 'Wei'}, 'rule')
    >>> table.apply("O", Resign(), at=10)[-1].data["winner"], series.scores()[0].wins
    ('X', 1)
    """

    def __init__(
        self,
        store: Store | None,
        game: str,
        series: Series,
        who: Mapping[str, str],
        *,
        seed: int = 0,
        clock: Clock = UNTIMED,
        opening: str | None = None,
        start: str | None = None,
        is_series: bool = False,
    ) -> None:
        kinds = tuple(who[name] for name in series.players)
        terms = Terms(game, kinds, series.begins, clock, claim_after=0, opening=opening, start=start)
        super().__init__(terms, series, seed=seed)
        self.store, self.is_series = store, is_series
        self.when_refused: WhenRefused = _raise
        self.number: int | None = None
        self._events: list[Event] = []
        self._pause = 0

    @classmethod
    def resume(cls, store: Store, stored: StoredGame, at: int, seed: int = 0) -> "LocalTable":
        """Go on, at the instant *at*, with a kept game and its series, or with the series it was part of.

        Raises what the store raises, and :class:`~noughts.errors.DamagedStore` for a game that cannot be
        replayed, or whose players are not those of its series.
        """
        setup, result = stored.setup, stored.result
        if setup.series is not None:
            series = resume_series(store, setup.series)
        else:
            results = [] if result is None else [result]
            series = Series(tuple(setup.seats.values()), marks=tuple(setup.seats), results=results)
        who = {name: setup.who.get(mark, HUMAN) for mark, name in setup.seats.items()}
        if set(who) != set(series.players):
            raise DamagedStore(f"game {stored.id}", "game-unreadable", game=stored.id)
        terms: dict[str, Any] = {"clock": setup.clock, "opening": setup.opening}
        terms["start"] = None if setup.is_counted else setup.start
        table = cls(store, setup.game, series, who, seed=seed, **terms)
        table.series_number, table.is_series = setup.series, setup.series is not None
        if result is None:
            table.match, table.setup, table.number = stored.replay(), setup, stored.id
            table._events = list(stored.events)
            table._pause = at - (stored.events[-1].at if stored.events else setup.created)
        return table

    @property
    def record(self) -> Record:
        """The record of the present game, with its date and what its clocks showed."""
        return record_of(self._with(()))

    def begin(self, at: int, choice: str | None = None) -> Setup:
        """As any table's; raises what the store raises too, and then nothing has changed."""
        setup = super().begin(at, choice)
        self.number, self._events, self._pause = None, [], 0
        return setup

    def _number_series(self, at: int) -> int | None:
        if self.is_series and self.store is not None and self.series_number is None:
            facts = SeriesSetup(self.terms.game, self.series.players, self.series.begins, at)
            self.series_number = self.store.add_series(facts)
        return self.series_number

    def instant(self, at: int) -> int:
        """The instant *at* on the clock of the match, which stood still while the game was adjourned."""
        return at - self._pause

    def apply(self, side: str, command: Command, at: int) -> list[Event]:
        """Carry *command* of *side* out in the match at the instant *at*; what happened is kept and returned.

        Raises what the match refuses it with, what ``when_refused`` raises, and what the store raises if the
        game has gone on elsewhere; then the match is as it was.
        """
        return super().apply(side, command, self.instant(at))

    def _save(self, events: Sequence[Event]) -> None:
        happened = self._with(events)
        try:
            while self.store is not None:
                try:
                    # Only once something has happened is there a game: to look at one leaves no row.
                    if self.number is None:
                        self.number = self.store.add_game(happened.setup)
                    self.store.append(self.number, events)
                    break
                except StaleVersion:
                    raise
                except (StoreError, NotFound) as error:
                    self.when_refused(error, replace(happened, id=self.number or 0))
        except BaseException:  # also of who does not want to wait any longer
            self.match = happened.setup.replay(self._events)
            raise
        self._events.extend(events)

    def _with(self, events: Sequence[Event]) -> StoredGame:
        """The present game as it is kept, and *events*."""
        if self.setup is None:
            raise AssertionError("no game was begun")
        return StoredGame(self.number or 0, self.setup, [*self._events, *events])

    def read_back(self) -> None:
        """Raise what the store raises where the present game is not there as it was kept."""
        if self.store is not None and self.number is not None:
            self.store.load(self.number)

    def adjourn(self, at: int) -> None:
        """Put the present game by, to go on later: what was used of the move in hand is kept.

        Raises what the store raises, also where the game is not to be found there any more.
        """
        if self.store is None or self.number is None or self.match is None:
            return
        self.when_refused = _raise  # whoever leaves waits for nothing
        side = self.match.turn
        if self.match.time_left(side, at) is None:
            self.read_back()
        else:  # where the game goes on, time does so from the last event
            for command in (Leave(), Return()):
                self.apply(side, command, at)

    def end(self) -> None:
        """Say that nobody wants to go on with the series."""
        if self.store is not None and self.series_number is not None:
            self.store.end_series(self.series_number)


# What can be gone on with

MAX_LOOKED_AT = 200
"""So many games that have not ended are looked at: there may be thousands in rooms that nobody visits."""

MAX_PAUSED = 50
"""So many series, the newest, are looked at for games between which they were interrupted."""


def newest_of_people(store: Store) -> StoredGame | None:
    """The newest kept game that a person played in, other than in a room, where it goes on by itself."""
    return next(filter(_is_of_people, store.newest_games()), None)


def unfinished_of_people(store: Store, on_damage: OnDamage | None = None) -> list[StoredGame]:
    """What people can go on with, newest first.

    Those are games that have not ended, unless their series was, and of series that were interrupted
    between two games the last game. Of what is damaged *on_damage* is told, and the rest is found all the
    same; without it that is raised, as is all else that the store raises.
    """
    going_on = store.all_open_series(on_damage)
    playing = [
        game
        for game in islice(store.newest_games(is_over=False, on_damage=on_damage), MAX_LOOKED_AT)
        if _is_of_people(game) and game.setup.series in (None, *going_on)
    ]
    with_game = {game.setup.series for game in playing}
    paused = [series for series in going_on[:MAX_PAUSED] if series not in with_game]
    last = [game for series in paused for game in _last_of(store, series, on_damage) if _is_of_people(game)]
    return sorted((*playing, *last), key=lambda game: game.id, reverse=True)


def has_hardly_begun(store: Store, stored: StoredGame) -> bool:
    """Return True for an unfinished game of at most one event, unless its series has an earlier game."""
    if stored.result is not None or len(stored.events) > 1:
        return False  # looking at the series takes time
    if (series := stored.setup.series) is None:
        return True
    try:
        return next(iter(store.games(series))).id == stored.id
    except DamagedStore:
        return False  # another game of the series is damaged


def _last_of(store: Store, series: int, on_damage: OnDamage | None) -> list[StoredGame]:
    """The last game of *series*, if there is one."""
    try:
        return list(store.games(series))[-1:]
    except DamagedStore as damage:
        if on_damage is None:
            raise
        on_damage(damage)
        return []


def _is_of_people(stored: StoredGame) -> bool:
    """Whether a person played in *stored*, other than in a room, where it goes on by itself."""
    return HUMAN in stored.setup.who.values() and stored.setup.origin != ONLINE


def can_go_on(store: Store, stored: StoredGame) -> bool:
    """Whether *stored* can be gone on with: it has not ended, or the series it was part of has not."""
    return stored.result is None or is_series_open(store, stored)


def is_series_open(store: Store, stored: StoredGame) -> bool:
    """Whether *stored* was part of a series that was not ended."""
    return stored.setup.series in store.all_open_series()
