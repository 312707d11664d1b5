"""API routes for tournaments of people: open, enter, follow, organise, and read results."""

import csv
import hmac
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from io import StringIO
from typing import Annotated, Any

from fastapi import Path, Request, Response

from noughts.arena.clock import Clock
from noughts.arena.people.identities import Identity
from noughts.arena.people.names import ANONYMOUS, check_reserved
from noughts.arena.rooms.keys import parse_code
from noughts.arena.rooms.room import hash_token
from noughts.arena.stored_game import PUBLIC
from noughts.arena.tournament.people import (
    PairingSystem,
    PeoplePhase,
    PeopleTerms,
    PeopleTournament,
    clean_title,
)
from noughts.arena.tournament.people_director import new_seed
from noughts.arena.tournament.people_repository import StoredPeople
from noughts.arena.tournament.people_standings import table_of
from noughts.errors import NotFound
from noughts.games.catalogue import name_of, new_game
from noughts.games.openings import NO_OPENING, find_opening
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.players import person_name
from noughts.interfaces.web.api import description
from noughts.interfaces.web.api.people_models import (
    RESULTS,
    CorrectCommand,
    EmptyRequest,
    EnteredTournament,
    EnterRequest,
    EntryChange,
    OpenedTournament,
    OpenEntryCommand,
    OpenTournamentRequest,
    OrganiserRequest,
    PairingMessage,
    PeopleResults,
    PeopleState,
    PublicTournament,
    PublicTournaments,
    SeatOfRound,
    SecretRequest,
    TableRowMessage,
    opened_tournament,
    player_name,
    players_of_tournament,
)
from noughts.interfaces.web.api.rooms import (
    Say,
    Worker,
    accepting,
    api_router,
)
from noughts.interfaces.web.api.sessions import identity_of
from noughts.interfaces.web.costs import size_to_play
from noughts.interfaces.web.http.middleware import address_of, bearer_of
from noughts.interfaces.web.http.replies import SEAT_COOKIE, ApiError, reply, store_secret
from noughts.interfaces.web.live.events import EventStream
from noughts.interfaces.web.service import Service

ENTRY_COOKIE, ORGANISER_COOKIE = "noughts-entry", "noughts-organiser"
"""The cookies with the secrets of a player and an organiser. Their paths are those of one tournament."""

FORMULAS = ("=", "+", "-", "@", "\t", "\r")
"""The beginnings of cells that a spreadsheet would compute."""

Code = Annotated[str, Path(max_length=20, description="The code of the tournament: six letters.")]
EntryNumber = Annotated[int, Path(ge=1, le=10**6, description="The number of the player.")]

router = api_router("tournaments")


@dataclass(frozen=True, slots=True)
class TournamentVisitor:
    """The sender of a request about a tournament: the number of the entry, and if it is the organiser.

    ``token`` is the secret of the entry, empty without an entry.
    """

    entry: int | None
    is_organiser: bool
    token: str = ""


async def find_tournament(request: Request, service: Service, code: str) -> StoredPeople:
    """Return the tournament that *code* opens. Attempts to guess codes are limited.

    Raises :class:`~noughts.errors.NotFound`.
    """
    parsed, address = parse_code(code), address_of(request)
    if parsed is None:
        raise NotFound("tournament", code)
    if (stored := service.tournaments.newest(parsed)) is not None:
        return stored
    is_guess = service.tournaments.known(parsed) is None
    if is_guess:
        service.quotas.joined.take(address)
    stored = await service.run(service.tournaments.look, parsed)
    if is_guess:
        service.quotas.joined.owe(address, -1)
    return stored


def visitor_of(request: Request, stored: StoredPeople) -> TournamentVisitor:
    """Return the sender of *request*, by a token in a header or in a cookie."""
    bearer = bearer_of(request)[:200]
    secret = bearer or request.cookies.get(ENTRY_COOKIE, "")[:200]
    entry = stored.entry_of(hash_token(secret)) if secret else None
    organiser = bearer or request.cookies.get(ORGANISER_COOKIE, "")[:200]
    is_organiser = hmac.compare_digest(hash_token(organiser), stored.organiser)
    return TournamentVisitor(entry, is_organiser, secret if entry is not None else "")


def _check_organiser(request: Request, stored: StoredPeople) -> None:
    if not visitor_of(request, stored).is_organiser:
        raise ApiError(403, "not-organiser")


def _remember(request: Request, answer: Response, name: str, token: str, code: str) -> Response:
    """Let the browser store a secret for the pages and the API of one tournament."""
    for path in (f"/t/{code}", f"/api/tournaments/{code}"):
        store_secret(request, answer, name, token, path)
    return answer


