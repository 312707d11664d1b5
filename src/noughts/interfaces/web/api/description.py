"""The parts of the API description that models do not contain: errors, event streams and links."""

from http import HTTPStatus
from typing import Any

from fastapi import Security
from fastapi.security import APIKeyCookie, HTTPBearer

from noughts.interfaces.web.http.replies import CODES, SEAT_COOKIE, SESSION_COOKIE, ErrorResponse
from noughts.interfaces.web.live.events import RoomEvent
from noughts.interfaces.web.models import StaleErrorResponse

Responses = dict[int | str, dict[str, Any]]

READ_STATUSES = (422, 429, 503)
"""The error statuses of every request. Status 422 includes an unknown language."""

BODY_STATUSES = (400, 403, 408, 413, 415, *READ_STATUSES)
"""The error statuses of requests with a body."""

TAGS = [
    {"name": "rooms", "description": "Open a room, join it, read it, play in it, follow it."},
    {"name": "lobby", "description": "Offers to all players, challenges to one, and the game of a pair."},
    {"name": "bots", "description": "The challenges and games of a program with a key."},
    {"name": "watching", "description": "The public games that are being played."},
    {"name": "tournaments", "description": "Tournaments of people: open, enter, organise, read results."},
    {"name": "games", "description": "The games of the catalogue, custom boards, and finished games."},
    {"name": "identities", "description": "Players with keys: their names, devices and sessions."},
    {"name": "inbox", "description": "What happened while a player with a key was away."},
    {"name": "ratings", "description": "The best players of each game, and the ratings of a player."},
    {"name": "reports", "description": "Reports of players, and the decisions of operators."},
    {"name": "puzzles", "description": "Positions with one right move, and attempts at them."},
    {"name": "sharing", "description": "Pictures of links to games, positions and puzzles."},
    {"name": "analysis", "description": "Values of positions, lines, and reviews of finished games."},
]

ABOUT = """Games of k in a row, played by people and programs.

Open a room and share its code, or join a room. Both responses have a seat token, `token`: send it as
`Authorization: Bearer ...`, or let a browser store it as a cookie. Follow the events of the room: each
`state` event has the whole state. Send commands with the `version` of the state that they refer to, and
with an idempotency key, `key`. If a response is lost, repeat the request with the same key.

To meet other people, make a secret key and follow `/api/offers/events` with it. Offer games, or take an
offer. When the stream or the response names a room, join that room with the same key.

An error response has a `code` with data for programs, and a `sentence` in the language of `?lang=` or
`Accept-Language`. Status 409 of a stale command includes the present state. Statuses 429 and 503 have the
header `Retry-After`. The headers `RateLimit-Policy` and `RateLimit` of each response name the limits of the
request, and the number of further requests.
"""

SESSION = [
    Security(HTTPBearer(auto_error=False, scheme_name="session", description="The secret of a session.")),
    Security(APIKeyCookie(name=SESSION_COOKIE, auto_error=False, scheme_name="session-cookie")),
]
"""The ways to prove a session. They are only described here: other code reads the secret."""

SEAT = [
    Security(HTTPBearer(auto_error=False, scheme_name="token", description="The token of a seat.")),
    Security(APIKeyCookie(name=SEAT_COOKIE, auto_error=False, scheme_name="cookie")),
]
"""The ways to prove a seat. They are only described here: other code reads the token."""

VISITOR = [
    Security(
        HTTPBearer(
            auto_error=False,
            scheme_name="visitor",
            description="A secret key of 22 to 64 letters and digits that the visitor of the lobby has made.",
        )
    )
]
"""The proof of the sender of an offer. It is only described here: other code reads the key."""

WITH_OR_WITHOUT: dict[str, Any] = {"security": [{}, {"token": []}, {"cookie": []}]}
"""The security of routes that spectators without a seat may use too."""


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


