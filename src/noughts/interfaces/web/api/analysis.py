"""API routes for positions: earlier positions, lines, values, and reviews of finished games."""

from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Mapping
from contextlib import aclosing
from functools import partial
from time import monotonic
from typing import Annotated, Any

from fastapi import Path, Query, Request, Response
from starlette.responses import StreamingResponse

from noughts.arena.events import Event, EventKind
from noughts.arena.match import Match
from noughts.arena.stored_game import StoredGame
from noughts.arena.table import HUMAN
from noughts.core.lines import MAX_ENUMERATED
from noughts.drawing.view import first_index, view_of
from noughts.errors import UnsupportedRules
from noughts.games.base import Game
from noughts.games.notation import format_move, format_position
from noughts.interfaces.presenting.analysis_texts import WORDS, say_reason, say_value, value_label
from noughts.interfaces.presenting.custom_boards import computers_for
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.match_texts import Wording
from noughts.interfaces.presenting.review_texts import ReviewText, review_limit
from noughts.interfaces.presenting.tasks import MoveEvaluation, evaluate_moves, review_game
from noughts.interfaces.web import models
from noughts.interfaces.web.api import requests
from noughts.interfaces.web.api.description import BODY_STATUSES, REVIEWED, WITH_OR_WITHOUT, refusals
from noughts.interfaces.web.api.games import GameKey, Number, finished_game, players_of
from noughts.interfaces.web.api.rooms import (
    RoomName,
    Say,
    Worker,
    api_router,
    game_after,
    seat_of,
    size_of_request,
)
from noughts.interfaces.web.costs import size_of
from noughts.interfaces.web.http.middleware import address_of
from noughts.interfaces.web.http.replies import ApiError, compact, reply, translator
from noughts.interfaces.web.live.computers import ask, follow
from noughts.interfaces.web.live.events import HEADERS, frame
from noughts.interfaces.web.live.work import text_task
from noughts.interfaces.web.models import mark_to_place, names_of, position_at, position_facts
from noughts.interfaces.web.service import Service
from noughts.search.analysis import Progress
from noughts.search.explain.review import Review, ReviewedMove
from noughts.workers.messages import TaskFailure, TaskResult

router = api_router("rooms", 404)
sent = api_router("analysis", 404, *BODY_STATUSES)

Ply = Annotated[int, Path(ge=0, le=1_000_000, description="The number of moves made.")]
PlyQuery = Annotated[int | None, Query(ge=0, le=1_000_000, description="The number of moves made.")]
Cell = Annotated[
    int, Path(ge=0, le=1_000_000, description="The index of the cell, from 0, in reading order.")
]

BUSY_SECONDS = 2.0
"""The longest time to think about a request, in seconds, while other requests wait."""

TIMEOUT_SECONDS = 90.0
"""Seconds after which a task is stopped, including the time before its search starts."""


READ_SEAT: dict[str, Any] = {"responses": refusals(403), "openapi_extra": WITH_OR_WITHOUT}
"""The description of a route whose answer depends on the seat of the caller."""


async def _game_seen(request: Request, room: str, service: Service) -> Game:
    """Return the game in *room* as the sender of *request* sees it."""
    view = await service.look(room)
    return service.as_seen(view, await seat_of(request, service, room)).match.game


@router.get("/rooms/{room}/plies/{ply}", response_model=models.PositionMessage, **READ_SEAT)
async def look_back(request: Request, room: RoomName, ply: Ply, service: Worker) -> Response:
    """Return the position of the game in a room after a given number of moves."""
    game = await _game_seen(request, room, service)
    cost = size_of(game).position_cost(game.ply)
    make = lambda: models.PositionMessage.of(position_at(game, ply)).to_json()  # noqa: E731
    return reply(await service.work.run(address_of(request), cost, make))


@router.get("/rooms/{room}/lines/{cell}", response_model=models.LinesMessage, **READ_SEAT)
async def lines_through(
    request: Request, room: RoomName, cell: Cell, service: Worker, ply: PlyQuery = None
) -> Response:
    """Return the lines through a cell of the game in a room, now or after a given number of moves."""
    game = await _game_seen(request, room, service)
    cost = size_of(game).lines_cost(game.ply)
    make = lambda: models.LinesMessage.of(game, cell, ply).to_json()  # noqa: E731
    return reply(await service.work.run(address_of(request), cost, make))


# Values


@sent.post("/explore", response_model=models.ExploredMessage)
async def explore(request: Request, body: requests.LineRequest, service: Worker, say: Say) -> Response:
    """Return the position that a list of moves leads to, and its legal moves. Nothing is stored."""
    cost = size_of_request(body, service).exploration_cost(len(body.moves), body.position is not None)
    line = (body.game, body.position, tuple(body.moves))
    return reply(await service.work.text(request, cost, explored_text, *line, say.language, service.players))


@text_task
def explored_text(
    name: str, position: str | None, moves: Iterable[str], language: str, players: tuple[str, ...]
) -> str:
    """Return the position after *moves* in the game called *name*, as JSON."""
    game = game_after(name, position, moves)
    return explored(game, translator(language), players).to_json()