@router.post(
    "/tournaments",
    status_code=201,
    response_model=OpenedTournament,
    responses=description.refusals(*description.BODY_STATUSES),
)
async def open_tournament(
    request: Request, body: OpenTournamentRequest, service: Worker, say: Say
) -> Response:
    """Open a tournament of people. A repeated request with the same `key` gives the same tournament."""
    address = address_of(request)
    service.quotas.opened.take(address)
    size = size_to_play(body.game, service.limits.cells)
    game = await service.work.run(address, size.position_cost(0), new_game, body.game)
    if len(game.sides) != 2:
        raise ApiError(422, "two-sides-only")
    opening = None if body.opening in (None, NO_OPENING) else body.opening
    if opening is not None:
        find_opening(opening).check(game)
    computer = await accepting(service, body.computer, game, address) if body.computer else ""
    title = clean_title(body.title, say("people-untitled"))
    if body.visibility == PUBLIC:
        check_reserved(title, allowed=ANONYMOUS)  # Strangers read it.
    terms = PeopleTerms(
        title=title,
        game=name_of(game),
        clock=Clock(**body.clock.model_dump()),
        system=PairingSystem(body.system),
        rounds=body.rounds,
        minutes=body.minutes,
        opening=opening,
        computer=computer,
        starts=body.starts,
        created=service.now(),
        seed=new_seed(),
        visibility=body.visibility,
    )
    entry = await service.run(service.tournaments.open, terms, key=body.key)
    opened = opened_tournament(entry)
    return _remember(request, reply(opened, 201), ORGANISER_COOKIE, entry.token, entry.code)


@router.get("/tournaments", response_model=PublicTournaments)
async def list_tournaments(service: Worker, say: Say) -> Response:
    """Return the public tournaments of people of the last 30 days: first those that have not ended."""
    found, at = await service.run(service.tournaments.public), service.now()
    return reply(PublicTournaments(tournaments=[PublicTournament.of(one, say, at) for one in found]))


@router.get("/tournaments/{code}", response_model=PeopleState, responses=description.refusals(404))
async def look_at_tournament(request: Request, code: Code, service: Worker, say: Say) -> Response:
    """Return the state of a tournament of people."""
    stored = await find_tournament(request, service, code)
    visitor = visitor_of(request, stored)
    at = service.now()
    state = PeopleState.of(stored, say, at, visitor.entry, is_organiser=visitor.is_organiser)
    return reply(state)


@router.post(
    "/tournaments/{code}/entries",
    status_code=201,
    response_model=EnteredTournament,
    responses=description.refusals(404, *description.BODY_STATUSES),
)
async def enter_tournament(
    request: Request, code: Code, body: EnterRequest, service: Worker, say: Say
) -> Response:
    """Enter a tournament by a name. A repeated request with the same `key` gives the same entry."""
    stored = await find_tournament(request, service, code)
    service.quotas.entries.take(stored.code)
    entered = await _enter(service, stored.code, body, say, identity=await identity_of(request))
    return _remember(request, reply(entered, 201), ENTRY_COOKIE, entered.token, stored.code)


async def _enter(
    service: Service,
    code: str,
    body: EnterRequest,
    say: Translator,
    *,
    identity: Identity | None = None,
    by_organiser: bool = False,
) -> EnteredTournament:
    """Add a player, and return the entry with the name that the player got.

    A player with a key has the name of the key, if it has one.
    """
    claimed = None if identity is None else identity.name
    facts = {"identity": None if identity is None else identity.number, "by_organiser": by_organiser}
    named = person_name(body.name) if claimed is None else claimed
    entry = await service.run(service.tournaments.enter, code, named, key=body.key, **facts)
    name = player_name(await service.run(service.tournaments.look, code), entry.number, say)
    return EnteredTournament(number=entry.number, name=name, token=entry.token)


@router.post(
    "/tournaments/{code}/late",
    status_code=201,
    response_model=EnteredTournament,
    responses=description.refusals(404, *description.BODY_STATUSES),
)
async def add_late_entry(
    request: Request, code: Code, body: EnterRequest, service: Worker, say: Say
) -> Response:
    """Add a player as the organiser, also after the end of late entry. Pass the token on to the player."""
    stored = await find_tournament(request, service, code)
    _check_organiser(request, stored)
    return reply(await _enter(service, stored.code, body, say, by_organiser=True), 201)


