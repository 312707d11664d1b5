"""The values that describe a room: its seats, its phase, and its public state."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from noughts.arena.clock import DAY
from noughts.arena.match import Match, swapped_sides
from noughts.arena.ratings.fairness import Unrated
from noughts.arena.ratings.glicko import GlickoRating
from noughts.arena.rooms.conditional import Line
from noughts.arena.rooms.phrases import SaidPhrase
from noughts.arena.seat_names import seat_name
from noughts.arena.series import Result, Score
from noughts.arena.table import Terms

IDLE = {"waiting": DAY, "choosing": DAY, "playing": 7 * DAY, "over": DAY, "closed": DAY}
"""The milliseconds after which an idle and empty room is removed, by phase."""

IDLE_BY_DAYS = IDLE | {"waiting": 14 * DAY, "choosing": 14 * DAY, "playing": 90 * DAY, "over": 14 * DAY}
"""The same for a room for games by days. There the clock ends a running game first."""

MAX_GAMES = 500
"""The maximum number of games in a room: all are read again if the room is not in memory."""

DELAY = 3
"""The number of moves of both sides by which watchers see a running rated game late."""


class Phase(StrEnum):
    """The phase of a room: ``waiting`` for players, ``choosing`` of a mark, and so on."""

    WAITING = "waiting"
    CHOOSING = "choosing"
    PLAYING = "playing"
    OVER = "over"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class RoomEntry:
    """The answer to opening or joining a room: its name, the place, and the secret that proves it.

    ``token`` is sent once and stored only as a hash. ``code`` lets a second player join, if a seat is free.
    For a room of computers ``place`` is None and the token empty.
    """

    room: str
    place: int | None
    token: str
    code: str | None


@dataclass(frozen=True, slots=True)
class SeatRating:
    """The rating of the player of a seat, and its change by the present game, or None before its end."""

    rating: GlickoRating
    change: int | None = None


@dataclass(frozen=True, slots=True)
class RoomView:
    """A room at one version, as clients see it.

    ``names`` are by place, None for a free seat. ``sides`` are the marks by place in the present game.
    ``match`` is a private copy of the present match, or a match that has not begun. ``game_id`` is its number
    in the store, None before its first event. ``wishes`` are the places that want the next game, ``present``
    the places of present players, and ``awaited`` the places that have to decide now. ``chooser`` is
    the place that chooses a mark, or None. ``expires`` is the end of ``code``. All times are milliseconds.
    ``is_public`` is True if all clients may see the present game after its end. ``paused`` is the time by
    which the server is ahead of the match. ``called`` has the present names of people with keys, by the
    texts that stand for them in ``names``. It is empty until they are looked up. So is ``ratings``, which has
    the ratings of the players of rated games by place. ``unrated`` is the reason for which the ended
    rated game changed no rating. ``delay`` is the number of moves by which the match is late, for a watcher.
    ``lines`` has the conditional moves of each place, which only the player of that place may see.
    ``said`` are the phrases of the present game, and ``phrases`` those that each place may say now.
    ``tokens`` are the hashes that prove the seats, which no client may see.
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
    called: Mapping[str, str] = field(default_factory=dict)
    ratings: Mapping[int, SeatRating] = field(default_factory=dict)
    unrated: Unrated | None = None
    delay: int = 0
    said: tuple[SaidPhrase, ...] = ()
    phrases: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    lines: Mapping[int, tuple[Line, ...]] = field(default_factory=dict)
    tokens: tuple[str | None, ...] = ()

    def instant(self, at: int) -> int:
        """Return the time of the match at the instant *at* of the server.

        For a watcher of a delayed match, it is the time of the last move.
        """
        return self.match.turn_began if self.delay else at - self.paused

    def for_watchers(self) -> "RoomView":
        """Return the room as readers without a seat see it.

        A rated game is late for them while it runs, so that no watcher can help a player.
        """
        if self.delay or not self.setup.rated or self.phase is not Phase.PLAYING:
            return self
        match, sides = self.match.earlier(DELAY), self.sides
        if match.standing.is_swapped != self.match.standing.is_swapped:
            places = swapped_sides({side: place for place, side in sides.items()})
            sides = {place: side for side, place in places.items()}
        return replace(self, match=match, sides=sides, delay=DELAY)

    def place_of(self, identity: int) -> int | None:
        """Return the place of the person with the key *identity*, or None without one."""
        name = seat_name(identity)
        return self.names.index(name) if name in self.names else None

    @property
    def time_ends(self) -> int | None:
        """The instant at which time ends the running game, or None if it cannot."""
        ends = self.match.time_ends if self.phase is Phase.PLAYING else None
        return None if ends is None else ends + self.paused

    @property
    def turn(self) -> int | None:
        """The place that is to move, or None if no game is being played."""
        if self.phase is not Phase.PLAYING:
            return None
        return next(place for place, side in self.sides.items() if side == self.match.turn)


@dataclass(frozen=True, slots=True)
class CommandReply:
    """The answer to a command: the room, the version that the command made, and if it was a repetition."""

    view: RoomView
    version: int
    is_repeated: bool = False


@dataclass(frozen=True, slots=True)
class RoomSeat:
    """A taken seat: ``token`` is a hash, ``holder`` the worker at which the player is present."""

    name: str
    token: str = ""
    holder: str | None = None


@dataclass(frozen=True, slots=True)
class RoomFacts:
    """The facts that are stored of a room besides its table.

    ``acted`` is the last version that changed more than the presence of players. ``touched`` is the time of
    the last change. ``shared`` is the number of the game that a player made public last. ``begun_after`` is
    the number of the last jump of the server's time before the present game began, or before the room was
    opened. ``touched_after`` is the number of the last jump before ``touched``. ``said`` are the phrases that
    players have said in the present game. ``lines`` has the conditional moves of places in it.
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
    said: tuple[SaidPhrase, ...] = ()
    lines: Mapping[int, tuple[Line, ...]] = field(default_factory=dict)
