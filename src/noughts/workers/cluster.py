"""An executor for a Dask cluster. If the cluster is lost, all calls fail."""

import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future, InvalidStateError
from contextlib import nullcontext, suppress
from functools import partial
from typing import Any, Protocol

from noughts.search.analysis import never, no_report
from noughts.workers.executor import call, settle
from noughts.workers.messages import TaskContext, run_task
from noughts.workers.transfer import pack, pack_call, unpack

LOOK_SECONDS = 1.0
"""Seconds between checks whether the cluster is still there."""

LOST = "closed"
"""The status of a client that has given up reconnecting to the cluster."""


class DaskClient(Protocol):
    """The part of Dask's client that is used here."""

    @property
    def status(self) -> str:
        """The status of the connection to the cluster."""

    def get_executor(self, *, pure: bool) -> Executor:
        """Return an executor that calls functions in the cluster."""


class ClusterLostError(Exception):
    """The scheduler of the cluster does not answer any more."""


LOST_CLUSTER = ClusterLostError("the cluster does not answer any more")


class ClusterExecutor(Executor):
    """An executor that calls functions in the cluster of *client*. If the cluster is lost, all calls fail.

    With Dask's own executor, calls that were made during failed reconnection would never end. Calls and
    results are sent through Dask only as text.
    """

    def __init__(self, client: DaskClient) -> None:
        self._client = client
        # The result of an equal task may be better the second time.
        self._executor = client.get_executor(pure=False)
        self._open: set[Future[Any]] = set()
        self._has_ended = threading.Event()
        threading.Thread(target=self._watch, name="noughts-cluster", daemon=True).start()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self._open.add(future)
        future.add_done_callback(self._open.discard)
        try:
            remote = self._executor.submit(packed_result, pack_call(fn, *args, **kwargs))
        except Exception as error:  # a closed client raises an error
            future.set_exception(LOST_CLUSTER if self.is_lost else error)
            return future
        future.add_done_callback(lambda ended: remote.cancel() if ended.cancelled() else None)
        remote.add_done_callback(partial(_copy_outcome, future))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._has_ended.set()
        with suppress(Exception) if self.is_lost else nullcontext():  # a lost cluster cannot be reached
            self._executor.shutdown(wait=wait)

    @property
    def is_lost(self) -> bool:
        """True if the scheduler cannot be reached any more."""
        return self._client.status == LOST

    def _watch(self) -> None:
        while not self._has_ended.wait(LOOK_SECONDS):
            if self.is_lost:
                for future in list(self._open):
                    with suppress(InvalidStateError):  # it was cancelled in the meantime
                        future.set_exception(LOST_CLUSTER)


def packed_result(packed: str) -> str:
    """Make a packed call in the cluster and return its packed result."""
    return pack(run_task(TaskContext({}, no_report, never), partial(call, packed=packed)))


def _copy_outcome(future: Future[Any], remote: Future[str]) -> None:
    """Copy the result or the error of the remote call to *future*."""
    try:
        message = unpack(remote.result())
    except BaseException as error:
        with suppress(InvalidStateError):  # it was cancelled in the meantime
            future.set_exception(error)
    else:
        settle(future, message)
