"""Functions called by a cluster of Dask, until it is lost."""

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
"""The status of a client that has tried in vain to reach the cluster again."""


class DaskClient(Protocol):
    """What is needed of Dask's client."""

    @property
    def status(self) -> str:
        """How it stands with the cluster."""

    def get_executor(self, *, pure: bool) -> Executor:
        """What calls functions there."""


class ClusterLostError(Exception):
    """The scheduler of the cluster does not answer any more."""


LOST_CLUSTER = ClusterLostError("the cluster does not answer any more")


class ClusterExecutor(Executor):
    """Has the cluster of *client* call functions. Once that is lost for good all calls fail.

    Dask's own executor leaves calls open for ever that were made while it looked for the cluster in vain. Of
    what is called, Dask carries nothing but text to the workers and back.
    """

    def __init__(self, client: DaskClient) -> None:
        self._client = client
        self._executor = client.get_executor(pure=False)  # who works on an equal task once more knows more
        self._open: set[Future[Any]] = set()
        self._has_ended = threading.Event()
        threading.Thread(target=self._watch, name="noughts-cluster", daemon=True).start()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self._open.add(future)
        future.add_done_callback(self._open.discard)
        try:
            there = self._executor.submit(packed_result, pack_call(fn, *args, **kwargs))
        except Exception as error:  # a client that is closed takes nothing
            future.set_exception(LOST_CLUSTER if self.is_lost else error)
            return future
        future.add_done_callback(lambda ended: there.cancel() if ended.cancelled() else None)
        there.add_done_callback(partial(_pass_on, future))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._has_ended.set()
        with suppress(Exception) if self.is_lost else nullcontext():  # there is nobody to say so to
            self._executor.shutdown(wait=wait)

    @property
    def is_lost(self) -> bool:
        """Whether the scheduler was looked for in vain."""
        return self._client.status == LOST

    def _watch(self) -> None:
        while not self._has_ended.wait(LOOK_SECONDS):
            if self.is_lost:
                for future in list(self._open):
                    with suppress(InvalidStateError):  # it was cancelled in this moment
                        future.set_exception(LOST_CLUSTER)


def packed_result(packed: str) -> str:
    """What comes of a call, as text."""
    return pack(run_task(TaskContext({}, no_report, never), partial(call, packed=packed)))


def _pass_on(future: Future[Any], there: Future[str]) -> None:
    """Let *future* have what came of the call that was made elsewhere."""
    try:
        message = unpack(there.result())
    except BaseException as error:
        with suppress(InvalidStateError):  # it was given up meanwhile
            future.set_exception(error)
    else:
        settle(future, message)
