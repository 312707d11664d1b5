"""Values of families of boards, each with a certificate that two programs accept, and unsolved boards.

    uv run --group dev --extra fast python -m benchmarks.values --seconds 60 --write    for the documents
    uv run --group dev --extra fast python -m benchmarks.values --family misere         one family alone

Each board is solved by ``noughts solve`` in a process of its own, within a time that includes writing its
certificate. ``noughts verify`` and the second program then check it. If one of them refuses it, the search or
a checker is wrong: the sweep stops, saves nothing of the board and leaves its certificate behind. Results are
saved after each board, so that a sweep can be resumed. Unsolved boards are tried again with more seconds.
"""

import argparse
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from itertools import combinations_with_replacement, product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.report import ROOT, machine, save_results, saved_results, table

SECOND = ROOT / "examples" / "check_certificate.py"


def flat(widest: int, options: str = "", *, least: int = 3, most: int = 9, turned: bool = False) -> list[str]:
    """Return specs of flat boards with sides from *least* to *widest* and lines of *least* to *most* cells.

    If it matters which side is the width, *turned* boards are included.
    """
    sides = range(least, widest + 1)
    boards = product(sides, sides) if turned else combinations_with_replacement(sides, 2)
    return [
        f"{width}x{height}:{k}{options}"
        for height, width in sorted(boards, key=lambda board: (board[0] * board[1], board))
        for k in range(least, min(max(width, height), most) + 1)
    ]


def space(longest: int) -> list[str]:
    """Return specs of boards of three axes with sides from 2 to *longest* and lines of 3 cells and more."""
    boards = combinations_with_replacement(range(longest, 1, -1), 3)
    return [
        f"{a}x{b}x{c}:{k}"
        for a, b, c in sorted(boards, key=lambda board: board[0] * board[1] * board[2])
        for k in range(3, a + 1)
    ]


FAMILIES = {
    "flat": flat(9, least=4, most=6),
    "misere": flat(5, ",misere"),
    "torus": flat(6, ",wrap"),
    "cylinder": flat(5, ",wrap=x", turned=True),
    "torus-misere": flat(5, ",misere,wrap"),
    "gravity": flat(6, ",gravity", most=5, turned=True),
    "gravity-torus": flat(5, ",gravity,wrap=x", turned=True),
    "gravity-misere": flat(5, ",gravity,misere", turned=True),
    "wild": flat(5, ",wild"),
    "wild-misere": flat(5, ",misere,wild"),
    "wild-torus": flat(4, ",wrap,wild") + flat(4, ",misere,wrap,wild"),
    "notakto": flat(5, ",notakto"),
    "hexagons": flat(7, ",hex", most=5),
    "space": space(5),
}
"""The specs of each family, by the common part of the rules."""

UITERWIJK = "Uiterwijk and van den Herik 2000"
HSU = "Hsu and others 2020"
FRIEDMAN = "Friedman 2020"
TROMP = "Tromp"

ELSEWHERE = {
    "8x4:4": UITERWIJK,
    "9x4:4": "Charatsidis 2017",
    "7x7:5": HSU,
    "8x8:5": HSU,
    "4x4x4:4": "Patashnik 1980",
    "4x4:4": FRIEDMAN,
    **dict.fromkeys([f"{width}x{height}:4,gravity" for width, height in product((4, 5, 6), repeat=2)], TROMP),
    **dict.fromkeys([f"{spec},misere" for spec in ("3x3:3", "4x3:3", "4x3:4", "4x4:3", "4x4:4")], FRIEDMAN),
}
"""The known publications of the value of a board."""

BOUNDS = {"at_least": "the first side does not lose", "at_most": "the first side does not win"}
"""The bounds that may be proved without the value."""


def run(*arguments: str) -> dict[str, Any]:
    """Return the output of the command line for *arguments*."""
    command = [sys.executable, "-m", "noughts", *arguments, "--json"]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    output: dict[str, Any] = json.loads(done.stdout)
    return output


class RefusedError(Exception):
    """A certificate from the search is not accepted, or proves another value."""


