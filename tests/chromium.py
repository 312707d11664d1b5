"""Chromium for the tests: one in each process, since a second one cannot be controlled."""

import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser

PLAIN_HOST = "classroom.test"
"""A host name of this machine whose pages are no secure context over HTTP, unlike those of ``localhost``."""

ARGUMENTS = [
    f"--host-resolver-rules=MAP {PLAIN_HOST} 127.0.0.1",
    "--no-sandbox",
    "--disable-gpu",
    "--in-process-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--renderer-process-limit=1",  # A browser for each page would take a sixth of all work.
]
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="session")
def chromium() -> Iterator["Browser"]:
    """Yield Debian's Chromium."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        pytest.skip("Chromium is not installed")
    with playwright.sync_playwright() as runner:
        browser = runner.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()
