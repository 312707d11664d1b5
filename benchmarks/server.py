"""The capacity of the server: spectated games, commands per second, overload, and an idle server.

    uv run --group dev python -m benchmarks.server
    uv run --group dev python -m benchmarks.server --parts live --seconds 600 --database sqlite
    uv run --group dev python -m benchmarks.server --parts attack --database sqlite --write
    uv run --group dev python -m benchmarks.server --parts lobby,pairing --write
    uv run --group dev python -m benchmarks.server --write                        for the documents

It starts ``noughts serve`` as a process over a database in a temporary folder, and sends its own players
there (``visitors.py``). They run on the same machine, and their share of the processor is reported. ``live``
has --games games with two streams each and --rate commands per second. ``peak`` has as many commands as
--clients can send one after the other. ``overload`` offers three times that, then the rate of ``live`` again.
``idle`` is a server with --stored open games in its database and no visitors. ``attack`` is a server with the
default limits: --attack-games games are played while one address (``attackers.py``) requests as much work as
possible over --connections connections for --attack-seconds. ``lobby`` has --people open pages of the lobby.
--offers games a second are offered there, and taken or withdrawn soon after (``lobby_visitors.py``).
``wall`` has --public-games games with --moves commands per second, and --watchers pages with the wall of live
boards (``wall_visitors.py``). ``pairing`` pairs --waiting players of one game and clock.

Times count from the planned time of a command. Afterwards the database must hold each acknowledged command
exactly once, and every game must be intact.
"""

import argparse
import asyncio
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import uvloop

from benchmarks.lobby_visitors import People
from benchmarks.report import machine, save_results, saved_results, table
from benchmarks.visitors import Crowd, Tally
from benchmarks.wall_visitors import Watchers
from noughts.arena.clock import Clock
from noughts.arena.commands import WrittenMove
from noughts.arena.events import EventKind, MatchEnd
from noughts.arena.lobby.offers import LobbyOffer, Seeker, nobody_blocked
from noughts.arena.lobby.pairing import pair_offers
from noughts.arena.rooms.rooms import Rooms
from noughts.arena.store.database import Database, open_database
from noughts.arena.table import Terms

PARTS = ("live", "peak", "overload", "idle", "attack", "lobby", "wall", "pairing")
APART = {"idle", "attack", "lobby", "wall", "pairing"}
"""The parts that have a database of their own, or none."""

ACKNOWLEDGED_GOAL, SEEN_GOAL = 0.1, 0.2
"""The goals of ``live`` in seconds, for 99 of 100 commands."""

SHOWN_SECONDS = 2.0
"""The time after the last command of ``wall`` in which all watchers must see it."""

TIMES_PEAK = 3
VISITORS = "visitors' CPU, %"
MIB = 1 << 20

Row = dict[str, Any]


@dataclass
class Server:
    """A running server: its address and its processes."""

    address: str
    pid: int
    began: float
    """The time until the first answer of the server, in seconds."""

    @property
    def port(self) -> int:
        """The port of the server."""
        return int(self.address.rstrip("/").rpartition(":")[2])

    def processes(self) -> list[int]:
        """Return the process and all its children."""
        children = [self.pid]
        for parent in children:
            for task in Path(f"/proc/{parent}/task").glob("*/children"):
                with suppress(OSError):
                    children += [int(child) for child in task.read_text().split()]
        return children

    def cpu(self) -> float:
        """Return the processor time of all processes of the server, in seconds."""
        ticks = 0
        for pid in self.processes():
            with suppress(OSError):
                fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
                ticks += int(fields[11]) + int(fields[12])
        return ticks / os.sysconf("SC_CLK_TCK")

    def memory(self, what: str = "VmRSS") -> float:
        """Return the memory of the largest process of the server, a worker, in MiB."""
        return max(self._memory(pid, what) for pid in self.processes())

    def _memory(self, pid: int, what: str) -> float:
        with suppress(OSError):
            for line in Path(f"/proc/{pid}/status").read_text().splitlines():
                if line.startswith(f"{what}:"):
                    return int(line.split()[1]) / 1024
        return 0.0


