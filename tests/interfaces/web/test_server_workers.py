"""Several workers at one PostgreSQL database serve the same rooms."""

import asyncio
import socket
import time
from pathlib import Path

import httpx
import pytest

from tests.interfaces.harness import UNUSABLE
from tests.interfaces.web.test_server import SECONDS, Server, listen, server, states, until
from tests.postgres import postgres, postgres_url, run_sql
from tests.running import run

pytestmark = pytest.mark.slow

__all__ = ["postgres", "postgres_url"]  # fixtures

GAMES = 4
"""The number of concurrent games, so that each worker has some of the streams."""

MOVES = ["5", "1", "4", "6", "7", "3", "2", "8", "9"]


async def play(address: str, number: int) -> None:
    """Play a whole game over two connections, which different workers may serve."""
    limits = httpx.Limits(max_keepalive_connections=0)
    async with httpx.AsyncClient(base_url=address, limits=limits, timeout=SECONDS) as client:
        request = {"game": "tictactoe", "opponent": "friend", "name": f"Ada{number}", "visibility": "public"}
        one = (await client.post("/api/rooms", json=request)).json()
        two = (await client.post("/api/join", json={"code": one["code"], "name": f"Wei{number}"})).json()
        seen: tuple[list[str], list[str]] = ([], [])
        listeners = [
            asyncio.ensure_future(listen(client, one["room"], each["token"], lines))
            for each, lines in zip((one, two), seen, strict=True)
        ]
        try:
            await until(lambda: all(states(lines) for lines in seen))
            for ply, move in enumerate(MOVES, 1):
                version = states(seen[0])[-1]["version"]
                body = {"version": version, "key": f"k{ply}", "command": {"type": "move", "move": move}}
                proof = {"authorization": f"Bearer {(one, two)[(ply - 1) % 2]['token']}"}
                answer = await client.post(f"/api/rooms/{one['room']}/commands", json=body, headers=proof)
                assert answer.status_code == 200, answer.text
                await until(lambda: all(states(lines)[-1]["ply"] == ply for lines in seen))  # noqa: B023
            last = [states(lines)[-1] for lines in seen]
            assert [state["phase"] for state in last] == ["over", "over"]
            assert all(player["here"] for player in last[0]["players"])
        finally:
            for listener in listeners:
                listener.cancel()
            await asyncio.gather(*listeners, return_exceptions=True)


async def play_all(running: Server) -> None:
    await asyncio.gather(*(play(running.address, number) for number in range(GAMES)))


def test_two_workers_serve_same_rooms(postgres_url: str, tmp_path: Path) -> None:
    with server(postgres_url, tmp_path / "log", "--workers", "2", "--unlimited") as running:
        run(play_all(running))
        listed = httpx.get(f"{running.address}/api/games", timeout=SECONDS).json()["games"]
        assert len(listed) == GAMES
        assert {game["plies"] for game in listed} == {len(MOVES)}
        assert running.stop() < 12
    log = (tmp_path / "log").read_text()
    assert log.count('"what": "stopped"') == 2
    assert '"level": "error"' not in log


def test_workers_stop_with_supervisor(postgres_url: str, tmp_path: Path) -> None:
    with server(postgres_url, tmp_path / "log", "--workers", "2") as running:
        running.process.kill()
        host, port = running.address.removeprefix("http://").split(":")
        end = time.monotonic() + SECONDS
        while is_answered(host, int(port)):
            assert time.monotonic() < end, "somebody still listens at the port"
            time.sleep(0.05)


@pytest.mark.parametrize("workers", ["1", "2"])
def test_server_stops_after_newer_migration(postgres_url: str, tmp_path: Path, workers: str) -> None:
    program = "tests.interfaces.web.beating"  # The revision is checked at each sign of life.
    with server(postgres_url, tmp_path / "log", "--workers", workers, program=program) as running:
        run_sql(postgres_url, "UPDATE noughts_version SET version_num = '9999'")
        assert running.process.wait(SECONDS) == UNUSABLE
    assert "newer version" in (tmp_path / "log").read_text()


def is_answered(host: str, port: int) -> bool:
    try:
        socket.create_connection((host, port), timeout=SECONDS).close()
    except ConnectionRefusedError:
        return False
    return True
