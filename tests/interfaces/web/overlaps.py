"""Checks that words are readable in windows of every width."""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page

WIDTHS = (320, 360, 390, 768, 900, 1188, 1440)
"""Window widths, which include those of all layouts."""

NARROWEST = (320, 390, 768, 900, 1440)
"""The narrowest window of each layout. Words that fit there fit in wider windows of that layout."""

FEW = (320, 900)
"""The narrowest windows on a phone and on a desktop."""

HEIGHT = 900

FIND = Path(__file__).with_suffix(".js").read_text("utf-8").partition("\n")[2].rstrip().removesuffix(";")

SETTLED = "() => new Promise(go => requestAnimationFrame(() => requestAnimationFrame(go)))"
"""Waits until the page has adapted to the width of its window, since a script lays out boards."""

FIND_SETTLED = f"async () => {{ await ({SETTLED})(); return ({FIND})(); }}"

UNPAINTED = "clip => { document.documentElement.style.clipPath = clip }"
"""Disables painting without a change of the layout, which saves a third of the time."""


def overlaps(page: "Page", widths: tuple[int, ...] = WIDTHS) -> dict[int, list[str]]:
    """Return the words of *page* that overlap or are cut, by the width of the window."""
    found: dict[int, list[str]] = {}
    before = page.viewport_size
    assert before is not None
    page.evaluate(UNPAINTED, "inset(100%)")
    for width in widths:
        page.set_viewport_size({"width": width, "height": HEIGHT})
        if wrong := page.evaluate(FIND_SETTLED):
            found[width] = wrong
    page.set_viewport_size(before)
    page.evaluate(UNPAINTED, "")
    return found
