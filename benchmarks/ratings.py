"""The time to rebuild all ratings from the rated games, and to count one game.

    python -m benchmarks.ratings --write                    100,000 games of 5,000 people, saved
    python -m benchmarks.ratings --games 1000               fewer games

The games are random results in a new file. ``noughts ratings rebuild`` does the same. Times are of the wall
clock and of the processor. The goal is 60 seconds for 100,000 games.
"""

import argparse
import time
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.report import machine, save_results
from noughts.arena.clock import Clock
from noughts.arena.commands import MakeMove, Resign
from noughts.arena.events import Event
from noughts.arena.ratings.rating_repository import RatingStore
from noughts.arena.seat_names import seat_name
from noughts.arena.setup import ONLINE, Setup
from noughts.arena.store.database import Database, open_database
from noughts.arena.stored_game import StoredGame

GAMES = 100_000
PEOPLE = 5_000
BATCH = 1_000
"""The number of games in one transaction while the file is filled."""

HOUR = 60 * 60 * 1000


def _events(setup: Setup, loser: str) -> list[Event]:
    """Return the events of a short game that *loser* resigns."""
    match, events = setup.replay(()), list[Event]()
    commands = ("X", MakeMove((7, 7))), ("O", MakeMove((8, 8))), (loser, Resign())
    for side, command in commands:
        events += match.apply(side, command, 0)
    return events


def fill(database: Database, games: int, people: int) -> float:
    """Fill *database* with random results, and return the processor time of counting one, in milliseconds."""
    chance, store, seconds = Random("ratings"), RatingStore(database), 0.0
    setup = Setup("gomoku", {"X": "Ada", "O": "Wei"}, clock=Clock(base=300_000), origin=ONLINE)
    ends = [_events(setup, loser) for loser in setup.seats]
    with database.writing() as connection:
        numbers = range(1, people + 1)
        rows = [{"number": n, "key": str(n), "created": 0, "seen": 0, "digest": ""} for n in numbers]
        connection.insert("identities", *rows)
    for first in range(0, games, BATCH):
        with database.writing() as connection:
            for number in range(first, min(first + BATCH, games)):
                events = chance.choice(ends)
                names = map(seat_name, chance.sample(range(1, people + 1), 2))
                seated = replace(setup, seats=dict(zip(setup.seats, names, strict=True)))
                game, digest = database.begin_game(seated, connection, events=events)
                begun = time.process_time()
                store.count(connection, StoredGame(game, seated, events, digest), number * HOUR)
                seconds += time.process_time() - begun
    return 1000 * seconds / games


def measure(games: int, people: int) -> dict[str, Any]:
    """Return the times of a rebuild of *games* of *people*."""
    with ExitStack() as leaving:
        folder = leaving.enter_context(TemporaryDirectory())
        database = leaving.enter_context(closing(open_database(f"sqlite:///{Path(folder) / 'games.db'}")))
        one = fill(database, games, people)
        begun, used = time.monotonic(), time.process_time()
        rebuilt = RatingStore(database).rebuild()
    return {
        "games": rebuilt.games,
        "ratings": rebuilt.ratings,
        "rebuild_seconds": round(time.monotonic() - begun, 1),
        "rebuild_processor_seconds": round(time.process_time() - used, 1),
        "count_processor_ms": round(one, 2),
    }


def report(results: dict[str, Any]) -> dict[str, str]:
    """Return the sentence about the rebuild for the documents."""
    if not results:
        return {}
    seconds, one = results["rebuild_processor_seconds"], results["count_processor_ms"]
    text = (
        f"A rebuild of {results['games']:,} games took {seconds:.1f} s of processor time, and to count one"
        f" game {one:.2f} ms. The machine did other work, so the rebuild took"
        f" {results['rebuild_seconds']:.0f} s in all. Measured on {results['machine']}.\n"
    )
    return {"rebuild": text}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--games", type=int, default=GAMES, help="rated games (100000)")
    parser.add_argument("--people", type=int, default=PEOPLE, help="people (5000)")
    parser.add_argument("--write", action="store_true", help="save the results for documents")
    options = parser.parse_args()
    measured = {"machine": machine(), **measure(options.games, options.people)}
    print(measured)
    if options.write:
        save_results("ratings", measured)


if __name__ == "__main__":
    main()
