"""Glicko-2 by M. Glickman (2013, http://www.glicko.net/glicko/glicko2.pdf), and the growth of deviations.

The names of variables are those of the paper. Each game is a rating period of its own. Time without a game
counts as further periods, so that an old rating becomes less certain.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import exp, log, pi, sqrt

SCALE = 173.7178
"""The number of rating points in one unit of the internal scale."""

CENTRE = 1500.0
"""The rating that is 0 on the internal scale."""

TAU = 0.75
"""The change of volatility: small values trust unexpected results less."""

CLOSE = 1e-9
"""The iteration for the volatility ends when its bounds are closer than this."""

MAX_DEVIATION = 500.0
"""The deviation of a player without games."""

PROVISIONAL = 110.0
"""A rating with a greater deviation is provisional."""

DAY = 24 * 60 * 60 * 1000
"""The milliseconds of a day."""

PERIODS_PER_DAY = 0.0953
"""The rating periods in a day without a game.

With the volatility of a new player, a deviation of 60 grows to 110 in a year.
"""


@dataclass(frozen=True, slots=True)
class GlickoRating:
    """A rating: its value, its deviation (one standard error) and its volatility."""

    value: float = CENTRE
    deviation: float = MAX_DEVIATION
    volatility: float = 0.09

    @property
    def is_provisional(self) -> bool:
        """True if the deviation is so great that the rating may still move a lot."""
        return self.deviation > PROVISIONAL


NEW = GlickoRating()
"""The rating of a person without games."""


def after_time(rating: GlickoRating, milliseconds: int) -> GlickoRating:
    """Return *rating* after a time without games: its deviation has grown, up to that of a new player.

    >>> round(after_time(GlickoRating(1500, 60), 365 * DAY).deviation)
    110
    """
    if milliseconds <= 0:
        return rating
    periods = milliseconds / DAY * PERIODS_PER_DAY
    grown = SCALE * sqrt((rating.deviation / SCALE) ** 2 + periods * rating.volatility**2)
    return replace(rating, deviation=max(rating.deviation, min(MAX_DEVIATION, grown)))


def after_games(
    rating: GlickoRating, games: Sequence[tuple[GlickoRating, float]], tau: float = TAU
) -> GlickoRating:
    """Return *rating* after a rating period with *games*: the opponents' ratings, and the points.

    >>> opponents = [(GlickoRating(1400, 30), 1), (GlickoRating(1550, 100), 0), (GlickoRating(1700, 300), 0)]
    >>> after = after_games(GlickoRating(1500, 200, 0.06), opponents, tau=0.5)
    >>> round(after.value, 2), round(after.deviation, 2), round(after.volatility, 6)
    (1464.05, 151.52, 0.059996)
    """
    mu, phi = (rating.value - CENTRE) / SCALE, rating.deviation / SCALE
    information = surprise = 0.0
    for opponent, points in games:
        g = _g(opponent.deviation / SCALE)
        expected = 1 / (1 + exp(-g * (mu - (opponent.value - CENTRE) / SCALE)))
        information += g * g * expected * (1 - expected)
        surprise += g * (points - expected)
    if not information:  # an opponent so far away that the result was certain tells nothing
        return rating
    volatility = _volatility(rating.volatility, phi, 1 / information, surprise / information, tau)
    phi = 1 / sqrt(1 / (phi * phi + volatility * volatility) + information)
    return GlickoRating(CENTRE + SCALE * (mu + phi * phi * surprise), SCALE * phi, volatility)


def expected_points(rating: GlickoRating, opponent: GlickoRating) -> float:
    """Return the points that a player with *rating* can expect in a game with *opponent*: 0 to 1.

    >>> expected_points(GlickoRating(1600, 50), GlickoRating(1600, 80))
    0.5
    """
    g = _g(sqrt(rating.deviation**2 + opponent.deviation**2) / SCALE)
    return 1 / (1 + exp(-g * (rating.value - opponent.value) / SCALE))


def _g(phi: float) -> float:
    """Return the weight of a game with an opponent of the deviation *phi*."""
    return 1 / sqrt(1 + 3 * phi * phi / (pi * pi))


def _volatility(sigma: float, phi: float, v: float, delta: float, tau: float) -> float:
    """Return the new volatility (step 5 of the paper, by the Illinois algorithm)."""
    start = log(sigma * sigma)

    def f(x: float) -> float:
        variance = phi * phi + v + exp(x)
        return exp(x) * (delta * delta - variance) / (2 * variance * variance) - (x - start) / (tau * tau)

    a, b = start, start - tau
    if delta * delta > phi * phi + v:
        b = log(delta * delta - phi * phi - v)
    else:
        while f(b) < 0:
            b -= tau
    f_a, f_b = f(a), f(b)
    while abs(b - a) > CLOSE:
        c = a + (a - b) * f_a / (f_b - f_a)
        f_c = f(c)
        if f_c * f_b <= 0:
            a, f_a = b, f_b
        else:
            f_a /= 2
        b, f_b = c, f_c
    return exp(a / 2)
