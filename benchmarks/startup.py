"""How long the program takes to start: whole processes, best and median of several, in turn.

    uv run --group dev python benchmarks/startup.py

Each row is one process from its start to its end; ``python -c pass`` is what Python itself takes.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time

RUNS = 9

COMMANDS = {
    "python -c pass": ["-c", "pass"],
    "import noughts": ["-c", "import noughts"],
    "noughts --help": ["-m", "noughts", "--help"],
    "noughts perft 3": ["-m", "noughts", "perft", "3"],
    "noughts games": ["-m", "noughts", "games"],
    "noughts play, two computers": ["-m", "noughts", "play", "tictactoe", "--x", "rule", "--o", "random"],
    "noughts scores (an empty database)": ["-m", "noughts", "scores"],
}


def measure(arguments: list[str], environment: dict[str, str]) -> float:
    """Seconds of wall time of one process."""
    start = time.perf_counter()
    subprocess.run([sys.executable, *arguments], env=environment, check=True, capture_output=True)
    return time.perf_counter() - start


def main() -> None:
    """Measure all commands in turn and print a table."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "NOUGHTS_DB": os.path.join(folder, "games.db")}
        times: dict[str, list[float]] = {name: [] for name in COMMANDS}
        for _ in range(RUNS + 1):
            for name, arguments in COMMANDS.items():
                times[name].append(measure(arguments, environment))
    print(f"{'command':<36} {'best':>8} {'median':>8}  (ms, {RUNS} runs after one to warm up)")
    for name, (_, *seconds) in times.items():
        print(f"{name:<36} {min(seconds) * 1000:8.0f} {statistics.median(seconds) * 1000:8.0f}")


if __name__ == "__main__":
    main()
