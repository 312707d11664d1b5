"""Responses: JSON in the language of the caller, and errors with a status, a code, data and a sentence."""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ConfigDict, Field
from starlette.requests import Request
from starlette.responses import Response

from noughts import errors
from noughts.interfaces.presenting.i18n import MAX_LISTED, Translator, match_language

MAX_LANGUAGES = 20
"""The largest number of entries of ``Accept-Language`` that are read."""

AGAIN_SECONDS = 5
"""The default of ``Retry-After`` in seconds."""

MAX_FIELDS = 5
"""The largest number of invalid fields in an error response."""

PUBLIC_FIELDS = ("reason", "what", "side", "turn", "limit", "allowed", "known", "instead", "like")
"""The data of an error that programs get."""

MISFIT_MESSAGES = {"missing": "field-missing", "extra_forbidden": "field-unknown"}
"""The messages about problems that suggest another model of a union."""

LIMIT_SIGNS = {"ge": "≥", "gt": ">", "le": "≤", "lt": "<", "expected": "", "pattern": ""}
"""The signs of limits in messages."""

CODES: dict[int, tuple[str, ...]] = {
    400: ("unreadable",),
    401: ("no-seat", "no-key", "no-visitor"),
    403: ("foreign-origin", "not-your-seat", "not-organiser", "not-a-bot", "game-goes-on", "key-refused"),
    404: ("not-found", "no-such-path", "unknown-game", "unknown-opening", "unusable-game"),
    405: ("no-such-method",),
    408: ("body-too-slow",),
    409: ("stale", "seat-taken", "offer-gone"),
    413: ("body-too-large",),
    415: ("not-json",),
    421: ("foreign-host",),
    422: (
        *("invalid", "no-such-seat", "plays-alone", "no-such-ply", "not-found", "game-too-long"),
        *("from-a-position", "not-rated", "two-sides-only"),
        *("no-such-cell", "no-lines"),
        *("shape-error", "rules-error", "notation-error", "coordinate-error", "unknown-mark", "name-refused"),
        *("out-of-turn", "illegal-move", "occupied-cell", "floating-cell", "game-over", "command-refused"),
        *("offer-refused", "asked-guest"),
        "pause-refused",
        *("unsupported-rules", "player-failed", "player-at-fault", "forbidden-move", "game-broken"),
    ),
    429: ("too-often", "too-many-rooms", "too-many-streams", "too-many-offers", "thinking-for-you"),
    500: ("failed", "damaged-store"),
    501: ("extra-missing", "no-such-format"),
    503: ("server-busy", "server-full", "thinking-busy", "thinking-failed", "store-error", "stale-version"),
}
"""The error codes by status."""

LANGUAGE_COOKIE = "noughts-language"
"""The cookie with the language that was chosen in a browser."""

SEAT_COOKIE = "noughts-seat"
"""The cookie with a seat token. Its path is one room."""

SESSION_COOKIE = "noughts_session"
"""The cookie with the secret of a session of a player with a key."""

COOKIE_SECONDS = 30 * 24 * 60 * 60
"""The time for which a browser keeps a secret by default."""

MISSING_KINDS = ("room", "code", "record", "series", "puzzle", "tournament", "entry", "pairing", "identity")
"""The kinds of missing objects with the status 404."""

SECRET_KINDS = ("room", "code")
"""The kinds of missing objects that an error response does not name."""


# Languages


@cache
def translator(language: str) -> Translator:
    """Return the translator for *language*."""
    return Translator(language, isolates=True)


def language_of(request: Request) -> str:
    """Return the language of the response to *request*.

    The sources are ``?lang=``, the cookie of the browser, and ``Accept-Language``, in this order. Unknown
    languages are skipped.
    """
    for wanted in (request.query_params.get("lang", ""), request.cookies.get(LANGUAGE_COOKIE, "")):
        if wanted and (language := match_language(wanted[:40])) is not None:
            return language
    return accepted_language(request.headers.get("accept-language", ""))


