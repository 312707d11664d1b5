"""Request bodies: JSON of limited size, checked before use."""

import asyncio
import json
import math
import re
from collections.abc import AsyncGenerator, Callable, Coroutine
from typing import Any

from fastapi.routing import APIRoute
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from noughts.interfaces.web.http.replies import ApiError

MAX_BODY = 65_536
"""The longest body in bytes."""

MAX_DIGITS = 18
"""The longest whole number in digits."""

BODY_SECONDS = 10.0
"""The longest time in seconds for a client to send a body."""

_CONTENT_TYPE = re.compile(r'application/json(\s*;\s*charset="?utf-8"?)?', re.IGNORECASE)


class JsonRequest(Request):
    """A request with a JSON body of limited size, which has to arrive in time."""

    async def json(self) -> Any:
        """Return the value in the body.

        Raises :class:`~noughts.interfaces.web.http.replies.ApiError` for another content type, a body that is
        too long or arrives too slowly, and JSON that :func:`parse_json` rejects.
        """
        if not hasattr(self, "_json"):
            self._json = parse_json(await self.body())
        return self._json

    async def body(self) -> bytes:
        if not _CONTENT_TYPE.fullmatch(self.headers.get("content-type", "")):
            raise ApiError(415, "not-json")
        declared = self.headers.get("content-length", "0")
        if declared.isdecimal() and int(declared[:18]) > MAX_BODY:
            raise ApiError(413, "body-too-large", limit=MAX_BODY)
        try:
            async with asyncio.timeout(BODY_SECONDS):
                return await super().body()
        except TimeoutError:
            raise ApiError(408, "body-too-slow") from None
        except ClientDisconnect:
            raise _unreadable("cut-off") from None

    async def stream(self) -> AsyncGenerator[bytes, None]:
        length = 0
        async for part in super().stream():
            length += len(part)
            if length > MAX_BODY:
                raise ApiError(413, "body-too-large", limit=MAX_BODY)
            yield part


class JsonRoute(APIRoute):
    """A route that reads the bodies of its requests as :class:`JsonRequest`."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        inner = super().get_route_handler()

        async def answer(request: Request) -> Response:
            if request.method == "POST":
                if not isinstance(request, JsonRequest):
                    request = JsonRequest(request.scope, request.receive)
                await request.json()  # FastAPI would turn errors that are raised later into other errors.
            return await inner(request)

        return answer


def parse_json(body: bytes) -> Any:
    """Return the value of the JSON text *body*.

    Raises :class:`~noughts.interfaces.web.http.replies.ApiError` for invalid JSON, repeated keys, deep
    nesting, long integers, and numbers that are not finite.

    >>> parse_json(b'{"move": "5"}')
    {'move': '5'}
    """
    try:
        value = json.loads(
            body.decode(),
            object_pairs_hook=_object,
            parse_int=_whole,
            parse_float=_fraction,
            parse_constant=_fraction,
        )
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:  # A surrogate has no partner.
        raise _unreadable("text") from None
    except UnicodeDecodeError:
        raise _unreadable("encoding") from None
    except RecursionError:
        raise _unreadable("depth") from None
    except ValueError:
        raise _unreadable("syntax") from None
    return value


def _unreadable(reason: str) -> ApiError:
    return ApiError(400, "unreadable", reason=reason)


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
