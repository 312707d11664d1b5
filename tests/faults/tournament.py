"""Kill the processes of a tournament, many times: ``python -m tests.faults.tournament --times 200``.

At random instants the program that runs it, a worker, or the program of a bot is killed, or frozen and
thawed. The tournament is resumed by ``--resume``. After each run every pairing counts once, each game is
legal, the table equals a recount, and no process is left. In the end all games are those of an undisturbed
tournament, except those that a bot lost when it was killed.

With ``--cluster`` four Dask workers play instead, and one of them is killed again and again.
"""

import argparse
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from noughts.arena.events import EventKind
from noughts.arena.store.database import Database, open_database
from noughts.arena.stored_game import StoredGame
from noughts.arena.tournament.plan_file import read_plan
from noughts.arena.tournament.play import play_game
from noughts.arena.tournament.repository import Tournaments
from noughts.arena.tournament.tournament_runner import Tournament
from noughts.workers import worker_main
from noughts.workers.programs.bot_list import Bot, bots_file, save_bots
from tests.databases import new_file, url_of

PLAN = """
[tournament]
games = ["5x5:4"]
pairs = {pairs}
seed = {seed}
concurrency = 2
openings = "lines.txt"
symmetries = true

[[players]]
who = "rule"

[[players]]
who = "random"

[[players]]
name = "Bot"
who = "bot:first"
"""

LINES = "13 7\n12 8 14\n1 2 3 4\n"

BOT = """
import sys, time
taken = []
for line in sys.stdin:
    word, *rest = line.split()
    if word == "noughts": print("ready 1", flush=True)
    elif word == "quit": break
    elif word == "go": time.sleep(0.02); print("move", rest[0], min({*range(1, 26)} - {*taken}), flush=True)
    else:
        if word == "position": taken = [int(move) for move in rest[2:]]
        print("ok", flush=True)
"""

PATIENCE = 60.0
"""Seconds after which a process counts as hanging."""

WORKERS = 4
"""The number of workers of a cluster."""

CLUSTER_PATIENCE = 600.0
"""Seconds that a cluster may need for the missing games after the last worker was killed."""

UNUSABLE = 2
"""The exit status of a program that cannot begin."""

GONE_SECONDS = 10.0
"""Seconds in which started processes must end after their parent was killed, on a busy machine."""

PAUSE = 0.2
"""The maximum number of seconds between two faults."""

Process = subprocess.Popen[bytes]

EARLY = 0.2
"""The probability that the first fault comes before any game."""

LOOK_SECONDS = 0.02

HARMS = ("hold", "worker", "bot", "freeze")
"""The kinds of faults: the program, a worker or a bot is killed, or one of them is frozen.

Each fault waits until its victim exists. Otherwise the program would usually be killed while its processes
start, and bots, which live for one game, almost never.
"""


@dataclass
class Report:
    """The numbers of faults, runs and games."""

    harms: Counter[str] = field(default_factory=Counter)
    runs: int = 0
    games: int = 0
    crashes: int = 0

    @property
    def kills(self) -> int:
        """Return the number of faults that were kills."""
        return self.harms.total() - self.harms["freeze"]

    def told(self) -> str:
        harms = ", ".join(f"{count} {name}" for name, count in sorted(self.harms.items()))
        return f"{harms}; {self.runs} runs, {self.games} games, {self.crashes} lost by killed bots"


def parents() -> dict[int, tuple[int, str]]:
    """Return the parent and the command line of every process."""
    result = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, IndexError):
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            if fields[0] not in "ZX":
                command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                result[int(folder.name)] = (int(fields[1]), command)
    return result


def descendants(of: int) -> dict[int, str]:
    """Return the command lines of all descendants of the process *of*."""
    known, result, waiting = parents(), dict[int, str](), [of]
    while waiting:
        parent = waiting.pop()
        new = {pid: command for pid, (above, command) in known.items() if above == parent}
        result |= new
        waiting += new
    return result


