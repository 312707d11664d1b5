"""A scheduler for work of a size that callers choose. It is charged in advance and delays no move.

The cost of a request is an estimate in milliseconds, from the size of the board and the length of the game.
Each address has a budget. Addresses take turns, and work for disconnected clients is not started. Short work
runs in threads apart from those of commands. Long work runs in a separate process, since it would slow down
all threads.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import partial, wraps
from time import thread_time
from typing import Any, TypeVar

from starlette.requests import Request

from noughts.errors import NoughtsError, as_exception
from noughts.interfaces.web.caches import SizedCache
from noughts.interfaces.web.http.limits import Quotas, ServerLimits, Tally
from noughts.interfaces.web.http.middleware import address_of
from noughts.interfaces.web.http.replies import ApiError
from noughts.interfaces.web.live.computers import FairQueue, ask, cancel_on_disconnect
from noughts.workers.messages import TaskContext, TaskResult, TaskWorker

LONG = 15.0
"""The cost, in milliseconds, from which work runs in the process."""

MAX_READERS = 3
"""The number of addresses that read games, the history or the scores at once."""

THREADS = 1 + MAX_READERS

MAX_WAITING = 200
"""The largest number of waiting responses of all addresses."""

TIMEOUT_SECONDS = 60.0
"""Seconds after which the process is stopped. No allowed board takes as long."""

MAX_CACHED = 16_000_000
"""The largest size of all cached responses, in characters or bytes."""

CHARACTERS_PER_MS = 20_000
"""The number of characters of a cached response that can be compressed and sent in a millisecond."""

Value = TypeVar("Value")

Content = TypeVar("Content", str, bytes)

ContentTask = Callable[..., Content | NoughtsError]
TextTask = ContentTask[str]
BytesTask = ContentTask[bytes]
"""Functions ``task(context, *arguments)`` that return a response, or an error."""


def _task(make: Callable[..., Content]) -> ContentTask[Content]:
    @wraps(make)
    def task(_: TaskContext | None, *arguments: Any) -> Content | NoughtsError:
        try:
            return make(*arguments)
        except NoughtsError as error:
            return error

    return task


def text_task(make: Callable[..., str]) -> TextTask:
    """Return a task that returns the text of *make*, or the error that *make* raises."""
    return _task(make)


def bytes_task(make: Callable[..., bytes]) -> BytesTask:
    """Return a task that returns the file of *make*, or the error that *make* raises."""
    return _task(make)


async def call_in(threads: ThreadPoolExecutor, function: Callable[[], Value]) -> Value:
    """Return the result of *function*, called in one of *threads*. No exception ends the event loop."""

    def call() -> Value:
        try:
            return function()
        except BaseException as error:
            raise as_exception(error) from error

    return await asyncio.get_running_loop().run_in_executor(threads, call)


class WorkScheduler:
    """A scheduler for the work of requests within the budgets of their addresses.

    *thinker* does the long work. All methods are for the thread of the event loop.
    """

    def __init__(self, limits: ServerLimits, quotas: Quotas, thinker: TaskWorker) -> None:
        self._budgets, self._max_waiting, self._thinker = quotas.work, limits.waiting, thinker
        self._threads = ThreadPoolExecutor(THREADS, "noughts-work")
        self._short, self._long, self._reading = FairQueue(), FairQueue(), FairQueue(MAX_READERS)
        self._waiting = Tally()
        self._made = SizedCache[object, Any](MAX_CACHED, len)

    def charge(self, address: str, cost: float) -> None:
        """Take *cost* from the budget of *address*; :class:`ApiError` (429) if it is used up."""
        self._budgets.take(address, cost)

    async def afford(self, address: str, cost: float) -> None:
        """Wait until the budget of *address* allows *cost*, and take it."""
        while True:
            try:
                return self.charge(address, cost)
            except ApiError as refused:
                await asyncio.sleep(refused.data["seconds"])

    async def text(self, request: Request, cost: float, task: TextTask, *arguments: Any) -> str:
        """Return the text that *task* makes of *arguments*, or the cached text.

        Arguments have to be hashable and picklable. Raises the error that the task returns.
        """
        return await self._content(request, cost, task, arguments)

    async def file(self, request: Request, cost: float, task: BytesTask, *arguments: Any) -> bytes:
        """Return the file that *task* makes of *arguments*, like :meth:`text`."""
        return await self._content(request, cost, task, arguments)

    async def _content(
        self, request: Request, cost: float, task: ContentTask[Content], arguments: Any
    ) -> Content:
        address, key = address_of(request), (task.__qualname__, arguments)
        if (cached := self._made.get(key)) is not None:
            self.charge(address, len(cached) / CHARACTERS_PER_MS)
            known: Content = cached
            return known
        return await cancel_on_disconnect(request, self._make(address, cost, key, task, arguments))

    async def _make(
        self, address: str, cost: float, key: object, task: ContentTask[Content], arguments: Any
    ) -> Content:
        is_long = cost >= LONG
        async with self._turn(address, cost, self._long if is_long else self._short, key):
            if (cached := self._made.get(key)) is not None:  # Another request has made it meanwhile.
                known: Content = cached
                return known
            if is_long:
                message = await ask(self._thinker, task, *arguments, patience=TIMEOUT_SECONDS)
                if not isinstance(message, TaskResult):
                    raise ApiError(503, "server-busy", seconds=1)
                made = message.value
            else:
                made = await self._in_thread(task, None, *arguments)
        if isinstance(made, NoughtsError):
            raise made
        content: Content = made
        self._made.put(key, content)
        return content

    async def run(self, address: str, cost: float, function: Callable[..., Value], *arguments: Any) -> Value:
        """Return the result of *function*, called in a thread when *address* has its turn."""
        async with self._turn(address, cost, self._short, object()):
            return await self._in_thread(function, *arguments)

    async def write(self, address: str, function: Callable[..., Value], *arguments: Any) -> Value:
        """Return the result of *function* like :meth:`run`, without a charge or a limit."""
        async with self._short.turn(address, object()):
            return await self._in_thread(function, *arguments)

    async def read(self, address: str, function: Callable[[], Value]) -> Value:
        """Return the result of *function*, which reads the database.

        Its computing time is charged afterwards.
        """
        async with self._turn(address, 1.0, self._reading, object()):
            value: Value
            value, cost = await self._in_thread(_timed, function)
            self._budgets.owe(address, cost)
            return value

    async def _in_thread(self, function: Callable[..., Value], *arguments: Any) -> Value:
        return await call_in(self._threads, partial(function, *arguments))

    @asynccontextmanager
    async def _turn(self, address: str, cost: float, turns: FairQueue, key: object) -> AsyncIterator[None]:
        if self._waiting[address] >= self._max_waiting:
            raise ApiError(429, "too-often", seconds=1)
        if self._waiting.total() >= MAX_WAITING:
            raise ApiError(503, "server-busy", seconds=1)
        self.charge(address, cost)
        self._waiting[address] += 1
        try:
            async with turns.turn(address, key):
                yield
        finally:
            self._waiting.drop(address)

    def close(self) -> None:
        """Stop the process and the threads."""
        self._thinker.close()
        self._threads.shutdown()


def _timed(function: Callable[[], Value]) -> tuple[Value, float]:
    """Return the result of *function* and its computing time in milliseconds."""
    began = thread_time()
    value = function()
    return value, 1_000 * (thread_time() - began)
