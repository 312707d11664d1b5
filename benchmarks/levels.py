"""How strong players are in each game of the catalogue, on one scale, on which ``rule`` has 0.

    python -m benchmarks.levels --write                            all games, ten minutes each, to be kept
    python -m benchmarks.levels --games gomoku --seconds 60        one game, for a minute
    python -m benchmarks.levels --games gomoku --players bot:ada   and others, who stand above level 10

For each game a tournament is held, as ``noughts tournament`` holds it: a ladder from ``random`` to level 10,
in which everybody meets those who stand one and two places above and below. Openings are even ones made from
``--seed``; levels think as long as their own budgets say. With ``--write`` what was measured becomes the
strengths that ``noughts players GAME`` tells; games that are not measured again keep theirs. Who has lost
every game, as ``random`` does on large boards, or won every one has no place on the scale.
"""

import argparse
import json
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.report import keep, kept, machine, table
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

Found = dict[str, Any]
"""What was measured in one game."""

ALL_LEVELS = ("gomoku", "connect4", "qubic")
"""Where every level is measured; elsewhere those of FEW_LEVELS."""

FEW_LEVELS = (1, 4, 7, 10)
ANCHOR = "rule"
MEASURED_BY = ("mcts_levels", "learned", "levels")
"""The benchmarks that rate players: of one whom several have rated the last of them counts."""

OPENING_PLIES = 4
MAX_PAIRS = 1_000_000


def ladder(game: str, others: Sequence[str] = ()) -> list[str]:
    """Who is measured in *game*, the weakest first as far as that is known."""
    levels = range(1, 11) if game in ALL_LEVELS else FEW_LEVELS
    return [
        "random",
        *(f"level:{level}" for level in levels if level < 4),
        "rule",
        *(f"level:{level}" for level in levels if level >= 4),
        *others,
    ]


def is_measured(game: str) -> bool:
    """Whether levels play *game*."""
    started = new_game(game)
    if len(started.sides) != 2:
        return False
    try:
        new_player("level:1").take_seat(started)
    except NoughtsError:
        return False
    return True


def measure(game: str, others: Sequence[str], seconds: float, at_once: int, seed: int) -> Standings:
    """Hold the tournament of *game* for so many *seconds*; what has begun then counts no more."""
    entrants = tuple(Entrant(who, who) for who in ladder(game, others))
    plan = TournamentPlan(
        LADDER, (game,), entrants, MAX_PAIRS, seed, openings=beginnings(game), anchor=ANCHOR
    )
    with TemporaryDirectory() as folder:
        database = open_database(f"sqlite:///{Path(folder) / 'games.db'}")
        held = Tournament.begin(plan, Tournaments(database), now_ms())
        executor = ProcessExecutor(at_once)
        end = time.monotonic() + seconds
        try:
            TournamentRunner(held, executor, at_once, now_ms).run(lambda: time.monotonic() >= end)
        finally:
            executor.shutdown(wait=False, cancel_futures=True)
            database.close()
    return held.tally.table()


def beginnings(game: str) -> OpeningPlan:
    """Even openings, where there are any: in some games one side wins after all of them."""
    started = new_game(game)
    if started.rules is None or not even_openings(started, 1, OPENING_PLIES, Random(game)):
        return OpeningPlan(START)
    return OpeningPlan(BALANCED, plies=OPENING_PLIES)


def now_ms() -> int:
    return time.time_ns() // 1_000_000


def told(standings: Standings) -> Found:
    """What is kept of *standings*: ratings, their errors, and how many games everybody has played."""
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


def write(measured: dict[str, Found]) -> None:
    """Keep what was *measured* for documents and for the program."""
    games = {**kept("levels").get("games", {}), **measured}
    keep("levels", {"machine": machine(), "games": games})
    keep_strengths()


def keep_strengths() -> None:
    """Make what all benchmarks have measured the strengths that the program tells."""
    games: Found = {}
    for name in MEASURED_BY:
        for game, one in kept(name).get("games", {}).items():
            games[game] = games.get(game, {}) | (one if name == "levels" else one["players"])
    facts = {
        game: {who: [one["elo"], one["error"], one["games"]] for who, one in found.items()}
        for game, found in games.items()
    }
    file = Path(strengths.__file__).with_name("strengths.json")
    file.write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")


def report(found: Found) -> dict[str, str]:
    """What documents state: who is how strong, in each game."""
    games = found["games"]
    players = list(dict.fromkeys(who for name in ALL_LEVELS for who in games.get(name, {})))
    known = ladder(ALL_LEVELS[0])
    players.sort(key=lambda who: known.index(who) if who in known else len(known))
    few = [who for who in players if who in ladder("")]
    return {
        "all": _table([name for name in ALL_LEVELS if name in games], players, games),
        "few": _table([name for name in games if name not in ALL_LEVELS], few, games),
        "machine": f"Measured on {found['machine']}.\n",
    }


def _table(names: Sequence[str], players: Sequence[str], games: Found) -> str:
    if not names:
        return ""
    rows = [[name, *(_spelled(games[name].get(who)) for who in players)] for name in names]
    return table(["game", *players], rows)


def _spelled(one: Found | None) -> str:
    return "" if one is None else f"{one['elo']:+.0f} ± {one['error']:.0f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--games", nargs="+", help="which games (all that levels play)")
    parser.add_argument("--players", nargs="+", default=[], help="who else is measured")
    parser.add_argument("--seconds", type=float, default=600.0, help="how long each game is measured (600)")
    parser.add_argument("--at-once", type=int, default=2, help="how many games are played at once (2)")
    parser.add_argument("--seed", type=int, default=1, help="decides what is left to chance (1)")
    parser.add_argument("--write", action="store_true", help="keep it, for documents and for the program")
    options = parser.parse_args()
    for game in options.games or [entry.name for entry in all_entries() if is_measured(entry.name)]:
        begun = time.monotonic()
        standings = measure(game, options.players, options.seconds, options.at_once, options.seed)
        found = told(standings)
        print(
            json.dumps({"game": game, "seconds": round(time.monotonic() - begun), "players": found}),
            flush=True,
        )
        if options.write:
            write({game: found})


if __name__ == "__main__":
    main()
