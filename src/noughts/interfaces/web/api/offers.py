"""API routes of the lobby: offers to all, challenges to one player, and the stream of changes."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import product
from random import Random
from typing import Annotated, Any

from fastapi import Depends, Path, Query, Request, Response

from noughts.arena.clock import Clock
from noughts.arena.lobby.offers import LobbyOffer, Seeker, TakerWish
from noughts.arena.people.identities import Identity
from noughts.arena.ratings.fairness import fair_terms
from noughts.arena.ratings.glicko import GlickoRating
from noughts.arena.ratings.models import Speed
from noughts.arena.table import HUMAN, Terms
from noughts.errors import OfferRefused
from noughts.games.catalogue import name_of, new_game
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.players import person_name
from noughts.interfaces.web.api import description
from noughts.interfaces.web.api.requests import (
    ChallengeRequest,
    GiveBackRequest,
    OfferRequest,
    TakeOfferRequest,
)
from noughts.interfaces.web.api.rooms import Say, Worker, api_router, visitor_hash
from noughts.interfaces.web.api.sessions import identity_of
from noughts.interfaces.web.costs import size_to_play
from noughts.interfaces.web.http.limits import ROOMS_AGAIN
from noughts.interfaces.web.http.middleware import address_of
from noughts.interfaces.web.http.replies import ApiError, reply
from noughts.interfaces.web.live.events import EventStream
from noughts.interfaces.web.live.lobby import MEETING_MS, LobbySnapshot, lobby_events
from noughts.interfaces.web.lobby_models import LobbyOfferMessage, LobbyState, OfferTaken, OwnOffers
from noughts.interfaces.web.service import Service
from noughts.text import check_name, fold_name

router = api_router("lobby")

MAX_BOT_GAMES = 100
"""The largest number of games of a bot that it has not left."""

MAX_NAME = 100
"""The longest name in the address of the stream."""

Number = Annotated[int, Path(ge=1, le=2**53, description="The number of the offer.")]


@dataclass(frozen=True, slots=True)
class Visitor:
    """The sender of a request to the lobby, known by a secret key."""

    visitor: str
    address: str
    identity: Identity | None
    ratings: Mapping[tuple[str, Speed], GlickoRating]

    @property
    def person(self) -> int | None:
        """The number of the visitor's key, also of one without a name, or None for a guest."""
        return None if self.identity is None else self.identity.number

    def seeker(self, name: str, clocks: Collection[Clock] = ()) -> Seeker:
        """Return the visitor as a player. A guest has the name *name*, another one the name of the key.

        The ratings are those by days if all *clocks* are, and else those of live games.
        """
        if self.identity is None or self.identity.name is None:
            return Seeker(self.visitor, name)
        is_by_days = bool(clocks) and all(clock.is_by_days for clock in clocks)
        wanted = Speed.DAYS if is_by_days else Speed.LIVE
        known = {game: rating for (game, speed), rating in self.ratings.items() if speed is wanted}
        return Seeker(
            self.visitor,
            self.identity.name,
            self.identity.number,
            {game: round(rating.value) for game, rating in known.items()},
            self.identity.is_bot,
            tuple(sorted(game for game, rating in known.items() if rating.is_provisional)),
        )


async def visitor_of(request: Request) -> Visitor:
    """Return the sender of *request*. Raises :class:`ApiError` (401) without a usable key."""
    if (hashed := visitor_hash(request)) is None:
        raise ApiError(401, "no-visitor")
    identity, ratings = await identity_of(request), dict[tuple[str, Speed], GlickoRating]()
    if identity is not None:
        service: Service = request.app.state.service
        known = await service.run(service.ratings.ratings_of_person, identity.number)
        now = service.now()
        ratings = {key: rating.now(now) for key, rating in known.items()}
    return Visitor(hashed, address_of(request), identity, ratings)


Sender = Annotated[Visitor, Depends(visitor_of)]


