"""Puzzles: which there are, one of them, what is tried; solutions stay here until they are asked for."""

from typing import Annotated

from fastapi import Path, Request, Response

from noughts.drawing.view import first_index
from noughts.errors import IllegalMove, NoughtsError
from noughts.games.base import Game, Move
from noughts.games.catalogue import all_entries
from noughts.games.notation import format_move, parse_move
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.puzzling import (
    AT_HAND,
    attempted,
    judge_puzzle,
    puzzle_as_json,
    say_judged,
    say_puzzle_hint,
    say_solution,
    say_task,
    say_which,
    today,
)
from noughts.interfaces.presenting.titles import title_of
from noughts.interfaces.web.costs import PUZZLES
from noughts.interfaces.web.http.middleware import address_of
from noughts.interfaces.web.http.replies import Refused, reply, translator
from noughts.interfaces.web.live.computers import ask, unless_gone
from noughts.interfaces.web.live.events import compact
from noughts.interfaces.web.live.state import (
    Json,
    game_as_json,
    mark_to_place,
    move_as_json,
    names_of,
    position_as_json,
)
from noughts.interfaces.web.live.work import text_task
from noughts.interfaces.web.routes import puzzle_schemas
from noughts.interfaces.web.routes.description import SENT, refusals
from noughts.interfaces.web.routes.positions import MAX_WAITING, PATIENCE
from noughts.interfaces.web.routes.rooms import Say, Worker, api_router
from noughts.interfaces.web.service import Service
from noughts.puzzles.attempt import Attempt, Judged, Verdict
from noughts.puzzles.puzzle import Puzzle
from noughts.puzzles.shipped import all_puzzles, daily, find_puzzle
from noughts.workers.messages import Answer

router = api_router("puzzles")
trying = api_router("puzzles", 404, *SENT)

Number = Annotated[int, Path(ge=1, le=1_000_000, description="the number of a puzzle")]

SECONDS = 5.0
"""How long judging other moves may take."""


@router.get("/puzzles", response_model=puzzle_schemas.Puzzles)
async def puzzles(request: Request, service: Worker, say: Say) -> Response:
    """All puzzles by their games, and the number of the one of the day."""
    asked = (say.language, daily(today()).id)
    return reply(await service.work.text(request, PUZZLES, puzzles_text, *asked))


@text_task
def puzzles_text(language: str, of_the_day: int) -> str:
    """All puzzles as JSON."""
    return compact({**puzzles_as_json(translator(language)), "daily": of_the_day})


def puzzles_as_json(say: Translator) -> Json:
    """The numbers, kinds and grades of all puzzles, in the order in which games are listed."""
    of_games: dict[str, list[Json]] = {entry.name: [] for entry in all_entries()}
    for puzzle in all_puzzles():
        of_games[puzzle.game].append({"id": puzzle.id, "kind": puzzle.kind, "grade": puzzle.grade})
    games = [
        {"name": name, "title": title_of(say, name), "puzzles": found}
        for name, found in of_games.items()
        if found
    ]
    return {"daily": daily(today()).id, "games": games}


@router.get("/puzzles/daily", response_model=puzzle_schemas.PuzzleMessage)
async def daily_puzzle(service: Worker) -> Response:
    """The puzzle of the day (UTC), the same for everybody."""
    return reply(await service.run(lambda: puzzle_as_json(daily(today()))))


@router.get("/puzzles/{number}", response_model=puzzle_schemas.PuzzlePage, responses=refusals(404))
async def puzzle(number: Number, service: Worker, say: Say) -> Response:
    """A puzzle, and its board."""

    def tell() -> Json:
        found = find_puzzle(number)
        attempt = Attempt(found)
        return {
            **puzzle_as_json(found),
            "title": say_which(say, found),
            "task": say_task(say, found),
            "drawn": game_as_json(attempt.game, say),
            "attempt": attempt_as_json(attempt, (), None, say),
        }

    return reply(await service.run(tell))


@trying.post("/puzzles/{number}/tries", response_model=puzzle_schemas.AttemptMessage)
async def try_puzzle(
    request: Request, number: Number, asked: puzzle_schemas.PuzzleTried, service: Worker, say: Say
) -> Response:
    """Judge the last of the solver's moves: a right one is answered, a wrong one refuted."""
    attempt, judged = await _attempt(request, service, number, asked.moves)
    return reply(await service.run(attempt_as_json, attempt, asked.moves, judged, say))