def _linked(status: int, description: str, links: dict[str, Any], *errors: int) -> Responses:
    return {status: {"description": description, "links": links}, **refusals(*errors)}


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
OPENED = _linked(201, "The room and the seat of the caller.", {**_JOIN, **_IN_ROOM}, *BODY_STATUSES)
JOINED = _linked(201, "The room and the seat of the caller.", _IN_ROOM, 404, 409, *BODY_STATUSES)
COMMAND_DONE = _linked(
    200,
    "The state after the command.",
    {
        "again": _link("command_room", {"version": "$response.body#/version"}, room=_OF_PATH),
        "look": _link("look_at_room", room=_OF_PATH),
        "earlier": _link("look_back", room=_OF_PATH, ply="response.body#/state/ply"),
        "worth": _link("analyse_room", room=_OF_PATH),
    },
    *(401, 404, 409, *BODY_STATUSES),
)
LISTED = _linked(
    200,
    "Finished games.",
    {name: _link(name, number="response.body#/games/0/id") for name in ("game", "record", "picture")},
)
RECORD: Responses = {**file_of("application/x-ndjson", "A line of JSON."), **refusals(404)}
PICTURE: Responses = {**file_of("image/svg+xml", "A picture."), **refusals(404)}


def _picture_file(kind: str, description: str) -> Responses:
    return {
        200: {
            "description": description,
            "content": {kind: {"schema": {"type": "string", "format": "binary"}}},
        },
        304: {"description": "The picture has not changed."},
        **refusals(404, 501),
    }


LINK_PICTURE = _picture_file("image/png", "A picture of 1200 x 630 pixels.")
ANIMATION = _picture_file("image/gif", "An animation of 800 x 420 pixels.")
REVIEWED: Responses = {
    **file_of(
        "text/event-stream",
        "The review in parts, the last moves first. The data of `event: review` has the number of `waiting` "
        "positions, the `values` of all positions (from 1 to -1 for the first side, null if unknown, "
        "`guessed` ones are estimates), the `moves` judged since the last event, each with a `sentence` and "
        "the better `line`, and the `accuracy` of each side. In the last event, `waiting` is 0. If the "
        "review fails, the last event is `event: failed`.",
        example='event: review\ndata: {"waiting": 3, "values": [null, null, null, 1], "moves": []}\n\n',
    ),
    **refusals(404, 422),
}
EVENTS = file_of(
    "text/event-stream",
    "The states of the room. `event: state` has the version as its `id` and a `RoomState` as its data. "
    + " ".join(str(kind.__doc__) for kind in RoomEvent.__subclasses__())
    + " Lines that start with `:` are comments.",
    example='retry: 1000\n\nid: 3\nevent: state\ndata: {"room": "...", "version": 3}\n\n',
)
BOT_EVENTS = file_of(
    "text/event-stream",
    "The challenges and the games of the bot. The data of `event: own` is an `OwnOffers`. The data of each "
    "`event: state` is the `RoomState` of one of its games, with the version as its `id`. The stream begins "
    "with the state of each game that is not closed. Then follow the last states of closed rooms in the "
    "query, and an `event: gone` with a `GameGone` for each room that is not there any more. Lines that "
    "start with `:` are comments.",
    example='event: own\ndata: {"asked": []}\n\nid: 3\nevent: state\ndata: {"room": "...", "version": 3}\n\n',
)
LOBBY_EVENTS = file_of(
    "text/event-stream",
    "The lobby. The data of the first `event: lobby` is a `LobbyState`, that of each `event: changes` a "
    "`LobbyChanges`, and that of `event: own` an `OwnOffers`: the visitor's offer and challenges, and the "
    "room of a game that began. Lines that start with `:` are comments.",
    example='event: lobby\ndata: {"offers": [], "waiting": 0, "people": 1}\n\n',
)
GAMES_EVENTS = file_of(
    "text/event-stream",
    "The changes of games. The data of each `event: games` is a `GamesChange`: the rooms that have changed, "
    "and whether a new game has begun. Lines that start with `:` are comments.",
    example='event: games\ndata: {"rooms": ["..."], "is_new": false}\n\n',
)
WALL_EVENTS = file_of(
    "text/event-stream",
    "The wall of public games. The data of the first `event: wall` is a `WallState`, that of each "
    "`event: changes` a `WallChanges`. Lines that start with `:` are comments.",
    example='event: wall\ndata: {"featured": null, "games": [], "playing": 0}\n\n',
)
