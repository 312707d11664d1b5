"""The values that describe a room: its seats, its phase, its state as others see it."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from noughts.arena.match import Match
from noughts.arena.series import Result, Score
from noughts.arena.table import Terms

DAY = 24 * 60 * 60 * 1000

IDLE = {"waiting": DAY, "choosing": DAY, "playing": 7 * DAY, "over": DAY, "closed": DAY}
"""For how many milliseconds a room stays in which nothing happens and nobody is."""

MAX_GAMES = 500
"""So many games can be played in a room: all of them are read again where the room is not known."""


class Phase(StrEnum):
    """What a room is doing: ``waiting`` for somebody to sit down, for the ``choosing`` of a mark, ..."""

    WAITING = "waiting"
    CHOOSING = "choosing"
    PLAYING = "playing"
    OVER = "over"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class RoomEntry:
    """What somebody gets who opens or joins a room: its name, the place, and the secret that proves it.

    ``token`` is told once and kept as a hash only. ``code`` lets another in, where a seat is free. Who
    opened a room of computers has no place (None) and an empty token.
    """

    room: str
    place: int | None
    token: str
    code: str | None


@dataclass(frozen=True, slots=True)
class RoomView:
    """A room as it is at one version.

    ``names`` are by place, None where a seat is free; ``sides`` the marks by place in the present game;
    ``match`` is a private copy of the present game's, or of one that nobody has begun; ``game_id`` its
    number in the store, None before anything has happened in it. ``wishes`` are the places that wish for
    the next game, ``present`` those that are here, ``awaited`` those that are asked for something now.
    ``chooser`` is the place that chooses a mark, None while nothing is to be chosen. ``expires`` is when
    ``code`` ends; all times are milliseconds. ``is_public`` says whether everybody may see the present game
    once it has ended, and ``paused`` how far the time of the server is ahead of the match.
    """

    room: str
    version: int
    setup: Terms
    phase: Phase
    names: tuple[str | None, ...]
    sides: Mapping[int, str]
    match: Match
    game_id: int | None
    series_id: int | None
    results: tuple[Result, ...]
    scores: tuple[Score, ...]
    wishes: frozenset[int]
    present: frozenset[int]
    awaited: frozenset[int]
    chooser: int | None
    code: str | None
    expires: int | None
    is_public: bool = False
    paused: int = 0

    def instant(self, at: int) -> int:
        """Return the time of the match at the instant *at* of the server."""
        return at - self.paused

    @property
    def turn(self) -> int | None:
        """The place that is to move; None while no game goes on."""
        if self.phase is not Phase.PLAYING:
            return None
        return next(place for place, side in self.sides.items() if side == self.match.turn)


@dataclass(frozen=True, slots=True)
class Answered:
    """What a command led to: the room as it is, the version that the command made, whether it was known."""

    view: RoomView
    version: int
    is_repeated: bool = False


@dataclass(frozen=True, slots=True)
class RoomSeat:
    """Who sits somewhere: ``token`` is a hash, ``holder`` the worker that says they are here."""

    name: str
    token: str = ""
    holder: str | None = None


@dataclass(frozen=True, slots=True)
class RoomFacts:
    """What is kept of a room beside its table.

    ``acted`` is the last version that changed more than who is here, ``touched`` when anything happened.
    ``shared`` is the number of the game that a player made public last. ``begun_after`` is the number of the
    last jump of the server's time before the present game began, or before the room was opened;
    ``touched_after`` that of the last one before ``touched``.
    """

    seats: tuple[RoomSeat | None, ...]
    touched: int
    code: str | None = None
    expires: int | None = None
    acted: int = 1
    game_id: int | None = None
    is_closed: bool = False
    shared: int | None = None
    begun_after: int = 0
    touched_after: int = 0
