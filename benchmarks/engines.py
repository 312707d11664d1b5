"""Games of ``noughts engine`` against Gomocup engines that are installed on this machine.

    python -m benchmarks.engines --engine NAME=COMMAND --games 100 --write           noughts manages
    python -m benchmarks.engines --manager COMMAND --engine NAME=COMMAND --games 100 --write

COMMAND starts an installed program, with its arguments. NAME is its name in tables. ``--manager`` is the
command of c-gomoku-cli, which then manages the games and judges every line. Without it noughts manages them.
``docs/benchmarks.md`` links to the projects. Each opening, four stones near the middle, is played twice, with
sides changed. The manager waits forever for an engine that does not answer ``ABOUT``, so such an engine is
started by a shell script that answers.
"""

import argparse
import json
import math
import re
import select
import shlex
import shutil
import subprocess
import sys
import sysconfig
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from statistics import fmean, stdev
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.report import machine, save_results, saved_results, table
from benchmarks.tournament import openings
from noughts import Limit, new_game
from noughts.arena.events import Event
from noughts.arena.match import Match
from noughts.arena.runner import PlayerSeat
from noughts.arena.runner import run as run_match
from noughts.games.base import Move
from noughts.games.moves import cells_of
from noughts.workers.programs.bot_player import BotPlayer
from noughts.workers.programs.gomocup_driver import GomocupDriver
from noughts.workers.programs.program import MEBIBYTE, ProgramLimits, ProgramStart
from noughts.workers.protocols.gomocup import point_of

Result = dict[str, Any]
"""One match: the engine, the rule, and the ends of its games."""

RULES = {0: "gomoku", 1: "gomoku", 4: "renju"}
"""The games whose openings are used for a rule of the protocol."""

RULE_GAMES = {0: "gomoku", 1: "gomoku-standard", 4: "renju"}
"""The games that are played by a rule of the protocol."""

POINTS = {"win": 1.0, "draw": 0.5, "loss": 0.0}
"""The points of each result."""

SIZE = 15
START_SECONDS, MEMORY = 60.0, 1024 * MEBIBYTE
"""The limits of engines that noughts manages."""

OPENING_PLIES = 4
ABOUT_SECONDS = 10
"""The time after which an engine counts as one that does not answer ``ABOUT``, in seconds."""

FINISHED = re.compile(r"Finished game \d+ \((.+) vs (.+)\): ([\d/-]+) \{(.+)\}")
FAIR = re.compile(r"(Black|White) win by five connection|Draw by .+")
COMPLAINT = re.compile(r"engine (.+?) (timeout|crashed|output illegal|output error|exited)")


def command_of(text: str) -> list[str]:
    """Return the words of a command whose program is installed.

    Raises :class:`argparse.ArgumentTypeError` if there is no such program.
    """
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r}: {error}") from None
    program = shutil.which(words[0]) if words else None
    if program is None:
        raise argparse.ArgumentTypeError(f"{text!r}: no such program is installed")
    return [str(Path(program).absolute()), *words[1:]]  # The manager runs in another folder.


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


def write_openings(file: Path, rule: int, count: int, seed: int) -> None:
    """Write openings in the format of this manager: columns and rows from the middle of the board."""
    middle = SIZE // 2
    lines = []
    for moves in openings(RULES[rule], OPENING_PLIES, count, seed):
        points = [point_of(cell) for move in moves for cell in cells_of(move)]
        lines.append(", ".join(f"{x - middle},{y - middle}" for x, y in points))
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")


