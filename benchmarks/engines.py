"""Games of ``noughts engine`` against Gomocup engines that are installed on this machine.

    python -m benchmarks.engines --engine NAME=COMMAND --games 200 --write           noughts manages
    python -m benchmarks.engines --engine NAME=COMMAND --its-nodes 10000 --write     the other side has nodes
    python -m benchmarks.engines --noughts "OLD/.venv/bin/noughts engine" --engine NAME=COMMAND
    python -m benchmarks.engines --manager COMMAND --engine NAME=COMMAND --games 100 --write

COMMAND starts an installed program, with its arguments. NAME is its name in tables. ``--noughts`` is the
command of another version of our engine. ``--manager`` is the command of c-gomoku-cli, which then manages the
games and judges every line. Without it noughts manages them, and measures the processor time of both sides.
``docs/engine-strength.md`` links to the projects.

Each opening is played twice, with sides changed. The published openings of Gomocup come first. Then random
ones follow that the search considers even. c-gomoku-cli waits forever for an engine that does not answer
``ABOUT``, so such an engine is started by a shell script that answers.

A time limit is one of the wall clock, so the load of the machine matters. It is saved with the result. With
``--cpu`` our engine counts processor time instead, and so must the program of COMMAND. Then no move is late.
"""

import argparse
import json
import os
import re
import select
import shlex
import subprocess
import sys
import sysconfig
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from math import log
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.engine_games import (
    SIZE,
    Contestant,
    EngineMatch,
    PlayedPair,
    Table,
    add_match_options,
    chosen_openings,
    command_of,
    counting_cpu,
    elo_text,
    limit_text,
    offsets,
    play_match,
    score_text,
    version_of,
)
from benchmarks.report import machine, save_results, saved_results, table
from noughts.arena.tournament.elo import Meeting, rate
from noughts.arena.tournament.scores import Results

Result = dict[str, Any]
"""One match: both engines, their limits, the rule, and the ends of its games."""

POINTS = {"win": 1.0, "draw": 0.5, "loss": 0.0}
"""The points of each result."""

RATED, RATING = "wine-2018", 1853
"""An engine and its rating on Gomocup's list of 15x15 boards, on which ours are estimated."""

ABOUT_SECONDS = 10
"""The time after which an engine counts as one that does not answer ``ABOUT``, in seconds."""

FINISHED = re.compile(r"Finished game \d+ \((.+) vs (.+)\): ([\d/-]+) \{(.+)\}")
FAIR = re.compile(r"(Black|White) win by five connection|Draw by .+")
COMPLAINT = re.compile(r"engine (.+?) (timeout|crashed|output illegal|output error|exited)")


def our_engine() -> list[str]:
    """Return the command of the engine of this environment."""
    return [str(Path(sysconfig.get_path("scripts")) / "noughts"), "engine"]


def engine_of(text: str) -> tuple[str, list[str]]:
    """Return the name and the command in ``NAME=COMMAND``."""
    name, equals, command = text.partition("=")
    if not (name and equals):
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=COMMAND")
    if name == "noughts":
        raise argparse.ArgumentTypeError("noughts is the name of our own engine: choose another one")
    return name, command_of(command)


def answers_about(command: Sequence[str]) -> bool:
    """Return True if the engine answers ``ABOUT``."""
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"ABOUT\n")
        process.stdin.flush()
        answered, _, _ = select.select([process.stdout], [], [], ABOUT_SECONDS)
        process.kill()
    return bool(answered)


def answering(name: str, command: Sequence[str], folder: Path) -> list[str]:
    """Return the command of a script that answers ``ABOUT`` and then becomes *command*.

    The manager sends ``ABOUT`` first. The script is written into *folder*.
    """
    script = folder / "answering.sh"
    about = shlex.quote(f'name="{name}"')
    script.write_text(
        f"#!/bin/sh\nread -r about\necho {about}\nexec {shlex.join(command)}\n", encoding="utf-8"
    )
    script.chmod(0o755)
    return [str(script)]


def _setting(name: str, options: argparse.Namespace) -> Result:
    """Return the facts of the match against the engine called *name*."""
    return {
        "engine": name,
        "manager": "noughts" if options.manager is None else "c-gomoku-cli",
        "version": version_of(options.noughts),
        "rule": options.rule,
        "seconds": options.seconds,
        "clock": "cpu" if options.cpu else "wall",
        "nodes": options.nodes,
        "its_nodes": options.its_nodes,
        "its_seconds": options.its_seconds,
        "tolerance": options.tolerance,
        "openings": options.openings,
    }


