"""Reviews of finished games, told while they are found: the last moves first."""

from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing
from functools import partial
from time import monotonic

from fastapi import Request
from starlette.responses import StreamingResponse

from noughts.arena.match import Match
from noughts.arena.store.store import StoredGame
from noughts.core.lines import MAX_ENUMERATED
from noughts.drawing.view import first_index, view_of
from noughts.errors import UnsupportedRules
from noughts.games.notation import format_move
from noughts.interfaces.presenting.explaining import WORDS
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.reviewing import ReviewText, review_limit
from noughts.interfaces.presenting.tasks import look_back
from noughts.interfaces.web.costs import size_of
from noughts.interfaces.web.http.middleware import address_of
from noughts.interfaces.web.http.replies import Refused, compact
from noughts.interfaces.web.live.computers import follow
from noughts.interfaces.web.live.events import HEADERS, frame
from noughts.interfaces.web.models import BoardChange, ReviewedMoveMessage, ReviewLineMove, ReviewMessage
from noughts.interfaces.web.routes.description import REVIEWED
from noughts.interfaces.web.routes.games import GameKey, Number, finished_game
from noughts.interfaces.web.routes.lists import players_of
from noughts.interfaces.web.routes.positions import MAX_WAITING, PATIENCE, WHILE_OTHERS_WAIT
from noughts.interfaces.web.routes.rooms import Say, Worker, api_router
from noughts.interfaces.web.service import Service
from noughts.search.analysis import Progress
from noughts.search.explain.review import Review, ReviewedMove
from noughts.workers.messages import Answer

router = api_router("analysis", 404)


@router.get("/games/{number}/review", response_class=StreamingResponse, responses=REVIEWED)
async def review(
    request: Request, number: Number, service: Worker, say: Say, key: GameKey = None
) -> StreamingResponse:
    """What each move of a finished game was worth, and what was better, as Server-Sent Events."""
    address = address_of(request)
    stored = await service.work.read(address, partial(finished_game, service, number, key))
    match = await service.work.read(address, stored.replay)
    if len(match.game.cells) > MAX_ENUMERATED:
        raise UnsupportedRules("review", match.game.name, "too-large", cells=MAX_ENUMERATED)
    service.work.charge(address, size_of(match.game).replayed(match.game.ply))
    if number not in service.reviews:
        service.quotas.analyses.take(address)
        service.thoughts.check(address)
        if service.thoughts.awaited >= MAX_WAITING:
            raise Refused(503, "thinking-busy", seconds=5)
    told = _events(service, address, stored, match, say)
    return StreamingResponse(told, headers=HEADERS, media_type="text/event-stream")


async def _events(
    service: Service, address: str, stored: StoredGame, match: Match, say: Translator
) -> AsyncIterator[str]:
    """The review as it is found: each event has the moves of which the ones before did not tell the same."""
    players = {player.side: player.name for player in players_of(stored, say)}
    known: dict[int, ReviewedMove] = {}
    waiting = match.game.ply + 1
    async with aclosing(_reviews(service, address, stored.id, match)) as found:
        async for review in found:
            text = ReviewText(match.game, review, players, letters=True)
            told = await service.work.write(address, _review_text, text, say, known)
            known = {move.ply: move for move in review.moves}
            waiting = review.waiting
            yield frame("review", told)
    if waiting:
        yield frame("failed", compact(say("refusal-thinking-failed")))


async def _reviews(service: Service, address: str, number: int, match: Match) -> AsyncGenerator[Review]:
    """The review so far, now and then, and at last the whole; it ends without that where the search fails."""
    if number in service.reviews:
        yield service.reviews[number]
        return
    game = match.game.copy()
    with service.thoughts.one_more(address):
        async with service.turns.turn(address, number):
            if number in service.reviews:  # found for somebody else meanwhile
                yield service.reviews[number]
                return
            began, is_hurried = monotonic(), False

            def is_wanted_now() -> bool:
                nonlocal is_hurried
                is_hurried |= service.turns.is_awaited and monotonic() > began + WHILE_OTHERS_WAIT
                return is_hurried

            asked = follow(
                *(service.analyst, look_back, game, match.settled_from, review_limit(game)),
                patience=PATIENCE,
                is_wanted_now=is_wanted_now,
            )
            async with aclosing(asked) as messages:
                async for message in messages:
                    if isinstance(message, Progress) and isinstance(message.found, Review):
                        yield message.found
                    if isinstance(message, Answer):
                        if not is_hurried:
                            service.keep_review(number, message.value)
                        yield message.value


def _review_text(text: ReviewText, say: Translator, known: Mapping[int, ReviewedMove]) -> str:
    return review_message(text, say, known).to_json()


def review_message(text: ReviewText, say: Translator, known: Mapping[int, ReviewedMove]) -> ReviewMessage:
    """Return the review so far, with the moves that differ from the *known* ones."""
    review, chart = text.review, text.chart(say)
    return ReviewMessage(
        waiting=review.waiting,
        values=None if chart is None else list(chart.values),
        guessed=[] if chart is None else sorted(chart.guessed),
        moves=[_move_message(text, move, say) for move in review.moves if known.get(move.ply) != move],
        accuracy={side: review.accuracy(side) for side in text.sides},
        remarks=[] if review.waiting else list(filter(None, (text.proof(say), text.caution(say)))),
    )


def _move_message(text: ReviewText, move: ReviewedMove, say: Translator) -> ReviewedMoveMessage:
    played, better = text.leads_to(say, move)
    return ReviewedMoveMessage(
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


def _line(text: ReviewText, move: ReviewedMove) -> list[ReviewLineMove]:
    """Return the better line, move by move, with the changes of the board."""
    positions = text.positions(move)
    return [
        ReviewLineMove(
            side=here.turn,
            name=name,
            move=format_move(here, better),
            cell=first_index(here, better),
            **BoardChange.facts(here.cells, after),
            lines=[list(line) for line in view_of(after, labels=False).lines],
        )
        for here, after, name, better in zip(
            positions, positions[1:], text.line(move), move.line, strict=False
        )
    ]
