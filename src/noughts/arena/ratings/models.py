"""Values of ratings: speeds, rated games, the rating of a person, and the change by a game."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from noughts.arena.clock import Clock
from noughts.arena.ratings.computers import computer_rating
from noughts.arena.ratings.glicko import NEW, GlickoRating, after_games, after_time


class Speed(StrEnum):
    """The speed of a game: ``live`` (in one sitting), or by ``days``."""

    LIVE = "live"
    DAYS = "days"


def speed_of(clock: Clock) -> Speed | None:
    """Return the speed of games with *clock*, or None for games without a clock.

    A clock that gives a day or more for the first move makes a game by days.

    >>> print(speed_of(Clock(base=300_000, increment=5_000)), speed_of(Clock(per_move=259_200_000)))
    live days
    """
    if clock.start is None:
        return None
    return Speed.DAYS if clock.is_by_days else Speed.LIVE


RatedPlayer = int | str
"""A player in a rated game: the number of an identity, or the name of a computer."""


@dataclass(frozen=True, slots=True)
class RatedGame:
    """A finished rated game.

    ``players`` are in the order of the sides. ``points`` are those of the first: 1, 0.5 or 0. ``at`` is the
    time at which the game was counted, in milliseconds since 1970.
    """

    game_id: int
    game: str
    speed: Speed
    players: tuple[RatedPlayer, RatedPlayer]
    points: float
    at: int


@dataclass(frozen=True, slots=True)
class PersonRating:
    """The rating of a person in one game and speed after the last counted game.

    ``at`` is the time of that game. ``wins``, ``draws`` and ``losses`` count the rated games.
    """

    rating: GlickoRating = NEW
    at: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        """The number of rated games."""
        return self.wins + self.draws + self.losses

    def now(self, at: int) -> GlickoRating:
        """Return the rating at the instant *at*. Its deviation has grown since the last game."""
        return after_time(self.rating, at - self.at) if self.games else self.rating

    def after(self, opponent: GlickoRating, points: float, at: int) -> "PersonRating":
        """Return this rating after a game at the instant *at*, with *points* against *opponent*."""
        rating = after_games(self.now(at), [(opponent, points)])
        if points == 1:
            return replace(self, rating=rating, at=at, wins=self.wins + 1)
        if points == 0:
            return replace(self, rating=rating, at=at, losses=self.losses + 1)
        return replace(self, rating=rating, at=at, draws=self.draws + 1)


UNRATED = PersonRating()
"""The rating of a person before the first rated game."""

RatingKey = tuple[int, str, Speed]
"""The number of an identity, a game, and a speed."""


@dataclass(frozen=True, slots=True)
class RatingChange:
    """The change of one person's rating by one game: the rating right ``before`` it, and ``after`` it."""

    key: RatingKey
    game_id: int
    opponent: RatedPlayer
    points: float
    before: GlickoRating
    after: PersonRating


def keys_of(game: RatedGame) -> tuple[RatingKey, ...]:
    """Return the keys of the ratings that *game* changes."""
    return tuple((player, game.game, game.speed) for player in game.players if isinstance(player, int))


def changes_of(game: RatedGame, ratings: Mapping[RatingKey, PersonRating]) -> tuple[RatingChange, ...]:
    """Return the changes by *game*, given the present *ratings* of its players.

    A game against a computer without a measured strength changes nothing.
    """

    def present(player: RatedPlayer) -> GlickoRating | None:
        if isinstance(player, str):
            return computer_rating(game.game, player)
        return ratings.get((player, game.game, game.speed), UNRATED).now(game.at)

    changes: list[RatingChange] = []
    one, two = game.players
    for player, opponent, points in ((one, two, game.points), (two, one, 1 - game.points)):
        before, other = present(player), present(opponent)
        if isinstance(player, int) and before is not None and other is not None:
            key = player, game.game, game.speed
            after = ratings.get(key, UNRATED).after(other, points, game.at)
            changes.append(RatingChange(key, game.game_id, opponent, points, before, after))
    return tuple(changes)


def recount(games: Iterable[RatedGame], ratings: dict[RatingKey, PersonRating]) -> list[RatingChange]:
    """Count *games* in their order, update *ratings*, and return all changes."""
    changes: list[RatingChange] = []
    for game in games:
        new = changes_of(game, ratings)
        ratings.update({change.key: change.after for change in new})
        changes += new
    return changes