@router.post(
    "/tournaments/{code}/entries/{entry}",
    response_model=PeopleState,
    responses=description.refusals(404, *description.BODY_STATUSES),
)
async def change_entry(
    request: Request, code: Code, entry: EntryNumber, body: EntryChange, service: Worker, say: Say
) -> Response:
    """Change the name or the state of a player. Players change themselves, and the organiser all players."""
    stored = await find_tournament(request, service, code)
    visitor = visitor_of(request, stored)
    if not visitor.is_organiser and visitor.entry != entry:
        raise ApiError(403, "not-organiser")
    if entry not in stored.people:
        raise NotFound("entry", entry)
    service.quotas.commands.take((stored.code, entry))
    if body.name is not None:
        name, by = person_name(body.name), visitor.is_organiser
        stored = await service.run(service.tournaments.rename, stored.code, entry, name, by_organiser=by)
    acts: dict[str, Callable[[PeopleTournament, int], list[Any]]] = {
        "in": lambda tournament, at: tournament.come_back(entry, at),
        "resting": lambda tournament, at: tournament.rest(entry, at),
        "removed": lambda tournament, at: tournament.remove(entry, at),
    }
    if body.state is not None:
        stored = await service.run(service.tournaments.do, stored.code, acts[body.state])
    return _state(service, stored, say, visitor)


def _state(service: Service, stored: StoredPeople, say: Translator, visitor: TournamentVisitor) -> Response:
    is_organiser = visitor.is_organiser
    return reply(PeopleState.of(stored, say, service.now(), visitor.entry, is_organiser=is_organiser))


@router.post(
    "/tournaments/{code}/entries/{entry}/token",
    response_model=EnteredTournament,
    responses=description.refusals(404, *description.BODY_STATUSES),
)
async def replace_token(
    request: Request,
    code: Code,
    entry: EntryNumber,
    body: EmptyRequest,  # noqa: ARG001 - a body shows that no other site sends the request
    service: Worker,
    say: Say,
) -> Response:
    """Return a new token for a player after the loss of the device. Only the organiser can do this."""
    stored = await find_tournament(request, service, code)
    _check_organiser(request, stored)
    if entry not in stored.people:
        raise NotFound("entry", entry)
    fresh = await service.run(service.tournaments.replace_secret, stored.code, entry)
    return reply(EnteredTournament(number=entry, name=player_name(stored, entry, say), token=fresh.token))


@router.post(
    "/tournaments/{code}/token",
    response_model=PeopleState,
    responses=description.refusals(404, *description.BODY_STATUSES),
)
async def prove_token(
    request: Request, code: Code, body: SecretRequest, service: Worker, say: Say
) -> Response:
    """Store the secret of a player or organiser in the browser, so that its pages open."""
    stored = await find_tournament(request, service, code)
    token = hash_token(body.token)
    entry = stored.entry_of(token)
    is_organiser = hmac.compare_digest(token, stored.organiser)
    if entry is None and not is_organiser:
        raise ApiError(403, "not-organiser")
    answer = _state(service, stored, say, TournamentVisitor(entry, is_organiser))
    name = ORGANISER_COOKIE if is_organiser else ENTRY_COOKIE
    return _remember(request, answer, name, body.token, stored.code)


@router.post(
    "/tournaments/{code}/commands",
    response_model=PeopleState,
    responses=description.refusals(404, *description.BODY_STATUSES),
)
async def command_tournament(
    request: Request, code: Code, body: OrganiserRequest, service: Worker, say: Say
) -> Response:
    """Carry out a command of the organiser. A repeated command changes nothing more."""
    stored = await find_tournament(request, service, code)
    _check_organiser(request, stored)
    command = body.command
    match command:
        case OpenEntryCommand(is_open=is_open):
            act: Callable[[PeopleTournament, int], list[Any]] = lambda tournament, at: tournament.open_to_all(  # noqa: E731
                at, is_open=is_open
            )
        case CorrectCommand(pairing=pairing, result=result):
            act = lambda tournament, at: tournament.correct(pairing, RESULTS[result], at)  # noqa: E731
        case _:
            act = lambda tournament, at: getattr(tournament, command.type)(at)  # noqa: E731
    stored = await service.run(service.tournaments.do, stored.code, act)
    return _state(service, stored, say, visitor_of(request, stored))


@router.post(
    "/tournaments/{code}/seat",
    response_model=SeatOfRound,
    responses=description.refusals(401, 404, *description.BODY_STATUSES),
)
async def take_seat_of_round(
    request: Request,
    code: Code,
    body: EmptyRequest,  # noqa: ARG001 - a body shows that no other site sends the request
    service: Worker,
) -> Response:
    """Return the seat of the caller in the newest game, and store it in the browser.

    A player with a new token gets the seat of the device with the earlier one. Before the first game `room`
    and `token` are empty.
    """
    stored = await find_tournament(request, service, code)
    visitor = visitor_of(request, stored)
    if visitor.entry is None:
        raise ApiError(401, "no-seat")
    games = [pairing for pairing in stored.tournament.of(visitor.entry) if pairing.room]
    if not games:
        return reply(SeatOfRound(room="", place=0, token="", game=stored.tournament.terms.game))
    last = games[-1]
    place = last.players.index(visitor.entry)
    with suppress(NotFound):  # The room is deleted a while after its end.
        if await service.place_of(last.room, visitor.token) is None:
            # Another worker may have replaced the token: the earlier one must not get the seat back.
            stored = await service.run(service.tournaments.look, stored.code)
            if visitor_of(request, stored).entry is None:
                raise ApiError(401, "no-seat")
            await service.run(service.rooms.hand_over, last.room, place, visitor.token)
    seat = SeatOfRound(
        room=last.room,
        place=place,
        token=visitor.token,
        game=stored.tournament.terms.game,
    )
    answer = reply(seat)
    store_secret(request, answer, SEAT_COOKIE, visitor.token, f"/api/rooms/{last.room}")
    return answer


