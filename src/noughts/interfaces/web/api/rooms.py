"""API routes for rooms: open, join, read, command and follow a room."""

import re
from collections.abc import Callable, Coroutine, Iterable
from contextlib import suppress
from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Query, Request, Response
from pydantic import ValidationError

from noughts.arena.clock import DAY, UNTIMED, Clock
from noughts.arena.lobby.offers import LobbyOffer, Seeker
from noughts.arena.rooms.keys import room_of_key, token_of_visitor
from noughts.arena.rooms.models import Phase, RoomEntry, RoomView
from noughts.arena.rooms.player_pauses import PlayerPause
from noughts.arena.rooms.room import hash_token
from noughts.arena.seat_names import seat_name
from noughts.arena.series import Begins
from noughts.arena.table import HUMAN, Terms
from noughts.errors import (
    BadInput,
    DamagedStore,
    GameOver,
    NotFound,
    PauseRefused,
    PlayerFailed,
    SeatTaken,
    StaleRoom,
)
from noughts.games.base import Game
from noughts.games.catalogue import name_of, new_game
from noughts.games.notation import format_position, parse_position, play_moves
from noughts.games.openings import NO_OPENING, find_opening
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.players import person_name
from noughts.interfaces.presenting.tasks import take_seat
from noughts.interfaces.web.api import description
from noughts.interfaces.web.api.requests import (
    KEY_PATTERN,
    CommandRequest,
    JoinByCode,
    JoinByRoom,
    LineRequest,
    MoveSeat,
    OpenRoomRequest,
    PauseRequest,
)
from noughts.interfaces.web.api.sessions import identity_of, required_session
from noughts.interfaces.web.costs import BoardSize, size_to_play
from noughts.interfaces.web.http.body import JsonRequest, JsonRoute
from noughts.interfaces.web.http.middleware import address_of, bearer_of
from noughts.interfaces.web.http.replies import (
    SEAT_COOKIE,
    ApiError,
    refuse,
    reply,
    store_secret,
    translator_for,
)
from noughts.interfaces.web.live.computers import ask
from noughts.interfaces.web.live.events import EventStream, room_events
from noughts.interfaces.web.lobby_models import LobbyOfferMessage
from noughts.interfaces.web.models import (
    CommandResult,
    JoinedRoom,
    OwnRooms,
    PauseMessage,
    RoomState,
    RoomSummary,
    wording_of,
)
from noughts.interfaces.web.service import Service
from noughts.workers.messages import TaskResult, TaskWorker
from noughts.workers.seating import is_ours, seat_patience

MAX_FOLLOWED = 250
"""The largest number of rooms that one stream of a list of games follows."""

MAX_ROOM_NAME = 64
"""The longest name of a room."""

FRIEND = "friend"
"""The name of an opponent by a link or a code."""

SEAT_SECONDS = 30.0
"""The longest time in seconds for a program to accept or decline a game."""

MAX_OFFERED = 1_000
"""The largest number of cached results of asking a computer if it plays a game."""

COMPUTER_COMMANDS = frozenset(("move", "choose", "rematch", "swap", "put"))
"""Types of commands after which a computer may have to think."""


MAX_QUERY = 40
"""The length up to which a query string cannot contain a language that is too long."""


class CommandRoute(JsonRoute):
    """The route of commands, with a fast path for valid requests.

    FastAPI takes as long to inject the arguments of a function as the command itself takes. Requests that are
    not plainly valid follow the usual path.
    """

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        usual = super().get_route_handler()

        async def answer(request: Request) -> Response:
            request = JsonRequest(request.scope, request.receive)
            try:
                body = CommandRequest.model_validate(await request.json())
            except ValidationError:
                return await usual(request)
            if len(request.scope["query_string"]) > MAX_QUERY:
                return await usual(request)
            room, service = request.path_params["room"], await service_of(request)
            return await command_room(request, room, body, service, translator_for(request))

        return answer


async def service_of(
    request: Request,
) -> Service:  # async: no other thread is needed
    """Return the service of the server."""
    service: Service = request.app.state.service
    return service


Worker = Annotated[Service, Depends(service_of)]
RoomName = Annotated[str, Path(description="The name of the room, as in its address.")]


