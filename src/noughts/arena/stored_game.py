"""A stored game: its setup and its events, from which its result and its record are computed."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import zip_longest
from typing import Any, Final, TypeVar

from noughts.arena.events import Event, EventKind
from noughts.arena.match import Match, Seated, swapped_sides
from noughts.arena.seat_names import present_names, seat_number
from noughts.arena.series import Result, result_of
from noughts.arena.setup import Setup
from noughts.errors import (
    BadInput,
    DamagedStore,
    GameBroken,
    NotFound,
    UnknownGame,
    UnknownOpening,
    UnsupportedRules,
    UnusableGame,
)
from noughts.games.openings import PUT, SWAP
from noughts.records.record import Record

Fact = TypeVar("Fact", str, int)

PUBLIC: Final = "public"
BY_LINK: Final = "link"
"""The visibility of a game on a server: for all clients, or only for people with its link."""


@dataclass(frozen=True, slots=True)
class Access:
    """The visibility of a game on a server.

    ``visibility`` is ``public`` or ``link``. ``link`` is the SHA-256 of the secret in its link, None for a
    game without one. Any other visibility, as of a damaged row, counts as ``link``.
    """

    visibility: str = BY_LINK
    link: str | None = None

    @property
    def is_public(self) -> bool:
        """True if all clients may see the game."""
        return self.visibility == PUBLIC


PRIVATE = Access()
"""The access to a game that no link opens."""


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A game that was read: its number, setup, events in order, and its digest if it has one.

    ``access`` is its visibility on a server. The digest does not cover it, since sharing changes it later.
    """

    id: int
    setup: Setup
    events: Sequence[Event] = field(default_factory=tuple)
    digest: str = field(default="", compare=False)
    source: Record | None = field(default=None, compare=False)
    """The record from which the game was read, with its other facts, or None for a game of a store."""
    access: Access = field(default=PRIVATE, compare=False)
    called: Mapping[str, str] = field(default_factory=dict, compare=False)
    """The present names of people with keys, by the texts that stand for them in the seats."""

    def replay(self) -> Match:
        """Return the match after the events.

        Raises :class:`~noughts.errors.DamagedStore` if the events are not those of a match.
        """
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
        """Return the answers in the opening that were not taken back, by the number of marks on the board."""
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
        self, event: Event, name: str, kind: type[Fact], is_sound: Callable[[Fact], bool] = lambda value: True
    ) -> Fact:
        """Return the field *name* of *event*. Raises :class:`~noughts.errors.DamagedStore` if unsound."""
        value = event.data.get(name)
        if type(value) is not kind or not is_sound(value):
            raise DamagedStore(f"game {self.id}", "game-unreadable", game=self.id)
        return value

    @property
    def is_swapped(self) -> bool:
        """True if the opening has exchanged the sides."""
        return sum(1 for _ in self.answers()) % 2 == 1

    def by_side(self, seats: Mapping[str, Seated]) -> dict[str, Seated]:
        """Return *seats* with the sides of the end as keys.

        In *seats* the keys are the sides of the start.
        """
        return swapped_sides(seats) if self.is_swapped else dict(seats)

    @property
    def players(self) -> dict[str, str]:
        """The player of each side at the end, by the present name."""
        names = present_names(tuple(self.setup.seats.values()), self.called)
        return self.by_side(dict(zip(self.setup.seats, names, strict=True)))

    @property
    def identities(self) -> dict[str, int | None]:
        """The number of the person with a key on each side at the end, or None for any other player."""
        return self.by_side({side: seat_number(name) for side, name in self.setup.seats.items()})

    @property
    def kinds(self) -> dict[str, str]:
        """The kind of the player of each side at the end, ``human`` or a bot, if it is known."""
        kinds = self.by_side({side: self.setup.who.get(side) for side in self.setup.seats})
        return {side: who for side, who in kinds.items() if who is not None}

    @property
    def result(self) -> Result | None:
        """The result, or None for a game that has not ended.

        It names people with keys by the texts that stand for them.
        """
        if not self.events or self.events[-1].kind is not EventKind.END:
            return None
        end = self.events[-1]
        winner, why = end.data.get("winner"), end.data.get("termination")
        if winner not in (None, *self.setup.seats) or not isinstance(why, str):
            raise DamagedStore(f"game {self.id}", "game-unreadable", game=self.id)
        return result_of(self.by_side(self.setup.seats), end, is_swapped=self.is_swapped)


def moves_of(stored: StoredGame) -> list[tuple[str, int | None]]:
    """Return the moves of *stored* that were not taken back, as text, with the clock after each."""
    moves: list[tuple[str, int | None]] = []
    for event in stored.events:
        if event.kind is EventKind.MOVE:
            moves.append((stored.fact(event, "move", str), event.data.get("left")))
        elif event.kind is EventKind.TAKEBACK:
            del moves[stored.fact(event, "ply", int, (0).__le__) :]
    return moves


def record_of(stored: StoredGame) -> Record:
    """Return the record of *stored*: the moves that were not taken back, the clocks, and the result.

    Raises :class:`~noughts.errors.NotationError` if the events are not those of a game, and
    :class:`~noughts.errors.DamagedStore` if an event lacks a field.
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
    """Return the opening of *stored* in the form of a record after *ply* moves, or None."""
    protocol, seats = stored.setup.protocol, stored.setup.seats
    if protocol is None:
        return None
    choices = protocol.choices(ply, stored.answers(), *seats.values())
    return {"protocol": protocol.name, "choices": choices}


def stored_of(record: Record) -> StoredGame:
    """Return *record* as a stored game with the number 0, so that code for stored games can show it.

    A side without a known player gets its mark as the name.
    """
    seats = {side: name or side for side, name in record.players.items()}
    answers, protocol = record.answers(), None if record.opening is None else record.opening["protocol"]
    who = dict.fromkeys(seats, "human")
    begun = swapped_sides(seats) if len(answers) % 2 else seats
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
