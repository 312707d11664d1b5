"""Running the server: one process, or several that share a socket."""

import gc
import ipaddress
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
from uvicorn.supervisors import Multiprocess

from noughts.arena.store.database import open_database
from noughts.errors import StoreError
from noughts.interfaces.web.app import make_app
from noughts.interfaces.web.http.metrics import log_as_json
from noughts.interfaces.web.http.protocol import BoundedProtocol
from noughts.interfaces.web.service import Serving

GRACE_SECONDS = 8
"""How long is waited for answers under way when the server is told to stop."""

BACKLOG = 2048


def serve(serving: Serving, listener: socket.socket, on_ready: Callable[[], None]) -> bool:
    """Serve at *listener* until told to stop; *on_ready* is called once, when requests are answered.

    Returns whether that time came. Raises :class:`~noughts.errors.StoreError` before anything is served.
    """
    check(serving)
    log_as_json()
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
        self.is_ready = False

    def keep_subprocess_alive(self) -> None:
        super().keep_subprocess_alive()
        if not (self.is_ready or self.should_exit.is_set()) and all(one.is_ready() for one in self.processes):
            self.is_ready = True
            self._on_ready()


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
        backlog=BACKLOG,
        http=BoundedProtocol,
        ws="none",
    )


def check(serving: Serving) -> None:
    """Refuse what cannot be served: several workers need a database that is made for them."""
    if serving.workers > 1 and serving.database.startswith("sqlite"):
        raise StoreError(serving.database, "one-worker-only")


def listening_socket(host: str, port: int) -> socket.socket:
    """A socket that workers inherit, on which small answers are sent at once."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # At once: only of a port that is listened at does the system say that it is taken.
    listening = socket.create_server((host, port), family=family, backlog=BACKLOG)
    # Made of its number it knows its protocol, at which asyncio looks before it turns off the delay of
    # small packets.
    listener = socket.socket(fileno=listening.detach())
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    listener.set_inheritable(True)
    return listener


def trusted(proxy: str) -> tuple[str, ...]:
    """The addresses or networks from which *proxy* may come to a socket of either family.

    Raises ValueError for what is neither an address nor a network.

    >>> trusted("10.1.2.3/8"), trusted("::1")
    (('10.0.0.0/8', '::ffff:a00:0/104'), ('::1/128',))
    """
    network = ipaddress.ip_network(proxy.strip(), strict=False)
    if network.version == 6:
        return (str(network),)
    mapped = ipaddress.IPv6Address(f"::ffff:{network.network_address}")
    return str(network), f"{mapped}/{96 + network.prefixlen}"


def address_in_network() -> str | None:
    """The address under which other devices of the network find this one, None where there is no network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking, suppress(OSError):
        asking.connect(("192.0.2.1", 9))  # nothing is sent: the system only says which way it would go
        address = ipaddress.ip_address(asking.getsockname()[0])
        return None if address.is_loopback else str(address)
    return None


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
    log_as_json()
    collect_rarely()
    supervisor = multiprocessing.parent_process()
    if supervisor is not None:
        Thread(target=_stop_after, args=(supervisor,), name="noughts-supervisor", daemon=True).start()
    return make_app(serving)


def _stop_after(supervisor: multiprocessing.process.BaseProcess) -> None:
    """Stop once *supervisor* is gone: however it ended, nobody is left at the port."""
    supervisor.join()
    os.kill(os.getpid(), signal.SIGTERM)
