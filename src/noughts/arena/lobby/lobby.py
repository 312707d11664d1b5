"""The state of the lobby: offers, the players in them, and the end of an offer.

A lobby does not wait, reads no clock and writes nothing. Its methods change it and note the changed offers in
``changed``. A request that does not fit raises an error before any change.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from noughts.arena.lobby.offers import (
    Blocked,
    Choice,
    LobbyOffer,
    OfferKey,
    OfferState,
    Seeker,
    TakerWish,
    nobody_blocked,
)
from noughts.arena.lobby.pairing import PairedOffers, pair_offers
from noughts.arena.stored_game import BY_LINK
from noughts.errors import AskedGuest, NotFound, OfferGone, OfferRefused

REMEMBERED_MS = 3_600_000
"""The time for which the lobby remembers ended offers, and with them the last opponent of a player."""

MAX_OFFERS = 20_000
"""The largest number of open offers. With more offers in total, the ones that ended first are forgotten."""

MAX_LASTING, MAX_ALL_LASTING = 5, 2_000
"""The largest numbers of open offers that last: of one player, and of all."""

MAX_OWN = 2 + MAX_LASTING
"""The largest number of open offers of one player: one to all, one challenge, and those that last."""

MAX_ASKED = 50
"""The largest number of open challenges to one player. A longer list would hide the serious ones."""


@dataclass(frozen=True, slots=True)
class ArrangedGame:
    """Two players whose game begins: a pair by waiting time, or the owner of an offer and its taker.

    ``offers`` are the taken offers.
    """

    first: Seeker
    second: Seeker
    choice: Choice
    is_rated: bool
    visibility: str
    offers: tuple[OfferKey, ...]


@dataclass(frozen=True, slots=True)
class VisitorFacts:
    """The facts that only one visitor sees: the own open offer, the own last challenge, and those of others.

    ``identity`` is the number of the visitor's key. ``room`` is the room of the last game, if it is recent.
    Own offers that last belong to a browser or a key, see :meth:`Lobby.lasting_of`.
    """

    identity: int | None
    offer: LobbyOffer | None
    challenge: LobbyOffer | None
    asked: tuple[LobbyOffer, ...]
    room: str | None


class Lobby:
    """The offers of a lobby by visitor and kind. ``version`` counts all changes of offers."""

    def __init__(self, offers: Iterable[LobbyOffer] = (), version: int = 0) -> None:
        self.offers: dict[OfferKey, LobbyOffer] = {}
        self._open: dict[OfferKey, LobbyOffer] = {}
        """Those of the offers that are open: few, since ended ones are remembered for an hour."""
        self._of: dict[str, tuple[OfferKey, ...]] = {}
        """The places of the offers of each visitor, and of those that the visitor has taken."""
        for offer in offers:
            self._set(offer)
        self.version = version
        self.begin()

    def draft(self) -> "Lobby":
        """Return a copy that can be changed without a change to this one."""
        made = Lobby(version=self.version)
        made.offers, made._open, made._of = self.offers.copy(), self._open.copy(), self._of.copy()
        return made

    def begin(self) -> None:
        """Begin a change, which :meth:`undo` can take back."""
        self.changed: dict[OfferKey, LobbyOffer] = {}
        self.replaced: list[LobbyOffer] = []
        """The offers that newer ones of the same players have ended."""
        self._before: dict[OfferKey, LobbyOffer | None] = {}
        self._began = self.version

    def undo(self) -> None:
        """Take back everything since the change was begun."""
        for key, before in self._before.items():
            if before is None:
                self._remove(key)
            else:
                self._set(before)
        self.version = self._began
        self.begin()

    @property
    def open_offers(self) -> list[LobbyOffer]:
        """The offers that can be taken, oldest first."""
        return sorted(self._open.values(), key=_number)

    @property
    def open_challenges(self) -> list[LobbyOffer]:
        """The challenges that can be accepted, oldest first."""
        return [offer for offer in self.open_offers if offer.recipient is not None]

    def facts_for(self, seeker: Seeker, challenges: Sequence[LobbyOffer], since: int) -> VisitorFacts:
        """Return the facts for *seeker* alone. *challenges* are the open challenges, which many calls share.

        Only a room from the instant *since* on is included.
        """
        offer, challenge = (self.offers.get(key) for key in _pages_keys(seeker.visitor))
        asked = (other for other in challenges if other.is_for(seeker))
        return VisitorFacts(
            identity=seeker.identity,
            offer=offer if offer is not None and offer.is_open else None,
            challenge=challenge,
            asked=tuple(other for other in asked if not other.seeker.is_same_as(seeker))
            if challenges
            else (),
            room=None if offer is challenge is None else self.room_of(seeker.visitor, since),
        )

    def open_of(self, visitor: str) -> list[LobbyOffer]:
        """Return the open offers that need a page of *visitor*: at most one to all, and one challenge."""
        both = map(self.offers.get, _pages_keys(visitor))
        return [offer for offer in both if offer is not None and offer.is_open]

    def lasting_of(self, seeker: Seeker) -> list[LobbyOffer]:
        """Return the open offers of *seeker* that last, oldest first."""
        return [offer for offer in self.open_offers if offer.lasts and offer.seeker.is_same_as(seeker)]

    def room_of(self, visitor: str, since: int) -> str | None:
        """Return the room that *visitor* got last by an offer, unless that was before the instant *since*."""
        own = map(self.offers.get, _pages_keys(visitor))
        rooms = [offer for offer in own if offer is not None and offer.room and offer.ended >= since]
        return max(rooms, key=_ended).room if rooms else None

    def offers_with(self, visitor: str) -> list[LobbyOffer]:
        """Return the offers of *visitor*, and those that *visitor* has taken."""
        return [self.offers[key] for key in self._of.get(visitor, ())]

    def new_rooms(self, visitor: str, since: int) -> list[str]:
        """Return the rooms of *visitor* by offers that were taken at the instant *since* or later."""
        found = self.offers_with(visitor)
        return [offer.room for offer in found if offer.room is not None and offer.ended >= since]

    # Changes

    def publish(self, offer: LobbyOffer) -> LobbyOffer:
        """Add *offer* with a number and with the last opponent of its player, and return it.

        It replaces the offer of the same kind that the player has, unless it lasts. If the player repeats one
        that lasts, the open one is returned.
        """
        if len(self._open) >= MAX_OFFERS and offer.key not in self._open:
            raise OfferRefused("lobby-full")
        if offer.lasts:
            if not all(clock.is_by_days for clock in offer.clocks):
                raise OfferRefused("lasts-by-days")
            own = self.lasting_of(offer.seeker)
            if (known := next(filter(offer.repeats, own), None)) is not None:
                return known
            if len(own) >= MAX_LASTING:
                raise OfferRefused("too-many-lasting")
            if sum(other.lasts for other in self.open_offers) >= MAX_ALL_LASTING:
                raise OfferRefused("lobby-full")
        if offer.recipient is not None:
            self._check_challenge(offer)
        is_for_guest = offer.recipient is not None and offer.recipient_identity is None
        if offer.is_rated and (offer.seeker.identity is None or is_for_guest):
            raise OfferRefused("rated-needs-key")
        last = self._last_opponent(offer.seeker.visitor)
        numbered = replace(offer, number=self.version + 1, last=last)
        if (before := self.offers.get(numbered.key)) is not None and before.is_open:
            self.replaced.append(replace(before, state=OfferState.WITHDRAWN, ended=offer.since))
        return self._put(numbered)

    def _check_challenge(self, offer: LobbyOffer) -> None:
        """Raise :class:`~noughts.errors.OfferRefused` unless the challenge *offer* may be made."""
        if offer.is_for(offer.seeker):
            raise OfferRefused("own-offer")
        if offer.seeker.is_bot:
            raise OfferRefused("bot-asks")
        if offer.lasts and offer.recipient_identity is None:
            raise AskedGuest
        asked = (offer.recipient, offer.recipient_identity)
        waiting = [other.key for other in self.open_challenges if _recipient(other) == asked]
        if len(waiting) >= MAX_ASKED and offer.key not in waiting:
            raise OfferRefused("not-asked")
        if (bot := self.bot(offer.recipient_identity)) is not None:
            if not set(offer.choices()) <= set(bot.choices()):
                raise OfferRefused("not-offered")
            if offer.is_rated and not bot.is_rated:
                raise OfferRefused("bot-unrated")

    def bot(self, identity: int | None) -> LobbyOffer | None:
        """Return the standing offer of the bot *identity*, or None if it is no bot, or away."""
        offers = (offer for offer in self._open.values() if offer.is_standing)
        return next((offer for offer in offers if offer.seeker.identity == identity), None)

    def withdraw(self, number: int, seeker: Seeker, at: int) -> None:
        """End the open offer *number* of *seeker*. An offer that has ended already stays as it is."""
        for offer in (*self.open_of(seeker.visitor), *self.lasting_of(seeker)):
            if offer.number == number:
                self._end(offer, OfferState.WITHDRAWN, at)

    def accept(
        self, number: int, seeker: Seeker, wish: TakerWish | None, at: int, blocked: Blocked = nobody_blocked
    ) -> ArrangedGame:
        """Let *seeker* take the offer *number* with *wish*, by default the first game and clock.

        All other offers that need the page of one of them end, unless the taken one lasts. Raises
        :class:`~noughts.errors.OfferRefused`.
        """
        offer = self.find(number, seeker)
        if not offer.is_open:
            raise OfferGone
        if offer.is_standing:
            raise OfferRefused("ask-bot")
        if seeker.is_bot and offer.recipient is None:
            raise OfferRefused("bot-asks")
        wish = wish or TakerWish()
        if (choice := offer.choice_for(wish)) is None:
            raise OfferRefused("not-offered")
        if offer.seeker.is_same_as(seeker):
            raise OfferRefused("own-offer")
        if offer.is_rated and seeker.identity is None:
            raise OfferRefused("rated-needs-key")
        if not offer.suits(seeker, choice[0]):
            raise OfferRefused("rating-outside")
        if blocked(offer.seeker, seeker):
            raise OfferGone  # a block is not shown
        self._end(offer, OfferState.TAKEN, at, opponent=seeker.visitor)
        if not offer.lasts:
            self._end_others(offer.seeker.visitor, at)
            self._end_others(seeker.visitor, at)
            self._leave_rooms(seeker.visitor)
        visibility = offer.visibility if seeker.is_bot else _agreed(offer.visibility, wish.visibility)
        return ArrangedGame(offer.seeker, seeker, choice, offer.is_rated, visibility, (offer.key,))

    def decline(self, number: int, seeker: Seeker, at: int) -> None:
        """Let *seeker* decline the challenge *number*."""
        offer = self.find(number, seeker)
        if offer.recipient is not None and offer.is_open:
            self._end(offer, OfferState.DECLINED, at)

    def find(self, number: int, seeker: Seeker) -> LobbyOffer:
        """Return the offer *number* if *seeker* may see it. Raises :class:`~noughts.errors.NotFound`."""
        for offer in self.offers.values():
            if offer.number == number and may_see(offer, seeker):
                return offer
        raise OfferGone if 0 < number <= self.version else NotFound("offer", str(number))

    def pair(self, at: int, blocked: Blocked, limit: int | None = None) -> list[ArrangedGame]:
        """Pair waiting players that fit each other, at most *limit* pairs, and end their offers."""
        meetings = []
        for pair in pair_offers(self.open_offers, at, blocked, limit):
            for one, two in ((pair.first, pair.second), (pair.second, pair.first)):
                self._end(one, OfferState.TAKEN, at, opponent=two.seeker.visitor)
                if not one.lasts:
                    self._end_others(one.seeker.visitor, at)
            meetings.append(_meeting_of(pair))
        return meetings

    def note_room(self, meeting: ArrangedGame, room: str) -> None:
        """Note that *meeting* takes place in *room*."""
        for key in meeting.offers:
            self._put(replace(self.offers[key], room=room))

    def give_back(self, room: str, visitor: str) -> None:
        """Open the offer of the player again whom *visitor* left in *room*. The player waits as before.

        Nothing happens if that player took an offer of others, or has published another one since. An offer
        that lasts stays taken, since its player may not be here.
        """
        for offer in tuple(self.offers.values()):
            is_for_all = offer.recipient is None and not offer.lasts
            if offer.room == room and offer.opponent == visitor and is_for_all:
                again = replace(offer, state=OfferState.OPEN, ended=0, room=None, opponent=None)
                number = self.version + 1  # the page has seen the end of the earlier number
                self._put(replace(again, number=number, last=visitor))

    def hold(self, visitor: str, worker: str) -> None:
        """Note that *worker* serves the page of *visitor* now."""
        for key in _pages_keys(visitor):
            offer = self.offers.get(key)
            if offer is not None and offer.worker != worker:
                self._put(replace(offer, worker=worker))

    def leave(self, visitor: str, worker: str, at: int) -> None:
        """End the offers of *visitor*, after its page on *worker* was closed."""
        for offer in self.open_of(visitor):
            if offer.worker == worker:
                self._end(offer, OfferState.WITHDRAWN, at)

    def part(self, one: int, two: int, at: int) -> None:
        """End the open challenges between the keys *one* and *two*, of whom one has blocked the other."""
        for offer in self.open_challenges:
            if {offer.seeker.identity, offer.recipient_identity} == {one, two}:
                self._end(offer, OfferState.EXPIRED, at)

    def withdraw_all(self, is_unfit: Callable[[LobbyOffer], bool], at: int) -> None:
        """End the open offers for which *is_unfit* is true, as those of banned players."""
        for offer in self.open_offers:
            if is_unfit(offer):
                self._end(offer, OfferState.WITHDRAWN, at)

    def rename(self, number: int, name: str) -> None:
        """Give the player of the open offer *number* another *name*."""
        for offer in self.open_offers:
            if offer.number == number:
                self._put(replace(offer, seeker=replace(offer.seeker, name=name)))

    def expire(self, at: int) -> None:
        """End the challenges without an answer, and the offers that have lasted long enough."""
        for offer in tuple(self._open.values()):
            if offer.expires is not None and at >= offer.expires:
                self._end(offer, OfferState.EXPIRED, at)

    def remembered_since(self, at: int) -> int:
        """Return the instant before which offers must have ended to be forgotten."""
        since, more = at - REMEMBERED_MS, len(self.offers) - MAX_OFFERS
        if more > 0:
            ended = sorted(offer.ended for offer in self.offers.values() if not offer.is_open)
            since = max([since, *ended[: more + 1][-1:]])
        return since

    def forget(self, at: int) -> None:
        """Forget the offers that ended long ago. Every worker does so by itself."""
        since = self.remembered_since(at)
        for offer in [offer for offer in self.offers.values() if offer.ended < since and not offer.is_open]:
            self._remove(offer.key)

    def take_in(self, offers: Iterable[LobbyOffer]) -> None:
        """Take in *offers* from the database, oldest change first."""
        for offer in offers:
            self._set(offer)
            self.version = offer.changed

    def _leave_rooms(self, visitor: str) -> None:
        """Note that *visitor* plays elsewhere, so that no earlier game gives an offer back."""
        for key in _pages_keys(visitor):
            offer = self.offers.get(key)
            if offer is not None and offer.room is not None:
                self._put(replace(offer, room=None))

    def _last_opponent(self, visitor: str) -> str | None:
        """Return the visitor whom *visitor* met last by an offer, or None."""
        met = self.offers_with(visitor)
        taken = [offer for offer in met if offer.opponent is not None]
        if not taken:
            return next((offer.last for offer in met if offer.seeker.visitor == visitor), None)
        newest = max(taken, key=_ended)
        return newest.opponent if newest.seeker.visitor == visitor else newest.seeker.visitor

    def _end_others(self, visitor: str, at: int) -> None:
        """End the open offers that need a page of *visitor*, since a game begins. The list of a bot stays."""
        for offer in self.open_of(visitor):
            if not offer.is_standing:
                self._end(offer, OfferState.WITHDRAWN, at)

    def _end(self, offer: LobbyOffer, state: OfferState, at: int, opponent: str | None = None) -> None:
        self._put(replace(offer, state=state, ended=at, opponent=opponent))

    def _put(self, offer: LobbyOffer) -> LobbyOffer:
        self.version += 1
        changed = replace(offer, changed=self.version)
        self._before.setdefault(offer.key, self.offers.get(offer.key))
        self.changed[offer.key] = changed
        self._set(changed)
        return changed

    def _set(self, offer: LobbyOffer) -> None:
        before = self.offers.get(offer.key)
        if before is None or _players(before) != _players(offer):
            self._unlink(before)
            for visitor in _players(offer):
                self._of[visitor] = (*self._of.get(visitor, ()), offer.key)
        self.offers[offer.key] = offer
        if offer.is_open:
            self._open[offer.key] = offer
        else:
            self._open.pop(offer.key, None)

    def _remove(self, key: OfferKey) -> None:
        self._unlink(self.offers.pop(key))
        self._open.pop(key, None)

    def _unlink(self, offer: LobbyOffer | None) -> None:
        """Forget that *offer* belongs to its players."""
        if offer is None:
            return
        for visitor in _players(offer):
            self._of[visitor] = tuple(key for key in self._of[visitor] if key != offer.key)
            if not self._of[visitor]:
                del self._of[visitor]


def may_see(offer: LobbyOffer, seeker: Seeker) -> bool:
    """Return True if *seeker* may see *offer*: a challenge is seen by its two players only."""
    return offer.seeker.visitor == seeker.visitor or offer.is_for(seeker)


def _meeting_of(pair: PairedOffers) -> ArrangedGame:
    one, two = pair.first, pair.second
    visibility = _agreed(one.visibility, two.visibility)
    return ArrangedGame(one.seeker, two.seeker, pair.choice, one.is_rated, visibility, (one.key, two.key))


def _agreed(one: str, two: str) -> str:
    """Return the visibility of a game of two players: public only if both want that."""
    return one if one == two else BY_LINK


def _pages_keys(visitor: str) -> tuple[OfferKey, OfferKey]:
    """Return the places of the offer and of the challenge that need a page of *visitor*."""
    return (visitor, False, 0), (visitor, True, 0)


def _players(offer: LobbyOffer) -> set[str]:
    """Return the visitor of *offer*, and the one that has taken it."""
    return {offer.seeker.visitor} if offer.opponent is None else {offer.seeker.visitor, offer.opponent}


def _recipient(offer: LobbyOffer) -> tuple[str | None, int | None]:
    return offer.recipient, offer.recipient_identity


def _number(offer: LobbyOffer) -> int:
    return offer.number


def _ended(offer: LobbyOffer) -> int:
    return offer.ended
