"""The pages: their templates, their content without scripts, and the sentences for scripts."""

import re
from collections.abc import Awaitable, Callable
from functools import cache, lru_cache, partial
from io import BytesIO
from typing import Any
from urllib.parse import urlencode

import segno
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from noughts.arena.people.keys import keys_are_available
from noughts.arena.people.words import LISTS, word_list
from noughts.drawing.animation import can_animate
from noughts.drawing.raster import has_raster
from noughts.errors import NoughtsError
from noughts.games.catalogue import MAX_SPEC, all_entries, name_of, new_game
from noughts.games.entry import Entry, Shelf
from noughts.games.openings import NO_OPENING, OPENINGS
from noughts.interfaces.presenting.choices import CLOCKS
from noughts.interfaces.presenting.i18n import LANGUAGES, Translator
from noughts.interfaces.presenting.players import player_offered
from noughts.interfaces.presenting.titles import tag_of_entry, title_of
from noughts.interfaces.web.api.games import read_games
from noughts.interfaces.web.api.requests import HistoryQuery
from noughts.interfaces.web.costs import INVITATION
from noughts.interfaces.web.http.files import IMMUTABLE, LASTING, REVALIDATED, Asset, asset_of
from noughts.interfaces.web.http.middleware import address_of
from noughts.interfaces.web.http.replies import (
    ApiError,
    compact,
    error_detail,
    language_of,
    status_of,
    translator,
    translator_for,
)
from noughts.interfaces.web.live.push import push_is_available
from noughts.interfaces.web.live.work import text_task
from noughts.interfaces.web.models import shown_names
from noughts.interfaces.web.pages import assets
from noughts.interfaces.web.pages.moderation import context_of_operator, context_of_report
from noughts.interfaces.web.pages.people import (
    clock_text,
    context_of_organiser,
    context_of_player,
    context_of_screen,
    is_code,
)
from noughts.interfaces.web.pages.ratings import context_of_person, context_of_ratings
from noughts.interfaces.web.pages.shared import LINKED, context_of_embedded, context_of_link
from noughts.interfaces.web.pages.strategy import context_of_strategy, send_strategy_picture
from noughts.interfaces.web.pages.tiles import draw_tile, symbols, tile
from noughts.interfaces.web.pages.tournaments import (
    context_of_live_game,
    context_of_tournament,
    context_of_tournaments,
)
from noughts.interfaces.web.service import Service
from noughts.players.strengths import in_order_of_strength
from noughts.puzzles.shipped import all_puzzles, games_with_puzzles, next_after, puzzles_of

PAGES = {
    "/": "home.html",
    "/build": "build.html",
    "/r/{room}": "room.html",
    "/g/{number}": "game.html",
    "/embed/g/{number}": "embed.html",
    "/embed/r/{room}": "embed.html",
    "/embed/puzzle/{number}": "embed.html",
    "/embed/analysis": "embed.html",
    "/analysis": "analysis.html",
    "/tv": "tv.html",
    "/puzzles": "puzzles.html",
    "/strategy": "strategy.html",
    "/puzzle/{number}": "puzzle.html",
    "/history": "history.html",
    "/scores": "scores.html",
    "/ratings": "ratings.html",
    "/person/{identity}": "person.html",
    "/person/{identity}/report": "report.html",
    "/operator": "operator.html",
    "/key": "key.html",
    "/games": "games.html",
    "/tournaments": "tournaments.html",
    "/tournament/{number}": "tournament.html",
    "/tournament/{number}/{game}": "watch.html",
    "/t": "people_code.html",
    "/t/new": "people_new.html",
    "/t/{code}": "people.html",
    "/t/{code}/report": "report.html",
    "/t/{code}/screen": "people_screen.html",
    "/t/{code}/organiser": "people_organiser.html",
}
"""The templates by path."""

LINK = re.compile(r"https?://[^/\s]{1,100}/(r/[\w-]{1,64}|t/[A-Z]{6}(#[\w-]{20,64})?|key#[0-9]{6})")
"""The address of a room, a tournament or a place there, or the page that adds a device, on any host."""

SCRIPT_PREFIXES = (
    *("title-", "tag-", "shelf-", "rules-", "rule-", "cell-forbidden-", "why-forbidden-", "ended-"),
    *("clock-", "order-", "strength-"),
    *(f"opening-{name}" for name in (NO_OPENING, *OPENINGS)),
    "player-",
    "unrated-",
    "people-about-",
    "people-how-odd-",
    "phrase-",
    "value-",
    "web-",
)
"""The prefixes of message ids that scripts put together."""


SECRET_PAGES = ("operator.html", "report.html")
"""The templates of pages about people that no cache stores."""


