"""API routes for puzzles: the list, one puzzle, attempts and hints. Solutions are sent on request only."""

from collections.abc import Sequence
from functools import partial
from typing import Annotated

from fastapi import Path, Request, Response

from noughts.drawing.view import first_index
from noughts.errors import IllegalMove
from noughts.games.catalogue import all_entries
from noughts.games.notation import parse_move
from noughts.interfaces.presenting import puzzle_texts
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.titles import title_of
from noughts.interfaces.web import models
from noughts.interfaces.web.api.analysis import TIMEOUT_SECONDS
from noughts.interfaces.web.api.description import BODY_STATUSES, refusals
from noughts.interfaces.web.api.requests import AttemptRequest, HintRequest
from noughts.interfaces.web.api.rooms import Say, Worker, api_router
from noughts.interfaces.web.costs import PUZZLES
from noughts.interfaces.web.http.middleware import address_of
from noughts.interfaces.web.http.replies import reply, translator
from noughts.interfaces.web.live.computers import ask
from noughts.interfaces.web.live.work import text_task
from noughts.interfaces.web.models import mark_to_place, names_of
from noughts.interfaces.web.service import Service
from noughts.puzzles.attempt import Attempt, JudgedMove, MoveVerdict
from noughts.puzzles.shipped import all_puzzles, daily, find_puzzle

router = api_router("puzzles")
trying = api_router("puzzles", 404, *BODY_STATUSES)

Number = Annotated[int, Path(ge=1, le=1_000_000, description="The number of a puzzle.")]

PUZZLE_SECONDS = 5.0
"""The longest time to judge an unexpected move, in seconds."""


@router.get("/puzzles", response_model=models.PuzzleList)
async def puzzles(request: Request, service: Worker, say: Say) -> Response:
    """Return all puzzles by game, and the number of the puzzle of the day."""
    arguments = (say.language, daily(puzzle_texts.today()).id)
    return reply(await service.work.text(request, PUZZLES, puzzles_text, *arguments))


@text_task
def puzzles_text(language: str, of_the_day: int) -> str:
    """Return all puzzles as JSON, in the order of the catalogue."""
    say = translator(language)
    of_games: dict[str, list[models.GradedPuzzle]] = {entry.name: [] for entry in all_entries()}
    for puzzle in all_puzzles():
        of_games[puzzle.game].append(models.GradedPuzzle.model_validate(puzzle))
    games = [
        models.GamePuzzles(name=name, title=title_of(say, name), puzzles=graded)
        for name, graded in of_games.items()
        if graded
    ]
    return models.PuzzleList(daily=of_the_day, games=games).to_json()


@router.get("/puzzles/daily", response_model=models.PuzzleMessage)
async def daily_puzzle(service: Worker) -> Response:
    """Return the puzzle of the day (UTC), which is the same for all users."""
    return reply(await service.run(lambda: models.PuzzleMessage.model_validate(daily(puzzle_texts.today()))))


@router.get("/puzzles/{number}", response_model=models.PuzzlePage, responses=refusals(404))
async def puzzle(number: Number, service: Worker, say: Say) -> Response:
    """Return a puzzle and its board."""

    def find() -> models.PuzzlePage:
        puzzle = find_puzzle(number)
        attempt = Attempt(puzzle)
        return models.PuzzlePage(
            **models.PuzzleMessage.model_validate(puzzle).model_dump(),
            title=puzzle_texts.say_which(say, puzzle),
            task=puzzle_texts.say_task(say, puzzle),
            drawn=models.GameMessage.of(attempt.game, say),
            attempt=attempt_message(attempt, (), None, say),
        )

    return reply(await service.run(find))


@trying.post("/puzzles/{number}/tries", response_model=models.AttemptMessage)
async def try_puzzle(
    request: Request, number: Number, body: AttemptRequest, service: Worker, say: Say
) -> Response:
    """Judge the last move of an attempt.

    The response has the reply to a right move, or the refutation of a wrong one.
    """
    attempt, judged = await _attempt(request, service, number, body.moves)
    return reply(await service.run(attempt_message, attempt, body.moves, judged, say))


