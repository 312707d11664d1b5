"""The command ``tournament``: many games between many players, and what they show."""

import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from noughts.arena.tournament.holding import Holder, Tournament
from noughts.arena.tournament.kept import Tournaments
from noughts.arena.tournament.plan import Plan
from noughts.arena.tournament.plan_file import read_plan
from noughts.arena.tournament.play import player_of
from noughts.games.catalogue import new_game
from noughts.interfaces.cli.analysing import changing_line, interruptible
from noughts.interfaces.cli.database import open_store
from noughts.interfaces.cli.speaking import command, json_option, print_json
from noughts.interfaces.console.standings import standings_as_json, standings_lines
from noughts.interfaces.console.terminal import Terminal
from noughts.interfaces.presenting.i18n import Said, Translator
from noughts.players.base import offer_seat
from noughts.workers.executor import ProcessExecutor

if TYPE_CHECKING:
    from concurrent.futures import Executor


@command(epilog="help-tournament-more")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--resume", is_flag=True)
@json_option
@click.pass_obj
def tournament(say: Translator, /, file: Path, resume: bool, as_json: bool) -> int:
    """Hold the tournament that a file describes, or go on with it."""
    asked = read_plan(file)
    check_players(asked.plan)
    with closing(open_store()) as database:
        tournaments = Tournaments(database)
        found = Tournament.find(asked.plan, tournaments)
        if found is not None and not resume:
            raise Said(say("tournament-is-kept", file=file))
        held = found or Tournament.begin(asked.plan, tournaments, now_ms())
        if held.tally.table().missing:
            with executor_for(asked.at_once) as executor:
                play(say, held, executor, asked.at_once)
        told = held.tally.table()
    if as_json:
        print_json(standings_as_json(told))
    else:
        print("\n".join(standings_lines(say, told, Terminal().width)))
    return 0


def now_ms() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def check_players(plan: Plan) -> None:
    """Have each player of *plan* look at each game; who declines one, or cannot be had, raises."""
    for entrant in plan.players:
        player = player_of(entrant)
        try:
            for game in plan.games:
                offer_seat(player, entrant.who, new_game(game))
        finally:
            if (close := getattr(player, "close", None)) is not None:
                close()


@contextmanager
def executor_for(count: int) -> Iterator["Executor"]:
    """So many processes, which are ended at once when they are not needed any more."""
    executor = ProcessExecutor(count)
    try:
        yield executor
    finally:
        executor.shutdown(wait=False, cancel_futures=True)


def play(say: Translator, held: Tournament, executor: "Executor", at_once: int) -> None:
    """Play what is missing of *held*, showing how far it is; Ctrl-C ends that, and what is kept stays."""
    with changing_line() as show, interruptible() as stop:

        def tell(_: Sequence[int]) -> None:
            show(say("progress-tournament", done=len(held.tally.games), count=held.plan.count))

        Holder(held, executor, at_once, now_ms, tell).hold(stop)
