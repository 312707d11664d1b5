"""What a store of games is, and what is recounted from it.

A store keeps, of each game, how it was set up and the events of its match. Everything else (results,
scores, where a series stands) is recounted from those. Each game carries a digest, chained over its
events, which is checked whenever the game is read.
"""

import hashlib
import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from itertools import zip_longest
from typing import Any, Final, Protocol, TypeVar

from noughts.arena.clock import UNTIMED, Clock
from noughts.arena.events import Event, EventKind
from noughts.arena.match import Match, Seated, exchanged
from noughts.arena.series import Begins, Result, Series
from noughts.errors import (
    BadInput,
    DamagedStore,
    GameBroken,
    NotFound,
    StaleVersion,
    UnknownGame,
    UnknownOpening,
    UnsupportedRules,
    UnusableGame,
)
from noughts.games.base import Game
from noughts.games.catalogue import new_game
from noughts.games.notation import parse_position
from noughts.games.openings import PUT, SWAP, Opening, find_opening
from noughts.records.record import Record

Fact = TypeVar("Fact", str, int)


LOCAL, ONLINE, TOURNAMENT = "local", "online", "tournament"
"""The origins of games: this machine, a room, a tournament."""

PUBLIC: Final = "public"
BY_LINK: Final = "link"
"""The visibility of a game on a server: to everybody, or only to people who have its link."""


@dataclass(frozen=True, slots=True)
class Setup:
    """How a game was set up: everything about it before the first event.

    ``game`` is a catalogue name or spec, ``start`` a position or None for the usual one, ``seats`` the
    players by mark in turn order, ``who`` says of each mark whether a ``human`` or which bot had it (so
    that an interrupted game can go on), ``created`` is in milliseconds since 1970. ``opening`` is the name of
    the protocol by which sides are settled, None for none: it may give the players other marks than these.
    ``origin`` is ``local``, ``online`` (in a room) or ``tournament``. A result is not counted if the game was
    played in a tournament, or started from a position that somebody chose.

    ``old_who`` is the text of ``who`` in a game of an earlier version, and None in others. It also held the
    origin, and if the game is not counted; the digest of such a game covers it.
    """

    game: str
    seats: Mapping[str, str]
    start: str | None = None
    clock: Clock = UNTIMED
    series: int | None = None
    created: int = 0
    who: Mapping[str, str] = field(default_factory=dict)
    opening: str | None = None
    origin: str = LOCAL
    is_counted: bool = True
    old_who: Mapping[str, str] | None = None

    @classmethod
    def of_earlier_version(cls, old_who: Mapping[str, str], **facts: Any) -> "Setup":
        """The setup of a game of an earlier version."""
        return cls(
            **facts,
            who={side: who for side, who in old_who.items() if side in facts["seats"]},
            origin=next((origin for origin in (TOURNAMENT, ONLINE) if origin in old_who), LOCAL),
            is_counted="uncounted" not in old_who,
            old_who=old_who,
        )

    def new_game(self) -> Game:
        """The game before its first move."""
        game = new_game(self.game, marks=tuple(self.seats))
        return game if self.start is None else parse_position(game, self.start)

    def replay(self, events: Iterable[Event], **settings: Any) -> Match:
        """The match of this game that *events* tell of."""
        return Match.replay(
            self.new_game(), events, self.clock, opening=self.protocol, start=self.created, **settings
        )

    @property
    def protocol(self) -> Opening | None:
        """The protocol of the opening; :class:`~noughts.errors.NotFound` where there is none of that name."""
        return None if self.opening is None else find_opening(self.opening)


def result_of(seats: Mapping[str, str], end: Event, *, is_swapped: bool = False) -> Result:
    """The result that the last event of a match tells; *seats* are those of the end."""
    winner, loser = end.data["winner"], end.side
    return Result(
        seats,
        winner,
        end.data["termination"],
        loser if winner is None else None,
        end.data.get("reason"),
        is_swapped,
    )


