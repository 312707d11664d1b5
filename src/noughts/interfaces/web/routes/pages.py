"""The pages: shells that fill themselves in by script, and the sentences that the scripts say."""

import re
from collections.abc import Callable
from functools import cache, lru_cache
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from typing import Any

import segno
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from noughts.games.catalogue import all_entries, sample
from noughts.games.entry import Entry
from noughts.games.openings import NO_OPENING, OPENINGS
from noughts.interfaces.presenting.i18n import LANGUAGES
from noughts.interfaces.web.boards import board_as_json, pen_as_json
from noughts.interfaces.web.http.replies import Refused, language_of, translator
from noughts.interfaces.web.live.events import compact
from noughts.interfaces.web.live.state import annotations_as_json
from noughts.interfaces.web.routes.games import entry_as_json

FOLDER = Path(str(files("noughts.interfaces.web")))

PAGES = {
    "/": "home.html",
    "/r/{room}": "room.html",
    "/g/{number}": "game.html",
    "/history": "history.html",
    "/scores": "scores.html",
}
"""Paths and templates."""

ASKED_AGAIN = {"cache-control": "no-cache"}
"""A browser asks each time whether what it has kept has changed."""

MAX_DIGITS = 10
"""Numbers of games are no longer than that."""

LINK = re.compile(r"https?://[^/\s]{1,100}/r/[\w-]{1,64}")
"""The address of a room, wherever it is served."""

ALWAYS = (
    *("title-", "tag-", "rules-", "rule-", "cell-forbidden-", "ended-", "clock-", "order-", "strength-"),
    *(f"opening-{name}" for name in (NO_OPENING, *OPENINGS)),
    "value-",
    "web-",
)
"""Sentences whose ids begin so are put together by scripts."""


@lru_cache(maxsize=2 * len(LANGUAGES))
def sentences(language: str, _: tuple[Entry, ...]) -> bytes:
    """The sentences of *language* that the pages say, as JSON; those of all the games among them."""
    if language not in LANGUAGES:
        raise Refused(404, "no-such-path")
    sources = [*FOLDER.glob("static/*.js"), *FOLDER.glob("templates/*.html")]
    text = "".join(path.read_text(encoding="utf-8") for path in sources)
    named = set(re.findall(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*", text))
    told = translator(language).sentences().items()
    return compact({id_: said for id_, said in told if id_ in named or id_.startswith(ALWAYS)}).encode()


@cache
def _templates() -> Environment:
    loader = FileSystemLoader(FOLDER / "templates")
    return Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True)


def page(request: Request, template: str, status: int = 200, **facts: Any) -> Response:
    """The page made from *template* in the language that *request* asks for."""
    language = language_of(request)
    known = {"lang": language, "say": translator(language), "status": status, **facts}
    html = _templates().get_template(template).render(known)
    headers = {**ASKED_AGAIN, "content-language": language, "vary": "accept-language"}
    return Response(html.encode(), status, headers, "text/html")


def page_routes() -> list[BaseRoute]:
    """The routes of the pages, of what they are made of, and of the sentences."""
    packed = [Middleware(GZipMiddleware)]
    return [
        *(Route(path, _shower(template)) for path, template in PAGES.items()),
        *(Route(path, _teller(tell), middleware=packed) for path, tell in FILES.items()),
        Route("/qr.svg", draw_invitation),
        Mount("/static", _Static(directory=FOLDER / "static")),
    ]


def _shower(template: str) -> Any:
    async def show(request: Request) -> Response:
        number = request.path_params.get("number", "0")
        if not (number.isascii() and number.isdecimal() and len(number) <= MAX_DIGITS):
            raise Refused(404, "no-such-path")
        return page(request, template)

    return show


@lru_cache(maxsize=2 * len(LANGUAGES))
def samples(language: str, entries: tuple[Entry, ...]) -> bytes:
    """Each of the games in mid-game, as JSON, with what is said of it in *language*."""
    say = translator(language)
    told = []
    for entry in entries:
        game = sample(entry.name)
        drawn = {"board": board_as_json(game), "annotations": annotations_as_json(game)}
        told.append({**entry_as_json(entry, say), "value": entry.value, "cells": list(game.cells), **drawn})
    return compact(told).encode()


@cache
def pen() -> bytes:
    """The paths of marks, and of strokes to count with, as JSON."""
    return compact(pen_as_json()).encode()


FILES: dict[str, Callable[[Request], bytes]] = {
    "/i18n/{language}.json": lambda request: sentences(request.path_params["language"], all_entries()),
    "/samples.json": lambda request: samples(language_of(request), all_entries()),
    "/pen.json": lambda _: pen(),
}
"""Paths, and what is told there as JSON."""


def _teller(tell: Callable[[Request], bytes]) -> Any:
    async def answer(request: Request) -> Response:
        return Response(tell(request), headers=ASKED_AGAIN, media_type="application/json")

    return answer


async def draw_invitation(request: Request) -> Response:
    """The QR code of a room's address; which one, only the page knows that is served behind a proxy."""
    link = request.query_params.get("link", "")
    if not LINK.fullmatch(link):
        raise Refused(404, "no-such-path")
    picture = BytesIO()
    segno.make(link, error="m", boost_error=False, micro=False).save(
        picture, kind="svg", dark="#10131a", light="#ffffff", omitsize=True
    )
    return Response(picture.getvalue(), media_type="image/svg+xml")


class _Static(StaticFiles):
    """Files of ours; a browser asks each time whether they have changed."""

    def file_response(self, *arguments: Any, **named: Any) -> Response:
        answer = super().file_response(*arguments, **named)
        answer.headers.update(ASKED_AGAIN)
        return answer
