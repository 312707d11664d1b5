"""The visitors of the server benchmark: games whose players move, and streams of spectators.

They share the processor with the server, so they use no library: requests are bytes that are made once,
answers are searched for the two relevant numbers, and nothing waits in a task of its own.
"""

import asyncio
import re
from collections import Counter, deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from json import dumps, loads
from random import Random
from time import monotonic
from typing import Any, cast

from noughts.games.catalogue import new_game
from noughts.games.notation import format_move

MAX_MOVES = 40
"""The number of moves after which a game is given up, and the next starts."""

AT_ONCE = 32
"""The number of rooms that are opened at once."""

REFUSALS = (429, 503)

_LENGTH = re.compile(rb"content-length: (\d+)", re.IGNORECASE)
_VERSION = re.compile(rb'"version":(\d+)')
_EVENT = re.compile(rb"\r\nid: (\d+)\n")


@dataclass(slots=True)
class Tally:
    """The results of the commands of one part: seconds to the answer and to the other side, and errors."""

    acknowledged: list[float] = field(default_factory=list)
    seen: list[float] = field(default_factory=list)
    refused: list[float] = field(default_factory=list)
    troubles: Counter[str] = field(default_factory=Counter)
    offered: int = 0
    unasked: int = 0
    """Commands without a free game: all games were waiting for an answer."""


class Game(asyncio.Protocol):
    """A game of two players, and the connection over which both send their commands in turn."""

    def __init__(self, name: str, host: str) -> None:
        self.name, self.script, self._host = name, script_of(name), host
        self.room, self.tokens = "", ["", ""]
        self.version, self.step, self.number = 1, 0, 0
        self.keys: list[str] = []
        """The keys of acknowledged commands."""
        self.commands: list[tuple[float, int]] = []
        """The planned instant of each acknowledged command, and the version of the room after it."""
        self.played = 0
        """The number of acknowledged moves and resignations."""
        self.unknown = 0
        """The number of commands that were never answered."""
        self.tally: Tally | None = None
        self.then: Callable[[Game], None] | None = None
        self._heads: list[bytes] = []
        self._transport: asyncio.Transport | None = None
        self._answer = bytearray()
        self._due = 0.0
        self._unseen: tuple[int, int] | None = None
        """The seat that has not seen the last command yet, and the version before it."""

    @property
    def is_free(self) -> bool:
        """True if the next command can be sent."""
        return self.tally is None and self._transport is not None

    def enter(self, room: str, tokens: Iterable[str], version: int) -> None:
        """Let both players join the room."""
        self.room, self.tokens, self.version = room, list(tokens), version
        self._heads = [
            f"POST /api/rooms/{room}/commands HTTP/1.1\r\nhost: {self._host}\r\n"
            f"authorization: Bearer {token}\r\ncontent-type: application/json\r\ncontent-length: ".encode()
            for token in self.tokens
        ]

    def ask(self, due: float, tally: Tally) -> None:
        """Send the next command. Times count from *due*, its planned time."""
        place, command = self.script[self.step]
        self.number += 1
        body = b'{"version":%d,"key":"k%d","command":%b}' % (self.version, self.number, command)
        self.tally, self._due, self._unseen = tally, due, (1 - place, self.version)
        tally.offered += 1
        if self._transport is not None:
            self._transport.write(b"%b%d\r\n\r\n%b" % (self._heads[place], len(body), body))

    def receive(self, place: int, version: int, tally: Tally) -> None:
        """Handle *version* from the stream of *place*."""
        if self._unseen is not None and place == self._unseen[0] and version > self._unseen[1]:
            self._unseen = None
            tally.seen.append(monotonic() - self._due)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)  # that of uvloop has another base class

    def connection_lost(self, error: Exception | None) -> None:
        self._transport = None
        if self.tally is not None:
            self.tally.troubles["connection lost"] += 1
            self.unknown += 1
            self.tally = None

    def data_received(self, data: bytes) -> None:
        self._answer += data
        end = self._answer.find(b"\r\n\r\n")
        length = _LENGTH.search(self._answer, 0, end) if end > 0 else None
        if length is None or len(self._answer) < end + 4 + int(length[1]):
            return
        status, found = int(self._answer[9:12]), _VERSION.search(bytes(self._answer), end)
        self._answer.clear()
        tally, self.tally = self.tally, None
        if tally is None:
            return
        took = monotonic() - self._due
        if status == 200 and found is not None:
            tally.acknowledged.append(took)
            self.keys.append(f"k{self.number}")
            self.played += b"rematch" not in self.script[self.step][1]
            self.step = (self.step + 1) % len(self.script)
            self.version = int(found[1])
            self.commands.append((self._due, self.version))
        elif status in REFUSALS:
            tally.refused.append(took)
        else:
            tally.troubles[str(status)] += 1
            self.version = int(found[1]) if found is not None else self.version
        if self.then is not None:
            self.then(self)


class Listener(asyncio.Protocol):
    """The stream of one player of *game*.

    Its times count in the tally of *crowd*.
    """

    def __init__(self, game: Game, place: int, crowd: "Crowd") -> None:
        self._game, self._place, self._crowd = game, place, crowd
        self._rest = b""
        self.transport: asyncio.Transport | None = None
        self.began: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)
        self.transport.write(
            f"GET /api/rooms/{self._game.room}/events HTTP/1.1\r\nhost: {self._crowd.host}\r\n"
            f"authorization: Bearer {self._game.tokens[self._place]}\r\n\r\n".encode()
        )

    def data_received(self, data: bytes) -> None:
        data = self._rest + data
        for found in _EVENT.finditer(data):
            self._game.receive(self._place, int(found[1]), self._crowd.tally)
            if not self.began.done():
                self.began.set_result(None)
        self._rest = data[-20:]  # A number may arrive in two pieces, and a repeated version is harmless.

    def connection_lost(self, error: Exception | None) -> None:
        if not self._crowd.is_leaving:
            self._crowd.tally.troubles["stream lost"] += 1


