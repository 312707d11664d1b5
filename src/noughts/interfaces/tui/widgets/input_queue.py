"""A queue of keys and clicks: each waits until the one before it was handled.

Textual sends a key to the current screen at once. If several keys arrive together, the second would go to a
screen that the first one is about to cover or to leave.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from textual.app import App
from textual.events import Callback, Event
from textual.message_pump import MessagePump

MAX_ROUNDS = 100
"""Maximum number of rounds for which a key waits.

A widget that sends messages for longer does so by itself, not because of the key.
"""


class InputQueue:
    """Input that is waiting to be handled; *act* handles one item in *app*."""

    def __init__(self, app: App[Any], act: Callable[[Event], Awaitable[None]]) -> None:
        self._app, self._act = app, act
        self._waiting: asyncio.Queue[Event] = asyncio.Queue()
        self.count = 0
        """The number of keys and clicks that are not handled yet."""

    def add(self, event: Event) -> None:
        """Add *event* to the queue."""
        self.count += 1
        self._waiting.put_nowait(event)

    async def run_queue(self) -> None:
        """Handle the events one after another; events after the end of the program are dropped."""
        while True:
            event = await self._waiting.get()
            if self._app.screen.is_attached:
                await self._act(event)
                await wait_until_idle(self._app)
            self.count -= 1


async def wait_until_idle(app: App[Any]) -> None:
    """Wait, without a clock, until all parts of *app* have handled their messages."""
    for _ in range(MAX_ROUNDS):
        pumps = _pumps(app)
        reached = [asyncio.Event() for _ in pumps]
        for pump, event in zip(pumps, reached, strict=True):
            # Textual's call_later would inspect the callback's arguments each time.
            if not pump.post_message(Callback(callback=event.set)):
                event.set()  # The widget is being closed.
        for pump, event in zip(pumps, reached, strict=True):
            while not event.is_set() and not _is_gone(pump):
                await asyncio.sleep(0)
        # A message that passes through several widgets, or opens a screen, takes one round for each.
        if pumps == _pumps(app) and not any(pump.message_queue_size for pump in pumps):
            return


def _pumps(app: App[Any]) -> list[MessagePump]:
    """Return the application, its screens and all widgets of the top screen."""
    seen = app.screen_stack[-1:]
    return [app, *app.screen_stack, *(part for screen in seen for part in screen.walk_children())]


def _is_gone(pump: MessagePump) -> bool:
    """Return True if *pump* has stopped, or was removed before it started.

    A widget that is waiting to be mounted may still start.
    """
    if pump.is_running:
        return False
    return isinstance(pump, App) or not pump.is_attached or bool(getattr(pump, "is_mounted", True))
