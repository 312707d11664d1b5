"""Sessions: the player with a key behind a request."""

from starlette.requests import Request
from starlette.responses import Response

from noughts.arena.people.identities import Identity, NewSession, SignedIn
from noughts.interfaces.web.http.middleware import bearer_of
from noughts.interfaces.web.http.replies import SESSION_COOKIE, ApiError, store_secret
from noughts.interfaces.web.service import Service

SECRET_LENGTH = 43
"""The length of the secret of a session. The token of a seat is shorter."""


def secret_of(request: Request) -> str | None:
    """Return the secret of a session that *request* has in its cookie or as a bearer token, or None."""
    for secret in (bearer_of(request), request.cookies.get(SESSION_COOKIE, "")):
        if len(secret) == SECRET_LENGTH:
            return secret
    return None


async def session_of(request: Request) -> SignedIn | None:
    """Return the session of *request*, or None for a guest."""
    service: Service = request.app.state.service
    secret = secret_of(request)
    return None if secret is None else await service.run(service.people.session, secret)


async def identity_of(request: Request) -> Identity | None:
    """Return the player with a key behind *request*, or None for a guest."""
    signed = await session_of(request)
    return None if signed is None else signed.identity


async def required_session(request: Request) -> SignedIn:
    """Return the session of *request*. Raises :class:`ApiError` (401) for a guest."""
    signed = await session_of(request)
    if signed is None:
        raise ApiError(401, "no-key")
    return signed


def set_session(request: Request, response: Response, session: NewSession, now: int) -> None:
    """Add the cookie of *session* to *response*."""
    seconds = (session.expires - now) // 1000
    store_secret(request, response, SESSION_COOKIE, session.secret, "/", seconds)


def origin_of(request: Request) -> str:
    """Return the origin that a signed text names: the one in the header, or the address of the server.

    The middleware has checked the header.
    """
    return request.headers.get("origin") or f"{request.scope['scheme']}://{request.headers.get('host', '')}"
