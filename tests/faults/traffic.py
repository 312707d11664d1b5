"""Traffic: clients that play, reconnect, repeat commands, and remember their answers."""

import asyncio
import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from random import Random
from typing import Any

import httpx

from tests.faults.servers import CEILING

Json = dict[str, Any]

AGAIN = 0.1
"""The probability that an acknowledged command is repeated under its key."""

DOUBT = 0.02
"""The probability that a silent client polls: a server that is about to die may notify nobody."""


@dataclass
class Asked:
    """A command that was sent. ``version`` is the answered version, or None without an answer."""

    room: str
    place: int
    body: Json
    version: int | None = None
    is_refused: bool = False

    @property
    def key(self) -> str:
        return str(self.body["key"])

    @property
    def move(self) -> str | None:
        """The move to play, or None for another command."""
        result: str | None = self.body["command"].get("move")
        return result


@dataclass(frozen=True)
class Entered:
    """A seat that the server has confirmed."""

    room: str
    place: int
    token: str


class Player:
    """A client in a seat that plays at random and listens to the stream of the room."""

    def __init__(self, traffic: "Traffic", entered: Entered, client: httpx.AsyncClient) -> None:
        self.traffic, self.entered, self.client = traffic, entered, client
        self.chance = Random(traffic.chance.random())
        self.proof = {"authorization": f"Bearer {entered.token}"}
        self.path = f"/api/rooms/{entered.room}"
        self.state: Json = {"version": -1}
        self.streamed: Json = {"version": -1}
        self.asked: list[Asked] = []
        self.pending: Asked | None = None
        self.is_idle = False
        self._news = asyncio.Event()

    def take_in(self, state: Json) -> None:
        if state["version"] >= self.state["version"]:
            self.state = state

    async def look(self) -> Json:
        """Return the current room, and repeat the request until it is answered."""
        while True:
            with suppress(httpx.TransportError):
                answer = await self.client.get(self.path, headers=self.proof)
                if answer.status_code == 200:
                    self.take_in(answer.json())
                    return dict(answer.json())
                assert answer.status_code == 503, answer.text
            await self.traffic.pause_a_little()

    async def follow(self) -> None:
        """Listen, and reconnect whenever the stream ends."""
        while not self.traffic.is_over:
            headers = {**self.proof, "last-event-id": str(self.streamed["version"])}
            with suppress(httpx.TransportError):
                async with self.client.stream("GET", f"{self.path}/events", headers=headers) as answer:
                    assert answer.status_code in (200, 503), await answer.aread()
                    async for line in answer.aiter_lines():
                        if line.startswith("data: "):
                            state = json.loads(line.removeprefix("data: "))
                            assert state["version"] > self.streamed["version"], "a stream goes forward"
                            self.streamed = state
                            self.take_in(state)
                            self._news.set()
            await self.traffic.pause_a_little()

    async def play(self) -> None:
        """Send one command after another."""
        while not self.traffic.is_over:
            if self.pending is None and not self.traffic.goes_on.is_set():
                self.is_idle = True
                await self.traffic.goes_on.wait()
                self.is_idle = False
            command = self.pending or self._choose()
            if command is None:
                try:
                    async with asyncio.timeout(0.05):
                        self._news.clear()
                        await self._news.wait()
                except TimeoutError:
                    if self.chance.random() < DOUBT:
                        await self.look()
                continue
            if not await self.ask(command):
                await self.traffic.pause_a_little()

    async def ask(self, command: Asked) -> bool:
        """Send a command. Return False if its effect is unknown."""
        try:
            answer = await self.client.post(f"{self.path}/commands", json=command.body, headers=self.proof)
        except httpx.TransportError:
            return False
        status, received = answer.status_code, answer.json()
        if status == 503:
            self.traffic.refused += 1
            return False
        assert status in (200, 409, 422), answer.text
        if status == 200:
            self.traffic.acknowledged += command.version is None
            assert command.version in (None, received["version"]), "another answer for the same key"
            command.version = received["version"]
        else:
            assert command.version is None, f"done once, refused again: {answer.text}"
            command.is_refused = True
        if "state" in received:
            self.take_in(received["state"])
        else:
            await self.look()
        if command is self.pending:
            self.pending = None
        return True

    def _choose(self) -> Asked | None:
        """Return a command to send, or None if there is none."""
        done = [asked for asked in self.asked[-20:] if asked.version is not None]
        if done and self.chance.random() < AGAIN:
            return self.chance.choice(done)
        command = self._command()
        if command is None:
            return None
        body = {"version": self.state["version"], "key": f"k{len(self.asked)}", "command": command}
        self.pending = Asked(self.entered.room, self.entered.place, body)
        self.asked.append(self.pending)
        return self.pending

    def _command(self) -> Json | None:
        state, place, luck = self.state, self.entered.place, self.chance.random()
        if state.get("phase") == "over":
            return None if place in state["wishes"] else {"type": "rematch"}
        if state.get("phase") != "playing":
            return None
        mine = state["players"][place]["side"]
        if state["offer"] is not None:
            return None if state["offer"]["side"] == mine else {"type": "accept" if luck < 0.5 else "decline"}
        if state["legal"] and luck < 0.9:
            return {"type": "move", "move": self.chance.choice(state["legal"])["move"]}
        if luck < 0.93 and any(move["side"] == mine for move in state["moves"]):
            return {"type": "take-back"}
        if luck < 0.95:
            return {"type": "offer-draw"}
        return {"type": "resign"} if luck > 0.98 else None


