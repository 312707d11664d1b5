"""Who else works on what ``solve`` asks: processes of this machine, or a cluster."""

from collections.abc import Iterator
from contextlib import contextmanager

from noughts.games.base import Game
from noughts.interfaces.presenting.i18n import Said, Translator
from noughts.search.analyst import Analyst
from noughts.search.dividing.division import Workers
from noughts.workers.cluster import ClusterExecutor
from noughts.workers.executor import ProcessExecutor

INSTALL = 'pip install "noughts[cluster]"'
"""How to get what a cluster needs."""

CONNECT_SECONDS = 10
"""How long is waited for a cluster."""


@contextmanager
def workers_for(say: Translator, count: int | None, cluster: str | None) -> Iterator[Workers | None]:
    """So many workers, of the *cluster* with this address if one is given; None where this process is alone.

    :class:`Said` says why a cluster cannot be had.
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
        raise Said(say("cluster-missing", command=INSTALL)) from None
    try:
        client = Client(address, timeout=CONNECT_SECONDS)
    except (OSError, ValueError):  # nobody answers, or it is no address
        raise Said(say("cluster-unreachable", address=address)) from None
    with client:
        threads = sum(client.nthreads().values())
        if not threads:
            raise Said(say("cluster-empty", address=address))
        executor = ClusterExecutor(client)
        try:
            yield Workers(executor, count or threads)
        finally:
            executor.shutdown(wait=False)


def check_can_divide(say: Translator, analyst: Analyst, game: Game) -> None:
    """Refuse a *game* whose search nobody divides."""
    if analyst.exact_search(game) is None:
        raise Said(say("workers-unsupported", game=game.name))