@contextmanager
def server(url: str, log: Path, workers: int, *, is_limited: bool = False) -> Iterator[Server]:
    """Start a server over the database at *url*.

    It must stop within 20 s when told to. It has no limits, or the default ones if *is_limited*.
    """
    command = [sys.executable, "-m", "noughts", "--db", url, "serve", "--port", "0"]
    command += [] if is_limited else ["--unlimited"]
    began = time.monotonic()
    with log.open("w") as written:
        process = subprocess.Popen(
            [*command, "--workers", str(workers)], stdout=subprocess.PIPE, stderr=written, text=True
        )
    try:
        told = "" if process.stdout is None else process.stdout.readline().strip()
        if not told.startswith("http://"):
            raise SystemExit(log.read_text())
        while True:
            with suppress(OSError):
                urllib.request.urlopen(f"{told}healthz", timeout=5).close()
                break
            time.sleep(0.01)
        yield Server(told, process.pid, time.monotonic() - began)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(20)
        if process.stdout is not None:
            process.stdout.close()


# Parts


class Meter:
    """A context that measures the resources of server and visitors."""

    def __init__(self, running: Server) -> None:
        self._running = running
        self.row: Row = {}

    def __enter__(self) -> Row:
        self._before = time.monotonic(), self._running.cpu(), time.process_time()
        return self.row

    def __exit__(self, *_: object) -> None:
        wall, server_cpu, own_cpu = self._before
        seconds = time.monotonic() - wall
        used = self._running.cpu() - server_cpu
        self.row["server CPU, %"] = 100 * used / seconds
        if commands := self.row.get("commands/s", 0) * seconds:
            self.row["server CPU, ms each"] = 1000 * used / commands
        self.row[VISITORS] = 100 * (time.process_time() - own_cpu) / seconds
        self.row["memory, MiB"] = self._running.memory()
        self.row["load average"] = os.getloadavg()[0]


def told_of(tally: Tally, seconds: float) -> Row:
    """Return the figures of a part in which commands were sent for *seconds*."""
    row: Row = {"commands/s": len(tally.acknowledged) / seconds, "errors": sum(tally.troubles.values())}
    for name, times in (("acknowledged", tally.acknowledged), ("seen", tally.seen)):
        if times:
            row[f"{name} p50, ms"] = 1000 * percentile(times, 0.5)
            row[f"{name} p99, ms"] = 1000 * percentile(times, 0.99)
    if tally.troubles:
        row["troubles"] = dict(tally.troubles)
    return row


