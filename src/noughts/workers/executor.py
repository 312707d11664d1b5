"""An executor of processes for tournaments and for searches that several workers share.

:class:`concurrent.futures.ProcessPoolExecutor` is not suitable. If one of its processes is killed, it fails
all calls. Here only the call of that process fails. Before Python 3.14 it cannot end a running call, so
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
    """A call did not finish. The message has the reason."""


class ProcessExecutor(Executor):
    """An executor of *count* processes. If one ends, its call fails, and the next call starts it again.

    The processes ignore Ctrl-C, run at a lower priority (*niceness*), and end with this process, even if it
    is killed. Their temporary files are in *folder*, which its owner removes.
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
                raise RuntimeError("the executor is shut down: no more calls are accepted")
            self._futures.add(future)
            self._waiting.append((future, packed))
        future.add_done_callback(self._futures.discard)
        self._begin()
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes: at once, or if *wait* after the pending calls have finished."""
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
                with suppress(InvalidStateError):  # its result has just arrived
                    future.set_exception(CallFailedError("ended"))

    def _begin(self) -> None:
        """Give waiting calls to idle processes."""
        while True:
            with self._lock:
                if not (self._idle and self._waiting):
                    return
                future, packed = self._waiting.popleft()
                if not future.set_running_or_notify_cancel():
                    continue
                process = self._idle.pop()
            on_message = partial(self._hear, process, future)
            with suppress(RuntimeError):  # it has just been shut down
                process.ask(call, packed, on_message=on_message)

    def _hear(
        self, process: ProcessWorker, future: Future[Any], message: Progress | TaskResult | TaskFailure
    ) -> None:
        """Receive the result of a call."""
        assert not isinstance(message, Progress)  # noqa: S101 - calls tell of none
        with self._lock:
            self._idle.append(process)
        settle(future, message)
        self._begin()


def call(_: TaskContext, packed: str) -> Any:
    """Make a packed call, which has no access to the task context."""
    return call_packed(packed)


def settle(future: Future[Any], message: TaskResult | TaskFailure) -> None:
    """Set the result or the error of *future* from *message*, unless it was cancelled."""
    with suppress(InvalidStateError):
        if isinstance(message, TaskResult):
            future.set_result(message.value)
        else:
            future.set_exception(CallFailedError(f"{message.reason}: {message.detail}"))