async def request_translator(
    request: Request,
    lang: Annotated[str | None, Query(max_length=40, description="The language of the sentences.")] = None,  # noqa: ARG001 - read there, and described here
) -> Translator:
    """Return the translator for the language of the query string, or else of the headers."""
    return translator_for(request)


Say = Annotated[Translator, Depends(request_translator)]


def api_router(tag: str, *statuses: int) -> APIRouter:
    """Return a router of the API for the tag *tag*. All its routes may fail with *statuses*."""
    return APIRouter(
        prefix="/api",
        route_class=JsonRoute,
        tags=[tag],
        responses=description.refusals(*description.READ_STATUSES, *statuses),
        dependencies=[Depends(request_translator)],
    )


router = api_router("rooms")


# Opening and joining


@router.post("/rooms", status_code=201, response_model=JoinedRoom, responses=description.OPENED)
async def open_room(request: Request, body: OpenRoomRequest, service: Worker, say: Say) -> Response:
    """Open a room and take a seat in it. A repeated request with the same `key` gives the same seat.

    If only computers play, the caller is a spectator: `place` is null and `token` is empty.
    """
    address = address_of(request)
    service.quotas.opened.take(address)
    identity = await identity_of(request)
    name = ""
    if not body.computers:
        name = person_name(body.name) if identity is None else seat_name(identity.number)
    await service.check_rooms(address, None if body.key is None else room_of_key(body.key))
    size = size_of_request(body, service)
    cost = size.position_cost(len(body.moves), body.position is not None) + size.state_cost(0)
    game, start = await service.work.run(address, cost, _game_and_start, body)
    opening = None if body.opening == NO_OPENING else body.opening
    kinds, place = await _seats(body, service, game, address)
    setup = Terms(
        game=name_of(game),
        who=kinds,
        begins=Begins(body.begins),
        clock=UNTIMED if body.clock is None else Clock(**body.clock.model_dump()),
        created=service.now(),
        opening=opening,
        start=start,
        visibility=body.visibility,
        rated=body.rated,
        is_counted=body.counts,
    ).at_their_speed()
    entry = await service.run(service.rooms.open, setup, name, place, key=body.key)
    service.metrics.count("rooms")
    service.open_rooms.add(address, entry.room)
    if set(kinds) != {HUMAN}:
        service.thoughts.add(address, entry.room)
    return await _entered(request, service, entry, say)


async def _seats(
    body: OpenRoomRequest, service: Service, game: Game, address: str
) -> tuple[tuple[str, ...], int | None]:
    """Return the kind of player for each seat, and the seat of the caller.

    The seat is None if only computers play.
    """
    sides = len(game.sides)
    if body.computers:
        if len(body.computers) != sides:
            raise ApiError(422, "no-such-seat", sides=sides)
        return tuple([await accepting(service, name, game, address) for name in body.computers]), None
    if body.place >= sides:
        raise ApiError(422, "no-such-seat", sides=sides)
    if sides == 1 and body.opponent != FRIEND:
        raise ApiError(422, "plays-alone")
    others = HUMAN if body.opponent == FRIEND else await accepting(service, body.opponent, game, address)
    return tuple(HUMAN if seat == body.place else others for seat in range(sides)), body.place


def size_of_request(body: LineRequest | OpenRoomRequest, service: Service) -> BoardSize:
    """Return the size of the requested board, before the board is made.

    Raises an error if it is too large.
    """
    size = size_to_play(body.game, service.limits.cells)
    service.check_plies(size.cells, len(body.moves))
    return size


def game_after(name: str, position: str | None, moves: Iterable[str]) -> Game:
    """Return the game called *name* after *moves*. Raises the errors of the description and the moves.

    The game starts from *position*, or from the usual start if that is None.
    """
    game = new_game(name)
    if position is not None:
        game = parse_position(game, position)
    play_moves(game, list(moves))
    return game


def _game_and_start(body: OpenRoomRequest) -> tuple[Game, str | None]:
    """Return the game of a room, and its start position as text, or None for the usual start."""
    game = new_game(body.game)
    has_opening = body.opening not in (None, NO_OPENING)
    if has_opening:
        find_opening(str(body.opening)).check(game)
    if not body.moves and body.position is None:
        return game, None
    if has_opening or Begins(body.begins) is Begins.CHOOSER:
        raise ApiError(422, "from-a-position")
    reached = game_after(body.game, body.position, body.moves)
    if reached.is_over:
        raise GameOver
    start = format_position(reached)
    return parse_position(game, start), start


