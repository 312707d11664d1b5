"""Glicko-2 gives the numbers of its paper, and of an independent implementation."""

import math
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts.arena.ratings.glicko import (
    DAY,
    MAX_DEVIATION,
    NEW,
    PROVISIONAL,
    GlickoRating,
    after_games,
    after_time,
    expected_points,
)

EXAMPLE = [(GlickoRating(1400, 30), 1.0), (GlickoRating(1550, 100), 0.0), (GlickoRating(1700, 300), 0.0)]
"""The three games of the example in Glickman's paper."""


def test_after_games_gives_the_example_of_the_paper() -> None:
    after = after_games(GlickoRating(1500, 200, 0.06), EXAMPLE, tau=0.5)
    # The paper prints 1464.06, 151.52 and 0.05999, from intermediate results of four decimals.
    assert after.value == pytest.approx(1464.06, abs=0.01)
    assert after.deviation == pytest.approx(151.52, abs=0.005)
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)


def slow_update(
    rating: tuple[float, float, float], opponent: tuple[float, float], points: float, tau: float
) -> tuple[float, float, float]:
    """Return the rating after one game, from the formulas of the paper on the scale of rating points.

    The volatility is found by bisection.
    """
    q = 1 / 173.7178
    value, deviation, sigma = rating
    weight = 1 / math.sqrt(1 + 3 * (q * opponent[1] / math.pi) ** 2)
    expected = 1 / (1 + 10 ** (-weight * (value - opponent[0]) * q / math.log(10)))
    v = 1 / (weight**2 * expected * (1 - expected))
    delta = v * weight * (points - expected)
    phi2 = (q * deviation) ** 2

    def slope(log_variance: float) -> float:
        s2 = math.exp(log_variance)
        likelihood = s2 * (delta**2 - phi2 - v - s2) / (2 * (phi2 + v + s2) ** 2)
        return likelihood - (log_variance - math.log(sigma**2)) / tau**2

    # After a very unexpected result there are solutions farther away, with absurd volatilities.
    low, high = math.log(sigma**2) - 4, math.log(sigma**2) + 4
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if slope(middle) > 0 else (low, middle)
    s2 = math.exp(low)
    phi2 = 1 / (1 / (phi2 + s2) + 1 / v)
    return value + phi2 * weight * (points - expected) / q, math.sqrt(phi2) / q, math.sqrt(s2)


@pytest.mark.slow
@pytest.mark.parametrize("count", [2_000, pytest.param(10_000, marks=pytest.mark.weekly)])
def test_after_games_equals_another_implementation(count: int) -> None:
    chance = Random("ratings")
    rating = NEW
    for _ in range(count):
        if chance.random() < 0.01:  # now and then another player
            rating = GlickoRating(chance.gauss(1500, 400), chance.uniform(40, 500), chance.uniform(0.03, 0.2))
        opponent = GlickoRating(chance.gauss(rating.value, 300), chance.uniform(0, 500))
        points = chance.choice((0.0, 0.5, 1.0))
        other = slow_update(
            (rating.value, rating.deviation, rating.volatility),
            (opponent.value, opponent.deviation),
            points,
            0.75,
        )
        rating = after_games(rating, [(opponent, points)])
        assert (rating.value, rating.deviation, rating.volatility) == pytest.approx(other, rel=1e-7)


def test_after_games_does_not_depend_on_the_zero_of_the_scale() -> None:
    low, high = (
        after_games(GlickoRating(value, 80), [(GlickoRating(value + 300, 60), 1.0)]) for value in (1500, 2500)
    )
    assert high.value - low.value == pytest.approx(1000)
    assert (high.deviation, high.volatility) == pytest.approx((low.deviation, low.volatility))


def test_certain_result_changes_nothing() -> None:
    strong = GlickoRating(9000, 60)
    assert after_games(strong, [(GlickoRating(0, 0), 1.0)]) == strong


def test_deviation_grows_with_time_up_to_a_new_player() -> None:
    sure = GlickoRating(1800, 60)
    assert not sure.is_provisional
    year, ever = after_time(sure, 365 * DAY), after_time(sure, 10**9 * DAY)
    assert year.deviation == pytest.approx(PROVISIONAL, abs=0.5)
    assert (ever.value, ever.deviation, ever.is_provisional) == (1800, MAX_DEVIATION, True)
    assert after_time(sure, -DAY) == sure


@given(st.floats(500, 2500), st.floats(500, 2500), st.floats(40, 500), st.floats(40, 500))
def test_expected_points_of_two_players_sum_to_one(one: float, two: float, dev: float, other: float) -> None:
    first, second = GlickoRating(one, dev), GlickoRating(two, other)
    assert expected_points(first, second) + expected_points(second, first) == pytest.approx(1)


@given(st.floats(500, 2500), st.floats(500, 2500), st.floats(40, 500), st.sampled_from((0.0, 0.5, 1.0)))
def test_better_results_give_better_ratings(value: float, other: float, dev: float, points: float) -> None:
    rating, opponent = GlickoRating(value, dev), GlickoRating(other, 60)
    after = after_games(rating, [(opponent, points)])
    surprise = points - after_expected(rating, opponent)
    assert (after.value - value) * surprise >= 0
    assert after.deviation < math.hypot(dev, 173.7178 * after.volatility)


def after_expected(rating: GlickoRating, opponent: GlickoRating) -> float:
    """Return the points that count as expected in an update: the rating itself is taken as exact."""
    return expected_points(GlickoRating(rating.value, 0), opponent)