class Traffic:
    """Clients at tables, at one server or at several. The players of a table use different ones."""

    def __init__(self, clients: list[httpx.AsyncClient], seed: object) -> None:
        self.clients, self.chance = clients, Random(f"traffic {seed}")
        self.goes_on, self.is_up = asyncio.Event(), asyncio.Event()
        self.players: list[Player] = []
        self.entered: list[Entered] = []
        self.acknowledged = self.refused = 0
        self.is_over = False
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def asked(self) -> list[Asked]:
        return [command for player in self.players for command in player.asked]

    async def pause_a_little(self) -> None:
        """Wait until the server is reported to be up."""
        await self.is_up.wait()
        await asyncio.sleep(0.01)

    async def seat(self, tables: int, game: str = "tictactoe") -> None:
        """Seat two clients at each of *tables* tables, and let them play."""
        for number in range(tables):
            one, two = await self.enter(number, game)
            for place, entered in enumerate((one, two)):
                player = Player(self, entered, self.clients[(number + place) % len(self.clients)])
                await player.look()
                self.players.append(player)
                self._tasks += [asyncio.create_task(player.follow()), asyncio.create_task(player.play())]

    async def enter(self, number: int, game: str = "tictactoe") -> tuple[Entered, Entered]:
        """Return two clients at a new table. Raises httpx.TransportError."""
        client = self.clients[number % len(self.clients)]
        command = {"game": game, "opponent": "friend", "name": f"Ada {number}"}
        code, one = self._seated(await client.post("/api/rooms", json=command))
        _, two = self._seated(await client.post("/api/join", json={"code": code, "name": f"Wei {number}"}))
        return one, two

    def _seated(self, answer: httpx.Response) -> tuple[str, Entered]:
        if answer.status_code == 503:
            raise httpx.TransportError("the store is away")
        assert answer.status_code == 201, answer.text
        received = answer.json()
        self.entered.append(Entered(received["room"], received["place"], received["token"]))
        return received["code"], self.entered[-1]

    def let_people_come(self) -> None:
        """Seat new clients at new tables all the time. They play no moves."""
        self._tasks.append(asyncio.create_task(self._come()))

    async def _come(self) -> None:
        number = 0
        while not self.is_over:
            await self.goes_on.wait()
            with suppress(httpx.TransportError):
                await self.enter(number)
            await self.pause_a_little()
            number += 1

    def check(self) -> None:
        """Raise the error of a failed client."""
        for task in self._tasks:
            if task.done():
                task.result()

    async def acknowledge(self, count: int) -> None:
        """Wait until *count* more commands were acknowledged."""
        end = self.acknowledged + count
        async with asyncio.timeout(CEILING):
            while self.acknowledged < end:
                self.check()
                await asyncio.sleep(0.001)

    async def settle(self) -> float:
        """Stop playing, and return the seconds until all clients knew all results and agreed."""
        began = time.monotonic()
        self.goes_on.clear()
        async with asyncio.timeout(CEILING):
            while not all(player.is_idle for player in self.players):
                self.check()
                await asyncio.sleep(0.005)
            for player in self.players:
                while _shown(await player.look()) != _shown(player.streamed):
                    self.check()
                    await asyncio.sleep(0.005)
            for one, two in zip(self.players[::2], self.players[1::2], strict=True):
                while _public(await one.look()) != _public(await two.look()):
                    await asyncio.sleep(0.005)
        return time.monotonic() - began

    async def ask_again(self) -> None:
        """Repeat the last executed command of each client, and check that the answer is the same."""
        for player in self.players:
            done = [command for command in player.asked if command.version is not None]
            for command in done[-1:]:
                async with asyncio.timeout(CEILING):
                    while not await player.ask(command):
                        await self.pause_a_little()

    async def end(self) -> None:
        """Stop all clients, at once if the server is gone."""
        self.is_over = True
        self.goes_on.set()
        self.is_up.set()
        if self._tasks:
            _, late = await asyncio.wait(self._tasks, timeout=1)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)


def _shown(state: Json) -> Json:
    """Return the parts of *state* that two answers for the same seat share: all but the times."""
    return {name: value for name, value in state.items() if name not in ("clock", "now")}


def _public(state: Json) -> Json:
    """Return the part of the state that both sides see."""
    private = ("clock", "now", "players", "you", "legal", "may_abort", "code", "expires", "fields")
    return {name: value for name, value in state.items() if name not in private}


@asynccontextmanager
async def traffic(*addresses: str, seed: object) -> AsyncIterator[Traffic]:
    """Yield traffic with the running servers at *addresses*, without any seats yet."""
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=None)
    clients = [
        httpx.AsyncClient(base_url=each, limits=limits, timeout=CEILING, verify=False) for each in addresses
    ]
    made = Traffic(clients, seed)
    made.is_up.set()
    made.goes_on.set()
    try:
        yield made
    finally:
        await made.end()
        for client in clients:
            await client.aclose()
