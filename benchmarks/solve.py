"""CPU seconds to solve a game, to write its certificate, and to check that with two programs.

    uv run --group dev --extra fast python -m benchmarks.solve --write               for the documents
    uv run --group dev --extra fast python -m benchmarks.solve 8,4,4 "Connect Four 7x6"
    uv run --group dev --extra fast python -m benchmarks.solve 8,8,5 --unchecked     to check it takes hours

Each row is a process of its own that solves from the empty board, after the kernels have been loaded. Both
checks are plain Python. Named rows are measured. With ``--write`` the saved results of the others stay.
"""

import argparse
import importlib.util
import io
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.report import ROOT, machine, save_results, saved_results, table
from noughts import new_game
from noughts.certificates.verify import verify
from noughts.proofs.writer.certify import certify
from noughts.search.analysis import Limit, Progress
from noughts.search.analyst import Analyst
from noughts.search.numba_backend import best_machine


class Row(NamedTuple):
    """A game to solve, its value, and if a certificate is written, since some would be too long.

    If the value is known long before its distance, the search stops after ``nodes``.
    """

    spec: str
    value: str
    is_proved: bool = True
    nodes: int | None = None


ROWS = {
    "5,5,4": Row("5x5:4", "draw"),
    "6,5,4": Row("6x5:4", "first"),
    "6,6,4": Row("6x6:4", "first"),
    "6,6,5": Row("6x6:5", "draw"),
    "7,6,5": Row("7x6:5", "draw"),
    "8,4,4": Row("8x4:4", "draw"),
    "8,6,5": Row("8x6:5", "draw"),
    "7,7,5": Row("7x7:5", "draw"),
    "8,7,5": Row("8x7:5", "draw"),
    "8,8,5": Row("8x8:5", "draw"),
    "Misère 3x3x3": Row("3x3x3:3,misere", "first", nodes=1 << 20),
    "Wild misère 4,4,3": Row("4x4:3,misere,wild", "second", is_proved=False),
    "Wild misère torus 4,4,4": Row("4x4:4,misere,wrap,wild", "draw", is_proved=False),
    "Connect Four 6x5": Row("6x5:4,gravity", "draw", is_proved=False),
    "Connect Four 8x4": Row("8x4:4,gravity", "second", is_proved=False),
    "Connect Four 6x6": Row("6x6:4,gravity", "second", is_proved=False),
    "Connect Four 7x6": Row("7x6:4,gravity", "first", is_proved=False),
    "Qubic": Row("4x4x4:4", "first"),
}
"""The games to solve, by their names in the table."""

VALUES = {1: "first", 0: "draw", -1: "second"}

STEPS = ("value", "solve", "write", "verify", "second")

SECOND = ROOT / "examples" / "check_certificate.py"


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    """Return the result of *work*, and its CPU seconds."""
    start = time.process_time()
    result = work()
    return result, time.process_time() - start


def second_check() -> Callable[[str], int]:
    """Return the example program that checks a file."""
    spec = importlib.util.spec_from_file_location("check_certificate", SECOND)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    checks: Callable[[str], int] = module.main
    return checks


def measure_here(row: Row, *, is_checked: bool = True) -> dict[str, Any]:
    """Measure each step for one game, the size of its certificate, and the maximum memory.

    With gravity the value is known before its distance. That time is measured separately.
    """
    compiled = best_machine()
    game, analyst, marks = new_game(row.spec), Analyst(machine=compiled), []

    def tell(progress: Progress) -> None:
        if progress.question is not None and not progress.question.depth:
            marks.append((progress.nodes, time.process_time()))

    analyst.report = tell
    analyst.search_alone()
    start = time.process_time()
    found, solving = timed(lambda: analyst.solve(game, Limit(nodes=row.nodes)))
    value, seconds = VALUES[found.value], {"solve": solving}
    told = {"value": value, "plies": found.plies, "nodes": found.nodes, "seconds": seconds}
    if "gravity" in game.facts and found.plies is not None:
        told["value_nodes"], end = marks[-1]
        seconds["value"] = end - start
    if row.is_proved:
        with tempfile.NamedTemporaryFile("w+", encoding="ascii") as file, redirect_stdout(io.StringIO()):
            search = analyst.exact_search(game)
            told["lines"], seconds["write"] = timed(
                lambda: certify(game, value, file, machine=compiled, exact=search)
            )
            file.flush()
            told["bytes"] = Path(file.name).stat().st_size
            if is_checked:
                with open(file.name, "rb") as stream:
                    verdict, seconds["verify"] = timed(lambda: verify(stream))
                status, seconds["second"] = timed(lambda: second_check()(file.name))
                assert verdict.holds
                assert status == 0
    return {**told, "megabytes": peak_megabytes()}


def peak_megabytes() -> float | None:
    """Return the maximum memory of this process, if the system reports it."""
    try:
        import resource
    except ImportError:
        return None
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000


def measure(name: str, *options: str) -> dict[str, Any]:
    """Measure in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.solve", "--measure", name, *options]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    print(name, done.stdout.splitlines()[-1], flush=True)
    assert found["value"] == ROWS[name].value
    return found


def load_kernels() -> None:
    """Load the compiled code before the measurement."""
    for spec in (
        "2x2:2",
        "3x3:3",
        "4x3:3",
        "4x4:4,gravity",
        "4x4x3:4",
        "6x6:4",
        "3x3:3,misere",
        "3x3:3,wild",
    ):
        measure_here(Row(spec, ""))


def report(measured: dict[str, Any]) -> dict[str, str]:
    """Return the blocks of the documents for *measured*."""
    if not measured:
        return {}
    rows = []
    for name in (name for name in ROWS if name in measured["games"]):
        found = measured["games"][name]
        sizes = (f"{found['lines']:,}", f"{found['bytes'] / 1000:,.0f}") if "lines" in found else ("", "")
        seconds = (found["seconds"].get(step) for step in STEPS)
        times = ("" if time is None else f"{time:.2g}" if time < 100 else f"{time:.0f}" for time in seconds)
        plies = "" if found["plies"] is None else str(found["plies"])
        nodes = (f"{found[of]:,}" if of in found else "" for of in ("value_nodes", "nodes"))
        rows.append([name, found["value"], plies, *nodes, *sizes, *times, f"{found['megabytes']:,.0f}"])
    seconds_of = ("value, s", "solve, s", "write, s", "verify, s", "second check, s")
    columns = ("", "value", "plies", "nodes for the value", "nodes", "lines", "kB", *seconds_of, "MB")
    return {
        "machine": f"On one core of {measured['machine']}; compiled search, checks in Python.\n",
        "games": table(columns, rows, texts=2),
    }


def main() -> None:
    """Measure, and print or save the results."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("rows", nargs="*", metavar="ROW", help="default: all")
    parser.add_argument("--write", action="store_true", help="write the figures into the documents")
    parser.add_argument("--unchecked", action="store_true", help="do not check the certificates")
    parser.add_argument("--measure", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.measure:
        load_kernels()
        print(json.dumps(measure_here(ROWS[arguments.measure], is_checked=not arguments.unchecked)))
        return
    before = saved_results("solve").get("games", {}) if arguments.rows else {}
    options = ["--unchecked"] if arguments.unchecked else []
    games = {**before, **{name: measure(name, *options) for name in arguments.rows or ROWS}}
    measured = {"machine": machine(), "games": games}
    if arguments.write:
        save_results("solve", measured)
    for text in report(measured).values():
        print(text)


if __name__ == "__main__":
    main()