def find(spec: str, seconds: float) -> dict[str, Any]:
    """Solve the board *spec* within *seconds*. Return the result, with the size of an accepted certificate.

    Raises :class:`RefusedError` if a program refuses the certificate, which is then in the current folder.
    """
    with TemporaryDirectory() as folder:
        file = Path(folder) / "certificate"
        found = run("solve", spec, "--limit-seconds", f"{seconds:g}", "--certificate", str(file))
        row = {"limit": seconds, "value": found["value"], "plies": found["plies"]}
        row |= {name: found[name] for name in BOUNDS if name in found}
        if found["certificate"]:
            check(spec, found["value"], file)
            text = file.read_bytes()
            row |= {"lines": text.count(b"\n"), "bytes": len(text)}
    return row


def check(spec: str, value: str, file: Path) -> None:
    """Let both programs check that the certificate in *file* proves *value* for *spec*."""
    first = run("verify", str(file))
    second = subprocess.run([sys.executable, SECOND, file], stdout=subprocess.PIPE, check=False)
    if not first["holds"] or first["value"] != value or second.returncode:
        kept = shutil.copy(file, f"refused-{spec.replace(':', '-')}.txt")
        raise RefusedError(f"{spec}, {value}: verify {first}, {SECOND.name} {second.stdout!r}; see {kept}")


def is_known(row: dict[str, Any]) -> bool:
    """Return True if the value is known, with or without a certificate."""
    return str(row["value"]) != "unknown"


def sweep(boards: dict[str, Any], specs: list[str], seconds: float) -> Iterator[dict[str, Any]]:
    """Yield the results of *boards* each time after one of *specs* is tried again."""
    for spec in specs:
        before = boards.get(spec)
        if before is None or ("lines" not in before and before["limit"] < seconds):
            found = find(spec, seconds)
            if before is not None and is_known(before) and not is_known(found):
                found = {**before, "limit": seconds}
            boards = {**boards, spec: found}
            print(spec, json.dumps(found), flush=True)
            yield boards


def report(measured: dict[str, Any]) -> dict[str, str]:
    """Return the blocks of the documents for *measured*."""
    if not measured:
        return {}
    boards = measured["boards"]
    texts = {
        "machine": f"Tried last on one core of {measured['machine']}; some values are older.\n",
        "count": count(boards),
    }
    for family, specs in FAMILIES.items():
        tried = {spec: boards[spec] for spec in specs if spec in boards}
        rows = [
            [f"`{spec}`", row["value"], ELSEWHERE.get(spec, ""), plies(row), *certificate(row)]
            for spec, row in tried.items()
            if is_known(row)
        ]
        columns = ("board", "value", "published", "plies", "certificate, lines", "kB")
        texts[family] = table(columns, rows, texts=3) + open_boards(tried)
    return texts


def count(boards: dict[str, Any]) -> str:
    """Return the number of boards with each value, in words."""
    proved = sum("lines" in row for row in boards.values())
    known = sum(map(is_known, boards.values()))
    return (
        f"Of {len(boards)} boards, {proved} have a value with a proof that both programs accepted. "
        f"{known - proved} have a value from the search alone, and {len(boards) - known} have none.\n"
    )


def plies(row: dict[str, Any]) -> str:
    """Return the distance to the end, if it is known."""
    return "" if row["plies"] is None else str(row["plies"])


def certificate(row: dict[str, Any]) -> tuple[str, str]:
    """Return the length of the certificate."""
    return (f"{row['lines']:,}", f"{row['bytes'] / 1000:,.0f}") if "lines" in row else ("search", "")


def open_boards(boards: dict[str, Any]) -> str:
    """Return the *boards* boards without a value, and their proved bounds."""
    said = []
    for spec, row in boards.items():
        if not is_known(row):
            known = [words for name, words in BOUNDS.items() if name in row]
            words = ", ".join([*known, f"{row['limit']:g} s"])
            said.append(f"`{spec}` ({words})")
    return f"\nNot reached: {', '.join(said)}.\n" if said else ""


def main() -> None:
    """Sweep, and print or save the results."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--seconds", type=float, default=10, help="for each board, with its certificate")
    parser.add_argument("--family", action="append", choices=FAMILIES, help="default: all")
    parser.add_argument("--write", action="store_true", help="save the results and write them into documents")
    arguments = parser.parse_args()
    specs = [spec for family in arguments.family or FAMILIES for spec in FAMILIES[family]]
    measured = saved_results("values") or {"boards": {}}
    for boards in sweep(measured["boards"], specs, arguments.seconds):
        measured = {"machine": machine(), "boards": boards}
        if arguments.write:
            save_results("values", measured)
    for text in report(measured).values():
        print(text)


if __name__ == "__main__":
    main()
