"""Write the icons of the page as PNG files from its SVG, with Chromium.

    uv run --group dev python docs/make_icons.py

A test compares the sizes in the repository with the manifest.
"""

import shutil
from pathlib import Path

from playwright.sync_api import sync_playwright

from noughts.interfaces import web

FOLDER = Path(web.__file__).parent / "static"
PAPER = "#fafaf6"

ICONS = {
    "icon-192.png": (192, 1.0),
    "icon-512.png": (512, 1.0),
    "icon-maskable-512.png": (512, 0.72),
    "icon-180.png": (180, 0.86),
}
"""Files, their sides in pixels, and the part of a side for the drawing, since masks cut the edges off."""


def page(svg: str, side: int, part: float) -> str:
    """Return a page with only the icon."""
    inner = round(side * part)
    paper = PAPER if part < 1 else "transparent"
    style = f"margin:0;background:{paper};display:grid;place-items:center;width:{side}px;height:{side}px"
    sized = svg.replace("<svg ", f'<svg width="{inner}" height="{inner}" ', 1)
    return f'<!doctype html><body style="{style}">{sized}'


def main() -> None:
    """Write all icons."""
    svg = (FOLDER / "icon.svg").read_text(encoding="utf-8")
    with sync_playwright() as runner:
        browser = runner.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for name, (side, part) in ICONS.items():
            paper = browser.new_page(viewport={"width": side, "height": side})
            paper.set_content(page(svg, side, part))
            paper.screenshot(path=FOLDER / name, omit_background=part == 1)
        browser.close()


if __name__ == "__main__":
    main()
