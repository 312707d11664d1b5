"""Work whose size callers choose: it is paid for before it is done, and no move waits for it.

The cost of a request is an estimate in milliseconds, made from the size of its board and the length of its
game alone. An address has a budget of them. Addresses take turns, so that none keeps the others waiting, and
work of people who have left is not begun. Short work is done in threads apart from those that carry out
moves; long work in a process of its own, since in a thread it would slow down all others.
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
from noughts.interfaces.web.live.computers import FairQueue, ask, unless_gone
from noughts.workers.messages import TaskContext, TaskResult, TaskWorker

LONG = 15.0
"""The cost from which work is done in the process."""

MAX_READERS = 3
"""The number of addresses that read games, the history or the scores at once."""

THREADS = 1 + MAX_READERS

MAX_WAITING = 200
"""The number of answers that all addresses together wait for."""

TIMEOUT_SECONDS = 60.0
"""Seconds after which the process is ended: no board that is let in takes as long."""

MAX_CACHED = 16_000_000
"""The number of characters of answers that are kept: what is asked for again is not made again."""

CHARACTERS_PER_MS = 20_000
"""The number of characters of a kept answer that can be packed and sent in a millisecond."""

Value = TypeVar("Value")

TextTask = Callable[..., str | NoughtsError]
"""``task(desk, *arguments)``: makes an answer as text, or returns why there is none."""


def text_task(make: Callable[..., str]) -> TextTask:
    """A task that returns the text that *make* makes, or the error that it raises."""

    @wraps(make)
    def task(_: TaskContext | None, *arguments: Any) -> str | NoughtsError:
        try:
            return make(*arguments)
        except NoughtsError as error:
            return error

    return task


async def call_in(threads: ThreadPoolExecutor, function: Callable[[], Value]) -> Value:
    """Return the result of *function*, called in one of *threads*; whatever it raises ends no event loop."""

    def call() -> Value:
        try:
            return function()
        except BaseException as error:
            raise as_exception(error) from error

    return await asyncio.get_running_loop().run_in_executor(threads, call)


class WorkScheduler:
    """Does the work of requests within the budget of their addresses; *thinker* is the process for the long.

    All methods are for the event loop's thread.
    """

    def __init__(self, limits: ServerLimits, quotas: Quotas, thinker: TaskWorker) -> None:
        self._budgets, self._most_of_one, self._thinker = quotas.work, limits.waiting, thinker
        self._threads = ThreadPoolExecutor(THREADS, "noughts-work")
        self._short, self._long, self._reading = FairQueue(), FairQueue(), FairQueue(MAX_READERS)
        self._waiting = Tally()
        self._texts = SizedCache[object, str](MAX_CACHED, len)

    def charge(self, address: str, cost: float) -> None:
        """Take *cost* from the budget of *address*; :class:`ApiError` (429) if it is used up."""
        self._budgets.take(address, cost)

    async def afford(self, address: str, cost: float) -> None:
        """Return once the budget of *address* allows *cost*, which is taken from it."""
        while True:
            try:
                return self.charge(address, cost)
            except ApiError as refused:
                await asyncio.sleep(refused.data["seconds"])

    async def text(self, request: Request, cost: float, task: TextTask, *arguments: Any) -> str:
        """Return the text that *task* makes of *arguments*, which are hashable and can be sent to a process.

        If it was made lately, it is not made again. Raises the error that the task returns.
        """
        address, key = address_of(request), (task.__qualname__, arguments)
        if (cached := self._texts.get(key)) is not None:
            self.charge(address, len(cached) / CHARACTERS_PER_MS)
            return cached
        return await unless_gone(request, self._make(address, cost, key, task, arguments))

    async def _make(self, address: str, cost: float, key: object, task: TextTask, arguments: Any) -> str:
        is_long = cost >= LONG
        async with self._turn(address, cost, self._long if is_long else self._short, key):
            if (cached := self._texts.get(key)) is not None:  # made for another request meanwhile
                return cached
            if is_long:
                message = await ask(self._thinker, task, *arguments, patience=TIMEOUT_SECONDS)
                if not isinstance(message, TaskResult):
                    raise ApiError(503, "server-busy", seconds=1)
                made = message.value
            else:
                made = await self._in_thread(task, None, *arguments)
        if isinstance(made, NoughtsError):
            raise made
        text: str = made
        self._texts.put(key, text)
        return text

    async def run(self, address: str, cost: float, function: Callable[..., Value], *arguments: Any) -> Value:
        """Return what *function* returns, called in a thread when it is the turn of *address*."""
        async with self._turn(address, cost, self._short, object()):
            return await self._in_thread(function, *arguments)

    async def write(self, address: str, function: Callable[..., Value], *arguments: Any) -> Value:
        """The same for what has been paid for, and is not refused."""
        async with self._short.turn(address, object()):
            return await self._in_thread(function, *arguments)

    async def read(self, address: str, function: Callable[[], Value]) -> Value:
        """Return what *function* reads in the database; how long that took is paid for afterwards."""
        async with self._turn(address, 1.0, self._reading, object()):
            value: Value
            value, cost = await self._in_thread(_timed, function)
            self._budgets.owe(address, cost)
            return value

    async def _in_thread(self, function: Callable[..., Value], *arguments: Any) -> Value:
        return await call_in(self._threads, partial(function, *arguments))

    @asynccontextmanager
    async def _turn(self, address: str, cost: float, turns: FairQueue, key: object) -> AsyncIterator[None]:
        if self._waiting[address] >= self._most_of_one:
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
        """End the process and the threads."""
        self._thinker.close()
        self._threads.shutdown()


def _timed(function: Callable[[], Value]) -> tuple[Value, float]:
    """Return the result of *function*, and the milliseconds that it computed."""
    began = thread_time()
    value = function()
    return value, 1_000 * (thread_time() - began)
