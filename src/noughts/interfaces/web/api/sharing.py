"""API routes for sharing: pictures of links to games, positions and puzzles, and embedded pages."""

import re
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from functools import partial
from html import escape
from typing import Annotated, Any, Literal
from urllib.parse import parse_qs, urlencode, urlsplit

from fastapi import Query, Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic import ValidationError

from noughts.arena.rooms.models import Phase, RoomView
from noughts.arena.store.database import MAX_ID
from noughts.arena.stored_game import PUBLIC, StoredGame
from noughts.drawing.animation import check_animation, frames_of
from noughts.drawing.link_picture import HEIGHT, WIDTH
from noughts.drawing.raster import check_raster, has_raster
from noughts.errors import NotFound
from noughts.games.base import Game
from noughts.games.catalogue import name_of
from noughts.games.notation import format_position
from noughts.interfaces.web.api.description import ANIMATION, LINK_PICTURE
from noughts.interfaces.web.api.games import GameKey, GameName, Number, finished_game, players_of
from noughts.interfaces.web.api.requests import LineRequest
from noughts.interfaces.web.api.rooms import RoomName, Say, Worker, api_router, game_after, size_of_request
from noughts.interfaces.web.costs import size_of
from noughts.interfaces.web.http.files import LASTING, REVALIDATED, asset_of
from noughts.interfaces.web.http.middleware import address_of, base_of
from noughts.interfaces.web.http.replies import ApiError, Model, reply
from noughts.interfaces.web.link_texts import (
    LinkedBoard,
    LinkFacts,
    facts_of_game,
    facts_of_position,
    facts_of_puzzle,
    facts_of_room,
    link_gif,
    link_png,
    plain_translator,
)
from noughts.interfaces.web.models import position_at
from noughts.interfaces.web.service import Service
from noughts.puzzles.shipped import find_puzzle

router = api_router("sharing", 404, 501)

EMBED_SIZE = (480, 640)
"""The usual width and height of an embedded page."""

EMBED = "/embed"
"""The beginning of the paths of embedded pages."""

JSON = "json"
"""The only format of the descriptions of embedded pages."""

HOURS = "max-age=3600"
"""The cache header of the picture of a finished game: only the names of its players can change."""

QUERY = re.compile(r"[\w-]{1,100}", re.ASCII)
"""The values of the queries that the page of a game has."""

SEPARATOR = ","
"""The separator of moves in the address of an analysis."""

PlyQuery = Annotated[int | None, Query(ge=0, le=1_000_000, description="The number of moves made.")]
Position = Annotated[str | None, Query(max_length=20_000, description="The start position as text.")]
Line = Annotated[str, Query(max_length=8_000, description="Moves with commas between them.")]


class OembedMessage(Model):
    """The description of an embedded page, in the format of oEmbed."""

    version: Literal["1.0"]
    """The version of the format."""
    type: Literal["rich"]
    """The kind of the resource."""
    title: str
    """The result of the game, the player to move, or the task of the puzzle."""
    provider_name: str
    """The name of this software."""
    provider_url: str
    """The address of this server."""
    cache_age: int
    """The number of seconds for which the response may be cached."""
    html: str
    """The HTML that shows the page."""
    width: int
    """The width of the frame in pixels."""
    height: int
    """The height of the frame in pixels."""
    thumbnail_url: str | None = None
    """The address of the picture of the game. It is missing if it does not fit into the requested size."""
    thumbnail_width: int | None = None
    """The width of the picture in pixels."""
    thumbnail_height: int | None = None
    """The height of the picture in pixels."""


Pixels = Annotated[int | None, Query(ge=1, le=100_000, description="The largest size in pixels.")]
Address = Annotated[
    str, Query(max_length=2_000, description="The address of a game, a public room, a puzzle or an analysis.")
]
Format = Annotated[str, Query(max_length=20, description="The format of the response: `json`.")]


