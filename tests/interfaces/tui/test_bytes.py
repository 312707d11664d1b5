"""The bytes that the full screen writes to a terminal in true colour."""

import os
import statistics
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any
from unittest.mock import patch

import pytest
from textual._compositor import CompositorUpdate

from noughts.games.catalogue import all_entries
from noughts.interfaces.presenting.game_plan import GamePlan
from noughts.interfaces.tui.app import NoughtsApp
from noughts.search.analysis import Progress
from tests.interfaces.harness import DONE, EN, Program
from tests.interfaces.tui.screens import NOW, open_app, press, settle, start_of
from tests.interfaces.tui.table import SlowThinker, plan_of, tick
from tests.interfaces.tui.test_terminal_capture import PLAY, Captured
from tests.running import run
from tests.stand_ins import ThinkingHere
from tests.weekly import each_week_all

TRUE_COLOUR = {"TERM": "xterm-256color", "COLORTERM": "truecolor"}
FIRST_PAGE = {(100, 30): 30_000, (160, 50): 60_000}
"""The most bytes of the first page, by the size of the window."""
ARROW, MOVE, GALLERY_ARROW, PAGE, THOUGHT = 1_500, 4_000, 3_500, 35_000, 250
"""The most bytes of an arrow key, a move, an arrow key in the gallery, another page, and a report.

An arrow key in the gallery also changes the notes. Another page is that of a window of 100x30. Reports come
while a computer thinks, at most twice a second.
"""
CURSOR_KEYS = [
    "right",
    "right",
    "down",
    "left",
    "up",
    "right",
    "right",
    "down",
    "left",
    "left",
    "up",
    "right",
]
GOMOKU_MOVES = ("enter", "right enter", "right enter")


class Wire:
    """A counter of the bytes that *app* writes to its terminal."""

    app: NoughtsApp
    count = 0

    def display(self, app: NoughtsApp, screen: Any, frame: Any) -> None:
        """Count a frame, in place of the method of Textual that writes it."""
        if isinstance(frame, CompositorUpdate) and not app._batch_count:
            self.count += len(frame.render_segments(app.console).encode())

    async def bytes_of(self, *keys: str) -> int:
        """Return the bytes for *keys*, pressed one after another."""
        before = self.count
        await press(self.app, *keys)
        return self.count - before

    async def median(self, keys: Sequence[str]) -> float:
        """Return the median of *keys*; each is a key, or several separated by blanks."""
        return statistics.median([await self.bytes_of(*key.split()) for key in keys])


@asynccontextmanager
async def wired(size: tuple[int, int], plan: GamePlan | None = None, **around: Any) -> AsyncIterator[Wire]:
    """Open the application in a window of *size* and yield the counter."""
    wire = Wire()
    around.setdefault("thinker", SlowThinker())
    displayed = patch.object(NoughtsApp, "_display", lambda *facts: wire.display(*facts))
    with displayed, patch.dict(os.environ, TRUE_COLOUR):
        async with open_app(size, plan=plan, painted=True, **around) as (wire.app, _):
            assert wire.app.console.color_system == "truecolor"
            yield wire


@pytest.mark.slow
@pytest.mark.parametrize("size", FIRST_PAGE)
def test_gallery_writes_few_bytes(size: tuple[int, int]) -> None:
    async def test() -> None:
        async with wired(size) as wire:
            assert 0 < wire.count <= FIRST_PAGE[size]
            assert 0 < await wire.median(("right", "right", "left", "right", "down")) <= GALLERY_ARROW

    run(test())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "moves", "size"),
    [
        ("tictactoe", tuple("519"), (100, 30)),
        ("gomoku", GOMOKU_MOVES, (160, 50)),
        ("pentago", ("enter",), (100, 30)),
    ],
)
def test_game_page_writes_few_bytes(game: str, moves: tuple[str, ...], size: tuple[int, int]) -> None:
    async def test() -> None:
        async with wired(size, plan_of(game)) as wire:
            assert 0 < wire.count <= FIRST_PAGE[size]
            assert 0 < await wire.median(("right", "left", "right")) <= ARROW
            assert 0 < await wire.median(moves) <= MOVE

    run(test())


@pytest.mark.slow
@pytest.mark.parametrize("game", each_week_all([entry.name for entry in all_entries()], 3))
def test_cursor_keys_write_few_bytes(game: str) -> None:
    async def test() -> None:
        async with wired((100, 30), plan_of(game)) as wire:
            assert 0 < await wire.median(CURSOR_KEYS) <= ARROW

    run(test())


def test_game_from_gallery_and_review_write_few_bytes() -> None:
    """Covered screens write nothing."""

    async def test() -> None:
        async with wired((100, 30), thinker=ThinkingHere()) as wire:
            before = wire.count
            start_of(wire.app).play(plan_of())
            await settle(wire.app)
            assert 0 < wire.count - before <= PAGE
            assert 0 < await wire.median(("right", "left", "right")) <= ARROW
            assert 0 < await wire.median("14253") <= MOVE
            assert 0 < await wire.bytes_of("v") <= PAGE
            assert 0 < await wire.median(("left", "left", "right", "left", "left")) <= MOVE

    run(test())


@pytest.mark.slow
def test_search_reports_write_few_bytes() -> None:
    thinker, time = SlowThinker(), [NOW]

    async def test() -> None:
        plan = plan_of("gomoku", "human", "level:10")
        async with wired((160, 50), plan, thinker=thinker, now=lambda: time[0]) as wire:
            await press(wire.app, "enter")
            for depth in range(1, 6):
                before = wire.count
                thinker.last.tell(Progress("searching", 1000 * depth, depth, (7, 8), ((7, 8), (6, 8)), depth))
                await settle(wire.app)
                time[0] += 500
                await tick(wire.app)
                if depth > 1:  # The first report is longer.
                    assert 0 < wire.count - before <= THOUGHT

    run(test())


@pytest.mark.slow
def test_real_terminal_gets_few_bytes(program: Program) -> None:
    """The counts match those without a terminal, besides Textual's first requests."""
    program = program.under(**TRUE_COLOUR)
    with Captured.opened(program, *PLAY, size=(100, 30)) as captured:
        captured.wait_for(EN("is-to-move", player="Ada"))
        captured.wait_until_calm()
        assert len(captured.raw) <= FIRST_PAGE[100, 30]
        for keys, most in (("\x1b[C", ARROW), ("5", MOVE), ("1", MOVE)):
            before = len(captured.raw)
            captured.type(keys)
            captured.wait_until_calm()
            assert 0 < len(captured.raw) - before <= most
        captured.type("q")
        assert captured.finish() == DONE
