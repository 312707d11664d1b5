"""Ratings of many players on one scale, by Bradley and Terry, with a draw as half a point for each.

They are the likeliest differences if a player who is stronger by D Elo points scores
1 / (1 + 10 ** (-D / 400)). One player is the anchor: its rating is 0, and errors are those of the differences
to it. Where games were played in pairs, errors are those that the pairs show (the sandwich of Huber), so that
draws, and games of a pair that depend on each other, make them neither too wide nor too narrow; single games
are taken to have been won or lost by chance alone.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log, log10, sqrt

from noughts.arena.tournament.scores import Results, Z, score_of

SLOPE = log(10) / 400
"""By how much the logarithm of the odds rises with each Elo point."""

CLOSE = 1e-12
"""Strengths are settled once none of them changes by a greater part."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """How many games two players have played against each other, and the points of the first.

    ``pairs`` are the results of those of them that were played in pairs, from its point of view.
    """

    first: str
    second: str
    games: float
    points: float
    pairs: Results | None = None


@dataclass(frozen=True, slots=True)
class Rating:
    """The Elo points of a player above the anchor, and half of their interval of 95 %."""

    elo: float
    error: float


def rate(meetings: Iterable[Meeting], anchor: str) -> dict[str, Rating | None]:
    """The ratings of all who have met, with *anchor* at 0.

    None for who cannot be rated against it: who has won or lost everything against the anchor and all those
    that can be, or has never met one of them.
    """
    met = [meeting for meeting in meetings if meeting.games]
    names = list(dict.fromkeys([anchor, *(name for one in met for name in (one.first, one.second))]))
    rated = [name for name in names if name in _comparable(met, anchor)]
    games, points = _tables(met, rated)
    elos = _likeliest(games, points)
    errors = _errors(
        games, elos, _shown([one for one in met if {one.first, one.second} <= {*rated}], rated, elos)
    )
    found = {name: Rating(elo, error) for name, elo, error in zip(rated, elos, errors, strict=True)}
    return {name: found.get(name) for name in names}


def _comparable(meetings: Sequence[Meeting], anchor: str) -> set[str]:
    """Who has scored against somebody who has, and so on, against *anchor*, and the other way round."""
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
    return _reached(beats, anchor) & _reached(loses, anchor)


def _reached(steps: Mapping[str, set[str]], start: str) -> set[str]:
    """Who is reached from *start* by *steps*."""
    found, waiting = {start}, [start]
    while waiting:
        new = steps.get(waiting.pop(), set()) - found
        found |= new
        waiting += new
    return found


def _tables(meetings: Iterable[Meeting], names: Sequence[str]) -> tuple[list[list[float]], list[float]]:
    """How many games each of *names* has played against each, and the points of each."""
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
    """The likeliest ratings, the first of them 0 (by minorization and maximization, Hunter 2004)."""
    strengths, moved = [1.0] * len(points), 1.0
    while moved > CLOSE:
        changed = [
            own / sum(many / (strengths[player] + other) for many, other in zip(row, strengths, strict=True))
            if own
            else strengths[player]
            for player, (own, row) in enumerate(zip(points, games, strict=True))
        ]
        changed = [strength / changed[0] for strength in changed]
        moved = max(abs(new / old - 1) for new, old in zip(changed, strengths, strict=True))
        strengths = changed
    return [400 * log10(strength) for strength in strengths]


Matrix = list[list[float]]


def _errors(games: Sequence[Sequence[float]], elos: Sequence[float], shown: Matrix) -> list[float]:
    """Half of the intervals of *elos*, of which the first is the anchor's; *shown* is how results vary."""
    told = [[0.0] * len(elos) for _ in elos]
    for one, row in enumerate(games):
        for two, many in enumerate(row):
            _add(told, one, two, many * _by_chance(elos[two] - elos[one]) / 2)
    inverse = _inverse([row[1:] for row in told[1:]])
    variances = [
        sum(a * shown[i + 1][j + 1] * b for i, a in enumerate(row) for j, b in enumerate(row))
        for row in inverse
    ]
    return [0.0, *(Z * sqrt(one) for one in variances)]


def _shown(meetings: Iterable[Meeting], names: Sequence[str], elos: Sequence[float]) -> Matrix:
    """How much the slopes of the likelihood by *elos* vary: by pairs, and by chance where there are none.

    Pairs that have all ended alike show nothing, and count as games that were won by chance.
    """
    place, found = {name: number for number, name in enumerate(names)}, [[0.0] * len(elos) for _ in elos]
    for meeting in meetings:
        one, two = place[meeting.first], place[meeting.second]
        pairs, gap = meeting.pairs, elos[two] - elos[one]
        single, squares = meeting.games, 0.0
        if pairs is not None and pairs.is_enough:
            single -= pairs.games
            expected = score_of(-gap)
            both = zip(pairs.points, pairs.counts, strict=True)
            squares = sum(count * (2 * (point - expected)) ** 2 for point, count in both)
        _add(found, one, two, single * _by_chance(gap) + squares * SLOPE**2)
    return found


def _by_chance(gap: float) -> float:
    """What one game tells of two players, of whom one is weaker by *gap* Elo points."""
    expected = score_of(-gap)
    return expected * (1 - expected) * SLOPE**2


def _add(matrix: Matrix, one: int, two: int, much: float) -> None:
    """Add to *matrix* what is known of the difference between two players."""
    matrix[one][one] += much
    matrix[two][two] += much
    matrix[one][two] -= much
    matrix[two][one] -= much


def _inverse(matrix: Sequence[Sequence[float]]) -> Matrix:
    """The inverse of a positive definite *matrix* (by Gauss and Jordan)."""
    size = len(matrix)
    rows = [[*row, *(float(place == number) for place in range(size))] for number, row in enumerate(matrix)]
    for pivot in range(size):
        rows[pivot] = [number / rows[pivot][pivot] for number in rows[pivot]]
        for other in range(size):
            if other != pivot:
                factor = rows[other][pivot]
                rows[other] = [a - factor * b for a, b in zip(rows[other], rows[pivot], strict=True)]
    return [row[size:] for row in rows]
