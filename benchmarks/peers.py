"""CPU seconds to solve a game from the empty board: this library compared with easyAI and OpenSpiel.

    python -m benchmarks.peers                              installed libraries only
    uv run --group dev --with easyAI python -m benchmarks.peers --seconds 40 --write    for the documents

Every measurement is a process of its own that is killed after ``--seconds``. "noughts, compiled" is the extra
``fast``. The time to compile its functions once, and to load them from then on, is reported separately.
"noughts, plain" runs without numba. noughts finds the value, the distance to the end and a best move. The
peers find only the value.
"""

import argparse
import importlib
import json
import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from random import Random
from statistics import median
from typing import Any

from benchmarks.report import machine, save_results, table
from noughts import KInARow, new_game
from noughts.games.fifteen import Fifteen
from noughts.search.analyst import Analyst
from noughts.search.exact.strong import StrongSolution
from noughts.search.numba_backend import PLAIN, best_machine

GAMES = {
    "3,3,3, every position": "3x3:3",
    "4,4,4": "4x4:4",
    "5,5,4": "5x5:4",
    "6,5,4": "6x5:4",
    "Connect Four on 6x5": "6x5:4,gravity",
}
"""The rows of the table: the games to solve."""

PUZZLES = {
    "`Fifteen(Random(5))`": 5,
    "`Fifteen(Random(1))`": 1,
    "`Fifteen(Random(0))`": 0,
}
"""Fifteen puzzles, which only noughts solves, by the seed that shuffles them, easiest first."""

EVERY = "3,3,3, every position"

FALLING = "Connect Four on 6x5"

Solving = Callable[[], object]
"""A function that solves once, and returns the result."""


def optional(module: str) -> Any:
    """Return the module, or None if it is not installed."""
    try:
        return importlib.import_module(module)
    except ImportError:
        return None


def ours(row: str) -> Solving:
    """Solve with the best machine.

    A variable of the environment disables numba.
    """
    if row in PUZZLES:
        return lambda: solve_puzzle(PUZZLES[row])
    spec = GAMES[row]
    if row == EVERY:
        game = new_game(spec)
        assert isinstance(game, KInARow)
        rules = game.rules
        return lambda: StrongSolution(rules).count
    return lambda: Analyst(machine=best_machine()).solve(new_game(spec)).value


def solve_puzzle(seed: int) -> dict[str, int | None]:
    """Return the number of slides of a fifteen puzzle, and the number of tried moves."""
    analysis = Analyst(machine=best_machine()).solve(Fifteen(Random(seed)))
    return {"slides": analysis.plies, "tried": analysis.nodes}


def warm_up() -> None:
    """Call every compiled function once, on boards that are solved at once."""
    for row in GAMES:
        if row == EVERY:
            ours(row)()
    for spec in ("2x2:2", "3x3:3", "3x3:3,gravity"):
        Analyst(machine=best_machine()).solve(new_game(spec))
    solve_puzzle(next(iter(PUZZLES.values())))


def easyai(row: str) -> Solving | None:
    """Solve with easyAI's negamax and a table, to the full depth: its two solvers are slower here."""
    library = optional("easyAI")
    if library is None or row in (EVERY, FALLING, *PUZZLES):
        return None
    width, height, k = map(int, row.split(","))
    lines = [
        [(y + step * dy, x + step * dx) for step in range(k)]
        for y in range(height)
        for x in range(width)
        for dy, dx in ((0, 1), (1, 0), (1, 1), (1, -1))
        if y + (k - 1) * dy < height and 0 <= x + (k - 1) * dx < width
    ]

    class Board(library.TwoPlayerGame):  # type: ignore[misc,name-defined]
        """A board as in the tutorial of easyAI."""

        def __init__(self) -> None:
            self.players = [library.Human_Player(), library.Human_Player()]
            self.board = [0] * (width * height)
            self.lines = [[y * width + x for y, x in line] for line in lines]
            self.current_player = 1

        def possible_moves(self) -> list[int]:
            return [cell for cell, mark in enumerate(self.board) if mark == 0]

        def make_move(self, move: int) -> None:
            self.board[move] = self.current_player

        def unmake_move(self, move: int) -> None:
            self.board[move] = 0

        def lose(self) -> bool:
            return any(all(self.board[cell] == self.opponent_index for cell in line) for line in self.lines)

        def is_over(self) -> bool:
            return 0 not in self.board or self.lose()

        def scoring(self) -> int:
            return -100 if self.lose() else 0

        def ttentry(self) -> tuple[int, ...]:
            return tuple(self.board)

    search = library.Negamax(width * height, win_score=99, tt=library.TranspositionTable())

    def solve() -> int:
        search(Board())
        return int(search.alpha)

    return solve


def openspiel(row: str) -> Solving | None:
    """Solve all positions with OpenSpiel's table of minimax values, others with its alpha-beta search."""
    library = optional("pyspiel")
    if library is None or row in PUZZLES:
        return None
    if row == EVERY:
        solver = importlib.import_module("open_spiel.python.algorithms.minimax_solver")
        return lambda: len(solver.MinimaxSolver("tic_tac_toe").solve())
    if row == FALLING:
        game = library.load_game("connect_four", {"columns": 6, "rows": 5, "x_in_row": 4})
    else:
        game = library.load_game("mnk", dict(zip("mnk", map(int, row.split(",")), strict=True)))
    minimax = importlib.import_module("open_spiel.python.algorithms.minimax")
    return lambda: minimax.alpha_beta_search(game)[0]


COMPILED, PLAINLY = "noughts, compiled", "noughts, plain"

