"""Helpers for the first screen: checks of the display, keys and their results."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from babel.messages.pofile import read_po
from textual.pilot import Pilot

from noughts.arena.commands import MakeMove, Resign
from noughts.arena.local_table import LocalTable
from noughts.arena.series import Series
from noughts.games.catalogue import CATALOGUE
from noughts.interfaces.presenting.game_plan import HUMAN, GamePlan
from noughts.interfaces.tui.app import NoughtsApp
from noughts.interfaces.tui.lobby.start_page import StartPage
from noughts.text import display_width
from tests.interfaces.messages import SOURCE
from tests.interfaces.tui.screens import NOW, settle, text_of
from tests.interfaces.tui.screens import press as press_keys
from tests.interfaces.tui.screens import resize as give_size
from tests.stand_ins import MemoryStore

NAMES = [entry.name for entry in CATALOGUE]


def ids() -> set[str]:
    path = SOURCE / "locales" / "en" / "LC_MESSAGES" / "noughts.po"
    with path.open("rb") as file:
        ids_in_catalogue = [message.id for message in read_po(file) if message.id]
    return {id_ if isinstance(id_, str) else str(id_[0]) for id_ in ids_in_catalogue}


IDS = {id_ for id_ in ids() if "-" in id_}


def check(app: NoughtsApp, size: tuple[int, int]) -> str:
    """Check that every line fits the window and that no message id is shown."""
    lines = text_of(app)
    assert len(lines) == size[1]
    assert {display_width(line) for line in lines} == {size[0]}
    text = "\n".join(lines)
    assert not IDS & set(re.findall(r"[a-z0-9]+(?:-[a-z0-9+]+)+", text)), text
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f\u202e\u200b]", text)
    return text


async def press(app: NoughtsApp, *keys: str) -> None:
    """Press keys and wait for a field to handle them."""
    await press_keys(app, *keys)
    await settle(app)


async def resize(app: NoughtsApp, pilot: Pilot[None], *size: int) -> None:
    """Resize the window."""
    await give_size(app, *size)  # Without Textual's delay for further changes.
    await pilot.pause()


@contextmanager
def recorded(app: NoughtsApp, method: str = "play") -> Iterator[list[Any]]:
    """Record the plans that the application should play, without playing them."""
    calls: list[Any] = []
    take = calls.append if method == "play" else lambda prepare: calls.append(prepare())
    with patch.object(page_of(app), method, take):
        yield calls


def page_of(app: NoughtsApp) -> StartPage:
    page = app.screen
    assert isinstance(page, StartPage)
    return page


async def played(app: NoughtsApp, *keys: str) -> GamePlan:
    """Return the plan after some keys."""
    with recorded(app) as plans:
        await press(app, *keys)
    (plan,) = plans
    assert isinstance(plan, GamePlan)
    return plan


def interrupted(
    game: str = "gomoku",
    names: tuple[str, str] = ("Ada", "Wei"),
    *,
    over: bool = False,
    store: MemoryStore | None = None,
) -> MemoryStore:
    """Return a store with an interrupted game, or with a series between two games."""
    store = store or MemoryStore()
    table = LocalTable(
        store, game, Series(names), dict.fromkeys(Series(names).players, HUMAN), is_series=True
    )
    table.begin(NOW)
    match = table.match
    assert match is not None
    for _ in range(3):
        table.apply(match.turn, MakeMove(match.game.legal_moves()[0]), NOW)
    if over:
        table.apply("X", Resign(), NOW)
    return store
