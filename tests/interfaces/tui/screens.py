"""The full screen as a user meets it: an application without a terminal, keys and text."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from itertools import count
from typing import Any
from unittest.mock import patch

from textual._compositor import Compositor
from textual._context import visible_screen_stack
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet
from textual.events import (
    Click,
    Key,
    MouseDown,
    MouseEvent,
    MouseScrollDown,
    MouseScrollUp,
    MouseUp,
    Resize,
)
from textual.geometry import Size
from textual.keys import _character_to_key
from textual.message_pump import MessagePump
from textual.pilot import Pilot
from textual.screen import Screen

from noughts.arena.store.store import Store
from noughts.interfaces.presenting.game_plan import GamePlan
from noughts.interfaces.presenting.i18n import LANGUAGES, Translator
from noughts.interfaces.presenting.preferences import Preferences
from noughts.interfaces.tui.app import FirstPage, NoughtsApp
from noughts.interfaces.tui.lobby.start_page import StartPage
from noughts.interfaces.tui.widgets.base_app import AppServices
from noughts.text import display_width
from tests.interfaces.harness import SAY
from tests.stand_ins import MemoryStore, ThinkingHere

SIZES = {"narrow": (24, 12), "normal": (60, 20), "wide": (100, 30)}
"""The three sizes for snapshots of every screen."""

EVERY = [
    (size, language)
    for at, size in enumerate(SIZES.values())
    for number, language in enumerate(LANGUAGES)
    if (at + number) % 2
]
"""The three sizes in two languages each; the narrowest is Russian, which has the longest words."""

NOW = 1_700_000_000_000
"""The time of all tests, in milliseconds since 1970."""


@asynccontextmanager
async def open_app(
    size: tuple[int, int] = (100, 30),
    language: str = "en",
    *,
    plan: GamePlan | None = None,
    start: tuple[str, str] | None = None,
    store: Store | None = None,
    first_page: FirstPage | None = None,
    painted: bool = False,
    **around: Any,
) -> AsyncIterator[tuple[NoughtsApp, Pilot[None]]]:
    """Open the application in a window of *size* (columns, rows), with its pilot.

    The defaults are a fixed clock, an empty store in memory, a thinker in the same thread and no preferences.
    *around* sets other fields of :class:`AppServices`. With *painted* it renders the output for a terminal.
    """
    facts: dict[str, Any] = {"now": lambda: NOW, "thinker": ThinkingHere(), "preferences": Preferences()}
    facts |= around
    store = MemoryStore() if store is None else store
    app = NoughtsApp(SAY[language], AppServices(lambda: store, **facts), plan, start, first_page)
    with (
        patch.object(Compositor, "render_update", draw if painted else drawn_for_nobody),
        patch.object(Stylesheet, "_parse_rules", parsed_once),
    ):
        async with app.run_test(size=size) as pilot:
            await settle(app)
            yield app, pilot


draw = Compositor.render_update


def drawn_for_nobody(compositor: Compositor, full: bool = False, **more: Any) -> Any:
    """Skip the output for a terminal, which Textual would render and discard.

    It takes a third of the time of a key. The screen is rendered when a test reads it.
    """
    if full:
        return draw(compositor, full, **more)
    visible_screen_stack.set(more.get("screen_stack") or [])
    compositor._dirty_regions.clear()
    return None


parse = Stylesheet._parse_rules
parsed: dict[tuple[tuple[str, str], ...], dict[object, list[RuleSet]]] = {}
"""The parsed rules for each set of colours."""


def parsed_once(stylesheet: Stylesheet, css: str, *place: Any, **named: Any) -> list[RuleSet]:
    """Parse rules of style once for all applications with the same colours."""
    colours = stylesheet._variables
    known: dict[object, list[RuleSet]]
    known, of = vars(stylesheet).get("_parsed", ({}, None))
    if of is not colours:
        known = parsed.setdefault(tuple(colours.items()), {})
        vars(stylesheet)["_parsed"] = known, colours
    key = css, place, *named.items()
    if key not in known:
        known[key] = parse(stylesheet, css, *place, **named)
    return known[key]


async def spoken(app: NoughtsApp) -> AsyncIterator[Translator]:
    """Yield a translator for each language after the application has switched to it."""
    for language in LANGUAGES:
        app.set_language(language)
        await settle(app)
        yield app.say


def start_of(app: NoughtsApp) -> StartPage:
    """Return the first screen, even if another screen covers it."""
    return next(screen for screen in app.screen_stack if isinstance(screen, StartPage))


def text_of(app: NoughtsApp) -> list[str]:
    """Return the lines of the screen in the whole width of the window."""
    return ["".join(segment.text for segment in strip) for strip in app.screen._compositor.render_strips()]


def seen(app: NoughtsApp) -> str:
    """Return the screen as one text, without trailing blanks."""
    return "\n".join(line.rstrip() for line in text_of(app))


# Keys and clicks without a clock, since there are thousands of them

MAX_TURNS = 1_000_000
"""The turns of the event loop after which an application counts as never idle."""

CHARACTERS = {
    "space": " ",
    "question_mark": "?",
    "exclamation_mark": "!",
    "left_square_bracket": "[",
    "right_square_bracket": "]",
    "slash": "/",
    "cyrillic_small_letter_ve": "в",
    "cyrillic_capital_letter_ve": "В",
}
"""The characters of keys with long names."""


async def settle(app: NoughtsApp) -> None:
    """Wait until all parts of the application have handled their messages."""
    turns = count()
    for _ in range(2):  # A new layout sends messages too.
        while app.is_running and app.input_queue.count and app._exception is None:
            await asyncio.sleep(0)  # Keys and clicks wait for one another.
            assert next(turns) < MAX_TURNS, "a key is never done with"
        await _work_off(app, turns)
        if app.is_running:
            for screen in _seen_screens(app):
                screen._on_timer_update()
    await _work_off(app, turns)


async def _work_off(app: NoughtsApp, turns: Iterator[int]) -> None:
    """Wait until each visible part is waiting for messages."""
    while busy := next(filter(_is_busy, _parts(app)), None):
        while _is_busy(busy):
            await asyncio.sleep(0)
            assert next(turns) < MAX_TURNS, f"{busy} never comes to rest"
    if app._exception is not None:
        raise app._exception


def _parts(app: NoughtsApp) -> Iterator[MessagePump]:
    yield app
    yield from app.screen_stack
    for screen in _seen_screens(app):
        yield from screen.walk_children()


def _seen_screens(app: NoughtsApp) -> list[Screen[Any]]:
    """Return the visible screens, the lowest first."""
    top = app.screen_stack[-1:]
    return [*app._background_screens, *top] if top and top[0].styles.background.a < 1 else top


def _is_busy(pump: MessagePump) -> bool:
    queue: Any = pump._message_queue
    return pump.is_running and (bool(queue.values) or not queue.ready_event._waiters)


async def press(app: NoughtsApp, *keys: str) -> None:
    """Press keys one after another and wait for each."""
    for key in keys:
        send(app, key)
        await settle(app)


def send(app: NoughtsApp, *keys: str) -> None:
    """Press keys without waiting."""
    for key in keys:
        name = _character_to_key(key) if len(key) == 1 and not (key.isalnum() and key.isascii()) else key
        app.post_message(Key(name, CHARACTERS.get(name, key if len(key) == 1 else None)))


async def click(app: NoughtsApp, x: int, y: int, button: int = 1, *, times: int = 1) -> None:
    """Click *times* times in column *x* of line *y*, by default with the left button."""
    for chain in range(1, times + 1):
        for kind in (MouseDown, MouseUp):
            await _use_mouse(app, kind, x, y, button)
        await _use_mouse(app, Click, x, y, button, chain=chain)


async def roll(app: NoughtsApp, x: int, y: int, *, up: bool = False, shift: bool = False) -> None:
    """Turn the wheel by one notch in column *x* of line *y* of the window."""
    await _use_mouse(app, MouseScrollUp if up else MouseScrollDown, x, y, shift=shift)


async def _use_mouse(
    app: NoughtsApp,
    kind: type[MouseEvent],
    x: int,
    y: int,
    button: int = 0,
    *,
    shift: bool = False,
    **more: Any,
) -> None:
    place: dict[str, Any] = {"x": x, "y": y, "screen_x": x, "screen_y": y, "delta_x": 0, "delta_y": 0}
    app.screen._forward_event(
        kind(widget=app.screen, button=button, shift=shift, meta=False, ctrl=False, **place, **more)
    )
    await settle(app)


async def click_text(app: NoughtsApp, text: str) -> None:
    """Click on the first place of *text* in the window."""
    for y, line in enumerate(text_of(app)):
        if text in line:
            await click(app, display_width(line[: line.index(text)]), y)
            return
    raise AssertionError(f"{text!r} is not shown:\n{seen(app)}")


async def resize(app: NoughtsApp, width: int, height: int) -> None:
    """Resize the window."""
    size = Size(width, height)
    app._driver._size = size  # type: ignore[union-attr]
    app.post_message(Resize(size, size))
    await settle(app)
    app._check_resize()  # Textual waits for further changes.
    await settle(app)
