"""The sequential test (SPRT), compared with values of fishtest and fastchess."""

from math import inf, isfinite, log, nan

import pytest
from hypothesis import given
from hypothesis import strategies as some

from noughts.arena.tournament.scores import NORMAL_ELO, Results
from noughts.arena.tournament.sequential import Test as Sequential

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


@pytest.mark.parametrize(("counts", "elos", "logistic", "normalised"), RATIOS)
def test_ratios_match_known_values(
    counts: tuple[int, ...], elos: tuple[float, float], logistic: float, normalised: float
) -> None:
    results = Results(counts)
    assert Sequential(*elos).log_ratio(results) == pytest.approx(logistic, abs=5e-6)
    assert Sequential(*elos, normalised=True).log_ratio(results) == pytest.approx(normalised, abs=5e-6)


@pytest.mark.slow
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

    ratio = Sequential(*elos, normalised=True).log_ratio(Results(counts))
    assert ratio == pytest.approx(likelihood(elos[1]) - likelihood(elos[0]), abs=0.02)


@pytest.mark.slow
@pytest.mark.parametrize("normalised", [False, True])
@pytest.mark.parametrize("counts", [(144, 3, 1, 0, 0), (0, 10**9, 0)])
@pytest.mark.parametrize("elos", [(-1500, -500), (-100_000, 100_000)])
def test_ratio_is_finite_far_from_results(
    elos: tuple[float, float], counts: tuple[int, ...], normalised: bool
) -> None:
    ratio = Sequential(*elos, normalised=normalised).log_ratio(Results(counts))
    turned = Sequential(-elos[1], -elos[0], normalised=normalised).log_ratio(Results(counts[::-1]))
    assert isfinite(ratio)
    assert ratio == pytest.approx(-turned, rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("values", [(0, inf, 0.1, 0.1), (nan, 5, 0.1, 0.1), (0, 5, 0, 0.1), (0, 5, 0.6, 0.6)])
def test_test_refuses_impossible_values(values: tuple[float, float, float, float]) -> None:
    with pytest.raises(ValueError, match=r"differences|chances"):
        Sequential(*values)


def test_bounds_and_decisions() -> None:
    assert Sequential(0, 5).bounds == pytest.approx((-2.94444, 2.94444), abs=5e-6)
    assert Sequential(0, 5, alpha=0.05, beta=0.10).bounds == pytest.approx((-2.25129, 2.89037), abs=5e-6)
    assert Sequential(0, 50).decision(Results((0, 100, 0))) == "elo0"
    assert Sequential(0, 5).decision(Results((0, 100, 0))) is None
    assert Sequential(0, 50).decision(Results((0, 0, 100))) == "elo1"
    assert Sequential(0, 5).log_ratio(Results((0, 0, 0))) == 0


@pytest.mark.slow
@given(COUNTS)
def test_exchanged_players_negate_the_ratio(counts: list[int]) -> None:
    results, other = Results(tuple(counts)), Results(tuple(reversed(counts)))
    one, two = Sequential(-7, 3), Sequential(-3, 7)
    assert one.log_ratio(results) == pytest.approx(-two.log_ratio(other), abs=1e-6)
