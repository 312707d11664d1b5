"""What every request passes: limits, the check of where it comes from, headers, the log and the counts."""

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

from noughts.interfaces.web.http.limits import Buckets, Rate, ServerLimits, Tally, neighbourhood
from noughts.interfaces.web.http.metrics import Metrics
from noughts.interfaces.web.http.replies import ApiError, language_of, refuse

CONTENT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
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

SAFE_METHODS = frozenset(("GET", "HEAD", "OPTIONS"))
"""Methods that change nothing."""

MAX_UNDER_WAY = 128
"""So many requests that change something are under way at once, from when they have been read. More would
only wait for one another, and everybody for all of them: who comes then is told to come back."""


SHARE = 2
"""The part of all requests under way that one address may have, if requests are limited."""

ALL_ADDRESSES = ("0.0.0.0", "::")  # noqa: S104 - only what is asked for is listened at
"""What stands for all addresses of this machine."""

FILES = ("/static/", "/i18n/")
"""Requests for paths that begin so are counted for themselves: they cost little, and a page needs many."""

FILE_RATE = Rate(200, 1_000)
"""Number of files that an address may ask for."""

REFUSAL_RATE = Rate(20, 40)
"""Number of refusals that an address gets at once. Further ones are delayed: a flood of them costs much."""

HOLD_SECONDS = 1.0
"""The delay of each further refusal, in seconds."""

PAGE_COST = 5.0
"""Milliseconds that a page costs, in the event loop."""

COSTS = {"/": 15.0, "/api": 40.0, "/openapi.json": 25.0, "/healthz": 0.0, "/metrics": 3.0}
"""The costs of paths outside the API that cost something else."""

UNCOMPRESSED = ("/api/rooms", "/api/join")
"""Answers under these paths are not packed: in them secrets stand beside what others may have sent, and the
length of what is packed together tells of both."""

MIN_COMPRESSED = 1_000
"""In so many bytes there is nothing to gain by packing them."""


class SelectiveGzip:
    """Packs what the application answers, where that gains something and gives nothing away."""

    def __init__(self, app: ASGIApp) -> None:
        self._plain, self._packing = app, GZipMiddleware(app, MIN_COMPRESSED, compresslevel=6)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_secretive = str(scope.get("path", "")).startswith(UNCOMPRESSED)
        is_plain = scope["type"] != "http" or is_secretive
        await (self._plain if is_plain else self._packing)(scope, receive, send)


class AllowedHosts:
    """The names under which the server answers: a page can let its own name lead to any address, and read.

    *bound* is where the server listens; with that, this machine and the names of *origins* are meant. Where
    it listens at all its addresses, any literal address is.
    """

    def __init__(self, bound: tuple[str, ...], origins: tuple[str, ...]) -> None:
        own = [name for origin in origins if (name := urlsplit(origin).hostname)]
        self._names = {"localhost", *own, *(host.lower() for host in bound)}
        self._is_everywhere = not self._names.isdisjoint(ALL_ADDRESSES)

    def __contains__(self, host: str) -> bool:
        try:
            name = urlsplit(f"//{host}").hostname or ""
            return name in self._names or ip_address(name).is_loopback or self._is_everywhere
        except ValueError:  # neither one of the names nor an address
            return False


class SecurityMiddleware:
    """Stands before the application, which answers by the names of *hosts*.

    *origins* are those besides its own from which pages may post.
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
        self._requests = Buckets(limits.requests)
        self._files = Buckets(limits.requests and FILE_RATE)
        self._begins: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._refused = Buckets(limits.requests and REFUSAL_RATE)
        self._origins = frozenset(origin.rstrip("/").lower() for origin in origins)
        self._under_way = 0
        self._share = SHARE if limits.requests else 1
        self._under_way_of = Tally()
        self._most_bodies = limits.bodies
        self._bodies = Tally()
        self._refusals: dict[str, Response] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, status = monotonic(), 500

        async def send_with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                known = {name for name, _ in message["headers"]}
                more = (header for header in SECURITY_HEADERS if header[0] not in known)
                message["headers"] = [*message["headers"], *more]
            await send(message)

        request = Request(scope, receive)
        is_change = request.method not in SAFE_METHODS
        if is_change and self._under_way >= MAX_UNDER_WAY:
            # Counted, not logged: that takes longer than to refuse, and who is flooded has no time for it.
            self._metrics.count("refused_as_busy")
            await self._busy(request)(scope, receive, send_with_headers)
            return
        try:
            try:
                self._check(request)
            except ApiError as error:
                await self._hold(address_of(request))
                await self._begin(address_of(request))
                await refuse(request, error)(scope, receive, send_with_headers)
                return
            await self._begin(address_of(request))
            if is_change:
                await self._change(scope, receive, send_with_headers, address_of(request))
            else:
                await self._app(scope, receive, send_with_headers)
        finally:
            self._metrics.count_request(scope, status, monotonic() - began)

    async def _begin(self, address: str) -> None:
        """Return when the event loop has gone round since the last request of *address* was begun.

        Requests that come together would all be worked on before anything of another address.
        """
        async with self._begins.setdefault(address, asyncio.Lock()):
            await asyncio.sleep(0)

    async def _hold(self, address: str) -> None:
        """Return when *address* may be refused."""
        try:
            self._refused.take(address)
        except ApiError:
            await asyncio.sleep(HOLD_SECONDS * uniform(0.5, 1.5))

    async def _change(self, scope: Scope, receive: Receive, send: Send, address: str) -> None:
        """A request that is under way once its body is there: who sends slowly holds up nobody else."""
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
        """The answer to who has to come back, made once in each language."""
        language = language_of(request)
        if language not in self._refusals:
            self._refusals[language] = refuse(request, ApiError(503, "server-busy", seconds=1))
        return self._refusals[language]

    def _check(self, request: Request) -> None:
        host = request.headers.get("host", "")
        if host and host not in self._hosts:  # no page can leave it out
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
        """A page of another site must not act for who visits it; programs that are no pages may."""
        origin = request.headers.get("origin")
        if origin is None:
            # A browser that is made to post brings its cookies, perhaps a password, but never a token.
            if "cookie" in request.headers and not bearer_of(request):
                raise ApiError(403, "foreign-origin")
            return
        scheme, _, host = origin.lower().partition("://")
        is_own = scheme in ("http", "https") and host == request.headers.get("host", "").lower()
        if not is_own and origin.lower() not in self._origins:
            raise ApiError(403, "foreign-origin")


def bearer_of(request: Request) -> str:
    """The token in the header ``Authorization``; empty where none is: passwords are no tokens."""
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if kind.lower() == "bearer" else ""


def address_of(request: Request) -> str:
    """Whose limits *request* counts against."""
    return neighbourhood(request.client.host if request.client else "")
