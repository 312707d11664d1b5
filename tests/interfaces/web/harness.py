"""A server in the test process with its clients and stream listeners."""

import asyncio
import inspect
import json
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar, overload

import httpx
from starlette.types import Message

from noughts.interfaces.web.app import make_app
from noughts.interfaces.web.http.limits import UNLIMITED
from noughts.interfaces.web.service import ServerOptions, Service
from noughts.workers.messages import TaskWorker
from tests.interfaces.web import described
from tests.running import run
from tests.stand_ins import ThinkingHere

SECONDS = 20.0
"""The time limit of all waits in seconds."""

ORIGIN = "http://test"

Json = dict[str, Any]


class Clock:
    """A clock that stops unless a test moves it."""

    def __init__(self) -> None:
        self.instant = 1_800_000_000_000

    def __call__(self) -> int:
        return self.instant


class House:
    """A running server and its clock."""

    def __init__(self, app: Any, clock: Clock) -> None:
        self.app, self.clock = app, clock

    @property
    def service(self) -> Service:
        service: Service = self.app.state.service
        return service

    def guest(self, address: str = "192.0.2.1", **headers: str) -> "Guest":
        transport = httpx.ASGITransport(self.app, client=(address, 1), raise_app_exceptions=False)
        return Guest(self, address, transport, ORIGIN, headers)

    def listener(self, guest: "Guest", headers: dict[str, str], path: str, query: str) -> "Listener":
        return Listener(self.app, guest.address, headers, path, query)

    async def open(self, name: str = "Ada", **asked: Any) -> "Guest":
        """Return a guest with a room for public games."""
        guest = self.guest()
        room = {"game": "tictactoe", "opponent": "friend", "name": name, "visibility": "public"}
        await guest.enter("/api/rooms", {**room, **asked})
        return guest

    async def pair(self, **asked: Any) -> tuple["Guest", "Guest"]:
        """Return two players of one room: one opened it, the other joined by its code."""
        one, two = await self.open(**asked), self.guest("192.0.2.2")
        await two.enter("/api/join", {"code": one.code, "name": "Wei"})
        await one.look()
        return one, two


class Guest:
    """A client at an address, with a seat once it has joined a room."""

    def __init__(
        self,
        house: House,
        address: str,
        transport: httpx.AsyncBaseTransport,
        origin: str,
        headers: dict[str, str],
    ) -> None:
        self.house, self.address, self.origin = house, address, origin
        hooks: dict[str, list[Any]] = {"response": [described.check]}
        self.client = httpx.AsyncClient(
            transport=transport, base_url=origin, headers=headers, event_hooks=hooks, timeout=SECONDS
        )
        self.room, self.token, self.code = "", "", ""
        self.place: int | None = None
        self.state: Json = {}
        self.commands = 0

    async def get(self, path: str, **more: Any) -> httpx.Response:
        return await self.client.get(path, **more)

    async def post(self, path: str, value: Any, **more: Any) -> httpx.Response:
        headers = {"origin": self.origin, **more.pop("headers", {})}
        return await self.client.post(path, json=value, headers=headers, **more)

    async def enter(self, path: str, asked: Json) -> httpx.Response:
        answer = await self.post(path, asked)
        assert answer.status_code == 201, answer.text
        data = answer.json()
        self.room, self.token, self.place = data["room"], data["token"], data["place"]
        self.code, self.state = data["code"] or "", data["state"]
        return answer

    @property
    def proof(self) -> dict[str, str]:
        return {"authorization": f"Bearer {self.token}"} if self.token else {}

    async def look(self) -> Json:
        answer = await self.get(f"/api/rooms/{self.room}", headers=self.proof)
        assert answer.status_code == 200, answer.text
        self.state = answer.json()
        return self.state

    async def ask(self, kind: str, *, key: str | None = None, version: int | None = None, **more: Any) -> Any:
        """Send a command and return the response. The new state is stored."""
        self.commands += 1
        body = {
            "version": self.state["version"] if version is None else version,
            "key": key or f"{self.place}-{self.commands}",
            "command": {"type": kind, **more},
        }
        answer = await self.post(f"/api/rooms/{self.room}/commands", body, headers=self.proof)
        if "state" in answer.json():
            self.state = answer.json()["state"]
        return answer

    async def do(self, kind: str, **more: Any) -> Json:
        """Send a command for the newest state, which must succeed."""
        await self.look()
        answer = await self.ask(kind, **more)
        assert answer.status_code == 200, answer.text
        return self.state

    @asynccontextmanager
    async def listening(self, since: int | None = None, lang: str = "en") -> AsyncIterator["Listener"]:
        """Listen to the events of the room."""
        headers = dict(self.proof)
        if since is not None:
            headers["last-event-id"] = str(since)
        listener = self.house.listener(self, headers, f"/api/rooms/{self.room}/events", f"lang={lang}")
        listener.start()
        try:
            yield listener
        finally:
            await listener.stop()


