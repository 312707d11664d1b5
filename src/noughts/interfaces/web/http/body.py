"""Reading what is sent to the server: JSON only, no more of it than a command needs, and nothing doubtful."""

import asyncio
import json
import math
import re
from typing import Any

from starlette.requests import ClientDisconnect, Request

from noughts.interfaces.web.http.problems import Refused

MAX_BODY = 65_536
"""The longest body in bytes."""

MAX_DEPTH = 16
"""How deep objects and lists may stand in one another."""

MAX_DIGITS = 18
"""The longest whole number in digits."""

BODY_SECONDS = 10.0
"""So long a sender may take for its body."""

_CONTENT_TYPE = re.compile(r'application/json(\s*;\s*charset="?utf-8"?)?', re.IGNORECASE)
_SIGN = re.compile(r'\\.|["\[\]{}]', re.DOTALL)


async def read_json(request: Request) -> Any:
    """The JSON value in the body of *request*.

    Raises :class:`~noughts.interfaces.web.http.problems.Refused` for another content type, a body that is too
    long or comes too slowly, and whatever :func:`parse_json` refuses.
    """
    if not _CONTENT_TYPE.fullmatch(request.headers.get("content-type", "")):
        raise Refused(415, "not-json")
    try:
        async with asyncio.timeout(BODY_SECONDS):
            body = await _read_body(request)
    except TimeoutError:
        raise Refused(408, "body-too-slow") from None
    except ClientDisconnect:
        raise Refused(400, "unreadable", reason="cut-off") from None
    return parse_json(body)


async def _read_body(request: Request) -> bytes:
    declared = request.headers.get("content-length", "0")
    if declared.isdecimal() and int(declared[:18]) > MAX_BODY:
        raise Refused(413, "body-too-large", limit=MAX_BODY)
    parts, length = [], 0
    async for part in request.stream():
        length += len(part)
        if length > MAX_BODY:
            raise Refused(413, "body-too-large", limit=MAX_BODY)
        parts.append(part)
    return b"".join(parts)


def parse_json(body: bytes) -> Any:
    """The value that *body* describes; refused are repeated keys, numbers that are none or too long, depth.

    >>> parse_json(b'{"move": "5"}')
    {'move': '5'}
    """
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError:
        raise _unreadable("encoding") from None
    if not _is_shallow(text):
        raise _unreadable("depth")
    try:
        value = json.loads(
            text,
            object_pairs_hook=_object,
            parse_int=_whole,
            parse_float=_fraction,
            parse_constant=_constant,
        )
    except (ValueError, RecursionError):
        raise _unreadable("syntax") from None
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:  # half of a pair of code units
        raise _unreadable("text") from None
    return value


def _unreadable(reason: str) -> Refused:
    return Refused(400, "unreadable", reason=reason)


def _is_shallow(text: str) -> bool:
    if text.count("[") + text.count("{") <= MAX_DEPTH:
        return True
    depth, is_text = 0, False
    for found in _SIGN.finditer(text):  # in one pass, however the quotes stand
        sign = found[0]
        if sign == '"':
            is_text = not is_text
        elif len(sign) == 1 and not is_text:
            depth += 1 if sign in "[{" else -1
            if depth > MAX_DEPTH:
                return False
    return True


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        raise _unreadable("key-twice")
    return value


def _whole(text: str) -> int:
    if len(text) > MAX_DIGITS:
        raise _unreadable("number")
    return int(text)


def _fraction(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise _unreadable("number")
    return value


def _constant(_: str) -> float:
    raise _unreadable("number")
