"""The ASGI application: routes, middleware, error handlers, and start and stop."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import cache
from importlib.metadata import version
from itertools import chain
from typing import Any

from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.routing import BaseRoute, Match
from starlette.types import ASGIApp

from noughts.arena.process_time import now_ms
from noughts.arena.store.database import Database, open_database
from noughts.errors import NoughtsError, StoreError
from noughts.interfaces.web.api import (
    analysis,
    bots,
    games,
    identities,
    inbox,
    offers,
    people,
    push,
    puzzles,
    ratings,
    reports,
    rooms,
    sharing,
    tv,
)
from noughts.interfaces.web.api.description import ABOUT, TAGS
from noughts.interfaces.web.http.connections import AnswerTracker, Connections
from noughts.interfaces.web.http.metrics import LOG, Metrics
from noughts.interfaces.web.http.middleware import (
    EMBEDDED,
    SecurityMiddleware,
    SelectiveGzip,
    address_of,
)
from noughts.interfaces.web.http.replies import (
    AGAIN_SECONDS,
    ApiError,
    compact,
    refuse,
    reply,
    validation_error,
)
from noughts.interfaces.web.pages.offline import offline_routes
from noughts.interfaces.web.pages.pages import page, page_routes
from noughts.interfaces.web.service import ServerOptions, Service
from noughts.workers.messages import TaskWorker

HEALTH_SECONDS = 0.8
"""Seconds after which the health check fails. Its clients usually wait for one second."""


ROUTERS = (
    rooms.router,
    offers.router,
    bots.router,
    tv.router,
    people.router,
    games.router,
    analysis.sent,
    analysis.router,
    analysis.reviews,
    *identities.routers,
    *inbox.routers,
    *push.routers,
    ratings.router,
    *reports.routers,
    puzzles.router,
    puzzles.trying,
    sharing.router,
)
"""The routers of the API, in the order of its description."""


def make_app(
    serving: ServerOptions,
    *,
    now: Callable[[], int] = now_ms,
    thinkers: Callable[[], list[TaskWorker]] | None = None,
    database: Callable[[], Database] | None = None,
    on_start: Callable[[Service], None] = lambda service: None,
) -> ASGIApp:
    """Return the application with the options *serving*. It calls *on_start* before its first request.

    *thinkers* and *database* replace the default processes and database.
    """
    metrics = Metrics()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[dict[str, Any]]:
        store = (database or (lambda: open_database(serving.database)))()
        service = Service(serving, store, metrics, now=now, thinkers=thinkers() if thinkers else None)
        app.state.service = service
        LOG.info("serving", extra={"facts": {"database": store.where}})
        try:
            connections = Connections(serving.limits.connections, serving.proxies, metrics)
            on_start(service)
            yield {"connections": connections}
        finally:
            await service.close()
            store.close()
            LOG.info("stopped")

    app = FastAPI(
        title="noughts",
        version=version("noughts"),
        description=ABOUT,
        openapi_tags=TAGS,
        redirect_slashes=False,
        lifespan=lifespan,
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
    )
    app.router.routes.extend((*_api_routes(), *page_routes(), *offline_routes()))
    app.state.network = serving.network
    for kind in (NoughtsError, RequestValidationError, HTTPException, MemoryError, Exception):
        app.add_exception_handler(kind, _on_error)
    app.add_middleware(SelectiveGzip)
    app.add_middleware(SecurityMiddleware, serving.limits, metrics, serving.hosts, serving.origins)
    app.add_middleware(AnswerTracker)
    return app


@cache
def _api_routes() -> tuple[BaseRoute, ...]:
    """Return the routes of the API, which all applications share.

    FastAPI takes long to inspect their types.
    """
    api = APIRouter(generate_unique_id_function=lambda route: route.name)
    for router in ROUTERS:
        api.include_router(router)
    api.add_api_route("/api", _description_page, methods=["GET"], include_in_schema=False)
    api.add_api_route("/openapi.json", _send_description, methods=["GET"], include_in_schema=False)
    api.add_api_route("/healthz", _health, methods=["GET"], include_in_schema=False)
    api.add_api_route("/metrics", _send_metrics, methods=["GET"], include_in_schema=False)
    for route in api.routes:  # a first match takes long
        route.matches({"type": "http", "method": "GET", "path": "/api/", "root_path": "", "headers": []})
    return tuple(api.routes)


async def _description_page(request: Request) -> Response:
    """Send the description of the API as a page."""
    service: Service = request.app.state.service
    show = lambda: page(request, "api.html", described=request.app.openapi())  # noqa: E731
    return await service.work.write(address_of(request), show)


async def _send_description(request: Request) -> Response:
    """Send the description of the API as JSON. It is made in a thread, since that takes a second at first."""
    write = lambda: compact(request.app.openapi())  # noqa: E731
    text = await request.app.state.service.work.write(address_of(request), write)
    return Response(text, media_type="application/json")


async def _health(request: Request) -> Response:
    """Send the status ``ok`` if the database accepts writes."""
    service: Service = request.app.state.service
    written = asyncio.wrap_future(service.rooms.expiry.write_heartbeat())
    try:
        await asyncio.wait_for(written, HEALTH_SECONDS)
    except TimeoutError:
        raise StoreError(service.database.where, "locked") from None
    return reply(compact({"status": "ok"}))


async def _send_metrics(request: Request) -> Response:
    """Send the metrics."""
    return Response(request.app.state.service.metrics.text(), media_type="text/plain; version=0.0.4")


# Errors


async def _on_error(request: Request, error: Exception) -> Response:
    match error:
        case NoughtsError():
            return _error_response(request, error)
        case RequestValidationError():
            return _error_response(request, validation_error(error))
        case MemoryError():
            return _error_response(request, ApiError(503, "server-busy", seconds=AGAIN_SECONDS))
        case HTTPException():
            known = {404: ApiError(404, "no-such-path"), 405: ApiError(405, "no-such-method")}
            refusal = known.get(error.status_code) or ApiError(error.status_code, "failed")
            response = _error_response(request, refusal)
            response.headers.update(error.headers or {})
            if error.status_code == 405:
                response.headers["allow"] = _allowed_methods(request)
            return response
    LOG.error("failed", exc_info=error, extra={"facts": {"error": type(error).__name__}})
    return _error_response(request, ApiError(500, "failed"))


def _allowed_methods(request: Request) -> str:
    """Return the methods of all routes with the path of *request*, for the header ``Allow``."""
    # The application has the routers as a whole, without methods.
    routes = chain(*(router.routes for router in ROUTERS), request.app.routes)
    fitting = (route for route in routes if route.matches(request.scope)[0] is not Match.NONE)
    return ", ".join(
        sorted({method for route in fitting for method in getattr(route, "methods", None) or ()})
    )


def _error_response(request: Request, error: NoughtsError) -> Response:
    """Return the error response: a page for browsers, or else JSON."""
    wants_page = "text/html" in request.headers.get("accept", "") and request.method == "GET"
    if wants_page and not str(request.scope["path"]).startswith(("/api/", EMBEDDED)):
        status = error.status if isinstance(error, ApiError) else 404
        return page(request, "error.html", status)
    return refuse(request, error)
