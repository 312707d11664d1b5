"""The commands of docs/run-a-server.md: proxies, backups during games, and its tables."""

import asyncio
import json
import os
import re
import shlex
import shutil
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import click
import httpx
import pytest

from noughts.arena.store.database import open_database
from noughts.interfaces.cli.serving import serve
from noughts.interfaces.web.http.limits import Rate, ServerLimits
from tests.databases import fill
from tests.interfaces.web.test_server import SECONDS, Server, listen, server, states, until
from tests.postgres import postgres, postgres_url
from tests.running import run

pytestmark = pytest.mark.slow

__all__ = ["postgres", "postgres_url"]  # fixtures

DOCUMENT = (Path(__file__).parents[3] / "docs" / "run-a-server.md").read_text(encoding="utf-8")
WEB = Path(__file__).parents[3] / "src" / "noughts" / "interfaces" / "web"
ADA, WEI, STRANGER = "127.0.0.2", "127.0.0.3", "127.0.0.4"
"""Addresses of this machine for visitors, different from that of the proxy."""


def block(language: str, first: str) -> str:
    """Return the code block of *language* that contains *first*."""
    found = [
        text for text in re.findall(rf"^```{language}\n(.*?)^```$", DOCUMENT, re.M | re.S) if first in text
    ]
    assert len(found) == 1
    return str(found[0])


def rows(heading: str) -> list[list[str]]:
    """Return the rows of the table under *heading*, each as a list of cells."""
    table = DOCUMENT.partition(f"| {heading} |")[2].partition("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in table]


def quoted(cell: str) -> list[str]:
    return re.findall("`([^`]+)`", cell)


def program(name: str) -> str:
    found = shutil.which(name) or shutil.which(name, path="/usr/sbin")
    if found is None:
        pytest.skip(f"{name} is not on this machine")
    return found


def run_script(text: str, *, variables: dict[str, str] | None = None, **instead: str) -> str:
    """Return the output of the commands of *text*, without those of the superuser and with replacements."""
    for word, other in instead.items():
        text = text.replace({"data": "/var/lib/noughts", "backups": "/var/backups", "url": URL}[word], other)
    lines = [line for line in text.splitlines() if not line.startswith(("systemctl", "chown"))]
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    ran = subprocess.run(
        ["/bin/sh", "-euc", "\n".join(lines)],
        env={**os.environ, "PATH": path, "NOUGHTS_LANG": "en", **(variables or {})},
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


URL = "postgresql://noughts@127.0.0.1/noughts"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, Path]]:
    """Yield a server behind a proxy, started as in the document, and its folder."""
    folder = tmp_path_factory.mktemp("served")
    options = block("sh", "noughts serve --proxy").split()[2:]
    with server(str(folder / "games.db"), folder / "log", *options) as running:
        yield running, folder


# Proxies


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


def certify(folder: Path) -> None:
    """Create a certificate that only the test trusts."""
    files = f"-keyout {folder}/privkey.pem -out {folder}/fullchain.pem"
    made = f"{program('openssl')} req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost {files}"
    subprocess.run(shlex.split(made), check=True, capture_output=True, timeout=SECONDS)


def nginx(folder: Path, port: int, to: str) -> list[str]:
    """Return the command that runs nginx with the file of the document, on *port* and in *folder*."""
    found = program("nginx")
    certify(folder)
    site = block("nginx", "ssl_certificate").replace("/etc/letsencrypt/live/play.example.org", str(folder))
    site = site.replace("listen 80;", f"listen 127.0.0.1:{free_port()};").replace("127.0.0.1:8000", to)
    (folder / "site.conf").write_text(site.replace("listen 443 ", f"listen 127.0.0.1:{port} "))
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    temporary = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in kinds)
    user = "user root;\n" if os.geteuid() == 0 else ""
    (folder / "nginx.conf").write_text(
        f"{user}daemon off;\npid {folder}/pid;\nerror_log stderr;\nevents {{}}\n"
        f"http {{\naccess_log off;\n{temporary}include {folder}/site.conf;\n}}\n"
    )
    return [found, "-p", str(folder), "-e", "stderr", "-c", str(folder / "nginx.conf")]


