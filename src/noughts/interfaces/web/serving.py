"""The web server: one process, or several that share a socket."""

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
"""Seconds in which open requests may finish when the server stops."""

SILENCE_SECONDS = 60
"""Seconds without a heartbeat after which a worker is replaced. A start takes long on a busy machine."""


def serve(serving: ServerOptions, listener: socket.socket, on_ready: Callable[[], None]) -> bool:
    """Serve at *listener* until the process gets a signal to stop.

    *on_ready* is called once requests are accepted. Return True if the server was ready. Raises
    :class:`~noughts.errors.StoreError` before the start, and :class:`~noughts.errors.NewerStore` afterwards
    if a newer
    version has migrated the database.
    """
    check_options(serving)
    set_up_log(requests=serving.log)
    collect_rarely()
    # One process creates or migrates the database before any request.
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
    except StoreError:  # The server has stopped as requested.
        return


@contextmanager
def _surviving_the_stop() -> Iterator[None]:
    """Ignore the signal that uvicorn repeats after it has stopped, so that the process ends with success."""
    before = signal.signal(signal.SIGTERM, lambda _number, _frame: None)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _start(on_ready: Callable[[], Any], service: Service) -> None:
    """End the streams before uvicorn handles a signal to stop, since it waits for all responses."""
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
        # Only configured proxies may set the address of the client.
        proxy_headers=bool(serving.proxies),
        forwarded_allow_ips=list(serving.proxies),
        timeout_graceful_shutdown=GRACE_SECONDS,
        timeout_worker_healthcheck=SILENCE_SECONDS,
        backlog=BACKLOG,
        http=GuardedConnection,
        ws="none",
    )


def check_options(serving: ServerOptions) -> None:
    """Raise :class:`~noughts.errors.StoreError` if several workers are to share an SQLite database."""
    if serving.workers > 1 and serving.database.startswith("sqlite"):
        raise StoreError(serving.database, "one-worker-only")


def collect_rarely() -> None:
    """Let the garbage collector run a hundredth as often.

    It would inspect thousands of live rooms and streams while all requests wait, and cyclic garbage is rare
    here.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(70_000, 10, 10)


def app_of_worker(serving: ServerOptions, ready: Semaphore) -> ASGIApp:
    """Return the application of one of several workers, in its process.

    *ready* counts the started workers.
    """
    set_up_log(requests=serving.log)
    collect_rarely()
    supervisor = multiprocessing.parent_process()
    if supervisor is not None:
        Thread(target=_stop_after, args=(supervisor,), name="noughts-supervisor", daemon=True).start()
    return make_app(serving, on_start=partial(_start, ready.release))


def _stop_after(supervisor: multiprocessing.process.BaseProcess) -> None:
    """Stop this worker once *supervisor* has ended, so that no process stays at the port."""
    supervisor.join()
    os.kill(os.getpid(), signal.SIGTERM)
