"""Pairing: fit and order of opponents, and how close greedy pairs come to the largest number of pairs."""

from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts.arena.lobby.offers import LobbyOffer, distance, nobody_blocked, suit_each_other
from noughts.arena.lobby.pairing import pair_offers
from tests.arena.lobby.seekers import QUICK, SLOW, offer, seeker


def _pairs(*offers: LobbyOffer, at: int = 0, **more: Any) -> list[tuple[int, int]]:
    found = pair_offers(offers, at, more.pop("blocked", nobody_blocked), **more)
    return [(pair.first.number, pair.second.number) for pair in found]


def test_pair_offers_chooses_a_common_game_and_clock() -> None:
    one = offer("Ada", 1, games=("gomoku", "reversi"), clocks=(QUICK, SLOW))
    (pair,) = pair_offers([offer("Wei", 2, games=("reversi",), clocks=(SLOW,)), one], 0, nobody_blocked)
    assert (pair.first.number, pair.second.number, pair.choice) == (1, 2, ("reversi", SLOW))
    assert _pairs(one, offer("Wei", 2, games=("connect4",))) == []
    assert _pairs(offer("Ada", 1), offer("Wei", 2, clocks=(SLOW,))) == []
    assert _pairs(offer("Ada", 1), offer("Wei", 2, is_rated=True)) == []


def test_pair_offers_serves_the_longest_waiting_first() -> None:
    late, early, between = offer("Ada", 1, since=9), offer("Wei", 2, since=1), offer("Olga", 3, since=5)
    assert _pairs(late, early, between, at=10) == [(2, 3)]
    assert _pairs(late, early, between, offer("Jun", 4, since=9), at=10, limit=1) == [(2, 3)]


@pytest.mark.parametrize(("apart", "seconds"), [(100, 0), (101, 10), (150, 10), (351, 60), (2_000, 60)])
def test_window_of_ratings_widens(apart: int, seconds: int) -> None:
    two = [offer(seeker("Ada", 1_500), 1), offer(seeker("Wei", 1_500 + apart), 2, since=1_000)]
    assert _pairs(*two, at=1_000 * seconds) == [(1, 2)]
    assert not seconds or _pairs(*two, at=1_000 * seconds - 1) == []


def test_pair_offers_prefers_the_closest_rating() -> None:
    far, near, none = seeker("Ada", 1_590), seeker("Wei", 1_480), seeker("Olga")
    others = [offer(far, 2), offer(none, 3), offer(near, 4)]
    assert _pairs(offer(seeker("Jun", 1_500), 1), *others) == [(1, 4), (2, 3)]
    assert _pairs(offer("Jun", 1), *others) == [(1, 2), (3, 4)]


def test_rating_range_holds_however_long_one_waits() -> None:
    choosy = offer(seeker("Ada", 1_500), 1, lowest=1_400, highest=1_600)
    for rating, fits in ((1_399, False), (1_400, True), (1_600, True), (1_601, False), (None, False)):
        other = offer(seeker("Wei", rating), 2)
        assert _pairs(choosy, other, at=100_000) == ([(1, 2)] if fits else [])


def test_blocked_players_and_the_same_person_never_meet() -> None:
    two = [offer("Ada", 1), offer("Wei", 2)]
    assert _pairs(*two, blocked=lambda one, two: {one.name, two.name} == {"Ada", "Wei"}) == []
    own = [offer(seeker("Ada", identity=7), 1), offer(seeker("Phone", identity=7), 2)]
    assert _pairs(*own, at=100_000) == []


def test_last_opponent_waits_for_others() -> None:
    ada, wei = offer("Ada", 1, last="visitor Wei"), offer("Wei", 2, last="visitor Ada")
    assert _pairs(ada, wei, offer("Olga", 3)) == [(1, 3)]
    assert _pairs(ada, wei) == [(1, 2)]


# Against an exact matching


def _may_meet(one: LobbyOffer, two: LobbyOffer, at: int) -> bool:
    """Return True if two offers fit, by the definitions and without any order."""
    if one.is_rated != two.is_rated or one.seeker.is_same_as(two.seeker):
        return False
    games = [game for game, clock in one.choices() if (game, clock) in two.choices()]
    return any(suit_each_other(one, two, game) and _are_close(one, two, game, at) for game in games)


def _are_close(one: LobbyOffer, two: LobbyOffer, game: str, at: int) -> bool:
    """Return True if the ratings are close enough at the instant *at*.

    The window of the longer waiting player counts. A player without a rating is close to everybody.
    """
    apart, widest = distance(one, two, game), min(one, two, key=lambda offer: offer.since).window(at)
    return apart is None or widest is None or apart <= widest


def _most_pairs(offers: list[LobbyOffer], at: int) -> int:
    """Return the largest number of pairs, by trying all matchings."""
    fits = [[_may_meet(one, two, at) for two in offers] for one in offers]

    @cache
    def most(left: frozenset[int]) -> int:
        if len(left) < 2:
            return 0
        first = min(left)
        rest = left - {first}
        tried = [1 + most(rest - {other}) for other in rest if fits[first][other]]
        return max([most(rest), *tried])

    return most(frozenset(range(len(offers))))


def _random_offers(chance: Random, count: int) -> list[LobbyOffer]:
    offers = []
    for number in range(1, count + 1):
        rating = chance.choice((None, *range(1_200, 1_900, 60)))
        lowest = chance.choice((None, None, 1_300))
        games = tuple(chance.sample(("gomoku", "reversi"), chance.randint(1, 2)))
        clocks = tuple(chance.sample((QUICK, SLOW), chance.randint(1, 2)))
        player = seeker(str(number), rating)
        since = chance.randrange(70_000)
        offers.append(offer(player, number, since, games=games, clocks=clocks, lowest=lowest))
    return offers


def _check(offers: list[LobbyOffer], at: int) -> tuple[int, int]:
    """Check the pairs of *offers*, and return their number and the largest possible one."""
    pairs = pair_offers(offers, at, nobody_blocked)
    paired = [number for pair in pairs for number in (pair.first.number, pair.second.number)]
    assert len(paired) == len(set(paired))
    assert all(_may_meet(pair.first, pair.second, at) for pair in pairs)
    left = [offer for offer in offers if offer.number not in paired]
    assert not any(_may_meet(one, two, at) for one in left for two in left if one is not two)
    most = _most_pairs(offers, at)
    assert len(pairs) <= most <= 2 * len(pairs)
    return len(pairs), most


@given(st.integers(0, 12), st.integers(0, 2**32), st.integers(70_000, 130_000))
def test_greedy_pairs_leave_no_fitting_players(count: int, seed: int, at: int) -> None:
    _check(_random_offers(Random(seed), count), at)


@pytest.mark.slow
def test_greedy_pairs_are_nearly_as_many_as_possible() -> None:
    found = [_check(_random_offers(Random(seed), 12), 70_000) for seed in range(60)]
    assert sum(pairs for pairs, _ in found) >= 0.85 * sum(most for _, most in found)
