"""The weight of the browser pages: bytes, requests, and the shift of their layout while they load.

    python -m benchmarks.pages                      measure and print
    python -m benchmarks.pages --write              also write docs/benchmarks.md

Chromium opens each page as on a phone (390 by 844), first with an empty cache and then again. Bytes are those
of the connection including headers, as Chromium counts them. Shift is Chromium's sum of layout shifts without
user input, while every answer of ``/api`` comes 300 ms late.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from benchmarks.report import machine, save_results, table

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
PHONE = {"width": 390, "height": 844}
LATE_MS = 300
SETTLED_MS = 1_500

WATCH = """
  window.moved = 0;
  new PerformanceObserver(list => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.moved += entry.value;
  }).observe({ type: "layout-shift", buffered: true });
"""


@contextmanager
def serving() -> Iterator[str]:
    """Start a server without games and yield its address, and stop it afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "noughts", "serve", "--port", "0", "--db", f"{folder}/games.db"]
        environment = {**os.environ, "NOUGHTS_LANG": "en"}
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment
        ) as process:
            assert process.stdout is not None
            try:
                yield process.stdout.readline().strip().rstrip("/")
            finally:
                process.terminate()


def post(address: str, body: Any, token: str = "") -> Any:
    """Return the server's answer to *body*."""
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    request = urllib.request.Request(address, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=20) as answer:
        return json.load(answer)


def played(address: str, moves: str) -> Any:
    """Return the state of a room of tic-tac-toe after *moves*."""
    one = post(f"{address}/api/rooms", {"game": "tictactoe", "opponent": "friend", "name": "Ada"})
    two = post(f"{address}/api/join", {"code": one["code"], "name": "Wei"})
    state = two["state"]
    for ply, move in enumerate(moves.split()):
        command = {"version": state["version"], "key": f"k{ply}", "command": {"type": "move", "move": move}}
        path = f"{address}/api/rooms/{one['room']}/commands"
        state = post(path, command, (one, two)[ply % 2]["token"])["state"]
    return state


def visit(page: "Page", address: str) -> dict[str, float]:
    """Return the bytes and the requests of one visit of *page* to *address*."""
    session = page.context.new_cdp_session(page)
    asked, weights = list[str](), list[float]()
    session.on("Network.requestWillBeSent", lambda told: asked.append(told["request"]["url"]))
    session.on("Network.loadingFinished", lambda told: weights.append(told["encodedDataLength"]))
    session.send("Network.enable")
    page.goto(address)
    page.wait_for_timeout(SETTLED_MS)
    told = {"bytes": sum(weights), "requests": sum(not url.startswith("data:") for url in asked)}
    session.detach()
    return told


def shift(browser: "Browser", address: str) -> float:
    """Return the layout shift of the page at *address* while its data comes late."""
    context = browser.new_context(viewport=PHONE, locale="en")  # type: ignore[arg-type]
    page = context.new_page()
    page.add_init_script(WATCH)

    def late(route: Any) -> None:
        page.wait_for_timeout(LATE_MS)
        route.continue_()

    page.route("**/api/**", late)
    page.goto(address)
    page.wait_for_timeout(SETTLED_MS + 3 * LATE_MS)
    moved: float = page.evaluate("window.moved")
    context.close()
    return moved


def measure() -> dict[str, Any]:
    """Measure each page: the first visit, the next one, and the shift."""
    from playwright.sync_api import sync_playwright

    path = next(filter(None, map(shutil.which, NAMES)))
    told: dict[str, Any] = {"machine": machine(), "pages": {}}
    with serving() as address, sync_playwright() as runner:
        browser = runner.chromium.launch(executable_path=path, args=["--no-sandbox"])
        over, goes_on = played(address, "5 1 3 2 7"), played(address, "5 1")
        pages = {
            "first page": "/",
            "a room": f"/r/{goes_on['room']}",
            "a finished game": f"/g/{over['game_id']}",
            "an analysis": "/analysis?game=tictactoe&moves=5,1",
            "a puzzle": "/puzzle/1",
            "all puzzles": "/puzzles",
            "an own board": "/build",
            "history": "/history",
            "scores": "/scores",
        }
        for name, at in pages.items():
            context = browser.new_context(viewport=PHONE, locale="en")  # type: ignore[arg-type]
            page = context.new_page()
            first, again = visit(page, address + at), visit(page, address + at)
            context.close()
            told["pages"][name] = {"first": first, "again": again, "shift": shift(browser, address + at)}
        browser.close()
    return told


def report(measured: dict[str, Any]) -> dict[str, str]:
    """Return *measured* as Markdown for the blocks of the documents."""
    rows = [
        [
            name,
            f"{facts['first']['bytes'] / 1000:.1f} kB",
            str(facts["first"]["requests"]),
            f"{facts['again']['bytes'] / 1000:.1f} kB",
            f"{facts['shift']:.3f}",
        ]
        for name, facts in measured.get("pages", {}).items()
    ]
    columns = ("page", "first visit", "requests", "again", "shift")
    return {"machine": f"{measured.get('machine', '')}:\n", "weights": table(columns, rows)}


def main() -> None:
    """Measure, and print or write."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--write", action="store_true", help="write the results into the documents")
    options = parser.parse_args()
    measured = measure()
    sys.stdout.write(report(measured)["weights"])
    if options.write:
        save_results("pages", measured)


if __name__ == "__main__":
    main()