CONTENDERS: dict[str, Callable[[str], Solving | None]] = {
    COMPILED: ours,
    PLAINLY: ours,
    "easyAI": easyai,
    "OpenSpiel": openspiel,
}


def measure_here(who: str, row: str, seconds: float) -> None:
    """Print the CPU seconds of *who* for *row*, at most *seconds*, and those of the preparation."""
    solving = CONTENDERS[who](row)
    if solving is None:
        print(json.dumps(None))
        return
    start = time.process_time()
    if who == COMPILED:
        warm_up()
    ready = time.process_time()
    if (resource := optional("resource")) is not None:  # The system kills the process.
        soft, hard = math.ceil(ready + seconds), resource.RLIM_INFINITY
        resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))
    answer = solving()
    done = time.process_time()
    print(json.dumps({"ready": ready - start, "seconds": done - ready, "answer": answer}))


def measure(who: str, row: str, seconds: float, cache: str) -> dict[str, Any] | None:
    """Measure in a process of its own.

    Return None for a missing contender, and no ``seconds`` if the process was killed.
    """
    environment = {**os.environ, "NUMBA_CACHE_DIR": cache, PLAIN: "1" if who == PLAINLY else ""}
    command = [sys.executable, "-m", "benchmarks.peers", "--measure", who, row, "--seconds", str(seconds)]
    try:
        done = subprocess.run(
            command,
            env=environment,
            stdout=subprocess.PIPE,
            text=True,
            timeout=10 * seconds + 60,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return {"seconds": None}
    if done.returncode < 0:
        return {"seconds": None}
    done.check_returncode()
    found: dict[str, Any] | None = json.loads(done.stdout.splitlines()[-1])
    return found


def measure_all(seconds: float, rounds: int) -> dict[str, Any]:
    """Return the median CPU seconds of each row and contender, and those of compiling and loading."""
    with tempfile.TemporaryDirectory() as cache:
        has_numba = optional("numba") is not None
        contenders = [who for who in CONTENDERS if who != COMPILED or has_numba]
        results: dict[str, Any] = {"compiling": None, "loading": None, "cpu_seconds": {}}
        if has_numba:
            results["compiling"] = _ready(measure(COMPILED, EVERY, seconds, cache))
            results["loading"] = _ready(measure(COMPILED, EVERY, seconds, cache))
        for row in (*GAMES, *PUZZLES):
            cells: dict[str, Any] = {}
            for who in contenders:
                cells[who] = measure(who, row, seconds, cache)
                if cells[who] and cells[who]["seconds"] is not None:
                    again = [measure(who, row, seconds, cache) for _ in range(rounds - 1)]
                    times = [found["seconds"] for found in [cells[who], *again] if found]
                    cells[who]["seconds"] = median([time for time in times if time is not None])
            results["cpu_seconds"][row] = cells
    return results


def _ready(found: dict[str, Any] | None) -> float | None:
    return found.get("ready") if found else None


def versions() -> dict[str, str]:
    """Return the versions of the installed peers."""
    found = {}
    for name, package in {"numba": "numba", "easyAI": "easyAI", "OpenSpiel": "open_spiel"}.items():
        try:
            found[name] = version(package)
        except PackageNotFoundError:
            continue
    return found


def report(measured: dict[str, Any]) -> dict[str, str]:
    """Return the blocks of the documents for *measured*."""
    rows: list[list[str]] = []
    for name in GAMES:
        cells = measured["cpu_seconds"][name]
        row = [name]
        for who in CONTENDERS:
            found = cells.get(who)
            time = found and found["seconds"]
            too_long = f"> {measured['limit']:g}"
            row.append("-" if found is None else too_long if time is None else f"{time:.2g}")
        rows.append(row)
    beside = ", ".join(f"{name} {number}" for name, number in measured["libraries"].items())
    puzzles = []
    for name in PUZZLES:
        compiled, plain = (measured["cpu_seconds"][name][who] for who in (COMPILED, PLAINLY))
        solved = (compiled or plain)["answer"]
        times = ("-" if found is None else f"{found['seconds']:.2g} s" for found in (compiled, plain))
        puzzles.append([name, str(solved["slides"]), f"{solved['tried']:,}", *times])
    texts = {
        "puzzles": table(["position", "slides needed", "slides tried", "compiled", "plain"], puzzles),
        "machine": (
            f"Medians of {measured['rounds']} on one core of {measured['machine']}, with {beside};\n"
            f"searches were stopped after {measured['limit']:g} s.\n"
        ),
        "games": table(["", *CONTENDERS], rows),
    }
    if measured["compiling"] is not None:
        texts["loading"] = (
            f"Compiling takes {measured['compiling']:.0f} s, once; each later process takes "
            f"{measured['loading']:.1f} s, the import of numba\nwith it, to load what was compiled.\n"
        )
    return texts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--json", action="store_true", help="one object on one line")
    parser.add_argument("--seconds", type=float, default=60, help="CPU seconds for each measurement")
    parser.add_argument("--rounds", type=int, default=3, help="number of measurements of a solved game")
    parser.add_argument("--write", action="store_true", help="save the results and write them into documents")
    parser.add_argument("--measure", nargs=2, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.measure:
        sys.setrecursionlimit(10_000)
        who, row = arguments.measure
        measure_here(who, row, arguments.seconds)
        return
    rounds = max(1, arguments.rounds)
    measured = {
        "machine": machine(),
        "libraries": versions(),
        "limit": arguments.seconds,
        "rounds": rounds,
        **measure_all(arguments.seconds, rounds),
    }
    print(json.dumps(measured) if arguments.json else "\n".join(report(measured).values()))
    if arguments.write:
        save_results("peers", measured)


if __name__ == "__main__":
    main()
