"""Responses to valid and nearly valid requests match the description, and errors change nothing.

Schemathesis makes the requests: the boundaries of each field, random valid and invalid data, and sequences
that follow the links from response to request.
"""

import json
from collections import Counter
from typing import Any

import pytest
import schemathesis
from schemathesis.engine import events, from_schema
from starlette.types import Message, Receive, Scope, Send

from noughts.arena.store.revisions import TABLES
from noughts.interfaces.presenting.tasks import MoveEvaluation
from noughts.interfaces.web.app import make_app
from noughts.interfaces.web.http.limits import UNLIMITED
from noughts.interfaces.web.service import ServerOptions, Service
from noughts.search.analysis import UNKNOWN
from noughts.workers.messages import TaskResult
from tests.interfaces.web.harness import Clock
from tests.interfaces.web.test_api_computers import Slow

pytestmark = pytest.mark.slow


COUNTS = (
    "SELECT COALESCE(SUM(version), 0) AS grown FROM rooms",
    *(
        f"SELECT COUNT(*) AS grown FROM {table}"
        for table in sorted(TABLES - {"room_workers", "server_secrets", "walls"})
    ),
)
"""Tables that grow with every change.

A server makes its secret when it needs it first. A request for the wall of public games may choose the games.
"""


SENSIBLE = {
    "game": ("tictactoe", "4x4:3,gravity", "wild", "tictactoe", "3x3x3", "three"),
    "name": ("Ada", "Wei", "Zoe"),
    "opponent": ("friend", "friend", "rule"),
    "move": ("5", "b2", "1", "X3", "4"),
    "mark": ("X", "O"),
}

REACHED = {
    ("POST rooms", 201),
    ("POST join", 201),
    ("POST rooms commands", 409),
    ("POST rooms commands", 422),
    ("GET rooms", 200),
    ("GET rooms", 404),
}
"""Operations that must succeed at least once.

Random commands rarely have the right version and phase. The matrix tests them.
"""


IGNORED = "in query - violates `additionalProperties`"
"""Unknown query parameters are ignored everywhere."""


class AtOnce(Slow):
    """Computers that take seats and never move, so that all changes come from requests."""

    def ask(self, task: Any, *arguments: Any, **more: Any) -> Any:
        thought = super().ask(task, *arguments, **more)
        if task.__name__ == "evaluate_moves":
            thought.deliver(TaskResult(MoveEvaluation(UNKNOWN, {})))
        if task.__name__ in ("link_png", "link_gif"):
            thought.deliver(TaskResult(b""))
        return thought


class Visitor:
    """Middleware that stores seat tokens and checks for changes."""

    def __init__(self, app: Any) -> None:
        self._app, self._tokens = app, dict[str, list[str]]()
        self.statuses: Counter[tuple[str, int]] = Counter()
        self.wrong: list[str] = []

    @property
    def _service(self) -> Service:
        app = self._app
        while not hasattr(app, "state"):
            app = app.app
        service: Service = app.state.service
        return service

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        before, body, status = self._counts(), b"", 0
        parts = scope["path"].split("/")
        if len(parts) > 3 and parts[3] in self._tokens and not _has(scope, b"authorization"):
            tokens = self._tokens[parts[3]]  # all players use one device
            proof = f"Bearer {tokens[self.statuses.total() % len(tokens)]}".encode()
            scope = {**scope, "headers": [*scope["headers"], (b"authorization", proof)]}

        async def listen(message: Message) -> None:
            nonlocal body, status
            status = message.get("status", status)
            body += message.get("body", b"")
            await send(message)

        await self._app(scope, receive, listen)
        self.statuses[" ".join([scope["method"], *parts[2:3], *parts[4:5]]), status] += 1
        if status == 201:
            data = json.loads(body)
            self._tokens.setdefault(data["room"], []).append(data["token"])
        elif (status >= 400 or scope["method"] == "GET") and self._counts() != before:
            self.wrong.append(f"{scope['method']} {scope['path']} {status} has changed something")

    def _counts(self) -> list[Any]:
        with self._service.database.reading() as connection:
            return [connection.column(query) for query in COUNTS]


