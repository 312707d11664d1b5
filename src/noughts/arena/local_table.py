"""A local table: a table that saves its games while they are played."""

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
"""Called with the error of a store that refuses an event, and with the game. An error that it raises ends the
attempts to save.
"""


def _raise(error: NoughtsError, _: StoredGame) -> None:
    raise error


class LocalTable(Table):
    """A table whose games, one or a series, are saved in a store before they count.

    *who* has the kind of each player of *series* by name: ``human`` or the name of a bot. *seed* decides the
    starts of the games. With *start* they begin from that position, and do not count. Without a store nothing
    is saved. All times are milliseconds since 1970. If the store refuses an event, ``when_refused`` is
    called, and saving is tried again. By default the error is raised.

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
        """Resume, at the instant *at*, a saved game and its series, or the series of a finished game.

        Raises the errors of the store, and :class:`~noughts.errors.DamagedStore` for a game that cannot be
        replayed, or has other players than its series.
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
        """The record of the present game, with its date and the times on its clocks."""
        return record_of(self._stored_with(()))

    def begin(self, at: int, choice: str | None = None) -> Setup:
        """Set up the next game.

        Raises the errors of the store. Nothing changes then.
        """
        setup = super().begin(at, choice)
        self.number, self._events, self._pause = None, [], 0
        return setup

    def _number_series(self, at: int) -> int | None:
        if self.is_series and self.store is not None and self.series_number is None:
            facts = SeriesSetup(self.terms.game, self.series.players, self.series.begins, at)
            self.series_number = self.store.add_series(facts)
        return self.series_number

    def instant(self, at: int) -> int:
        """Return the instant *at* on the clock of the match, which stops while the game is adjourned."""
        return at - self._pause

    def time_left(self, side: str, at: int) -> int | None:
        return super().time_left(side, self.instant(at))

    def apply(self, side: str, command: Command, at: int) -> list[Event]:
        """Execute *command* of *side* at the instant *at*. Save and return the events.

        Raises the error with which the match refuses the command, the errors of ``when_refused``, and the
        store's error if the game was continued elsewhere. The match is unchanged then.
        """
        return super().apply(side, command, self.instant(at))

    def _save(self, events: Sequence[Event]) -> None:
        happened = self._stored_with(events)
        try:
            while self.store is not None:
                try:
                    # A game gets a row with its first event: opening a table must not leave empty games.
                    if self.number is None:
                        self.number = self.store.add_game(happened.setup)
                    self.store.append(self.number, events)
                    break
                except StaleVersion:
                    raise
                except (StoreError, NotFound) as error:
                    self.when_refused(error, replace(happened, id=self.number or 0))
        except BaseException:  # also KeyboardInterrupt, if a person does not want to wait any longer
            self.match = happened.setup.replay(self._events)
            raise
        self._events.extend(events)

    def _stored_with(self, events: Sequence[Event]) -> StoredGame:
        """Return the present game as it is saved, with *events* added."""
        if self.setup is None:
            raise AssertionError("no game has begun")
        return StoredGame(self.number or 0, self.setup, [*self._events, *events])

    def read_back(self) -> None:
        """Raise the store's error if the present game is not in the store as it was saved."""
        if self.store is not None and self.number is not None:
            self.store.load(self.number)

    def adjourn(self, at: int) -> None:
        """Adjourn the present game, and save the time that was used for the unfinished move.

        Raises the errors of the store, also if the game is not in the store any more.
        """
        if self.store is None or self.number is None or self.match is None:
            return
        self.when_refused = _raise  # leaving does not wait for the store
        side = self.match.turn
        if self.match.time_left(side, at) is None:
            self.read_back()
        else:  # a resumed game continues with the time of its last event
            for command in (Leave(), Return()):
                self.apply(side, command, at)

    def end(self) -> None:
        """End the series, so that it is not offered for resumption."""
        if self.store is not None and self.series_number is not None:
            self.store.end_series(self.series_number)


# Unfinished games

MAX_UNFINISHED = 200
"""The maximum number of unfinished games that are searched: rooms may leave thousands."""

MAX_PAUSED = 50
"""The maximum number of series, newest first, that are searched for an interruption between two games."""


def newest_human_game(store: Store) -> StoredGame | None:
    """Return the newest saved game of a person, except games in rooms, which continue in their rooms."""
    return next(filter(_is_human_game, store.newest_games()), None)


def unfinished_human_games(store: Store, on_damage: OnDamage | None = None) -> list[StoredGame]:
    """Return the games that people can resume, newest first.

    They are unfinished games, except those of ended series, and the last games of series that were
    interrupted between two games. *on_damage* is called with the error of damaged games, and the others are
    still returned. Without it the error is raised, as are all other errors of the store.
    """
    going_on = store.all_open_series(on_damage)
    playing = [
        game
        for game in islice(store.newest_games(is_over=False, on_damage=on_damage), MAX_UNFINISHED)
        if _is_human_game(game) and game.setup.series in (None, *going_on)
    ]
    with_game = {game.setup.series for game in playing}
    paused = [series for series in going_on[:MAX_PAUSED] if series not in with_game]
    last = [game for series in paused for game in _last_of(store, series, on_damage) if _is_human_game(game)]
    return sorted((*playing, *last), key=lambda game: game.id, reverse=True)


def is_barely_started(store: Store, stored: StoredGame) -> bool:
    """Return True for an unfinished game of at most one event, unless its series has an earlier game."""
    if stored.result is not None or len(stored.events) > 1:
        return False  # Reading the series takes time.
    if (series := stored.setup.series) is None:
        return True
    try:
        return next(iter(store.games(series))).id == stored.id
    except DamagedStore:
        return False  # another game of the series is damaged


def _last_of(store: Store, series: int, on_damage: OnDamage | None) -> list[StoredGame]:
    """Return a list of the last game of *series*, or an empty list."""
    try:
        return list(store.games(series))[-1:]
    except DamagedStore as damage:
        if on_damage is None:
            raise
        on_damage(damage)
        return []


def _is_human_game(stored: StoredGame) -> bool:
    """Return True if a person played in *stored*, and not in a room."""
    return HUMAN in stored.setup.who.values() and stored.setup.origin != ONLINE


def can_resume(store: Store, stored: StoredGame) -> bool:
    """Return True if *stored* can be resumed: the game or its series has not ended."""
    return stored.result is None or is_series_open(store, stored)


def is_series_open(store: Store, stored: StoredGame) -> bool:
    """Return True if *stored* belongs to a series that has not ended."""
    return stored.setup.series in store.all_open_series()
