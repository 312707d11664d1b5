"""Offers: the games and clocks that a waiting player wants, and the opponents that fit."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from noughts.arena.clock import DAY, Clock
from noughts.arena.seat_names import seat_name
from noughts.arena.stored_game import BY_LINK
from noughts.text import fold_name

FIRST_WINDOW = 100
"""The difference of ratings that fits at first, in both directions."""

WIDER_EVERY_MS, WIDER_BY = 10_000, 50
"""After each such time of waiting the window widens by that number of points."""

ANYBODY_AFTER_MS = 60_000
"""The waiting time after which every rating fits."""


CHALLENGE_MS = 120_000
"""The time in milliseconds in which a challenge can be accepted, unless it lasts."""

LASTING_MS = 7 * DAY
"""The time after which an offer ends that needs no page."""


class OfferState(StrEnum):
    """The state of an offer. Only an ``open`` one can be taken."""

    OPEN = "open"
    TAKEN = "taken"
    WITHDRAWN = "withdrawn"
    DECLINED = "declined"
    EXPIRED = "expired"


@dataclass(frozen=True, slots=True)
class Seeker:
    """A player in the lobby. ``visitor`` is the hash of the token of the seats that the player gets.

    ``identity`` is the number of the player's key, or None for a guest. ``ratings`` has the ratings by game,
    and ``provisional`` the games in which the rating is provisional.
    ``is_bot`` is true for a program that plays by itself.
    """

    visitor: str
    name: str
    identity: int | None = None
    ratings: Mapping[str, int] = field(default_factory=dict)
    is_bot: bool = False
    provisional: tuple[str, ...] = ()

    @property
    def seat(self) -> str:
        """The text in the player's seat: that of the key, or the name of a guest."""
        return self.name if self.identity is None else seat_name(self.identity)

    def is_same_as(self, other: "Seeker") -> bool:
        """Return True if both are the same person, as far as is known."""
        has_key = self.identity is not None
        return self.visitor == other.visitor or (has_key and self.identity == other.identity)


Blocked = Callable[[Seeker, Seeker], bool]
"""A predicate: True if two players must not meet."""

OfferKey = tuple[str, bool, int]
"""The place of an offer: see :attr:`LobbyOffer.key`."""

Choice = tuple[str, Clock]
"""A game and a clock."""


@dataclass(frozen=True, slots=True)
class TakerWish:
    """The wish of a player for an open offer. Without a game or a clock it is the first one that fits.

    The game is public only if the ``visibility`` of both players is public. A bot leaves that to the other.
    """

    game: str | None = None
    clock: Clock | None = None
    visibility: str = BY_LINK


def nobody_blocked(one: Seeker, two: Seeker) -> bool:  # noqa: ARG001 - a predicate of two players
    """Return False: any two players may meet."""
    return False