class Crowd:
    """All players at the server at *host* and *port*."""

    def __init__(self, host: str, port: int) -> None:
        self.host, self._port = f"{host}:{port}", port
        self._address = host
        self.games: list[Game] = []
        self.tally = Tally()
        self.is_leaving = False
        self._listeners: list[Listener] = []
        self._turn: deque[Game] = deque()

    async def open(self, names: list[str], count: int, visibility: str = "link") -> None:
        """Open *count* rooms with the games *names* in turn, and join them."""
        made = iter([Game(names[number % len(names)], self.host) for number in range(count)])

        async def enter() -> None:
            reader, writer = await asyncio.open_connection(self._address, self._port)
            for game in made:
                asked = {"game": game.name, "opponent": "friend", "name": "Ada", "begins": "x"}
                asked["visibility"] = visibility
                one = await self._post(reader, writer, "/api/rooms", asked)
                two = await self._post(reader, writer, "/api/join", {"code": one["code"], "name": "Wei"})
                game.enter(one["room"], (one["token"], two["token"]), two["state"]["version"])
                self.games.append(game)
            writer.close()

        await asyncio.gather(*(enter() for _ in range(AT_ONCE)))
        self._turn.extend(self.games)

    async def _post(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, path: str, value: object
    ) -> Any:
        body = dumps(value).encode()
        writer.write(
            f"POST {path} HTTP/1.1\r\nhost: {self.host}\r\ncontent-type: application/json\r\n"
            f"content-length: {len(body)}\r\n\r\n".encode()
            + body
        )
        head = await reader.readuntil(b"\r\n\r\n")
        length = _LENGTH.search(head)
        told = loads(await reader.readexactly(int(length[1]) if length else 0))
        if b" 201 " not in head[:14]:
            raise AssertionError(f"{path}: {told}")
        return told

    async def connect(self, games: Iterable[Game]) -> None:
        """Connect those of *games* without a connection, since the server closes idle ones."""
        loop = asyncio.get_running_loop()
        for game in games:
            if not game.is_free and game.tally is None:
                await loop.create_connection(partial(itself, game), self._address, self._port)

    async def listen(self) -> None:
        """Open a stream for each player. Return when each has reported the state of its game."""
        loop = asyncio.get_running_loop()
        for game in self.games:
            for place in (0, 1):
                listener = Listener(game, place, self)
                self._listeners.append(listener)
                await loop.create_connection(partial(itself, listener), self._address, self._port)
        await asyncio.gather(*(listener.began for listener in self._listeners))

    async def offer(self, rate: float, seconds: float) -> Tally:
        """Send *rate* commands a second, even if the server falls behind.

        A game waits for its answer.
        """
        tally = self.tally = Tally()
        began = monotonic()
        count = round(rate * seconds)
        sent = 0
        while sent < count:
            now = monotonic()
            while sent < count and (due := began + sent / rate) <= now:
                sent += 1
                self._ask_next(due, tally)
            await asyncio.sleep(0.001)
        for _ in range(200):
            if all(game.tally is None for game in self.games):
                break
            await asyncio.sleep(0.05)
        return tally

    def _ask_next(self, due: float, tally: Tally) -> None:
        for _ in range(len(self._turn)):
            game = self._turn[0]
            self._turn.rotate(-1)
            if game.is_free:
                game.ask(due, tally)
                return
        tally.unasked += 1

    async def play(self, clients: int, seconds: float) -> Tally:
        """Let *clients* games each send its next command as soon as the last was answered."""
        tally = self.tally = Tally()
        end = monotonic() + seconds
        playing = self.games[:clients]

        def then(game: Game) -> None:
            if monotonic() < end:
                game.ask(monotonic(), tally)

        for game in playing:
            game.then = then
            game.ask(monotonic(), tally)
        await asyncio.sleep(seconds)
        while any(game.tally is not None for game in playing):
            await asyncio.sleep(0.01)
        for game in playing:
            game.then = None
        return tally

    def leave(self) -> None:
        """Close all streams."""
        self.is_leaving = True
        for listener in self._listeners:
            if listener.transport is not None:
                listener.transport.close()


def itself(protocol: asyncio.Protocol) -> asyncio.Protocol:
    """Return *protocol*, as the factory of its connection."""
    return protocol


def script_of(name: str) -> list[tuple[int, bytes]]:
    """Return a random game as commands with their seats, given up if it is long, then a rematch request."""
    game, chance = new_game(name), Random(7)
    script: list[tuple[int, dict[str, str]]] = []
    while not game.is_over and game.ply < MAX_MOVES:
        place = game.sides.index(game.turn)
        game.play(chance.choice(game.legal_moves()))
        made = game.undo()
        script.append((place, {"type": "move", "move": format_move(game, made)}))
        game.play(made)
    if not game.is_over:
        script.append((game.sides.index(game.turn), {"type": "resign"}))
    script += [(place, {"type": "rematch"}) for place in (0, 1)]
    return [(place, dumps(command, separators=(",", ":")).encode()) for place, command in script]