async def accepting(service: Service, name: str, game: Game, address: str) -> str:
    """Return *name* if the computer of that name plays *game*. Raises the error with which it declines."""
    if name not in service.players:
        raise NotFound("player", name, service.players)
    offered = (name, game.name, game.start)
    if offered not in service.computer_replies:
        with service.thoughts.one_more(address):
            # The analyst answers, so that compilation does not delay moves.
            thinker: TaskWorker = service.analyst if is_ours(name) else service.programs
            message = await ask(thinker, take_seat, name, game, 0, patience=seat_patience(name, SEAT_SECONDS))
        if not isinstance(message, TaskResult):
            raise ApiError(503, "thinking-failed")
        if isinstance(message.value, PlayerFailed):  # not cached: it may succeed later
            service.note_trouble(str(message.value))
            raise ApiError(503, "thinking-failed")
        if len(service.computer_replies) >= MAX_OFFERED:
            service.computer_replies.clear()
        service.computer_replies[offered] = message.value
    declined = service.computer_replies[offered]
    if declined is not None:
        raise declined
    return name


@router.post("/join", status_code=201, response_model=JoinedRoom, responses=description.JOINED)
async def join_room(request: Request, body: JoinByCode | JoinByRoom, service: Worker, say: Say) -> Response:
    """Take the free seat of a room, given by its code or name.

    A repeated request with the same `key` gives the same seat.
    """
    service.quotas.joined.take(address_of(request))
    identity = await identity_of(request)
    name = person_name(body.name) if identity is None else seat_name(identity.number)
    if isinstance(body, JoinByRoom):
        service.charge_state(service.rooms.known_game(body.room), address_of(request))
    asked = body.model_dump(exclude={"name"})
    try:
        entry = await service.run(service.rooms.join, name, **asked)
    except SeatTaken:
        if identity is None:
            raise
        # A person with a key has one seat in a room. At another one the same person is a guest.
        named = person_name(body.name)
        entry = await service.run(service.rooms.join, named, owner=identity.number, **asked)
    return await _entered(request, service, entry, say)


@router.get("/join/{code}", response_model=RoomState, responses=description.refusals(404))
async def view_by_code(
    request: Request,
    service: Worker,
    say: Say,
    code: Annotated[str, Path(max_length=20, description="The code of the room: six letters.")],
) -> Response:
    """Return the state of the room that a code opens, without taking a seat.

    Each request counts as an attempt to join.
    """
    address = address_of(request)
    service.quotas.joined.take(address)
    view = await service.run(service.rooms.view_by_code, code)
    service.charge_state(view.match.game, address)
    return reply(await service.state_text(view, say, None, address))


@router.post(
    "/rooms/{room}/seat",
    status_code=201,
    response_model=JoinedRoom,
    responses=description.refusals(401, 403, 404, *description.BODY_STATUSES),
    dependencies=description.SEAT,
)
async def move_seat(request: Request, room: RoomName, body: MoveSeat, service: Worker, say: Say) -> Response:  # noqa: ARG001 - it only has to be JSON
    """Return the caller's own seat again, with its token and a cookie, to use it on a further device."""
    token = bearer_of(request) or request.cookies.get(SEAT_COOKIE, "")
    place = await seat_of(request, service, room)
    view = await service.look(room)
    service.charge_state(view.match.game, address_of(request))
    if place is None or await service.place_of(room, token) != place:  # a session has no token to give away
        raise ApiError(401, "no-seat")
    return await _entered(request, service, RoomEntry(room, place, token, view.code), say)


async def _entered(request: Request, service: Service, entry: RoomEntry, say: Translator) -> Response:
    view = await service.look(entry.room)
    service.show(view)
    state = await service.state_text(view, say, entry.place, address_of(request))
    answer = reply(JoinedRoom.model_construct(**asdict(entry)).to_json(state), 201)
    if entry.place is None:
        return answer
    store_secret(request, answer, SEAT_COOKIE, entry.token, f"/api/rooms/{entry.room}")
    return answer


