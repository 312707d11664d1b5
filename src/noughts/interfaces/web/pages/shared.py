"""The descriptions of shared pages in other services: the title, the text and the picture of a link."""

from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from fastapi.exceptions import RequestValidationError
from starlette.requests import Request

from noughts.drawing.animation import can_animate
from noughts.drawing.raster import has_raster
from noughts.drawing.svg import MAX_CELLS
from noughts.errors import NoughtsError
from noughts.games.catalogue import name_of
from noughts.interfaces.presenting.titles import title_of
from noughts.interfaces.web.api.games import read_replay
from noughts.interfaces.web.api.sharing import EMBED, LinkedPage, find_linked_page
from noughts.interfaces.web.costs import size_of
from noughts.interfaces.web.http.middleware import address_of, base_of
from noughts.interfaces.web.http.replies import ApiError, Model, language_of, status_of, translator
from noughts.interfaces.web.link_texts import LinkedBoard, plain_translator
from noughts.interfaces.web.live.work import text_task
from noughts.interfaces.web.models import (
    BoardChange,
    GameMessage,
    MoveMessage,
    PositionMessage,
    boards_of,
)
from noughts.interfaces.web.pages.tiles import draw_tile, symbols
from noughts.interfaces.web.service import Service


@dataclass(frozen=True, slots=True)
class SharedPage:
    """The description of a page for services that show links.

    ``address``, ``picture``, ``oembed``, the description for pages that embed the page, and ``animation`` are
    absolute. They are empty if there is none.
    """

    title: str
    description: str
    address: str
    picture: str = ""
    oembed: str = ""
    animation: str = ""


async def context_of_link(request: Request) -> dict[str, Any]:
    """Return the context with the description of the page of *request*, or without one.

    A page whose game is missing, private, too long or damaged has none. It reports the error itself. A busy
    server shows the page without a description, too.
    """
    try:
        found = await _found(request, str(request.scope["path"]))
    except (NoughtsError, RequestValidationError):
        return {"shared": None}
    shared = _described(request, found)
    say, base = plain_translator(language_of(request)), base_of(request)
    if has_raster():
        drawn = f"{base}{found.picture}?{urlencode({**found.query, 'lang': say.language})}"
        is_replay = found.board is None and can_animate()
        moving = drawn.replace("card.png", "animation.gif") if is_replay else ""
        shared = replace(shared, picture=drawn, animation=moving)
    if found.is_embeddable:
        shared = replace(shared, oembed=f"{base}/api/oembed?{urlencode({'url': shared.address})}")
    return {"shared": shared}


async def _found(request: Request, path: str) -> LinkedPage:
    service: Service = request.app.state.service
    return await find_linked_page(request, service, path, request.query_params, language_of(request))


def _described(request: Request, found: LinkedPage) -> SharedPage:
    say = plain_translator(language_of(request))
    title = found.facts.title(say, lambda _, name: name)
    return SharedPage(title, found.facts.description(say), base_of(request) + found.address)


async def context_of_embedded(request: Request) -> dict[str, Any]:
    """Return the context of a page inside a page of another site.

    Its ``shared`` is None if the game is missing or private.
    """
    path, language = str(request.scope["path"]).removeprefix(EMBED), language_of(request)
    nothing = {"shared": None, "status": 404, "symbols": ""}
    work, address = request.app.state.service.work, address_of(request)
    try:
        found = await _found(request, path)
        if not found.is_embeddable:
            return nothing
        if found.board is None:
            number, key = int(request.path_params["number"]), found.query.get("key")
            stored, text = await read_replay(request, number, key, language)
            game = await work.read(address, lambda: stored.replay().game)
        else:
            game = found.board.game
            cost = size_of(game).replay_cost(game.ply)
            text = await work.text(request, cost, line_text, found.board, found.facts.turn, language)
    except ApiError:
        raise
    except RequestValidationError:
        return nothing
    except NoughtsError as error:
        return {**nothing, "status": status_of(error)}
    is_small = len(game.cells) <= MAX_CELLS
    picture = draw_tile(game, "shown", shows_last=True) if is_small else ""
    return {"shared": _described(request, found), "game": text, "picture": picture, "symbols": symbols()}


class EmbeddedLine(Model):
    """The moves to a position, in the form of a replay."""

    game: GameMessage
    """The game."""
    title: str
    """The name of the game."""
    winner: str | None
    """The side that has won, or null."""
    turn: str | None
    """The side to move, or null."""
    moves: list[MoveMessage]
    """The moves."""
    boards: list[BoardChange]
    """The start position, and the changes of the board with each move."""
    lines: list[list[int]]
    """The lines that decided the game, as indexes of cells."""


@text_task
def line_text(of: LinkedBoard, turn: str | None, language: str) -> str:
    """Return the moves to a position as JSON. *turn* is the side to move, if the game goes on."""
    say, game = translator(language), of.game
    position = PositionMessage.of(game)
    return EmbeddedLine(
        game=GameMessage.of(game, say),
        title=title_of(say, name_of(game)),
        winner=None if game.outcome is None else game.outcome.winner,
        turn=turn,
        moves=MoveMessage.all(game),
        boards=boards_of(game),
        lines=position.lines,
    ).to_json()


LINKED = ("game.html", "room.html", "puzzle.html", "analysis.html")
"""The templates of pages whose links show their content."""