def caddy(folder: Path, port: int, to: str) -> list[str]:
    """Return the command that runs Caddy with the file of the document, on *port* with a certificate."""
    found = program("caddy")
    alone = "{\n\tadmin off\n\tauto_https disable_redirects\n\tskip_install_trust\n\tlocal_certs\n}\n"
    site = block("caddy", "reverse_proxy").replace("play.example.org", f"https://localhost:{port}")
    (folder / "Caddyfile").write_text(alone + site.replace("127.0.0.1:8000", to))
    return [found, "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]


@contextmanager
def started(command: list[str], folder: Path, address: str) -> Iterator[None]:
    """Run a proxy that answers at *address*."""
    homes = {name: str(folder) for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME")}
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, env={**os.environ, **homes})
        try:
            end = time.monotonic() + SECONDS
            while True:
                is_late = process.poll() is not None or time.monotonic() > end
                assert not is_late, (folder / "log").read_text()
                try:
                    if httpx.get(f"{address}/healthz", verify=False).status_code == 200:
                        break
                except httpx.TransportError:
                    time.sleep(0.05)
            yield
        finally:
            process.terminate()
            process.wait(SECONDS)


def visitor(address: str, origin: str, **headers: str) -> httpx.AsyncClient:
    """Return a browser at *address* that opens *origin*."""
    transport = httpx.AsyncHTTPTransport(verify=False, local_address=address)
    return httpx.AsyncClient(
        base_url=origin, transport=transport, headers={"origin": origin, **headers}, timeout=SECONDS
    )


async def play_through(origin: str) -> None:
    """Play a game of two players. Their streams show each move."""
    forged = {"x-forwarded-for": "203.0.113.9"}
    async with visitor(ADA, origin) as ada, visitor(WEI, origin, **forged) as wei:
        request = {"game": "tictactoe", "opponent": "friend", "name": "Ada"}
        opened = await ada.post("/api/rooms", json=request)
        assert "secure" in opened.headers["set-cookie"].lower()
        one = opened.json()
        two = (await wei.post("/api/join", json={"code": one["code"], "name": "Wei"})).json()
        seen: tuple[list[str], list[str]] = ([], [])
        table = list(zip((ada, wei), (one, two), seen, strict=True))
        listeners = [
            asyncio.ensure_future(listen(client, one["room"], seat["token"], lines))
            for client, seat, lines in table
        ]
        try:
            await until(lambda: all(states(lines) for lines in seen))
            for ply, move in enumerate(["5", "1", "4", "6", "2", "8", "3", "7", "9"], 1):
                client, seat, lines = table[(ply - 1) % 2]
                version = states(lines)[-1]["version"]
                body = {"version": version, "key": f"k{ply}", "command": {"type": "move", "move": move}}
                proof = {"authorization": f"Bearer {seat['token']}"}
                answer = await client.post(f"/api/rooms/{one['room']}/commands", json=body, headers=proof)
                assert answer.status_code == 200, answer.text
                await until(lambda: all(states(lines)[-1]["ply"] == ply for lines in seen))  # noqa: B023
            assert not any(listener.done() for listener in listeners)
        finally:
            for listener in listeners:
                listener.cancel()
            await asyncio.gather(*listeners, return_exceptions=True)
        foreign = {"origin": "https://evil.example"}
        assert (await ada.post("/api/rooms", json=request, headers=foreign)).status_code == 403
        assert (await ada.get("/metrics")).status_code == 404


async def come_by_oneself(address: str) -> None:
    async with visitor(STRANGER, address, **{"x-forwarded-for": "203.0.113.9"}) as stranger:
        assert (await stranger.get("/api/scores")).status_code == 200


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has many addresses of its own")
@pytest.mark.parametrize("command", [nginx, caddy])
def test_game_can_be_played_through_proxy(command: Any, served: tuple[Server, Path], tmp_path: Path) -> None:
    running, folder = served
    port = free_port()
    origin = f"https://localhost:{port}"
    written = len((folder / "log").read_text())
    with started(command(tmp_path, port, running.address.removeprefix("http://")), tmp_path, origin):
        run(play_through(origin))
        run(come_by_oneself(running.address))
    data = (folder / "log").read_text()[written:].splitlines()
    lines = [json.loads(line) for line in data if line.startswith("{")]
    body = [line for line in lines if line["what"] == "request"]
    addresses = {route: {line["address"] for line in body if line["route"] == route} for route in ROUTES}
    assert addresses == ROUTES
    assert {name for cells in rows("field") for name in quoted(cells[0])} <= set(body[0]) | {"trace"}


ROUTES = {
    "/api/rooms": {ADA},
    "/api/join": {WEI},
    "/api/rooms/{room}/events": {ADA, WEI},
    "/api/rooms/{room}/commands": {ADA, WEI},
    "/api/scores": {STRANGER},
}
"""The requests of each address. Forged headers do not count."""


# Backups


def begin_game(client: httpx.Client) -> tuple[str, dict[str, str]]:
    entered = client.post("/api/rooms", json={"game": "15x15:5", "opponent": "friend", "name": "Ada"}).json()
    client.post("/api/join", json={"code": entered["code"], "name": "Wei"}).raise_for_status()
    return entered["room"], {"authorization": f"Bearer {entered['token']}"}


def test_backup_during_games_can_be_restored(served: tuple[Server, Path], tmp_path: Path) -> None:
    program("sqlite3")
    running, folder = served
    backups, data = tmp_path / "backups", tmp_path / "data"
    backups.mkdir()
    data.mkdir()
    with httpx.Client(base_url=running.address, timeout=SECONDS) as client:
        room, proof = begin_game(client)
        version = client.get(f"/api/rooms/{room}", headers=proof).json()["version"]
        body = {"version": version, "key": "one", "command": {"type": "move", "move": "h8"}}
        client.post(f"/api/rooms/{room}/commands", json=body, headers=proof).raise_for_status()
        result = run_script(block("sh", ".backup"), data=str(folder), backups=str(backups))
        client.post("/api/rooms", json={"game": "tictactoe", "name": "Ada"}).raise_for_status()
    assert result.startswith("ok\n")
    for stale in ("games.db", "games.db-wal", "games.db-shm"):
        (data / stale).write_bytes(b"damaged" * 100)
    run_script(block("sh", "rm -f"), data=str(data), backups=str(backups))
    with closing(sqlite3.connect(data / "games.db")) as database:
        assert database.execute("pragma integrity_check").fetchall() == [("ok",)]
    with server(str(data / "games.db"), tmp_path / "log") as restored:
        state = httpx.get(f"{restored.address}/api/rooms/{room}", headers=proof, timeout=SECONDS).json()
    assert (state["you"], state["ply"], state["turn"]) == (0, 1, "O")


def test_postgres_dump_can_be_restored(postgres_url: str, tmp_path: Path) -> None:
    program("pg_dump")
    with closing(open_database(postgres_url)) as database:
        fill(database)
    base, _, name = postgres_url.rpartition("/")
    port = base.rpartition(":")[2]
    data = run_script(
        block("sh", "pg_dump").replace(" noughts_drill", f" {name}_drill"),
        variables={"PGHOST": "127.0.0.1", "PGPORT": port, "PGUSER": "noughts"},
        url=postgres_url,
        backups=str(tmp_path),
    )
    assert "O'Neil" in data


# Tables of the document


def test_every_option_is_documented() -> None:
    options = [param for param in serve.params if isinstance(param, click.Option)]
    known = {option.opts[0]: option.envvar for option in options}
    listed = {quoted(cells[0])[0].split()[0]: next(iter(quoted(cells[1])), None) for cells in rows("option")}
    assert listed == known


def test_every_limit_is_documented() -> None:
    def shown(limit: Rate | int | None) -> str:
        return f"{limit.per_second:g}/{limit.burst}" if isinstance(limit, Rate) else str(limit)

    limits = ServerLimits()
    listed = [(quoted(cells[0])[0], cells[1]) for cells in rows("name")]
    assert listed == [(name, shown(getattr(limits, name))) for name in ServerLimits.__slots__]


def test_every_metric_is_documented(served: tuple[Server, Path]) -> None:
    with httpx.Client(base_url=served[0].address, timeout=SECONDS) as client:
        begin_game(client)
        text = client.get("/metrics").text
    listed = {quoted(cells[0])[0] for cells in rows("metric")}
    assert set(re.findall(r"^# TYPE (\w+)", text, re.M)) <= listed
    source = "".join(path.read_text(encoding="utf-8") for path in WEB.rglob("*.py"))
    for name in listed:
        word = name.removeprefix("noughts_").removesuffix("_total")
        assert re.search(rf'"{word}"|noughts_{word}', source), name


def test_systemd_unit_is_valid(tmp_path: Path) -> None:
    found = program("systemd-analyze")
    unit = tmp_path / "noughts.service"
    noughts = Path(sys.executable).parent / "noughts"
    unit.write_text(block("ini", "ExecStart").replace("/opt/noughts/bin/noughts", str(noughts)))
    command = [found, "verify", "--man=no", "--recursive-errors=no", str(unit)]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    data = ran.stdout + ran.stderr
    if "Failed to initialize manager" in data:
        pytest.skip("systemd cannot be asked here")
    assert [line for line in data.splitlines() if "noughts.service" in line] == []
    assert ran.returncode == 0, data
