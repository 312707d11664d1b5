"""The bot and the commands of docs/write-a-bot.md, run against a server."""

import io
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from email.message import Message
from http.client import IncompleteRead
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.error import HTTPError

import httpx
import pytest

from tests.interfaces.web.test_server import SECONDS, Server, server, states

pytestmark = pytest.mark.slow

DOCUMENT = (Path(__file__).parents[3] / "docs" / "write-a-bot.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", DOCUMENT, re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("bots")
    with server(str(folder / "games.db"), folder / "log") as running:
        yield running


def test_documented_bot_plays_game(running: Server, tmp_path: Path) -> None:
    text = blocks("python")[0]
    assert sum(bool(line.strip()) for line in text.splitlines()) <= 30
    program = tmp_path / "bot.py"
    program.write_text(text, encoding="utf-8")
    with httpx.Client(base_url=running.address, timeout=SECONDS) as client:
        request = {"game": "tictactoe", "opponent": "friend", "name": "Ada"}
        one = client.post("/api/rooms", json=request).json()
        proof = {"authorization": f"Bearer {one['token']}"}
        command_line = [sys.executable, str(program), running.address, one["code"]]
        bot = subprocess.Popen(command_line, stdout=subprocess.PIPE, text=True)
        try:
            with client.stream("GET", f"/api/rooms/{one['room']}/events", headers=proof) as stream:
                for line in stream.iter_lines():
                    for state in states([line]):
                        if state["legal"]:
                            command = {"type": "move", "move": state["legal"][-1]["move"]}
                            body = {
                                "version": state["version"],
                                "key": f"p{state['ply']}",
                                "command": command,
                            }
                            path = f"/api/rooms/{one['room']}/commands"
                            assert client.post(path, json=body, headers=proof).status_code in (200, 409)
                    if line.startswith("data") and state["phase"] == "over":
                        break
            facts, _ = bot.communicate(timeout=SECONDS)
        finally:
            bot.kill()
            bot.wait(SECONDS)
    assert bot.returncode == 0
    assert facts.strip() == " ".join(state["result"]["sentences"])


class Troubled:
    """A server with given responses to the bot. Errors are raised."""

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)
        self.commands: list[Any] = []

    def ask(self, address: str, value: Any = None, token: str = "") -> Any:
        if address.endswith("/commands"):
            self.commands.append(value)
        data = self.answers.pop(0)
        if isinstance(data, Exception):
            raise data
        return data

    def meets(self, code: str) -> Any:
        """Run the bot of the document against *answers*."""
        space: dict[str, Any] = {"__name__": "bot"}
        exec(compile(blocks("python")[0], "bot.py", "exec"), space)
        space["time"] = SimpleNamespace(sleep=lambda seconds: None)
        space["ask"] = self.ask
        return space["play"]("http://test", code)


def refused(status: int) -> HTTPError:
    return HTTPError("http://test", status, "", Message(), io.BytesIO())


def told(version: int, **facts: Any) -> Iterator[bytes]:
    """Return a stream with one state, which breaks afterwards."""
    yield from (b": comment\n", b"event: spectators\n", b"data: 2\n", b"\n")
    yield b"data: " + json.dumps({"version": version, "legal": [], "result": None, **facts}).encode()
    raise IncompleteRead(b"")


SEAT = b'{"room": "R", "token": "T"}'
TURN = {"legal": [{"move": "5"}]}


def test_documented_bot_recovers_from_failures() -> None:
    end = told(9, result={"sentences": ["X wins."]})
    too_late = (told(3, **TURN), refused(409))
    server = Troubled(
        *(io.BytesIO(SEAT), told(2), ConnectionResetError(), *too_late, refused(503), told(4, **TURN)),
        *(TimeoutError(), told(4, **TURN), None, refused(429), end),
    )
    assert server.meets("ABCDEF") == ["X wins."]
    assert [(one["version"], one["key"]) for one in server.commands] == [(3, "v3"), (4, "v4"), (4, "v4")]
    with pytest.raises(HTTPError):
        Troubled(io.BytesIO(SEAT), refused(404)).meets("ABCDEF")


def test_documented_commands_work(running: Server) -> None:
    if shutil.which("curl") is None:
        pytest.skip("curl is not on this machine")

    def run(text: str, **variables: str) -> list[Any]:
        """Every command of the document gets its response. A stream is read for a second."""
        script = text.replace("http://127.0.0.1:8000", running.address).replace("\\\n", " ")
        script = re.sub("^curl -s", "echo; curl -s", script, flags=re.MULTILINE)
        script = script.replace("curl -sN", "curl -sN --max-time 1")
        result = subprocess.run(
            ["/bin/sh", "-uc", script],
            env={**os.environ, "no_proxy": "127.0.0.1", **variables},
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        ).stdout
        lines = [line.removeprefix("data: ") for line in result.splitlines()]
        return [json.loads(line) for line in lines if line.startswith("{")]

    opening, playing, listing = blocks("sh")
    (entered,) = run(opening)
    state, done, seen = run(playing, ROOM=entered["room"], TOKEN=entered["token"])[:3]
    assert (state["ply"], state["you"]) == (0, 0)
    assert done["state"]["moves"][0]["move"] == "5"
    assert seen["version"] >= done["version"]
    games, scores, description = run(listing)
    assert "games" in games
    assert "scores" in scores or "players" in scores
    listed = set(re.findall(r"/api/[\w/.-]+", DOCUMENT.partition("| request |")[2].partition("## ")[0]))
    names = {"{room}": "ROOM", "{number}": "ID", "{ply}": "PLY", "{cell}": "CELL", "{code}": "CODE"}
    names |= {"{entry}": "ENTRY", "{identity}": "PERSON"}
    assert listed == {re.sub("{.*?}", lambda name: names[name[0]], path) for path in description["paths"]}