@router.get("/offers", response_model=LobbyState)
async def list_offers(service: Worker, say: Say) -> Response:
    """Return the open offers to all: first those that need a page, and then those that last."""
    snapshot = LobbySnapshot.of(await service.lobby_streams.read(), service.lobby_streams.people)
    offers = [LobbyOfferMessage.of(offer, say) for offer in snapshot.listed.values()]
    return reply(LobbyState(offers=offers, waiting=snapshot.waiting, people=snapshot.people))


@router.get(
    "/offers/events",
    response_class=Response,
    responses={**description.LOBBY_EVENTS, **description.refusals(401)},
    dependencies=description.VISITOR,
)
async def follow_lobby(
    visitor: Sender,
    service: Worker,
    say: Say,
    name: Annotated[str, Query(max_length=MAX_NAME, description="The name of the visitor.")] = "",
) -> Any:
    """Stream the offers, and the facts about the visitor, as Server-Sent Events.

    The visitor's offers last as long as a stream is open. A new stream within 10 seconds keeps them.
    """
    seeker = visitor.seeker(check_name(name) if name.strip() else "")
    service.take_stream(visitor.address)
    stream = service.lobby_streams.open(seeker, say)

    def close() -> None:
        service.lobby_streams.close_stream(stream)
        service.streams.drop(visitor.address)

    return EventStream(lobby_events(service.lobby_streams, stream, service.now), close, stream)


@router.post(
    "/offers",
    status_code=201,
    response_model=LobbyOfferMessage,
    responses=description.refusals(401, *description.BODY_STATUSES),
    dependencies=description.VISITOR,
)
async def make_offer(visitor: Sender, body: OfferRequest, service: Worker, say: Say) -> Response:
    """Offer a game to all. It replaces the visitor's earlier offer, and may be paired with another one.

    With `lasts` it replaces none, and stays open for 7 days without a page. The offer of a bot lists the
    games for which people may challenge it. It is neither taken nor paired.
    """
    return await _published(visitor, body, None, service, say)


@router.post(
    "/challenges",
    status_code=201,
    response_model=LobbyOfferMessage,
    responses=description.refusals(401, *description.BODY_STATUSES),
    dependencies=description.VISITOR,
)
async def challenge(visitor: Sender, body: ChallengeRequest, service: Worker, say: Say) -> Response:
    """Challenge the player with a name, for two minutes, or for 7 days with `lasts`.

    The answer does not show if the player is here.
    """
    return await _published(visitor, body, check_name(body.to), service, say)


async def _published(
    visitor: Visitor, body: OfferRequest, recipient: str | None, service: Service, say: Translator
) -> Response:
    service.quotas.offers.take(visitor.address)
    clocks = tuple(dict.fromkeys(Clock(**clock.model_dump()) for clock in body.clocks))
    seeker = visitor.seeker(person_name(body.name), clocks)
    if body.lasts and seeker.is_bot:
        raise OfferRefused("bot-asks")
    owner = None if recipient is None else await service.run(service.people.find, recipient)
    if owner is not None and not await service.run(service.people.may_ask, seeker.identity, owner):
        raise OfferRefused("not-asked")
    if owner is not None and owner.is_bot and (await service.lobby_streams.read()).bot(owner.number) is None:
        raise OfferRefused("bot-away")
    cost = sum(size_to_play(game, service.limits.cells).position_cost(0) for game in body.games)
    games = await service.work.run(visitor.address, cost, _two_sided, tuple(body.games))
    if body.rated and not (seeker.is_bot and recipient is None):  # The challenges to a bot are checked.
        await service.work.run(visitor.address, cost, _check_rated, games, clocks)
    lowest, highest = body.lowest, body.highest
    if lowest is not None and highest is not None:
        lowest, highest = sorted((lowest, highest))
    offer = LobbyOffer(
        number=0,
        seeker=seeker,
        games=games,
        clocks=clocks,
        since=0,
        worker="",
        is_rated=body.rated,
        lowest=lowest,
        highest=highest,
        visibility=body.visibility,
        recipient=None if recipient is None else fold_name(recipient),
        recipient_identity=None if owner is None else owner.number,
        strength=body.strength if seeker.is_bot else None,
        lasts=body.lasts,
    )
    await service.check_offers(visitor.address, visitor.visitor)
    published = await service.run(service.lobby.publish, offer, visitor.person)
    service.metrics.count("offers")
    return reply(LobbyOfferMessage.of(published, say), 201)


