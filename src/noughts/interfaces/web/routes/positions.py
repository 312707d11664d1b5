"""Positions: as they were before, the lines through a cell, and what they are worth for who may know."""

from collections.abc import Iterable
from functools import partial
from typing import Annotated

from fastapi import Path, Query, Request, Response

from noughts.arena.events import Event, EventKind
from noughts.arena.match import Match
from noughts.arena.table import HUMAN
from noughts.games.base import Game
from noughts.games.notation import format_move, format_position
from noughts.interfaces.presenting.building import computers_for
from noughts.interfaces.presenting.explaining import WORDS, say_reason, say_value, value_label
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.tasks import Worth, find_worth
from noughts.interfaces.presenting.wording import Wording
from noughts.interfaces.web.costs import size_of
from noughts.interfaces.web.http.middleware import address_of
from noughts.interfaces.web.http.replies import Refused, reply, translator
from noughts.interfaces.web.live.computers import ask, unless_gone
from noughts.interfaces.web.live.work import text_task
from noughts.interfaces.web.models import (
    ExploredMessage,
    GameMessage,
    LegalMessage,
    LinesMessage,
    MoveMessage,
    PositionMessage,
    WorthMessage,
    WorthOfMove,
    earlier,
    mark_to_place,
    names_of,
    position_facts,
)
from noughts.interfaces.web.routes.description import SENT, WITH_OR_WITHOUT
from noughts.interfaces.web.routes.games import finished_game
from noughts.interfaces.web.routes.request_schemas import (
    AnalysisAsked,
    LineAsked,
    LineToAnalyse,
    PositionAsked,
    ThoughtAsked,
)
from noughts.interfaces.web.routes.rooms import (
    RoomName,
    Say,
    Worker,
    api_router,
    game_after,
    seat_of,
    size_of_asked,
)
from noughts.interfaces.web.service import Service
from noughts.workers.messages import Answer, Failure

router = api_router("rooms", 404)
analysis = api_router("analysis", 404, *SENT)

Ply = Annotated[int, Path(ge=0, le=1_000_000, description="the number of moves made")]
AskedPly = Annotated[int | None, Query(ge=0, le=1_000_000, description="the number of moves made")]
Cell = Annotated[int, Path(ge=0, le=1_000_000, description="the index of the cell, from 0, in reading order")]

MAX_WAITING = 8
"""How many questions may wait; others are asked to come back."""

WHILE_OTHERS_WAIT = 2.0
"""Seconds of thought for each question while others wait."""

PATIENCE = 90.0
"""Seconds after which a thought is given up; what comes before the search counts."""


@router.get("/rooms/{room}/plies/{ply}", response_model=PositionMessage)
async def look_back(request: Request, room: RoomName, ply: Ply, service: Worker) -> Response:
    """What stood on the board of a room after so many moves."""
    game = (await service.look(room)).match.game
    cost = size_of(game).reached(game.ply)
    make = lambda: PositionMessage.of(earlier(game, ply)).to_json()  # noqa: E731
    return reply(await service.work.run(address_of(request), cost, make))


@router.get("/rooms/{room}/lines/{cell}", response_model=LinesMessage)
async def lines_through(
    request: Request, room: RoomName, cell: Cell, service: Worker, ply: AskedPly = None
) -> Response:
    """The lines through a cell of the board of a room, now or after so many moves."""
    game = (await service.look(room)).match.game
    cost = size_of(game).lit(game.ply)
    make = lambda: LinesMessage.of(game, cell, ply).to_json()  # noqa: E731
    return reply(await service.work.run(address_of(request), cost, make))


# What they are worth


@analysis.post("/explore", response_model=ExploredMessage)
async def explore(request: Request, asked: LineAsked, service: Worker, say: Say) -> Response:
    """The position that any moves lead to, and what may be played there; nothing is kept of it."""
    cost = size_of_asked(asked, service).explored(len(asked.moves), asked.position is not None)
    line = (asked.game, asked.position, tuple(asked.moves))
    return reply(await service.work.text(request, cost, explored_text, *line, say.language, service.players))


@text_task
def explored_text(
    name: str, position: str | None, moves: Iterable[str], language: str, players: tuple[str, ...]
) -> str:
    """The position after *moves* in the game called *name* as JSON."""
    game = game_after(name, position, moves)
    return explored(game, translator(language), players).to_json()


@analysis.post("/explore/lines/{cell}", response_model=LinesMessage)
async def explore_lines(request: Request, cell: Cell, asked: LineAsked, service: Worker) -> Response:
    """The lines through a cell of the position that any moves lead to."""
    cost = size_of_asked(asked, service).lit(len(asked.moves), asked.position is not None)
    line = (asked.game, asked.position, tuple(asked.moves))
    return reply(await service.work.text(request, cost, lines_text, *line, cell))


