"""Take the database or the server away during play: ``python -m tests.faults.lost --times 20``.

Connections to PostgreSQL are ended, PostgreSQL itself is restarted, another process locks an SQLite file, and
the server is told to stop. No acknowledged change is lost, refused or unanswered commands are repeated under
their keys, and all clients soon see the same again.
"""

import argparse
import asyncio
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Coroutine
from contextlib import ExitStack, closing
from pathlib import Path
from random import Random
from typing import Any

from tests.databases import new_file, url_of
from tests.faults.audit import audit
from tests.faults.servers import SeparateServer, separate_server
from tests.faults.traffic import Traffic, traffic
from tests.postgres import postgres_server, restart_postgres, run_sql

PLAYED = 10
"""The number of commands that are acknowledged between two faults."""

TABLES = 2

END_CONNECTIONS = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
)


async def take_away(
    people: Traffic, times: int, seed: object, take: Callable[[int], Coroutine[Any, Any, None]]
) -> str:
    """Let people play, call *take* at random instants, *times* times, and return a report."""
    chance, slowest = Random(f"taken {seed}"), 0.0
    for number in range(times):
        await people.acknowledge(PLAYED)
        await asyncio.sleep(chance.uniform(0, 0.05))
        await take(number)
        slowest = max(slowest, await people.settle())
        await people.ask_again()
        people.goes_on.set()
    await people.settle()
    people.check()
    return (
        f"{times} times, {people.acknowledged} commands acknowledged, {people.refused} refused at first;"
        f" all agree after {slowest:.2f} s at most"
    )


async def with_two_servers(
    url: str, folder: Path, times: int, take: Callable[[int], Coroutine[Any, Any, None]]
) -> str:
    """Play at two servers of one PostgreSQL, one side at each, and cause a fault."""
    with ExitStack() as stack:
        servers = [stack.enter_context(separate_server(url, folder / f"log-{number}")) for number in range(2)]
        for server in servers:
            server.start()
        for server in servers:
            await server.answering()
        async with traffic(*(server.address for server in servers), seed=url) as people:
            await people.seat(TABLES)
            received = await take_away(people, times, url, take)
            for server in servers:
                assert (await server.stop())[0] == 0
            audit(url, people)
    return received


def ending_connections(url: str) -> Callable[[int], Coroutine[Any, Any, None]]:
    async def take(_: int) -> None:
        await asyncio.to_thread(run_sql, url, END_CONNECTIONS)

    return take


def restarting(url: str) -> Callable[[int], Coroutine[Any, Any, None]]:
    async def take(number: int) -> None:
        await asyncio.to_thread(restart_postgres, url, ("fast", "immediate")[number % 2])

    return take


async def lock_file(path: Path, log: Path, seconds: list[float]) -> str:
    """Play while another process locks the file, some seconds each time."""
    with (
        separate_server(url_of(path), log) as server,
        closing(sqlite3.connect(path, isolation_level=None)) as other,
    ):
        server.start()
        await server.answering()
        async with traffic(server.address, seed=path.name) as people:
            await people.seat(TABLES)

            async def take(number: int) -> None:
                other.execute("PRAGMA busy_timeout=60000")
                other.execute("BEGIN IMMEDIATE")
                await asyncio.sleep(seconds[number])
                before = people.acknowledged
                await asyncio.sleep(0.1)
                assert people.acknowledged == before, "nothing is acknowledged that is not written"
                other.execute("ROLLBACK")

            received = await take_away(people, len(seconds), path.name, take)
            assert (await server.stop())[0] == 0
            audit(url_of(path), people)
    return received


async def stop_in_traffic(url: str, log: Path, times: int, *options: str) -> str:
    """Stop the server during play, and start it again, *times* times."""
    slowest = 0.0
    with separate_server(url, log, *options) as server:
        server.start()
        await server.answering()
        async with traffic(server.address, seed=options) as people:
            await people.seat(TABLES)

            async def take(_: int) -> None:
                nonlocal slowest
                status, seconds = await server.stop()
                assert status == 0, server.log.read_text()[-2000:]
                slowest = max(slowest, seconds)
                await server.wait_until_gone()
                audit(url, people)
                await _start_again(server, people)

            received = await take_away(people, times, options, take)
            assert (await server.stop())[0] == 0
            audit(url, people)
    assert slowest < 10, "it stops in time"
    return f"{received}; stopped within {slowest:.2f} s"


async def _start_again(server: SeparateServer, people: Traffic) -> None:
    people.is_up.clear()
    server.start()
    await server.answering()
    people.is_up.set()


def main() -> int:
    """Run the full proof, or a given number of faults."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=20, help="restarts and stops; connections: ten times")
    times = parser.parse_args().times
    with postgres_server() as server, tempfile.TemporaryDirectory(prefix="noughts-lost-") as name:
        folder = Path(name)

        def run(what: str, work: Coroutine[Any, Any, str]) -> None:
            began = time.monotonic()
            print(f"{what}: {asyncio.run(work)}; {time.monotonic() - began:.0f} s", flush=True)

        for database in ("ended", "restarted", "stopped"):
            run_sql(f"{server}/postgres", f"CREATE DATABASE {database}")
        url = f"{server}/ended"
        run("connections ended", with_two_servers(url, folder, 10 * times, ending_connections(url)))
        url = f"{server}/restarted"
        run("PostgreSQL restarted", with_two_servers(url, folder, times, restarting(url)))
        stopped = stop_in_traffic(f"{server}/stopped", folder / "log", times, "--workers", "2")
        run("stopped, two workers", stopped)
        path = new_file(folder / "stopped.db")
        run("stopped, a file", stop_in_traffic(url_of(path), folder / "log", times))
        path = new_file(folder / "locked.db")
        run("locked for 1 and 12 seconds", lock_file(path, folder / "log", [1.0, 12.0, 1.0]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
