"""The server to be killed: ``noughts serve``, forked quickly from a process that has imported everything.

On standard input a line of JSON names the arguments, the log, and whether workers are started (otherwise they
start with the first question). It may also name a point between receiving a command and acknowledging it: at
the given passage the server kills itself there. On standard output come ``child PID``, and ``gone STATUS``
when it has ended.
"""

import asyncio
import json
import os
import signal
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import httpx
from starlette.types import Message, Receive, Scope, Send

from noughts import __main__ as program
from noughts.arena.rooms.group_commit import GroupCommit
from noughts.arena.rooms.room_repository import RoomBatch
from noughts.arena.store.connections import Connection
from noughts.arena.store.database import Database
from noughts.interfaces.cli import main as run_noughts
from noughts.interfaces.web import service, serving  # noqa: F401
from noughts.interfaces.web.api.requests import CommandRequest
from noughts.interfaces.web.app import make_app
from noughts.interfaces.web.http.middleware import SecurityMiddleware
from noughts.interfaces.web.live.events import WatchedRooms
from noughts.interfaces.web.service import ServerOptions
from noughts.workers.supervisor import ProcessWorker
from tests.stand_ins import ThinkingHere

TAG = "NOUGHTS_FAULTS"
"""The environment variable that marks the processes of a server."""

POINTS = ("received", "validated", "before-write", "written", "committed", "acknowledged")
"""The points at which a server can kill itself, in the order in which a command passes them.

``received``: the body was read. ``validated``: the sender and the arguments are valid. ``before-write``: the
rules have accepted it, in the transaction. ``written``: all rows are written, nothing is committed.
``committed``: no client has been answered. ``acknowledged``: the sender was answered, and no other client.
"""


class Passages:
    """Counts the passages of a point, and kills the process at the given one."""

    def __init__(self, last: int) -> None:
        self.left = last

    def passed(self) -> None:
        self.left -= 1
        if self.left <= 0:
            os.kill(os.getpid(), signal.SIGKILL)


def before(owner: Any, name: str, happens: Callable[[], None]) -> None:
    """Call *happens* before each call of the method *name* of *owner*."""
    plain = getattr(owner, name)

    def wrapped(*arguments: Any, **named: Any) -> Any:
        happens()
        return plain(*arguments, **named)

    setattr(owner, name, wrapped)


def die_at(point: str, passage: int) -> None:
    """Make this process kill itself at the given passage of *point*."""
    passages = Passages(passage)
    match point:
        case "received":
            before(CommandRequest, "to_command", passages.passed)
        case "validated":
            before(GroupCommit, "submit", passages.passed)
        case "before-write":
            before(RoomBatch, "add_key", passages.passed)
        case "written":
            _die_in_transaction(passages, is_committed=False)
        case "committed":
            _die_in_transaction(passages, is_committed=True)
        case "acknowledged":
            _die_unheard(passages)


def _die_in_transaction(passages: Passages, *, is_committed: bool) -> None:
    """Die at the end of a transaction with a command, before or after its commit."""
    plain, keys = Database.writing, [0]
    before(RoomBatch, "add_key", lambda: keys.append(1))

    @contextmanager
    def writing(self: Database, within: Connection | None = None) -> Iterator[Connection]:
        has_command = False
        with plain(self, within) as connection:
            yield connection
            has_command = within is None and sum(keys) > 0
            if has_command:
                keys.clear()
                if not is_committed:
                    passages.passed()
        if has_command and is_committed:
            passages.passed()

    Database.writing = writing  # type: ignore[method-assign]


def _die_unheard(passages: Passages) -> None:
    """Silence all notices, and die when a command was answered."""
    plain = SecurityMiddleware.__call__
    for name in ("offer", "on_version"):
        shown = getattr(WatchedRooms, name)

        def show(*arguments: Any, shown: Any = shown) -> None:
            if passages.left > 1:
                shown(*arguments)

        setattr(WatchedRooms, name, show)

    async def call(self: SecurityMiddleware, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_and_die(message: Message) -> None:
            await send(message)
            if message["type"] == "http.response.body" and scope["path"].endswith("/commands"):
                passages.passed()

        await plain(self, scope, receive, send_and_die)

    SecurityMiddleware.__call__ = call  # type: ignore[method-assign]


def _run(command: dict[str, Any]) -> None:
    os.environ[TAG] = command["tag"]
    log = os.open(command["log"], os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.dup2(log, 1)
    os.dup2(log, 2)
    if not command["thinking"]:
        service.started_worker = ProcessWorker
    if command["point"]:
        die_at(command["point"], command["passage"])
    sys.argv = ["noughts", *command["arguments"]]
    sys.modules["__main__"] = (
        program  # worker processes then import this program, not all modules of the tests
    )
    run_noughts()


async def _warm_up() -> None:
    """Serve once, so that all lazy imports and objects are loaded."""
    app: Any = make_app(ServerOptions("sqlite://"), thinkers=lambda: [ThinkingHere()])
    there = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://localhost")
    async with app.router.lifespan_context(app), there as client:
        command = {"game": "tictactoe", "opponent": "friend", "name": "Ada"}
        received = (await client.post("/api/rooms", json=command)).json()
        await client.post("/api/join", json={"code": received["code"], "name": "Wei"})
        body = {"version": 2, "key": "k", "command": {"type": "move", "move": "5"}}
        proof = {"authorization": f"Bearer {received['token']}"}
        await client.post(f"/api/rooms/{received['room']}/commands", json=body, headers=proof)


def main() -> None:
    """Fork a server for each line of standard input."""
    asyncio.run(_warm_up())
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            try:
                _run(json.loads(line))
            except SystemExit as end:
                os._exit(end.code if isinstance(end.code, int) else 0)
            except BaseException:
                traceback.print_exc()
                os._exit(1)
            os._exit(0)
        print("child", child, flush=True)
        print("gone", os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


if __name__ == "__main__":
    main()
