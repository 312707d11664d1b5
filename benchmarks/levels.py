"""The strength of players in each game of the catalogue, on one scale with ``rule`` at 0.

    python -m benchmarks.levels --write                            all games, ten minutes each, saved
    python -m benchmarks.levels --games gomoku --seconds 60        one game, for a minute
    python -m benchmarks.levels --games gomoku --players bot:ada   and others, placed above level 10

Each game has a tournament like those of ``noughts tournament``: a ladder from ``random`` to level 10, in
which each player meets those one and two places above and below. Openings are even ones made from ``--seed``.
Levels use their own budgets. With ``--write`` the results become the strengths in ``noughts players GAME``.
Games that are not measured again keep theirs. A player that has lost or won every game, as ``random`` on
large boards, has no place on the scale.
"""

import argparse
import json
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.report import machine, save_results, saved_results, table
from noughts.arena.store.database import open_database
from noughts.arena.tournament.plan import BALANCED, LADDER, START, Entrant, OpeningPlan, TournamentPlan
from noughts.arena.tournament.repository import Tournaments
from noughts.arena.tournament.standings import Standings
from noughts.arena.tournament.tournament_runner import Tournament, TournamentRunner
from noughts.errors import NoughtsError
from noughts.games.catalogue import all_entries, new_game
from noughts.players import strengths
from noughts.players.base import new_player
from noughts.search.balance import even_openings
from noughts.workers.executor import ProcessExecutor

Result = dict[str, Any]
"""The result of one game."""

ALL_LEVELS = ("gomoku", "gomoku-standard", "renju", "connect4", "qubic")
"""The games in which every level is measured.

Other games have FEW_LEVELS.
"""

FEW_LEVELS = (1, 4, 7, 10)
ANCHOR = "rule"
MEASURED_BY = ("mcts_levels", "learned", "levels")
"""The benchmarks that rate players. If several rate a player, the last one counts."""

OPENING_PLIES = 4
MAX_PAIRS = 1_000_000


def ladder(game: str, others: Sequence[str] = ()) -> list[str]:
    """Return the players in *game*, the weakest first if that is known."""
    levels = range(1, 11) if game in ALL_LEVELS else FEW_LEVELS
    return [
        "random",
        *(f"level:{level}" for level in levels if level < 4),
        "rule",
        *(f"level:{level}" for level in levels if level >= 4),
        *others,
    ]


def is_measured(game: str) -> bool:
    """Return True if levels play *game*."""
    started = new_game(game)
    if len(started.sides) != 2:
        return False
    try:
        new_player("level:1").take_seat(started)
    except NoughtsError:
        return False
    return True


def measure(game: str, others: Sequence[str], seconds: float, at_once: int, seed: int) -> Standings:
    """Run the tournament of *game* for *seconds*.

    Later results do not count.
    """
    entrants = tuple(Entrant(who, who) for who in ladder(game, others))
    plan = TournamentPlan(
        LADDER, (game,), entrants, MAX_PAIRS, seed, openings=beginnings(game), anchor=ANCHOR
    )
    with TemporaryDirectory() as folder:
        database = open_database(f"sqlite:///{Path(folder) / 'games.db'}")
        tournament = Tournament.begin(plan, Tournaments(database), now_ms())
        executor = ProcessExecutor(at_once)
        end = time.monotonic() + seconds
        try:
            TournamentRunner(tournament, executor, at_once, now_ms).run(lambda: time.monotonic() >= end)
        finally:
            executor.shutdown(wait=False, cancel_futures=True)
            database.close()
    return tournament.tally.table()


def beginnings(game: str) -> OpeningPlan:
    """Return even openings, if there are any: in some games one side wins after all of them."""
    started = new_game(game)
    if started.rules is None or not even_openings(started, 1, OPENING_PLIES, Random(game)):
        return OpeningPlan(START)
    return OpeningPlan(BALANCED, plies=OPENING_PLIES)


def now_ms() -> int:
    return time.time_ns() // 1_000_000


def results_of(standings: Standings) -> Result:
    """Return the data of *standings*: ratings, errors, and the number of games of each player."""
    return {
        standing.name: {
            "elo": round(standing.rating.elo, 1),
            "error": round(standing.rating.error, 1),
            "games": sum(standing.counts[end] for end in ("wins", "draws", "losses")),
            "faults": sum(standing.counts[fault] for fault in ("crashes", "timeouts", "illegal")),
        }
        for standing in standings.players
        if standing.rating is not None
    }


def write(measured: dict[str, Result]) -> None:
    """Save *measured* for documents and for the program."""
    games = {**saved_results("levels").get("games", {}), **measured}
    save_results("levels", {"machine": machine(), "games": games})
    keep_strengths()


def keep_strengths() -> None:
    """Write the strengths for the program from the results of all benchmarks."""
    games: Result = {}
    for name in MEASURED_BY:
        for game, one in saved_results(name).get("games", {}).items():
            games[game] = games.get(game, {}) | (one if name == "levels" else one["players"])
    facts = {
        game: {who: [one["elo"], one["error"], one["games"]] for who, one in found.items()}
        for game, found in games.items()
    }
    file = Path(strengths.__file__).with_name("strengths.json")
    file.write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")


def report(results: Result) -> dict[str, str]:
    """Return the strength of players in each game for the documents."""
    games = results["games"]
    players = list(dict.fromkeys(who for name in ALL_LEVELS for who in games.get(name, {})))
    known = ladder(ALL_LEVELS[0])
    players.sort(key=lambda who: known.index(who) if who in known else len(known))
    few = [who for who in players if who in ladder("")]
    return {
        "all": _table([name for name in ALL_LEVELS if name in games], players, games),
        "few": _table([name for name in games if name not in ALL_LEVELS], few, games),
        "machine": f"Measured on {results['machine']}.\n",
    }


def _table(names: Sequence[str], players: Sequence[str], games: Result) -> str:
    if not names:
        return ""
    rows = [[name, *(_spelled(games[name].get(who)) for who in players)] for name in names]
    return table(["game", *players], rows)


def _spelled(one: Result | None) -> str:
    return "" if one is None else f"{one['elo']:+.0f} ± {one['error']:.0f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--games", nargs="+", help="games (default: all that levels play)")
    parser.add_argument("--players", nargs="+", default=[], help="additional players")
    parser.add_argument("--seconds", type=float, default=600.0, help="seconds for each game (600)")
    parser.add_argument("--at-once", type=int, default=2, help="number of parallel games (2)")
    parser.add_argument("--seed", type=int, default=1, help="random seed (1)")
    parser.add_argument("--write", action="store_true", help="save the results for documents and the program")
    options = parser.parse_args()
    for game in options.games or [entry.name for entry in all_entries() if is_measured(entry.name)]:
        begun = time.monotonic()
        standings = measure(game, options.players, options.seconds, options.at_once, options.seed)
        results = results_of(standings)
        print(
            json.dumps({"game": game, "seconds": round(time.monotonic() - begun), "players": results}),
            flush=True,
        )
        if options.write:
            write({game: results})


if __name__ == "__main__":
    main()
