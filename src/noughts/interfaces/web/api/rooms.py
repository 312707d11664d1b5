"""The API of the rooms: open, join, look, command, and a stream of what happens."""

import re
from collections.abc import Callable, Coroutine, Iterable
from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Query, Request, Response
from pydantic import ValidationError

from noughts.arena.clock import UNTIMED, Clock
from noughts.arena.rooms.keys import room_of_key
from noughts.arena.rooms.models import RoomEntry, RoomView
from noughts.arena.series import Begins
from noughts.arena.table import HUMAN, Terms
from noughts.errors import BadInput, GameOver, NotFound, PlayerFailed, StaleRoom
from noughts.games.base import Game
from noughts.games.catalogue import name_of, new_game
from noughts.games.notation import format_position, parse_position, play_moves
from noughts.games.openings import NO_OPENING, find_opening
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.players import person_name
from noughts.interfaces.presenting.tasks import take_seat
from noughts.interfaces.web.api import description
from noughts.interfaces.web.api.requests import CommandAsked, JoinByCode, JoinByRoom, LineAsked, OpenRoom
from noughts.interfaces.web.costs import BoardSize, size_to_play
from noughts.interfaces.web.http.body import JsonRequest, JsonRoute
from noughts.interfaces.web.http.middleware import address_of, bearer_of
from noughts.interfaces.web.http.replies import SEAT_COOKIE, ApiError, refuse, reply, speaker
from noughts.interfaces.web.live.computers import ask
from noughts.interfaces.web.live.events import EventStream
from noughts.interfaces.web.models import Brief, Done, Entered, State, wording_of
from noughts.interfaces.web.service import Service
from noughts.workers.messages import TaskResult, TaskWorker
from noughts.workers.seating import is_ours, seat_patience

FRIEND = "friend"
"""The opponent who comes by a link or a code."""

COOKIE_SECONDS = 30 * 24 * 60 * 60

CLAIM_AFTER = 60_000
"""After so many milliseconds a win can be claimed against who is away."""

SEAT_SECONDS = 30.0
"""Seconds that a program may take before it says whether it plays a game."""

MAX_OFFERED = 1_000
"""So many answers of computers are remembered."""

ASKS_COMPUTERS = frozenset(("move", "choose", "rematch", "swap", "put"))
"""Commands after which a computer may have to think."""


MAX_QUERY = 40
"""A query that is no longer than that holds no language that is too long to be one."""


class CommandRoute(JsonRoute):
    """The way of every move: what is plainly right goes straight on, all else as everywhere.

    To find the arguments of a function by its signature takes as long as to carry the command out.
    """

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        usual = super().get_route_handler()

        async def answer(request: Request) -> Response:
            request = JsonRequest(request.scope, request.receive)
            try:
                asked = CommandAsked.model_validate(await request.json())
            except ValidationError:
                return await usual(request)
            if len(request.scope["query_string"]) > MAX_QUERY:
                return await usual(request)
            room, service = request.path_params["room"], await service_of(request)
            return await command_room(request, room, asked, service, speaker(request))

        return answer


async def service_of(request: Request) -> Service:  # one that is not async is called in another thread
    """What the server works with."""
    service: Service = request.app.state.service
    return service


Worker = Annotated[Service, Depends(service_of)]
RoomName = Annotated[str, Path(description="the name of the room, as in its address")]


async def speaker_asked(
    request: Request,
    lang: Annotated[str | None, Query(max_length=40, description="the language of the sentences")] = None,  # noqa: ARG001 - read there, and described here
) -> Translator:
    """Who speaks the language that the address asks for, else its headers."""
    return speaker(request)


Say = Annotated[Translator, Depends(speaker_asked)]


def api_router(tag: str, *statuses: int) -> APIRouter:
    """A router of the API for what is described under *tag*; any route of it may be refused so."""
    return APIRouter(
        prefix="/api",
        route_class=JsonRoute,
        tags=[tag],
        responses=description.refusals(*description.READ, *statuses),
        dependencies=[Depends(speaker_asked)],
    )


router = api_router("rooms")


# Opening and joining


@router.post("/rooms", status_code=201, response_model=Entered, responses=description.OPENED)
async def open_room(request: Request, asked: OpenRoom, service: Worker, say: Say) -> Response:
    """Open a room and take a seat in it; with a `key` once, however often it is asked for.

    Whoever opens a room of computers only watches: `place` is null and `token` empty.
    """
    address = address_of(request)
    service.quotas.opened.take(address)
    name = "" if asked.computers else person_name(asked.name)
    await service.check_rooms(address, None if asked.key is None else room_of_key(asked.key))
    size = size_of_asked(asked, service)
    cost = size.reached(len(asked.moves), asked.position is not None) + size.told(0)
    game, start = await service.work.run(address, cost, _game_and_start, asked)
    opening = None if asked.opening == NO_OPENING else asked.opening
    who, place = await _seats(asked, service, game, address)
    setup = Terms(
        game=name_of(game),
        who=who,
        begins=Begins(asked.begins),
        clock=UNTIMED if asked.clock is None else Clock(**asked.clock.model_dump()),
        claim_after=CLAIM_AFTER,
        created=service.now(),
        opening=opening,
        start=start,
        visibility=asked.visibility,
    )
    entry = await service.run(service.rooms.open, setup, name, place, key=asked.key)
    service.metrics.count("rooms")
    service.open_rooms.add(address, entry.room)
    if set(who) != {HUMAN}:
        service.thoughts.add(address, entry.room)
    return await _entered(request, service, entry, say)


