"""The responses and events of the lobby as models."""

from functools import lru_cache
from typing import Literal

from noughts.arena.lobby.lobby import VisitorFacts
from noughts.arena.lobby.offers import LobbyOffer
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.titles import title_of
from noughts.interfaces.web.http.replies import Model


class OfferedGame(Model):
    """A game of an offer."""

    name: str
    """The name in the catalogue, or a description such as `7x6:4,gravity`."""
    title: str
    """The title of the game."""


class OfferedClock(Model):
    """A clock of an offer."""

    base: int | None
    """Milliseconds for the whole game, or null for a clock that counts each move."""
    increment: int
    """Milliseconds that are added after each turn."""
    per_move: int | None
    """Milliseconds for each move, or null for a clock that counts the whole game."""


class LobbyOfferMessage(Model):
    """An offer to play."""

    number: int
    """The number of the offer."""
    name: str
    """The name of the player."""
    identity: int | None
    """The number of the player's key, or null for a guest."""
    is_bot: bool
    """Whether the player is a bot. Its offer lists its games, and it is asked by a challenge."""
    strength: int | None
    """The rating that the author of a bot expects, or null."""
    ratings: dict[str, int]
    """The rating of the player by game."""
    provisional: list[str]
    """The games in which this rating is provisional."""
    games: list[OfferedGame]
    """The games, one of which is played."""
    clocks: list[OfferedClock]
    """The clocks, one of which is used."""
    rated: bool
    """Whether the game is rated. For a bot, whether it plays rated games too."""
    lowest: int | None
    """The lowest rating of the opponent, or null."""
    highest: int | None
    """The highest rating of the opponent, or null."""
    visibility: Literal["link", "public"]
    """The readers and watchers of the game: `link` for people with its link, or `public`."""
    state: str
    """`open`, `taken`, `withdrawn`, `declined` or `expired`."""
    since: int
    """The instant from which the player waits, in milliseconds since 1970."""
    expires: int | None
    """The instant at which the offer ends by itself, or null if it ends with the page of the player."""
    to: str | None
    """For the player of a challenge: the name of the other player. Null otherwise."""
    lasts: bool
    """Whether the offer stays open without a page of the player."""

    @classmethod
    def of(cls, offer: LobbyOffer, say: Translator, to: str | None = None) -> "LobbyOfferMessage":
        """Return the message about *offer*. *to* is the name of the other player of an own challenge."""
        return LobbyOfferMessage(
            number=offer.number,
            name=offer.seeker.name,
            identity=offer.seeker.identity,
            is_bot=offer.is_standing,
            strength=offer.strength,
            ratings={
                game: rating for game in offer.games if (rating := offer.seeker.ratings.get(game)) is not None
            },
            provisional=[game for game in offer.games if game in offer.seeker.provisional],
            games=[OfferedGame(name=game, title=_title(say, game)) for game in offer.games],
            clocks=[OfferedClock.model_validate(clock) for clock in offer.clocks],
            rated=offer.is_rated,
            lowest=offer.lowest,
            highest=offer.highest,
            visibility="public" if offer.visibility == "public" else "link",
            state=str(offer.state),
            since=offer.since,
            expires=offer.expires,
            to=to,
            lasts=offer.lasts,
        )


@lru_cache(maxsize=1_000)
def _title(say: Translator, game: str) -> str:
    return title_of(say, game)


class OfferEnd(Model):
    """The end of an offer."""

    number: int
    """The number of the offer."""
    state: str
    """`taken`, `withdrawn`, or `open` if the list has no place for it any more."""


class LobbyState(Model):
    """The lobby: the data of `event: lobby`."""

    offers: list[LobbyOfferMessage]
    """The open offers to all: at most 100 that end with a page, and the 50 newest ones that last."""
    waiting: int
    """The number of people with an offer to all."""
    people: int | None
    """The number of people in the lobby, or null if several workers serve it."""


class LobbyChanges(Model):
    """The differences since the last event: the data of `event: changes`."""

    new: list[LobbyOfferMessage]
    """The offers to add at the end of the list."""
    gone: list[OfferEnd]
    """The offers that have ended."""
    waiting: int
    """The number of people with an offer to all."""
    people: int | None
    """The number of people in the lobby, or null if several workers serve it."""


class OwnOffers(Model):
    """The facts about one visitor: the data of `event: own`."""

    identity: int | None
    """The number of the visitor's key, or null for a guest."""
    offer: LobbyOfferMessage | None
    """The open offer of the visitor to all, or null."""
    challenge: LobbyOfferMessage | None
    """The last challenge of the visitor to another player, or null."""
    asked: list[LobbyOfferMessage]
    """The open challenges of others to the visitor."""
    room: str | None
    """The room of the last game that an offer of the visitor led to, for a minute, or null."""

    @classmethod
    def of(cls, facts: VisitorFacts, say: Translator) -> "OwnOffers":
        """Return *facts* as a message."""
        offer, challenge = facts.offer, facts.challenge
        return OwnOffers(
            identity=facts.identity,
            offer=None if offer is None else LobbyOfferMessage.of(offer, say),
            challenge=None if challenge is None else LobbyOfferMessage.of(challenge, say),
            asked=[LobbyOfferMessage.of(other, say) for other in facts.asked],
            room=facts.room,
        )


class OfferTaken(Model):
    """The room of an offer that the caller has taken."""

    room: str
    """The name of the room. Join it by `/api/join` with the key of the visitor as `key`."""