@text_task
def lines_text(name: str, position: str | None, moves: Iterable[str], cell: int) -> str:
    """The lines through *cell* after *moves* in the game called *name* as JSON."""
    return LinesMessage.of(game_after(name, position, moves), cell).to_json()


@analysis.post("/analyse", response_model=WorthMessage)
async def analyse_game(
    request: Request, asked: AnalysisAsked | LineToAnalyse, service: Worker, say: Say
) -> Response:
    """What a position is worth, and each of its moves: one of a finished game, or one that moves lead to."""
    if isinstance(asked, LineToAnalyse):
        size, line = size_of_asked(asked, service), (asked.game, asked.position, asked.moves)
        cost = size.reached(len(asked.moves), asked.position is not None)
        game = await service.work.run(address_of(request), cost, game_after, *line)
        thought = ThoughtAsked(seconds=asked.seconds)
        return await _worth(request, service, asked.game, game, thought, say)
    stored = await service.work.read(
        address_of(request), partial(finished_game, service, asked.game, asked.key)
    )
    game = await service.work.read(address_of(request), lambda: stored.replay().game)
    return await _worth(request, service, asked.game, game, asked, say)


@analysis.post("/rooms/{room}/analyse", response_model=WorthMessage, openapi_extra=WITH_OR_WITHOUT)
async def analyse_room(
    request: Request, room: RoomName, asked: PositionAsked, service: Worker, say: Say
) -> Response:
    """What a position of the game in a room is worth: once it is over, or where nobody else plays."""
    view = await service.look(room)
    seats = {await seat_of(request, service, room)}
    seats |= {await service.run(service.rooms.place_of, room, token) for token in asked.tokens}
    people = {place for place, who in enumerate(view.setup.who) if who == HUMAN}
    if view.match.outcome is None and not people <= seats:
        raise Refused(403, "game-goes-on")
    return await _worth(request, service, room, view.match.game, asked, say)


async def _worth(
    request: Request, service: Service, of: object, game: Game, asked: ThoughtAsked, say: Translator
) -> Response:
    """What *game* is worth as it stood, one position of the game that is known as *of*."""
    address = address_of(request)
    service.quotas.analyses.take(address)
    if service.thoughts.awaited >= MAX_WAITING:
        raise Refused(503, "thinking-busy", seconds=5)
    game = await service.work.run(address, size_of(game).reached(game.ply), earlier, game, asked.ply)
    with service.thoughts.one_more(address):
        message = await unless_gone(request, _find(service, address, of, game, asked.seconds))
    if not isinstance(message, Answer):
        raise Refused(503, "thinking-failed")
    return reply(worth_message(game, message.value, say))


async def _find(service: Service, address: str, of: object, game: Game, seconds: float) -> Answer | Failure:
    async with service.turns.turn(address, of):
        seconds = min(seconds, WHILE_OTHERS_WAIT) if service.turns.is_awaited else seconds
        return await ask(service.analyst, find_worth, game, seconds, patience=PATIENCE)


def explored(game: Game, say: Translator, players: Iterable[str]) -> ExploredMessage:
    """Return the position of *game*, and the *players* who can play from there."""
    sentences: list[str] = []
    if (outcome := game.outcome) is not None:
        ended = {"winner": outcome.winner, "termination": str(outcome.termination), "reason": None}
        wording = Wording(say, Match(game), {side: side for side in game.sides}, {}, names_of(game))
        sentences = wording.result(outcome, Event(0, 0, EventKind.END, None, ended))
    return ExploredMessage(
        **position_facts(game),
        game=GameMessage.of(game, say),
        mark=None if game.is_over else mark_to_place(game),
        legal=LegalMessage.all(game),
        moves=MoveMessage.all(game),
        position=format_position(game),
        winner=game.winner,
        sentences=sentences,
        computers=[] if game.is_over else computers_for(game, players),
    )


def worth_message(game: Game, worth: Worth, say: Translator) -> WorthMessage:
    """Return the known value of *game* and of its moves."""
    found, names = worth.analysis, names_of(game)
    moves = [
        WorthOfMove(
            **LegalMessage.facts(game, known.move),
            name=names.move(known.move),
            value=WORDS[known.value],
            plies=known.plies,
            label=value_label(known.value, known.plies, game),
            reason=say_reason(say, reason, names) if (reason := worth.reasons.get(known.move)) else None,
        )
        for known in found.moves
    ]
    return WorthMessage(
        ply=game.ply,
        turn=None if game.is_over else game.turn,
        value=WORDS[found.value],
        plies=found.plies,
        best=None if found.best is None else format_move(game, found.best),
        sentence=None if game.is_over else say_value(say, game, found),
        moves=moves,
    )
