"""Running the server: one process, or several that share a socket."""

import gc
import multiprocessing
import multiprocessing.process
import os
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from functools import partial
from threading import Thread

import uvicorn
from starlette.types import ASGIApp
from uvicorn.supervisors.multiprocess import Multiprocess, Process

from noughts.arena.store.database import open_database
from noughts.errors import StoreError
from noughts.interfaces.web.app import make_app
from noughts.interfaces.web.http.metrics import set_up_log
from noughts.interfaces.web.http.protocol import BoundedProtocol
from noughts.interfaces.web.network import BACKLOG
from noughts.interfaces.web.service import Serving

GRACE_SECONDS = 8
"""How long is waited for answers under way when the server is told to stop."""

SILENCE_SECONDS = 30
"""Seconds of silence after which a worker that has answered before is replaced."""


def serve(serving: Serving, listener: socket.socket, on_ready: Callable[[], None]) -> bool:
    """Serve at *listener* until told to stop; *on_ready* is called once, when requests are answered.

    Returns whether that time came. Raises :class:`~noughts.errors.StoreError` before anything is served.
    """
    check(serving)
    set_up_log(requests=serving.log)
    collect_rarely()
    # Made or brought up to date before anybody is let in, by one process alone.
    with closing(open_database(serving.database)) as database:
        if serving.workers == 1:
            single = _Single(_config(serving, make_app(serving, database=lambda: database)), on_ready)
            single.run(sockets=[listener])
            return single.started
    several = _Several(_config(serving, partial(app_of_worker, serving)), listener, on_ready)
    several.run()
    return several.is_ready


class _Single(uvicorn.Server):
    """One process that says when it is ready."""

    def __init__(self, config: uvicorn.Config, on_ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._on_ready = on_ready

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """As inherited; but who was told to stop, and stops, has done well and does not die of the signal."""
        before = signal.signal(signal.SIGTERM, lambda _number, _frame: None)
        try:
            with super().capture_signals():
                yield
        finally:
            signal.signal(signal.SIGTERM, before)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._on_ready()


class _Several(Multiprocess):
    """Several processes that say when all of them are ready."""

    def __init__(self, config: uvicorn.Config, listener: socket.socket, on_ready: Callable[[], None]) -> None:
        super().__init__(config, sockets=[listener])
        self._on_ready = on_ready
        self._asked: set[int | None] = set()
        self._started: set[int | None] = set()
        self.is_ready = False

    def keep_subprocess_alive(self) -> None:
        """As inherited, but a worker that is starting, which takes long on a busy machine, is not dead."""
        workers = self.processes
        for place, worker in enumerate(workers):
            if not self._is_starting(worker):
                self.processes = [worker]
                super().keep_subprocess_alive()
                workers[place] = self.processes[0]
        self.processes = workers
        if self.is_ready or self.should_exit.is_set() or any(map(self._is_starting, self.processes)):
            return
        if all(one.is_ready() for one in self.processes):
            self.is_ready = True
            self._on_ready()

    def _is_starting(self, worker: Process) -> bool:
        """Return True if *worker* runs, but has not answered yet. It is asked only once."""
        if worker.pid in self._started or not worker.process.is_alive():
            return False
        with suppress(OSError, EOFError):  # it has ended meanwhile
            if worker.pid not in self._asked:
                self._asked.add(worker.pid)
                worker.parent_conn.send(b"ping")
            if not worker.parent_conn.poll():
                return True
            worker.parent_conn.recv()
        self._started.add(worker.pid)
        return False


def _config(serving: Serving, app: ASGIApp | Callable[[], ASGIApp]) -> uvicorn.Config:
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
        http=BoundedProtocol,
        ws="none",
    )


def check(serving: Serving) -> None:
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


def app_of_worker(serving: Serving) -> ASGIApp:
    """The application of one of several workers, made in its process."""
    set_up_log(requests=serving.log)
    collect_rarely()
    supervisor = multiprocessing.parent_process()
    if supervisor is not None:
        Thread(target=_stop_after, args=(supervisor,), name="noughts-supervisor", daemon=True).start()
    return make_app(serving)


def _stop_after(supervisor: multiprocessing.process.BaseProcess) -> None:
    """Stop once *supervisor* is gone: however it ended, nobody is left at the port."""
    supervisor.join()
    os.kill(os.getpid(), signal.SIGTERM)
