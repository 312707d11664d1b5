"""The pages: shells that fill themselves in by script, and the sentences that the scripts say."""

import gettext
import re
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from noughts.interfaces.i18n import LANGUAGES
from noughts.interfaces.web.events import compact
from noughts.interfaces.web.refusals import Refused
from noughts.interfaces.web.replying import language_of, translator

FOLDER = Path(str(files("noughts.interfaces.web")))

PAGES = {
    "/": "home.html",
    "/r/{room}": "room.html",
    "/g/{number}": "game.html",
    "/history": "history.html",
    "/scores": "scores.html",
}
"""Paths and templates."""

MOST_DIGITS = 10
"""Numbers of games are no longer than that."""

ALWAYS = ("title-", "tag-", "rules-", "rule-", "ended-", "clock-", "order-", "strength-", "web-")
"""Sentences whose ids begin so are put together by scripts."""


class _Catalogue(gettext.GNUTranslations):
    """A catalogue whose sentences can be listed."""

    def listed(self) -> dict[str, str | list[str]]:
        """The sentences by id; those with a number in them as a list of their forms."""
        told: dict[str, Any] = {}
        raw: dict[str | tuple[str, int], str] = self._catalog  # type: ignore[attr-defined]
        for id_, text in sorted(raw.items(), key=str):
            if isinstance(id_, str):
                told[id_] = text
            else:
                told.setdefault(id_[0], []).append(text)
        told.pop("", None)
        return told


@cache
def sentences(language: str) -> bytes:
    """The sentences of *language* that the pages say, as JSON."""
    folder = str(files("noughts") / "locales")
    catalogue = gettext.translation("noughts", folder, [language.replace("-", "_")], class_=_Catalogue)
    sources = [*FOLDER.glob("static/*.js"), *FOLDER.glob("templates/*.html")]
    text = "".join(path.read_text(encoding="utf-8") for path in sources)
    named = set(re.findall(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*", text))
    told = {id_: said for id_, said in catalogue.listed().items() if id_ in named or id_.startswith(ALWAYS)}
    return compact(told).encode()


@cache
def _templates() -> Environment:
    loader = FileSystemLoader(FOLDER / "templates")
    return Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True)


def page(request: Request, template: str, status: int = 200, **facts: Any) -> Response:
    """The page made from *template* in the language that *request* asks for."""
    language = language_of(request)
    known = {"lang": language, "say": translator(language), "status": status, **facts}
    html = _templates().get_template(template).render(known)
    headers = {"cache-control": "no-cache", "content-language": language, "vary": "accept-language"}
    return Response(html.encode(), status, headers, "text/html")


def page_routes() -> list[BaseRoute]:
    """The routes of the pages, of what they are made of, and of the sentences."""
    routes: list[BaseRoute] = [Route(path, _shower(template)) for path, template in PAGES.items()]
    routes.append(Route("/i18n/{language}.json", tell_sentences))
    routes.append(Mount("/static", _Static(directory=FOLDER / "static")))
    return routes


def _shower(template: str) -> Any:
    async def show(request: Request) -> Response:
        number = request.path_params.get("number", "0")
        if not (number.isascii() and number.isdecimal() and len(number) <= MOST_DIGITS):
            raise Refused(404, "no-such-path")
        return page(request, template)

    return show


async def tell_sentences(request: Request) -> Response:
    """The sentences of one language."""
    language = request.path_params["language"]
    if language not in LANGUAGES:
        raise Refused(404, "no-such-path")
    return Response(sentences(language), headers={"cache-control": "no-cache"}, media_type="application/json")


class _Static(StaticFiles):
    """Files of ours; a browser asks each time whether they have changed."""

    def file_response(self, *arguments: Any, **named: Any) -> Response:
        answer = super().file_response(*arguments, **named)
        answer.headers["cache-control"] = "no-cache"
        return answer