def accepted_language(header: str) -> str:
    """Return the best known language for an ``Accept-Language`` header.

    >>> accepted_language("fr, ru;q=0.5, zh-TW;q=0.9")
    'zh-Hant'
    """
    wishes: list[tuple[float, str]] = []
    for part in header[:1000].split(",")[:MAX_LANGUAGES]:
        tag, _, quality = part.strip().partition(";q=")
        weight = float(quality) if re.fullmatch(r"[01](\.[0-9]{0,3})?", quality) else 1.0
        if (language := match_language(tag.strip())) is not None and weight > 0:
            wishes.append((weight, language))
    # Of several languages with the same weight the first one counts.
    return max(wishes, key=lambda wish: wish[0], default=(0, "en"))[1]


def translator_for(request: Request) -> Translator:
    """Return the translator for the language of *request*."""
    return translator(language_of(request))


class Model(BaseModel):
    """A part of a response. Docstrings describe its fields, and fields that are not set are omitted."""

    model_config = ConfigDict(use_attribute_docstrings=True, from_attributes=True)

    def to_json(self, state: str | None = None) -> str:
        """Return the model as JSON, with *state*, which is JSON already, as the field ``state``."""
        text = self.model_dump_json(exclude_unset=True)
        return text if state is None else f'{text[:-1]},"state":{state}}}'


