"""API routes for watching: the wall of public games that are being played, and the stream of its changes."""

from typing import Any

from fastapi import Request, Response

from noughts.interfaces.web.api import description
from noughts.interfaces.web.api.rooms import Say, Worker, api_router
from noughts.interfaces.web.http.middleware import address_of
from noughts.interfaces.web.http.replies import reply
from noughts.interfaces.web.live.events import EventStream
from noughts.interfaces.web.live.wall import state_of, wall_events
from noughts.interfaces.web.wall_models import WallState

router = api_router("watching")


@router.get("/tv", response_model=WallState)
async def look_at_tv(service: Worker, say: Say) -> Response:
    """Return the wall of public games that are being played: one featured game and at most six others.

    The featured game changes 10 seconds after its end. Rated games are three moves late.
    """
    snapshot = await service.wall_streams.newest()
    if snapshot is None:
        return reply(WallState(featured=None, games=[], playing=0))
    return reply(state_of(snapshot, say, service.now()))


@router.get("/tv/events", response_class=Response, responses=description.WALL_EVENTS)
async def follow_tv(request: Request, service: Worker, say: Say) -> Any:
    """Stream the wall and its changes as Server-Sent Events."""
    address = address_of(request)
    reader = service.open_wall_stream(address)
    events = wall_events(service.wall_streams, reader, say)
    return EventStream(events, lambda: service.close_wall_stream(reader, address))
