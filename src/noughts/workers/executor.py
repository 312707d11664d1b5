"""An executor of processes for tournaments and for searches that several workers share.

:class:`concurrent.futures.ProcessPoolExecutor` does not do here. If one of its processes is killed, it fails
all calls; here only the call of that process fails. Before Python 3.14 it cannot end a running call, so
Ctrl-C would have to wait for games and searches. Its processes also get the Ctrl-C of the terminal.
"""

import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor, Future, InvalidStateError
from concurrent.futures import wait as wait_for
from contextlib import suppress
from functools import partial
from typing import Any

from noughts.search.analysis import Progress
from noughts.workers.messages import TaskContext, TaskFailure, TaskResult
from noughts.workers.supervisor import ProcessWorker
from noughts.workers.transfer import call_packed, pack_call
from noughts.workers.worker_main import NICENESS


class CallFailedError(Exception):
    """A call did not come to its end; the message says why."""


class ProcessExecutor(Executor):
    """*count* processes; one that ends is started anew with the next call, and its call fails.

    They leave Ctrl-C to this process, go after it by their *niceness*, and end with it in whatever way it
    ends. What they leave behind in *folder*, where their temporary files are, is for who made that to remove.
    """

    def __init__(self, count: int, folder: str | None = None, niceness: int = NICENESS) -> None:
        self._lock = threading.Lock()
        self._processes = [ProcessWorker(folder, niceness) for _ in range(count)]
        self._idle = list(self._processes)
        self._waiting: deque[tuple[Future[Any], str]] = deque()
        self._futures: set[Future[Any]] = set()
        self._is_shut = False

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        packed = pack_call(fn, *args, **kwargs)
        with self._lock:
            if self._is_shut:
                raise RuntimeError("the executor is shut down: nothing can be called any more")
            self._futures.add(future)
            self._waiting.append((future, packed))
        future.add_done_callback(self._futures.discard)
        self._begin()
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes: at once, or if *wait* as soon as what was called has come to its end."""
        with self._lock:
            self._is_shut = True
            futures = list(self._futures)
        if cancel_futures:
            for future in futures:
                future.cancel()
        if wait:
            wait_for(futures)
        for process in self._processes:
            process.close()
        for future in futures:
            if not (future.done() or future.cancel()):
                with suppress(InvalidStateError):  # what came of it was told in this moment
                    future.set_exception(CallFailedError("ended"))

    def _begin(self) -> None:
        """Let idle processes begin with what waits."""
        while True:
            with self._lock:
                if not (self._idle and self._waiting):
                    return
                future, packed = self._waiting.popleft()
                if not future.set_running_or_notify_cancel():
                    continue
                process = self._idle.pop()
            on_message = partial(self._hear, process, future)
            with suppress(RuntimeError):  # it was shut down in this moment
                process.ask(call, packed, on_message=on_message)

    def _hear(
        self, process: ProcessWorker, future: Future[Any], message: Progress | TaskResult | TaskFailure
    ) -> None:
        """Note what came of a call."""
        assert not isinstance(message, Progress)  # noqa: S101 - calls tell of none
        with self._lock:
            self._idle.append(process)
        settle(future, message)
        self._begin()


def call(_: TaskContext, packed: str) -> Any:
    """Make a call at a desk that it knows nothing of."""
    return call_packed(packed)


def settle(future: Future[Any], message: TaskResult | TaskFailure) -> None:
    """Let *future* have what *message* tells, unless it was given up meanwhile."""
    with suppress(InvalidStateError):
        if isinstance(message, TaskResult):
            future.set_result(message.value)
        else:
            future.set_exception(CallFailedError(f"{message.reason}: {message.detail}"))
