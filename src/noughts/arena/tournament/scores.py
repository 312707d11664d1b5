"""Results of two players against each other: scores, strength differences, and confidence intervals.

Results are counted by class, worst first. The classes of games are lost, drawn and won. The classes of pairs
of games from the same opening with exchanged seats are the half points of both. The games of a pair depend on
each other, so pairs are counted if there are any. Formulas as in the tools of fishtest and fastchess, with
which they agree (Elo differences by the logistic curve; normalised ones by M. Van den Bergh).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import erf, inf, log, log10, sqrt

Z = 1.959964
"""The number of standard errors within which 95 of 100 estimates are."""

GAMES, PAIRS = 3, 5
"""The numbers of classes of results of games, and of pairs."""

NORMAL_ELO = 800 / log(10)
"""The normalised Elo difference of one standard deviation of a game."""


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate and its 95 % interval, infinite if the results are too one-sided."""

    middle: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Results:
    """Counts of results by class: three for games, five for pairs."""

    counts: tuple[float, ...]

    def __post_init__(self) -> None:
        if len(self.counts) not in (GAMES, PAIRS) or min(self.counts) < 0:
            raise ValueError(f"counts of games (3) or of pairs (5), none below 0, not {self.counts}")

    @property
    def points(self) -> tuple[float, ...]:
        """The value of each class, from 0 to 1."""
        best = len(self.counts) - 1
        return tuple(place / best for place in range(best + 1))

    @property
    def total(self) -> float:
        """The number of games, or of pairs."""
        return sum(self.counts)

    @property
    def games(self) -> float:
        """The number of games."""
        return self.total * (2 if len(self.counts) == PAIRS else 1)

    @property
    def score(self) -> float:
        """The mean of the points, one half without results."""
        return mean(self.points, self.counts) if self.total else 0.5

    @property
    def variance(self) -> float:
        """The variance of the points of one game, or one pair."""
        return variance(self.points, self.counts) if self.total else 0.0

    @property
    def error(self) -> float:
        """The standard error of the score, or 0 if all results are equal, which shows nothing."""
        return sqrt(self.variance / self.total) if self.total else 0.0

    @property
    def is_enough(self) -> bool:
        """True if results differ. Otherwise there is no standard error."""
        return self.error > 0

    def interval(self) -> Interval:
        """Return the score and its interval.

        It is Wilson's interval if games have no standard error.
        """
        if self.is_enough:
            return Interval(self.score, self.score - Z * self.error, self.score + Z * self.error)
        return wilson(self.score, self.games)

    def elo(self) -> Interval:
        """Return the difference in Elo points. Its interval is not symmetric, so show both ends.

        >>> one = Results((4, 10, 6)).elo()
        >>> [round(number, 3) for number in (one.middle, one.low, one.high)]
        [34.86, -72.895, 150.005]
        """
        of = self.interval()
        return Interval(elo_of(of.middle), elo_of(of.low), elo_of(of.high))

    def normalised(self) -> Interval:
        """Return the difference in units of the standard deviation of one game.

        The number of games needed to show a difference depends on this value. The interval is infinite if all
        results are equal.
        """
        if not self.is_enough:
            return Interval(0.0, -inf, inf)
        deviation = sqrt(self.variance * self.games / self.total)
        middle = (self.score - 0.5) / deviation * NORMAL_ELO
        half = Z * self.error / deviation * NORMAL_ELO
        return Interval(middle, middle - half, middle + half)

    def superiority(self) -> float | None:
        """Return the probability that the first player is stronger, from a uniform prior.

        Return None if all results are equal. The probability is valid for a fixed number of games. Do not use
        it to decide when a match ends.
        """
        return normal((self.score - 0.5) / self.error) if self.is_enough else None


def elo_of(score: float) -> float:
    """Return the Elo difference that predicts *score*, infinite for 0 and 1.

    >>> round(elo_of(0.75), 1), elo_of(1.0), elo_of(-0.1)
    (190.8, inf, -inf)
    """
    if score <= 0:
        return -inf
    return inf if score >= 1 else 400 * log10(score / (1 - score))


def score_of(elo: float) -> float:
    """Return the expected score of a player that is stronger by *elo* points.

    >>> score_of(0)
    0.5
    """
    return 1 / (1 + 10 ** (-elo / 400))


def wilson(score: float, games: float) -> Interval:
    """Return the interval of a *score* in single *games* without draws (Wilson 1927).

    >>> found = wilson(1.0, 10)
    >>> round(found.low, 5), round(found.high, 5)
    (0.72247, 1.0)
    """
    if not games:
        return Interval(score, 0.0, 1.0)
    square = Z**2 / games
    middle = score + square / 2
    half = Z * sqrt(score * (1 - score) / games + square / (4 * games))
    # A score of 0 or 1 must give exactly 0 or 1. Rounding would miss it.
    low = (middle - half) / (1 + square) if score > 0 else 0.0
    high = (middle + half) / (1 + square) if score < 1 else 1.0
    return Interval(score, low, high)


def normal(x: float) -> float:
    """Return the part of a standard normal distribution below *x*."""
    return (1 + erf(x / sqrt(2))) / 2


def mean(points: Sequence[float], weights: Sequence[float]) -> float:
    """Return the mean of *points* with these *weights*."""
    return sum(weight * point for point, weight in zip(points, weights, strict=True)) / sum(weights)


def variance(points: Sequence[float], weights: Sequence[float]) -> float:
    """Return the mean square of the distances of *points* from their mean."""
    middle = mean(points, weights)
    return mean([(point - middle) ** 2 for point in points], weights)