def _two_sided(games: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of *games*.

    Raises :class:`~noughts.errors.OfferRefused` unless each has two sides.
    """
    made = [new_game(game) for game in games]
    if any(len(game.sides) != 2 for game in made):
        raise OfferRefused("no-two-sides")
    return tuple(dict.fromkeys(name_of(game) for game in made))


def _check_rated(games: tuple[str, ...], clocks: tuple[Clock, ...]) -> None:
    """Raise :class:`~noughts.errors.NotRated` unless each of *games* can be rated with each of *clocks*."""
    for game, clock in product(games, clocks):
        fair_terms(Terms(game, (HUMAN, HUMAN), clock=clock), Random(0))


@router.post(
    "/offers/{number}/join",
    status_code=201,
    response_model=OfferTaken,
    responses=description.refusals(401, 409, *description.BODY_STATUSES),
    dependencies=description.VISITOR,
)
async def join_offer(number: Number, visitor: Sender, body: TakeOfferRequest, service: Worker) -> Response:
    """Take an offer or a challenge. The game begins at once. A repeated request gives the same room."""
    service.quotas.opened.take(visitor.address)
    clock = None if body.clock is None else Clock(**body.clock.model_dump())
    seeker = visitor.seeker(person_name(body.name), () if clock is None else (clock,))
    await service.check_rooms(visitor.address, None)
    if seeker.is_bot and seeker.identity is not None:
        games = await service.run(service.rooms.of_identity, seeker.identity)
        if len(games) >= MAX_BOT_GAMES:
            raise ApiError(429, "too-many-rooms", limit=MAX_BOT_GAMES, seconds=ROOMS_AGAIN)
    wish = TakerWish(body.game, clock, body.visibility)
    room = await service.run(service.lobby.accept, number, seeker, wish, visitor.person)
    service.open_rooms.add(visitor.address, room)
    service.metrics.count("offers_taken")
    return reply(OfferTaken(room=room), 201)


@router.post(
    "/offers/{number}/withdraw",
    response_model=OwnOffers,
    responses=description.refusals(401, *description.BODY_STATUSES),
    dependencies=description.VISITOR,
)
async def withdraw_offer(number: Number, visitor: Sender, service: Worker, say: Say) -> Response:
    """Withdraw an own offer or challenge. Nothing happens if it has ended already."""
    await service.run(service.lobby.withdraw, number, visitor.seeker(""))
    return await _own(visitor.seeker(""), service, say)


@router.post(
    "/challenges/{number}/decline",
    response_model=OwnOffers,
    responses=description.refusals(401, 409, *description.BODY_STATUSES),
    dependencies=description.VISITOR,
)
async def decline_challenge(
    number: Number, visitor: Sender, body: TakeOfferRequest, service: Worker, say: Say
) -> Response:
    """Decline a challenge to the visitor."""
    seeker = visitor.seeker(person_name(body.name))
    await service.run(service.lobby.decline, number, seeker)
    return await _own(seeker, service, say)


@router.post(
    "/offers/back",
    response_model=OwnOffers,
    responses=description.refusals(401, 404, *description.BODY_STATUSES),
    dependencies=description.VISITOR,
)
async def give_back(visitor: Sender, body: GiveBackRequest, service: Worker, say: Say) -> Response:
    """Call off a game before the own first move. The opponent's offer is open again, at its old place."""
    await service.run(service.lobby.give_back, body.room, visitor.visitor)
    return await _own(visitor.seeker(""), service, say)


async def _own(seeker: Seeker, service: Service, say: Translator) -> Response:
    """Return the facts about *seeker*. A player without a name gets no challenge."""
    lobby = await service.lobby_streams.read()
    facts = lobby.facts_for(seeker, lobby.open_challenges, service.now() - MEETING_MS)
    return reply(OwnOffers.of(facts, say))
