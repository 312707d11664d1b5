"""Asking a thinker from the event loop: the answer is awaited, and who leaves stops the thought."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, suppress
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from starlette.requests import Request

from noughts.interfaces.web.http.replies import Refused
from noughts.search.analysis import Progress
from noughts.workers.messages import Answer, Failure, Task, Thinker

Value = TypeVar("Value")


async def ask(thinker: Thinker, task: Task, *arguments: Any, patience: float) -> Answer | Failure:
    """What comes of *task*; when this is cancelled, the thought is stopped."""
    loop = asyncio.get_running_loop()
    answered: asyncio.Future[Answer | Failure] = loop.create_future()

    def answer(message: Answer | Failure) -> None:
        if not answered.done():
            answered.set_result(message)

    def on_message(message: Progress | Answer | Failure) -> None:
        if not isinstance(message, Progress):
            with suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(answer, message)

    thought = thinker.ask(task, *arguments, on_message=on_message, patience=patience)
    try:
        return await answered
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
    """A fair queue: addresses take turns, whatever the length of each one's queue."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()
        self._own: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._asking = 0

    @property
    def is_awaited(self) -> bool:
        """Whether anybody waits besides the one whose turn it is."""
        return self._asking > 1

    @asynccontextmanager
    async def turn(self, address: str) -> AsyncIterator[None]:
        """While this lasts it is the turn of somebody at *address*."""
        own = self._own.setdefault(address, asyncio.Lock())
        self._asking += 1
        try:
            # The others of an address wait for one another: only one of them is in the queue of all.
            async with own, self._turn:
                yield
        finally:
            self._asking -= 1
