"""Clients that send too much, too slowly or nothing, that connect too often, or that do not read."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
import uvicorn
from starlette.types import Receive, Scope, Send
from uvicorn.server import ServerState

from noughts.interfaces.web.http import connections
from noughts.interfaces.web.http.connections import (
    AnswerTracker,
    Connections,
    GuardedConnection,
    chunk_of,
)
from noughts.interfaces.web.http.metrics import Metrics
from tests.interfaces.web.harness import SECONDS, settle
from tests.running import run

HEAD = b"GET / HTTP/1.1\r\nhost: here\r\n"
LONG = b"a" * 8_000


class House:
    """An application behind the guard, whose responses the test controls."""

    def __init__(self, port: int, made: list[GuardedConnection], state: ServerState) -> None:
        self.port, self.made, self.state = port, made, state
        self.may_answer = asyncio.Event()
        self.may_answer.set()
        self.answer = b"yes"
        self.asked = self.over = 0
        self.is_streaming = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self.is_streaming:
            await self._stream(send)
            return
        self.asked += 1
        try:
            await self.may_answer.wait()
            headers = [(b"content-length", str(2 * len(self.answer)).encode())]
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            await send({"type": "http.response.body", "body": self.answer, "more_body": True})
            await send({"type": "http.response.body", "body": self.answer})
        finally:
            self.over += 1

    async def _stream(self, send: Send) -> None:
        """Send a part of the response, and the rest when the test allows it."""
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": self.answer, "more_body": True})
        self.asked += 1
        await self.may_answer.wait()
        await send({"type": "http.response.body", "body": self.answer})

    async def visit(self) -> "Visitor":
        return Visitor(*await asyncio.open_connection("127.0.0.1", self.port))


class Visitor:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    def send(self, data: bytes) -> None:
        self.writer.write(data)

    async def all(self) -> bytes:
        """Return all data until the server ends the connection."""
        result = b""
        async with asyncio.timeout(SECONDS):
            try:
                while part := await self.reader.read(65_536):
                    result += part
            except ConnectionError:  # the server did not read all data
                pass
        self.writer.close()
        return result

    async def answer(self) -> bytes:
        async with asyncio.timeout(SECONDS):
            await self.reader.readuntil(b"\r\n\r\n")
            return await self.reader.readexactly(6)


@asynccontextmanager
async def serving(most: int = 100, proxies: tuple[str, ...] = ()) -> AsyncIterator[House]:
    made: list[GuardedConnection] = []
    state: dict[str, Any] = {"connections": Connections(most, proxies, Metrics())}

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await house(scope, receive, send)

    tracker = AnswerTracker(app)
    config = uvicorn.Config(tracker, http=GuardedConnection, ws="none", log_config=None, lifespan="off")
    config.load()
    server_state = ServerState()

    def make() -> GuardedConnection:
        made.append(GuardedConnection(config=config, server_state=server_state, app_state=state))
        return made[-1]

    server = await asyncio.get_running_loop().create_server(make, "127.0.0.1", 0)
    house = House(server.sockets[0].getsockname()[1], made, server_state)
    try:
        yield house
    finally:
        server.close()
        house.may_answer.set()
        for each in made:
            each._transport.abort()
        await settle(lambda: not server_state.connections and not server_state.tasks)


@pytest.mark.parametrize(
    ("start", "more"),
    [
        (b"GET /", LONG),
        (HEAD, b"x: " + LONG + b"\r\n"),
        (HEAD + b"x: ", LONG),
        (b"\r\n", b"\r\n" * 4_000),
    ],
    ids=["address", "headers", "header", "nothing"],
)
def test_endless_heads_are_rejected(start: bytes, more: bytes) -> None:
    async def go() -> None:
        async with serving() as house:
            visitor = await house.visit()
            visitor.send(start + more)
            visitor.send(more * 2)
            assert (await visitor.all()).startswith(b"HTTP/1.1 431 ")
            assert house.asked == 0

    run(go())


def test_heads_of_usual_length_are_accepted() -> None:
    async def go() -> None:
        async with serving() as house:
            visitor = await house.visit()
            for _ in range(3):
                visitor.send(HEAD + b"x: " + LONG + b"\r\ny: " + LONG + b"\r\n\r\n")
                assert await visitor.answer() == b"yesyes"
            visitor.send(b"POST / HTTP/1.1\r\nhost: here\r\ncontent-length: 80000\r\n\r\n" + LONG * 10)
            assert await visitor.answer() == b"yesyes"
            visitor.writer.close()

    run(go())


def test_long_body_counts_toward_no_later_head() -> None:
    async def go() -> None:
        async with serving() as house:
            visitor = await house.visit()
            for number in range(1, 4):
                house.may_answer.clear()
                visitor.send(b"POST / HTTP/1.1\r\nhost: here\r\ncontent-length: 40000\r\n\r\n")
                await settle(lambda: house.asked == number)  # noqa: B023
                visitor.send(LONG * 5)
                await settle(lambda: house.made[0]._sent == 40_000)
                house.may_answer.set()
                assert await visitor.answer() == b"yesyes"
            visitor.writer.close()

    run(go())


def test_endless_data_after_body_is_rejected() -> None:
    async def go() -> None:
        async with serving() as house:
            house.may_answer.clear()
            visitor = await house.visit()
            visitor.send(b"POST / HTTP/1.1\r\nhost: here\r\ntransfer-encoding: chunked\r\n\r\n0\r\n")
            for _ in range(150):
                visitor.send(b"x: " + LONG + b"\r\n")
            assert await visitor.all() == b""  # half a response would be worse than none

    run(go())


def test_endless_pipelined_requests_are_rejected() -> None:
    async def go() -> None:
        async with serving() as house:
            house.may_answer.clear()
            for first in (b"", HEAD + b"\r\n"):
                visitor = await house.visit()
                visitor.send(first)
                await settle(lambda: house.asked == bool(first))  # noqa: B023
                visitor.send((HEAD + b"\r\n") * 1_000)
                data = await visitor.all()
                assert data == b"" if first else data.startswith(b"HTTP/1.1 431 ")
            assert house.asked == 1

    run(go())


@pytest.mark.parametrize("sent", [b"", b"GET /", HEAD + b"x: y\r\n"], ids=["nothing", "line", "headers"])
def test_silent_client_is_disconnected(sent: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.05)

    async def go() -> None:
        async with serving() as house:
            visitor = await house.visit()
            visitor.send(sent)
            assert await visitor.all() == b""

    run(go())


def test_timeout_applies_only_before_request(monkeypatch: pytest.MonkeyPatch) -> None:
    async def go() -> None:
        async with serving() as house:
            house.may_answer.clear()
            visitor = await house.visit()
            visitor.send(b"POST / HTTP/1.1\r\nhost: here\r\ncontent-length: 100\r\n\r\n" + b"a")
            await settle(lambda: house.asked == 1)
            assert house.made[0]._deadline is None
            monkeypatch.setattr(connections, "HEAD_SECONDS", 0.05)
            house.may_answer.set()
            assert await visitor.answer() == b"yesyes"
            visitor.send(b"a")  # of a body that the application ignores
            assert await visitor.all() == b""

    run(go())


def test_connections_of_address_are_limited() -> None:
    async def go() -> None:
        async with serving(most=2) as house:
            visitors = [await house.visit() for _ in range(2)]
            await settle(lambda: len(house.made) == 2)
            assert (await (await house.visit()).all()).startswith(b"HTTP/1.1 429 ")
            visitors[0].writer.close()
            await settle(lambda: len(house.state.connections) == 1)
            for visitor in (visitors[1], await house.visit()):
                visitor.send(HEAD + b"\r\n")
                assert await visitor.answer() == b"yesyes"
                visitor.writer.close()
        async with serving(most=1, proxies=("127.0.0.0/8", "::1")) as house:
            for visitor in [await house.visit() for _ in range(3)]:
                visitor.send(HEAD + b"\r\n")
                assert await visitor.answer() == b"yesyes"
                visitor.writer.close()

    run(go())


def test_network_shares_connection_limit() -> None:
    metrics = Metrics()
    connections = Connections(1, (), metrics)
    addresses = ("2001:db8::1", "2001:db8::2", "", "192.0.2.1", "::ffff:192.0.2.1")
    data = [connections.enter(address) for address in addresses]
    assert data == ["2001:db8::/64", None, "unknown", "192.0.2.1", None]
    assert "noughts_connections_refused_total 2" in metrics.text()


@pytest.mark.parametrize("close", [b"", b"connection: close\r\n"], ids=["stays", "leaves"])
@pytest.mark.parametrize("size", [20_000_000, 10_000_000])
def test_client_that_does_not_read_is_disconnected(
    size: int, close: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "SEND_SECONDS", 0.05)

    async def go() -> None:
        async with serving() as house:
            house.answer = b"a" * size
            visitor = await house.visit()
            visitor.send(HEAD + close + b"\r\n")
            await settle(lambda: house.over == 1)
            await settle(lambda: not house.state.connections)
            assert len(await visitor.all()) < 2 * size

    run(go())


def test_pushed_chunks_are_read_between_those_of_the_task() -> None:
    async def go() -> None:
        async with serving() as house:
            house.is_streaming = True
            house.may_answer.clear()
            visitor = await house.visit()
            visitor.send(HEAD + b"connection: close\r\n\r\n")
            await settle(lambda: house.asked == 1)
            for text in ("", "zwei"):  # an empty chunk would end the response
                assert house.made[0].push(chunk_of(text))
            house.may_answer.set()
            answer = await visitor.all()
            assert answer.partition(b"\r\n\r\n")[2] == b"3\r\nyes\r\n4\r\nzwei\r\n3\r\nyes\r\n0\r\n\r\n"
            assert not house.made[0].push(chunk_of("late"))

    run(go())


def test_push_ends_when_the_client_does_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "SEND_SECONDS", 0.05)

    async def go() -> None:
        async with serving() as house:
            house.is_streaming = True
            house.may_answer.clear()
            visitor = await house.visit()
            visitor.send(HEAD + b"\r\n")
            await settle(lambda: house.asked == 1)
            chunk = chunk_of("a" * 100_000)
            pushed = 0
            while house.made[0].push(chunk):
                pushed += 1
                assert pushed < 1_000
                await asyncio.sleep(0)
            await settle(lambda: not house.state.connections)
            visitor.writer.close()

    run(go())
