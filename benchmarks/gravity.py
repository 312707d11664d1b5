"""Games with gravity: the time until all moves of a position have exact values, and the mistakes of level 10.

    uv run --group dev --extra fast python -m benchmarks.gravity --write       for the documents
    uv run --group dev --extra fast python -m benchmarks.gravity --each 4 --positions 10 --levels 0

A new analyst searches each position, after the kernels and the book have been loaded. In Connect Four it has
as long as it needs, and CPU time counts. There are as many positions of each ply, half of them from random
moves and half from games of level 10 against itself, which begin with up to eight random moves. In score4 the
analyst has some CPU seconds, and the positions come from random moves. No side can win at once in them.

Level 10 also chooses a move in a CPU second. A move with a lower value than the position counts as a mistake.
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

PLIES = {"score4": (28, 32, 36, 40)}
"""The games whose analyst has a time limit, and the numbers of plies before the measured positions."""

ALL_PLIES = 42
"""The number of plies of Connect Four, from 0 to 41."""

RANGE = 6
"""The number of plies that have a row of the report in common."""

OPENING = 8
"""The maximum number of random moves before level 10 plays."""

MOVE_SECONDS = 0.1
"""The CPU seconds for a move of a game of level 10."""

CENTILES = (50, 95, 99)

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


def random_games(chance: Random) -> Iterator[Game]:
    """Yield Connect Four after each move of random games."""
    while True:
        game = new_game("connect4")
        while not game.is_over:
            yield game
            game.play(chance.choice(list(game.legal_moves())))


def level_games(chance: Random) -> Iterator[Game]:
    """Yield Connect Four after each move of games of level 10 against itself."""
    while True:
        game, player = new_game("connect4"), new_player(LEVEL, chance)
        opening = chance.randint(0, OPENING)
        while not game.is_over:
            yield game
            is_random = len(game.moves) < opening
            limit = CpuLimit(seconds=MOVE_SECONDS)
            move = chance.choice(list(game.legal_moves())) if is_random else player.choose(game, limit)
            game.play(move)


def take_of_each_ply(games: Iterator[Game], many: int) -> Iterator[Game]:
    """Yield *many* positions of each ply from *games*, the same game object each time."""
    left = [many] * ALL_PLIES
    while any(left):
        game = next(games)
        if left[len(game.moves)]:
            left[len(game.moves)] -= 1
            yield game


def measure_at_once(many: int) -> list[list[float]]:
    """Measure the CPU milliseconds until all moves have values, for *many* positions of each ply."""
    times: list[list[float]] = [[] for _ in range(ALL_PLIES)]
    for games in (random_games(Random(4)), level_games(Random(4))):
        for game in take_of_each_ply(games, many // 2):
            start = time.process_time()
            assert values_of(game.copy()).is_complete
            times[len(game.moves)].append(round(1000 * (time.process_time() - start), 1))
    return times


def centile(numbers: list[float], percent: int) -> float:
    """Return the smallest of *numbers* that is no less than *percent* of them."""
    return sorted(numbers)[max(0, -(-len(numbers) * percent // 100) - 1)]


def rows_at_once(times: list[list[float]]) -> Iterator[list[str]]:
    """Yield the rows of the report on the times of each ply: some plies together, then all."""
    starts = range(0, ALL_PLIES, RANGE)
    for name, first, last in [*((f"{n} to {n + RANGE - 1}", n, n + RANGE) for n in starts), ("all", 0, 99)]:
        taken = [one for ply in times[first:last] for one in ply]
        yield [name, str(len(taken)), *(f"{centile(taken, percent):.0f}" for percent in (*CENTILES, 100))]


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
    times = ("plies", "positions", *(f"p{percent}, ms" for percent in CENTILES), "longest, ms")
    return {
        "machine": f"On one core of {measured['machine']}; compiled search.\n",
        "at-once": table(times, measured["at_once"]),
        "values": table(columns, rows),
        "level": f"Of {many} positions of Connect Four after 8 to 24 plies level 10, with a CPU second for\n"
        f"its move, lost value in {lost}.\n",
    }


def main() -> None:
    """Measure, and print or save the result."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--each", type=int, default=238, help="positions of each ply of Connect Four")
    parser.add_argument("--positions", type=int, default=50, help="of each ply of other games")
    parser.add_argument("--levels", type=int, default=300, help="positions in which level 10 moves")
    parser.add_argument("--write", action="store_true", help="write the figures into the documents")
    arguments = parser.parse_args()
    for name, plies in (("connect4", 20), ("score4", 40)):
        values_of(next(positions(name, plies, Random(1))))  # The first analysis loads the kernels.
    measured = {
        "machine": machine(),
        "at_once": [*rows_at_once(measure_at_once(arguments.each))],
        "values": measure_values(arguments.positions),
        "level": measure_level(arguments.levels),
    }
    if arguments.write:
        save_results("gravity", measured)
    for text in report(measured).values():
        print(text)


if __name__ == "__main__":
    main()