@router.get("/oembed", response_model=OembedMessage)
async def oembed(
    request: Request,
    service: Worker,
    say: Say,
    url: Address,
    maxwidth: Pixels = None,
    maxheight: Pixels = None,
    form: Annotated[Format, Query(alias="format")] = JSON,
) -> Response:
    """Return the HTML that embeds a page, in the format of oEmbed.

    Pages of finished games, public rooms with a game, puzzles and positions can be embedded. The status is
    404 for other addresses and for private games without the `key` of their link, and 501 for another
    `format`.
    """
    if form != JSON:
        raise ApiError(501, "no-such-format", allowed=JSON)
    base = base_of(request)
    found = await find_linked_page(request, service, *_page_at(url, base, service), say.language)
    if not found.is_embeddable:
        raise ApiError(404, "no-such-path")
    say = plain_translator(say.language)
    title = found.facts.title(say, lambda _, name: name)
    usual = zip(EMBED_SIZE, (maxwidth, maxheight), strict=True)
    width, height = (min(size, most or size) for size, most in usual)
    address = base + EMBED + found.address
    picture: dict[str, Any] = {}
    if has_raster() and (maxwidth or WIDTH) >= WIDTH and (maxheight or HEIGHT) >= HEIGHT:
        drawn = f"{base}{found.picture}?{urlencode({**found.query, 'lang': say.language})}"
        picture = {"thumbnail_url": drawn, "thumbnail_width": WIDTH, "thumbnail_height": HEIGHT}
    return reply(
        OembedMessage(
            version="1.0",
            type="rich",
            title=title,
            provider_name="noughts",
            provider_url=f"{base}/",
            cache_age=3600 if found.is_lasting else 60,
            html=f'<iframe src="{escape(address)}" width="{width}" height="{height}" style="border:0"'
            f' loading="lazy" title="{escape(title)}"></iframe>',
            width=width,
            height=height,
            **picture,
        )
    )


def _page_at(url: str, base: str, service: Service) -> tuple[str, dict[str, str]]:
    """Return the path and the query of the page of this server at *url*. Raises :class:`ApiError` (404)."""
    try:
        parts = urlsplit(url)
    except ValueError:
        raise ApiError(404, "no-such-path") from None
    hosts = {urlsplit(origin).netloc.lower() for origin in (base, *service.serving.origins)}
    if parts.scheme not in ("http", "https") or parts.netloc.lower() not in hosts:
        raise ApiError(404, "no-such-path")
    return parts.path, {name: texts[0] for name, texts in parse_qs(parts.query).items()}


@dataclass(frozen=True, slots=True)
class LinkedPage:
    """A page to which links lead: its facts, its path and query, and the path of its picture.

    ``board`` is the shown position with the moves before it. It is None for a finished game, whose replay is
    read by its number. A private room and one without a game are not embeddable. A room is not lasting.
    """

    facts: LinkFacts
    path: str
    query: dict[str, str]
    picture: str
    board: LinkedBoard | None = None
    is_embeddable: bool = True
    is_lasting: bool = True

    @property
    def address(self) -> str:
        """The path with the query."""
        return self.path + (f"?{urlencode(self.query)}" if self.query else "")


async def find_linked_page(
    request: Request, service: Service, path: str, query: Mapping[str, str], language: str
) -> LinkedPage:
    """Return the page at *path* with *query*, both of which may be anything.

    Raises :class:`ApiError` (404) if links to no such page show its content, and the errors of its parts.
    """
    for pattern, find in _PAGES:
        if found := pattern.fullmatch(path):
            return await find(WantedPage(request, service, found, query, language))
    raise ApiError(404, "no-such-path")


@dataclass(frozen=True, slots=True)
class WantedPage:
    """A page to find: the request, the match of its path, its query, and the language of its texts."""

    request: Request
    service: Service
    path: "re.Match[str]"
    query: Mapping[str, str]
    language: str


