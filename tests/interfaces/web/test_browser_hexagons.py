"""Boards of hexagons in the browser."""

from typing import TYPE_CHECKING

import pytest

from tests.interfaces.web.visiting import DESK, PHONE, Visitors, say, wait_for

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.slow

A_CELL = "[role=gridcell][data-index='{}']"
CORNERS = {"top": (0, -0.9), "right": (0.9, 0.4), "below": (0, 0.9), "left": (-0.9, -0.4)}
"""Points near the corners of a cell, relative to its middle, for a width and height of 2."""


def place_in(page: "Page", cell: int, across: float, down: float) -> tuple[float, float]:
    box = page.locator(f"{A_CELL.format(cell)} .hit").bounding_box()
    assert box is not None
    return box["x"] + box["width"] * (1 + across) / 2, box["y"] + box["height"] * (1 + down) / 2


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_hexagon_is_clickable_up_to_corners(visitors: Visitors, size: tuple[int, int]) -> None:
    page = visitors.visit(f"/r/{visitors.table('4x4:4,hex').room}", size=size)
    page.wait_for_selector("[role=gridcell]")
    for cell in (0, 6, 9, 15):
        for corner, place in CORNERS.items():
            x, y = place_in(page, cell, *place)
            found = page.evaluate(
                "([x, y]) => document.elementFromPoint(x, y).closest('[data-index]')?.dataset.index", [x, y]
            )
            assert found == str(cell), corner


def test_hexagon_game_by_pointer_and_keys(visitors: Visitors) -> None:
    table = visitors.table("5x5:3,hex", "c3 b4 b2 a5")
    page = visitors.visit("/healthz")
    visitors.seat_all(page, table)
    page.goto(f"{visitors.address}/r/{table.room}")
    page.click(A_CELL.format(12))  # taken, but the arrow keys start from there
    wait_for(page, "taken", "#status")
    for key, cell in (("ArrowRight", 13), ("ArrowUp", 8), ("ArrowLeft", 7), ("ArrowDown", 12), ("End", 14)):
        page.keyboard.press(key)
        assert page.evaluate("document.activeElement.dataset.index") == str(cell)
    page.mouse.click(*place_in(page, 8, 0, -0.9))
    wait_for(page, "Ada wins")
    assert say(page, "#status p") == "Ada wins: diagonal, b2 c3 d4, after 5 moves."
    assert page.locator(".board .strike").count() == 1
    assert page.locator(".board .x-wash").count() == 3
    assert page.locator(".board .coord").all_text_contents() == [*"abcde", *"54321"]
