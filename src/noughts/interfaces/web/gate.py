"""What every request passes: limits, the check of where it comes from, headers, the log and the counts."""

from time import monotonic

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from noughts.interfaces.web.limits import Buckets, Limits, neighbourhood
from noughts.interfaces.web.metrics import Metrics
from noughts.interfaces.web.refusals import Refused
from noughts.interfaces.web.replying import refuse

CONTENT_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "font-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)

SECURITY_HEADERS = {
    "content-security-policy": CONTENT_POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}


class Gate:
    """Stands before the application; *origins* are those besides its own from which pages may post."""

    def __init__(self, app: ASGIApp, limits: Limits, metrics: Metrics, origins: tuple[str, ...]) -> None:
        self._app, self._metrics = app, metrics
        self._requests = Buckets(limits.requests)
        self._origins = frozenset(origin.rstrip("/").lower() for origin in origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, status = monotonic(), 500

        async def send_with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                for name, value in SECURITY_HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        request = Request(scope, receive)
        try:
            try:
                self._check(request)
            except Refused as error:
                await refuse(request, error)(scope, receive, send_with_headers)
                return
            await self._app(scope, receive, send_with_headers)
        finally:
            self._metrics.count_request(scope, status, monotonic() - began)

    def _check(self, request: Request) -> None:
        if str(request.scope["path"]).startswith("/api/"):
            self._requests.take(address_of(request))
        if request.method not in ("GET", "HEAD", "OPTIONS"):
            self._check_origin(request)

    def _check_origin(self, request: Request) -> None:
        """A page of another site must not act for who visits it; programs that are no pages may."""
        origin = request.headers.get("origin")
        if origin is None:
            # A browser that is made to post brings its cookies, but no header that it was not told to bring.
            if "cookie" in request.headers and "authorization" not in request.headers:
                raise Refused(403, "foreign-origin")
            return
        scheme, _, host = origin.lower().partition("://")
        is_own = scheme in ("http", "https") and host == request.headers.get("host", "").lower()
        if not is_own and origin.lower() not in self._origins:
            raise Refused(403, "foreign-origin")


def address_of(request: Request) -> str:
    """Whose limits *request* counts against."""
    return neighbourhood(request.client.host if request.client else "")
