"""Whether words can be read in windows of every width."""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page

WIDTHS = (320, 360, 390, 768, 900, 1188, 1440)
"""Widths of windows, at some of which pages are laid out in another way."""

NARROWEST = (320, 390, 768, 900, 1440)
"""Those at which each layout has least room: where words fit there, they fit in wider windows of it."""

FEW = (320, 900)
"""The least room on a phone and on a desk."""

HEIGHT = 900

FIND = Path(__file__).with_suffix(".js").read_text("utf-8").partition("\n")[2].rstrip().removesuffix(";")

SETTLED = "() => new Promise(go => requestAnimationFrame(() => requestAnimationFrame(go)))"
"""Waits until the page has seen how wide its window is now: boards are laid out by script."""

FIND_SETTLED = f"async () => {{ await ({SETTLED})(); return ({FIND})(); }}"

UNPAINTED = "clip => { document.documentElement.style.clipPath = clip }"
"""Leaves all in its place and paints nothing of it: that would be a third of the work, and nobody looks."""


def overlaps(page: "Page", widths: tuple[int, ...] = WIDTHS) -> dict[int, list[str]]:
    """What is wrong with the words of *page*, by the width of the window."""
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
