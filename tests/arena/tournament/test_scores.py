"""Scores and intervals, compared with values of fishtest and fastchess."""

from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as some

from noughts.arena.tournament.scores import Results, elo_of, normal, score_of, wilson

TABLES = [
    ((96, 111, 136), 0.558309, (40.702, 10.587, 71.441), 0.99601, (49.768, 36.768)),
    ((89, 123, 76), 0.477431, (-15.694, -46.272, 14.644), 0.15533, (-20.756, 40.126)),
    ((40, 0, 60), 0.6, (70.437, 2.767, 143.909), 0.97939, (70.920, 68.096)),
    ((4, 10, 6), 0.55, (34.860, -72.895, 150.005), 0.73855, (49.634, 152.268)),
    ((10, 40, 100, 60, 15), 0.533333, (23.197, 1.977, 44.591), 0.98394, (35.096, 32.101)),
    ((110, 200, 140), 0.533333, (23.197, -0.668, 47.283), 0.97161, (31.201, 32.101)),
    ((10789, 19328, 33806, 19402, 10543), 0.498887, (-0.774, -2.051, 0.504), 0.11766, (-0.952, 1.572)),
]
"""Results, score, Elo with both ends, likelihood of superiority, normalised Elo and half its interval."""

COUNTS = some.lists(some.integers(0, 500), min_size=3, max_size=3) | some.lists(
    some.integers(0, 500), min_size=5, max_size=5
)


@pytest.mark.parametrize(("counts", "score", "elo", "superiority", "normalised"), TABLES)
def test_scores_match_known_tables(
    counts: tuple[int, ...],
    score: float,
    elo: tuple[float, float, float],
    superiority: float,
    normalised: tuple[float, float],
) -> None:
    results = Results(counts)
    result, units = results.elo(), results.normalised()
    assert results.score == pytest.approx(score, abs=5e-7)
    assert (result.middle, result.low, result.high) == pytest.approx(elo, abs=5e-4)
    assert results.superiority() == pytest.approx(superiority, abs=5e-6)
    assert (units.middle, (units.high - units.low) / 2) == pytest.approx(normalised, abs=5e-4)


def test_equal_results_have_the_interval_of_wilson() -> None:
    """Equal results have no finite interval in normalised units, since they show too little."""
    won = Results((0, 0, 10))
    assert not won.is_enough
    assert (won.interval().low, won.interval().high) == pytest.approx((0.72247, 1), abs=5e-6)
    assert won.elo().middle == inf
    assert won.elo().low == pytest.approx(166.2, abs=0.05)
    assert (won.normalised().low, won.normalised().high) == (-inf, inf)
    assert [Results(one).superiority() for one in ((0, 0, 10), (0, 5, 0), (4, 0, 0))] == [None] * 3
    result = wilson(0.55, 20)
    assert (result.low, result.high) == pytest.approx((0.34209, 0.74180), abs=5e-6)
    pairs = Results((0, 0, 100, 0, 0))
    assert (pairs.games, pairs.score, pairs.error) == (200, 0.5, 0)
    assert pairs.elo().low == pytest.approx(-48.0, abs=0.05)


def test_no_results_give_no_information() -> None:
    nothing = Results((0, 0, 0))
    assert (nothing.score, nothing.variance, nothing.error, nothing.superiority()) == (0.5, 0, 0, None)
    assert (nothing.interval().low, nothing.interval().high) == (0, 1)


@pytest.mark.parametrize("counts", [(), (1, 2), (1, 2, 3, 4), (0, -1, 2)])
def test_invalid_counts_are_refused(counts: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="counts of games"):
        Results(counts)


@pytest.mark.parametrize("games", [1, 10, 125, 999])
def test_lost_match_has_no_lower_end(games: int) -> None:
    """An end that rounding puts just above 0 would give a false number of Elo points."""
    lost, won = Results((games, 0, 0)).elo(), Results((0, 0, games)).elo()
    assert (lost.low, lost.middle) == (-inf, -inf)
    assert (won.high, won.middle) == (inf, inf)


@pytest.mark.slow
@given(COUNTS)
def test_intervals_are_consistent(counts: list[int]) -> None:
    """For the other player everything is reversed, and the ends surround the middle."""
    results, other = Results(tuple(counts)), Results(tuple(reversed(counts)))
    assert results.score + other.score == pytest.approx(1)
    one_better, other_better = results.superiority(), other.superiority()
    if one_better is None or other_better is None:
        assert len([count for count in counts if count]) <= 1
    else:
        assert one_better + other_better == pytest.approx(1)
    interval, elo = results.interval(), results.elo()
    assert interval.low <= interval.middle + 1e-9
    assert interval.high >= interval.middle - 1e-9
    assert elo.low <= elo.middle + 1e-6
    assert elo.high >= elo.middle - 1e-6


@given(some.floats(-1500, 1500))
def test_elo_and_score_are_inverse(elo: float) -> None:
    assert elo_of(score_of(elo)) == pytest.approx(elo, abs=1e-6)
    assert normal(elo) + normal(-elo) == pytest.approx(1)
