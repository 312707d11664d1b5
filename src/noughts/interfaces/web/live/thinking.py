"""Asking a thinker from the event loop: the answer is awaited, and who leaves stops the thought."""

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, suppress
from typing import Any, TypeVar

from starlette.requests import Request

from noughts.interfaces.web.http.problems import Refused
from noughts.search.analysis import Progress
from noughts.workers.messages import Answer, Failure, Task, Thinker

Value = TypeVar("Value")


async def ask(thinker: Thinker, task: Task, *arguments: Any, patience: float) -> Answer | Failure:
    """What comes of *task*; when this is cancelled, the thought is stopped."""
    loop = asyncio.get_running_loop()
    heard: asyncio.Future[Answer | Failure] = loop.create_future()

    def hear(message: Answer | Failure) -> None:
        if not heard.done():
            heard.set_result(message)

    def tell(message: Progress | Answer | Failure) -> None:
        if not isinstance(message, Progress):
            with suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(hear, message)

    thought = thinker.ask(task, *arguments, tell=tell, patience=patience)
    try:
        return await heard
    finally:
        thought.stop()


async def unless_gone(request: Request, work: Coroutine[Any, Any, Value]) -> Value:
    """What comes of *work*, cancelled when whoever sent *request* leaves; they are :class:`Refused`."""
    doing, leaving = asyncio.ensure_future(work), asyncio.ensure_future(_leave(request))
    try:
        await asyncio.wait((doing, leaving), return_when=asyncio.FIRST_COMPLETED)
        if not doing.done():
            raise Refused(400, "unreadable", reason="cut-off")
        return doing.result()
    finally:
        doing.cancel()
        leaving.cancel()
        await asyncio.gather(doing, leaving, return_exceptions=True)


async def _leave(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


class Turns:
    """Lets one in after the other, each address in turn, however many of one address wait."""

    def __init__(self) -> None:
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()
        self._is_taken = False

    @property
    def is_awaited(self) -> bool:
        """Whether anybody waits."""
        return bool(self._waiting)

    @asynccontextmanager
    async def turn(self, address: str) -> AsyncIterator[None]:
        """While this lasts it is the turn of somebody at *address*."""
        if self._is_taken:
            await self._wait(address)
        self._is_taken = True
        try:
            yield
        finally:
            self._pass_on()

    async def _wait(self, address: str) -> None:
        mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(address, deque()).append(mine)
        try:
            await mine
        except asyncio.CancelledError:
            if not mine.cancelled():  # whose turn it had just become
                self._pass_on()
            raise

    def _pass_on(self) -> None:
        while self._waiting:
            address, waiting = self._waiting.popitem(last=False)
            following = waiting.popleft()
            if waiting:
                self._waiting[address] = waiting
            if not following.done():
                following.set_result(None)
                return
        self._is_taken = False
