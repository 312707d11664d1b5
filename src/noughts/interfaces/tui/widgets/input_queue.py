"""Keys and clicks are done one after another: each waits until what came before it has been done with.

Textual hands a key to the screen of the moment at once. Of keys that come in one piece, typed ahead or by
a slow line, the second would go to the screen that the first one is about to cover or to leave.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from textual.app import App
from textual.events import Callback, Event
from textual.message_pump import MessagePump

MAX_ROUNDS = 100
"""A part that after so many rounds still sends messages does so by itself: no key waits for it longer."""


class InputQueue:
    """Input that is waiting to be handled; *act* handles one item in *app*."""

    def __init__(self, app: App[Any], act: Callable[[Event], Awaitable[None]]) -> None:
        self._app, self._act = app, act
        self._waiting: asyncio.Queue[Event] = asyncio.Queue()
        self.count = 0
        """How many keys and clicks have not been done with."""

    def take(self, event: Event) -> None:
        """Do what *event* asks for when its turn comes."""
        self.count += 1
        self._waiting.put_nowait(event)

    async def work_off(self) -> None:
        """Do one thing after another; what comes once the program is being left is dropped."""
        while True:
            event = await self._waiting.get()
            if self._app.screen.is_attached:
                await self._act(event)
                await come_to_rest(self._app)
            self.count -= 1


async def come_to_rest(app: App[Any]) -> None:
    """Wait until all parts of *app* have done what they were sent, and what came of that; by no clock."""
    for _ in range(MAX_ROUNDS):
        pumps = _pumps(app)
        reached = [asyncio.Event() for _ in pumps]
        for pump, event in zip(pumps, reached, strict=True):
            # Its call_later would have Textual look anew each time how many arguments are wanted.
            if not pump.post_message(Callback(callback=event.set)):
                event.set()  # it is being closed
        for pump, event in zip(pumps, reached, strict=True):
            while not event.is_set() and not _is_gone(pump):
                await asyncio.sleep(0)
        # What passes from part to part, or opens a screen, takes a round for each.
        if pumps == _pumps(app) and not any(pump.message_queue_size for pump in pumps):
            return


def _pumps(app: App[Any]) -> list[MessagePump]:
    """The application, its screens and all that is on the one that is seen."""
    seen = app.screen_stack[-1:]
    return [app, *app.screen_stack, *(part for screen in seen for part in screen.walk_children())]


def _is_gone(pump: MessagePump) -> bool:
    """Whether *pump* has stopped, or was taken away before it began; one that is to be mounted may begin."""
    if pump.is_running:
        return False
    return isinstance(pump, App) or not pump.is_attached or bool(getattr(pump, "is_mounted", True))
