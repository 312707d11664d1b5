"""API routes for watching: the wall of public games that are being played, and the stream of its changes."""

from typing import Annotated, Any

from fastapi import Query, Request, Response

from noughts.errors import NotFound
from noughts.interfaces.web.api import description
from noughts.interfaces.web.api.rooms import Say, Worker, api_router
from noughts.interfaces.web.http.middleware import address_of
from noughts.interfaces.web.http.replies import reply
from noughts.interfaces.web.live.events import EventStream
from noughts.interfaces.web.live.wall import WallStreams, state_of, wall_events
from noughts.interfaces.web.service import WALL_CHOICES, Service
from noughts.interfaces.web.wall_models import WallState

router = api_router("watching")

Show = Annotated[
    str, Query(max_length=40, description="The name of a game, `computers`, or empty for all games.")
]


@router.get("/tv", response_model=WallState)
async def look_at_tv(service: Worker, say: Say, show: Show = "") -> Response:
    """Return the wall of public games that are being played: one featured game and at most six others.

    The featured game changes 10 seconds after its end. Rated games are three moves late.
    """
    snapshot = await _wall(service, show).newest()
    if snapshot is None:
        return reply(WallState(featured=None, games=[], playing=0))
    return reply(state_of(snapshot, say, service.now()))


@router.get("/tv/events", response_class=Response, responses=description.WALL_EVENTS)
async def follow_tv(request: Request, service: Worker, say: Say, show: Show = "") -> Any:
    """Stream the wall and its changes as Server-Sent Events."""
    address, wall = address_of(request), _wall(service, show)
    service.take_stream(address)
    reader = wall.open(say)

    def close() -> None:
        wall.close_reader(reader)
        service.streams.drop(address)

    return EventStream(wall_events(wall, reader), close, reader)


def _wall(service: Service, show: str) -> WallStreams:
    """Return the wall for *show*. Raises :class:`~noughts.errors.NotFound`."""
    if show not in WALL_CHOICES:
        raise NotFound("choice", show, tuple(filter(None, WALL_CHOICES)))
    return service.walls.of(show)
