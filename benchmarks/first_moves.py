"""The advantage of the first move in each game of the catalogue, between equal players.

    python -m benchmarks.first_moves --write                        all games, saved
    python -m benchmarks.first_moves --games reversi --count 100    one game, 100 games at each level

A level plays against itself from the usual start, at two strengths. The score of the side that moves first,
the share of draws and the mean number of plies are saved for the rules about rated games. Rated games may
begin from the usual start only if the first move is no advantage (``noughts.arena.ratings.fairness``).
"""

import argparse
import json
import time
from math import sqrt
from pathlib import Path
from random import Random
from statistics import mean, stdev
from typing import Any

from benchmarks.levels import is_measured
from benchmarks.report import machine, save_results, saved_results, table
from noughts.arena.events import Event, EventKind
from noughts.arena.runner import play
from noughts.games.catalogue import all_entries, new_game
from noughts.players import strengths
from noughts.players.base import new_player

Result = dict[str, Any]
"""The results of one game, by level."""

LEVELS = ("level:4", "level:7")
"""The players of the games: one that sees only the next move, and one that looks ahead."""

COUNT = 1000
MIN_COUNT = 100
"""The number of games that are played even if they take longer than the limit."""

Z = 1.96
"""The number of standard errors in half of a 95 % interval."""


def measure(game: str, level: str, count: int, seconds: float) -> dict[str, float]:
    """Return the score of the first side in *count* games of *level* against itself, or in fewer games.

    After *seconds* no game begins, except the first :data:`MIN_COUNT`.
    """
    scores, plies, end = list[float](), list[int](), time.monotonic() + seconds
    for number in range(count):
        if time.monotonic() > end and number >= MIN_COUNT:
            break
        position, moves = new_game(game), list[Event]()
        first, *_ = sides = position.sides
        players = {side: new_player(level, Random(f"{number} {game} {level} {side}")) for side in sides}
        winner = play(position, players=players, on_event=moves.append)
        scores.append(0.5 if winner is None else float(winner == first))
        plies.append(sum(event.kind is EventKind.MOVE for event in moves))
    return {
        "games": len(scores),
        "score": round(mean(scores), 3),
        "error": round(Z * stdev(scores) / sqrt(len(scores)), 3),
        "draws": round(scores.count(0.5) / len(scores), 3),
        "plies": round(mean(plies), 1),
    }


def write(measured: dict[str, Result]) -> None:
    """Save *measured* for documents and for the program."""
    games = {**saved_results("first_moves").get("games", {}), **measured}
    in_order = {entry.name: games[entry.name] for entry in all_entries() if entry.name in games}
    save_results("first_moves", {"machine": machine(), "games": in_order})
    file = Path(strengths.__file__).with_name("first_moves.json")
    file.write_text(json.dumps(in_order, indent=1) + "\n", encoding="utf-8")


def report(results: Result) -> dict[str, str]:
    """Return the table of scores for the documents."""
    rows = [[game, *map(_spelled, one.values())] for game, one in results.get("games", {}).items()]
    columns = ["game", *(f"{level}: score" for level in LEVELS)]
    return {"scores": table(columns, rows), "machine": f"Measured on {results.get('machine')}.\n"}


def _spelled(one: dict[str, float]) -> str:
    return f"{one['score']:.1%} ± {one['error']:.1%}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--games", nargs="+", help="games (default: all that levels play)")
    parser.add_argument("--count", type=int, default=COUNT, help="games at each level (1000)")
    parser.add_argument("--seconds", type=float, default=300.0, help="seconds at each level (300)")
    parser.add_argument("--write", action="store_true", help="save the results for documents and the program")
    options = parser.parse_args()
    for game in options.games or [entry.name for entry in all_entries() if is_measured(entry.name)]:
        results = {level: measure(game, level, options.count, options.seconds) for level in LEVELS}
        print(json.dumps({game: results}), flush=True)
        if options.write:
            write({game: results})


if __name__ == "__main__":
    main()
