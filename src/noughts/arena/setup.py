"""The setup of a game, and of a series: all facts about it before the first event."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from noughts.arena.clock import UNTIMED, Clock
from noughts.arena.events import Event
from noughts.arena.match import Match
from noughts.arena.series import Begins
from noughts.games.base import Game
from noughts.games.catalogue import new_game
from noughts.games.notation import parse_position
from noughts.games.openings import Opening, find_opening

LOCAL, ONLINE, TOURNAMENT = "local", "online", "tournament"
"""The origins of games: this machine, a room, a tournament."""


@dataclass(frozen=True, slots=True)
class Setup:
    """The setup of a game: all facts about it before the first event.

    ``game`` is a catalogue name or spec. ``start`` is a position, or None for the usual one. ``seats`` has
    the players by mark in turn order. ``who`` has the kind of each player by mark, ``human`` or a bot, so
    that an interrupted game can be resumed. ``created`` is in milliseconds since 1970. ``opening`` is the
    name of the protocol that settles the sides, or None. It may give the players other marks than ``seats``.
    ``origin`` is ``local``, ``online`` (in a room) or ``tournament``. A result is not counted if the game was
    played in a tournament, or started from a chosen position.

    ``old_who`` is the text of ``who`` in a game of an earlier version, and None in others. It also held the
    origin, and whether the game is counted. The digest of such a game covers it.
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
        """Return the setup of a game of an earlier version."""
        return cls(
            **facts,
            who={side: who for side, who in old_who.items() if side in facts["seats"]},
            origin=next((origin for origin in (TOURNAMENT, ONLINE) if origin in old_who), LOCAL),
            is_counted="uncounted" not in old_who,
            old_who=old_who,
        )

    def new_game(self) -> Game:
        """Return the game before its first move."""
        game = new_game(self.game, marks=tuple(self.seats))
        return game if self.start is None else parse_position(game, self.start)

    def replay(self, events: Iterable[Event], **settings: Any) -> Match:
        """Return the match of this game after *events*."""
        return Match.replay(
            self.new_game(), events, self.clock, opening=self.protocol, start=self.created, **settings
        )

    @property
    def protocol(self) -> Opening | None:
        """The protocol of the opening. Raises :class:`~noughts.errors.NotFound` for an unknown name."""
        return None if self.opening is None else find_opening(self.opening)


@dataclass(frozen=True, slots=True)
class SeriesSetup:
    """The setup of a series: its game, its players, and the assignment of marks."""

    game: str
    players: tuple[str, ...]
    begins: Begins
    created: int = 0