@trying.post("/puzzles/{number}/hint", response_model=models.PuzzleHint)
async def hint_at_puzzle(
    request: Request, number: Number, body: HintRequest, service: Worker, say: Say
) -> Response:
    """Return a hint: the area of the next move, or the move itself."""
    attempt = await _open(request, service, number, body.moves)
    attempt.refuted |= {parse_move(attempt.game, text) for text in body.refuted} - {attempt.best}
    sentence = puzzle_texts.say_puzzle_hint(say, attempt, names_of(attempt.game), body.step)
    cell = first_index(attempt.game, attempt.best) if body.step else None
    return reply(models.PuzzleHint(sentence=sentence, cell=cell))


@trying.post("/puzzles/{number}/solution", response_model=models.PuzzleSolution)
async def show_solution(
    request: Request, number: Number, body: AttemptRequest, service: Worker, say: Say
) -> Response:
    """Return the best play of both sides from the present position of an attempt."""
    attempt = await _open(request, service, number, body.moves)

    def solve() -> models.PuzzleSolution:
        names, game, moves = names_of(attempt.game), attempt.game.copy(), []
        for move in attempt.line:
            moves.append(models.NamedMove.of(game, move, game.turn))
            game.play(move)
        sentence = puzzle_texts.say_solution(say, attempt, names)
        return models.PuzzleSolution(sentence=sentence, moves=moves, position=models.PositionMessage.of(game))

    return reply(await service.run(solve))


async def _open(request: Request, service: Service, number: int, moves: list[str]) -> Attempt:
    """Return the attempt after *moves*, all of which are right and do not solve the puzzle yet.

    Raises :class:`~noughts.errors.IllegalMove` otherwise.
    """
    attempt, judged = await _attempt(request, service, number, moves)
    if judged is not None and judged.verdict is not MoveVerdict.RIGHT:
        raise IllegalMove(moves[-1], ())
    return attempt


async def _attempt(
    request: Request, service: Service, number: int, moves: list[str]
) -> tuple[Attempt, JudgedMove | None]:
    """Return the attempt after *moves*, and the judgement of the last one.

    Best play is judged at once. The analyst judges all other moves.
    """
    puzzle = find_puzzle(number)
    service.quotas.tries.take(address_of(request))
    try:
        attempt, judged = await service.run(
            puzzle_texts.replay_attempt, puzzle, moves, puzzle_texts.NO_SEARCH
        )
        if judged is None or judged.verdict in (MoveVerdict.RIGHT, MoveVerdict.SOLVED):
            return attempt, judged
    except IllegalMove:
        pass  # The move may still be right: a search decides.
    task = (puzzle_texts.judge_puzzle, puzzle, moves, PUZZLE_SECONDS)
    asking = partial(ask, service.analyst, *task, patience=TIMEOUT_SECONDS)
    judgement: tuple[Attempt, JudgedMove | None] = await service.think(request, asking)
    return judgement


def attempt_message(
    attempt: Attempt, moves: Sequence[str], judged: JudgedMove | None, say: Translator
) -> models.AttemptMessage:
    """Return *attempt* after the solver's *moves*, with the judgement of the last one."""
    game = attempt.game
    other = next(side for side in game.sides if side != attempt.solver)
    return models.AttemptMessage(
        verdict=None if judged is None else judged.verdict.value,
        sentence="" if judged is None else puzzle_texts.say_judged(say, attempt, judged, names_of(game)),
        moves=list(moves[: attempt.moves_made]),
        answers=[] if judged is None else [models.NamedMove.of(game, move, other) for move in judged.answers],
        made=attempt.moves_made,
        left=attempt.moves_left,
        is_solved=attempt.is_solved,
        position=models.PositionMessage.of(game),
        mark=mark_to_place(game),
        legal=[] if attempt.is_solved else models.LegalMoveMessage.all(game),
    )