# Events


@router.get(
    "/tournaments/{code}/events",
    response_class=Response,
    responses={
        **description.file_of(
            "text/event-stream",
            "The changes of the tournament. `event: change` has the version as its data.",
            example="event: change\ndata: 12\n\n",
        ),
        **description.refusals(404),
    },
)
async def follow_tournament(request: Request, code: Code, service: Worker) -> Any:
    """Stream the versions of a tournament as Server-Sent Events. `Last-Event-ID` resumes the stream."""
    stored = await find_tournament(request, service, code)
    address = address_of(request)
    service.take_stream(address)
    reader = service.people_streams.open(stored.code, stored.version)
    last = request.headers.get("last-event-id", "")
    since = int(last) if re.fullmatch("[0-9]{1,9}", last) and int(last) <= stored.version else -1

    def end() -> None:
        service.people_streams.close_reader(stored.code, reader)
        service.streams.drop(address)

    return EventStream(reader.frames(since), end)


# Results


@router.get("/tournaments/{code}/results", response_model=PeopleResults, responses=description.refusals(404))
async def results_of_tournament(request: Request, code: Code, service: Worker, say: Say) -> Response:
    """Return the table and all games of a tournament."""
    stored = await find_tournament(request, service, code)
    is_arena = stored.tournament.terms.system is PairingSystem.ARENA

    def write() -> PeopleResults:
        return PeopleResults(
            code=stored.code,
            title=stored.tournament.terms.title,
            is_over=stored.tournament.phase is PeoplePhase.OVER,
            players=players_of_tournament(stored, say),
            table=[TableRowMessage.of(row, is_arena=is_arena) for row in table_of(stored.tournament)],
            pairings=[PairingMessage.of(pairing) for pairing in stored.tournament.pairings.values()],
        )

    return reply(await service.work.write(address_of(request), write))


@router.get(
    "/tournaments/{code}/results.csv",
    response_class=Response,
    responses={**description.file_of("text/csv", "The table."), **description.refusals(404)},
)
async def table_of_tournament(request: Request, code: Code, service: Worker, say: Say) -> Response:
    """Return the table of a tournament as CSV in UTF-8, with a mark of the byte order for spreadsheets."""
    stored = await find_tournament(request, service, code)
    text = await service.work.write(address_of(request), csv_of, stored, say)
    headers = {
        "content-disposition": f'attachment; filename="noughts-{stored.code}.csv"',
        "cache-control": "no-store",
    }
    return Response("\ufeff" + text, headers=headers, media_type="text/csv")


SCORES = {
    PairingSystem.SWISS: ("people-points", "people-opponents", "people-beaten"),
    PairingSystem.ARENA: ("people-points",),
    PairingSystem.KNOCKOUT: (),
}
"""The messages about the columns by which the table of each system is ordered."""


def csv_of(stored: StoredPeople, say: Translator) -> str:
    """Return the table of *stored* as CSV, with the points and tie-breaks that its system has.

    Names that a spreadsheet would compute get an apostrophe.
    """
    tournament = stored.tournament
    is_arena = tournament.terms.system is PairingSystem.ARENA
    scores = SCORES[tournament.terms.system]
    rounds = range(0 if is_arena else tournament.rounds)
    out = StringIO()
    writer = csv.writer(out)
    words = ("people-place", "people-player-head", *scores)
    heads = [say(id_) for id_ in (*words, "people-won", "people-drawn", "people-lost")]
    writer.writerow([*heads, *(say("people-round-number", number=number + 1) for number in rounds)])
    for row in table_of(tournament):
        message = TableRowMessage.of(row, is_arena=is_arena)
        name = player_name(stored, row.entry, say)
        cell = f"'{name}" if name.startswith(FORMULAS) else name
        points = [getattr(message, score.removeprefix("people-")) for score in scores]
        numbers = [*points, row.wins, row.draws, row.losses]
        marks = ["" if mark is None else mark for mark in message.rounds]
        writer.writerow([row.place, cell, *map(_plain, numbers), *map(_plain, marks)])
    return out.getvalue()


def _plain(number: float | str) -> str:
    """Return *number* without a needless fraction."""
    return f"{number:g}" if isinstance(number, float | int) else number
