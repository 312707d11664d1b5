"""Scores and intervals, compared with values of fishtest and fastchess."""

from math import inf, isfinite, log, nan

import pytest
from hypothesis import given
from hypothesis import strategies as some

from noughts.arena.tournament.scores import NORMAL_ELO, Counts, elo_of, normal, score_of, wilson
from noughts.arena.tournament.sequential import Test as Sequential

TABLES = [
    ((96, 111, 136), 0.558309, (40.702, 10.587, 71.441), 0.99601, (49.768, 36.768)),
    ((89, 123, 76), 0.477431, (-15.694, -46.272, 14.644), 0.15533, (-20.756, 40.126)),
    ((40, 0, 60), 0.6, (70.437, 2.767, 143.909), 0.97939, (70.920, 68.096)),
    ((4, 10, 6), 0.55, (34.860, -72.895, 150.005), 0.73855, (49.634, 152.268)),
    ((10, 40, 100, 60, 15), 0.533333, (23.197, 1.977, 44.591), 0.98394, (35.096, 32.101)),
    ((110, 200, 140), 0.533333, (23.197, -0.668, 47.283), 0.97161, (31.201, 32.101)),
    ((10789, 19328, 33806, 19402, 10543), 0.498887, (-0.774, -2.051, 0.504), 0.11766, (-0.952, 1.572)),
]
"""Counts, score, Elo with both ends, likelihood of superiority, normalised Elo and half its interval."""

RATIOS = [
    ((96, 111, 136), (0, 5), 0.79901, 0.66449),
    ((21184, 40708, 21404), (0.5, 2.5), -1.57189, -0.29898),
    ((57030, 106593, 57433), (0, 2), -2.59302, -0.43864),
    ((10, 40, 100, 60, 15), (0, 10), 1.51848, 1.10317),
    ((10789, 19328, 33806, 19402, 10543), (-3, 1), 2.13107, 0.30087),
    ((300, 500, 1200, 560, 340), (0, 5), 2.26608, 1.94934),
    ((0, 0, 10), (0, 50), 1.33590, 1.33161),
    ((0, 100, 0), (0, 5), -1.44191, -0.01802),
    ((0, 100, 0), (0, 50), -15.41341, -2.04269),
    ((0, 3, 10), (0, 50), 1.73643, 1.51069),
]
"""Counts, the two differences, and the logarithms of the ratio, logistic and normalised."""

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
    results = Counts(counts)
    result, units = results.elo(), results.normalised()
    assert results.score == pytest.approx(score, abs=5e-7)
    assert (result.middle, result.low, result.high) == pytest.approx(elo, abs=5e-4)
    assert results.superiority() == pytest.approx(superiority, abs=5e-6)
    assert (units.middle, (units.high - units.low) / 2) == pytest.approx(normalised, abs=5e-4)


@pytest.mark.parametrize(("counts", "elos", "logistic", "normalised"), RATIOS)
def test_ratios_match_known_values(
    counts: tuple[int, ...], elos: tuple[float, float], logistic: float, normalised: float
) -> None:
    results = Counts(counts)
    assert Sequential(*elos).log_ratio(results) == pytest.approx(logistic, abs=5e-6)
    assert Sequential(*elos, normalised=True).log_ratio(results) == pytest.approx(normalised, abs=5e-6)


@pytest.mark.parametrize("elos", [(-1500, -500), (-200, 700)])
@pytest.mark.parametrize("counts", [(144, 3, 1), (30, 5, 20)])
def test_normalised_ratio_agrees_with_a_scan(counts: tuple[int, ...], elos: tuple[float, float]) -> None:
    """Three probabilities follow from their sum, mean and deviation, so one scan finds the likeliest."""

    def likelihood(elo: float) -> float:
        best = -inf
        for step in range(1, 10_000):
            deviation = step / 20_000
            middle = 0.5 + elo / NORMAL_ELO * deviation
            square = middle**2 + deviation**2
            parts = (1 - 3 * middle + 2 * square, 4 * middle - 4 * square, 2 * square - middle)
            if min(parts) > 0:
                best = max(best, sum(count * log(part) for count, part in zip(counts, parts, strict=True)))
        return best

    ratio = Sequential(*elos, normalised=True).log_ratio(Counts(counts))
    assert ratio == pytest.approx(likelihood(elos[1]) - likelihood(elos[0]), abs=0.02)


