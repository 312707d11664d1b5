"""The parts of the API description that models do not contain: errors, event streams and links."""

from http import HTTPStatus
from typing import Any

from fastapi import Security
from fastapi.security import APIKeyCookie, HTTPBearer

from noughts.interfaces.web.http.replies import CODES, SEAT_COOKIE, ErrorResponse
from noughts.interfaces.web.live.events import RoomEvent
from noughts.interfaces.web.models import StaleErrorResponse

Responses = dict[int | str, dict[str, Any]]

READ_STATUSES = (422, 429, 503)
"""The error statuses of every request. Status 422 includes an unknown language."""

BODY_STATUSES = (400, 403, 408, 413, 415, *READ_STATUSES)
"""The error statuses of requests with a body."""

TAGS = [
    {"name": "rooms", "description": "Open a room, join it, look at it, play in it, follow it."},
    {"name": "games", "description": "What can be played, and what was played."},
    {"name": "puzzles", "description": "Positions with one right move, and what is tried at them."},
    {"name": "analysis", "description": "What positions are worth, for those who may know."},
]

ABOUT = """Games of k in a row, played by people and programs.

Open a room and tell the code, or join one. Both give a `token`: send it as `Authorization: Bearer ...`, or
let a browser keep it as a cookie. Follow the events of the room; each holds the whole state. Answer with
commands, which name the `version` of the state they answer and a `key`, so that they can be sent again when
an answer was lost. A refusal is a `code` with data, and a `sentence` in the language of `?lang=` or
`Accept-Language`; with 409, of a stale command, comes the present state, with 429 and 503 `Retry-After`.
"""

SEAT = [
    Security(HTTPBearer(auto_error=False, scheme_name="token", description="The token of a seat.")),
    Security(APIKeyCookie(name=SEAT_COOKIE, auto_error=False, scheme_name="cookie")),
]
"""The ways to prove a seat. They are only described here: other code reads the token."""

WITH_OR_WITHOUT: dict[str, Any] = {"security": [{}, {"token": []}, {"cookie": []}]}
"""The security of routes that spectators, who have no seat, may use too."""


def refusals(*statuses: int) -> Responses:
    """Return the error responses with *statuses*, for the description of a route."""
    codes = {status: ", ".join(f"`{code}`" for code in CODES[status]) for status in sorted(set(statuses))}
    return {
        status: {
            "model": StaleErrorResponse if status == 409 else ErrorResponse,
            "description": f"{HTTPStatus(status).phrase}: {names}.",
        }
        for status, names in codes.items()
    }


def file_of(kind: str, description: str, **more: Any) -> Responses:
    """Return the description of a response with the content type *kind*."""
    return {200: {"description": description, "content": {kind: {"schema": {"type": "string"}, **more}}}}


# Links: values of a response that the next request needs


def _followed(status: int, description: str, links: dict[str, Any], *refused: int) -> Responses:
    return {status: {"description": description, "links": links}, **refusals(*refused)}


def _link(operation: str, body: dict[str, Any] | None = None, **parameters: str) -> dict[str, Any]:
    parts = {"parameters": {name: f"${where}" for name, where in parameters.items()}, "requestBody": body}
    return {"operationId": operation, **{name: of for name, of in parts.items() if of}}


_ROOM, _OF_PATH, _VERSION = "response.body#/room", "request.path.room", "$response.body#/state/version"
_FIRST_MOVE = {"version": _VERSION, "key": "first-move", "command": {"type": "move", "move": "5"}}

_IN_ROOM = {
    "look": _link("look_at_room", room=_ROOM),
    "follow": _link("follow_room", room=_ROOM),
    "move": _link("command_room", _FIRST_MOVE, room=_ROOM),
    "command": _link("command_room", {"version": _VERSION}, room=_ROOM),
}

_JOIN = {"join": _link("join_room", {"room": "$response.body#/room", "name": "Wei"})}
OPENED = _followed(201, "The seat that was taken.", {**_JOIN, **_IN_ROOM}, *BODY_STATUSES)
JOINED = _followed(201, "The seat that was taken.", _IN_ROOM, 404, 409, *BODY_STATUSES)
COMMAND_DONE = _followed(
    200,
    "What the command has led to.",
    {
        "again": _link("command_room", {"version": "$response.body#/version"}, room=_OF_PATH),
        "look": _link("look_at_room", room=_OF_PATH),
        "earlier": _link("look_back", room=_OF_PATH, ply="response.body#/state/ply"),
        "worth": _link("analyse_room", room=_OF_PATH),
    },
    *(401, 404, 409, *BODY_STATUSES),
)
LISTED = _followed(
    200,
    "Finished games.",
    {name: _link(name, number="response.body#/games/0/id") for name in ("game", "record", "picture")},
)
RECORD: Responses = {**file_of("application/x-ndjson", "A line of JSON."), **refusals(404)}
PICTURE: Responses = {**file_of("image/svg+xml", "A picture."), **refusals(404)}
REVIEWED: Responses = {
    **file_of(
        "text/event-stream",
        "The review as it is found, the last moves first. `event: review` has as its data how many positions "
        "are still `waiting`, the `values` of all (from 1 to -1, as the first side sees them, null where "
        "nothing is known; `guessed` ones are estimates), the `moves` found since the event before, each "
        "with a `sentence` and the better `line`, and the `accuracy` of each side. The last event has 0 "
        "`waiting`, or is `event: failed`.",
        example='event: review\ndata: {"waiting": 3, "values": [null, null, null, 1], "moves": []}\n\n',
    ),
    **refusals(404, 422),
}
EVENTS = file_of(
    "text/event-stream",
    "The states of the room. `event: state` has the version as its `id` and a `State` as its data. "
    + " ".join(str(kind.__doc__) for kind in RoomEvent.__subclasses__())
    + " Lines that begin with `:` are comments.",
    example='retry: 1000\n\nid: 3\nevent: state\ndata: {"room": "...", "version": 3}\n\n',
)
