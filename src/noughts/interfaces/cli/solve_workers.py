"""The workers that help ``solve``: processes of this machine, or a cluster."""

import logging
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import TypeVar

from noughts.errors import ExtraMissing, WorkersFailed
from noughts.games.base import Game
from noughts.interfaces.presenting.i18n import ReadableError, Translator
from noughts.search.analyst import Analyst
from noughts.search.parallel.division import Workers
from noughts.workers.cluster import ClusterExecutor
from noughts.workers.executor import ProcessExecutor

CONNECT_SECONDS = 10
"""The time limit for the connection to a cluster, in seconds."""

GRACE_SECONDS = 5
"""Additional seconds to wait: Dask waits forever for a server that accepts the connection silently."""

Found = TypeVar("Found")


@contextmanager
def workers_for(say: Translator, count: int | None, cluster: str | None) -> Iterator[Workers | None]:
    """Yield *count* workers of this machine or of *cluster*, or None if this process works alone.

    Raises :class:`ReadableError` if the cluster cannot be used.
    """
    if cluster is not None:
        with cluster_workers(say, cluster, count) as workers:
            yield workers
    elif count is None or count == 1:
        yield None
    else:
        executor = ProcessExecutor(count)
        try:
            yield Workers(executor, count)
        finally:
            executor.shutdown(wait=False, cancel_futures=True)


@contextmanager
def cluster_workers(say: Translator, address: str, count: int | None) -> Iterator[Workers]:
    """Yield the Dask workers at *address*: all of them, or *count* at a time."""
    try:
        from distributed import Client
    except ImportError:
        raise ExtraMissing("--cluster", "cluster") from None
    try:
        client = call_with_timeout(
            lambda: Client(address, timeout=CONNECT_SECONDS), CONNECT_SECONDS + GRACE_SECONDS
        )
    except Exception:  # No server answers, the address is wrong, or the server is no cluster.
        raise ReadableError(say("cluster-unreachable", address=address)) from None
    with silent_logs(), client:
        threads = sum(client.nthreads().values())
        if not threads:
            raise ReadableError(say("cluster-empty", address=address))
        executor = ClusterExecutor(client)
        try:
            yield Workers(executor, count or threads)
        except WorkersFailed:
            if executor.is_lost:
                raise ReadableError(say("cluster-lost", address=address)) from None
            raise
        finally:
            executor.shutdown(wait=False)


@contextmanager
def silent_logs() -> Iterator[None]:
    """Disable logging, since Dask logs to the terminal and errors are reported as sentences."""
    before = logging.root.manager.disable
    logging.disable()
    try:
        yield
    finally:
        logging.disable(before)


def call_with_timeout(find: Callable[[], Found], seconds: float) -> Found:
    """Return the result of *find* or raise its error.

    Raise TimeoutError if it takes longer than *seconds*.
    """
    result: Future[Found] = Future()

    def run() -> None:
        try:
            result.set_result(find())
        except BaseException as error:
            result.set_exception(error)

    threading.Thread(target=run, name="noughts-finding", daemon=True).start()
    return result.result(seconds)


def check_can_divide(say: Translator, analyst: Analyst, game: Game) -> None:
    """Raise an error if the search of *game* cannot be divided."""
    if analyst.exact_search(game) is None:
        raise ReadableError(say("workers-unsupported", game=game.name))