class Wire:
    """The connection of a listener, through which the server writes past the task of the stream."""

    def __init__(self, take_in: Callable[[str], None]) -> None:
        self._take_in = take_in
        self.is_slow = False
        self.pushed = 0

    def push(self, chunk: bytes) -> bool:
        size, _, text = chunk.partition(b"\r\n")
        assert int(size, 16) == len(text) - 2
        if not self.is_slow:
            self.pushed += 1
            self._take_in(text[:-2].decode())
        return not self.is_slow

    def begin_answer(self) -> None:
        """Ignore the begin of the response."""

    def end_answer(self) -> None:
        """Ignore the end of the response."""


class Listener:
    """A reader of an event stream, which httpx cannot read without a network."""

    def __init__(self, app: Any, address: str, headers: dict[str, str], path: str, query: str) -> None:
        self._app = app
        self.wire = Wire(self._take_in)
        self._reads = asyncio.Event()
        self._reads.set()
        self.waiting = 0
        """The number of events that the client does not read yet."""
        self._scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": "GET",
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": [
                (name.encode(), value.encode()) for name, value in {**headers, "host": "test"}.items()
            ],
            "client": (address, 1),
            "server": ("test", 80),
            "state": {"connection": self.wire},
        }
        self._gone = asyncio.Event()
        self._states: asyncio.Queue[Json] = asyncio.Queue()
        self.texts: list[str] = []
        self.status = 0
        self.is_over = asyncio.Event()
        self._text = ""

    def start(self) -> None:
        self._task = asyncio.ensure_future(self._listen())

    async def _listen(self) -> None:
        try:
            await self._app(self._scope, self._receive, self._send)
        finally:
            self.is_over.set()

    async def _receive(self) -> Message:
        await self._gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            return
        self.waiting += 1
        await self._reads.wait()
        self.waiting -= 1
        self._take_in(message.get("body", b"").decode())

    def stop_reading(self) -> None:
        """Let the server wait with further events."""
        self.wire.is_slow = True
        self._reads.clear()

    def read_again(self) -> None:
        """Read the events that wait, and further ones."""
        self.wire.is_slow = False
        self._reads.set()

    def _take_in(self, text: str) -> None:
        self._text += text
        while "\n\n" in self._text:
            text, _, self._text = self._text.partition("\n\n")
            self.texts.append(text)
            if text.startswith("id:"):
                lines = dict(line.split(": ", 1) for line in text.split("\n"))
                assert lines["event"] == "state"
                state = json.loads(lines["data"])
                assert int(lines["id"]) == state["version"]
                described.check_value("RoomState", state)
                self._states.put_nowait(state)

    async def next(self) -> Json:
        """Return the next state."""
        async with asyncio.timeout(SECONDS):
            return await self._states.get()

    async def until(self, fits: Callable[[Json], bool]) -> Json:
        """Return the first state that *fits* accepts."""
        while not fits(state := await self.next()):
            pass
        return state

    @property
    def has_news(self) -> bool:
        return not self._states.empty()

    async def stop(self) -> None:
        self._gone.set()
        async with asyncio.timeout(SECONDS):
            await asyncio.wait([self._task])


@asynccontextmanager
async def running(**options: Any) -> AsyncIterator[House]:
    """Yield a server with a store in memory. Computers think in this process."""
    clock = Clock()
    thinkers: Callable[[], list[TaskWorker]] = options.pop("thinkers", lambda: [ThinkingHere()])
    database = options.pop("database", None)
    serving = replace(
        ServerOptions(
            "sqlite://",
            hosts=("test",),
            limits=UNLIMITED,
            away_seconds=0.0,
            remember_seconds=0.0,
            pace_seconds=0.0,
        ),
        **options,
    )
    app: Any = make_app(serving, now=clock, thinkers=thinkers, database=database)
    async with app.router.lifespan_context(app):
        yield House(app, clock)


T = TypeVar("T")


P = ParamSpec("P")
Test = Callable[Concatenate[House, P], Coroutine[Any, Any, None]]


@overload
def served(test: Test[P], /) -> Callable[P, None]: ...


@overload
def served(**options: Any) -> Callable[[Test[P]], Callable[P, None]]: ...


def served(test: Any = None, /, **options: Any) -> Any:
    """Run a coroutine test with a server as its first argument."""

    def decorate(test: Test[P]) -> Callable[P, None]:
        @wraps(test)
        def served_test(*arguments: P.args, **named: P.kwargs) -> None:
            async def go() -> None:
                async with asyncio.timeout(60), running(**options) as house:
                    await test(house, *arguments, **named)

            run(go())

        # Pytest fills in arguments by name, except the first one, which is the server.
        known = inspect.signature(test)
        served_test.__signature__ = known.replace(parameters=[*known.parameters.values()][1:])  # type: ignore[attr-defined]
        return served_test

    return decorate if test is None else decorate(test)


async def settle(condition: Callable[[], bool]) -> None:
    """Wait until *condition* holds."""
    async with asyncio.timeout(SECONDS):
        while not condition():
            await asyncio.sleep(0.005)
