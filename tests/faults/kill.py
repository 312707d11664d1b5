"""Kill the server under load, many times: ``python -m tests.faults.kill --times 1000``.

It is killed at random instants after its start, with traffic after each, and at each named point between
receiving a command and acknowledging it. After each kill the database is audited, the server is restarted on
the same database and port, and all clients must see the same again.
"""

import argparse
import asyncio
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from noughts.arena.store.database import open_database
from tests.databases import new_file, url_of
from tests.faults.audit import audit, check_file
from tests.faults.servers import ForkedServer, Launcher, launching
from tests.faults.target import POINTS
from tests.faults.traffic import Traffic, traffic

EACH = 20
"""The number of kills for one database, so that its audit stays fast."""

TABLES = 3
"""The number of tables in play."""

EARLY = 0.2
"""The probability of another kill at once, even before the server answers."""

MAX_COMMANDS = 25
"""The maximum number of commands that are acknowledged before a random kill."""


@dataclass
class Report:
    """The numbers of kills, commands and restarts."""

    kills: int = 0
    acknowledged: int = 0
    restarts: list[float] = field(default_factory=list)
    agreed: list[float] = field(default_factory=list)

    def told(self) -> str:
        worst = f"start at most {max(self.restarts):.2f} s, all agree after at most {max(self.agreed):.2f} s"
        return f"{self.kills} kills, {self.acknowledged} commands acknowledged, {worst}"


class KillTrial:
    """A server on a file, its clients, and the answers that they got."""

    def __init__(self, server: ForkedServer, path: Path, people: Traffic, report: Report) -> None:
        self.server, self.path, self.people, self.report = server, path, people, report

    async def begin(self, *, thinking: bool = False) -> None:
        """Start the server and wait until it answers."""
        began = time.monotonic()
        self.server.start(thinking=thinking)
        await self.server.answering()
        self.report.restarts.append(time.monotonic() - began)
        self.people.is_up.set()

    async def resolve(self) -> None:
        """Let all clients resolve their open commands, then continue."""
        self.report.agreed.append(await self.people.settle())
        await self.people.ask_again()
        self.people.goes_on.set()

    async def check_kill(self) -> None:
        """Wait for the kill, and audit a copy of the database."""
        assert await self.server.gone() == -signal.SIGKILL, self.server.log.read_text()[-2000:]
        self.people.is_up.clear()
        self.people.check()
        self.report.kills += 1
        await self.server.wait_until_gone()
        with tempfile.TemporaryDirectory(dir=self.path.parent) as folder:
            copy = Path(folder) / self.path.name
            for file in self.path.parent.glob(f"{self.path.name}*"):
                shutil.copy(file, folder)
            audit(url_of(copy), self.people)
            with closing(open_database(url_of(copy))) as store:
                check_file(store)


@asynccontextmanager
async def server_in_traffic(
    launcher: Launcher, folder: Path, seed: object, report: Report
) -> AsyncIterator[KillTrial]:
    """Yield a server with clients on a new database, and kill it once more at the end."""
    path = new_file(folder / "games.db")
    server = ForkedServer(launcher, url_of(path), folder / "log")
    async with traffic(server.address, seed=seed) as people:
        trial = KillTrial(server, path, people, report)
        yield trial
        server.kill()
        await trial.check_kill()
        report.acknowledged += people.acknowledged


async def kill_at_random(launcher: Launcher, folder: Path, times: int, seed: object, report: Report) -> None:
    """Kill the server at random instants, *times* times on one database."""
    chance = Random(f"instants {seed}")
    async with server_in_traffic(launcher, folder, seed, report) as trial:
        server, people = trial.server, trial.people
        await trial.begin(thinking=True)
        await people.seat(TABLES)
        people.let_people_come()
        for _ in range(times):
            await people.acknowledge(chance.randrange(MAX_COMMANDS))
            await asyncio.sleep(chance.uniform(0, 0.02))
            server.kill()
            await trial.check_kill()
            if chance.random() < EARLY:
                server.start()
                people.is_up.set()
                await asyncio.sleep(chance.uniform(0, 0.3))
                server.kill()
                await trial.check_kill()
            await trial.begin()
            await trial.resolve()


async def kill_at_points(
    launcher: Launcher, folder: Path, points: tuple[str, ...], passages: int, seed: object, report: Report
) -> None:
    """Make the server kill itself at each of *points*, at one of its first passages."""
    chance = Random(f"points {seed}")
    async with server_in_traffic(launcher, folder, seed, report) as trial:
        await trial.begin()
        await trial.people.seat(TABLES)
        await trial.resolve()
        trial.server.kill()
        await trial.check_kill()
        for point in points:
            trial.server.start(point, chance.randint(1, passages))
            trial.people.is_up.set()  # a fast client may cause the kill before any other is answered
            await trial.check_kill()
        await trial.begin()
        await trial.resolve()


def _told(what: str, report: Report, began: float) -> None:
    print(f"{what}: {report.told()}; {time.monotonic() - began:.0f} s", flush=True)


def main() -> int:
    """Run the full proof, or a given number of kills."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=1000, help="how many random instants")
    parser.add_argument("--points", type=int, default=20, help="how often each named point")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    with launching() as launcher:
        report, began = Report(), time.monotonic()
        for number in range(0, options.times, EACH):
            with tempfile.TemporaryDirectory(prefix="noughts-kill-") as folder:
                times = min(EACH, options.times - number) - 1
                seed = f"{options.seed} {number}"
                asyncio.run(kill_at_random(launcher, Path(folder), times, seed, report))
            _told("random instants", report, began)
        report, began = Report(), time.monotonic()
        for number in range(options.points):
            with tempfile.TemporaryDirectory(prefix="noughts-kill-") as folder:
                seed = f"{options.seed} {number}"
                points = tuple(Random(seed).sample(POINTS, len(POINTS)))
                asyncio.run(kill_at_points(launcher, Path(folder), points, 20, seed, report))
            _told("named points, each once", report, began)
    return 0


if __name__ == "__main__":
    sys.exit(main())