@sent.post("/explore/lines/{cell}", response_model=models.LinesMessage)
async def explore_lines(
    request: Request, cell: Cell, body: requests.LineRequest, service: Worker
) -> Response:
    """Return the lines through a cell of the position that a list of moves leads to."""
    cost = size_of_request(body, service).lines_cost(len(body.moves), body.position is not None)
    line = (body.game, body.position, tuple(body.moves))
    return reply(await service.work.text(request, cost, lines_text, *line, cell))


@text_task
def lines_text(name: str, position: str | None, moves: Iterable[str], cell: int) -> str:
    """Return the lines through *cell* after *moves* in the game called *name*, as JSON."""
    return models.LinesMessage.of(game_after(name, position, moves), cell).to_json()


@sent.post("/analyse", response_model=models.PositionValueMessage)
async def analyse_game(
    request: Request,
    body: requests.GameAnalysisRequest | requests.LineAnalysisRequest,
    service: Worker,
    say: Say,
) -> Response:
    """Return the value of a position and of each of its moves.

    The position belongs to a finished game, or is reached by a list of moves.
    """
    if isinstance(body, requests.LineAnalysisRequest):
        size, line = size_of_request(body, service), (body.game, body.position, body.moves)
        cost = size.position_cost(len(body.moves), body.position is not None)
        game = await service.work.run(address_of(request), cost, game_after, *line)
        thought = requests.PlyAnalysisRequest(seconds=body.seconds)
        return await _value_response(request, service, body.game, game, thought, say)
    stored = await service.work.read(
        address_of(request), partial(finished_game, service, body.game, body.key)
    )
    game = await service.work.read(address_of(request), lambda: stored.replay().game)
    return await _value_response(request, service, body.game, game, body, say)


@sent.post("/rooms/{room}/analyse", response_model=models.PositionValueMessage, openapi_extra=WITH_OR_WITHOUT)
async def analyse_room(
    request: Request, room: RoomName, body: requests.RoomAnalysisRequest, service: Worker, say: Say
) -> Response:
    """Return the value of a position of the game in a room.

    This is allowed after the end of the game, and earlier only if the caller has all human seats of a game
    that is neither rated nor part of a tournament.
    """
    view = await service.look(room)
    seats = {await seat_of(request, service, room)}
    seats |= {await service.run(service.rooms.place_of, room, token) for token in body.tokens}
    people = {place for place, who in enumerate(view.setup.who) if who == HUMAN}
    if view.match.outcome is None and (view.setup.is_unaided or not people <= seats):
        raise ApiError(403, "game-goes-on")
    return await _value_response(request, service, room, view.match.game, body, say)


async def _value_response(
    request: Request,
    service: Service,
    of: object,
    game: Game,
    body: requests.PlyAnalysisRequest,
    say: Translator,
) -> Response:
    """Return the response with the value of *game* after the requested number of moves.

    *of* identifies the game: requests about one game wait for one another.
    """
    address = address_of(request)
    service.quotas.analyses.take(address)
    game = await service.work.run(address, size_of(game).position_cost(game.ply), position_at, game, body.ply)

    async def find() -> TaskResult | TaskFailure:
        async with service.turns.turn(address, of):
            seconds = min(body.seconds, BUSY_SECONDS) if service.turns.is_awaited else body.seconds
            return await ask(service.analyst, evaluate_moves, game, seconds, patience=TIMEOUT_SECONDS)

    return reply(position_value(game, await service.think(request, find), say))


def explored(game: Game, say: Translator, players: Iterable[str]) -> models.ExploredMessage:
    """Return the position of *game*, and the *players* for it."""
    sentences: list[str] = []
    if (outcome := game.outcome) is not None:
        ended = {"winner": outcome.winner, "termination": str(outcome.termination), "reason": None}
        wording = Wording(say, Match(game), {side: side for side in game.sides}, {}, names_of(game))
        sentences = wording.result(outcome, Event(0, 0, EventKind.END, None, ended))
    return models.ExploredMessage(
        **position_facts(game),
        game=models.GameMessage.of(game, say),
        mark=None if game.is_over else mark_to_place(game),
        legal=models.LegalMoveMessage.all(game),
        moves=models.MoveMessage.all(game),
        position=format_position(game),
        winner=game.winner,
        sentences=sentences,
        computers=[] if game.is_over else computers_for(game, players),
    )


def position_value(game: Game, evaluation: MoveEvaluation, say: Translator) -> models.PositionValueMessage:
    """Return the known value of *game* and of its moves."""
    analysis, names = evaluation.analysis, names_of(game)
    moves = [
        models.MoveValueMessage(
            **models.LegalMoveMessage.facts(game, known.move),
            name=names.move(known.move),
            value=WORDS[known.value],
            plies=known.plies,
            label=value_label(known.value, known.plies, game),
            reason=say_reason(say, reason, names) if (reason := evaluation.reasons.get(known.move)) else None,
        )
        for known in analysis.moves
    ]
    return models.PositionValueMessage(
        ply=game.ply,
        turn=None if game.is_over else game.turn,
        value=WORDS[analysis.value],
        plies=analysis.plies,
        best=None if analysis.best is None else format_move(game, analysis.best),
        sentence=None if game.is_over else say_value(say, game, analysis),
        moves=moves,
    )


