"""The parts of responses about ratings."""

from typing import Any, Literal

from noughts.arena.ratings.glicko import GlickoRating
from noughts.arena.ratings.models import PersonRating, Speed
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.titles import title_of
from noughts.interfaces.web.http.replies import Model

SpeedName = Literal["live", "days"]


class RatingMessage(Model):
    """A rating now: its value, its error, and the counted games."""

    rating: int
    """The rating, in points."""
    deviation: int
    """The standard error of the rating. It grows while the player does not play."""
    is_provisional: bool
    """Whether the rating may still move a lot. Provisional ratings are not in the lists of the best."""
    games: int
    """The number of rated games."""
    wins: int
    """The number of games that were won."""
    draws: int
    """The number of drawn games."""
    losses: int
    """The number of games that were lost."""

    @staticmethod
    def facts(rating: PersonRating, now: GlickoRating) -> dict[str, Any]:
        """Return the fields for *rating*, which is *now* as uncertain as that."""
        return {
            "rating": round(now.value),
            "deviation": round(now.deviation),
            "is_provisional": now.is_provisional,
            "games": rating.games,
            "wins": rating.wins,
            "draws": rating.draws,
            "losses": rating.losses,
        }


class GameAndSpeed(Model):
    """A game and a speed."""

    game: str
    """The name of the game in the catalogue."""
    title: str
    """The title of the game."""
    speed: SpeedName
    """`live` for games in one sitting, `days` for clocks that give a day or more."""

    @staticmethod
    def of(say: Translator, game: str, speed: Speed) -> dict[str, Any]:
        """Return the fields for *game* at *speed*."""
        return {"game": game, "title": title_of(say, game), "speed": str(speed)}


class RankedPerson(RatingMessage):
    """A player in a list of the best."""

    identity: int
    """The number of the player."""
    name: str
    """The name of the player."""


class RatingList(GameAndSpeed):
    """The players with the best ratings in a game at a speed, the best first."""

    players: list[RankedPerson]
    """The players, without provisional ratings."""


class RatingLists(Model):
    """The lists of the best."""

    lists: list[RatingList]
    """The lists by game and speed. Empty lists are omitted."""


class GameRating(GameAndSpeed, RatingMessage):
    """The rating of a player in one game at one speed."""

    last: list[int]
    """The ratings after up to 15 last rated games, oldest first."""


class RatedPlayerMessage(Model):
    """A player of a rated game."""

    side: str
    """The mark at the end of the game."""
    name: str
    """The name of the player."""
    identity: int | None
    """The number of the player, or null for a computer."""


class RatedGameMessage(GameAndSpeed):
    """A public rated game of a player."""

    id: int
    """The number of the game."""
    link: str
    """The path of its page."""
    at: int
    """The time of its end, in milliseconds since 1970."""
    players: list[RatedPlayerMessage]
    """The players in the order of their sides."""
    winner: str | None
    """The mark of the winner, or null for a draw."""
    ended: str
    """The end of the game in a few words."""
    plies: int
    """The number of moves."""
    before: int
    """The player's rating before the game."""
    after: int
    """The player's rating after the game."""


class OpponentMessage(Model):
    """The results of public rated games of a player against one opponent."""

    identity: int | None
    """The number of the opponent, or null for a computer."""
    name: str
    """The name of the opponent."""
    wins: int
    """The number of games that the player has won."""
    draws: int
    """The number of drawn games."""
    losses: int
    """The number of games that the player has lost."""


class RatingPoint(Model):
    """The rating after a game."""

    at: int
    """The time of the end of the game, in milliseconds since 1970."""
    rating: int
    """The rating after it."""
    deviation: int
    """The standard error after it."""


class RatedPerson(Model):
    """A player with a key: ratings, their history, and public rated games."""

    identity: int
    """The number of the player."""
    name: str
    """The name of the player."""
    is_bot: bool
    """Whether the player is a program."""
    created: int
    """The time at which the key was registered, in milliseconds since 1970."""
    ratings: list[GameRating]
    """The ratings, those with most games first."""
    shown: GameAndSpeed | None
    """The game and speed of `history`, or null without rated games."""
    history: list[RatingPoint]
    """The rating of the selected game and speed after each game, oldest first."""
    games: list[RatedGameMessage]
    """Public rated games that fit the filters, newest first."""
    opponents: list[OpponentMessage]
    """The results against each opponent in the latest public rated games, most games first."""
    before: int | None
    """The value of `before` for older games, or null if there are none."""
