"""What happens in a match, as values: events, offers, and ends that the rules of a game do not know."""

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
    BROKEN = "broken"
    """The package of the game did not keep the contract; the game does not count."""


class EventKind(StrEnum):
    """What can happen in a match."""

    MOVE = "move"
    CHOICE = "choice"
    OFFER = "offer"
    ACCEPT = "accept"
    DECLINE = "decline"
    TAKEBACK = "takeback"
    AWAY = "away"
    BACK = "back"
    END = "end"


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened: the ``version``-th event of its match, at a time in milliseconds.

    ``data`` holds values that JSON can hold: ``move`` (text) and ``left`` (milliseconds on the mover's
    clock) of a move, and ``unproved`` where who proves their moves could not prove it; ``choice`` and
    ``left`` of a choice in the opening; ``what`` and ``plies`` of an offer; ``ply`` after a takeback;
    ``winner``, ``termination``, ``reason`` and ``detail`` of the end, and ``package`` of a broken game.
    """

    version: int
    at: int
    kind: EventKind
    side: str | None
    data: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, version: int, at: int, kind: str, side: str | None, data: Mapping[str, Any]) -> "Event":
        """The event with these plain values. Raises ValueError if there is no such kind."""
        return cls(version, at, EventKind(kind), side, data)

    @property
    def values(self) -> "EventValues":
        """The event as plain values, of which :meth:`of` makes it again."""
        return self.version, self.at, str(self.kind), self.side, dict(self.data)


EventValues = tuple[int, int, str, str | None, dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Offer:
    """What waits for an answer: ``what`` is ``draw`` or ``takeback``."""

    side: str
    what: str
    plies: int
    agreed: frozenset[str]