def play(name: str, engine: Sequence[str], folder: Path, options: argparse.Namespace) -> Result:
    """Let the manager play the match against the *engine* called *name*, and count the ends of games."""
    folder.mkdir()
    engine = engine if answers_about(engine) else answering(name, engine, folder)
    write_openings(folder / "openings.txt", options.rule, (options.games + 1) // 2, options.seed)
    ours = shlex.quote(str(Path(sysconfig.get_path("scripts")) / "noughts"))
    command: Sequence[str] = (
        *(*options.manager, "-each", f"tc=0/{options.seconds:g}", f"tolerance={options.tolerance:g}"),
        *(
            "-engine",
            "name=noughts",
            f"cmd={ours} engine",
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
        errors.open("w", encoding="utf-8") as told,
        subprocess.Popen(command, cwd=folder, text=True, stdout=subprocess.PIPE, stderr=told) as process,
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
        "engine": name,
        "manager": "c-gomoku-cli",
        "rule": options.rule,
        "seconds": options.seconds,
        "tolerance": options.tolerance,
        "games": len(games),
        "results": {end: results[end] for end in ("win", "draw", "loss")},
        "faults": dict(faults),
        "status": process.returncode,
        "complaints": complaints[:5],
        "took": round(time.monotonic() - begun),
    }


def manage(name: str, engine: Sequence[str], options: argparse.Namespace) -> Result:
    """Let both engines play the match as bots of noughts, and count the ends of games."""
    ours = (str(Path(sysconfig.get_path("scripts")) / "noughts"), "engine")
    players = {"noughts": _seated("noughts", ours), name: _seated(name, tuple(engine))}
    begun, results, faults = time.monotonic(), Counter[str](), Counter[str]()
    pairs: list[float] = []
    for moves in openings(RULES[options.rule], OPENING_PLIES, (options.games + 1) // 2, options.seed):
        points = []
        for seats in (("noughts", name), (name, "noughts")):
            if results.total() < options.games:
                result, reason = _play_one(moves, seats, players, options)
                results[result] += 1
                points.append(POINTS[result])
                faults.update(reason)
                print(results.total(), *seats, result, *reason, file=sys.stderr)
        pairs += [fmean(points)] if len(points) == 2 else []
    for player in players.values():
        player.close()
    return {
        "engine": name,
        "manager": "noughts",
        "rule": options.rule,
        "seconds": options.seconds,
        "tolerance": options.tolerance,
        "games": results.total(),
        "results": {end: results[end] for end in ("win", "draw", "loss")},
        "error": 1.96 * stdev(pairs) / math.sqrt(len(pairs)) if len(pairs) > 1 else None,
        "faults": dict(faults),
        "status": 0,
        "complaints": [],
        "took": round(time.monotonic() - begun),
    }


def _seated(name: str, command: tuple[str, ...]) -> BotPlayer:
    make = partial(GomocupDriver, memory=MEMORY)
    return BotPlayer(name, ProgramStart(command, ProgramLimits(memory=MEMORY)), make, START_SECONDS)


def _play_one(
    moves: Sequence[Move], seats: Sequence[str], players: Mapping[str, BotPlayer], options: argparse.Namespace
) -> tuple[str, list[str]]:
    """Return the result for noughts, and the reason if the game did not end on the board."""
    game, events = new_game(RULE_GAMES[options.rule]), list[Event]()
    for move in moves:
        game.play(move)
    limit = Limit(seconds=options.seconds)
    by_side = dict(zip(game.sides, seats, strict=True))
    asked = {side: PlayerSeat(players[name], limit, options.tolerance) for side, name in by_side.items()}
    outcome = run_match(Match(game), asked, on_event=events.append)
    if outcome is None or outcome.winner is None:
        return "draw", []
    end, winner = events[-1], by_side[outcome.winner]
    reason = [f"{by_side[end.side or '']}: {end.data['reason']}"] if "reason" in end.data else []
    return ("win" if winner == "noughts" else "loss"), reason


def report(matches: dict[str, Any]) -> dict[str, str]:
    """Return the blocks of the documents for these matches."""
    rows = [
        [
            *(row["engine"], row["manager"], str(row["rule"]), f"{row['seconds']:g} s"),
            *(f"{row['tolerance']:g} s", str(row["games"])),
            *(str(row["results"][end]) for end in POINTS),
            _score_of(row),
            str(_faults_of(row, "noughts", "unknown")),
            str(_faults_of(row, row["engine"])),
        ]
        for row in matches.get("matches", [])
    ]
    columns = (
        "against",
        "managed by",
        "rule",
        "a move",
        "tolerance",
        "games",
        "won",
        "drawn",
        "lost",
        "score",
        "our faults",
        "its faults",
    )
    if not rows:
        return {}
    return {"matches": f"{matches['machine']}.\n\n{table(columns, rows, texts=2)}"}


def _score_of(row: Result) -> str:
    """Return the score with the 95 % interval of the pairs of games with one opening, if it is known."""
    score = sum(POINTS[end] * row["results"][end] for end in POINTS) / row["games"]
    return f"{score:.2f}" + (f" ± {row['error']:.2f}" if row.get("error") is not None else "")


def _faults_of(row: Result, *names: str) -> int:
    return sum(count for fault, count in row["faults"].items() if fault.partition(":")[0] in names)


def _match_of(row: Result) -> tuple[str, ...]:
    return row["engine"], row["manager"], str(row["rule"]), str(row["seconds"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--manager", type=command_of, help="command of c-gomoku-cli (noughts manages)")
    parser.add_argument(
        "--engine", type=engine_of, action="append", required=True, help="NAME=COMMAND of an engine"
    )
    parser.add_argument("--games", type=int, default=100, help="number of games with each engine (100)")
    parser.add_argument(
        "--rule", type=int, choices=RULES, default=0, help="0 free, 1 exactly five, 4 renju (0)"
    )
    parser.add_argument("--seconds", type=float, default=0.2, help="seconds a move for each side (0.2)")
    parser.add_argument("--tolerance", type=float, default=3, help="seconds by which a move may be late (3)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the openings (1)")
    parser.add_argument("--json", action="store_true", help="one object on one line for each match")
    parser.add_argument("--write", action="store_true", help="save the results and write them into documents")
    options = parser.parse_args()
    if options.games < 1:
        parser.error("--games: at least one game is needed")
    rows = []
    with TemporaryDirectory() as place:
        folder = Path(place)
        for number, (name, engine) in enumerate(options.engine):
            if options.manager is None:
                match = manage(name, engine, options)
            else:
                match = play(name, engine, folder / str(number), options)
            rows.append(match)
            print(json.dumps(match) if options.json else match)
    if options.write:
        old = [
            row
            for row in saved_results("engines").get("matches", [])
            if all(_match_of(row) != _match_of(new) for new in rows)
        ]
        matches = sorted([*old, *rows], key=_match_of)
        save_results("engines", {"machine": machine(), "matches": matches})
    if any(_faults_of(row, "noughts", "unknown") or row["games"] < options.games for row in rows):
        sys.exit("Not every game was played, or not by us to its end.")


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        main()