def _openings(options: argparse.Namespace) -> Iterable[Sequence[Any]]:
    return chosen_openings(options, (options.games + 1) // 2)


def play(name: str, engine: Sequence[str], folder: Path, options: argparse.Namespace) -> Result:
    """Let the manager play the match against the *engine* called *name*, and count the ends of games."""
    folder.mkdir()
    engine = engine if answers_about(engine) else answering(name, engine, folder)
    openings = "".join(f"{offsets(moves)}\n" for moves in _openings(options))
    (folder / "openings.txt").write_text(openings, encoding="utf-8")
    command: Sequence[str] = (
        *(*options.manager, "-each", f"tc=0/{options.seconds:g}", f"tolerance={options.tolerance:g}"),
        *(
            "-engine",
            "name=noughts",
            f"cmd={shlex.join(options.noughts)}",
            "-engine",
            f"name={name}",
            f"cmd={shlex.join(engine)}",
        ),
        *("-boardsize", str(SIZE), "-rule", str(options.rule), "-games", str(options.games), "-repeat"),
        *("-openings", "file=openings.txt", "order=sequential"),
    )
    begun = time.monotonic()
    lines = []
    errors = folder / "errors.txt"
    with (
        errors.open("w", encoding="utf-8") as stderr,
        subprocess.Popen(command, cwd=folder, text=True, stdout=subprocess.PIPE, stderr=stderr) as process,
    ):
        assert process.stdout is not None
        for line in process.stdout:
            lines.append(line.rstrip())
            if "Finished game" in line:
                print(line, end="", file=sys.stderr)
    lines += errors.read_text(encoding="utf-8", errors="replace").splitlines()
    games = [match.groups() for line in lines if (match := FINISHED.search(line))]
    results: Counter[str] = Counter()
    for first, _, score, _ in games:
        ends = {"1-0": "win", "0-1": "loss"} if first == "noughts" else {"1-0": "loss", "0-1": "win"}
        results[ends.get(score, "draw")] += 1
    complaints = [line for line in lines if COMPLAINT.search(line)]
    if process.returncode and not complaints:
        complaints = lines[-5:]
    # A line on the way names the fault; if an engine does not start, the end of the game names it.
    faults = Counter(f"{found[1]}: {found[2]}" for line in complaints if (found := COMPLAINT.search(line)))
    unfair = sum(not FAIR.fullmatch(reason) for *_, reason in games)
    if unfair > faults.total():
        faults["unknown: games that did not end on the board"] = unfair - faults.total()
    return {
        **_setting(name, options),
        "games": len(games),
        "results": {end: results[end] for end in ("win", "draw", "loss")},
        "faults": dict(faults),
        "status": process.returncode,
        "complaints": complaints[:5],
        "took": round(time.monotonic() - begun),
    }


def manage(name: str, engine: Sequence[str], options: argparse.Namespace) -> Result:
    """Let both engines play the match as bots of noughts, and count the ends of games."""
    begun, load = time.monotonic(), os.getloadavg()[0]
    match = EngineMatch(_setting(name, options), file=options.file)

    def make() -> Table:
        its_seconds, its_nodes = options.seconds, options.nodes
        if options.its_nodes is not None or options.its_seconds is not None:
            its_seconds, its_nodes = options.its_seconds, options.its_nodes
        command = counting_cpu(options.noughts) if options.cpu else options.noughts
        is_clocked = not options.cpu
        ours = Contestant("noughts", command, options.seconds, options.nodes, is_clocked, debug_is_fault=True)
        return ours, Contestant(name, engine, its_seconds, its_nodes, is_clocked)

    def show(pair: PlayedPair) -> None:
        counts = match.results.counts
        print(pair.number, *pair.points, score_text(counts), *pair.faults, file=sys.stderr, flush=True)

    play_match(
        *(match, make, options.rule, _openings(options)),
        jobs=options.jobs,
        tolerance=options.tolerance,
        on_pair=show,
    )
    summary = match.summary()
    del summary["log_ratio"], summary["decision"]
    return {
        **summary,
        "games": 2 * sum(summary["pairs"]),
        "load": [round(load, 1), round(os.getloadavg()[0], 1)],
        "took": round(time.monotonic() - begun),
    }


COLUMNS = (
    *("version", "against", "managed by", "rule", "a move", "openings", "games", "score", "Elo"),
    *("CPU ms a move", "load", "our faults", "its faults"),
)


def report(matches: dict[str, Any]) -> dict[str, str]:
    """Return the blocks of the documents for these matches."""
    found = matches.get("matches", [])
    if not found:
        return {}
    blocks = {"matches": f"{matches['machine']}.\n\n{table(COLUMNS, [_row(row) for row in found], texts=3)}"}
    if any(row["engine"] == RATED for row in _rated(found)):
        blocks["ladder"] = _ladder(found)
    return blocks


def _row(row: Result) -> list[str]:
    pairs, cpu, load = row.get("pairs"), row.get("cpu_ms"), row.get("load")
    points = sum(POINTS[end] * count for end, count in row.get("results", {}).items())
    return [
        *(row["version"], row["engine"], row["manager"], str(row["rule"]), _limits(row), row["openings"]),
        str(row["games"]),
        score_text(pairs) if pairs else f"{points / row['games']:.3f}" + _error_text(row),
        elo_text(pairs) if pairs else "-",
        " / ".join(f"{ms:g}" for ms in cpu) if cpu else "-",
        " to ".join(f"{one:g}" for one in load) if load else "-",
        str(_faults_of(row, "noughts", "unknown")),
        str(_faults_of(row, row["engine"])),
    ]


def _error_text(row: Result) -> str:
    return f" ± {row['error']:.3f}" if row.get("error") else ""


def _limits(row: Result) -> str:
    ours, its = _our_limit(row), _its_limit(row)
    return ours if ours == its else f"{ours} / {its}"


def _our_limit(row: Result) -> str:
    return limit_text(row["seconds"], row["nodes"], row["clock"])


def _its_limit(row: Result) -> str:
    if row["its_nodes"] is None and row["its_seconds"] is None:
        return _our_limit(row)
    return limit_text(row["its_seconds"], row["its_nodes"], row["clock"])


def _rated(matches: Iterable[Result]) -> list[Result]:
    """Return the matches without restrictions on lines that were counted by pairs."""
    return [row for row in matches if row["rule"] == 0 and row.get("pairs")]


def _ladder(matches: Iterable[Result]) -> str:
    """Return the table of ratings of all engines, with their limits, on the scale of the rated engine.

    It has its rating with the limit at which both sides used the most equal processor time. Engines that no
    chain of matches connects with it are skipped.
    """
    meetings, anchors = [], []
    for row in _rated(matches):
        results = Results(tuple(row["pairs"]))
        ours = f"noughts {row['version']}, {_our_limit(row)}"
        its = f"{row['engine']}, {_its_limit(row)}"
        meetings.append(Meeting(ours, its, results.games, results.score * results.games, results))
        if row["engine"] == RATED:
            anchors.append((abs(log(row["cpu_ms"][0] / row["cpu_ms"][1])), its))
    anchor = min(anchors)[1]
    ratings = rate(meetings, anchor)
    games = {name: sum(one.games for one in meetings if name in (one.first, one.second)) for name in ratings}
    rated = {name: rating for name, rating in ratings.items() if rating is not None}
    rows = [
        [
            name,
            f"{games[name]:.0f}",
            f"{RATING + rating.elo:.0f}",
            "fixed" if name == anchor else f"{rating.error:.0f}",
        ]
        for name, rating in sorted(rated.items(), key=lambda pair: -pair[1].elo)
    ]
    return table(("engine and limit", "games", "rating", "±"), rows)


def _faults_of(row: Result, *names: str) -> int:
    return sum(count for fault, count in row["faults"].items() if fault.partition(":")[0] in names)


def _match_of(row: Result) -> tuple[str, ...]:
    keys = (
        "engine",
        "rule",
        "manager",
        "seconds",
        "clock",
        "nodes",
        "its_seconds",
        "its_nodes",
        "openings",
        "version",
    )
    return tuple(str(row[key]) for key in keys)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--manager", type=command_of, help="command of c-gomoku-cli (noughts manages)")
    parser.add_argument(
        "--engine", type=engine_of, action="append", required=True, help="NAME=COMMAND of an engine"
    )
    parser.add_argument(
        "--noughts", type=command_of, default=our_engine(), help="command of our engine (this environment's)"
    )
    parser.add_argument("--games", type=int, default=100, help="number of games with each engine (100)")
    parser.add_argument("--seconds", type=float, default=0.2, help="seconds a move for each side (0.2)")
    parser.add_argument("--nodes", type=int, help="nodes a move for each side instead of seconds")
    parser.add_argument("--its-seconds", type=float, help="seconds a move for the other side only")
    parser.add_argument("--its-nodes", type=int, help="nodes a move for the other side only")
    parser.add_argument("--tolerance", type=float, default=3, help="seconds by which a move may be late (3)")
    parser.add_argument("--json", action="store_true", help="one object on one line for each match")
    add_match_options(parser)
    options = parser.parse_args()
    if options.games < 1:
        parser.error("--games: at least one game is needed")
    if options.file is not None and (len(options.engine) > 1 or options.manager is not None):
        parser.error("--file is for one engine, and noughts as the manager")
    if options.cpu and options.manager is not None:
        parser.error("--cpu is for noughts as the manager")
    if options.nodes is not None:
        options.seconds = None
    rows = []
    with TemporaryDirectory() as place:
        folder = Path(place)
        for number, (name, engine) in enumerate(options.engine):
            if options.manager is None:
                match = manage(name, engine, options)
            else:
                match = play(name, engine, folder / str(number), options)
            rows.append(match)
            print(json.dumps(match) if options.json else match, flush=True)
            if options.write:
                _save(match)
    if any(_faults_of(row, "noughts", "unknown") or row["games"] < options.games for row in rows):
        sys.exit("Not every game was played, or not by us to its end.")


def _save(match: Result) -> None:
    """Save *match* in the place of an earlier one with the same engines and limits."""
    kept = [row for row in saved_results("engines").get("matches", []) if _match_of(row) != _match_of(match)]
    matches = sorted([*kept, match], key=_match_of)
    save_results("engines", {"machine": machine(), "matches": matches})


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        main()
