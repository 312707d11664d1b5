"""Pairing of waiting players: greedy, in the order of waiting time.

An exact matching takes far too long for thousands of players. The greedy one begins with the longest
waiting player, and takes the closest rating that fits. No two players that fit each other are left over.
"""

from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice

from noughts.arena.lobby.offers import Blocked, Choice, LobbyOffer, suit_each_other


@dataclass(frozen=True, slots=True)
class PairedOffers:
    """Two offers that fit each other, with the chosen game and clock. ``first`` has waited longer."""

    first: LobbyOffer
    second: LobbyOffer
    choice: Choice


@dataclass(slots=True)
class _Waiting:
    """The waiting players of a pool: those with a rating in its order, and all by waiting time."""

    rated: list[tuple[int, int, int]] = field(default_factory=list)
    """Rating, instant of the offer, number of the offer."""
    unrated: list[tuple[int, int]] = field(default_factory=list)
    """Instant and number of the offer."""
    everybody: list[tuple[int, int]] = field(default_factory=list)

    def add(self, offer: LobbyOffer, rating: int | None) -> None:
        """Add *offer*, which is later than all others, of a player with *rating*."""
        self.everybody.append(_order(offer))
        if rating is None:
            self.unrated.append(_order(offer))
        else:
            insort(self.rated, (rating, *_order(offer)))

    def remove(self, offer: LobbyOffer, rating: int | None) -> None:
        """Remove *offer* of a player with *rating*."""
        del self.everybody[bisect_left(self.everybody, _order(offer))]
        if rating is None:
            del self.unrated[bisect_left(self.unrated, _order(offer))]
        else:
            del self.rated[bisect_left(self.rated, (rating, *_order(offer)))]

    def nearest(self, rating: int | None, window: int | None) -> Iterator[tuple[int, int, int]]:
        """Yield the distance, instant and number of each player within *window*, the nearest first.

        Players without a rating fit, but come last. Everybody fits a player without a rating.
        """
        if rating is None:
            for since, number in self.everybody:
                yield 0, since, number
            return
        left = bisect_left(self.rated, (rating,)) - 1
        right = left + 1
        while left >= 0 or right < len(self.rated):
            below = rating - self.rated[left][0] if left >= 0 else _FAR
            above = self.rated[right][0] - rating if right < len(self.rated) else _FAR
            is_below = below < above
            if window is not None and min(below, above) > window:
                break
            place = left if is_below else right
            yield min(below, above), *self.rated[place][1:]
            left, right = (left - 1, right) if is_below else (left, right + 1)
        for since, number in self.unrated:
            yield _FAR, since, number


_FAR = 1_000_000
"""A distance larger than that of any two ratings."""


MAX_TRIED = 100
"""The largest number of players of one pool that are compared with a player, to limit the time."""


@dataclass(frozen=True, slots=True)
class _Entry:
    """The place of an offer in a pool: the pool, the rating of the player in its game, and the choice."""

    pool: _Waiting
    rating: int | None
    choice: Choice


def pair_offers(
    offers: Iterable[LobbyOffer], at: int, blocked: Blocked, limit: int | None = None
) -> list[PairedOffers]:
    """Return at most *limit* pairs of *offers*, no offer in two of them, at the instant *at*.

    Players for whom *blocked* is true never meet. The same two players meet again only if nobody else fits.
    """
    waiting = (offer for offer in offers if offer.recipient is None and not offer.is_standing)
    queue = sorted(waiting, key=_order)
    by_number = {offer.number: offer for offer in queue}
    entries = _enter(queue)
    pairs: list[PairedOffers] = []
    for offer in queue:
        if limit is not None and len(pairs) >= limit:
            break
        if offer.number not in by_number:
            continue
        found = _best(offer, entries[offer.number], by_number, at, blocked)
        for gone in (offer,) if found is None else (offer, found.second):
            del by_number[gone.number]
            for entry in entries[gone.number]:
                entry.pool.remove(gone, entry.rating)
        if found is not None:
            pairs.append(found)
    return pairs


def _order(offer: LobbyOffer) -> tuple[int, int]:
    return offer.since, offer.number


def _enter(queue: Iterable[LobbyOffer]) -> dict[int, list[_Entry]]:
    """Return the places of each offer of *queue*, by number, in pools of offers with a common choice."""
    pools: dict[tuple[Choice, bool], _Waiting] = {}
    entries: dict[int, list[_Entry]] = {}
    for offer in queue:
        entries[offer.number] = []
        for choice in offer.choices():
            pool = pools.setdefault((choice, offer.is_rated), _Waiting())
            entry = _Entry(pool, offer.seeker.ratings.get(choice[0]), choice)
            entries[offer.number].append(entry)
            pool.add(offer, entry.rating)
    return entries


def _best(
    offer: LobbyOffer, entries: Iterable[_Entry], by_number: dict[int, LobbyOffer], at: int, blocked: Blocked
) -> PairedOffers | None:
    """Return *offer* with the best of the others, or None if none fits. *offer* has waited longest."""
    best: tuple[tuple[bool, int, int], LobbyOffer, Choice] | None = None
    window = offer.window(at)
    for entry in entries:
        near = entry.pool.nearest(entry.rating, window)
        for apart, since, number in islice(near, MAX_TRIED):
            if best is not None and best[0] <= (False, apart, since):
                break
            other = by_number[number]
            is_again = offer.last == other.seeker.visitor or other.last == offer.seeker.visitor
            rank = (is_again, apart, since)
            if (best is not None and best[0] <= rank) or not _may_meet(
                offer, other, entry.choice[0], blocked
            ):
                continue
            best = rank, other, entry.choice
    return None if best is None else PairedOffers(offer, *best[1:])


def _may_meet(one: LobbyOffer, two: LobbyOffer, game: str, blocked: Blocked) -> bool:
    return (
        not one.seeker.is_same_as(two.seeker)
        and suit_each_other(one, two, game)
        and not blocked(one.seeker, two.seeker)
    )
