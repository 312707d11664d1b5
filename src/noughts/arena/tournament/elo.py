"""Ratings of many players on one scale, by Bradley and Terry, with a draw as half a point for each.

They are the likeliest differences if a player that is stronger by D Elo points has the expected score ``1 /
(1 + 10 ** (-D / 400))``. One player is the anchor: its rating is 0, and errors are those of the differences
to it. If games were played in pairs, errors are estimated from the pairs (the sandwich of Huber). So draws,
and games of a pair that depend on each other, make them neither too wide nor too narrow. Single games are
taken to have been won or lost by chance alone.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import exp, inf, log, log1p, sqrt
from operator import mul

from noughts.arena.tournament.scores import Results, Z, score_of

SLOPE = log(10) / 400
"""The rise of the logarithm of the odds with each Elo point."""

CLOSE = 1e-10
"""The iteration ends when the strengths of no two opponents move apart by a greater fraction."""

MAX_STEPS = 100
"""The maximum number of iterations. If nearly all games were won, rounding prevents convergence."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """The number of games that two players have played against each other, and the points of the first.

    ``pairs`` are the results of those that were played in pairs, from the first player's point of view.
    """

    first: str
    second: str
    games: float
    points: float
    pairs: Results | None = None


@dataclass(frozen=True, slots=True)
class Rating:
    """The Elo points of a player above the anchor, and half of their 95 % interval."""

    elo: float
    error: float


def rate(meetings: Iterable[Meeting], anchor: str) -> dict[str, Rating | None]:
    """Return the ratings of all players in *meetings*, with *anchor* at 0.

    The value is None for a player that cannot be rated against it. Such a player has won or lost everything
    against the anchor and all rated players, or has never met one of them.
    """
    met = [meeting for meeting in meetings if meeting.games]
    names = list(dict.fromkeys([anchor, *(name for one in met for name in (one.first, one.second))]))
    comparable = _comparable(met, anchor)
    rated = [name for name in names if name in comparable]
    games, points = _tables(met, rated)
    elos = _likeliest(games, points)
    errors = _errors(
        games,
        elos,
        _score_variation([one for one in met if {one.first, one.second} <= {*rated}], rated, elos),
    )
    ratings = {name: Rating(elo, error) for name, elo, error in zip(rated, elos, errors, strict=True)}
    return {name: ratings.get(name) for name in names}


def _comparable(meetings: Sequence[Meeting], anchor: str) -> set[str]:
    """Return the players that are linked to *anchor* by chains of points in both directions."""
    beats: dict[str, set[str]] = {}
    for one in meetings:
        if one.points:
            beats.setdefault(one.first, set()).add(one.second)
        if one.points < one.games:
            beats.setdefault(one.second, set()).add(one.first)
    loses: dict[str, set[str]] = {}
    for winner, losers in beats.items():
        for loser in losers:
            loses.setdefault(loser, set()).add(winner)
    return _reachable(beats, anchor) & _reachable(loses, anchor)


def _reachable(steps: Mapping[str, set[str]], start: str) -> set[str]:
    """Return the names that can be reached from *start* by *steps*."""
    reached, waiting = {start}, [start]
    while waiting:
        new = steps.get(waiting.pop(), set()) - reached
        reached |= new
        waiting += new
    return reached


def _tables(meetings: Iterable[Meeting], names: Sequence[str]) -> tuple[list[list[float]], list[float]]:
    """Return the matrix of numbers of games between *names*, and the points of each."""
    place = {name: number for number, name in enumerate(names)}
    games = [[0.0] * len(names) for _ in names]
    points = [0.0] * len(names)
    for one in meetings:
        if one.first in place and one.second in place:
            first, second = place[one.first], place[one.second]
            games[first][second] += one.games
            games[second][first] += one.games
            points[first] += one.points
            points[second] += one.games - one.points
    return games, points


def _likeliest(games: Sequence[Sequence[float]], points: Sequence[float]) -> list[float]:
    """Return the likeliest ratings, the first of them 0.

    They are found by Newton's method. Steps are shortened if they move two opponents far apart, so that the
    method converges from anywhere (Sun and Tran-Dinh 2019: the likelihood is self-concordant in their sense).
    """
    odds, width, left = [0.0] * len(points), inf, MAX_STEPS
    met = [(one, two) for one, row in enumerate(games) for two, many in enumerate(row) if many]
    while width > CLOSE and left:
        step = [0.0, *_step(games, points, odds)]
        width, left = max((abs(step[one] - step[two]) for one, two in met), default=0.0), left - 1
        part = log1p(width) / width if width else 1.0
        odds = [one + part * change for one, change in zip(odds, step, strict=True)]
    return [one / SLOPE for one in odds]


def _step(games: Sequence[Sequence[float]], points: Sequence[float], odds: Sequence[float]) -> list[float]:
    """Return the Newton step for the logarithms of the *odds*, except the first."""
    curves = [[0.0] * len(odds) for _ in odds]
    slopes = list(points)
    for one, row in enumerate(games):
        for two, many in enumerate(row):
            if many:
                expected = 1 / (1 + exp(odds[two] - odds[one]))
                slopes[one] -= many * expected
                _add(curves, one, two, many * expected * (1 - expected) / 2)
    return _solve([row[1:] for row in curves[1:]], slopes[1:])


Matrix = list[list[float]]


def _errors(
    games: Sequence[Sequence[float]], elos: Sequence[float], variation_of_results: Matrix
) -> list[float]:
    """Return half of the intervals of *elos*, the anchor's first, from the variation of the results."""
    information = [[0.0] * len(elos) for _ in elos]
    for one, row in enumerate(games):
        for two, many in enumerate(row):
            _add(information, one, two, many * _information(elos[two] - elos[one]) / 2)
    variances, variation = list[float](), [row[1:] for row in variation_of_results[1:]]
    for row in _inverse([row[1:] for row in information[1:]]):
        variances.append(sum(map(mul, row, (sum(map(mul, row, other)) for other in variation))))
    return [0.0, *(Z * sqrt(one) for one in variances)]


