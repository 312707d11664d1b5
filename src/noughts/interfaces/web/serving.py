"""Running the server: one process, or several that share a socket."""

import json
import os
import socket
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict, replace

import uvicorn
from starlette.types import ASGIApp
from uvicorn.supervisors import Multiprocess

from noughts.errors import StoreError
from noughts.interfaces.web.app import make_app
from noughts.interfaces.web.limits import UNLIMITED, Limits
from noughts.interfaces.web.metrics import log_as_json
from noughts.interfaces.web.service import Serving

VARIABLE = "NOUGHTS_SERVING"
"""Tells the processes of a server how it serves."""

GRACE_SECONDS = 8
"""How long is waited for answers under way when the server is told to stop."""

BACKLOG = 2048


def serve(serving: Serving) -> None:
    """Serve until told to stop. Raises :class:`~noughts.errors.StoreError`, and OSError for the address."""
    check(serving)
    log_as_json()
    with closing(listening_socket(serving.host, serving.port)) as listener:
        port = listener.getsockname()[1]
        print(f"http://{_shown_host(serving.host)}:{port}/", flush=True)
        if serving.workers == 1:
            uvicorn.Server(_config(make_app(serving))).run(sockets=[listener])
            return
        with _told_to_workers(serving):
            config = _config("noughts.interfaces.web.serving:app_of_worker", serving.workers)
            Multiprocess(config, sockets=[listener]).run()


def _config(app: ASGIApp | str, workers: int = 1) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        factory=isinstance(app, str),
        workers=workers,
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=GRACE_SECONDS,
        backlog=BACKLOG,
        ws="none",
        h11_max_incomplete_event_size=16_384,
    )


def check(serving: Serving) -> None:
    """Refuse what cannot be served: several workers need a database that is made for them."""
    if serving.workers > 1 and serving.database.startswith("sqlite"):
        raise StoreError(serving.database, "one-worker-only")


def listening_socket(host: str, port: int) -> socket.socket:
    """A socket that workers inherit, on which small answers are sent at once."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # The protocol is named because asyncio looks at it before it turns off the delay of small packets.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    try:
        listener.bind((host, port))
    except BaseException:
        listener.close()
        raise
    listener.set_inheritable(True)
    return listener


def _shown_host(host: str) -> str:
    return f"[{host}]" if ":" in host else host


# Workers


@contextmanager
def _told_to_workers(serving: Serving) -> Iterator[None]:
    """Workers are other processes: they read how to serve in their environment."""
    facts = asdict(serving)
    facts["limits"] = serving.limits == UNLIMITED
    os.environ[VARIABLE] = json.dumps(facts)
    try:
        yield
    finally:
        del os.environ[VARIABLE]


def serving_of_worker() -> Serving:
    """How the server serves whose worker this process is."""
    facts = json.loads(os.environ[VARIABLE])
    limits = UNLIMITED if facts.pop("limits") else Limits()
    return replace(Serving(**{**facts, "origins": tuple(facts["origins"])}), limits=limits)


def app_of_worker() -> ASGIApp:
    """The application of one of several workers."""
    log_as_json()
    return make_app(serving_of_worker())
