"""A test that ends as soon as results decide between two differences in strength: Wald's, generalised.

The likelihood ratio compares the likeliest distributions of results under either difference, as fishtest
computes it. The test must not depend on which results come first. So only finished pairs are counted, in the
order in which they were begun.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import log, sqrt

from noughts.arena.tournament.scores import NORMAL_ELO, PAIRS, Results, mean, score_of

REGULAR = 1e-3
"""The count that replaces 0 for a class without results."""

MAX_ELO_DIFFERENCE = 100_000
"""The maximum difference, either way, of a test."""

GRID = 32
"""The number of deviations at which a change of sign is searched for."""

CLOSE_TO_ZERO = 1e-9
"""A ratio below which the mean is one half for any deviation."""


@dataclass(frozen=True, slots=True)
class Test:
    """A test of the hypothesis that the first player is stronger by *elo1* Elo points, against *elo0*.

    *alpha* is the probability of deciding for *elo1* if *elo0* is true. *beta* is that of the other error.
    The differences are in normalised units if *normalised* is true.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    normalised: bool = False

    def __post_init__(self) -> None:
        if not all(-MAX_ELO_DIFFERENCE <= elo <= MAX_ELO_DIFFERENCE for elo in (self.elo0, self.elo1)):
            differences = f"{self.elo0} and {self.elo1}"
            raise ValueError(
                f"differences from -{MAX_ELO_DIFFERENCE} to {MAX_ELO_DIFFERENCE}, not {differences}"
            )
        if not (0 < self.alpha < 1 and 0 < self.beta < 1 and self.alpha + self.beta < 1):
            raise ValueError(f"chances of errors with a sum below 1, not {self.alpha} and {self.beta}")

    @property
    def bounds(self) -> tuple[float, float]:
        """The bounds of the logarithm of the likelihood ratio at which the test ends."""
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)

    def log_ratio(self, results: Results) -> float:
        """Return the logarithm of the ratio of likelihoods, *elo1* to *elo0*, or 0 without results.

        >>> round(Test(0, 5).log_ratio(Results((96, 111, 136))), 5)
        0.79901
        """
        if not results.total:
            return 0.0
        counts = [count or REGULAR for count in results.counts]
        total = sum(counts)
        observed = [count / total for count in counts]
        likeliest = _likeliest_normalised if self.normalised else _likeliest
        first, second = (likeliest(results.points, observed, elo) for elo in (self.elo0, self.elo1))
        return total * (_log_likelihood(observed, second) - _log_likelihood(observed, first))

    def decision(self, results: Results) -> str | None:
        """Return the decision: ``elo0`` or ``elo1``, or None while it is open."""
        return self.decision_at(self.log_ratio(results))

    def decision_at(self, ratio: float) -> str | None:
        """Return the decision at this logarithm of the ratio, as :meth:`decision` does."""
        low, high = self.bounds
        return "elo0" if ratio <= low else "elo1" if ratio >= high else None


def _likeliest(points: Sequence[float], observed: Sequence[float], elo: float) -> list[float]:
    """Return the likeliest distribution with the mean that *elo* predicts."""
    # The slopes are relative to the nearer end: a score close to 1 would be rounded to 1.
    if elo > 0:
        return _tilted(observed, [point - 1 + score_of(-elo) for point in points])
    return _tilted(observed, [point - score_of(elo) for point in points])


def _likeliest_normalised(points: Sequence[float], observed: Sequence[float], elo: float) -> list[float]:
    """Return the likeliest distribution with a mean *elo* normalised units above one half.

    The mean is one half plus *ratio* deviations. For each deviation there is one likeliest distribution with
    a mean that agrees with the second moment about it. The moment must be the square of the deviation.
    Several deviations near different classes can satisfy that. All are found, and the likeliest is returned.
    """
    ratio = elo / NORMAL_ELO * (sqrt(2) if len(points) == PAIRS else 1)
    if abs(ratio) < CLOSE_TO_ZERO:
        return _likeliest(points, observed, 0)

    def middle_of(deviation: float) -> float:
        return 0.5 + ratio * deviation

    def at(deviation: float) -> list[float]:
        middle = middle_of(deviation)
        slopes = [
            point - 0.5 - ratio * (deviation + (point - middle) ** 2 / deviation) / 2 for point in points
        ]
        return _tilted(observed, slopes)

    def excess(deviation: float) -> float:
        middle, distribution = middle_of(deviation), at(deviation)
        return mean([(point - middle) ** 2 for point in points], distribution) - deviation**2

    found = list[list[float]]()
    for low, high in _possible_deviations(points, ratio):
        tried = [low * (high / low) ** (place / GRID) for place in range(GRID + 1)]
        # The sign at both ends is known, and no distribution exists exactly there.
        signs = [True, *(excess(deviation) > 0 for deviation in tried[1:-1]), False]
        found += [
            at(root(excess, tried[place], tried[place + 1]))
            for place in range(GRID)
            if signs[place] and not signs[place + 1]
        ]
    return max(found, key=lambda distribution: _log_likelihood(observed, distribution))


def _possible_deviations(points: Sequence[float], ratio: float) -> list[tuple[float, float]]:
    """Return the ranges of deviations in which a distribution over *points* can have that *ratio*.

    Each point on the right side of one half allows a range. Ranges that overlap are joined.
    """
    part = 1 / sqrt(1 + ratio**2)
    centres = [(point - 0.5) / ratio for point in points if (point - 0.5) / ratio > 0]
    ranges: list[tuple[float, float]] = []
    for low, high in sorted((centre * (1 - part), centre * (1 + part)) for centre in centres):
        if ranges and low < ranges[-1][1]:
            low, high = ranges[-1][0], max(high, ranges.pop()[1])
        ranges.append((low, high))
    return ranges


def _log_likelihood(observed: Sequence[float], distribution: Sequence[float]) -> float:
    """Return the mean logarithm of the likelihood of *observed* under *distribution*."""
    return sum(part * log(one) for part, one in zip(observed, distribution, strict=True))


def _tilted(observed: Sequence[float], slopes: Sequence[float]) -> list[float]:
    """Return the likeliest distribution in which the mean of *slopes*, some above and some below 0, is 0.

    The tilt is measured from the end of its range that is nearer to the solution, so that a class of which
    almost nothing is left, or to which almost everything moves, is not lost by rounding.
    """
    most, least = max(slopes), min(slopes)
    half = (1 / most - 1 / least) / 2

    def weights(edge: float, distance: float) -> list[float]:
        step = distance if edge == most else -distance
        return [(edge - slope) / edge + step * slope for slope in slopes]

    def excess(edge: float, distance: float) -> float:
        parts = zip(observed, slopes, weights(edge, distance), strict=True)
        return sum(part * slope / weight for part, slope, weight in parts)

    edge = least if excess(most, half) > 0 else most
    # Closer to the edge the class would have more than 1.
    nearest = observed[slopes.index(edge)] / abs(edge) / 2
    sign = 1 if edge == most else -1
    distance = root(lambda distance: sign * excess(edge, distance), nearest, half)
    return [part / weight for part, weight in zip(observed, weights(edge, distance), strict=True)]


def root(falling: Callable[[float], float], low: float, high: float) -> float:
    """Return the zero of a function that is *falling* between *low* and *high*."""
    while low < (middle := (low + high) / 2) < high:
        low, high = (middle, high) if falling(middle) > 0 else (low, middle)
    return low
