"""Ratings of many players on one scale, by Bradley and Terry, with a draw as half a point for each.

They are the likeliest differences if a player who is stronger by D Elo points scores
1 / (1 + 10 ** (-D / 400)). One player is the anchor: its rating is 0, and errors are those of the differences
to it. They are too wide where many games are drawn.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log, log10, sqrt

from noughts.arena.tournament.scores import Z

SLOPE = log(10) / 400
"""By how much the logarithm of the odds rises with each Elo point."""

CLOSE = 1e-12
"""Strengths are settled once none of them changes by a greater part."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """How many games two players have played against each other, and the points of the first."""

    first: str
    second: str
    games: float
    points: float


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
    errors = _errors(games, elos)
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


def _errors(games: Sequence[Sequence[float]], elos: Sequence[float]) -> list[float]:
    """Half of the intervals of *elos*, by the information of Fisher, without the anchor, the first."""
    size = len(elos)
    information = [[0.0] * size for _ in elos]
    for one in range(size):
        for two in range(size):
            expected = 1 / (1 + 10 ** ((elos[two] - elos[one]) / 400))
            told = games[one][two] * expected * (1 - expected) * SLOPE**2
            information[one][one] += told
            information[one][two] -= told
    variances = _inverse_diagonal([row[1:] for row in information[1:]])
    return [0.0, *(Z * sqrt(one) for one in variances)]


def _inverse_diagonal(matrix: Sequence[Sequence[float]]) -> list[float]:
    """The diagonal of the inverse of a positive definite *matrix* (by Gauss and Jordan)."""
    size = len(matrix)
    rows = [[*row, *(float(place == number) for place in range(size))] for number, row in enumerate(matrix)]
    for pivot in range(size):
        rows[pivot] = [number / rows[pivot][pivot] for number in rows[pivot]]
        for other in range(size):
            if other != pivot:
                factor = rows[other][pivot]
                rows[other] = [a - factor * b for a, b in zip(rows[other], rows[pivot], strict=True)]
    return [rows[place][size + place] for place in range(size)]
