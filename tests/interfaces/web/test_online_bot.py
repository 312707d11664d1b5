"""``examples/online_bot.py`` plays a person, also after a lost connection and a restart of the server."""

import importlib.util
import re
import threading
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from noughts.arena.clock import Clock
from noughts.arena.commands import MakeMove
from noughts.arena.remote.address import RoomAddress
from noughts.arena.remote.client import Client
from noughts.arena.remote.entering import SavedSeat, SavedSeats, enter
from noughts.arena.remote.own_key import KeyFile, KeyHolder
from noughts.arena.remote.remote_lobby import RemoteLobby
from noughts.errors import ServerFailed
from tests.interfaces.web.remote_server import Player, ThreadServer, wait_until

DOCUMENT = Path(__file__).parents[3] / "docs" / "write-a-bot.md"

SCRIPT = Path(__file__).parents[3] / "examples" / "online_bot.py"

CLOCK = {"base": 300_000, "increment": 3_000}


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    spec = importlib.util.spec_from_file_location("online_bot", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "AGAIN_SECONDS", 0.05)
    return module


def seat_of(server: ThreadServer, lobby: RemoteLobby, folder: Path) -> Player:
    """Return the visitor of *lobby* at the table of the game that has begun."""
    room, seats = str(lobby.room), SavedSeats(folder / "seats")
    seats.save(SavedSeat(server.origin, room, lobby.name, lobby.key))
    with Client(server.origin) as client:
        entered = enter(client, RoomAddress(server.origin, room=room), lobby.name, seats, watches=False)
    return Player(server.origin, entered.state, entered.token)


@pytest.mark.slow
def test_documented_bot_with_key_plays(tmp_path: Path) -> None:
    server, key, space = (
        ThreadServer(f"sqlite:///{tmp_path}/games.db"),
        tmp_path / "bot.json",
        dict[str, Any](),
    )
    code = re.findall(
        r"^```python\n(.*?)^```$", DOCUMENT.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )[1]
    exec(compile(code, str(DOCUMENT), "exec"), space)
    with Client(server.origin) as client:
        KeyHolder(client, KeyFile(key), "Test").register("First", bytes(16), is_bot=True)

    def play() -> None:
        with suppress(ServerFailed):  # The server ends.
            space["play"](server.origin, key)

    thread = threading.Thread(target=play, daemon=True)
    thread.start()
    wait_until(lambda: server.ask("/api/offers")["offers"])
    lobby = RemoteLobby(lambda: Client(server.origin), "Ada", lambda: None)
    lobby.offer("tictactoe", Clock(base=300_000, increment=3_000), "First")
    wait_until(lambda: lobby.receive() is not None and lobby.room is not None)
    ada = seat_of(server, lobby, tmp_path)
    ada.until(lambda table: table.seen.turn == table.seen.players[table.seen.you or 0].side)
    before = len(ada.table.seen.moves)
    ada.send(MakeMove(ada.table.present_match.game.legal_moves()[-1]))
    ada.until(lambda table: len(table.seen.moves) == before + 2)
    ada.table.close()
    lobby.close()
    server.stop()
    thread.join(10)
    assert not thread.is_alive()


@pytest.mark.slow
def test_example_bot_survives_cut_connection_and_restart(script: ModuleType, tmp_path: Path) -> None:
    server, key = ThreadServer(f"sqlite:///{tmp_path}/games.db"), tmp_path / "bot.json"
    with Client(server.origin) as client:
        KeyHolder(client, KeyFile(key), "Test").register("Robo", bytes(16), is_bot=True)
    offer = {"games": ["tictactoe", "gomoku"], "clocks": [CLOCK]}
    bot = script.Bot(server.origin, key, offer, script.command_of("rule"), 1)
    thread = threading.Thread(target=bot.run, daemon=True)
    thread.start()
    wait_until(lambda: server.ask("/api/offers")["offers"])

    lobby = RemoteLobby(lambda: Client(server.origin), "Ada", lambda: None)
    lobby.offer("tictactoe", Clock(base=300_000, increment=3_000), "Robo")
    wait_until(lambda: lobby.receive() is not None and lobby.room is not None)
    other = RemoteLobby(lambda: Client(server.origin), "Wei", lambda: None)
    other.offer("gomoku", Clock(base=300_000, increment=3_000), "Robo")
    wait_until(lambda: other.receive() is not None and other.challenge and other.challenge[1] == "declined")
    other.close()

    room, ada = str(lobby.room), seat_of(server, lobby, tmp_path)
    lobby.close()
    made = 0
    while True:
        ada.until(
            lambda table: (
                table.seen.is_over or table.seen.turn == table.seen.players[table.seen.you or 0].side
            )
        )
        if ada.table.seen.is_over:
            break
        if made == 0:
            bot.disconnect()
        elif made == 1:
            server.stop()
            server.start()
        made += 1
        ada.send(MakeMove(ada.table.present_match.game.legal_moves()[0]))
    names = [player.name for player in ada.table.seen.players]
    assert sorted(map(str, names)) == ["Ada", "Robo"]
    assert ada.table.seen.result is not None
    assert ada.table.seen.result["termination"] in ("line", "full", "draw")
    assert made >= 2  # the bot needs three moves to win
    wait_until(lambda: server.ask(f"/api/rooms/{room}")["phase"] == "closed")
    bot.stop()
    thread.join(10)
    assert not thread.is_alive()
    ada.table.close()
    server.stop()
