"""A lost cluster: its pending calls fail, and so do later ones."""

from concurrent.futures import CancelledError, Executor, Future
from typing import Any

import pytest

from noughts.workers import cluster
from noughts.workers.cluster import ClusterExecutor, ClusterLostError

LONG = 60.0


class Never(Executor):
    """An executor whose calls never end. After its shutdown it accepts no more."""

    def __init__(self) -> None:
        self.is_shut = False

    def submit(self, *_: Any, **named: Any) -> Future[Any]:
        if self.is_shut:
            raise OSError("closed")
        return Future()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        if self.is_shut:
            raise OSError("closed")


class Client:
    """A client that is lost after a number of *looks*."""

    def __init__(self, looks: int) -> None:
        self.looks, self.executor = looks, Never()

    @property
    def status(self) -> str:
        self.looks -= 1
        return "running" if self.looks >= 0 else "closed"

    def get_executor(self, *, pure: bool) -> Executor:
        assert not pure
        return self.executor


def test_lost_cluster_fails_pending_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "LOOK_SECONDS", 0.001)
    client = Client(looks=2)
    executor = ClusterExecutor(client)
    asked, cancelled = executor.submit(pow, 2, 3), executor.submit(pow, 2, 3)
    cancelled.cancel()
    later = executor.submit(pow, 2, 3)
    for future in (asked, later):
        with pytest.raises(ClusterLostError):
            future.result(LONG)
    with pytest.raises(CancelledError):
        cancelled.result(LONG)
    client.executor.is_shut = True
    with pytest.raises(ClusterLostError):
        executor.submit(pow, 2, 3).result(LONG)
    executor.shutdown()


def test_refused_call_fails() -> None:
    client = Client(looks=9)
    executor = ClusterExecutor(client)
    client.executor.is_shut = True
    with pytest.raises(OSError, match="closed"):
        executor.submit(pow, 2, 3).result(LONG)
    with pytest.raises(OSError, match="closed"):
        executor.shutdown()
