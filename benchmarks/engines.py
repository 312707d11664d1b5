"""Games of ``noughts engine`` against engines of others, judged line by line by c-gomoku-cli, their manager.

    python -m benchmarks.engines --manager c-gomoku-cli --engine rapfi --engine wine --games 100 --write
    python -m benchmarks.engines --manager c-gomoku-cli --engine rapfi --rule 4 --games 20

``--manager`` and ``--engine`` take folders of public sources (dhbloo/c-gomoku-cli, dhbloo/rapfi,
jinjiebang/wine), which are copied and built elsewhere: a C++ compiler, make and cmake are needed. Each
opening, four stones near the middle, is played twice, with seats changed. An engine that does not answer
``ABOUT`` is started by a line of shell that does, since this manager waits for that without end.
"""

import argparse
import json
import os
import re
import select
import shlex
import shutil
import subprocess
import sys
import sysconfig
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.report import keep, kept, machine, table
from benchmarks.tournament import openings
from noughts.games.moves import cells_of
from noughts.workers.protocols.gomocup import point_of

Found = dict[str, Any]
"""One match: who, by which rule, and how its games ended."""

RULES = {0: "gomoku", 1: "gomoku", 4: "renju"}
"""Which game the openings of a rule of the protocol are taken from."""

SIZE = 15
OPENING_PLIES = 4
ABOUT_SECONDS = 10
"""How long an engine may take to answer ``ABOUT`` before it is taken for one that never does."""

FINISHED = re.compile(r"Finished game \d+ \((.+) vs (.+)\): ([\d/-]+) \{(.+)\}")
FAIR = re.compile(r"(Black|White) win by five connection|Draw by .+")
COMPLAINT = re.compile(r"engine .* (timeout|crashed|output illegal|exited)")
UTF16 = (b"\xff\xfe", b"\xfe\xff")


def build(source: Path, target: Path) -> Path:
    """Build the program whose sources lie in *source*, in the new folder *target*; return its file."""
    shutil.copytree(source, target, ignore=shutil.ignore_patterns(".git"))
    for file in (*target.rglob("*.cpp"), *target.rglob("*.h")):
        if (content := file.read_bytes()).startswith(UTF16):
            file.write_text(content.decode("utf-16"), encoding="utf-8")
    main = min(target.rglob("main.cpp"), key=lambda file: len(file.parts))
    if (main.parent / "CMakeLists.txt").exists():
        run(
            "cmake",
            "-B",
            "build",
            "-DCMAKE_BUILD_TYPE=Release",
            "-DNO_COMMAND_MODULES=ON",
            folder=main.parent,
        )
        run("cmake", "--build", "build", "-j", str(os.cpu_count() or 1), folder=main.parent)
    elif (main.parent / "Makefile").exists():
        run("make", folder=main.parent)
    else:
        sources = sorted(file.name for file in main.parent.glob("*.cpp"))
        run("g++", "-O2", "-w", "-include", "cstring", "-o", source.name, *sources, folder=main.parent)
    programs = [file for file in main.parent.rglob("*") if is_program(file)]
    return max(programs, key=lambda file: file.stat().st_mtime)


def run(*command: str, folder: Path) -> None:
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def is_program(file: Path) -> bool:
    if not (file.is_file() and os.access(file, os.X_OK)):
        return False
    with file.open("rb") as content:
        return content.read(4) == b"\x7fELF"


def answers_about(program: Path) -> bool:
    """Whether the engine says anything when it is asked ``ABOUT``."""
    with subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"ABOUT\n")
        process.stdin.flush()
        answered, _, _ = select.select([process.stdout], [], [], ABOUT_SECONDS)
        process.kill()
    return bool(answered)


def answering(program: Path) -> Path:
    """A program that answers ``ABOUT``, which the manager says first, and then is *program*."""
    script = program.with_name(f"{program.name}.sh")
    name = shlex.quote(f'name="{program.name}"')
    script.write_text(
        f"#!/bin/sh\nread -r about\necho {name}\nexec {shlex.quote(str(program))}\n", encoding="utf-8"
    )
    script.chmod(0o755)
    return script