async def _finished(wanted: WantedPage) -> LinkedPage:
    query, service = wanted.query, wanted.service
    number = min(int(wanted.path[1]), MAX_ID)
    known = {name: query[name] for name in ("key", "ply") if QUERY.fullmatch(query.get(name, ""))}
    read = partial(finished_game, service, number, known.get("key"))
    stored = await service.work.read(address_of(wanted.request), read)
    facts = facts_of_game(stored, named_players(stored, wanted.language))
    return LinkedPage(facts, wanted.path[0], known, f"/api/games/{number}/card.png")


async def _room(wanted: WantedPage) -> LinkedPage:
    room = wanted.path[1]
    view, facts = await facts_of_link(wanted.service, room, wanted.language)
    return LinkedPage(
        facts,
        wanted.path[0],
        {},
        f"/api/rooms/{room}/card.png",
        LinkedBoard(view.match.game, f"room {room} {view.version}"),
        is_embeddable=view.setup.visibility == PUBLIC and view.phase is not Phase.WAITING,
        is_lasting=False,
    )


async def _puzzle(wanted: WantedPage) -> LinkedPage:
    puzzle = find_puzzle(int(wanted.path[1]))
    board = LinkedBoard(await wanted.service.run(puzzle.start), f"puzzle {puzzle.id}")
    picture = f"/api/puzzles/{puzzle.id}/card.png"
    return LinkedPage(facts_of_puzzle(puzzle), wanted.path[0], {}, picture, board)


async def _position(wanted: WantedPage) -> LinkedPage:
    given = {name: text for name in ("game", "position", "moves") if (text := wanted.query.get(name))}
    known = {"game": "tictactoe", **given}
    line = (known["game"], known.get("position"), known.get("moves", ""))
    game = await position_of_link(wanted.request, wanted.service, *line)
    board = LinkedBoard(game, f"line {urlencode(known)}")
    return LinkedPage(facts_of_position(game), wanted.path[0], known, "/api/card.png", board)


Finder = Callable[[WantedPage], Coroutine[Any, Any, LinkedPage]]

_PAGES: tuple[tuple["re.Pattern[str]", Finder], ...] = (
    (re.compile(r"/g/([0-9]{1,10})"), _finished),
    (re.compile(r"/r/([^/]{1,100})"), _room),
    (re.compile(r"/puzzle/([0-9]{1,9})"), _puzzle),
    (re.compile(r"/analysis"), _position),
)
"""The pages to which links lead, by the patterns of their paths."""


def _file(request: Request, content: bytes, kind: str, cached: str) -> Response:
    """Return a picture that pages of other sites may show."""
    vary = "" if "lang" in request.query_params else "accept-language, cookie"
    asset = asset_of(content, kind)
    return asset.answer(request, cached, cross_origin_resource_policy="cross-origin", vary=vary)


async def _send_png(
    request: Request, service: Service, board: LinkedBoard, facts: LinkFacts, language: str, cached: str
) -> Response:
    cost = size_of(board.game).link_picture_cost
    content = await service.work.file(request, cost, link_png, board, facts, language)
    return _file(request, content, "image/png", cached)


@router.get("/games/{number}/card.png", response_class=Response, responses=LINK_PICTURE)
async def game_card(
    request: Request, number: Number, service: Worker, say: Say, key: GameKey = None, ply: PlyQuery = None
) -> Response:
    """Return the picture of a link to a finished game: the board, the players and the result.

    With `ply`, the board after that number of moves. A private game needs the `key` of its link.
    """
    check_raster()

    def read() -> tuple[StoredGame, Game]:
        stored = finished_game(service, number, key)
        return stored, position_at(stored.replay().game, ply)

    stored, game = await service.work.read(address_of(request), read)
    facts = facts_of_game(stored, named_players(stored, say.language), game)
    scope = "public" if stored.access.is_public else "private"
    board = LinkedBoard(game, f"game {number} {game.ply}")
    return await _send_png(request, service, board, facts, say.language, f"{scope}, {HOURS}")


