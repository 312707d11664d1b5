"""A test that ends as soon as results decide between two differences in strength: Wald's, generalised.

The likelihood ratio compares the likeliest distributions of results under either difference, as fishtest
computes it. Which results come first must not matter: only finished pairs are counted, in the order in which
they were begun.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import log, sqrt

from noughts.arena.tournament.scores import NORMAL_ELO, PAIRS, Results, mean, score_of, variance

REGULAR = 1e-3
"""Of a class without results so many are taken to have been seen."""

STEPS = 30
"""So often a distribution is refined, which then moves no more."""


@dataclass(frozen=True, slots=True)
class Test:
    """Whether the first player is stronger by *elo1* Elo points rather than by *elo0*.

    *alpha* is the chance to decide for *elo1* though *elo0* is true, *beta* that of the other error. The
    differences are *normalised* ones where told so.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    normalised: bool = False

    @property
    def bounds(self) -> tuple[float, float]:
        """The test ends where the logarithm of the likelihood ratio leaves these."""
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)

    def log_ratio(self, results: Results) -> float:
        """The logarithm of the ratio of likelihoods, *elo1* to *elo0*; 0 where nothing was played.

        >>> round(Test(0, 5).log_ratio(Results((96, 111, 136))), 5)
        0.79901
        """
        if not results.total:
            return 0.0
        counts = [count or REGULAR for count in results.counts]
        total = sum(counts)
        observed = [count / total for count in counts]
        likeliest = self._likeliest_normalised if self.normalised else self._likeliest
        first, second = (likeliest(results.points, observed, elo) for elo in (self.elo0, self.elo1))
        ratios = (part * log(two / one) for part, one, two in zip(observed, first, second, strict=True))
        return total * sum(ratios)

    def decision(self, results: Results) -> str | None:
        """``elo0`` or ``elo1``; None while it is open."""
        low, high = self.bounds
        ratio = self.log_ratio(results)
        return "elo0" if ratio <= low else "elo1" if ratio >= high else None

    @staticmethod
    def _likeliest(points: Sequence[float], observed: Sequence[float], elo: float) -> list[float]:
        """The likeliest distribution with the mean that *elo* tells."""
        score = score_of(elo)
        return _tilted(observed, [point - score for point in points])

    @staticmethod
    def _likeliest_normalised(points: Sequence[float], observed: Sequence[float], elo: float) -> list[float]:
        """The likeliest distribution whose mean is so many of its deviations above one half."""
        ratio = elo / NORMAL_ELO * (sqrt(2) if len(points) == PAIRS else 1)
        found = [1 / len(points)] * len(points)
        for _ in range(STEPS):
            middle, deviation = mean(points, found), sqrt(variance(points, found))
            slopes = [
                point - 0.5 - ratio * deviation * (1 + ((point - middle) / deviation) ** 2) / 2
                for point in points
            ]
            found = _tilted(observed, slopes)
        return found


def _tilted(observed: Sequence[float], slopes: Sequence[float]) -> list[float]:
    """The likeliest distribution in which the mean of *slopes*, some above and some below 0, is 0."""

    def excess(tilt: float) -> float:
        pairs = zip(observed, slopes, strict=True)
        return sum(part * slope / (1 + tilt * slope) for part, slope in pairs)

    tilt = root(excess, -1 / max(slopes), -1 / min(slopes))
    return [part / (1 + tilt * slope) for part, slope in zip(observed, slopes, strict=True)]


def root(falling: Callable[[float], float], low: float, high: float) -> float:
    """Where a function that is *falling* between *low* and *high* is 0."""
    while low < (middle := (low + high) / 2) < high:
        low, high = (middle, high) if falling(middle) > 0 else (low, middle)
    return low
