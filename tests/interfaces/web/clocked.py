"""Run ``noughts serve`` with a clock in a file that tests move.

The command is ``python -m tests.interfaces.web.clocked FILE``. Further arguments are those of ``noughts``.
Delays in seconds are skipped.
"""

import mmap
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

from starlette.types import ASGIApp

from noughts import __main__ as program
from noughts.interfaces.cli import main as run_noughts
from noughts.interfaces.web import serving
from noughts.interfaces.web.app import make_app
from noughts.interfaces.web.service import ServerOptions

BYTES = 8


class SharedClock:
    """A clock in a file, shared by all processes. It stops unless a test moves it."""

    def __init__(self, path: Path) -> None:
        with path.open("r+b") as file:
            self._kept = mmap.mmap(file.fileno(), BYTES)

    def __call__(self) -> int:
        return int.from_bytes(self._kept[:], "big")

    @property
    def instant(self) -> int:
        return self()

    @instant.setter
    def instant(self, instant: int) -> None:
        self._kept[:] = instant.to_bytes(BYTES, "big")

    def close(self) -> None:
        self._kept.close()


def main() -> None:
    """Run the server."""
    path = Path(sys.argv.pop(1))

    def make(told: ServerOptions, **more: Any) -> ASGIApp:
        told = replace(told, away_seconds=0.0, remember_seconds=0.0, pace_seconds=0.0)
        return make_app(told, now=clock, **more)

    with closing(SharedClock(path)) as clock:
        setattr(serving, "make_app", make)  # noqa: B010 - in place of its own
        sys.modules["__main__"] = program  # worker processes import it too
        run_noughts()


if __name__ == "__main__":
    main()