def _has(scope: Scope, name: bytes) -> bool:
    return any(each == name for each, _ in scope["headers"])


def map_body(context: Any, body: Any) -> Any:
    """Replace most random games, names and moves, which are invalid, by valid ones."""
    if not isinstance(body, dict):
        return body
    for name, values in SENSIBLE.items():
        if isinstance(text := body.get(name), str) and len(text) <= 20 and len(text) != 2:
            body[name] = values[len(text) % len(values)]
    if "game" in body:
        body.setdefault("name", "Ada")
        body.setdefault("opponent", ("friend", "rule")[len(body) % 2])
    if isinstance(code := body.get("code"), str) and len(code) % 3:
        body["room"] = body.pop("code")  # a link may have a room
    if isinstance(place := body.get("place"), int) and 0 <= place <= 7:
        body["place"] = place % 2
    computers = body.get("computers")
    if isinstance(computers, list) and all(isinstance(name, str) and len(name) < 9 for name in computers):
        body["computers"] = ["rule", "random"] if len(computers) == 2 else []
    if isinstance(body.get("opening"), str):
        body["opening"] = "none"  # most commands need a game without an opening
    if body == {"type": "swap"}:
        body["type"] = "resign"  # swapping needs an opening
    if "command" in body:
        body["command"] = map_body(context, body["command"])
    return body


@pytest.mark.parametrize("examples", [3, pytest.param(100, marks=pytest.mark.weekly)])
def test_responses_match_description(examples: int) -> None:
    serving = ServerOptions(
        "sqlite://", hosts=("testserver",), limits=UNLIMITED, away_seconds=0.0, remember_seconds=0.0
    )
    visitor = Visitor(make_app(serving, now=Clock(), thinkers=lambda: [AtOnce()]))
    off = {"enabled": False}
    config = schemathesis.Config.from_dict(
        {
            "seed": 5,
            "generation": {
                "max-examples": examples,
                "deterministic": True,
                "no-shrink": True,
                "database": "none",
                "with-security-parameters": False,  # the client has seats; the matrix tests clients without
            },
            "phases": {
                "coverage": {"unexpected-methods": ["DELETE", "POST"]},
                "stateful": {
                    "max-steps": 8,
                    "generation": {"max-examples": 4 * examples},
                    # The data of a link may correct an invalid value. Each phase alone has tested that value
                    # before.
                    "checks": {"negative_data_rejection": off},
                },
            },
            "checks": {
                # Status 501 is the answer of oEmbed to unknown formats.
                "not_a_server_error": {"expected-statuses": ["2xx", "3xx", "4xx", 501]},
                "positive_data_acceptance": off,
                "ignored_auth": off,
                "use_after_free": off,
            },
        }
    )
    schema = schemathesis.openapi.from_asgi("/openapi.json", visitor, config=config)
    schema.hook(map_body)
    body = schema.exclude(
        operation_id=["follow_room", "follow_games", "follow_tv"]
    )  # endless, with its own tests
    failures: list[str] = []
    for event in from_schema(body).execute():
        if isinstance(event, events.ScenarioFinished):
            for checks in event.recorder.checks.values():
                failures += [
                    f"{event.phase} {event.recorder.label}: {check.failure_info.failure}"
                    for check in checks
                    if check.failure_info is not None and IGNORED not in str(check.failure_info.failure)
                ]
        elif isinstance(event, events.NonFatalError | events.FatalError):
            failures.append(repr(event))
    assert not failures, "\n".join(failures[:20])
    assert not visitor.wrong
    missed = REACHED - set(visitor.statuses)
    assert not missed, f"{missed} of {visitor.statuses.total()} requests"