@dataclass(frozen=True, slots=True)
class LobbyOffer:
    """An offer of ``seeker`` to play one of ``games`` with one of ``clocks``.

    ``number`` is the public number. ``since`` is the instant from which the player waits, ``ended`` the
    instant at which the offer was taken or withdrawn. ``lowest`` and ``highest`` limit the rating of the
    opponent. ``recipient`` is the folded name of the only possible taker of a challenge, and None in an
    offer to all. ``recipient_identity`` is the number of the key that has claimed this name. ``worker``
    serves the page of the player. ``room`` and ``opponent`` (a visitor) belong to a taken offer. ``last`` is
    the visitor that the player met in the last game. ``changed`` is the version of the lobby after the last
    change of the offer.

    The offer of a bot stands: it lists the games for which people may challenge the bot, and it is neither
    taken nor paired. ``strength`` is the rating that the author of the bot expects, and ``is_rated`` is true
    if the bot plays rated games too.

    An offer of games by days can last: it stays open without a page of the player. ``lasts`` is true then.
    """

    number: int
    seeker: Seeker
    games: tuple[str, ...]
    clocks: tuple[Clock, ...]
    since: int
    worker: str
    is_rated: bool = False
    lowest: int | None = None
    highest: int | None = None
    visibility: str = BY_LINK
    recipient: str | None = None
    recipient_identity: int | None = None
    state: OfferState = OfferState.OPEN
    ended: int = 0
    room: str | None = None
    opponent: str | None = None
    last: str | None = None
    changed: int = 0
    strength: int | None = None
    lasts: bool = False

    @property
    def is_standing(self) -> bool:
        """True if this is the list of the games of a bot."""
        return self.seeker.is_bot and self.recipient is None

    @property
    def is_open(self) -> bool:
        """True if the offer can be taken."""
        return self.state is OfferState.OPEN

    @property
    def key(self) -> OfferKey:
        """The visitor, True for a challenge, and the number if the offer lasts, else 0.

        A player has one offer and one challenge at a time that need the page, and several that last.
        """
        return self.seeker.visitor, self.recipient is not None, self.number if self.lasts else 0

    @property
    def expires(self) -> int | None:
        """The instant at which the offer ends by itself, or None."""
        if self.lasts:
            return self.since + LASTING_MS
        return None if self.recipient is None else self.since + CHALLENGE_MS

    def repeats(self, other: "LobbyOffer") -> bool:
        """Return True if the same player has offered the same games by *other*."""
        is_same = self.seeker.is_same_as(other.seeker)
        return is_same and self._terms() == other._terms()

    def _terms(self) -> "LobbyOffer":
        """Return the offer without the facts about its player and its time."""
        return replace(self, number=0, seeker=Seeker("", ""), since=0, worker="", last=None, changed=0)

    def is_for(self, seeker: Seeker) -> bool:
        """Return True if this is an offer to all, or a challenge to *seeker*.

        A challenge to a claimed name is for the owner of the key, and one to another name for guests.
        """
        if self.recipient is None:
            return True
        if self.recipient_identity is not None or seeker.identity is not None:
            return seeker.identity == self.recipient_identity
        return fold_name(seeker.name) == self.recipient

    def choices(self) -> Iterator[Choice]:
        """Yield each game with each clock."""
        for game in self.games:
            for clock in self.clocks:
                yield game, clock

    def choice_for(self, wish: TakerWish) -> Choice | None:
        """Return the first game and clock that fit *wish*, or None if it names others."""
        for game, clock in self.choices():
            if wish.game in (None, game) and wish.clock in (None, clock):
                return game, clock
        return None

    def window(self, at: int) -> int | None:
        """Return the difference of ratings that fits at the instant *at*, or None if every rating fits."""
        waited = at - self.since
        if waited >= ANYBODY_AFTER_MS:
            return None
        return FIRST_WINDOW + max(0, waited) // WIDER_EVERY_MS * WIDER_BY

    def suits(self, seeker: Seeker, game: str) -> bool:
        """Return True if the rating of *seeker* is in the range of this offer.

        A player without a rating fits only an offer without a range.
        """
        if self.lowest is None and self.highest is None:
            return True
        rating = seeker.ratings.get(game)
        if rating is None:
            return False
        is_high_enough = self.lowest is None or rating >= self.lowest
        return is_high_enough and (self.highest is None or rating <= self.highest)


def suit_each_other(one: LobbyOffer, two: LobbyOffer, game: str) -> bool:
    """Return True if neither range excludes the other player in *game*, whatever the waiting time."""
    return one.suits(two.seeker, game) and two.suits(one.seeker, game)


def distance(one: LobbyOffer, two: LobbyOffer, game: str) -> int | None:
    """Return the difference of the ratings in *game*, or None if a player has none there."""
    ratings = one.seeker.ratings.get(game), two.seeker.ratings.get(game)
    if ratings[0] is None or ratings[1] is None:
        return None
    return abs(ratings[0] - ratings[1])
