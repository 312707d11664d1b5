"""API routes for ratings: lists of the best, and the ratings of one player. Private games appear nowhere."""

from collections import Counter
from collections.abc import Iterable
from functools import partial
from typing import Annotated

from fastapi import Path, Query, Request, Response

from noughts.arena.people.identities import Identity
from noughts.arena.ratings.models import RatedPlayer
from noughts.arena.ratings.rating_repository import LAST_NUMBER, RatedResult
from noughts.arena.stored_game import moves_of
from noughts.errors import DamagedStore, NotFound
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.players import player_offered
from noughts.interfaces.presenting.titles import how_it_ended
from noughts.interfaces.web.api import rating_models as models
from noughts.interfaces.web.api.games import log_damage
from noughts.interfaces.web.api.requests import COMPUTERS, GAME, PEOPLE, RESULTS, RatingsQuery
from noughts.interfaces.web.api.rooms import Say, Worker, api_router
from noughts.interfaces.web.http.middleware import address_of
from noughts.interfaces.web.http.replies import reply
from noughts.interfaces.web.models import link_to
from noughts.interfaces.web.service import Service

router = api_router("ratings", 404)

PAGE = 20
"""The number of games in one answer."""

LAST = 15
"""The number of ratings in the small line of a game."""

MAX_READ = 1_000
"""The number of the latest rated games that are searched, and counted by opponent."""

DAY = 24 * 60 * 60 * 1000

GameFilter = Annotated[str | None, Query(max_length=100, description=GAME)]
SpeedFilter = Annotated[models.SpeedName | None, Query(description="Only games at this speed.")]


@router.get("/ratings", response_model=models.RatingLists)
async def ratings(
    request: Request,
    service: Worker,
    say: Say,
    game: GameFilter = None,
    speed: SpeedFilter = None,
    bots: Annotated[bool, Query(description="The lists of bots, not of people.")] = False,
) -> Response:
    """Return the players with the best ratings, by game and speed."""
    read = partial(read_lists, service, say, game, speed, are_bots=bots)
    return reply(await service.work.read(address_of(request), read))


@router.get("/ratings/{identity}", response_model=models.RatedPerson)
async def ratings_of_player(
    request: Request,
    service: Worker,
    say: Say,
    identity: Annotated[int, Path(ge=1, le=2**53, description="The number of the player.")],
    query: Annotated[RatingsQuery, Query()],
) -> Response:
    """Return the ratings of a player, their history, and the public rated games."""
    read = partial(read_person, service, say, identity, query)
    return reply(await service.work.read(address_of(request), read))


def read_lists(
    service: Service, say: Translator, game: str | None, speed: str | None, *, are_bots: bool
) -> models.RatingLists:
    """Return the lists of the best, of all games or of one."""
    found = service.ratings.lists(service.now(), are_bots=are_bots)
    wanted = [one for one in found if game in (None, one[0]) and speed in (None, one[1])]
    return models.RatingLists(
        lists=[
            models.RatingList(
                **models.GameAndSpeed.of(say, name, at_speed),
                players=[
                    models.RankedPerson(
                        **models.RankedPerson.facts(one.rating, one.now),
                        identity=one.identity,
                        name=say("former-player") if one.name is None else one.name,
                    )
                    for one in players
                ],
            )
            for name, at_speed, players in wanted
        ]
    )


