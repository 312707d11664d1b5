"""The commands that say what a position is worth: ``solve`` and ``analyse``."""

from functools import partial
from typing import Any

import click

from noughts.arena.match import Match
from noughts.errors import MoveRefused, NotationError
from noughts.games.base import Game, Move
from noughts.games.catalogue import name_of, new_game
from noughts.games.notation import format_move, parse_position, play_moves
from noughts.interfaces.cli.searching import find_answer
from noughts.interfaces.cli.speaking import command, json_option, print_json
from noughts.interfaces.cli.speaking import seconds as seconds_type
from noughts.interfaces.console.analysis import tell_analysis, tell_solution
from noughts.interfaces.presenting.explaining import (
    WORDS,
    first_side_value,
    forbidden_as_json,
    reason_as_json,
)
from noughts.interfaces.presenting.i18n import Said, Translator
from noughts.interfaces.presenting.naming import Names
from noughts.interfaces.presenting.tasks import reasons_for
from noughts.interfaces.presenting.wording import Wording
from noughts.search.analysis import Analysis, Limit
from noughts.search.analyst import Analyst
from noughts.search.insight.reasons import Reason

SOLVE_SECONDS, ANALYSE_SECONDS = 60.0, 10.0
"""How long is searched unless told."""

game_argument = click.argument("game", default="tictactoe")
limit_option = partial(click.option, "--limit-seconds", type=seconds_type(), metavar="S")


@command(epilog="help-solve-more")
@game_argument
@limit_option(default=SOLVE_SECONDS)
@json_option
@click.pass_obj
def solve(say: Translator, game: str, limit_seconds: float, as_json: bool) -> None:
    """Who wins from the start with best play."""
    start = new_game(game)
    found, seconds = find_answer(
        say, start, limit_seconds, lambda analyst, limit: analyst.solve(start, limit)
    )
    if as_json:
        value = first_side_value(start, found.value)
        print_json({"game": name_of(start), "value": value, **_facts(start, found, seconds)})
    else:
        tell_solution(say, start, found, seconds)


@command(epilog="help-analyse-more")
@game_argument
@click.option("--moves", metavar="MOVES")
@click.option("--position", metavar="POSITION")
@limit_option(default=ANALYSE_SECONDS)
@json_option
@click.pass_obj
def analyse(
    say: Translator,
    game: str,
    moves: str | None,
    position: str | None,
    limit_seconds: float,
    as_json: bool,
) -> None:
    """What a position and each of its moves is worth, and why."""
    here = _read_game(say, game, moves, position)

    def ask(analyst: Analyst, limit: Limit) -> tuple[Analysis, dict[Move, Reason]]:
        limit = limit.started()
        found = analyst.analyse(here, limit)
        return found, reasons_for(here, found, analyst, limit)

    (found, reasons), seconds = find_answer(say, here, limit_seconds, ask)
    if not as_json:
        tell_analysis(say, here, found, reasons, seconds)
        return
    told = [
        {
            "move": format_move(here, known.move),
            "value": WORDS[known.value],
            "plies": known.plies,
            "reason": reason_as_json(here, reasons[known.move]),
        }
        for known in found.moves
    ]
    value = WORDS[found.value]
    facts = {"game": name_of(here), "value": value, **_facts(here, found, seconds)}
    print_json({**facts, "moves": told, "forbidden": forbidden_as_json(here)})


def _read_game(say: Translator, name: str, moves: str | None, position: str | None) -> Game:
    """The position that the arguments of ``analyse`` mean."""
    if moves is not None and position is not None:
        raise Said(say("usage-moves-or-position"))
    game = new_game(name)
    if position is not None:
        try:
            return parse_position(game, position)
        except NotationError as error:
            raise NotationError("position", position, error.reason, **error.data) from None
    try:
        play_moves(game, (moves or "").split())
    except NotationError as error:
        wording, cause = Wording(say, Match(game), {}, {}, Names(game)), error.data.get("cause")
        if isinstance(cause, MoveRefused):
            raise Said(say.joined([say.error(error), wording.refusal(cause)])) from None
        raise Said(wording.refusal(error)) from None
    return game


def _facts(game: Game, found: Analysis, seconds: float) -> dict[str, Any]:
    """What ``solve`` and ``analyse`` print beside the value."""
    return {
        **({"at_least": "draw"} if found.cannot_lose else {}),
        "plies": found.plies,
        "best": None if found.best is None else game.notation.format(found.best),
        "nodes": found.nodes,
        "seconds": round(seconds, 3),
    }