def percentile(values: list[float], share: float) -> float:
    """Return the value that *share* of *values* do not exceed."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


async def measure(running: Server, options: argparse.Namespace) -> tuple[dict[str, Row], Crowd]:
    """Measure the parts with visitors, in turn."""
    crowd, rows = Crowd("127.0.0.1", running.port), {}
    await crowd.open(options.kinds.split(","), options.games)
    peak = options.rate
    if "peak" in options.parts or "overload" in options.parts:
        await crowd.connect(crowd.games[: options.clients])
        with Meter(running) as row:
            row |= told_of(await crowd.play(options.clients, options.peak_seconds), options.peak_seconds)
        rows["peak"], peak = row, row["commands/s"]
    if "live" in options.parts or "overload" in options.parts:
        await crowd.listen()
    if "live" in options.parts:
        await crowd.connect(crowd.games)
        with Meter(running) as row:
            row |= told_of(await crowd.offer(options.rate, options.seconds), options.seconds)
        rows["live"] = row
    if "overload" in options.parts:
        await crowd.connect(crowd.games)
        with Meter(running) as row:
            tally = await crowd.offer(TIMES_PEAK * peak, options.peak_seconds)
            row |= told_of(tally, options.peak_seconds)
            row["refused, %"] = 100 * len(tally.refused) / max(1, tally.offered)
            row["unasked, %"] = 100 * tally.unasked / max(1, tally.offered + tally.unasked)
            row["refused p99, ms"] = 1000 * percentile(tally.refused or [0.0], 0.99)
        row["most memory, MiB"] = running.memory("VmHWM")
        row["recovered after, s"] = await recovery(crowd, options.rate, options.recovery)
        rows["overload"] = row
    crowd.leave()
    return rows, crowd


async def recovery(crowd: Crowd, rate: float, most: int) -> int | None:
    """Return the seconds until the goals are met again at the usual *rate*, or None if not within *most*."""
    await crowd.connect(crowd.games)
    for second in range(most):
        tally = await crowd.offer(rate, 1.0)
        times = (tally.acknowledged, ACKNOWLEDGED_GOAL), (tally.seen, SEEN_GOAL)
        is_quick = all(each and percentile(each, 0.99) <= goal for each, goal in times)
        if is_quick and not tally.troubles and not tally.refused:
            return second
        await crowd.connect(crowd.games)
    return None


def audit(url: str, crowd: Crowd) -> Row:
    """Compare the acknowledged commands with the database."""
    kept: dict[str, set[str]] = {}
    made: Counter[int | None] = Counter()
    with closing(open_database(url)) as store:
        with store.reading() as connection:
            rooms = connection.rows("SELECT name, facts FROM rooms")
            series = {row["name"]: json.loads(row["facts"])["series_id"] for row in rooms}
            for row in connection.rows("SELECT room, key FROM room_keys"):
                kept.setdefault(row["room"], set()).add(row["key"])
        for stored in store.games():  # Reading checks digests and versions.
            kinds = [event.kind for event in stored.events]
            is_given_up = stored.result is not None and stored.result.termination == MatchEnd.RESIGNATION
            made[stored.setup.series] += kinds.count(EventKind.MOVE) + is_given_up
    lost = twice = 0
    for game in crowd.games:
        lost += len(set(game.keys) - kept.get(game.room, set()))
        more = made[series.get(game.room)] - game.played
        lost += max(0, -more)
        twice += max(0, more - game.unknown)
    acknowledged = sum(len(game.keys) for game in crowd.games)
    return {"acknowledged": acknowledged, "acknowledged lost": lost, "carried out twice": twice}


# Idle server


def idle(folder: Path, options: argparse.Namespace) -> Row:
    """Measure a server with many open games and no players."""
    url = f"sqlite:///{folder / 'stored.db'}"
    with closing(open_database(url)) as store:
        fill(store, options.stored)
    with server(url, folder / "idle.log", 1) as running:
        time.sleep(1)
        before = running.cpu()
        time.sleep(options.seconds)
        share = 100 * (running.cpu() - before) / options.seconds
        return {
            "stored games": options.stored,
            "start, s": running.began,
            "server CPU, %": share,
            "memory, MiB": running.memory(),
        }


def fill(store: Database, count: int) -> None:
    """Start *count* games of two absent people."""
    rooms = Rooms(store, now=lambda: time.time_ns() // 1_000_000)

    def begin(_: int) -> None:
        one = rooms.open(Terms("tictactoe", ("human", "human")), "Ada", 0)
        two = rooms.join("Wei", code=one.code)
        rooms.submit(one.room, 0, WrittenMove("5"), version=rooms.look(one.room).version, key="k").result()
        for entry in (one, two):
            rooms.set_presence(one.room, entry.place or 0, here=False)

    with ThreadPoolExecutor(64) as pool:
        for _ in pool.map(begin, range(count)):
            pass
    rooms.close()


# Attack from one address


def attacked(folder: Path, options: argparse.Namespace) -> Row:
    """Measure a server with default limits: players at one address, and costly requests from another."""
    url = f"sqlite:///{folder / 'attacked.db'}"
    with server(url, folder / "attacked.log", 1, is_limited=True) as running:
        crowd = Crowd("127.0.0.1", running.port)
        with Meter(running) as row:
            row |= asyncio.run(_play_attacked(crowd, running.port, options))
    return {**row, **audit(url, crowd)}


async def _play_attacked(crowd: Crowd, port: int, options: argparse.Namespace) -> Row:
    await crowd.open(["tictactoe"], options.attack_games)
    await crowd.connect(crowd.games)
    numbers = [str(number) for number in (port, options.attack_seconds, options.connections)]
    attackers = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "benchmarks.attackers", *numbers, stdout=asyncio.subprocess.PIPE
    )
    looks: list[float] = []
    looking = asyncio.create_task(_look(port, looks))
    tally = await crowd.offer(float(options.attack_games), options.attack_seconds)
    looking.cancel()
    answers = json.loads((await attackers.communicate())[0])
    row = told_of(tally, options.attack_seconds)
    row["healthz p50, ms"], row["healthz p99, ms"] = (1000 * percentile(looks, of) for of in (0.5, 0.99))
    row["attackers' answers"] = answers
    row["attackers served/s"] = answers.get("200", 0) / options.attack_seconds
    return row


async def _look(port: int, looks: list[float]) -> None:
    """Request ``/healthz`` twice a second, over a new connection each time."""
    while True:
        began = time.monotonic()
        reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=("127.0.0.3", 0))
        writer.write(f"GET /healthz HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\n\r\n".encode())
        head = await reader.readuntil(b"\r\n\r\n")
        looks.append(time.monotonic() - began if b" 200 " in head[:14] else 60.0)
        writer.close()
        await asyncio.sleep(0.5)


# Lobby


def lobby(url: str, workers: int, folder: Path, options: argparse.Namespace) -> Row:
    """Measure a server with many people in the lobby."""
    with server(url, folder / "lobby.log", workers) as running:
        return uvloop.run(_offer(running, options))


async def _offer(running: Server, options: argparse.Namespace) -> Row:
    people = People("127.0.0.1", running.port)
    began = time.monotonic()
    await people.enter(options.people)
    row: Row = {
        "people": options.people,
        "seconds": options.seconds,
        "entered after, s": time.monotonic() - began,
    }
    with Meter(running) as used:
        tally = await people.offer(options.offers, options.seconds)
        used |= told_of(tally, options.seconds)
    people.leave()
    return (
        row | used | {"offers/s": tally.offered / options.seconds, "taken": tally.taken, "gone": tally.gone}
    )


# Wall


def wall(folder: Path, options: argparse.Namespace) -> Row:
    """Measure a server with many watchers of the wall of live boards."""
    url = f"sqlite:///{folder / 'wall.db'}"
    with server(url, folder / "wall.log", 1) as running:
        crowd = Crowd("127.0.0.1", running.port)
        row = uvloop.run(_watch(running, crowd, options))
    return {**row, **audit(url, crowd)}


async def _watch(running: Server, crowd: Crowd, options: argparse.Namespace) -> Row:
    watchers = Watchers("127.0.0.1", running.port)
    # A finished game leaves the wall, and these games are too long to finish.
    await crowd.open(["gomoku"], options.public_games, "public")
    await crowd.connect(crowd.games)
    await crowd.offer(options.moves, options.public_games / options.moves)  # one command of each game
    await watchers.enter(options.watchers)
    on_wall = [game for game in crowd.games if game.room in watchers.rooms]
    for game in on_wall:
        game.commands.clear()
    with Meter(running) as row:
        tally = await crowd.offer(options.moves, options.seconds)
        await asyncio.sleep(SHOWN_SECONDS)
        tally.seen, unseen = watchers.delays(on_wall)
        row |= told_of(tally, options.seconds)
    row["errors"] += unseen + watchers.leave()
    return {"watchers": options.watchers, "games": options.public_games, "boards": len(on_wall), **row}


# Pairing


def paired(count: int) -> Row:
    """Measure the time to pair *count* waiting players with random ratings."""
    chance, clock = Random("pairing"), Clock(base=300_000)
    ratings = [max(100, round(chance.gauss(1500, 300))) for _ in range(count)]
    offers = [
        LobbyOffer(
            number, Seeker(str(number), "", number, {"gomoku": rating}), ("gomoku",), (clock,), number, ""
        )
        for number, rating in enumerate(ratings, 1)
    ]
    began, cpu = time.monotonic(), time.process_time()
    pairs = pair_offers(offers, count, nobody_blocked)
    return {
        "players": count,
        "pairs": len(pairs),
        "wall clock, ms": 1000 * (time.monotonic() - began),
        "CPU, ms": 1000 * (time.process_time() - cpu),
        "load average": os.getloadavg()[0],
    }


# All parts


@contextmanager
def postgres() -> Iterator[str | None]:
    """Start a PostgreSQL server, if its programs are on this machine."""
    sys.path.append(str(Path(__file__).parent.parent))
    import pytest
    from tests.postgres import postgres_server, run_sql

    with ExitStack() as stack:
        try:
            url = stack.enter_context(postgres_server("fsync=on"))
        except pytest.skip.Exception as reason:
            print(f"no PostgreSQL: {reason}", file=sys.stderr)
            yield None
            return
        run_sql(f"{url}/postgres", "CREATE DATABASE noughts_load")
        yield f"{url}/noughts_load"


def run(url: str, workers: int, folder: Path, options: argparse.Namespace) -> dict[str, Row]:
    """Run all parts but ``idle`` over one database, and the audit."""
    with server(url, folder / "log", workers) as running:
        rows, crowd = asyncio.run(measure(running, options))
    return {**rows, "audit": audit(url, crowd)}


def show(title: str, rows: dict[str, Row]) -> None:
    """Print the measurements."""
    print(f"\n{title}")
    for part, row in rows.items():
        print(f"  {part}")
        for name, value in row.items():
            print(f"    {name:<24} {f'{value:,.1f}' if isinstance(value, float) else value!s:>12}")


LINES = {
    "commands/s": ("commands/s",),
    "acknowledged, median / p99, ms": ("acknowledged p50, ms", "acknowledged p99, ms"),
    "seen by the other side, median / p99, ms": ("seen p50, ms", "seen p99, ms"),
    "refused, %; p99, ms": ("refused, %", "refused p99, ms"),
    "the servers' processor time a command, ms": ("server CPU, ms each",),
    "memory, MiB": ("memory, MiB",),
}
"""The lines of a table in the documents, and the values of each."""


def report(measured: dict[str, Any]) -> dict[str, str]:
    """Return the blocks of the documents for *measured*."""
    titles = [title for title in measured if title.startswith(("SQLite", "PostgreSQL"))]
    texts = {"machine": f"{measured['cores']} cores of {measured['machine']}, nothing else running:\n"}
    for title in titles:
        parts = {part: row for part, row in measured[title].items() if part != "audit"}
        lines = []
        for line, names in LINES.items():
            cells = (
                " / ".join(_number(row[name]) for name in names if name in row) for row in parts.values()
            )
            lines.append([line, *cells])
        audit, after = measured[title]["audit"], parts.get("overload", {}).get("recovered after, s")
        recovered = "" if after is None else f" After overload it was in goal again within {max(1, after)} s."
        texts[title.partition(",")[0].lower()] = (
            f"{table([title, *parts], lines)}\nOf the acknowledged commands "
            f"{audit['acknowledged lost']} were lost and {audit['carried out twice']} carried out twice."
            f"{recovered}\n"
        )
    if "nobody there" in measured:
        row = measured["nobody there"]["idle"]
        texts["idle"] = (
            f"With {row['stored games']:,} stored open games and no client it starts in "
            f"{row['start, s']:.1f} s, holds {row['memory, MiB']:.0f} MiB and takes\n"
            f"{row['server CPU, %']:.1f} % of a core.\n"
        )
    if "attack" in measured:
        row = measured["attack"]["attack"]
        times = {name: f"{row[name]:.0f}" for name in row if name.endswith(", ms")}
        texts["attack"] = (
            f"One address requested costly work over {row['connections']} connections for "
            f"{row['seconds']:.0f} s, at a load average of {row['load average']:.0f}.\n"
            f"Moves took {times['acknowledged p50, ms']} ms in the median and "
            f"{times['acknowledged p99, ms']} ms in 99 of 100 cases,\n"
            f"`/healthz` {times['healthz p50, ms']} and {times['healthz p99, ms']} ms. "
            f"{row['errors']} moves failed, {row['acknowledged lost']} were lost.\n"
        )
    if "lobby" in measured:
        texts["lobby"] = _lobby_text(measured["lobby"]["lobby"])
    if "lobby of workers" in measured:
        row = measured["lobby of workers"]["lobby"]
        texts["lobby-workers"] = f"The same with {row['workers']} workers and PostgreSQL:\n{_lobby_text(row)}"
    if "wall" in measured:
        row, times = measured["wall"]["wall"], _milliseconds(measured["wall"]["wall"])
        texts["wall"] = (
            f"With {row['watchers']:,} watchers, {row['games']:,} games and {row['commands/s']:.0f} moves a "
            f"second, a move on one of the {row['boards']} boards\nappeared after "
            f"{times['seen p50, ms']} ms in the median and {times['seen p99, ms']} ms in 99 of 100 cases. "
            f"{row['errors']} did not appear or failed.\n"
            f"The server took {row['server CPU, %']:.0f} % of a core and the visitors {row[VISITORS]:.0f} %, "
            f"at a load average of {row['load average']:.1f}.\n"
        )
    if "pairing" in measured:
        row = measured["pairing"]["pairing"]
        texts["pairing"] = (
            f"{row['players']:,} waiting players of one game and clock were paired in "
            f"{row['wall clock, ms']:.0f} ms ({row['pairs']:,} pairs).\n"
        )
    return texts


def _lobby_text(row: Row) -> str:
    times = _milliseconds(row)
    return (
        f"With {row['people']:,} open pages and {row['offers/s']:.0f} offers a second for "
        f"{row['seconds']:.0f} s an offer was acknowledged in {times['acknowledged p50, ms']} ms\n"
        f"in the median and {times['acknowledged p99, ms']} ms in 99 of 100 cases. It appeared on other "
        f"pages after {times['seen p50, ms']} and\n"
        f"{times['seen p99, ms']} ms. {row['errors']} requests failed. The server took "
        f"{row['server CPU, %']:.0f} % of a core and the visitors {row[VISITORS]:.0f} %,\n"
        f"at a load average of {row['load average']:.1f}.\n"
    )


def _milliseconds(row: Row) -> dict[str, str]:
    return {name: f"{row[name]:,.0f}" for name in row if name.endswith(", ms")}


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 10 else f"{value:.1f}"


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--parts", default=",".join(PARTS), help="parts to measure, separated by commas")
    parser.add_argument("--database", default="sqlite,postgresql", help="one, or both separated by a comma")
    parser.add_argument("--kinds", default="tictactoe,connect4,gomoku", help="games that are played, in turn")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--rate", type=float, default=300.0, help="commands a second")
    parser.add_argument("--seconds", type=float, default=30.0, help="seconds of live, idle, lobby and wall")
    parser.add_argument("--peak-seconds", type=float, default=15.0, help="seconds of peak and overload")
    parser.add_argument("--recovery", type=int, default=15, help="maximum seconds to wait after overload")
    parser.add_argument("--clients", type=int, default=64)
    parser.add_argument("--stored", type=int, default=10_000, help="open games for idle")
    parser.add_argument("--attack-games", type=int, default=4, help="each moves once a second")
    parser.add_argument("--attack-seconds", type=float, default=300.0)
    parser.add_argument("--connections", type=int, default=150, help="connections of the attacking address")
    parser.add_argument("--people", type=int, default=5_000, help="people in the lobby")
    parser.add_argument("--offers", type=float, default=100.0, help="offers a second in the lobby")
    parser.add_argument("--watchers", type=int, default=1_000, help="watchers of the wall")
    parser.add_argument("--public-games", type=int, default=200, help="games for the wall")
    parser.add_argument("--moves", type=float, default=100.0, help="commands a second for the wall")
    parser.add_argument("--waiting", type=int, default=2_000, help="players to pair")
    parser.add_argument("--workers", type=int, default=2, help="with PostgreSQL")
    parser.add_argument("--json", type=Path, help="file for the results")
    parser.add_argument("--write", action="store_true", help="save the results and write them into documents")
    options = parser.parse_args()
    options.parts = options.parts.split(",")
    return options


def main() -> None:
    """Run the selected parts, print the results, and end with an error if data was lost."""
    options = arguments()
    measured: dict[str, dict[str, Row]] = {}
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        folder = Path(name)
        parts = set(options.parts) - APART
        if parts and "sqlite" in options.database:
            measured["SQLite"] = run(f"sqlite:///{folder / 'games.db'}", 1, folder, options)
            show("SQLite", measured["SQLite"])
        if "idle" in options.parts and "sqlite" in options.database:
            measured["nobody there"] = {"idle": idle(folder, options)}
            show("nobody there", measured["nobody there"])
        if "attack" in options.parts and "sqlite" in options.database:
            facts = {"connections": options.connections, "seconds": options.attack_seconds}
            measured["attack"] = {"attack": facts | attacked(folder, options)}
            show("attack", measured["attack"])
        if "lobby" in options.parts and "sqlite" in options.database:
            measured["lobby"] = {"lobby": lobby(f"sqlite:///{folder / 'lobby.db'}", 1, folder, options)}
            show("lobby", measured["lobby"])
        if "wall" in options.parts and "sqlite" in options.database:
            measured["wall"] = {"wall": wall(folder, options)}
            show("wall", measured["wall"])
        if "pairing" in options.parts:
            measured["pairing"] = {"pairing": paired(options.waiting)}
            show("pairing", measured["pairing"])
        if (
            (parts or "lobby" in options.parts)
            and "postgresql" in options.database
            and (url := stack.enter_context(postgres())) is not None
        ):
            title = f"PostgreSQL, {options.workers} workers"
            if parts:
                measured[title] = run(url, options.workers, folder, options)
                show(title, measured[title])
            if "lobby" in options.parts:
                facts = {"workers": options.workers}
                measured["lobby of workers"] = {"lobby": facts | lobby(url, options.workers, folder, options)}
                show(f"lobby, {title}", measured["lobby of workers"])
    if options.json is not None:
        options.json.write_text(json.dumps(measured, indent=2) + "\n", encoding="utf-8")
    if options.write:
        here = {"machine": machine(), "cores": os.cpu_count()} if parts else {}
        save_results("server", saved_results("server") | here | measured)
    audits = [row for rows in measured.values() for row in rows.values() if "acknowledged lost" in row]
    if any(row["acknowledged lost"] or row["carried out twice"] for row in audits):
        raise SystemExit("something was lost, or done twice")


if __name__ == "__main__":
    main()
