"""Checks that responses match the API description: status, content type and body."""

import json
import re
from functools import cache
from typing import Any

import httpx
import jsonschema_rs

from noughts.interfaces.web.app import make_app
from noughts.interfaces.web.http.replies import CODES
from noughts.interfaces.web.service import ServerOptions

Json = dict[str, Any]

ANYWHERE = (405, 421)
"""Statuses of requests outside the API, which no route describes."""


@cache
def description() -> Json:
    """Return the API description."""
    app: Any = make_app(ServerOptions("sqlite://"))
    while not hasattr(app, "openapi"):
        app = app.app
    described: Json = json.loads(json.dumps(app.openapi()))
    return described


@cache
def _routes() -> list[tuple[re.Pattern[str], str]]:
    """Return the described routes, those without parameters first."""
    paths = sorted(description()["paths"], key=lambda path: path.count("{"))
    return [(re.compile(re.sub(r"\{[a-z]+\}", "[^/]+", path)), path) for path in paths]


@cache
def _validator(reference: str) -> jsonschema_rs.Validator:
    components = description()["components"]
    return jsonschema_rs.validator_for({"$ref": reference, "components": components})


def check_value(name: str, value: Any) -> None:
    """Raise unless *value* matches the schema *name*."""
    _validator(f"#/components/schemas/{name}").validate(value)


def check_answer(method: str, path: str, answer: httpx.Response) -> None:
    """Raise unless *answer*, a response to a request for *path*, is described."""
    found = next((name for pattern, name in _routes() if pattern.fullmatch(path)), None)
    if found is None or answer.status_code in ANYWHERE:
        return
    described = description()["paths"][found][method.lower()]["responses"]
    data = described.get(str(answer.status_code))
    assert data is not None, f"{method} {found}: {answer.status_code} is not described: {answer.text[:500]}"
    if answer.status_code == 304:
        assert not answer.content
        return
    kind = answer.headers["content-type"].partition(";")[0]
    assert kind in data["content"], f"{method} {found}: {kind}"
    if kind != "application/json":
        return
    value = answer.json()
    _validator(data["content"][kind]["schema"]["$ref"]).validate(value)
    may_be_kept = found == "/api/board" and answer.status_code == 200
    assert answer.headers["cache-control"] == ("max-age=3600" if may_be_kept else "no-store")
    if answer.status_code < 400:
        return
    assert value["error"]["code"] in CODES[answer.status_code], value
    assert (answer.status_code in (429, 503)) == ("retry-after" in answer.headers), value


async def check(answer: httpx.Response) -> None:
    """Check *answer* for a client that calls this with each response. Tests cause status 500 on purpose."""
    request = answer.request
    if answer.status_code != 500:
        await answer.aread()
        check_answer(request.method, request.url.path, answer)
