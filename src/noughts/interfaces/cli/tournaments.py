"""The command ``tournament``: many games between many players, and their standings."""

from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import click

from noughts.arena.process_time import now_ms
from noughts.arena.tournament.broadcast import RunningGames, broadcasting
from noughts.arena.tournament.openings import judged_by_search
from noughts.arena.tournament.plan import TournamentPlan
from noughts.arena.tournament.plan_file import read_plan
from noughts.arena.tournament.play import player_of
from noughts.arena.tournament.repository import Tournaments
from noughts.arena.tournament.tournament_runner import Tournament, TournamentRunner
from noughts.errors import NotFound
from noughts.games.catalogue import new_game
from noughts.interfaces.cli.analysing import changing_lines, interruptible
from noughts.interfaces.cli.database import open_store
from noughts.interfaces.cli.localized_click import command, json_option, print_damages, print_json
from noughts.interfaces.cli.solve_workers import cluster_workers
from noughts.interfaces.console.standings import playing_line, standings_lines
from noughts.interfaces.console.tables import table_width
from noughts.interfaces.console.terminal import print_error
from noughts.interfaces.console.tournament_export import (
    check_can_export,
    check_can_plot,
    export_tournament,
    plot_tournament,
)
from noughts.interfaces.presenting.i18n import ReadableError, Translator
from noughts.interfaces.presenting.standings_texts import standings_as_json
from noughts.players.base import offer_seat
from noughts.records.temporary_folders import temporary_folder
from noughts.workers.executor import ProcessExecutor

if TYPE_CHECKING:
    from concurrent.futures import Executor


@command(epilog="help-tournament-more")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--resume", is_flag=True, help="help-option-tournament-resume")
@click.option("--export", "exports", type=click.Path(path_type=Path), multiple=True, metavar="FILE")
@click.option("--plot", type=click.Path(path_type=Path), metavar="FILE", help="help-option-plot")
@click.option("--cluster", metavar="ADDRESS")
@json_option
@click.pass_obj
def tournament(
    say: Translator,
    /,
    file: Path,
    resume: bool,
    exports: tuple[Path, ...],
    plot: Path | None,
    cluster: str | None,
    as_json: bool,
) -> int:
    """Run the tournament that a file describes, or resume it."""
    tournament_file = read_plan(file)
    for path in exports:
        check_can_export(say, path, tournament_file.plan)
    if plot is not None:
        check_can_plot(say, plot)
    with closing(open_store()) as database:
        tournaments = Tournaments(database)
        stored = Tournament.find(tournament_file.plan, tournaments)
        if stored is None and tournament_file.earlier is not None:  # An earlier version may have started it.
            stored = Tournament.find(tournament_file.earlier, tournaments)
        if stored is not None and not resume:
            raise ReadableError(say("tournament-is-kept", file=file))
        if stored is None or stored.tally.table().missing:
            check_players(tournament_file.plan)
            with executor_for(
                say, tournament_file.at_once, cluster
            ) as executor:  # Without workers no tournament is started.
                if stored is None and resume:
                    print_error(say("tournament-begins", file=file))
                current = stored or Tournament.begin(tournament_file.plan, tournaments, now_ms())
                if stored is None and (judged := judged_by_search(tournament_file.plan)):
                    print_error(say("tournament-judged-by-search", games=judged))
                with claiming(say, current, file):
                    play(say, current, executor, tournament_file.at_once)
        else:  # A process that was killed after the last game may have left its log.
            current = stored
            RunningGames(database, current.number).delete()
        standings = current.tally.table()
        for path in exports:
            export_tournament(current, path)
        if plot is not None:
            plot_tournament(say, current, plot)
    if as_json:
        print_json(standings_as_json(standings))
    else:
        print("\n".join(standings_lines(say, standings, table_width())))
    return print_damages(say, list(current.damaged.values()))


@contextmanager
def claiming(say: Translator, tournament: Tournament, file: Path) -> Iterator[None]:
    """Claim *tournament*, which *file* describes, or raise ReadableError if another process plays it."""
    with tournament.claimed() as is_ours:
        if not is_ours:
            raise ReadableError(say("tournament-is-played", file=file))
        yield


def check_players(plan: TournamentPlan) -> None:
    """Let each player of *plan* examine each game. Raises the error of a player that declines."""
    for entrant in plan.players:
        try:
            player = player_of(entrant)
        except NotFound as error:  # A tournament has no human players.
            raise NotFound("computer", error.name, error.known) from None
        with closing(player) if hasattr(player, "close") else nullcontext():
            for game in plan.games:
                offer_seat(player, entrant.who, new_game(game))


@contextmanager
def executor_for(say: Translator, count: int, cluster: str | None) -> Iterator["Executor"]:
    """Yield the executor of *cluster*, or *count* processes, which are killed afterwards.

    Killed processes cannot clean up, so that their temporary files are in a folder of this process. All have
    normal priority: players have their time by the clock, even on a busy machine.
    """
    if cluster is not None:
        with cluster_workers(say, cluster, count) as workers:
            yield workers.executor
        return
    with temporary_folder() as folder:
        executor = ProcessExecutor(count, str(folder), niceness=0)
        try:
            yield executor
        finally:
            executor.shutdown(wait=False, cancel_futures=True)


def play(say: Translator, tournament: Tournament, executor: "Executor", at_once: int) -> None:
    """Play the missing games of *tournament* and show its standings.

    Ctrl-C stops the tournament, and finished games stay saved.
    """
    with (
        changing_lines() as show,
        interruptible() as stop,
        broadcasting(tournament.tournaments.database, tournament.number, now_ms) as broadcast,
    ):
        runner = TournamentRunner(tournament, executor, at_once, now_ms, broadcast=broadcast)

        def lines(width: int) -> list[str]:
            return [
                *standings_lines(say, tournament.tally.table(), width, is_over=False),
                say("progress-tournament", done=len(tournament.tally.games), count=tournament.plan.count),
                playing_line(say, tournament.plan, runner.playing),
            ]

        def look() -> bool:
            show(lines)
            return stop()

        runner.run(look)