@pytest.mark.parametrize("normalised", [False, True])
@pytest.mark.parametrize("counts", [(144, 3, 1, 0, 0), (0, 10**9, 0)])
@pytest.mark.parametrize("elos", [(-1500, -500), (-100_000, 100_000)])
def test_ratio_is_finite_far_from_results(
    elos: tuple[float, float], counts: tuple[int, ...], normalised: bool
) -> None:
    ratio = Sequential(*elos, normalised=normalised).log_ratio(Counts(counts))
    turned = Sequential(-elos[1], -elos[0], normalised=normalised).log_ratio(Counts(counts[::-1]))
    assert isfinite(ratio)
    assert ratio == pytest.approx(-turned, rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("values", [(0, inf, 0.1, 0.1), (nan, 5, 0.1, 0.1), (0, 5, 0, 0.1), (0, 5, 0.6, 0.6)])
def test_test_refuses_impossible_values(values: tuple[float, float, float, float]) -> None:
    with pytest.raises(ValueError, match=r"differences|chances"):
        Sequential(*values)


def test_bounds_and_decisions() -> None:
    assert Sequential(0, 5).bounds == pytest.approx((-2.94444, 2.94444), abs=5e-6)
    assert Sequential(0, 5, alpha=0.05, beta=0.10).bounds == pytest.approx((-2.25129, 2.89037), abs=5e-6)
    assert Sequential(0, 50).decision(Counts((0, 100, 0))) == "elo0"
    assert Sequential(0, 5).decision(Counts((0, 100, 0))) is None
    assert Sequential(0, 50).decision(Counts((0, 0, 100))) == "elo1"
    assert Sequential(0, 5).log_ratio(Counts((0, 0, 0))) == 0


def test_equal_results_have_the_interval_of_wilson() -> None:
    """Equal results have no finite interval in normalised units, since they show too little."""
    won = Counts((0, 0, 10))
    assert not won.is_enough
    assert (won.interval().low, won.interval().high) == pytest.approx((0.72247, 1), abs=5e-6)
    assert won.elo().middle == inf
    assert won.elo().low == pytest.approx(166.2, abs=0.05)
    assert (won.normalised().low, won.normalised().high) == (-inf, inf)
    assert [Counts(one).superiority() for one in ((0, 0, 10), (0, 5, 0), (4, 0, 0))] == [None] * 3
    result = wilson(0.55, 20)
    assert (result.low, result.high) == pytest.approx((0.34209, 0.74180), abs=5e-6)
    pairs = Counts((0, 0, 100, 0, 0))
    assert (pairs.games, pairs.score, pairs.error) == (200, 0.5, 0)
    assert pairs.elo().low == pytest.approx(-48.0, abs=0.05)


def test_no_results_give_no_information() -> None:
    nothing = Counts((0, 0, 0))
    assert (nothing.score, nothing.variance, nothing.error, nothing.superiority()) == (0.5, 0, 0, None)
    assert (nothing.interval().low, nothing.interval().high) == (0, 1)


@pytest.mark.parametrize("counts", [(), (1, 2), (1, 2, 3, 4), (0, -1, 2)])
def test_invalid_counts_are_refused(counts: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="counts of games"):
        Counts(counts)


@pytest.mark.parametrize("games", [1, 10, 125, 999])
def test_lost_match_has_no_lower_end(games: int) -> None:
    """An end that rounding puts just above 0 would give a false number of Elo points."""
    lost, won = Counts((games, 0, 0)).elo(), Counts((0, 0, games)).elo()
    assert (lost.low, lost.middle) == (-inf, -inf)
    assert (won.high, won.middle) == (inf, inf)


@pytest.mark.slow
@given(COUNTS)
def test_intervals_are_consistent(counts: list[int]) -> None:
    """For the other player everything is reversed, and the ends surround the middle."""
    results, other = Counts(tuple(counts)), Counts(tuple(reversed(counts)))
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
    one, two = Sequential(-7, 3), Sequential(-3, 7)
    assert one.log_ratio(results) == pytest.approx(-two.log_ratio(other), abs=1e-6)


@given(some.floats(-1500, 1500))
def test_elo_and_score_are_inverse(elo: float) -> None:
    assert elo_of(score_of(elo)) == pytest.approx(elo, abs=1e-6)
    assert normal(elo) + normal(-elo) == pytest.approx(1)