# Routes of one room, and the list of a person's rooms


def visitor_hash(request: Request) -> str | None:
    """Return the hash of the lobby key that *request* has, or None without one."""
    key = bearer_of(request)
    return hash_token(token_of_visitor(key)) if re.fullmatch(KEY_PATTERN, key) else None


@router.get(
    "/rooms", response_model=OwnRooms, openapi_extra={"security": [{}, {"session": []}, {"visitor": []}]}
)
async def list_own_rooms(request: Request, service: Worker, say: Say) -> Response:
    """Return summaries of the rooms in which the caller's key has a seat, and the offers that last.

    With a key of the lobby, the list also has the rooms to which lasting offers made with it have led.
    """
    identity, visitor = await identity_of(request), visitor_hash(request)
    number = None if identity is None else identity.number
    views = [] if number is None else await service.run(service.rooms.of_identity, number)
    seats = {view.room: (view, view.place_of(number)) for view in views if number is not None}
    led = [] if visitor is None else await service.run(service.rooms.of_visitor, visitor)
    visits = [room for room in led if room not in seats]
    for room in visits:
        if visitor is not None:
            with suppress(NotFound, DamagedStore):
                view = await service.look(room)
                seats[room] = view, await service.run(service.rooms.place_of_hash, room, visitor)
    known = [(view, place) for view, place in seats.values() if view.phase is not Phase.CLOSED]
    named = [(await service.with_ratings(await service.named(view)), place) for view, place in known]
    seeker = Seeker(visitor or "", "", number)
    lasting = (await service.lobby_streams.read()).lasting_of(seeker)
    pause = None if number is None else await service.run(service.player_pauses.last, number)
    return reply(await service.run(_own_rooms, service, say, named, visits, lasting, pause))


def _own_rooms(
    service: Service,
    say: Translator,
    seats: list[tuple[RoomView, int | None]],
    visits: list[str],
    lasting: list[LobbyOffer],
    pause: PlayerPause | None,
) -> OwnRooms:
    asked = [seat_name(offer.recipient_identity) if offer.recipient_identity else "" for offer in lasting]
    called = service.database.called(asked)
    return OwnRooms(
        rooms=[RoomSummary.of(view, say, place, service.now()) for view, place in seats],
        visits=visits,
        offers=[
            LobbyOfferMessage.of(offer, say, called.get(to)) for offer, to in zip(lasting, asked, strict=True)
        ],
        pause=None if pause is None else PauseMessage.model_validate(pause),
    )


@router.get(
    "/rooms/events",
    response_class=Response,
    responses={**description.GAMES_EVENTS, **description.refusals(429)},
)
async def follow_games(
    request: Request,
    service: Worker,
    room: Annotated[
        list[str] | None,
        Query(max_length=MAX_FOLLOWED, description="A room and its known version: `NAME:VERSION`."),
    ] = None,
) -> Any:
    """Stream the names of those of the given rooms that change, and tell when the caller has a new game.

    New games are those of the caller's key, and those of lasting offers that were made with a key of the
    lobby.
    """
    identity, visitor = await identity_of(request), visitor_hash(request)
    known: dict[str, int] = {}
    for one in room or ():
        name, _, version = one.rpartition(":")
        known[name[:MAX_ROOM_NAME]] = int(version) if re.fullmatch("[0-9]{1,15}", version) else -1
    players = {visitor or "", "" if identity is None else seat_name(identity.number)} - {""}
    address = address_of(request)
    service.take_stream(address)
    reader = service.games_streams.open(known, players)

    def close() -> None:
        service.games_streams.close_reader(reader)
        service.streams.drop(address)

    try:
        present = await service.run(service.rooms.store.versions, known)
    except BaseException:
        close()
        raise
    reader.hear(*(name for name, version in known.items() if present.get(name) != version))
    return EventStream(reader.frames(), close)


@router.post(
    "/pause",
    response_model=PauseMessage,
    responses=description.refusals(401, *description.BODY_STATUSES),
)
async def pause_games(request: Request, body: PauseRequest, service: Worker) -> Response:
    """Stop the clocks of all games by days of the caller, once a year. With 0 days, end the pause now."""
    number = (await required_session(request)).identity.number
    if body.days:
        await service.run(service.player_pauses.begin, number, body.days * DAY)
    else:
        await service.run(service.player_pauses.end, number)
    pause = await service.run(service.player_pauses.last, number)
    if pause is None:
        raise PauseRefused("not-paused")
    return reply(PauseMessage.model_validate(pause))


