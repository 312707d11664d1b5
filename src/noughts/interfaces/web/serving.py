"""Running the server: one process, or several that share a socket."""

import asyncio
import gc
import multiprocessing
import multiprocessing.process
import os
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from multiprocessing.synchronize import Semaphore
from threading import Event, Thread
from types import FrameType
from typing import Any

import uvicorn
from starlette.types import ASGIApp
from uvicorn.supervisors.multiprocess import Multiprocess

from noughts.arena.store.database import Database, open_database
from noughts.arena.store.revisions import revision_of
from noughts.errors import NewerStore, StoreError
from noughts.interfaces.web.app import make_app
from noughts.interfaces.web.http.connections import GuardedConnection
from noughts.interfaces.web.http.metrics import set_up_log
from noughts.interfaces.web.network import BACKLOG
from noughts.interfaces.web.service import ServerOptions, Service

GRACE_SECONDS = 8
"""How long is waited for answers under way when the server is told to stop."""

SILENCE_SECONDS = 60
"""Seconds of silence after which a worker is replaced; to start takes long on a busy machine."""


def serve(serving: ServerOptions, listener: socket.socket, on_ready: Callable[[], None]) -> bool:
    """Serve at *listener* until told to stop; *on_ready* is called once, when requests are answered.

    Return True if that time came. Raises :class:`~noughts.errors.StoreError` before anything is served, and
    :class:`~noughts.errors.NewerStore` afterwards if a newer version has migrated the database.
    """
    check(serving)
    set_up_log(requests=serving.log)
    collect_rarely()
    # One process makes the database, or brings it up to date, before any request.
    with closing(open_database(serving.database)) as database:
        if serving.workers == 1:
            app = make_app(serving, database=lambda: database, on_start=partial(_start, on_ready))
            server = uvicorn.Server(_config(serving, app))
            with _surviving_the_stop():
                server.run(sockets=[listener])
            _check_revision(lambda: database)
            return server.started
    ready, is_ready = multiprocessing.get_context("spawn").Semaphore(0), Event()
    config = _config(serving, partial(app_of_worker, serving, ready))
    supervisor = Multiprocess(config, sockets=[listener])

    def wait() -> None:
        for _ in range(serving.workers):
            ready.acquire()
        is_ready.set()
        on_ready()

    Thread(target=wait, name="noughts-ready", daemon=True).start()
    supervisor.run()
    _check_revision(lambda: open_database(serving.database))
    return is_ready.is_set()


def _check_revision(find: Callable[[], Database]) -> None:
    """Raise :class:`~noughts.errors.NewerStore` if a newer version has migrated the database."""
    try:
        with closing(find()) as database, database.reading() as connection:
            revision_of(connection, database.where)
    except NewerStore:
        raise
    except StoreError:  # the server was told to stop, and did
        return


@contextmanager
def _surviving_the_stop() -> Iterator[None]:
    """Ignore the signal to stop that uvicorn repeats after it has stopped: the process has done well."""
    before = signal.signal(signal.SIGTERM, lambda _number, _frame: None)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _start(on_ready: Callable[[], Any], service: Service) -> None:
    """Let the signal to stop end the streams first: uvicorn waits for all answers."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        stop: Any = signal.getsignal(number)

        def end(number: int, frame: FrameType | None, stop: Any = stop) -> None:
            loop.call_soon_threadsafe(service.end_streams)
            stop(number, frame)

        signal.signal(number, end)
    on_ready()


def _config(serving: ServerOptions, app: ASGIApp | Callable[[], ASGIApp]) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        factory=serving.workers > 1,
        workers=serving.workers,
        log_config=None,
        access_log=False,
        server_header=False,
        # Who says that a proxy sends a request for somebody else is believed only if it is a proxy of ours.
        proxy_headers=bool(serving.proxies),
        forwarded_allow_ips=list(serving.proxies),
        timeout_graceful_shutdown=GRACE_SECONDS,
        timeout_worker_healthcheck=SILENCE_SECONDS,
        backlog=BACKLOG,
        http=GuardedConnection,
        ws="none",
    )


def check(serving: ServerOptions) -> None:
    """Refuse what cannot be served: several workers need a database that is made for them."""
    if serving.workers > 1 and serving.database.startswith("sqlite"):
        raise StoreError(serving.database, "one-worker-only")


def collect_rarely() -> None:
    """Let the collector of garbage run a hundredth as often.

    It looks through thousands of rooms and streams that are no garbage, while everybody waits; what is
    thrown away here is hardly ever a circle.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(70_000, 10, 10)


def app_of_worker(serving: ServerOptions, ready: Semaphore) -> ASGIApp:
    """Return the application of one of several workers, in its process; *ready* counts those that started."""
    set_up_log(requests=serving.log)
    collect_rarely()
    supervisor = multiprocessing.parent_process()
    if supervisor is not None:
        Thread(target=_stop_after, args=(supervisor,), name="noughts-supervisor", daemon=True).start()
    return make_app(serving, on_start=partial(_start, ready.release))


def _stop_after(supervisor: multiprocessing.process.BaseProcess) -> None:
    """Stop once *supervisor* is gone: however it ended, nobody is left at the port."""
    supervisor.join()
    os.kill(os.getpid(), signal.SIGTERM)
