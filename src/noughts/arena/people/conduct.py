"""The conduct of people in live games with strangers, and the bans that follow from it.

Everything here is computed from stored games and from times. Only games count whose players did not choose
each other. A lost connection in a tournament costs clock time alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from noughts.arena.clock import Clock
from noughts.arena.events import Event, EventKind, MatchEnd
from noughts.arena.people.identities import DAY
from noughts.arena.ratings.models import Speed, speed_of
from noughts.arena.stored_game import StoredGame
from noughts.arena.table import HUMAN, Terms

MINUTE = 60 * 1000

FIRST_BAN_MS, LONGEST_BAN_MS = 10 * MINUTE, 2 * DAY
"""The shortest and the longest ban that follows from conduct."""

LONGER_BY = 3
"""The factor by which a ban is longer than the one before it."""

REMEMBERED_MS = 7 * DAY
"""The time for which conduct counts, and after which a ban makes the next one no longer."""

MAX_COUNTED = 20
"""The largest number of games that count, the newest ones."""

MIN_BAD, BAD_SHARE = 3, 3
"""A ban needs that number of bad games, and one bad game in that number of games."""

MOVES = 40
"""The number of moves of one side by which the length of a game is estimated."""

SHORTEST_STALL_MS, LONGEST_STALL_MS = 15 * 1000, 3 * MINUTE
"""The limits of the time without a move that counts as stalling. In between it is a tenth of the game."""


class Conduct(StrEnum):
    """The conduct of a player in one game."""

    GOOD = "good"
    LEFT = "left"
    """The player went away and did not come back."""
    STALLED = "stalled"
    """The player let the clock run out without a move for long."""
    NO_FIRST_MOVE = "no-first-move"
    RESIGNED = "resigned"
    """The player resigned, and it is not known yet if the position was a proved win."""
    SANDBAGGED = "sandbagged"
    """The player resigned in a proved win."""

    @property
    def is_bad(self) -> bool:
        """True if the conduct counts towards a ban."""
        return self not in (Conduct.GOOD, Conduct.RESIGNED)


class BanScope(StrEnum):
    """The games from which a ban keeps a player: all new ones with strangers, or the rated ones."""

    ALL = "all"
    RATED = "rated"


@dataclass(frozen=True, slots=True)
class Ban:
    """A ban of a player from new games.

    ``ends`` is None for a ban without an end. ``action`` is the number of the operator's action, None for a
    ban that followed from conduct.
    """

    since: int
    ends: int | None
    scope: BanScope = BanScope.ALL
    action: int | None = None

    def is_running(self, at: int) -> bool:
        """Return True if the ban runs at the instant *at*."""
        return self.since <= at and (self.ends is None or at < self.ends)

    def stops(self, *, rated: bool) -> bool:
        """Return True if the ban keeps the player from a new game that is *rated* or not."""
        return rated or self.scope is BanScope.ALL


def is_watched(terms: Terms) -> bool:
    """Return True if the conduct in games on *terms* counts.

    These are the live games of two people that come from the lobby, or are rated.

    >>> from noughts.arena.clock import Clock
    >>> is_watched(Terms("gomoku", (HUMAN, HUMAN), clock=Clock(base=60_000), first_move=30_000))
    True
    >>> is_watched(Terms("gomoku", (HUMAN, HUMAN), clock=Clock(base=60_000), clock_after=60_000))
    False
    """
    is_with_strangers = terms.first_move > 0 or terms.rated
    return is_with_strangers and terms.who == (HUMAN, HUMAN) and speed_of(terms.clock) is Speed.LIVE


def conduct_in(stored: StoredGame, first_move: int = 0) -> dict[str, Conduct]:
    """Return the conduct of each side at the end of the finished game *stored*.

    *first_move* is the time for the first move of each side, 0 without a limit. A player may call a game off
    before the own first move.
    """
    end = stored.events[-1]
    sides = dict.fromkeys(stored.identities, Conduct.GOOD)
    if end.kind is not EventKind.END or end.side not in sides:
        return sides
    sides[end.side] = _conduct_of_loser(stored, end, first_move)
    return sides


def _conduct_of_loser(stored: StoredGame, end: Event, first_move: int) -> Conduct:
    """Return the conduct of the side whose decision or clock ended the game."""
    quiet = end.at - _last_decision(stored)
    match end.data.get("termination"):
        case MatchEnd.RESIGNATION:
            return Conduct.RESIGNED
        case MatchEnd.ABANDONMENT:
            return Conduct.LEFT
        case MatchEnd.TIME if _is_away(stored.events, str(end.side)):
            return Conduct.LEFT
        case MatchEnd.TIME if quiet >= stalling_time(stored.setup.clock):
            return Conduct.STALLED
        case MatchEnd.ABORTED if 0 < first_move <= quiet:
            return Conduct.NO_FIRST_MOVE
    return Conduct.GOOD


def _last_decision(stored: StoredGame) -> int:
    """Return the instant of the last move or choice, or that of the start."""
    decisions = (EventKind.MOVE, EventKind.CHOICE)
    instants = (event.at for event in reversed(stored.events) if event.kind in decisions)
    return next(instants, stored.setup.created)


def _is_away(events: Sequence[Event], side: str) -> bool:
    """Return True if *side* was away after *events*."""
    presence = (EventKind.AWAY, EventKind.BACK)
    kinds = (event.kind for event in reversed(events) if event.side == side and event.kind in presence)
    return next(kinds, None) is EventKind.AWAY


def stalling_time(clock: Clock) -> int:
    """Return the time without a move, in milliseconds, from which a loss on time counts as stalling.

    >>> stalling_time(Clock(base=300_000, increment=3_000)), stalling_time(Clock(base=60_000))
    (42000, 15000)
    """
    estimate = (clock.base or 0) + MOVES * (clock.increment + (clock.per_move or 0))
    return min(max(estimate // 10, SHORTEST_STALL_MS), LONGEST_STALL_MS)


def next_ban(conduct: Sequence[tuple[int, Conduct]], bans: Sequence[Ban], at: int) -> Ban | None:
    """Return the ban that follows at the instant *at* from *conduct*, each with its instant, or None.

    *bans* are the earlier bans, oldest first. Conduct before the end of one of them does not count again.
    """
    since = max([at - REMEMBERED_MS, *(at if ban.ends is None else ban.ends for ban in bans)])
    counted = [kind for when, kind in sorted(conduct) if since <= when][-MAX_COUNTED:]
    bad = sum(kind.is_bad for kind in counted)
    if bad < MIN_BAD or BAD_SHARE * bad < len(counted):
        return None
    length = FIRST_BAN_MS
    for ban in bans:
        if ban.action is None and ban.ends is not None and ban.ends >= at - REMEMBERED_MS:
            length = min(max(LONGER_BY * (ban.ends - ban.since), FIRST_BAN_MS), LONGEST_BAN_MS)
    return Ban(at, at + length)
