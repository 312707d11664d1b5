"""Asking a thinker from the event loop: the answer is awaited, and who leaves stops the thought."""

import asyncio
from contextlib import suppress
from typing import Any

from noughts.arena.thinking import Answer, Failure, Task, Thinker
from noughts.search.analysis import Progress


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
