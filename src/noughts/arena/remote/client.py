"""An HTTP client for the API of a server: requests with JSON, and a stream of Server-Sent Events.

Answers have a limited size, and redirects are not followed: a seat token must reach no other server.
"""

import http.client
import json
import re
import socket
import ssl
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Self
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from noughts.errors import AskedGuest, NotFound, NoughtsError, SeatTaken, ServerFailed
from noughts.text import safe_text

SECONDS = 15.0
"""The longest wait for a connection and for each part of an answer, in seconds."""

SILENT_SECONDS = 40.0
"""The longest silence of a stream, in seconds. A server sends a comment every 15 seconds."""

MAX_ANSWER = 8_000_000
"""The largest answer and the largest event, in bytes."""

MAX_WORDS = 300
"""The longest sentence of a server that is shown, in characters."""

MAX_BUSY = 60
"""The longest wait that a server can ask for, in seconds."""

SESSION_COOKIE = "noughts_session"
"""The cookie with the session of a player with a key."""

BUSY = frozenset((429, 502, 503, 504))
"""The statuses of a server that may answer later."""

_ISOLATES = str.maketrans("", "", "\u2066\u2067\u2068\u2069")
"""The invisible marks around names in the sentences of a server."""


@dataclass(frozen=True, slots=True)
class ServerEvent:
    """An event of a stream: its name, its data, and its number as text."""

    name: str
    data: Any
    number: str


class StaleAnswer(NoughtsError):
    """The refusal of a command for an earlier state. ``state`` is the present one."""

    def __init__(self, state: object) -> None:
        super().__init__("the room has gone on")
        self.state = state


