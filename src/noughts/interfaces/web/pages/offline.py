"""The page for playing without a network, and the service worker that stores it in browsers."""

import re
from functools import cache, partial
from hashlib import sha256
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from noughts.games.catalogue import all_entries
from noughts.interfaces.presenting.i18n import LANGUAGES
from noughts.interfaces.web.boards import offline_games
from noughts.interfaces.web.http.files import IMMUTABLE, REVALIDATED, Asset, asset_of
from noughts.interfaces.web.http.middleware import address_of
from noughts.interfaces.web.http.replies import ApiError, compact, language_of
from noughts.interfaces.web.pages import assets
from noughts.interfaces.web.pages.pages import page, sentences_in, shelves
from noughts.interfaces.web.pages.tiles import symbols
from noughts.interfaces.web.service import Service

PAGE = "/offline"
"""The address of the page."""

TEMPLATES = ("base.html", "offline.html")
"""The templates of the page. A change of them is a new version."""

NAMES = ("style.css", "offline.js", "icon.svg")
"""The files that the page needs, besides the sentences."""


PREFIXES = ("title-", "tag-", "rule-", "rules-", "why-forbidden-", "web-key-", "web-code-")
"""The prefixes of message ids that the scripts of the page put together."""


def offline_routes() -> list[BaseRoute]:
    """Return the routes of the page, its sentences, and the service worker."""
    return [
        Route(PAGE, show_page),
        Route(f"{PAGE}/{{short}}/{{language}}.json", send_offline_sentences),
        Route("/service-worker.js", send_worker),
    ]


async def show_page(request: Request) -> Response:
    """Send the page."""
    service: Service = request.app.state.service
    return await service.work.write(address_of(request), partial(offline_page, request))


def offline_page(request: Request) -> Response:
    """Return the page with all games that the browser can play."""
    language, offered = language_of(request), offline_games()
    shown = [game for shelf in shelves(language, all_entries()) for game in shelf["games"]]
    facts: dict[str, Any] = {
        "sentences": address_of_sentences(language),
        "shell": version(),
        "games": [game for game in shown if game["name"] in offered],
        "symbols": symbols(),
    }
    return page(request, "offline.html", **facts)


async def send_offline_sentences(request: Request) -> Response:
    """Send the sentences of the page in a language."""
    language = request.path_params["language"]
    if language not in LANGUAGES:
        raise ApiError(404, "no-such-path")
    asset = offline_sentences(language)
    is_same = request.path_params["short"] == asset.short
    return asset.answer(request, IMMUTABLE if is_same else REVALIDATED)


async def send_worker(request: Request) -> Response:
    """Send the service worker. Browsers look for a new one at each visit."""
    service: Service = request.app.state.service
    asset = await service.work.write(address_of(request), service_worker)
    return asset.answer(request)


@cache
def service_worker() -> Asset:
    """Return the service worker.

    It begins with the description of the stored files and the functions for keys, which it cannot import.
    """
    scripts = {name: assets.assets()[f"{name}.js"].body.decode() for name in ("keys", "service_worker")}
    keys = re.sub("^export ", "", scripts["keys"], flags=re.MULTILINE)
    text = f"const SHELL = {compact(shell())};\n"
    text += f"const KEYS = (() => {{\n{keys}return {{ deviceKey, signText }};\n}})();\n"
    text += scripts["service_worker"]
    return asset_of(text, "text/javascript")


@cache
def offline_sentences(language: str) -> Asset:
    """Return the sentences of *language* that the page uses: about half of all."""
    templates = [(assets.FOLDER / "templates" / name).read_text("utf-8") for name in TEMPLATES]
    return sentences_in(language, "".join([assets.join_script("offline.js"), *templates]), PREFIXES)


def address_of_sentences(language: str) -> str:
    """Return the address of the sentences of *language*, with their hash."""
    return f"{PAGE}/{offline_sentences(language).short}/{language}.json"


@cache
def files() -> dict[str, Asset]:
    """Return the stored files by address."""
    joined, plain = assets.joined_scripts(), assets.assets()
    named = {assets.address_of(name): joined.get(name) or plain[name] for name in NAMES}
    return {**named, **{address_of_sentences(one): offline_sentences(one) for one in LANGUAGES}}


@cache
def version() -> str:
    """Return the digest of all stored files and of the templates of the page."""
    templates = [(assets.FOLDER / "templates" / name).read_bytes() for name in TEMPLATES]
    return sha256(b"\0".join([*templates, *(address.encode() for address in files())])).hexdigest()[:16]


def shell() -> dict[str, Any]:
    """Return the description of the stored files for the service worker."""
    return {
        "version": version(),
        "page": PAGE,
        "files": [
            {"address": address, "digest": sha256(asset.body).hexdigest()}
            for address, asset in files().items()
        ],
        "sentences": {f"/i18n/{language}.json": address_of_sentences(language) for language in LANGUAGES},
    }