def read_person(service: Service, say: Translator, number: int, query: RatingsQuery) -> models.RatedPerson:
    """Return the ratings of the identity *number*. Raises :class:`~noughts.errors.NotFound`."""
    identity: Identity | None = service.people.get(number)
    if identity is None:
        raise NotFound("identity", number)
    store = service.ratings
    ratings = sorted(store.ratings_of_person(number).items(), key=lambda one: -one[1].games)
    keys = [
        key for key, _ in ratings if query.game in (None, "", key[0]) and query.speed in (None, "", key[1])
    ]
    shown = keys[0] if keys else None
    results = store.history(number, count=MAX_READ)
    public = [one for one in results if one.is_public]
    names = _Names(service, say, number, public)
    games, before = _games(service, say, _chosen(public, query, service.now()), names)
    history = store.history(number, *shown, count=MAX_READ) if shown else []
    return models.RatedPerson(
        identity=number,
        name=names.of(number),
        is_bot=identity.is_bot,
        created=identity.created,
        ratings=[
            models.GameRating(
                **models.GameAndSpeed.of(say, *key),
                **models.GameRating.facts(rating, rating.now(service.now())),
                last=[round(one.after.value) for one in reversed(store.history(number, *key, count=LAST))],
            )
            for key, rating in ratings
        ],
        shown=models.GameAndSpeed(**models.GameAndSpeed.of(say, *shown)) if shown else None,
        history=[
            models.RatingPoint(at=one.at, rating=round(one.after.value), deviation=round(one.after.deviation))
            for one in reversed(history)
        ],
        games=games,
        opponents=_opponents(public, names),
        before=before,
    )


def _chosen(results: Iterable[RatedResult], query: RatingsQuery, now: int) -> list[RatedResult]:
    """Return those of *results* that fit *query*."""
    points = RESULTS.get(query.result or "")
    since = 0 if query.days is None else now - query.days * DAY
    return [
        one
        for one in results
        if query.game in (None, "", one.game)
        and query.speed in (None, "", one.speed)
        and points in (None, one.points)
        and query.against in (None, "", PEOPLE if isinstance(one.opponent, int) else COMPUTERS)
        and one.at >= since
        and one.number < (query.before or LAST_NUMBER)
    ]


class _Names:
    """The names of a player and the opponents in rated games."""

    def __init__(self, service: Service, say: Translator, me: int, results: Iterable[RatedResult]) -> None:
        numbers = {me, *(one.opponent for one in results if isinstance(one.opponent, int))}
        self._say, self._people = say, service.people.names(numbers)

    def of(self, player: RatedPlayer) -> str:
        """Return the name of a person, or the label of a computer."""
        if isinstance(player, str):
            return player_offered(self._say, player)
        return self._people.get(player, self._say("former-player"))


def _opponents(results: Iterable[RatedResult], names: _Names) -> list[models.OpponentMessage]:
    """Return the results against each opponent, those with most games first."""
    counted = Counter((one.opponent, one.points) for one in results)
    met = Counter(one for one, _ in counted.elements())
    return [
        models.OpponentMessage(
            identity=one if isinstance(one, int) else None,
            name=names.of(one),
            wins=counted[one, 1.0],
            draws=counted[one, 0.5],
            losses=counted[one, 0.0],
        )
        for one, _ in met.most_common(PAGE)
    ]


def _games(
    service: Service, say: Translator, results: list[RatedResult], names: _Names
) -> tuple[list[models.RatedGameMessage], int | None]:
    """Return the first games of *results*, and the number before which the next ones are."""
    games: list[models.RatedGameMessage] = []
    damaged: list[DamagedStore] = []
    for one in results[:PAGE]:
        try:
            games.append(_game(service, say, one, names))
        except DamagedStore as damage:
            damaged.append(damage)
    log_damage(damaged)
    return games, results[PAGE - 1].number if len(results) > PAGE else None


def _game(service: Service, say: Translator, result: RatedResult, names: _Names) -> models.RatedGameMessage:
    """Return a rated game of the identity *number*. Raises :class:`~noughts.errors.DamagedStore`."""
    stored = service.database.load(result.game_id)
    ended = stored.result
    seats = stored.identities
    return models.RatedGameMessage(
        **models.GameAndSpeed.of(say, result.game, result.speed),
        id=stored.id,
        link=link_to(stored.id),
        at=result.at,
        players=[
            models.RatedPlayerMessage(
                side=side, name=names.of(result.opponent if seat is None else seat), identity=seat
            )
            for side, seat in seats.items()
        ],
        winner=None if ended is None else ended.winner,
        ended=how_it_ended(say, result.game, None if ended is None else ended.termination),
        plies=len(moves_of(stored)),
        before=round(result.before.value),
        after=round(result.after.value),
    )
