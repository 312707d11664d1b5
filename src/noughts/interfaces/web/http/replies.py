"""Answers: JSON in the asker's language, and refusals as codes with data and a sentence."""

import re
from functools import cache
from typing import Any

from fastapi.exceptions import RequestValidationError
from starlette.requests import Request
from starlette.responses import Response

from noughts.errors import NoughtsError
from noughts.interfaces.presenting.i18n import Translator, match_language
from noughts.interfaces.web.http.problems import Refused, error_as_json, status_of
from noughts.interfaces.web.live.events import compact

MAX_LANGUAGES = 20
"""So many entries of ``Accept-Language`` are read."""

AGAIN_SECONDS = 5
"""After so many seconds it is worth asking again where nobody knows better."""

MAX_FIELDS = 5
"""So many things that are wrong with a request are named."""


class Phrased(Exception):
    """*error* with the sentence that fits the game it happened in."""

    def __init__(self, error: NoughtsError, sentence: str) -> None:
        super().__init__(sentence)
        self.error, self.sentence = error, sentence


@cache
def translator(language: str) -> Translator:
    """Who speaks *language*."""
    return Translator(language)


def language_of(request: Request) -> str:
    """The language that is asked for: by ``?lang=``, else the first of ``Accept-Language`` that is ours."""
    asked = request.query_params.get("lang", "")[:40]
    if asked and (language := match_language(asked)) is not None:
        return language
    return accepted_language(request.headers.get("accept-language", ""))


def accepted_language(header: str) -> str:
    """The best of our languages for an ``Accept-Language`` header.

    >>> accepted_language("fr, ru;q=0.5, zh-TW;q=0.9")
    'zh-Hant'
    """
    wishes: list[tuple[float, str]] = []
    for part in header[:1000].split(",")[:MAX_LANGUAGES]:
        tag, _, quality = part.strip().partition(";q=")
        weight = float(quality) if re.fullmatch(r"[01](\.[0-9]{0,3})?", quality) else 1.0
        if (language := match_language(tag.strip())) is not None and weight > 0:
            wishes.append((weight, language))
    # The first of equals, as they stand.
    return max(wishes, key=lambda wish: wish[0], default=(0, "en"))[1]


def speaker(request: Request) -> Translator:
    """Who speaks the language that *request* asks for."""
    return translator(language_of(request))


def reply(value: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """*value* as JSON; a text is JSON already."""
    text = value if isinstance(value, str) else compact(value)
    told = Response(text.encode(), status, headers, "application/json")
    told.headers["cache-control"] = "no-store"
    return told


def with_state(value: dict[str, Any], state: str) -> str:
    """*value* as JSON, with a *state* that is JSON already.

    >>> with_state({"version": 3}, '{"ply": 1}')
    '{"version":3,"state":{"ply": 1}}'
    """
    return f'{compact(value)[:-1]},"state":{state}}}'


def refuse(
    request: Request, error: NoughtsError, sentence: str | None = None, state: str | None = None
) -> Response:
    """The answer to a request that is refused; *state* is the present one as JSON."""
    told = error_as_json(error, speaker(request), sentence)
    status = status_of(error)
    headers = {"retry-after": str(told.get("seconds", AGAIN_SECONDS))} if status in (429, 503) else None
    refused = {"error": told}
    return reply(refused if state is None else with_state(refused, state), status, headers)


def invalid(error: RequestValidationError) -> Refused:
    """What is wrong with a request that does not have the form it should have."""
    fields = [
        {"at": ".".join(str(part) for part in fact["loc"])[:80], "problem": str(fact["type"])}
        for fact in error.errors()[:MAX_FIELDS]
    ]
    return Refused(422, "invalid", fields=fields)
