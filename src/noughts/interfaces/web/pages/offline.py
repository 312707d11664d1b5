"""The page for playing without a network, and the service worker that stores it in browsers."""

from functools import cache, partial
from hashlib import sha256
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from noughts.games.catalogue import all_entries
from noughts.interfaces.presenting.i18n import LANGUAGES
from noughts.interfaces.web.boards import offline_games
from noughts.interfaces.web.http.files import Asset, asset_of
from noughts.interfaces.web.http.middleware import address_of
from noughts.interfaces.web.http.replies import compact, language_of
from noughts.interfaces.web.pages import assets
from noughts.interfaces.web.pages.pages import page, sentences, shelves
from noughts.interfaces.web.pages.tiles import symbols
from noughts.interfaces.web.service import Service

PAGE = "/offline"
"""The address of the page."""

TEMPLATES = ("base.html", "offline.html")
"""The templates of the page. A change of them is a new version."""

NAMES = ("style.css", "offline.js", "icon.svg")
"""The files that the page needs, besides the sentences."""


def offline_routes() -> list[BaseRoute]:
    """Return the routes of the page and of the service worker."""
    return [Route(PAGE, show_page), Route("/service-worker.js", send_worker)]


async def show_page(request: Request) -> Response:
    """Send the page."""
    service: Service = request.app.state.service
    offered = offline_games()
    shown = shelves(language_of(request), all_entries())
    games = [game for shelf in shown for game in shelf["games"] if game["name"] in offered]
    context: dict[str, Any] = {"shell": version(), "games": games, "symbols": symbols()}
    show = partial(page, request, "offline.html", **context)
    return await service.work.write(address_of(request), show)


async def send_worker(request: Request) -> Response:
    """Send the service worker. Browsers look for a new one at each visit."""
    text = f"const SHELL = {compact(shell())};\n{assets.assets()['service_worker.js'].body.decode()}"
    return asset_of(text, "text/javascript").answer(request)


def files() -> dict[str, Asset]:
    """Return the stored files by address."""
    joined, plain = assets.joined_scripts(), assets.assets()
    named = {assets.address_of(name): joined.get(name) or plain[name] for name in NAMES}
    return {**named, **{_address_of(language): asset for language, asset in _sentences().items()}}


def _sentences() -> dict[str, Asset]:
    return {language: sentences(language, all_entries()) for language in LANGUAGES}


def _address_of(language: str) -> str:
    """Return the address of the sentences of *language*, with their hash."""
    return f"/i18n/{_sentences()[language].short}/{language}.json"


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
        "sentences": {f"/i18n/{language}.json": _address_of(language) for language in LANGUAGES},
    }
