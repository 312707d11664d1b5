"""Who else works on what ``solve`` asks: processes of this machine, or a cluster."""

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
"""How long is waited for a cluster."""

GRACE_SECONDS = 5
"""So many seconds more it has to fail: Dask waits for ever for somebody who takes its call and is silent."""

Found = TypeVar("Found")


@contextmanager
def workers_for(say: Translator, count: int | None, cluster: str | None) -> Iterator[Workers | None]:
    """So many workers, of the *cluster* with this address if one is given; None where this process is alone.

    :class:`ReadableError` says why a cluster cannot be had.
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
    """The workers of Dask at *address*: all of them, or *count* at a time."""
    try:
        from distributed import Client
    except ImportError:
        raise ExtraMissing("--cluster", "cluster") from None
    try:
        client = call_with_timeout(
            lambda: Client(address, timeout=CONNECT_SECONDS), CONNECT_SECONDS + GRACE_SECONDS
        )
    except Exception:  # nobody answers, it is no address, or whoever answers is no cluster
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
    """Let nothing be logged, as Dask does on the terminal: what has to be known is said in a sentence."""
    before = logging.root.manager.disable
    logging.disable()
    try:
        yield
    finally:
        logging.disable(before)


def call_with_timeout(find: Callable[[], Found], seconds: float) -> Found:
    """What *find* returns or raises; TimeoutError where it does not within so many *seconds*."""
    result: Future[Found] = Future()

    def run() -> None:
        try:
            result.set_result(find())
        except BaseException as error:
            result.set_exception(error)

    threading.Thread(target=run, name="noughts-finding", daemon=True).start()
    return result.result(seconds)


def check_can_divide(say: Translator, analyst: Analyst, game: Game) -> None:
    """Refuse a *game* whose search nobody divides."""
    if analyst.exact_search(game) is None:
        raise ReadableError(say("workers-unsupported", game=game.name))
