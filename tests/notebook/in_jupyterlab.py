"""Try the notebook board in a real JupyterLab: run it, click on it, play by keys.

``uv run --group dev --with jupyterlab python -m tests.notebook.in_jupyterlab``
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import anywidget
from playwright.sync_api import Page, expect, sync_playwright

from tests.chromium import ARGUMENTS, NAMES

PATIENCE_MS = 90_000
CODE = 'from noughts.notebook import Board\nboard = Board("tictactoe", opponent="rule", seed=1)\nboard'
ASKED = "print(board.game.ply)"


def notebook(*cells: str) -> str:
    """Return a notebook of *cells* of code."""
    kinds: dict[str, object] = {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": []}
    made = [{**kinds, "id": f"cell-{number}", "source": source} for number, source in enumerate(cells)]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return json.dumps({"cells": made, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5})


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """Yield the address of a JupyterLab that serves *folder*."""
    options = ["--no-browser", "--ip=127.0.0.1", "--port=0", "--IdentityProvider.token=", "--allow-root"]
    options.append("--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate")
    environ = {**os.environ, "NOUGHTS_LANG": "en", "JUPYTER_CONFIG_DIR": str(folder / "config")}
    # With ``--with`` JupyterLab has its own environment, and would not find the scripts of widgets.
    environ["JUPYTER_PATH"] = str(Path(anywidget.__file__).parents[4] / "share" / "jupyter")
    command = [sys.executable, "-m", "jupyterlab", *options, f"--ServerApp.root_dir={folder}"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environ) as process:
        try:
            assert process.stderr is not None
            lines: list[str] = []
            for line in process.stderr:
                lines.append(line)
                if match := re.search(r"http://127\.0\.0\.1:\d+/", line):
                    yield match[0]
                    return
            raise AssertionError("".join(lines))
        finally:
            process.terminate()


def play(page: Page, address: str) -> None:
    """Run the cells, play by click and by keys, and check the moves."""
    page.goto(f"{address}lab/tree/board.ipynb")
    page.get_by_text("| Idle").wait_for()
    page.locator(".jp-Cell .cm-content").first.click()
    page.keyboard.press("Control+Enter")
    cell = page.locator('.noughts-board [data-cell="4"]')
    cell.wait_for()
    cell.click()
    played = page.locator('.noughts-board [aria-label$="X"]')
    answered = page.locator('.noughts-board [aria-label$="O"]')
    expect(answered).to_have_count(1, timeout=PATIENCE_MS)
    cell.focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("() => document.activeElement.dataset.cell") == "5"
    page.keyboard.press("Enter")
    expect(answered).to_have_count(2, timeout=PATIENCE_MS)
    expect(played).to_have_count(2)
    page.get_by_role("button", name="values").click()
    expect(page.locator(".noughts-bar [aria-pressed=true]")).to_have_count(1)
    expect(page.locator(".noughts-board svg").get_by_text(re.compile(r"^[+=?−-]")).first).to_be_visible(
        timeout=PATIENCE_MS
    )
    page.locator(".jp-Cell .cm-content").last.click()
    page.keyboard.press("Control+Enter")
    expect(page.locator(".jp-Cell").last.locator(".jp-OutputArea-output")).to_contain_text(
        "4", timeout=PATIENCE_MS
    )


def main() -> None:
    path = next(filter(None, map(shutil.which, NAMES)), None)
    with tempfile.TemporaryDirectory() as name, sync_playwright() as runner:
        folder = Path(name)
        (folder / "board.ipynb").write_text(notebook(CODE, ASKED), encoding="utf-8")
        browser = runner.chromium.launch(executable_path=path, args=ARGUMENTS)
        with serving(folder) as address:
            page = browser.new_page(viewport={"width": 1200, "height": 1400})
            page.set_default_timeout(PATIENCE_MS)
            try:
                play(page, address)
            finally:
                if picture := os.environ.get("NOUGHTS_PICTURE"):
                    page.screenshot(path=picture)
        browser.close()
    print("JupyterLab: played by click and by keys, answered, values shown.")


if __name__ == "__main__":
    main()
