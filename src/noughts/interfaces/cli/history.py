"""The commands that say what was played: ``scores`` and ``history``."""

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import click

from noughts.arena.series import Result, between, recount
from noughts.errors import NotFound, UnknownGame
from noughts.interfaces.cli.database import store_to_read
from noughts.interfaces.cli.speaking import command, json_option, print_json
from noughts.interfaces.console.tables import scoreboard, table
from noughts.interfaces.console.terminal import Terminal
from noughts.interfaces.presenting.i18n import Said, Translator

if TYPE_CHECKING:
    from noughts.arena.store.store import StoredGame
    from noughts.games.base import Outcome


@command()
@click.option("--versus", metavar="A,B")
@json_option
@click.pass_obj
def scores(say: Translator, versus: str | None, as_json: bool) -> None:
    """Who has won how often."""
    from noughts.arena.store.store import all_results

    pair: tuple[str, ...] = ()
    if versus is not None:
        from noughts.interfaces.presenting.planning import read_names

        pair = read_names(versus)
        if len(pair) != 2:
            raise Said(say.plural("names-wrong-count", 2))
    with store_to_read() as store:
        results = [] if store is None else all_results(store)
    scored = recount(between(results, *pair) if pair else results)
    counted = sorted(scored, key=lambda score: (-score.points, score.name))
    if as_json:
        rows = [
            {"name": score.name, "wins": score.wins, "draws": score.draws, "losses": score.losses}
            for score in counted
        ]
        print_json({"players": rows})
    elif counted:
        print("\n".join(scoreboard(say, counted, Terminal().width)))
    else:
        print(say("no-games-between", names=pair) if pair else say("no-scores"))


@command()
@json_option
@click.pass_obj
def history(say: Translator, as_json: bool) -> None:
    """The games that are kept."""
    from noughts.interfaces.presenting.naming import how_it_ended

    with store_to_read() as store:
        games = [] if store is None else [summary(stored) for stored in store.games()]
    if as_json:
        print_json({"games": games})
    elif not games:
        print(say("no-games"))
    else:
        names = ["id", "game", "players", "moves", "winner", "end"]
        rows = [
            [
                str(game["id"]),
                game["game"],
                " - ".join(game["players"].values()),
                len(game["moves"]),
                game["players"].get(game["winner"], ""),
                how_it_ended(say, game["game"], game["termination"]),
            ]
            for game in games
        ]
        print("\n".join(table([say(f"column-{name}") for name in names], rows, Terminal().width)))


def summary(stored: "StoredGame") -> dict[str, Any]:
    """A game of the history as the JSON object that scripts read."""
    from noughts.arena.store.store import moves_of, opening_of
    from noughts.games.notation import format_move

    moves = [text for text, _ in moves_of(stored)]
    outcome: Result | Outcome | None = stored.result
    with suppress(UnknownGame):  # of which is told what was kept
        match = stored.replay()
        game, moves = match.game.copy(), []
        while game.ply:
            move = game.undo()
            moves.insert(0, format_move(game, move))
        outcome = match.outcome
    opening = None
    with suppress(NotFound):  # of a protocol that is not known here nobody knows who was asked
        opening = opening_of(stored, len(moves))
    told = {} if opening is None else {"opening": opening}
    return {
        "id": stored.id or None,
        "game": stored.setup.game,
        "players": stored.players,
        "moves": moves,
        "winner": outcome.winner if outcome is not None else None,
        "termination": str(outcome.termination) if outcome is not None else None,
        **told,
    }