def write_openings(file: Path, rule: int, count: int, seed: int) -> None:
    """Openings as this manager reads them: columns and rows from the middle of the board."""
    middle = SIZE // 2
    lines = []
    for moves in openings(RULES[rule], OPENING_PLIES, count, seed):
        points = [point_of(cell) for move in moves for cell in cells_of(move)]
        lines.append(", ".join(f"{x - middle},{y - middle}" for x, y in points))
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")


def play(manager: Path, name: str, program: Path, folder: Path, options: argparse.Namespace) -> Found:
    """Let the *manager* play the match against the engine *name*, and count how its games end."""
    folder.mkdir()
    write_openings(folder / "openings.txt", options.rule, (options.games + 1) // 2, options.seed)
    ours = shlex.quote(str(Path(sysconfig.get_path("scripts")) / "noughts"))
    command: Sequence[str] = (
        *(str(manager), "-each", f"tc=0/{options.seconds:g}"),
        *("-engine", "name=noughts", f"cmd={ours} engine", "-engine", f"name={name}", f"cmd={program}"),
        *("-boardsize", str(SIZE), "-rule", str(options.rule), "-games", str(options.games), "-repeat"),
        *("-openings", "file=openings.txt", "order=sequential", "-log", "-fatalerror"),
    )
    begun = time.monotonic()
    lines = []
    with subprocess.Popen(
        command, cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            lines.append(line.rstrip())
            if "inished game" in line:
                print(line, end="", file=sys.stderr)
    games = [match.groups() for line in lines if (match := FINISHED.search(line))]
    results: Counter[str] = Counter()
    for first, _, score, _ in games:
        ends = {"1-0": "win", "0-1": "loss"} if first == "noughts" else {"1-0": "loss", "0-1": "win"}
        results[ends.get(score, "draw")] += 1
    faults = Counter(reason for *_, reason in games if not FAIR.fullmatch(reason))
    complaints = [line for line in lines if COMPLAINT.search(line)]
    return {
        "engine": name,
        "rule": options.rule,
        "seconds": options.seconds,
        "games": len(games),
        "results": {end: results[end] for end in ("win", "draw", "loss")},
        "faults": dict(faults),
        "status": process.returncode,
        "complaints": complaints[:5],
        "took": round(time.monotonic() - begun),
    }


def report(found: dict[str, Any]) -> dict[str, str]:
    """What documents state of these matches."""
    rows = [
        [
            *(row["engine"], str(row["rule"]), f"{row['seconds']:g} s", str(row["games"])),
            *(str(row["results"][end]) for end in ("win", "draw", "loss")),
            str(sum(row["faults"].values())),
        ]
        for row in found["matches"]
    ]
    columns = ("against", "rule", "a move", "games", "won", "drawn", "lost", "faults")
    return {"matches": f"{found['machine']}.\n\n{table(columns, rows)}"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--manager", type=Path, required=True, help="folder of the sources of c-gomoku-cli")
    parser.add_argument(
        "--engine", type=Path, action="append", required=True, help="folder of an engine's sources"
    )
    parser.add_argument("--games", type=int, default=100, help="how many games with each engine (100)")
    parser.add_argument(
        "--rule", type=int, choices=RULES, default=0, help="0 free, 1 exactly five, 4 renju (0)"
    )
    parser.add_argument("--seconds", type=float, default=0.2, help="seconds a move for each side (0.2)")
    parser.add_argument("--seed", type=int, default=1, help="chooses the openings (1)")
    parser.add_argument("--json", action="store_true", help="one object on one line for each match")
    parser.add_argument("--write", action="store_true", help="keep it, and write it into the documents")
    options = parser.parse_args()
    rows = []
    with TemporaryDirectory() as place:
        folder = Path(place)
        manager = build(options.manager, folder / "manager")
        for source in options.engine:
            program = build(source, folder / source.name)
            if not answers_about(program):
                program = answering(program)
            found = play(manager, source.name, program, folder / f"games of {source.name}", options)
            rows.append(found)
            print(json.dumps(found) if options.json else found)
    if options.write:
        old = [
            row
            for row in kept("engines").get("matches", [])
            if all((row["engine"], row["rule"]) != (new["engine"], new["rule"]) for new in rows)
        ]
        matches = sorted([*old, *rows], key=lambda row: (row["engine"], row["rule"]))
        keep("engines", {"machine": machine(), "matches": matches})
    if any(row["faults"] or row["status"] or row["games"] < options.games for row in rows):
        sys.exit("Not every game was played to its end.")


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        main()
