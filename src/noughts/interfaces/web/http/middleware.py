"""The middleware of all requests: limits, origin checks, security headers, the log and the metrics."""

import asyncio
from ipaddress import ip_address
from random import uniform
from time import monotonic
from urllib.parse import urlsplit
from weakref import WeakValueDictionary

from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from noughts.interfaces.web.http.limits import (
    Buckets,
    Rate,
    ServerLimits,
    Tally,
    neighbourhood,
    note_allowances,
    rate_headers,
)
from noughts.interfaces.web.http.metrics import Metrics
from noughts.interfaces.web.http.replies import ApiError, language_of, refuse

CONTENT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'"
)

SECURITY_HEADERS = (
    (b"content-security-policy", CONTENT_POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
)

EMBEDDED = "/embed/"
"""The prefix of the pages that other sites may show in a frame. They change nothing and need no cookies."""

OPEN_FILES = (
    (b"access-control-allow-origin", b"*"),
    (b"cross-origin-resource-policy", b"cross-origin"),
)
"""The headers of public files, which a sandboxed frame without an origin loads like another site."""

EMBEDDED_HEADERS = (
    *OPEN_FILES,
    *(
        (name, value.replace(b"frame-ancestors 'none'", b"frame-ancestors *"))
        for name, value in SECURITY_HEADERS
        if name not in (b"x-frame-options", OPEN_FILES[1][0])
    ),
)
"""The headers of these pages. A frame with a running game reads its page again."""

SAFE_METHODS = frozenset(("GET", "HEAD", "OPTIONS"))
"""Methods that change nothing."""

MAX_UNDER_WAY = 128
"""The largest number of requests with changes in progress, counted from the end of their bodies.

More requests would only delay all others. They get status 503 instead.
"""


SHARE_DIVISOR = 2
"""The divisor of MAX_UNDER_WAY for the requests of one address, if requests are limited."""

ALL_ADDRESSES = ("0.0.0.0", "::")  # noqa: S104 - only what is asked for is listened at
"""The hosts that mean all addresses of this machine."""

FILES = ("/static/", "/i18n/", "/offline/")
"""The prefixes of paths with a rate limit of their own: files are cheap, and a page needs many."""

BOARDS = "/api/board"
"""The path of the drawings of boards, which are public like files."""

FILE_RATE = Rate(200, 1_000)
"""The rate limit for files of one address."""

REFUSAL_RATE = Rate(20, 40)
"""The rate limit for error responses of one address. Further ones are delayed, since a flood is expensive."""

HOLD_SECONDS = 1.0
"""The average delay of further error responses, in seconds."""

PAGE_COST = 5.0
"""The cost of a page in milliseconds of the event loop."""

COSTS = {"/": 15.0, "/api": 40.0, "/openapi.json": 25.0, "/healthz": 0.0, "/metrics": 3.0}
"""The costs of further paths outside the API."""

UNCOMPRESSED = (
    "/api/rooms",
    "/api/join",
    "/api/offers",
    "/api/challenges",
    "/api/identities",
    "/api/tournaments",
    "/api/inbox",
)
"""The prefixes of paths whose responses are not compressed.

These responses contain secrets beside texts of other people. The length of the compressed response could
reveal the secrets.
"""

MIN_COMPRESSED = 1_000
"""The shortest response in bytes that is compressed."""


class SelectiveGzip:
    """ASGI middleware that compresses responses if that is useful and safe."""

    def __init__(self, app: ASGIApp) -> None:
        self._plain, self._packing = app, GZipMiddleware(app, MIN_COMPRESSED, compresslevel=6)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_secretive = str(scope.get("path", "")).startswith(UNCOMPRESSED)
        is_plain = scope["type"] != "http" or is_secretive
        await (self._plain if is_plain else self._packing)(scope, receive, send)


class AllowedHosts:
    """The host names under which the server answers, which prevents DNS rebinding.

    *bound* are the addresses at which the server listens. The names of this machine and of *origins* are
    allowed, too. If the server listens at all addresses, every literal address is allowed.
    """

    def __init__(self, bound: tuple[str, ...], origins: tuple[str, ...]) -> None:
        own = [name for origin in origins if (name := urlsplit(origin).hostname)]
        self._names = {"localhost", *own, *(host.lower() for host in bound)}
        self._is_everywhere = not self._names.isdisjoint(ALL_ADDRESSES)

    def __contains__(self, host: str) -> bool:
        try:
            name = urlsplit(f"//{host}").hostname or ""
            return name in self._names or ip_address(name).is_loopback or self._is_everywhere
        except ValueError:  # The host is neither a known name nor an address.
            return False


class SecurityMiddleware:
    """ASGI middleware that checks each request before the application gets it.

    *hosts* are the addresses at which the server listens. Pages of its own origin and of *origins* may send
    changes.
    """

    def __init__(
        self,
        app: ASGIApp,
        limits: ServerLimits,
        metrics: Metrics,
        hosts: tuple[str, ...],
        origins: tuple[str, ...],
    ) -> None:
        self._app, self._metrics = app, metrics
        self._hosts = AllowedHosts(hosts, origins)
        self._requests = Buckets(limits.requests, name="requests")
        self._files = Buckets(limits.requests and FILE_RATE)
        self._begins: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._refused = Buckets(limits.requests and REFUSAL_RATE)
        self._origins = frozenset(origin.rstrip("/").lower() for origin in origins)
        self._under_way = 0
        self._share = SHARE_DIVISOR if limits.requests else 1
        self._under_way_of = Tally()
        self._most_bodies = limits.bodies
        self._bodies = Tally()
        self._refusals: dict[str, Response] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, status, allowances = monotonic(), 500, note_allowances()

        async def send_with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                known = {name for name, _ in message["headers"]}
                more = (header for header in _headers_for(str(scope["path"])) if header[0] not in known)
                rates = rate_headers(allowances) if scope["path"].startswith("/api/") else ()
                message["headers"] = [*message["headers"], *more, *rates]
            await send(message)

        request = Request(scope, receive)
        is_change = request.method not in SAFE_METHODS
        if is_change and self._under_way >= MAX_UNDER_WAY:
            # The request is counted but not logged, since a log entry takes longer than the response.
            self._metrics.count("refused_as_busy")
            await self._busy(request)(scope, receive, send_with_headers)
            return
        try:
            try:
                self._check(request)
            except ApiError as error:
                await self._delay_error(address_of(request))
                await self._await_turn(address_of(request))
                await refuse(request, error)(scope, receive, send_with_headers)
                return
            await self._await_turn(address_of(request))
            if is_change:
                await self._handle_change(scope, receive, send_with_headers, address_of(request))
            else:
                await self._app(scope, receive, send_with_headers)
        finally:
            self._metrics.count_request(scope, status, monotonic() - began)

    async def _await_turn(self, address: str) -> None:
        """Wait until the event loop has run once since the last request of *address* started.

        Otherwise all requests that arrive together would be handled before any request of another address.
        """
        async with self._begins.setdefault(address, asyncio.Lock()):
            await asyncio.sleep(0)

    async def _delay_error(self, address: str) -> None:
        """Wait until *address* may get an error response."""
        try:
            self._refused.take(address)
        except ApiError:
            await asyncio.sleep(HOLD_SECONDS * uniform(0.5, 1.5))

    async def _handle_change(self, scope: Scope, receive: Receive, send: Send, address: str) -> None:
        """Handle a request that changes something. It counts as in progress once its body is complete.

        A slow client therefore does not delay others.
        """
        is_read = False

        async def receive_counted() -> Message:
            nonlocal is_read
            message = await receive()
            if not (is_read or message.get("more_body")):
                if self._under_way >= MAX_UNDER_WAY:
                    self._metrics.count("refused_as_busy")
                    raise ApiError(503, "server-busy", seconds=1)
                if self._under_way_of[address] * self._share >= MAX_UNDER_WAY:
                    raise ApiError(429, "too-often", seconds=1)
                is_read = True
                self._under_way += 1
                self._under_way_of[address] += 1
                self._bodies.drop(address)
            return message

        self._bodies[address] += 1
        try:
            await self._app(scope, receive_counted, send)
        finally:
            if is_read:
                self._under_way -= 1
                self._under_way_of.drop(address)
            else:
                self._bodies.drop(address)

    def _busy(self, request: Request) -> Response:
        """Return the response with status 503, which is made once for each language."""
        language = language_of(request)
        if language not in self._refusals:
            self._refusals[language] = refuse(request, ApiError(503, "server-busy", seconds=1))
        return self._refusals[language]

    def _check(self, request: Request) -> None:
        host = request.headers.get("host", "")
        if host and host not in self._hosts:  # Browsers always send the header.
            raise ApiError(421, "foreign-host")
        path, address = str(request.scope["path"]), address_of(request)
        if path.startswith(FILES):
            self._files.take(address)
        else:
            self._requests.take(address)
            if not path.startswith("/api/") and (cost := COSTS.get(path, PAGE_COST)):
                request.app.state.service.work.charge(address, cost)
        if request.method not in SAFE_METHODS:
            self._check_origin(request)
            if self._bodies[address] >= self._most_bodies:
                raise ApiError(429, "too-often", seconds=1)

    def _check_origin(self, request: Request) -> None:
        """Raise :class:`ApiError` (403) if a page of another site sends *request*.

        Programs other than browsers may send it.
        """
        origin = request.headers.get("origin")
        if origin is None:
            # A page of another site can make a browser send cookies, but no token.
            if "cookie" in request.headers and not bearer_of(request):
                raise ApiError(403, "foreign-origin")
            return
        scheme, _, host = origin.lower().partition("://")
        is_own = scheme in ("http", "https") and host == request.headers.get("host", "").lower()
        if not is_own and origin.lower() not in self._origins:
            raise ApiError(403, "foreign-origin")


def _headers_for(path: str) -> tuple[tuple[bytes, bytes], ...]:
    """Return the security headers of the responses at *path*."""
    if path.startswith(EMBEDDED):
        return EMBEDDED_HEADERS
    if path.startswith((*FILES, BOARDS)):
        return (*OPEN_FILES, *(header for header in SECURITY_HEADERS if header[0] != OPEN_FILES[1][0]))
    return SECURITY_HEADERS


def bearer_of(request: Request) -> str:
    """Return the bearer token in the header ``Authorization``, empty if there is none."""
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if kind.lower() == "bearer" else ""


def base_of(request: Request) -> str:
    """Return the origin at which the sender of *request* reaches the server, for absolute links.

    The middleware has checked the host, and only trusted proxies set the scheme.
    """
    host = urlsplit(f"//{request.headers.get('host', '')}").netloc.rpartition("@")[2]
    return f"{request.scope['scheme']}://{host}"


def address_of(request: Request) -> str:
    """Return the address to which the limits of *request* apply."""
    return neighbourhood(request.client.host if request.client else "")
