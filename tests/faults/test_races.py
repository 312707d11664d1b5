"""One of two simultaneous commands is executed, and repetitions once: at one worker, two, and over HTTP."""

import asyncio
import signal
from collections import Counter
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.databases import new_file, url_of
from tests.faults.races import race_joins, race_moves, repeat_one, workers
from tests.faults.servers import CEILING, ForkedServer, Launcher
from tests.postgres import postgres, postgres_url
from tests.running import run

pytestmark = pytest.mark.slow

__all__ = ["postgres", "postgres_url"]  # fixtures


def test_races_at_one_worker_have_one_winner(tmp_path: Path) -> None:
    url = url_of(new_file(tmp_path / "games.db"))
    with workers(url, 1) as rooms:
        race_moves(rooms, 200)
        race_joins(rooms, 60)
    repeat_one(url, 1, 200)


def test_races_at_two_workers(postgres_url: str) -> None:
    with workers(postgres_url, 2) as rooms:
        race_moves(rooms, 60)
        race_joins(rooms, 20)
    repeat_one(postgres_url, 2, 60)


def test_races_over_http_have_one_winner(launcher: Launcher, tmp_path: Path) -> None:
    server = ForkedServer(launcher, url_of(new_file(tmp_path / "games.db")), tmp_path / "log")
    run(_over_http(server))


async def _over_http(server: ForkedServer) -> None:
    server.start()
    await server.answering()
    async with httpx.AsyncClient(base_url=server.address, timeout=CEILING, verify=False) as client:
        one, two = await _pair(client)
        path, version = f"/api/rooms/{one['room']}/commands", two["state"]["version"]
        proofs = [{"authorization": f"Bearer {received['token']}"} for received in (one, two)]
        for ply in range(9):
            proof = proofs[ply % 2]
            legal = (await client.get(f"/api/rooms/{one['room']}", headers=proof)).json()["legal"]
            bodies = [_body(version, f"{ply}-{tab}", legal[tab % len(legal)]["move"]) for tab in range(2)]
            posts = [client.post(path, json=body, headers=proof) for body in bodies]
            answers = await asyncio.gather(*posts)
            assert sorted(answer.status_code for answer in answers) == [200, 409]
            versions = {answer.json()["state"]["version"] for answer in answers}
            version += 1
            assert versions == {version}, "who comes late is told the state"
            if answers[0].json()["state"]["phase"] == "over":
                break
        for _ in range(3):
            await _one_sits(client)
        one, _ = await _pair(client)
        await _repeat(server, client, one)
    server.kill()
    assert await server.gone() == -signal.SIGKILL


def _body(version: int, key: str, move: str) -> dict[str, Any]:
    return {"version": version, "key": key, "command": {"type": "move", "move": move}}


async def _pair(client: httpx.AsyncClient) -> tuple[dict[str, Any], dict[str, Any]]:
    command = {"game": "tictactoe", "opponent": "friend", "name": "Ada"}
    one = (await client.post("/api/rooms", json=command)).json()
    two = (await client.post("/api/join", json={"code": one["code"], "name": "Wei"})).json()
    return one, two


async def _one_sits(client: httpx.AsyncClient) -> None:
    command = {"game": "tictactoe", "opponent": "friend", "name": "Ada"}
    room = (await client.post("/api/rooms", json=command)).json()["room"]
    joins = [client.post("/api/join", json={"room": room, "name": f"Wei {who}"}) for who in range(8)]
    statuses = Counter(answer.status_code for answer in await asyncio.gather(*joins))
    assert statuses == {201: 1, 409: 7}


async def _repeat(server: ForkedServer, client: httpx.AsyncClient, one: dict[str, Any]) -> None:
    """Repeat the same request, also while the server is killed and restarted."""
    path, proof = f"/api/rooms/{one['room']}/commands", {"authorization": f"Bearer {one['token']}"}
    body = _body(2, "again", "5")

    async def post() -> int | None:
        try:
            answer = await client.post(path, json=body, headers=proof)
        except httpx.TransportError:
            return None
        assert answer.status_code == 200, answer.text
        return int(answer.json()["version"])

    assert await post() == 3
    under_way = asyncio.gather(*(post() for _ in range(30)))
    await asyncio.sleep(0)
    server.kill()
    assert set(await under_way) <= {3, None}
    assert await server.gone() == -signal.SIGKILL
    server.start()
    await server.answering()
    assert set(await asyncio.gather(*(post() for _ in range(30)))) == {3}
    state = (await client.get(f"/api/rooms/{one['room']}", headers=proof)).json()
    assert [move["move"] for move in state["moves"]] == ["5"]