async def _seats(
    asked: OpenRoom, service: Service, game: Game, address: str
) -> tuple[tuple[str, ...], int | None]:
    """Who has each seat, and which of them who opens the room has; None where only computers play."""
    sides = len(game.sides)
    if asked.computers:
        if len(asked.computers) != sides:
            raise ApiError(422, "no-such-seat", sides=sides)
        return tuple([await _willing(service, name, game, address) for name in asked.computers]), None
    if asked.place >= sides:
        raise ApiError(422, "no-such-seat", sides=sides)
    if sides == 1 and asked.opponent != FRIEND:
        raise ApiError(422, "plays-alone")
    others = HUMAN if asked.opponent == FRIEND else await _willing(service, asked.opponent, game, address)
    return tuple(HUMAN if seat == asked.place else others for seat in range(sides)), asked.place


def size_of_asked(asked: LineAsked | OpenRoom, service: Service) -> BoardSize:
    """The size of the board that is asked for; raises what it is refused with, before it is made."""
    size = size_to_play(asked.game, service.limits.cells)
    service.check_plies(size.cells, len(asked.moves))
    return size


def game_after(name: str, position: str | None, moves: Iterable[str]) -> Game:
    """The game called *name* in which *moves* were played; raises what that is refused with.

    It starts from *position*, None for the usual start.
    """
    game = new_game(name)
    if position is not None:
        game = parse_position(game, position)
    play_moves(game, list(moves))
    return game


def _game_and_start(asked: OpenRoom) -> tuple[Game, str | None]:
    """The game of a room, and the position from which it starts as text; None for the usual start."""
    game = new_game(asked.game)
    has_opening = asked.opening not in (None, NO_OPENING)
    if has_opening:
        find_opening(str(asked.opening)).check(game)
    if not asked.moves and asked.position is None:
        return game, None
    if has_opening or Begins(asked.begins) is Begins.CHOOSER:
        raise ApiError(422, "from-a-position")
    reached = game_after(asked.game, asked.position, asked.moves)
    if reached.is_over:
        raise GameOver
    start = format_position(reached)
    return parse_position(game, start), start


async def _willing(service: Service, name: str, game: Game, address: str) -> str:
    """The computer called *name*, which plays *game* as it stands; raises what it declines with."""
    if name not in service.players:
        raise NotFound("player", name, service.players)
    offered = (name, game.name, game.start)
    if offered not in service.willing:
        with service.thoughts.one_more(address):
            # Of the one who is asked about positions: no move of others waits until it has compiled.
            thinker: TaskWorker = service.analyst if is_ours(name) else service.programs
            message = await ask(thinker, take_seat, name, game, 0, patience=seat_patience(name, SEAT_SECONDS))
        if not isinstance(message, TaskResult):
            raise ApiError(503, "thinking-failed")
        if isinstance(message.value, PlayerFailed):  # it may do better the next time
            service.note_trouble(str(message.value))
            raise ApiError(503, "thinking-failed")
        if len(service.willing) >= MAX_OFFERED:
            service.willing.clear()
        service.willing[offered] = message.value
    declined = service.willing[offered]
    if declined is not None:
        raise declined
    return name


@router.post("/join", status_code=201, response_model=Entered, responses=description.JOINED)
async def join_room(request: Request, asked: JoinByCode | JoinByRoom, service: Worker, say: Say) -> Response:
    """Take the free seat of a room, by its code or its name; with a `key` once, however often."""
    service.quotas.joined.take(address_of(request))
    name = person_name(asked.name)
    if isinstance(asked, JoinByRoom):
        service.charge_state(service.rooms.known_game(asked.room), address_of(request))
    entry = await service.run(service.rooms.join, name, **asked.model_dump(exclude={"name"}))
    return await _entered(request, service, entry, say)


@router.get("/join/{code}", response_model=State, responses=description.refusals(404))
async def look_by_code(
    request: Request,
    service: Worker,
    say: Say,
    code: Annotated[str, Path(max_length=20, description="the six letters that open a room")],
) -> Response:
    """The state of the room that a code opens, before joining; nobody takes a seat.

    Each look-up counts as an attempt to join.
    """
    address = address_of(request)
    service.quotas.joined.take(address)
    view = await service.run(service.rooms.look_by_code, code)
    service.charge_state(view.match.game, address)
    return reply(await service.tell_state(view, say, None, address))


