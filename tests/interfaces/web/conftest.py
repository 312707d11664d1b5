"""Fixtures: a real server, and Chromium to visit it."""

import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from noughts.arena.people.words import seed_of
from tests.arena.people.signing import Signer
from tests.chromium import PLAIN_HOST
from tests.interfaces.web.visiting import Visitors

if TYPE_CHECKING:
    from playwright.sync_api import Browser

OPERATOR_ENTROPY = b"operator" * 2
"""The content of the twelve words of the servers' operator."""

OPERATOR = Signer(int.from_bytes(seed_of(OPERATOR_ENTROPY), "big"))
"""The key of the servers' operator, which is not registered yet."""


@contextmanager
def serving(folder: Path, program: Sequence[str] = ("-m", "noughts")) -> Iterator[str]:
    """Yield the address of a server in a process of its own, with its database in *folder*."""
    database = ["--db", str(folder / "games.db")]
    command = [sys.executable, *program, *database, "serve", "--port", "0", "--unlimited"]
    command += ["--origin", f"http://{PLAIN_HOST}", "--operator", OPERATOR.key]
    environ = {**os.environ, "NOUGHTS_LANG": "en", "PYTHONWARNINGS": "ignore"}
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True, env=environ)
        assert process.stdout is not None
        data = process.stdout.readline().strip()
        assert data.startswith("http://"), (folder / "log").read_text()
        wait_until_it_answers(data)
        yield data.rstrip("/")
        process.terminate()
        process.wait(20)
        process.stdout.close()


@pytest.fixture(scope="session")
def address(chromium: "Browser", tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return the address of a server that tests share. Its database keeps their games."""
    with serving(tmp_path_factory.mktemp("serving")) as data:
        yield data


def wait_until_it_answers(address: str) -> None:
    """Wait until the server accepts connections, a moment after it prints its address."""
    for _ in range(200):
        with suppress(OSError):
            urllib.request.urlopen(f"{address}healthz", timeout=5).close()
            return
        time.sleep(0.05)
    raise AssertionError(f"nobody answers at {address}")


@pytest.fixture
def visitors(chromium: "Browser", address: str) -> Iterator[Any]:
    """Yield the visitors of pages. Pages must have no errors and no external requests."""
    visiting = Visitors(chromium, address)
    yield visiting
    visiting.leave()
