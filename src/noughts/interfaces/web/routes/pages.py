"""The pages: shells that fill themselves in by script, and the sentences that the scripts say."""

import re
from functools import cache, lru_cache, partial
from io import BytesIO
from typing import Any

import segno
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from noughts.games.catalogue import all_entries
from noughts.games.entry import Entry
from noughts.games.openings import NO_OPENING, OPENINGS
from noughts.interfaces.presenting.i18n import LANGUAGES
from noughts.interfaces.web.assets import (
    ASKED_AGAIN,
    FOLDER,
    FOR_EVER,
    STATIC,
    Kept,
    kept,
    tell_asset,
    with_addresses,
)
from noughts.interfaces.web.costs import INVITATION
from noughts.interfaces.web.http.middleware import address_of
from noughts.interfaces.web.http.replies import Refused, compact, language_of, translator
from noughts.interfaces.web.live.work import text_task
from noughts.interfaces.web.routes.page_facts import FACTS, TOLD, is_number
from noughts.interfaces.web.service import Service
from noughts.puzzles.shipped import all_puzzles

PAGES = {
    "/": "home.html",
    "/build": "build.html",
    "/r/{room}": "room.html",
    "/g/{number}": "game.html",
    "/analysis": "analysis.html",
    "/puzzles": "puzzles.html",
    "/puzzle/{number}": "puzzle.html",
    "/history": "history.html",
    "/scores": "scores.html",
    "/tournaments": "tournaments.html",
    "/tournament/{number}": "tournament.html",
    "/tournament/{number}/{game}": "watch.html",
}
"""Paths and templates."""

LINK = re.compile(r"https?://[^/\s]{1,100}/r/[\w-]{1,64}")
"""The address of a room, wherever it is served."""

ALWAYS = (
    *("title-", "tag-", "shelf-", "rules-", "rule-", "cell-forbidden-", "why-forbidden-", "ended-"),
    *("clock-", "order-", "strength-"),
    *(f"opening-{name}" for name in (NO_OPENING, *OPENINGS)),
    "player-",
    "value-",
    "web-",
)
"""Sentences whose ids begin so are put together by scripts."""


@lru_cache(maxsize=2 * len(LANGUAGES))
def sentences(language: str, _: tuple[Entry, ...]) -> Kept:
    """The sentences of *language* that the pages say, as JSON; those of all the games among them."""
    if language not in LANGUAGES:
        raise Refused(404, "no-such-path")
    sources = [*FOLDER.glob("static/*.js"), *FOLDER.glob("templates/*.html")]
    text = "".join(path.read_text(encoding="utf-8") for path in sources)
    named = set(re.findall(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*", text))
    known = translator(language).sentences().items()
    told = {id_: said for id_, said in known if id_ in named or id_.startswith(ALWAYS)}
    return kept(compact(told), "application/json")


@cache
def _templates() -> Environment:
    loader = FileSystemLoader(FOLDER / "templates")
    return Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True)


def page(request: Request, template: str, status: int = 200, **facts: Any) -> Response:
    """The page made from *template* in the language that *request* asks for."""
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
        **(FACTS[template](request) if template in FACTS else {}),
        **facts,
    }
    html = with_addresses(_templates().get_template(template).render(known))
    told = kept(html, "text/html")
    return told.answer(
        request, ASKED_AGAIN, status, content_language=language, vary="accept-language, cookie"
    )


def page_routes() -> list[BaseRoute]:
    """The routes of the pages, of what they are made of, and of the sentences."""
    return [
        *(Route(path, _shower(template)) for path, template in PAGES.items()),
        Route("/i18n/{language}.json", _tell_sentences),
        Route("/i18n/{short}/{language}.json", _tell_sentences),
        Route("/qr.svg", draw_invitation),
        Route(f"{STATIC}{{name}}", tell_asset),
        Route(f"{STATIC}{{short}}/{{name}}", tell_asset),
    ]


def _shower(template: str) -> Any:
    async def show(request: Request) -> Response:
        numbers = [request.path_params.get(name, "0") for name in ("number", "game")]
        if not all(map(is_number, numbers)):
            raise Refused(404, "no-such-path")
        is_there = template != "puzzle.html" or int(numbers[0]) in range(1, len(all_puzzles()) + 1)
        told = await TOLD[template](request) if template in TOLD else {}
        if isinstance(told, Response):
            return told
        # A page without its puzzle says itself that there is none.
        shown = partial(page, request, template, **{"status": 200 if is_there else 404, **told})
        service: Service = request.app.state.service
        return await service.work.write(address_of(request), shown)

    return show


async def _tell_sentences(request: Request) -> Response:
    """The sentences of a language, under its name or under an address that changes with them."""
    said = sentences(request.path_params["language"], all_entries())
    is_same = request.path_params.get("short") == said.short
    return said.answer(request, FOR_EVER if is_same else ASKED_AGAIN)


async def draw_invitation(request: Request) -> Response:
    """The QR code of a room's address; which one, only the page knows that is served behind a proxy."""
    link = request.query_params.get("link", "")
    if not LINK.fullmatch(link):
        raise Refused(404, "no-such-path")
    service: Service = request.app.state.service
    text = await service.work.text(request, INVITATION, invitation_text, link)
    return Response(text, media_type="image/svg+xml")


@text_task
def invitation_text(link: str) -> str:
    """The QR code of *link* as SVG."""
    picture = BytesIO()
    segno.make(link, error="m", boost_error=False, micro=False).save(
        picture, kind="svg", dark="#10131a", light="#ffffff", omitsize=True
    )
    return picture.getvalue().decode()