async def seat_of(request: Request, service: Service, room: str) -> int | None:
    """Return the seat that the token or the session of *request* proves, or None for a spectator.

    A wrong token in the header is an error. A wrong token in an old cookie is not.
    """
    token = (bearer_of(request) or request.cookies.get(SEAT_COOKIE, ""))[:200] or None
    place = None if token is None else await service.place_of(room, token)
    if place is None and (identity := await identity_of(request)) is not None:
        place = (await service.look(room)).place_of(identity.number)
    if place is None and bearer_of(request):
        await service.look(room)  # A room that does not exist is an error for every caller.
        raise ApiError(403, "not-your-seat")
    return place


@router.get(
    "/rooms/{room}",
    response_model=RoomState,
    responses=description.refusals(403, 404),
    openapi_extra=description.WITH_OR_WITHOUT,
)
async def look_at_room(request: Request, room: RoomName, service: Worker, say: Say) -> Response:
    """Return the state of a room for a seat or a spectator. The player of the seat then counts as present."""
    view = await service.look(room)
    place = await seat_of(request, service, room)
    if place is not None:
        service.presence.see(view, place)
    service.charge_state(view.match.game, address_of(request))
    return reply(await service.state_text(view, say, place, address_of(request)))


@router.get(
    "/rooms/{room}/brief",
    response_model=RoomSummary,
    responses=description.refusals(403, 404),
    openapi_extra=description.WITH_OR_WITHOUT,
)
async def brief_of_room(request: Request, room: RoomName, service: Worker, say: Say) -> Response:
    """Return a summary of a room for lists. The request does not make a player present."""
    view = await service.look(room)
    place = await seat_of(request, service, room)
    seen = await service.with_ratings(await service.named(service.as_seen(view, place)))
    return reply(await service.run(RoomSummary.of, seen, say, place, service.now()))


async def command_room(
    request: Request, room: RoomName, body: CommandRequest, service: Worker, say: Say
) -> Response:
    """Carry out a command in a room: at most once for each `key`, and only if `version` is not stale."""
    place = await seat_of(request, service, room)
    if place is None:
        await service.look(room)  # A room that does not exist is an error for every caller.
        raise ApiError(401, "no-seat")
    service.quotas.commands.take((room, place))
    address = address_of(request)
    if body.command.type == "move":
        game = service.rooms.known_game(room)
        if game is not None:
            service.check_plies(len(game.cells), game.ply)
    if body.command.type in COMPUTER_COMMANDS:
        service.thoughts.check_room(address, room)
    service.charge_state(service.rooms.known_game(room), address)
    try:
        answered = await service.command(room, place, body.to_command(), body.version, body.key)
        if set(answered.view.setup.who) != {HUMAN}:
            service.thoughts.add(address, room)
    except StaleRoom as error:
        state = await service.state_text(error.view, say, place, address)
        refusal = ApiError(409, "stale", version=error.view.version)
        return refuse(request, refusal, state=state)
    except BadInput as error:
        view = await service.named(await service.look(room))
        return refuse(request, error, wording_of(view, say).refusal(error))
    state = await service.state_text(answered.view, say, place, address)
    return reply(CommandResult.model_construct(version=answered.version).to_json(state))


router.add_api_route(
    "/rooms/{room}/commands",
    command_room,
    methods=["POST"],
    response_model=CommandResult,
    responses=description.COMMAND_DONE,
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
    """Stream the states of a room as Server-Sent Events. `Last-Event-ID` resumes the stream."""
    view = await service.look(room)
    place = await seat_of(request, service, room)
    address = address_of(request)
    stream = service.open_stream(view, place, address)

    async def written(view: RoomView) -> str:
        await service.afford_state(view.match.game, address)
        return await service.state_text(view, say, place, address)

    last = request.headers.get("last-event-id", "")
    since = int(last) if re.fullmatch("[0-9]{1,16}", last) and int(last) <= view.version else -1
    return EventStream(room_events(stream, since, written), lambda: service.close_stream(stream, address))