def _score_variation(meetings: Iterable[Meeting], names: Sequence[str], elos: Sequence[float]) -> Matrix:
    """Return the variation of the slopes of the likelihood at *elos*, by pairs, or else by chance.

    If all pairs ended alike, they show no variation, and count as games that were won by chance.
    """
    place, variation = {name: number for number, name in enumerate(names)}, [[0.0] * len(elos) for _ in elos]
    for meeting in meetings:
        one, two = place[meeting.first], place[meeting.second]
        pairs, gap = meeting.pairs, elos[two] - elos[one]
        single, squares = meeting.games, 0.0
        if pairs is not None and pairs.is_enough:
            single -= pairs.games
            expected = score_of(-gap)
            both = zip(pairs.points, pairs.counts, strict=True)
            squares = sum(count * (2 * (point - expected)) ** 2 for point, count in both)
        _add(variation, one, two, single * _information(gap) + squares * SLOPE**2)
    return variation


def _information(gap: float) -> float:
    """Return the information in one game between players *gap* Elo points apart."""
    expected = score_of(-gap)
    return expected * (1 - expected) * SLOPE**2


def _add(matrix: Matrix, one: int, two: int, much: float) -> None:
    """Add information about the difference between two players to *matrix*."""
    matrix[one][one] += much
    matrix[two][two] += much
    matrix[one][two] -= much
    matrix[two][one] -= much


def _solve(matrix: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """Return the solution of a linear system with a positive definite *matrix* (by Gauss).

    Most of the matrix may be 0.
    """
    rows = [[*row, one] for row, one in zip(matrix, right, strict=True)]
    for pivot, row in enumerate(rows):
        for other in range(pivot + 1, len(rows)):
            if factor := rows[other][pivot] / row[pivot]:
                rest = zip(rows[other][pivot:], row[pivot:], strict=True)
                rows[other][pivot:] = [a - factor * b for a, b in rest]
    solution: list[float] = []
    for place in reversed(range(len(rows))):
        *known, one = rows[place][place + 1 :]
        solution.insert(0, (one - sum(map(mul, known, solution))) / rows[place][place])
    return solution


def _inverse(matrix: Sequence[Sequence[float]]) -> Matrix:
    """Return the inverse of a positive definite *matrix* (by Gauss and Jordan)."""
    size = len(matrix)
    rows = [[*row, *(float(place == number) for place in range(size))] for number, row in enumerate(matrix)]
    for pivot in range(size):
        seen = slice(pivot, pivot + size + 1)  # columns to the left are done, to the right 0
        row = rows[pivot][seen] = [number / rows[pivot][pivot] for number in rows[pivot][seen]]
        for other in range(size):
            if other != pivot and (factor := rows[other][pivot]):
                rows[other][seen] = [a - factor * b for a, b in zip(rows[other][seen], row, strict=True)]
    return [row[size:] for row in rows]
