"""The cost of a tournament besides its games: ``rule`` against ``random``, 1, 2 and 8 games at once.

    python -m benchmarks.tournament_cost                    --write saves and documents it

The games are those of ``noughts tournament``, played by processes and saved in a file. The processor time of
the main program is its own cost. The games themselves are also played in one process, for the maximum number
of games per second.
"""

import argparse
import json
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import Any

from benchmarks.report import machine, save_results, table
from noughts.arena.events import EventKind
from noughts.arena.store.database import open_database
from noughts.arena.tournament.broadcast import broadcasting
from noughts.arena.tournament.plan import Entrant, TournamentPlan
from noughts.arena.tournament.play import play_game
from noughts.arena.tournament.repository import Tournaments
from noughts.arena.tournament.tournament_runner import Tournament, TournamentRunner
from noughts.workers.executor import ProcessExecutor

GAMES = ("tictactoe", "connect4", "gomoku")
AT_ONCE = (1, 2, 8)


def measure(game: str, at_once: int, pairs: int, folder: Path) -> dict[str, Any]:
    """Run a tournament of *pairs* pairs, and return its cost."""
    plan = TournamentPlan(
        "round-robin", (game,), (Entrant("Rule", "rule"), Entrant("Random", "random")), pairs
    )
    path = folder / f"{game}-{at_once}.db"
    with closing(open_database(f"sqlite:///{path}")) as database:
        tournament = Tournament.begin(plan, Tournaments(database), 0)
        executor = ProcessExecutor(at_once)
        try:
            for future in [
                executor.submit(play_game, tournament.assignment(1, 0)) for _ in range(2 * at_once)
            ]:
                future.result()  # The processes have started, and know the game.
            began, used = time.perf_counter(), time.process_time()
            # The progress is shown as on a terminal.
            with broadcasting(database, tournament.number, lambda: 0) as broadcast:
                TournamentRunner(tournament, executor, at_once, lambda: 0, broadcast=broadcast).run()
            seconds, own = time.perf_counter() - began, time.process_time() - used
        finally:
            executor.shutdown(wait=False, cancel_futures=True)
        moves = sum(
            event.kind is EventKind.MOVE
            for _, stored in tournament.tournaments.games(tournament.number)
            for event in stored.events
        )
        began = time.perf_counter()
        for planned in map(plan.game, range(1, plan.count + 1)):
            play_game(tournament.assignment(planned.number, 0))
        alone = time.perf_counter() - began
    return {
        "games_per_second": plan.count / seconds,
        "own_ms_per_move": 1_000 * own / moves,
        "own_ms_per_game": 1_000 * own / plan.count,
        "games_per_second_alone": plan.count / alone,
    }


def report(measured: dict[str, Any]) -> dict[str, str]:
    """Return the blocks of the documents for *measured*."""
    rows = [
        [
            f"`{game}`",
            str(at_once),
            f"{told['games_per_second']:.1f}",
            f"{told['games_per_second_alone']:.1f}",
            f"{told['own_ms_per_game']:.1f}",
            f"{told['own_ms_per_move']:.2f}",
        ]
        for game, counts in measured["games"].items()
        for at_once, told in counts.items()
    ]
    columns = ["game", "at once", "games/s", "games/s in one process alone", "own ms a game", "own ms a move"]
    return {"machine": f"{measured['machine']}:\n", "games": table(columns, rows)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--json", action="store_true", help="one object on one line")
    parser.add_argument("--pairs", type=int, default=100, help="of games for each measurement")
    parser.add_argument("--write", action="store_true", help="save the results and write them into documents")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        games = {
            game: {str(at_once): measure(game, at_once, arguments.pairs, Path(folder)) for at_once in AT_ONCE}
            for game in GAMES
        }
    measured = {"machine": machine(), "games": games}
    print(json.dumps(measured) if arguments.json else "\n".join(report(measured).values()))
    if arguments.write:
        save_results("tournament_cost", measured)


if __name__ == "__main__":
    main()