async def _entered(request: Request, service: Service, entry: RoomEntry, say: Translator) -> Response:
    view = await service.look(entry.room)
    service.show(view)
    state = await service.tell_state(view, say, entry.place, address_of(request))
    answer = reply(Entered.model_construct(**asdict(entry)).to_json(state), 201)
    if entry.place is None:
        return answer
    answer.set_cookie(
        SEAT_COOKIE,
        entry.token,
        max_age=COOKIE_SECONDS,
        path=f"/api/rooms/{entry.room}",
        secure=request.scope["scheme"] == "https",
        httponly=True,
        samesite="lax",
    )
    return answer


# In a room


async def seat_of(request: Request, service: Service, room: str) -> int | None:
    """The place that whoever asks has proved; a header that proves none is refused, an old cookie is not."""
    token = (bearer_of(request) or request.cookies.get(SEAT_COOKIE, ""))[:200] or None
    place = None if token is None else await service.place_of(room, token)
    if place is None and bearer_of(request):
        await service.look(room)  # a room that is not there is not there for anybody
        raise ApiError(403, "not-your-seat")
    return place


@router.get(
    "/rooms/{room}",
    response_model=State,
    responses=description.refusals(403, 404),
    openapi_extra=description.WITH_OR_WITHOUT,
)
async def look_at_room(request: Request, room: RoomName, service: Worker, say: Say) -> Response:
    """The state of a room, as a spectator sees it or as a seat does, which then counts as here."""
    view = await service.look(room)
    place = await seat_of(request, service, room)
    if place is not None:
        service.presence.see(view, place)
    service.charge_state(view.match.game, address_of(request))
    return reply(await service.tell_state(view, say, place, address_of(request)))


@router.get(
    "/rooms/{room}/brief",
    response_model=Brief,
    responses=description.refusals(403, 404),
    openapi_extra=description.WITH_OR_WITHOUT,
)
async def brief_of_room(request: Request, room: RoomName, service: Worker, say: Say) -> Response:
    """How a room stands in a few words, for lists; who asks does not count as here."""
    view = await service.look(room)
    return reply(Brief.of(view, say, await seat_of(request, service, room)))


async def command_room(
    request: Request, room: RoomName, asked: CommandAsked, service: Worker, say: Say
) -> Response:
    """Do something in a room: it is done at most once for each key, and only if the version is not stale."""
    place = await seat_of(request, service, room)
    if place is None:
        await service.look(room)  # a room that is not there is not there for anybody
        raise ApiError(401, "no-seat")
    service.quotas.commands.take((room, place))
    address = address_of(request)
    if asked.command.type == "move":
        game = service.rooms.known_game(room)
        if game is not None:
            service.check_plies(len(game.cells), game.ply)
    if asked.command.type in ASKS_COMPUTERS:
        service.thoughts.check_room(address, room)
    service.charge_state(service.rooms.known_game(room), address)
    try:
        answered = await service.command(room, place, asked.meant(), asked.version, asked.key)
        if set(answered.view.setup.who) != {HUMAN}:
            service.thoughts.add(address, room)
    except StaleRoom as error:
        state = await service.tell_state(error.view, say, place, address)
        told = ApiError(409, "stale", version=error.view.version)
        return refuse(request, told, state=state)
    except BadInput as error:
        return refuse(request, error, wording_of(await service.look(room), say).refusal(error))
    state = await service.tell_state(answered.view, say, place, address)
    return reply(Done.model_construct(version=answered.version).to_json(state))


router.add_api_route(
    "/rooms/{room}/commands",
    command_room,
    methods=["POST"],
    response_model=Done,
    responses=description.DONE,
    dependencies=description.SEAT,
    route_class_override=CommandRoute,
)


@router.get(
    "/rooms/{room}/events",
    response_class=Response,
    responses={**description.EVENTS, **description.refusals(403, 404)},
    openapi_extra=description.WITH_OR_WITHOUT,
)
async def follow_room(request: Request, room: RoomName, service: Worker, say: Say) -> Any:
    """Every state of the room as it comes, as Server-Sent Events; resumed by ``Last-Event-ID``."""
    view = await service.look(room)
    place = await seat_of(request, service, room)
    address = address_of(request)
    stream = service.open_stream(view, place, address)

    async def written(view: RoomView) -> str:
        await service.afford_state(view.match.game, address)
        return await service.tell_state(view, say, place, address)

    last = request.headers.get("last-event-id", "")
    since = int(last) if re.fullmatch("[0-9]{1,16}", last) and int(last) <= view.version else -1
    return EventStream(stream, since, written, lambda: service.close_stream(stream, address))
