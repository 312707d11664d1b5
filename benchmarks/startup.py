"""The size and the start of the program: whole processes, compared with ``python -c pass``.

    uv run --group dev python -m benchmarks.startup
    uv run --group dev python -m benchmarks.startup --runs 5 --games 1000
    uv run --group dev python -m benchmarks.startup --write        save it, and write it into the documents

Rows are CPU seconds of a process and its children, medians of several runs in turn, after a warm-up.
``gallery`` is a real process in a pseudo-terminal of 100x30 until its first frame, ``serve`` one until it
prints its address. Both are then stopped. The installed packages are counted in a new environment, made with
README's first command. The large database is created first, which takes a minute or two. Windows has no
pseudo-terminals.
"""

import argparse
import os
import pty
import resource
import select
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

from tests.databases import ending, moves, seats

from benchmarks.report import machine, save_results, table
from noughts.arena.setup import Setup
from noughts.arena.store.database import open_database

ROOT = Path(__file__).parents[1]
PASS = "python -c pass"
PATIENCE_SECONDS = 60.0
LARGE = "from noughts import draw_text, new_game; game = new_game('100x100:5'); draw_text(game)"
LARGE_READY = LARGE.rpartition(";")[0] + "; import noughts.drawing.board_text"


def cpu_seconds() -> float:
    """Return the CPU time of all finished child processes, in seconds."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(arguments: list[str], environment: dict[str, str], typed: str = "") -> None:
    """Run Python with *arguments* from its start to its end."""
    subprocess.run(
        [sys.executable, *arguments],
        env=environment,
        input=typed,
        stdout=subprocess.DEVNULL,
        check=True,
        encoding="utf-8",
    )


def stop_after(sign: bytes, arguments: list[str], environment: dict[str, str]) -> None:
    """Run Python with *arguments* in a terminal until it has written *sign*, then stop it."""
    ours, theirs = pty.openpty()
    size = {"COLUMNS": "100", "LINES": "30", "TERM": "xterm-256color"}
    process = subprocess.Popen(
        [sys.executable, *arguments],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=environment | size,
        start_new_session=True,
    )
    os.close(theirs)
    written, end = b"", time.monotonic() + PATIENCE_SECONDS
    try:
        while sign not in written:
            if not select.select([ours], [], [], end - time.monotonic())[0]:
                raise TimeoutError(f"{arguments}: {written[-200:]!r}")
            written += os.read(ours, 65536)
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        os.close(ours)


def fill(path: Path, games: int) -> None:
    """Create the database *path* with a number of finished games."""
    with closing(open_database(f"sqlite:///{path}")) as store:
        for number in range(games):
            players = seats(f"Ada {number % 7}", f"Wei {number % 5}")
            game = store.add_game(Setup("tictactoe", players, created=number))
            store.append(game, [*moves(5), ending(6, ("X", "O", None)[number % 3])])


def installed(folder: Path) -> str:
    """Return the number and the size of the packages that README's first command installs."""
    environment = {**os.environ, "UV_PROJECT_ENVIRONMENT": str(folder / "environment")}
    environment.pop("VIRTUAL_ENV", None)
    uv = ["uv", "sync", "--quiet", "--frozen", "--no-editable"]
    subprocess.run(uv, cwd=ROOT, env=environment, check=True)
    files = [path for path in (folder / "environment").rglob("*") if path.is_file() and not path.is_symlink()]
    packages = [path for path in files if path.name == "METADATA"]
    return f"{len(packages)} packages, {sum(path.stat().st_size for path in files) / 1e6:.0f} MB"


def measures(folder: Path, games: int) -> dict[str, Callable[[], None]]:
    """Return the measurements by name."""
    environment = {**os.environ, "NOUGHTS_DB": str(folder / "games.db"), "XDG_CONFIG_HOME": str(folder)}
    many = environment | {"NOUGHTS_DB": str(folder / "many.db")}
    fill(folder / "many.db", games)

    def noughts(*arguments: str, typed: str = "", where: dict[str, str] = environment) -> Callable[[], None]:
        return partial(run, ["-m", "noughts", *arguments], where, typed)

    def until(sign: bytes, *arguments: str) -> Callable[[], None]:
        return partial(stop_after, sign, ["-m", "noughts", *arguments], environment)

    return {
        PASS: partial(run, ["-c", "pass"], environment),
        "import noughts": partial(run, ["-c", "import noughts"], environment),
        "noughts --help": noughts("--help"),
        "noughts games": noughts("games"),
        "noughts scores (no games yet)": noughts("scores"),
        "noughts play, a person through a pipe": noughts(
            *("play", "tictactoe", "--x", "human", "--o", "rule", "--seed", "1"), typed="5\nq\n"
        ),
        "noughts play, two computers": noughts("play", "tictactoe", "--x", "rule", "--o", "random"),
        "import textual.app": partial(run, ["-c", "import textual.app"], environment),
        "gallery until its first frame": until(b"\xe2\x94", "--lang", "en"),
        "serve until its address": until(b"http://", "serve", "--port", "0"),
        "a 100x100 board without its text": partial(run, ["-c", LARGE_READY], environment),
        "a 100x100 board and its text": partial(run, ["-c", LARGE], environment),
        f"noughts scores, {games:,} games": noughts("scores", where=many),
        f"noughts history, {games:,} games": noughts("history", where=many),
        "noughts history until its first page": partial(
            stop_after, b"---", ["-m", "noughts", "history"], many
        ),
    }


def report(measured: dict[str, Any]) -> dict[str, str]:
    """Return the blocks of the documents for *measured*."""
    bare = measured["cpu_seconds"][PASS]
    rows = [[name, f"{cpu:.3f}", f"{cpu / bare:.1f}"] for name, cpu in measured["cpu_seconds"].items()]
    return {
        "machine": f"One core of {measured['machine']}:\n",
        "installed": f"README's first command installs {measured['installed']}.\n",
        "commands": table(["process, until its end or as stated", "CPU seconds", "times bare Python"], rows),
    }


def main() -> None:
    """Measure everything in turn and print it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--games", type=int, default=10_000, help="number of games in the large database")
    parser.add_argument("--write", action="store_true", help="save the results and write them into documents")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        packages = installed(folder)
        rows = measures(folder, options.games)
        times: dict[str, list[float]] = {name: [] for name in rows}
        for _ in range(options.runs + 1):
            for name, measure in rows.items():
                before = cpu_seconds()
                measure()
                times[name].append(cpu_seconds() - before)
    medians = {name: round(statistics.median(seconds), 4) for name, (_, *seconds) in times.items()}
    measured = {"machine": machine(), "installed": packages, "cpu_seconds": medians}
    print("\n".join(report(measured).values()))
    if options.write:
        save_results("startup", measured)


if __name__ == "__main__":
    main()