@dataclass(frozen=True, slots=True)
class Access:
    """The visibility of a game on a server.

    ``visibility`` is ``public`` or ``link``; ``link`` is the SHA-256 of the secret in its link, None for a
    game without one. Any other visibility, as of a damaged row, counts as ``link``.
    """

    visibility: str = BY_LINK
    link: str | None = None

    @property
    def is_public(self) -> bool:
        """Whether everybody may see the game."""
        return self.visibility == PUBLIC


PRIVATE = Access()
"""The access to a game that no link opens."""


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A game as it was read: its number, its setup, its events in order, and its digest where it has one.

    ``access`` says who may see it on a server. The digest does not cover it, since a share changes it later.
    """

    id: int
    setup: Setup
    events: Sequence[Event] = field(default_factory=tuple)
    digest: str = field(default="", compare=False)
    source: Record | None = field(default=None, compare=False)
    """The record that the game was read from, with all that no event holds; None for a game of a store."""
    access: Access = field(default=PRIVATE, compare=False)

    def replay(self) -> Match:
        """The match as its events left it; :class:`~noughts.errors.DamagedStore` where they tell of none."""
        try:
            return self.setup.replay(self.events)
        except NotFound as error:
            if error.what == "opening":
                raise UnknownOpening(f"game {self.id}", self.setup.game, str(error.name)) from error
            raise UnknownGame(f"game {self.id}", self.setup.game) from error
        except GameBroken as fault:
            raise UnusableGame(f"game {self.id}", fault) from fault
        except (LookupError, TypeError, BadInput, UnsupportedRules) as error:
            raise DamagedStore(f"game {self.id}", "game-unreadable", game=self.id) from error

    def answers(self) -> dict[int, str]:
        """What was answered in the opening, by the number of marks that stood, and not taken back."""
        ply, answers = 0, dict[int, str]()
        for event in self.events if self.setup.opening is not None else ():
            if event.kind is EventKind.MOVE:
                ply += 1
            elif event.kind is EventKind.CHOICE:
                answers[ply] = self.fact(event, "choice", str, (SWAP, PUT).__contains__)
            elif event.kind is EventKind.TAKEBACK:
                ply = self.fact(event, "ply", int, (0).__le__)
                answers = {at: answer for at, answer in answers.items() if at < ply}
        return answers

    def fact(
        self, event: Event, name: str, kind: type[Fact], is_sound: Callable[[Fact], bool] = lambda told: True
    ) -> Fact:
        """What *event* tells as *name*; :class:`~noughts.errors.DamagedStore` where that cannot be."""
        told = event.data.get(name)
        if type(told) is not kind or not is_sound(told):
            raise DamagedStore(f"game {self.id}", "game-unreadable", game=self.id)
        return told

    @property
    def is_swapped(self) -> bool:
        """Whether the opening has exchanged the sides."""
        return sum(1 for _ in self.answers()) % 2 == 1

    def held(self, seats: Mapping[str, Seated]) -> dict[str, Seated]:
        """What belongs to each side in the end, of *seats*, which belonged to it in the beginning."""
        return exchanged(seats) if self.is_swapped else dict(seats)

    @property
    def players(self) -> dict[str, str]:
        """Who had which side in the end."""
        return self.held(self.setup.seats)

    @property
    def kinds(self) -> dict[str, str]:
        """Whether a ``human`` or which bot had which side in the end, where that is known."""
        kinds = self.held({side: self.setup.who.get(side) for side in self.setup.seats})
        return {side: who for side, who in kinds.items() if who is not None}

    @property
    def result(self) -> Result | None:
        """The result, None for a game that has not ended."""
        if not self.events or self.events[-1].kind is not EventKind.END:
            return None
        end = self.events[-1]
        winner, why = end.data.get("winner"), end.data.get("termination")
        if winner not in (None, *self.setup.seats) or not isinstance(why, str):
            raise DamagedStore(f"game {self.id}", "game-unreadable", game=self.id)
        return result_of(self.players, end, is_swapped=self.is_swapped)


@dataclass(frozen=True, slots=True)
class SeriesSetup:
    """How a series was set up."""

    game: str
    players: tuple[str, ...]
    begins: Begins
    created: int = 0


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


def moves_of(stored: StoredGame) -> list[tuple[str, int | None]]:
    """The moves of *stored* that were not taken back, as text, with the clock after each."""
    moves: list[tuple[str, int | None]] = []
    for event in stored.events:
        if event.kind is EventKind.MOVE:
            moves.append((stored.fact(event, "move", str), event.data.get("left")))
        elif event.kind is EventKind.TAKEBACK:
            del moves[stored.fact(event, "ply", int, (0).__le__) :]
    return moves


def record_of(stored: StoredGame) -> Record:
    """The record of *stored*: the moves that were not taken back, with the clocks, and how it ended.

    Raises :class:`~noughts.errors.NotationError` where the events are not those of a game, and
    :class:`~noughts.errors.DamagedStore` where they lack what such events tell.
    """
    if stored.source is not None:
        return stored.source
    moves = moves_of(stored)
    setup, result = stored.setup, stored.result
    day = datetime.fromtimestamp(setup.created / 1000, UTC).date()
    return Record(
        game=setup.game,
        players=stored.players,
        start=setup.start,
        moves=[text for text, _ in moves],
        winner=None if result is None else result.winner,
        termination=None if result is None else result.termination,
        clocks=[left for _, left in moves],
        headers={"date": str(day)} if setup.created else {},
        opening=opening_of(stored, len(moves)),
    )


def opening_of(stored: StoredGame, ply: int) -> dict[str, Any] | None:
    """The opening of *stored* as a record has it, *ply* moves having been made; None where there was none."""
    protocol, seats = stored.setup.protocol, stored.setup.seats
    if protocol is None:
        return None
    choices = protocol.choices(ply, stored.answers(), *seats.values())
    return {"protocol": protocol.name, "choices": choices}


def stored_of(record: Record) -> StoredGame:
    """*record* as if it had been read from a store, so that what shows kept games shows it. Its number is 0.

    A side whose player is not known is called by its mark.
    """
    seats = {side: name or side for side, name in record.players.items()}
    answers, protocol = record.answers(), None if record.opening is None else record.opening["protocol"]
    who = dict.fromkeys(seats, "human")
    begun = exchanged(seats) if len(answers) % 2 else seats
    setup = Setup(record.game, begun, record.start, who=who, opening=protocol)
    match = setup.replay(())
    events: list[Event] = []

    def happen(kind: EventKind, data: dict[str, Any]) -> None:
        events.append(Event(len(events) + 1, 0, kind, match.turn, data))
        match.apply_event(events[-1])

    for ply, (text, left) in enumerate(zip_longest(record.moves, record.clocks)):
        if ply in answers:
            happen(EventKind.CHOICE, {"choice": answers[ply]})
        happen(EventKind.MOVE, {"move": text} if left is None else {"move": text, "left": left})
    if len(record.moves) in answers:
        happen(EventKind.CHOICE, {"choice": answers[len(record.moves)]})
    if record.termination is not None:
        others = [side for side in seats if side != record.winner]
        loser = others[0] if record.winner is not None and len(others) == 1 else None
        ended = {"winner": record.winner, "termination": record.termination}
        by_rules = match.game.outcome is not None
        events.append(Event(len(events) + 1, 0, EventKind.END, None if by_rules else loser, ended))
    return StoredGame(0, setup, events, source=record)


# The digest: SHA-256 over the setup, then over the digest so far and each event.


def digest_setup(setup: Setup) -> str:
    """The digest of a game without events."""
    facts = {**asdict(setup), "seats": list(setup.seats.items())}
    old_who = facts.pop("old_who")
    if old_who is not None:  # its digest covers what there was
        del facts["origin"], facts["is_counted"]
        facts["who"] = old_who
        if setup.opening is None:
            del facts["opening"]
    return digest_of(facts)


def digest_events(digest: str, events: Iterable[Event]) -> str:
    """The digest of a game after *events*, from the one before them."""
    for event in events:
        row = [event.version, event.at, str(event.kind), event.side, dict(event.data)]
        digest = _sha256(digest + canonical_json(row))
    return digest


def canonical_json(value: Any) -> str:
    """JSON that is the same for the same value: sorted keys, no blanks, ASCII."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def digest_of(value: Any) -> str:
    """The SHA-256 of *value* as canonical JSON."""
    return _sha256(canonical_json(value))


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("ascii")).hexdigest()
