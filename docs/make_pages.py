"""Take the pictures of the pages in Chromium, from a server of its own.

    uv run --group dev python docs/make_pages.py

Chromium draws letters a little differently on each machine, so no test compares them.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

FOLDER = Path(__file__).parent / "pictures" / "pages"
CHROMIUM = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
SEATS = ("Ada", "Wei")
PATIENCE = 20


@dataclass(frozen=True, slots=True)
class Scene:
    """The content of a picture: a room after *moves*, or the first page without a game."""

    scheme: str
    game: str | None = None
    moves: str = ""
    shown: str = "#index svg"
    size: tuple[int, int] = (1280, 800)


SCENES = {
    "home-light": Scene("light", size=(1100, 620)),
    "home-dark": Scene("dark", size=(1100, 620)),
    "room-light": Scene("light", "qubic", "22 1 43 64 23 24 39 16 26", "[role=grid]"),
    "room-dark": Scene("dark", "qubic", "22 1 43 64 23 24 39 16 26", "[role=grid]"),
}


@contextmanager
def serving() -> Iterator[str]:
    """Start a server without games and yield its address, and stop it afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "noughts", "serve", "--port", "0", "--db", f"{folder}/games.db"]
        environment = {**os.environ, "NOUGHTS_LANG": "en"}
        with subprocess.Popen(  # noqa: S603 - this program
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment
        ) as process:
            if process.stdout is None:
                raise AssertionError("a pipe was asked for")
            yield process.stdout.readline().strip().rstrip("/")
            process.terminate()


def post(address: str, body: Any, token: str = "") -> Any:
    """Return the server's answer to *body*."""
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    request = urllib.request.Request(address, json.dumps(body).encode(), headers)  # noqa: S310 - ours
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:  # noqa: S310
        return json.load(answer)


def play(address: str, scene: Scene) -> dict[str, Any]:
    """Return a room after the moves of *scene*, as its first player sees it."""
    clock = {"base": 600_000, "increment": 5_000}
    one = post(f"{address}/api/rooms", {"game": scene.game, "name": SEATS[0], "clock": clock})
    two = post(f"{address}/api/join", {"code": one["code"], "name": SEATS[1]})
    version = two["state"]["version"]
    for ply, move in enumerate(scene.moves.split()):
        token = (one, two)[ply % 2]["token"]
        body = {"version": version, "key": f"k{ply}", "command": {"type": "move", "move": move}}
        version = post(f"{address}/api/rooms/{one['room']}/commands", body, token)["version"]
    return dict(one)


def take(browser: Browser, address: str, scene: Scene) -> bytes:
    """Take the picture of *scene*."""
    width, height = scene.size
    page = browser.new_page(
        viewport={"width": width, "height": height},
        color_scheme="dark" if scene.scheme == "dark" else "light",
        locale="en",
        reduced_motion="reduce",
    )
    if scene.game is None:
        page.goto(address)
    else:
        open_room(page, address, play(address, scene))
    page.locator(scene.shown).first.wait_for()
    page.wait_for_load_state("load")
    picture = page.screenshot()
    page.close()
    return picture


def open_room(page: Page, address: str, entry: dict[str, Any]) -> None:
    """Open a room in *page* from the seat of *entry*, with a player in the other seat."""
    cookie = {"name": "noughts-seat", "value": entry["token"], "url": f"{address}/api/rooms/{entry['room']}"}
    page.context.add_cookies([cookie])  # type: ignore[list-item]
    page.goto(f"{address}/r/{entry['room']}")


def main() -> None:
    """Take all pictures."""
    path = next(filter(None, map(shutil.which, CHROMIUM)))
    FOLDER.mkdir(parents=True, exist_ok=True)
    with serving() as address, sync_playwright() as runner:
        browser = runner.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        for name, scene in SCENES.items():
            (FOLDER / f"{name}.png").write_bytes(take(browser, address, scene))
        browser.close()


if __name__ == "__main__":
    main()