class TournamentTrial:
    """A tournament on a file, and the program that runs it."""

    def __init__(self, folder: Path, seed: int, pairs: int) -> None:
        self.plan_file = folder / f"plan-{seed}.toml"
        self.plan_file.write_text(PLAN.format(pairs=pairs, seed=seed))
        (folder / "lines.txt").write_text(LINES)
        script = folder / "first.py"
        script.write_text(BOT)
        self.environment = {**os.environ, "XDG_CONFIG_HOME": str(folder), "NOUGHTS_PLAIN": "1"}
        path = bots_file(self.environment)
        save_bots({"first": Bot("first", (sys.executable, "-IS", str(script)), trust=True)}, path)
        self.plan = read_plan(self.plan_file).plan
        self.database = new_file(folder / f"games-{seed}.db")
        self.program: subprocess.Popen[str] | None = None
        self.started: dict[int, str] = {}
        """The command lines of all processes that the program has started."""
        self.has_worked = False
        """True once workers have been seen."""

    def start(self, *options: str) -> None:
        """Run it, or resume it."""
        self.started.clear()
        command = [sys.executable, "-m", "noughts", "tournament", str(self.plan_file), "--resume", "--json"]
        self.program = subprocess.Popen(
            [*command, "--db", url_of(self.database), *options],
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def victims(self, harm: str) -> list[int]:
        """Return the possible victims of *harm*."""
        assert self.program is not None
        running = descendants(self.program.pid)
        self.started |= running
        workers = [pid for pid, command in running.items() if worker_main.__name__ in command]
        self.has_worked = self.has_worked or bool(workers)
        bots = [pid for pid, command in running.items() if "first.py" in command]
        return {
            "hold": [self.program.pid],
            "worker": workers,
            "bot": bots,
            "freeze": [*workers, *bots, self.program.pid],
        }[harm]

    def harm(self, harm: str, chance: Random) -> bool:
        """Do *harm* at some instant after a victim exists. Return True if it still existed then."""
        assert self.program is not None
        while self.program.poll() is None and not self.victims(harm):
            time.sleep(LOOK_SECONDS)
        time.sleep(chance.uniform(0, PAUSE))
        victims = self.victims(harm)
        if self.program.poll() is not None or not victims:
            return False
        victim = chance.choice(victims)
        with suppress(ProcessLookupError):
            os.kill(victim, signal.SIGSTOP if harm == "freeze" else signal.SIGKILL)
            if harm == "freeze":
                time.sleep(chance.uniform(0, PAUSE))
                os.kill(victim, signal.SIGCONT)
        return True

    def end(self, patience: float = PATIENCE) -> dict[str, Any] | None:
        """Return the output of the program if it ends by itself, or None."""
        assert self.program is not None
        output, errors = self.program.communicate(timeout=patience)
        if self.program.returncode == -signal.SIGKILL:
            return None
        # The bot was killed at its trial, or one game's worker repeatedly: the program reports that, and
        # ends.
        if self.program.returncode == UNUSABLE and re.search("bot:first|exit status -9", errors):
            return None
        assert self.program.returncode == 0, errors
        received: dict[str, Any] = json.loads(output)
        return received

    def audit(self) -> Tournament | None:
        """Return the saved games after an independent count, or None if the tournament was never begun."""
        with closing(open_database(url_of(self.database))) as database:
            result = Tournament.find(self.plan, Tournaments(database))
            games = list(database.games())  # reading checks the digests
            if result is None:
                assert not games
                return None
            _check_counts(database, result, games)
            return result


def _check_counts(database: Database, result: Tournament, games: list[StoredGame]) -> None:
    """Check that each saved game belongs to the tournament, counts once, and is legal."""
    with database.reading() as connection:
        rows = connection.rows("SELECT number, game_id FROM tournament_games")
    assert len({row["number"] for row in rows}) == len(rows)
    assert sorted(row["game_id"] for row in rows) == [game.id for game in games]
    assert result.ids == {row["number"]: row["game_id"] for row in rows}
    results: dict[str, Counter[str]] = {player.name: Counter() for player in result.plan.players}
    for game in games:
        outcome = game.replay().outcome  # by the rules, not by the stored end
        assert outcome is not None
        for side, name in game.players.items():
            won = "draws" if outcome.winner is None else "wins" if outcome.winner == side else "losses"
            results[name][won] += 1
    for standing in result.tally.table().players:
        assert {name: standing.counts[name] for name in ("wins", "draws", "losses")} == {
            name: results[standing.name][name] for name in ("wins", "draws", "losses")
        }


def _moves(game: StoredGame) -> list[str]:
    return [event.data["move"] for event in game.events if event.kind is EventKind.MOVE]


def check_games(trial: TournamentTrial) -> int:
    """Check that each game is the undisturbed one, unless a bot was killed in it, and count the latter."""
    killed = 0
    os.environ["XDG_CONFIG_HOME"] = trial.environment["XDG_CONFIG_HOME"]
    with closing(open_database(url_of(trial.database))) as database:
        result = Tournament.find(trial.plan, Tournaments(database))
        assert result is not None
        with database.reading() as connection:
            assert connection.rows("SELECT games FROM tournament_running") == []
        for number, game in result.tournaments.games(result.number):
            if result.tally.games[number].fault is not None:
                assert "Bot" in game.players.values()
                killed += 1
                continue
            undisturbed = play_game(result.assignment(number, 1))
            assert _moves(game) == [data["move"] for *_, data in undisturbed if "move" in data]
    return killed


def wait_until_gone(started: dict[int, str]) -> None:
    """Wait until all *started* processes have ended."""
    end = time.monotonic() + GONE_SECONDS
    while left := {pid for pid, (_, command) in parents().items() if started.get(pid) == command}:
        assert time.monotonic() < end, f"still there: {[started[pid] for pid in left]}"
        time.sleep(LOOK_SECONDS)


def disturb(folder: Path, times: int, seed: object, report: Report, pairs: int = 8) -> None:
    """Kill processes of one tournament after another, *times* times in total, and freeze some."""
    chance, number, has_worked = Random(f"tournament {seed}"), 0, False
    while report.kills < times:
        number += 1
        trial = TournamentTrial(folder, number, pairs)
        while not _run(trial, times, chance, report):
            pass
        has_worked = has_worked or trial.has_worked  # the last kill may come before the first worker
        report.crashes += check_games(trial)
        result = trial.audit()
        assert result is not None
        report.games += len(result.ids)
    assert has_worked, "processes that play are not known any more"


def _run(trial: TournamentTrial, times: int, chance: Random, report: Report) -> bool:
    """Run the tournament with faults until it ends or is killed. Return True if it is finished."""
    trial.start()
    assert trial.program is not None
    report.runs += 1
    if chance.random() > EARLY:
        while trial.program.poll() is None and not trial.victims("worker"):
            time.sleep(LOOK_SECONDS)
    while trial.program.poll() is None and report.kills < times:
        harm = chance.choice(HARMS)
        if trial.harm(harm, chance):
            report.harms[harm] += 1
    received = trial.end()
    wait_until_gone(trial.started)
    trial.audit()
    return received is not None and received["missing"] == 0


@contextmanager
def dask(folder: Path, environment: dict[str, str]) -> Iterator[tuple[str, Callable[[], Process]]]:
    """Yield the address of a Dask scheduler, and a function that starts a worker on this machine."""
    file, started = folder / "scheduler.json", list[Process]()

    def start(what: str, *words: str) -> Process:
        command = [
            sys.executable,
            "-m",
            f"distributed.cli.dask_{what}",
            "--scheduler-file",
            str(file),
            *words,
        ]
        none = subprocess.DEVNULL
        process = subprocess.Popen(command, env=environment, cwd=folder, stdout=none, stderr=none)
        started.append(process)
        return process

    try:
        start("scheduler", "--port", "0", "--no-dashboard")
        end = time.monotonic() + PATIENCE
        while not file.exists():
            assert time.monotonic() < end, "the scheduler did not start"
            time.sleep(0.1)
        alone = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--local-directory", str(folder))
        yield json.loads(file.read_text())["address"], lambda: start("worker", *alone)
    finally:
        for process in started:
            process.kill()
            process.wait()


def disturb_cluster(folder: Path, kills: int, every: float, report: Report, pairs: int) -> None:
    """Let four Dask workers play one tournament after another.

    One of them is killed, and another started, *every* number of seconds.
    """
    chance, number = Random("cluster"), 0
    with dask(folder, TournamentTrial(folder, number, pairs).environment) as (address, start):
        workers = [start() for _ in range(WORKERS)]
        _await_workers(address)
        while report.harms["worker"] < kills:
            number += 1
            trial = TournamentTrial(folder, number, pairs)
            trial.start("--cluster", address)
            assert trial.program is not None
            while trial.program.poll() is None and report.harms["worker"] < kills:
                if _has_ended(trial.program, every):
                    break
                victim = chance.randrange(len(workers))
                workers[victim].kill()
                report.harms["worker"] += 1
                workers[victim] = start()
            _check_cluster(trial, report)


def _await_workers(address: str) -> None:
    """Wait until all workers have registered, which takes long on a busy machine."""
    from distributed import Client

    with Client(address, timeout=PATIENCE) as client:
        client.wait_for_workers(WORKERS, timeout=PATIENCE)


def _has_ended(program: subprocess.Popen[str], seconds: float) -> bool:
    """Return True if *program* ends within *seconds*."""
    with suppress(subprocess.TimeoutExpired):
        program.wait(seconds)
    return program.poll() is not None


def _check_cluster(trial: TournamentTrial, report: Report) -> None:
    """Wait for the end of a cluster's tournament, and check that all games exist."""
    received = trial.end(CLUSTER_PATIENCE)
    assert received is not None
    assert received["missing"] == 0
    report.runs += 1
    report.crashes += check_games(trial)
    result = trial.audit()
    assert result is not None
    report.games += len(result.ids)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--times", type=int, default=20, help="so many kills")
    parser.add_argument("--seed", default="weekly")
    parser.add_argument("--cluster", action="store_true", help="needs the extra cluster")
    parser.add_argument(
        "--every", type=float, default=10.0, help="seconds between kills of workers of a cluster"
    )
    parser.add_argument("--pairs", type=int, default=200, help="of the tournament of a cluster")
    arguments = parser.parse_args()
    report, began = Report(), time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        if arguments.cluster:
            disturb_cluster(Path(folder), arguments.times, arguments.every, report, arguments.pairs)
        else:
            disturb(Path(folder), arguments.times, arguments.seed, report)
    print(f"{report.told()}; {time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
