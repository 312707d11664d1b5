"""The bot of the documents plays against a server."""

import re
import subprocess
import sys
from pathlib import Path

import httpx

from tests.interfaces.web.test_server import SECONDS, server, states

DOCUMENT = Path(__file__).parents[3] / "docs" / "write-a-bot.md"


def test_the_bot_of_the_documents_plays_a_game(tmp_path: Path) -> None:
    found = re.search(
        r"^```python\n(.*?)^```$", DOCUMENT.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )
    assert found is not None
    assert len(found[1].splitlines()) <= 35
    program = tmp_path / "bot.py"
    program.write_text(found[1], encoding="utf-8")
    with (
        server(str(tmp_path / "games.db"), tmp_path / "log") as running,
        httpx.Client(base_url=running.address, timeout=SECONDS) as client,
    ):
        asked = {"game": "tictactoe", "opponent": "friend", "name": "Ada"}
        one = client.post("/api/rooms", json=asked).json()
        proof = {"authorization": f"Bearer {one['token']}"}
        bot = subprocess.Popen(
            [sys.executable, str(program), running.address, one["code"]], stdout=subprocess.PIPE, text=True
        )
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
            told, _ = bot.communicate(timeout=SECONDS)
        finally:
            bot.kill()
            bot.wait(SECONDS)
    assert bot.returncode == 0
    assert told.strip() == " ".join(state["result"]["sentences"])