@trying.post("/puzzles/{number}/hint", response_model=puzzle_schemas.PuzzleHint)
async def hint_at_puzzle(
    request: Request, number: Number, asked: puzzle_schemas.HintAsked, service: Worker, say: Say
) -> Response:
    """Where to look for the next move, or which it is."""
    attempt = await _open(request, service, number, asked.moves)
    attempt.refuted |= {parse_move(attempt.game, text) for text in asked.refuted} - {attempt.best}
    sentence = say_puzzle_hint(say, attempt, names_of(attempt.game), asked.step)
    cell = first_index(attempt.game, attempt.best) if asked.step else None
    return reply({"sentence": sentence, "cell": cell})


@trying.post("/puzzles/{number}/solution", response_model=puzzle_schemas.PuzzleSolution)
async def show_solution(
    request: Request, number: Number, asked: puzzle_schemas.PuzzleTried, service: Worker, say: Say
) -> Response:
    """Best play of both sides from where the solver has come to."""
    attempt = await _open(request, service, number, asked.moves)

    def tell() -> Json:
        names, game = names_of(attempt.game), attempt.game.copy()
        moves = []
        for move in attempt.line:
            moves.append(_named(game, move))
            game.play(move)
        position = position_as_json(game)
        return {"sentence": say_solution(say, attempt, names), "moves": moves, "position": position}

    return reply(await service.run(tell))


async def _open(request: Request, service: Service, number: int, moves: list[str]) -> Attempt:
    """The attempt after *moves*, all of which are right, and after which something is left to be found."""
    attempt, judged = await _attempt(request, service, number, moves)
    if judged is not None and judged.verdict is not Verdict.RIGHT:
        raise IllegalMove(moves[-1], ())
    return attempt


async def _attempt(
    request: Request, service: Service, number: int, moves: list[str]
) -> tuple[Attempt, Judged | None]:
    """What came of *moves*: at once where they are of best play, else from the analyst."""
    found, address = find_puzzle(number), address_of(request)
    service.quotas.tries.take(address)
    try:
        attempt, judged = await service.run(attempted, found, moves, AT_HAND)
        if judged is None or judged.verdict in (Verdict.RIGHT, Verdict.SOLVED):
            return attempt, judged
    except IllegalMove:
        pass  # perhaps only not known to be right without a search
    return await _thought(request, service, address, found, moves)


async def _thought(
    request: Request, service: Service, address: str, puzzle: Puzzle, moves: list[str]
) -> tuple[Attempt, Judged | None]:
    if service.thoughts.awaited >= MAX_WAITING:
        raise Refused(503, "thinking-busy", seconds=5)
    with service.thoughts.one_more(address):
        asking = ask(service.analyst, judge_puzzle, puzzle, moves, SECONDS, patience=PATIENCE)
        message = await unless_gone(request, asking)
    if not isinstance(message, Answer):
        raise Refused(503, "thinking-failed")
    if isinstance(message.value, NoughtsError):
        raise message.value
    found: tuple[Attempt, Judged | None] = message.value
    return found


def attempt_as_json(
    attempt: Attempt, moves: tuple[str, ...] | list[str], judged: Judged | None, say: Translator
) -> Json:
    """What there is to tell of *attempt* after the solver's *moves*, of which the last was *judged*."""
    game, names = attempt.game, names_of(attempt.game)
    return {
        "verdict": None if judged is None else judged.verdict,
        "sentence": "" if judged is None else say_judged(say, attempt, judged, names),
        "moves": list(moves[: attempt.made]),
        "answers": [] if judged is None else _answers(attempt, judged),
        "made": attempt.made,
        "left": attempt.left,
        "is_solved": attempt.is_solved,
        "position": position_as_json(game),
        "mark": mark_to_place(game),
        "legal": [] if attempt.is_solved else [move_as_json(game, move) for move in game.legal_moves()],
    }


def _answers(attempt: Attempt, judged: Judged) -> list[Json]:
    """The moves that answered a right move, which have been played, or that refute a wrong one."""
    names = names_of(attempt.game)
    other = next(side for side in attempt.game.sides if side != attempt.solver)
    return [
        {"move": format_move(attempt.game, move), "name": names.move(move), "side": other}
        for move in judged.answers
    ]


def _named(game: Game, move: Move) -> Json:
    return {"move": format_move(game, move), "name": names_of(game).move(move), "side": game.turn}
