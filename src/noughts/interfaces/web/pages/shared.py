"""The descriptions of shared pages in other services: the title, the text and the picture of a link."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any
from urllib.parse import urlencode

from fastapi.exceptions import RequestValidationError
from starlette.requests import Request

from noughts.drawing.animation import can_animate
from noughts.drawing.raster import has_raster
from noughts.drawing.svg import MAX_CELLS
from noughts.errors import NoughtsError
from noughts.interfaces.web.api.games import finished_game, read_replay
from noughts.interfaces.web.api.sharing import facts_of_link, named_players, position_of_link
from noughts.interfaces.web.http.middleware import address_of, base_of
from noughts.interfaces.web.http.replies import ApiError, language_of, status_of
from noughts.interfaces.web.link_texts import (
    LinkFacts,
    facts_of_game,
    facts_of_position,
    facts_of_puzzle,
    plain_translator,
)
from noughts.interfaces.web.pages.tiles import draw_tile, symbols
from noughts.interfaces.web.service import Service
from noughts.puzzles.shipped import find_puzzle


@dataclass(frozen=True, slots=True)
class SharedPage:
    """The description of a page for services that show links.

    ``address``, ``picture``, ``oembed``, the description for pages that embed the game, and ``animation`` are
    absolute. They are empty if there is none.
    """

    title: str
    description: str
    address: str
    picture: str = ""
    oembed: str = ""
    animation: str = ""


async def context_of_link(template: str, request: Request) -> dict[str, Any]:
    """Return the context with the description of the page made from *template*, or without one.

    A page whose game is missing, private, too long or damaged has none. It reports the error itself. A busy
    server shows the page without a description, too.
    """
    try:
        facts, picture, query = await FINDERS[template](request)
    except (NoughtsError, RequestValidationError):
        return {"shared": None}
    say = plain_translator(language_of(request))
    base = base_of(request)
    path = str(request.scope["path"])
    address = f"{base}{path}" + (f"?{urlencode(query)}" if query else "")
    drawn = f"{base}{picture}?{urlencode({**query, 'lang': say.language})}" if has_raster() else ""
    shared = SharedPage(facts.title(say, _named), facts.description(say), address, drawn)
    if template == "game.html":
        oembed = f"{base}/api/oembed?{urlencode({'url': address})}"
        moving = drawn.replace("card.png", "animation.gif") if can_animate() else ""
        shared = replace(shared, oembed=oembed, animation=moving)
    return {"shared": shared}


def _query(request: Request, *names: str) -> dict[str, str]:
    return {name: value for name in names if (value := request.query_params.get(name, ""))}


async def _finished(request: Request) -> tuple[LinkFacts, str, dict[str, str]]:
    service: Service = request.app.state.service
    number, query = int(request.path_params["number"]), _query(request, "key", "ply")
    read = partial(finished_game, service, number, query.get("key", "")[:100] or None)
    stored = await service.work.read(address_of(request), read)
    facts = facts_of_game(stored, named_players(stored, language_of(request)))
    return facts, f"/api/games/{number}/card.png", query


async def _room(request: Request) -> tuple[LinkFacts, str, dict[str, str]]:
    room = request.path_params["room"]
    _, facts = await facts_of_link(request.app.state.service, room, language_of(request))
    return facts, f"/api/rooms/{room}/card.png", {}


async def _puzzle(request: Request) -> tuple[LinkFacts, str, dict[str, str]]:
    number = int(request.path_params["number"])
    return facts_of_puzzle(find_puzzle(number)), f"/api/puzzles/{number}/card.png", {}


async def _position(request: Request) -> tuple[LinkFacts, str, dict[str, str]]:
    query = {"game": "tictactoe", **_query(request, "game", "position", "moves")}
    line = (query["game"], query.get("position"), query.get("moves", ""))
    game = await position_of_link(request, request.app.state.service, *line)
    return facts_of_position(game), "/api/card.png", query


async def context_of_embedded(request: Request) -> dict[str, Any]:
    """Return the context of a replay inside a page of another site. The game is None if it is missing."""
    number, query = int(request.path_params["number"]), _query(request, "key", "ply")
    language = language_of(request)
    try:
        stored, text = await read_replay(request, number, query.get("key", "")[:100] or None, language)
        game = await request.app.state.service.work.read(address_of(request), lambda: stored.replay().game)
    except ApiError:
        raise
    except NoughtsError as error:
        return {"shared": None, "status": status_of(error), "symbols": ""}
    say = plain_translator(language)
    facts = facts_of_game(stored, named_players(stored, language))
    address = f"{base_of(request)}/g/{number}" + (f"?{urlencode(query)}" if query else "")
    shared = SharedPage(facts.title(say, _named), facts.description(say), address)
    is_small = len(game.cells) <= MAX_CELLS
    picture = draw_tile(game, f"game-{number}", shows_last=True) if is_small else ""
    return {"shared": shared, "game": text, "picture": picture, "symbols": symbols()}


def _named(_: str, name: str) -> str:
    return name


FINDERS: dict[str, Callable[[Request], Awaitable[tuple[LinkFacts, str, dict[str, str]]]]] = {
    "game.html": _finished,
    "room.html": _room,
    "puzzle.html": _puzzle,
    "analysis.html": _position,
}
"""Functions that return the facts of a page, the path of its picture and the query of both, by template."""