class Client:
    """A client of the server at *origin* that gets sentences in *language*. One thread uses it at a time.

    ``session`` is the secret session of a player with a key, empty for a guest.
    """

    def __init__(self, origin: str, language: str = "en", session: str = "") -> None:
        self.origin, self.session, self._language = origin, session, language
        self._connection: http.client.HTTPConnection | None = None
        self._socket: socket.socket | None = None
        self._is_closed = False

    def ask(self, path: str, body: Mapping[str, Any] | None = None, token: str = "") -> Any:
        """Return the JSON with which the server answers the request for *path*; with a *body* it is a POST.

        Raises :class:`~noughts.errors.ServerFailed`, :class:`~noughts.errors.NotFound`,
        :class:`~noughts.errors.SeatTaken`, :class:`~noughts.errors.AskedGuest` and :class:`StaleAnswer`.
        """
        answer = self._request(path, body, self._headers(token))
        value = self._read(answer)
        if answer.status < 400:
            for cookie in answer.headers.get_all("set-cookie", ()):
                if new := re.match(f"{SESSION_COOKIE}=([A-Za-z0-9_-]{{43}});", cookie):
                    self.session = new[1]
            return value
        raise self._refusal(answer, value)

    def events(self, path: str, token: str = "", last: str = "") -> Iterator[ServerEvent]:
        """Yield the events of the stream at *path* that follow the number *last*, until the stream ends.

        Raises the errors of :meth:`ask`.
        """
        headers = self._headers(token) | {"Accept": "text/event-stream"}
        if last:
            headers["Last-Event-ID"] = last
        answer = self._request(path, None, headers, SILENT_SECONDS)
        if answer.status != 200 or not answer.getheader("content-type", "").startswith("text/event-stream"):
            raise self._refusal(answer, self._read(answer))
        try:
            yield from self._frames(answer)
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise self._failure(error) from error
        finally:
            answer.close()
            self.drop()

    def _frames(self, answer: http.client.HTTPResponse) -> Iterator[ServerEvent]:
        name, number, texts, size = "message", "", list[str](), 0
        while line := answer.readline(MAX_ANSWER + 1):
            size += len(line)
            if size > MAX_ANSWER:
                raise ServerFailed(self.origin, "too-large")
            field, _, value = line.decode("utf-8", "replace").rstrip("\r\n").partition(":")
            value = value.removeprefix(" ")
            if field == "event":
                name = value
            elif field == "id":
                number = value[:20]
            elif field == "data":
                texts.append(value)
            elif not field and not value:
                if texts:
                    yield ServerEvent(name, self._json("\n".join(texts).encode()), number)
                name, number, texts, size = "message", "", [], 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.drop()

    def close(self) -> None:
        """End the present request and all later ones. Any thread may call this."""
        self._is_closed = True
        if self._socket is not None:
            with suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)

    def drop(self) -> None:
        """Drop the connection."""
        connection, self._connection, self._socket = self._connection, None, None
        if connection is not None:
            connection.close()

    # Requests

    def _headers(self, token: str) -> dict[str, str]:
        headers = {"Accept": "application/json", "Accept-Language": self._language, "User-Agent": "noughts"}
        headers |= {"Authorization": f"Bearer {token}"} if token else {}
        return headers | ({"Cookie": f"{SESSION_COOKIE}={self.session}"} if self.session else {})

    def _request(
        self, path: str, body: Mapping[str, Any] | None, headers: Mapping[str, str], seconds: float = SECONDS
    ) -> http.client.HTTPResponse:
        """Return the answer to a request. A connection that the server has closed is opened again."""
        sent = dict(headers)
        data = None if body is None else json.dumps(body).encode()
        if data is not None:
            sent |= {"Content-Type": "application/json", "Origin": self.origin}
        is_old = self._connection is not None
        try:
            return self._send(path, data, sent, seconds)
        except (OSError, http.client.HTTPException) as error:
            self.drop()
            if not is_old or self._is_closed:
                raise self._failure(error) from error
        try:
            return self._send(path, data, sent, seconds)
        except (OSError, http.client.HTTPException) as error:
            self.drop()
            raise self._failure(error) from error

    def _send(
        self, path: str, data: bytes | None, headers: Mapping[str, str], seconds: float
    ) -> http.client.HTTPResponse:
        if self._connection is None:
            self._connection = _connection(self.origin)
        connection = self._connection
        if connection.sock is None:
            connection.connect()
        if self._is_closed:
            raise OSError("the client is closed")
        self._socket = connection.sock
        connection.sock.settimeout(seconds)
        connection.request("GET" if data is None else "POST", path, data, dict(headers))
        answer = connection.getresponse()
        if 300 <= answer.status < 400:
            target = safe_text(answer.getheader("location", "")[:MAX_WORDS])
            answer.close()
            raise ServerFailed(self.origin, "moved", target, answer.status)
        return answer

    # Answers

    def _read(self, answer: http.client.HTTPResponse) -> Any:
        """Return the JSON of *answer*; None if a busy server or a proxy before it sends something else."""
        try:
            data = answer.read(MAX_ANSWER + 1)
        except (OSError, http.client.HTTPException) as error:
            self.drop()
            raise self._failure(error) from error
        finally:
            answer.close()  # A server that ends the connection leaves the socket to the answer.
        if len(data) > MAX_ANSWER:
            self.drop()
        elif answer.length:  # The rest of the answer was lost.
            raise ServerFailed(self.origin, "unreachable")
        return None if answer.status in BUSY else self._json(data)

    def _json(self, data: bytes) -> Any:
        if len(data) > MAX_ANSWER:
            raise ServerFailed(self.origin, "too-large")
        try:
            return json.loads(data)
        except (ValueError, RecursionError):
            raise ServerFailed(self.origin, "not-ours") from None

    def _refusal(self, answer: http.client.HTTPResponse, value: Any) -> NoughtsError:
        """Return the error for *answer*, whose JSON is *value*."""
        status = answer.status
        if status in BUSY:
            seconds = _seconds(answer.getheader("retry-after", ""))
            return ServerFailed(self.origin, "busy", status=status, seconds=seconds)
        detail = value.get("error") if isinstance(value, dict) else None
        if not isinstance(detail, dict):
            return ServerFailed(self.origin, "not-ours", status=status)
        match detail.get("code"), detail.get("what"):
            case "not-found", "room" | "code" as what:
                return NotFound(what, "")
            case "seat-taken", _:
                return SeatTaken("")
            case "asked-guest", _:
                return AskedGuest()
            case "stale", _:
                return StaleAnswer(value.get("state"))
        words = safe_text(str(detail.get("sentence", ""))[:MAX_WORDS].translate(_ISOLATES))
        return ServerFailed(self.origin, "refused", words, status)

    def _failure(self, error: Exception) -> ServerFailed:
        if isinstance(error, ServerFailed):
            return error
        is_untrusted = isinstance(error, ssl.SSLCertVerificationError)
        return ServerFailed(self.origin, "certificate" if is_untrusted else "unreachable")


def _connection(origin: str) -> http.client.HTTPConnection:
    """Return a connection to *origin*, through the proxy of the environment if there is one.

    Only https passes a proxy, in a tunnel that the proxy cannot read.
    """
    parts = urlsplit(origin)
    host, port = parts.hostname or "", parts.port
    if parts.scheme != "https":
        return http.client.HTTPConnection(host, port, timeout=SECONDS)
    context = ssl.create_default_context()
    proxy = urlsplit(getproxies().get("https", ""))
    if not proxy.hostname or proxy_bypass(host):
        return http.client.HTTPSConnection(host, port, timeout=SECONDS, context=context)
    tunnel = http.client.HTTPSConnection(proxy.hostname, proxy.port or 8080, timeout=SECONDS, context=context)
    tunnel.set_tunnel(host, port or 443)
    return tunnel


def _seconds(text: str) -> int:
    """Return the wait in the header ``Retry-After``, at least one second."""
    return max(1, min(MAX_BUSY, int(text))) if text.isascii() and text.isdigit() and len(text) < 6 else 5
