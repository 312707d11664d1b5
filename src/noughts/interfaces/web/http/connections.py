"""Limits of connections that protect a server without a proxy: their number, and slow or silent clients."""

import socket
import struct
from asyncio import Protocol, TimerHandle, Transport, get_running_loop
from http import HTTPStatus
from ipaddress import ip_address, ip_network
from typing import Any

from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from noughts.interfaces.web.http.limits import Tally, neighbourhood
from noughts.interfaces.web.http.metrics import Metrics

MAX_HEAD = 16_384
"""The longest head of a request in bytes."""

HEAD_SECONDS = 10.0
"""The longest time in seconds to send the head of a request after the connection or the last response."""

SEND_SECONDS = 10.0
"""Seconds after which a client that reads nothing is disconnected."""

MAX_WAITING = 32
"""The largest number of requests that wait for the response to an earlier one."""

MAX_SENT = 524_288
"""The largest number of bytes that a client sends before it gets a response."""

END_OF_HEAD = b"\r\n\r\n"

AT_ONCE = struct.pack("ii", 1, 0)
"""The value of ``SO_LINGER`` that drops unread data when the socket is closed."""


def chunk_of(text: str) -> bytes:
    """Return *text* as a chunk of a streamed response of HTTP/1.1.

    An empty text is no chunk, because an empty chunk ends the response.
    """
    data = text.encode()
    return b"%x\r\n%b\r\n" % (len(data), data) if data else b""


class Connections:
    """The open connections of each address: at most *limit*. Those of *proxies* are not counted."""

    def __init__(self, limit: int, proxies: tuple[str, ...], metrics: Metrics) -> None:
        self._limit, self._metrics = limit, metrics
        self._proxies = tuple(map(ip_network, proxies))
        self._open = Tally()

    def enter(self, host: str) -> str | None:
        """Return the address that a connection from *host* counts against, empty for a proxy.

        Return None if the address has no connection left.
        """
        address = neighbourhood(host)
        if address != "unknown" and any(ip_address(host) in network for network in self._proxies):
            return ""
        if self._open[address] >= self._limit:
            self._metrics.count("connections_refused")
            return None
        self._open[address] += 1
        return address

    def leave(self, address: str) -> None:
        """Forget a connection that counted against *address*."""
        self._open.drop(address)


class GuardedConnection(Protocol):
    """A connection that passes the data of a client to uvicorn within the limits.

    It uses only the interface of asyncio protocols. The application gets this object as ``connection`` in the
    state of each request, and reports through :class:`AnswerTracker` when requests are answered.
    """

    _transport: Transport

    def __init__(self, *, app_state: dict[str, Any], **options: Any) -> None:
        self._connections: Connections = app_state["connections"]
        self._inner = HttpToolsProtocol(app_state={**app_state, "connection": self}, **options)
        self._loop = get_running_loop()
        self._address: str | None = None
        self._answering = self._sent = self._heads = 0
        self._deadline: TimerHandle | None = None
        self._watching: TimerHandle | None = None
        self._is_paused = False

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        """Count the connection, and wait for a request."""
        self._transport = transport
        self._inner.connection_made(transport)
        peer = transport.get_extra_info("peername")
        self._address = self._connections.enter(str(peer[0]) if peer else "")
        if self._address is None:
            self._refuse(HTTPStatus.TOO_MANY_REQUESTS)
        else:
            self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._inner.connection_lost(exc)
        if self._address:
            self._connections.leave(self._address)
        for timer in (self._deadline, self._watching):
            if timer is not None:
                timer.cancel()

    # Requests

    def data_received(self, data: bytes) -> None:
        """Pass *data* on, unless the client sends too much without a response."""
        is_head, end = not (self._answering or self._heads), data.find(END_OF_HEAD)
        head = self._sent + (len(data) if end < 0 else end) if is_head else 0
        self._sent += len(data)
        self._heads += data.count(END_OF_HEAD)
        if head > MAX_HEAD or self._sent > MAX_SENT or self._heads > MAX_WAITING:
            self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
        else:
            self._inner.data_received(data)

    def eof_received(self) -> None:
        """Pass on that the client sends no more data."""
        self._inner.eof_received()

    def begin_answer(self) -> None:
        """Stop the timer for the head of a request: the application has the request."""
        self._answering += 1
        self._sent = self._heads = 0
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def end_answer(self) -> None:
        """Start to wait for the next request after a response."""
        self._answering -= 1
        if not (self._answering or self._heads):
            self._sent = 0  # The body of the answered request is no part of a later head.
        if not (self._answering or self._transport.is_closing()):
            self._await_head()
        self._watch()

    def _await_head(self) -> None:
        self._deadline = self._loop.call_later(HEAD_SECONDS, self._transport.close)

    def _refuse(self, status: HTTPStatus) -> None:
        if not self._answering:
            head = f"HTTP/1.1 {status.value} {status.phrase}\r\n"
            self._transport.write(f"{head}content-length: 0\r\nconnection: close\r\n\r\n".encode())
        self._transport.close()

    # Responses

    def push(self, chunk: bytes) -> bool:
        """Write a *chunk* of :func:`chunk_of` of the response that is streamed.

        Return False if the client reads slowly, so that it costs no memory.
        """
        if self._is_paused or self._transport.is_closing():
            return False
        self._transport.write(chunk)
        return True

    def pause_writing(self) -> None:
        """Start to watch that the client reads."""
        self._is_paused = True
        self._inner.pause_writing()
        self._watch()

    def resume_writing(self) -> None:
        """Continue to write, since the client has read."""
        self._is_paused = False
        self._inner.resume_writing()

    def _watch(self, before: int | None = None) -> None:
        """Disconnect the client if it has read nothing since *before* bytes were unread.

        The check is skipped while the application still writes without delay.
        """
        if before is None and self._watching is not None:
            return
        self._watching = None
        unread = self._transport.get_write_buffer_size()
        if not unread or (self._answering and not (self._is_paused or self._transport.is_closing())):
            return
        if before is not None and unread >= before:
            self._transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, AT_ONCE)
            self._transport.abort()
            return
        self._watching = self._loop.call_later(SEND_SECONDS, self._watch, unread)


class AnswerTracker:
    """ASGI middleware that tells a :class:`GuardedConnection` when its requests are answered."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        connection: GuardedConnection | None = scope.get("state", {}).get("connection")
        if connection is None:
            await self._app(scope, receive, send)
            return
        connection.begin_answer()
        try:
            await self._app(scope, receive, send)
        finally:
            connection.end_answer()
