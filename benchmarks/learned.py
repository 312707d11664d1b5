"""The strength of ``learned``: a gauntlet in each learned game, on a scale with ``rule`` at 0.

    python -m benchmarks.learned --write                       all its games, saved
    python -m benchmarks.learned --games 5x5:4 --pairs 10      one game, ten pairs against each player
    python -m benchmarks.learned --told connect4.log --write   what ``examples/learn.py connect4`` has printed

Openings are even ones made from ``--seed``, and each is played with either side. With ``--write`` the result
becomes the strength in ``noughts players GAME``. Strengths of other players stay as :mod:`benchmarks.levels`
measured them.
"""

import argparse
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.levels import ANCHOR, beginnings, keep_strengths, now_ms, results_of
from benchmarks.report import machine, save_results, saved_results, table
from noughts.arena.store.database import open_database
from noughts.arena.tournament.plan import GAUNTLET, Entrant, TournamentPlan
from noughts.arena.tournament.repository import Tournaments
from noughts.arena.tournament.tournament_runner import Tournament, TournamentRunner
from noughts.games.catalogue import name_of_spec
from noughts.players.learned import SHIPPED
from noughts.workers.executor import ProcessExecutor

Result = dict[str, Any]
"""The result of one game."""

LEARNED = "learned"
OPPONENTS = ("random", "level:1", "level:3", ANCHOR, "level:5", "level:7", "level:8")
RESULTS = ("won", "drawn", "lost")

LINE = re.compile(r"([\d.]+) of [\d.]+ minutes: (\d+) games, (\d+) a second((?:; [\d.]+ against [\w:]+)+)\n")
"""A line of the script with the strength."""


def measure(game: str, pairs: int, at_once: int, seed: int, player: str = LEARNED) -> Result:
    """Play the gauntlet of *game*, in which *player* meets all others."""
    entrants = tuple(Entrant(one, one) for one in (player, *OPPONENTS))
    plan = TournamentPlan(GAUNTLET, (game,), entrants, pairs, seed, openings=beginnings(game), anchor=ANCHOR)
    with TemporaryDirectory() as folder:
        database = open_database(f"sqlite:///{Path(folder) / 'games.db'}")
        held = Tournament.begin(plan, Tournaments(database), now_ms())
        executor = ProcessExecutor(at_once)
        try:
            TournamentRunner(held, executor, at_once, now_ms).run(lambda: False)
        finally:
            executor.shutdown(wait=False, cancel_futures=True)
            database.close()
    met: dict[str, Counter[str]] = {player: Counter() for player in OPPONENTS}
    for number, ended in held.tally.games.items():
        other = max(plan.game(number).players)  # The first player meets all others.
        result = "drawn" if ended.winner is None else "lost" if ended.winner else "won"
        met[entrants[other].name][result] += 1
    return {
        "players": results_of(held.tally.table()),
        "met": {player: {result: counts[result] for result in RESULTS} for player, counts in met.items()},
    }


def read_progress(text: str) -> list[Result]:
    """Return the strengths that the script has printed, by minute."""
    return [
        {
            "minutes": float(minutes),
            "games": int(games),
            "shares": {who: float(share) for share, who in re.findall(r"([\d.]+) against ([\w:]+)", shares)},
        }
        for minutes, games, _, shares in LINE.findall(text)
    ]


def report(results: Result) -> dict[str, str]:
    """Return the blocks of the documents."""
    blocks = gauntlet_blocks(LEARNED, results)
    if progress := results.get("progress"):
        blocks["progress"] = table(
            ["minutes", "games", *progress[0]["shares"]], list(map(_row, progress)), texts=0
        )
    return blocks


def gauntlet_blocks(player: str, results: Result) -> dict[str, str]:
    """Return the blocks about the results of *player* in each game, its strength, and the machine."""
    games = results.get("games", {})
    rows = [
        [
            *(name, other, *(str(counts[result]) for result in RESULTS)),
            f"{(counts['won'] + counts['drawn'] / 2) / max(1, sum(counts.values())):.2f}",
        ]
        for name, one in games.items()
        for other, counts in one["met"].items()
    ]
    return {
        "match": table(["game", "against", *RESULTS, "score"], rows, texts=2),
        "elo": f"Elo: {'; '.join(_rated(player, name, one) for name, one in games.items())}.\n",
        "machine": f"Measured on {results.get('machine')}.\n",
    }


def _rated(player: str, name: str, one: Result) -> str:
    rating = one["players"].get(player)
    return f"{name} unknown" if rating is None else f"{name} {rating['elo']:+.0f} ± {rating['error']:.0f}"


def _row(said: Result) -> list[str]:
    return [
        f"{said['minutes']:.0f}",
        f"{said['games']:,}",
        *(f"{one:.2f}" for one in said["shares"].values()),
    ]


def some(progress: Sequence[Result]) -> list[Result]:
    """Return entries at about doubled times, and the last one."""
    found: list[Result] = []
    for said in progress:
        if not found or said["minutes"] >= 2 * found[-1]["minutes"] or said is progress[-1]:
            found.append(said)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--games", nargs="+", default=[name_of_spec(spec) for spec in SHIPPED])
    parser.add_argument("--pairs", type=int, default=60, help="pairs of games against each other player (60)")
    parser.add_argument("--at-once", type=int, default=2, help="number of parallel games (2)")
    parser.add_argument("--seed", type=int, default=1, help="random seed (1)")
    parser.add_argument("--told", type=Path, help="only read the output of the script")
    parser.add_argument("--write", action="store_true", help="save the results for documents and the program")
    options = parser.parse_args()
    results = saved_results("learned") or {"games": {}}
    if options.told is not None:
        results["progress"] = some(read_progress(options.told.read_text(encoding="utf-8")))
    else:
        results["machine"] = machine()
        for game in options.games:
            results["games"][game] = measure(game, options.pairs, options.at_once, options.seed)
    for block in report(results).values():
        print(block)
    if options.write:
        save_results("learned", results)
        keep_strengths()


if __name__ == "__main__":
    main()