@router.get("/games/{number}/animation.gif", response_class=Response, responses=ANIMATION)
async def game_animation(
    request: Request, number: Number, service: Worker, say: Say, key: GameKey = None
) -> Response:
    """Return the moves of a finished game as an animated GIF. A private game needs the `key` of its link.

    A long game, or one on a large board, shows only every second move, or fewer.
    """
    check_animation()

    def read() -> tuple[StoredGame, Game]:
        stored = finished_game(service, number, key)
        return stored, stored.replay().game

    stored, game = await service.work.read(address_of(request), read)
    facts = facts_of_game(stored, named_players(stored, say.language))
    cost = size_of(game).animation_cost(frames_of(game.ply, len(game.cells)))
    board = LinkedBoard(game, f"game {number}")
    content = await service.work.file(request, cost, link_gif, board, facts, say.language)
    scope = "public" if stored.access.is_public else "private"
    return _file(request, content, "image/gif", f"{scope}, {HOURS}")


def named_players(stored: StoredGame, language: str) -> list[tuple[str, str]]:
    """Return the mark and the shown name of each player of a finished game."""
    return [(player.side, player.name) for player in players_of(stored, plain_translator(language))]


@router.get("/rooms/{room}/card.png", response_class=Response, responses=LINK_PICTURE)
async def room_card(request: Request, room: RoomName, service: Worker, say: Say) -> Response:
    """Return the picture of a link to a room: the present board and the players.

    A rated game that goes on is three moves late, as for all watchers.
    """
    check_raster()
    view, facts = await facts_of_link(service, room, say.language)
    board = LinkedBoard(view.match.game, f"room {room} {view.version}")
    return await _send_png(request, service, board, facts, say.language, f"private, {REVALIDATED}")


async def facts_of_link(service: Service, room: str, language: str) -> tuple[RoomView, LinkFacts]:
    """Return the state of *room* as watchers see it, with its facts.

    Raises :class:`~noughts.errors.NotFound` for a room without a game.
    """
    view = await service.named(service.as_seen(await service.look(room), None))
    facts = facts_of_room(view, plain_translator(language))
    if facts is None:
        raise NotFound("room", room)
    return view, facts


@router.get("/puzzles/{number}/card.png", response_class=Response, responses=LINK_PICTURE)
async def puzzle_card(request: Request, number: Number, service: Worker, say: Say) -> Response:
    """Return the picture of a link to a puzzle: its position and its task."""
    check_raster()
    puzzle = find_puzzle(number)
    board = LinkedBoard(await service.run(puzzle.start), f"puzzle {number}")
    return await _send_png(request, service, board, facts_of_puzzle(puzzle), say.language, LASTING)


@router.get("/card.png", response_class=Response, responses=LINK_PICTURE)
async def position_card(
    request: Request,
    service: Worker,
    say: Say,
    game: GameName,
    position: Position = None,
    moves: Line = "",
) -> Response:
    """Return the picture of a link to a position: a game, its start position, and moves."""
    check_raster()
    reached = await position_of_link(request, service, game, position, moves)
    board = LinkedBoard(
        reached, f"position {name_of(reached)} {format_position(reached)} {reached.moves[-1:]}"
    )
    return await _send_png(request, service, board, facts_of_position(reached), say.language, LASTING)


async def position_of_link(
    request: Request, service: Service, game: str, position: str | None, moves: str
) -> Game:
    """Return the position that the query of an analysis describes. Raises the errors of its parts."""
    try:
        line = LineRequest(
            game=game, position=position, moves=[text for text in moves.split(SEPARATOR) if text]
        )
    except ValidationError as error:
        raise RequestValidationError(error.errors()) from None
    size = size_of_request(line, service)
    cost = size.position_cost(len(line.moves), position is not None)
    return await service.work.run(address_of(request), cost, game_after, game, position, line.moves)