@lru_cache(maxsize=2 * len(LANGUAGES))
def sentences(language: str, _: tuple[Entry, ...]) -> Asset:
    """Return the sentences of *language* that the pages use, as JSON, including those of all games."""
    if language not in LANGUAGES:
        raise ApiError(404, "no-such-path")
    sources = [*assets.FOLDER.glob("static/*.js"), *assets.FOLDER.glob("templates/*.html")]
    text = "".join(path.read_text(encoding="utf-8") for path in sources)
    return sentences_in(language, text, SCRIPT_PREFIXES)


def sentences_in(language: str, text: str, prefixes: tuple[str, ...]) -> Asset:
    """Return the sentences of *language* with an id in *text* or with one of *prefixes*, as JSON."""
    named = set(re.findall(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*", text))
    known = translator(language).sentences().items()
    used = {id_: text for id_, text in known if id_ in named or id_.startswith(prefixes)}
    return asset_of(compact(used), "application/json")


@cache
def _templates() -> Environment:
    loader = FileSystemLoader(assets.FOLDER / "templates")
    return Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True)


def drawn_files() -> str:
    """Return the kinds of files that the server can draw, for the strip that shares a game."""
    kinds = {"pictures": has_raster(), "animations": can_animate()}
    return " ".join(kind for kind, can_draw in kinds.items() if can_draw)


def page(request: Request, template: str, status: int = 200, **facts: Any) -> Response:
    """Return the page made from *template* in the language of *request*."""
    language, path = language_of(request), str(request.scope["path"])
    known = {
        "languages": LANGUAGES,
        "lang": language,
        "say": translator(language),
        "sentences": f"/i18n/{sentences(language, all_entries()).short}/{language}.json",
        "here": path if path in PAGES else "",
        "within": "/puzzles" if path.startswith("/puzzle/") else "",
        "status": status,
        "network": request.app.state.network,
        "draws": drawn_files(),
        **(CONTEXTS[template](request) if template in CONTEXTS else {}),
        **facts,
    }
    html = assets.with_addresses(_templates().get_template(template).render(known))
    asset = asset_of(html, "text/html")
    cached = "no-store" if template in SECRET_PAGES else REVALIDATED
    return asset.answer(request, cached, status, content_language=language, vary="accept-language, cookie")


def page_routes() -> list[BaseRoute]:
    """Return the routes of the pages, their files and their sentences."""
    return [
        *(Route(path, _shower(template)) for path, template in PAGES.items()),
        Route("/i18n/{language}.json", send_sentences),
        Route("/i18n/{short}/{language}.json", send_sentences),
        Route("/words/{language}.json", send_words),
        Route("/qr.svg", draw_invitation),
        Route("/strategy.svg", send_strategy_picture),
        Route(f"{assets.STATIC}{{name}}", assets.send_asset),
        Route(f"{assets.STATIC}{{short}}/{{name}}", assets.send_asset),
    ]


def _shower(template: str) -> Any:
    async def show(request: Request) -> Response:
        numbers = [request.path_params.get(name, "0") for name in ("number", "game")]
        if not all(map(is_number, numbers)):
            raise ApiError(404, "no-such-path")
        is_there = template != "puzzle.html" or int(numbers[0]) in range(1, len(all_puzzles()) + 1)
        context = await LOADED[template](request) if template in LOADED else {}
        if isinstance(context, Response):
            return context
        # The page reports a missing puzzle itself.
        shown = partial(page, request, template, **{"status": 200 if is_there else 404, **context})
        service: Service = request.app.state.service
        return await service.work.write(address_of(request), shown)

    return show


async def send_sentences(request: Request) -> Response:
    """Send the sentences of a language, with or without their hash in the address."""
    asset = sentences(request.path_params["language"], all_entries())
    is_same = request.path_params.get("short") == asset.short
    return asset.answer(request, IMMUTABLE if is_same else REVALIDATED)


async def send_words(request: Request) -> Response:
    """Send the words of keys in a language."""
    if request.path_params["language"] not in LISTS:
        raise ApiError(404, "no-such-path")
    return words_asset(request.path_params["language"]).answer(request, LASTING)


@cache
def words_asset(language: str) -> Asset:
    """Return the words of keys in *language* as a JSON file."""
    return asset_of(compact(word_list(language)), "application/json")


async def draw_invitation(request: Request) -> Response:
    """Send the QR code of an address.

    The page passes the address, since a proxy may hide it from the server.
    """
    link = request.query_params.get("link", "")
    if not LINK.fullmatch(link):
        raise ApiError(404, "no-such-path")
    service: Service = request.app.state.service
    text = await service.work.text(request, INVITATION, invitation_text, link)
    return Response(text, media_type="image/svg+xml")


@text_task
def invitation_text(link: str) -> str:
    """Return the QR code of *link* as SVG."""
    picture = BytesIO()
    segno.make(link, error="m", boost_error=False, micro=False).save(
        picture, kind="svg", dark="#10131a", light="#ffffff", omitsize=True
    )
    return picture.getvalue().decode()


SEATS_COOKIE = "noughts-seats"
"""The cookie with the numbers of a browser's running games and listed rows, such as ``2.3``."""

MAX_SEATS, MAX_ROWS = 4, 5
"""The largest numbers of running games and rows for which the page reserves space."""

FIRST_BUILT = "7x6:4,gravity"
"""The initial board of the page for custom boards."""

SHELVES: dict[Shelf, str] = {
    "first": "",
    "small": "shelf-small",
    "large": "shelf-large",
    "space": "shelf-space",
}
"""The shelves from top to bottom, and the ids of their headings. The first one has the title of the page."""

MAX_NAME = 100
"""The longest name of a player in an address."""

HISTORY_DAYS = ("1", "7", "30")
"""The time spans of the history in days."""

MAX_DIGITS = 10
"""The largest number of digits of a game number."""


def context_of_home(request: Request) -> dict[str, Any]:
    """Return the context of the first page: the games on their shelves, and space for running games."""
    language = language_of(request)
    match = re.fullmatch("([0-9]{1,3})[.]([0-9]{1,3})", request.cookies.get(SEATS_COOKIE, ""))
    seats, rows = map(int, match.groups()) if match else (0, 0)
    return {
        "shelves": shelves(language, all_entries()),
        "quick": quick_games(language),
        "symbols": symbols(),
        "seats": min(seats, MAX_SEATS),
        "rows": min(rows, MAX_ROWS),
        **context_of_start(request, "tictactoe"),
    }


def quick_games(language: str) -> list[dict[str, Any]]:
    """Return the games of two players on the first shelf, which the lobby and the wall offer as chips."""
    return [game for game in shelves(language, all_entries())[0]["games"] if len(game["sides"].split()) == 2]


def context_of_build(request: Request) -> dict[str, Any]:
    """Return the context of the page for custom boards, with the board of the address."""
    spec = request.query_params.get("game", "")[:MAX_SPEC] or FIRST_BUILT
    return {**context_of_start(request, spec), "spec": spec}


def context_of_puzzles(_: Request) -> dict[str, Any]:
    """Return the context of the list of puzzles: a small picture for each game."""
    return {"pictures": pictures_of_puzzles(), "symbols": symbols()}


@cache
def pictures_of_puzzles() -> dict[str, str]:
    """Return a small picture of the easiest puzzle of each game, by the name of the game."""
    easiest = {name: next_after(None, puzzles_of(name)) for name in games_with_puzzles()}
    return {name: draw_tile(puzzle.start(), name) for name, puzzle in easiest.items()}


def context_of_games(_: Request) -> dict[str, Any]:
    """Return the context of the player's games: a small picture of each game, and whether there are calls."""
    pictures = {entry.name: tile(entry.name) for entry in all_entries()}
    return {"pictures": pictures, "symbols": symbols(), "has_push": push_is_available()}


def context_of_scores(request: Request) -> dict[str, Any]:
    """Return the context of the scoreboard: the games, and the game of the address."""
    say, chosen = translator(language_of(request)), request.query_params.get("game", "")[:MAX_SPEC]
    games = [
        {"name": name, "title": title_of(say, name), "id": id_ if say.has(id_) else ""}
        for name, id_ in ((entry.name, f"title-{entry.name}") for entry in all_entries())
    ]
    if chosen and chosen not in {game["name"] for game in games}:
        games.append({"name": chosen, "title": chosen, "id": ""})
    return {"games": games, "game": chosen}


def context_of_key(_: Request) -> dict[str, Any]:
    """Return the context of the page of a key: whether the server has the libraries for keys."""
    return {"has_keys": keys_are_available()}


def context_of_room(request: Request) -> dict[str, Any]:
    """Return the context of the page of a room: the tournament in which it is a game, or an empty code."""
    code = request.query_params.get("t", "")[:MAX_DIGITS]
    return {"tournament": code if is_code(code) else ""}


def context_of_new_tournament(request: Request) -> dict[str, Any]:
    """Return the context of the form for a tournament of people: games, clocks and computers."""
    say = translator(language_of(request))
    games = [entry.name for entry in all_entries() if len(new_game(entry.name).sides) == 2]
    return {
        "games": [(name, title_of(say, name)) for name in games],
        "clocks": [(name, clock_text(clock, say)) for name, clock in CLOCKS.items() if clock.is_timed],
        "levels": context_of_start(request, "tictactoe")["levels"],
    }


CONTEXTS = {
    "key.html": context_of_key,
    "room.html": context_of_room,
    "people_new.html": context_of_new_tournament,
    "scores.html": context_of_scores,
    "home.html": context_of_home,
    "games.html": context_of_games,
    "build.html": context_of_build,
    "puzzles.html": context_of_puzzles,
}
"""The contexts of pages that have content without scripts."""


def context_of_start(request: Request, name: str) -> dict[str, Any]:
    """Return the context of the form for a new game: the title of the game *name*, and the computers."""
    say, players = translator(language_of(request)), request.app.state.service.players
    known = [level for level in players if say.has(f"strength-{level.partition(':')[0]}")]
    known = in_order_of_strength(new_game(name), known)
    levels = [(level, player_offered(say, level)) for level in known]
    return {"title": title_of(say, name), "about": tag_of_entry(say, name), "levels": levels}


@lru_cache(maxsize=2 * len(LANGUAGES))
def shelves(language: str, entries: tuple[Entry, ...]) -> list[dict[str, Any]]:
    """Return the shelves with their games, each with its title and picture."""
    say = translator(language)
    return [
        {"id": id_, "games": [_on_shelf(entry.name, say) for entry in entries if entry.shelf == shelf]}
        for shelf, id_ in SHELVES.items()
    ]


def _on_shelf(name: str, say: Translator) -> dict[str, Any]:
    ids = {kind: f"{kind}-{name}" for kind in ("title", "tag")}
    return {
        "name": name,
        "title": title_of(say, name),
        "tag": tag_of_entry(say, name),
        "sides": " ".join(new_game(name).sides),
        "picture": tile(name),
        **{f"{kind}_id": id_ if say.has(id_) else "" for kind, id_ in ids.items()},
    }


def is_number(text: str) -> bool:
    """Return True if *text* can be the number of a game, a puzzle or a tournament."""
    return text.isascii() and text.isdecimal() and len(text) <= MAX_DIGITS


async def rows_of_history(request: Request) -> dict[str, Any]:
    """Return the filters of the history, and its games for readers without scripts."""
    service, query = request.app.state.service, request.query_params
    before = query.get("before", "")
    wanted: dict[str, Any] = {
        "before": int(before) if is_number(before) else None,
        "game": query.get("game", "")[:MAX_SPEC],
        "player": query.get("player", "")[:MAX_NAME],
        "result": query.get("result", ""),
        "days": int(query.get("days", "")) if query.get("days") in HISTORY_DAYS else None,
    }
    say = translator_for(request)
    shown = {name: query.get(name) for name in ("result", "days")}
    shown |= {**context_of_scores(request), "player": wanted["player"]}
    read = partial(read_games, service, say, HistoryQuery.model_construct(**wanted))
    try:
        history = await service.work.read(address_of(request), read)
    except ApiError:
        raise
    except NoughtsError as error:
        fault = error_detail(error, say).sentence
        return {**shown, "rows": [], "older": "", "fault": fault, "status": status_of(error)}
    rows = [{**game.model_dump(), "day": say.day(game.created)} for game in history.games]
    older = {name: value for name, value in {**wanted, "before": history.before}.items() if value}
    skipped = say.plural("web-damaged", history.damaged) if history.damaged else ""
    next_page = urlencode(older) if history.before else ""
    return {**shown, "rows": rows, "older": next_page, "fault": skipped}


async def context_of_wall(request: Request) -> dict[str, Any]:
    """Return the games on the wall for readers without scripts."""
    service, say = request.app.state.service, translator_for(request)
    now = await service.walls.of("").newest()
    views = [] if now is None else [now.views[room] for room in now.wall]
    return {
        "quick": quick_games(language_of(request)),
        "games": [
            {
                "link": f"/r/{view.room}",
                "title": title_of(say, name_of(view.match.game)),
                "players": shown_names(view, say),
            }
            for view in views
        ],
    }


LOADED: dict[str, Callable[[Request], Awaitable[dict[str, Any] | Response]]] = {
    "tv.html": context_of_wall,
    "history.html": rows_of_history,
    "strategy.html": context_of_strategy,
    "embed.html": context_of_embedded,
    **dict.fromkeys(LINKED, context_of_link),
    "ratings.html": context_of_ratings,
    "person.html": context_of_person,
    "report.html": context_of_report,
    "operator.html": context_of_operator,
    "tournaments.html": context_of_tournaments,
    "tournament.html": context_of_tournament,
    "watch.html": context_of_live_game,
    "people.html": context_of_player,
    "people_screen.html": context_of_screen,
    "people_organiser.html": context_of_organiser,
}
"""Functions that read the content of a page, or return a redirection."""