reviews = api_router("analysis", 404)


@reviews.get("/games/{number}/review", response_class=StreamingResponse, responses=REVIEWED)
async def review(
    request: Request, number: Number, service: Worker, say: Say, key: GameKey = None
) -> StreamingResponse:
    """Stream the review of a finished game as Server-Sent Events.

    It has the value of each move, and better moves.
    """
    address = address_of(request)
    stored = await service.work.read(address, partial(finished_game, service, number, key))
    match = await service.work.read(address, stored.replay)
    if len(match.game.cells) > MAX_ENUMERATED:
        raise UnsupportedRules("review", match.game.name, "too-large", cells=MAX_ENUMERATED)
    service.work.charge(address, size_of(match.game).replay_cost(match.game.ply))
    if service.reviews.get(number) is None:
        service.quotas.analyses.take(address)
        service.check_thinking(address)
    events = _events(service, address, stored, match, say)
    return StreamingResponse(events, headers=HEADERS, media_type="text/event-stream")


async def _events(
    service: Service, address: str, stored: StoredGame, match: Match, say: Translator
) -> AsyncIterator[str]:
    """Yield the events of a review. Each event has the moves that differ from those of earlier events."""
    players = {player.side: player.name for player in players_of(stored, say)}
    known: dict[int, ReviewedMove] = {}
    waiting = match.game.ply + 1
    async with aclosing(_reviews(service, address, stored.id, match)) as results:
        async for review in results:
            text = ReviewText(match.game, review, players, letters=True)
            message = await service.work.write(address, review_message, text, say, known)
            known = {move.ply: move for move in review.moves}
            waiting = review.waiting
            yield frame("review", message.to_json())
    if waiting:
        yield frame("failed", compact(say("refusal-thinking-failed")))


async def _reviews(service: Service, address: str, number: int, match: Match) -> AsyncGenerator[Review]:
    """Yield the partial reviews and then the complete review; only partial ones if the search fails."""
    if (known := service.reviews.get(number)) is not None:
        yield known
        return
    game = match.game.copy()
    with service.thoughts.one_more(address):
        async with service.turns.turn(address, number):
            if (known := service.reviews.get(number)) is not None:  # finished for another request
                yield known
                return
            began, is_hurried = monotonic(), False

            def is_hurried_now() -> bool:
                nonlocal is_hurried
                is_hurried |= service.turns.is_awaited and monotonic() > began + BUSY_SECONDS
                return is_hurried

            task = (review_game, game, match.settled_from, review_limit(game))
            stream = follow(service.analyst, *task, patience=TIMEOUT_SECONDS, is_hurried_now=is_hurried_now)
            async with aclosing(stream) as messages:
                async for message in messages:
                    if isinstance(message, Progress) and isinstance(message.result, Review):
                        yield message.result
                    if isinstance(message, TaskResult):
                        if not is_hurried:
                            service.reviews.put(number, message.value)
                        yield message.value


def review_message(
    text: ReviewText, say: Translator, known: Mapping[int, ReviewedMove]
) -> models.ReviewMessage:
    """Return the review so far, with the moves that differ from the *known* ones."""
    review, chart = text.review, text.chart(say)
    return models.ReviewMessage(
        waiting=review.waiting,
        values=None if chart is None else list(chart.values),
        guessed=[] if chart is None else sorted(chart.guessed),
        moves=[_move_message(text, move, say) for move in review.moves if known.get(move.ply) != move],
        accuracy={side: review.accuracy(side) for side in text.sides},
        remarks=[] if review.waiting else list(filter(None, (text.proof(say), text.caution(say)))),
    )


def _move_message(text: ReviewText, move: ReviewedMove, say: Translator) -> models.ReviewedMoveMessage:
    played, better = text.outcomes_of(say, move)
    return models.ReviewedMoveMessage(
        ply=move.ply,
        before=WORDS[move.before],
        after=WORDS[move.after],
        changed=move.changed,
        missed=move.missed,
        sentence=text.why(say, move),
        leads_to=played,
        better_leads_to=better,
        line=_line(text, move),
    )


def _line(text: ReviewText, move: ReviewedMove) -> list[models.ReviewLineMove]:
    """Return the better line, move by move, with the changes of the board."""
    positions = text.positions(move)
    return [
        models.ReviewLineMove(
            side=here.turn,
            name=name,
            move=format_move(here, better),
            cell=first_index(here, better),
            **models.BoardChange.facts(here.cells, after),
            lines=[list(line) for line in view_of(after, labels=False).lines],
        )
        for here, after, name, better in zip(
            positions, positions[1:], text.line(move), move.line, strict=False
        )
    ]
