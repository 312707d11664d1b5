"""A server in a thread of the test process, at a real address, and connected players."""

import asyncio
import socket
import threading
import time
from collections.abc import Callable
from pathlib import Path
from secrets import token_hex
from typing import Any, Self

import uvicorn

from noughts.arena.commands import Command
from noughts.arena.events import Event
from noughts.arena.remote.address import parse_address
from noughts.arena.remote.client import Client
from noughts.arena.remote.connection import RoomConnection
from noughts.arena.remote.entering import EnteredRoom, SavedSeat, SavedSeats, enter
from noughts.arena.remote.remote_state import RemoteState
from noughts.arena.remote.remote_table import RemoteTable
from noughts.interfaces.web.app import make_app
from noughts.interfaces.web.http.limits import UNLIMITED
from noughts.interfaces.web.service import ServerOptions
from tests.stand_ins import ThinkingHere

SECONDS = 20.0
"""The longest wait for something that has to happen."""


class ThreadServer:
    """A server with the database at *url*. It keeps its port when it is started again."""

    def __init__(self, url: str) -> None:
        self._url, self._port = url, 0
        self.start()

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    def start(self) -> None:
        app = make_app(
            ServerOptions(self._url, limits=UNLIMITED, away_seconds=0.05), thinkers=lambda: [ThinkingHere()]
        )
        listener = socket.socket()
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", self._port))
        self._port = listener.getsockname()[1]
        self._listener = listener
        self._server = uvicorn.Server(
            uvicorn.Config(app, log_config=None, access_log=False, timeout_graceful_shutdown=1)
        )
        self._thread = threading.Thread(
            target=lambda: asyncio.run(self._server.serve(sockets=[listener])), daemon=True
        )
        self._thread.start()
        wait_until(lambda: self._server.started)

    def stop(self) -> None:
        self._server.should_exit = True
        self._thread.join(SECONDS)
        self._listener.close()

    def open(self, **asked: Any) -> Any:
        """Open a room and return the answer of the server."""
        return self.ask("/api/rooms", {"game": "tictactoe", "name": "Ada", **asked})

    def ask(self, path: str, body: dict[str, Any] | None = None) -> Any:
        """Return the answer to a request of a guest."""
        with Client(self.origin) as client:
            return client.ask(path, body)

    def enter(
        self, where: str, seats: SavedSeats, name: str = "Wei", *, watches: bool = False
    ) -> EnteredRoom:
        """Enter the room that *where* names."""
        with Client(self.origin) as client:
            return enter(client, parse_address(where, self.origin), name, seats, watches=watches)

    def meet(self, folder: Path, game: str) -> list[EnteredRoom]:
        """Let the guests Ada and Wei meet in the lobby, and return their seats in a new *game*."""
        keys = {name: f"{name}{token_hex(12)}" for name in ("Ada", "Wei")}
        with Client(self.origin) as client:
            terms = {"name": "Ada", "games": [game], "clocks": [{"base": 300_000}]}
            number = client.ask("/api/offers", terms, keys["Ada"])["number"]
            room = client.ask(f"/api/offers/{number}/join", {"name": "Wei"}, keys["Wei"])["room"]
        entered = []
        for name, key in keys.items():
            seats = SavedSeats(folder / name)
            seats.save(SavedSeat(self.origin, room, name, key))
            entered.append(self.enter(f"{self.origin}/r/{room}", seats, name))
        return entered


class Player:
    """A player, or a spectator without a *token*, at the table of a room."""

    def __init__(self, origin: str, state: RemoteState, token: str = "") -> None:
        self.table, self._ring = RemoteTable(state, origin), threading.Event()
        self.token = token
        self.table.connection = RoomConnection(lambda: Client(origin), state.room, token, self._ring.set)

    @classmethod
    def of(cls, server: ThreadServer, answer: Any) -> Self:
        return cls(server.origin, RemoteState.of(answer["state"]), answer["token"])

    def until(self, holds: Callable[[RemoteTable], object]) -> list[Event]:
        """Take in news until *holds* is true, and return the events."""
        happened: list[Event] = []
        end = time.monotonic() + SECONDS
        while True:
            while events := self.table.synchronise():
                happened += events
            if holds(self.table):
                return happened
            assert time.monotonic() < end, (self.table.seen, self.table.ended)
            self._ring.wait(1)
            self._ring.clear()

    def send(self, command: Command) -> list[Event]:
        """Send *command* and wait for its answer."""
        self.table.apply("", command, 0)
        return self.until(lambda table: table.sending is None)

    def kinds(self, holds: Callable[[RemoteTable], object]) -> list[str]:
        return [event.kind.value for event in self.until(holds)]


def wait_until(holds: Callable[[], object]) -> None:
    end = time.monotonic() + SECONDS
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.01)
