"""CPU seconds to solve a game, to write the certificate that proves it, and to check that by two programs.

    uv run --group dev --extra fast python -m benchmarks.certificates --write    for the documents

Everything runs in this process after the kernels have been loaded; both checks are plain Python.
"""

import argparse
import importlib.util
import io
import tempfile
import time
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

from benchmarks.report import keep, machine, table
from noughts import new_game
from noughts.certificates.verify import verify
from noughts.search.analyst import Analyst
from noughts.search.certifying.certify import certify
from noughts.search.compiled import best_machine

GAMES = {
    "5,5,4": "5x5:4",
    "6,5,4": "6x5:4",
    "6,6,4": "6x6:4",
    "6,6,5": "6x6:5",
    "7,6,5": "7x6:5",
    "8,6,5": "8x6:5",
    "7,7,5": "7x7:5",
    "8,7,5": "8x7:5",
}
"""Rows of the table, and what is solved."""

VALUES = {1: "first", 0: "draw", -1: "second"}

SECOND = Path(__file__).resolve().parent.parent / "examples" / "check_certificate.py"


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    """What *work* gives, and the CPU seconds that it takes."""
    start = time.process_time()
    found = work()
    return found, time.process_time() - start


def second_check() -> Callable[[str], int]:
    """The example that checks a file."""
    spec = importlib.util.spec_from_file_location("check_certificate", SECOND)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    checks: Callable[[str], int] = module.main
    return checks


def measure(spec: str) -> dict[str, Any]:
    """How long each step takes for one game, and how large its certificate is."""
    compiled, stream = best_machine(), io.StringIO()
    found, solving = timed(lambda: Analyst(machine=compiled).solve(new_game(spec)))
    value = VALUES[found.value]
    lines, writing = timed(lambda: certify(new_game(spec), value, stream, machine=compiled))
    data = stream.getvalue().encode()
    verdict, checking = timed(lambda: verify(io.BytesIO(data)))
    with tempfile.NamedTemporaryFile() as file, redirect_stdout(io.StringIO()):
        file.write(data)
        file.flush()
        status, again = timed(lambda: second_check()(file.name))
    assert verdict.holds
    assert status == 0
    seconds = {"solve": solving, "write": writing, "verify": checking, "second": again}
    return {"value": value, "lines": lines, "bytes": len(data), "seconds": seconds}


def report(measured: dict[str, Any]) -> dict[str, str]:
    """What documents state of what was *measured*."""
    if not measured:
        return {}
    rows = [
        [
            name,
            found["value"],
            f"{found['lines']:,}",
            f"{found['bytes'] / 1000:,.0f}",
            *(f"{found['seconds'][step]:.2g}" for step in ("solve", "write", "verify", "second")),
        ]
        for name, found in measured["games"].items()
    ]
    columns = ("", "value", "lines", "kB", "solve, s", "write, s", "verify, s", "second check, s")
    return {
        "machine": f"On one core of {measured['machine']}; compiled search, checks in Python.\n",
        "games": table(columns, rows, texts=2),
    }


def main() -> None:
    """Measure, and print or keep it."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--write", action="store_true", help="write the figures into the documents")
    arguments = parser.parse_args()
    for spec in ("2x2:2", "3x3:3", "4x3:3"):
        measure(spec)
    measured = {
        "machine": machine(),
        "games": {name: measure(spec) for name, spec in GAMES.items()},
    }
    if arguments.write:
        keep("certificates", measured)
    for text in report(measured).values():
        print(text)


if __name__ == "__main__":
    main()
