"""Games with gravity: the time until all moves of a position have exact values, and the mistakes of level 10.

    uv run --group dev --extra fast python -m benchmarks.gravity --write       for the documents
    uv run --group dev --extra fast python -m benchmarks.gravity --positions 10 --levels 0

Positions come from random moves, and no side can win at once in them. A new analyst searches each for some
CPU seconds, after the kernels have been loaded. It uses the book of the first plies. Then level 10 chooses a
move in a CPU second. A move with a lower value than the position counts as a mistake.
"""

import argparse
import time
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, Self

from benchmarks.report import machine, save_results, table
from noughts import Game, new_game
from noughts.players.base import new_player
from noughts.search.analysis import Limit
from noughts.search.analyst import Analyst
from noughts.search.explain.immediate import ImmediateTactics
from noughts.search.numba_backend import best_machine

PLIES = {"connect4": (8, 10, 12, 14), "score4": (28, 32, 36, 40)}
"""The games, and the numbers of plies before the measured positions."""

SECONDS = (0.125, 0.25, 0.5, 1)

LEVEL = "level:10"
LEVEL_PLIES = range(8, 25)


class CpuLimit(Limit):
    """A limit in CPU seconds, so that other programs do not matter."""

    __slots__ = ()

    def started(self, now: Callable[[], float] | None = None) -> Self:
        return super().started(now or time.process_time)


def positions(name: str, plies: int, chance: Random) -> Iterator[Game]:
    """Yield positions after *plies* random moves in which no side can win at once."""
    while True:
        game = new_game(name)
        while len(game.moves) < plies and not game.is_over:
            game.play(chance.choice(list(game.legal_moves())))
        if not game.is_over and ImmediateTactics(game).find_win() is None:
            yield game


def values_of(game: Game, seconds: float | None = None) -> Any:
    """Return the analysis of *game* by a new analyst in a number of CPU *seconds*."""
    analyst, start = Analyst(machine=best_machine()), time.process_time()
    limit = Limit(stop=lambda: seconds is not None and time.process_time() - start >= seconds)
    return analyst.values(game, limit)


def measure_values(many: int) -> dict[str, Any]:
    """Measure the time until all moves have values, by game and ply."""
    told: dict[str, Any] = {}
    for name, rows in PLIES.items():
        for plies in rows:
            chance, counts = Random(plies), [0] * len(SECONDS)
            for game, _ in zip(positions(name, plies, chance), range(many), strict=False):
                needed = next((i for i, most in enumerate(SECONDS) if values_of(game, most).is_complete), 99)
                counts = [count + (needed <= i) for i, count in enumerate(counts)]
            told.setdefault(name, {})[plies] = [many, *counts]
            print(name, plies, told[name][plies], flush=True)
    return told


def measure_level(many: int) -> list[int]:
    """Count the positions of Connect Four in which level 10 loses value, with a CPU second per move."""
    lost, chance = 0, Random(10)
    # The first move loads the kernels.
    Analyst(machine=best_machine()).search(next(positions("connect4", 8, chance)), Limit(nodes=1000))
    for number in range(many):
        plies = LEVEL_PLIES[number % len(LEVEL_PLIES)]
        game = next(positions("connect4", plies, chance))
        move = new_player(LEVEL, Random(number)).choose(game, CpuLimit(seconds=1))
        worth = {move_value.move: move_value.value for move_value in values_of(game).moves}
        if worth[move] != max(worth.values()):
            lost += 1
            print("lost value:", game.moves, move, worth, flush=True)
    print("level 10", [many, lost], flush=True)
    return [many, lost]


def report(measured: dict[str, Any]) -> dict[str, str]:
    """Return the blocks of the documents for *measured*."""
    if not measured:
        return {}
    rows = [
        [name, *map(str, (plies, *counts))]
        for name, found in measured["values"].items()
        for plies, counts in found.items()
    ]
    many, lost = measured["level"]
    columns = ("game", "plies", "positions", *(f"in {seconds:g} s" for seconds in SECONDS))
    return {
        "machine": f"On one core of {measured['machine']}; compiled search.\n",
        "values": table(columns, rows),
        "level": f"Of {many} positions of Connect Four after 8 to 24 plies level 10, with a CPU second for\n"
        f"its move, lost value in {lost}.\n",
    }


def main() -> None:
    """Measure, and print or save the result."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--positions", type=int, default=50, help="for each ply")
    parser.add_argument("--levels", type=int, default=300, help="positions in which level 10 moves")
    parser.add_argument("--write", action="store_true", help="write the figures into the documents")
    arguments = parser.parse_args()
    for name, rows in PLIES.items():
        values_of(next(positions(name, rows[-1], Random(1))))  # The first analysis loads the kernels.
    measured = {
        "machine": machine(),
        "values": measure_values(arguments.positions),
        "level": measure_level(arguments.levels),
    }
    if arguments.write:
        save_results("gravity", measured)
    for text in report(measured).values():
        print(text)


if __name__ == "__main__":
    main()
