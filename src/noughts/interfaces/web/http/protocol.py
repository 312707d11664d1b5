"""Connections: so many of an address, heads of requests that are short and soon there, readers who read."""

import math
import socket
import struct
from asyncio import TimerHandle, Transport
from http import HTTPStatus
from ipaddress import ip_address, ip_network

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from noughts.interfaces.web.http.limits import Tally, neighbourhood
from noughts.interfaces.web.http.metrics import Metrics

MAX_HEAD = 16_384
"""The longest head of a request in bytes: what comes before its body, or where something else should come."""

HEAD_SECONDS = 10.0
"""Seconds a sender may take for the head of a request, from when it is connected or begins to send it."""

SEND_SECONDS = 10.0
"""Seconds after which a visitor who does not read what is sent is cut off."""

MAX_WAITING = 32
"""How many requests of a connection may wait for the answer to the one before."""

AT_ONCE = struct.pack("ii", 1, 0)
"""How a socket is told not to keep what nobody has read when it is closed."""

PART = 2_048
"""How many bytes are parsed before they are counted against the limits."""


class Connections:
    """Who is connected: *most* connections of an address; those of *proxies* are not counted."""

    def __init__(self, most: int, proxies: tuple[str, ...], metrics: Metrics) -> None:
        self._most, self._metrics = most, metrics
        self._proxies = tuple(map(ip_network, proxies))
        self._open = Tally()

    def enter(self, host: str) -> str | None:
        """The address against which a connection from *host* counts; empty where it does not.

        None where the address has as many as it may.
        """
        address = neighbourhood(host)
        if address != "unknown" and any(ip_address(host) in network for network in self._proxies):
            return ""
        if self._open[address] >= self._most:
            self._metrics.count("connections_refused")
            return None
        self._open[address] += 1
        return address

    def leave(self, address: str) -> None:
        """A connection that counted against *address* has ended."""
        self._open.drop(address)


class BoundedProtocol(HttpToolsProtocol):
    """HTTP as uvicorn speaks it, for visitors who send too much, too slowly or nothing, or do not read."""

    transport: Transport
    _address: str | None = None
    _head = 0
    """How many bytes have come since the last that were of any use."""
    _deadline: TimerHandle | None = None
    _looking: TimerHandle | None = None
    _unread = math.inf
    """How many bytes the visitor had not read yet when that was looked at last."""

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        """Somebody is connected."""
        super().connection_made(transport)
        connections: Connections = self.app_state["connections"]
        self._address = connections.enter(self.client[0] if self.client else "")
        if self._address is None:
            self._refuse(HTTPStatus.TOO_MANY_REQUESTS)
        else:
            self._limit_time()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection has ended."""
        super().connection_lost(exc)
        if self._address:
            self.app_state["connections"].leave(self._address)
        for timer in (self._deadline, self._looking):
            if timer is not None:
                timer.cancel()

    def shutdown(self) -> None:
        """The server is told to stop: it would wait for streams, so they end; browsers come back."""
        self.app_state["end_streams"]()
        super().shutdown()

    # What is sent to us

    def data_received(self, data: bytes) -> None:
        """Some bytes have come."""
        for start in range(0, len(data), PART):
            part = data[start : start + PART]
            self._head += len(part)
            super().data_received(part)
            if self.transport.is_closing():
                return
            if self._head > MAX_HEAD or len(self.pipeline) > MAX_WAITING:
                self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
                return
        self._limit_time()

    def on_headers_complete(self) -> None:
        """The head of a request is there."""
        self._head = 0
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Some of the body is there."""
        self._head = 0
        super().on_body(body)

    @property
    def _is_answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _limit_time(self) -> None:
        """A head must be there in time; while a request is answered nothing has to come."""
        if self._is_answering:
            if self._deadline is not None:
                self._deadline.cancel()
                self._deadline = None
        elif self._deadline is None:
            self._deadline = self.loop.call_later(HEAD_SECONDS, self.transport.close)

    def _refuse(self, status: HTTPStatus) -> None:
        if not self._is_answering:
            head = (
                f"HTTP/1.1 {status.value} {status.phrase}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
            )
            self.transport.write(head.encode())
        self.transport.close()

    # What is read of us

    def pause_writing(self) -> None:
        """Much is waiting to be read by the visitor."""
        super().pause_writing()
        self._watch()

    def resume_writing(self) -> None:
        """The visitor has read."""
        super().resume_writing()
        self._unread = math.inf

    def on_response_complete(self) -> None:
        """An answer is on its way."""
        super().on_response_complete()
        self._watch()

    def timeout_keep_alive_handler(self) -> None:
        """Nothing more was asked for: the connection ends when everything is read."""
        super().timeout_keep_alive_handler()
        self._watch()

    def _watch(self) -> None:
        if self._looking is None:
            self._unread = math.inf
            self._look()

    def _look(self) -> None:
        """Cut off who has read nothing since the last look, where somebody waits for that."""
        unread, self._looking = self.transport.get_write_buffer_size(), None
        if unread and (self.flow.write_paused or self.transport.is_closing()):
            if unread >= self._unread:
                connection = self.transport.get_extra_info("socket")
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, AT_ONCE)
                self.transport.abort()
                return
            self._unread = unread
            self._looking = self.loop.call_later(SEND_SECONDS, self._look)
