"""Lost databases and stopped servers during play: nothing is lost, and everything recovers."""

from pathlib import Path

import pytest

from tests.databases import new_file, url_of
from tests.faults.lost import ending_connections, lock_file, restarting, stop_in_traffic, with_two_servers
from tests.postgres import postgres, postgres_server, postgres_url, run_sql
from tests.running import run

pytestmark = pytest.mark.slow

__all__ = ["postgres", "postgres_url"]  # fixtures


def test_lost_connections_lose_no_change(tmp_path: Path) -> None:
    with postgres_server() as server:
        run_sql(f"{server}/postgres", "CREATE DATABASE games")
        url = f"{server}/games"
        ended, restarted = ending_connections(url), restarting(url)

        async def take(number: int) -> None:
            await (ended, restarted, restarted)[number](number)

        run(with_two_servers(url, tmp_path, 3, take))


def test_locked_file_and_stopped_server_lose_nothing(tmp_path: Path) -> None:
    run(lock_file(new_file(tmp_path / "locked.db"), tmp_path / "log", [0.5]))
    run(stop_in_traffic(url_of(new_file(tmp_path / "stopped.db")), tmp_path / "log", 1))
