"""The events of a match as values: moves, choices, offers, and ends that the rules of a game do not have."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class MatchEnd(StrEnum):
    """Why a match ended other than by the rules of its game."""

    RESIGNATION = "resignation"
    AGREEMENT = "agreement"
    TIME = "time"
    ABANDONMENT = "abandonment"
    FORFEIT = "forfeit"
    ADJUDICATION = "adjudication"
    ABORTED = "aborted"
    """A player called the game off, or made no first move in time. The game does not count."""
    BROKEN = "broken"
    """The package of the game broke the contract. The game does not count."""


class EventKind(StrEnum):
    """The kinds of events of a match."""

    MOVE = "move"
    CHOICE = "choice"
    OFFER = "offer"
    ACCEPT = "accept"
    DECLINE = "decline"
    TAKEBACK = "takeback"
    AWAY = "away"
    BACK = "back"
    PAUSE = "pause"
    RESUME = "resume"
    END = "end"


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened: the ``version``-th event of its match, at a time in milliseconds.

    ``data`` holds values that JSON can hold. A move has ``move`` (text) and ``left`` (milliseconds on the
    mover's clock), and ``unproved`` if its player wanted a proof and found none. A choice in the opening has
    ``choice`` and ``left``. An offer has ``what`` and ``plies``. A takeback has ``ply``, the number of moves
    that are left. A pause has ``until``, the instant at which the clocks run again. The end has ``winner``,
    ``termination``, ``reason`` and ``detail``, and ``package`` for a broken game.
    """

    version: int
    at: int
    kind: EventKind
    side: str | None
    data: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, version: int, at: int, kind: str, side: str | None, data: Mapping[str, Any]) -> "Event":
        """Return the event with these plain values. Raises ``ValueError`` for an unknown kind."""
        return cls(version, at, EventKind(kind), side, data)

    @property
    def values(self) -> "EventValues":
        """The event as plain values, the arguments of :meth:`of`."""
        return self.version, self.at, str(self.kind), self.side, dict(self.data)


EventValues = tuple[int, int, str, str | None, dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Offer:
    """An open offer. ``what`` is ``draw`` or ``takeback``."""

    side: str
    what: str
    plies: int
    agreed: frozenset[str]
