"""The pages: shells that fill themselves in by script, and the sentences that the scripts say."""

import re
from functools import cache, lru_cache
from io import BytesIO
from typing import Any

import segno
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from noughts.games.catalogue import all_entries, sample
from noughts.games.entry import Entry
from noughts.games.openings import NO_OPENING, OPENINGS
from noughts.interfaces.presenting.i18n import LANGUAGES
from noughts.interfaces.web.assets import (
    ASKED_AGAIN,
    FOLDER,
    FOR_EVER,
    STATIC,
    Kept,
    tell_asset,
    with_addresses,
)
from noughts.interfaces.web.boards import board_as_json
from noughts.interfaces.web.http.replies import Refused, language_of, translator
from noughts.interfaces.web.live.events import compact
from noughts.interfaces.web.live.state import annotations_as_json
from noughts.interfaces.web.routes.games import entry_as_json

PAGES = {
    "/": "home.html",
    "/r/{room}": "room.html",
    "/g/{number}": "game.html",
    "/history": "history.html",
    "/scores": "scores.html",
}
"""Paths and templates."""

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
def sentences(language: str, _: tuple[Entry, ...]) -> Kept:
    """The sentences of *language* that the pages say, as JSON; those of all the games among them."""
    if language not in LANGUAGES:
        raise Refused(404, "no-such-path")
    sources = [*FOLDER.glob("static/*.js"), *FOLDER.glob("templates/*.html")]
    text = "".join(path.read_text(encoding="utf-8") for path in sources)
    named = set(re.findall(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*", text))
    known = translator(language).sentences().items()
    told = {id_: said for id_, said in known if id_ in named or id_.startswith(ALWAYS)}
    return Kept.of(compact(told).encode(), "application/json")


@cache
def _templates() -> Environment:
    loader = FileSystemLoader(FOLDER / "templates")
    return Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True)


def page(request: Request, template: str, status: int = 200, **facts: Any) -> Response:
    """The page made from *template* in the language that *request* asks for."""
    language = language_of(request)
    said = f"/i18n/{sentences(language, all_entries()).short}/{language}.json"
    known = {"lang": language, "say": translator(language), "sentences": said, "status": status, **facts}
    html = with_addresses(_templates().get_template(template).render(known))
    told = Kept.of(html.encode(), "text/html")
    return told.answer(
        request, ASKED_AGAIN, status, content_language=language, vary="accept-language, cookie"
    )


def page_routes() -> list[BaseRoute]:
    """The routes of the pages, of what they are made of, and of the sentences."""
    return [
        *(Route(path, _shower(template)) for path, template in PAGES.items()),
        Route("/i18n/{language}.json", _tell_sentences),
        Route("/i18n/{short}/{language}.json", _tell_sentences),
        Route("/samples.json", _tell_samples),
        Route("/qr.svg", draw_invitation),
        Route(f"{STATIC}{{name}}", tell_asset),
        Route(f"{STATIC}{{short}}/{{name}}", tell_asset),
    ]


def _shower(template: str) -> Any:
    async def show(request: Request) -> Response:
        number = request.path_params.get("number", "0")
        if not (number.isascii() and number.isdecimal() and len(number) <= MAX_DIGITS):
            raise Refused(404, "no-such-path")
        return page(request, template)

    return show


@lru_cache(maxsize=2 * len(LANGUAGES))
def samples(language: str, entries: tuple[Entry, ...]) -> Kept:
    """Each of the games in mid-game, as JSON, with what is said of it in *language*."""
    say = translator(language)
    told = []
    for entry in entries:
        game = sample(entry.name)
        drawn = {"board": board_as_json(game), "annotations": annotations_as_json(game)}
        told.append({**entry_as_json(entry, say), "value": entry.value, "cells": list(game.cells), **drawn})
    return Kept.of(compact(told).encode(), "application/json")


async def _tell_sentences(request: Request) -> Response:
    """The sentences of a language, under its name or under an address that changes with them."""
    said = sentences(request.path_params["language"], all_entries())
    is_same = request.path_params.get("short") == said.short
    return said.answer(request, FOR_EVER if is_same else ASKED_AGAIN)


async def _tell_samples(request: Request) -> Response:
    """The games with their pictures."""
    return samples(language_of(request), all_entries()).answer(request)


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