def compact(value: Any) -> str:
    """Return *value*, which is no model, as JSON on one line."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def reply(value: Model | str, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """Return the response with *value* as JSON; a text is JSON already."""
    text = value if isinstance(value, str) else value.to_json()
    answer = Response(text.encode(), status, headers, "application/json")
    answer.headers["cache-control"] = "no-store"
    return answer


# Errors


class ErrorDetail(Model):
    """An error: a code with data for programs, and a sentence for people."""

    model_config = ConfigDict(extra="allow")

    code: str = Field(
        json_schema_extra={"enum": [*sorted({code for codes in CODES.values() for code in codes})]}
    )
    """The error code."""
    sentence: str
    """The error in a sentence, in the language of the caller."""


class ErrorResponse(Model):
    """The response to a request that failed."""

    error: ErrorDetail
    """The error."""


class ApiError(errors.NoughtsError):
    """A request fails with the HTTP *status* and the error *code*. ``data`` is for programs."""

    def __init__(self, status: int, code: str, **data: Any) -> None:
        super().__init__(f"{status} {code}")
        self.status, self.code, self.data = status, code, data


def store_secret(
    request: Request, response: Response, name: str, secret: str, path: str, seconds: int = COOKIE_SECONDS
) -> None:
    """Let the browser store *secret* in the cookie *name*, for addresses below *path*.

    Scripts cannot read it.
    """
    response.set_cookie(
        name,
        secret,
        max_age=seconds,
        path=path,
        secure=request.scope["scheme"] == "https",
        httponly=True,
        samesite="lax",
    )


def status_of(error: errors.NoughtsError) -> int:
    """Return the HTTP status of *error*."""
    if isinstance(error, ApiError):
        return error.status
    if isinstance(error, errors.NotFound):
        return 404 if error.what in MISSING_KINDS else 422
    codes = map(code_of, type(error).__mro__)
    return next((status for code in codes for status in CODES if code in CODES[status]), 422)


def error_detail(error: errors.NoughtsError, say: Translator, sentence: str | None = None) -> ErrorDetail:
    """Return the code of *error* with its data, and *sentence*, or by default the sentence for *error*."""
    code, data = code_of(type(error)), dict[str, Any]()
    if isinstance(error, ApiError):
        code, data = error.code, error.data
        fields = {"fields": _say_fields(data["fields"], say)} if code == "invalid" else {}
        sentence = sentence or say(f"refusal-{code}", **data | fields)
    elif isinstance(error, errors.NotFound) and error.what in SECRET_KINDS:
        data = {"what": error.what}
    elif isinstance(error, errors.StoreError) and not isinstance(error, errors.UnknownGame):
        sentence = sentence or say("refusal-failed")  # The location of the database is private.
    else:
        known = {name: getattr(error, name, None) for name in PUBLIC_FIELDS}
        data = {name: _plain(value) for name, value in known.items() if value is not None}
    return ErrorDetail(code=code, sentence=sentence or say.error(error), **data)


def code_of(kind: type) -> str:
    """Return the code of an error or a command class: its name in lower case.

    >>> code_of(errors.OutOfTurn)
    'out-of-turn'
    """
    return re.sub("(?<=[a-z])(?=[A-Z])", "-", kind.__name__).lower()


def _plain(value: Any) -> Any:
    """Return *value* in a form that JSON can hold."""
    if isinstance(value, tuple | list):
        return [str(item) for item in value[:MAX_LISTED]]
    return value if isinstance(value, int | float | bool) else str(value)[:100]


def refuse(
    request: Request, error: errors.NoughtsError, sentence: str | None = None, state: str | None = None
) -> Response:
    """Return the error response for *request*. *state* is the present state of the room as JSON."""
    status, again = status_of(error), AGAIN_SECONDS
    if isinstance(error, ApiError):
        again = error.data.get("seconds", AGAIN_SECONDS)
    headers = {"retry-after": str(again)} if status in (429, 503) else None
    refusal = ErrorResponse(error=error_detail(error, translator_for(request), sentence))
    return reply(refusal.to_json(state), status, headers)


def validation_error(error: RequestValidationError) -> ApiError:
    """Return the error with the invalid fields of a request."""
    fields = [
        {
            "at": ".".join(str(part) for part in fact["loc"])[:80],
            "problem": str(fact["type"]),
            "accepted": _accepted(fact.get("ctx", {})),
        }
        for fact in _relevant_faults(error.errors())[:MAX_FIELDS]
    ]
    return ApiError(422, "invalid", fields=fields)


def _is_model_name(part: str | int) -> bool:
    """Return True if *part* of the location of a field is the name of a model of a union."""
    return isinstance(part, str) and part[:1].isupper()


def _relevant_faults(faults: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return those of *faults* that concern the best matching model of each union."""
    misfits: dict[tuple[str | int, ...], Counter[str]] = defaultdict(Counter)
    for fault in faults:
        place = fault["loc"]
        for depth, part in enumerate(place[:-1]):
            if _is_model_name(part):
                misfits[place[:depth]][part] += fault["type"] in MISFIT_MESSAGES
    meant = {place: min(forms, key=forms.__getitem__) for place, forms in misfits.items()}
    return [
        fault
        for fault in faults
        if all(meant.get(fault["loc"][:depth], part) == part for depth, part in enumerate(fault["loc"]))
    ]


def _say_fields(fields: Iterable[dict[str, Any]], say: Translator) -> list[str]:
    """Return a sentence for each of *fields* about its problem and the accepted values."""
    sentences: dict[str, None] = {}
    for field in fields:
        first, *rest = field["at"].split(".")
        is_ours = field["problem"] != "extra_forbidden"  # The caller chose the names of unknown fields.
        parts = [part for part in rest[:-1] if not _is_model_name(part)]
        parts += [part for part in rest[-1:] if not (is_ours and _is_model_name(part))]
        name = ".".join(parts) or first
        accepted = ", ".join(
            f"{LIMIT_SIGNS.get(limit, limit)} {value}".strip() for limit, value in field["accepted"].items()
        )
        id_ = MISFIT_MESSAGES.get(field["problem"], "field-accepts" if accepted else "field-unreadable")
        sentences[say(id_, field=name, accepted=accepted)] = None
    return list(sentences)


def _accepted(limits: dict[str, Any]) -> dict[str, str | int | float]:
    """Return the accepted values of a field: a pattern, a length, a limit or the expected values."""
    shown = {name: limit for name, limit in limits.items() if isinstance(limit, str | int | float)}
    return {name: limit[:200] if isinstance(limit, str) else limit for name, limit in shown.items()}
