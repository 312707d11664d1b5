"""The full screen as a user meets it: an application without a terminal, keys pressed, text read."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import Any

from textual.pilot import Pilot

from noughts.arena.store import MemoryStore, Store
from noughts.arena.thinking import ThinkingHere
from noughts.interfaces.i18n import Translator
from noughts.interfaces.planning import Plan
from noughts.interfaces.preferences import Preferences
from noughts.interfaces.tui.app import NoughtsApp, Surroundings

SIZES = {"narrow": (24, 12), "normal": (60, 20), "wide": (100, 30)}
"""The three sizes that every screen is drawn for."""

NOW = 1_700_000_000_000
"""When everything happens in tests, in milliseconds since 1970."""


def run(test: Coroutine[Any, Any, None]) -> None:
    """Run an asynchronous test to its end."""
    asyncio.run(test)


@asynccontextmanager
async def open_app(
    size: tuple[int, int] = (100, 30),
    language: str = "en",
    *,
    plan: Plan | None = None,
    store: Store | None = None,
    **around: Any,
) -> AsyncIterator[tuple[NoughtsApp, Pilot[None]]]:
    """The application in a window of *size* (columns, rows), and what presses its keys.

    What is not said is a fixed clock, an empty store in memory, thinking in the same thread and no
    preferences; *around* are the fields of :class:`Surroundings`.
    """
    facts: dict[str, Any] = {"now": lambda: NOW, "thinker": ThinkingHere(), "preferences": Preferences()}
    facts |= around
    app = NoughtsApp(Translator(language), Surroundings(store=store or MemoryStore(), **facts), plan)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        yield app, pilot


def text_of(app: NoughtsApp) -> list[str]:
    """The lines of the screen as text, in the whole width of the window."""
    return ["".join(segment.text for segment in strip) for strip in app.screen._compositor.render_strips()]


def seen(app: NoughtsApp) -> str:
    """The screen as one text, without blanks at the ends of lines."""
    return "\n".join(line.rstrip() for line in text_of(app))
